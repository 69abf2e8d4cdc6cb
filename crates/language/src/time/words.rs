//! The words for numbers and times of one language, read from `locales/<lang>/values.toml`, and a sentence cut into
//! items that know what they can mean. Called by `language::time`; it composes nothing.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

use serde::Deserialize;

use super::{
    Part, Season, Unit,
    senses::{Role, Sense, Small},
};
use metnos_domain::fold::{fold, straight};

/// What an item is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Word,
    Digits,
    Sign(char),
}

/// A word, a run of digits or a sign of a sentence.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) span: Range<usize>,
    pub(super) fold: String,
    pub(super) kind: Kind,
    /// No space stands before it.
    pub(super) glued: bool,
    /// Begins with a capital letter.
    pub(super) capital: bool,
    /// Phrases that begin here: how many items, and what they mean, longest first.
    pub(super) senses: Vec<(usize, Sense)>,
}

type Forms = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    compounds: bool,
    group: char,
    day_first: bool,
    postposed: bool,
    share_endings: Vec<String>,
    shares_endings: Vec<String>,
    small: HashMap<Small, HashSet<String>>,
    cardinals: Forms,
    scales: Forms,
    vague: Forms,
    ordinals: Forms,
    share: Forms,
    shares: Forms,
    units: BTreeMap<Unit, Vec<String>>,
    weekdays: Forms,
    months: Forms,
    parts: BTreeMap<Part, Vec<String>>,
    part_days: Forms,
    days: Forms,
    seasons: BTreeMap<Season, Vec<String>>,
    clocks: Forms,
    zones: Forms,
    words: HashMap<Role, Vec<String>>,
    alone: Alone,
    abbreviations: HashMap<Role, Vec<String>>,
    holidays: Forms,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Alone {
    weak: Vec<String>,
    other: HashMap<String, Beside>,
}

/// The words beside which a number means something else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Beside {
    behind: HashSet<String>,
    before: HashSet<String>,
}

/// Makes a sense of a number.
type MakePart = fn(u64) -> Sense;

/// The words of one language, ready to look up.
pub(super) struct Words {
    phrases: HashMap<String, Vec<(Vec<String>, Sense)>>,
    weak: HashSet<String>,
    other: HashMap<String, Beside>,
    small: HashMap<Small, HashSet<String>>,
    pieces: Vec<(String, u64)>,
    /// Endings that make a part of a number written as one word, and several of them: "undicesimo".
    endings: Vec<(String, MakePart)>,
    /// Thousands are grouped with this sign, decimals stand behind the other of comma and point.
    pub(super) group: char,
    /// 4/5 is in May.
    pub(super) day_first: bool,
    /// "next" may stand behind its noun, and minutes behind the hour.
    pub(super) postposed: bool,
}

