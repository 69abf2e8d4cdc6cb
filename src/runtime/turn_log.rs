//! One JSON line per turn and day, `turns/YYYY-MM-DD.jsonl`: the audit a person can read with any tool.
//! Append only, readable by the owner only; arguments and requests are redacted before they get here.

use std::{
    io,
    path::{Path, PathBuf},
};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Map, Value, json};

use crate::{
    domain::{
        ids::ActorId,
        outcome::AnsweredBy,
        run::{StepRecord, ToolResult},
        turn::Turn,
        verdict::Decision,
    },
    engine::{Engine, outcome::TurnOutcome, terminator::class_name},
    language::secrets::{self, Redactor},
    runtime::Inner,
    turn_files::{self, TurnFiles},
};

/// The log.
#[derive(Clone, Debug)]
pub(super) struct TurnLog {
    files: TurnFiles,
}

impl TurnLog {
    /// A log below the data folder.
    pub(super) fn new(data_dir: &Path) -> Self {
        Self {
            files: TurnFiles::new(data_dir),
        }
    }

    /// Appends one line to the file of the day the turn began (UTC).
    fn append(&self, started: Timestamp, line: &Value) -> io::Result<()> {
        let day = started.to_zoned(TimeZone::UTC).date();
        self.files.append(day, &line.to_string())
    }

    /// The lines of one person, oldest first.
    pub(super) fn lines_of(&self, actor: &ActorId) -> io::Result<Vec<Value>> {
        let mut lines = Vec::new();
        for file in self.files.all()? {
            let text = turn_files::read(&file)?;
            let of_file = text.lines().filter_map(|line| serde_json::from_str(line).ok());
            lines.extend(of_file.filter(|line| is_of(line, actor)));
        }
        Ok(lines)
    }

    /// Takes the lines of one person out of every file that lets us; the others are returned, they may have some still.
    pub(super) fn forget(&self, actor: &ActorId) -> Vec<(PathBuf, io::Error)> {
        let locked = self.files.lock().and_then(|locked| Ok((locked, self.files.all()?)));
        let (_locked, files) = match locked {
            Ok(locked) => locked,
            Err(error) => return vec![(self.files.folder().to_owned(), error)],
        };
        let resists = |file: PathBuf| forget_in(&file, actor).err().map(|error| (file, error));
        files.into_iter().filter_map(resists).collect()
    }
}

fn forget_in(file: &Path, actor: &ActorId) -> io::Result<()> {
    let text = turn_files::read(file)?;
    // A line that is no JSON was cut off by a crash; nobody can say whose it is, so it goes as well.
    let is_others = |line: &&str| serde_json::from_str(line).is_ok_and(|line: Value| !is_of(&line, actor));
    let kept: Vec<&str> = text.lines().filter(is_others).collect();
    if kept.len() == text.lines().count() {
        return Ok(());
    }
    let mut whole = kept.join("\n");
    if !whole.is_empty() {
        whole.push('\n');
    }
    turn_files::write(file, &whole)
}

fn is_of(line: &Value, actor: &ActorId) -> bool {
    line.get("actor").and_then(Value::as_str) == Some(actor.as_str())
}

/// Writes the line of a turn, unless its person was locked out since it ended: whoever erases does that first and takes
/// the lines out later; both hold the lock. It is waited for beside the tasks, which one that holds it may need.
pub(super) async fn write(inner: &Inner, turn: &Turn, line: &Value) {
    let files = inner.turn_log.files.clone();
    let locked = tokio::task::spawn_blocking(move || files.lock())
        .await
        .unwrap_or_else(|panicked| Err(io::Error::other(panicked)));
    let written = match locked {
        Ok(_locked) => match inner.parts.store.is_let_in(&turn.actor.id).await {
            Ok(true) => inner.turn_log.append(turn.now.timestamp(), line),
            Ok(false) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        },
        Err(error) => Err(error),
    };
    if let Err(error) = written {
        tracing::error!(%error, "cannot write the turn log");
    }
}

