//! A request as words that may each mean several things: deeds, parts, objects, kinds of files, and words that say
//! nothing. Unlike `Reading` it decides nothing and rules nothing out: `engine::frames` weighs what the words may be.
//! Made from the same lexicon, with the forms of `locales/<lang>/frames.toml` matched by their stems. It knows no home.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use serde::Deserialize;

use super::{
    Concept, FactKind, Home, Language, LanguageError, Reading,
    concepts::Concepts,
    scan,
    time::{self, Mention},
    token::{self, Token, TokenKind},
};
use metnos_domain::{fold::fold, frame::SlotRole, vocabulary::Object};

mod senses;

use senses::mark_senses;

/// Words between the two parts of a form with a gap.
pub const GAP_MAX: usize = 6;
/// Stands for them in a form.
pub const GAP: char = '…';

/// What a word, or the phrase that begins with it, may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// What is done, by its name in `frames.toml`.
    Deed(String),
    /// Leads to what plays this part.
    Role(SlotRole),
    /// Names things of this sort.
    Object(Object),
    /// Names files with these endings.
    Endings(Vec<String>),
    /// Begins a question.
    Question,
    /// Begins a request to do something.
    Request,
    /// Begins what only says why.
    Reason,
    /// Says what not.
    Negation,
    /// All of them.
    All,
    /// Two of them.
    Both,
    /// Points at something else.
    Pointer,
    /// Names something that holds a thing a line.
    List,
    /// Names a list that nothing calls one: "shopping".
    ListName,
    /// Joins two things or two deeds.
    Connector,
    /// From one end: the first or the last.
    End(bool),
    /// One by its place, counted from 1, or from the last with -1.
    Place(i64),
    /// The most or the least of a field: its name, and whether the most.
    Most(String, bool),
    /// What only holds under a condition, or is asked about doing.
    Condition,
    /// Many of something.
    Many,
    /// What goes on, as no command says.
    Ongoing,
    /// Says who does something or did it: what follows is told, and not asked for.
    Subject,
    /// One more of the same.
    Another,
    /// Stands before a thing that is known, and before no deed: "the".
    Definite,
}

/// One word, number, value or mark.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four plain facts of a word, each asked by itself"
)]
pub struct Word {
    /// Where it stands in the request.
    pub span: Range<usize>,
    /// Lower case, without accents; empty for values and marks.
    pub fold: String,
    /// Its stem.
    pub stem: String,
    /// What it may be, each with the number of words it takes.
    pub signs: Vec<(Sign, usize)>,
    /// It belongs to a phrase that began before it.
    pub is_rest: bool,
    /// It only holds a sentence together.
    pub is_glue: bool,
    /// A value that is taken as it stands: a path, an address, a quoted text.
    pub literal: Option<(FactKind, String)>,
    /// A mark between words.
    pub mark: Option<char>,
    /// It is part of a time.
    pub is_time: bool,
    /// Of a time of several words that comes again and again: "every Monday".
    pub comes_again: bool,
}

impl Word {
    /// Whether it may be this.
    pub fn may_be(&self, sign: &Sign) -> bool {
        self.signs.iter().any(|(own, _)| own == sign)
    }

    /// The deeds it may say.
    pub fn deeds(&self) -> impl Iterator<Item = &str> {
        self.signs.iter().filter_map(|(sign, _)| {
            if let Sign::Deed(deed) = sign {
                Some(deed.as_str())
            } else {
                None
            }
        })
    }

    /// The sorts of things it may name.
    pub fn objects(&self) -> impl Iterator<Item = Object> {
        self.signs.iter().filter_map(|(sign, _)| {
            if let Sign::Object(object) = sign {
                Some(*object)
            } else {
                None
            }
        })
    }

    /// Whether it leads to what plays this part.
    pub fn leads_to(&self, role: SlotRole) -> bool {
        self.may_be(&Sign::Role(role))
    }

    /// The place it counts to.
    pub fn place(&self) -> Option<i64> {
        self.signs.iter().find_map(|(sign, _)| {
            let Sign::Place(place) = sign else { return None };
            Some(*place)
        })
    }

    /// Whether it begins with a digit.
    pub fn is_number(&self) -> bool {
        self.fold.starts_with(|letter: char| letter.is_ascii_digit())
    }

    /// Whether it is written with a capital letter in the text it is of.
    pub fn is_capital(&self, text: &str) -> bool {
        let written = text.get(self.span.clone());
        written.is_some_and(|written| written.starts_with(char::is_uppercase))
    }

