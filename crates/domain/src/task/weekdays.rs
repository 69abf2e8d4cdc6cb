//! A set of days of the week, kept as `mon,tue`; the empty set means every day.

use std::fmt;

use jiff::civil::Weekday;
use serde::{Deserialize, Serialize};

const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Days of the week on which something may happen. None at all means that any day will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Weekdays(u8);

impl Weekdays {
    /// Exactly these.
    pub fn of(days: impl IntoIterator<Item = Weekday>) -> Self {
        let bit = |day: Weekday| 1_u8 << day.to_monday_zero_offset();
        Self(days.into_iter().fold(0, |set, day| set | bit(day)))
    }

    /// Whether any day will do.
    pub fn is_any(self) -> bool {
        self.0 == 0
    }

    /// Whether this day is one of them.
    pub fn allow(self, day: Weekday) -> bool {
        self.is_any() || self.0 & (1 << day.to_monday_zero_offset()) != 0
    }

    /// The days, from Monday on; none when any day will do.
    pub fn days(self) -> impl Iterator<Item = Weekday> {
        Weekday::Monday
            .cycle_forward()
            .take(7)
            .filter(move |day| !self.is_any() && self.allow(*day))
    }

    /// Reads `mon,tue`; the empty text is any day.
    pub fn parse(text: &str) -> Option<Self> {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        names.into_iter().try_fold(Self::default(), |set, name| {
            let at = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
            Some(Self(set.0 | (1 << at)))
        })
    }
}

impl fmt::Display for Weekdays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.iter().enumerate().filter(|(at, _)| self.0 & (1 << at) != 0);
        let names: Vec<&str> = names.map(|(_, name)| *name).collect();
        f.write_str(&names.join(","))
    }
}

impl From<Weekdays> for String {
    fn from(days: Weekdays) -> Self {
        days.to_string()
    }
}

impl TryFrom<String> for Weekdays {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is no list of weekdays"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_reads_what_it_writes_and_none_means_any() {
        let working = Weekdays::of([Weekday::Friday, Weekday::Monday]);
        assert_eq!(working.to_string(), "mon,fri");
        assert_eq!(Weekdays::parse(" Fri, mon"), Some(working));
        assert!(working.allow(Weekday::Monday) && !working.allow(Weekday::Sunday));
        assert_eq!(working.days().count(), 2);
        let any = Weekdays::parse("").unwrap();
        assert!(any.is_any() && any.allow(Weekday::Sunday) && any.days().count() == 0);
        assert_eq!(Weekdays::parse("monday"), None);
    }
}
