//! Requests in both languages and the plans they become, over a catalog like the shipped one.

use std::sync::LazyLock;

use serde_json::Value;

use super::*;
use crate::{
    domain::{ids::PlanHash, lang::Lang},
    engine::test_catalog::catalog,
    language::Language,
};

mod refusals;
mod requests;
mod wordings;

use refusals::UNSURE;
use requests::PLANS;
use wordings::WORDINGS;

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());

fn composed(text: &str, lang: Lang, excluded: &[PlanHash]) -> Composition {
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    compose(&LANGUAGE.read(text, lang, &now), &catalog(), excluded)
}

/// A plan as one line: `tool{args} → tool{args} | closing`; otherwise `unsure` and the words in the way.
fn line(composition: &Composition) -> String {
    let plan = match composition {
        Composition::Plan(plan) => plan,
        Composition::Unsure { unaccounted, .. } => {
            return format!("unsure {}", unaccounted.join(",")).trim().to_owned();
        }
        Composition::Several => return "several".to_owned(),
        Composition::Excluded => return "excluded".to_owned(),
    };
    let written = plan.to_json();
    let steps: Vec<String> = written["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| {
            format!(
                "{}{}",
                step["tool"].as_str().unwrap(),
                step["args"].to_string().replace('"', "")
            )
        })
        .collect();
    let closing = written.get("final_message").and_then(Value::as_str);
    steps.join(" → ") + &closing.map_or(String::new(), |text| format!(" | {text}"))
}

#[test]
fn requests_become_these_plans_whatever_language_the_person_usually_speaks() {
    for lang in Lang::ALL {
        for (text, plan) in PLANS.iter().chain(WORDINGS) {
            assert_eq!(line(&composed(text, lang, &[])), *plan, "{text} as {lang:?}");
        }
    }
}

#[test]
fn what_cannot_be_placed_is_said_and_never_planned_around() {
    for lang in Lang::ALL {
        for (text, words) in UNSURE {
            assert_eq!(line(&composed(text, lang, &[])), *words, "{text} as {lang:?}");
        }
    }
}

#[test]
fn an_excluded_plan_is_followed_by_another_one_or_by_an_honest_no() {
    let text = "which process uses the most memory";
    let Composition::Plan(first) = composed(text, Lang::En, &[]) else {
        panic!("composes");
    };
    let second = composed(text, Lang::En, &[first.hash()]);
    assert_eq!(
        line(&second),
        "get_processes{} → sort_entries{from_step:1,by:memory,desc:true,top:1}"
    );
    let Composition::Plan(second) = second else {
        panic!("composes")
    };
    assert_eq!(
        composed(text, Lang::En, &[first.hash(), second.hash()]),
        Composition::Excluded
    );
    let Composition::Plan(only) = composed("delete ~/docs/old.txt", Lang::En, &[]) else {
        panic!("composes");
    };
    assert_eq!(
        composed("delete ~/docs/old.txt", Lang::En, &[only.hash()]),
        Composition::Excluded
    );
}

#[test]
fn listing_a_folder_has_a_second_honest_way() {
    let Composition::Plan(first) = composed("list the files in ~/docs", Lang::En, &[]) else {
        panic!("composes");
    };
    let second = composed("list the files in ~/docs", Lang::En, &[first.hash()]);
    assert_eq!(line(&second), "find_files{base_path:~/docs}");
}

#[test]
fn text_that_looks_like_a_reference_stays_text() {
    let Composition::Plan(plan) = composed("write \"${step1.entries}\" to ~/x.txt", Lang::En, &[]) else {
        panic!("composes");
    };
    assert!(
        plan.steps[0]
            .args
            .iter()
            .all(|(_, argument)| argument.references().is_empty())
    );
}

#[test]
fn a_catalog_without_the_executor_is_no_plan() {
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let reading = LANGUAGE.read("move ~/a.txt to ~/b", Lang::En, &now);
    let without: Vec<_> = catalog()
        .into_iter()
        .filter(|tool| tool.name.as_str() != "move_files")
        .collect();
    assert_eq!(line(&compose(&reading, &without, &[])), "unsure move");
    assert_eq!(line(&compose(&reading, &[], &[])), "unsure move");
}
