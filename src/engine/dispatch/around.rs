//! What a planner is told of a person's doings: what is set for later, and what was changed last. Called by `asking`.
//! It reads the person's own rows alone, and no text of a file.

use std::path::Path;

use crate::{
    domain::{
        limits::SET_TOLD_MAX,
        run::Reversal,
        task::{Task, TaskState},
    },
    engine::dispatch::Cascade,
    executors::paths,
};

const MINUTE_MS: i64 = 60_000;
/// From here on the moment says more than what is left.
const LEFT_TOLD_MS: i64 = 3 * 60 * MINUTE_MS;

impl Cascade<'_> {
    /// What is set: the soonest first.
    pub(super) async fn told_set(&mut self) -> Vec<String> {
        let tasks = self.engine.store.tasks_of(&self.turn.actor.id).await;
        let mut tasks = tasks.unwrap_or_else(|error| {
            self.note(format!("tasks: {error}"));
            Vec::new()
        });
        tasks.retain(|task| task.state != TaskState::Done);
        tasks.sort_by_key(|task| task.due_ms.unwrap_or(i64::MAX));
        tasks
            .iter()
            .take(SET_TOLD_MAX)
            .map(|task| self.told_task(task))
            .collect()
    }

    fn told_task(&self, task: &Task) -> String {
        let named = if task.name.is_empty() { &task.words } else { &task.name };
        let kind = task.kind.as_str();
        let mut told = if named.is_empty() {
            kind.to_owned()
        } else {
            format!("{kind} “{named}”")
        };
        match task.due_ms {
            _ if !task.is_waiting() => told.push_str(&format!(", {}", task.state.as_str())),
            Some(due_ms) => {
                let left_ms = due_ms.saturating_sub(self.engine.clock.now_ms());
                if (0..LEFT_TOLD_MS).contains(&left_ms) {
                    told.push_str(&format!(", in {} min", (left_ms + MINUTE_MS - 1) / MINUTE_MS));
                } else if let Ok(due) = jiff::Timestamp::from_millisecond(due_ms) {
                    let due = due.to_zoned(self.turn.now.time_zone().clone());
                    told.push_str(&format!(", {}", due.strftime("%A %Y-%m-%d %H:%M")));
                }
            }
            None => {}
        }
        self.engine.language.redactor().text(&told).0
    }

    /// What this person's last request that changed something left changed, as long as its conversation goes on.
    pub(super) async fn told_changed(&mut self) -> Vec<String> {
        if self.turn.before.is_none() {
            return Vec::new();
        }
        let changes = self.engine.store.changes_to_undo(&self.turn.actor.id, 1).await;
        let changes = changes.unwrap_or_else(|error| {
            self.note(format!("changes: {error}"));
            Vec::new()
        });
        let home = self.engine.home_of(&self.turn.actor);
        let reversals = changes.iter().flat_map(|change| &change.effects);
        let mut changed: Vec<String> = reversals
            .flat_map(|effect| &effect.reversals)
            .filter_map(|reversal| match reversal {
                Reversal::MoveBack { from: path, .. }
                | Reversal::Restore { to: path, .. }
                | Reversal::RemoveFile { path, .. }
                | Reversal::RemoveDir { path } => Some(paths::show_short(Path::new(path), &home)),
                Reversal::Task { .. } | Reversal::Call { .. } => None,
            })
            .collect();
        changed.dedup();
        changed
    }
}
