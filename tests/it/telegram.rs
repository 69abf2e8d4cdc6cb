//! Telegram at the wire: what the bot calls, and what it does when a call fails.

use metnos::channels::telegram::{BotInfo, TelegramError, check};

use crate::support::telegram::{BOT, Failing, FakeTelegram, TOKEN};

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
