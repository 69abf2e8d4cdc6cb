//! What a run came to: how it ended, every step, and whether it may be remembered. Read by dispatch, recovery, the
//! terminator, the renderer and memory.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::domain::{
    failure::{ErrorClass, ToolError},
    ids::{ExecutorName, PlanHash, StepId},
    outcome::{FinalKind, Pause},
    plan::{Plan, Validated},
    run::StepRecord,
};

use super::closing::Closing;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// Every step ran or had nothing to do.
    Completed,
    /// A step failed; the rest did not run.
    Failed {
        /// Why.
        error: ToolError,
        /// Which step.
        step: StepId,
    },
    /// A step waits for the person.
    Paused(Box<Pause>),
    /// A cap, a loop, a question or a stop from outside ended it.
    Stopped(FinalKind),
}

/// A run with everything others want to know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// How it ended.
    pub end: RunEnd,
    /// Hash of the plan as it was given, under which it is remembered or excluded.
    pub planned: PlanHash,
    /// The plan as it ran, with any step that remediation put in.
    pub plan: Plan<Validated>,
    /// Every step that ran, was skipped or failed, those of before a pause included.
    pub records: Vec<StepRecord>,
    /// Steps that remediation put in: they helped another, and are nobody's answer.
    pub helpers: Vec<StepId>,
    /// The closing text of a completed run.
    pub closing: Closing,
    /// What stands in logs for results that are too large for them.
    pub handles: BTreeMap<StepId, Value>,
    /// Something was changed, or may have been: no other plan may run in this turn.
    pub committed_effects: bool,
    /// Entries the last reading step found.
    pub items: u64,
    /// Things changed.
    pub mutations: u64,
    /// Steps that were to change something, ran without complaint, and changed nothing.
    pub without_effect: Vec<StepId>,
    /// The failure that ended the run, for a next attempt's loop check.
    pub last_failure: Option<(ExecutorName, ErrorClass)>,
    /// Whether this run may teach memory anything. What values a plan holds is judged where it
    /// is recorded.
    pub cache_worthy: bool,
}

impl RunReport {
    /// What is told of the run: without what only helped another step, and without failures that were put right.
    pub fn told(&self) -> Vec<StepRecord> {
        let is_put_right = |at: usize, record: &StepRecord| {
            let mut later = self.records.iter().skip(at + 1);
            !record.result.is_ok() && later.any(|other| other.id == record.id)
        };
        let told = self.records.iter().enumerate();
        told.filter(|(at, record)| !self.helpers.contains(&record.id) && !is_put_right(*at, record))
            .map(|(_, record)| record.clone())
            .collect()
    }

    /// The error of the last failed step, also when a cap or loop ended the run.
    pub fn error(&self) -> Option<&ToolError> {
        match &self.end {
            RunEnd::Failed { error, .. } => Some(error),
            RunEnd::Completed | RunEnd::Paused(_) | RunEnd::Stopped(_) => self
                .records
                .iter()
                .rev()
                .find_map(|record| record.result.error.as_ref()),
        }
    }
}
