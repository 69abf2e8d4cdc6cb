//! From what a model wrote to a proposal, tolerantly: fences, prose, thinking, a closing tool, a cut end.
//!
//! Called by the proposer with every answer, also from a server that ignores the schema. It repairs the wrapping only,
//! never the plan: what is wrong inside is for the validator to say.

use serde_json::Value;

use super::{Asked, Proposal, ProposeError, Said};
use crate::domain::{
    plan::{FINAL_ANSWER, Plan},
    vocabulary::{Object, Verb},
};

/// Braces that are tried as the beginning of a plan; an answer with more is no answer.
const BEGINNINGS_MAX: usize = 64;

/// Reads an answer. Of several plans in one answer the last one counts: what stands before it is thinking.
pub(super) fn parse(text: &str, cut_off: bool) -> Result<Proposal, ProposeError> {
    if let Ok(value) = serde_json::from_str::<Value>(text.trim())
        && let Some(proposal) = proposal(&value)
    {
        return Ok(proposal);
    }
    let found = objects(text).filter_map(|value| proposal(&value)).last();
    match found {
        Some(proposal) => {
            tracing::warn!("the model's answer was more than one JSON object; does the server obey the schema?");
            Ok(proposal)
        }
        None if cut_off || is_open(text) => Err(ProposeError::CutOff),
        None => Err(ProposeError::Garbage),
    }
}

fn proposal(value: &Value) -> Option<Proposal> {
    let asked = Asked {
        verb: filled(value, "verb").and_then(Verb::parse),
        object: filled(value, "object").and_then(Object::parse),
        confidence: confidence(value),
    };
    let said = said(value)?;
    Some(Proposal { asked, said })
}

/// How sure the model is; an answer that does not say so is sure. What is no number between 0 and 1 is no confidence.
fn confidence(value: &Value) -> f64 {
    match value.get("confidence") {
        None => 1.0,
        Some(written) => written
            .as_f64()
            .filter(|sure| (0.0..=1.0).contains(sure))
            .unwrap_or(0.0),
    }
}

/// A text that is there and not empty: a model may fill in every form it is shown, one of them with nothing.
fn filled<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value
        .get(name)
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

fn said(value: &Value) -> Option<Said> {
    if let Some(missing) = filled(value, "cannot") {
        return Some(Said::CannotDo {
            missing: missing.to_owned(),
        });
    }
    if let Some(question) = filled(value, "question") {
        return Some(Said::Unsure {
            question: question.to_owned(),
            risk: filled(value, "risk").unwrap_or_default().to_owned(),
            reasoning: filled(value, "reasoning").unwrap_or_default().to_owned(),
        });
    }
    let has_steps = value
        .get("steps")
        .and_then(Value::as_array)
        .is_some_and(|steps| !steps.is_empty());
    if let Some(words) = filled(value, "answer").filter(|_| !has_steps) {
        return Some(Said::Answer(words.to_owned()));
    }
    let bare_list;
    let value = match value {
        Value::Array(_) => {
            bare_list = serde_json::json!({"steps": value});
            &bare_list
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    };
    let mut plan = Plan::from_json(value).ok()?;
    if plan.steps.is_empty() && plan.final_message.is_none() {
        return None;
    }
    plan.steps.retain(|step| step.tool.as_str() != FINAL_ANSWER);
    Some(Said::Plan(plan))
}

/// Every balanced JSON object that stands in the text and in no other one.
fn objects(text: &str) -> impl Iterator<Item = Value> + '_ {
    let mut rest = text;
    let mut beginnings = 0;
    std::iter::from_fn(move || {
        loop {
            beginnings += 1;
            if beginnings > BEGINNINGS_MAX {
                return None;
            }
            let start = rest.find('{')?;
            let tail = rest.get(start..)?;
            let Some(length) = balanced_length(tail) else {
                // An open brace in prose must not hide the plan behind it.
                rest = tail.get(1..)?;
                continue;
            };
            let candidate = tail.get(..length)?;
            match serde_json::from_str(candidate) {
                Ok(value) => {
                    rest = tail.get(length..)?;
                    return Some(value);
                }
                Err(_not_json) => rest = tail.get(1..)?,
            }
        }
    })
}

