//! Runs that stop for an approval and go on later.

use super::{remedies::with_find_urls, *};
use crate::domain::outcome::Pause;

fn operation_of(pause: &Pause) -> OperationHash {
    match &pause.asks {
        Asks::Approval(request) => request.operation.clone(),
        asks @ Asks::Location | asks @ Asks::Form(_) => panic!("no approval: {asks:?}"),
    }
}

#[test]
fn policy_decides_and_only_this_very_operation_is_approved() {
    let decision = |ready: &Ready| match ready.step.tool.as_str() {
        "move_files" => Decision::Confirm,
        _ => Decision::Allow,
    };
    let world = World {
        tool: &|tool, _| match tool {
            "find_files" => ok(json!({"entries": [{"path": "/a"}, {"path": "/b"}]})),
            _ => ok(json!({"results": [{}, {}], "ok_count": 2})),
        },
        decision: &decision,
        ..World::default()
    };
    let (report, calls) = run(&find_and_move(), &world);
    assert_eq!(calls.len(), 1);
    let RunEnd::Paused(pause) = report.end else {
        panic!("not paused: {:?}", report.end);
    };
    let Asks::Approval(request) = &pause.asks else {
        panic!("no approval: {:?}", pause.asks);
    };
    assert_eq!(
        (request.targets.as_slice(), request.target_count),
        (&["/a".to_owned(), "/b".to_owned()][..], 2)
    );
    assert!(request.reversible);
    assert!(!report.cache_worthy && !report.committed_effects && !pause.of_the_moment);

    let resume = |approved: OperationHash| Resume {
        done: pause.done.clone(),
        approved: Some(approved),
        ..Resume::default()
    };
    let (report, calls) = run_resumed(&pause.plan, &world, resume(request.operation.clone()));
    assert_eq!(calls, [r#"move_files {"dst_dir":"~/photos","paths":["/a","/b"]}"#]);
    assert_eq!(report.end, RunEnd::Completed);
    assert_eq!(report.closing, Closing::Words("moved 2 of 2".to_owned()));
    assert!(report.cache_worthy);

    let (report, calls) = run_resumed(&pause.plan, &world, resume(OperationHash::from("another")));
    assert!(calls.is_empty() && matches!(report.end, RunEnd::Paused(_)));
}

#[test]
fn what_was_shown_on_the_card_is_what_runs() {
    let plan = json!({"steps": [
        {"tool": "write_files", "args": {"path": "~/x", "content": "on ${RUNTIME:today}: ${FILLER:mood}"}}
    ], "fillers": {"mood": {"prompt": "a mood"}}});
    let world = World {
        decision: &|_| Decision::Confirm,
        filler: &|_| Some("calm".to_owned()),
        ..World::default()
    };
    let (report, _) = run(&plan, &world);
    let RunEnd::Paused(pause) = report.end else {
        panic!("not paused");
    };
    let resume = Resume {
        approved: Some(operation_of(&pause)),
        of_the_moment: pause.of_the_moment,
        ..Resume::default()
    };
    // Later the model would say something else; it is not asked again.
    let later = World {
        filler: &|_| panic!("asked again"),
        ..world
    };
    let (report, calls) = run_resumed(&pause.plan, &later, resume);
    assert_eq!(calls, [r#"write_files {"path":"~/x","content":"on 2026-03-28: calm"}"#]);
    assert_eq!(report.end, RunEnd::Completed);
    assert!(!report.cache_worthy, "tomorrow the same words would write today's mood");
}

#[test]
fn a_pause_after_a_remedy_can_be_kept_as_json() {
    let plan = json!({"steps": [
        {"tool": "find_urls", "args": {}},
        {"tool": "describe_entries", "args": {"from_step": 1}},
        {"tool": "write_files", "args": {"path": "~/x", "content": "${step2.text}"}}
    ]});
    let tool = |tool: &str, args: &Map<String, Value>| match tool {
        "find_urls" | "read_urls_html" => ok(json!({"entries": [{"url": "http://e/1", "text": ""}]})),
        "write_files" => ok(json!({"ok_count": 1})),
        _ if args["entries"][0].get("title").is_some() => failed(ErrorClass::Internal),
        _ => ok(json!({"text": "a summary"})),
    };
    let first = std::cell::Cell::new(true);
    let tool = |name: &str, args: &Map<String, Value>| match name {
        "describe_entries" if first.replace(false) => failed(ErrorClass::NeedsContentFetch),
        _ => tool(name, args),
    };
    let decision = |ready: &Ready| match ready.step.tool.as_str() {
        "write_files" => Decision::Confirm,
        _ => Decision::Allow,
    };
    let world = World {
        tool: &tool,
        decision: &decision,
        ..World::default()
    };
    let (report, _) = run_with(&validated(&plan), &world, Resume::default(), &with_find_urls);
    let RunEnd::Paused(pause) = report.end else {
        panic!("not paused: {:?}", report.end);
    };
    let kept = validated(&pause.plan.to_json());
    let resume = Resume {
        done: pause.done.clone(),
        approved: Some(operation_of(&pause)),
        of_the_moment: pause.of_the_moment,
        ..Resume::default()
    };
    let (report, calls) = run_with(&kept, &world, resume, &with_find_urls);
    assert_eq!(calls, [r#"write_files {"path":"~/x","content":"a summary"}"#]);
    assert_eq!(report.end, RunEnd::Completed);
    assert!(!report.cache_worthy, "nobody planned the step that helped");
}

#[test]
fn a_step_that_asks_waits_and_runs_when_there_is_an_answer() {
    let plan = json!({"steps": [
        {"tool": "find_files", "args": {"base_path": "~/in"}},
        {"tool": "get_now", "args": {}}
    ]});
    let known = std::cell::Cell::new(false);
    let tool = |name: &str, _: &Map<String, Value>| match name {
        "get_now" if !known.get() => failed(ErrorClass::NeedsLocation),
        _ => ok(json!({"entries": []})),
    };
    let world = World {
        tool: &tool,
        ..World::default()
    };
    let (report, _) = run(&plan, &world);
    let RunEnd::Paused(pause) = report.end else {
        panic!("not paused: {:?}", report.end);
    };
    assert_eq!((pause.step, &pause.asks), (StepId(2), &Asks::Location));
    assert_eq!(pause.done.len(), 1, "what only asked is not done");
    known.set(true);
    let resume = Resume {
        done: pause.done.clone(),
        ..Resume::default()
    };
    let (report, calls) = run_resumed(&pause.plan, &world, resume);
    assert_eq!((calls.len(), report.end), (1, RunEnd::Completed));
}
