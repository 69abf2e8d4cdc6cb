//! How much a person may use: who is over it is told when it goes on, and what makes metnos safer always goes on.

use std::time::Duration;

use metnos::domain::lang::Lang;
use serde_json::json;

use super::{bot_at, clock, layer, pair};
use crate::{
    model::{PLANNING, plan, plans_asked},
    support::{
        bot::{Setup, TestBot},
        llama::ScriptedLlama,
    },
};

#[tokio::test]
async fn so_many_requests_an_hour_and_the_next_one_later() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    let set = bot.telegram("host-phone", "/people quota anna turns 2").await;
    assert_eq!(set, "anna, requests an hour: 2.");
    bot.telegram("anna", "write \"milk\" to ~/list.txt").await;
    clock.advance(Duration::from_secs(600));
    bot.telegram("anna", "read ~/list.txt").await;
    clock.advance(Duration::from_secs(600));
    let refused = bot.telegram("anna", "read ~/list.txt").await;
    assert_eq!(
        refused,
        "You have used your 2 requests an hour. The next one is possible at 13:00; “undo” always is."
    );
    assert!(
        bot.telegram("anna", "/me").await.contains("2 of 2"),
        "commands are no requests"
    );
    let undone = bot.telegram("anna", "undo").await;
    assert!(undone.starts_with("Done, I took"), "{undone}");
    let host = bot.says("what time is it").await;
    assert!(host.starts_with("It's "), "others are not held up: {host}");
    clock.advance(Duration::from_secs(2_401));
    let missing = bot.telegram("anna", "what time is it").await;
    assert!(missing.starts_with("You have used"), "the undo counted: {missing}");
    clock.advance(Duration::from_secs(600));
    let again = bot.telegram("anna", "what time is it").await;
    assert!(again.starts_with("It's "), "{again}");
    bot.telegram("host-phone", "/people quota anna turns 0").await;
    let off = bot.telegram("anna", "what time is it").await;
    assert!(off.starts_with("The host has switched off"), "{off}");
    bot.telegram("host-phone", "/people quota anna turns none").await;
    assert!(bot.telegram("anna", "what time is it").await.starts_with("It's "));
    let refused = bot.telegram("host-phone", "/people quota host turns 0").await;
    assert!(refused.starts_with("The host has no limits"), "{refused}");
    let host = bot.telegram("host-phone", "what time is it").await;
    assert!(host.starts_with("It's "), "nobody locks themselves out: {host}");
}

#[tokio::test]
async fn so_many_model_calls_a_day_and_memory_goes_on() {
    let llama = ScriptedLlama::start().await;
    let clock = clock("2026-05-04T20:00:00Z");
    let setup = Setup {
        llm: Some(llama.config()),
        clock: clock.clone(),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.telegram("host-phone", "/people quota anna models 1").await;
    llama.when(PLANNING, plan(&json!([{"tool": "list_dirs", "args": {"path": "~"}}])));
    let known = "have a look at what lies around in ~";
    bot.telegram("anna", known).await;
    let asked = plans_asked(&llama).len();
    assert_eq!((layer(&bot).as_str(), asked), ("metis 1", 1), "{}", bot.transcript());
    let refused = bot.telegram("anna", "sniff about in ~ for me and whistle").await;
    assert!(
        refused.contains("no model calls left for today") && refused.contains("after midnight"),
        "{refused}"
    );
    assert_eq!(layer(&bot), "terminator 0");
    assert!(bot.telegram("anna", "what time is it").await.starts_with("It's "));
    assert!(plans_asked(&llama).len() <= asked, "the model was not asked again");
    let host = bot.telegram("host-phone", "sniff about in ~ for me and whistle").await;
    assert!(!host.contains("model calls"), "the host has no limit: {host}");
    // Midnight in Rome.
    clock.advance(Duration::from_secs(2 * 3_600 + 60));
    let next_day = bot.telegram("anna", "sniff about in ~ for me and whistle").await;
    assert!(!next_day.contains("model calls"), "{next_day}");
}
