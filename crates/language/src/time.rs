//! Times as people say them: days, moments, periods, durations and recurrences, found in a sentence with their place
//! and resolved against a given now. Called by `language::values` and by the patterns; what it knows of a language is
//! data in `locales/<lang>/values.toml`. It never reads a clock, and it stays silent where a word may mean something
//! else.

use std::ops::Range;

use jiff::{
    Zoned,
    civil::{Date, DateTime, Time},
};
use serde::Deserialize;

use super::lexicon::LanguageError;
use metnos_domain::lang::Lang;

mod atoms;
mod calendar;
mod clocks;
mod cycles;
mod dates;
mod doubts;
mod fields;
mod fractions;
mod heard;
mod holidays;
mod numbers;
mod numerals;
mod parser;
mod periods;
mod phones;
mod ranges;
mod recurrence;
mod resolve;
mod senses;
mod spec;
mod words;
mod years;

pub use heard::{DayHalf, Heard, Hour, NamedDay};
use parser::Parser;
use words::Words;

const ENGLISH: &str = include_str!("../../../locales/en/values.toml");
const ITALIAN: &str = include_str!("../../../locales/it/values.toml");

/// A unit of time, or a stretch that is counted like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A second.
    Second,
    /// Sixty of them.
    Minute,
    /// Sixty minutes.
    Hour,
    /// A day of the calendar.
    Day,
    /// A day from Monday to Friday.
    Workday,
    /// Saturday and Sunday.
    Weekend,
    /// Monday to Friday.
    Workweek,
    /// Seven days from a Monday.
    Week,
    /// Two weeks.
    Fortnight,
    /// A month of the calendar.
    Month,
    /// Three months.
    Quarter,
    /// Six months.
    Half,
    /// A year of the calendar.
    Year,
    /// Ten years.
    Decade,
    /// A hundred years.
    Century,
}

impl Unit {
    /// The letter executors know a window's unit by, and how many of it this is.
    pub fn window(self) -> Option<(char, u64)> {
        Some(match self {
            Self::Hour => ('h', 1),
            Self::Day => ('d', 1),
            Self::Week => ('w', 1),
            Self::Fortnight => ('w', 2),
            Self::Month => ('m', 1),
            Self::Quarter => ('m', 3),
            Self::Half => ('m', 6),
            Self::Year => ('y', 1),
            Self::Decade => ('y', 10),
            Self::Second | Self::Minute | Self::Workday | Self::Weekend | Self::Workweek | Self::Century => {
                return None;
            }
        })
    }

    /// Its English name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Workday => "workday",
            Self::Weekend => "weekend",
            Self::Workweek => "workweek",
            Self::Week => "week",
            Self::Fortnight => "fortnight",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Half => "half",
            Self::Year => "year",
            Self::Decade => "decade",
            Self::Century => "century",
        }
    }

    /// How many months one is, if it is made of months.
    pub(super) fn months(self) -> Option<f64> {
        Some(match self {
            Self::Month => 1.0,
            Self::Quarter => 3.0,
            Self::Half => 6.0,
            Self::Year => 12.0,
            Self::Decade => 120.0,
            Self::Century => 1200.0,
            Self::Second
            | Self::Minute
            | Self::Hour
            | Self::Day
            | Self::Workday
            | Self::Weekend
            | Self::Workweek
            | Self::Week
            | Self::Fortnight => return None,
        })
    }

    /// How long one lasts, months and years by their usual length.
    pub(super) fn seconds(self) -> f64 {
        match self {
            Self::Second => 1.0,
            Self::Minute => 60.0,
            Self::Hour => 3_600.0,
            Self::Day | Self::Workday => 86_400.0,
            Self::Weekend => 172_800.0,
            Self::Workweek => 432_000.0,
            Self::Week => 604_800.0,
            Self::Fortnight => 1_209_600.0,
            Self::Month => 2_592_000.0,
            Self::Quarter => 7_776_000.0,
            Self::Half => 15_768_000.0,
            Self::Year => 31_536_000.0,
            Self::Decade => 315_360_000.0,
            Self::Century => 3_153_600_000.0,
        }
    }
}

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Before noon.
    Morning,
    /// Around noon.
    Noonish,
    /// After noon.
    Afternoon,
    /// Before the night.
    Evening,
    /// The night after the day it is named for.
    Night,
}

impl Part {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "morning" => Self::Morning,
            "noonish" => Self::Noonish,
            "afternoon" => Self::Afternoon,
            "evening" => Self::Evening,
            "night" => Self::Night,
            _ => return None,
        })
    }
}

/// A season of the northern half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Season {
    /// From the March equinox.
    Spring,
    /// From the June solstice.
    Summer,
    /// From the September equinox.
    Autumn,
    /// From the December solstice.
    Winter,
}

/// Where "to" ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Days, months and years count to their end, a time of day is the end itself: how people mean it.
    Meant,
    /// Where the last one begins.
    Begin,
    /// Where the last one is over, minutes and hours as well.
    Over,
}

