//! The required-verb rule: a plan may not silently leave out something that was asked.
//! Used on every plan, remembered ones included, by the validator, L0 and L1.

use serde_json::Value;

use crate::domain::{
    plan::{Plan, Step},
    reference::Argument,
    vocabulary::Verb,
};

/// Says that nothing here can do it, which is an answer to everything asked.
const GAP_TOOL: &str = "request_new_executor";

/// The verbs a plan must cover, from all verbs a request was found to hold. A request that only asks for data requires
/// nothing, as any way to the data is good.
pub fn required_verbs(wanted: &[Verb]) -> Vec<Verb> {
    let asks_little = wanted.len() < 2 && !wanted.iter().any(|verb| verb.is_destructive());
    if asks_little {
        return Vec::new();
    }
    wanted.iter().copied().filter(|verb| verb.must_be_covered()).collect()
}

/// The required verbs no step covers. A verb required twice needs two steps.
pub fn dropped_verbs<State>(plan: &Plan<State>, required: &[Verb]) -> Vec<Verb> {
    if plan.steps.iter().any(|step| step.tool.as_str() == GAP_TOOL) {
        return Vec::new();
    }
    let mut free: Vec<&Step> = plan.steps.iter().collect();
    let has_producer = free.iter().any(|step| step.verb().is_some_and(Verb::is_producer));
    let mut dropped = Vec::new();
    // Exact matches first, so that a step which covers two verbs is not spent on the wrong one.
    let mut inexact = Vec::new();
    for verb in required.iter().copied().filter(|verb| verb.must_be_covered()) {
        if verb.is_producer() {
            if !has_producer {
                dropped.push(verb);
            }
        } else if let Some(at) = free.iter().position(|step| step.verb() == Some(verb)) {
            free.remove(at);
        } else {
            inexact.push(verb);
        }
    }
    for verb in inexact {
        match free.iter().position(|step| covers(step, verb)) {
            Some(at) => {
                free.remove(at);
            }
            None => dropped.push(verb),
        }
    }
    dropped
}

/// A step of another verb that does what this one asks.
fn covers(step: &Step, verb: Verb) -> bool {
    let tool = step.tool.as_str();
    if verb == Verb::Delete {
        return tool.starts_with("move_messages");
    }
    let makes = [(Verb::Write, Verb::Create), (Verb::Create, Verb::Write)];
    makes
        .iter()
        .any(|(asked, done)| verb == *asked && step.verb() == Some(*done))
        && carries_payload(step)
}

fn carries_payload(step: &Step) -> bool {
    step.from_step.is_some()
        || step.args.iter().any(|(name, argument)| {
            matches!(
                name.as_str(),
                "values" | "entries" | "content" | "text" | "items" | "events"
            ) && *argument != Argument::Literal(Value::Null)
        })
}
