//! When an entry fires, and the text it is stored and shown as:
//!
//! | text | means |
//! |---|---|
//! | `daily@07:30` | every day at this wall time |
//! | `every_2_days@08:00/2026-11-25` | every so many days from that day on, at this wall time |
//! | `every_90_seconds`, `every_15_minutes`, `every_2_hours` | so much after the time before; knows no zone |
//! | `at:2026-11-25T09:00` | once, at this wall time |
//! | `at:2026-11-25T08:00:00Z` | once, at this instant |
//! | `cron:0 9 * * MON#1` | a cron pattern of five fields, in wall times |
//! | `manual` | only when somebody says so |
//!
//! A wall time is one of the entry's zone. `slots` says when the next one is.

use std::{fmt, str::FromStr as _};

use croner::{
    Cron,
    parser::{CronParser, Seconds, Year},
};
use jiff::{
    Timestamp,
    civil::{Date, DateTime, Time},
};
use serde::{Deserialize, Serialize};

use crate::limits::TASK_EVERY_SECONDS_MAX;

/// When an entry fires.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Trigger {
    /// Every day at this wall time.
    Daily(Time),
    /// Every so many days from that day on, at this wall time.
    Days {
        /// So many.
        every: u16,
        /// At this wall time.
        at: Time,
        /// Counted from here.
        from: Date,
    },
    /// So many seconds after the time before.
    Every {
        /// So many.
        seconds: u32,
    },
    /// Once, at this wall time.
    AtWall(DateTime),
    /// Once, at this instant.
    At(Timestamp),
    /// A cron pattern.
    Cron(CronPattern),
    /// Only when somebody says so.
    Manual,
}

/// Why a text is no trigger.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TriggerError {
    /// It begins like none.
    #[error("`{0}` is no trigger")]
    Unknown(String),
    /// The time of day is none.
    #[error("`{0}` is no time of day")]
    Time(String),
    /// The moment is none.
    #[error("`{0}` is no moment")]
    Moment(String),
    /// Nothing, or too much, between two firings.
    #[error("`{0}` is no interval")]
    Interval(String),
    /// Not a pattern of five fields.
    #[error("`{0}` is no cron pattern of five fields")]
    Cron(String),
}

impl Trigger {
    /// Whether it fires at most once.
    pub fn is_once(&self) -> bool {
        match self {
            Self::AtWall(_) | Self::At(_) => true,
            Self::Daily(_) | Self::Days { .. } | Self::Every { .. } | Self::Cron(_) | Self::Manual => false,
        }
    }

    /// Whether the moments it means depend on the zone.
    pub fn is_wall(&self) -> bool {
        match self {
            Self::Daily(_) | Self::Days { .. } | Self::AtWall(_) | Self::Cron(_) => true,
            Self::Every { .. } | Self::At(_) | Self::Manual => false,
        }
    }

    /// Reads the text.
    pub fn parse(text: &str) -> Result<Self, TriggerError> {
        let text = text.trim();
        let unknown = || TriggerError::Unknown(text.to_owned());
        if text == "manual" {
            return Ok(Self::Manual);
        }
        if let Some(time) = text.strip_prefix("daily@") {
            return Ok(Self::Daily(parse_time(time)?));
        }
        if let Some(moment) = text.strip_prefix("at:") {
            return parse_moment(moment);
        }
        if let Some(pattern) = text.strip_prefix("cron:") {
            return CronPattern::parse(pattern).map(Self::Cron);
        }
        let every = text.strip_prefix("every_").ok_or_else(unknown)?;
        match every.split_once('@') {
            Some((days, rest)) => parse_days(text, days, rest),
            None => parse_every(text, every),
        }
    }
}

fn parse_time(text: &str) -> Result<Time, TriggerError> {
    let bad = || TriggerError::Time(text.to_owned());
    let (hour, minute) = text.split_once(':').ok_or_else(bad)?;
    let number = |digits: &str| {
        let is_two = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_two.then(|| digits.parse::<i8>().ok()).flatten()
    };
    let (Some(hour), Some(minute)) = (number(hour), number(minute)) else {
        return Err(bad());
    };
    Time::new(hour, minute, 0, 0).map_err(|_out_of_range| bad())
}

fn parse_moment(text: &str) -> Result<Trigger, TriggerError> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Ok(Trigger::At(instant));
    }
    let wall = text.parse::<DateTime>();
    wall.map(Trigger::AtWall)
        .map_err(|_no_moment| TriggerError::Moment(text.to_owned()))
}

/// `2_days` and `08:00/2026-11-25`.
fn parse_days(text: &str, days: &str, rest: &str) -> Result<Trigger, TriggerError> {
    let bad = || TriggerError::Interval(text.to_owned());
    let days = days.strip_suffix("_days").or_else(|| days.strip_suffix("_day"));
    let every: u16 = days.and_then(|days| days.parse().ok()).ok_or_else(bad)?;
    let (time, from) = rest.split_once('/').ok_or_else(bad)?;
    let from = Date::from_str(from).map_err(|_no_date| TriggerError::Moment(from.to_owned()))?;
    let at = parse_time(time)?;
    if every == 0 {
        return Err(bad());
    }
    Ok(Trigger::Days { every, at, from })
}

