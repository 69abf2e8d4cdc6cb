//! Many conversations at once: everything is answered, each conversation in its own order, and nothing twice.

use std::collections::BTreeMap;

use metnos::domain::{
    delivery::Parcel,
    ids::{ChannelKind, ConversationId, MessageId},
};

use super::pair;
use crate::support::bot::TestBot;

const CONVERSATIONS: usize = 10;
const MESSAGES_EACH: usize = 20;

#[tokio::test]
async fn two_hundred_messages_in_ten_conversations_are_answered_once_and_in_order() {
    let mut bot = TestBot::new().await;
    let senders: Vec<String> = (0..CONVERSATIONS).map(|number| format!("phone-{number}")).collect();
    for sender in &senders {
        pair(&mut bot, sender).await;
    }
    for number in 0..MESSAGES_EACH {
        let request = if number % 5 == 0 {
            format!("write \"{number}\" to ~/kept-{number}.txt")
        } else {
            "who are you".to_owned()
        };
        for sender in &senders {
            bot.telegram_silently(sender, &request).await;
        }
    }
    let mut answered: BTreeMap<ConversationId, Vec<u64>> = BTreeMap::new();
    for _ in 0..CONVERSATIONS * MESSAGES_EACH {
        let delivery = bot.next_delivery(ChannelKind::Telegram).await;
        let runtime = &bot.app().runtime;
        runtime
            .part_delivered(delivery.id, MessageId::from(format!("m{}", delivery.id.0)))
            .await;
        runtime.delivered(delivery.id).await;
        assert!(matches!(delivery.parcel, Parcel::Reply(_)), "{delivery:?}");
        let asked = delivery.reply_to.expect("an answer to a message");
        let of = answered.entry(delivery.conversation).or_default();
        of.push(asked.to_string().parse().unwrap());
    }
    assert_eq!(answered.len(), CONVERSATIONS);
    for (conversation, order) in &answered {
        assert_eq!(order.len(), MESSAGES_EACH, "{conversation:?}");
        assert!(
            order.is_sorted_by(|one, next| one < next),
            "{conversation:?}: {order:?}"
        );
    }
    assert_eq!(
        bot.turn_log().await.len(),
        CONVERSATIONS * MESSAGES_EACH,
        "a turn for each"
    );
}
