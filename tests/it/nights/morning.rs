//! The digest at seven: said once, where the host was last, with buttons that act once and answer late taps; in the
//! host's zone across clock changes; and silence where there is nothing to say.

use std::time::Duration;

use metnos::{
    clock::Clock,
    config::DigestForm,
    domain::{
        ids::ChannelKind,
        lang::Lang,
        reply::{Button, ButtonKind},
    },
};

use super::DAY;
use crate::{
    support::bot::{Setup, TestBot},
    turns::{clock, pair, rows},
};

const JOB: &str = "job:promoter_digest";

/// A household that is told in the morning.
async fn told_bot(clock: &Clock) -> TestBot {
    let setup = Setup {
        clock: clock.clone(),
        lang: Lang::EN,
        digest: DigestForm::Aggregated,
        ..Setup::default()
    };
    TestBot::with(setup).await
}

/// When the digest is due next, in the zone it is said in.
fn due(bot: &TestBot) -> String {
    rows(
        bot,
        &format!("SELECT due_at || ' ' || zone FROM tasks WHERE id = '{JOB}'"),
    )
    .remove(0)
}

fn wall(due: &str) -> String {
    let (ms, zone) = due.split_once(' ').unwrap();
    let at = jiff::Timestamp::from_millisecond(ms.parse().unwrap()).unwrap();
    at.in_tz(zone).unwrap().strftime("%H:%M").to_string()
}

/// Lets the clock reach the next morning's seven; the scheduler sleeps by that clock.
fn sleep_until_seven(bot: &TestBot, clock: &Clock) {
    let due = due(bot);
    let at_ms: i64 = due.split_once(' ').unwrap().0.parse().unwrap();
    let wait = u64::try_from(at_ms - clock.now_ms()).unwrap_or(0);
    clock.advance(Duration::from_millis(wait));
}

fn under(bot: &TestBot, kind: ButtonKind) -> Button {
    bot.buttons().iter().find(|button| button.kind == kind).unwrap().clone()
}

#[tokio::test]
async fn what_was_learned_is_told_at_seven_and_undone_with_a_tap() {
    let clock = clock("2026-03-10T12:00:00Z");
    let mut bot = told_bot(&clock).await;
    pair(&mut bot, "host-phone").await;
    bot.telegram("host-phone", "which processes are running").await;
    let confirm = under(&bot, ButtonKind::Confirm);
    bot.telegram_taps("host-phone", &confirm).await;
    assert_eq!(wall(&due(&bot)), "07:00");
    sleep_until_seven(&bot, &clock);
    let told = bot.hears(ChannelKind::Telegram).await;
    assert!(told.plain().contains("which processes are running"), "{}", told.plain());
    let (keep, undo) = (under(&bot, ButtonKind::Keep), under(&bot, ButtonKind::Unlearn));
    // Bound to its person, good after a restart, and once.
    pair(&mut bot, "anna").await;
    assert!(bot.telegram_taps("anna", &undo).await.starts_with("Only the person"));
    bot.restart().await;
    assert!(
        bot.telegram_taps("host-phone", &undo)
            .await
            .starts_with("Done: I don't do that")
    );
    assert!(
        bot.telegram_taps("host-phone", &undo)
            .await
            .starts_with("That is not there any more")
    );
    assert!(
        bot.telegram_taps("host-phone", &keep)
            .await
            .starts_with("That is not there any more")
    );
    assert_eq!(rows(&bot, "SELECT count(*) || '' FROM autopaths"), ["0"]);
    // The next morning has only what is newer.
    let sent = "SELECT count(*) || '' FROM digests";
    assert_eq!(rows(&bot, sent), ["1"]);
}

