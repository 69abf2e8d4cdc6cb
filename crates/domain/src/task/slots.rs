//! When the next moment of a trigger is: pure functions of an instant and a zone.
//!
//! A wall time that a zone skips goes to the first instant after the gap; one that it shows twice means the first of
//! the two. Both are told to the caller. Intervals know no zone: they are counted on the line of UTC.

use jiff::{
    Span, Timestamp, ToSpan as _,
    civil::{Date, DateTime, Time},
    tz::{AmbiguousOffset, TimeZone},
};

use super::{Task, Trigger, Weekdays, trigger::CronPattern};

/// Days looked ahead for one that a set of weekdays allows and the zone has; the first is the day before.
const DAYS_AHEAD: i64 = 9;
/// Moments of a pattern tried until one is later; a fold holds at most an hour or two of minutes.
const CRON_TRIES_MAX: usize = 256;
/// Windows in which the latest missed slot is looked for, in seconds: an hour, a day, nine days, sixty-five, a year and
/// a half, thirty years.
const LOOK_BACK_SECONDS: [i64; 6] = [3_600, 86_400, 777_600, 5_616_000, 47_304_000, 946_080_000];
/// Slots counted in one window; no window holds more that matter.
const SLOTS_COUNTED_MAX: usize = 100_000;

/// A moment at which something fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// In milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// Whether it is another moment than the wall time says.
    pub adjusted: Option<Adjusted>,
}

/// Why a moment is not simply its wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjusted {
    /// The clock skips that time: it is the first moment after.
    Gap,
    /// The clock shows that time twice: it is the first of the two.
    Fold,
}

impl Slot {
    fn exactly(at: Timestamp) -> Self {
        Self {
            at_ms: at.as_millisecond(),
            adjusted: None,
        }
    }
}

impl Trigger {
    /// The first moment strictly after this instant, on one of these days; `None` when there is none. An interval is
    /// counted from `after`.
    pub fn next_after(&self, after_ms: i64, zone: &TimeZone, weekdays: Weekdays) -> Option<Slot> {
        let after = Timestamp::from_millisecond(after_ms).ok()?;
        let later = |slot: Slot| (slot.at_ms > after_ms).then_some(slot);
        match self {
            Self::Daily(at) => {
                let first = zone.to_datetime(after).date().checked_sub(1.day()).ok()?;
                days((first, 1), *at, zone, weekdays).find_map(later)
            }
            Self::Days { every, at, from } => {
                let start = zone.to_datetime(after).date().checked_sub(1.day()).ok()?;
                let first = first_of_rhythm(start, *from, i64::from(*every))?;
                days((first, i64::from(*every)), *at, zone, weekdays).find_map(later)
            }
            Self::Every { seconds } => {
                let next = after.checked_add(Span::new().seconds(i64::from(*seconds))).ok()?;
                allowed_instant(next, zone, weekdays).map(Slot::exactly)
            }
            Self::AtWall(wall) => resolve(*wall, zone).and_then(later),
            Self::At(instant) => later(Slot::exactly(*instant)),
            Self::Cron(pattern) => cron_after(pattern, after, zone, weekdays),
            Self::Manual => None,
        }
    }

    /// The moment of a trigger that fires once, past or not.
    pub fn moment(&self, zone: &TimeZone) -> Option<Slot> {
        match self {
            Self::AtWall(wall) => resolve(*wall, zone),
            Self::At(instant) => Some(Slot::exactly(*instant)),
            Self::Daily(_) | Self::Days { .. } | Self::Every { .. } | Self::Cron(_) | Self::Manual => None,
        }
    }
}

impl Task {
    /// The first moment of its trigger after `now_ms` when it was due at `due_ms`. Intervals keep their rhythm however
    /// late a firing was.
    pub fn slot_after(&self, due_ms: i64, now_ms: i64) -> Option<Slot> {
        let zone = self.time_zone();
        match self.trigger {
            Trigger::Every { seconds } => {
                let every_ms = i64::from(seconds).saturating_mul(1_000);
                let passed = now_ms.saturating_sub(due_ms).max(0) / every_ms;
                let before_ms = due_ms.saturating_add(passed.saturating_mul(every_ms));
                self.trigger.next_after(before_ms, &zone, self.weekdays)
            }
            Trigger::AtWall(_) | Trigger::At(_) => None,
            Trigger::Daily(_) | Trigger::Days { .. } | Trigger::Cron(_) | Trigger::Manual => {
                self.trigger.next_after(now_ms.max(due_ms), &zone, self.weekdays)
            }
        }
    }

    /// The latest of its moments that is not after `now_ms`, not before `due_ms`: the one that counts when several were
    /// missed.
    pub fn latest_slot(&self, due_ms: i64, now_ms: i64) -> i64 {
        let within = |from_ms: i64| {
            let mut slots = std::iter::successors(Some(from_ms), |last_ms| {
                self.slot_after(due_ms, *last_ms)
                    .map(|slot| slot.at_ms)
                    .filter(|next_ms| *next_ms <= now_ms)
            });
            slots.by_ref().skip(1).take(SLOTS_COUNTED_MAX).last()
        };
        if self.trigger.is_once() || self.trigger == Trigger::Manual {
            return due_ms;
        }
        if let Trigger::Every { seconds } = self.trigger {
            let every_ms = i64::from(seconds).saturating_mul(1_000);
            return due_ms.saturating_add(now_ms.saturating_sub(due_ms).max(0) / every_ms * every_ms);
        }
        for seconds in LOOK_BACK_SECONDS {
            let from_ms = now_ms.saturating_sub(seconds.saturating_mul(1_000));
            if from_ms <= due_ms {
                break;
            }
            if let Some(latest_ms) = within(from_ms) {
                return latest_ms;
            }
        }
        within(due_ms).unwrap_or(due_ms)
    }
}

