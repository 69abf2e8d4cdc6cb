//! What is put right while a plan runs, and when that is a loop.

use super::*;

fn pages_plan() -> Value {
    json!({"steps": [
        {"tool": "find_urls", "args": {}},
        {"tool": "describe_entries", "args": {"from_step": 1}}
    ], "final_message": "${step2.text}"})
}

pub(super) fn with_find_urls(name: &ExecutorName) -> Option<Arc<Manifest>> {
    match name.as_str() {
        "find_urls" => Some(Arc::new(manifest("find_urls", Feed::None, Effect::Read, Vec::new()))),
        _ => lookup(name),
    }
}

#[test]
fn missing_pages_are_fetched_once_and_merged() {
    let tool = |tool: &str, args: &Map<String, Value>| match tool {
        "find_urls" => ok(json!({"entries": [{"url": "http://e/1", "title": "one"}]})),
        "read_urls_html" => ok(json!({"entries": [{"url": "http://e/1", "text": "words"}]})),
        _ if args["entries"][0].get("text").is_some() => ok(json!({"text": "a summary"})),
        _ => failed(ErrorClass::NeedsContentFetch),
    };
    let plan = validated(&pages_plan());
    let world = World {
        tool: &tool,
        ..World::default()
    };
    let (report, calls) = run_with(&plan, &world, Resume::default(), &with_find_urls);
    assert_eq!(report.end, RunEnd::Completed);
    assert_eq!(report.closing, Closing::Words("a summary".to_owned()));
    assert_eq!(calls[2], r#"read_urls_html {"urls":["http://e/1"]}"#);
    assert!(calls[3].contains(r#""title":"one""#) && calls[3].contains(r#""text":"words""#));
    assert!(!report.cache_worthy);
}

#[test]
fn the_same_failure_again_is_a_loop() {
    let tool = |tool: &str, _: &Map<String, Value>| match tool {
        "describe_entries" => failed(ErrorClass::NeedsContentFetch),
        _ => ok(json!({"entries": [{"url": "http://e/1"}]})),
    };
    let plan = validated(&pages_plan());
    let world = World {
        tool: &tool,
        ..World::default()
    };
    let (report, calls) = run_with(&plan, &world, Resume::default(), &with_find_urls);
    assert_eq!(report.end, RunEnd::Stopped(FinalKind::LoopBreak));
    assert_eq!(calls.len(), 4);

    // Also across the one alternative of a turn.
    let resume = Resume {
        last_failure: Some(("get_now".into(), ErrorClass::Timeout)),
        ..Resume::default()
    };
    let plan = validated(&json!({"steps": [{"tool": "get_now", "args": {}}]}));
    let world = World {
        tool: &|_, _| failed(ErrorClass::Timeout),
        ..World::default()
    };
    let (report, _) = run_resumed(&plan, &world, resume);
    assert_eq!(report.end, RunEnd::Stopped(FinalKind::LoopBreak));
}

#[test]
fn what_was_found_and_not_handed_on_is_handed_on_once() {
    let tool = |tool: &str, args: &Map<String, Value>| match tool {
        "find_urls" => ok(json!({"entries": [{"url": "http://e/1", "text": "words"}]})),
        "get_now" => ok(json!({"entries": [{"time": "9:00"}]})),
        _ if args["entries"][0].get("text").is_some() => ok(json!({"text": "a summary"})),
        _ => failed(ErrorClass::NeedsDataSource),
    };
    let plan = validated(&json!({"steps": [
        {"tool": "find_urls", "args": {}},
        {"tool": "get_now", "args": {}},
        {"tool": "describe_entries", "args": {"from_step": 2}}
    ], "final_message": "${step3.text}"}));
    let world = World {
        tool: &tool,
        ..World::default()
    };
    let (report, _) = run_with(&plan, &world, Resume::default(), &with_find_urls);
    assert_eq!(report.end, RunEnd::Completed, "{:?}", report.records);
    assert_eq!(report.closing, Closing::Words("a summary".to_owned()));
}

#[test]
fn the_third_look_at_the_same_is_a_circle() {
    let world = World {
        tool: &|_, _| ok(json!({"time": "9:00"})),
        ..World::default()
    };
    let now = json!({"tool": "get_now", "args": {}});
    let (report, calls) = run(&json!({"steps": [now, now]}), &world);
    assert_eq!((report.end, calls.len()), (RunEnd::Completed, 1));
    let (report, calls) = run(&json!({"steps": [now, now, now]}), &world);
    assert_eq!(calls.len(), 1);
    assert_eq!(report.error().map(|error| error.class), Some(ErrorClass::DuplicateRead));
}

#[test]
fn a_target_comes_from_nowhere() {
    let world = World {
        tool: &|_, _| failed(ErrorClass::NeedsActionTarget),
        ..World::default()
    };
    let (report, _) = run(&json!({"steps": [{"tool": "get_now", "args": {}}]}), &world);
    assert_eq!(report.end, RunEnd::Stopped(FinalKind::NeedsInputs));
}
