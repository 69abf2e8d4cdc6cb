//! What a model planned once serves the same words with other values, without the model; and where it must not.

use metnos::domain::reply::ButtonKind;
use serde_json::{Value, json};

use super::{PLANNING, bot_with, hears, last_turn, plan, plan_saying, plans_asked};
use crate::support::{
    bot::TestBot,
    llama::{Script, ScriptedLlama},
};

/// Words that code cannot place, around a value that it can.
const FIRST: &str = "read me the goodies stashed in ~/docs/a.txt";
const SECOND: &str = "read me the goodies stashed in ~/docs/b.txt";

async fn bot_reading(server: &ScriptedLlama) -> TestBot {
    let bot = bot_with(server).await;
    bot.file("docs/b.txt", "beta");
    bot
}

/// A model that plans this, and understands that something is to be read.
async fn planning(script: Script) -> ScriptedLlama {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, script);
    server
}

fn reading(path: &str) -> Value {
    json!([{"tool": "read_files", "args": {"paths": [path]}}])
}

async fn layer(bot: &TestBot) -> String {
    let turn = last_turn(bot).await;
    format!(
        "{} {}",
        turn["answered_by"].as_str().unwrap_or_default(),
        turn["llm"]["calls"]
    )
}

#[tokio::test]
async fn other_values_are_served_without_a_model_and_from_then_on_by_hash() {
    let server = planning(plan(&reading("~/docs/a.txt"))).await;
    let mut bot = bot_reading(&server).await;
    assert_eq!(bot.says(FIRST).await, "alpha");
    assert_eq!(layer(&bot).await, "metis 1");
    assert_eq!(bot.says(SECOND).await, "beta");
    assert_eq!(layer(&bot).await, "fastpath-slots 0");
    assert_eq!(bot.says("Read me the goodies stashed in ~/docs/b.txt!").await, "beta");
    assert_eq!(layer(&bot).await, "fastpath 0");
    assert_eq!(bot.says(FIRST).await, "alpha", "its own values stay as they were");
}

#[tokio::test]
async fn other_words_another_kind_of_value_or_the_same_values_turned_round_are_for_the_model() {
    let weighing = json!([{"tool": "read_files", "args": {"paths": ["~/docs/a.txt", "~/docs/b.txt"]}}]);
    let server = planning(plan(&weighing)).await;
    let mut bot = bot_reading(&server).await;
    bot.file("docs/c.txt", "gamma");
    bot.file("docs/c.md", "gamma");
    bot.says("weigh the goodies of ~/docs/a.txt against ~/docs/b.txt").await;
    let other = "weigh the goodies of ~/docs/a.txt against ~/docs/c.txt";
    assert!(bot.says(other).await.contains("gamma"));
    assert_eq!(layer(&bot).await, "fastpath-slots 0");
    for request in [
        "weigh the goodies of ~/docs/b.txt against ~/docs/a.txt",
        "weigh the goodies of ~/docs/c.txt against ~/docs/c.txt",
        "weigh the goodies of ~/docs/a.txt against ~/docs/c.md",
        "weigh the goodies of ~/docs/a.txt against ~/docs",
        "weigh the sweets of ~/docs/a.txt against ~/docs/c.txt",
        "weigh no goodies of ~/docs/a.txt against ~/docs/c.txt",
    ] {
        let asked = plans_asked(&server).len();
        bot.says(request).await;
        assert!(plans_asked(&server).len() > asked, "{request}");
    }
}

/// The model put the same values in another order the second time: which order is right is not for memory to say.
#[tokio::test]
async fn two_plans_that_disagree_serve_nobody() {
    let weighing = json!([{"tool": "read_files", "args": {"paths": ["~/docs/a.txt", "~/docs/b.txt"]}}]);
    let server = planning(plan(&weighing)).await;
    let mut bot = bot_reading(&server).await;
    bot.file("docs/c.txt", "gamma");
    bot.says("weigh the goodies of ~/docs/a.txt against ~/docs/b.txt").await;
    bot.says("weigh the goodies of ~/docs/b.txt against ~/docs/a.txt").await;
    let asked = plans_asked(&server).len();
    bot.says("weigh the goodies of ~/docs/a.txt against ~/docs/c.txt").await;
    assert!(plans_asked(&server).len() > asked, "{}", bot.transcript());
}

