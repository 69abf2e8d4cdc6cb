//! A time as calendars write it: a day, a time by the clock on the wall, an instant, or a time in a named zone.

use jiff::{
    Timestamp, Zoned,
    civil::{Date, DateTime},
    tz::TimeZone,
};

/// What a property says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// A whole day; no zone moves it.
    Day(Date),
    /// By the clock on the wall, wherever one is.
    Floating(DateTime),
    /// An instant.
    Utc(Timestamp),
    /// By the clock of a zone, under the name the object gives it.
    Zoned(DateTime, String),
}

impl When {
    /// Without its zone: what the clock shows there, the day at its beginning.
    pub fn civil(&self) -> DateTime {
        match self {
            Self::Day(day) => day.at(0, 0, 0, 0),
            Self::Floating(at) | Self::Zoned(at, _) => *at,
            Self::Utc(at) => TimeZone::UTC.to_datetime(*at),
        }
    }

    /// Whether it is a whole day.
    pub fn is_day(&self) -> bool {
        matches!(self, Self::Day(_))
    }

    /// The same kind of time at another moment by its own clock.
    #[must_use]
    pub fn with_civil(&self, at: DateTime) -> Self {
        match self {
            Self::Day(_) => Self::Day(at.date()),
            Self::Floating(_) => Self::Floating(at),
            Self::Utc(_) => TimeZone::UTC
                .to_timestamp(at)
                .map_or_else(|_out_of_range| self.clone(), Self::Utc),
            Self::Zoned(_, zone) => Self::Zoned(at, zone.clone()),
        }
    }
}

/// A time that is settled: a day, or an instant with the zone it is shown in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// A whole day.
    Day(Date),
    /// An instant.
    Instant(Zoned),
}

impl At {
    /// The instant, where days begin in this zone.
    pub fn instant(&self, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Day(day) => start_of(*day, zone),
            Self::Instant(at) => at.timestamp(),
        }
    }

    /// The day by the clock of this zone.
    pub fn date(&self, zone: &TimeZone) -> Date {
        match self {
            Self::Day(day) => *day,
            Self::Instant(at) => zone.to_datetime(at.timestamp()).date(),
        }
    }

    /// Whether it is a whole day.
    pub fn is_day(&self) -> bool {
        matches!(self, Self::Day(_))
    }
}

/// When a day begins; at the ends of time, the end itself.
pub(crate) fn start_of(day: Date, zone: &TimeZone) -> Timestamp {
    let start = zone.to_ambiguous_zoned(day.at(0, 0, 0, 0)).compatible();
    start.map_or_else(
        |_out_of_range| {
            if day.year() < 1970 {
                Timestamp::MIN
            } else {
                Timestamp::MAX
            }
        },
        |start| start.timestamp(),
    )
}
