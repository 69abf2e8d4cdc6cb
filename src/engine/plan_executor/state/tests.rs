//! Runs tried without a process: the driver is a closure that answers for every tool.

use serde_json::{Value, json};

use super::*;
use crate::{
    domain::{
        limits::STEPS_MAX,
        manifest::{Effect, Feed},
        verdict::{DecidedBy, Risk},
    },
    engine::fixtures::{arg, lookup, manifest, ok, turn, validated},
    engine::plan_executor::RunReport,
};

mod pauses;
mod remedies;

/// Everything a run needs from outside.
struct World<'w> {
    tool: &'w dyn Fn(&str, &Map<String, Value>) -> ToolResult,
    decision: &'w dyn Fn(&Ready) -> Decision,
    filler: &'w dyn Fn(&str) -> Option<String>,
}

impl Default for World<'_> {
    fn default() -> Self {
        Self {
            tool: &|_, _| ok(json!({"entries": [{"path": "/a"}], "ok_count": 1})),
            decision: &|_| Decision::Allow,
            filler: &|_| None,
        }
    }
}

fn verdict(decision: Decision) -> Verdict {
    Verdict {
        decision,
        decided_by: Some(DecidedBy::Gate),
        risk: Risk::High,
        score: 1.0,
        reason: None,
        above_level: false,
    }
}

fn run_resumed(plan: &Plan<Validated>, world: &World<'_>, resume: Resume) -> (RunReport, Vec<String>) {
    run_with(plan, world, resume, &lookup)
}

fn run_with(
    plan: &Plan<Validated>,
    world: &World<'_>,
    resume: Resume,
    manifests: Lookup<'_>,
) -> (RunReport, Vec<String>) {
    let turn = turn("the request");
    let mut calls = Vec::new();
    let mut state = RunState::new(plan.clone(), &turn, resume);
    loop {
        match state.next(manifests) {
            Action::Fill(call) => {
                let answer = (world.filler)(&call.prompt);
                state.filled(call, answer);
            }
            Action::Check(ready) => {
                let verdict = verdict((world.decision)(&ready));
                if let Decided::Run(ready) = state.decide(ready, &verdict, manifests) {
                    calls.push(format!("{} {}", ready.step.tool, Value::Object(ready.args.clone())));
                    let result = (world.tool)(ready.step.tool.as_str(), &ready.args);
                    state.record(*ready, result, Took::default(), manifests);
                }
            }
            Action::End => return (state.into_report(BTreeMap::new()), calls),
        }
        assert!(calls.len() < 100, "the run does not end");
    }
}

fn run(plan: &Value, world: &World<'_>) -> (RunReport, Vec<String>) {
    run_resumed(&validated(plan), world, Resume::default())
}

fn failed(class: ErrorClass) -> ToolResult {
    ToolResult::failed(ToolError::new(class, Message::new("x")))
}