/// The instant of a wall time.
pub fn resolve(wall: DateTime, zone: &TimeZone) -> Option<Slot> {
    let ambiguous = zone.to_ambiguous_timestamp(wall);
    match ambiguous.offset() {
        AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(wall).ok().map(Slot::exactly),
        AmbiguousOffset::Fold { before, .. } => Some(Slot {
            at_ms: before.to_timestamp(wall).ok()?.as_millisecond(),
            adjusted: Some(Adjusted::Fold),
        }),
        AmbiguousOffset::Gap { before, .. } => {
            // By the clock as it was, the time lies behind the change, which itself is the first valid moment.
            let behind = before.to_timestamp(wall).ok()?;
            let change = zone.preceding(behind.checked_add(1.second()).ok()?).next()?;
            Some(Slot {
                at_ms: change.timestamp().as_millisecond(),
                adjusted: Some(Adjusted::Gap),
            })
        }
    }
}

/// The first instant that a clock shows a time; none where it skips that time.
fn resolve_first(wall: DateTime, zone: &TimeZone) -> Option<Slot> {
    resolve(wall, zone).filter(|slot| slot.adjusted != Some(Adjusted::Gap))
}

/// The second of two instants that a clock shows a time; the only one where there is one, none where there is none.
fn resolve_last(wall: DateTime, zone: &TimeZone) -> Option<Slot> {
    match zone.to_ambiguous_timestamp(wall).offset() {
        AmbiguousOffset::Fold { after, .. } => after.to_timestamp(wall).ok().map(Slot::exactly),
        AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Gap { .. } => resolve_first(wall, zone),
    }
}

/// A wall time on each `step`th day from a day on, as far as the weekdays can matter.
fn days((first, step): (Date, i64), at: Time, zone: &TimeZone, weekdays: Weekdays) -> impl Iterator<Item = Slot> {
    (0..=DAYS_AHEAD).filter_map(move |count| {
        let day = first.checked_add((count * step).days()).ok()?;
        let is_allowed = weekdays.allow(day.weekday()) && exists(day, zone);
        is_allowed.then(|| resolve(day.to_datetime(at), zone)).flatten()
    })
}

/// Whether a zone has that day at all: Samoa went from the 29th to the 31st of December 2011, and what happens every
/// day does not happen twice on the day after.
fn exists(day: Date, zone: &TimeZone) -> bool {
    day.to_zoned(zone.clone()).is_ok_and(|start| start.date() == day)
}

/// The first day of a rhythm of so many days that is not before `start`.
fn first_of_rhythm(start: Date, from: Date, every: i64) -> Option<Date> {
    let since = i64::from(start.since(from).ok()?.get_days());
    let rounds = if since <= 0 { 0 } else { (since + every - 1) / every };
    from.checked_add((rounds * every).days()).ok()
}

/// The instant, or the first moment of the next day that is allowed.
fn allowed_instant(at: Timestamp, zone: &TimeZone, weekdays: Weekdays) -> Option<Timestamp> {
    let day = zone.to_datetime(at).date();
    if weekdays.allow(day.weekday()) {
        return Some(at);
    }
    let mut starts = days((day, 1), Time::midnight(), zone, weekdays);
    let start = starts.find(|slot| slot.at_ms > at.as_millisecond())?;
    Timestamp::from_millisecond(start.at_ms).ok()
}

/// A pattern that names hours is one of wall times. One of every hour goes on through an hour that comes twice.
fn cron_after(pattern: &CronPattern, after: Timestamp, zone: &TimeZone, weekdays: Weekdays) -> Option<Slot> {
    let cron = pattern.read()?;
    let every_hour = pattern.is_of_every_hour();
    let search = |mut wall: DateTime, mut inclusive: bool, resolve: fn(DateTime, &TimeZone) -> Option<Slot>| {
        for _ in 0..CRON_TRIES_MAX {
            wall = cron.find_next_occurrence(&wall, inclusive).ok()?;
            inclusive = false;
            let slot = resolve(wall, zone).filter(|slot| slot.at_ms > after.as_millisecond());
            if let Some(slot) = slot.filter(|_| weekdays.allow(wall.weekday()) && exists(wall.date(), zone)) {
                return Some(slot);
            }
        }
        None
    };
    let now = zone.to_datetime(after);
    if !every_hour {
        return search(now, false, resolve);
    }
    let plain = |slot: Slot| Slot { adjusted: None, ..slot };
    let is_repeated = zone.to_offset(after)
        != match zone.to_ambiguous_timestamp(now).offset() {
            AmbiguousOffset::Fold { before, .. } => before,
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Gap { before: offset, .. } => offset,
        };
    let found = search(now, false, if is_repeated { resolve_last } else { resolve_first });
    // The clock goes back before that: the hour that comes again has moments of its own.
    let change = zone.following(after).next().filter(|change| {
        let before = zone.to_offset(after);
        change.offset() < before && found.is_none_or(|slot| change.timestamp().as_millisecond() <= slot.at_ms)
    });
    let again = change.and_then(|change| search(zone.to_datetime(change.timestamp()), true, resolve_last));
    again.or(found).map(plain)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
