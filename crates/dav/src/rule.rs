//! A rule of repetition (RFC 5545, 3.3.10): read from its text, written back, and followed by the clock of its own
//! zone. It knows no zone: what an `UNTIL` in UTC means is for its caller to say.

use std::{fmt, str::FromStr};

use jiff::{
    Timestamp,
    civil::{Date, DateTime, Weekday},
    tz::TimeZone,
};
use thiserror::Error;

mod days;
mod instances;

pub use instances::Instances;

/// Why a text is no rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a rule of repetition: {0}")]
pub struct RuleError(String);

/// How often, before anything narrows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words of the standard")]
pub enum Freq {
    Secondly,
    Minutely,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

const FREQS: [(Freq, &str); 7] = [
    (Freq::Secondly, "SECONDLY"),
    (Freq::Minutely, "MINUTELY"),
    (Freq::Hourly, "HOURLY"),
    (Freq::Daily, "DAILY"),
    (Freq::Weekly, "WEEKLY"),
    (Freq::Monthly, "MONTHLY"),
    (Freq::Yearly, "YEARLY"),
];

const WEEKDAYS: [(Weekday, &str); 7] = [
    (Weekday::Monday, "MO"),
    (Weekday::Tuesday, "TU"),
    (Weekday::Wednesday, "WE"),
    (Weekday::Thursday, "TH"),
    (Weekday::Friday, "FR"),
    (Weekday::Saturday, "SA"),
    (Weekday::Sunday, "SU"),
];

/// The last time that may be an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// This day, all of it.
    Day(Date),
    /// By the series' own clock.
    Local(DateTime),
    /// An instant.
    Utc(Timestamp),
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How often.
    pub freq: Freq,
    /// Every so many periods.
    pub interval: u32,
    /// At most so many instances, the first one counted.
    pub count: Option<u32>,
    /// Until when.
    pub until: Option<Until>,
    /// The day a week begins with.
    pub week_start: Weekday,
    /// Weekdays, each with which of its kind in the month or year; zero is each.
    pub days: Vec<(i16, Weekday)>,
    pub(crate) months: Vec<i8>,
    pub(crate) month_days: Vec<i8>,
    pub(crate) year_days: Vec<i16>,
    pub(crate) weeks: Vec<i8>,
    pub(crate) hours: Vec<i8>,
    pub(crate) minutes: Vec<i8>,
    pub(crate) seconds: Vec<i8>,
    pub(crate) places: Vec<i32>,
}

impl Rule {
    /// Every so many periods of a kind, and nothing else.
    pub fn every(freq: Freq, interval: u32) -> Self {
        Self {
            freq,
            interval: interval.max(1),
            count: None,
            until: None,
            week_start: Weekday::Monday,
            days: Vec::new(),
            months: Vec::new(),
            month_days: Vec::new(),
            year_days: Vec::new(),
            weeks: Vec::new(),
            hours: Vec::new(),
            minutes: Vec::new(),
            seconds: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Its instances from the first one on, by the clock of the series. `from` only spares work: instances before it
    /// may be left out where nothing counts them.
    pub fn instances(&self, start: DateTime, from: Option<DateTime>) -> Instances<'_> {
        Instances::new(self, start, from)
    }

    /// The same rule of a series of days, on which no hour counts.
    pub(crate) fn of_days(mut self) -> Self {
        for hours in [&mut self.hours, &mut self.minutes, &mut self.seconds] {
            hours.clear();
        }
        self
    }

    /// Whether it ends by itself.
    pub fn ends(&self) -> bool {
        self.count.is_some() || self.until.is_some()
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let mut rule = Self::every(Freq::Daily, 1);
        let mut freq = None;
        for part in text.trim().split(';').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| wrong(part))?;
            let value = value.trim();
            match name.trim().to_ascii_uppercase().as_str() {
                "FREQ" => freq = Some(of_table(&FREQS, value)?),
                "INTERVAL" => rule.interval = number::<u32>(value)?.max(1),
                // Less than one is how a program says that nothing counts.
                "COUNT" => rule.count = u32::try_from(number::<i64>(value)?).ok().filter(|count| *count > 0),
                "UNTIL" => rule.until = Some(until(value)?),
                "WKST" => rule.week_start = of_table(&WEEKDAYS, value)?,
                "BYDAY" => rule.days = list(value, weekday)?,
                "BYMONTH" => rule.months = numbers(value, 1, 12)?,
                "BYMONTHDAY" => rule.month_days = numbers(value, -31, 31)?,
                "BYYEARDAY" => rule.year_days = numbers(value, -366, 366)?,
                "BYWEEKNO" => rule.weeks = numbers(value, -53, 53)?,
                "BYHOUR" => rule.hours = numbers(value, 0, 23)?,
                "BYMINUTE" => rule.minutes = numbers(value, 0, 59)?,
                // A leap second is the last one of its minute here.
                "BYSECOND" => rule.seconds = numbers(value, 0, 60)?,
                "BYSETPOS" => rule.places = numbers(value, -366, 366)?,
                // Other calendars than ours (RFC 7529) would give other days.
                "RSCALE" if !value.eq_ignore_ascii_case("GREGORIAN") => return Err(wrong(part)),
                _ => {}
            }
        }
        rule.freq = freq.ok_or_else(|| wrong(text))?;
        for second in &mut rule.seconds {
            *second = (*second).min(59);
        }
        for list in [&mut rule.hours, &mut rule.minutes, &mut rule.seconds] {
            list.sort_unstable();
            list.dedup();
        }
        Ok(rule)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FREQ={}", word(&FREQS, self.freq))?;
        if self.interval > 1 {
            write!(f, ";INTERVAL={}", self.interval)?;
        }
        if let Some(count) = self.count {
            write!(f, ";COUNT={count}")?;
        }
        match self.until {
            Some(Until::Day(day)) => write!(f, ";UNTIL={}", day.strftime("%Y%m%d"))?,
            Some(Until::Local(at)) => write!(f, ";UNTIL={}", at.strftime("%Y%m%dT%H%M%S"))?,
            Some(Until::Utc(at)) => write!(f, ";UNTIL={}", at.strftime("%Y%m%dT%H%M%SZ"))?,
            None => {}
        }
        let days: Vec<String> = self
            .days
            .iter()
            .map(|(which, day)| match which {
                0 => word(&WEEKDAYS, *day).to_owned(),
                which => format!("{which}{}", word(&WEEKDAYS, *day)),
            })
            .collect();
        part(f, "BYMONTH", &self.months)?;
        part(f, "BYWEEKNO", &self.weeks)?;
        part(f, "BYYEARDAY", &self.year_days)?;
        part(f, "BYMONTHDAY", &self.month_days)?;
        part(f, "BYDAY", &days)?;
        part(f, "BYHOUR", &self.hours)?;
        part(f, "BYMINUTE", &self.minutes)?;
        part(f, "BYSECOND", &self.seconds)?;
        part(f, "BYSETPOS", &self.places)?;
        if self.week_start != Weekday::Monday {
            write!(f, ";WKST={}", word(&WEEKDAYS, self.week_start))?;
        }
        Ok(())
    }
}

