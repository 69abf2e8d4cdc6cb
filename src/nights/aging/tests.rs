//! The rules of age as tables.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::*;
use crate::{catalog::parse::parse, store::removals::Spared};

const FIND_FILES: &str = include_str!("../../../executors/find_files/manifest.toml");
const NOW: i64 = 1_000 * DAY_MS;
const RULES: Rules = Rules {
    grace_days: 14,
    stale_days: 30,
    max: 500,
};

fn ago(days: i64) -> i64 {
    NOW - days * DAY_MS
}

/// A plan of L0 of these tools, made so many days ago.
fn row(id: i64, intent: &str, tools: &[&str], age: i64, used: Option<i64>) -> AgingRow {
    let steps: Vec<_> = tools.iter().map(|tool| json!({"tool": tool, "args": {}})).collect();
    AgingRow {
        layer: Layer::Fastpath,
        id,
        actor: ActorId::from("host"),
        text: format!("request {id}"),
        identity: format!("hash{id}"),
        plan: json!({ "steps": steps }),
        intent: intent.to_owned(),
        created_ms: ago(age),
        used_ms: used.map(ago),
        uses: 0,
        is_demoted: false,
    }
}

/// A catalog whose members are known since so many days; `first` is what the shortlist puts first.
struct Household {
    manifests: BTreeMap<ExecutorName, Manifest>,
    since: BTreeMap<ExecutorName, i64>,
    promoted: BTreeMap<(ActorId, CanonicalHash), ExecutorName>,
    spared: Spared,
    first: Option<&'static str>,
}

impl Household {
    fn with(tools: &[(&str, i64)]) -> Self {
        let named = |full: &str| {
            let text = FIND_FILES.replace("\"find_files\"", &format!("\"{full}\""));
            parse(text.as_bytes()).unwrap().manifest
        };
        let name = |full: &str| ExecutorName::from(full);
        Self {
            manifests: tools.iter().map(|(full, _)| (name(full), named(full))).collect(),
            since: tools.iter().map(|(full, age)| (name(full), ago(*age))).collect(),
            promoted: BTreeMap::new(),
            spared: BTreeSet::new(),
            first: None,
        }
    }

    fn going(&self, rows: &[AgingRow], is_whole: bool) -> Vec<(i64, Reason, Option<String>)> {
        let manifest = |name: &ExecutorName| self.manifests.get(name);
        let first_for = |_: &AgingRow| self.first.map(ExecutorName::from);
        let tools = Tools {
            manifest: &manifest,
            since: &self.since,
            promoted: &self.promoted,
            first_for: &first_for,
        };
        let world = World {
            tools: is_whole.then_some(tools),
            spared: &self.spared,
            now_ms: NOW,
        };
        let going = removals(rows, &RULES, &world);
        let heir = |removal: &Removal| removal.heir.as_ref().map(|heir| heir.as_str().to_owned());
        going.iter().map(|one| (one.id, one.reason, heir(one))).collect()
    }
}

#[test]
fn what_nobody_uses_goes_in_its_time() {
    let household = Household::with(&[("find_files", 900)]);
    for (age, used, reason) in [
        (14, None, None),
        (15, None, Some(Reason::NeverReused)),
        (400, Some(30), None),
        (400, Some(31), Some(Reason::Stale)),
        (0, Some(0), None),
    ] {
        let one = row(1, "find|files", &["find_files"], age, used);
        let went = household.going(&[one], true).into_iter().map(|(_, reason, _)| reason);
        assert_eq!(
            went.collect::<Vec<_>>(),
            reason.into_iter().collect::<Vec<_>>(),
            "{age} {used:?}"
        );
    }
}

#[test]
fn a_missing_tool_kills_only_while_the_catalog_is_whole() {
    let household = Household::with(&[("find_files", 900)]);
    let one = row(1, "find|files", &["find_files", "sort_entries"], 3, None);
    assert_eq!(
        household.going(std::slice::from_ref(&one), true),
        [(1, Reason::ToolMissing, None)]
    );
    assert_eq!(household.going(&[one], false), []);
}

#[test]
fn what_grew_into_an_executor_dies_with_an_heir() {
    let mut household = Household::with(&[("list_dirs", 900), ("sort_entries", 900), ("find_files", 1)]);
    let one = row(1, "find|dirs", &["list_dirs", "sort_entries"], 3, None);
    let key = |hash: &str| (ActorId::from("host"), CanonicalHash::from(hash));
    household
        .promoted
        .insert(key("hash1"), ExecutorName::from("find_files"));
    let heir = Some("find_files".to_owned());
    assert_eq!(
        household.going(std::slice::from_ref(&one), true),
        [(1, Reason::Promoted, heir)]
    );
    // An executor that is gone inherits nothing, and a request of somebody else is another row.
    household.promoted.insert(key("hash1"), ExecutorName::from("find_dirs"));
    assert_eq!(household.going(std::slice::from_ref(&one), true), []);
    household.promoted = BTreeMap::from([(
        (ActorId::from("guest_1"), CanonicalHash::from("hash1")),
        "find_files".into(),
    )]);
    assert_eq!(household.going(&[one], true), []);
}

