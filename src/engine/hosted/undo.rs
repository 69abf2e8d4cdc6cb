//! `undo_last_turn`: takes back what the last turns changed, and names what came back and what is gone again.

use std::path::Path;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::{Host, fields};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        manifest::{Effect, Manifest},
        message::Message,
        run::{Reversal, ToolResult},
        verdict::{Decision, Risk},
        vocabulary::Verb,
    },
    engine::plan_executor::home_of,
    executors::Call,
    policy::{self, CheckRequest},
    store::effects::PastEffect,
};

/// Most files the answer names; the others are counted.
const NAMED_MAX: usize = 3;

/// What undoing came to.
#[derive(Default)]
struct News {
    /// How many things are as they were.
    undone: u64,
    /// Names of what is in its old place, or has its old text.
    back: Vec<String>,
    /// Names of what was made by what was undone, and so taken away.
    removed: Vec<String>,
    /// What was left alone, with the reasons.
    left: Vec<Value>,
    /// Why the first effect that is left could not be taken back at all.
    why: Option<Message>,
    /// The effects that could not be taken back at all.
    kept: usize,
    /// The effects of which a part is left for the next time.
    parts: usize,
}

impl News {
    fn add(&mut self, result: &ToolResult) {
        self.undone += result.ok_count().unwrap_or_default();
        let text = |done: &Value, name: &str| done.get(name).and_then(Value::as_str).map(str::to_owned);
        let list = |name: &str| result.body.get(name).and_then(Value::as_array).into_iter().flatten();
        let name_of = |done: &Value| {
            let path = text(done, "path")?;
            Some(Path::new(&path).file_name()?.to_string_lossy().into_owned())
        };
        for done in list("results") {
            let Some(name) = name_of(done) else { continue };
            let names = match text(done, "action").as_deref() {
                Some("moved_back" | "restored") => &mut self.back,
                Some("removed") => &mut self.removed,
                Some(_) | None => continue,
            };
            // A list that was changed twice is one list that is back.
            if !names.contains(&name) {
                names.push(name);
            }
        }
        self.left.extend(list("failed").cloned());
    }

    fn keep(&mut self, why: Message) {
        self.kept += 1;
        self.why.get_or_insert(why);
    }

