//! Tables of good and bad plans, and a property: no JSON makes the validator panic.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::engine::fixtures::{lookup, proposed, shipped};

const REQUEST: &str = "find the *.jpg files in ~/in, move them to ~/photos, delete task 40, create ~/new and write \"hello 25\" to ~/notes/a.md";

fn errors(plan: &Value) -> Vec<ValidationError> {
    match validate(proposed(plan), &lookup, &ValidationContext::new(REQUEST, &[])) {
        Ok(_) => Vec::new(),
        Err(errors) => errors,
    }
}

fn codes(plan: &Value) -> Vec<&'static str> {
    errors(plan).iter().map(ValidationError::code).collect()
}

fn steps(list: &Value) -> Value {
    json!({ "steps": list })
}

#[test]
fn good_plans_pass() {
    for plan in [
        steps(&json!([{"tool": "get_now", "args": {}}])),
        steps(&json!([
            {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg"}},
            {"tool": "move_files", "args": {"from_step": 1, "dst_dir": "~/photos"}}
        ])),
        // A target named by the person needs no producer.
        steps(&json!([{"tool": "delete_files", "args": {"paths": ["~/notes/a.md"]}}])),
        // Two actions on two branches are a real compound.
        steps(&json!([
            {"tool": "create_dirs", "args": {"paths": ["~/new"]}},
            {"tool": "find_files", "args": {"base_path": "~/in"}},
            {"tool": "move_files", "args": {"from_step": 2, "dst_dir": "~/new"}},
            {"tool": "list_dirs", "args": {"path": "~/new"}}
        ])),
        // A single value may come from a step that closed its branch.
        json!({"steps": [
            {"tool": "read_files", "args": {"paths": ["~/in/x"]}},
            {"tool": "describe_entries", "args": {"from_step": 1}},
            {"tool": "write_files", "args": {"path": "~/notes/a.md", "content": "${step2.text}"}}
        ], "final_message": "wrote ${step3.bytes} bytes on ${RUNTIME:today}"}),
        // Everything optional may be absent; a reference counts as any type.
        steps(&json!([
            {"tool": "find_files", "args": {"base_path": "~/in", "max_results": "${RUNTIME:now}"}}
        ])),
    ] {
        assert_eq!(errors(&plan), Vec::new(), "{plan}");
    }
}

#[test]
fn bad_plans_name_every_error() {
    for (name, plan, expected) in bad_references().into_iter().chain(bad_arguments()).chain(bad_shapes()) {
        assert_eq!(codes(&plan), expected, "{name}");
    }
}

type Bad = (&'static str, Value, Vec<&'static str>);

fn bad_references() -> Vec<Bad> {
    vec![
        ("nothing", steps(&json!([])), vec!["no_steps"]),
        (
            "unknown tool",
            steps(&json!([{"tool": "book_flights", "args": {}}])),
            vec!["tool_unknown"],
        ),
        (
            "zero, itself, forward",
            steps(&json!([
                {"tool": "read_files", "args": {"from_step": 0}},
                {"tool": "read_files", "args": {"from_step": 2}},
                {"tool": "get_files", "args": {"from_step": 4}},
                {"tool": "get_now", "args": {}}
            ])),
            vec!["from_step_invalid", "from_step_invalid", "from_step_invalid"],
        ),
        (
            "reference forward",
            steps(&json!([{"tool": "list_dirs", "args": {"path": "${step1.path}"}}])),
            vec!["reference_invalid"],
        ),
        (
            "closing reference to nothing",
            json!({"steps": [{"tool": "get_now", "args": {}}], "final_message": "${step7.time} ${FILLER:x} ${RUNTIME:pin}"}),
            vec!["reference_invalid", "filler_unknown", "runtime_key_unknown"],
        ),
    ]
}

fn bad_arguments() -> Vec<Bad> {
    vec![
        (
            "unknown argument",
            steps(&json!([{"tool": "get_now", "args": {"zone": "UTC"}}])),
            vec!["argument_unknown"],
        ),
        (
            "argument of the runtime",
            steps(&json!([{"tool": "request_new_executor", "args": {"request": "x"}}])),
            vec!["argument_reserved"],
        ),
        (
            "wrong type is not coerced",
            steps(&json!([{"tool": "find_files", "args": {"base_path": "~/in", "max_results": "3"}}])),
            vec!["argument_invalid"],
        ),
        (
            "a hole does not hide its neighbours",
            steps(&json!([
                {"tool": "get_now", "args": {}},
                {"tool": "read_files", "args": {"paths": ["${step1.path}", 4]}}
            ])),
            vec!["argument_invalid"],
        ),
        (
            "required missing, null counts as missing",
            steps(&json!([{"tool": "find_files", "args": {"base_path": null}}])),
            vec!["argument_missing"],
        ),
        (
            "empty list of a required list",
            steps(&json!([{"tool": "read_files", "args": {"paths": []}}])),
            vec!["argument_empty"],
        ),
        (
            "from_step where nothing is taken",
            steps(&json!([
                {"tool": "get_now", "args": {}},
                {"tool": "list_dirs", "args": {"path": "~", "from_step": 1}}
            ])),
            vec!["from_step_useless"],
        ),
    ]
}

fn bad_shapes() -> Vec<Bad> {
    vec![
        (
            "transformer first",
            steps(&json!([{"tool": "filter_entries", "args": {"field": "name"}}])),
            vec!["needs_data_source"],
        ),
        (
            "presenter first",
            steps(&json!([{"tool": "describe_entries", "args": {}}])),
            vec!["needs_data_source"],
        ),
        (
            "action without target",
            steps(&json!([{"tool": "delete_files", "args": {}}])),
            vec!["argument_missing", "needs_action_target"],
        ),
        (
            "entries of a closed branch",
            steps(&json!([
                {"tool": "find_files", "args": {"base_path": "~/in"}},
                {"tool": "move_files", "args": {"from_step": 1, "dst_dir": "~/photos"}},
                {"tool": "filter_entries", "args": {"from_step": 2, "field": "name"}}
            ])),
            vec!["pipeline_already_closed"],
        ),
        (
            "the same call twice",
            steps(&json!([{"tool": "get_now", "args": {}}, {"tool": "get_now", "args": {}}])),
            vec!["duplicate_step"],
        ),
        (
            "a list executor called three times",
            steps(&json!([
                {"tool": "read_files", "args": {"paths": ["a"]}},
                {"tool": "read_files", "args": {"paths": ["b"]}},
                {"tool": "read_files", "args": {"paths": ["c"]}}
            ])),
            vec!["too_many_calls"],
        ),
        (
            "a filler in a filler",
            json!({"steps": [{"tool": "list_dirs", "args": {"path": "${FILLER:a}"}}],
                   "fillers": {"a": {"prompt": "${FILLER:b}"}, "b": {"prompt": "x"}}}),
            vec!["filler_nested"],
        ),
        (
            "several at once",
            steps(&json!([
                {"tool": "book_flights", "args": {}},
                {"tool": "find_files", "args": {"where": "x"}}
            ])),
            vec!["tool_unknown", "argument_unknown", "argument_missing"],
        ),
    ]
}

#[test]
fn entries_written_as_a_reference_become_from_step() {
    // Models copy the list instead of pointing at the step.
    let plan = steps(&json!([
        {"tool": "find_files", "args": {"base_path": "~/in"}},
        {"tool": "filter_entries", "args": {"entries": "${step1.entries}", "field": "name"}}
    ]));
    let plan = validate(proposed(&plan), &lookup, &ValidationContext::new(REQUEST, &[])).unwrap();
    assert_eq!(plan.steps[1].from_step, Some(1));
    assert_eq!(plan.steps[1].args.len(), 1);
}

#[test]
fn too_many_steps_are_refused_with_the_cap() {
    let list: Vec<Value> = (0..=STEPS_MAX)
        .map(|index| json!({"tool": "list_dirs", "args": {"path": format!("d{index}")}}))
        .collect();
    let errors = errors(&steps(&json!(list)));
    assert_eq!(errors[0].code(), "too_many_steps");
    assert!(errors[0].final_kind().is_some());
}

#[test]
fn effects_act_only_on_what_was_said() {
    let table = [
        // A remembered plan for another number.
        (json!({"tool": "delete_tasks", "args": {"id": 42}}), false),
        (json!({"tool": "delete_tasks", "args": {"id": 4}}), false),
        (json!({"tool": "delete_tasks", "args": {"id": 40}}), true),
        (
            json!({"tool": "delete_files", "args": {"paths": ["~/in/b.jpg"]}}),
            false,
        ),
        (
            json!({"tool": "delete_files", "args": {"paths": ["~/notes/a.md", "/etc"]}}),
            false,
        ),
        (json!({"tool": "delete_files", "args": {"paths": ["/"]}}), false),
        (json!({"tool": "delete_files", "args": {"paths": ["~/notes"]}}), true),
        (
            json!({"tool": "write_files", "args": {"path": "~/notes/a.md", "content": "hello 25"}}),
            true,
        ),
        (
            json!({"tool": "write_files", "args": {"path": "~/notes/a.md", "content": "hello 26"}}),
            false,
        ),
        (
            json!({"tool": "write_files", "args": {"path": "~/notes/a.md", "content": "1. hello"}}),
            true,
        ),
        (
            json!({"tool": "write_files", "args": {"path": "~/notes/other.md", "content": "hello"}}),
            false,
        ),
        // A read does no harm.
        (json!({"tool": "list_dirs", "args": {"path": "/somewhere/else"}}), true),
    ];
    for (step, grounded) in table {
        let found = codes(&steps(&json!([step])));
        assert_eq!(found.is_empty(), grounded, "{step}: {found:?}");
        assert!(grounded || found == ["ungrounded"], "{step}: {found:?}");
    }
}

/// A small model made `~/notes/a.m3u` of "a new file", and `~/cv` of "cv_marta".
#[test]
fn a_piece_of_a_word_is_no_name() {
    for (path, request, grounded) in [
        ("~/notes/a.m3u", "delete a new file in ~/notes", false),
        ("~/cv", "delete cv_marta", false),
        ("~/cv_marta.docx", "delete cv_marta", true),
    ] {
        let plan = steps(&json!([{"tool": "delete_files", "args": {"paths": [path]}}]));
        let context = ValidationContext::new(request, &[]);
        assert_eq!(
            validate(proposed(&plan), &lookup, &context).is_ok(),
            grounded,
            "{request}"
        );
    }
}

#[test]
fn numbers_in_words_and_approved_plans_are_grounded() {
    let plan = steps(&json!([{"tool": "delete_tasks", "args": {"id": 3}}]));
    let mut context = ValidationContext::new("delete task three", &[]);
    assert!(validate(proposed(&plan), &lookup, &context).is_err());
    context.numbers = &[3];
    assert!(validate(proposed(&plan), &lookup, &context).is_ok());
    context.numbers = &[];
    context.grounding = Grounding::Approved;
    assert!(validate(proposed(&plan), &lookup, &context).is_ok());
}

#[test]
fn web_addresses_are_grounded_with_or_without_scheme() {
    for (request, grounded) in [
        ("download http://example.org/a/", true),
        ("download example.org/a", true),
        ("download example.org", false),
    ] {
        let mut manifest = crate::engine::fixtures::catalog()
            .into_iter()
            .find(|manifest| manifest.name.as_str() == "get_urls")
            .unwrap();
        manifest.effect = crate::domain::manifest::Effect::Outbound;
        let manifest = Arc::new(manifest);
        let plan = proposed(&steps(
            &json!([{"tool": "get_urls", "args": {"urls": ["http://example.org/a"]}}]),
        ));
        let find = |_: &ExecutorName| Some(manifest.clone());
        let result = validate(plan, &find, &ValidationContext::new(request, &[]));
        assert_eq!(result.is_ok(), grounded, "{request}");
    }
}

#[test]
fn nothing_asked_is_dropped() {
    use Verb::{Create, Delete, Find, Get, Move, Read, Write};
    let table: Vec<(Value, &[Verb], &[Verb])> = vec![
        (json!([{"tool": "find_files"}]), &[Find, Move], &[Move]),
        (
            json!([{"tool": "list_dirs"}, {"tool": "move_files"}]),
            &[Find, Move],
            &[],
        ),
        (json!([{"tool": "get_now"}]), &[Read], &[]),
        (json!([{"tool": "move_files"}]), &[Get, Move], &[Get]),
        (json!([{"tool": "write_files"}]), &[Write, Write], &[Write]),
        (
            json!([{"tool": "create_events", "args": {"events": ["x"]}}]),
            &[Write],
            &[],
        ),
        (
            json!([{"tool": "create_dirs", "args": {"paths": ["x"]}}]),
            &[Write],
            &[Write],
        ),
        (
            json!([{"tool": "create_events", "args": {"text": "x"}}]),
            &[Write, Create],
            &[Write],
        ),
        (json!([{"tool": "move_messages"}]), &[Delete], &[]),
        (json!([{"tool": "request_new_executor"}]), &[Delete], &[]),
    ];
    for (list, required, expected) in table {
        assert_eq!(dropped_verbs(&proposed(&steps(&list)), required), expected, "{list}");
    }
    let plan = proposed(&steps(&json!([{"tool": "get_now", "args": {}}])));
    let errors = validate(plan, &lookup, &ValidationContext::new("", &[Move])).unwrap_err();
    assert_eq!(errors[0].for_model(), "the request asks to move, but no step does");
}

#[test]
fn a_request_for_data_alone_requires_nothing() {
    assert!(required_verbs(&[Verb::Read]).is_empty());
    assert_eq!(required_verbs(&[Verb::Delete]), [Verb::Delete]);
    assert_eq!(required_verbs(&[Verb::Find, Verb::Sort]), [Verb::Find]);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("${step1.entries.*.path}")),
        Just(json!("a ${step9} {{FILLER:x}} ${RUNTIME:now_plus_9d} ${")),
        Just(json!("~/ìn/*.jpg")),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(any_name(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "paths",
            "path",
            "from_step",
            "entries",
            "content",
            "pattern",
            "dst_dir",
            "id"
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ]
}

fn any_tool() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(
            crate::engine::fixtures::catalog()
                .into_iter()
                .map(|manifest| manifest.name.as_str().to_owned())
                .collect::<Vec<_>>()
        ),
        "\\PC{0,8}",
    ]
}