/// Bytes up to the brace that closes the first one; braces inside strings do not count.
fn balanced_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// A plan was begun and its end is missing.
fn is_open(text: &str) -> bool {
    text.find("{\"steps\"")
        .or_else(|| text.find("{ \"steps\""))
        .and_then(|start| text.get(start..))
        .is_some_and(|tail| balanced_length(tail).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"{"steps":[{"tool":"get_now","args":{}}],"final_message":"It is ${step1.time}."}"#;

    fn tools(text: &str) -> Vec<String> {
        match parse(text, false).map(|proposal| proposal.said) {
            Ok(Said::Plan(plan)) => plan.steps.iter().map(|step| step.tool.to_string()).collect(),
            Ok(Said::CannotDo { missing }) => vec![format!("cannot: {missing}")],
            Ok(Said::Answer(words)) => vec![format!("answer: {words}")],
            Ok(Said::Unsure { question, .. }) => vec![format!("asks: {question}")],
            Err(error) => vec![format!("{error:?}")],
        }
    }

    #[test]
    fn whatever_is_wrapped_around_a_plan_is_taken_off() {
        let braces_in_text = r#"{"steps":[{"tool":"write_files","args":{"content":"a } b { \" c"}}]}"#;
        let closing_tool = r#"{"steps":[{"tool":"get_now","args":{}},{"tool":"final_answer","args":{"text":"x"}}]}"#;
        let rows: &[(String, &str)] = &[
            (PLAN.to_owned(), "get_now"),
            (format!("```json\n{PLAN}\n```"), "get_now"),
            (
                format!("Sure! Here is the plan:\n{PLAN}\nHope it helps {{smile}}."),
                "get_now",
            ),
            (format!("a set {{ of things\n{PLAN}"), "get_now"),
            (
                format!("First idea: {{\"steps\":[{{\"tool\":\"x\"}}]}} but better: {PLAN}"),
                "get_now",
            ),
            (format!("I think {{\"tool\":\"x\"}} is needed. {PLAN}"), "get_now"),
            (format!("\u{feff}\n\n{PLAN}\n\n\n"), "get_now"),
            (braces_in_text.to_owned(), "write_files"),
            (closing_tool.to_owned(), "get_now"),
            (r#"[{"tool":"get_now","args":{}}]"#.to_owned(), "get_now"),
            (
                r#"{"cannot":" a tool that books flights "}"#.to_owned(),
                "cannot: a tool that books flights",
            ),
            (
                r#"{"confidence":0.9,"steps":[],"answer":"84"}"#.to_owned(),
                "answer: 84",
            ),
            (
                r#"{"confidence":0.2,"question":"Which list?","risk":"low","reasoning":"two"}"#.to_owned(),
                "asks: Which list?",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(tools(text), [*expected], "{text}");
        }
    }

    #[test]
    fn what_was_understood_comes_with_the_plan() {
        for (text, expected) in [
            (
                r#"{"verb":"find","object":"files","confidence":0.7,"cannot":"x"}"#,
                (Some(Verb::Find), Some(Object::Files), 0.7),
            ),
            (
                r#"{"verb":null,"object":"bombs","confidence":0.7,"cannot":"x"}"#,
                (None, None, 0.7),
            ),
            (r#"{"cannot":"x"}"#, (None, None, 1.0)),
            (r#"{"confidence":"very","cannot":"x"}"#, (None, None, 0.0)),
            (r#"{"confidence":7,"cannot":"x"}"#, (None, None, 0.0)),
        ] {
            let asked = parse(text, false).unwrap().asked;
            assert_eq!((asked.verb, asked.object, asked.confidence), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_plan_is_an_error() {
        for text in [
            "",
            "I cannot help with that.",
            "{}",
            "null",
            "[]",
            "{\"steps\":[]}",
            "{\"steps\":{}}",
            "{\"plan\":[{\"tool\":\"x\"}]}",
            "}{",
        ] {
            assert!(matches!(parse(text, false), Err(ProposeError::Garbage)), "{text}");
        }
    }

    #[test]
    fn a_cut_end_is_known_as_one() {
        for length in [12, 30, PLAN.len() - 1] {
            let text = &PLAN[..length];
            assert!(matches!(parse(text, false), Err(ProposeError::CutOff)), "{text}");
        }
        assert!(matches!(parse("{\"st", true), Err(ProposeError::CutOff)));
        assert!(matches!(parse("", true), Err(ProposeError::CutOff)));
        assert!(
            parse(PLAN, true).is_ok(),
            "a whole plan counts even if the answer was cut behind it"
        );
    }

    #[test]
    fn braces_without_end_take_no_time() {
        assert!(parse(&"{".repeat(2_000), false).is_err());
    }
}
