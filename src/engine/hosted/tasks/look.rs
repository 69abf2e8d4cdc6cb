//! `list_tasks`, `read_tasks` and `read_tasks_history`: what is set, how it stands, and what came of it. They change
//! nothing.

use jiff::{Timestamp, Zoned, civil::Date};
use serde_json::{Value, json};

use super::{Host, Meant, none};
use crate::{
    domain::{
        failure::ToolError,
        limits::{HISTORY_KEPT_FOR, TASK_ANSWERED_WITHIN, TASK_RUNS_SHOWN},
        message::Message,
        run::ToolResult,
        task::{Run, Task, TaskKind, TaskState},
    },
    engine::{
        families::{Day, Place},
        tasks::wording,
    },
    executors::{Call, window},
    store::tasks::runs::RunsOf,
};

impl Host<'_> {
    pub(in crate::engine::hosted) async fn list_tasks(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let meant = Meant::of(call)?;
        let now_ms = self.clock.now_ms();
        let rang_since_ms = now_ms.saturating_sub(super::super::ms(TASK_ANSWERED_WITHIN));
        let state = call.optional_text("state")?.unwrap_or_default();
        let rings = |task: &Task| {
            task.state == TaskState::Ringing && task.last_slot_ms.is_some_and(|slot_ms| slot_ms >= rang_since_ms)
        };
        let mut found = meant.among(self.own_tasks(call).await?);
        match state {
            "ringing" => found = self.ringing(call, found).await?,
            "paused" => found.retain(|task| task.state == TaskState::Paused),
            // What rang long ago and nobody said anything to is not waited for any more.
            _ => found.retain(|task| task.state != TaskState::Ringing || rings(task)),
        }
        if call.flag("next", false)? {
            found.retain(Task::is_waiting);
            found.truncate(1);
        }
        let entries: Vec<Value> = found.iter().map(|task| entry(task, call)).collect();
        let mut body = super::super::fields(json!({"used": entries.len(), "entries": entries}));
        if found.is_empty() {
            body.insert("empty".to_owned(), json!(none(&meant).message));
        }
        Ok(ToolResult::ok(body))
    }

    /// Those that were heard a short while ago, and to which nobody said anything.
    async fn ringing(&self, call: &Call, tasks: Vec<Task>) -> Result<Vec<Task>, ToolError> {
        let since_ms = self
            .clock
            .now_ms()
            .saturating_sub(super::super::ms(crate::domain::limits::TASK_RINGS_WITHIN));
        let runs = self.store.runs_unanswered(&call.context.actor, since_ms).await;
        let runs = runs?;
        let rings = |task: &Task| runs.iter().any(|run| run.task == task.id);
        Ok(tasks.into_iter().filter(rings).collect())
    }

    /// What a person is reminded of on a day, and the alarms of it: those to come.
    pub(super) async fn tasks_of_day(&self, call: &Call, day: Date) -> Day {
        let tasks = match self.own_tasks(call).await {
            Ok(tasks) => tasks,
            Err(error) => return error.into(),
        };
        let now = &call.context.now;
        let rings = |task: &&Task| matches!(task.kind, TaskKind::Reminder | TaskKind::Alarm) && task.is_waiting();
        let lines = tasks.iter().filter(rings).filter_map(|task| {
            let at = on(task, day, now)?;
            let line = Message::new("day-task")
                .with("time", at.strftime("%H:%M").to_string())
                .with("label", wording::label(task.kind, &task.name, &task.words));
            Some((Place::At(at.timestamp()), line))
        });
        Day {
            lines: lines.collect(),
            unknown: Vec::new(),
        }
    }

    pub(in crate::engine::hosted) async fn read_tasks(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let meant = Meant::of(call)?;
        let tasks = match meant.ids.len() {
            0 | 1 => vec![self.the_task(call, &meant, |_task| true).await?],
            _ => meant.among(self.own_tasks(call).await?),
        };
        let since_ms = self.clock.now_ms().saturating_sub(super::super::ms(HISTORY_KEPT_FOR));
        let mut entries = Vec::new();
        for task in tasks {
            let runs = self.store.runs(RunsOf::Task(task.id.clone()), since_ms, 1).await;
            let last = match runs?.first() {
                Some(run) => Message::new("task-last")
                    .with("moment", wording::moment(run.started_ms, &call.context.now))
                    .with("outcome", outcome(run)),
                None => Message::new("task-never-yet"),
            };
            let mut entry = entry(&task, call);
            if let Some(fields) = entry.as_object_mut() {
                fields.insert("last".to_owned(), json!(last));
            }
            entries.push(entry);
        }
        if entries.is_empty() {
            return Err(none(&meant));
        }
        Ok(ToolResult::ok(super::super::fields(
            json!({"used": entries.len(), "entries": entries}),
        )))
    }

    pub(in crate::engine::hosted) async fn read_tasks_history(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let meant = Meant::of(call)?;
        let limit = call.count("max_results")?.unwrap_or(TASK_RUNS_SHOWN);
        let since_ms = self.clock.now_ms().saturating_sub(super::super::ms(HISTORY_KEPT_FOR));
        let owner = call.context.actor.clone();
        let runs = self.store.runs(RunsOf::Person(owner), since_ms, usize::MAX).await;
        let wanted = meant.name.as_deref().map(crate::domain::fold::fold);
        let window = call.optional_text("window")?;
        let window = window.and_then(|window| window::parse(window, &call.context.now));
        let is_then = |run: &Run| {
            let at = jiff::Timestamp::from_millisecond(run.started_ms);
            window
                .as_ref()
                .is_none_or(|window| at.is_ok_and(|at| window.contains(at)))
        };
        let is_meant = |run: &&Run| {
            let is_one = meant.ids.is_empty() || meant.ids.iter().any(|id| *id == run.task.as_str());
            is_one
                && is_then(run)
                && wanted
                    .as_ref()
                    .is_none_or(|wanted| crate::domain::fold::fold(&run.name).contains(wanted))
        };
        let runs = runs?;
        let entries: Vec<Value> = runs.iter().filter(is_meant).take(limit).map(happened).collect();
        let mut body = super::super::fields(json!({"used": entries.len(), "entries": entries}));
        if entries.is_empty() {
            body.insert("empty".to_owned(), json!(Message::new("task-no-history")));
        }
        Ok(ToolResult::ok(body))
    }
}

