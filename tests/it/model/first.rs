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

/// Who names the topic says more than a model's words for it; a model is asked all the same, as code may be wrong.
#[tokio::test]
async fn what_nothing_here_deals_with_is_named_by_its_topic() {
    let server = ScriptedLlama::start().await;
    server.when("", Script::Say(json!({"cannot": "a tool for people"}).to_string()));
    let mut bot = bot_with(&server).await;
    for (request, missing) in [
        ("what is Marta's phone number?", "contacts"),
        ("che appuntamenti ho domani?", "calendar"),
    ] {
        let heard = bot.says(request).await;
        assert!(heard.contains(missing), "{request}: {heard}");
    }
    assert_eq!(plans_asked(&server).len(), 2);
}

/// "Add batteries to my list" became a new file in a new folder: what code cannot place, a model may take for something
/// else, so the person sees what would be changed.
#[tokio::test]
async fn a_models_change_that_code_cannot_confirm_is_asked_about() {
    let server = ScriptedLlama::start().await;
    let writing =
        json!([{"tool": "write_files", "args": {"path": "~/shopping/batteries.txt", "content": "batteries"}}]);
    server.when(PLANNING, plan(&writing));
    let mut bot = bot_with(&server).await;
    let card = bot.says("pop batteries on whatever we keep for shopping").await;
    assert!(card.contains("~/shopping/batteries.txt"), "{card}");
    assert_eq!(last_turn(&bot).await["final_kind"], json!("ask"));
    bot.taps(ButtonKind::Refuse).await;
    hears(&mut bot).await;
    assert!(!bot.has("shopping"));
}

/// Without a plan that holds together, what code could not place is named: it is what to say differently.
#[tokio::test]
async fn what_no_plan_covers_is_named_in_the_persons_words() {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, plan(&json!([{"tool": "format_disks", "args": {}}])));
    let mut bot = bot_with(&server).await;
    let heard = bot.says("how steep is it in the bedroom?").await;
    assert!(
        heard.contains("how steep is it in the bedroom”") && heard.contains("Nothing was changed"),
        "{heard}"
    );
    assert_eq!(plans_asked(&server).len(), 2);
}

/// A model that hangs is no reason to wait for what code accounts for.
#[tokio::test]
async fn a_model_that_hangs_keeps_nobody_waiting() {
    let server = ScriptedLlama::start().await;
    server.when("", Script::Hang);
    let mut bot = bot_with(&server).await;
    assert_eq!(bot.says("read ~/docs/a.txt").await, "alpha");
    assert_eq!(answered(&bot).await, ("simple".to_owned(), 0));
}
