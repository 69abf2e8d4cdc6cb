//! What a person does to a task that waits or rings: let it rest, go on, come later, be done. Pure: the task as it is
//! afterwards. Used by the executors of tasks and by the buttons under a firing.

use jiff::{Timestamp, ToSpan as _, Zoned};

use crate::domain::task::{Task, TaskKind, TaskState, slots::resolve};

/// It rests. A timer keeps what is left.
pub fn pause(task: &mut Task, now_ms: i64) {
    if task.kind == TaskKind::Timer {
        task.remaining_ms = task.due_ms.map(|due_ms| due_ms.saturating_sub(now_ms).max(0));
    }
    task.due_ms = None;
    task.state = TaskState::Paused;
}

/// A timer counts on from where it stood, everything else waits for its next moment. `false` when there is none left.
pub fn go_on(task: &mut Task, now_ms: i64) -> bool {
    task.due_ms = match task.remaining_ms.take() {
        Some(left_ms) => Some(now_ms.saturating_add(left_ms)),
        None => {
            let zone = task.time_zone();
            let next = match task.trigger.moment(&zone) {
                Some(slot) => Some(slot).filter(|slot| slot.at_ms > now_ms),
                None => task.trigger.next_after(now_ms, &zone, task.weekdays),
            };
            next.map(|slot| slot.at_ms)
        }
    };
    if task.due_ms.is_some() {
        task.state = TaskState::Active;
        task.failures = 0;
    }
    task.due_ms.is_some()
}

/// It comes at this moment once more, and then as before.
pub fn come_again(task: &mut Task, at_ms: i64) {
    task.due_ms = Some(at_ms);
    task.state = TaskState::Snoozed;
}

/// It was heard, and is over unless it comes again by itself.
pub fn done(task: &mut Task) {
    if task.state == TaskState::Ringing {
        task.state = TaskState::Done;
        task.due_ms = None;
    }
}

/// The same time of day as this moment, tomorrow.
pub fn tomorrow(slot_ms: i64, now: &Zoned) -> Option<i64> {
    let slot = Timestamp::from_millisecond(slot_ms).ok()?;
    let time = slot.to_zoned(now.time_zone().clone()).time();
    let day = now.date().checked_add(1.day()).ok()?;
    resolve(day.to_datetime(time), now.time_zone()).map(|slot| slot.at_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ids::TaskId, task::Trigger};

    fn task(kind: TaskKind, trigger: &str, due_ms: i64) -> Task {
        let trigger = Trigger::parse(trigger).unwrap();
        Task::new(TaskId::from("t"), kind, trigger, "Europe/Rome", Some(due_ms), 0)
    }

    #[test]
    fn a_timer_keeps_what_is_left_and_a_rhythm_its_moments() {
        let mut timer = task(TaskKind::Timer, "at:1970-01-01T00:05:00Z", 300_000);
        pause(&mut timer, 100_000);
        assert_eq!((timer.remaining_ms, timer.due_ms), (Some(200_000), None));
        assert!(go_on(&mut timer, 900_000));
        assert_eq!((timer.due_ms, timer.remaining_ms), (Some(1_100_000), None));
        let mut daily = task(TaskKind::Reminder, "daily@08:00", 25_200_000);
        pause(&mut daily, 0);
        assert!(go_on(&mut daily, 0));
        assert_eq!(daily.due_ms, Some(25_200_000), "08:00 in Rome is 07:00 UTC");
        let mut over = task(TaskKind::Reminder, "at:1970-01-01T00:05:00Z", 300_000);
        pause(&mut over, 0);
        assert!(!go_on(&mut over, 300_000));
        assert_eq!(over.state, TaskState::Paused);
    }

    #[test]
    fn tomorrow_is_the_same_time_of_day_also_over_a_change_of_the_clock() {
        let now: Zoned = "2026-03-28T21:00[Europe/Rome]".parse().unwrap();
        let slot: Zoned = "2026-03-28T20:30[Europe/Rome]".parse().unwrap();
        let next: Zoned = "2026-03-29T20:30[Europe/Rome]".parse().unwrap();
        let at_ms = tomorrow(slot.timestamp().as_millisecond(), &now);
        assert_eq!(at_ms, Some(next.timestamp().as_millisecond()));
    }
}
