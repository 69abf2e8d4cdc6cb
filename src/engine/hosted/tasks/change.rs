//! `set_tasks` and `delete_tasks`: what runs is paused, goes on, gets more time or less, comes later, is done, or ends.

use jiff::{Timestamp, Zoned, civil::Time};
use serde_json::json;

use super::{Host, Meant, called, changed, create::no_when, described, none, only, refused, wrong};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        limits::{TASK_ANSWERED_WITHIN, TASK_SNOOZE},
        message::Message,
        run::{Reversal, ToolResult},
        task::{Run, Task, TaskState, Trigger},
    },
    engine::tasks::{
        moves,
        when::{self, NoWhen, When},
        wording,
    },
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
                let counts = |task: &Task| task.is_waiting() || task.remaining_ms.is_some();
                self.alter(call, action, &counts, &|task, now_ms| shift(task, by_ms, now_ms))
                    .await
            }
            "move" => {
                let words = call.text("when")?;
                let to = |task: &mut Task, _now_ms: i64| self.move_to(task, words, call);
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

    /// To this moment or rhythm. A day alone keeps the time of day; a time of day alone keeps day and rhythm.
    fn move_to(&self, task: &mut Task, words: &str, call: &Call) -> Result<(), ToolError> {
        let (now, lang) = (&call.context.now, call.context.lang);
        let read = |words: &str, now: &Zoned| when::of_words(words, self.language, lang, now);
        let due = task.due_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        let due = due.map(|due| due.to_zoned(task.time_zone()));
        let is_bare = words.chars().all(|sign| sign.is_ascii_digit());
        let words = if is_bare {
            format!("{words}:00")
        } else {
            words.to_owned()
        };
        let moved = read(&words, now).or_else(|first| {
            let clock = due.as_ref().map(|due| due.strftime("%H:%M").to_string());
            clock.map_or(Err(first), |clock| {
                read(&format!("{words} {clock}"), now).map_err(|_no_better| first)
            })
        });
        let moved = moved.map_err(|error| no_when(error, &words))?;
        let zone = task.time_zone();
        let clock = clock_of(&words, now, &read);
        let rhythm = match (&task.trigger, clock) {
            (Trigger::Daily(_), Some(at)) => Some(Trigger::Daily(at)),
            (Trigger::Days { every, from, .. }, Some(at)) => Some(Trigger::Days {
                every: *every,
                at,
                from: *from,
            }),
            (Trigger::At(_) | Trigger::AtWall(_), Some(at)) => due
                .map(|due| Trigger::AtWall(due.date().to_datetime(at)))
                .filter(|trigger| {
                    trigger
                        .moment(&zone)
                        .is_some_and(|slot| slot.at_ms > self.clock.now_ms())
                }),
            _ => None,
        };
        let comes_again = !matches!(task.trigger, Trigger::At(_) | Trigger::AtWall(_));
        let is_once = matches!(moved.trigger, Trigger::At(_) | Trigger::AtWall(_));
        if let Some(trigger) = rhythm {
            let next = trigger.moment(&zone);
            let next = next.or_else(|| trigger.next_after(self.clock.now_ms(), &zone, task.weekdays));
            task.due_ms = next.map(|slot| slot.at_ms);
            task.trigger = trigger;
        } else if comes_again && is_once {
            moves::come_again(task, moved.first.at_ms);
            return Ok(());
        } else {
            task.trigger = moved.trigger;
            task.weekdays = moved.weekdays;
            task.expires_ms = moved.until_ms;
            task.due_ms = Some(moved.first.at_ms);
        }
        task.state = TaskState::Active;
        Ok(())
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
        let chosen = match meant.ids.len() {
            0 | 1 => vec![self.the_task(call, &meant, may).await?],
            _ => meant.among(self.own_tasks(call).await?),
        };
        let fits = chosen.iter().any(may);
        if let Some(before) = chosen.first().filter(|_| !fits) {
            let message = Message::new("task-cannot")
                .with("action", action)
                .with("name", called(before));
            return Err(ToolError::new(ErrorClass::InvalidArgs, message));
        }
        let (mut reversals, mut names, mut last) = (Vec::new(), Vec::new(), None);
        for before in chosen.into_iter().filter(|task| may(task)) {
            let mut after = before.clone();
            alter(&mut after, self.clock.now_ms())?;
            reversals.push(self.put(before, after.clone()).await?);
            names.push(called(&after));
            last = Some(after);
        }
        let Some(last) = last else { return Err(none(&meant)) };
        let mut body = self.told(call, &last, action);
        if names.len() > 1 {
            body.insert("name".to_owned(), json!(names.join(", ")));
            body.insert("ok_count".to_owned(), json!(names.len()));
        }
        Ok(changed(body, reversals))
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
        let rang = |run: &&Run| {
            let is_one = meant.ids.is_empty() || meant.ids.iter().any(|id| *id == run.task.as_str());
            is_one && meant.kind.is_none_or(|kind| kind == run.kind)
        };
        let runs = runs?;
        let run = runs.iter().find(rang).ok_or_else(|| refused("task-nothing-rings"))?;
        let Some(before) = self.store.task(&run.task).await? else {
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
        if !answered? {
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
        let all = call.flag("all", false)? || meant.ids.len() > 1;
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
            if let Some(before) = removed? {
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

/// The time of day, where nothing else was said: which day it is of depends on whether it is over today.
fn clock_of(words: &str, now: &Zoned, read: &dyn Fn(&str, &Zoned) -> Result<When, NoWhen>) -> Option<Time> {
    let at = |hour: i8| {
        let now = now.with().time(Time::constant(hour, 59, 0, 0)).build().ok()?;
        match read(words, &now).ok()?.trigger {
            Trigger::AtWall(wall) => Some(wall),
            Trigger::Daily(_)
            | Trigger::Days { .. }
            | Trigger::Every { .. }
            | Trigger::At(_)
            | Trigger::Cron(_)
            | Trigger::Manual => None,
        }
    };
    let (early, late) = (at(0)?, at(23)?);
    (early.time() == late.time() && early.date() != late.date()).then(|| early.time())
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
    // What comes again does so as before; only this once it is later.
    if !matches!(task.trigger, Trigger::At(_) | Trigger::AtWall(_)) {
        moves::come_again(task, due_ms);
        return Ok(());
    }
    let at = Timestamp::from_millisecond(due_ms).map_err(|_out_of_range| too_short())?;
    task.trigger = Trigger::At(at);
    task.due_ms = Some(due_ms);
    task.state = TaskState::Active;
    Ok(())
}
