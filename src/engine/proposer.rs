//! L3 with a model: one request, one call, one plan; nothing is repaired here and nothing runs.
//!
//! Called by `engine::dispatch` when no memory answers and `engine` is not `simple`. The picture:
//!
//! ```text
//! shortlist ─┬→ prompt (what the model is shown) ─┐
//!            └→ schema (what it may say) ─────────┴→ LlmClient → parse → Proposal → validator
//! ```

use std::sync::Arc;

use jiff::Zoned;
use serde_json::Value;

use crate::{
    domain::{
        intent::Intent,
        lang::Lang,
        limits,
        manifest::{Manifest, Semantic},
        plan::{Plan, Proposed, Step},
        reference::Argument,
    },
    engine::online::{Asker, NoAnswer, Online},
    llm::{LlmClient, LlmError, Meter, Prompt, Workload},
};

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
    /// What was understood.
    pub intent: &'a Intent,
    /// The tools to choose from, best first.
    pub shortlist: &'a [Arc<Manifest>],
    /// Shapes (`Plan::shape`) that must not come again.
    pub excluded: &'a [String],
    /// What was wrong with the previous proposal, in English.
    pub errors: &'a [String],
    /// Whether code has a plan, so that a long answer or a second try would only cost time.
    pub has_fallback: bool,
    /// Now, in the person's zone.
    pub now: &'a Zoned,
}

/// What the model said.
#[derive(Clone, Debug, PartialEq)]
pub enum Proposal {
    /// A plan, to be validated.
    Plan(Plan<Proposed>),
    /// An honest no.
    CannotDo {
        /// What is missing, in the model's words.
        missing: String,
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
    /// The model wrote a plan that was excluded.
    #[error("the model wrote the excluded plan `{0}` again")]
    Repeated(String),
}

/// Asks for a plan: one call, and one more with more room if the plan was cut off and there is no other.
pub async fn propose(llm: &LlmClient, request: &ProposalRequest<'_>, meter: &Meter) -> Result<Proposal, ProposeError> {
    if request.shortlist.is_empty() {
        return Err(ProposeError::NoTools);
    }
    let mut prompt = Prompt {
        system: prompt::system().to_owned(),
        user: prompt::user(request),
        schema: Some(schema::answer_schema(
            request.shortlist,
            request.intent,
            request.request,
        )),
        max_tokens: if request.has_fallback {
            limits::PLAN_TOKENS_USUAL
        } else {
            limits::PLAN_TOKENS_MAX
        },
    };
    let proposal = match ask(llm, &prompt, meter).await {
        Err(ProposeError::CutOff) if !request.has_fallback => {
            tracing::warn!("the plan was cut off, asking once more with more room");
            prompt.max_tokens = limits::PLAN_TOKENS_RETRY;
            ask(llm, &prompt, meter).await?
        }
        other => other?,
    };
    checked(proposal, request)
}

/// Asks an online provider for a plan, in one call. It is told the tools by name and no grammar: a strong model needs
/// none, and every byte costs.
pub async fn propose_online(
    online: &Online,
    asker: &Asker<'_>,
    request: &ProposalRequest<'_>,
) -> Result<Proposal, ProposeError> {
    if request.shortlist.is_empty() {
        return Err(ProposeError::NoTools);
    }
    let prompt = Prompt {
        system: prompt::system().to_owned(),
        user: prompt::user(request),
        schema: Some(schema::open_schema(request.shortlist)),
        max_tokens: limits::ONLINE_PLAN_TOKENS_MAX,
    };
    let completion = online.complete(asker, &prompt).await?;
    checked(parse::parse(&completion.text, completion.cut_off)?, request)
}

async fn ask(llm: &LlmClient, prompt: &Prompt, meter: &Meter) -> Result<Proposal, ProposeError> {
    let completion = llm.complete(Workload::Plan, prompt, meter).await?;
    parse::parse(&completion.text, completion.cut_off)
}

fn checked(mut proposal: Proposal, request: &ProposalRequest<'_>) -> Result<Proposal, ProposeError> {
    let Proposal::Plan(plan) = &mut proposal else {
        return Ok(proposal);
    };
    let shape = plan.shape();
    if request.excluded.contains(&shape) {
        return Err(ProposeError::Repeated(shape));
    }
    for step in &mut plan.steps {
        match request.shortlist.iter().find(|tool| tool.name == step.tool) {
            Some(tool) => without_stray_spaces(step, tool),
            // The validator refuses it; here it means that the server did not obey the schema.
            None => tracing::warn!(tool = %step.tool, "the model named a tool it was not shown; is the schema obeyed?"),
        }
    }
    Ok(proposal)
}

/// A model may put spaces around a path it writes out. Only here they mean nothing: in the name of a file that was
/// found they are part of it.
fn without_stray_spaces(step: &mut Step, tool: &Manifest) {
    let is_place = |name: &str| {
        let places = [Semantic::Path, Semantic::Directory, Semantic::Destination];
        let mut args = tool.args.iter();
        args.any(|spec| spec.name == name && places.contains(&spec.semantic))
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
    use crate::engine::test_catalog::catalog;

    #[test]
    fn spaces_a_model_put_around_a_path_mean_nothing() {
        let written = json!({"steps": [
            {"tool": "move_files", "args": {"paths": [" ~/a.txt", "~/b c.txt "], "dst_dir": "~/box ", "new_name": " x "}},
        ]});
        let mut plan = Plan::from_json(&written).unwrap();
        let catalog = catalog();
        let tool = catalog.iter().find(|tool| tool.name.as_str() == "move_files").unwrap();
        without_stray_spaces(&mut plan.steps[0], tool);
        let meant = json!({"steps": [
            {"tool": "move_files", "args": {"paths": ["~/a.txt", "~/b c.txt"], "dst_dir": "~/box", "new_name": " x "}},
        ]});
        assert_eq!(plan.to_json(), meant);
    }
}
