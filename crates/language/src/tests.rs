//! Properties that hold for any text, and what takes more than a sentence and its reading: those stand in
//! `tests/corpus/readings`, one row each, and `readings` reads them.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

mod corpus;
mod readings;

/// Read once: the properties ask hundreds of times.
static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());

fn now() -> Zoned {
    "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap()
}

fn read(text: &str) -> Reading {
    LANGUAGE.read(text, Lang::EN, &now())
}

#[test]
fn every_language_has_negations_and_they_are_seen_in_a_canonical_text() {
    for lang in Lang::BUILT_IN {
        let forms = &LANGUAGE.lexicon(lang).negations;
        assert!(!forms.is_empty(), "{lang:?}");
        for form in forms {
            let canonical = LANGUAGE.canonical(&format!("files {form} 3 names"), lang);
            assert!(LANGUAGE.negations(&canonical).contains(form.as_str()), "{canonical}");
        }
    }
    assert!(LANGUAGE.negations("which processes are running").is_empty());
    assert!(LANGUAGE.negations("quali processi sono in esecuzione").is_empty());
}

#[test]
fn words_that_nothing_explains_are_listed() {
    assert_eq!(read("book me a flight to Rome").unaccounted, ["book", "flight", "Rome"]);
    assert_eq!(read("prenotami un volo per Roma").intent.clauses, []);
    assert!(
        read("delete ~/a.txt when it rains")
            .unaccounted
            .contains(&"when".to_owned())
    );
}

#[test]
fn canonical_texts_are_equal_only_when_the_meaning_is() {
    let language = &*LANGUAGE;
    let canonical = |text: &str| language.canonical(text, Lang::EN);
    let same = [
        ("List the files in ~/docs", "list files in ~/docs"),
        ("list   the files\tin ~/docs.", "list files in ~/docs"),
        ("please list files in ~/docs", "list files in ~/docs please"),
        ("what time is it?", "what time is it\u{FF1F}"),
        ("caff\u{e8}", "caffe\u{300}"),
        ("\u{130}stanbul", "istanbul"),
        ("What did I write", "what did i write"),
        ("what\u{2019}s new", "what's new"),
    ];
    for (one, other) in same {
        assert_eq!(canonical(one), canonical(other), "{one}");
    }
    let different = [
        ("move ~/x to ~/y", "move ~/y to ~/x"),
        ("turn on the light", "turn off the light"),
        ("delete ~/a", "don't delete ~/a"),
        ("read ~/Notes.md", "read ~/notes.md"),
        ("fetch http://x/A", "fetch http://x/a"),
        ("the last 3 lines", "the last 4 lines"),
        ("files in ~/a", "files of ~/a"),
        ("write \"Anna\" to ~/x", "write \"anna\" to ~/x"),
        ("mail of anna", "mail of marco"),
        ("make a folder called Work", "make a folder called WORK"),
        ("rename Foo to foo", "rename foo to Foo"),
        ("delete everything", "delete everything?"),
        ("rows where a != b", "rows where a = b"),
        ("text Ann: call, please", "text Ann: call"),
        ("play Hello by Adele", "play by Adele"),
        ("find the film The Others", "find the film Others"),
        ("find *.JPG in ~/x", "find *.jpg in ~/x"),
        ("call pap\u{e0}", "call papa"),
    ];
    for (one, other) in different {
        assert_ne!(canonical(one), canonical(other), "{one}");
    }
    assert_eq!(canonical(""), "");
    assert_eq!(canonical("  \n "), "");
    assert_eq!(
        language.canonical("Mostra il file ~/a, per favore!", Lang::IT),
        "mostra file ~/a"
    );
}

/// Pieces that requests are made of, so that random texts reach every pass.
fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "delete",
        "the last",
        "3",
        "lines",
        "e",
        "and",
        "\"",
        "~/docs",
        "http://",
        "più",
        "l'",
        "files",
        "bigger than",
        "10",
        "MB",
        "named",
        "'",
        "*.pdf",
        "\\\\",
        "C:\\",
        "questa settimana",
        ",",
        "?",
        "di",
        "only",
        "by",
        "size",
        "@",
        "\u{130}",
        "\u{300}",
        "in",
        "top",
        "11/2/2026",
        "名前",
    ]);
    prop::collection::vec(words, 0..14).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic_and_spans_are_valid(text in prop_oneof![".*", "\\PC{0,60}", pieces()]) {
        let language = &*LANGUAGE;
        for lang in Lang::BUILT_IN {
            let reading = language.read(&text, lang, &now());
            for fact in &reading.facts {
                prop_assert!(text.get(fact.span.clone()).is_some());
            }
            for clause in &reading.clauses {
                prop_assert!(text.get(clause.span.clone()).is_some());
                prop_assert!(clause.facts.iter().all(|index| *index < reading.facts.len()));
            }
            prop_assert!((0.0..=1.0).contains(&reading.intent.confidence));
            let canonical = language.canonical(&text, lang);
            prop_assert_eq!(canonical.trim(), &canonical);
            language.confirmation(&text);
        }
    }
}

/// A home with these names in it.
fn home(names: &[&str]) -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        let path = folder.path().join(name);
        if name.ends_with('/') {
            std::fs::create_dir_all(path).unwrap();
        } else {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
    }
    let home = Home::at(folder.path().to_owned());
    (folder, home)
}

#[test]
fn a_name_over_spaces_that_is_there_is_kept_letter_by_letter() {
    let (_folder, home) = home(&["docs/letter to Marta.txt", "docs/old", "docs/old draft.txt"]);
    let reading = LANGUAGE.read_at_home("read ~/docs/letter to Marta.txt", Lang::EN, &now(), &home);
    assert!(reading.verbatim, "no letter of it may be evened out in memory");
}

#[test]
fn a_time_is_taken_with_the_words_it_belongs_to() {
    let day = |text: &str, lang: Lang| match LANGUAGE.read_in(text, lang, &now(), &Home::unknown()).times.as_slice() {
        [time] => time.readings.first().cloned(),
        _ => None,
    };
    for (text, other, lang) in [
        ("we moved in 12 days ago", "12 days ago", Lang::EN),
        ("che tempo fa sabato?", "sabato", Lang::IT),
        ("cosa fa lunedì sera in tv", "lunedì sera", Lang::IT),
        ("i primi di maggio", "inizio maggio", Lang::IT),
    ] {
        assert!(day(text, lang).is_some(), "{text}");
        assert_eq!(day(text, lang), day(other, lang), "{text}");
    }
}

#[test]
fn a_negation_has_its_place() {
    let text = "list ~/a but don't delete the pdfs, please";
    let reading = read(text);
    let [clause] = reading.forbidden.as_slice() else {
        panic!("{:?}", reading.forbidden)
    };
    let span = clause.negation.clone().unwrap();
    assert!(
        text[span.clone()].starts_with("don't delete the pdfs"),
        "{}",
        &text[span]
    );
    assert!(reading.clauses.iter().all(|clause| clause.negation.is_none()));
    // "but" alone joins nothing: it may leave something out.
    assert!(!read("list ~/docs but the pdfs").unaccounted.is_empty());
}