/// `15_minutes`; `15m` is read, too.
fn parse_every(text: &str, every: &str) -> Result<Trigger, TriggerError> {
    let bad = || TriggerError::Interval(text.to_owned());
    let digits = every.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = every.split_at(digits);
    let unit: u32 = match unit.trim_start_matches('_') {
        "s" | "second" | "seconds" => 1,
        "m" | "minute" | "minutes" => 60,
        "h" | "hour" | "hours" => 3_600,
        _other => return Err(bad()),
    };
    let count: u32 = count.parse().map_err(|_no_number| bad())?;
    let seconds = count.checked_mul(unit).ok_or_else(bad)?;
    if seconds == 0 || seconds > TASK_EVERY_SECONDS_MAX {
        return Err(bad());
    }
    Ok(Trigger::Every { seconds })
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hm = |time: &Time| format!("{:02}:{:02}", time.hour(), time.minute());
        match self {
            Self::Daily(at) => write!(f, "daily@{}", hm(at)),
            Self::Days { every, at, from } => write!(f, "every_{every}_days@{}/{from}", hm(at)),
            Self::Every { seconds } if seconds % 3_600 == 0 => write!(f, "every_{}_hours", seconds / 3_600),
            Self::Every { seconds } if seconds % 60 == 0 => write!(f, "every_{}_minutes", seconds / 60),
            Self::Every { seconds } => write!(f, "every_{seconds}_seconds"),
            Self::AtWall(wall) => write!(f, "at:{wall}"),
            Self::At(instant) => write!(f, "at:{instant}"),
            Self::Cron(pattern) => write!(f, "cron:{pattern}"),
            Self::Manual => f.write_str("manual"),
        }
    }
}

impl From<Trigger> for String {
    fn from(trigger: Trigger) -> Self {
        trigger.to_string()
    }
}

impl TryFrom<String> for Trigger {
    type Error = TriggerError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

/// A cron pattern that was read once without complaint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CronPattern(String);

impl CronPattern {
    /// Minute, hour, day of the month, month, day of the week; with `L`, `#` and `W`.
    pub fn parse(text: &str) -> Result<Self, TriggerError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let pattern = Self(fields.join(" "));
        match pattern.read() {
            Some(_) if fields.len() == 5 => Ok(pattern),
            Some(_) | None => Err(TriggerError::Cron(text.to_owned())),
        }
    }

    pub(super) fn read(&self) -> Option<Cron> {
        let parser = CronParser::builder()
            .seconds(Seconds::Disallowed)
            .year(Year::Disallowed)
            .build();
        parser.parse(&self.0).ok()
    }

    /// Whether it names no hour: then it counts hours as they pass, and does not skip one that the clock shows twice.
    pub(super) fn is_of_every_hour(&self) -> bool {
        self.0.split(' ').nth(1).is_some_and(|hour| hour.starts_with('*'))
    }
}

impl fmt::Display for CronPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trigger_reads_what_it_writes() {
        for (text, canonical) in [
            ("daily@00:00", "daily@00:00"),
            ("daily@23:59", "daily@23:59"),
            ("every_2_days@08:00/2026-11-25", "every_2_days@08:00/2026-11-25"),
            ("every_90_seconds", "every_90_seconds"),
            ("every_1s", "every_1_seconds"),
            ("every_15m", "every_15_minutes"),
            ("every_1_minute", "every_1_minutes"),
            ("every_120_minutes", "every_2_hours"),
            ("at:2026-11-25T09:00", "at:2026-11-25T09:00:00"),
            ("at:2026-11-25T09:00:00+01:00", "at:2026-11-25T08:00:00Z"),
            ("cron:0  9 * * MON#1", "cron:0 9 * * MON#1"),
            ("cron:0 8 L * *", "cron:0 8 L * *"),
            (" manual ", "manual"),
        ] {
            let trigger = Trigger::parse(text).unwrap();
            assert_eq!(trigger.to_string(), canonical, "{text}");
            assert_eq!(Trigger::parse(canonical).as_ref(), Ok(&trigger), "{text}");
        }
    }

    #[test]
    fn what_is_no_trigger_is_refused() {
        for text in [
            "",
            "daily",
            "daily@24:00",
            "daily@7:30",
            "daily@07:60",
            "daily@07",
            "every_0_minutes",
            "every_minutes",
            "every_5_fortnights",
            "every_99999999_hours",
            "every_2_days",
            "every_0_days@08:00/2026-11-25",
            "every_2_days@08:00/2026-11-31",
            "at:tomorrow",
            "at:2026-13-01T00:00",
            "cron:* * * *",
            "cron:* * * * * *",
            "cron:61 * * * *",
            "cron:@daily",
            "hourly",
        ] {
            assert!(Trigger::parse(text).is_err(), "{text}");
        }
    }
}
