//! Turns references into values while a plan runs.
//!
//! Called before every step and for the closing text. What cannot be found is an error, never an empty string, and two
//! entries that disagree are an error, never a guess.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
    plan::{Filler, Plan, Validated},
    reference::{Argument, Part, PathPart, Reference, parse_parts},
    run::{StepRecord, ToolResult},
    turn::Turn,
};

use super::{projection, turn_values::TurnValue, words::words};

/// Names that ask how many there are, whatever the tool calls it.
const COUNT_NAMES: [&str; 8] = [
    "count",
    "@count",
    "total",
    "n",
    "number",
    "size_of_list",
    "how_many",
    "total_count",
];
/// Where tools keep how many there are, the whole truth first.
const COUNT_FIELDS: [&str; 4] = ["available_total", "count", "ok_count", "used"];

/// Everything a reference can point at.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Whose fillers are meant.
    pub plan: &'a Plan<Validated>,
    /// What ran so far.
    pub records: &'a [StepRecord],
    /// What the fast model said, by the full prompt; `None` when it could not be asked.
    pub answers: &'a BTreeMap<String, Option<String>>,
    /// The turn's own values.
    pub turn: &'a Turn,
}

/// A small text the fast model has to write before the step can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillerCall {
    /// The filler's name in the plan.
    pub name: String,
    /// The whole prompt, references resolved: also the key under which the answer is kept.
    pub prompt: String,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// Nothing there.
    Missing {
        /// The reference as written.
        reference: String,
    },
    /// Entries disagree where one value is needed.
    Ambiguous {
        /// The reference, or the argument, that needs one value.
        reference: String,
    },
    /// The fast model has to be asked first.
    Fill(FillerCall),
}

impl Unresolved {
    /// The failed step's error; `None` while the model still has to be asked.
    pub fn to_error(&self) -> Option<ToolError> {
        let (class, key, reference) = match self {
            Self::Missing { reference } => (ErrorClass::UnresolvedPlaceholder, "run-value-missing", reference),
            Self::Ambiguous { reference } => (ErrorClass::AmbiguousSourceContext, "run-value-ambiguous", reference),
            Self::Fill(_) => return None,
        };
        Some(ToolError::new(class, Message::new(key)).with_detail(format!("no value for `{reference}`")))
    }
}

impl<'a> Scope<'a> {
    /// The result of the step with this number, if it ran and did not fail.
    pub fn result(&self, number: u32) -> Option<&'a ToolResult> {
        self.records
            .iter()
            .rev()
            .find(|record| u32::from(record.id.0) == number && record.result.is_ok())
            .map(|record| &record.result)
    }

    /// The value of an argument.
    pub fn argument(&self, argument: &Argument) -> Result<Value, Unresolved> {
        match argument {
            Argument::Literal(value) => Ok(value.clone()),
            Argument::Reference(reference) => self.reference(reference),
            Argument::Text(parts) => self.parts(parts).map(Value::String),
            Argument::List(items) => items.iter().map(|item| self.argument(item)).collect(),
            Argument::Object(fields) => fields
                .iter()
                .map(|(name, field)| Ok((name.clone(), self.argument(field)?)))
                .collect::<Result<Map<_, _>, _>>()
                .map(Value::Object),
        }
    }

    /// A text with its references as words.
    fn parts(&self, parts: &[Part]) -> Result<String, Unresolved> {
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Reference(reference) => {
                    let value = self.reference(reference)?;
                    if value.as_array().is_some_and(Vec::is_empty) {
                        return Err(missing(reference));
                    }
                    text.push_str(&words(&value));
                }
            }
        }
        Ok(text)
    }

    /// The value of one reference.
    pub fn reference(&self, reference: &Reference) -> Result<Value, Unresolved> {
        match reference {
            Reference::Step { number, path } => {
                let result = self.result(*number).ok_or_else(|| missing(reference))?;
                step_value(result, path).map_err(|miss| match miss {
                    Miss::Nothing => missing(reference),
                    Miss::Disagree => Unresolved::Ambiguous {
                        reference: written(reference),
                    },
                })
            }
            Reference::Runtime(key) => TurnValue::parse(key)
                .and_then(|value| value.of(self.turn))
                .map(Value::String)
                .ok_or_else(|| missing(reference)),
            Reference::Filler(name) => {
                let filler = self.plan.fillers.get(name).ok_or_else(|| missing(reference))?;
                self.filler(name, filler)
            }
        }
    }

    fn filler(&self, name: &str, filler: &Filler) -> Result<Value, Unresolved> {
        let prompt = self.parts(&parse_parts(&filler.prompt))?;
        let answer = match self.answers.get(&prompt) {
            None => {
                let name = name.to_owned();
                return Err(Unresolved::Fill(FillerCall { name, prompt }));
            }
            Some(answer) => answer.clone(),
        };
        answer
            .or_else(|| filler.default.clone())
            .map(Value::String)
            .ok_or_else(|| missing(&Reference::Filler(name.to_owned())))
    }
}

