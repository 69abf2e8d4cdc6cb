//! How fast a free service may be asked: a few questions at once, then one a second. Used by `photon` alone.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// One question in this time, in the long run.
const INTERVAL: Duration = Duration::from_secs(1);
/// So many at once after a pause.
const BURST: u32 = 5;
/// Nobody waits longer than this for their turn.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// The moment up to which the allowance is spent.
#[derive(Debug, Default)]
pub(super) struct Pace {
    spent_until: Mutex<Option<Instant>>,
}

impl Pace {
    /// Takes one question from the allowance: how long to wait before asking it, or, as an error, how long until
    /// there is one to take.
    pub(super) fn take(&self, now: Instant) -> Result<Duration, Duration> {
        let mut spent_until = self.spent_until.lock().unwrap_or_else(PoisonError::into_inner);
        let next = spent_until.map_or(now, |spent| spent.max(now)) + INTERVAL;
        let wait = next.saturating_duration_since(now + INTERVAL * BURST);
        if wait > WAIT_MAX {
            return Err(wait);
        }
        *spent_until = Some(next);
        Ok(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_at_once_then_one_a_second() {
        let pace = Pace::default();
        let start = Instant::now();
        let waits: Vec<u64> = (0..8).map(|_| pace.take(start).unwrap().as_secs()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 1, 2, 3]);
        assert!(pace.take(start).is_ok() && pace.take(start).is_ok());
        assert!(pace.take(start).is_err(), "a queue without end is refused");
        assert_eq!(pace.take(start + Duration::from_secs(60)), Ok(Duration::ZERO));
    }
}
