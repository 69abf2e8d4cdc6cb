//! Arguments against the manifest: names, types, what must be there. References count as present and of any type, as
//! their values are known only while the plan runs; the executor checks those itself.

use jsonschema::ValidationError as SchemaError;
use serde_json::{Map, Value};

use crate::domain::{
    kind::Class,
    manifest::{ArgSpec, Feed, Manifest},
    plan::Step,
    reference::Argument,
};

use super::ValidationError;

/// Characters of a schema's complaint that are passed on.
const WHY_CHARS_MAX: usize = 200;

/// Checks every argument of a step.
pub(super) fn check(step: &Step, manifest: &Manifest, errors: &mut Vec<ValidationError>) {
    for (name, argument) in &step.args {
        match manifest.arg(name) {
            None => errors.push(ValidationError::ArgumentUnknown {
                step: step.id,
                tool: step.tool.clone(),
                arg: name.clone(),
            }),
            Some(spec) if spec.runtime_resolved => errors.push(ValidationError::ArgumentReserved {
                step: step.id,
                arg: name.clone(),
            }),
            Some(spec) => check_value(step, spec, argument, errors),
        }
    }
    for spec in manifest
        .args
        .iter()
        .filter(|spec| spec.required && !spec.runtime_resolved)
    {
        if !is_provided(step, manifest, &spec.name) && given(step, &spec.name).is_none() {
            errors.push(ValidationError::ArgumentMissing {
                step: step.id,
                tool: step.tool.clone(),
                arg: spec.name.clone(),
            });
        }
    }
    for group in &manifest.requires_one_of {
        // A member that is required by itself was reported above.
        let reported = group.iter().any(|name| {
            manifest
                .arg(name)
                .is_some_and(|spec| spec.required && !spec.runtime_resolved)
        });
        if !reported && !group.iter().any(|name| is_provided(step, manifest, name)) {
            errors.push(ValidationError::OneOfMissing {
                step: step.id,
                tool: step.tool.clone(),
                group: group.clone(),
            });
        }
    }
}

/// Whether a list of targets may be given at once.
pub(super) fn is_target_list(spec: &ArgSpec) -> bool {
    accepts(&spec.schema, "array") && !spec.runtime_resolved && is_place(spec.class())
}

/// Whether an argument names something in the world.
pub(super) fn is_place(class: Class) -> bool {
    class.is_place() || class == Class::Address
}

/// Whether a JSON Schema's `type` is, or holds, this one.
pub(crate) fn accepts(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name.as_str() == Some(kind)),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => false,
    }
}

/// The argument as the plan gives it; an explicit null is no argument.
pub(super) fn given<'a>(step: &'a Step, name: &str) -> Option<&'a Argument> {
    step.args
        .iter()
        .find(|(given, argument)| given == name && *argument != Argument::Literal(Value::Null))
        .map(|(_, argument)| argument)
}

/// Whether the argument will have a value: given and not empty, or taken from the entries that feed the step.
fn is_provided(step: &Step, manifest: &Manifest, name: &str) -> bool {
    let fed = step.from_step.is_some() && manifest.feed != Feed::None;
    if name == "from_step" || name == "entries" {
        return fed;
    }
    if given(step, name).is_some_and(|argument| !is_empty(argument)) {
        return true;
    }
    fed && manifest.arg(name).is_some_and(|spec| spec.from_entries_key.is_some())
}

/// A literal that holds nothing.
pub(super) fn is_empty(argument: &Argument) -> bool {
    match argument {
        Argument::Literal(Value::Null) => true,
        Argument::Literal(Value::String(text)) => text.trim().is_empty(),
        Argument::Literal(Value::Array(items)) => items.is_empty(),
        Argument::Literal(Value::Object(fields)) => fields.is_empty(),
        Argument::Literal(Value::Bool(_) | Value::Number(_)) => false,
        Argument::Reference(_) | Argument::Text(_) | Argument::List(_) | Argument::Object(_) => false,
    }
}

fn check_value(step: &Step, spec: &ArgSpec, argument: &Argument, errors: &mut Vec<ValidationError>) {
    if given(step, &spec.name).is_none() {
        return;
    }
    // An empty file can be wanted; an empty target never is.
    if spec.required && spec.class() != Class::Text && is_empty(argument) {
        errors.push(ValidationError::ArgumentEmpty {
            step: step.id,
            arg: spec.name.clone(),
        });
        return;
    }
    let mut holes = Vec::new();
    let value = with_holes(argument, "", &mut holes);
    let complaint = match jsonschema::validator_for(&spec.schema) {
        Ok(validator) => validator
            .iter_errors(&value)
            .find(|error| !is_about_hole(error, &holes))
            .map(|error| error.to_string()),
        // The catalog refuses manifests with a broken schema; if one is here, nothing is known to fit it.
        Err(error) => Some(error.to_string()),
    };
    if let Some(why) = complaint {
        errors.push(ValidationError::ArgumentInvalid {
            step: step.id,
            arg: spec.name.clone(),
            why: why.chars().take(WHY_CHARS_MAX).collect(),
        });
    }
}

/// The argument as a value with null in place of every reference, and where those are.
fn with_holes(argument: &Argument, at: &str, holes: &mut Vec<String>) -> Value {
    match argument {
        Argument::Literal(value) => value.clone(),
        Argument::Reference(_) | Argument::Text(_) => {
            holes.push(at.to_owned());
            Value::Null
        }
        Argument::List(items) => Value::Array(
            items
                .iter()
                .enumerate()
                .map(|(index, item)| with_holes(item, &format!("{at}/{index}"), holes))
                .collect(),
        ),
        Argument::Object(fields) => {
            let mut object = Map::new();
            for (name, field) in fields {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                object.insert(name.clone(), with_holes(field, &format!("{at}/{escaped}"), holes));
            }
            Value::Object(object)
        }
    }
}

/// Whether the complaint comes from a value that is not known yet: at it, below it, or a combination around it.
fn is_about_hole(error: &SchemaError<'_>, holes: &[String]) -> bool {
    if holes.is_empty() {
        return false;
    }
    let path = error.instance_path().to_string();
    let combines = matches!(
        error.kind().keyword(),
        "anyOf" | "oneOf" | "allOf" | "not" | "uniqueItems"
    );
    holes
        .iter()
        .any(|hole| path == *hole || path.starts_with(&format!("{hole}/")) || combines && hole.starts_with(&path))
}
