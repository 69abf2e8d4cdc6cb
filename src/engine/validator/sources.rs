//! What feeds a step: entries written as a reference become `from_step`, and a step that takes no entries gets none.

use std::collections::BTreeMap;

use crate::domain::{
    manifest::{Feed, Manifest},
    plan::{Plan, Proposed, Step},
    reference::{Argument, PathPart, Reference},
};

use super::{Lookup, ValidationError};

/// Argument names a model uses for the list that `from_step` means.
const ENTRIES: &str = "entries";

/// Reads `entries: "${stepN.entries}"` as the `from_step: N` it means, for tools that take entries.
pub(super) fn wire(plan: Plan<Proposed>, manifests: Lookup<'_>) -> Plan<Proposed> {
    let fillers: BTreeMap<_, _> = plan.fillers.clone();
    let folded = plan.folded().cloned();
    let mut steps = plan.steps;
    for step in &mut steps {
        let takes_entries = manifests(&step.tool).is_some_and(|manifest| manifest.feed != Feed::None);
        if !takes_entries || step.from_step.is_some() {
            continue;
        }
        let found = step.args.iter().enumerate().find_map(|(index, (name, argument))| {
            (name == ENTRIES)
                .then(|| whole_list(argument))
                .flatten()
                .map(|number| (index, number))
        });
        if let Some((index, number)) = found {
            step.args.remove(index);
            step.from_step = Some(number);
        }
    }
    let mut wired = Plan::new(steps, plan.final_message).standing_for(folded);
    wired.fillers = fillers;
    wired
}

/// The step whose whole list this argument is.
fn whole_list(argument: &Argument) -> Option<u32> {
    let Argument::Reference(Reference::Step { number, path }) = argument else {
        return None;
    };
    let whole = match path.as_slice() {
        [] => true,
        [PathPart::Field(name)] => name == ENTRIES || name == "results",
        [PathPart::Field(name), PathPart::Every] => name == ENTRIES || name == "results",
        [_, ..] => false,
    };
    whole.then_some(*number)
}

/// A `from_step` that means nothing to the executor.
pub(super) fn check(step: &Step, manifest: &Manifest, errors: &mut Vec<ValidationError>) {
    // A condition needs to know which step it asks about, even if no entries flow.
    let is_condition = step.if_prev_entries_nonempty;
    if manifest.feed == Feed::None && step.from_step.is_some() && !is_condition {
        errors.push(ValidationError::FromStepUseless {
            step: step.id,
            tool: step.tool.clone(),
        });
    }
}
