//! Answers on their way while something is out of order: none is lost to an outage, and none comes twice because we
//! could not write down that it arrived.

use std::time::Duration;

use metnos::{
    app::DATABASE,
    domain::{
        delivery::{Delivery, DeliveryFailure, Promise},
        ids::{ChannelKind, OutboxId},
        lang::Lang,
        limits::{KEPT_FOR, SWEEP_EVERY},
    },
    store::{Store, outbox::Undelivered},
};

use super::{bot_at, change, clock, pair, rows};
use crate::support::bot::TestBot;

/// What a full disk does to the ends of deliveries; messages still come in.
const DISK_FULL: &str = "CREATE TRIGGER disk_full BEFORE UPDATE ON outbox BEGIN SELECT RAISE(ABORT, 'disk full'); END";
const DISK_FREED: &str = "DROP TRIGGER disk_full";
/// Long enough for an answer that would come again.
const A_MOMENT: Duration = Duration::from_millis(300);

async fn two_phones() -> TestBot {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot
}

/// The next delivery, if there is one within a moment.
async fn comes(bot: &TestBot) -> Option<Delivery> {
    let next = bot.app().runtime.next_delivery(ChannelKind::Telegram);
    tokio::time::timeout(A_MOMENT, next).await.ok()
}

/// How a delivery stands.
fn stands(bot: &TestBot, id: OutboxId) -> String {
    let sql = format!("SELECT state || ' ' || sent_parts FROM outbox WHERE id = {}", id.0);
    rows(bot, &sql).remove(0)
}

#[tokio::test]
async fn what_was_delivered_is_not_sent_again_because_the_disk_is_full() {
    let mut bot = two_phones().await;
    bot.telegram_silently("host-phone", "what time is it").await;
    let brought = bot.next_delivery(ChannelKind::Telegram).await;
    change(&bot, DISK_FULL);
    let runtime = bot.app().runtime.clone();
    runtime.part_delivered(brought.id, "m1".into()).await;
    runtime.delivered(brought.id).await;
    assert_eq!(comes(&bot).await, None, "it was brought");
    assert_eq!(stands(&bot, brought.id), "waiting []");
    // Nobody else waits for it.
    bot.telegram_silently("anna", "what time is it").await;
    let annas = bot.next_delivery(ChannelKind::Telegram).await;
    assert_eq!(annas.conversation.as_str(), "anna");

    change(&bot, DISK_FREED);
    bot.telegram_silently("host-phone", "who are you").await;
    let next = bot.next_delivery(ChannelKind::Telegram).await;
    assert_eq!(stands(&bot, brought.id), "delivered [\"m1\"]");
    assert!(
        next.id > brought.id && next.conversation == brought.conversation,
        "{next:?}"
    );
}

#[tokio::test]
async fn a_channel_that_asks_us_to_wait_is_left_alone_although_the_disk_is_full() {
    let mut bot = two_phones().await;
    bot.telegram_silently("host-phone", "what time is it").await;
    let asked = bot.next_delivery(ChannelKind::Telegram).await;
    change(&bot, DISK_FULL);
    let runtime = bot.app().runtime.clone();
    runtime.part_delivered(asked.id, "m1".into()).await;
    let wait = DeliveryFailure::RetryAfter(Duration::from_secs(3));
    runtime.undelivered(asked.id, wait).await;
    assert_eq!(comes(&bot).await, None, "it asked for a pause");
    change(&bot, DISK_FREED);
    let again = bot.next_delivery(ChannelKind::Telegram).await;
    assert_eq!(again.id, asked.id);
    assert_eq!(again.sent_parts, [Some("m1".into())], "what arrived is not sent again");
}

