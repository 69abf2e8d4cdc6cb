//! L1: a plan without values, confirmed by a person, answers other words for the same thing; and what takes it away.

use std::time::Duration;

use metnos::domain::{lang::Lang, reply::ButtonKind};

use super::{bot_at, button, change, clock, layer, layer_of, pair, rows, tap};
use crate::support::bot::TestBot;

const ASKED: &str = "which processes are running";
const REWORDED: &str = "which processes are running right now";

/// Takes L0 away, so that the layer below it must answer.
fn forget_fastpaths(bot: &TestBot) {
    change(bot, "DELETE FROM fastpaths");
}

fn autopaths(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT status || ' ' || champion || ' ' || confirmations FROM autopaths ORDER BY id",
    )
}

#[tokio::test]
async fn a_confirmed_plan_answers_other_words() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    assert_eq!(
        autopaths(&bot),
        Vec::<String>::new(),
        "one silent success is not enough"
    );
    bot.taps(ButtonKind::Confirm).await;
    assert_eq!(autopaths(&bot), ["active 1 1"]);
    forget_fastpaths(&bot);
    assert_eq!(layer_of(&mut bot, REWORDED).await, "autopath 0");
    assert_eq!(
        layer_of(&mut bot, REWORDED).await,
        "fastpath 0",
        "and is remembered for these words too"
    );
}

#[tokio::test]
async fn a_plan_without_values_is_not_served_for_a_request_that_has_some() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    bot.taps(ButtonKind::Confirm).await;
    for other in [
        "which 3 processes are running right now",
        "which three processes are running right now",
        "which processes are not running right now",
        "which processes are running in ~/docs",
    ] {
        let layer = layer_of(&mut bot, other).await;
        assert!(
            !layer.starts_with("autopath") && !layer.starts_with("fastpath"),
            "{other}: {layer}"
        );
    }
}

#[tokio::test]
async fn three_silent_successes_count_like_one_tap() {
    let mut bot = TestBot::new().await;
    for expected in [0, 0, 1] {
        bot.says(ASKED).await;
        assert_eq!(autopaths(&bot).len(), expected);
    }
}

#[tokio::test]
async fn a_plan_with_values_is_never_promoted() {
    let mut bot = TestBot::new().await;
    bot.file("docs/taxes.pdf", "pdf");
    bot.says("how many pdf files are in ~/docs").await;
    bot.taps(ButtonKind::Confirm).await;
    assert_eq!(autopaths(&bot), Vec::<String>::new());
}

#[tokio::test]
async fn three_rejections_ban_a_plan_for_thirty_days_and_a_confirmation_lifts_it() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    for time in 1..=3 {
        assert_eq!(layer_of(&mut bot, ASKED).await, "simple 0", "time {time}");
        bot.taps(ButtonKind::Reject).await;
    }
    assert_eq!(layer_of(&mut bot, ASKED).await, "terminator 0");
    clock.advance(Duration::from_secs(29 * 86_400));
    assert_eq!(layer_of(&mut bot, ASKED).await, "terminator 0");
    clock.advance(Duration::from_secs(2 * 86_400));
    assert_eq!(layer_of(&mut bot, ASKED).await, "simple 0");
    let older = button(&bot, ButtonKind::Confirm);
    forget_fastpaths(&bot);
    assert_eq!(layer_of(&mut bot, ASKED).await, "simple 0");
    // Banned again by one more, and lifted by praise for an older answer.
    bot.taps(ButtonKind::Reject).await;
    forget_fastpaths(&bot);
    assert_eq!(layer_of(&mut bot, ASKED).await, "terminator 0");
    tap(&bot, &older).await;
    assert_eq!(layer(&bot), "terminator 0");
    assert_ne!(layer_of(&mut bot, ASKED).await, "terminator 0");
}

#[tokio::test]
async fn a_demoted_champion_is_not_served() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    bot.taps(ButtonKind::Confirm).await;
    for _ in 0..3 {
        bot.says(ASKED).await;
        bot.taps(ButtonKind::Reject).await;
    }
    assert_eq!(autopaths(&bot), ["demoted 0 1"]);
    assert_eq!(layer_of(&mut bot, REWORDED).await, "terminator 0");
}

#[tokio::test]
async fn a_challenger_takes_the_place_when_it_has_proved_better() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    bot.taps(ButtonKind::Confirm).await;
    // An older plan holds the place, with mixed reviews.
    change(
        &bot,
        "INSERT INTO observations (turn, actor, intent, intent_hash, cluster, embedder, embedding, plan, plan_hash,
                                   query_specific, tools_sig, pool_sig, verdict, at)
         SELECT 'old' || value, actor, intent, intent_hash, cluster, embedder, embedding,
                '{\"steps\":[{\"tool\":\"get_processes\",\"args\":{\"sort_by\":\"cpu\"}}]}', 'older', 0, tools_sig, pool_sig,
                CASE value WHEN 1 THEN 'reject' ELSE 'confirm' END, at
         FROM observations, (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3) ORDER BY value",
    );
    change(
        &bot,
        "INSERT INTO autopaths (actor, intent, intent_hash, cluster, plan, plan_hash, status, champion, successes, failures,
                                confirmations, tools_sig, pool_sig, created_at, last_used)
         SELECT actor, intent, intent_hash, cluster, plan, plan_hash, 'active', 1, 2, 1, 2, tools_sig, pool_sig, 1, 1
         FROM observations WHERE plan_hash = 'older' LIMIT 1",
    );
    change(&bot, "UPDATE autopaths SET champion = 0 WHERE plan_hash <> 'older'");
    let champion = |bot: &TestBot| {
        rows(
            bot,
            "SELECT plan_hash = 'older' || '' FROM autopaths WHERE champion = 1",
        )
    };
    let older = |bot: &TestBot| rows(bot, "SELECT plan_hash FROM autopaths WHERE champion = 1") == ["older"];
    for confirmations in 2..=5 {
        assert!(
            older(&bot) || confirmations > 3,
            "{confirmations}: {:?}",
            champion(&bot)
        );
        bot.says(ASKED).await;
        bot.taps(ButtonKind::Confirm).await;
    }
    assert!(!older(&bot), "five confirmations against two of three");
    assert_eq!(autopaths(&bot).len(), 2);
}

#[tokio::test]
async fn what_a_guest_taught_is_served_to_that_guest_alone() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.file("docs/taxes.pdf", "pdf");
    let request = "how many pdf files are in ~/docs";
    bot.telegram("anna", request).await;
    bot.telegram("anna", request).await;
    let guest = layer(&bot);
    assert_eq!(
        layer_of(&mut bot, request).await,
        "simple 0",
        "the host's memory is the host's"
    );
    assert_eq!(layer_of(&mut bot, request).await, "fastpath 0");
    bot.telegram("host-phone", request).await;
    assert_eq!(layer(&bot), "fastpath 0", "the host is one person on every channel");
    pair(&mut bot, "bruno").await;
    bot.telegram("bruno", request).await;
    assert_ne!(layer(&bot), "fastpath 0", "nor do guests share");
    assert_ne!(guest, "simple 0");
}
