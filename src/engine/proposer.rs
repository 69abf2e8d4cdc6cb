//! L3 with a model: one request, one call, one plan; nothing is repaired here and nothing runs.
//!
//! Called by `engine::dispatch` when no memory answers and `engine` is not `simple`. The picture:
//!
//! ```text
//! toolbox, surroundings ─┬→ prompt (what the model is shown) ─┐
//!                        └→ schema (what it may say) ─────────┴→ LlmClient → parse → Proposal → validator
//! ```

use std::sync::Arc;

use jiff::Zoned;
use serde_json::Value;

use crate::{
    domain::{
        ids::ExecutorName,
        intent::{Clause, Intent},
        lang::Lang,
        limits,
        manifest::{Feed, Kind, Manifest},
        plan::{Plan, Proposed, Step},
        reference::Argument,
        vocabulary::{Object, Verb},
    },
    engine::online::{Asker, NoAnswer, Online},
    llm::{LlmClient, LlmError, Meter, Prompt, Workload},
};

/// Requests with the plan that was right for them.
pub mod examples;
/// From the model's words to a proposal.
mod parse;
/// What the model is shown.
pub mod prompt;
/// What it may say.
pub mod schema;

/// Everything a plan is written from.
#[derive(Clone, Copy, Debug)]
pub struct ProposalRequest<'a> {
    /// What was said.
    pub request: &'a str,
    /// The language the closing text must be in.
    pub lang: Lang,
    /// The tools to choose from.
    pub toolbox: &'a Toolbox,
    /// What the person has at home, before them and behind them.
    pub around: &'a Surroundings,
    /// Shapes (`Plan::shape`) that must not come again.
    pub excluded: &'a [String],
    /// What was wrong with the previous proposal, in English.
    pub errors: &'a [String],
    /// Now, in the person's zone.
    pub now: &'a Zoned,
}

/// The tools of a plan: those whose lines never change, and those that were chosen for this request.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    /// Shown with the rules, to everybody and for every request, so that the server reads them once.
    pub stable: Vec<Arc<Manifest>>,
    /// Shown with the request.
    pub chosen: Vec<Arc<Manifest>>,
}

impl Toolbox {
    /// The tools of a catalog for a request, given those that its words speak for. Built-in tools are stable as far as
    /// there is room: those that the rules name first, then those that work on any list, then those that others are
    /// used with. The rest is there when it is called for.
    pub fn new(catalog: &[Arc<Manifest>], shortlist: &[Arc<Manifest>]) -> Self {
        let mut usual: Vec<&Arc<Manifest>> = catalog.iter().filter(|tool| tool.kind == Kind::Builtin).collect();
        // How many others name it as what they are used with says how often a tool is needed.
        let asked_for = |tool: &Manifest| {
            let companions = catalog.iter().flat_map(|other| &other.companions);
            companions.filter(|name| **name == tool.name).count()
        };
        usual.sort_by_key(|tool| {
            let is_special = tool.feed != Feed::Required || tool.effect.changes_something();
            (
                !prompt::names(&tool.name),
                is_special,
                std::cmp::Reverse(asked_for(tool)),
                tool.name.as_str(),
            )
        });
        let mut stable = Vec::new();
        let (mut room, mut lists) = (limits::STABLE_TOOLS_CHARS_MAX, prompt::Lists::new());
        for tool in usual {
            let length = prompt::line(tool, &mut lists).chars().count() + 1;
            if length <= room {
                room -= length;
                stable.push(Arc::clone(tool));
            }
        }
        let (mut room, mut lists) = (limits::CHOSEN_TOOLS_CHARS_MAX, prompt::Lists::new());
        let others = shortlist.iter().filter(|tool| !stable.contains(tool));
        // The best comes first, however long its line is.
        let chosen = others
            .enumerate()
            .take_while(|(at, tool)| {
                let length = prompt::line(tool, &mut lists).chars().count() + 1;
                let fits = *at == 0 || length <= room;
                room = room.saturating_sub(length);
                fits
            })
            .map(|(_, tool)| Arc::clone(tool))
            .collect();
        Self { stable, chosen }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Manifest>> {
        self.stable.iter().chain(&self.chosen)
    }

    /// The one of this name.
    pub fn get(&self, name: &ExecutorName) -> Option<&Arc<Manifest>> {
        self.all().find(|tool| tool.name == *name)
    }
}

/// What a model is told beside tools and request. All of it is the asking person's own.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Folders at the top of the home, each with how many files it holds.
    pub folders: Vec<(String, usize)>,
    /// Files and folders whose names share a word with the request, the most like it first.
    pub like_request: Vec<String>,
    /// What was said before in this conversation, if it is not over.
    pub before: Option<String>,
    /// The files listed last, in order.
    pub listed: Vec<String>,
    /// What was changed last, the file or what is set.
    pub changed: Vec<String>,
    /// What is set for later: timers, alarms, reminders, requests, each with what it is called and when it is due.
    pub set: Vec<String>,
    /// Arguments this person nearly always gives the same value, each as `tool: argument=value`.
    pub habits: Vec<String>,
    /// Requests like this one with the plan that was right, the most like it first.
    pub examples: Vec<(String, Value)>,
}

/// What the model understood and said.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// What it took the request for.
    pub asked: Asked,
    /// What it makes of it.
    pub said: Said,
}

/// What a model took a request for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// What to do; `None` when it fits no word of the vocabulary.
    pub verb: Option<Verb>,
    /// To what.
    pub object: Option<Object>,
    /// 0..1: how sure. Below `limits::INTENT_CONFIDENCE_MIN` nothing runs.
    pub confidence: f64,
}

