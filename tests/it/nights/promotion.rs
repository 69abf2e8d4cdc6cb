//! A family of plans grows into a tool, is used, taken back and made again; and what keeps one from growing.

use metnos::{
    domain::{ids::ActorId, lang::Lang, proposal::ProposalState},
    i18n::I18n,
    nights::promoter::{Night, Promoter},
};
use serde_json::{Value, json};

use super::{DAY, at_rest, reap};
use crate::{
    support::bot::TestBot,
    turns::{change, clock, pair, remember_of, rows},
};

const FOLDERS: [&str; 3] = ["docs", "inbox", "old"];

fn plan(folder: &str) -> Value {
    json!({"steps": [
        {"tool": "list_dirs", "args": {"path": format!("~/{folder}")}},
        {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "desc": true}}
    ]})
}

fn asked(folder: &str) -> String {
    format!("show the largest things in ~/{folder}")
}

/// Three requests of one kind that somebody asked again and again for two months.
fn family(bot: &TestBot, actor: &str) {
    for folder in FOLDERS {
        remember_of(bot, actor, &asked(folder), &plan(folder));
    }
    change(
        bot,
        "UPDATE fastpaths SET intent = 'sort|files', n_uses = 20, created_at = unixepoch('2026-03-10') * 1000,
                last_used = unixepoch('2026-05-10') * 1000",
    );
}

async fn night(bot: &TestBot) -> Night {
    let engine = bot.app().runtime.engine();
    let i18n = I18n::embedded().unwrap();
    let promoter = Promoter::of(engine, &i18n);
    promoter.propose().await.unwrap();
    promoter.night().await.unwrap()
}

async fn household() -> (metnos::clock::Clock, TestBot) {
    let clock = clock("2026-05-10T02:00:00Z");
    let bot = at_rest(&clock, Lang::EN).await;
    for folder in FOLDERS {
        bot.file(&format!("{folder}/small.txt"), "a");
        bot.file(&format!("{folder}/large.txt"), "aaaaaaaaaa");
    }
    (clock, bot)
}

fn states(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT id || ' ' || name || ' ' || state FROM proposals ORDER BY id",
    )
}

/// A household with a tool that grew there and is watched no longer.
pub(super) async fn settled() -> (metnos::clock::Clock, TestBot) {
    let (clock, mut bot) = household().await;
    reap(&bot).await;
    family(&bot, "host");
    clock.advance(DAY);
    night(&bot).await;
    bot.says("/proposals approve p1").await;
    clock.advance(DAY * 4);
    assert_eq!(night(&bot).await.settled, 1, "{:?}", states(&bot));
    (clock, bot)
}

pub(super) fn lies_there(bot: &TestBot) -> bool {
    bot.data_dir().join("catalog/sort_files").exists()
}

#[tokio::test]
async fn a_family_grows_into_a_tool_and_is_taken_back_and_made_again() {
    let (clock, mut bot) = household().await;
    reap(&bot).await;
    family(&bot, "host");
    clock.advance(DAY);
    let first = night(&bot).await;
    assert_eq!(
        (first.judged, first.to_review, first.made),
        (1, 1, 0),
        "{:?}",
        states(&bot)
    );
    assert_eq!(states(&bot), ["1 sort_files review"]);
    let told = bot.says("/proposals show p1").await;
    assert!(told.contains("waits for you") && told.contains("Judged:"), "{told}");
    let before = rows(
        &bot,
        "SELECT canonical_text || plan || n_uses FROM fastpaths ORDER BY id",
    );

    // Made at a word; the rows it grew out of die in its favour.
    let made = bot.says("/proposals approve p1").await;
    assert!(made.starts_with("sort_files is made") && lies_there(&bot), "{made}");
    clock.advance(DAY);
    let aged = reap(&bot).await;
    assert_eq!(
        (aged.removed.values().sum::<u32>(), aged.inherited),
        (3, 60),
        "{aged:?}"
    );
    assert_eq!(rows(&bot, "SELECT DISTINCT heir FROM removals"), ["sort_files"]);

    // Planned by name, it runs as its steps do, and is remembered as one.
    remember_of(
        &bot,
        "host",
        "the largest in docs",
        &json!({"steps": [{"tool": "sort_files", "args": {"path": "~/docs"}}]}),
    );
    // As if it had just been learned: what is old and was never asked again goes at night.
    let now = format!("UPDATE fastpaths SET created_at = {}", clock.now_ms());
    change(&bot, &now);
    let answer = bot.says("the largest in docs").await;
    assert!(
        answer.find("large.txt") < answer.find("small.txt") && answer.contains("large.txt"),
        "{answer}"
    );
    let used = "SELECT executor || ' ' || uses || ' ' || failures FROM executor_uses WHERE executor = 'sort_files'";
    assert_eq!(rows(&bot, used), ["sort_files 1 0"], "{}", bot.transcript());

    // Taken back: no folder, and what it had taken over answers again as before.
    change(&bot, "DELETE FROM fastpaths");
    let undone = bot.says("/proposals reject p1").await;
    assert!(
        undone.starts_with("sort_files is taken back") && !lies_there(&bot),
        "{undone}"
    );
    assert_eq!(
        rows(
            &bot,
            "SELECT canonical_text || plan || n_uses FROM fastpaths ORDER BY id"
        ),
        before
    );
    assert_eq!(states(&bot), ["1 sort_files rolled-back"]);

    // Made again, watched for three days, and settled.
    assert!(
        bot.says("/proposals approve p1")
            .await
            .starts_with("sort_files is made")
    );
    clock.advance(DAY * 2);
    assert_eq!(night(&bot).await.settled, 0);
    clock.advance(DAY * 2);
    assert_eq!(night(&bot).await.settled, 1);
    assert_eq!(states(&bot), ["1 sort_files final"]);
    bot.restart().await;
    assert!(bot.app().catalog.current().get(&"sort_files".into()).is_some());
}

