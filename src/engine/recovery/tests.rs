//! Tables of failures and moves.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::{
    domain::{
        failure::ToolError,
        ids::{ExecutorName, StepId},
        message::Message,
        run::{StepRecord, ToolResult},
    },
    engine::{
        fixtures::{lookup, validated},
        plan_executor::closing::Closing,
        validator::{ValidationContext, validate},
    },
};

fn report(plan: &Value, end: RunEnd) -> RunReport {
    let plan = validated(plan);
    RunReport {
        end,
        planned: plan.hash(),
        plan,
        records: Vec::new(),
        closing: Closing::None,
        handles: BTreeMap::new(),
        committed_effects: false,
        items: 0,
        mutations: 0,
        without_effect: Vec::new(),
        helpers: Vec::new(),
        last_failure: None,
        cache_worthy: false,
    }
}

fn failed(plan: &Value, class: ErrorClass, args: Value, failed: Value) -> RunReport {
    let error = ToolError::new(class, Message::new("x"));
    let end = RunEnd::Failed {
        error: error.clone(),
        step: StepId(1),
    };
    let mut report = report(plan, end);
    let mut result = ToolResult::failed(error);
    result.body.insert("failed".to_owned(), failed);
    report.records.push(StepRecord {
        id: StepId(1),
        tool: ExecutorName::from(plan["steps"][0]["tool"].as_str().unwrap_or_default()),
        raw_args: args.clone(),
        resolved_args: args,
        result,
        has_effect: false,
        skipped: false,
        ruling: None,
        executor_us: 0,
        policy_us: 0,
    });
    report
}

fn decide(report: &RunReport, request: &str) -> NextMove {
    next_move(
        report,
        &Context {
            request,
            manifests: &lookup,
        },
    )
}

fn one(tool: &str, args: &Value) -> Value {
    json!({"steps": [{"tool": tool, "args": args}]})
}

#[test]
fn every_class_has_its_move() {
    use FailureClass::{MissingInput, OutOfScope, WrongArgs, WrongTool};
    let plan = one("get_now", &json!({}));
    for (class, expected, proposes) in [
        (ErrorClass::InvalidArgs, WrongArgs, true),
        (ErrorClass::UnresolvedPlaceholder, WrongArgs, true),
        (ErrorClass::AmbiguousSourceContext, WrongArgs, true),
        (ErrorClass::NeedsDataSource, WrongTool, true),
        (ErrorClass::NotFound, MissingInput, true),
        // A target is asked for, not looked for.
        (ErrorClass::NeedsActionTarget, MissingInput, false),
        // Operational: another plan would fail the same way.
        (ErrorClass::Network, OutOfScope, false),
        (ErrorClass::Timeout, OutOfScope, false),
        (ErrorClass::NonJson, OutOfScope, false),
        (ErrorClass::ModelUnavailable, OutOfScope, false),
        (ErrorClass::CapabilityMissing, OutOfScope, false),
        // A no is a no.
        (ErrorClass::Forbidden, OutOfScope, false),
        (ErrorClass::PermissionDenied, OutOfScope, false),
        (ErrorClass::Refused, OutOfScope, false),
    ] {
        let report = failed(&plan, class, json!({}), json!([]));
        assert_eq!(classify(&report), expected, "{class:?}");
        let expected = if proposes {
            NextMove::ProposeWithout
        } else {
            NextMove::GiveUp(expected)
        };
        assert_eq!(decide(&report, "x"), expected, "{class:?}");
    }
}

#[test]
fn never_after_a_change() {
    // A recovery that deletes again what was half deleted.
    let mut report = failed(
        &one("get_now", &json!({})),
        ErrorClass::InvalidArgs,
        json!({}),
        json!([]),
    );
    assert_eq!(decide(&report, "x"), NextMove::ProposeWithout);
    report.committed_effects = true;
    assert_eq!(decide(&report, "x"), NextMove::GiveUp(FailureClass::WrongArgs));
}

#[test]
fn what_a_rule_ended_and_questions_get_no_other_plan() {
    let plan = one("get_now", &json!({}));
    for kind in [
        FinalKind::CapSteps,
        FinalKind::CapSameExecutor,
        FinalKind::LoopBreak,
        FinalKind::NeedsInputs,
        FinalKind::Error,
    ] {
        let next = decide(&report(&plan, RunEnd::Stopped(kind)), "x");
        assert!(matches!(next, NextMove::GiveUp(_)), "{kind:?}");
    }
    assert!(matches!(
        decide(&report(&plan, RunEnd::Completed), "x"),
        NextMove::GiveUp(_)
    ));
}

#[test]
fn mends_put_a_search_first() {
    let table = [
        (
            "a reader without files",
            failed(
                &one("read_files", &json!({})),
                ErrorClass::InvalidArgs,
                json!({}),
                json!([]),
            ),
            json!([
                {"tool": "find_files", "args": {"base_path": "~/notes", "pattern": "*.md"}},
                {"tool": "read_files", "args": {"from_step": 1}}
            ]),
        ),
        (
            "a folder where files are meant",
            failed(
                &one("read_files", &json!({"paths": ["~/notes"]})),
                ErrorClass::InvalidArgs,
                json!({"paths": ["~/notes"]}),
                json!([{"path": "/home/ada/notes", "expected": "file", "actual": "directory"}]),
            ),
            json!([
                {"tool": "find_files", "args": {"base_path": "/home/ada/notes"}},
                {"tool": "read_files", "args": {"from_step": 1}}
            ]),
        ),
        (
            "a pattern taken for a name, also by an action",
            failed(
                &one("move_files", &json!({"paths": ["~/in/*.jpg"], "dst_dir": "~/photos"})),
                ErrorClass::NotFound,
                json!({"paths": ["~/in/*.jpg"], "dst_dir": "~/photos"}),
                json!([]),
            ),
            json!([
                {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg"}},
                {"tool": "move_files", "args": {"from_step": 1, "dst_dir": "~/photos"}}
            ]),
        ),
    ];
    let request = "read the .md files in ~/notes or move *.jpg to ~/photos";
    for (name, report, steps) in table {
        let NextMove::Repair(plan) = decide(&report, request) else {
            panic!("{name}: no repair");
        };
        assert_eq!(plan.to_json()["steps"], steps, "{name}");
        assert!(
            validate(*plan, &lookup, &ValidationContext::new(request, &[])).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn a_folder_is_never_expanded_for_an_action() {
    // 681 deletes after one folder became its files.
    let report = failed(
        &one("delete_files", &json!({"paths": ["~/notes"]})),
        ErrorClass::InvalidArgs,
        json!({"paths": ["~/notes"]}),
        json!([{"path": "/home/ada/notes", "expected": "file", "actual": "directory"}]),
    );
    assert!(matches!(decide(&report, "delete ~/notes"), NextMove::ProposeWithout));
}
