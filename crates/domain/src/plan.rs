//! A plan: the whole answer to a request as steps, written in one go.
//!
//! `Plan<Proposed>` is what a proposer or a memory says; `engine::validator` turns it into `Plan<Validated>`, and
//! only that can run. The JSON form is `{"steps":[{"tool","args"}],"fillers":{…},"final_message":"…"}`.

use std::{collections::BTreeMap, marker::PhantomData};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    ids::{ExecutorName, PlanHash, StepId},
    intent::short_hash,
    reference::{Argument, Part, Reference, parse_parts},
    vocabulary::Verb,
};

/// Not checked yet: came from a model, the composer or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposed;

/// Checked against today's catalog by `engine::validator`; the only plan that can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validated;

/// The pseudo tool some models close a plan with; parsed into `final_message`, never a step.
pub const FINAL_ANSWER: &str = "final_answer";

/// One call of one executor.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Stable within the plan. As parsed it is the number as written, from 1.
    pub id: StepId,
    /// Which executor.
    pub tool: ExecutorName,
    /// The step whose entries feed this one, as written (a number from 1), even if it points nowhere.
    pub from_step: Option<u32>,
    /// Arguments by name, in the order written, without `from_step`.
    pub args: Vec<(String, Argument)>,
    /// Skip this step if the step that feeds it found nothing.
    pub if_prev_entries_nonempty: bool,
}

impl Step {
    /// What its executor does, by the first word of its name; none for one that follows no grammar.
    pub fn verb(&self) -> Option<Verb> {
        Verb::parse(self.tool.as_str().split('_').next()?)
    }
}

/// A small text left open for the fast model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filler {
    /// What to ask.
    pub prompt: String,
    /// Used when there is no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// The whole plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<State> {
    /// In the order they run.
    pub steps: Vec<Step>,
    /// Open texts by name.
    pub fillers: BTreeMap<String, Filler>,
    /// The closing text, with references; `None` lets the last result speak for itself.
    pub final_message: Option<String>,
    /// The same plan with its composites closed, as it was written; `None` where it has none.
    folded: Option<Value>,
    state: PhantomData<State>,
}

/// Why a text is no plan at all. Anything finer is the validator's.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanParseError {
    /// Not an object with a list of steps.
    #[error("a plan is an object with a list `steps`")]
    NoSteps,
    /// A step is not an object with a text `tool`.
    #[error("step {0} has no `tool`")]
    NoTool(usize),
    /// More steps than a number can name.
    #[error("a plan of {0} steps")]
    TooLong(usize),
}

impl Plan<Proposed> {
    /// A plan from its parts.
    pub fn new(steps: Vec<Step>, final_message: Option<String>) -> Self {
        Self {
            steps,
            fillers: BTreeMap::new(),
            final_message,
            folded: None,
            state: PhantomData,
        }
    }

    /// Reads the JSON form. Unknown keys are ignored, as a model may add some; a closing `final_answer` step becomes
    /// the closing text.
    pub fn from_json(value: &Value) -> Result<Self, PlanParseError> {
        let written = value
            .get("steps")
            .and_then(Value::as_array)
            .ok_or(PlanParseError::NoSteps)?;
        let mut steps = Vec::new();
        let mut closing = None;
        for (index, step) in written.iter().enumerate() {
            let number = u16::try_from(index + 1).map_err(|_error| PlanParseError::TooLong(written.len()))?;
            let parsed = parse_step(step, StepId(number)).ok_or(PlanParseError::NoTool(index + 1))?;
            if parsed.tool.as_str() == FINAL_ANSWER {
                closing = closing_text(step);
            } else {
                steps.push(parsed);
            }
        }
        let fillers = value
            .get("fillers")
            .and_then(Value::as_object)
            .map(|fillers| {
                fillers
                    .iter()
                    .filter_map(|(name, filler)| Some((name.clone(), serde_json::from_value(filler.clone()).ok()?)))
                    .collect()
            })
            .unwrap_or_default();
        let final_message = value
            .get("final_message")
            .and_then(Value::as_str)
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
            .or(closing);
        Ok(Self {
            steps,
            fillers,
            final_message,
            folded: None,
            state: PhantomData,
        })
    }

