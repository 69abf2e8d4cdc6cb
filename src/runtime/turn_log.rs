//! One JSON line per turn and day, `turns/YYYY-MM-DD.jsonl` (seed 002): the audit a person can read with any tool.
//! Append only, readable by the owner only; arguments and requests are redacted before they get here.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use crate::{
    domain::{failure::ErrorClass, outcome::AnsweredBy, run::StepRecord, turn::Turn},
    engine::{outcome::TurnOutcome, terminator::class_name},
    language::secrets::{self, Redactor},
};

/// The folder of the log.
#[derive(Clone, Debug)]
pub(super) struct TurnLog {
    folder: PathBuf,
}

impl TurnLog {
    /// A log below the data folder.
    pub(super) fn new(data_dir: &Path) -> Self {
        Self {
            folder: data_dir.join("turns"),
        }
    }

    /// Appends one line to the file of the day the turn began (UTC).
    pub(super) fn append(&self, started: Timestamp, line: &Value) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let day = started.to_zoned(TimeZone::UTC).date();
        let mut text = line.to_string();
        text.push('\n');
        OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(self.folder.join(format!("{day}.jsonl")))?
            .write_all(text.as_bytes())
    }
}

/// The line of a turn.
pub(super) fn line(
    turn: &Turn,
    outcome: &TurnOutcome,
    final_message: &str,
    ended: Timestamp,
    engine: &str,
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
        "mode": "local",
        "engine": engine,
        "actor": turn.actor.id,
        "channel": turn.channel,
        "conversation_id": turn.conversation,
        "answered_by": outcome.answered_by.as_str(),
        "path": outcome.path,
        "intent": outcome.intent.as_ref().map(crate::domain::intent::Intent::signature),
        "intent_confidence": outcome.intent.as_ref().map(|intent| intent.confidence),
        "candidates": outcome.candidates,
        "plan": outcome.plan.as_ref().map(|plan| redactor.value(&plan.json)),
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
    for field in ["path", "plan", "steps", "final_message"] {
        if let Some(field) = line.get_mut(field) {
            secrets::remove(&found, field);
        }
    }
    line
}

fn step(number: usize, record: &StepRecord, outcome: &TurnOutcome, redactor: &Redactor) -> Value {
    json!({
        "step_num": number,
        "chosen_tool": record.tool,
        "raw_args": redactor.value(&record.raw_args),
        "resolved_args": redactor.value(&record.resolved_args),
        "from_memory": matches!(
            outcome.answered_by,
            AnsweredBy::FastpathHash | AnsweredBy::FastpathCosine | AnsweredBy::Autopath
        ),
        "ok": record.result.is_ok(),
        "skipped": record.skipped,
        "vaglio_approved": record.result.error.as_ref().is_none_or(|error| error.class != ErrorClass::Forbidden),
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
