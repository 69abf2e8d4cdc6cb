//! What a child printed, as a result. Called by `process` once the child is gone; nothing of a program is trusted: it
//! may name what it did, what went wrong and calls that take it back, and no more.

use std::process::ExitStatus;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::domain::{
    failure::{ErrorClass, ToolError},
    ids::ExecutorName,
    message::Message,
    run::{Reversal, ToolResult},
};

/// What a child left behind.
pub(super) struct Output {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// It died.
pub(super) fn crashed(name: &ExecutorName, detail: &str) -> ToolError {
    ToolError::new(
        ErrorClass::Crashed,
        Message::new("executors-crashed").with("name", name.as_str()),
    )
    .with_detail(detail)
}

/// Why there is no result: it died, or it talked nonsense.
fn no_result(name: &ExecutorName, output: &Output) -> ToolError {
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return crashed(name, &format!("{}: {}", output.status, stderr.trim()));
    }
    ToolError::new(
        ErrorClass::NonJson,
        Message::new("executors-non-json").with("name", name.as_str()),
    )
    .with_detail(stderr.trim())
}

/// What our own code printed: a result as it is.
pub(super) fn builtin_result(name: &ExecutorName, output: &Output) -> Result<ToolResult, ToolError> {
    serde_json::from_slice(&output.stdout).map_err(|_no_result| no_result(name, output))
}

/// What a program says went wrong; every field is optional.
#[derive(Deserialize)]
struct ProgramFailure {
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    error_class: Option<Value>,
}

/// A way back that a program names.
#[derive(Deserialize)]
struct ProgramUndo {
    tool: ExecutorName,
    #[serde(default)]
    args: Map<String, Value>,
    #[serde(default)]
    label: String,
}

/// Reads what a program printed: one object with `ok`. Of ways back it may only name calls of executors, under `undo`;
/// whether those are believed is for who runs it to say.
pub(super) fn program_result(name: &ExecutorName, output: &Output) -> Result<ToolResult, ToolError> {
    let failed = no_result(name, output);
    // The worker itself answers when it could not lock itself in.
    let Ok(Value::Object(mut body)) = serde_json::from_slice(&output.stdout) else {
        return Err(failed);
    };
    match body.remove("ok") {
        Some(Value::Bool(true)) if output.status.success() => Ok(ToolResult {
            reversals: program_undo(&mut body),
            body,
            error: None,
        }),
        Some(Value::Bool(false)) => Ok(ToolResult {
            error: Some(program_error(name, &body)),
            body,
            reversals: Vec::new(),
        }),
        None => match serde_json::from_value::<ToolResult>(Value::Object(body)) {
            Ok(result) if result.error.is_some() => Ok(ToolResult::failed(result.error.unwrap_or(failed))),
            Ok(_) | Err(_) => Err(failed),
        },
        Some(_) => Err(failed),
    }
}

fn program_undo(body: &mut Map<String, Value>) -> Vec<Reversal> {
    let undo = body.remove("undo").unwrap_or_default();
    let calls = serde_json::from_value::<Vec<ProgramUndo>>(undo).unwrap_or_default();
    let as_calls = calls
        .into_iter()
        .map(|ProgramUndo { tool, args, label }| Reversal::Call { tool, args, label });
    as_calls.collect()
}

fn program_error(name: &ExecutorName, body: &Map<String, Value>) -> ToolError {
    let failure = ProgramFailure::deserialize(Value::Object(body.clone())).unwrap_or(ProgramFailure {
        error: None,
        error_class: None,
    });
    let class = failure
        .error_class
        .and_then(|class| serde_json::from_value(class).ok())
        .unwrap_or(ErrorClass::Internal);
    let message = Message::new("executors-program-failed").with("name", name.as_str());
    ToolError::new(class, message).with_detail(failure.error.unwrap_or_default())
}
