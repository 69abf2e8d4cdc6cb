//! Telegram at the wire: what the bot calls, and what it does when a call fails.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod courier;
mod files;
mod locked;
mod places;
mod progress;
mod tasks;

use std::time::Duration;

use metnos::channels::telegram::{BotInfo, TelegramError, check};

use crate::support::{
    process::{Home, Service},
    telegram::{BOT, Failing, FakeTelegram, Shown, TOKEN},
};

const OTHER_POLLER: &str =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
const TOO_OLD: &str = "Bad Request: query is too old and response timeout expired or query ID is invalid";

#[tokio::test]
async fn check_tells_who_the_bot_is() {
    let telegram = FakeTelegram::start().await;
    let expected = BotInfo {
        username: BOT.to_owned(),
        name: "Bed".to_owned(),
    };
    assert_eq!(check(&telegram.config()).await, Ok(expected));
}

#[tokio::test]
async fn check_explains_what_is_wrong_without_the_token() {
    let telegram = FakeTelegram::start().await;
    telegram.fail("getMe", 1, &Failing::Answer(401, "Unauthorized"));
    assert_eq!(check(&telegram.config()).await, Err(TelegramError::BadToken));

    for failing in [
        Failing::DroppedBefore,
        Failing::Answer(403, "Forbidden: bot123456:AAtop-secret is not welcome"),
    ] {
        telegram.fail("getMe", 1, &failing);
        let error = check(&telegram.config()).await.unwrap_err();
        let (secret_half, told) = (
            TOKEN.split_once(':').unwrap().1,
            format!("{error} {error:?} {:?}", error.advice()),
        );
        assert!(!told.contains(secret_half), "{told}");
    }

    let mut nobody = telegram.config();
    nobody.api_url = "http://127.0.0.1:1".to_owned();
    assert!(matches!(check(&nobody).await, Err(TelegramError::Unreachable { .. })));

    telegram.set_webhook("https://example.org/hook");
    assert_eq!(check(&telegram.config()).await, Err(TelegramError::WebhookSet));
}

/// Who talks to the bot in these tests.
const CHAT: i64 = 42;

/// A bot whose host has paired.
async fn paired(telegram: &FakeTelegram, home: &Home) -> Service {
    pairs(telegram, serve(telegram, home)).await
}

async fn pairs(telegram: &FakeTelegram, mut service: Service) -> Service {
    let code = service.prints("/pair ").await;
    let code: String = code
        .chars()
        .take_while(|sign| sign.is_ascii_alphanumeric() || "-_.".contains(*sign))
        .collect();
    telegram.says(CHAT, &format!("/pair {code}"));
    telegram
        .until("pairing", |telegram| telegram.messages(CHAT).len() == 1)
        .await;
    service
}

fn serve(telegram: &FakeTelegram, home: &Home) -> Service {
    home.configure(&format!("[telegram]\napi_url = \"{}\"\npoll_s = 2\n", telegram.url));
    home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)])
}

/// Answers of the bot that contain these words.
fn count(telegram: &FakeTelegram, words: &str) -> usize {
    telegram
        .messages(CHAT)
        .iter()
        .filter(|shown| shown.text.contains(words))
        .count()
}

async fn asks(telegram: &FakeTelegram, text: &str, answer: &str) -> Shown {
    let before = count(telegram, answer);
    telegram.says(CHAT, text);
    telegram.until(text, |telegram| count(telegram, answer) > before).await;
    telegram
        .messages(CHAT)
        .into_iter()
        .rfind(|shown| shown.text.contains(answer))
        .unwrap()
}