    /// Whether it says something of its own: no mark, no value, and more than grammar.
    pub fn is_content(&self) -> bool {
        let says = self.mark.is_none() && self.literal.is_none() && !self.fold.is_empty();
        says && !self.is_glue && !self.may_be(&Sign::Pointer)
    }

    /// Whether a name or a value ends before it.
    pub fn is_bound(&self) -> bool {
        self.mark
            .is_some_and(|mark| !matches!(mark, '\'' | '-' | '/' | '&' | '%' | '+' | '*' | '='))
    }
}

/// A form: its words, those behind a gap, and what it says. A deed by the stems of its words, anything else as written.
type Form = (Vec<String>, Vec<String>, Sign);

/// The deeds and parts of one language.
pub(super) struct Frames {
    forms: Vec<Form>,
    /// Words that say nothing by themselves, folded.
    pub(super) stop: HashSet<String>,
    /// Endings of what goes on.
    ongoing: Vec<String>,
    /// Words that point at several, which may stand at the end of a verb.
    several: Vec<String>,
    /// Titles that end with a point and begin a name: "dr".
    titles: HashSet<String>,
    /// Ask for a moment, word by word.
    pub(super) moments: Vec<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    deeds: BTreeMap<String, Vec<String>>,
    roles: BTreeMap<String, Vec<String>>,
    asking: BTreeMap<String, Vec<String>>,
    ongoing: Vec<String>,
    titles: HashSet<String>,
}

impl Frames {
    /// Reads the forms of a language.
    pub(super) fn parse(what: &str, text: &str, concepts: &Concepts) -> Result<Self, LanguageError> {
        let mut file: File = toml::from_str(text).map_err(|source| LanguageError::Toml {
            what: format!("{what} frames"),
            source,
        })?;
        let unknown = |word: &str| LanguageError::Unknown {
            what: format!("{what} frames"),
            word: word.to_owned(),
        };
        let stop = stop_words::lookup(what).unwrap_or_default();
        let moments = file.asking.remove("moment").unwrap_or_default();
        let mut frames = Self {
            forms: Vec::new(),
            stop: stop.iter().map(|word| fold(word)).collect(),
            ongoing: file.ongoing.clone(),
            several: file.asking.get("several").cloned().unwrap_or_default(),
            titles: file.titles.clone(),
            moments: moments.iter().map(|form| token::words_of(form)).collect(),
        };
        for (deed, forms) in &file.deeds {
            frames.add(forms, &Sign::Deed(deed.clone()), concepts);
        }
        for (role, forms) in &file.roles {
            let role = SlotRole::parse(role).ok_or_else(|| unknown(role))?;
            frames.add(forms, &Sign::Role(role), concepts);
        }
        for (what, forms) in &file.asking {
            let sign = match what.as_str() {
                "question" => Sign::Question,
                "request" => Sign::Request,
                "reason" => Sign::Reason,
                "subject" => Sign::Subject,
                "another" => Sign::Another,
                "definite" => Sign::Definite,
                // Only where they point at something.
                "several" => continue,
                other => return Err(unknown(other)),
            };
            frames.add(forms, &sign, concepts);
        }
        Ok(frames)
    }

    fn add(&mut self, forms: &[String], sign: &Sign, concepts: &Concepts) {
        for form in forms {
            let (first, second) = form.split_once(GAP).unwrap_or((form, ""));
            let stems = |part: &str| -> Vec<String> {
                let words = token::words_of(part);
                let is_deed = matches!(sign, Sign::Deed(_));
                let own = |word: &String| if is_deed { stem_of(word, concepts) } else { elided(word) };
                words.iter().map(own).collect()
            };
            self.forms.push((stems(first), stems(second), sign.clone()));
        }
    }

    /// The deeds that one word says, by its stem.
    fn deeds_of(&self, stem: &str) -> Vec<Sign> {
        let is_it = |(first, second, sign): &&Form| {
            second.is_empty() && matches!(sign, Sign::Deed(_)) && matches!(first.as_slice(), [only] if only == stem)
        };
        self.forms
            .iter()
            .filter(is_it)
            .map(|(_, _, sign)| sign.clone())
            .collect()
    }