/// When a task comes on a day: next, or by its rhythm.
fn on(task: &Task, day: Date, now: &Zoned) -> Option<Zoned> {
    let local = |at_ms: i64| {
        let at = Timestamp::from_millisecond(at_ms).ok()?;
        Some(at.to_zoned(now.time_zone().clone()))
    };
    let next = local(task.due_ms?)?;
    if next.date() >= day || task.trigger.is_once() {
        return Some(next).filter(|next| next.date() == day);
    }
    let begin = day.to_zoned(now.time_zone().clone()).ok()?;
    let before_ms = begin.timestamp().as_millisecond().saturating_sub(1);
    let then = task.trigger.next_after(before_ms, &task.time_zone(), task.weekdays)?;
    let is_over = task.expires_ms.is_some_and(|expires_ms| then.at_ms > expires_ms);
    local(then.at_ms).filter(|at| at.date() == day && !is_over)
}

fn entry(task: &Task, call: &Call) -> Value {
    json!({
        "task": task.id,
        "kind": task.kind.as_str(),
        "name": task.name,
        "text": task.words,
        "next": instant(task.due_ms),
        "state": task.state.as_str(),
        "label": wording::label(task.kind, &task.name, &task.words),
        "moment": wording::standing(task, &call.context.now),
    })
}

fn happened(run: &Run) -> Value {
    json!({
        "task": run.task,
        "kind": run.kind.as_str(),
        "name": run.name,
        "at": instant(Some(run.started_ms)),
        "outcome": outcome(run),
        "label": wording::label(run.kind, &run.name, ""),
    })
}

/// One line about a firing.
fn outcome(run: &Run) -> Message {
    let state = Message::new("task-run").with("state", run.state.as_str());
    run.outcome.clone().unwrap_or(state)
}

fn instant(ms: Option<i64>) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(ms?).ok()?;
    Some(at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}
