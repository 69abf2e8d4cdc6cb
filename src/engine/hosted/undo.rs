//! `undo_last_turn`: takes back what the last turns changed, and names what came back and what is gone again.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Host, fields, store_failed};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
        run::ToolResult,
    },
    executors::Call,
    store::effects::PastEffect,
};

/// Most files the answer names; the others are counted.
const NAMED_MAX: usize = 3;

/// Names of what undoing changed.
#[derive(Default)]
struct News {
    /// In its old place, or with its old text.
    back: Vec<String>,
    /// Made by what was undone, and so taken away.
    removed: Vec<String>,
}

impl News {
    fn add(&mut self, result: &ToolResult) {
        let text = |done: &Value, name: &str| done.get(name).and_then(Value::as_str).map(str::to_owned);
        let done = result.body.get("results").and_then(Value::as_array);
        for done in done.into_iter().flatten() {
            let Some(path) = text(done, "path") else { continue };
            let name = Path::new(&path).file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            match text(done, "action").as_deref() {
                Some("moved_back" | "restored") => self.back.push(name),
                Some("removed") => self.removed.push(name),
                Some(_) | None => {}
            }
        }
    }
}

/// A few names, and how many more there are, for the sentence.
fn name(what: &str, names: &[String], body: &mut Map<String, Value>) {
    let shown: Vec<&str> = names.iter().take(NAMED_MAX).map(String::as_str).collect();
    body.insert(format!("{what}_count"), json!(names.len()));
    body.insert(format!("{what}_names"), json!(shown.join(", ")));
    body.insert(format!("{what}_more"), json!(names.len() - shown.len()));
}

impl Host<'_> {
    /// Takes back what the person's last changing turns did, last effect first; each effect at most once. It stops at
    /// the first turn that cannot be taken back whole: what lies below it was done before.
    pub(super) async fn undo(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let turns = call.args.get("turns").and_then(Value::as_u64).unwrap_or(1);
        let mut undone = 0_u64;
        let mut irreversible = Vec::new();
        let mut failed = Vec::new();
        let mut effects = Vec::new();
        let mut news = News::default();
        for _ in 0..turns {
            let last = self
                .store
                .effects_to_undo(&call.context.actor)
                .await
                .map_err(store_failed)?;
            for effect in &last {
                if effect.reversals.is_empty() {
                    irreversible.push(effect.tool.as_str().to_owned());
                    continue;
                }
                let result = self.reverse(effect, call).await?;
                undone += result.ok_count().unwrap_or_default();
                news.add(&result);
                if let Some(error) = result.error {
                    failed.push(json!({"tool": effect.tool, "message": error.message, "error_class": error.class}));
                }
            }
            let over = last.is_empty();
            effects.extend(last);
            if over || !irreversible.is_empty() || !failed.is_empty() {
                break;
            }
        }
        let nothing = effects.is_empty();
        if undone == 0 && !nothing {
            return Err(ToolError::new(
                ErrorClass::InvalidArgs,
                Message::new("undo-impossible").with("tools", irreversible.join(", ")),
            ));
        }
        let mut body = fields(json!({
            "ok_count": undone,
            "undone_count": undone,
            "skipped_count": irreversible.len(),
            "nothing": nothing,
            "failed": failed,
            "tools": names(&effects),
        }));
        name("back", &news.back, &mut body);
        name("removed", &news.removed, &mut body);
        Ok(ToolResult::ok(body))
    }

    async fn reverse(&self, effect: &PastEffect, call: &Call) -> Result<ToolResult, ToolError> {
        let result = self.runner.reverse(effect.reversals.clone(), &call.context).await;
        if result.error.is_none() {
            self.store
                .effect_undone(effect.id, self.clock.now_ms())
                .await
                .map_err(store_failed)?;
        }
        Ok(result)
    }
}

fn names(effects: &[PastEffect]) -> String {
    let mut names: Vec<&str> = effects.iter().map(|effect| effect.tool.as_str()).collect();
    names.dedup();
    names.join(", ")
}