#[test]
fn a_newer_executor_of_that_name_takes_over() {
    for (intent, tools, catalog, heir) in [
        (
            "find|files",
            &["list_dirs"][..],
            &[("list_dirs", 900), ("find_files", 1)][..],
            Some("find_files"),
        ),
        // It was there when the plan was made, and the planner chose otherwise.
        (
            "find|files",
            &["list_dirs"],
            &[("list_dirs", 900), ("find_files", 900)],
            None,
        ),
        // The plan uses one of that family.
        (
            "find|files",
            &["find_files_pdf"],
            &[("find_files_pdf", 900), ("find_files", 1)],
            None,
        ),
        // Two things were asked; one executor does not cover both.
        (
            "find|files;move|files",
            &["list_dirs"],
            &[("list_dirs", 900), ("find_files", 1)],
            None,
        ),
        (
            "find|files",
            &["list_dirs"],
            &[("list_dirs", 900), ("find_files_pdf", 1)],
            Some("find_files_pdf"),
        ),
    ] {
        let household = Household::with(catalog);
        let went = household.going(&[row(1, intent, tools, 3, Some(1))], true);
        let expected: Vec<_> = heir
            .map(|heir| (1, Reason::CoveredByName, Some(heir.to_owned())))
            .into_iter()
            .collect();
        assert_eq!(went, expected, "{intent} {tools:?}");
    }
}

#[test]
fn one_executor_that_does_it_all_takes_over_from_several_steps() {
    let catalog = [("list_dirs", 900), ("sort_entries", 900), ("get_files", 1)];
    for (tools, intent, first, dies) in [
        (
            &["list_dirs", "sort_entries"][..],
            "find|files",
            Some("get_files"),
            true,
        ),
        (&["list_dirs"], "find|files", Some("get_files"), false),
        (&["list_dirs", "sort_entries"], "move|files", Some("get_files"), false),
        (&["list_dirs", "sort_entries"], "find|urls", Some("get_files"), false),
        (&["list_dirs", "sort_entries"], "find|files", Some("list_dirs"), false),
        (&["list_dirs", "sort_entries"], "find|files", None, false),
    ] {
        let household = Household {
            first,
            ..Household::with(&catalog)
        };
        let went = household.going(&[row(1, intent, tools, 3, Some(1))], true);
        let expected = (1, Reason::CoveredByShortlist, Some("get_files".to_owned()));
        assert_eq!(went.contains(&expected), dies, "{tools:?} {intent} {first:?}: {went:?}");
    }
}

#[test]
fn what_was_taken_back_is_spared_that_cause_alone() {
    let mut household = Household::with(&[("find_files", 900)]);
    let key = |reason| (ActorId::from("host"), Layer::Fastpath, "hash1".to_owned(), reason);
    household
        .spared
        .extend([key(Reason::ToolMissing), key(Reason::NeverReused)]);
    assert_eq!(
        household.going(&[row(1, "find|files", &["gone_files"], 3, None)], true),
        []
    );
    assert_eq!(
        household.going(&[row(1, "find|files", &["gone_files"], 30, None)], true),
        [(1, Reason::NeverReused, None)]
    );
}

#[test]
fn the_least_recently_used_of_each_person_goes_above_the_cap() {
    let household = Household::with(&[("find_files", 900)]);
    let guest = |row: AgingRow| AgingRow {
        actor: ActorId::from("guest_1"),
        ..row
    };
    let tools = &["find_files"][..];
    let mut rows: Vec<AgingRow> = (0..502).map(|id| row(id, "find|files", tools, 10, None)).collect();
    rows[0].used_ms = Some(ago(1));
    rows.push(guest(row(900, "find|files", tools, 12, None)));
    let went = household.going(&rows, true);
    assert_eq!(went, [(2, Reason::OverCap, None), (1, Reason::OverCap, None)]);
}

#[test]
fn plans_of_l1_go_when_they_lost_or_were_left() {
    let household = Household::with(&[("find_files", 900)]);
    for (is_demoted, tool, used, reason) in [
        (true, "find_files", 30, None),
        (true, "find_files", 31, Some(Reason::Demoted)),
        (false, "find_files", 31, None),
        (false, "find_files", 91, Some(Reason::Stale)),
        (false, "gone_files", 1, Some(Reason::ToolMissing)),
    ] {
        let one = AgingRow {
            layer: Layer::Autopath,
            is_demoted,
            ..row(1, "find|files", &[tool], 400, Some(used))
        };
        let went = household.going(&[one], true).into_iter().map(|(_, reason, _)| reason);
        assert_eq!(
            went.collect::<Vec<_>>(),
            reason.into_iter().collect::<Vec<_>>(),
            "{tool} {used}"
        );
    }
}

/// A tool that grew out of requests does those, and takes nothing else that only sounds alike.
#[test]
fn a_composite_is_no_heir_by_its_name() {
    let mut household = Household::with(&[("sort_files", 1), ("list_dirs", 900), ("sort_entries", 900)]);
    let rows = [row(1, "sort|files", &["list_dirs", "sort_entries"], 10, Some(2))];
    assert_eq!(household.going(&rows, true).len(), 1);
    let grown = household.manifests.get_mut(&ExecutorName::from("sort_files")).unwrap();
    grown.kind = Kind::Composite { plan: json!({}) };
    assert_eq!(household.going(&rows, true), []);
    household.first = Some("sort_files");
    assert_eq!(household.going(&rows, true), []);
}
