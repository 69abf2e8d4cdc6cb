//! Plans age and die by rule, say why, and come back when a person wants them back.

use std::collections::BTreeMap;

use metnos::{
    clock::Clock,
    domain::{
        ids::ActorId,
        lang::Lang,
        limits::{AUTOPATH_STALE, EVIDENCE_COUNTS_FOR},
        removal::Reason,
        reply::ButtonKind,
    },
    store::removals::TakenBack,
};
use serde_json::json;

use super::{DAY, at_rest, reap};
use crate::{
    model::{PLANNING, bot_asking, plan},
    support::{
        bot::{Setup, TestBot},
        llama::ScriptedLlama,
    },
    turns::{change, clock, layer_of, remember, rows},
};

const ONCE: &str = "how many pdf files are in ~/docs";
const OFTEN: &str = "how many txt files are in ~/docs";

fn reasons(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT reason FROM removals WHERE taken_back_at IS NULL ORDER BY id",
    )
}

async fn household(clock: &Clock) -> TestBot {
    let bot = at_rest(clock, Lang::EN).await;
    bot.file("docs/a.pdf", "a");
    bot.file("docs/b.txt", "b");
    bot
}

#[tokio::test]
async fn a_request_nobody_repeats_is_forgotten_and_one_that_is_used_stays() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = household(&clock).await;
    bot.says(ONCE).await;
    for day in 0..60 {
        if day % 7 == 0 {
            bot.says(OFTEN).await;
        }
        reap(&bot).await;
        let remembered = rows(&bot, "SELECT canonical_text FROM fastpaths ORDER BY id").len();
        assert_eq!(remembered, if day <= 14 { 2 } else { 1 }, "day {day}");
        clock.advance(DAY);
    }
    assert_eq!(layer_of(&mut bot, OFTEN).await, "fastpath 0");
    clock.advance(DAY * 30);
    assert_eq!(reap(&bot).await.removed, BTreeMap::new());
    clock.advance(DAY);
    assert_eq!(reap(&bot).await.removed, BTreeMap::from([(Reason::Stale, 1)]));
    assert_eq!(layer_of(&mut bot, OFTEN).await, "simple 0");
}

#[tokio::test]
async fn what_was_removed_is_seen_and_taken_back_for_a_week() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = household(&clock).await;
    bot.says(ONCE).await;
    let before = rows(
        &bot,
        "SELECT canonical_text || plan || hex(embedding) || n_uses FROM fastpaths",
    );
    clock.advance(DAY * 15);
    reap(&bot).await;
    let store = &bot.app().runtime.engine().store;
    let host = ActorId::from("host");
    let removed = store.removals(Some(&host), 0).await.unwrap();
    assert_eq!(removed.len(), 1);
    assert_eq!(removed[0].reason, Reason::NeverReused);
    let stranger = ActorId::from("guest_1");
    let now_ms = clock.now_ms();
    assert_eq!(
        store.take_back(Some(&stranger), removed[0].id, now_ms).await.unwrap(),
        TakenBack::Gone
    );
    let taken = store.take_back(Some(&host), removed[0].id, now_ms).await.unwrap();
    assert_eq!(taken, TakenBack::Done(removed[0].clone()));
    assert_eq!(
        store.take_back(Some(&host), removed[0].id, now_ms).await.unwrap(),
        TakenBack::Gone
    );
    let after = rows(
        &bot,
        "SELECT canonical_text || plan || hex(embedding) || n_uses FROM fastpaths",
    );
    assert_eq!(after, before);
    reap(&bot).await;
    assert_eq!(layer_of(&mut bot, ONCE).await, "fastpath 0");
    // Again, but now a newer plan for the same words is there first.
    clock.advance(DAY * 31);
    reap(&bot).await;
    bot.says(ONCE).await;
    let store = &bot.app().runtime.engine().store;
    let removed = store.removals(Some(&host), clock.now_ms() - 1).await.unwrap();
    let taken = store
        .take_back(Some(&host), removed[0].id, clock.now_ms())
        .await
        .unwrap();
    assert!(matches!(taken, TakenBack::Replaced(_)), "{taken:?}");
    store.sweep(clock.now_ms()).await.unwrap();
    assert_eq!(reasons(&bot), ["stale"]);
    store.sweep((clock.now() + DAY * 8).as_millisecond()).await.unwrap();
    assert_eq!(reasons(&bot), Vec::<String>::new(), "a week is over");
}

/// The night is read, decided and written; what is used in between stays.
#[tokio::test]
async fn a_row_that_is_used_meanwhile_stays() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = household(&clock).await;
    bot.says(ONCE).await;
    clock.advance(DAY * 15);
    let store = &bot.app().runtime.engine().store;
    let rows_then = store.aging_rows().await.unwrap();
    bot.says(ONCE).await;
    let store = &bot.app().runtime.engine().store;
    let going = metnos::store::aging::Removal {
        layer: rows_then[0].layer,
        id: rows_then[0].id,
        used_ms: rows_then[0].used_ms,
        reason: Reason::NeverReused,
        heir: None,
    };
    let aged = store.remove_aged(vec![going], clock.now_ms()).await.unwrap();
    assert_eq!((aged.removed.len(), aged.kept), (0, 1));
}

