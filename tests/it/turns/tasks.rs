//! Timers, alarms, reminders, requests that repeat and watchers, as conversations: they are made, shown, changed and
//! taken back by words, come at their moment, and are answered with buttons.

mod fresh;
mod requests;
mod things;
mod words;

use std::time::Duration;

use metnos::{
    clock::Clock,
    domain::{
        ids::ChannelKind,
        lang::Lang,
        reply::{ButtonKind, TaskButton},
    },
};

use super::{bot_at, button, clock, layer, pair, rows, tap};
use crate::support::bot::TestBot;

/// A Tuesday, ten in the morning in Rome.
const AT: &str = "2026-11-24T09:00:00Z";

/// The next thing that is said in the terminal unasked.
async fn rings(bot: &mut TestBot) -> String {
    bot.hears(ChannelKind::Terminal).await.plain()
}

async fn bot(lang: Lang) -> (TestBot, Clock) {
    let clock = clock(AT);
    (bot_at(&clock, lang).await, clock)
}

fn later(clock: &Clock, seconds: u64) {
    clock.advance(Duration::from_secs(seconds));
}

fn tasks(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT kind || ' ' || state FROM tasks WHERE kind <> 'job' ORDER BY rowid",
    )
}

#[tokio::test]
async fn a_timer_rings_and_is_done_once() {
    let (mut bot, clock) = bot(Lang::EN).await;
    let said = bot.says("set a timer for 5 minutes for the pizza").await;
    assert_eq!(
        said,
        "The timer “pizza” runs for 5 minutes, until today, Tuesday 24 November, 10:05."
    );
    assert_eq!(layer(&bot), "pattern 0");
    later(&clock, 299);
    later(&clock, 1);
    assert_eq!(rings(&mut bot).await, "⏰ Timer “pizza”: time is up after 5 minutes.");
    let labels: Vec<&str> = bot.buttons().iter().map(|button| button.label.as_str()).collect();
    assert_eq!(labels, ["✅ Done", "⏰ +10 min", "📅 Tomorrow"]);
    let done = button(&bot, ButtonKind::Task(TaskButton::Done));
    assert_eq!(tap(&bot, &done).await, "Done.");
    assert_eq!(tap(&bot, &done).await, "That was answered before.");
    assert_eq!(tasks(&bot), ["timer done"]);
}

#[tokio::test]
async fn ten_minutes_more_and_tomorrow_come_again_also_after_a_restart() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.says("remind me in 20 minutes to take the cake out").await;
    later(&clock, 1_200);
    assert_eq!(rings(&mut bot).await, "🔔 take the cake out");
    let more = button(&bot, ButtonKind::Task(TaskButton::Later));
    let tomorrow = button(&bot, ButtonKind::Task(TaskButton::Tomorrow));
    bot.restart().await;
    assert_eq!(
        tap(&bot, &more).await,
        "All right, again today, Tuesday 24 November, 10:30."
    );
    assert_eq!(tap(&bot, &tomorrow).await, "That was answered before.");
    later(&clock, 600);
    assert_eq!(rings(&mut bot).await, "🔔 take the cake out");
    bot.taps(ButtonKind::Task(TaskButton::Tomorrow)).await;
    later(&clock, 23 * 3_600);
    later(&clock, 3_600);
    assert_eq!(rings(&mut bot).await, "🔔 take the cake out");
    bot.taps(ButtonKind::Task(TaskButton::Done)).await;
    assert_eq!(tasks(&bot), ["reminder done"]);
}

#[tokio::test]
async fn what_was_missed_is_told_and_a_reminder_comes_late_once() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.says("set a timer for 5 minutes").await;
    bot.says("remind me in 6 minutes to call mum").await;
    bot.stop().await;
    later(&clock, 3_600);
    bot.start().await;
    let mut said = [rings(&mut bot).await, rings(&mut bot).await];
    said.sort();
    assert_eq!(
        said,
        [
            "I was off and missed this: Timer, today, Tuesday 24 November, 10:05.",
            "🔔 call mum\nThis comes late: it was for today, Tuesday 24 November, 10:06.",
        ]
    );
    bot.restart().await;
    let answer = bot.says("what are my reminders").await;
    assert!(answer.contains("call mum"), "{answer}");
}

