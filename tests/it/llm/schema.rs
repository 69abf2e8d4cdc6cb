//! What the model may say and what it may not, with every tool of the table.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: what cannot be set up must stop the test"
)]

use metnos::{
    domain::{
        intent::Intent,
        vocabulary::{Object, Verb},
    },
    engine::proposer::schema::answer_schema,
};
use serde_json::{Value, json};

use super::{intent, tools};

/// The schema with every tool in the shortlist, for a request that is not understood, one that looks for something
/// and one that writes something.
struct Schemas {
    free: jsonschema::Validator,
    find: jsonschema::Validator,
    write: jsonschema::Validator,
}

impl Schemas {
    fn new() -> Self {
        let shortlist = tools::shortlist(tools::ALL);
        let request = "save http://a.example/x to ~/x.md";
        let of = |intent: &Intent| jsonschema::validator_for(&answer_schema(&shortlist, intent, request)).unwrap();
        Self {
            free: of(&Intent::unknown()),
            find: of(&intent(&[(Verb::Find, Object::Files)])),
            write: of(&intent(&[(Verb::Write, Object::Files)])),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn shown(steps: Value) -> Value {
    json!({"steps": steps, "show": true})
}

#[expect(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn one(tool: &str, args: Value) -> Value {
    shown(json!([{"tool": tool, "args": args}]))
}

#[test]
fn the_schema_lets_good_plans_through() {
    let Schemas { free, find, write } = Schemas::new();
    let good = [
        (&free, shown(json!([{"tool": "get_now", "args": {}}]))),
        (
            &free,
            json!({"steps": [{"tool": "get_now", "args": {}}], "final_message": "${step1.time}"}),
        ),
        (&free, json!({"cannot": "a tool that books flights"})),
        (
            &find,
            shown(json!([
                {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg", "modified_window": "last-7d"}},
                {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "desc": true, "top": 3}}
            ])),
        ),
        (
            &write,
            shown(json!([
                {"tool": "read_urls_html", "args": {"urls": ["http://a.example/x"]}},
                {"tool": "write_files", "args": {"path": "~/x.md", "content": "${step1.text}"}}
            ])),
        ),
        (
            &free,
            shown(json!([
                {"tool": "create_dirs", "args": {"paths": ["~/a"]}},
                {"tool": "find_files", "args": {"base_path": "~/in"}},
                {"tool": "move_files", "args": {"from_step": 2, "dst_dir": "~/a"}}
            ])),
        ),
    ];
    for (validator, answer) in good {
        assert!(validator.is_valid(&answer), "{answer}");
    }
}

#[test]
fn the_schema_forbids_by_form() {
    let Schemas { free, find, write } = Schemas::new();
    let bad = [
        (&free, one("hack_files", json!({}))),
        (&free, one("find_files", json!({}))),
        (&free, one("find_files", json!({"base_path": ""}))),
        (&free, one("find_files", json!({"base_path": "~", "colour": "red"}))),
        (
            &free,
            one("find_files", json!({"base_path": "~", "modified_window": "recently"})),
        ),
        (&free, one("delete_files", json!({"paths": []}))),
        (&free, one("delete_files", json!({"paths": ["${step1.path}"]}))),
        (&free, one("compute_entries", json!({"from_step": 1, "op": "median"}))),
        (&free, one("get_urls", json!({"urls": ["http://elsewhere.example/"]}))),
        (&free, shown(json!([]))),
        (&free, json!({"steps": [{"tool": "get_now", "args": {}}]})),
        // One branch: a list tool is never first, a reference points back, the action asked for is the end.
        (&find, one("sort_entries", json!({"from_step": 1, "by": "size"}))),
        (
            &find,
            shown(json!([
                {"tool": "find_files", "args": {"base_path": "~"}},
                {"tool": "sort_entries", "args": {"from_step": 2, "by": "size"}}
            ])),
        ),
        (
            &find,
            shown(json!([
                {"tool": "move_files", "args": {"paths": ["~/a"], "dst_dir": "~/b"}},
                {"tool": "find_files", "args": {"base_path": "~"}}
            ])),
        ),
        (&write, one("find_files", json!({"base_path": "~"}))),
    ];
    for (validator, answer) in bad {
        assert!(!validator.is_valid(&answer), "{answer}");
    }
}

/// Without an address in the request no page can be named, so a tool that needs one cannot be first.
#[test]
fn an_address_nobody_named_cannot_be_written() {
    let shortlist = tools::shortlist("get_urls read_urls_html request_new_executor");
    let schema = answer_schema(&shortlist, &Intent::unknown(), "book me a flight to Rome").to_string();
    assert!(schema.contains("request_new_executor"));
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let flight = json!({
        "steps": [{"tool": "get_urls", "args": {"urls": ["https://flights.example/"]}}], "show": true
    });
    assert!(!validator.is_valid(&flight));
    assert!(validator.is_valid(&json!({"cannot": "a tool that books flights"})));
}
