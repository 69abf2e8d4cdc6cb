//! The patterns read amounts and times of day as the language layer does: both are asked about the same words.

use jiff::{Zoned, civil::Time};
use proptest::prelude::*;

use super::*;
use crate::{
    engine::{
        fixtures::corpus,
        patterns::{
            amounts::{Span, duration},
            moments::{Moment, moment},
        },
    },
    language::time::{Conventions, Times, Value as Read},
};

static TIMES: LazyLock<Times> = LazyLock::new(|| Times::embedded().unwrap());

const EN_UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const EN_TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const IT_UNITS: [&str; 20] = [
    "zero",
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
];
const IT_TENS: [&str; 10] = [
    "",
    "",
    "venti",
    "trenta",
    "quaranta",
    "cinquanta",
    "sessanta",
    "settanta",
    "ottanta",
    "novanta",
];

/// A number from 0 to 99 in words, as people write it.
fn words(number: usize, lang: Lang) -> String {
    let (tens, unit) = (number / 10, number % 10);
    match lang {
        _ if number < 20 => [EN_UNITS, IT_UNITS][usize::from(lang == Lang::IT)][number].to_owned(),
        Lang::EN if unit == 0 => EN_TENS[tens].to_owned(),
        Lang::EN => format!("{}-{}", EN_TENS[tens], EN_UNITS[unit]),
        _ if unit == 0 => IT_TENS[tens].to_owned(),
        _ => {
            let ten = IT_TENS[tens];
            let ten = if unit == 1 || unit == 8 {
                &ten[..ten.len() - 1]
            } else {
                ten
            };
            let unit = if unit == 3 { "tr\u{e9}" } else { IT_UNITS[unit] };
            format!("{ten}{unit}")
        }
    }
}

fn now() -> Zoned {
    "2026-05-04T05:00:00[Europe/Rome]".parse().unwrap()
}

/// The whole text as one value of the language layer.
fn read_by_language(text: &str, lang: Lang) -> Vec<Read> {
    let mentions = TIMES.read(text, lang, &now(), &Conventions::HOUSEHOLD, &[]);
    let whole = mentions.into_iter().find(|mention| mention.span == (0..text.len()));
    whole.map_or_else(Vec::new, |mention| mention.readings)
}

fn seconds_by_language(text: &str, lang: Lang) -> Option<u64> {
    read_by_language(text, lang).into_iter().find_map(|read| match read {
        Read::Duration(seconds) => Some(seconds.round() as u64),
        Read::Date(_) | Read::Moment(_) | Read::Range(..) => None,
    })
}

fn seconds_by_rule(text: &str, lang: Lang) -> Option<u64> {
    let said = PATTERNS.table(lang).words.look_up(text);
    let (count, span) = duration(&said, 0)?;
    match span {
        Span::Seconds(seconds) if count == said.len() => Some(seconds),
        Span::Seconds(_) | Span::Long | Span::Impossible => None,
    }
}

/// The times of day of a text for the language layer; a bare hour may be of either half of the day.
fn clocks_by_language(text: &str, lang: Lang) -> Vec<Time> {
    let moments = read_by_language(text, lang).into_iter().filter_map(|read| match read {
        Read::Moment(moment) => Some(moment.time()),
        Read::Date(_) | Read::Range(..) | Read::Duration(_) => None,
    });
    moments.collect()
}

fn clock_by_rule(text: &str, lang: Lang) -> Option<(u8, u8)> {
    let said = PATTERNS.table(lang).words.look_up(text);
    // The preposition is read by the frame, which then knows that a time is to come.
    let (count, moment) = moment(&said, 1, true)?;
    match moment {
        Moment::At(hour, minute) if count + 1 == said.len() => Some((hour, minute)),
        Moment::At(..) | Moment::Impossible => None,
    }
}

/// A duration in words and in seconds.
fn spoken_duration() -> impl Strategy<Value = (Lang, String, u64)> {
    let amounts = (1_usize..60, 1_usize..24, any::<bool>(), 0_usize..7, any::<bool>());
    amounts.prop_map(|(minutes, hours, in_words, form, italian)| {
        let lang = if italian { Lang::IT } else { Lang::EN };
        let number = |number: usize| {
            if in_words {
                words(number, lang)
            } else {
                number.to_string()
            }
        };
        let one = |count: usize, one: &str, unit: [&str; 2]| match (count, in_words) {
            (1, true) => format!("{one}{}", unit[0]),
            (1, false) => format!("1 {}", unit[0]),
            _ => format!("{} {}", number(count), unit[1]),
        };
        let minute = match lang {
            Lang::IT => one(minutes, "un ", ["minuto", "minuti"]),
            _ => one(minutes, "one ", ["minute", "minutes"]),
        };
        let hour = match lang {
            Lang::IT => one(hours, "un'", ["ora", "ore"]),
            _ => one(hours, "an ", ["hour", "hours"]),
        };
        let (m, h) = (minutes as u64 * 60, hours as u64 * 3_600);
        let (text, seconds) = match (form, lang) {
            (0, _) => (minute, m),
            (1, _) => (hour, h),
            (2, Lang::EN) => (format!("{hour} and {minute}"), h + m),
            (2, _) => (format!("{hour} e {minute}"), h + m),
            (3, Lang::EN) => (format!("{hour} and a half"), h + 1_800),
            (3, _) => (format!("{hour} e mezza"), h + 1_800),
            (4, _) => (format!("{hours}h{minutes:02}m"), h + m),
            (5, Lang::EN) => (format!("{hour} {minute}"), h + m),
            (5, _) => (format!("{hour} {minute}"), h + m),
            (_, Lang::EN) => (format!("{hours}.5 hours"), h + 1_800),
            (_, _) => (format!("{hours},5 ore"), h + 1_800),
        };
        (lang, text, seconds)
    })
}