    fn is_whole(&self) -> bool {
        self.kept == 0 && self.parts == 0
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
    /// the first turn that cannot be taken back whole: what lies below it was done before. Asked again, it tries the
    /// rest of a part once more, and then goes on below it.
    pub(super) async fn undo(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let turns = call.args.get("turns").and_then(Value::as_u64).unwrap_or(1);
        let mut effects = Vec::new();
        let mut news = News::default();
        for _ in 0..turns {
            let last = self.last_effects(call).await?;
            for effect in &last {
                self.reverse(effect, call, &mut news).await?;
            }
            let over = last.is_empty();
            effects.extend(last);
            if over || !news.is_whole() {
                break;
            }
        }
        if news.undone == 0
            && let Some(why) = news.why
        {
            let next = self.last_effects(call).await?;
            let goes_on = next
                .first()
                .is_some_and(|next| effects.iter().all(|tried| tried.begun_in != next.begun_in));
            let message = Message::new("undo-left")
                .with("why", why)
                .with("others", news.kept - 1)
                .with("goes_on", if goes_on { "yes" } else { "no" });
            return Err(ToolError::new(ErrorClass::InvalidArgs, message));
        }
        let mut body = fields(json!({
            "ok_count": news.undone,
            "undone_count": news.undone,
            "skipped_count": news.kept,
            "nothing": effects.is_empty(),
            "failed": news.left,
            "tools": names(&effects),
        }));
        name("back", &news.back, &mut body);
        name("removed", &news.removed, &mut body);
        Ok(ToolResult::ok(body))
    }

    async fn last_effects(&self, call: &Call) -> Result<Vec<PastEffect>, ToolError> {
        let last = self.store.effects_to_undo(&call.context.actor).await;
        last.map_err(ToolError::from)
    }

    /// Rows of ours here, files in the worker.
    async fn take_back(&self, reversals: Vec<Reversal>, call: &Call) -> Result<ToolResult, ToolError> {
        if reversals
            .iter()
            .any(|reversal| matches!(reversal, Reversal::Task { .. }))
        {
            return self.put_tasks_back(reversals, call).await;
        }
        if reversals
            .iter()
            .any(|reversal| matches!(reversal, Reversal::Call { .. }))
        {
            return Ok(Box::pin(self.call_back(reversals, call)).await);
        }
        Ok(self.runner.reverse(reversals, &call.context).await)
    }

    /// Calls what takes effects back, newest first. What could not be taken back now is left for the next time.
    async fn call_back(&self, reversals: Vec<Reversal>, call: &Call) -> ToolResult {
        let (mut done, mut failed, mut left) = (Vec::new(), Vec::new(), Vec::new());
        let mut last = None;
        for reversal in reversals.into_iter().rev() {
            let Reversal::Call { tool, args, label } = &reversal else {
                left.push(reversal);
                continue;
            };
            let back = Call {
                args: args.clone(),
                password: None,
                context: call.context.clone(),
            };
            let ran = match self.may_call_back(tool, args) {
                Ok(manifest) => self.run_other(manifest, &back).await,
                Err(refused) => ToolResult::failed(refused),
            };
            match ran.error {
                None => {
                    let is_gone = self.catalog.get(tool).and_then(|way| way.verb) == Some(Verb::Delete);
                    let action = if is_gone { "removed" } else { "restored" };
                    done.push(json!({"path": label.replace('/', "\u{2215}"), "action": action}));
                }
                Some(error) => {
                    failed.push(json!({"message": error.message, "error_class": error.class}));
                    last = Some(error);
                    left.push(reversal);
                }
            }
        }
        left.reverse();
        let is_nothing = done.is_empty();
        let body = fields(json!({"ok_count": done.len(), "results": done, "failed": failed}));
        ToolResult {
            body,
            error: last.filter(|_| is_nothing),
            reversals: left,
        }
    }

    /// The executor, where policy lets it do this now. That its person said "undo" is all the consent there is: it must
    /// be one that can itself be taken back, and what is closed to executors stays closed.
    fn may_call_back(&self, tool: &ExecutorName, args: &Map<String, Value>) -> Result<&Manifest, ToolError> {
        let impossible = || {
            let message = Message::new("undo-impossible").with("tools", tool.as_str());
            ToolError::new(ErrorClass::Forbidden, message)
        };
        let manifest = self.catalog.get(tool).ok_or_else(impossible)?;
        let home = home_of(self.borders.home, self.borders.data_dir, &self.turn.actor);
        let verdict = policy::check(&CheckRequest {
            manifest,
            args,
            target_count: 1,
            risk_min: Risk::Low,
            is_doubtful: false,
            actor: &self.turn.actor,
            request: self.request,
            home: &home,
            data_dir: self.borders.data_dir,
            protected: self.borders.protected,
            shared: self.borders.shared,
            // Whether it fits the words says nothing: they say "undo".
            judge_threshold: 0.0,
        });
        let may = manifest.effect == Effect::Reversible && verdict.decision <= Decision::Confirm;
        may.then_some(&**manifest).ok_or_else(impossible)
    }

    async fn run_other(&self, manifest: &Manifest, call: &Call) -> ToolResult {
        if self.families.run_here(&manifest.name) {
            return self.families.run(self, &manifest.name, call).await;
        }
        match self.catalog.code_dir(&manifest.name) {
            Ok(code) => {
                let stop = CancellationToken::new();
                Box::pin(self.runner.run(manifest, call.clone(), code, &stop)).await
            }
            Err(changed) => ToolResult::failed(ToolError::new(ErrorClass::Forbidden, changed.message())),
        }
    }

    async fn reverse(&self, effect: &PastEffect, call: &Call, news: &mut News) -> Result<(), ToolError> {
        let now_ms = self.clock.now_ms();
        if effect.reversals.is_empty() {
            let why = Message::new("undo-impossible").with("tools", effect.tool.as_str());
            news.left.push(json!({"message": why}));
            news.keep(why);
            return self.store.effect_left(effect.id, now_ms).await.map_err(ToolError::from);
        }
        let result = self.take_back(effect.reversals.clone(), call).await?;
        news.add(&result);
        let noted = match result.error {
            Some(error) => {
                news.keep(error.message);
                self.store.effect_left(effect.id, now_ms).await
            }
            None if !result.reversals.is_empty() => {
                news.parts += 1;
                self.store.effect_undone_in_part(effect.id, result.reversals).await
            }
            None => self.store.effect_undone(effect.id, now_ms).await,
        };
        noted.map_err(ToolError::from)
    }
}

fn names(effects: &[PastEffect]) -> String {
    let mut names: Vec<&str> = effects.iter().map(|effect| effect.tool.as_str()).collect();
    names.dedup();
    names.join(", ")
}
