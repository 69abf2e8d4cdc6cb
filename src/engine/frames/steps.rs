//! Filled frames as the steps of a plan. Called by `frames`; what it writes is validated like any other plan.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fill::Fitted;
use crate::{
    domain::{
        ids::{ExecutorName, StepId},
        manifest::{ArgSpec, Manifest},
        plan::{Plan, Proposed, Step},
        question::FieldKind,
        reference::Argument,
        vocabulary::{Object, Verb},
    },
    engine::things::Filled,
};

/// The plan of these frames, in order; `None` where a value does not fit its argument.
pub(super) fn plan(chosen: &[Fitted<'_>], manifests: &[Arc<Manifest>]) -> Option<Plan<Proposed>> {
    let mut steps: Vec<Step> = Vec::new();
    // One question is put first; two at once nobody answers.
    let mut open = chosen
        .iter()
        .flat_map(|fitted| &fitted.filled)
        .filter(|filled| !filled.choices.is_empty());
    let asked = open.next();
    if open.next().is_some() {
        return None;
    }
    if let Some(filled) = asked {
        steps.push(question(filled, manifests)?);
    }
    for fitted in chosen {
        let before = u32::try_from(steps.len()).ok().filter(|_| fitted.is_fed);
        let source = match &fitted.source {
            Some(source) => {
                let step = step(steps.len() + 1, source, None)?;
                steps.push(step);
                u32::try_from(steps.len()).ok()
            }
            None => before,
        };
        steps.push(step(steps.len() + 1, fitted, source)?);
        for further in &fitted.frame.then {
            let mut args = Vec::new();
            for (name, value) in &further.set {
                args.push((name.clone(), value.clone()));
            }
            for (name, kind) in &further.take {
                let filled = fitted.filled.iter().find(|filled| filled.kind == *kind)?;
                args.push((name.clone(), filled.value.clone()));
            }
            steps.push(written(steps.len() + 1, fitted.frame.manifest, args, None)?);
        }
    }
    // The same deed in two clauses is one.
    let mut kept: Vec<Step> = Vec::new();
    for step in steps {
        let is_known = kept
            .iter()
            .any(|known| known.tool == step.tool && known.args == step.args);
        if !is_known || step.from_step.is_some() {
            kept.push(step);
        }
    }
    for (step, number) in kept.iter_mut().zip(1..) {
        step.id = StepId(number);
    }
    (!kept.is_empty()).then(|| Plan::new(kept, None))
}

fn step(number: usize, fitted: &Fitted<'_>, from_step: Option<u32>) -> Option<Step> {
    let fixed = fitted
        .frame
        .set
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()));
    let filled = fitted.filled.iter().filter(|filled| !filled.arg.is_empty());
    let filled = filled.map(|filled| (filled.arg.clone(), filled.value.clone()));
    let args: Vec<(String, Value)> = fixed.chain(filled).chain(fitted.chosen.iter().cloned()).collect();
    let mut step = written(number, fitted.frame.manifest, args, from_step)?;
    let open = fitted.filled.iter().find(|filled| !filled.choices.is_empty());
    let arg = open.and_then(|filled| step.args.iter_mut().find(|(name, _)| *name == filled.arg));
    if let Some((name, argument)) = arg {
        let answer = Argument::parse_text(&format!("${{step1.values.{name}}}"));
        let is_list = matches!(argument, Argument::Literal(Value::Array(_)));
        *argument = if is_list { Argument::List(vec![answer]) } else { answer };
    }
    Some(step)
}

fn written(number: usize, manifest: &Manifest, args: Vec<(String, Value)>, from_step: Option<u32>) -> Option<Step> {
    let mut fitting = Vec::new();
    for (name, value) in args {
        let spec = manifest.arg(&name)?;
        fitting.push((name, Argument::Literal(shaped(spec, value)?)));
    }
    fitting.sort_by_key(|(name, _)| manifest.args.iter().position(|arg| arg.name == *name));
    Some(Step {
        id: StepId(u16::try_from(number).ok()?),
        tool: ExecutorName::from(manifest.name.as_str()),
        from_step,
        args: fitting,
        if_prev_entries_nonempty: false,
    })
}

/// Asks which of several is meant.
fn question(filled: &Filled, manifests: &[Arc<Manifest>]) -> Option<Step> {
    let asks = |manifest: &&Arc<Manifest>| (manifest.verb, manifest.object) == (Some(Verb::Get), Some(Object::Inputs));
    let asker = manifests.iter().find(asks)?;
    let fields = json!([{"var": filled.arg, "kind": FieldKind::Choice, "options": filled.choices}]);
    let arg = asker.args.first()?;
    Some(Step {
        id: StepId(1),
        tool: asker.name.clone(),
        from_step: None,
        args: vec![(arg.name.clone(), Argument::Literal(fields))],
        if_prev_entries_nonempty: false,
    })
}

/// A value in the form its argument takes: one thing as a list of one, a number as words where words are asked for.
fn shaped(spec: &ArgSpec, value: Value) -> Option<Value> {
    let form = spec.schema.get("type").and_then(Value::as_str).unwrap_or("string");
    match (form, value) {
        ("array", value @ Value::Array(_)) => Some(value),
        ("array", value) => Some(json!([value])),
        ("string", Value::Array(mut values)) if values.len() == 1 => values.pop(),
        ("string", Value::Array(_)) => None,
        ("string", Value::Number(number)) => Some(json!(number.to_string())),
        ("integer" | "number", Value::String(text)) => text.parse::<f64>().ok().map(|number| json!(number)),
        (_, value) => Some(value),
    }
}
