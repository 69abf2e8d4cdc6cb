//! What the words for numbers and times can mean. `words` reads them from the language data; the parser asks an item
//! for the sense it needs.

use jiff::civil::Time;
use serde::Deserialize;

use super::{Part, Season, Unit, holidays::Rule};

/// What a word of the closed lists does in a sentence about time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Role {
    This,
    Rolling,
    Next,
    Last,
    Ago,
    Hence,
    InTime,
    Within,
    Now,
    From,
    Since,
    To,
    Between,
    And,
    Until,
    By,
    Before,
    After,
    Starting,
    Lasting,
    /// What has an hour of its own: "an alarm for 4".
    Appointed,
    At,
    AtHour,
    On,
    The,
    Of,
    Glue,
    Early,
    Mid,
    Late,
    Start,
    Middle,
    End,
    Rest,
    Later,
    Earlier,
    Am,
    Pm,
    HourMark,
    Half,
    HalfOf,
    HalfHour,
    Quarter,
    AndHalf,
    Point,
    Past,
    ToHour,
    Minutes,
    Minus,
    Every,
    EveryOther,
    OtherDays,
    OtherWeeks,
    OtherMonths,
    Once,
    Twice,
    TimesWord,
    PerWord,
    /// Days of the week as they are named that come again and again.
    Habits,
    Copula,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Hourly,
    WeekNumber,
    Whole,
    More,
    MoreThan,
    /// Compares an age with a length: "older than".
    Than,
    LessThan,
    Plural,
    LastOf,
    Approximately,
    OrLater,
    Onward,
    My,
    YearWord,
    DecadeMark,
    Era,
    DayEnd,
    WeekEnd,
    MonthEnd,
    YearEnd,
    MonthStart,
    YearStart,
}

/// A small word that decides what a number or a time beside it is, and is none itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Small {
    And,
    Or,
    With,
    Of,
    /// Begins a stretch of time and is said of a day as well: "3 days from today".
    From,
    /// The article that counts one.
    One,
    /// That article where it may be an hour: "all'una".
    OneHour,
    /// That article where it is the number as well: "uno".
    OneAlone,
    /// Looks like a number and is none: "another".
    NoNumber,
    /// Not quite: "circa".
    About,
    /// Behind it the word for an hour is no moment: "un'ora", "che ora".
    LeadsHour,
    /// The article of hours.
    HourArticle,
    /// The article of days.
    DayArticle,
    /// Makes digits an ordinal: "3rd".
    OrdinalEnding,
    /// "In 3 days' time".
    Possessive,
    TimeWord,
    /// Either half of the day: "ampm".
    EitherHalf,
    /// A verb that looks like a month: "may".
    VerbLikeMonth,
}

/// One thing a phrase can mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sense {
    Cardinal(u64),
    Scale(u64),
    Vague(u64),
    Ordinal(u64),
    Share(u64),
    Shares(u64),
    Unit(Unit),
    Weekday(i8),
    Month(i8),
    Part(Part),
    PartDay(i64, Part),
    Day(i64),
    Season(Season),
    Clock(Time),
    Zone(i32),
    Holiday(Rule),
    Role(Role),
}

/// What a sense carries, if it is of that kind.
impl Sense {
    /// A number of its own: "seven".
    pub(super) fn cardinal(&self) -> Option<u64> {
        if let Self::Cardinal(cardinal) = self {
            Some(*cardinal)
        } else {
            None
        }
    }

    /// A number that multiplies: "hundred".
    pub(super) fn scale(&self) -> Option<u64> {
        if let Self::Scale(scale) = self {
            Some(*scale)
        } else {
            None
        }
    }

    /// A number nobody means exactly: "a few".
    pub(super) fn vague(&self) -> Option<u64> {
        if let Self::Vague(vague) = self {
            Some(*vague)
        } else {
            None
        }
    }

    /// A place in a row: "third".
    pub(super) fn ordinal(&self) -> Option<u64> {
        if let Self::Ordinal(ordinal) = self {
            Some(*ordinal)
        } else {
            None
        }
    }

    /// One part of so many: "third".
    pub(super) fn share(&self) -> Option<u64> {
        if let Self::Share(share) = self {
            Some(*share)
        } else {
            None
        }
    }

    /// Several parts of so many: "thirds".
    pub(super) fn shares(&self) -> Option<u64> {
        if let Self::Shares(shares) = self {
            Some(*shares)
        } else {
            None
        }
    }

    pub(super) fn unit(&self) -> Option<Unit> {
        if let Self::Unit(unit) = self { Some(*unit) } else { None }
    }

    /// Monday is 1.
    pub(super) fn weekday(&self) -> Option<i8> {
        if let Self::Weekday(weekday) = self {
            Some(*weekday)
        } else {
            None
        }
    }

    /// January is 1.
    pub(super) fn month(&self) -> Option<i8> {
        if let Self::Month(month) = self {
            Some(*month)
        } else {
            None
        }
    }

    pub(super) fn part(&self) -> Option<Part> {
        if let Self::Part(part) = self { Some(*part) } else { None }
    }

    pub(super) fn season(&self) -> Option<Season> {
        if let Self::Season(season) = self {
            Some(*season)
        } else {
            None
        }
    }

    pub(super) fn holiday(&self) -> Option<Rule> {
        if let Self::Holiday(holiday) = self {
            Some(*holiday)
        } else {
            None
        }
    }
}
