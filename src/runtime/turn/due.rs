//! A request whose moment has come: a turn of its owner by the same cascade as any other. Called by `turn` for the
//! message the scheduler left. What it came to decides whether anybody hears of it: one that found or changed nothing,
//! or that saw what it saw before, stays quiet.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Work, carry, close, new_turn, news::news};
use crate::{
    domain::{
        actor::Actor,
        delivery::Parcel,
        ids::RunId,
        inbound::InboundBody,
        limits::TASK_LATE_FROM,
        message::Message,
        outcome::{AnsweredBy, FinalKind},
        reply::Reply,
        run::StepRecord,
        task::{Run, RunState, Task, TaskKind, TaskState},
        turn::{Origin, Turn},
    },
    engine::{outcome::TurnOutcome, tasks::wording},
    runtime::{Inner, cut_off, firings, quota, reply::Speaker},
    store::{StoreError, inbox::Waiting, outbox::OfTask, tasks::firing::RunEnd, turns::TurnEnd},
};

/// Runs the request of a firing.
pub(super) async fn run(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    (id, request): (&RunId, &str),
) -> Result<(), StoreError> {
    if let Some(interrupted) = cut_off::interrupted(inner, waiting, actor).await? {
        return close(inner, waiting, Some(interrupted)).await;
    }
    let store = &inner.parts.store;
    let task = match store.run(id).await? {
        Some(run) => store.task(&run.task).await?,
        None => None,
    };
    let goes = |task: &Task| {
        let rests = matches!(task.state, TaskState::Paused | TaskState::Stopped);
        task.owner.as_ref() == Some(&actor.id) && !rests
    };
    let Some(mut task) = task.filter(goes) else {
        return close(inner, waiting, None).await;
    };
    // What is over keeps no words; this firing still has them.
    request.clone_into(&mut task.words);
    if let Some(refusal) = quota::refusal(inner, actor, request).await? {
        return close(inner, waiting, Some(Reply::text(inner.say(actor.lang, &refusal)))).await;
    }
    let origin = Origin::Due {
        run: id.clone(),
        task: Box::new(task),
    };
    let turn = new_turn(inner, waiting, actor, request, (origin, true)).await?;
    carry(inner, waiting, &turn, Work::Request).await
}

/// The firing that a turn was.
pub(super) struct Ended {
    end: RunEnd,
    task: Box<Task>,
    /// Said where it came later than it was set for.
    late: Option<Message>,
    /// When what it says is over; it does not wait for later than that.
    until_ms: Option<i64>,
}

impl Ended {
    /// Becomes part of the turn's end: what nobody needs to hear is not said, the rest says what it answers and waits
    /// for the end of the quiet hours.
    pub(super) async fn join(
        self,
        inner: &Arc<Inner>,
        speaker: &Speaker<'_>,
        turn: &Turn,
        end: &mut TurnEnd,
    ) -> Result<(), StoreError> {
        if self.end.state == RunState::Quiet {
            end.parcels.clear();
            end.callbacks.clear();
        }
        for parcel in &mut end.parcels {
            if let Parcel::Reply(reply) = &mut parcel.parcel {
                let late = self.late.as_ref().map(|late| firings::aside(inner, speaker, late));
                reply.blocks.splice(
                    0..0,
                    [firings::heading(inner, speaker, &self.task)].into_iter().chain(late),
                );
            }
        }
        for parcel in &mut end.parcels {
            parcel.of_task = Some(OfTask {
                id: self.task.id.clone(),
                keeps_all: self.task.kind == TaskKind::Watcher,
            });
        }
        firings::hold(inner, &turn.actor, &mut end.parcels).await?;
        for parcel in &mut end.parcels {
            if self.until_ms.is_some_and(|until_ms| parcel.held_until_ms > until_ms) {
                parcel.held_until_ms = 0;
            }
        }
        // A question is open from when it is seen.
        let held_ms = end.parcels.iter().map(|parcel| parcel.held_until_ms).max();
        if let (Some(dialog), Some(held_ms)) = (&mut end.dialog, held_ms) {
            let waits_ms = held_ms.saturating_sub(end.now_ms).max(0);
            dialog.expires_ms = dialog.expires_ms.saturating_add(waits_ms);
        }
        end.run = Some(self.end);
        Ok(())
    }
}

