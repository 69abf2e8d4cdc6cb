//! Reactions and short words, where a channel has no buttons: what they stand for, that they act once, and what taking
//! them back undoes. The channel is Matrix; the room is played by hand.

use std::time::Duration;

use metnos::{
    domain::{
        delivery::{Delivery, Parcel, Pressed},
        feedback::Sign,
        ids::{ChannelKind, SenderId},
        inbound::{Inbound, InboundBody},
        reply::ButtonKind,
    },
    runtime::{Runtime, Submitted},
};

use super::rows;
use crate::support::bot::TestBot;

const ASKED: &str = "which processes are running";
const ADA: &str = "@ada:bed";

/// A bot whose owner is Ada.
async fn bot() -> TestBot {
    let bot = TestBot::new().await;
    let owner = SenderId::from(ADA);
    runtime(&bot).adopt_host(ChannelKind::Matrix, &owner).await.unwrap();
    bot
}

fn runtime(bot: &TestBot) -> &Runtime {
    &bot.app().runtime
}

fn inbound(sender: &str, message: &str, body: InboundBody) -> Inbound {
    Inbound {
        channel: ChannelKind::Matrix,
        conversation: "!room:bed".into(),
        sender: sender.into(),
        sender_name: None,
        lang_hint: None,
        message: message.into(),
        body,
    }
}

fn sign(sign: Sign, about: Option<&str>, text: &str) -> InboundBody {
    InboundBody::Sign {
        sign,
        about: about.map(Into::into),
        text: text.to_owned(),
    }
}

/// The next answer, brought to the room under this name.
async fn heard(bot: &TestBot, name: &str) -> Delivery {
    let next = runtime(bot).next_delivery(ChannelKind::Matrix);
    let delivery = tokio::time::timeout(Duration::from_secs(30), next).await.unwrap();
    runtime(bot).part_delivered(delivery.id, name.into()).await;
    runtime(bot).delivered(delivery.id).await;
    delivery
}

/// The next new message, past changes of buttons.
async fn words(bot: &TestBot, name: &str) -> String {
    loop {
        if let Parcel::Reply(reply) = heard(bot, name).await.parcel {
            return reply.plain();
        }
    }
}

async fn says(bot: &TestBot, message: &str, body: InboundBody) {
    let said = runtime(bot).submit(inbound(ADA, message, body)).await.unwrap();
    assert_eq!(said, Submitted::Accepted);
}

async fn reacts(bot: &TestBot, sender: &str, message: &str, what: Sign, about: &str) -> Pressed {
    let body = sign(what, Some(about), "");
    runtime(bot).react(inbound(sender, message, body)).await.unwrap()
}

async fn withdraws(bot: &TestBot, sender: &str, message: &str) {
    let gone = inbound(sender, message, InboundBody::Unsupported);
    runtime(bot).withdraw(gone).await.unwrap();
}

fn verdicts(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT coalesce(verdict, 'none') FROM observations ORDER BY id")
}

async fn asked() -> TestBot {
    let bot = bot().await;
    says(&bot, "$1", InboundBody::Text(ASKED.to_owned())).await;
    words(&bot, "$answer").await;
    bot
}

#[tokio::test]
async fn a_reaction_counts_once_and_until_it_is_taken_back() {
    let bot = asked().await;
    for _ in 0..2 {
        reacts(&bot, ADA, "$r1", Sign::Yes, "$answer").await;
        assert_eq!(verdicts(&bot), ["confirm"]);
    }
    assert!(reacts(&bot, ADA, "$r2", Sign::No, "$answer").await.as_expected);
    assert_eq!(verdicts(&bot), ["reject"], "the last one wins");
    withdraws(&bot, ADA, "$r2").await;
    assert_eq!(verdicts(&bot), ["confirm"], "the other one still stands there");
    withdraws(&bot, ADA, "$r1").await;
    assert_eq!(verdicts(&bot), ["none"]);
    withdraws(&bot, ADA, "$r1").await;
    assert_eq!(rows(&bot, "SELECT message FROM reactions"), Vec::<String>::new());
}

