//! The graph as tables: what runs teach, ways between executors, and what a thousand passages cost.

use std::time::{Duration, Instant};

use serde_json::json;

use super::*;
use crate::{
    domain::{ids::ActorId, manifest::Manifest, passage::Strength},
    engine::fixtures::shipped,
};

fn passage(source: &str, target: &str, weight: f64) -> PassageRow {
    PassageRow {
        actor: ActorId::from("host"),
        source: ExecutorName::from(source),
        target: ExecutorName::from(target),
        strength: Strength {
            weight,
            ..Strength::beginning(true, 0)
        },
        first_ms: 0,
        request: String::new(),
    }
}

fn names(chain: Option<Vec<ExecutorName>>) -> Vec<String> {
    let chain = chain.unwrap_or_default();
    chain.iter().map(|name| name.as_str().to_owned()).collect()
}

#[test]
fn a_run_teaches_what_fed_what() {
    let plan = Plan::from_json(&json!({"steps": [
        {"tool": "find_files", "args": {"base_path": "~/in"}},
        {"tool": "sort_entries", "args": {"from_step": 1, "by": "size"}},
        {"tool": "get_now", "args": {}},
        {"tool": "write_files", "args": {"path": "~/out.txt", "content": "${step2.entries} at ${step3.time} of ${step2.count}"}}
    ]}))
    .unwrap();
    let found: Vec<String> = of_plan(&plan)
        .iter()
        .map(|passage| format!("{} {}", passage.source, passage.target))
        .collect();
    assert_eq!(
        found,
        [
            "find_files sort_entries",
            "sort_entries write_files",
            "get_now write_files"
        ]
    );
}

#[test]
fn what_cannot_be_done_after_what_can_is_a_wish() {
    let catalog = Catalog::from_manifests(shipped().iter().map(|one| Manifest::clone(one)).collect());
    for (intent, wish) in [
        ("find|files;compare|files", Some("compare_files")),
        ("find|files;move|files", None),
        ("compare|files", None),
        ("share|sites;compare|files", None),
        ("find|files;?|files", None),
    ] {
        let found = wishes(&Intent::from_signature(intent), &catalog);
        let target = found.first().map(|wish| wish.target.as_str());
        assert_eq!(target, wish, "{intent}");
        assert!(found.iter().all(|wish| !wish.exists));
    }
}

#[test]
fn the_shortest_way_is_taken_and_of_those_the_strongest() {
    let graph = Graph::of(
        &[
            passage("find_files", "sort_entries", 0.9),
            passage("find_files", "read_files", 0.5),
            passage("read_files", "describe_entries", 0.5),
            passage("sort_entries", "filter_entries", 0.9),
            passage("filter_entries", "describe_entries", 0.9),
            passage("find_files", "group_entries", 0.3),
            passage("group_entries", "describe_entries", 0.3),
        ],
        0,
    );
    let start = ExecutorName::from("find_files");
    let chain = |wanted: &str| {
        let wanted = ExecutorName::from(wanted);
        names(graph.find_chain(&start, &|name| speaks_of(name, &wanted)))
    };
    assert_eq!(
        chain("describe_files"),
        ["find_files", "read_files", "describe_entries"]
    );
    assert_eq!(chain("compress_files"), Vec::<String>::new());
    let graph = Graph::of(&[passage("find_files", "sort_entries", 0.9)], 200 * 86_400_000);
    assert_eq!(
        names(graph.find_chain(&start, &|_| true)),
        Vec::<String>::new(),
        "too weak by now"
    );
}

#[test]
fn a_way_through_a_large_household_is_found_in_milliseconds() {
    let mut rows = Vec::new();
    for layer in 0..5 {
        for from in 0..40 {
            for to in 0..10 {
                let target = (from * 7 + to * 3) % 40;
                rows.push(passage(
                    &format!("tool{layer}_{from}"),
                    &format!("tool{}_{target}", layer + 1),
                    0.3 + f64::from(to) / 20.0,
                ));
            }
        }
    }
    let graph = Graph::of(&rows, 0);
    let begun = Instant::now();
    let chain = graph.find_chain(&ExecutorName::from("tool0_0"), &|name| {
        name.as_str().starts_with("tool5_")
    });
    assert_eq!(chain.unwrap().len(), 6);
    assert!(graph.find_chain(&ExecutorName::from("tool0_0"), &|_| false).is_none());
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
}
