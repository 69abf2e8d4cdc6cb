//! Tests of slots: what a template is, and which plans keep them.

use serde_json::json;

use super::*;
use crate::engine::fixtures::{corpus, shipped};

fn template(request: &str) -> Option<Template> {
    let language = Language::embedded().unwrap();
    let now = "2026-05-04T10:00:00Z[UTC]".parse().unwrap();
    Template::of(&language.read(request, Lang::EN, &now), &language)
}

fn slots(request: &str, plan: &Value) -> Option<Slots> {
    let catalog = shipped();
    let manifests = |name: &ExecutorName| catalog.iter().find(|manifest| manifest.name == *name).cloned();
    let plan = Plan::from_json(plan).unwrap();
    Slots::of(
        &template(request).unwrap(),
        &plan,
        &manifests,
        &Language::embedded().unwrap(),
    )
}

#[test]
fn a_template_keeps_every_word_and_the_kind_of_each_value() {
    // Whoever asks speaks English.
    let shown = |request: &str, _| template(request).map_or_else(|| "none".to_owned(), |template| template.text);
    let tables = corpus::tables("templates.toml");
    let wrong: Vec<String> = tables.iter().flat_map(|table| table.differing(shown)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_are_filled_where_they_stood_in_the_form_they_had() {
    let request = "sum up the last 3 goodies of ~/notes/may.md";
    let plan = json!({"steps": [
        {"tool": "read_files", "args": {"paths": ["~/notes/may.md"], "encoding": "3"}},
        {"tool": "sort_entries", "args": {"from_step": 1, "by": "size"}},
    ]});
    let slots = slots(request, &plan).unwrap();
    let values = template("sum up the last 5 goodies of ~/notes/june.md").unwrap().values;
    let filled = slots.filled(&plan, &values).unwrap();
    assert_eq!(
        filled["steps"][0]["args"],
        json!({"paths": ["~/notes/june.md"], "encoding": "5"})
    );
    assert_eq!(filled["steps"][1], plan["steps"][1]);
}

#[test]
fn the_same_values_in_another_order_do_not_fit() {
    let (one, two) = (json!("~/a"), json!("~/b"));
    let known = [one.clone(), two.clone()];
    assert!(Slots::fit(&known, &known));
    assert!(Slots::fit(&known, &[two.clone(), json!("~/c")]));
    assert!(!Slots::fit(&known, &[two, one.clone()]));
    assert!(!Slots::fit(&known, &[one]));
}

#[test]
fn a_plan_keeps_slots_only_if_nothing_else_in_it_comes_from_a_value() {
    let request = "sum up ~/notes/may.md in 3 lines";
    let read = |more: Value| {
        let mut args = json!({"paths": ["~/notes/may.md"]});
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"tool": "read_files", "args": args})
    };
    let with = |steps: Value, words: Option<&str>| json!({"steps": steps, "final_message": words});
    let counted = json!({"encoding": "3"});
    let good = [
        with(json!([read(counted.clone())]), None),
        with(json!([read(counted.clone())]), Some("${step1.text}")),
        with(json!([read(counted.clone())]), Some("The lines: ${step1.text}")),
    ];
    for plan in good {
        assert!(slots(request, &plan).is_some(), "{plan}");
    }
    let bad = [
        // A value that the plan has not, or twice where one may be by chance.
        with(json!([read(json!({}))]), None),
        with(json!([read(json!({"encoding": "3", "max_bytes": 3}))]), None),
        // Made of a value: another file of its folder, its name in a sentence, its number in words.
        with(
            json!([read(counted.clone()), {"tool": "read_files", "args": {"paths": ["~/notes/sum.md"]}}]),
            None,
        ),
        with(json!([read(counted.clone())]), Some("Your notes: ${step1.text}")),
        with(json!([read(counted.clone())]), Some("In spring: ${step1.text}")),
        with(json!([read(counted.clone())]), Some("Three lines: ${step1.text}")),
        with(json!([read(counted.clone())]), Some("3 lines: ${step1.text}")),
        // Of a tool that nobody knows.
        with(json!([read(counted), {"tool": "no_tool", "args": {}}]), None),
    ];
    for plan in bad {
        assert_eq!(slots(request, &plan), None, "{plan}");
    }
}
