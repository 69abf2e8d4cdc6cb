//! The time, handed in: `Clock::system()` in the program, `Clock::fixed(t)` in tests. Nobody else asks the machine.
//!
//! Who waits for a moment sleeps on the machine's wall clock, not on one that stands still while the machine is
//! suspended, and is woken when somebody sets that clock. Nobody polls.

use std::{io, os::fd::OwnedFd, sync::Arc, time::Duration};

use jiff::{Timestamp, Zoned, tz::TimeZone};
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
use tokio::{
    io::{Interest, unix::AsyncFd},
    sync::watch,
};

/// A source of the present moment. Cheap to clone; clones of a fixed clock move together.
#[derive(Clone, Debug)]
pub struct Clock {
    fixed: Option<Arc<watch::Sender<Timestamp>>>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self { fixed: None }
    }

    /// A clock that stands still until it is moved.
    pub fn fixed(at: Timestamp) -> Self {
        Self {
            fixed: Some(Arc::new(watch::Sender::new(at))),
        }
    }

    /// Moves a fixed clock forward; the machine's clock ignores it.
    pub fn advance(&self, by: Duration) {
        if let Some(fixed) = &self.fixed {
            fixed.send_modify(|at| *at = at.saturating_add(by).unwrap_or(Timestamp::MAX));
        }
    }

    /// This moment.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that asks the machine for the time"
    )]
    pub fn now(&self) -> Timestamp {
        match &self.fixed {
            Some(fixed) => *fixed.borrow(),
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

    /// Waits for a moment, in milliseconds since 1970. It may be woken earlier, when the machine's clock is set: who
    /// waits looks at the clock again.
    pub async fn sleep_until(&self, at_ms: i64) {
        if let Some(fixed) = &self.fixed {
            let reached = |at: &Timestamp| at.as_millisecond() >= at_ms;
            if fixed.subscribe().wait_for(reached).await.is_err() {
                tracing::debug!("a fixed clock is gone while somebody waits for it");
            }
            return;
        }
        if at_ms <= self.now_ms() {
            return;
        }
        let woken = match alarm(at_ms) {
            Ok(alarm) => alarm.readable().await.map(drop),
            Err(error) => Err(error),
        };
        if let Err(error) = woken {
            tracing::warn!(%error, "no alarm to be had; waiting without");
            let left_ms = at_ms.saturating_sub(self.now_ms());
            tokio::time::sleep(Duration::from_millis(u64::try_from(left_ms).unwrap_or_default())).await;
        }
    }
}

/// A file that becomes readable at that moment, or when the clock is set.
#[expect(
    deprecated,
    reason = "what replaces it is unsafe, for files that somebody may close; an `OwnedFd` stays open"
)]
fn alarm(at_ms: i64) -> io::Result<AsyncFd<OwnedFd>> {
    let timer = rustix::time::timerfd_create(TimerfdClockId::Realtime, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
    let at = Itimerspec {
        it_interval: Timespec::default(),
        it_value: Timespec {
            tv_sec: at_ms.div_euclid(1_000),
            tv_nsec: at_ms.rem_euclid(1_000) * 1_000_000,
        },
    };
    rustix::time::timerfd_settime(
        &timer,
        TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET,
        &at,
    )?;
    AsyncFd::with_interest(timer, Interest::READABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_machines_clock_wakes_at_the_moment_and_not_before() {
        let clock = Clock::system();
        let at_ms = clock.now_ms() + 30;
        clock.sleep_until(at_ms).await;
        let late_ms = clock.now_ms() - at_ms;
        assert!((0..500).contains(&late_ms), "{late_ms}");
        clock.sleep_until(0).await;
    }

    #[tokio::test]
    async fn a_fixed_clock_wakes_when_it_is_moved_far_enough() {
        let clock = Clock::fixed(Timestamp::UNIX_EPOCH);
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move { clock.sleep_until(2_000).await }
        });
        clock.advance(Duration::from_secs(1));
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        clock.advance(Duration::from_secs(1));
        sleeper.await.unwrap();
    }
}
