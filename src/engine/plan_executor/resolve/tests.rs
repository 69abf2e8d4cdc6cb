//! Tables of references against results.

use serde_json::json;

use super::*;
use crate::{
    domain::ids::{ExecutorName, StepId},
    engine::fixtures::{ok, turn, validated},
};

fn record(number: u16, result: ToolResult) -> StepRecord {
    StepRecord {
        id: StepId(number),
        tool: ExecutorName::from("find_files"),
        raw_args: json!({}),
        resolved_args: json!({}),
        result,
        has_effect: false,
        skipped: false,
        ruling: None,
        executor_us: 0,
        policy_us: 0,
    }
}

fn resolve(body: Value, written: &Value) -> Result<Value, Unresolved> {
    let plan = validated(&json!({"steps": [{"tool": "get_now", "args": {}}]}));
    let records = [record(1, ok(body))];
    let answers = BTreeMap::new();
    let turn = turn("x");
    let scope = Scope {
        plan: &plan,
        records: &records,
        answers: &answers,
        turn: &turn,
    };
    scope.argument(&Argument::parse(written))
}

fn found(body: Value, written: &Value) -> Value {
    resolve(body, written).unwrap_or_else(|error| panic!("{written}: {error:?}"))
}

#[test]
fn every_link_of_the_chain() {
    let two = json!({"entries": [{"path": "/a", "kind": "f"}, {"path": "/b", "kind": "f"}]});
    let one = json!({"results": [{"path": "/a", "data": {"uuid": "u1"}, "metadata": {"bytes": 3}}], "ok_count": 1});
    for (body, written, value) in [
        (json!({"time": "10:00"}), json!("${step1.time}"), json!("10:00")),
        (
            json!({"deep": {"list": [1, 2]}}),
            json!("${step1.deep.list.1}"),
            json!(2),
        ),
        (two.clone(), json!("${step1.entries.*.path}"), json!(["/a", "/b"])),
        (two.clone(), json!("${step1.entries.0.path}"), json!("/a")),
        (two.clone(), json!("${step1.results.1.path}"), json!("/b")),
        (two.clone(), json!("${step1.kind}"), json!("f")),
        (two.clone(), json!("${step1.count}"), json!(2)),
        (two.clone(), json!("${step1.file_count}"), json!(2)),
        (
            two.clone(),
            json!("${step1}"),
            json!([{"path": "/a", "kind": "f"}, {"path": "/b", "kind": "f"}]),
        ),
        (one.clone(), json!("${step1.path}"), json!("/a")),
        (one.clone(), json!("${step1.uuid}"), json!("u1")),
        (one.clone(), json!("${step1.bytes}"), json!(3)),
        (one.clone(), json!("${step1.entries.*.uuid}"), json!(["u1"])),
        (one.clone(), json!("${step1.total}"), json!(1)),
        (json!({"metadata": {"lines": 9}}), json!("${step1.lines}"), json!(9)),
        (
            json!({"entries": [], "available_total": 70}),
            json!("${step1.count}"),
            json!(70),
        ),
        (json!({"entries": []}), json!("${step1.entries.*.path}"), json!([])),
        (json!({"n": 2}), json!("{{step1.n}} of ${step1.n}"), json!("2 of 2")),
        (
            json!({"entries": [{"path": "/a"}, {"path": "/b"}]}),
            json!("all:\n${step1.entries}"),
            json!("all:\n- /a\n- /b"),
        ),
        (
            json!({"a": 1}),
            json!({"x": ["${step1.a}"], "y": 2}),
            json!({"x": [1], "y": 2}),
        ),
        (json!({}), json!("at ${RUNTIME:today}"), json!("at 2026-03-28")),
    ] {
        assert_eq!(found(body, &written), value, "{written}");
    }
}

#[test]
fn nothing_is_never_an_empty_string() {
    for (body, written) in [
        (json!({"time": null}), json!("${step1.time}")),
        (json!({}), json!("it is ${step1.time}.")),
        (json!({"entries": []}), json!("${step1.path}")),
        (json!({"entries": []}), json!("found ${step1.entries.*.path}")),
        (json!({"entries": [{"a": 1}]}), json!("${step1.entries.*.path}")),
        (json!({"a": 1}), json!("${step2.a}")),
        (json!({"a": 1}), json!("${RUNTIME:secret}")),
        (json!({"a": 1}), json!("${FILLER:unknown}")),
        (json!({"a": [1]}), json!("${step1.a.5}")),
    ] {
        let error = resolve(body, &written).unwrap_err();
        assert_eq!(
            error.to_error().map(|error| error.class),
            Some(ErrorClass::UnresolvedPlaceholder),
            "{written}"
        );
    }
}

#[test]
fn entries_that_disagree_are_no_single_value() {
    for body in [
        json!({"entries": [{"path": "/a"}, {"path": "/b"}]}),
        json!({"entries": [{"path": "/a"}, {"name": "b"}]}),
    ] {
        let error = resolve(body, &json!("${step1.path}")).unwrap_err();
        assert!(matches!(error, Unresolved::Ambiguous { .. }));
    }
}

#[test]
fn a_filler_is_asked_once_for_its_prompt_and_inputs() {
    let plan = validated(&json!({
        "steps": [{"tool": "get_now", "args": {}}],
        "fillers": {"title": {"prompt": "a title for ${step1.text}", "default": "untitled"}, "bare": {"prompt": "a word"}}
    }));
    let records = [record(1, ok(json!({"text": "rain"})))];
    let turn = turn("x");
    let mut answers = BTreeMap::new();
    let ask = |answers: &BTreeMap<String, Option<String>>, written: &str| {
        let scope = Scope {
            plan: &plan,
            records: &records,
            answers,
            turn: &turn,
        };
        scope.argument(&Argument::parse(&json!(written)))
    };
    let prompt = "a title for rain".to_owned();
    let call = FillerCall {
        name: "title".to_owned(),
        prompt: prompt.clone(),
    };
    assert_eq!(ask(&answers, "${FILLER:title}"), Err(Unresolved::Fill(call)));
    answers.insert(prompt.clone(), Some("Wet".to_owned()));
    assert_eq!(ask(&answers, "${FILLER:title}!"), Ok(json!("Wet!")));
    // No model: the default, else the step fails.
    answers.insert(prompt, None);
    answers.insert("a word".to_owned(), None);
    assert_eq!(ask(&answers, "${FILLER:title}"), Ok(json!("untitled")));
    assert!(matches!(
        ask(&answers, "${FILLER:bare}"),
        Err(Unresolved::Missing { .. })
    ));
}
