//! People of the house tell each other something: at once on their own channel, or at a time, whose words they are, and
//! what a guest may not.

use metnos::domain::{ids::ChannelKind, lang::Lang};

use super::{bot_at, clock, pair, rows};
use crate::support::bot::TestBot;

/// Ten in the morning in Rome.
const AT: &str = "2026-11-25T09:00:00Z";
const PHONE: &str = "host-phone";

async fn house(lang: Lang) -> (TestBot, metnos::clock::Clock) {
    let clock = clock(AT);
    let mut bot = bot_at(&clock, lang).await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    pair(&mut bot, "luca").await;
    (bot, clock)
}

async fn hears(bot: &mut TestBot) -> String {
    bot.hears(ChannelKind::Telegram).await.plain()
}

#[tokio::test]
async fn somebody_is_told_at_once_and_says_that_they_heard() {
    for (lang, say, answer, heard) in [
        (
            Lang::EN,
            "tell Anna that dinner is ready",
            "I tell anna: “dinner is ready”.",
            "dinner is ready",
        ),
        (
            Lang::IT,
            "di' ad Anna che la cena è pronta",
            "Lo dico a anna: «la cena è pronta».",
            "la cena è pronta",
        ),
    ] {
        let (mut bot, _clock) = house(lang).await;
        assert_eq!(bot.says(say).await, answer);
        let told = hears(&mut bot).await;
        assert!(told.starts_with("💬 ") && told.contains(heard), "{told}");
        assert_eq!(rows(&bot, "SELECT actor FROM tasks WHERE said_by = 'host'").len(), 1);
    }
}

#[tokio::test]
async fn everybody_but_who_speaks_is_told() {
    for (lang, say, answer, words) in [
        (
            Lang::IT,
            "avvisa tutti che si parte",
            "Lo dico a anna, luca: «si parte».",
            "si parte",
        ),
        (
            Lang::IT,
            "di' ad Anna e a Luca che si parte",
            "Lo dico a anna, luca: «si parte».",
            "si parte",
        ),
        (
            Lang::EN,
            "tell everybody that we are leaving",
            "I tell anna, luca: “we are leaving”.",
            "we are leaving",
        ),
    ] {
        let (mut bot, _clock) = house(lang).await;
        assert_eq!(bot.says(say).await, answer);
        for _ in 0..2 {
            let told = hears(&mut bot).await;
            assert!(told.contains(words), "{told}");
        }
    }
}

#[tokio::test]
async fn somebody_is_reminded_at_a_time_and_until_then_it_can_be_taken_back() {
    let (mut bot, clock) = house(Lang::EN).await;
    let say = "remind Anna tomorrow at 8 to take the keys";
    let said = bot.says(say).await;
    assert!(said.contains("Thursday 26 November, 08:00: “take the keys”"), "{said}");
    let undone = bot.says("undo").await;
    assert!(undone.contains("take the keys"), "{undone}");
    assert_eq!(rows(&bot, "SELECT id FROM tasks WHERE said_by IS NOT NULL"), [""; 0]);
    bot.says(say).await;
    clock.advance(std::time::Duration::from_secs(22 * 3_600));
    let told = hears(&mut bot).await;
    assert!(told.contains("take the keys"), "{told}");
    let late = bot.says("undo").await;
    assert!(late.contains("heard it already"), "{late}");
}

#[tokio::test]
async fn a_guest_speaks_to_the_host_alone_and_nobody_else_is_made_up() {
    let (mut bot, _clock) = house(Lang::EN).await;
    let refused = bot.telegram("anna", "tell Luca that dinner is ready").await;
    assert!(refused.contains("ask the host"), "{refused}");
    let unknown = bot.says("tell Marta that dinner is ready").await;
    assert!(!unknown.contains("I tell"), "{unknown}");
    assert_eq!(rows(&bot, "SELECT id FROM tasks WHERE said_by IS NOT NULL"), [""; 0]);
    // What is asked of metnos itself stays that.
    let own = bot.says("remind me tomorrow at 8 to call Anna").await;
    assert!(own.contains("I'll remind you"), "{own}");
}
