//! What a composite becomes, as tables.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::{
    domain::manifest::{Effect, Feed, Semantic},
    engine::fixtures::{arg, manifest, required},
};

fn composite() -> Manifest {
    let args = vec![
        required(arg("folder", json!({"type": "string"}), Semantic::Directory)),
        required(arg("top", json!({"type": "integer"}), Semantic::Count)),
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