proptest! {
    #[test]
    fn no_plan_makes_it_panic(
        list in prop::collection::vec((any_tool(), any_json()), 0..6),
        closing in any_json(),
        request in "\\PC{0,40}",
    ) {
        let list: Vec<Value> = list.into_iter().map(|(tool, args)| json!({"tool": tool, "args": args})).collect();
        let plan = json!({"steps": list, "final_message": closing, "fillers": {"x": closing}});
        if let Ok(plan) = Plan::from_json(&plan)
            && let Err(errors) = validate(plan, &lookup, &ValidationContext::new(&request, &[Verb::Move]))
        {
            prop_assert!(errors.iter().all(|error| !error.for_model().is_empty() && !error.code().is_empty()));
        }
    }
}

/// The plans of the walkthrough, as a good proposer would write them, against the shipped manifests.
#[test]
fn plans_of_everyday_requests_pass_with_the_shipped_executors() {
    let shipped = |name: &ExecutorName| shipped().into_iter().find(|manifest| manifest.name == *name);
    for (request, list) in [
        (
            "list the files in ~/docs",
            json!([{"tool": "list_dirs", "args": {"path": "~/docs"}}]),
        ),
        (
            "find the pdf files in ~/docs modified this week",
            json!([{"tool": "find_files",
                "args": {"base_path": "~/docs", "pattern": "*.pdf", "modified_window": "this-week"}}]),
        ),
        (
            "quanti file markdown ci sono in ~/notes",
            json!([
                {"tool": "find_files", "args": {"base_path": "~/notes", "pattern": "*.md"}},
                {"tool": "compute_entries", "args": {"from_step": 1, "op": "count"}}
            ]),
        ),
        (
            "read ~/notes/diary.md and show me the last three lines",
            json!([
                {"tool": "read_files", "args": {"paths": ["~/notes/diary.md"]}},
                {"tool": "filter_texts_lines", "args": {"from_step": 1, "last": 3}}
            ]),
        ),
        (
            "save the page http://127.0.0.1:4000/article to ~/notes/article.md and tell me how many bytes you wrote",
            json!([
                {"tool": "read_urls_html", "args": {"urls": ["http://127.0.0.1:4000/article"]}},
                {"tool": "write_files", "args": {"path": "~/notes/article.md", "content": "${step1.text}"}}
            ]),
        ),
        (
            "move the jpg files from ~/in to ~/photos",
            json!([
                {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg"}},
                {"tool": "move_files", "args": {"from_step": 1, "dst_dir": "~/photos"}}
            ]),
        ),
        (
            "delete ~/docs/old.txt",
            json!([{"tool": "delete_files", "args": {"paths": ["~/docs/old.txt"]}}]),
        ),
        (
            "which process uses the most memory",
            json!([{"tool": "get_processes", "args": {"sort_by": "memory", "top": 1}}]),
        ),
        ("annulla", json!([{"tool": "undo_last_turn", "args": {}}])),
        (
            "summarize http://e.org/a and save it to ~/s.md",
            json!([
                {"tool": "read_urls_html", "args": {"urls": ["http://e.org/a"]}},
                {"tool": "describe_entries", "args": {"from_step": 1}},
                {"tool": "write_files", "args": {"path": "~/s.md", "content": "${step2.text}"}}
            ]),
        ),
        (
            "create the folder ~/new and move ~/a.txt there",
            json!([
                {"tool": "create_dirs", "args": {"paths": ["~/new"]}},
                {"tool": "move_files", "args": {"paths": ["~/a.txt"], "dst_dir": "~/new"}}
            ]),
        ),
    ] {
        let result = validate(proposed(&steps(&list)), &shipped, &ValidationContext::new(request, &[]));
        assert_eq!(result.err(), None, "{request}");
    }
}
