//! Everything of one person, written out and removed at the machine while the service runs: afterwards no row, no file
//! and no unused place of the database has a letter of theirs.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Output,
};

use metnos::{
    app::DATABASE,
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::{ActorId, ChannelKind, SenderId},
        lang::Lang,
    },
    store::Store,
};
use rusqlite::Connection;
use serde_json::Value;

use crate::support::household::{Household, ORDERING, mode};

const HOST: i64 = 42;
const GUEST: i64 = 770_451_923;
const OTHER: i64 = 881_562_034;
const GUEST_ID: &str = "guest_feed42";
const OTHER_ID: &str = "guest_cafe77";
/// What only the guest says: in requests, in what is written, in what cannot be done.
const WORDS: [&str; 3] = ["quincejam", "zanzibar", "flutterby"];

/// The host and two guests, each with a day behind them, and the service running.
async fn household() -> Household {
    let mut household = Household::new(&[HOST]).await;
    let store = Store::open(&household.data_dir().join(DATABASE)).unwrap();
    for (id, name, chat) in [(GUEST_ID, "Zenobia", GUEST), (OTHER_ID, "Bruno", OTHER)] {
        let guest = Actor {
            id: ActorId::from(id),
            role: Role::Guest,
            name: name.to_owned(),
            lang: Lang::EN,
            timezone: "Europe/Rome".to_owned(),
            autonomy: Autonomy::default(),
        };
        store.add_actor(&guest, 0).await.unwrap();
        let sender = SenderId::from(chat.to_string());
        store.pair(ChannelKind::Telegram, &sender, &guest.id, 0).await.unwrap();
    }
    household.serve();
    household
}

/// Writes, replaces, asks, cannot, and leaves a question open.
async fn live(household: &Household, chat: i64, word: &str, extra: &str) {
    let requests = [
        format!("write \"{word} {extra}\" to ~/{word}.txt"),
        format!("write \"{word} again {extra}\" to ~/{word}.txt"),
        format!("read ~/{word}.txt"),
        format!("how many txt files named {word} are in ~"),
        format!("knit me a {extra} of {word}"),
        format!("delete ~/{word}.txt"),
    ];
    for (number, request) in requests.iter().enumerate() {
        household.telegram.says(chat, request);
        household.hears(chat, number + 1).await;
    }
    household.all_noted(chat).await;
}

#[tokio::test]
async fn what_is_kept_about_a_person_is_written_out_without_secrets() {
    let mut household = household().await;
    live(&household, GUEST, "quincejam", "zanzibar").await;
    live(&household, OTHER, "marmalade", "toast").await;
    household.telegram.says(GUEST, "my password is hunter2, remember it");
    household.hears(GUEST, 7).await;
    let file = household.home().join("zenobia.json");
    let to = file.display().to_string();
    let exported = household.runs(&["people", "export", "zenobia", "--to", &to]).await;
    assert!(exported.status.success(), "{exported:?}");
    assert_eq!(mode(&file), 0o600);
    let text = fs::read_to_string(&file).unwrap();
    let everything: Value = serde_json::from_str(&text).unwrap();
    let tables = &everything["tables"];
    assert_eq!(tables["actors"][0]["name"], "Zenobia");
    for (table, rows) in [("turns", 7), ("identities", 1), ("effects", 2), ("dialogs", 1)] {
        assert!(
            tables[table].as_array().unwrap().len() >= rows,
            "{table}: {}",
            tables[table]
        );
    }
    assert_eq!(everything["files"][0]["path"], "quincejam.txt");
    assert!(everything["turn_log"].as_array().unwrap().len() >= 7);
    assert!(text.contains("quincejam"));
    for foreign in ["hunter2", OTHER_ID, "Bruno", "marmalade", &OTHER.to_string()] {
        assert!(!text.contains(foreign), "{foreign}");
    }
    for token in column(&household, "SELECT token FROM callbacks") {
        assert!(!text.contains(&token), "a button's token");
    }
    let again = household.runs(&["people", "export", "zenobia", "--to", &to]).await;
    assert_eq!(again.status.code(), Some(1), "nothing is written over: {again:?}");
    let nobody = household.runs(&["people", "export", "Carla", "--to", "x"]).await;
    assert!(err(&nobody).contains("I know nobody called “Carla”"), "{nobody:?}");
    household.kill();
}

