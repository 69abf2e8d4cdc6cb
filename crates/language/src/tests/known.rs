//! Files by words of their names, and names of what is still to be made.

use super::{LANGUAGE, home, now};
use crate::FactKind;
use metnos_domain::lang::Lang;

const FILES: &[&str] = &[
    "notes/shopping.txt",
    "notes/idee_regali.txt",
    "docs/cv_marta.docx",
    "docs/cv_marta_old.docx",
    "docs/bolletta_gas.pdf",
    "docs/bolletta_luce.pdf",
    "docs/work/report_may.txt",
    "docs/work/report_june.txt",
    "docs/recipe_soup.txt",
    "old/report_2019.txt",
    "photos/nonna.jpg",
    "photos/nonna.txt",
    "films/trip.mp4",
    "docs/soup.csv",
];

/// Paths and texts of a request; `a|b` where only the person can say which.
fn found(text: &str, lang: Lang) -> Vec<String> {
    found_among(FILES, text, lang)
}

fn found_among(files: &[&str], text: &str, lang: Lang) -> Vec<String> {
    let (_folder, home) = home(files);
    let reading = LANGUAGE.read_at_home(text, lang, &now(), &home);
    let facts = reading.facts.iter();
    let facts = facts.filter(|fact| matches!(fact.kind, FactKind::Path | FactKind::Quoted | FactKind::Name));
    facts
        .map(|fact| match fact.one_of.as_slice() {
            [] => fact.text().to_owned(),
            several => several.join("|"),
        })
        .collect()
}

#[test]
fn a_file_is_known_by_words_of_its_name_only_where_one_fits() {
    for (text, lang, wanted) in [
        ("delete the shopping list", Lang::EN, &["~/notes/shopping.txt"][..]),
        ("delete shopping", Lang::EN, &["~/notes/shopping.txt"]),
        ("delete recipe", Lang::EN, &[]),
        ("delete the recipes", Lang::EN, &[]),
        ("read the shopping list", Lang::EN, &[]),
        ("delete the holiday list", Lang::EN, &[]),
        ("move cv_marta to ~/x", Lang::EN, &["~/docs/cv_marta.docx", "~/x"]),
        (
            "move the cv to ~/x",
            Lang::EN,
            &["~/docs/cv_marta.docx|~/docs/cv_marta_old.docx", "~/x"],
        ),
        (
            "sposta le bollette in ~/x",
            Lang::IT,
            &["~/docs/bolletta_gas.pdf", "~/docs/bolletta_luce.pdf", "~/x"],
        ),
        ("elimina la bolletta del gas", Lang::IT, &["~/docs/bolletta_gas.pdf"]),
        ("elimina la foto della nonna", Lang::IT, &["~/photos/nonna.jpg"]),
        // Reports lie in two folders: which ones are meant is not said.
        ("move the reports to ~/x", Lang::EN, &["~/x"]),
        (
            "move the reports from work to ~/x",
            Lang::EN,
            &["~/docs/work/report_june.txt", "~/docs/work/report_may.txt", "~/x"],
        ),
        (
            "move the two reports in docs to ~/x",
            Lang::EN,
            &["~/docs/work/report_june.txt", "~/docs/work/report_may.txt", "~/x"],
        ),
        ("move the three reports from work to ~/x", Lang::EN, &["~/x"]),
        ("delete cv_marta.docx", Lang::EN, &["~/docs/cv_marta.docx"]),
        ("delete missing.docx", Lang::EN, &["missing.docx"]),
        (
            "move the shopping list and the soup recipe to ~/x",
            Lang::EN,
            &["~/notes/shopping.txt", "~/docs/recipe_soup.txt", "~/x"],
        ),
        (
            "move the shopping list and the zebra to ~/x",
            Lang::EN,
            &["~/notes/shopping.txt", "~/x"],
        ),
    ] {
        assert_eq!(found(text, lang), wanted, "{text}");
    }
}

#[test]
fn what_is_left_out_is_known_by_its_name_too() {
    for (text, left_out) in [
        (
            "delete everything in docs except the cv",
            Some("{cv_marta.docx,cv_marta_old.docx}"),
        ),
        (
            "delete everything in docs but keep the soup recipe",
            Some("recipe_soup.txt"),
        ),
        ("delete everything in docs except the zebra", None),
        ("delete everything in docs except the cv and the pdfs", None),
        ("delete everything in docs except the pdfs and the cv", None),
    ] {
        let (_folder, home) = home(FILES);
        let reading = LANGUAGE.read_at_home(text, Lang::EN, &now(), &home);
        let found = reading.facts.iter().find(|fact| fact.kind == FactKind::NotGlob);
        assert_eq!(found.map(crate::Fact::text), left_out, "{text}");
        assert_eq!(
            reading.unaccounted.is_empty(),
            left_out.is_some(),
            "{text}: {:?}",
            reading.unaccounted
        );
    }
}

