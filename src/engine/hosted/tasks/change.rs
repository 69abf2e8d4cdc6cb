//! `set_tasks` and `delete_tasks`: what runs is paused, goes on, gets more time or less, comes later, is done, or ends.

use jiff::Timestamp;
use serde_json::json;

use super::{Host, Meant, called, changed, create::no_when, described, none, only, refused, store_failed, wrong};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        limits::{TASK_ANSWERED_WITHIN, TASK_SNOOZE},
        message::Message,
        run::{Reversal, ToolResult},
        task::{Run, Task, TaskKind, TaskState, Trigger},
    },
    engine::tasks::{moves, when, wording},
    executors::Call,
};

impl Host<'_> {
    pub(in crate::engine::hosted) async fn set_tasks(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let action = call.text("action")?;
        match action {
            "pause" => {
                let pause = |task: &mut Task, now_ms: i64| {
                    moves::pause(task, now_ms);
                    Ok(())
                };
                self.alter(call, action, &|task| task.is_waiting(), &pause).await
            }
            "resume" => {
                let rests = |task: &Task| matches!(task.state, TaskState::Paused | TaskState::Stopped);
                let go_on = |task: &mut Task, now_ms: i64| match moves::go_on(task, now_ms) {
                    true => Ok(()),
                    false => Err(refused("task-when-past")),
                };
                self.alter(call, action, &rests, &go_on).await
            }
            "add" | "remove" => {
                let by_ms = self.by_ms(call)?;
                let by_ms = if action == "add" { by_ms } else { -by_ms };
                let counts = |task: &Task| task.kind == TaskKind::Timer;
                self.alter(call, action, &counts, &|task, now_ms| shift(task, by_ms, now_ms))
                    .await
            }
            "move" => {
                let words = call.text("when")?;
                let moved = when::of_words(words, self.language, call.context.lang, &call.context.now);
                let moved = moved.map_err(|error| no_when(error, words))?;
                let to = |task: &mut Task, _now_ms: i64| {
                    task.trigger = moved.trigger.clone();
                    task.weekdays = moved.weekdays;
                    task.expires_ms = moved.until_ms;
                    task.due_ms = Some(moved.first.at_ms);
                    task.state = TaskState::Active;
                    Ok(())
                };
                self.alter(call, action, &|_task| true, &to).await
            }
            "run" if !call.context.is_host => Err(refused("task-run-host-only")),
            "run" => {
                let now = |task: &mut Task, now_ms: i64| {
                    moves::come_again(task, now_ms);
                    Ok(())
                };
                self.alter(call, action, &|_task| true, &now).await
            }
            "snooze" | "dismiss" => self.answer_ringing(call, action).await,
            _ => Err(wrong("action")),
        }
    }

    fn by_ms(&self, call: &Call) -> Result<i64, ToolError> {
        let seconds = call.count("by_s")?.ok_or_else(|| wrong("by_s"))?;
        let seconds = i64::try_from(seconds).map_err(|_too_many| wrong("by_s"))?;
        Ok(seconds.saturating_mul(1_000))
    }

    async fn alter(
        &self,
        call: &Call,
        action: &str,
        may: &(dyn Fn(&Task) -> bool + Sync),
        alter: &(dyn Fn(&mut Task, i64) -> Result<(), ToolError> + Sync),
    ) -> Result<ToolResult, ToolError> {
        let meant = Meant::of(call)?;
        let before = self.the_task(call, &meant, may).await?;
        if !may(&before) {
            let message = Message::new("task-cannot")
                .with("action", action)
                .with("name", called(&before));
            return Err(ToolError::new(ErrorClass::InvalidArgs, message));
        }
        let mut after = before.clone();
        alter(&mut after, self.clock.now_ms())?;
        let reversal = self.put(before, after.clone()).await?;
        Ok(changed(self.told(call, &after, action), vec![reversal]))
    }

    fn told(&self, call: &Call, task: &Task, action: &str) -> serde_json::Map<String, serde_json::Value> {
        let mut body = described(task, &call.context.now);
        body.insert("action".to_owned(), json!(action));
        let left_ms = match (task.remaining_ms, task.due_ms) {
            (Some(left_ms), _) => left_ms,
            (None, Some(due_ms)) => due_ms.saturating_sub(self.clock.now_ms()),
            (None, None) => 0,
        };
        body.insert("left".to_owned(), json!(wording::span(left_ms)));
        body
    }

    /// What rang last and nobody said anything to.
    async fn answer_ringing(&self, call: &Call, action: &str) -> Result<ToolResult, ToolError> {
        let now_ms = self.clock.now_ms();
        let since_ms = now_ms.saturating_sub(super::super::ms(TASK_ANSWERED_WITHIN));
        let runs = self.store.runs_unanswered(&call.context.actor, since_ms).await;
        let meant = Meant {
            seconds: None,
            ..Meant::of(call)?
        };
        let rang = |run: &&Run| meant.kind.is_none_or(|kind| kind == run.kind);
        let runs = runs.map_err(store_failed)?;
        let run = runs.iter().find(rang).ok_or_else(|| refused("task-nothing-rings"))?;
        let Some(before) = self.store.task(&run.task).await.map_err(store_failed)? else {
            return Err(none(&meant));
        };
        let mut after = before.clone();
        let answer = if action == "snooze" {
            let seconds = call
                .count("duration_s")?
                .and_then(|seconds| i64::try_from(seconds).ok());
            let later_ms = seconds.map_or(super::super::ms(TASK_SNOOZE), |seconds| seconds.saturating_mul(1_000));
            moves::come_again(&mut after, now_ms.saturating_add(later_ms));
            "later"
        } else {
            moves::done(&mut after);
            "done"
        };
        let answered = self
            .store
            .run_answer(&run.id, answer, Some(after.clone()), now_ms)
            .await;
        if !answered.map_err(store_failed)? {
            return Err(refused("task-changed-meanwhile"));
        }
        let reversal = Reversal::Task {
            id: after.id.clone(),
            before: Some(Box::new(before)),
        };
        Ok(changed(self.told(call, &after, action), vec![reversal]))
    }

    pub(in crate::engine::hosted) async fn delete_tasks(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let meant = Meant::of(call)?;
        let mut found = meant.among(self.own_tasks(call).await?);
        let all = call.flag("all", false)?;
        if !all {
            if found.iter().any(|task| task.state != TaskState::Ringing) {
                found.retain(|task| task.state != TaskState::Ringing);
            }
            found = vec![only(found, &meant)?];
        }
        if found.is_empty() {
            return Err(none(&meant));
        }
        let mut reversals = Vec::new();
        let mut names = Vec::new();
        for task in found {
            let removed = self.store.task_remove(&task.id, &call.context.actor).await;
            if let Some(before) = removed.map_err(store_failed)? {
                names.push(called(&before));
                reversals.push(Reversal::Task {
                    id: before.id.clone(),
                    before: Some(Box::new(before)),
                });
            }
        }
        let body = super::super::fields(json!({
            "ok_count": reversals.len(),
            "kind": meant.kind_word(),
            "names": names.join(", "),
        }));
        Ok(changed(body, reversals))
    }
}

/// More time for a timer, or less; it never ends before now.
fn shift(task: &mut Task, by_ms: i64, now_ms: i64) -> Result<(), ToolError> {
    let too_short = || refused("task-timer-too-short");
    task.length_ms = task.length_ms.map(|length_ms| length_ms.saturating_add(by_ms).max(0));
    if let Some(left_ms) = task.remaining_ms {
        let left_ms = left_ms.saturating_add(by_ms);
        task.remaining_ms = Some(Some(left_ms).filter(|left_ms| *left_ms > 0).ok_or_else(too_short)?);
        return Ok(());
    }
    let due_ms = task.due_ms.unwrap_or(now_ms).max(now_ms).saturating_add(by_ms);
    if due_ms <= now_ms {
        return Err(too_short());
    }
    let at = Timestamp::from_millisecond(due_ms).map_err(|_out_of_range| too_short())?;
    task.trigger = Trigger::At(at);
    task.due_ms = Some(due_ms);
    task.state = TaskState::Active;
    Ok(())
}
