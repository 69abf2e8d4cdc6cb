//! What the model may say and what it may not, with every tool of the table.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: what cannot be set up must stop the test"
)]

use metnos::{domain::vocabulary::Verb, engine::proposer::schema::answer_schema};
use serde_json::{Value, json};

use super::{toolbox, tools};

/// The schema with every tool, for a request that names an address.
fn everything() -> jsonschema::Validator {
    let schema = answer_schema(&toolbox(tools::ALL), "save http://a.example/x to ~/x.md");
    jsonschema::validator_for(&schema).unwrap()
}

/// With what was understood, which comes first in every answer.
#[expect(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn understood(said: Value) -> Value {
    let mut answer = json!({"verb": "find", "object": "files", "confidence": 0.9});
    for (name, value) in said.as_object().unwrap() {
        answer[name] = value.clone();
    }
    answer
}

#[expect(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn shown(steps: Value) -> Value {
    understood(json!({"steps": steps, "show": true}))
}

#[expect(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn one(tool: &str, args: Value) -> Value {
    shown(json!([{"tool": tool, "args": args}]))
}

#[test]
fn the_schema_lets_good_answers_through() {
    let schema = everything();
    let good = [
        shown(json!([{"tool": "get_now", "args": {}}])),
        understood(json!({"steps": [{"tool": "get_now", "args": {}}], "final_message": "${step1.time}"})),
        understood(json!({"cannot": "a tool that books flights"})),
        understood(json!({"answer": "84"})),
        json!({
            "verb": null, "object": null, "confidence": 0.1, "question": "Which list?", "risk": "low",
            "reasoning": "there are two"
        }),
        shown(json!([
            {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg", "modified_window": "last-7d"}},
            {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "desc": true, "top": 3}}
        ])),
        shown(json!([
            {"tool": "read_urls_html", "args": {"urls": ["http://a.example/x"]}},
            {"tool": "write_files", "args": {"path": "~/x.md", "content": "${step1.text}"}}
        ])),
        shown(json!([
            {"tool": "create_dirs", "args": {"paths": ["~/a"]}},
            {"tool": "find_files", "args": {"base_path": "~/in"}},
            {"tool": "move_files", "args": {"from_step": 2, "dst_dir": "~/a"}}
        ])),
    ];
    for answer in good {
        assert!(schema.is_valid(&answer), "{answer}");
    }
}

#[test]
fn the_schema_forbids_by_form() {
    let schema = everything();
    let bad = [
        one("hack_files", json!({})),
        one("find_files", json!({})),
        one("find_files", json!({"base_path": ""})),
        one("find_files", json!({"base_path": "~", "colour": "red"})),
        one("find_files", json!({"base_path": "~", "modified_window": "recently"})),
        one("delete_files", json!({"paths": []})),
        one("delete_files", json!({"paths": ["${step1.path}"]})),
        one("compute_entries", json!({"from_step": 1, "op": "median"})),
        one("get_urls", json!({"urls": ["http://elsewhere.example/"]})),
        shown(json!([])),
        understood(json!({"steps": [{"tool": "get_now", "args": {}}]})),
        // A list tool is never first, and a reference points back.
        one("sort_entries", json!({"from_step": 1, "by": "size"})),
        shown(json!([
            {"tool": "find_files", "args": {"base_path": "~"}},
            {"tool": "sort_entries", "args": {"from_step": 2, "by": "size"}}
        ])),
        // What was understood is said, and in words of the vocabulary.
        json!({"steps": [{"tool": "get_now", "args": {}}], "show": true}),
        json!({"verb": "hack", "object": "files", "confidence": 0.9, "answer": "84"}),
        json!({"verb": "find", "object": "bombs", "confidence": 0.9, "answer": "84"}),
        json!({"verb": "find", "object": "files", "confidence": "very", "answer": "84"}),
        // One form of answer, and each of them whole.
        understood(json!({"answer": ""})),
        understood(json!({"answer": "84", "cannot": "count"})),
        understood(json!({"question": "Which list?"})),
        understood(json!({"question": "Which list?", "risk": "some", "reasoning": "there are two"})),
        understood(json!({"question": "", "risk": "low", "reasoning": "there are two"})),
    ];
    for answer in bad {
        assert!(!schema.is_valid(&answer), "{answer}");
    }
}

/// A grammar writes properties in their order here: first what was understood, then the plan for it.
#[test]
fn what_was_understood_is_written_first() {
    let schema = answer_schema(&toolbox("get_now find_files"), "what time is it");
    for way in schema["anyOf"].as_array().unwrap() {
        let names: Vec<&str> = way["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(names[..3], ["verb", "object", "confidence"], "{way}");
        let verbs = way["properties"]["verb"]["enum"].as_array().unwrap();
        assert_eq!(
            verbs.len(),
            Verb::ALL.len() + 1,
            "every word of the vocabulary, and none"
        );
    }
}

/// Without an address in the request no page can be named, so a tool that needs one cannot be first.
#[test]
fn an_address_nobody_named_cannot_be_written() {
    let toolbox = toolbox("get_urls read_urls_html request_new_executor");
    let schema = answer_schema(&toolbox, "book me a flight to Rome");
    assert!(schema.to_string().contains("request_new_executor"));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let flight = one("get_urls", json!({"urls": ["https://flights.example/"]}));
    assert!(!validator.is_valid(&flight));
    assert!(validator.is_valid(&understood(json!({"cannot": "a tool that books flights"}))));
}
