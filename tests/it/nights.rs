//! What memory does about itself while nobody asks, under a clock that is moved by hand.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod aging;
mod digest;
mod grown;
mod kills;
mod languages;
mod morning;
mod others;
mod paraphrases;
mod passages;
mod promotion;
mod season;
mod upgrade;

use std::time::Duration;

use metnos::{
    app::{DATABASE, LOCK},
    clock::Clock,
    domain::{lang::Lang, task::job_id},
    kick,
    nights::reaper,
    store::{Store, aging::Aged},
};

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

/// Has a job run now, as another process does; how its run ended.
async fn run_job(bot: &TestBot, clock: &Clock, name: &str) -> String {
    bot.app().runtime.jobs_installed().await;
    let sql = format!("SELECT state FROM task_runs WHERE task = 'job:{name}' AND state <> 'running'");
    let before = rows(bot, &sql).len();
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    assert!(store.job_due(&job_id(name), clock.now_ms()).await.unwrap(), "{name}");
    kick::kick(&bot.data_dir().join(LOCK), Clock::system().now()).unwrap();
    for _ in 0..1_500 {
        let mut runs = rows(bot, &format!("{sql} ORDER BY rowid"));
        if runs.len() > before {
            return runs.pop().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{name} did not run");
}

/// One night's work on plan memory.
async fn reap(bot: &TestBot) -> Aged {
    reaper::reap(bot.app().runtime.engine()).await.unwrap()
}