/// The end of a firing whose turn did not come about or broke; `None` for any other message.
pub(super) async fn failed(inner: &Inner, waiting: &Waiting) -> Result<Option<RunEnd>, StoreError> {
    let InboundBody::Due { run: id, .. } = &waiting.inbound.body else {
        return Ok(None);
    };
    let line = Message::new("task-run").with("state", RunState::Failed.as_str());
    let mut end = RunEnd::new(id.clone(), RunState::Failed, Some(line));
    if let Some(run) = inner.parts.store.run(id).await?
        && let Some(task) = inner.parts.store.task(&run.task).await?
    {
        end.card = firings::card(inner, &task).await?;
    }
    Ok(Some(end))
}

/// How the firing ended that a turn was; only what is new of its answer is left in it.
pub(super) async fn ended(inner: &Inner, turn: &Turn, outcome: &mut TurnOutcome) -> Result<Option<Ended>, StoreError> {
    let Origin::Due { run, task } = &turn.origin else {
        return Ok(None);
    };
    let (state, memory) = come_to(task, outcome);
    let line = Message::new("task-run").with("state", state.as_str());
    let mut end = RunEnd::new(run.clone(), state, Some(line));
    end.turn = Some(turn.id.clone());
    end.memory = memory;
    if state.is_failure() {
        end.card = firings::card(inner, task).await?;
    }
    let run = inner.parts.store.run(run).await?;
    Ok(Some(Ended {
        end,
        task: task.clone(),
        late: run.and_then(|run| late(inner, &run, &turn.actor)),
        until_ms: outcome.records.iter().filter_map(until).max(),
    }))
}

/// When what a step found is over, where it says so.
fn until(record: &StepRecord) -> Option<i64> {
    let until: Timestamp = record.result.body.get("until")?.as_str()?.parse().ok()?;
    Some(until.as_millisecond())
}

/// That a request comes later than it was set for. Of a watch nobody set a time.
fn late(inner: &Inner, run: &Run, owner: &Actor) -> Option<Message> {
    let late_ms = u128::try_from(run.started_ms.saturating_sub(run.slot_ms)).unwrap_or_default();
    let is_late = run.kind == TaskKind::Request && late_ms >= TASK_LATE_FROM.as_millis();
    let now = inner.parts.clock.zoned(&owner.timezone);
    is_late.then(|| Message::new("firing-late").with("moment", wording::moment(run.slot_ms, &now)))
}

/// How it went, and what the next one should know of it.
fn come_to(task: &Task, outcome: &mut TurnOutcome) -> (RunState, Option<String>) {
    let is_dead_end = outcome.answered_by == AnsweredBy::Terminator;
    let failed = match outcome.final_kind {
        FinalKind::Answer | FinalKind::Ask | FinalKind::Awaiting | FinalKind::NeedsInputs => {
            is_dead_end && outcome.pause.is_none()
        }
        FinalKind::CapSteps | FinalKind::CapSameExecutor | FinalKind::LoopBreak | FinalKind::Error => true,
        FinalKind::Stopped => false,
    };
    if failed {
        return (RunState::Failed, None);
    }
    if outcome.pause.is_some() {
        return (RunState::Done, None);
    }
    if task.kind == TaskKind::Watcher {
        let (changed, memory) = news(task.memory.as_deref(), outcome);
        let state = if changed { RunState::Done } else { RunState::Quiet };
        return (state, Some(memory));
    }
    let nothing = came_to_nothing(&outcome.records);
    (if nothing { RunState::Quiet } else { RunState::Done }, None)
}

/// It changed nothing it was to change, or found nothing it was to find.
fn came_to_nothing(records: &[StepRecord]) -> bool {
    let mut changes = records.iter().filter(|record| record.has_effect).peekable();
    if changes.peek().is_some() {
        return changes.all(|record| record.skipped || record.result.ok_count() == Some(0));
    }
    let last = records.iter().rev().find_map(|record| record.result.entries());
    last.is_some_and(Vec::is_empty)
}
