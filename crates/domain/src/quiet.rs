//! The hours in which a person is not spoken to unasked. Kept with the person; asked by whoever pushes an answer.

use std::fmt;

use jiff::{ToSpan as _, Zoned, civil::Time};

use super::task::slots::resolve;

/// From one time of day to another, over midnight where the second is earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    from: Time,
    to: Time,
}

impl QuietHours {
    /// Reads `22-7` or `22:30-07:00`; `None` for anything else, and for the same time twice.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.trim().split_once(['-', '\u{2013}'])?;
        let hours = Self {
            from: time(from)?,
            to: time(to)?,
        };
        (hours.from != hours.to).then_some(hours)
    }

    /// When they end, in milliseconds since 1970, if it is quiet now.
    pub fn end_ms(self, now: &Zoned) -> Option<i64> {
        let clock = now.time();
        let over_midnight = self.from > self.to;
        let is_quiet = if over_midnight {
            clock >= self.from || clock < self.to
        } else {
            clock >= self.from && clock < self.to
        };
        if !is_quiet {
            return None;
        }
        let day = if over_midnight && clock >= self.from {
            now.date().checked_add(1.day()).ok()?
        } else {
            now.date()
        };
        resolve(day.to_datetime(self.to), now.time_zone()).map(|slot| slot.at_ms)
    }
}

fn time(text: &str) -> Option<Time> {
    let (hour, minute) = text.trim().split_once([':', '.']).unwrap_or((text.trim(), "0"));
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse::<i8>().ok()).flatten()
    };
    let hour = number(hour)?;
    Time::new(if hour == 24 { 0 } else { hour }, number(minute)?, 0, 0).ok()
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from.strftime("%H:%M"), self.to.strftime("%H:%M"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_read_and_end_in_the_morning() {
        let end = |hours: &str, now: &str| {
            let now: Zoned = format!("{now}[Europe/Rome]").parse().unwrap();
            let end_ms = QuietHours::parse(hours).unwrap().end_ms(&now)?;
            let end = jiff::Timestamp::from_millisecond(end_ms).unwrap();
            Some(end.to_zoned(now.time_zone().clone()).strftime("%d %H:%M").to_string())
        };
        for (hours, now, expected) in [
            ("22-7", "2026-11-24T23:00", Some("25 07:00")),
            ("22-7", "2026-11-25T06:59", Some("25 07:00")),
            ("22-7", "2026-11-25T07:00", None),
            ("22-7", "2026-11-24T21:59", None),
            ("13:30-15", "2026-11-24T14:00", Some("24 15:00")),
            ("13:30-15", "2026-11-24T15:00", None),
            ("22-24", "2026-11-24T23:00", Some("25 00:00")),
        ] {
            assert_eq!(end(hours, now).as_deref(), expected, "{hours} {now}");
        }
        assert_eq!(QuietHours::parse("22:30-07:00").unwrap().to_string(), "22:30-07:00");
        for none in ["", "22", "22-22", "25-7", "a-b", "22-7:61"] {
            assert_eq!(QuietHours::parse(none), None, "{none}");
        }
    }
}