    fn mark(&self, words: &mut [Word]) {
        let stems: Vec<String> = words.iter().map(|word| word.stem.clone()).collect();
        let folds: Vec<String> = words.iter().map(|word| elided(&word.fold)).collect();
        let is_deed = |sign: &Sign| matches!(sign, Sign::Deed(_));
        let stands = |part: &[String], at: usize, sign: &Sign| {
            let own = if is_deed(sign) { &stems } else { &folds };
            !part.is_empty() && own.get(at..at + part.len()).is_some_and(|own| own == part)
        };
        for at in 0..stems.len() {
            let mut found: Vec<(Sign, usize, Range<usize>)> = Vec::new();
            for (first, second, sign) in self.forms.iter().filter(|(first, _, sign)| stands(first, at, sign)) {
                let behind = at + first.len();
                let rest = if second.is_empty() {
                    Some(behind..behind)
                } else {
                    let from = (behind..=behind + GAP_MAX).find(|from| stands(second, *from, sign));
                    let is_whole = |from: &usize| {
                        let gap = words.get(behind..*from).unwrap_or_default();
                        !gap.iter().any(Word::is_bound)
                    };
                    from.filter(is_whole).map(|from| from..from + second.len())
                };
                found.extend(rest.map(|rest| (sign.clone(), first.len(), rest)));
            }
            // Of deeds that begin at a word, the one said in most words counts: "get rid of" is no "get".
            let length = |(_, first, rest): &(Sign, usize, Range<usize>)| first + rest.len();
            let deeds = found.iter().filter(|(sign, ..)| is_deed(sign));
            let longest = deeds.map(length).max().unwrap_or_default();
            if longest > 1
                && let Some(word) = words.get_mut(at)
            {
                word.signs.retain(|(sign, known)| !is_deed(sign) || *known >= longest);
            }
            for form in found.iter().filter(|form| !is_deed(&form.0) || length(form) == longest) {
                let (sign, first, rest) = form;
                if let Some(word) = words.get_mut(at) {
                    word.signs.push((sign.clone(), *first));
                }
                for further in (at + 1..at + first).chain(rest.clone()).filter(|_| is_deed(sign)) {
                    if let Some(word) = words.get_mut(further) {
                        word.is_rest = true;
                    }
                }
            }
        }
    }
}

/// A word of grammar: an elision without its apostrophe.
fn elided(fold: &str) -> String {
    fold.trim_end_matches('\'').to_owned()
}

/// The stem of one folded word; of an elision or a contraction what it begins with.
fn stem_of(word: &str, concepts: &Concepts) -> String {
    let stems = concepts.stems(word);
    let telling = stems.iter().find(|stem| stem.letters > 1).or(stems.first());
    telling.map_or_else(|| word.to_owned(), |stem| stem.text.clone())
}

impl Language {
    /// The words of a request that was read, and what each may be.
    pub fn outline(&self, reading: &Reading, home: &Home) -> Vec<Word> {
        self.outline_of(&reading.original, reading, home)
    }

    /// The words of a name or a line in the language of a reading, telling ones alone, as stems.
    pub fn telling_stems(&self, text: &str, lang: metnos_domain::lang::Lang) -> Vec<String> {
        let apart: String = text
            .chars()
            .map(|letter| if letter.is_alphanumeric() { letter } else { ' ' })
            .collect();
        let stems = self.stems(&apart, lang).into_iter();
        stems.filter(|stem| !stem.is_glue).map(|stem| stem.text).collect()
    }

