//! Whether every reference of a plan points at something that will be there: an earlier step, a filler the plan
//! defines, a value the turn has. Called by the validator; what the value is, is found out while the plan runs.

use crate::{
    domain::{
        plan::{Plan, Proposed},
        reference::{Argument, Part, Reference, parse_parts},
    },
    engine::plan_executor::turn_values::TurnValue,
};

use super::{Place, ValidationError};

/// Checks `from_step` and the references of the step at this position, and of the fillers it uses.
pub(super) fn check_step(plan: &Plan<Proposed>, position: usize, errors: &mut Vec<ValidationError>) {
    let Some(step) = plan.steps.get(position) else {
        return;
    };
    if let Some(number) = step.from_step
        && !is_before(plan, number, position)
    {
        errors.push(ValidationError::FromStepInvalid { step: step.id, number });
    }
    for reference in step.args.iter().flat_map(|(_, argument)| argument.references()) {
        check_one(plan, reference, &Place::Step(step.id), position, errors);
    }
}

/// Checks the closing text, which may refer to every step.
pub(super) fn check_closing(plan: &Plan<Proposed>, errors: &mut Vec<ValidationError>) {
    for reference in plan.closing_references() {
        check_one(plan, &reference, &Place::Closing, plan.steps.len(), errors);
    }
}

fn check_one(
    plan: &Plan<Proposed>,
    reference: &Reference,
    place: &Place,
    position: usize,
    errors: &mut Vec<ValidationError>,
) {
    match reference {
        Reference::Step { number, .. } => {
            if !is_before(plan, *number, position) {
                push_once(
                    errors,
                    ValidationError::ReferenceInvalid {
                        place: place.clone(),
                        number: *number,
                    },
                );
            }
        }
        Reference::Runtime(key) => {
            if TurnValue::parse(key).is_none() {
                push_once(
                    errors,
                    ValidationError::RuntimeKeyUnknown {
                        place: place.clone(),
                        key: key.clone(),
                    },
                );
            }
        }
        Reference::Filler(name) => match plan.fillers.get(name) {
            None => push_once(
                errors,
                ValidationError::FillerUnknown {
                    place: place.clone(),
                    name: name.clone(),
                },
            ),
            Some(filler) => {
                let inside = Place::Filler(name.clone());
                for reference in references_in(&filler.prompt) {
                    if matches!(reference, Reference::Filler(_)) {
                        push_once(errors, ValidationError::FillerNested { name: name.clone() });
                    } else {
                        check_one(plan, &reference, &inside, position, errors);
                    }
                }
            }
        },
    }
}

/// References of a text.
pub(crate) fn references_in(text: &str) -> Vec<Reference> {
    parse_parts(text)
        .into_iter()
        .filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Reference(reference) => Some(reference),
        })
        .collect()
}

fn is_before(plan: &Plan<Proposed>, number: u32, position: usize) -> bool {
    plan.position(number)
        .and_then(|at| usize::try_from(at).ok())
        .is_some_and(|at| at < position)
}

fn push_once(errors: &mut Vec<ValidationError>, error: ValidationError) {
    if !errors.contains(&error) {
        errors.push(error);
    }
}

/// Numbers of the steps an argument refers to.
pub(crate) fn steps_of(argument: &Argument) -> Vec<u32> {
    argument
        .references()
        .into_iter()
        .filter_map(|reference| match reference {
            Reference::Step { number, .. } => Some(*number),
            Reference::Filler(_) | Reference::Runtime(_) => None,
        })
        .collect()
}
