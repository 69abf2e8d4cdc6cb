//! Composites: an executor whose manifest holds a plan with parameters. In a plan it is one step; before the plan is
//! validated the step becomes the steps it stands for, so that each of them passes the same checks, the same policy and
//! the same journal, and `undo` takes all of them back. Called by dispatch; pure.
//!
//! ```text
//! requests it grew out of ─ said ─► a call ─ expand ─► its steps ◄─ fold ─ what anybody plans that is just that
//! ```

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value, json};

use crate::domain::{
    ids::ExecutorName,
    manifest::{Kind, Manifest},
    plan::{Plan, Proposed},
    reference::Argument,
};

mod fold;
mod said;

pub use fold::folded;
pub use said::asked;

/// What stands in the plan of a composite where an argument goes.
const OPEN: &str = "${PARAM:";
const CLOSE: &str = "}";

/// The text that stands for a parameter.
pub fn parameter(name: &str) -> String {
    format!("{OPEN}{name}{CLOSE}")
}

/// The plan with every composite opened. A composite that lacks an argument stays closed: the validator says what is
/// missing.
pub fn expand(plan: Plan<Proposed>, manifests: &dyn Fn(&ExecutorName) -> Option<Arc<Manifest>>) -> Plan<Proposed> {
    let opened = |tool: &ExecutorName| {
        let manifest = manifests(tool)?;
        matches!(manifest.kind, Kind::Composite { .. }).then_some(manifest)
    };
    if plan.steps.iter().all(|step| opened(&step.tool).is_none()) {
        return plan;
    }
    let written = plan.to_json();
    let mut opening = Opening::default();
    for step in written.get("steps").and_then(Value::as_array).into_iter().flatten() {
        let tool = step.get("tool").and_then(Value::as_str).unwrap_or_default();
        let composite = opened(&ExecutorName::from(tool));
        let inner = composite.as_ref().and_then(|manifest| opening.bound(manifest, step));
        opening.push(step, inner);
    }
    match Plan::from_json(&opening.finished(&written)) {
        Ok(expanded) => expanded.standing_for(Some(written)),
        Err(_no_plan) => plan,
    }
}

/// A plan on its way from closed to open.
#[derive(Default)]
struct Opening {
    steps: Vec<Value>,
    fillers: Map<String, Value>,
    /// Where each step of the closed plan ends in the open one, by its number.
    ends: BTreeMap<u32, u32>,
    /// What the last composite says at its end.
    closing: Option<Value>,
}

impl Opening {
    /// The plan of a composite with the arguments of a step in it, its references as they are in the open plan.
    fn bound(&self, manifest: &Manifest, step: &Value) -> Option<Value> {
        let Kind::Composite { plan } = &manifest.kind else {
            return None;
        };
        let given = step.get("args").and_then(Value::as_object)?;
        let is_declared = |name: &String| manifest.arg(name).is_some();
        if !given.keys().all(is_declared) || !manifest.args.iter().all(|arg| given.contains_key(&arg.name)) {
            return None;
        }
        let outer = |number: u32| self.ends.get(&number).copied().unwrap_or(number);
        let values: BTreeMap<&str, Value> = given
            .iter()
            .map(|(name, value)| (name.as_str(), renumbered(value, &outer)))
            .collect();
        let base = u32::try_from(self.steps.len()).ok()?;
        let moved = moved(plan, &|number| base.saturating_add(number));
        Some(filled(&moved, &values))
    }

    fn push(&mut self, step: &Value, inner: Option<Value>) {
        let number = u32::try_from(self.ends.len() + 1).unwrap_or(u32::MAX);
        match inner {
            Some(inner) => {
                let steps = inner.get("steps").and_then(Value::as_array);
                self.steps.extend(steps.into_iter().flatten().cloned());
                let fillers = inner.get("fillers").and_then(Value::as_object);
                self.fillers.extend(fillers.cloned().into_iter().flatten());
                self.closing = inner.get("final_message").cloned();
            }
            None => {
                let ends = self.ends.clone();
                let outer = move |number: u32| ends.get(&number).copied().unwrap_or(number);
                self.steps.push(moved_step(step, &outer));
            }
        }
        let end = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        self.ends.insert(number, end);
    }

    fn finished(mut self, written: &Value) -> Value {
        let outer = |number: u32| self.ends.get(&number).copied().unwrap_or(number);
        let said = written.get("final_message").map(|text| renumbered(text, &outer));
        // Alone, a composite also says what it says.
        let closing = said.or(self.closing.filter(|_| self.ends.len() == 1));
        let own = written.get("fillers").and_then(Value::as_object).cloned();
        self.fillers.extend(own.into_iter().flatten());
        let mut plan = Map::new();
        plan.insert("steps".to_owned(), Value::Array(self.steps));
        if !self.fillers.is_empty() {
            plan.insert("fillers".to_owned(), Value::Object(self.fillers));
        }
        if let Some(closing) = closing {
            plan.insert("final_message".to_owned(), closing);
        }
        Value::Object(plan)
    }
}

fn renumbered(value: &Value, to: &dyn Fn(u32) -> u32) -> Value {
    Argument::parse(value).to_json(to)
}

/// The plan with other numbers for its steps.
fn moved(plan: &Value, to: &dyn Fn(u32) -> u32) -> Value {
    let steps = plan.get("steps").and_then(Value::as_array);
    let steps: Vec<Value> = steps.into_iter().flatten().map(|step| moved_step(step, to)).collect();
    let mut moved = plan.as_object().cloned().unwrap_or_default();
    moved.insert("steps".to_owned(), Value::Array(steps));
    if let Some(closing) = plan.get("final_message") {
        moved.insert("final_message".to_owned(), renumbered(closing, to));
    }
    Value::Object(moved)
}

fn moved_step(step: &Value, to: &dyn Fn(u32) -> u32) -> Value {
    let args = step.get("args").and_then(Value::as_object);
    let args: Map<String, Value> = args
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
            let value = match number.filter(|_| name == "from_step") {
                Some(number) => json!(to(number)),
                None => renumbered(value, to),
            };
            (name.clone(), value)
        })
        .collect();
    let mut moved = step.as_object().cloned().unwrap_or_default();
    moved.insert("args".to_owned(), Value::Object(args));
    Value::Object(moved)
}

/// Every parameter replaced by its value; one that is a whole argument keeps its kind.
fn filled(value: &Value, values: &BTreeMap<&str, Value>) -> Value {
    match value {
        Value::String(text) => filled_text(text, values),
        Value::Array(items) => Value::Array(items.iter().map(|item| filled(item, values)).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, field)| (name.clone(), filled(field, values)))
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn filled_text(text: &str, values: &BTreeMap<&str, Value>) -> Value {
    let name = text.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE));
    if let Some(value) = name.and_then(|name| values.get(name)) {
        return value.clone();
    }
    let whole = values.iter().fold(text.to_owned(), |text, (name, value)| {
        let words = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.replace(&parameter(name), &words)
    });
    Value::String(whole)
}

#[cfg(test)]
mod tests;