/// A time of day in words, with the hour and minute that a clock of twenty-four hours shows for it.
fn spoken_clock() -> impl Strategy<Value = (Lang, String, (u8, u8))> {
    (1_usize..13, 1_usize..60, 0_usize..8, any::<bool>(), any::<bool>()).prop_map(
        |(hour, minute, form, in_words, italian)| {
            let lang = if italian { Lang::IT } else { Lang::EN };
            let word = |number: usize| {
                if in_words {
                    words(number, lang)
                } else {
                    number.to_string()
                }
            };
            // A quarter to one is 12:45, as whoever writes the digits means it.
            let before = if hour == 1 { 12 } else { hour - 1 };
            let (text, (hour, minute)) = match (lang, form) {
                (Lang::EN, 0) => (format!("at {hour}:{minute:02}"), (hour, minute)),
                (Lang::EN, 1) => (format!("at half past {}", word(hour)), (hour, 30)),
                (Lang::EN, 2) => (format!("at quarter past {}", word(hour)), (hour, 15)),
                (Lang::EN, 3) => (format!("at quarter to {}", word(hour)), (before, 45)),
                (Lang::EN, 4) => (format!("at {} pm", word(hour)), (hour % 12 + 12, 0)),
                (Lang::EN, 5) => (format!("at {hour}:{minute:02} am"), (hour % 12, minute)),
                (Lang::EN, 6) => (format!("at {} o'clock", word(hour)), (hour, 0)),
                (Lang::EN, _) => ("at noon".to_owned(), (12, 0)),
                (_, 0) => (format!("alle {hour}:{minute:02}"), (hour, minute)),
                (_, 1) => (format!("alle {} e mezza", word(hour.max(2))), (hour.max(2), 30)),
                (_, 2) => (format!("alle {} e un quarto", word(hour.max(2))), (hour.max(2), 15)),
                (_, 3) => (
                    format!("alle {} meno un quarto", word(hour.max(2))),
                    (hour.max(2) - 1, 45),
                ),
                (_, 4) => (
                    format!("alle {} di sera", word(hour.clamp(6, 11))),
                    (hour.clamp(6, 11) + 12, 0),
                ),
                (_, 5) => (format!("alle {}", word(hour.max(2))), (hour.max(2), 0)),
                (_, 6) => (
                    format!("alle {} e {}", word(hour.max(2)), word(minute.max(10))),
                    (hour.max(2), minute.max(10)),
                ),
                (_, _) => ("a mezzogiorno".to_owned(), (12, 0)),
            };
            (lang, text, (hour as u8, minute as u8))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn durations_are_read_alike((lang, text, seconds) in spoken_duration()) {
        prop_assert_eq!(seconds_by_rule(&text, lang), Some(seconds), "by rule: {}", text);
        prop_assert_eq!(seconds_by_language(&text, lang), Some(seconds), "by the language layer: {}", text);
    }

    #[test]
    fn times_of_day_are_read_alike((lang, text, (hour, minute)) in spoken_clock()) {
        prop_assert_eq!(clock_by_rule(&text, lang), Some((hour, minute)), "by rule: {}", text);
        let clocks = clocks_by_language(&text, lang);
        let same = |clock: &Time| {
            let hours = i16::from(clock.hour()) - i16::from(hour);
            clock.minute() == minute as i8 && (hours == 0 || hours.abs() == 12)
        };
        prop_assert!(clocks.iter().any(same), "by the language layer: {text}: {clocks:?}");
    }
}

/// The amounts that are words of their own.
#[test]
fn amounts_that_are_words_are_read_alike() {
    let shown = |text: &str, lang: Lang| match (seconds_by_rule(text, lang), seconds_by_language(text, lang)) {
        (Some(by_rule), Some(by_language)) if by_rule == by_language => format!("{by_rule} seconds"),
        (by_rule, by_language) => format!("{by_rule:?} by rule, {by_language:?} by the language layer"),
    };
    let tables = corpus::tables("durations.toml");
    let wrong: Vec<String> = tables.iter().flat_map(|table| table.differing(shown)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