    /// Declares the plan checked. Only `engine::validator` may call this.
    pub fn into_validated(self) -> Plan<Validated> {
        Plan {
            steps: self.steps,
            fillers: self.fillers,
            final_message: self.final_message,
            folded: self.folded,
            state: PhantomData,
        }
    }
}

impl<State> Plan<State> {
    /// The same plan, which stands for another one with composites in it, if there is one.
    #[must_use]
    pub fn standing_for(mut self, written: Option<Value>) -> Self {
        self.folded = written;
        self
    }

    /// The JSON form, steps numbered from 1 in their present order.
    pub fn to_json(&self) -> Value {
        let renumber = |number: u32| self.position(number).map_or(number, |at| at + 1);
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|step| {
                let mut args = Map::new();
                if let Some(from) = step.from_step {
                    args.insert("from_step".to_owned(), json!(renumber(from)));
                }
                for (name, argument) in &step.args {
                    args.insert(name.clone(), argument.to_json(&renumber));
                }
                let mut written = Map::new();
                written.insert("tool".to_owned(), json!(step.tool));
                written.insert("args".to_owned(), Value::Object(args));
                if step.if_prev_entries_nonempty {
                    written.insert("if_prev_entries_nonempty".to_owned(), json!(true));
                }
                Value::Object(written)
            })
            .collect();
        let mut plan = Map::new();
        plan.insert("steps".to_owned(), Value::Array(steps));
        if !self.fillers.is_empty() {
            plan.insert("fillers".to_owned(), json!(self.fillers));
        }
        if let Some(text) = &self.final_message {
            let text = Argument::parse_text(text).to_json(&renumber);
            plan.insert("final_message".to_owned(), text);
        }
        Value::Object(plan)
    }

    /// The plan it stands for, with composites in it, if it stands for one.
    pub fn folded(&self) -> Option<&Value> {
        self.folded.as_ref()
    }

    /// Whether it stands for another one with composites in it.
    pub fn is_folded(&self) -> bool {
        self.folded.is_some()
    }

    /// The plan as it is remembered: with its composites closed.
    pub fn written(&self) -> Value {
        self.folded.clone().unwrap_or_else(|| self.to_json())
    }

    /// The executors of the plan as it is remembered.
    pub fn tools_written(&self) -> Vec<ExecutorName> {
        let Some(folded) = &self.folded else {
            return self.steps.iter().map(|step| step.tool.clone()).collect();
        };
        let steps = folded.get("steps").and_then(Value::as_array);
        let tools = steps
            .into_iter()
            .flatten()
            .filter_map(|step| step.get("tool")?.as_str());
        tools.map(ExecutorName::from).collect()
    }

    /// The same plan as a proposal, opened, to be mended and validated again.
    pub fn reopened(&self) -> Plan<Proposed> {
        Plan {
            steps: self.steps.clone(),
            fillers: self.fillers.clone(),
            final_message: self.final_message.clone(),
            folded: None,
            state: PhantomData,
        }
    }

    /// Where the step with this number stands, from 0.
    pub fn position(&self, number: u32) -> Option<u32> {
        let at = self.steps.iter().position(|step| u32::from(step.id.0) == number)?;
        u32::try_from(at).ok()
    }

    /// References in the closing text.
    pub fn closing_references(&self) -> Vec<Reference> {
        let Some(text) = &self.final_message else {
            return Vec::new();
        };
        parse_parts(text)
            .into_iter()
            .filter_map(|part| match part {
                Part::Text(_) => None,
                Part::Reference(reference) => Some(reference),
            })
            .collect()
    }

    /// Hash of the shape: tools and argument names in order, and whether there is a closing text.
    pub fn hash(&self) -> PlanHash {
        PlanHash::from(short_hash(self.shape().as_bytes()))
    }

    /// The shape in words, `find_files(base_path,pattern) → move_files(dst_dir,from_step)`: what a proposer is told
    /// not to write again.
    pub fn shape(&self) -> String {
        let steps: Vec<String> = self
            .steps
            .iter()
            .map(|step| {
                let mut keys: Vec<&str> = step.args.iter().map(|(name, _)| name.as_str()).collect();
                if step.from_step.is_some() {
                    keys.push("from_step");
                }
                keys.sort_unstable();
                format!("{}({})", step.tool, keys.join(","))
            })
            .collect();
        steps.join(" → ")
    }
}

