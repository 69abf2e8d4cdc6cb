//! Requests in both languages and the plans they become, over a catalog like the shipped one.

use std::sync::LazyLock;

use serde_json::Value;

use super::*;
use crate::{
    domain::{ids::PlanHash, lang::Lang},
    engine::fixtures::{shipped, shipped_but},
    language::{Home, Language},
};

mod bare_names;
mod bounds;
mod by_name;
mod found;
mod household;
mod leading;
mod lists;
mod looking;
mod places;
mod refusals;
mod requests;
mod visitors;
mod wordings;

use bounds::{BOUNDS, OPEN};
use household::HOUSEHOLD;
use looking::{LOOKING, NOT_LOOKED_FOR};
use places::PLACES;
use refusals::UNSURE;
use requests::PLANS;
use visitors::VISITORS;
use wordings::WORDINGS;

/// What is shipped, but nothing that asks: what is missing keeps a request from being planned.
fn catalog() -> Vec<Arc<Manifest>> {
    shipped_but(&["get_inputs"])
}

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());

fn composed(text: &str, lang: Lang, excluded: &[PlanHash]) -> Composition {
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    compose(&LANGUAGE.read(text, lang, &now), &catalog(), excluded)
}

/// A home with these files, each empty; it is gone when the folder is dropped.
fn home_of(files: &[&str]) -> (tempfile::TempDir, Home) {
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

#[test]
fn what_no_argument_takes_is_named_and_never_passed_over() {
    let table = [
        ("list the files in ~/docs for 12 euro", "unsure 12 euro"),
        ("elenca il 20 per cento dei file in ~/docs", "unsure 20 per cento"),
        ("list the files in ~/docs at 21 degrees", "unsure 21 degrees"),
        ("elenca i file in ~/docs di mezzo chilo", "unsure mezzo chilo"),
        ("list the files of +39 06 1234567 in ~/docs", "unsure +39 06 1234567"),
        ("list the first 5 files in ~/docs", "unsure the first 5"),
        (
            "find the first 5 files that contain milk in ~/docs",
            "unsure the first 5",
        ),
        (
            "elenca le prime venticinque cartelle in ~/docs",
            "unsure le prime venticinque",
        ),
    ];
    assert_lines(table.iter());
}

#[test]
fn what_is_forbidden_is_no_step_of_any_plan() {
    let list = line(&composed("list the files in ~/docs", Lang::EN, &[]));
    assert!(!list.starts_with("unsure"), "{list}");
    let table = [
        ("list the files in ~/docs but don't delete anything", list.as_str()),
        ("elenca i file in ~/docs ma non cancellare niente", list.as_str()),
        ("list the files in ~/docs, but don't move ~/docs/a.txt", list.as_str()),
    ];
    assert_lines(table.iter());
    let pdfs = line(&composed("elenca i pdf in ~/docs", Lang::IT, &[]));
    assert!(pdfs.contains("*.pdf"), "{pdfs}");
    let lent = [("non cancellare i pdf in ~/docs, elencali", pdfs.as_str())];
    assert_lines(lent.iter());
    for text in [
        "move ~/docs/a.txt to ~/b but don't delete ~/docs/b.txt",
        "don't find and delete the pdfs in ~/docs",
        "non cancellare ~/docs/a.txt",
        "delete the pdfs in ~/docs but don't delete ~/docs/x.pdf",
    ] {
        let composed = line(&composed(text, Lang::EN, &[]));
        assert!(composed.starts_with("unsure"), "{text}: {composed}");
    }
}

/// Every row of a table, in whatever language the person usually speaks; the rows that differ are shown together.
fn assert_lines<'a>(table: impl Iterator<Item = &'a (&'a str, &'a str)>) {
    let rows = table.flat_map(|row| Lang::BUILT_IN.map(|lang| (row, lang)));
    let wrong: Vec<String> = rows
        .filter_map(|((text, wanted), lang)| {
            let found = line(&composed(text, lang, &[]));
            (found != *wanted).then(|| format!("{text} as {lang:?}:\n  found  {found}\n  wanted {wanted}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn requests_become_these_plans_whatever_language_the_person_usually_speaks() {
    assert_lines(
        PLANS
            .iter()
            .chain(WORDINGS)
            .chain(VISITORS)
            .chain(HOUSEHOLD)
            .chain(LOOKING)
            .chain(BOUNDS),
    );
}

#[test]
fn places_and_files_are_asked_for_in_many_words() {
    assert_lines(PLACES.iter());
}

#[test]
fn what_cannot_be_placed_is_said_and_never_planned_around() {
    assert_lines(UNSURE.iter().chain(NOT_LOOKED_FOR).chain(OPEN));
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
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let reading = LANGUAGE.read("move ~/a.txt to ~/b", Lang::EN, &now);
    let without: Vec<_> = catalog()
        .into_iter()
        .filter(|tool| tool.name.as_str() != "move_files")
        .collect();
    assert_eq!(line(&compose(&reading, &without, &[])), "unsure move");
    assert_eq!(line(&compose(&reading, &[], &[])), "unsure move");
}

#[test]
fn what_a_request_that_changes_something_asks_for_is_answered_by_a_step_or_nothing_is_planned() {
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
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
        let reading = LANGUAGE.read(text, Lang::EN, &now);
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

/// A verb alone asks which file, where there is something that asks.
#[test]
fn a_verb_alone_asks_which_file_and_makes_none_up() {
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let tools = shipped();
    for text in [
        "read",
        "leggi",
        "open",
        "apri",
        "read the file",
        "leggi il file",
        "please open",
    ] {
        let composed = line(&compose(&LANGUAGE.read(text, Lang::EN, &now), &tools, &[]));
        assert!(
            composed.starts_with("get_inputs{") && composed.ends_with("read_files{paths:${step1.values.paths}}"),
            "{text}: {composed}"
        );
    }
    for text in ["read it", "list", "find", "read the last line"] {
        let composed = line(&compose(&LANGUAGE.read(text, Lang::EN, &now), &tools, &[]));
        assert!(composed.starts_with("unsure"), "{text}: {composed}");
    }
}
