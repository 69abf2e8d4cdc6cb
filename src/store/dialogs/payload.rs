//! What a turn that waits carries with it, as the column `payload` of its dialog keeps it. Old payloads are still read:
//! what they do not say has a default. Used by `dialogs` only.

use super::super::offers::Offer;
use crate::domain::{
    ids::{ExecutorName, StepId, TurnId},
    outcome::AnsweredBy,
    question::Form,
    run::StepRecord,
    verdict::Risk,
};

/// What is needed to go on.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Paused {
    /// The plan as JSON; validated again before it runs.
    pub plan: serde_json::Value,
    /// Steps done before the one that waits.
    pub done: Vec<StepRecord>,
    /// The step that waits.
    #[serde(default = "no_step")]
    pub step: StepId,
    /// The executor that waits.
    pub tool: ExecutorName,
    /// The layer that brought the plan.
    #[serde(default = "planned_anew")]
    pub answered_by: AnsweredBy,
    /// No step of it counts as less risky than this.
    #[serde(default = "of_any_risk")]
    pub risk_min: Risk,
    /// The words of its request were typed to us; an old payload does not say so.
    #[serde(default)]
    pub is_typed: bool,
    /// The plan, or what it did, is no more what was planned; an old payload does not say so.
    #[serde(default = "of_the_moment")]
    pub of_the_moment: bool,
    /// The turn in which its request began; an old payload does not say so.
    #[serde(default)]
    pub begun_in: Option<TurnId>,
    /// The plan may not be what was meant: whatever else it changes is shown first, too.
    #[serde(default)]
    pub is_offered: bool,
    /// What a yes or a no to it is remembered by.
    #[serde(default)]
    pub offer: Option<Offer>,
}

/// What nobody can tell is not learned.
fn of_the_moment() -> bool {
    true
}

/// A payload that does not say it.
fn planned_anew() -> AnsweredBy {
    AnsweredBy::Simple
}

/// A payload of before the rest of a plan was as doubtful as its beginning.
fn of_any_risk() -> Risk {
    Risk::Low
}

/// A payload of before there were questions that need to know it.
fn no_step() -> StepId {
    StepId(0)
}

/// The payload as it is kept: what the question was answered with so far stands beside the plan, sealed with it.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Kept {
    #[serde(flatten)]
    pub(super) paused: Paused,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) form: Option<Form>,
}

/// The payload of a dialog that is over.
pub(in crate::store) const NOTHING_LEFT: &str = r#"{"plan":null,"done":[],"tool":""}"#;
