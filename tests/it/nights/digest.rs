//! What `/digest` tells: what was learned, asked in vain, lost; and what a person decides about it.

use metnos::domain::{lang::Lang, reply::ButtonKind};

use super::{DAY, at_rest, reap};
use crate::turns::{clock, pair, rows};

const PROCESSES: &str = "which processes are running";

#[tokio::test]
async fn what_was_learned_is_told_and_can_be_undone() {
    let clock = clock("2026-03-10T09:00:00Z");
    let mut bot = at_rest(&clock, Lang::EN).await;
    assert_eq!(
        bot.says("/digest").await,
        "Nothing new this week: nothing learned, nothing forgotten, nothing asked in vain."
    );
    bot.says(PROCESSES).await;
    bot.taps(ButtonKind::Confirm).await;
    bot.says("book me a flight to Rome").await;
    bot.says("book me a flight to Rome").await;
    let told = bot.says("/digest").await;
    assert!(
        told.contains("a1 · “which processes are running”") && told.contains("Asked once"),
        "{told}"
    );
    assert!(told.contains("“book me a flight to Rome”, 2 times"), "{told}");
    assert_eq!(bot.says("/digest keep a1").await, "Kept.");
    assert_eq!(bot.says("!digest keep a1").await, "It is kept already.");
    let told = bot.says("/digest").await;
    assert!(!told.contains("a1") && told.contains("flight"), "{told}");
    assert!(bot.says("/digest undo a1").await.starts_with("Done: I don't do that"));
    assert_eq!(
        bot.says("/digest undo a1").await,
        "That is not there any more. /digest shows what is."
    );
    assert_eq!(rows(&bot, "SELECT status FROM autopaths"), Vec::<String>::new());
    // What spoke for it speaks for it no more, whatever comes later.
    bot.says(PROCESSES).await;
    assert_eq!(rows(&bot, "SELECT status FROM autopaths"), Vec::<String>::new());
    let told = bot.says("/digest").await;
    assert!(
        told.contains("r1 · “") && told.contains("you said it was wrong"),
        "{told}"
    );
    assert!(bot.says("/digest back r1").await.starts_with("I remember"));
    assert_eq!(rows(&bot, "SELECT status FROM autopaths"), ["active"]);
    assert!(bot.says("/digest back x").await.starts_with("/digest shows"));
}

#[tokio::test]
async fn what_memory_let_go_is_told_for_a_week() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = at_rest(&clock, Lang::IT).await;
    bot.file("docs/a.pdf", "a");
    bot.says("quanti file pdf ci sono in ~/docs").await;
    clock.advance(DAY * 15);
    reap(&bot).await;
    let told = bot.says("/digest").await;
    assert!(
        told.contains("r1 · «") && told.contains("chiesto una volta, e poi mai più"),
        "{told}"
    );
    clock.advance(DAY * 8);
    assert!(bot.says("/digest").await.starts_with("Niente di nuovo"));
}

/// The host sees the household; a guest sees and decides what is their own.
#[tokio::test]
async fn a_guest_is_told_of_their_own_alone() {
    let clock = clock("2026-03-10T09:00:00Z");
    let mut bot = at_rest(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.says(PROCESSES).await;
    bot.taps(ButtonKind::Confirm).await;
    bot.says("book me a flight to Rome").await;
    bot.telegram("anna", "book me a table at Mario's").await;
    let told = bot.telegram("anna", "/digest").await;
    assert!(
        told.contains("Mario") && !told.contains("flight") && !told.contains("a1"),
        "{told}"
    );
    let refused = bot.telegram("anna", "/digest undo a1").await;
    assert!(refused.starts_with("That is not there any more"), "{refused}");
    let gaps = bot.says("/gaps").await;
    assert!(gaps.contains("Mario") && gaps.contains("flight"), "{gaps}");
    assert!(!bot.telegram("anna", "/gaps").await.contains("flight"));
}