enum Miss {
    Nothing,
    Disagree,
}

/// The fallback chain: the path itself, the one entry's field, its `data` and `metadata`, and any word for a count.
fn step_value(result: &ToolResult, path: &[PathPart]) -> Result<Value, Miss> {
    if path.is_empty() {
        return Ok(match projection::payload(result) {
            Some(list) => Value::Array(list.clone()),
            None => Value::Object(result.body.clone()),
        });
    }
    if let Some(value) = in_body(&result.body, path) {
        return Ok(value);
    }
    let entries = projection::payload(result).map_or(&[][..], Vec::as_slice);
    let agreed = agreed_field(entries, path);
    if let Ok(value) = agreed {
        return Ok(value);
    }
    let metadata = result.body.get("metadata").and_then(|metadata| walk(metadata, path));
    if let Some(value) = metadata {
        return Ok(value);
    }
    count(result, path).map_or(agreed, Ok)
}

/// The exact path; `entries` and `results` stand for each other.
fn in_body(body: &Map<String, Value>, path: &[PathPart]) -> Option<Value> {
    let (first, rest) = path.split_first()?;
    let PathPart::Field(name) = first else {
        return None;
    };
    let field = body.get(name).or_else(|| match name.as_str() {
        "entries" => body.get("results"),
        "results" => body.get("entries"),
        _ => None,
    })?;
    walk(field, rest)
}

/// Follows a path; null is nothing. `*` keeps the items that have the rest of the path.
fn walk(value: &Value, path: &[PathPart]) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else {
        return (!value.is_null()).then(|| value.clone());
    };
    match first {
        PathPart::Field(name) => walk(value.get(name)?, rest),
        PathPart::Index(index) => match value {
            Value::Array(items) => walk(items.get(*index)?, rest),
            Value::Object(fields) => walk(fields.get(&index.to_string())?, rest),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        },
        PathPart::Every => {
            let items = value.as_array()?;
            let found: Vec<Value> = items.iter().filter_map(|item| walk_entry(item, rest)).collect();
            (items.is_empty() || !found.is_empty()).then_some(Value::Array(found))
        }
    }
}

/// A field of one entry, also under its `data` or `metadata`.
fn walk_entry(entry: &Value, path: &[PathPart]) -> Option<Value> {
    walk(entry, path).or_else(|| {
        ["data", "metadata"]
            .into_iter()
            .find_map(|holder| walk(entry.get(holder)?, path))
    })
}

/// The field all entries agree on.
fn agreed_field(entries: &[Value], path: &[PathPart]) -> Result<Value, Miss> {
    let found: Vec<Option<Value>> = entries.iter().map(|entry| walk_entry(entry, path)).collect();
    let Some(first) = found.iter().flatten().next() else {
        return Err(Miss::Nothing);
    };
    if found.iter().all(|value| value.as_ref() == Some(first)) {
        Ok(first.clone())
    } else {
        Err(Miss::Disagree)
    }
}

/// How many there are, if that is what the path asks.
fn count(result: &ToolResult, path: &[PathPart]) -> Option<Value> {
    let [PathPart::Field(name)] = path else {
        return None;
    };
    if !COUNT_NAMES.contains(&name.as_str()) && !name.ends_with("_count") && !name.ends_with("_total") {
        return None;
    }
    COUNT_FIELDS
        .iter()
        .find_map(|field| result.body.get(*field).filter(|value| value.is_number()).cloned())
        .or_else(|| projection::payload(result).map(|list| Value::from(list.len())))
}

fn missing(reference: &Reference) -> Unresolved {
    Unresolved::Missing {
        reference: written(reference),
    }
}

/// A reference as it stands in a plan.
pub(super) fn written(reference: &Reference) -> String {
    words(&Argument::Reference(reference.clone()).to_json(&|number| number))
}

#[cfg(test)]
mod tests;
