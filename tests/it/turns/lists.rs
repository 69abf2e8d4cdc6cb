//! Lists and notes of people who have none yet: on every channel, each in a folder of their own, in their language.

use std::fs;

use metnos::{
    config::EngineChoice,
    domain::{lang::Lang, reply::ButtonKind},
};

use super::pair;
use crate::support::bot::{Setup, TestBot};

#[tokio::test]
async fn a_guest_has_lists_of_their_own_on_the_phone() {
    let mut bot = TestBot::with(Setup {
        engine: EngineChoice::Simple,
        ..Setup::default()
    })
    .await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    let made = bot.telegram("anna", "add milk to the shopping list").await;
    assert!(made.contains("milk") && made.contains("~/notes"), "{made}");
    let more = bot.telegram("anna", "and eggs").await;
    assert!(more.contains("eggs"), "{more}");
    let shown = bot.telegram("anna", "show it").await;
    assert!(shown.contains("milk") && shown.contains("eggs"), "{shown}");
    assert!(!bot.has("notes"), "a guest's list is none of the host's");
    let guests = bot.data_dir().join("guests");
    let own = fs::read_dir(guests).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(own.join("notes/shopping.txt")).unwrap();
    assert_eq!(text, "- [ ] milk\n- [ ] eggs\n");
    let other = bot.telegram("host-phone", "what is on the shopping list?").await;
    assert!(!other.contains("milk"), "{other}");
}

/// What a frame is sure of is nobody else's to plan, also with a model that is not there to be asked.
#[tokio::test]
async fn with_a_model_configured_code_still_makes_the_list() {
    let mut bot = TestBot::with(Setup {
        llm_url: Some("http://127.0.0.1:9".to_owned()),
        lang: Lang::IT,
        ..Setup::default()
    })
    .await;
    let made = bot.says("crea una lista della spesa").await;
    assert!(made.contains("spesa"), "{made}");
    let added = bot.says("aggiungi latte e pane alla lista della spesa").await;
    assert!(added.contains("latte, pane"), "{added}");
    let text = fs::read_to_string(bot.home().join("notes/spesa.txt")).unwrap();
    assert_eq!(text, "- [ ] latte\n- [ ] pane\n");
}

#[tokio::test]
async fn a_list_makes_no_folder_and_undo_takes_it_back() {
    let mut bot = TestBot::new().await;
    bot.says("create a list called shopping").await;
    assert!(bot.home().join("notes/shopping.txt").is_file());
    bot.says("undo").await;
    assert!(!bot.has("notes"));
    assert!(bot.buttons().iter().all(|button| button.kind != ButtonKind::Approve));
}
