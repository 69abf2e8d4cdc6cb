//! What a composite becomes, as tables.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::{
    domain::{
        frame::{FrameSpec, Said, SaidValue},
        kind::Class,
        manifest::{Effect, Feed},
    },
    engine::fixtures::{arg, manifest, required},
};

fn composite() -> Manifest {
    let args = vec![
        required(arg("folder", json!({"type": "string"}), Class::Folder)),
        required(arg("top", json!({"type": "integer"}), Class::Number)),
    ];
    let mut manifest = manifest("sort_files", Feed::None, Effect::Read, args);
    manifest.kind = Kind::Composite {
        plan: json!({
            "steps": [
                {"tool": "list_dirs", "args": {"path": "${PARAM:folder}"}},
                {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "top": "${PARAM:top}"}}
            ],
            "final_message": "${step2.used} of ${PARAM:folder}"
        }),
    };
    manifest
}

fn opened(plan: &Value) -> Plan<Proposed> {
    let manifests = |name: &ExecutorName| (name.as_str() == "sort_files").then(|| Arc::new(composite()));
    expand(Plan::from_json(plan).unwrap(), &manifests)
}

#[test]
fn alone_it_is_its_plan_with_the_values_in_it() {
    let written = json!({"steps": [{"tool": "sort_files", "args": {"folder": "~/docs", "top": 3}}]});
    let plan = opened(&written);
    assert_eq!(
        plan.to_json(),
        json!({
            "steps": [
                {"tool": "list_dirs", "args": {"path": "~/docs"}},
                {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "top": 3}}
            ],
            "final_message": "${step2.used} of ~/docs"
        })
    );
    assert_eq!(plan.written(), written, "and it is remembered as it was written");
}

#[test]
fn among_others_their_numbers_go_on_being_right() {
    let plan = opened(&json!({
        "steps": [
            {"tool": "get_now", "args": {}},
            {"tool": "sort_files", "args": {"folder": "~/${step1.year}", "top": 2}},
            {"tool": "sort_files", "args": {"folder": "${step2.path}", "top": 1}},
            {"tool": "move_files", "args": {"from_step": 3, "dst_dir": "~/of ${step2.path}"}}
        ],
        "final_message": "moved ${step4.ok_count} of ${step3.used}"
    }));
    assert_eq!(
        plan.to_json(),
        json!({
            "steps": [
                {"tool": "get_now", "args": {}},
                {"tool": "list_dirs", "args": {"path": "~/${step1.year}"}},
                {"tool": "sort_entries", "args": {"from_step": 2, "by": "size", "top": 2}},
                {"tool": "list_dirs", "args": {"path": "${step3.path}"}},
                {"tool": "sort_entries", "args": {"from_step": 4, "by": "size", "top": 1}},
                {"tool": "move_files", "args": {"from_step": 5, "dst_dir": "~/of ${step3.path}"}}
            ],
            "final_message": "moved ${step6.ok_count} of ${step5.used}"
        })
    );
}

#[test]
fn what_lacks_an_argument_or_has_one_too_many_stays_closed() {
    for args in [
        json!({"folder": "~/docs"}),
        json!({"folder": "~/docs", "top": 3, "deep": true}),
        json!({}),
    ] {
        let written = json!({"steps": [{"tool": "sort_files", "args": args}]});
        assert_eq!(opened(&written).to_json(), written);
    }
    let other = json!({"steps": [{"tool": "get_now", "args": {}}]});
    assert_eq!(opened(&other).written(), other);
}

/// One that says nothing at its end, and is asked for in words.
fn grown() -> Manifest {
    let mut manifest = composite();
    if let Kind::Composite { plan } = &mut manifest.kind {
        plan.as_object_mut().unwrap().remove("final_message");
    }
    let value = |args: &[&str], is: Option<Value>| SaidValue {
        is,
        args: args.iter().map(|name| (*name).to_owned()).collect(),
    };
    manifest.frames = vec![FrameSpec {
        deed: "sort".to_owned(),
        says: Vec::new(),
        rest: false,
        set: Map::new(),
        slots: Vec::new(),
        then: Vec::new(),
        adds: false,
        said: Some(Said {
            words: "the ⟨count⟩ biggest in ⟨path⟩ by ⟨number⟩".to_owned(),
            values: vec![
                value(&["top"], None),
                value(&["folder"], None),
                value(&[], Some(json!(7))),
            ],
        }),
    }];
    manifest
}

#[test]
fn a_plan_that_is_just_its_steps_is_a_call_of_it() {
    let all = [Arc::new(grown())];
    let call = json!({"steps": [{"tool": "sort_files", "args": {"folder": "~/docs", "top": 3}}]});
    let manifests = |name: &ExecutorName| (name.as_str() == "sort_files").then(|| Arc::new(grown()));
    let steps = expand(Plan::from_json(&call).unwrap(), &manifests);
    assert_eq!(folded(&steps, &all), Some(call));
    for other in [
        json!({"steps": [{"tool": "list_dirs", "args": {"path": "~/docs"}},
                         {"tool": "sort_entries", "args": {"from_step": 1, "by": "name", "top": 3}}]}),
        json!({"steps": [{"tool": "list_dirs", "args": {"path": "~/docs"}},
                         {"tool": "sort_entries", "args": {"from_step": 1, "by": "size"}}]}),
        json!({"steps": [{"tool": "list_dirs", "args": {"path": "${RUNTIME:home}"}},
                         {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "top": 3}}]}),
        json!({"steps": [{"tool": "list_dirs", "args": {"path": "~/docs"}}]}),
    ] {
        assert_eq!(folded(&Plan::from_json(&other).unwrap(), &all), None, "{other}");
    }
}

#[test]
fn its_own_words_with_other_values_are_a_call_of_it() {
    let all = [Arc::new(grown())];
    let words = "the ⟨count⟩ biggest in ⟨path⟩ by ⟨number⟩";
    let plan = asked(words, &[json!(5), json!("~/new"), json!(7)], &all).unwrap();
    assert_eq!(
        plan.to_json(),
        json!({"steps": [{"tool": "sort_files", "args": {"top": 5, "folder": "~/new"}}]})
    );
    assert_eq!(
        asked(words, &[json!(5), json!("~/new"), json!(8)], &all),
        None,
        "what was always the same"
    );
    assert_eq!(
        asked(
            "the ⟨count⟩ smallest in ⟨path⟩ by ⟨number⟩",
            &[json!(5), json!("~/new"), json!(7)],
            &all
        ),
        None
    );
    let twice = [Arc::new(grown()), Arc::new(grown())];
    assert_eq!(
        asked(words, &[json!(5), json!("~/new"), json!(7)], &twice),
        None,
        "two that are asked for alike"
    );
}
