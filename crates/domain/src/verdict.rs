//! What policy says about one step.

use serde::{Deserialize, Serialize};

use super::message::Message;

/// How bad it could get. Ordered; adjusters may only raise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Reads, local notes, single reversible writes.
    Low,
    /// One device, one private message, one calendar entry.
    Medium,
    /// Deletion, many things at once, broad sending.
    High,
    /// Purchases, public posting, irreversible and wide.
    Critical,
}

impl Risk {
    /// One step worse, at most critical.
    #[must_use]
    pub fn raised(self) -> Self {
        match self {
            Self::Low => Self::Medium,
            Self::Medium => Self::High,
            Self::High | Self::Critical => Self::Critical,
        }
    }
}

/// What may happen. Ordered by strictness: an override may only move it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Runs.
    Allow,
    /// Runs after the person approved this very operation.
    Confirm,
    /// Does not run; says what it would do.
    Preview,
    /// Does not run.
    Block,
}

/// Which link of the chain decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// A forbidden target or command.
    Guard,
    /// Actor or channel may not do this.
    Trust,
    /// The autonomy matrix.
    Gate,
    /// Does not fit what was asked.
    Judge,
    /// May not be what was meant: it is shown first.
    Doubt,
}

/// What is written down of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruled {
    /// What may happen.
    pub decision: Decision,
    /// The link that made it this strict.
    pub decided_by: Option<DecidedBy>,
}

/// A verdict on one step. No step runs without one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What may happen.
    pub decision: Decision,
    /// The link that made it this strict; `None` when everything agreed to allow.
    pub decided_by: Option<DecidedBy>,
    /// Risk after adjusting.
    pub risk: Risk,
    /// The judge's score, 0..1; 1 for safe verbs.
    pub score: f64,
    /// Why, for the person; `None` when allowed.
    pub reason: Option<Message>,
    /// Nothing but the person's level forbids it: with a higher one it would run, at least after a yes. Who may raise
    /// that level may allow it this once.
    pub above_level: bool,
}
