//! Who is let in: nobody without a code, each code once, and everybody is spoken to in their own language.

use std::time::Duration;

use metnos::domain::{
    ids::{ChannelKind, ConversationId, MessageId, SenderId},
    inbound::{Inbound, InboundBody},
    lang::Lang,
};

use super::{bot_at, clock, layer, pair, rows};
use crate::support::bot::TestBot;

const WRONG: &str = "That code is not valid: codes work once, for five minutes. Ask for a new one with “metnos pair”.";

#[tokio::test]
async fn a_stranger_is_told_once_and_nothing_runs() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.jpg", "a");
    let told = bot.telegram("mallory", "move ~/in/a.jpg to ~/photos").await;
    assert!(told.starts_with("This assistant belongs to a household."), "{told}");
    for again in ["what time is it", "/status", "yes", "hello?"] {
        bot.telegram_silently("mallory", again).await;
    }
    pair(&mut bot, "host-phone").await;
    assert!(bot.has("in/a.jpg"));
    assert_eq!(rows(&bot, "SELECT id FROM turns"), Vec::<String>::new());
    // Nothing more was said to the stranger: the next thing on the channel is the host's.
    let time = bot.telegram("host-phone", "what time is it").await;
    assert!(time.starts_with("It's "), "{time}");
}

#[tokio::test]
async fn the_first_is_the_host_and_the_next_is_a_guest() {
    let mut bot = TestBot::new().await;
    let welcome = pair(&mut bot, "host-phone").await;
    assert!(welcome.starts_with("Welcome host-phone!"), "{welcome}");
    pair(&mut bot, "anna").await;
    pair(&mut bot, "bruno").await;
    let people = rows(
        &bot,
        "SELECT actor FROM identities WHERE channel = 'telegram' ORDER BY rowid",
    );
    assert_eq!(people.first().map(String::as_str), Some("host"));
    for guest in people.iter().skip(1) {
        let id = guest.strip_prefix("guest_").unwrap();
        assert!(
            id.len() == 6 && id.chars().all(|letter| letter.is_ascii_hexdigit()),
            "{guest}"
        );
    }
    assert_eq!(people.len(), 3);
    let me = bot.telegram("anna", "/me").await;
    assert!(me.contains("guest_") && me.contains("telegram"), "{me}");
    assert_eq!(
        bot.telegram("anna", "/pair WHATEVER").await,
        "You are already paired, anna. Nothing to do."
    );
}

#[tokio::test]
async fn a_code_works_once_and_not_for_long() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::En).await;
    let code = bot.app().actors.new_code().await.unwrap();
    let welcome = bot
        .telegram("host-phone", &format!("/start {}", code.to_lowercase()))
        .await;
    assert!(welcome.starts_with("Welcome"), "{welcome}");
    assert_eq!(bot.telegram("anna", &format!("/pair {code}")).await, WRONG, "used");
    let code = bot.app().actors.new_code().await.unwrap();
    clock.advance(Duration::from_secs(301));
    assert_eq!(bot.telegram("anna", &format!("/pair {code}")).await, WRONG, "expired");
    assert_eq!(bot.telegram("anna", "/pair ABCDEFGHJK").await, WRONG, "made up");
    assert_eq!(rows(&bot, "SELECT id FROM actors"), ["host"]);
}

#[tokio::test]
async fn guessing_is_slowed_down() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::En).await;
    for _ in 0..5 {
        assert_eq!(bot.telegram("mallory", "/pair AAAAAAAAAA").await, WRONG);
    }
    let code = bot.app().actors.new_code().await.unwrap();
    let slowed = bot.telegram("mallory", &format!("/pair {code}")).await;
    assert_eq!(slowed, "Too many wrong codes. Please try again in 15 minutes.");
    let other = bot.telegram("anna", &format!("/pair {code}")).await;
    assert!(other.starts_with("Welcome"), "others are not held up: {other}");
    clock.advance(Duration::from_secs(15 * 60));
    let welcome = pair(&mut bot, "mallory").await;
    assert!(welcome.starts_with("Welcome"), "{welcome}");
}

#[tokio::test]
async fn everybody_hears_their_own_language() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    assert_eq!(bot.telegram("anna", "/lang it").await, "Da adesso parlo italiano.");
    let italian = bot.telegram("anna", "what time is it").await;
    assert!(italian.starts_with("Sono le "), "{italian}");
    let english = bot.telegram("host-phone", "che ore sono").await;
    assert!(english.starts_with("It's "), "{english}");
    assert_eq!(layer(&bot), "pattern 0");
    let unknown = bot.telegram("anna", "/lang de").await;
    assert!(unknown.contains("/lang en"), "{unknown}");
    bot.restart().await;
    let still = bot.telegram("anna", "chi sei").await;
    assert!(still.starts_with("Sono metnos"), "{still}");
}

#[tokio::test]
async fn a_guest_cannot_take_back_what_the_host_did() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.file("in/a.jpg", "a");
    bot.telegram("host-phone", "move ~/in/a.jpg to ~/photos").await;
    assert_eq!(bot.telegram("anna", "undo").await, "There is nothing to undo.");
    assert!(bot.has("photos/a.jpg"));
    bot.telegram_silently("host-phone", "undo").await;
    bot.hears(ChannelKind::Telegram).await;
    assert!(bot.has("in/a.jpg"));
}

#[tokio::test]
async fn a_flood_from_a_stranger_gets_one_line() {
    let bot = TestBot::new().await;
    let flood = (0..200).map(|number| {
        let runtime = bot.app().runtime.clone();
        tokio::spawn(async move {
            let inbound = Inbound {
                channel: ChannelKind::Telegram,
                conversation: ConversationId::from("mallory"),
                sender: SenderId::from("mallory"),
                sender_name: None,
                lang_hint: None,
                message: MessageId::from(format!("{number}")),
                body: InboundBody::Text("what time is it".to_owned()),
            };
            runtime.submit(inbound).await.unwrap();
        })
    });
    for sent in flood.collect::<Vec<_>>() {
        sent.await.unwrap();
    }
    while rows(&bot, "SELECT count(*) || '' FROM inbox WHERE state = 'done'") != ["200"] {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(rows(&bot, "SELECT count(*) || '' FROM outbox"), ["1"]);
}
