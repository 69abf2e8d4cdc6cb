//! Requests in both languages and the plans they become, over a catalog like the shipped one. The requests stand in
//! `tests/corpus/plans`, one row each; here is what plays them, and what takes more than a request and its plan.

use std::sync::LazyLock;

use jiff::Zoned;
use serde_json::Value;

use super::*;
use crate::{
    domain::{ids::PlanHash, lang::Lang},
    engine::fixtures::{
        corpus::{self, Table},
        shipped_but,
    },
    language::{Home, Language},
};

/// What is shipped, but nothing for mail: what is asked of a household that has none.
fn without_mail(also: &[&str]) -> Vec<Arc<Manifest>> {
    let mut all = shipped_but(also);
    all.retain(|manifest| manifest.object != Some(Object::Messages) && manifest.verb != Some(Verb::Classify));
    all
}

/// What is shipped, but nothing that asks: what is missing keeps a request from being planned.
fn catalog() -> Vec<Arc<Manifest>> {
    without_mail(&["get_inputs"])
}

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());

fn now() -> Zoned {
    "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap()
}

fn composed(text: &str, lang: Lang, excluded: &[PlanHash]) -> Composition {
    compose(&LANGUAGE.read(text, lang, &now()), &catalog(), excluded)
}

/// A home with these files, each empty; it is gone when the folder is dropped.
fn home_of(files: &[String]) -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    for name in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    let home = Home::at(folder.path().to_owned());
    (folder, home)
}

/// A plan as one line: `tool{args} → tool{args} | closing`; otherwise `unsure` and the words in the way.
fn line(composition: &Composition) -> String {
    let plan = match composition {
        Composition::Plan(plan) => plan,
        Composition::Unsure { unaccounted, .. } => {
            return format!("unsure {}", unaccounted.join(",")).trim().to_owned();
        }
        Composition::Several => return "several".to_owned(),
        Composition::NotThere(name) => return format!("not there {name}"),
        Composition::NoDomain(object) => return format!("no {object}"),
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
    steps.join(" → ") + closing.map_or(String::new(), |text| format!(" | {text}")).as_str()
}

/// What becomes of the requests of a table that is not what stands beside them.
fn differing(table: &Table) -> Vec<String> {
    let catalog = match table.setting.as_str() {
        "" => catalog(),
        "a catalog that asks" => without_mail(&[]),
        unknown => panic!("{unknown}?"),
    };
    let now = now();
    if table.files.is_empty() {
        return table.differing(|text, lang| line(&compose(&LANGUAGE.read(text, lang, &now), &catalog, &[])));
    }
    let (_folder, home) = home_of(&table.files);
    table.differing(|text, lang| {
        let reading = LANGUAGE.read_at_home(text, lang, &now, &home);
        line(&compose(&reading, &catalog, &[]))
    })
}

#[test]
fn a_request_becomes_the_plan_that_stands_beside_it() {
    let wrong: Vec<String> = corpus::tables("plans").iter().flat_map(differing).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_excluded_plan_is_followed_by_another_one_or_by_an_honest_no() {
    let text = "which process uses the most memory";
    let Composition::Plan(first) = composed(text, Lang::EN, &[]) else {
        panic!("composes");
    };
    let second = composed(text, Lang::EN, &[first.hash()]);
    assert_eq!(
        line(&second),
        "get_processes{} → sort_entries{from_step:1,by:memory,desc:true,top:1}"
    );
    let Composition::Plan(second) = second else {
        panic!("composes")
    };
    assert_eq!(
        composed(text, Lang::EN, &[first.hash(), second.hash()]),
        Composition::Excluded
    );
    let Composition::Plan(only) = composed("delete ~/docs/old.txt", Lang::EN, &[]) else {
        panic!("composes");
    };
    assert_eq!(
        composed("delete ~/docs/old.txt", Lang::EN, &[only.hash()]),
        Composition::Excluded
    );
}

#[test]
fn listing_a_folder_has_a_second_honest_way() {
    let Composition::Plan(first) = composed("list the files in ~/docs", Lang::EN, &[]) else {
        panic!("composes");
    };
    let second = composed("list the files in ~/docs", Lang::EN, &[first.hash()]);
    assert_eq!(line(&second), "find_files{base_path:~/docs}");
}

#[test]
fn text_that_looks_like_a_reference_stays_text() {
    let Composition::Plan(plan) = composed("write \"${step1.entries}\" to ~/x.txt", Lang::EN, &[]) else {
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
    let reading = LANGUAGE.read("move ~/a.txt to ~/b", Lang::EN, &now());
    let without: Vec<_> = catalog()
        .into_iter()
        .filter(|tool| tool.name.as_str() != "move_files")
        .collect();
    assert_eq!(line(&compose(&reading, &without, &[])), "unsure move");
    assert_eq!(line(&compose(&reading, &[], &[])), "unsure move");
}

#[test]
fn what_a_request_that_changes_something_asks_for_is_answered_by_a_step_or_nothing_is_planned() {
    let changes: [fn(&mut crate::language::ClauseReading); 7] = [
        |clause| {
            clause.order = Some(crate::language::Order {
                skip: 0,
                field: "size".to_owned(),
                desc: true,
                top: None,
            });
        },
        |clause| clause.group_by = Some("ext".to_owned()),
        |clause| clause.measure = Some(crate::language::Measure::Count),
        |clause| clause.measure = Some(crate::language::Measure::Total),
        |clause| clause.projection = Some("name".to_owned()),
        |clause| clause.options.push("overwrite".to_owned()),
        |clause| clause.options.push("recursive".to_owned()),
    ];
    for text in [
        "delete ~/docs/old.txt",
        "move ~/a.txt to ~/b",
        "rename ~/x/a.txt to b.txt",
        "create a folder ~/notes/2026",
        "find the jpg files in ~/in and move them to ~/photos",
        "find the files in ~/docs and delete the oldest",
    ] {
        let reading = LANGUAGE.read(text, Lang::EN, &now());
        assert!(
            matches!(compose(&reading, &catalog(), &[]), Composition::Plan(_)),
            "{text}"
        );
        for (index, change) in changes.iter().enumerate() {
            let mut more = reading.clone();
            change(more.clauses.last_mut().unwrap());
            let found = compose(&more, &catalog(), &[]);
            assert!(
                !matches!(found, Composition::Plan(_)),
                "{text}, {index}: {}",
                line(&found)
            );
        }
    }
}
