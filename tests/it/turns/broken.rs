//! A turn that breaks on our side: the person is told, the channel hears that it is over, and the conversation goes on.

use metnos::domain::{delivery::Signal, ids::ChannelKind};

use super::change;
use crate::support::bot::TestBot;

#[tokio::test]
async fn it_is_said_and_the_channel_hears_that_it_is_over() {
    let mut bot = TestBot::new().await;
    bot.says("what day is it").await;
    change(
        &bot,
        "CREATE TRIGGER full_disk BEFORE INSERT ON turns BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
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