#[tokio::test]
async fn a_morning_without_news_is_silent() {
    let clock = clock("2026-03-10T12:00:00Z");
    let mut bot = told_bot(&clock).await;
    pair(&mut bot, "host-phone").await;
    bot.telegram("host-phone", "what time is it").await;
    let before = rows(&bot, "SELECT count(*) || '' FROM outbox");
    for _ in 0..2 {
        sleep_until_seven(&bot, &clock);
        for _ in 0..200 {
            if !rows(
                &bot,
                &format!("SELECT id FROM task_runs WHERE task = '{JOB}' AND state <> 'running'"),
            )
            .is_empty()
            {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        clock.advance(DAY / 4);
    }
    assert_eq!(rows(&bot, "SELECT count(*) || '' FROM outbox"), before);
}

/// What is said in the morning; a warning of guests may come before it.
async fn good_morning(bot: &mut TestBot) -> String {
    loop {
        let told = bot.hears(ChannelKind::Telegram).await.plain();
        if told.starts_with("Good morning") {
            return told;
        }
    }
}

/// What was asked in vain is told once, and what was said to be wrong reaches the host.
#[tokio::test]
async fn what_was_asked_in_vain_and_what_was_wrong_is_told_once() {
    let clock = clock("2026-03-10T12:00:00Z");
    let mut bot = told_bot(&clock).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.telegram("anna", "what time is it").await;
    let wrong = under(&bot, ButtonKind::Reject);
    bot.telegram_taps("anna", &wrong).await;
    bot.telegram("host-phone", "book me a flight to Rome").await;
    sleep_until_seven(&bot, &clock);
    let told = good_morning(&mut bot).await;
    assert!(
        told.contains("“book me a flight to Rome”") && told.contains("“what time is it”: anna said"),
        "{told}"
    );
    bot.telegram("host-phone", "book me a flight to Rome").await;
    bot.telegram("host-phone", "which processes are running").await;
    sleep_until_seven(&bot, &clock);
    let told = good_morning(&mut bot).await;
    assert!(
        told.contains("I know one more request by heart") && !told.contains("flight"),
        "{told}"
    );
}

/// One person may hear less.
#[tokio::test]
async fn a_host_may_be_told_weekly_or_not_at_all() {
    let clock = clock("2026-03-10T12:00:00Z");
    let mut bot = told_bot(&clock).await;
    pair(&mut bot, "host-phone").await;
    assert_eq!(bot.telegram("host-phone", "/digest weekly").await, "Once a week, then.");
    bot.telegram("host-phone", "which processes are running").await;
    let told = "SELECT count(*) || '' FROM outbox WHERE parcel LIKE '%'";
    let before = rows(&bot, told);
    for morning in 0..6 {
        let due = due(&bot);
        sleep_until_seven(&bot, &clock);
        for _ in 0..1_500 {
            if self::due(&bot) != due {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(rows(&bot, told), before, "morning {morning}");
    }
    sleep_until_seven(&bot, &clock);
    assert!(bot.hears(ChannelKind::Telegram).await.plain().contains("by heart"));
    assert!(
        bot.telegram("host-phone", "/digest off")
            .await
            .starts_with("Then I say nothing")
    );
}

/// Seven is the host's, wherever they are, in winter and in summer.
#[tokio::test]
async fn seven_is_the_hosts_in_rome_and_in_auckland_across_clock_changes() {
    let clock = clock("2026-03-27T12:00:00Z");
    let mut bot = told_bot(&clock).await;
    bot.says("what time is it").await;
    for zone in ["Europe/Rome", "Pacific/Auckland"] {
        bot.says(&format!("/me timezone {zone}")).await;
        for _ in 0..12 {
            let due = due(&bot);
            assert!(due.ends_with(zone), "{due}");
            assert_eq!(wall(&due), "07:00", "{due}");
            sleep_until_seven(&bot, &clock);
            let before = due;
            for _ in 0..1_500 {
                if self::due(&bot) != before {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert_ne!(self::due(&bot), before, "it fired");
        }
    }
}

/// The digest goes where the host was last; what has no buttons there is decided in words.
#[tokio::test]
async fn it_is_said_on_matrix_to_a_host_who_was_there_last() {
    let clock = clock("2026-03-10T12:00:00Z");
    let mut bot = told_bot(&clock).await;
    let code = bot.app().actors.new_code().await.unwrap();
    let paired = bot.matrix("@host:home", &format!("!pair {code}")).await;
    assert!(paired.starts_with("Welcome"), "{paired}");
    bot.matrix("@host:home", "which processes are running").await;
    let confirm = under(&bot, ButtonKind::Confirm);
    assert!(!bot.matrix_taps("@host:home", &confirm).await.is_empty());
    sleep_until_seven(&bot, &clock);
    let told = bot.hears(ChannelKind::Matrix).await.plain();
    assert!(told.starts_with("Good morning"), "{told}");
    assert!(told.contains("a1 · “which processes are running”"), "{told}");
    assert!(told.contains("👍 keeps it"), "{told}");
    let undo = under(&bot, ButtonKind::Unlearn);
    assert_eq!(bot.matrix("@host:home", "!digest keep a1").await, "Kept.");
    // What was decided is decided, whatever is tapped late; in words it can be undone all the same.
    let late = bot.matrix_taps("@host:home", &undo).await;
    assert!(late.starts_with("That is kept"), "{late}");
    let undone = bot.matrix("@host:home", "undo a1").await;
    assert!(undone.starts_with("Done: I don't do that"), "{undone}");
}

/// A host with no other channel finds it in the terminal.
#[tokio::test]
async fn it_is_said_in_the_terminal_to_a_host_who_has_nothing_else() {
    let clock = clock("2026-03-10T12:00:00Z");
    let mut bot = told_bot(&clock).await;
    bot.says("which processes are running").await;
    bot.taps(ButtonKind::Confirm).await;
    sleep_until_seven(&bot, &clock);
    let told = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(told.contains("a1 · “which processes are running”"), "{told}");
    assert!(bot.taps(ButtonKind::Unlearn).await.starts_with("Done: I don't do that"));
    clock.advance(DAY / 4);
    sleep_until_seven(&bot, &clock);
    let told = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(told.contains("Forgotten:") && told.contains("r1 · "), "{told}");
    let back = bot.says("/digest back r1").await;
    assert!(back.starts_with("I remember"), "{back}");
}