    fn outline_of(&self, text: &str, reading: &Reading, home: &Home) -> Vec<Word> {
        let (lexicon, concepts) = (self.lexicon(reading.lang), self.concepts(reading.lang));
        let tokens = token::tokens(text, &self.known, home, None);
        let mut words: Vec<Word> = tokens.into_iter().map(|token| word_of(token, concepts)).collect();
        let stop = &self.frames(reading.lang).stop;
        for word in &mut words {
            // Two letters are an abbreviation in capitals, and hold a sentence together in small ones.
            let written = text.get(word.span.clone()).unwrap_or_default();
            let is_short = word.fold.chars().count() <= 2 && written.chars().all(char::is_lowercase);
            word.is_glue = is_short || stop.contains(word.fold.trim_end_matches('\''));
        }
        for word in &mut words {
            // "In notes make a packing.txt": the reading says where it is.
            let is_it = |fact: &&super::Fact| fact.kind == FactKind::Path && fact.span.start == word.span.start;
            let placed = reading.facts.iter().find(is_it);
            if let (Some((FactKind::Path, path)), Some(fact)) = (&mut word.literal, placed) {
                fact.text().clone_into(path);
            }
        }
        mark_times(&mut words, text, &reading.times);
        let frames = self.frames(reading.lang);
        for at in 1..words.len() {
            let is_title = words.get(at - 1).is_some_and(|word| frames.titles.contains(&word.fold));
            if let Some(word) = words.get_mut(at).filter(|word| is_title && word.mark == Some('.')) {
                word.mark = None;
                word.is_glue = true;
            }
        }
        mark_senses(&mut words, lexicon);
        for word in &mut words {
            let written = text.get(word.span.clone()).unwrap_or_default();
            if scan::is_copula(&word.fold, written) {
                word.signs.retain(|(sign, _)| *sign != Sign::Connector);
            }
        }
        for word in &mut words {
            let ends = |ending: &String| word.fold.len() > ending.len() + 1 && word.fold.ends_with(ending.as_str());
            if frames.ongoing.iter().any(ends) {
                word.signs.push((Sign::Ongoing, 1));
            }
        }
        for word in words.iter_mut().filter(|word| word.deeds().next().is_none()) {
            // "Spostale": the pronoun at its end points at something.
            let deeds = lexicon
                .bare(&word.fold)
                .map(|bare| frames.deeds_of(&stem_of(bare, concepts)));
            let is_several = frames.several.iter().any(|end| word.fold.ends_with(end.as_str()));
            for deed in deeds.into_iter().flatten() {
                word.signs.extend([(deed, 1), (Sign::Pointer, 1)]);
                word.signs.extend(is_several.then_some((Sign::Many, 1)));
            }
        }
        frames.mark(&mut words);
        for word in words.iter_mut().filter(|word| frames.several.contains(&word.fold)) {
            if word.may_be(&Sign::Pointer) {
                word.signs.push((Sign::Many, 1));
            }
        }
        for at in 1..words.len() {
            // "The shopping list" asks for nothing; "list the files" does.
            let is_behind = words.get(at - 1).is_some_and(|before| !before.is_bound());
            if let Some(word) = words.get_mut(at).filter(|word| is_behind && word.may_be(&Sign::List)) {
                word.signs.retain(|(sign, _)| *sign != Sign::Question);
            }
        }
        let stems = self.stems_in_order(&words, reading.lang);
        for (at, concept) in concepts.mentions(&stems) {
            if let (Concept::Object(object), Some(word)) = (concept, words.get_mut(at)) {
                word.signs.push((Sign::Object(object), 1));
            }
        }
        words
    }

    /// One stem a word, so that places are those of the words.
    fn stems_in_order(&self, words: &[Word], lang: metnos_domain::lang::Lang) -> Vec<super::Stem> {
        let of = |word: &Word| {
            let own = self.stems(&word.fold, lang);
            let stem = own.iter().find(|stem| stem.letters > 1).or(own.first()).cloned();
            stem.unwrap_or(super::Stem {
                text: String::new(),
                letters: 0,
                is_glue: true,
            })
        };
        words.iter().map(of).collect()
    }
}

/// Words of times, and of those that come again.
fn mark_times(words: &mut [Word], text: &str, times: &[Mention]) {
    for word in words {
        let inside = |span: &Range<usize>| span.start < word.span.end && word.span.start < span.end;
        let mut own = times.iter().filter(|time| inside(&time.span));
        word.is_time = own.clone().next().is_some();
        let is_phrase = |time: &Mention| text.get(time.span.clone()).is_some_and(|said| said.contains(' '));
        let recurs = |time: &Mention| matches!(time.form, time::Form::Recurring(_)) && is_phrase(time);
        word.comes_again = own.any(recurs);
    }
}

fn word_of(token: Token, concepts: &Concepts) -> Word {
    let (literal, mark) = match token.kind {
        TokenKind::Literal(literal) => (Some((literal.kind, literal.value)), None),
        TokenKind::Break(mark) => (None, Some(mark)),
        TokenKind::Word | TokenKind::Digits => (None, None),
    };
    Word {
        stem: if token.fold.is_empty() {
            String::new()
        } else {
            stem_of(&token.fold, concepts)
        },
        span: token.span,
        fold: token.fold,
        signs: Vec::new(),
        is_rest: false,
        is_glue: false,
        literal,
        mark,
        is_time: false,
        comes_again: false,
    }
}
