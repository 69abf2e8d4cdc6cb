//! Days, numbers and units as people say them, for the columns of `rows`: the words are those of `locales/`. Pure. It
//! must never take a part of what is said for a day: whatever else stands there makes it none.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, de::DeserializeOwned};

use super::forms::Order;
use crate::domain::{
    alike::is_same,
    fold::fold,
    lang::{InEach, Lang},
};

/// Letters of a word between the parts of a day that says nothing: "of", "the", "di".
const SMALL_WORD_LETTERS_MAX: usize = 3;

type Forms = BTreeMap<String, Vec<String>>;

/// What is taken of `locales/*/values.toml`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Values {
    day_first: bool,
    scales: Forms,
    units: Forms,
    weekdays: Forms,
    months: Forms,
}

/// What is taken of `locales/*/units.toml`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Units {
    words: UnitWords,
    money: Forms,
    units: Forms,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UnitWords {
    cents: Vec<String>,
}

const VALUES: InEach<&str> = InEach {
    english: include_str!("../../../../locales/en/values.toml"),
    italian: include_str!("../../../../locales/it/values.toml"),
};
const UNITS: InEach<&str> = InEach {
    english: include_str!("../../../../locales/en/units.toml"),
    italian: include_str!("../../../../locales/it/units.toml"),
};

/// The words of all languages: a household's table may be in another one than the person who adds to it.
pub(super) struct Words {
    /// Whether 4/5 is a day in May, for this person.
    is_day_first: bool,
    values: Vec<Values>,
    units: Vec<Units>,
}

fn read<T: Default + DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).unwrap_or_else(|error| {
        tracing::error!(%error, "the words for numbers and times are damaged");
        T::default()
    })
}

impl Words {
    pub(super) fn of(lang: Lang) -> Self {
        Self {
            is_day_first: read::<Values>(VALUES.of(lang)).day_first,
            values: VALUES.all().map(read).collect(),
            units: UNITS.all().map(read).collect(),
        }
    }

    /// The units a word may say; both languages call them by the same key.
    fn units_of(&self, word: &str) -> Vec<&str> {
        let of_values = self.values.iter().map(|values| &values.units);
        let of_units = self.units.iter().flat_map(|units| [&units.money, &units.units]);
        let all = of_values.chain(of_units).flatten();
        let meant = all.filter(|(_, forms)| forms.iter().any(|form| fold(form) == word));
        meant.map(|(key, _)| key.as_str()).collect()
    }

    /// Whether a word says how many there are of what it counts, and not what is counted: "3 dozen", "50 cents".
    fn is_factor(&self, word: &str) -> bool {
        let scales = self.values.iter().flat_map(|values| values.scales.values().flatten());
        let cents = self.units.iter().flat_map(|units| &units.words.cents);
        scales.chain(cents).any(|form| fold(form) == word)
    }

    /// Whether an amount in this unit may stand without it below a heading: the heading names no other one.
    pub(super) fn is_unit_of(&self, unit: &str, heading: &str) -> bool {
        let said = fold(unit);
        let meant = self.units_of(&said);
        if meant.is_empty() && (said.contains(char::is_whitespace) || self.is_factor(&said)) {
            return false;
        }
        if meant.is_empty() {
            return said.chars().all(char::is_alphabetic) || said == "%";
        }
        let named: Vec<&str> = heading_words(heading)
            .iter()
            .flat_map(|word| self.units_of(word))
            .collect();
        named.is_empty() || named.iter().any(|key| meant.contains(key))
    }

    /// Whether the heading names this unit.
    pub(super) fn is_named_in(&self, unit: &str, heading: &str) -> bool {
        let said = fold(unit);
        let meant = self.units_of(&said);
        let mut words = heading_words(heading).into_iter();
        !said.is_empty()
            && words.any(|word| is_same(&word, &said) || self.units_of(&word).iter().any(|key| meant.contains(key)))
    }

    fn month(&self, word: &str) -> Option<i8> {
        let mut months = self.values.iter().flat_map(|values| &values.months);
        let (number, _) = months.find(|(_, forms)| forms.iter().any(|form| form == word))?;
        number.parse().ok()
    }

    fn is_weekday(&self, word: &str) -> bool {
        let mut names = self.values.iter().flat_map(|values| values.weekdays.values().flatten());
        names.any(|form| form == word)
    }
}

