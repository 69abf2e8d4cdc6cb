//! L2: turns a proposed plan into one that can run, or says everything that is wrong with it at once.
//!
//! Called by `engine::dispatch` for every plan, remembered ones included, and by recovery's repairs. It reads manifests
//! and the request, never runs anything, never asks a model and never changes what a plan means.

use std::sync::Arc;

use crate::{
    domain::{
        ids::ExecutorName,
        limits::{SAME_EXECUTOR_MAX, SAME_VECTOR_EXECUTOR_MAX, STEPS_MAX},
        manifest::Manifest,
        plan::{Plan, Proposed, Step, Validated},
        vocabulary::Verb,
    },
    engine::meant::Meant,
};

mod args;
pub(crate) use args::accepts;
pub mod coverage;
mod error;
mod grounding;
mod provenance;
mod references;
mod shape;
mod sources;
mod told;

pub(crate) use references::steps_of;

pub use coverage::{dropped_verbs, required_verbs};
pub use error::{Place, ValidationError};
pub use provenance::{aims_from_outside, carries_home_text};

/// Finds the manifest of an executor in the catalog of this turn.
pub type Lookup<'a> = &'a (dyn Fn(&ExecutorName) -> Option<Arc<Manifest>> + Send + Sync);

/// Whether the values of steps with effects must stand in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grounding {
    /// They must.
    Checked,
    /// The person has already seen and approved exactly this plan.
    Approved,
}

/// What a plan is checked against, besides the catalog.
#[derive(Clone, Copy, Debug)]
pub struct ValidationContext<'a> {
    /// What the person said.
    pub request: &'a str,
    /// Numbers the language layer read in it that are not written in digits, such as "three".
    pub numbers: &'a [u64],
    /// Paths that words of it stand for, found on the disk.
    pub by_name: &'a [String],
    /// Verbs the plan must cover, as `required_verbs` gives them.
    pub required_verbs: &'a [Verb],
    /// Whether values must be grounded.
    pub grounding: Grounding,
    /// What its words mean in the person's home; `None` where they are read word by word.
    pub meant: Option<&'a Meant<'a>>,
}

impl<'a> ValidationContext<'a> {
    /// The usual case: a plan for this request.
    pub fn new(request: &'a str, required_verbs: &'a [Verb]) -> Self {
        Self {
            request,
            numbers: &[],
            by_name: &[],
            required_verbs,
            grounding: Grounding::Checked,
            meant: None,
        }
    }
}

/// A step beside the manifest of its tool; `None` when there is no such tool.
struct Checked<'a> {
    step: &'a Step,
    manifest: Option<Arc<Manifest>>,
}

/// Checks a plan. All errors come at once, in the order of the steps, so that the one re-proposal can mend them all.
pub fn validate(
    plan: Plan<Proposed>,
    manifests: Lookup<'_>,
    context: &ValidationContext<'_>,
) -> Result<Plan<Validated>, Vec<ValidationError>> {
    let plan = sources::wire(plan, manifests);
    let mut errors = Vec::new();
    whole_plan(&plan, manifests, &mut errors);
    let steps: Vec<Checked<'_>> = plan
        .steps
        .iter()
        .map(|step| Checked {
            step,
            manifest: manifests(&step.tool),
        })
        .collect();
    for (position, checked) in steps.iter().enumerate() {
        references::check_step(&plan, position, &mut errors);
        let Some(manifest) = &checked.manifest else {
            errors.push(ValidationError::ToolUnknown {
                step: checked.step.id,
                tool: checked.step.tool.clone(),
            });
            continue;
        };
        args::check(checked.step, manifest, &mut errors);
        sources::check(checked.step, manifest, &mut errors);
        if context.grounding == Grounding::Checked && manifest.effect.changes_something() {
            grounding::check(checked.step, manifest, context, &mut errors);
        }
    }
    shape::check(&steps, &mut errors);
    references::check_closing(&plan, &mut errors);
    for verb in dropped_verbs(&plan, context.required_verbs) {
        errors.push(ValidationError::VerbMissing { verb });
    }
    if errors.is_empty() {
        Ok(plan.into_validated())
    } else {
        Err(errors)
    }
}

/// Values of steps that change something which the person never said and which nothing of theirs is meant by. Such a
/// plan is no mistake by that alone, but it is shown before it is carried out.
pub fn ungrounded(
    plan: &Plan<Validated>,
    manifests: Lookup<'_>,
    context: &ValidationContext<'_>,
) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    for step in &plan.steps {
        if let Some(manifest) = manifests(&step.tool).filter(|manifest| manifest.effect.changes_something()) {
            grounding::check(step, &manifest, context, &mut errors);
        }
    }
    errors
}

/// Web addresses a plan fetches that nobody said: fetching tells a server something, so it is no harmless look.
pub fn unsaid_addresses(
    plan: &Plan<Validated>,
    manifests: Lookup<'_>,
    context: &ValidationContext<'_>,
) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    for step in &plan.steps {
        if let Some(manifest) = manifests(&step.tool) {
            grounding::check_addresses(step, &manifest, context, &mut errors);
        }
    }
    errors
}

/// Number of steps, calls per executor and steps written twice.
fn whole_plan(plan: &Plan<Proposed>, manifests: Lookup<'_>, errors: &mut Vec<ValidationError>) {
    if plan.steps.is_empty() {
        errors.push(ValidationError::NoSteps);
    }
    if plan.steps.len() > STEPS_MAX {
        errors.push(ValidationError::TooManySteps {
            count: plan.steps.len(),
        });
    }
    let mut counted: Vec<(&ExecutorName, usize)> = Vec::new();
    for step in &plan.steps {
        match counted.iter_mut().find(|(tool, _)| *tool == &step.tool) {
            Some((_, count)) => *count += 1,
            None => counted.push((&step.tool, 1)),
        }
    }
    for (tool, count) in counted {
        let max = manifests(tool).map_or(SAME_EXECUTOR_MAX, |manifest| calls_max(&manifest));
        if count > max {
            errors.push(ValidationError::TooManyCalls {
                tool: tool.clone(),
                count,
                max,
            });
        }
    }
    for pair in plan.steps.windows(2) {
        if let [first, second] = pair
            && first.tool == second.tool
            && first.from_step == second.from_step
            && first.args == second.args
        {
            errors.push(ValidationError::DuplicateStep {
                step: second.id,
                of: first.id,
            });
        }
    }
}

/// How often one turn may call this executor: less often when one call takes a list of targets.
pub fn calls_max(manifest: &Manifest) -> usize {
    if manifest.args.iter().any(args::is_target_list) {
        SAME_VECTOR_EXECUTOR_MAX
    } else {
        SAME_EXECUTOR_MAX
    }
}

#[cfg(test)]
mod tests;
