//! Taking back in words: only what is named, never half of a sentence in silence, and nothing that is no
//! change of ours.

use metnos::domain::lang::Lang;

use super::{bot_at, clock};
use crate::support::bot::{TestBot, text_of};

/// A list that got an entry, and then a file that was moved.
async fn changed(lang: Lang) -> TestBot {
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), lang).await;
    bot.file("notes/shopping.txt", "milk\n");
    bot.file("in/a.tmp", "a");
    bot.says("add \"tea\" to ~/notes/shopping.txt").await;
    bot.says("move ~/in/a.tmp to ~/out").await;
    assert!(bot.has("out/a.tmp") && has_tea(&bot));
    bot
}

fn has_tea(bot: &TestBot) -> bool {
    text_of(&bot.home().join("notes/shopping.txt")).contains("tea")
}

#[tokio::test]
async fn only_the_change_that_is_named_is_taken_back() {
    let mut bot = changed(Lang::EN).await;
    for other in [
        "undo the shopping list change",
        "undo the first one",
        "undo adding tea",
        "undo the deletion of a.tmp",
        "undo last change to shopping.txt",
        "undo yesterday's changes",
        "annulla l'aggiunta di tea",
    ] {
        let said = bot.says(other).await;
        assert!(
            said.starts_with("I took nothing back") && said.contains("“move ~/in/a.tmp to ~/out”"),
            "{other}: {said}"
        );
    }
    for other in [
        "annulla il volo",
        "annulla la sveglia",
        "annulla l'abbonamento",
        "undo the timer",
        "annulla no",
    ] {
        let said = bot.says(other).await;
        assert!(!said.contains("took"), "{other}: {said}");
    }
    assert!(bot.has("out/a.tmp") && has_tea(&bot), "nothing was taken back");
    bot.says("undo moving a.tmp").await;
    assert!(bot.has("in/a.tmp") && has_tea(&bot));
    bot.says("undo adding tea").await;
    assert!(!has_tea(&bot));
    assert_eq!(bot.says("undo the last change").await, "There is nothing to undo.");
}

#[tokio::test]
async fn what_else_the_sentence_asks_for_is_said_not_to_be_done() {
    let mut bot = changed(Lang::EN).await;
    let said = bot.says("undo and add coffee to the shopping list").await;
    assert!(bot.has("in/a.tmp"), "{said}");
    assert!(said.contains("I left out “add coffee to the shopping list”"), "{said}");

    let mut bot = changed(Lang::IT).await;
    let said = bot.says("annulla tutto").await;
    assert!(bot.has("in/a.tmp") && has_tea(&bot), "{said}");
    assert!(said.contains("solo l'ultima richiesta"), "{said}");
    let said = bot.says("annulla tutto").await;
    assert!(!has_tea(&bot) && !said.contains("solo"), "{said}");

    let mut bot = changed(Lang::EN).await;
    let said = bot.says("undo twice").await;
    assert!(bot.has("in/a.tmp") && !has_tea(&bot), "{said}");
}

#[tokio::test]
async fn a_list_that_was_changed_twice_is_named_once() {
    let mut bot = TestBot::new().await;
    bot.file("notes/shopping.txt", "milk\n");
    bot.says("add \"tea\" to ~/notes/shopping.txt").await;
    bot.says("add \"jam\" to ~/notes/shopping.txt").await;
    let said = bot.says("undo the last two").await;
    assert!(said.ends_with("Back in place: shopping.txt."), "{said}");
}