impl Asked {
    /// The same as an intent.
    pub fn intent(&self) -> Intent {
        let clause = Clause {
            verb: self.verb,
            object: self.object,
        };
        let says_something = clause.verb.is_some() || clause.object.is_some();
        Intent {
            clauses: says_something.then_some(clause).into_iter().collect(),
            keywords: Vec::new(),
            confidence: self.confidence,
        }
    }
}

/// What a model makes of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A plan, to be validated.
    Plan(Plan<Proposed>),
    /// What needs no tool: its own words.
    Answer(String),
    /// An honest no.
    CannotDo {
        /// What is missing, in the model's words.
        missing: String,
    },
    /// It does not know what is meant.
    Unsure {
        /// What it would ask.
        question: String,
        /// How bad a mistake would be, in its words; for the log.
        risk: String,
        /// Why it does not know; for the log, never shown.
        reasoning: String,
    },
}

/// Why there is no proposal.
#[derive(Debug, thiserror::Error)]
pub enum ProposeError {
    /// Nothing to choose from.
    #[error("there is no tool to plan with")]
    NoTools,
    /// The model did not answer.
    #[error("the model did not answer")]
    Model(#[from] LlmError),
    /// The online provider gave no answer.
    #[error(transparent)]
    Online(#[from] NoAnswer),
    /// The answer ended before the plan did, twice.
    #[error("the model's plan was cut off")]
    CutOff,
    /// The answer holds no plan.
    #[error("the model's answer holds no plan")]
    Garbage,
}

/// Asks for a plan: one call, and one more with more room if the plan was cut off.
pub async fn propose(llm: &LlmClient, request: &ProposalRequest<'_>, meter: &Meter) -> Result<Proposal, ProposeError> {
    if request.toolbox.all().next().is_none() {
        return Err(ProposeError::NoTools);
    }
    let prompt = Prompt {
        system: prompt::system(&request.toolbox.stable),
        user: prompt::user(request),
        schema: Some(schema::answer_schema(request.toolbox, request.request)),
    };
    let proposal = match ask(llm, Workload::Plan, &prompt, meter).await {
        Err(ProposeError::CutOff) => {
            tracing::warn!("the plan was cut off, asking once more with more room");
            ask(llm, Workload::PlanAgain, &prompt, meter).await?
        }
        other => other?,
    };
    Ok(tidied(proposal, request))
}

/// Asks an online provider for a plan, in one call. It is told the tools by name and no grammar: a strong model needs
/// none, and every byte costs. Nothing of the home is told outside the house.
pub async fn propose_online(
    online: &Online,
    asker: &Asker<'_>,
    request: &ProposalRequest<'_>,
) -> Result<Proposal, ProposeError> {
    if request.toolbox.all().next().is_none() {
        return Err(ProposeError::NoTools);
    }
    let prompt = Prompt {
        system: prompt::system(&request.toolbox.stable),
        user: prompt::user(&ProposalRequest {
            around: &Surroundings::default(),
            ..*request
        }),
        schema: Some(schema::open_schema(request.toolbox)),
    };
    let completion = online.complete(asker, &prompt).await?;
    Ok(tidied(parse::parse(&completion.text, completion.cut_off)?, request))
}

async fn ask(llm: &LlmClient, workload: Workload, prompt: &Prompt, meter: &Meter) -> Result<Proposal, ProposeError> {
    let completion = llm.complete(workload, prompt, meter).await?;
    parse::parse(&completion.text, completion.cut_off)
}

fn tidied(mut proposal: Proposal, request: &ProposalRequest<'_>) -> Proposal {
    if let Said::Plan(plan) = &mut proposal.said {
        for step in &mut plan.steps {
            match request.toolbox.get(&step.tool) {
                Some(tool) => without_stray_spaces(step, tool),
                // The validator refuses it; here it means that the server did not obey the schema.
                None => {
                    tracing::warn!(tool = %step.tool, "the model named a tool it was not shown; is the schema obeyed?");
                }
            }
        }
    }
    proposal
}

/// A model may put spaces around a path it writes out. Only here they mean nothing: in the name of a file that was
/// found they are part of it.
fn without_stray_spaces(step: &mut Step, tool: &Manifest) {
    let is_place = |name: &str| {
        let mut args = tool.args.iter();
        args.any(|spec| spec.name == name && spec.class().is_place())
    };
    for (name, argument) in &mut step.args {
        if let Argument::Literal(value) = argument
            && is_place(name)
        {
            let texts = match value {
                Value::Array(items) => items.as_mut_slice(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                    std::slice::from_mut(value)
                }
            };
            for text in texts {
                if let Value::String(text) = text {
                    *text = text.trim().to_owned();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::fixtures::shipped;

    #[test]
    fn spaces_a_model_put_around_a_path_mean_nothing() {
        let written = json!({"steps": [
            {"tool": "move_files", "args": {"paths": [" ~/a.txt", "~/b c.txt "], "dst_dir": "~/box ", "new_name": " x "}},
        ]});
        let mut plan = Plan::from_json(&written).unwrap();
        let catalog = shipped();
        let tool = catalog.iter().find(|tool| tool.name.as_str() == "move_files").unwrap();
        without_stray_spaces(&mut plan.steps[0], tool);
        let meant = json!({"steps": [
            {"tool": "move_files", "args": {"paths": ["~/a.txt", "~/b c.txt"], "dst_dir": "~/box", "new_name": " x "}},
        ]});
        assert_eq!(plan.to_json(), meant);
    }
}