#[tokio::test]
async fn timers_are_told_apart_changed_and_ended() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.says("set a timer for 10 minutes for the pasta").await;
    bot.says("set a timer for 20 minutes for the bread").await;
    later(&clock, 60);
    let left = bot.says("how much time is left on the pasta timer").await;
    assert!(left.contains("9 minutes left"), "{left}");
    let which = bot.says("cancel the timer").await;
    assert!(which.starts_with("Which one?") && which.contains("pasta"), "{which}");
    bot.says("cancel").await;
    let more = bot.says("add 5 minutes to the pasta timer").await;
    assert_eq!(
        more,
        "The timer has 14 minutes left, until today, Tuesday 24 November, 10:15."
    );
    let less = bot.says("take 2 minutes off the pasta timer").await;
    assert!(less.starts_with("The timer has 12 minutes left"), "{less}");
    assert_eq!(bot.says("pause the bread timer").await, "Paused: bread.");
    later(&clock, 720);
    assert_eq!(rings(&mut bot).await, "⏰ Timer “pasta”: time is up after 13 minutes.");
    let on = bot.says("resume the bread timer").await;
    assert!(on.starts_with("It goes on: bread, today"), "{on}");
    let gone = bot.says("cancel all timers").await;
    assert!(gone.contains("gone"), "{gone}");
    let back = bot.says("undo").await;
    assert!(back.starts_with("Done, I took"), "{back}");
    let listed = bot.says("show me my timers").await;
    assert!(listed.contains("bread"), "{listed}");
}

#[tokio::test]
async fn alarms_ring_on_their_days_and_are_put_off_by_words() {
    let (mut bot, clock) = bot(Lang::EN).await;
    let said = bot.says("set an alarm for 7 every weekday").await;
    assert_eq!(
        said,
        "The alarm rings every weekday at 07:00, first tomorrow, Wednesday 25 November, 07:00."
    );
    let next = bot.says("what's my next alarm").await;
    assert!(next.contains("next tomorrow, Wednesday 25 November, 07:00"), "{next}");
    later(&clock, 21 * 3_600);
    assert_eq!(rings(&mut bot).await, "⏰ Alarm: it is 07:00.");
    let put_off = bot.says("snooze the alarm for 5 minutes").await;
    assert_eq!(put_off, "All right, again today, Wednesday 25 November, 07:05.");
    later(&clock, 300);
    assert_eq!(rings(&mut bot).await, "⏰ Alarm: it is 07:05.");
    bot.taps(ButtonKind::Task(TaskButton::Done)).await;
    let next = bot.says("what's my next alarm").await;
    assert!(next.contains("Thursday 26 November, 07:00"), "{next}");
    let said = bot.says("wake me at 7 today").await;
    assert!(said.starts_with("That time is over already."), "{said}");
}

#[tokio::test]
async fn each_person_has_their_own_and_no_more_than_they_may() {
    let (mut bot, _clock) = bot(Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.says("/people quota guest tasks 2").await;
    let people = bot.says("/people").await;
    let id = people.split("guest_").nth(1).unwrap().get(..6).unwrap().to_owned();
    bot.says(&format!("/people quota guest_{id} tasks 2")).await;
    bot.telegram("anna", "set a timer for 50 minutes for the cake").await;
    bot.telegram("anna", "remind me tomorrow at 9 to call mum").await;
    let full = bot.telegram("anna", "set a timer for 5 minutes").await;
    assert!(full.starts_with("You have 2 of these already"), "{full}");
    assert_eq!(bot.says("show me my timers").await, "No timer is running.");
    let none = bot.says("cancel all timers").await;
    assert_eq!(tasks(&bot).len(), 2, "{none}");
    let hers = bot.telegram("anna", "show me my timers").await;
    assert!(hers.contains("cake"), "{hers}");
}
