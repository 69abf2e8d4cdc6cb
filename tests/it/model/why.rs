//! `/why` in a chat: what became of the last request, in the words of its person, and of nobody else's.

use metnos::domain::lang::Lang;
use serde_json::json;

use super::{PLANNING, bot_asking, plan};
use crate::{
    support::{
        bot::{Setup, TestBot},
        llama::ScriptedLlama,
    },
    turns::pair,
};

#[tokio::test]
async fn a_person_is_told_why() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "find_files", "args": {"base_path": "~/docs", "colour": "red"}}])),
    );
    let mut bot = bot_asking(&server).await;
    assert_eq!(bot.says("/why").await, "You asked nothing here yet.");
    bot.says("count the goodies stashed under ~/docs").await;
    for command in ["/why", "!why"] {
        let told = bot.says(command).await;
        assert!(told.contains("“count the goodies stashed under ~/docs”"), "{told}");
        assert!(
            told.contains("colour") && told.contains("Answered by terminator"),
            "{told}"
        );
    }
    let turn = bot.turn_log().await.pop().unwrap();
    let id = turn["turn_id"].as_str().unwrap();
    assert!(bot.says(&format!("/why {id}")).await.contains("goodies"));
    assert!(bot.says("/why nobody").await.contains("None of your requests"));
}

#[tokio::test]
async fn in_their_language_and_of_their_own_turns_alone() {
    let mut bot = TestBot::with(Setup {
        lang: Lang::IT,
        ..Setup::default()
    })
    .await;
    for sender in ["host-phone", "anna"] {
        pair(&mut bot, sender).await;
    }
    bot.telegram("anna", "che ore sono").await;
    let log = bot.turn_log().await;
    let id = log.last().unwrap()["turn_id"].as_str().unwrap().to_owned();
    let told = bot.telegram("anna", "/why").await;
    assert!(told.contains("Ha risposto pattern"), "{told}");
    for command in ["/why".to_owned(), format!("/why {id}")] {
        let told = bot.telegram("host-phone", &command).await;
        assert!(!told.contains("che ore sono"), "{told}");
    }
}
