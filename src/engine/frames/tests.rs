//! What frames of the shipped manifests are filled with, and what each veto stands against, in both languages: the
//! vetoes are in `tests/corpus/vetoes.toml`.

use std::{fs, sync::Arc};

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::{
    domain::{lang::Lang, vocabulary::Object},
    engine::{
        fixtures::{corpus, shipped},
        things::files::Files,
    },
    language::{Home, Language},
};

const EN: Lang = Lang::EN;
const IT: Lang = Lang::IT;

/// What tasks, mails, calendars, address books and devices are about.
const OF_FAMILIES: [Option<Object>; 5] = [
    Some(Object::Tasks),
    Some(Object::Messages),
    Some(Object::Events),
    Some(Object::Contacts),
    Some(Object::Devices),
];

/// A home, and what is shipped.
struct House {
    root: TempDir,
    language: Language,
    manifests: Vec<Arc<Manifest>>,
}

impl House {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        for (path, text) in [
            ("docs/letter.txt", "Dear Anna"),
            ("docs/contratto.txt", "affitto"),
            ("notes/shopping.txt", "- milk\n- pane\n"),
            ("old/report.pdf", "%PDF"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self {
            root,
            language: Language::embedded().unwrap(),
            // What only their own families know is not there.
            manifests: shipped()
                .into_iter()
                .filter(|one| !OF_FAMILIES.contains(&one.object))
                .collect(),
        }
    }

    /// The nearest reading, and what was noted on the way.
    fn nearest(&self, say: &str, lang: Lang) -> (Option<Near>, String) {
        let home = Arc::new(Home::at(self.root.path().to_owned()));
        let now = "2026-06-17T09:30[Europe/Rome]".parse().unwrap();
        let reading = self.language.read_at_home(say, lang, &now, &home);
        let words = self.language.outline(&reading, &home);
        let files = Files::new(self.root.path().to_owned(), Arc::clone(&home), &self.language, lang);
        let noted = std::cell::RefCell::new(String::new());
        let asked = Asked {
            reading: &reading,
            words: &words,
            view: &Dialogue::default(),
            things: &[&files],
            stem: &|text| self.language.telling_stems(text, lang),
            rest: false,
            note: &|line| noted.borrow_mut().push_str(&format!("{line}\n")),
        };
        let near = nearest(&asked, &self.manifests);
        (near, noted.into_inner())
    }
}

#[test]
fn a_frame_is_filled_from_names_and_lines_of_the_home() {
    let house = House::new();
    for (say, lang, tool, args) in [
        (
            "could you delete the letter",
            EN,
            "delete_files",
            json!({"paths": ["~/docs/letter.txt"]}),
        ),
        (
            "cancelleresti il contratto",
            IT,
            "delete_files",
            json!({"paths": ["~/docs/contratto.txt"]}),
        ),
        (
            "put the report in docs",
            EN,
            "move_files",
            json!({"paths": ["~/old/report.pdf"], "dst_dir": "~/docs"}),
        ),
    ] {
        let (near, noted) = house.nearest(say, lang);
        let plan = near.unwrap_or_else(|| panic!("{say}: {noted}")).plan.to_json();
        let step = &plan["steps"][0];
        assert_eq!(step["tool"], json!(tool), "{say}: {plan}");
        for (name, value) in args.as_object().unwrap() {
            assert_eq!(step["args"].get(name), Some(value), "{say}: {plan}");
        }
    }
}

#[test]
fn what_weighs_and_is_left_makes_a_change_unsure() {
    let house = House::new();
    let (whole, _) = house.nearest("delete the letter", EN);
    assert!(whole.is_some_and(|near| near.is_sure && near.changes));
    let (left, _) = house.nearest("delete the letter of Chris", EN);
    let left = left.unwrap();
    assert!(!left.is_sure);
    assert_eq!(left.left, ["Chris"]);
}

/// `nothing`, `a look` or `a change`, and what was noted on the way.
#[test]
fn what_stands_against_a_change_holds_in_both_languages() {
    let house = House::new();
    let shown = |say: &str, lang: Lang| {
        let (near, noted) = house.nearest(say, lang);
        let what = match near {
            None => "nothing",
            Some(near) if near.changes => "a change",
            Some(_) => "a look",
        };
        format!("{what}: {}", noted.trim_end().replace('\n', "; "))
    };
    let tables = corpus::tables("vetoes.toml");
    let wrong: Vec<String> = tables.iter().flat_map(|table| table.differing(shown)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_message_is_cut_at_marks_and_between_deeds() {
    let house = House::new();
    let home = Home::unknown();
    let now = "2026-06-17T09:30[Europe/Rome]".parse().unwrap();
    for (say, lang, expected) in [
        ("find the letter and delete it", EN, 2),
        ("add milk, eggs and bread to the list", EN, 1),
        ("trova il contratto e poi copialo", IT, 2),
        ("l'ho già preso, togli il pane", IT, 2),
    ] {
        let reading = house.language.read_at_home(say, lang, &now, &home);
        let words = house.language.outline(&reading, &home);
        assert_eq!(clauses(&words).len(), expected, "{say}");
    }
}
