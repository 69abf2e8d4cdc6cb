//! What to do about a failed run: give up honestly, mend the plan where the mend is certain, or ask
//! the proposer once for another way. Called by `engine::dispatch`; pure, and it reads error classes, never a sentence.
//!
//! Invariant: at most one alternative a turn, and none after anything was, or may have been, changed.

use crate::domain::{
    failure::{ErrorClass, FailureClass},
    outcome::FinalKind,
    plan::{Plan, Proposed},
};

use super::{
    plan_executor::{RunEnd, RunReport},
    validator::Lookup,
};

mod repair;

/// What recovery may know besides the run.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The catalog of this turn.
    pub manifests: Lookup<'a>,
    /// What the person said.
    pub request: &'a str,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum NextMove {
    /// The terminator says why.
    GiveUp(FailureClass),
    /// Ask the proposer once more, without the plan that failed (`RunReport::planned`).
    ProposeWithout,
    /// Validate and run this mended plan.
    Repair(Box<Plan<Proposed>>),
}

/// Decides, for the first failure of a turn; whoever calls it for the second breaks the invariant above.
pub fn next_move(report: &RunReport, context: &Context<'_>) -> NextMove {
    let class = classify(report);
    if report.committed_effects || is_final(report) || class == FailureClass::OutOfScope {
        return NextMove::GiveUp(class);
    }
    match repair::repair(report, context) {
        Some(plan) if plan.hash() != report.planned => NextMove::Repair(Box::new(plan)),
        Some(_) | None => NextMove::ProposeWithout,
    }
}

/// Runs that another plan would not help: they are no failure, wait for a person, or were ended by a rule, which is an
/// answer of its own.
fn is_final(report: &RunReport) -> bool {
    match &report.end {
        RunEnd::Completed | RunEnd::Paused(_) | RunEnd::Stopped(_) => true,
        RunEnd::Failed { error, .. } => error.class == ErrorClass::NeedsActionTarget,
    }
}

/// Which of the four classes a run belongs to.
pub fn classify(report: &RunReport) -> FailureClass {
    match &report.end {
        RunEnd::Failed { error, .. } => of_error(error.class),
        RunEnd::Stopped(kind) => match kind {
            FinalKind::CapSteps | FinalKind::CapSameExecutor => FailureClass::WrongArgs,
            // What kept failing is worse news than that it was tried twice.
            FinalKind::LoopBreak => report
                .error()
                .map_or(FailureClass::WrongArgs, |error| of_error(error.class)),
            FinalKind::Ask | FinalKind::Awaiting | FinalKind::NeedsInputs => FailureClass::MissingInput,
            FinalKind::Answer | FinalKind::Error | FinalKind::Stopped => FailureClass::OutOfScope,
        },
        RunEnd::Paused(_) => FailureClass::MissingInput,
        RunEnd::Completed if report.plan.steps.is_empty() => FailureClass::OutOfScope,
        RunEnd::Completed if report.items == 0 && report.mutations == 0 => FailureClass::MissingInput,
        RunEnd::Completed => FailureClass::WrongArgs,
    }
}

fn of_error(class: ErrorClass) -> FailureClass {
    match class {
        ErrorClass::InvalidArgs
        | ErrorClass::AlreadyExists
        | ErrorClass::TooLarge
        | ErrorClass::UnresolvedPlaceholder
        | ErrorClass::AmbiguousSourceContext
        | ErrorClass::DuplicateRead => FailureClass::WrongArgs,
        ErrorClass::NeedsDataSource | ErrorClass::NeedsContentFetch | ErrorClass::PipelineAlreadyClosed => {
            FailureClass::WrongTool
        }
        ErrorClass::NotFound | ErrorClass::NeedsActionTarget | ErrorClass::NeedsLocation | ErrorClass::NeedsInputs => {
            FailureClass::MissingInput
        }
        // Looking for a way around a no is not recovery.
        ErrorClass::PermissionDenied
        | ErrorClass::Forbidden
        | ErrorClass::Refused
        | ErrorClass::AuthRequired
        | ErrorClass::CapabilityMissing
        | ErrorClass::UnknownOutcome
        | ErrorClass::Timeout
        | ErrorClass::Network
        | ErrorClass::ServerError
        | ErrorClass::RateLimited
        | ErrorClass::ModelUnavailable
        | ErrorClass::NonJson
        | ErrorClass::Crashed
        | ErrorClass::Internal => FailureClass::OutOfScope,
    }
}

#[cfg(test)]
mod tests;
