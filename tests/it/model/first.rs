//! `engine = "auto"`: where code accounts for every word nobody waits for a model, in the house or outside of it.

use metnos::{
    config::{LlmConfig, Mode},
    domain::{reply::ButtonKind, spending::Provider},
};
use serde_json::json;

use super::{PLANNING, bot_with, hears, last_turn, plan, plans_asked};
use crate::support::{
    bot::{Setup, TestBot},
    llama::{Script, ScriptedLlama},
    provider::FakeProvider,
};

async fn answered(bot: &TestBot) -> (String, u64) {
    let turn = last_turn(bot).await;
    let by = turn["answered_by"].as_str().unwrap_or_default().to_owned();
    (by, turn["llm"]["calls"].as_u64().unwrap_or_default())
}

/// The lexicon is unsure what "does … exist" is; code knows what to do all the same.
#[tokio::test]
async fn what_code_accounts_for_costs_no_call() {
    let server = ScriptedLlama::start().await;
    let mut bot = bot_with(&server).await;
    for (request, answer) in [
        ("read ~/docs/a.txt", "alpha"),
        ("quanti file ci sono in ~/docs", "1"),
        ("does ~/docs/a.txt exist", "Yes, it is there."),
    ] {
        assert_eq!(bot.says(request).await, answer, "{request}");
        assert_eq!(answered(&bot).await, ("simple".to_owned(), 0), "{request}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn the_rest_is_the_models() {
    let server = ScriptedLlama::start().await;
    let looking = json!([{"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}}]);
    server.when(PLANNING, plan(&looking));
    let mut bot = bot_with(&server).await;
    assert_eq!(bot.says("read me the goodies stashed in ~/docs/a.txt").await, "alpha");
    assert_eq!(answered(&bot).await, ("metis".to_owned(), 1));
}

/// Code has one way to read a file; for another the model is asked, and told which one it must not be.
#[tokio::test]
async fn another_way_is_the_models() {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, Script::Say(json!({"cannot": "another way"}).to_string()));
    let mut bot = bot_with(&server).await;
    bot.says("read ~/docs/a.txt").await;
    assert_eq!(plans_asked(&server).len(), 0);
    bot.taps(ButtonKind::Retry).await;
    hears(&mut bot).await;
    let asked = plans_asked(&server);
    assert_eq!(asked.len(), 1);
    assert!(
        asked[0].contains("NOT THIS PLAN AGAIN\n- read_files(paths)"),
        "{}",
        asked[0]
    );
}

/// Not even a request that could be sent is sent, nor is it paid for.
#[tokio::test]
async fn a_provider_is_not_asked_for_what_code_accounts_for() {
    let provider = FakeProvider::start().await;
    let online = provider.config(Provider::Anthropic);
    let mut bot = TestBot::with(Setup {
        llm: Some(LlmConfig {
            online,
            ..LlmConfig::default()
        }),
        mode: Mode::Online,
        ..Setup::default()
    })
    .await;
    bot.file("docs/a.txt", "alpha");
    let heard = bot.says("list the files in ~/docs").await;
    assert!(heard.contains("a.txt"), "{heard}");
    assert_eq!((provider.asked().len(), answered(&bot).await.0.as_str()), (0, "simple"));
}
