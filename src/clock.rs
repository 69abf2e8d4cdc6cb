//! The time, handed in: `Clock::system()` in the program, `Clock::fixed(t)` in tests. Nobody else asks the machine.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::{Timestamp, Zoned, tz::TimeZone};

/// A source of the present moment. Cheap to clone; clones of a fixed clock move together.
#[derive(Clone, Debug)]
pub struct Clock {
    fixed: Option<Arc<Mutex<Timestamp>>>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self { fixed: None }
    }

    /// A clock that stands still until it is moved.
    pub fn fixed(at: Timestamp) -> Self {
        Self {
            fixed: Some(Arc::new(Mutex::new(at))),
        }
    }

    /// Moves a fixed clock forward; the machine's clock ignores it.
    pub fn advance(&self, by: Duration) {
        if let Some(fixed) = &self.fixed {
            let mut at = fixed.lock().unwrap_or_else(PoisonError::into_inner);
            *at = at.saturating_add(by).unwrap_or(Timestamp::MAX);
        }
    }

    /// This moment.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that asks the machine for the time"
    )]
    pub fn now(&self) -> Timestamp {
        match &self.fixed {
            Some(fixed) => *fixed.lock().unwrap_or_else(PoisonError::into_inner),
            None => Timestamp::now(),
        }
    }

    /// This moment in milliseconds since 1970 UTC, as the store keeps it.
    pub fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
    }

    /// This moment in a zone; an unknown zone name is read as UTC.
    pub fn zoned(&self, timezone: &str) -> Zoned {
        let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
        self.now().to_zoned(zone)
    }
}