/// A weekday as rules write it.
pub(crate) fn day_word(day: Weekday) -> &'static str {
    word(&WEEKDAYS, day)
}

fn part(f: &mut fmt::Formatter<'_>, name: &str, values: &[impl ToString]) -> fmt::Result {
    if values.is_empty() {
        return Ok(());
    }
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    write!(f, ";{name}={}", values.join(","))
}

fn word<T: Copy + PartialEq>(table: &[(T, &'static str)], of: T) -> &'static str {
    table
        .iter()
        .find(|(value, _)| *value == of)
        .map_or("", |(_, word)| *word)
}

fn of_table<T: Copy>(table: &[(T, &str)], word: &str) -> Result<T, RuleError> {
    let found = table.iter().find(|(_, known)| known.eq_ignore_ascii_case(word));
    found.map(|(value, _)| *value).ok_or_else(|| wrong(word))
}

fn list<T>(value: &str, one: impl Fn(&str) -> Result<T, RuleError>) -> Result<Vec<T>, RuleError> {
    value.split(',').filter(|one| !one.trim().is_empty()).map(one).collect()
}

fn number<T: FromStr>(text: &str) -> Result<T, RuleError> {
    let digits = text.trim().trim_start_matches('+');
    digits.parse().map_err(|_no_number| wrong(text))
}

fn numbers<T: FromStr + PartialOrd + TryFrom<i32>>(value: &str, least: i32, most: i32) -> Result<Vec<T>, RuleError> {
    list(value, |text| {
        let value: i32 = number(text)?;
        let is_inside = (least..=most).contains(&value) && (least >= 0 || value != 0);
        let value = Some(value).filter(|_| is_inside).ok_or_else(|| wrong(text))?;
        T::try_from(value).map_err(|_too_large| wrong(text))
    })
}

fn weekday(text: &str) -> Result<(i16, Weekday), RuleError> {
    let text = text.trim();
    let at = text.len().checked_sub(2).ok_or_else(|| wrong(text))?;
    let (which, day) = (text.get(..at), text.get(at..));
    let day = of_table(&WEEKDAYS, day.unwrap_or_default())?;
    match which.unwrap_or_default() {
        "" => Ok((0, day)),
        which => Ok((number(which)?, day)),
    }
}

fn until(text: &str) -> Result<Until, RuleError> {
    let wrong = || wrong(text);
    let plain: String = text.chars().filter(|c| !matches!(c, '-' | ':')).collect();
    if plain.len() == 8 {
        let day = Date::strptime("%Y%m%d", &plain).map_err(|_no_date| wrong())?;
        return Ok(Until::Day(day));
    }
    let local = plain.trim_end_matches(['Z', 'z']);
    let at = DateTime::strptime("%Y%m%dT%H%M%S", local).map_err(|_no_time| wrong())?;
    if local.len() == plain.len() {
        return Ok(Until::Local(at));
    }
    TimeZone::UTC
        .to_timestamp(at)
        .map(Until::Utc)
        .map_err(|_out_of_range| wrong())
}

fn wrong(text: &str) -> RuleError {
    RuleError(text.chars().take(60).collect())
}

#[cfg(test)]
mod tests;