#[tokio::test]
async fn a_conversation_with_buttons() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;

    let question = telegram.says(CHAT, "/start@bed_bot");
    telegram
        .until("greeting", |telegram| telegram.messages(CHAT).len() == 2)
        .await;
    assert_eq!(telegram.messages(CHAT)[1].reply_to, Some(question));

    let shown = asks(&telegram, "who are you", "metnos").await;
    let labels: Vec<&str> = shown.buttons.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["✓", "✗", "↺"]);
    assert!(shown.is_html);

    telegram.taps(CHAT, "✓");
    let is_marked = |telegram: &FakeTelegram| {
        telegram
            .messages(CHAT)
            .iter()
            .any(|shown| shown.buttons.first().is_some_and(|(label, _)| label == "• ✓"))
    };
    telegram.until("the choice is marked", is_marked).await;
    telegram
        .until("the tap is answered", |telegram| {
            telegram.calls("answerCallbackQuery").len() == 1
        })
        .await;
    assert!(telegram.calls("answerCallbackQuery")[0].body["text"].is_string());

    telegram.taps_data(CHAT, shown.id, "forged");
    telegram
        .until("a forged tap is answered", |telegram| {
            telegram.calls("answerCallbackQuery").len() == 2
        })
        .await;

    home.write("docs/old.txt", "old");
    asks(&telegram, "delete ~/docs/old.txt", "old.txt").await;
    telegram.taps(CHAT, "Approve");
    telegram
        .until("done", |telegram| count(telegram, "I deleted") == 1)
        .await;
    assert!(!home.path("docs/old.txt").exists());
    telegram
        .until("all is confirmed", |telegram| telegram.unconfirmed() == 0)
        .await;
    service.terminate().await;
}

#[tokio::test]
async fn a_message_that_was_mended_is_answered_and_an_older_one_is_not() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    asks(&telegram, "who are you", "metnos").await;
    let older = telegram.messages(CHAT).last().unwrap().id;
    let mended = telegram.says(CHAT, "what tim is it");
    telegram
        .until("an answer", |telegram| {
            telegram
                .messages(CHAT)
                .iter()
                .any(|shown| shown.reply_to == Some(mended))
        })
        .await;
    telegram.edits(CHAT, mended, "what time is it");
    telegram
        .until("the time", |telegram| count(telegram, "It's ") == 1)
        .await;
    let answer = telegram
        .messages(CHAT)
        .into_iter()
        .rfind(|shown| shown.text.contains("It's "));
    assert_eq!(
        answer.unwrap().reply_to,
        Some(mended),
        "under the message that was mended"
    );
    telegram.edits(CHAT, older - 1, "what time is it");
    telegram
        .until("a word about it", |telegram| {
            count(telegram, "You changed an older message") == 1
        })
        .await;
    service.terminate().await;
}

#[tokio::test]
async fn a_stranger_is_told_once_and_groups_once() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let mut service = serve(&telegram, &home);
    service.prints("/pair ").await;
    telegram.says(CHAT, "what time is it");
    telegram.says(CHAT, "delete everything");
    telegram.says(-5, "/help@bed_bot");
    telegram.says(-5, "/help@bed_bot");
    telegram.says(-5, "just talking");
    telegram
        .until("all is read", |telegram| telegram.unconfirmed() == 0)
        .await;
    telegram
        .until("the stranger is told", |telegram| !telegram.messages(CHAT).is_empty())
        .await;
    assert_eq!(telegram.messages(CHAT).len(), 1);
    assert_eq!(telegram.messages(-5).len(), 1, "{:?}", telegram.messages(-5));
    assert!(telegram.messages(-5)[0].text.contains("private"));
    service.terminate().await;
}

#[tokio::test]
async fn a_restart_answers_nothing_twice() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    asks(&telegram, "who are you", "metnos").await;
    service.terminate().await;
    assert_eq!(telegram.unconfirmed(), 0, "a graceful stop confirms");

    telegram.says(CHAT, "how are you set up");
    let service = serve(&telegram, &home);
    telegram
        .until("what was said meanwhile", |telegram| telegram.messages(CHAT).len() == 3)
        .await;
    home.all_noted().await;
    service.kill().await;
    let service = serve(&telegram, &home);
    asks(&telegram, "/help", "/people").await;
    service.terminate().await;
    let answers: Vec<String> = telegram.messages(CHAT).into_iter().map(|shown| shown.text).collect();
    assert_eq!(answers.len(), 4, "{answers:#?}");
}

#[tokio::test]
async fn telegram_may_refuse_wait_and_break_off() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;

    telegram.fail("sendMessage", 1, &Failing::RetryAfter(1));
    asks(&telegram, "who are you", "I'm metnos").await;

    telegram.fail("sendMessage", 1, &Failing::DroppedAfter);
    asks(&telegram, "who are you?", "I'm metnos").await;
    telegram.fail("getUpdates", 1, &Failing::Answer(409, OTHER_POLLER));
    telegram.fail("getUpdates", 1, &Failing::DroppedBefore);
    asks(&telegram, "/help", "/people").await;
    assert_eq!(
        count(&telegram, "I'm metnos"),
        2,
        "what may have arrived is not sent again"
    );

    telegram.fail("answerCallbackQuery", 1, &Failing::Answer(400, TOO_OLD));
    telegram.taps(CHAT, "✗");
    asks(&telegram, "/me", "host").await;
    service.terminate().await;
}

