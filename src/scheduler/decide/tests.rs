//! Every kind, on time, late, too late, and for the last time.

use super::*;
use crate::domain::{
    ids::TaskId,
    task::{Trigger, Weekdays},
};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

fn ms(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

/// A task in Rome that was due on 24 November at 8.
fn task(kind: TaskKind, trigger: &str) -> Task {
    let due_ms = ms("2026-11-24T07:00:00Z");
    Task::new(
        TaskId::from("t"),
        kind,
        Trigger::parse(trigger).unwrap(),
        "Europe/Rome",
        Some(due_ms),
        due_ms - DAY,
    )
}

const ONCE: &str = "at:2026-11-24T08:00";
const DAILY: &str = "daily@08:00";

#[test]
fn what_is_late_follows_its_kind() {
    let late = |minutes: i64| {
        Verdict::Fire(How::Late {
            by_ms: minutes * MINUTE,
        })
    };
    let missed = |minutes: i64| {
        Verdict::Fire(How::Missed {
            by_ms: minutes * MINUTE,
        })
    };
    let on_time = Verdict::Fire(How::OnTime);
    for (kind, trigger, grace, minutes, verdict, state) in [
        (TaskKind::Timer, ONCE, None, 0, on_time, TaskState::Ringing),
        (TaskKind::Timer, ONCE, None, 15, late(15), TaskState::Ringing),
        (TaskKind::Timer, ONCE, None, 16, missed(16), TaskState::Done),
        (TaskKind::Alarm, DAILY, None, 14, late(14), TaskState::Active),
        (TaskKind::Alarm, DAILY, None, 20, missed(20), TaskState::Active),
        (TaskKind::Alarm, DAILY, Some(30), 20, late(20), TaskState::Active),
        (TaskKind::Reminder, ONCE, None, 9_000, late(9_000), TaskState::Ringing),
        (TaskKind::Reminder, ONCE, Some(60), 90, missed(90), TaskState::Done),
        (TaskKind::Request, DAILY, None, 600, late(600), TaskState::Active),
        (TaskKind::Request, DAILY, Some(60), 61, Verdict::Skip, TaskState::Active),
        (TaskKind::Request, ONCE, Some(60), 61, Verdict::Skip, TaskState::Done),
        (TaskKind::Request, ONCE, None, 0, on_time, TaskState::Done),
        (
            TaskKind::Watcher,
            "every_15_minutes",
            None,
            1,
            late(1),
            TaskState::Active,
        ),
        (TaskKind::Job, DAILY, None, 300, late(300), TaskState::Active),
        (TaskKind::Job, DAILY, Some(10), 300, Verdict::Skip, TaskState::Active),
        (TaskKind::Job, "manual", None, 0, on_time, TaskState::Active),
    ] {
        let entry = Task {
            grace_minutes: grace,
            ..task(kind, trigger)
        };
        let due_ms = entry.due_ms.unwrap();
        let decision = decide(&entry, due_ms + minutes * MINUTE);
        let told = (decision.verdict, decision.after.state);
        assert_eq!(told, (verdict, state), "{kind:?} {trigger} {grace:?} {minutes}");
        assert_eq!(decision.slot_ms, due_ms);
        let next_ms = decision.after.due_ms;
        assert!(
            next_ms.is_none_or(|next_ms| next_ms > due_ms + minutes * MINUTE),
            "it does not fire back"
        );
    }
}

#[test]
fn after_a_week_without_power_everything_comes_once() {
    for (kind, trigger, slot, verdict) in [
        // This morning's alarm still rings; the six before it are forgotten.
        (
            TaskKind::Alarm,
            DAILY,
            "2026-12-01T07:00:00Z",
            Verdict::Fire(How::Late { by_ms: 5 * MINUTE }),
        ),
        (
            TaskKind::Watcher,
            "every_10_seconds",
            "2026-12-01T07:05:00Z",
            Verdict::Fire(How::OnTime),
        ),
        (
            TaskKind::Reminder,
            "cron:0 8 * * TUE",
            "2026-12-01T07:00:00Z",
            Verdict::Fire(How::Late { by_ms: 5 * MINUTE }),
        ),
    ] {
        let decision = decide(&task(kind, trigger), ms("2026-12-01T07:05:00Z"));
        assert_eq!((decision.slot_ms, decision.verdict), (ms(slot), verdict), "{trigger}");
        assert!(decision.after.due_ms > Some(ms("2026-12-01T07:05:00Z")));
    }
}

#[test]
fn an_end_is_an_end() {
    let twice = Task {
        times_left: Some(2),
        ..task(TaskKind::Request, DAILY)
    };
    let once_more = decide(&twice, twice.due_ms.unwrap()).after;
    assert_eq!(
        (once_more.state, once_more.times_left, once_more.fired),
        (TaskState::Active, Some(1), 1)
    );
    let over = decide(&once_more, once_more.due_ms.unwrap()).after;
    assert_eq!(
        (over.state, over.times_left, over.due_ms),
        (TaskState::Done, Some(0), None)
    );
    // Skipped does not count as one of the times.
    let skipped = Task {
        grace_minutes: Some(1),
        ..twice
    };
    assert_eq!(
        decide(&skipped, skipped.due_ms.unwrap() + DAY / 2).after.times_left,
        Some(2)
    );
    let expiring = Task {
        expires_ms: Some(ms("2026-11-24T12:00:00Z")),
        ..task(TaskKind::Alarm, DAILY)
    };
    let last = decide(&expiring, expiring.due_ms.unwrap());
    assert_eq!(
        (last.verdict, last.after.state),
        (Verdict::Fire(How::OnTime), TaskState::Ringing)
    );
    let expired = Task {
        expires_ms: Some(0),
        ..expiring
    };
    let decision = decide(&expired, expired.due_ms.unwrap());
    assert_eq!(
        (decision.verdict, decision.after.state),
        (Verdict::Skip, TaskState::Done)
    );
}

#[test]
fn what_was_put_off_by_hand_fires_then_and_keeps_its_rhythm() {
    let snoozed = Task {
        state: TaskState::Snoozed,
        due_ms: Some(ms("2026-11-24T07:10:00Z")),
        last_slot_ms: Some(ms("2026-11-24T07:00:00Z")),
        times_left: Some(1),
        ..task(TaskKind::Alarm, DAILY)
    };
    let decision = decide(&snoozed, ms("2026-11-24T07:10:00Z"));
    assert_eq!(decision.slot_ms, ms("2026-11-24T07:10:00Z"));
    assert_eq!(decision.after.due_ms, Some(ms("2026-11-25T07:00:00Z")));
    assert_eq!(decision.after.times_left, Some(1), "it rang before");
    let every = Task {
        trigger: Trigger::parse("every_2_hours").unwrap(),
        times_left: None,
        ..snoozed
    };
    let next = decide(&every, ms("2026-11-24T07:10:00Z")).after;
    assert_eq!(
        (next.due_ms, next.state),
        (Some(ms("2026-11-24T09:00:00Z")), TaskState::Active)
    );
}

#[test]
fn a_moment_the_clock_skipped_is_said_to_be_one() {
    let spring = Task {
        due_ms: Some(ms("2026-03-29T01:00:00Z")),
        weekdays: Weekdays::parse("sun").unwrap(),
        ..task(TaskKind::Alarm, "daily@02:30")
    };
    let decision = decide(&spring, ms("2026-03-29T01:00:00Z"));
    assert_eq!(decision.adjusted, Some(Adjusted::Gap));
    assert_eq!(
        decision.after.due_ms,
        Some(ms("2026-04-05T00:30:00Z")),
        "next Sunday, as said"
    );
    assert_eq!(
        decide(&task(TaskKind::Alarm, DAILY), ms("2026-11-24T07:00:00Z")).adjusted,
        None
    );
}