#[test]
fn lines_of_a_list_are_read_word_by_word() {
    let list = "~/notes/shopping.txt";
    for (text, lang, wanted) in [
        (
            "add milk and the eggs to my shopping list",
            Lang::EN,
            &["milk\neggs", list][..],
        ),
        ("add to my shopping list milk, eggs", Lang::EN, &[list, "milk\neggs"]),
        (
            "add \"salt and pepper\" to my shopping list",
            Lang::EN,
            &["salt and pepper", list],
        ),
        ("cross the milk off my shopping list", Lang::EN, &["milk", list]),
        (
            "togli la riga di Luca dalle idee regalo",
            Lang::IT,
            &["Luca", "~/notes/idee_regali.txt"],
        ),
        // What is a table, and no list of lines, is not written to.
        ("add milk to the soup", Lang::EN, &["milk", "~/docs/recipe_soup.txt"]),
    ] {
        assert_eq!(found(text, lang), wanted, "{text}");
    }
}

#[test]
fn a_path_in_a_folder_goes_on_over_spaces_as_far_as_the_name_of_what_is_there() {
    let files = &["docs/report", "docs/report card.pdf", "docs/work/report card may.txt"];
    for (text, lang, wanted) in [
        ("read docs/report card.pdf", Lang::EN, "~/docs/report card.pdf"),
        ("read docs/report card.pdf, please", Lang::EN, "~/docs/report card.pdf"),
        (
            "leggi docs/report card.pdf e cancellalo",
            Lang::IT,
            "~/docs/report card.pdf",
        ),
        (
            "read docs/work/report card may.txt again",
            Lang::EN,
            "~/docs/work/report card may.txt",
        ),
        ("read docs/report again", Lang::EN, "~/docs/report"),
    ] {
        assert_eq!(found_among(files, text, lang), [wanted], "{text}");
    }
}

#[test]
fn what_gets_a_new_name_at_the_top_of_the_home_lies_there_also_where_another_bears_its_name() {
    let files = &["letter.txt", "docs/letter.txt"];
    for (text, lang, wanted) in [
        ("rename letter.txt to x.txt", Lang::EN, &["~/letter.txt", "x.txt"][..]),
        ("rename letter.txt to x", Lang::EN, &["~/letter.txt", "x"]),
        ("rinomina letter.txt in x.txt", Lang::IT, &["~/letter.txt", "x.txt"]),
        // What only goes elsewhere keeps its name as it was said.
        ("move letter.txt to docs", Lang::EN, &["letter.txt", "~/docs"]),
    ] {
        assert_eq!(found_among(files, text, lang), wanted, "{text}");
    }
}

#[test]
fn a_name_over_spaces_is_known_without_its_folder_where_a_file_of_the_home_has_it() {
    let files = &["docs/report card.pdf", "letters/Old Report.txt", "card.pdf"];
    for (text, lang, wanted) in [
        ("read report card.pdf", Lang::EN, &["~/docs/report card.pdf"][..]),
        ("is report card.pdf there?", Lang::EN, &["~/docs/report card.pdf"]),
        ("leggi la REPORT CARD.pdf", Lang::IT, &["~/docs/report card.pdf"]),
        (
            "send me old report.txt and card.pdf",
            Lang::EN,
            &["~/letters/Old Report.txt", "card.pdf"],
        ),
        // What no file is called begins with its last word, as it is written.
        ("read school card.pdf", Lang::EN, &["card.pdf"]),
        ("read report draft.pdf", Lang::EN, &["draft.pdf"]),
    ] {
        assert_eq!(found_among(files, text, lang), wanted, "{text}");
    }
}

#[test]
fn what_is_to_be_made_has_the_place_that_is_said_or_a_folder_the_home() {
    for (text, lang, wanted) in [
        (
            "make a folder called Holiday inside photos",
            Lang::EN,
            &["~/photos/Holiday"][..],
        ),
        (
            "make a folder in photos called Holiday",
            Lang::EN,
            &["~/photos/Holiday"],
        ),
        (
            "crea una cartella in photos chiamata Mare",
            Lang::IT,
            &["~/photos/Mare"],
        ),
        ("make a folder called Holiday", Lang::EN, &["~/Holiday"]),
        (
            "crea le cartelle 2024, 2025 e 2026 in photos",
            Lang::IT,
            &["~/photos/2024", "~/photos/2025", "~/photos/2026"],
        ),
        (
            "sposta i video in una cartella Film nella mia home",
            Lang::IT,
            &["~/films", "~/Film"],
        ),
        (
            "write a note saying call Ugo, call it ugo",
            Lang::EN,
            &["~/notes/ugo.txt", "call Ugo"],
        ),
        // The home has photos, too, and a new folder is where it was said to be.
        ("make a folder called photos in notes", Lang::EN, &["~/notes/photos"]),
        ("crea una cartella photos in notes", Lang::IT, &["~/notes/photos"]),
        ("make a folder called photos", Lang::EN, &["~/photos"]),
        // There is such a note already: nothing is written over it.
        (
            "write a note saying call Ugo, call it shopping",
            Lang::EN,
            &["call Ugo", "shopping"],
        ),
        (
            "copia le idee regali e chiamale regali_natale",
            Lang::IT,
            &["~/notes/idee_regali.txt", "regali_natale"],
        ),
    ] {
        assert_eq!(found(text, lang), wanted, "{text}");
    }
}
