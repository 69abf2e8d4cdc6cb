//! Days that have a name: when each of them is in a given year. Called by `language::time`; the names are data.

use std::str::FromStr;

use jiff::{
    Span,
    civil::{Date, Weekday},
};

/// When a holiday is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// The same day every year: `12-25`.
    Fixed(i8, i8),
    /// Days from Easter Sunday: `easter-2`.
    Easter(i64),
    /// The nth weekday of a month, counted from its end when negative, and days from it: `11#4thu+1`.
    Nth(i8, i8, i8, i64),
}

const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

impl FromStr for Rule {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::read(text).ok_or(())
    }
}

impl Rule {
    fn read(text: &str) -> Option<Self> {
        if let Some(days) = text.strip_prefix("easter") {
            return Some(Self::Easter(days.parse().ok()?));
        }
        if let Some((month, day)) = text.split_once('#') {
            let (day, offset) = match day.split_once('+') {
                Some((day, offset)) => (day, offset.parse().ok()?),
                None => (day, 0),
            };
            let name = day.get(day.len().saturating_sub(3)..)?;
            let (weekday, _) = (1..).zip(WEEKDAYS).find(|(_, known)| *known == name)?;
            let nth = day.strip_suffix(name)?.parse().ok()?;
            return Some(Self::Nth(month.parse().ok()?, nth, weekday, offset));
        }
        let (month, day) = text.split_once('-')?;
        Some(Self::Fixed(month.parse().ok()?, day.parse().ok()?))
    }

    /// The day in a year, if that year has it.
    pub(super) fn in_year(self, year: i16) -> Option<Date> {
        match self {
            Self::Fixed(month, day) => Date::new(year, month, day).ok(),
            Self::Easter(days) => easter(year)?.checked_add(Span::new().days(days)).ok(),
            Self::Nth(month, nth, weekday, offset) => {
                let weekday = Weekday::from_monday_one_offset(weekday).ok()?;
                let day = Date::new(year, month, 1)
                    .ok()?
                    .nth_weekday_of_month(nth, weekday)
                    .ok()?;
                day.checked_add(Span::new().days(offset)).ok()
            }
        }
    }
}

/// Easter Sunday of the Gregorian calendar, by the anonymous algorithm.
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let (d, e) = (b / 4, b % 4);
    let g = (8 * b + 13) / 25;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 19 * l) / 433;
    let month = (h + l - 7 * m + 90) / 25;
    let day = (h + l - 7 * m + 33 * month + 19) % 32;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}
