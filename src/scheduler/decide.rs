//! What becomes of a due entry: a pure function of the entry and the moment. Nothing is lost silently, and nothing
//! comes in a storm: of several slots that were missed, the latest counts.
//!
//! | kind | late | later |
//! |---|---|---|
//! | timer, alarm | up to a quarter of an hour (or its grace): rings, and says how late | told as missed |
//! | reminder | always said, once | never missed, unless it has a grace |
//! | request, watcher, job | within its grace, or however late without one: once | skipped |

use super::How;
use crate::domain::{
    limits::{TASK_LATE_FROM, TASK_RINGS_WITHIN},
    task::{
        Task, TaskKind, TaskState, Trigger,
        slots::{Adjusted, Slot},
    },
};

/// What becomes of a due entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// The slot that counts.
    pub(super) slot_ms: i64,
    /// Whether that is another moment than its wall time says.
    pub(super) adjusted: Option<Adjusted>,
    /// What happens.
    pub(super) verdict: Verdict,
    /// The entry from then on.
    pub(super) after: Task,
}

/// Whether something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It fires.
    Fire(How),
    /// It does not: too late for what it is, or past its end.
    Skip,
}

pub(super) fn decide(task: &Task, now_ms: i64) -> Decision {
    let due_ms = task.due_ms.unwrap_or(now_ms);
    let by_hand = task.state == TaskState::Snoozed;
    let slot_ms = if by_hand {
        due_ms
    } else {
        task.latest_slot(due_ms, now_ms)
    };
    let late_ms = now_ms.saturating_sub(slot_ms).max(0);
    let is_over = task.expires_ms.is_some_and(|expires_ms| slot_ms > expires_ms);
    let verdict = if is_over { Verdict::Skip } else { verdict(task, late_ms) };
    let adjusted = (!by_hand).then(|| adjusted(task, slot_ms)).flatten();
    Decision {
        slot_ms,
        adjusted,
        verdict,
        after: after(task, slot_ms, now_ms, verdict),
    }
}

fn verdict(task: &Task, late_ms: i64) -> Verdict {
    let grace_ms = task
        .grace_minutes
        .map(|minutes| i64::from(minutes).saturating_mul(60_000));
    let late = if late_ms < ms(TASK_LATE_FROM) {
        How::OnTime
    } else {
        How::Late { by_ms: late_ms }
    };
    let told = |within_ms: Option<i64>| {
        let is_missed = within_ms.is_some_and(|within_ms| late_ms > within_ms);
        Verdict::Fire(if is_missed {
            How::Missed { by_ms: late_ms }
        } else {
            late
        })
    };
    match task.kind {
        TaskKind::Timer | TaskKind::Alarm => told(Some(grace_ms.unwrap_or(ms(TASK_RINGS_WITHIN)))),
        TaskKind::Reminder => told(grace_ms),
        TaskKind::Request | TaskKind::Watcher | TaskKind::Job => {
            let is_too_late = grace_ms.is_some_and(|grace_ms| late_ms > grace_ms);
            if is_too_late {
                Verdict::Skip
            } else {
                Verdict::Fire(late)
            }
        }
    }
}

/// The entry after it fired or was skipped.
fn after(task: &Task, slot_ms: i64, now_ms: i64, verdict: Verdict) -> Task {
    let mut after = task.clone();
    let by_hand = task.state == TaskState::Snoozed;
    if verdict != Verdict::Skip {
        after.fired = task.fired.saturating_add(1);
        if !by_hand {
            after.times_left = task.times_left.map(|left| left.saturating_sub(1));
        }
    }
    if !by_hand {
        after.last_slot_ms = Some(slot_ms);
    }
    // What was put off by hand keeps the rhythm it had.
    let rhythm_ms = if by_hand {
        task.last_slot_ms.unwrap_or(slot_ms)
    } else {
        slot_ms
    };
    let next = if after.times_left == Some(0) {
        None
    } else {
        task.slot_after(rhythm_ms, now_ms)
    };
    let next = next.filter(|next| task.expires_ms.is_none_or(|expires_ms| next.at_ms <= expires_ms));
    after.due_ms = next.map(|next| next.at_ms);
    after.state = match (next, task.kind, verdict) {
        (Some(_), _, _) => TaskState::Active,
        // Fires again when somebody says so.
        (None, TaskKind::Job, _) if task.trigger == Trigger::Manual => TaskState::Active,
        (
            None,
            TaskKind::Timer | TaskKind::Alarm | TaskKind::Reminder,
            Verdict::Fire(How::OnTime | How::Late { .. }),
        ) => TaskState::Ringing,
        (None, _, _) => TaskState::Done,
    };
    after
}

fn adjusted(task: &Task, slot_ms: i64) -> Option<Adjusted> {
    let of_slot = |slot: Slot| (slot.at_ms == slot_ms).then_some(slot.adjusted).flatten();
    let before_ms = slot_ms.saturating_sub(1);
    task.trigger
        .next_after(before_ms, &task.time_zone(), task.weekdays)
        .and_then(of_slot)
}

fn ms(length: std::time::Duration) -> i64 {
    i64::try_from(length.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