/// The line of a turn.
pub(super) fn line(
    turn: &Turn,
    outcome: &TurnOutcome,
    final_message: &str,
    ended: Timestamp,
    engine: &Engine,
    redactor: &Redactor,
) -> Value {
    let (user_query, n_redacted) = redactor.text(&turn.text);
    let items: usize = outcome
        .records
        .iter()
        .filter_map(|record| record.result.entries())
        .map(Vec::len)
        .sum();
    let mutations: u64 = outcome
        .records
        .iter()
        .filter(|record| record.has_effect)
        .filter_map(|record| record.result.ok_count())
        .sum();
    let error_class = outcome
        .records
        .iter()
        .rev()
        .find_map(|record| record.result.error.as_ref())
        .map(|error| class_name(error.class))
        .or_else(|| outcome.lessons.gap.as_ref().map(|gap| gap.error_class.clone()));
    let mut line = json!({
        "turn_id": turn.id,
        "ts_start": turn.now.timestamp().as_millisecond(),
        "ts_end": ended.as_millisecond(),
        "user_query": user_query,
        "redacted": n_redacted > 0,
        "n_redacted_fields": n_redacted,
        "mode": engine.mode().as_str(),
        "engine": engine.name(),
        "actor": turn.actor.id,
        "channel": turn.channel,
        "conversation_id": turn.conversation,
        "answered_by": outcome.answered_by.as_str(),
        "path": outcome.path,
        "intent": outcome.intent.as_ref().map(crate::domain::intent::Intent::signature),
        "intent_confidence": outcome.intent.as_ref().map(|intent| intent.confidence),
        "candidates": outcome.candidates,
        "plan": outcome.plan.as_ref().map(|plan| redactor.value(&plan.json)),
        "proposals": redactor.value(&Value::Array(outcome.proposals.clone())),
        "plan_hash": outcome.plan.as_ref().map(|plan| &plan.hash),
        "steps": outcome
            .records
            .iter()
            .enumerate()
            .map(|(at, record)| step(at + 1, record, outcome, redactor))
            .collect::<Vec<_>>(),
        "effect_counts": {"items": items, "mutations": mutations},
        "llm": outcome.model,
        "timings": {
            "lookup_us": outcome.timings.lookup_us,
            "planning_us": outcome.timings.planning_us,
            "executors_us": outcome.timings.executors_us,
            "total_us": outcome.timings.total_us,
        },
        "error_class": error_class,
        "final_message": redactor.value(&Value::String(final_message.to_owned())),
        "final_kind": outcome.final_kind.as_str(),
    });
    let found = redactor.secrets(&turn.text);
    for field in ["path", "plan", "proposals", "steps", "final_message"] {
        if let Some(field) = line.get_mut(field) {
            secrets::remove(&found, field);
        }
    }
    line
}

/// The numbers and flags of a result. What else it holds is the household's own, and stays out of the log.
fn figures(result: &ToolResult) -> Map<String, Value> {
    let plain = |value: &Value| value.is_number() || value.is_boolean();
    let kept = result.body.iter().filter(|(_, value)| plain(value));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn step(number: usize, record: &StepRecord, outcome: &TurnOutcome, redactor: &Redactor) -> Value {
    json!({
        "step_num": number,
        "chosen_tool": record.tool,
        "raw_args": redactor.value(&record.raw_args),
        "resolved_args": redactor.value(&record.resolved_args),
        "from_memory": matches!(
            outcome.answered_by,
            AnsweredBy::FastpathHash
                | AnsweredBy::FastpathCosine
                | AnsweredBy::FastpathSlots
                | AnsweredBy::Autopath
        ),
        "ok": record.result.is_ok(),
        "skipped": record.skipped,
        "vaglio_approved": record.ruling.map(|ruling| ruling.decision <= Decision::Confirm),
        "vaglio": record.ruling,
        "result": figures(&record.result),
        "scratchpad_id": outcome.handles.get(&record.id).and_then(|handle| handle.get("scratchpad_id")),
        "size_bytes": outcome.handles.get(&record.id).and_then(|handle| handle.get("size_bytes")),
        "error": record.result.error.as_ref().map(|error| json!({
            "class": error.class,
            "code": error.message.key,
            "detail": error.detail.as_deref().map(|detail| redactor.text(detail).0),
        })),
        "ok_count": record.result.ok_count(),
        "entries": record.result.entries().map(Vec::len),
        "vaglio_us": record.policy_us,
        "exec_us": record.executor_us,
    })
}
