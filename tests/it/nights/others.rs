//! The jobs of the night that look after tools and habits: what nobody uses goes, what is usual is told, and the host
//! is warned once.

use metnos::{
    domain::lang::Lang,
    i18n::I18n,
    nights::promoter::{Promoter, idle::Idle},
};
use serde_json::json;

use super::{DAY, promotion, run_job};
use crate::{
    model::{PLANNING, bot_asking, plan, plans_asked},
    support::llama::ScriptedLlama,
    turns::{bot_at, change, clock, pair, remember_of, rows},
};

async fn age(bot: &crate::support::bot::TestBot) -> Idle {
    let i18n = I18n::embedded().unwrap();
    Promoter::of(bot.app().runtime.engine(), &i18n).age().await.unwrap()
}

#[tokio::test]
async fn a_tool_that_nobody_uses_is_told_of_and_then_taken_back_and_made_again_at_a_word() {
    let (clock, mut bot) = promotion::settled().await;
    clock.advance(DAY * 31);
    let told = age(&bot).await;
    assert_eq!((told.deprecated, told.archived, told.revived), (1, 0, 0));
    assert_eq!(age(&bot).await, Idle::default(), "told once");
    let digest = bot.says("/digest").await;
    assert!(digest.contains("Nobody used sort_files for a month"), "{digest}");

    // A use, and it stays.
    let shown = json!({"steps": [{"tool": "sort_files", "args": {"path": "~/docs"}}]});
    remember_of(&bot, "host", "the largest in docs", &shown);
    change(&bot, &format!("UPDATE fastpaths SET created_at = {}", clock.now_ms()));
    bot.says("the largest in docs").await;
    assert_eq!(age(&bot).await.revived, 1);

    clock.advance(DAY * 31);
    assert_eq!(age(&bot).await.deprecated, 1);
    clock.advance(DAY * 13);
    assert_eq!(age(&bot).await.archived, 0);
    clock.advance(DAY * 2);
    assert_eq!(age(&bot).await.archived, 1);
    assert!(!promotion::lies_there(&bot), "{}", bot.transcript());
    let digest = bot.says("/digest").await;
    assert!(digest.contains("/proposals approve p1"), "{digest}");
    let made = bot.says("/proposals approve p1").await;
    assert!(
        made.starts_with("sort_files is made") && promotion::lies_there(&bot),
        "{made}"
    );
    assert_eq!(age(&bot).await, Idle::default(), "what was made again begins anew");
}

/// Plans of this person that sorted downwards.
fn sorted(bot: &crate::support::bot::TestBot, actor: &str, at_ms: i64, times: usize) {
    let plan = json!({"steps": [
        {"tool": "list_dirs", "args": {"path": "~/docs"}},
        {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "desc": true}}
    ]});
    for number in 0..times {
        change(
            bot,
            &format!(
                "INSERT INTO observations (turn, actor, intent, intent_hash, cluster, plan, plan_hash, query_specific,
                                           tools_sig, pool_sig, at)
                 VALUES ('{actor}-{number}', '{actor}', 'sort|files', 'h', 'c', '{plan}', 'p', 0, 't', 's', {at_ms})"
            ),
        );
    }
}

#[tokio::test]
async fn the_model_is_told_of_a_habit_and_nobody_elses() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "list_dirs", "args": {"path": "~/docs"}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    let now_ms = metnos::clock::Clock::system().now_ms();
    sorted(&bot, "host", now_ms, 30);
    let i18n = I18n::embedded().unwrap();
    let promoter = Promoter::of(bot.app().runtime.engine(), &i18n);
    assert_eq!(metnos::nights::introspection::propose(&promoter).await.unwrap(), 1);
    assert_eq!(metnos::nights::introspection::apply(&promoter).await.unwrap(), 1);
    assert_eq!(
        metnos::nights::introspection::apply(&promoter).await.unwrap(),
        0,
        "once"
    );
    bot.says("sort the dazzling goodies of ~/docs").await;
    let told = plans_asked(&server).pop().unwrap();
    assert!(told.contains("sort_entries: desc=true"), "{told}");

    // Taken back at a word.
    bot.says("/proposals reject p1").await;
    bot.says("sort the sparkling goodies of ~/docs").await;
    let told = plans_asked(&server).pop().unwrap();
    assert!(!told.contains("desc=true"), "{told}");
    assert_eq!(rows(&bot, "SELECT DISTINCT actor FROM proposals"), ["host"]);
}

#[tokio::test]
async fn what_a_plan_usually_takes_is_told_while_it_runs() {
    let clock = clock("2026-05-10T02:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.file("docs/a.txt", "a");
    for _ in 0..3 {
        bot.says("list ~/docs").await;
    }
    assert_eq!(run_job(&bot, &clock, "proposals_eta_aggregate").await, "done");
    assert_eq!(rows(&bot, "SELECT p50_ms || '' FROM usual_times"), ["0"]);
    change(&bot, "UPDATE turns SET ended_at = started_at + 9000");
    clock.advance(DAY);
    assert_eq!(run_job(&bot, &clock, "proposals_eta_aggregate").await, "done");
    assert_eq!(
        rows(&bot, "SELECT p50_ms || ' ' || p95_ms || ' ' || runs FROM usual_times"),
        ["9000 9000 3"]
    );
    let engine = bot.app().runtime.engine();
    let hash = rows(&bot, "SELECT DISTINCT plan_hash FROM turns WHERE plan_hash IS NOT NULL").remove(0);
    let of = |actor: &str| {
        let (actor, hash) = (actor.into(), hash.as_str().into());
        async move { engine.store.usual_time(&actor, &hash).await.unwrap() }
    };
    assert_eq!(of("host").await.map(|usual| usual.p50_ms), Some(9_000));
    assert_eq!(of("anna").await, None);
}

#[tokio::test]
async fn the_host_is_warned_of_guests_once() {
    let clock = clock("2026-05-10T06:35:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    assert_eq!(run_job(&bot, &clock, "skill_sandbox_watchdog").await, "quiet");
    pair(&mut bot, "anna").await;
    clock.advance(DAY);
    // By itself in the morning, or now.
    run_job(&bot, &clock, "skill_sandbox_watchdog").await;
    clock.advance(DAY);
    assert_eq!(run_job(&bot, &clock, "skill_sandbox_watchdog").await, "quiet");
    let warned = rows(
        &bot,
        "SELECT count(*) || '' FROM task_runs WHERE state = 'done' AND task LIKE '%watchdog'",
    );
    assert_eq!(warned, ["1"]);
}