/// The answer to the second request would speak of the first one's value.
#[tokio::test]
async fn a_plan_that_speaks_of_its_value_in_other_words_serves_that_value_alone() {
    for words in ["Here is the a file:", "What alpha says:", "Two lines of docs:"] {
        let server = planning(plan_saying(
            &reading("~/docs/a.txt"),
            &format!("{words} ${{step1.text}}"),
        ))
        .await;
        let mut bot = bot_reading(&server).await;
        bot.says(FIRST).await;
        server.next(plan(&reading("~/docs/b.txt")));
        bot.says(SECOND).await;
        assert_eq!(layer(&bot).await, "metis 1", "{words}");
    }
}

#[tokio::test]
async fn what_was_marked_wrong_with_other_values_is_planned_anew() {
    for tap in [ButtonKind::Reject, ButtonKind::Retry] {
        let server = planning(plan(&reading("~/docs/a.txt"))).await;
        let mut bot = bot_reading(&server).await;
        bot.file("docs/c.txt", "gamma");
        bot.says(FIRST).await;
        bot.says(SECOND).await;
        assert_eq!(layer(&bot).await, "fastpath-slots 0");
        bot.taps(tap).await;
        if tap == ButtonKind::Retry {
            hears(&mut bot).await;
        }
        server.next(plan(&reading("~/docs/c.txt")));
        bot.says("read me the goodies stashed in ~/docs/c.txt").await;
        assert_eq!(layer(&bot).await, "metis 1", "{tap:?}");
        bot.says(FIRST).await;
        assert_eq!(layer(&bot).await, "fastpath 0", "{tap:?}: its own request keeps it");
    }
}

/// A yes is to the plan with its slots: other values that were said are as good. What was never said yes to asks again.
#[tokio::test]
async fn what_changes_something_asks_until_somebody_said_yes() {
    let moving = json!([{"tool": "move_files", "args": {"paths": ["~/docs/a.txt"], "dst_dir": "~/old"}}]);
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, plan(&moving));
    let mut bot = bot_reading(&server).await;
    bot.file("docs/c.txt", "gamma");
    let card = bot.says("shove ~/docs/a.txt into ~/old").await;
    assert!(card.contains("a.txt") && bot.has("docs/a.txt"), "{card}");
    bot.taps(ButtonKind::Refuse).await;
    hears(&mut bot).await;
    let refused = bot.says("shove ~/docs/a.txt into ~/old").await;
    assert!(!refused.contains("May I"), "a no is not offered again: {refused}");
    server.next(plan(
        &json!([{"tool": "move_files", "args": {"paths": ["~/docs/b.txt"], "dst_dir": "~/old"}}]),
    ));
    bot.says("shove ~/docs/b.txt into ~/old").await;
    bot.taps(ButtonKind::Approve).await;
    hears(&mut bot).await;
    assert!(bot.has("old/b.txt"));
    bot.says("shove ~/docs/c.txt into ~/old").await;
    assert_eq!(layer(&bot).await, "fastpath-slots 0");
    assert!(bot.has("old/c.txt"), "{}", bot.transcript());
}

/// The file is not there: that is no fault of the plan for the other one.
#[tokio::test]
async fn a_value_that_fails_costs_the_plan_nothing() {
    let server = planning(plan(&reading("~/docs/a.txt"))).await;
    let mut bot = bot_reading(&server).await;
    bot.says(FIRST).await;
    server.next(plan(&reading("~/docs/gone.txt")));
    let heard = bot.says("read me the goodies stashed in ~/docs/gone.txt").await;
    assert!(heard.contains("gone.txt"), "{heard}");
    assert_eq!(bot.says(SECOND).await, "beta");
    assert_eq!(layer(&bot).await, "fastpath-slots 0");
}