#[tokio::test]
async fn what_may_be_lost_is_named_and_offered_again() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;

    home.write("docs/old.txt", "old");
    telegram.fail("sendMessage", 1, &Failing::DroppedBefore);
    let notice = asks(&telegram, "delete ~/docs/old.txt", "connection broke").await;
    assert!(notice.text.contains("delete ~/docs/old.txt"), "{notice:?}");
    telegram.taps(CHAT, "Send it again");
    telegram
        .until("the question", |telegram| count(telegram, "May I delete") == 1)
        .await;
    telegram.taps(CHAT, "Approve");
    telegram
        .until("done", |telegram| count(telegram, "I deleted") == 1)
        .await;

    home.write("long.txt", &"words of a line\n".repeat(500));
    telegram.fail("sendMessage", 1, &Failing::DroppedAfter);
    let said = asks(&telegram, "read ~/long.txt", "connection broke").await;
    assert_eq!(said.buttons.len(), 1, "the last part has its own: {said:?}");
    let parts = telegram.messages(CHAT);
    let last_part = parts.iter().rev().find(|shown| shown.text.contains("words")).unwrap();
    assert_eq!(last_part.buttons.len(), 3);
    service.terminate().await;
}

#[tokio::test]
async fn a_server_that_fails_is_tried_again() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    telegram.fail("sendMessage", 1, &Failing::Answer(200, "Bad Gateway"));
    asks(&telegram, "who are you", "I'm metnos").await;
    assert_eq!(count(&telegram, "connection broke"), 0);
    telegram.fail("sendMessage", 1, &Failing::Answer(200, "Gateway Timeout"));
    asks(&telegram, "who are you", "connection broke").await;
    assert_eq!(
        count(&telegram, "I'm metnos"),
        1,
        "what may have arrived is not sent again"
    );
    service.terminate().await;
}

#[tokio::test]
async fn a_long_answer_comes_in_parts() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    home.write("long.txt", &"<b> & words of a line\n".repeat(400));
    telegram.fail("sendMessage", 1, &Failing::Slow(Duration::from_millis(50)));
    telegram.says(CHAT, "read ~/long.txt");
    telegram
        .until("the last part", |telegram| {
            telegram.messages(CHAT).iter().any(|shown| !shown.buttons.is_empty())
        })
        .await;
    let parts = telegram.messages(CHAT).split_off(1);
    assert!(parts.len() > 1, "{}", parts.len());
    let (last, first) = (parts.last().unwrap(), parts.first().unwrap());
    assert!(first.reply_to.is_some() && last.reply_to.is_none());
    assert!(parts.iter().rev().skip(1).all(|part| part.buttons.is_empty()));
    assert!(
        parts
            .iter()
            .all(|part| part.text.matches("<pre>").count() == part.text.matches("</pre>").count())
    );
    service.terminate().await;
}

/// What a sent message carries beside its words, newest first.
fn markup(telegram: &FakeTelegram, words: &str) -> serde_json::Value {
    let sent = telegram.calls("sendMessage");
    let call = sent
        .iter()
        .rfind(|call| call.body["text"].as_str().unwrap_or_default().contains(words));
    call.unwrap().body["reply_markup"].clone()
}

#[tokio::test]
async fn a_location_is_asked_for_with_a_keyboard_that_goes_away() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    asks(&telegram, "where am i", "Where are you?").await;
    let keyboard = markup(&telegram, "Where are you?");
    assert_eq!(keyboard["keyboard"][0][0]["request_location"], true, "{keyboard}");
    assert_eq!(keyboard["one_time_keyboard"], true);
    asks(&telegram, "✖ Cancel", "I dropped it").await;
    assert_eq!(markup(&telegram, "I dropped it")["remove_keyboard"], true);

    asks(&telegram, "where am i", "Where are you?").await;
    telegram.shares(CHAT, 45.4642, 9.19);
    telegram
        .until("the place", |telegram| {
            count(telegram, "You are here: 45.46420, 9.19000") == 1
        })
        .await;
    assert_eq!(markup(&telegram, "now I know where you are")["remove_keyboard"], true);
    service.terminate().await;
}
