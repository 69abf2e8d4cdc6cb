//! What comes before a step runs: its source, its arguments, caps and repeats.

use serde_json::{Map, Value, json};

use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ActorId,
        limits::STEPS_MAX,
        manifest::{Effect, Feed, Manifest},
        message::Message,
        outcome::FinalKind,
        plan::Step,
        reference::Argument,
        run::StepRecord,
    },
    engine::validator::{Lookup, accepts, calls_max, steps_of},
};

use super::{DUPLICATE_OF, Ready, RunState};
use crate::engine::plan_executor::{
    operation::{operation_hash, targets},
    projection,
    resolve::Unresolved,
    turn_values::TurnValue,
};

/// Tools that may be called again with the same arguments.
const REPEATABLE: &str = "scratchpad_read";
/// The argument of tools that must know of entries a source found but did not keep.
const SOURCE_TOTAL: &str = "source_total";
/// The argument of tools that must know how large those were, and the field of a source that says so.
const SOURCE_SIZE: (&str, &str) = ("source_size", "size_total");

impl Ready {
    /// Takes the arguments with everything in them that they stand for: that is what is approved, and what runs.
    pub fn fill_in(&mut self, args: Map<String, Value>, actor: &ActorId) {
        self.operation = operation_hash(&self.step.tool, &Value::Object(args.clone()), actor);
        self.targets = targets(&self.manifest, &args);
        self.target_count = self.targets.len();
        self.args = args;
    }
}

