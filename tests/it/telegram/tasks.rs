//! A timer over the Bot API: it rings unasked, with buttons that act once, and once however often the network breaks.

use std::time::Duration;

use super::{CHAT, asks, count, paired};
use crate::support::{
    process::Home,
    telegram::{Failing, FakeTelegram, TOKEN},
};

const RINGS: &str = "time is up after 2 seconds";

async fn rung(telegram: &FakeTelegram, times: usize) {
    telegram
        .until("the timer rings", |telegram| count(telegram, RINGS) == times)
        .await;
}

#[tokio::test]
async fn a_timer_rings_and_its_buttons_go_with_the_first_tap() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    asks(&telegram, "set a timer for 2 seconds", "runs for 2 seconds").await;
    rung(&telegram, 1).await;
    let rings = telegram
        .messages(CHAT)
        .into_iter()
        .rfind(|shown| shown.text.contains(RINGS))
        .unwrap();
    let labels: Vec<&str> = rings.buttons.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["✅ Done", "⏰ +10 min", "📅 Tomorrow"]);
    assert_eq!(rings.reply_to, None, "it answers nobody");
    let late = rings.buttons[1].1.clone();
    telegram.taps(CHAT, "Done");
    telegram
        .until("the buttons go", |telegram| {
            telegram
                .messages(CHAT)
                .iter()
                .any(|shown| shown.id == rings.id && shown.buttons.is_empty())
        })
        .await;
    let told = telegram
        .messages(CHAT)
        .into_iter()
        .find(|shown| shown.id == rings.id)
        .unwrap();
    assert_eq!(
        told.text, "<b>Timer</b>\n\n<i>Done.</i>",
        "the message itself says what was done"
    );
    telegram.taps_data(CHAT, rings.id, &late);
    telegram
        .until("both taps are answered", |telegram| {
            telegram.calls("answerCallbackQuery").len() == 2
        })
        .await;
    let told: Vec<String> = telegram
        .calls("answerCallbackQuery")
        .iter()
        .map(|call| call.body["text"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(told, ["Done.", "That was answered before."]);
    service.terminate().await;
}

#[tokio::test]
async fn what_rings_while_the_network_or_metnos_is_away_comes_once() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    asks(&telegram, "set a timer for 2 seconds", "runs for 2 seconds").await;
    telegram.fail("sendMessage", 2, &Failing::RetryAfter(1));
    rung(&telegram, 1).await;
    asks(&telegram, "remind me in 3 seconds to call mum", "call mum").await;
    home.all_noted().await;
    service.kill().await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let before = count(&telegram, "🔔 call mum");
    let service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    telegram
        .until("the reminder comes late", |telegram| {
            count(telegram, "🔔 call mum") > before
        })
        .await;
    asks(&telegram, "who are you", "metnos").await;
    assert_eq!(count(&telegram, "🔔 call mum"), before + 1);
    assert_eq!(count(&telegram, RINGS), 1);
    service.terminate().await;
}