fn heading_words(heading: &str) -> Vec<String> {
    let is_between = |letter: char| letter.is_whitespace() || "()[]_-,:.".contains(letter);
    let words = heading.split(is_between).filter(|word| !word.is_empty());
    words.map(fold).collect()
}

/// A date in digits: what stands between its parts, and they.
pub(super) fn triple(cell: &str) -> Option<(char, [&str; 3])> {
    let sign = cell.chars().find(|letter| !letter.is_ascii_digit())?;
    if !matches!(sign, '-' | '/' | '.') {
        return None;
    }
    let mut all = cell.split(sign);
    let parts = [all.next()?, all.next()?, all.next()?];
    let is_part = |part: &&str| matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit());
    (all.next().is_none() && parts.iter().all(is_part)).then_some((sign, parts))
}

/// The day that is said, with its year: "28 November 2026", "28/11/2026".
pub(super) fn day_of(said: &str, words: &Words) -> Option<Date> {
    if let Some((_, parts)) = triple(said) {
        let (usual, other) = match words.is_day_first {
            true => (Order::Day, Order::Month),
            false => (Order::Month, Order::Day),
        };
        return match parts {
            [year, _, _] if year.len() == 4 => Order::Year.day(parts),
            [_, _, _] => usual.day(parts).or_else(|| other.day(parts)),
        };
    }
    let (mut year, mut month, mut day) = (None, None, None);
    for word in fold(said).split([' ', ',', '\'']).filter(|word| !word.is_empty()) {
        let word = word.trim_end_matches('.');
        let digits = word.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let is_ordinal = word.chars().count() - digits.chars().count() <= 2;
        let named = words.month(word).filter(|_| month.is_none());
        if let Some(named) = named {
            month = Some(named);
        } else if digits.len() == 4 && digits == word && year.is_none() {
            year = Some(word.parse().ok()?);
        } else if matches!(digits.len(), 1 | 2) && is_ordinal && day.is_none() {
            day = Some(digits.parse().ok()?);
        } else if !words.is_weekday(word) && !is_small(word) {
            return None;
        }
    }
    Date::new(year?, month?, day?).ok()
}

fn is_small(word: &str) -> bool {
    word.chars().count() <= SMALL_WORD_LETTERS_MAX && word.chars().all(char::is_alphabetic)
}

/// What stands before the number of a cell, the number, and what stands behind it.
pub(super) fn parts(cell: &str) -> (&str, &str, &str) {
    let is_first = |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '−' | '+');
    let start = cell.find(is_first).unwrap_or(cell.len());
    let end = cell
        .rfind(|letter: char| letter.is_ascii_digit())
        .map_or(start, |at| at + 1);
    let (head, after) = cell.split_at(end.max(start));
    let (before, body) = head.split_at(start);
    (before, body, after)
}

/// A said amount: its number, and the word or sign beside it.
pub(super) fn amount(said: &str) -> Option<(&str, &str)> {
    let (before, number, after) = parts(said);
    let (before, after) = (before.trim(), after.trim().trim_end_matches('.'));
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '-' | '−' | '+');
    let is_one = number.chars().all(is_number) && number.starts_with(is_number);
    let unit = match (before, after) {
        ("", unit) | (unit, "") => unit,
        (_, _) => return None,
    };
    is_one.then_some((number, unit))
}

/// How many digits a number has behind its mark; nothing for what is no number, such as "0039" and "2026-11-28".
pub(super) fn decimals(body: &str, mark: char) -> Option<usize> {
    let body = body.strip_prefix(['-', '−', '+']).unwrap_or(body);
    let (whole, fraction) = body
        .split_once(mark)
        .map_or((body, None), |(whole, rest)| (whole, Some(rest)));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let group = if mark == ',' { '.' } else { ',' };
    let mut groups = whole.split([group, '\'', '’']);
    let first = groups.next().unwrap_or_default();
    let is_plain = first.len() == whole.len();
    let is_whole = are_digits(first)
        && (first == "0" || !first.starts_with('0'))
        && (is_plain || first.len() <= 3)
        && groups.all(|group| group.len() == 3 && are_digits(group));
    let is_number = is_whole && fraction.is_none_or(are_digits);
    is_number.then(|| fraction.map_or(0, str::len))
}
