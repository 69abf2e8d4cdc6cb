//! Takes back what was done to tasks: one that was made goes, one that was changed or ended is as it was. Called by
//! `undo`. A moment that passed meanwhile does not come back.

use serde_json::json;

use super::Host;
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
        run::{Reversal, ToolResult},
        task::{Task, TaskState},
    },
    engine::tasks::moves,
    executors::Call,
};

impl Host<'_> {
    pub(in crate::engine::hosted) async fn put_tasks_back(
        &self,
        reversals: Vec<Reversal>,
        call: &Call,
    ) -> Result<ToolResult, ToolError> {
        let mut done = Vec::new();
        let mut failed = Vec::new();
        for reversal in reversals.into_iter().rev() {
            let Reversal::Task { id, before } = &reversal else {
                continue;
            };
            let now_ms = self.clock.now_ms();
            let put = match before {
                None => {
                    let removed = self.store.task_remove(id, &call.context.actor).await;
                    removed?.map(|task| (task, "removed"))
                }
                Some(before) => {
                    let there = self.store.task(id).await?;
                    let task = again(before, there.as_ref(), now_ms);
                    let put = self.store.task_put(task.clone(), now_ms).await;
                    put?.then_some((task, "restored"))
                }
            };
            match put {
                Some((task, action)) => done.push(json!({"path": name(&task), "action": action})),
                None => {
                    let message = Message::new("task-undo-gone");
                    failed.push(json!({"message": message, "error_class": ErrorClass::NotFound}));
                }
            }
        }
        Ok(ToolResult::ok(super::super::fields(json!({
            "ok_count": done.len(),
            "results": done,
            "failed": failed,
        }))))
    }
}

/// The task as it was, in the revision its row has now; what was to come meanwhile is not made up for.
fn again(before: &Task, there: Option<&Task>, now_ms: i64) -> Task {
    let mut task = before.clone();
    task.revision = there.map_or(before.revision, |there| there.revision);
    let is_past = task.is_waiting() && task.due_ms.is_some_and(|due_ms| due_ms <= now_ms);
    if is_past && !moves::go_on(&mut task, now_ms) {
        task.state = TaskState::Done;
    }
    task
}

/// Its name or its words; a slash would look like a folder.
fn name(task: &Task) -> String {
    let words = if task.name.is_empty() { &task.words } else { &task.name };
    words.replace('/', "\u{2215}")
}