impl RunState<'_> {
    /// The entries that feed a step, if the step has a source that emits any.
    pub(super) fn source_entries(&self, step: &Step) -> Option<Vec<Value>> {
        if let Some(entries) = self.feeds.get(&step.id) {
            return Some(entries.clone());
        }
        let result = self.scope().result(step.from_step?)?;
        projection::payload(result).cloned()
    }

    /// What the source of a step says of all there is when it kept only some of it.
    fn of_cut_source(&self, step: &Step, field: &str) -> Option<Value> {
        if self.feeds.contains_key(&step.id) {
            return None;
        }
        let body = &self.scope().result(step.from_step?)?.body;
        let is_cut = body.get("truncated").and_then(Value::as_bool) == Some(true);
        body.get(field).filter(|_| is_cut).cloned()
    }

    /// The condition of the plan is not met, or an action was given an empty list.
    pub(super) fn has_nothing_to_do(&self, step: &Step, manifest: &Manifest) -> bool {
        if step.if_prev_entries_nonempty {
            let referred = step.args.iter().flat_map(|(_, argument)| steps_of(argument)).next();
            let before = self.plan.steps.iter().take_while(|other| other.id != step.id).last();
            let source = step.from_step.or(referred).or(before.map(|step| u32::from(step.id.0)));
            let result = source.and_then(|number| self.scope().result(number));
            if result.and_then(projection::payload).is_some_and(Vec::is_empty) {
                return true;
            }
        }
        let acts = manifest.effect.changes_something() && manifest.feed != Feed::None;
        acts && self.source_entries(step).is_some_and(|entries| entries.is_empty())
    }

    /// The arguments with every reference resolved and the entries of `from_step` in their place; `None` when a list
    /// they need came out empty, so that there is nothing to do.
    pub(super) fn resolve(&self, step: &Step, manifest: &Manifest) -> Result<Option<Map<String, Value>>, Unresolved> {
        let scope = self.scope();
        let mut args = Map::new();
        for (name, argument) in &step.args {
            let value = scope.argument(argument)?;
            let literal = matches!(argument, Argument::Literal(_));
            let value = match manifest.arg(name) {
                Some(spec) if !literal => projection::fit(spec, value),
                Some(_) | None => value,
            };
            if !value.is_null() {
                args.insert(name.clone(), value);
            }
        }
        if step.from_step.is_some() || self.feeds.contains_key(&step.id) {
            match self.source_entries(step) {
                Some(entries) => {
                    projection::feed(manifest, &entries, &mut args)?;
                    for (name, field) in [(SOURCE_TOTAL, "available_total"), SOURCE_SIZE] {
                        if let (Some(_), Some(all)) = (manifest.arg(name), self.of_cut_source(step, field)) {
                            args.insert(name.to_owned(), all);
                        }
                    }
                }
                None if manifest.feed == Feed::Required => {
                    let number = step.from_step.unwrap_or_default();
                    return Err(Unresolved::Missing {
                        reference: format!("step{number}.entries"),
                    });
                }
                None => {}
            }
        }
        for spec in manifest.args.iter().filter(|spec| spec.runtime_resolved) {
            let value = TurnValue::parse(&spec.name).and_then(|value| value.of(self.turn));
            if let Some(value) = value {
                args.insert(spec.name.clone(), Value::String(value));
            }
        }
        for spec in manifest
            .args
            .iter()
            .filter(|spec| spec.required && !spec.runtime_resolved)
        {
            match args.get(&spec.name) {
                None => {
                    return Err(Unresolved::Missing {
                        reference: spec.name.clone(),
                    });
                }
                Some(Value::Array(list)) if list.is_empty() && accepts(&spec.schema, "array") => {
                    return Ok(None);
                }
                Some(_) => {}
            }
        }
        Ok(Some(args))
    }

    /// A cap that one more call would break.
    pub(super) fn cap(&self, manifest: &Manifest) -> Option<FinalKind> {
        let ran = || {
            self.records
                .iter()
                .filter(|record| !record.skipped && !is_repeat(record))
        };
        if ran().count() >= STEPS_MAX {
            return Some(FinalKind::CapSteps);
        }
        let calls = ran()
            .filter(|record| record.tool == manifest.name && !self.remedial.contains_key(&record.id))
            // The retry after a remedy is the same call again.
            .filter(|record| record.result.is_ok())
            .count();
        (calls >= calls_max(manifest)).then_some(FinalKind::CapSameExecutor)
    }

    /// An earlier, successful, identical read, unless something was changed since.
    pub(super) fn same_read(&self, step: &Step, manifest: &Manifest, args: &Map<String, Value>) -> Option<StepRecord> {
        if manifest.effect != Effect::Read || step.tool.as_str() == REPEATABLE {
            return None;
        }
        self.records
            .iter()
            .rev()
            .take_while(|record| !record.has_effect || record.skipped)
            .find(|record| {
                record.tool == step.tool
                    && record.result.is_ok()
                    && !record.skipped
                    && record.resolved_args.as_object() == Some(args)
            })
            .cloned()
    }

    /// What is known already is not read again: the step has the answer of the one before. A plan that asks a third
    /// time goes round in a circle, and another one is better.
    pub(super) fn repeat(
        &mut self,
        step: &Step,
        args: Map<String, Value>,
        earlier: &StepRecord,
        manifests: Lookup<'_>,
    ) {
        let is_round = self.records.iter().any(|record| {
            is_repeat(record) && record.tool == step.tool && record.resolved_args.as_object() == Some(&args)
        });
        if is_round {
            let message = Message::new("run-duplicate-read").with("tool", step.tool.as_str());
            self.fail(
                step,
                args,
                ToolError::new(ErrorClass::DuplicateRead, message),
                manifests,
            );
            return;
        }
        let mut result = earlier.result.clone();
        result.body.insert(DUPLICATE_OF.to_owned(), json!(earlier.id.0));
        let record = self.blank(step, args, result);
        self.records.push(record);
        self.done.insert(step.id);
    }

    /// What the last step found that found anything else than these.
    pub(super) fn found_besides(&self, entries: &[Value]) -> Vec<Value> {
        let ran = self.records.iter().rev().filter(|record| record.result.is_ok());
        let mut lists = ran.filter_map(|record| projection::payload(&record.result));
        let other = lists.find(|list| !list.is_empty() && list.as_slice() != entries);
        other.cloned().unwrap_or_default()
    }
}

fn is_repeat(record: &StepRecord) -> bool {
    record.result.body.contains_key(DUPLICATE_OF)
}