fn parse_step(written: &Value, id: StepId) -> Option<Step> {
    let tool = written.get("tool")?.as_str()?;
    let mut from_step = None;
    let mut args = Vec::new();
    if let Some(fields) = written.get("args").and_then(Value::as_object) {
        for (name, value) in fields {
            if name == "from_step" {
                from_step = step_number(value);
            } else {
                args.push((name.clone(), Argument::parse(value)));
            }
        }
    }
    Some(Step {
        id,
        tool: ExecutorName::from(tool),
        from_step,
        args,
        if_prev_entries_nonempty: written
            .get("if_prev_entries_nonempty")
            .and_then(Value::as_bool)
            .unwrap_or(false),
    })
}

/// A number, or a text that is one. Anything else becomes 0, which points nowhere and is reported by the validator.
fn step_number(value: &Value) -> Option<u32> {
    match value {
        Value::Null => None,
        Value::Number(number) => Some(number.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)),
        Value::String(text) => Some(text.trim().parse().unwrap_or(0)),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Some(0),
    }
}

fn closing_text(step: &Value) -> Option<String> {
    let args = step.get("args")?.as_object()?;
    args.values()
        .find_map(Value::as_str)
        .filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_comes_back_as_it_was() {
        let written = json!({
            "steps": [
                {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg"}},
                {"tool": "move_files", "args": {"from_step": 1, "dst_dir": "~/photos"}, "if_prev_entries_nonempty": true}
            ],
            "final_message": "moved ${step2.ok_count}"
        });
        let plan = Plan::from_json(&written).unwrap();
        assert_eq!(plan.to_json(), written);
        assert_eq!(
            plan.shape(),
            "find_files(base_path,pattern) → move_files(dst_dir,from_step)"
        );
    }

    #[test]
    fn a_closing_step_becomes_the_closing_text() {
        let plan = Plan::from_json(&json!({"steps": [
            {"tool": "get_now", "args": {}},
            {"tool": "final_answer", "args": {"text": "it is ${step1.time}"}}
        ]}))
        .unwrap();
        assert_eq!(plan.steps.len(), 1);
        assert_eq!(plan.final_message.as_deref(), Some("it is ${step1.time}"));
    }

    #[test]
    fn inserting_a_step_renumbers_every_reference() {
        let mut plan = Plan::from_json(&json!({"steps": [
            {"tool": "find_files", "args": {}},
            {"tool": "move_files", "args": {"from_step": 1, "note": "${step1.count}"}}
        ], "final_message": "${step2.ok_count}"}))
        .unwrap();
        let first = plan.steps[0].clone();
        plan.steps.insert(
            0,
            Step {
                id: StepId(9),
                tool: ExecutorName::from("get_now"),
                ..first
            },
        );
        let written = plan.to_json();
        assert_eq!(written["steps"][2]["args"]["from_step"], json!(2));
        assert_eq!(written["steps"][2]["args"]["note"], json!("${step2.count}"));
        assert_eq!(written["final_message"], json!("${step3.ok_count}"));
    }

    #[test]
    fn nonsense_is_an_error_not_a_plan() {
        assert_eq!(Plan::from_json(&json!([])), Err(PlanParseError::NoSteps));
        assert_eq!(Plan::from_json(&json!({"steps": [{}]})), Err(PlanParseError::NoTool(1)));
    }
}