#[tokio::test]
async fn an_executor_that_is_gone_takes_its_plans_along_and_one_that_comes_inherits() {
    const PROGRAM: &str = include_str!("../../../executors/get_processes/manifest.toml");
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = household(&clock).await;
    reap(&bot).await;
    remember(
        &bot,
        "list the packages",
        &json!({"steps": [{"tool": "get_processes", "args": {}}, {"tool": "sort_entries", "args": {"from_step": 1, "by": "name"}}]}),
    );
    change(
        &bot,
        "UPDATE fastpaths SET intent = 'list|packages', n_uses = 7,
                created_at = unixepoch('2026-03-10') * 1000, last_used = unixepoch('2026-03-10') * 1000",
    );
    clock.advance(DAY);
    assert_eq!(reap(&bot).await.removed, BTreeMap::new());
    let code = format!("\n[code]\nfiles = [\"run.sh\"]\ndigest = \"sha256:{:064}\"\n", 0);
    let manifest = PROGRAM
        .replace("\"get_processes\"", "\"list_packages\"")
        .replace("kind = \"builtin\"", "kind = \"program\"");
    let manifest = format!("{manifest}{code}");
    bot.add_program(
        "list_packages",
        &manifest,
        "#!/bin/sh\necho '{\"ok\":true,\"entries\":[]}'\n",
    )
    .await;
    let aged = reap(&bot).await;
    assert_eq!(
        aged.removed,
        BTreeMap::from([(Reason::CoveredByName, 1)]),
        "{:?}",
        bot.app().catalog.current().rejected()
    );
    assert_eq!(aged.inherited, 7);
    assert_eq!(
        rows(
            &bot,
            "SELECT executor || ' ' || inherited FROM executor_uses WHERE inherited > 0"
        ),
        ["list_packages 7"]
    );
    // A plan that uses it dies with it; while it is only refused, nothing dies.
    remember(
        &bot,
        "list all the packages",
        &json!({"steps": [{"tool": "list_packages", "args": {}}]}),
    );
    change(&bot, "UPDATE fastpaths SET created_at = unixepoch('2026-03-12') * 1000");
    let folder = bot.data_dir().join("catalog/list_packages");
    std::fs::write(folder.join("run.sh"), "#!/bin/sh\necho changed\n").unwrap();
    bot.restart().await;
    assert_eq!(reap(&bot).await.removed, BTreeMap::new());
    std::fs::remove_dir_all(&folder).unwrap();
    bot.restart().await;
    assert_eq!(reap(&bot).await.removed, BTreeMap::from([(Reason::ToolMissing, 1)]));
}

#[tokio::test]
async fn the_host_says_how_many_taps_make_a_champion() {
    let setup = Setup {
        autopath_min_obs: Some(3.0),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    for champions in ["0", "0", "1"] {
        bot.says("which processes are running").await;
        bot.taps(ButtonKind::Confirm).await;
        assert_eq!(
            rows(&bot, "SELECT count(*) || '' FROM autopaths WHERE champion = 1"),
            [champions]
        );
    }
}

#[tokio::test]
async fn a_champion_nobody_speaks_for_any_more_loses_its_place_and_goes() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = household(&clock).await;
    bot.says("which processes are running").await;
    bot.taps(ButtonKind::Confirm).await;
    let state = "SELECT status || ' ' || champion FROM autopaths";
    reap(&bot).await;
    assert_eq!(rows(&bot, state), ["active 1"]);
    // Used all the time by a household that never taps: what was said once expires, and silence keeps it.
    change(&bot, "UPDATE observations SET at = at - 1000");
    clock.advance(EVIDENCE_COUNTS_FOR / 2);
    change(&bot, "UPDATE autopaths SET last_used = last_used + 180 * 86400000 / 2");
    reap(&bot).await;
    assert_eq!(rows(&bot, state), ["active 1"]);
    clock.advance(EVIDENCE_COUNTS_FOR / 2);
    change(&bot, "UPDATE autopaths SET last_used = last_used + 180 * 86400000 / 2");
    reap(&bot).await;
    assert_eq!(rows(&bot, state), ["demoted 0"]);
    clock.advance(AUTOPATH_STALE);
    let aged = reap(&bot).await;
    assert_eq!(aged.removed.get(&Reason::Demoted), Some(&1), "{aged:?}");
    assert_eq!(rows(&bot, state), Vec::<String>::new());
}

#[tokio::test]
async fn a_plan_that_fails_of_itself_three_times_is_banned() {
    let server = ScriptedLlama::start().await;
    // What it reads is named by a result that is empty: wrong whatever lies in the folder.
    let wrong = json!([
        {"tool": "find_files", "args": {"base_path": "~/notes", "pattern": "*.none"}},
        {"tool": "read_files", "args": {"paths": ["${step1.entries.0.path}"]}}
    ]);
    server.when(PLANNING, plan(&wrong));
    let mut bot = bot_asking(&server).await;
    bot.file("notes/diary.md", "alpha\n");
    for failed in 1..=3 {
        bot.says("read the most splendid files in ~/notes").await;
        let seen = "SELECT failed || ' ' || (embedding IS NULL) FROM observations";
        assert_eq!(rows(&bot, seen), vec!["1 1"; failed], "{}", bot.transcript());
        let banned = rows(&bot, "SELECT (canonical_hash <> '') || '' FROM anti_autopaths");
        assert_eq!(banned.len(), usize::from(failed == 3), "{banned:?}");
    }
    assert_eq!(
        rows(&bot, "SELECT count(*) || '' FROM autopaths WHERE status = 'active'"),
        ["0"]
    );
}

#[tokio::test]
async fn observations_know_how_long_it_took_and_questions_are_not_remembered() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = household(&clock).await;
    bot.says("which processes are running").await;
    assert_eq!(rows(&bot, "SELECT latency_ms || '' FROM observations"), ["0"]);
    let catalog = bot.app().catalog.current();
    let asking = catalog.get(&"get_inputs".into()).unwrap();
    assert!(!asking.cacheable, "what is answered once is not the answer next time");
    assert_eq!(
        rows(
            &bot,
            "SELECT executor || ' ' || uses || ' ' || failures FROM executor_uses"
        ),
        ["get_processes 1 0"]
    );
}
