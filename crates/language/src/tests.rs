//! Tables of what is read from what, and properties that hold for any text.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

mod company;
mod known;
mod listed;
mod names;
mod negation;
mod numbers;
mod quantities;
mod recurrence;
mod windows;

/// Read once: the properties ask hundreds of times.
static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());

fn now() -> Zoned {
    "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap()
}

fn read(text: &str) -> Reading {
    LANGUAGE.read(text, Lang::EN, &now())
}

fn facts(text: &str) -> Vec<String> {
    let facts = read(text).facts;
    facts
        .iter()
        .map(|fact| format!("{:?} {}", fact.kind, fact.value.to_string().replace('"', "")))
        .collect()
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
fn values_are_found_letter_by_letter() {
    let table: &[(&str, &[&str])] = &[
        ("read ~/notes/Diary.md.", &["Path ~/notes/Diary.md"]),
        ("read \"~/My Documents/a b.txt\"", &["Path ~/My Documents/a b.txt"]),
        ("leggi «./note di casa.txt»", &["Path ./note di casa.txt"]),
        ("read ~/My\\ Documents/a.txt", &["Path ~/My Documents/a.txt"]),
        ("list ../x and /etc", &["Path ../x", "Path /etc"]),
        ("list C:\\Users\\Anna", &["Path C:\\\\Users\\\\Anna"]),
        (
            "list C:\\Program Files\\metnos now",
            &["Path C:\\\\Program Files\\\\metnos"],
        ),
        ("list \\\\nas\\photos", &["Path \\\\\\\\nas\\\\photos"]),
        ("list my home folder", &["Path ~"]),
        ("elenca la mia home", &["Path ~"]),
        ("list home/docs/", &["Path ~/docs/"]),
        ("read notes.txt", &["Path notes.txt"]),
        (
            "fetch https://example.com/a?b=c&d=(e).",
            &["Url https://example.com/a?b=c&d=(e)"],
        ),
        ("fetch www.example.com", &["Url https://www.example.com"]),
        ("send it to anna.b@example.com", &["Email anna.b@example.com"]),
        ("write \"it's milk\" to ~/x.txt", &["Quoted it's milk", "Path ~/x.txt"]),
        ("write 'it's milk' to ~/x.txt", &["Quoted it's milk", "Path ~/x.txt"]),
        ("find *.pdf in ~/docs", &["Glob *.pdf", "Path ~/docs"]),
        ("find .pdf files in ~/docs", &["Glob *.pdf", "Path ~/docs"]),
        ("delete ~/docs/*.tmp", &["Path ~/docs", "Glob *.tmp"]),
        ("what and/or how", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(facts(text), *expected, "{text}");
    }
}

#[test]
fn times_sizes_and_kinds_have_one_form_in_both_languages() {
    let table: &[(&str, &[&str])] = &[
        ("files modified this week", &["Window this-week"]),
        // It is Friday: nothing was changed in the weekend that is to come.
        ("files modified this weekend", &["Window 2026-11-14/2026-11-15"]),
        ("file modificati questo weekend", &["Window 2026-11-14/2026-11-15"]),
        ("file modificati questa settimana", &["Window this-week"]),
        ("files changed in the last 24 hours", &["Window last-24h"]),
        ("file modificati nelle ultime 24 ore", &["Window last-24h"]),
        ("files changed in the last seven days", &["Window last-7d"]),
        ("file degli ultimi 3 mesi", &["Window last-3m"]),
        ("files modified yesterday", &["Window yesterday"]),
        ("file modificati oggi", &["Window today"]),
        ("files of last month", &["Window last-month"]),
        ("files modified 2026-11-03", &["Window 2026-11-03"]),
        ("file modificati il 3/11/2026", &["Window 2026-11-03"]),
        ("file modificati il 3 novembre", &["Window 2026-11-03"]),
        ("file modificati il 24 dicembre", &["Window 2025-12-24"]),
        ("files modified the day before yesterday", &["Window 2026-11-18"]),
        ("file modificati l'altroieri", &["Window 2026-11-18"]),
        ("files modified on November 3rd, 2026", &["Window 2026-11-03"]),
        ("files modified on the 3rd of november", &["Window 2026-11-03"]),
        ("find jpg images", &["Glob *.jpg"]),
        ("I am going home", &[]),
        ("files modified on monday", &["Weekday monday"]),
        ("files bigger than 10 MB", &["Size {bytes:10000000,bound:min}"]),
        ("file più piccoli di 1,5 kB", &["Size {bytes:1500,bound:max}"]),
        ("files over 2GB", &["Size {bytes:2000000000,bound:min}"]),
        ("the jpg files", &["Glob *.jpg"]),
        ("file markdown", &["Glob *.md"]),
        ("i pdf", &["Glob *.pdf"]),
        ("files of type rust", &["Glob *.rs"]),
        ("file di tipo python", &["Glob *.py"]),
        ("le foto", &["Glob *.{jpg,jpeg,png,gif,webp,heic,bmp,tiff,svg}"]),
        ("quanti file ci sono", &[]),
        ("what do you think of rust", &[]),
        ("the last three lines", &["Count {count:3,side:last}"]),
        ("le ultime 3 righe", &["Count {count:3,side:last}"]),
        ("the first line", &["Count {count:1,side:first}"]),
        ("le prime dieci righe", &["Count {count:10,side:first}"]),
    ];
    for (text, expected) in table {
        assert_eq!(facts(text), *expected, "{text}");
    }
}

#[test]
fn intents_and_how_sure_they_are() {
    let table: &[(&str, &str, f64)] = &[
        ("list the files in ~/docs", "list|files", 1.0),
        ("quanti file markdown ci sono in ~/notes", "find|files", 1.0),
        (
            "read ~/notes/diary.md and show me the last three lines",
            "read|files;filter|texts",
            1.0,
        ),
        ("fetch http://127.0.0.1/uuid and tell me only the uuid", "get|urls", 1.0),
        (
            "save the page http://127.0.0.1/a to ~/a.md and tell me how many bytes you wrote",
            "write|files",
            1.0,
        ),
        (
            "trova i jpg in ~/in e spostali in ~/photos",
            "find|files;move|files",
            1.0,
        ),
        ("find and delete the jpg files in ~/in", "delete|files", 1.0),
        ("which process uses the most memory", "get|processes", 1.0),
        ("the biggest file in ~/docs", "find|files", 0.8),
        ("find the shiny files in ~/docs", "find|files", 0.8),
        ("copy ~/a.txt to ~/b", "move|files", 1.0),
        ("send a message to anna", "send|messages", 0.8),
        ("don't delete ~/a.txt", "delete|files", 0.3),
        ("how do I delete ~/a.txt", "delete|files", 0.3),
        ("delete", "delete|?", 0.4),
        ("book me a flight to Rome", "", 0.0),
        ("ciao", "", 0.0),
        ("", "", 0.0),
    ];
    for (text, signature, confidence) in table {
        let intent = read(text).intent;
        assert_eq!(intent.signature(), *signature, "{text}");
        assert!(
            (intent.confidence - confidence).abs() < 1e-9,
            "{text}: {}",
            intent.confidence
        );
    }
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
fn verbs_a_plan_must_contain() {
    assert_eq!(read("list the files in ~/docs").required_verbs, []);
    assert_eq!(read("delete ~/a.txt").required_verbs, [Verb::Delete]);
    assert_eq!(
        read("find the jpg files in ~/in and move them to ~/out").required_verbs,
        [Verb::Move, Verb::Find]
    );
    assert_eq!(
        read("read ~/a.md and show me the last three lines").required_verbs,
        [Verb::Read]
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

#[test]
fn only_a_whole_message_confirms() {
    let language = &*LANGUAGE;
    for text in [
        "yes",
        "Yes!",
        "YES",
        "s\u{ec}",
        "si\u{300}",
        "ok",
        "va bene",
        "go ahead",
        "\u{FF39}\u{FF45}\u{FF53}",
        "sure, go ahead",
        "sì certo",
        "sì dai",
        "fai pure",
        "ok fallo",
        "yes please do",
    ] {
        assert_eq!(language.confirmation(text), Some(Confirmation::Yes), "{text}");
    }
    for text in [
        "stop",
        "STOP!",
        "Basta.",
        "ferma",
        "fermati",
        "basta così",
        "cancel",
        "never mind",
    ] {
        assert!(language.is_stop(text), "{text}");
    }
    for text in [
        "stop?",
        "stop the music",
        "ferma la musica",
        "non basta",
        "no",
        "",
        "undo",
    ] {
        assert!(!language.is_stop(text), "{text}");
    }
    for text in ["no", "No.", "annulla", "don't", "lascia perdere"] {
        assert_eq!(language.confirmation(text), Some(Confirmation::No), "{text}");
    }
    for text in [
        "ok?",
        "ok\u{FF1F}",
        "come si fa?",
        "yes and delete the rest",
        "not yes",
        "",
        "please",
        "ok thanks",
        "yes no",
        "ok stop",
        "yes but not a.tmp",
        "sì ma non quello",
        "sì, anche i pdf",
        "si fa presto",
        "yesterday",
    ] {
        assert_eq!(language.confirmation(text), None, "{text}");
    }
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

#[test]
fn a_schedule_is_told_from_a_request_for_now() {
    for text in [
        "every 30 min: list the files in ~/docs",
        "ogni 30 minuti: elenca i file in ~/docs",
        "every two hours tell me the time",
        "ogni mattina alle 8 leggi ~/notes/diary.md",
        "delete ~/docs/old.txt tonight",
        "delete ~/docs/old.txt every friday",
        "EVERY DAY list ~/docs",
    ] {
        assert!(read(text).scheduled, "{text}");
    }
    for text in [
        "list every file in ~/docs",
        "find the files modified in the last 30 days",
        "elenca ogni file di questa settimana in ~/docs",
        "find files modified later than monday",
        "sposta tutti i file in ~/in",
    ] {
        assert!(!read(text).scheduled, "{text}");
    }
}

#[test]
fn times_are_resolved_as_a_household_means_them() {
    let first = |text: &str, lang: Lang| {
        let times = LANGUAGE.times(text, lang, &now(), &Conventions::HOUSEHOLD);
        times.first().and_then(|time| time.readings.first()).cloned()
    };
    let moment = |text: &str| text.parse::<jiff::civil::DateTime>().unwrap();
    let range = |from: &str, to: &str| time::Value::Range(Some(moment(from)), Some(moment(to)));
    let table = [
        (
            "tomorrow at 5pm",
            Lang::EN,
            time::Value::Moment(moment("2026-11-21T17:00")),
        ),
        (
            "domani alle 17:30",
            Lang::IT,
            time::Value::Moment(moment("2026-11-21T17:30")),
        ),
        (
            "the first Monday of March",
            Lang::EN,
            time::Value::Date("2027-03-01".parse().unwrap()),
        ),
        (
            "thanksgiving 2017",
            Lang::EN,
            time::Value::Date("2017-11-23".parse().unwrap()),
        ),
        ("pasqua", Lang::IT, time::Value::Date("2027-03-28".parse().unwrap())),
        ("mezz'ora", Lang::IT, time::Value::Duration(1800.0)),
        ("1h30m", Lang::EN, time::Value::Duration(5400.0)),
        ("an hour and a half", Lang::EN, time::Value::Duration(5400.0)),
        (
            "dalle 9 alle 11 di giovedì",
            Lang::IT,
            range("2026-11-26T09:00", "2026-11-26T11:00"),
        ),
        (
            "between 2007 and 2009",
            Lang::EN,
            range("2007-01-01T00:00", "2010-01-01T00:00"),
        ),
    ];
    for (text, lang, expected) in table {
        assert_eq!(first(text, lang), Some(expected), "{text}");
    }
    for text in ["good morning", "this may take long", "version 1.2.3", "she sat down"] {
        assert_eq!(first(text, Lang::EN), None, "{text}");
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

fn facts_at(text: &str, home: &Home) -> Vec<String> {
    let reading = LANGUAGE.read_at_home(text, Lang::EN, &now(), home);
    let facts = reading.facts.iter();
    facts.map(|fact| format!("{:?} {}", fact.kind, fact.text())).collect()
}

#[test]
fn a_name_over_spaces_is_one_name_only_where_it_is_there() {
    let (_folder, home) = home(&["docs/letter to Marta.txt", "docs/old", "docs/old draft.txt"]);
    for (text, found) in [
        (
            "read ~/docs/letter to Marta.txt?",
            &["Path ~/docs/letter to Marta.txt"][..],
        ),
        ("delete ~/docs/old draft.txt", &["Path ~/docs/old draft.txt"]),
        ("move ~/docs/old to ~/x", &["Path ~/docs/old", "Path ~/x"]),
        (
            "move ~/docs/letter to Marta.txt to ~/old stuff",
            &["Path ~/docs/letter to Marta.txt", "Path ~/old"],
        ),
        (
            "read ~/docs/letter to Anna.txt",
            &["Path ~/docs/letter", "Path Anna.txt"],
        ),
        (
            "read ~/docs/../docs/letter to Marta.txt",
            &["Path ~/docs/../docs/letter", "Path Marta.txt"],
        ),
    ] {
        assert_eq!(facts_at(text, &home), found, "{text}");
    }
    let reading = LANGUAGE.read_at_home("read ~/docs/letter to Marta.txt", Lang::EN, &now(), &home);
    assert!(reading.verbatim, "no letter of it may be evened out in memory");
}

#[test]
fn a_folder_goes_by_its_name_only_where_it_is_there() {
    let (_folder, home) = home(&[
        "notes/",
        "downloads/",
        "Holiday photos/",
        "docs/insurance/",
        "docs/twice/",
        "notes/twice/",
    ]);
    for (text, found) in [
        ("what's in the notes folder", &["Path ~/notes"][..]),
        ("list the folder holiday photos", &["Path ~/Holiday photos"]),
        ("find the pdf files in downloads", &["Glob *.pdf", "Path ~/downloads"]),
        (
            "find the pdf files in music",
            &["Glob *.pdf", "Glob *.{mp3,wav,flac,ogg,m4a,opus}"],
        ),
        ("what's in the insurance folder", &["Path ~/docs/insurance"]),
        ("what's in the twice folder", &[]),
        ("find the pdf files in insurance", &["Glob *.pdf"]),
        ("find the notes", &["Topic notes"]),
    ] {
        assert_eq!(facts_at(text, &home), found, "{text}");
    }
}

#[test]
fn what_is_dictated_is_taken_word_for_word_and_nothing_else_is() {
    for (text, found) in [
        (
            "add milk and two eggs to ~/a.txt",
            &["Quoted milk and two eggs", "Path ~/a.txt"][..],
        ),
        (
            "append the line call grandma on friday to ~/a.txt",
            &["Quoted call grandma on friday", "Path ~/a.txt"],
        ),
        (
            "aggiungi la riga chiamare la nonna in fondo a ~/a.txt",
            &["Quoted chiamare la nonna", "Path ~/a.txt"],
        ),
        (
            "create a note ~/a.txt that says: delete ~b every day",
            &["Path ~/a.txt", "Quoted delete ~b every day"],
        ),
        (
            "rename ~/x/a.txt to letter to Anna.txt",
            &["Path ~/x/a.txt", "Path letter to Anna.txt"],
        ),
        (
            "write in ~/a.txt: see you at 5",
            &["Path ~/a.txt", "Quoted see you at 5"],
        ),
    ] {
        assert_eq!(facts_at(text, &Home::unknown()), found, "{text}");
    }
    for text in [
        "add it to ~/a.txt",
        "add the list to ~/a.txt",
        "add all of it to ~/a.txt",
        "add a letter to Marta to ~/a.txt",
        "read ~/b.txt and add the answer to ~/a.txt",
        "read the note that says hello",
    ] {
        let facts = facts_at(text, &Home::unknown());
        assert!(
            !facts.iter().any(|fact| fact.starts_with("Quoted")),
            "{text}: {facts:?}"
        );
    }
}

#[test]
fn a_slip_of_the_finger_never_becomes_a_change() {
    for (text, verb) in [
        ("lsit the files in ~/a", Some(Verb::List)),
        ("elnca i file in ~/a", Some(Verb::List)),
        ("raed ~/a.txt", Some(Verb::Read)),
        ("delte the files in ~/a", None),
        ("mvoe ~/a.txt to ~/b", None),
        ("spsta ~/a.txt in ~/b", None),
    ] {
        let reading = read(text);
        let read = reading
            .unaccounted
            .is_empty()
            .then(|| reading.clauses.first().and_then(|clause| clause.verb));
        assert_eq!(read.flatten(), verb, "{text}: {:?}", reading.unaccounted);
    }
}

#[test]
fn ages_and_exceptions_are_values() {
    for (text, found) in [
        (
            "files in ~/a older than two months",
            &["Path ~/a", "Window older-2m"][..],
        ),
        ("i file in ~/a più vecchi di un mese", &["Path ~/a", "Window older-1m"]),
        ("files in ~/a newer than 3 days", &["Path ~/a", "Window last-3d"]),
        ("files in ~/a more than 60 days old", &["Path ~/a", "Window older-60d"]),
        ("list ~/a except the txt ones", &["Path ~/a", "NotGlob *.txt"]),
        (
            "list the files in ~/a except the pdf and zip files",
            &["Path ~/a", "NotGlob *.{pdf,zip}"],
        ),
        ("elenca ~/a tranne i pdf e i txt", &["Path ~/a", "NotGlob *.{pdf,txt}"]),
        (
            "delete everything in ~/a except the tmp files and the pdfs",
            &["Path ~/a", "NotGlob *.{tmp,pdf}"],
        ),
        (
            "sposta tutto da ~/a tranne i file tmp e i pdf in ~/b",
            &["Path ~/a", "NotGlob *.{tmp,pdf}", "Path ~/b"],
        ),
        ("elenca ~/a tranne todo.md", &["Path ~/a", "NotGlob todo.md"]),
        (
            "the lines of ~/a.txt without the word glass",
            &["Path ~/a.txt", "NotQuery glass"],
        ),
        (
            "lines of ~/a.txt about opening hours",
            &["Path ~/a.txt", "Query opening hours"],
        ),
    ] {
        assert_eq!(facts_at(text, &Home::unknown()), found, "{text}");
    }
}

/// A period that is open to the past, a day that is over, and up to now.
#[test]
fn before_after_and_the_last() {
    let table: &[(&str, &[&str])] = &[
        ("find files modified before 2026", &["Window before-2026-01-01"]),
        (
            "trova i file più vecchi di due virgola cinque settimane",
            &["Window older-420h"],
        ),
        ("find files older than two and a half months", &["Window older-75d"]),
        ("trova i file più vecchi di un anno e mezzo", &["Window older-18m"]),
        ("find files newer than 1 year and 6 months", &["Window last-18m"]),
        ("find files modified before 5 october", &["Window before-2026-10-05"]),
        ("find files modified until october", &["Window before-2026-11-01"]),
        ("trova i file modificati prima del 2025", &["Window before-2025-01-01"]),
        (
            "trova i file modificati prima di ottobre 2026",
            &["Window before-2026-10-01"],
        ),
        (
            "cancella i file modificati prima di novembre",
            &["Window before-2026-11-01"],
        ),
        (
            "trova i file modificati prima del 10/08/2025",
            &["Window before-2025-08-10"],
        ),
        (
            "trova i file modificati prima del 1 gennaio 2025",
            &["Window before-2025-01-01"],
        ),
        ("files modified after 2026-11-15", &["Window 2026-11-16/2026-11-20"]),
        (
            "file modificati dopo il 15 novembre 2026",
            &["Window 2026-11-16/2026-11-20"],
        ),
        ("files modified since 2026-11-15", &["Window 2026-11-15/2026-11-20"]),
        ("files modified in the last month", &["Window last-30d"]),
        ("files changed in the last week", &["Window last-7d"]),
        ("files modified last week", &["Window last-week"]),
        ("file modificati nell'ultimo mese", &["Window last-30d"]),
        ("file modificati il mese scorso", &["Window last-month"]),
    ];
    for (text, expected) in table {
        assert_eq!(facts(text), *expected, "{text}");
    }
}

/// When to do something is not what to do it with.
#[test]
fn before_a_day_to_come_is_no_period_of_the_past() {
    for text in ["delete the files before tomorrow", "cancella i file prima di domani"] {
        assert!(facts(text).iter().all(|fact| !fact.starts_with("Window")), "{text}");
    }
}

/// A name with spaces that is not there yet.
#[test]
fn words_with_a_capital_behind_a_path_are_its_name() {
    let table: &[(&str, &[&str])] = &[
        ("move ~/a.txt to ~/Old Photos", &["Path ~/a.txt", "Path ~/Old Photos"]),
        ("sposta ~/a.txt in ~/Cose Mie", &["Path ~/a.txt", "Path ~/Cose Mie"]),
        ("list ~/My Old Things, please", &["Path ~/My Old Things"]),
        ("what is in ~/notes I wonder", &["Path ~/notes"]),
        ("list ~/docs. Then stop", &["Path ~/docs"]),
    ];
    for (text, expected) in table {
        assert_eq!(facts(text), *expected, "{text}");
    }
}
