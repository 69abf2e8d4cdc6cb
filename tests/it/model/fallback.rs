//! The model is away, late or broken: one clear answer, no second wait, and everything that needs no model still works.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use metnos::domain::{ids::ChannelKind, reply::ButtonKind};
use serde_json::json;

use super::{DESCRIBING, PLANNING, bot_asking, last_turn, plan, plans_asked, said};
use crate::support::{
    bot::TestBot,
    llama::{Script, ScriptedLlama},
};

/// A request that code alone cannot plan, and that the lexicon is unsure about.
const PUZZLE: &str = "give me a peek of the goodies stashed under ~/docs";
/// A request the lexicon understands and code alone cannot plan.
const WORDY: &str = "summarize ~/notes/diary.md for my grandmother";

#[tokio::test]
async fn a_model_that_is_away_is_said_once_and_never_taken_for_a_misunderstanding() {
    for (script, seconds) in [
        (Script::Hang, 2),
        (Script::Loading, 1),
        (Script::Status(500, "boom".to_owned()), 1),
        (Script::Drop, 1),
    ] {
        let server = ScriptedLlama::start().await;
        server.when("", script.clone());
        let mut bot = bot_asking(&server).await;
        let began = Instant::now();
        let answer = bot.says(PUZZLE).await;
        assert!(
            began.elapsed() < Duration::from_secs(seconds + 1),
            "{script:?}: {:?}",
            began.elapsed()
        );
        assert!(answer.contains("language model"), "{script:?}: {answer}");
        assert_eq!(last_turn(&bot).await["final_kind"], json!("error"), "{script:?}");
        assert_eq!(
            server.requests().len(),
            1,
            "{script:?}: no second wait in the same turn"
        );
    }
}

#[tokio::test]
async fn a_refused_connection_is_said_at_once() {
    let server = ScriptedLlama::start().await;
    let mut bot = bot_asking(&server).await;
    server.stop().await;
    bot.says(PUZZLE).await;
    bot.file("notes/diary.md", "It rained.");
    bot.says(WORDY).await;
    assert_snapshot!(said(&bot), @"
    > give me a peek of the goodies stashed under ~/docs
    < The language model does not answer, and without it I cannot work out this part: “peek of the goodies stashed”. “metnos doctor” shows what is wrong with it. Once it runs again, tap ↺: I will try again.
      [↺] terminator, 1 model call
    > summarize ~/notes/diary.md for my grandmother
    < The language model does not answer, and without it I cannot work out this part: “grandmother”. “metnos doctor” shows what is wrong with it. Once it runs again, tap ↺: I will try again.
      [↺] terminator, 1 model call
    ");
    for turn in bot.turn_log().await {
        assert_eq!(turn["final_kind"], json!("error"), "{turn}");
    }
}

#[tokio::test]
async fn what_code_can_plan_still_works_and_so_does_memory() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.pdf"}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/taxes.pdf", "pdf");
    bot.says("find the pdf files in ~/docs").await;
    server.stop().await;
    bot.says("find the pdf files in ~/docs").await;
    bot.says("how many pdf files are in ~/docs").await;
    bot.says("what time is it in words, quickly").await;
    assert_snapshot!(said(&bot), @"
    > find the pdf files in ~/docs
    < • ~/docs/taxes.pdf · 3 B · TIME
      [✓ ✗ ↺] metis, 1 model call
    > find the pdf files in ~/docs
    < • ~/docs/taxes.pdf · 3 B · TIME
      [✓ ✗ ↺] fastpath, 0 model calls
    > how many pdf files are in ~/docs
    < The language model does not answer, and I cannot work this out without it. “metnos doctor” shows what is wrong with it. Once it runs again, tap ↺: I will try again.
      [↺] terminator, 1 model call
    > what time is it in words, quickly
    < The language model does not answer, and without it I cannot work out this part: “words, quickly”. “metnos doctor” shows what is wrong with it. Once it runs again, tap ↺: I will try again.
      [↺] terminator, 1 model call
    ");
}

#[tokio::test]
async fn what_found_the_model_away_is_tried_again_with_a_tap() {
    let server = ScriptedLlama::start().await;
    server.next(Script::Loading).when(
        PLANNING,
        plan(&json!([{"tool": "find_files", "args": {"base_path": "~/docs"}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/taxes.pdf", "pdf");
    let answer = bot.says(PUZZLE).await;
    assert!(answer.contains("tap ↺"), "{answer}");
    assert_eq!(bot.taps(ButtonKind::Retry).await, "I'll try again.");
    let again = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(again.contains("taxes.pdf"), "{again}");
}

/// Trying again after an outage is no word about a way that was refused before.
#[tokio::test]
async fn an_outage_brings_no_refused_way_back() {
    let server = ScriptedLlama::start().await;
    server
        .when(DESCRIBING, Script::Say("A diary about rain.".to_owned()))
        .when(
            PLANNING,
            plan(&json!([
                {"tool": "read_files", "args": {"paths": ["~/notes/diary.md"]}},
                {"tool": "describe_entries", "args": {"from_step": 1}}
            ])),
        );
    let mut bot = bot_asking(&server).await;
    bot.file("notes/diary.md", "It rained.");
    assert_eq!(bot.says(WORDY).await, "A diary about rain.");
    server.next(Script::Loading);
    bot.taps(ButtonKind::Retry).await;
    let away = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(away.contains("tap ↺"), "{away}");
    bot.taps(ButtonKind::Retry).await;
    let again = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(!again.contains("A diary about rain."), "{again}");
}

/// A remembered plan is not at fault when the model it needs is away: it is there again when the model is.
#[tokio::test]
async fn an_outage_does_not_cost_what_was_learned() {
    let server = ScriptedLlama::start().await;
    server
        .when(DESCRIBING, Script::Say("A diary about rain.".to_owned()))
        .when(
            PLANNING,
            plan(&json!([
                {"tool": "read_files", "args": {"paths": ["~/notes/diary.md"]}},
                {"tool": "describe_entries", "args": {"from_step": 1}}
            ])),
        );
    let mut bot = bot_asking(&server).await;
    bot.file("notes/diary.md", "It rained.");
    bot.says("summarize ~/notes/diary.md").await;
    server.next(Script::Loading);
    bot.says("summarize ~/notes/diary.md").await;
    bot.says("summarize ~/notes/diary.md").await;
    assert_snapshot!(said(&bot), @"
    > summarize ~/notes/diary.md
    < A diary about rain.
      [✓ ✗ ↺] metis, 2 model calls
    > summarize ~/notes/diary.md
    < The language model is still starting. Please try again in a minute.
      [✓ ✗ ↺] terminator, 1 model call
    > summarize ~/notes/diary.md
    < A diary about rain.
      [✓ ✗ ↺] fastpath, 1 model call
    ");
    assert_eq!(plans_asked(&server).len(), 1);
}

#[tokio::test]
async fn without_any_model_a_puzzle_is_admitted() {
    let mut bot = TestBot::new().await;
    bot.says(PUZZLE).await;
    assert_snapshot!(said(&bot), @"
    > give me a peek of the goodies stashed under ~/docs
    < I don't know how to do this part: “peek of the goodies stashed”. I noted it as missing; /help shows what I can do.
      [] terminator, 0 model calls
    ");
}