/// Ten days without a network: the answer waits, however often it was tried, and is brought in the end.
#[tokio::test]
async fn an_outage_is_waited_out() {
    let clock = clock("2026-03-10T09:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    bot.telegram_silently("host-phone", "what time is it").await;
    let runtime = bot.app().runtime.clone();
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let unreachable = || DeliveryFailure::Unreachable("no route to host".to_owned());
    let first = bot.next_delivery(ChannelKind::Telegram).await;
    runtime.undelivered(first.id, unreachable()).await;
    change(&bot, "UPDATE outbox SET attempts = 3000 WHERE state = 'waiting'");
    for _ in 0..10 {
        clock.advance(Duration::from_secs(24 * 3_600));
        bot.restart().await;
        let again = bot.next_delivery(ChannelKind::Telegram).await;
        assert_eq!(again.id, first.id);
        bot.app().runtime.undelivered(again.id, unreachable()).await;
    }
    let waiting = Undelivered {
        name: "host".to_owned(),
        channel: ChannelKind::Telegram,
        waiting: 1,
        since_ms: Some(
            "2026-03-10T09:00:00Z"
                .parse::<jiff::Timestamp>()
                .unwrap()
                .as_millisecond(),
        ),
        refused: 0,
    };
    let told = store.undelivered().await.unwrap();
    assert_eq!(
        told,
        [Undelivered {
            name: told[0].name.clone(),
            ..waiting
        }]
    );
    // No pause is longer than five minutes.
    clock.advance(Duration::from_secs(301));
    bot.restart().await;
    assert!(bot.hears(ChannelKind::Telegram).await.plain().starts_with("It's "));
    assert_eq!(store.undelivered().await.unwrap(), []);
}

#[tokio::test]
async fn what_is_refused_for_good_ends_and_is_told_and_nothing_waits_for_more_than_a_month() {
    let clock = clock("2026-03-10T09:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    bot.telegram_silently("host-phone", "what time is it").await;
    let runtime = bot.app().runtime.clone();
    let blocked = bot.next_delivery(ChannelKind::Telegram).await;
    let refusal = DeliveryFailure::Permanent("Forbidden: bot was blocked by the user".to_owned());
    runtime.undelivered(blocked.id, refusal).await;
    let told = store.undelivered().await.unwrap();
    assert_eq!((told[0].refused, told[0].waiting), (1, 0), "{told:?}");

    bot.telegram_silently("host-phone", "what time is it").await;
    let unreached = bot.next_delivery(ChannelKind::Telegram).await;
    let outage = DeliveryFailure::Unreachable("no route to host".to_owned());
    runtime.undelivered(unreached.id, outage).await;
    clock.advance(KEPT_FOR + SWEEP_EVERY);
    bot.restart().await;
    for _ in 0..500 {
        if rows(&bot, "SELECT id || '' FROM outbox").is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(rows(&bot, "SELECT id || '' FROM outbox"), [""; 0]);
}

/// Whatever proves that the way is open ends the pause: the server was heard, or something else arrived. Not the pause
/// that a server asked for.
#[tokio::test]
async fn an_outage_is_over_when_anything_proves_it() {
    let mut bot = two_phones().await;
    let runtime = bot.app().runtime.clone();
    let unreachable = || DeliveryFailure::Unreachable("no route to host".to_owned());
    bot.telegram_silently("host-phone", "what time is it").await;
    let id = bot.next_delivery(ChannelKind::Telegram).await.id;
    runtime.undelivered(id, unreachable()).await;
    change(
        &bot,
        "UPDATE outbox SET attempts = 7, not_before = not_before + 600000 WHERE state = 'waiting'",
    );
    assert_eq!(comes(&bot).await, None, "it waits");
    runtime.way_is_open(ChannelKind::Telegram).await;
    assert_eq!(
        bot.next_delivery(ChannelKind::Telegram).await.id,
        id,
        "the server was heard"
    );
    runtime.undelivered(id, unreachable()).await;
    assert_eq!(comes(&bot).await, None, "it waits again");
    bot.telegram_silently("anna", "what time is it").await;
    let annas = bot.next_delivery(ChannelKind::Telegram).await;
    runtime.delivered(annas.id).await;
    assert_eq!(
        bot.next_delivery(ChannelKind::Telegram).await.id,
        id,
        "something else arrived"
    );
    runtime.undelivered(id, unreachable()).await;
    change(&bot, "UPDATE outbox SET backs_off = 0 WHERE state = 'waiting'");
    runtime.way_is_open(ChannelKind::Telegram).await;
    assert_eq!(comes(&bot).await, None, "the server asked for it");
}

/// The same rule for what is known now and for what the process died in.
#[tokio::test]
async fn a_send_that_was_begun_is_known_at_the_next_start() {
    let mut bot = two_phones().await;
    bot.telegram_silently("host-phone", "what time is it").await;
    let delivery = bot.next_delivery(ChannelKind::Telegram).await;
    assert_eq!((delivery.promise, delivery.is_broken), (Promise::AtMostOnce, false));
    assert!(bot.app().runtime.part_begun(delivery.id).await);
    bot.restart().await;
    let again = bot.next_delivery(ChannelKind::Telegram).await;
    assert!(again.id == delivery.id && again.is_broken, "{again:?}");
    let runtime = bot.app().runtime.clone();
    runtime.part_uncertain(again.id).await;
    runtime
        .undelivered(again.id, DeliveryFailure::Ambiguous("cut off".to_owned()))
        .await;
    let notice = bot.hears(ChannelKind::Telegram).await;
    assert!(notice.plain().contains("“what time is it”"), "{notice:?}");
    // It is sent for its person's tap, and once.
    let button = notice.buttons[0].clone();
    assert_eq!(
        bot.telegram_taps("anna", &button).await,
        "Only the person who asked can use these buttons."
    );
    assert_eq!(bot.telegram_taps("host-phone", &button).await, "Here it comes.");
    let answer = bot.hears(ChannelKind::Telegram).await;
    assert!(answer.plain().starts_with("It's "), "{answer:?}");
    let late = bot.telegram_taps("host-phone", &button).await;
    assert!(late.starts_with("I sent that again already"), "{late}");
}
