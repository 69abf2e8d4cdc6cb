//! Dead ends: what is missing and what to do about it, in both languages, and a gap that is counted.

use super::{italian_bot, layer, rows};
use crate::{
    model::{PLANNING, bot_asking, plan},
    support::{bot::TestBot, llama::ScriptedLlama, site::Site},
};
use serde_json::json;

fn gaps(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT kind || ' ' || error_class || ' ' || n_seen FROM gaps ORDER BY first_seen, id",
    )
}

#[tokio::test]
async fn what_nobody_here_can_do_is_said_and_counted() {
    let mut bot = TestBot::new().await;
    let answer = bot.says("book me a flight to Rome").await;
    assert!(
        answer.starts_with("I don't know how to do this part: “book"),
        "{answer}"
    );
    assert!(answer.contains("/help"), "the next step is named: {answer}");
    assert_eq!(
        bot.says("book me a flight to Rome").await,
        answer,
        "the same end is reached again"
    );
    assert_eq!(layer(&bot), "terminator 0");
    assert_eq!(gaps(&bot), ["missing_executor capability_missing 2"]);
    assert!(bot.buttons().is_empty(), "there is no plan to judge");
    let mut bot = italian_bot().await;
    let answer = bot.says("prenota un volo per Roma").await;
    assert!(answer.starts_with("Questa parte non la so fare: “prenota"), "{answer}");
    assert!(answer.contains("/help"), "{answer}");
}

#[tokio::test]
async fn what_is_not_there_is_named_once_with_the_next_step() {
    let mut bot = TestBot::new().await;
    assert_eq!(
        bot.says("read ~/docs/none.txt").await,
        "I can't find ~/docs/none.txt. Check the name, or ask me to list the folder."
    );
    assert_eq!(gaps(&bot), ["missing_data not_found 1"]);
    let mut bot = italian_bot().await;
    assert_eq!(
        bot.says("leggi ~/docs/none.txt").await,
        "Non trovo ~/docs/none.txt. Controlla il nome, o chiedimi di elencare la cartella."
    );
}

#[tokio::test]
async fn what_is_forbidden_stays_forbidden() {
    let mut bot = TestBot::new().await;
    bot.file(".ssh/id_rsa", "the key");
    let answer = bot.says("read ~/.ssh/id_rsa").await;
    assert!(!answer.contains("the key"));
    assert!(answer.ends_with("please open it yourself."), "{answer}");
    assert_eq!(gaps(&bot), ["user_action_required forbidden 1"]);
    let mut bot = italian_bot().await;
    bot.file(".ssh/id_rsa", "the key");
    let answer = bot.says("leggi ~/.ssh/id_rsa").await;
    assert!(!answer.contains("the key") && !answer.contains("yourself"), "{answer}");
}

#[tokio::test]
async fn what_asks_for_a_login_is_a_skill_that_is_missing() {
    let site = Site::start().await;
    let mut bot = TestBot::new().await;
    let request = format!("fetch {}", site.url("/status/401"));
    let answer = bot.says(&request).await;
    assert!(answer.contains("wants a login"), "{answer}");
    bot.says(&request).await;
    assert_eq!(gaps(&bot), ["missing_skill auth_required 2"]);
}

#[tokio::test]
async fn a_tool_that_is_wished_for_is_counted_as_wanted() {
    let server = ScriptedLlama::start().await;
    let wish = json!([{"tool": "request_new_executor", "args": {"description": "water the plants"}}]);
    server.when(PLANNING, plan(&wish));
    let mut bot = bot_asking(&server).await;
    for _ in 0..2 {
        let said = bot.says("ask for a new tool that can water the plants").await;
        assert!(said.starts_with("I can't do that yet."), "{said}");
    }
    let wanted = "SELECT request || ' ' || kind || ' ' || error_class || ' ' || wanted || ' ' || n_seen FROM gaps";
    assert_eq!(rows(&bot, wanted), ["water the plants missing_executor wanted 1 2"]);
}

#[tokio::test]
async fn a_dead_end_teaches_memory_nothing() {
    let mut bot = TestBot::new().await;
    bot.says("read ~/docs/none.txt").await;
    bot.says("book me a flight to Rome").await;
    assert_eq!(rows(&bot, "SELECT canonical_text FROM fastpaths"), Vec::<String>::new());
    assert_eq!(rows(&bot, "SELECT intent FROM observations"), Vec::<String>::new());
}

#[tokio::test]
async fn gaps_are_the_askers_own() {
    let mut bot = TestBot::new().await;
    super::pair(&mut bot, "host-phone").await;
    super::pair(&mut bot, "anna").await;
    bot.telegram("anna", "book me a flight to Rome").await;
    bot.says("book me a flight to Rome").await;
    assert_eq!(rows(&bot, "SELECT n_seen || '' FROM gaps"), ["1", "1"]);
}

/// What may hold a secret is not said back, whatever is missing.
#[tokio::test]
async fn a_dead_end_repeats_no_secret() {
    let mut bot = TestBot::new().await;
    for (request, secret) in [
        ("book a table, my pin is 48213", "48213"),
        ("remember the password Rossana", "Rossana"),
        ("charge 4111 1111 1111 1111 please", "4111"),
        ("ricorda che il codice del cancello è 4471", "4471"),
    ] {
        let said = bot.says(request).await;
        assert!(!said.contains(secret), "{request}: {said}");
    }
}