impl Words {
    /// Reads the words of a language.
    pub(super) fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let file: File = toml::from_str(text)?;
        let mut words = Self {
            phrases: HashMap::new(),
            weak: file.alone.weak.iter().map(|form| fold(form)).collect(),
            other: HashMap::new(),
            small: file.small.clone(),
            pieces: Vec::new(),
            endings: Vec::new(),
            group: file.group,
            day_first: file.day_first,
            postposed: file.postposed,
        };
        if file.compounds {
            words.pieces = pieces(&file)?;
        }
        for (endings, sense) in [
            (&file.share_endings, Sense::Share as MakePart),
            (&file.shares_endings, Sense::Shares),
        ] {
            words
                .endings
                .extend(endings.iter().map(|ending| (ending.clone(), sense)));
        }
        words.add_numbered(&file)?;
        words.add_named(&file)?;
        words.other = file.alone.other;
        for list in words.phrases.values_mut() {
            list.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        }
        Ok(words)
    }

    fn add_numbered(&mut self, file: &File) -> Result<(), toml::de::Error> {
        type Table<'a> = (&'a Forms, fn(u64) -> Sense);
        let tables: [Table<'_>; 8] = [
            (&file.cardinals, Sense::Cardinal),
            (&file.scales, Sense::Scale),
            (&file.vague, Sense::Vague),
            (&file.ordinals, Sense::Ordinal),
            (&file.share, Sense::Share),
            (&file.shares, Sense::Shares),
            (&file.weekdays, |day| Sense::Weekday(day as i8)),
            (&file.months, |month| Sense::Month(month as i8)),
        ];
        for (table, sense) in tables {
            for (key, forms) in table {
                self.add(forms, sense(key_of(key)?));
            }
        }
        for (key, forms) in &file.days {
            self.add(forms, Sense::Day(key_of(key)?));
        }
        for (key, forms) in &file.zones {
            self.add(forms, Sense::Zone(key_of(key)?));
        }
        for (key, forms) in &file.clocks {
            self.add(forms, Sense::Clock(key_of(key)?));
        }
        for (key, forms) in &file.holidays {
            self.add(forms, Sense::Holiday(key_of(key)?));
        }
        Ok(())
    }

    fn add_named(&mut self, file: &File) -> Result<(), toml::de::Error> {
        for (unit, forms) in &file.units {
            self.add(forms, Sense::Unit(*unit));
        }
        for (part, forms) in &file.parts {
            self.add(forms, Sense::Part(*part));
        }
        for (season, forms) in &file.seasons {
            self.add(forms, Sense::Season(*season));
        }
        for (key, forms) in &file.part_days {
            let (day, part) = key.split_once(' ').unwrap_or((key, ""));
            let part =
                Part::named(part).ok_or_else(|| serde::de::Error::custom(format!("no part of the day: {key}")))?;
            self.add(forms, Sense::PartDay(key_of(day)?, part));
        }
        for (role, forms) in file.words.iter().chain(&file.abbreviations) {
            self.add(forms, Sense::Role(*role));
        }
        Ok(())
    }

    fn add(&mut self, forms: &[String], sense: Sense) {
        for form in forms {
            let items = cut(form, 0);
            let mut parts = items.into_iter().map(|item| item.fold);
            if let Some(first) = parts.next() {
                self.phrases.entry(first).or_default().push((parts.collect(), sense));
            }
        }
    }

    /// Whether a form means a time only in company.
    pub(super) fn is_weak(&self, fold: &str) -> bool {
        self.weak.contains(fold)
    }

    /// Whether a form is such a small word.
    pub(super) fn is_small(&self, fold: &str, small: Small) -> bool {
        self.small.get(&small).is_some_and(|forms| forms.contains(fold))
    }

    /// Whether a number between these two words is none: "which one", "dove sei".
    pub(super) fn is_other(&self, fold: &str, [behind, before]: [&str; 2]) -> bool {
        let other = self.other.get(fold);
        other.is_some_and(|other| other.behind.contains(behind) || other.before.contains(before))
    }

    /// Cuts the stretches of a sentence that are no literals.
    pub(super) fn items(&self, text: &str, literals: &[Range<usize>]) -> Vec<Item> {
        let mut items = Vec::new();
        let mut at = 0;
        for literal in literals {
            items.extend(cut(text.get(at..literal.start).unwrap_or_default(), at));
            items.push(Item {
                span: literal.clone(),
                fold: String::new(),
                kind: Kind::Sign('\u{FFFC}'),
                glued: false,
                capital: false,
                senses: Vec::new(),
            });
            at = literal.end;
        }
        items.extend(cut(text.get(at..).unwrap_or_default(), at));
        for at in 0..items.len() {
            let senses = self.senses(&items, at);
            if let Some(item) = items.get_mut(at) {
                item.senses = senses;
            }
        }
        items
    }

    fn senses(&self, items: &[Item], at: usize) -> Vec<(usize, Sense)> {
        let Some(item) = items.get(at) else { return Vec::new() };
        let mut senses: Vec<(usize, Sense)> = Vec::new();
        if let Some(list) = self.phrases.get(&item.fold) {
            for (rest, sense) in list {
                let fits = rest
                    .iter()
                    .enumerate()
                    .all(|(index, form)| items.get(at + 1 + index).is_some_and(|item| item.fold == *form));
                if fits {
                    senses.push((1 + rest.len(), *sense));
                }
            }
        }
        if senses.is_empty() && item.kind == Kind::Word {
            let sense = self.compound(&item.fold).map(Sense::Cardinal);
            senses.extend(
                sense
                    .or_else(|| self.compound_share(&item.fold))
                    .map(|sense| (1, sense)),
            );
        }
        senses
    }

    /// A part written as one word with its number, which loses its last vowel: "undicesimo", "ventitreesimi".
    fn compound_share(&self, word: &str) -> Option<Sense> {
        let mut endings = self.endings.iter();
        let (stem, sense) = endings.find_map(|(ending, sense)| Some((word.strip_suffix(ending.as_str())?, sense)))?;
        let whole = ["", "a", "e", "i", "o"].map(|vowel| format!("{stem}{vowel}"));
        whole.iter().find_map(|number| self.compound(number)).map(sense)
    }

    /// A number written as one word: "duemiladiciotto".
    fn compound(&self, word: &str) -> Option<u64> {
        if self.pieces.is_empty() || word.len() < 5 {
            return None;
        }
        let mut total = 0;
        let mut part = 0;
        let mut last = u64::MAX;
        let mut rest = word;
        while !rest.is_empty() {
            let (form, value) = self
                .pieces
                .iter()
                .find(|(form, value)| rest.starts_with(form.as_str()) && (*value >= 100 || *value < last))?;
            match *value {
                1000.. => {
                    total += part.max(1) * value;
                    part = 0;
                    last = u64::MAX;
                }
                100 => {
                    part = part.max(1) * 100;
                    last = 100;
                }
                value => {
                    part += value;
                    last = if value >= 20 { 10 } else { 0 };
                }
            }
            rest = rest.get(form.len()..)?;
        }
        Some(total + part)
    }
}

