//! What memory does about itself while nobody asks, under a clock that is moved by hand.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod aging;
mod digest;
mod morning;
mod passages;
mod promotion;

use std::time::Duration;

use metnos::{clock::Clock, domain::lang::Lang, nights::reaper, store::aging::Aged};

use crate::{
    support::bot::TestBot,
    turns::{bot_at, change, rows},
};

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// A household whose jobs rest, so that what a test does at night is all that happens.
async fn at_rest(clock: &Clock, lang: Lang) -> TestBot {
    let bot = bot_at(clock, lang).await;
    for _ in 0..500 {
        if !rows(&bot, "SELECT id FROM tasks WHERE id = 'job:promoter_digest'").is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    change(&bot, "UPDATE tasks SET state = 'paused' WHERE kind = 'job'");
    bot
}

/// One night's work on plan memory.
async fn reap(bot: &TestBot) -> Aged {
    reaper::reap(bot.app().runtime.engine()).await.unwrap()
}
