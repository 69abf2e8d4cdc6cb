//! The shape `E+ (F|A)?`, per branch: what a step works on is where its entries come from (`from_step`), so
//! two actions on two branches are two pipelines and legal. A single value (`${stepN.field}`) may come from any step.

use crate::domain::{
    kind::Class,
    manifest::{ArgSpec, Feed, Manifest},
    plan::Step,
    reference::Argument,
    vocabulary::{ShapeRole, Verb},
};

use super::{Checked, ValidationError, args, references};

/// Walks the plan; steps with unknown tools, and system tools, do not move any branch.
pub(super) fn check(steps: &[Checked<'_>], errors: &mut Vec<ValidationError>) {
    for checked in steps {
        let Some(manifest) = checked.manifest.as_deref() else {
            continue;
        };
        let step = checked.step;
        if let Some(after) = closed_source(steps, step) {
            errors.push(ValidationError::PipelineAlreadyClosed {
                step: step.id,
                after: after.id,
            });
            continue;
        }
        if let Some(error) = missing_source(step, manifest) {
            errors.push(error);
        }
    }
}

/// The part a tool plays; `None` for system tools, which stand outside the flow.
pub(crate) fn role(manifest: &Manifest) -> Option<ShapeRole> {
    manifest.verb.map(Verb::shape_role)
}

/// The step that feeds this one, if it closed its branch.
fn closed_source<'a>(steps: &[Checked<'a>], step: &Step) -> Option<&'a Step> {
    let number = step.from_step?;
    let source = steps.iter().find(|checked| u32::from(checked.step.id.0) == number)?;
    match role(source.manifest.as_deref()?)? {
        ShapeRole::Emit => None,
        ShapeRole::Present | ShapeRole::Act => (!step.if_prev_entries_nonempty).then_some(source.step),
    }
}

/// The error of a step that has nothing to work on.
fn missing_source(step: &Step, manifest: &Manifest) -> Option<ValidationError> {
    // What a step would hand over may be said by its ids: of things that were shown before.
    let names_them = |(name, argument): &(String, Argument)| {
        let takes = manifest.arg(name).is_some_and(|arg| arg.from_entries_key.is_some());
        takes && !args::is_empty(argument)
    };
    let needs_entries =
        manifest.feed == Feed::Required && step.from_step.is_none() && !step.args.iter().any(names_them);
    let no_data = || ValidationError::NeedsDataSource {
        step: step.id,
        tool: step.tool.clone(),
    };
    let no_target = || ValidationError::NeedsActionTarget {
        step: step.id,
        tool: step.tool.clone(),
    };
    match role(manifest)? {
        ShapeRole::Emit => needs_entries.then(no_data),
        ShapeRole::Present => (needs_entries || !has_data(step)).then(no_data),
        ShapeRole::Act => (needs_entries || takes_target(manifest) && !has_target(step, manifest)).then(no_target),
    }
}

/// Fed by a step, refers to one, or holds a list itself.
fn has_data(step: &Step) -> bool {
    step.from_step.is_some()
        || step.args.iter().any(|(_, argument)| match argument {
            Argument::Literal(value) => value.as_array().is_some_and(|items| !items.is_empty()),
            Argument::List(items) => !items.is_empty(),
            Argument::Reference(_) | Argument::Text(_) | Argument::Object(_) => {
                !references::steps_of(argument).is_empty()
            }
        })
}

fn takes_target(manifest: &Manifest) -> bool {
    manifest.feed != Feed::None || manifest.args.iter().any(is_target)
}

/// Fed by a step, or some argument that names what to act on has a value.
fn has_target(step: &Step, manifest: &Manifest) -> bool {
    step.from_step.is_some()
        || step.args.iter().any(|(name, argument)| {
            let named = manifest.arg(name).is_some_and(is_target);
            named && !args::is_empty(argument)
        })
}

/// Whether an argument can be what an action acts on, rather than how it acts: what entries fill is.
fn is_target(spec: &ArgSpec) -> bool {
    match spec.class() {
        _ if spec.from_entries_key.is_some() => true,
        Class::File
        | Class::Folder
        | Class::Target
        | Class::Address
        | Class::Glob
        | Class::Column
        | Class::Words
        | Class::Unknown => true,
        Class::Window | Class::Number | Class::Text | Class::Choice | Class::Whereabouts | Class::Moment => false,
    }
}