#[tokio::test]
async fn after_an_erasure_nothing_of_the_person_is_left_and_all_of_the_others() {
    let household = household().await;
    live(&household, GUEST, "quincejam", "zanzibar flutterby").await;
    live(&household, OTHER, "marmalade", "toast").await;
    household.telegram.says(HOST, "what time is it");
    household.hears(HOST, 1).await;
    let known = traces(&household, GUEST_ID);
    for place in ["metnos.sqlite", "turns", "guests", "history"] {
        assert!(
            known.iter().any(|found| found.contains(place)),
            "{place} is not in {known:?}"
        );
    }
    let others = traces(&household, OTHER_ID);
    let kept = "SELECT count(*) || '' FROM turns WHERE actor <> 'guest_feed42'";
    let turns = column(&household, kept);

    let unsure = household.runs(&["people", "erase", "Zenobia"]).await;
    assert!(
        err(&unsure).contains("--yes") && unsure.status.code() == Some(1),
        "{unsure:?}"
    );
    let erased = household.runs(&["people", "erase", "Zenobia", "--yes"]).await;
    assert!(erased.status.success(), "{erased:?}\n{}", household.story(GUEST));
    assert!(out(&erased).contains("Zenobia (guest_feed42) is gone"), "{erased:?}");

    assert_eq!(traces(&household, GUEST_ID), Vec::<String>::new());
    let still = traces(&household, OTHER_ID);
    // The log that SQLite writes ahead was emptied, and everything in it is in its place.
    let kept_well = |place: &&String| still.contains(place) || place.starts_with("metnos.sqlite-wal");
    assert!(others.iter().all(|place| kept_well(&place)), "{others:?} {still:?}");
    assert_eq!(column(&household, kept), turns);
    let list = out(&household.runs(&["people"]).await);
    assert!(list.contains("Bruno") && !list.contains("Zenobia"), "{list}");
    household.telegram.says(OTHER, "read ~/marmalade.txt");
    assert!(household.hears(OTHER, 7).await[6].contains("marmalade again"));
    // She is a stranger now.
    household.telegram.says(GUEST, "read ~/quincejam.txt");
    let answers = household.hears(GUEST, 7).await;
    assert!(answers[6].contains("/pair CODE"), "{answers:?}");
}

/// What cannot be removed is named, and the person stays known until it is gone.
#[tokio::test]
async fn an_erasure_that_met_something_that_resists_can_be_said_again() {
    let household = household().await;
    live(&household, GUEST, "quincejam", "zanzibar flutterby").await;
    let resists = household.data_dir().join("turns/2020-01-01.jsonl");
    fs::create_dir(&resists).unwrap();
    for _ in 0..2 {
        let tried = household.runs(&["people", "erase", "Zenobia", "--yes"]).await;
        assert_eq!(tried.status.code(), Some(1), "{tried:?}");
        let told = err(&tried);
        assert!(told.contains("Zenobia (guest_feed42) is locked out, but"), "{told}");
        assert!(told.contains(&resists.display().to_string()), "{told}");
    }
    let list = out(&household.runs(&["people"]).await);
    assert!(list.contains("Zenobia"), "{list}");
    assert!(
        !household.data_dir().join("guests").join(GUEST_ID).exists(),
        "the rest is gone"
    );
    fs::remove_dir(&resists).unwrap();
    let erased = household.runs(&["people", "erase", "Zenobia", "--yes"]).await;
    assert!(erased.status.success(), "{erased:?}");
    assert_eq!(traces(&household, GUEST_ID), Vec::<String>::new());
}