#[tokio::test]
async fn what_fails_while_it_is_watched_is_taken_back_by_itself() {
    let (clock, mut bot) = household().await;
    family(&bot, "host");
    night(&bot).await;
    bot.says("/proposals approve p1").await;
    let fails =
        "INSERT INTO executor_uses (actor, executor, uses, failures, last_used) VALUES ('host', 'sort_files', 1, 1, 0)
                 ON CONFLICT (actor, executor) DO UPDATE SET failures = failures + 1";
    change(&bot, fails);
    assert_eq!(night(&bot).await.rolled_back, 0, "once is not enough");
    change(&bot, fails);
    assert_eq!(night(&bot).await.rolled_back, 1);
    assert!(!lies_there(&bot));
    assert_eq!(states(&bot), ["1 sort_files rolled-back"]);
    clock.advance(DAY);
    assert_eq!(night(&bot).await, Night::default());
}

/// A process may die between the row and the folder; the next call puts it right, both ways.
#[tokio::test]
async fn the_folder_follows_the_row_whatever_the_process_died_in() {
    let (_clock, mut bot) = household().await;
    family(&bot, "host");
    night(&bot).await;
    bot.says("/proposals approve p1").await;
    let folder = bot.data_dir().join("catalog/sort_files");
    let written = std::fs::read(folder.join("manifest.toml")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    bot.restart().await;
    night(&bot).await;
    assert_eq!(std::fs::read(folder.join("manifest.toml")).unwrap(), written);
    change(&bot, "UPDATE proposals SET state = 'rolled-back'");
    night(&bot).await;
    assert!(!folder.exists());
    // What somebody changed is theirs.
    change(&bot, "UPDATE proposals SET state = 'grace'");
    night(&bot).await;
    std::fs::write(folder.join("manifest.toml"), "theirs").unwrap();
    assert!(bot.says("/proposals reject p1").await.contains("changed by somebody"));
    assert!(folder.exists());
}

/// A part that is gone takes the tool along, and nothing dies for a while of it.
#[tokio::test]
async fn a_composite_dies_with_its_parts() {
    let (_clock, mut bot) = household().await;
    family(&bot, "host");
    night(&bot).await;
    bot.says("/proposals approve p1").await;
    assert!(bot.app().catalog.current().get(&"sort_files".into()).is_some());
    let part = bot.data_dir().join("catalog/sort_entries/manifest.toml");
    std::fs::write(&part, "changed").unwrap();
    bot.stop().await;
    bot.start().await;
    let catalog = bot.app().catalog.current();
    assert!(catalog.get(&"sort_files".into()).is_none());
    let reasons: Vec<String> = catalog.rejected().iter().map(|one| one.reason.to_string()).collect();
    assert!(
        reasons.iter().any(|reason| reason.contains("made of `sort_entries`")),
        "{reasons:?}"
    );
}

/// What a guest asks becomes nobody's tool unless the host says so, and never by itself.
#[tokio::test]
async fn a_guests_family_waits_for_the_host() {
    let (clock, mut bot) = household().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    let anna = rows(&bot, "SELECT id FROM actors WHERE role = 'guest'").remove(0);
    family(&bot, &anna);
    for _ in 0..5 {
        clock.advance(DAY);
        night(&bot).await;
    }
    assert_eq!(states(&bot), ["1 sort_files review"]);
    assert!(!lies_there(&bot));
    assert!(bot.telegram("anna", "/proposals approve p1").await.contains("host"));
    assert_eq!(states(&bot), ["1 sort_files review"]);
    assert!(bot.says("/proposals").await.contains("p1"));
    let engine = bot.app().runtime.engine();
    let mine = engine.store.proposals(&[ProposalState::Review]).await.unwrap();
    assert_eq!(mine[0].actor, ActorId::from(anna.as_str()));
}