fn find_and_move() -> Value {
    json!({"steps": [
        {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg"}},
        {"tool": "move_files", "args": {"from_step": 1, "dst_dir": "~/photos"}}
    ], "final_message": "moved ${step2.ok_count} of ${step1.count}"})
}

#[test]
fn a_plan_runs_from_source_to_words() {
    let world = World {
        tool: &|tool, _| match tool {
            "find_files" => ok(json!({"entries": [{"path": "/a"}, {"path": "/b"}]})),
            _ => ok(json!({"results": [{}, {}], "ok_count": 2})),
        },
        ..World::default()
    };
    let (report, calls) = run(&find_and_move(), &world);
    assert_eq!(
        calls,
        [
            r#"find_files {"base_path":"~/in","pattern":"*.jpg"}"#,
            r#"move_files {"dst_dir":"~/photos","paths":["/a","/b"]}"#
        ]
    );
    assert_eq!(report.end, RunEnd::Completed);
    assert_eq!(report.closing, Closing::Words("moved 2 of 2".to_owned()));
    assert_eq!((report.items, report.mutations), (2, 2));
    assert!(report.committed_effects && report.cache_worthy);
}

#[test]
fn an_action_on_nothing_does_not_run() {
    let world = World {
        tool: &|_, _| ok(json!({"entries": []})),
        ..World::default()
    };
    let (report, calls) = run(&find_and_move(), &world);
    assert_eq!(calls.len(), 1);
    assert_eq!(report.end, RunEnd::Completed);
    assert!(report.records[1].skipped);
    assert!(!report.committed_effects && !report.cache_worthy);
    // Said with true numbers, not with holes.
    assert_eq!(report.closing, Closing::Words("moved 0 of 0".to_owned()));
}

#[test]
fn a_condition_skips_what_depends_on_an_empty_result() {
    let plan = json!({"steps": [
        {"tool": "find_files", "args": {"base_path": "~/in"}},
        {"tool": "write_files", "args": {"path": "~/x", "content": "${step1.entries}"}, "if_prev_entries_nonempty": true}
    ]});
    for (entries, count) in [(json!([]), 1), (json!([{"path": "/a"}]), 2)] {
        let tool = |_: &str, _: &Map<String, Value>| ok(json!({"entries": entries}));
        let (report, calls) = run(
            &plan,
            &World {
                tool: &tool,
                ..World::default()
            },
        );
        assert_eq!((calls.len(), report.end), (count, RunEnd::Completed));
    }
}

#[test]
fn the_first_failure_ends_the_run() {
    let world = World {
        tool: &|_, _| failed(ErrorClass::PermissionDenied),
        ..World::default()
    };
    let (report, calls) = run(&find_and_move(), &world);
    assert_eq!(calls.len(), 1);
    assert_eq!(
        report.error().map(|error| error.class),
        Some(ErrorClass::PermissionDenied)
    );
    assert!(matches!(report.end, RunEnd::Failed { step: StepId(1), .. }));
    assert!(!report.committed_effects && !report.cache_worthy);
}

#[test]
fn a_value_that_is_not_there_fails_the_step_before_it_runs() {
    let plan = json!({"steps": [
        {"tool": "get_now", "args": {}},
        {"tool": "write_files", "args": {"path": "~/x", "content": "it is ${step1.clock}"}}
    ]});
    let (report, calls) = run(
        &plan,
        &World {
            tool: &|_, _| ok(json!({"time": "10:00"})),
            ..World::default()
        },
    );
    assert_eq!(calls.len(), 1);
    assert_eq!(
        report.error().map(|error| error.class),
        Some(ErrorClass::UnresolvedPlaceholder)
    );
    assert!(!report.committed_effects);
}

#[test]
fn entries_that_disagree_are_never_guessed() {
    let plan = json!({"steps": [
        {"tool": "find_files", "args": {"base_path": "~/in"}},
        {"tool": "get_files", "args": {"from_step": 1}}
    ]});
    let world = World {
        tool: &|_, _| ok(json!({"entries": [{"path": "/a"}, {"path": "/b"}]})),
        ..World::default()
    };
    let (report, _) = run(&plan, &world);
    assert_eq!(
        report.error().map(|error| error.class),
        Some(ErrorClass::AmbiguousSourceContext)
    );
}

#[test]
fn a_sentence_with_a_hole_is_not_shown() {
    // "It is ." is worse than the bare result.
    for (closing, body, words) in [
        ("it is ${step1.time}.", json!({"time": "10:00"}), Some("it is 10:00.")),
        ("it is ${step1.time}.", json!({"time": ""}), None),
        ("it is ${step1.clock}.", json!({"time": "10:00"}), None),
        ("it is ${time}.", json!({"time": "10:00"}), None),
        ("${step1.entries}", json!({"entries": []}), None),
        ("files (N entries)", json!({"entries": []}), None),
        (
            "content: ${step1.text}",
            json!({"text": "price ${x}"}),
            Some("content: price ${x}"),
        ),
    ] {
        let plan = json!({"steps": [{"tool": "get_now", "args": {}}], "final_message": closing});
        let (report, _) = run(
            &plan,
            &World {
                tool: &|_, _| ok(body.clone()),
                ..World::default()
            },
        );
        match (report.closing, words) {
            (Closing::Words(found), Some(words)) => assert_eq!(found, words),
            (Closing::Degenerate { .. }, None) => assert!(!report.cache_worthy),
            (other, _) => panic!("{closing}: {other:?}"),
        }
    }
}

#[test]
fn the_same_read_is_not_done_twice_unless_something_changed() {
    let plan = json!({"steps": [
        {"tool": "list_dirs", "args": {"path": "~/a"}},
        {"tool": "list_dirs", "args": {"path": "~/b"}},
        {"tool": "list_dirs", "args": {"path": "~/a"}},
        {"tool": "create_dirs", "args": {"paths": ["~/a/n"]}},
        {"tool": "list_dirs", "args": {"path": "~/a"}}
    ], "final_message": "${step3.count}"});
    let (report, calls) = run(&plan, &World::default());
    let tools: Vec<&str> = calls.iter().filter_map(|call| call.split(' ').next()).collect();
    assert_eq!(tools, ["list_dirs", "list_dirs", "create_dirs", "list_dirs"]);
    assert_eq!(report.records.len(), 5);
    assert_eq!(report.records[2].result.body[DUPLICATE_OF], json!(1));
    assert_eq!(report.closing, Closing::Words("1".to_owned()));
}

#[test]
fn caps_end_the_turn() {
    let reads: Vec<Value> = (0..3)
        .map(|n| json!({"tool": "read_files", "args": {"paths": [format!("f{n}")]}}))
        .collect();
    let (report, calls) = run(&json!({"steps": reads}), &World::default());
    assert_eq!(
        (report.end, calls.len()),
        (RunEnd::Stopped(FinalKind::CapSameExecutor), 2)
    );

    let many = |_: &ExecutorName| {
        let any = arg("n", json!({"type": "integer"}), crate::domain::kind::Class::Number);
        Some(Arc::new(manifest("get_now", Feed::None, Effect::Read, vec![any])))
    };
    let steps: Vec<Value> = (0..40)
        .map(|n| json!({"tool": format!("get_{n}"), "args": {"n": n}}))
        .collect();
    let plan = validated(&json!({"steps": steps}));
    let (report, calls) = run_with(&plan, &World::default(), Resume::default(), &many);
    assert_eq!(
        (report.end, calls.len()),
        (RunEnd::Stopped(FinalKind::CapSteps), STEPS_MAX)
    );
}

#[test]
fn forbidden_steps_fail_and_run_nothing() {
    for decision in [Decision::Block, Decision::Preview] {
        let (report, calls) = run(
            &find_and_move(),
            &World {
                decision: &|_| decision,
                ..World::default()
            },
        );
        assert!(calls.is_empty());
        assert_eq!(report.error().map(|error| error.class), Some(ErrorClass::Forbidden));
    }
}

#[test]
fn an_effect_that_cannot_be_written_down_does_not_happen() {
    let turn = turn("x");
    let plan = validated(&json!({"steps": [{"tool": "delete_files", "args": {"paths": ["/a"]}}]}));
    let mut state = RunState::new(plan, &turn, Resume::default());
    let Action::Check(ready) = state.next(&lookup) else {
        panic!("not ready");
    };
    let Decided::Run(ready) = state.decide(ready, &verdict(Decision::Allow), &lookup) else {
        panic!("not allowed");
    };
    // The driver could not commit the journal row.
    let error = ToolError::new(ErrorClass::Internal, Message::new("run-journal-failed"));
    state.refuse(*ready, error, &lookup);
    assert!(matches!(state.next(&lookup), Action::End));
    let report = state.into_report(BTreeMap::new());
    assert!(matches!(report.end, RunEnd::Failed { .. }));
    assert!(!report.committed_effects);
}

#[test]
fn an_effect_without_effect_is_said_and_not_learned() {
    let plan = json!({"steps": [{"tool": "delete_files", "args": {"paths": ["/a"]}}]});
    let (report, _) = run(
        &plan,
        &World {
            tool: &|_, _| ok(json!({"results": [], "ok_count": 0})),
            ..World::default()
        },
    );
    assert_eq!(report.end, RunEnd::Completed);
    assert_eq!(report.without_effect, [StepId(1)]);
    assert!(!report.cache_worthy && !report.committed_effects);
}

#[test]
fn an_effect_that_may_have_happened_counts_as_committed() {
    // What may have been deleted is never deleted again.
    let plan = json!({"steps": [{"tool": "delete_files", "args": {"paths": ["/a"]}}]});
    for (class, committed) in [
        (ErrorClass::Timeout, true),
        (ErrorClass::Crashed, true),
        (ErrorClass::NotFound, false),
    ] {
        let (report, _) = run(
            &plan,
            &World {
                tool: &|_, _| failed(class),
                ..World::default()
            },
        );
        assert_eq!(report.committed_effects, committed, "{class:?}");
    }
}

#[test]
fn a_filler_costs_one_question_for_the_same_inputs() {
    let plan = json!({"steps": [
        {"tool": "list_dirs", "args": {"path": "${FILLER:where}"}},
        {"tool": "find_files", "args": {"base_path": "${FILLER:where}"}}
    ], "fillers": {"where": {"prompt": "a folder"}}});
    let asked = std::cell::Cell::new(0);
    let filler = |_: &str| {
        asked.set(asked.get() + 1);
        Some("~/docs".to_owned())
    };
    let (report, calls) = run(
        &plan,
        &World {
            filler: &filler,
            ..World::default()
        },
    );
    assert_eq!((report.end, calls.len(), asked.get()), (RunEnd::Completed, 2, 1));

    let (report, calls) = run(&plan, &World::default());
    assert!(calls.is_empty());
    assert_eq!(
        report.error().map(|error| error.class),
        Some(ErrorClass::UnresolvedPlaceholder)
    );
}
