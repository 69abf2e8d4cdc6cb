//! What running a plan produced, step by step.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    failure::ToolError,
    ids::{ExecutorName, StepId, TaskId},
    task::Task,
    verdict::Ruled,
};

/// How one effect can be taken back. Written to the journal with the effect, before the turn ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Reversal {
    /// Move it back, unless something else stands there now.
    MoveBack {
        /// Where it is now, absolute.
        from: String,
        /// Where it was, absolute.
        to: String,
    },
    /// Put the saved copy back over what was written.
    Restore {
        /// The saved copy, absolute, inside our data folder.
        backup: String,
        /// Where it was, absolute.
        to: String,
        /// SHA-256 of what we wrote over it, hex: anything else there now is not ours to replace.
        sha256: String,
    },
    /// Remove a file that did not exist before, unless it was changed since.
    RemoveFile {
        /// Absolute path.
        path: String,
        /// SHA-256 of what we wrote, hex.
        sha256: String,
    },
    /// Remove a folder that did not exist before, if it is empty.
    RemoveDir {
        /// Absolute path.
        path: String,
    },
    /// Put a task back as it was; remove one that was not there. Only the engine can: it is a row and no file.
    Task {
        /// Which.
        id: TaskId,
        /// As it was; `None` when it was made.
        before: Option<Box<Task>>,
    },
    /// Call another executor, which policy must let do it then. Only the engine can.
    Call {
        /// Which.
        tool: ExecutorName,
        /// Its arguments.
        args: Map<String, Value>,
        /// What comes back or goes, as its person calls it.
        label: String,
    },
}

/// What an executor returned: one JSON object, with reversals kept apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// Every field of a success or a partial success: `entries`, `results`, `failed`, counts, scalars.
    #[serde(default)]
    pub body: Map<String, Value>,
    /// Set when nothing of what was asked happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// How to take it back; empty for reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reversals: Vec<Reversal>,
}

impl ToolResult {
    /// A success with these fields.
    pub fn ok(body: Map<String, Value>) -> Self {
        Self {
            body,
            error: None,
            reversals: Vec::new(),
        }
    }

    /// A failure.
    pub fn failed(error: ToolError) -> Self {
        Self {
            body: Map::new(),
            error: Some(error),
            reversals: Vec::new(),
        }
    }

    /// Whether something of what was asked happened.
    pub fn is_ok(&self) -> bool {
        self.error.is_none()
    }

    /// The list later steps work on: `entries`, else `results`; `None` when the result has no list.
    pub fn entries(&self) -> Option<&Vec<Value>> {
        ["entries", "results"]
            .into_iter()
            .find_map(|name| self.body.get(name).and_then(Value::as_array))
    }

    /// How many things were changed, as the executor counted them.
    pub fn ok_count(&self) -> Option<u64> {
        self.body.get("ok_count").and_then(Value::as_u64)
    }
}

/// One step that was run, skipped or stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// Which step of the plan.
    pub id: StepId,
    /// Which executor.
    pub tool: ExecutorName,
    /// Arguments as the plan has them.
    pub raw_args: Value,
    /// Arguments as the executor got them; long ones are cut in the log, not here.
    pub resolved_args: Value,
    /// What came back.
    pub result: ToolResult,
    /// Whether the manifest declares an effect.
    pub has_effect: bool,
    /// Not run because the step before found nothing.
    pub skipped: bool,
    /// What policy said; `None` of a step that never came before it.
    #[serde(default)]
    pub ruling: Option<Ruled>,
    /// Wall time of the executor, in microseconds.
    pub executor_us: u64,
    /// Time spent on policy, in microseconds.
    pub policy_us: u64,
}