/// Scales below it are nouns ("dozzina") and never a piece of a number.
const SCALE_PIECE_MIN: u64 = 100;

/// The pieces of numbers written as one word, longest first; "tré" is "tre" after folding.
fn pieces(file: &File) -> Result<Vec<(String, u64)>, toml::de::Error> {
    let mut pieces = Vec::new();
    for (table, min) in [(&file.cardinals, 1), (&file.scales, SCALE_PIECE_MIN)] {
        for (key, forms) in table {
            let value: u64 = key_of(key)?;
            let long = forms.iter().filter(|form| value >= min && form.len() > 2);
            pieces.extend(long.map(|form| (fold(form), value)));
        }
    }
    pieces.retain(|(form, value)| !(*value == 1 && form.ends_with('\'')));
    pieces.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
    Ok(pieces)
}

fn key_of<T: std::str::FromStr>(key: &str) -> Result<T, toml::de::Error> {
    let value = key.parse().ok();
    value.ok_or_else(|| serde::de::Error::custom(format!("no value: `{key}`")))
}

/// Cuts a stretch of text into words, digits and signs.
fn cut(text: &str, offset: usize) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    let mut glued = false;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if letter.is_whitespace() {
            at += letter.len_utf8();
            glued = false;
            continue;
        }
        let end = end_of(text, at, letter);
        let raw = text.get(at..end).unwrap_or_default();
        let kind = if letter.is_ascii_digit() {
            Kind::Digits
        } else if letter.is_alphabetic() || end - at > letter.len_utf8() {
            Kind::Word
        } else {
            Kind::Sign(letter)
        };
        items.push(Item {
            span: offset + at..offset + end,
            fold: fold(raw),
            kind,
            glued,
            capital: letter.is_uppercase(),
            senses: Vec::new(),
        });
        at = end;
        glued = true;
    }
    items
}

fn end_of(text: &str, start: usize, first: char) -> usize {
    let run = |from: usize, good: fn(char) -> bool| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.find(|letter| !good(letter)).unwrap_or(rest.len())
    };
    if first.is_ascii_digit() {
        return run(start, |letter| letter.is_ascii_digit());
    }
    let is_letter: fn(char) -> bool = |letter| letter.is_alphabetic() || letter == '\u{300}' || letter == '\u{301}';
    let apostrophe = |letter: char| straight(letter) == '\'';
    if apostrophe(first) {
        // "'s" is a word of its own: the owner before it is another.
        let end = run(start + first.len_utf8(), is_letter);
        let tail = text.get(start + first.len_utf8()..end).unwrap_or_default();
        return if matches!(tail, "s" | "S") {
            end
        } else {
            start + first.len_utf8()
        };
    }
    if !is_letter(first) {
        return start + first.len_utf8();
    }
    let end = run(start, is_letter);
    let Some(mark) = text
        .get(end..)
        .and_then(|rest| rest.chars().next())
        .filter(|mark| apostrophe(*mark))
    else {
        return end;
    };
    let after = end + mark.len_utf8();
    if after == text.len() {
        return after;
    }
    let tail_end = run(after, is_letter);
    let tail = text.get(after..tail_end).unwrap_or_default().to_lowercase();
    match tail.as_str() {
        "s" => end,
        "clock" | "en" | "omer" | "av" => tail_end,
        "t" | "d" | "ll" | "re" | "ve" | "m" => tail_end,
        // A closing quote or a plural's mark is no elision.
        "" if !text
            .get(after..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(|next| next.is_ascii_digit()) =>
        {
            end
        }
        _ => after,
    }
}