/// What nobody says and everybody assumes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conventions {
    /// "The last 3 weeks" are three whole weeks of the calendar, not the 21 days before now.
    pub whole_units: bool,
    /// Where ranges end.
    pub ends: Ends,
    /// The hours of morning, noon, afternoon, evening and night; above 24 is the next day.
    pub parts: [(i8, i8); 5],
    /// The weekend begins on Friday at this hour; on Saturday when absent.
    pub weekend_from: Option<i8>,
    /// The beginning and the end of a month or a year are thirds of it, not halves.
    pub thirds: bool,
}

impl Conventions {
    /// What a household means.
    pub const HOUSEHOLD: Self = Self {
        whole_units: false,
        ends: Ends::Meant,
        parts: [(6, 12), (12, 14), (12, 18), (18, 23), (21, 30)],
        weekend_from: None,
        thirds: true,
    };
}

/// A time, resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A day.
    Date(Date),
    /// A day and a time of day.
    Moment(DateTime),
    /// From, and until before.
    Range(Option<DateTime>, Option<DateTime>),
    /// How long, in seconds.
    Duration(f64),
}

/// How a time was said, as far as that matters beside its value.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A named period around now: 0 is this one, -1 the last.
    Named(i64, Unit),
    /// So many units before now (negative) or after it.
    Window(i64, Unit),
    /// A day of the week and nothing else.
    Weekday(i8),
    /// Again and again.
    Recurring(Recurrence),
    /// A whole number of one unit, counted from nothing.
    Length(u64, Unit),
    /// Any other.
    Plain,
}

/// What happens again and again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recurrence {
    /// Every so many.
    pub every: u64,
    /// Of these; absent when only days of the week are named.
    pub unit: Option<Unit>,
    /// Only on these days of the week, Monday being 1.
    pub weekdays: Vec<i8>,
    /// Only on this one of them in a month; -1 is the last.
    pub nth: Option<i8>,
    /// Only on this day of the month.
    pub day: Option<i8>,
    /// So often in each; when exactly is left open.
    pub times: Option<u64>,
    /// "the first Monday of the month": every month or only this one, which the rest of the request decides.
    pub loose: bool,
    /// At this time of day.
    pub at: Option<Time>,
}

/// A time in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where it stands.
    pub span: Range<usize>,
    /// How it was said.
    pub form: Form,
    /// What it can mean, the likeliest first.
    pub readings: Vec<Value>,
}

impl Mention {
    /// Happens again and again, and not only in the words of one month ("the first Monday of the month").
    pub fn is_again(&self) -> bool {
        matches!(&self.form, Form::Recurring(again) if !again.loose)
    }
}

/// A number that is said for its own sake.
#[derive(Clone, Debug, PartialEq)]
pub struct Numeral {
    /// Where it stands, its sign included.
    pub span: Range<usize>,
    /// What it is.
    pub figure: Figure,
}

/// What digits and the words for them say.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A number.
    Number(f64),
    /// A telephone number: its digits, with a plus before the country's. The value beside it is for the case that it is
    /// none, which what stands behind it decides.
    Phone(String, Option<f64>),
}

/// What one look at a sentence finds.
pub(super) struct Found {
    pub(super) times: Vec<Mention>,
    pub(super) numerals: Vec<Numeral>,
}

/// The words for times of every language; made once.
pub struct Times {
    english: Words,
    italian: Words,
}

impl Times {
    /// Reads the embedded words.
    pub fn embedded() -> Result<Self, LanguageError> {
        let parse = |lang: Lang, text: &str| {
            Words::parse(text).map_err(|source| LanguageError::Toml {
                what: format!("values of {}", lang.code()),
                source,
            })
        };
        Ok(Self {
            english: parse(Lang::EN, ENGLISH)?,
            italian: parse(Lang::IT, ITALIAN)?,
        })
    }

    fn words(&self, lang: Lang) -> &Words {
        match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        }
    }

    /// A sentence whose values are asked for place by place.
    pub fn heard(&self, text: &str, lang: Lang) -> Heard<'_> {
        Heard::new(self.words(lang), text)
    }

    /// Every time and every number of a sentence, as a household means them.
    pub(super) fn find(&self, text: &str, lang: Lang, now: &Zoned, literals: &[Range<usize>]) -> Found {
        let words = self.words(lang);
        let items = words.items(text, literals);
        let parser = Parser::new(&items, words, now, &Conventions::HOUSEHOLD);
        Found {
            times: parser.mentions(),
            numerals: parser.numerals(),
        }
    }

    /// Every time a sentence speaks of, in order. Nothing is looked for inside `literals`.
    pub fn read(
        &self,
        text: &str,
        lang: Lang,
        now: &Zoned,
        conventions: &Conventions,
        literals: &[Range<usize>],
    ) -> Vec<Mention> {
        let words = self.words(lang);
        let items = words.items(text, literals);
        Parser::new(&items, words, now, conventions).mentions()
    }
}
