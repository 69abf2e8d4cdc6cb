//! The three buttons under an answer, and the signs that stand for buttons.

use serde::{Deserialize, Serialize};

/// What a person says with a reaction or a short word, where there are no buttons to tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// Right, or yes, do it.
    Yes,
    /// Wrong, or no, leave it.
    No,
    /// Try again differently.
    Again,
    /// Leave off what runs now.
    Stop,
    /// Again in a few minutes.
    Later,
    /// Again tomorrow.
    Tomorrow,
    /// Let it rest.
    Pause,
}

/// What a person thinks of an answer. The last tap wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// ✓ counts for the plan.
    Confirm,
    /// ✗ counts against the plan and forgets the fastpath of that request.
    Reject,
    /// ↺ excludes the plan for an hour and runs the request again.
    Retry,
}

impl Feedback {
    /// The name stored in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reject => "reject",
            Self::Retry => "retry",
        }
    }
}
