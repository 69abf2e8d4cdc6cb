//! Whether the days a text names agree with themselves: "Friday 4 December" where the fourth is a Saturday. Used by
//! `send`, so that no mail goes out that asks two people to two different days, whoever wrote it. It decides nothing
//! else about a text.

use jiff::{
    ToSpan, Zoned,
    civil::{Date, Weekday},
};

use crate::{
    domain::lang::Lang,
    language::{
        Language,
        time::{Conventions, Value},
    },
};

/// Words that are looked at: more is no text that a person reads to the end.
const WORDS_MAX: usize = 2_000;
/// Words of the longest day: "the 4th of December 2026".
const DAY_WORDS_MAX: usize = 5;

/// A day that is named in two ways which do not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contradiction {
    /// As it stands in the text.
    pub(super) said: String,
    /// What day of the week that date is.
    pub(super) weekday: Weekday,
}

/// The first day of a text whose weekday and date do not agree.
pub(super) fn contradiction(text: &str, language: &Language, now: &Zoned) -> Option<Contradiction> {
    let words: Vec<&str> = text.split_whitespace().take(WORDS_MAX).collect();
    let reader = |lang| Reader { language, lang, now };
    Lang::BUILT_IN.into_iter().find_map(|lang| reader(lang).first(&words))
}

struct Reader<'a> {
    language: &'a Language,
    lang: Lang,
    now: &'a Zoned,
}

impl Reader<'_> {
    fn first(&self, words: &[&str]) -> Option<Contradiction> {
        // What stands behind the end of a sentence belongs to the next one.
        let goes_on = |word: &str| !word.ends_with(['.', '!', '?']);
        let open = words.iter().enumerate().filter(|(_, word)| goes_on(word));
        let named = open.filter_map(|(at, word)| Some((at, self.weekday(word)?)));
        let mut behind = named.filter_map(|(at, weekday)| {
            let rest = words.get(at + 1..)?;
            let (length, days) = (1..=DAY_WORDS_MAX.min(rest.len())).rev().find_map(|length| {
                let days = self.days(&rest.get(..length)?.join(" "));
                (!days.is_empty()).then_some((length, days))
            })?;
            let agrees = days.iter().any(|day| day.weekday() == weekday);
            let said = words.get(at..=at + length)?.join(" ");
            let found = Contradiction {
                said: said.trim_end_matches(['.', ',', ';', '!', '?', ':']).to_owned(),
                weekday: days.first()?.weekday(),
            };
            (!agrees).then_some(found)
        });
        behind.next()
    }

    /// The day of the week that a word names, which it does whatever day it is said on.
    fn weekday(&self, word: &str) -> Option<Weekday> {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        if word.is_empty() || !word.chars().all(char::is_alphabetic) {
            return None;
        }
        let on = |now: &Zoned| -> Option<Date> {
            let times = self.language.times(word, self.lang, now, &Conventions::HOUSEHOLD);
            let [only] = times.as_slice() else { return None };
            match only.readings.first()? {
                Value::Date(day) if only.span == (0..word.len()) => Some(*day),
                Value::Date(_) | Value::Moment(_) | Value::Range(..) | Value::Duration(_) => None,
            }
        };
        let (today, later) = (on(self.now)?, on(&self.now.saturating_add(8.days()))?);
        // "Tomorrow" moves with the day it is said on; a feast stays where it is.
        (today.weekday() == later.weekday() && today != later).then(|| today.weekday())
    }

    /// The days that words name which are a date and nothing else, such as "4 December" or "the 4th".
    fn days(&self, words: &str) -> Vec<Date> {
        let words = words.trim_end_matches(['.', ',', ';', '!', '?', ':']);
        if !words.contains(|letter: char| letter.is_ascii_digit()) {
            return Vec::new();
        }
        let times = self.language.times(words, self.lang, self.now, &Conventions::HOUSEHOLD);
        let [only] = times.as_slice() else { return Vec::new() };
        let lead = words.get(..only.span.start).unwrap_or_default().trim();
        let is_whole = only.span.end == words.len() && lead.chars().count() <= "the".len();
        let day = |value: &Value| match value {
            Value::Date(day) => Some(*day),
            Value::Moment(_) | Value::Range(..) | Value::Duration(_) => None,
        };
        if is_whole {
            only.readings.iter().filter_map(day).collect()
        } else {
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<(String, Weekday)> {
        let now: Zoned = "2026-11-28T10:00:00+01:00[Europe/Rome]".parse().unwrap();
        let found = contradiction(text, &Language::embedded().unwrap(), &now)?;
        Some((found.said, found.weekday))
    }

    #[test]
    fn a_weekday_that_is_not_that_of_its_date_is_found() {
        let found = said("Hi,\nwe meet on Saturday 4 December at eight. Anna").unwrap();
        assert_eq!(found, ("Saturday 4 December".to_owned(), Weekday::Friday));
        let found = said("Ci vediamo sabato 4 dicembre, va bene?").unwrap();
        assert_eq!(found.1, Weekday::Friday);
    }

    #[test]
    fn days_that_agree_and_words_that_only_look_like_days_are_left_alone() {
        for text in [
            "We meet on Friday 4 December at eight.",
            "Ci vediamo venerdì 4 dicembre alle 20.",
            "Friday at 4, or Saturday at 5.",
            "On Sunday 3 people come.",
            "Tomorrow, 12 eggs.",
            "The party is on Friday. 4 cakes are ordered.",
            "See you on 4 December.",
            "",
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }
}