#[tokio::test]
async fn a_rejection_taken_back_bans_nothing() {
    let bot = asked().await;
    reacts(&bot, ADA, "$r1", Sign::Again, "$answer").await;
    assert_eq!(rows(&bot, "SELECT count(*) || '' FROM anti_autopaths"), ["1"]);
    withdraws(&bot, ADA, "$r1").await;
    assert_eq!(rows(&bot, "SELECT count(*) || '' FROM anti_autopaths"), ["0"]);
}

#[tokio::test]
async fn strangers_and_other_messages_are_nothing() {
    let bot = asked().await;
    assert_eq!(
        reacts(&bot, "@eve:bed", "$r1", Sign::No, "$answer").await,
        Pressed::default()
    );
    assert_eq!(reacts(&bot, ADA, "$r2", Sign::No, "$1").await, Pressed::default());
    reacts(&bot, ADA, "$r3", Sign::Yes, "$answer").await;
    withdraws(&bot, "@eve:bed", "$r3").await;
    assert_eq!(verdicts(&bot), ["confirm"]);
}

#[tokio::test]
async fn short_words_do_the_same_and_are_answered() {
    let bot = asked().await;
    says(&bot, "$2", sign(Sign::Yes, Some("$answer"), "ok")).await;
    assert_eq!(words(&bot, "$3").await, "Noted, thank you.");
    assert_eq!(verdicts(&bot), ["confirm"]);
    says(&bot, "$4", sign(Sign::No, None, "!no")).await;
    words(&bot, "$5").await;
    assert_eq!(verdicts(&bot), ["reject"]);
}

#[tokio::test]
async fn words_with_nothing_to_judge() {
    let bot = bot().await;
    says(&bot, "$1", sign(Sign::Yes, None, "!ok")).await;
    assert!(words(&bot, "$2").await.contains("don't have that answer"));
    says(&bot, "$3", sign(Sign::Yes, Some("$nothing"), "ok")).await;
    assert!(
        !words(&bot, "$4").await.is_empty(),
        "a word that judges nothing is a request"
    );
}

#[tokio::test]
async fn a_card_is_approved_with_a_sign_once() {
    let bot = bot().await;
    bot.file("docs/old.txt", "old");
    says(&bot, "$1", InboundBody::Text("delete ~/docs/old.txt".to_owned())).await;
    let card = heard(&bot, "$card").await;
    let Parcel::Reply(reply) = card.parcel else {
        panic!("{card:?}")
    };
    assert_eq!(
        reply.buttons.first().map(|button| button.kind),
        Some(ButtonKind::Approve)
    );
    assert!(reacts(&bot, ADA, "$r1", Sign::Yes, "$card").await.as_expected);
    words(&bot, "$done").await;
    assert!(!bot.has("docs/old.txt"));
    bot.file("docs/old.txt", "new");
    let late = reacts(&bot, ADA, "$r2", Sign::Yes, "$card").await;
    assert!(!late.as_expected && late.toast.is_some(), "{late:?}");
    withdraws(&bot, ADA, "$r1").await;
    assert!(bot.has("docs/old.txt"));
}

#[tokio::test]
async fn what_could_not_be_decrypted_is_said() {
    let bot = bot().await;
    says(&bot, "$1", InboundBody::Unreadable).await;
    assert!(words(&bot, "$2").await.contains("decrypt"));
    let again = runtime(&bot)
        .submit(inbound(ADA, "$1", InboundBody::Unreadable))
        .await
        .unwrap();
    assert_eq!(again, Submitted::Duplicate);
}

#[tokio::test]
async fn who_may_open_a_conversation() {
    let bot = bot().await;
    let eve = SenderId::from("@eve:bed");
    let welcomes = async |who: &str| {
        let sender = SenderId::from(who);
        runtime(&bot).welcomes(ChannelKind::Matrix, &sender).await.unwrap()
    };
    assert!(welcomes(ADA).await);
    assert!(!welcomes(eve.as_str()).await);
    let code = bot.app().actors.new_code().await.unwrap();
    assert!(welcomes(eve.as_str()).await, "they may be bringing the code");
    let body = InboundBody::Text(format!("!pair {code}"));
    runtime(&bot).submit(inbound(eve.as_str(), "$1", body)).await.unwrap();
    assert!(words(&bot, "$2").await.contains("Welcome"));
    assert!(welcomes(eve.as_str()).await);
    assert!(!welcomes("@mallory:bed").await, "the code is used");
}