#[tokio::test]
async fn the_others_requests_run_on_beside_an_erasure() {
    let household = household().await;
    let folder = household.data_dir().join("guests").join(GUEST_ID);
    let project = household.project("box", &[ORDERING]);
    fs::create_dir_all(&folder).unwrap();
    let gate = project.gate(ORDERING, "before");
    household.telegram.says(HOST, &project.request);
    let reached = gate.reached().await;
    let list = out(&household.runs(&["people"]).await);
    assert!(list.contains("Zenobia"), "{list}");
    let erased = household.runs(&["people", "erase", "Zenobia", "--yes"]).await;
    assert!(erased.status.success(), "{erased:?}");
    let running = household.runs(&["people", "erase", "host", "--yes"]).await;
    assert!(
        err(&running).contains("Stop it first") && running.status.code() == Some(1),
        "{running:?}"
    );
    drop(reached);
    household.hears(HOST, 1).await;
    assert_eq!(project.count(ORDERING), 1);
    assert!(!folder.exists());
}

#[tokio::test]
async fn the_host_is_erased_once_metnos_is_stopped() {
    let mut household = household().await;
    household.telegram.says(HOST, "who are you");
    household.hears(HOST, 1).await;
    household.all_noted(HOST).await;
    household.kill();
    fs::write(household.data_dir().join("history.txt"), "quincejam\n").unwrap();
    let erased = household.runs(&["people", "erase", "host", "--yes"]).await;
    assert!(erased.status.success(), "{erased:?}");
    assert!(!household.data_dir().join("history.txt").exists());
    assert_eq!(column(&household, "SELECT id FROM turns"), Vec::<String>::new());
    assert_eq!(
        column(&household, "SELECT id FROM actors ORDER BY id"),
        [OTHER_ID, GUEST_ID]
    );
    // Whoever owns the machine is the host again, and nobody else.
    let list = out(&household.runs(&["people"]).await);
    assert!(list.starts_with("host (host): terminal;"), "{list}");
}

/// Where a person is still to be found: by id, name, chat and words; every file is read byte by byte, every row of the
/// database column by column.
fn traces(household: &Household, id: &str) -> Vec<String> {
    let (chat, name, words): (i64, &str, &[&str]) = if id == GUEST_ID {
        (GUEST, "Zenobia", &WORDS)
    } else {
        (OTHER, "Bruno", &["marmalade"])
    };
    let chat = chat.to_string();
    let wanted: Vec<&str> = [id, name, &chat].into_iter().chain(words.iter().copied()).collect();
    let mut found = Vec::new();
    for file in files(&household.data_dir()) {
        let place = file.strip_prefix(household.data_dir()).unwrap().display().to_string();
        let bytes = fs::read(&file).unwrap();
        for word in &wanted {
            if place.contains(word) || bytes.windows(word.len()).any(|window| window == word.as_bytes()) {
                found.push(format!("{place}: {word}"));
            }
        }
    }
    let database = Connection::open(household.data_dir().join(DATABASE)).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    for table in column(household, "SELECT name FROM sqlite_master WHERE type = 'table'") {
        let mut statement = database.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for (at, name) in names.iter().enumerate() {
                let value = format!("{:?}", row.get_ref(at).unwrap().as_str().unwrap_or_default());
                let hits = wanted.iter().filter(|word| value.contains(**word));
                found.extend(hits.map(|word| format!("{DATABASE} {table}.{name}: {word}")));
            }
        }
    }
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap();
        if kind.is_dir() {
            found.extend(files(&path));
        } else if kind.is_file() && kind.permissions().mode() != 0 {
            found.push(path);
        }
    }
    found
}

fn column(household: &Household, sql: &str) -> Vec<String> {
    let database = Connection::open(household.data_dir().join(DATABASE)).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
