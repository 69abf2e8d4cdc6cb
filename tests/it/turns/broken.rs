//! A turn that breaks on our side: the person is told, the channel hears that it is over, and the conversation goes on.

use metnos::domain::{delivery::Signal, ids::ChannelKind};

use super::change;
use crate::support::bot::{TestBot, text_of};

const TURNS_DO_NOT_END: &str =
    "CREATE TRIGGER full_disk BEFORE INSERT ON turns BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
const EFFECTS_DO_NOT_END: &str =
    "CREATE TRIGGER full_journal BEFORE UPDATE ON effects BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";

#[tokio::test]
async fn it_is_said_and_the_channel_hears_that_it_is_over() {
    let mut bot = TestBot::new().await;
    bot.says("what day is it").await;
    change(&bot, TURNS_DO_NOT_END);
    let mut signals = bot.app().runtime.signals(ChannelKind::Terminal);
    let said = bot.says("what time is it").await;
    assert!(said.starts_with("Something broke on my side"), "{said}");
    let (mut begun, mut ended) = (Vec::new(), Vec::new());
    while ended.is_empty() {
        match signals.recv().await.unwrap() {
            Signal::Started { turn, .. } => begun.push(turn),
            Signal::Ended { turn, .. } => ended.push(turn),
            Signal::Progress { .. } | Signal::Notice { .. } => {}
        }
    }
    assert_eq!(begun, ended);
    change(&bot, "DROP TRIGGER full_disk");
    let said = bot.says("what time is it").await;
    assert!(said.starts_with("It's"), "{said}");
}

/// Whoever is told to try again does it once more.
#[tokio::test]
async fn what_it_had_done_is_said_and_not_to_be_repeated() {
    let mut bot = TestBot::new().await;
    let list = bot.file("notes/shopping.txt", "milk\n");
    bot.says("what day is it").await;
    change(&bot, TURNS_DO_NOT_END);
    let said = bot.says("add \"tea\" to ~/notes/shopping.txt").await;
    assert!(
        said.starts_with("I was interrupted while doing this") && said.contains("Before that I had written files"),
        "{said}"
    );
    assert_eq!(text_of(&list), "milk\ntea\n");
    change(&bot, "DROP TRIGGER full_disk");
    bot.says("undo").await;
    assert_eq!(text_of(&list), "milk\n");
}

#[tokio::test]
async fn what_cannot_be_known_is_not_to_be_repeated_either() {
    let mut bot = TestBot::new().await;
    bot.file("notes/shopping.txt", "milk\n");
    bot.says("what day is it").await;
    change(&bot, TURNS_DO_NOT_END);
    change(&bot, EFFECTS_DO_NOT_END);
    let said = bot.says("add \"tea\" to ~/notes/shopping.txt").await;
    assert!(said.contains("cannot know whether it happened"), "{said}");
    assert!(!said.contains("try again"), "{said}");
}
