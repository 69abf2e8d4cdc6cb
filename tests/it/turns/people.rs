//! Who is let in: nobody without a code, each code once, and everybody is spoken to in their own language.

use std::time::Duration;

use metnos::{
    domain::{
        actor::Role,
        ids::{ChannelKind, ConversationId, MessageId, SenderId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
    },
    runtime::actors::Pairing,
};

use super::{bot_at, change, clock, layer, pair, rows};
use crate::support::bot::TestBot;

const WRONG: &str = "That code is not valid: codes work once, for five minutes. Ask for a new one with “metnos pair”.";

/// What the host says about others, and a part of the answer.
const DECISIONS: &[(&str, &str)] = &[
    ("/people rename anna Zia Anna", " is called Zia Anna from now on."),
    (
        "/people language zia anna it",
        "Zia Anna is answered in “it” from now on.",
    ),
    (
        "/people timezone Zia Anna Asia/Tokyo",
        "Asia/Tokyo from now on: there it is 19:00.",
    ),
    (
        "/people autonomy Zia Anna A1",
        "The autonomy of Zia Anna is A1 from now on.",
    ),
    ("/people autonomy Zia Anna A3", "metnos autonomy A3 guest_"),
    ("/people quota zia anna tasks none", "Zia Anna, tasks: no limit."),
    (
        "/people quota zia anna turns default",
        "Zia Anna, requests an hour: 60.",
    ),
    (
        "/people quota zia anna beer 3",
        "Write it like this: /people quota NAME turns 30.",
    ),
    (
        "/people rename carla Carlotta",
        "I know nobody called “carla Carlotta”.",
    ),
    ("/people rename bruno ZIA ANNA", "I cannot use that name"),
    ("/people frobnicate", "/people invite — a code for a new guest"),
    ("/people revoke", "/people revoke NAME"),
    ("/people revoke host", "The host stays."),
    ("/people link host", "made on the machine only"),
];

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
    assert!(me.contains("guest_") && me.contains("Telegram"), "{me}");
    assert_eq!(
        bot.telegram("anna", "/pair WHATEVER").await,
        "You are already paired, anna. Nothing to do."
    );
}

#[tokio::test]
async fn a_code_works_once_and_not_for_long() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
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
    let mut bot = bot_at(&clock, Lang::EN).await;
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
    // At one o'clock Italian says it otherwise.
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    assert_eq!(bot.telegram("anna", "/lang it").await, "Da adesso parlo italiano.");
    let italian = bot.telegram("anna", "what time is it").await;
    assert!(italian.starts_with("Sono le "), "{italian}");
    let english = bot.telegram("host-phone", "che ore sono").await;
    assert!(english.starts_with("It's "), "{english}");
    assert_eq!(layer(&bot), "pattern 0");
    let unknown = bot.telegram("anna", "/lang de").await;
    assert!(unknown.contains("/me language"), "{unknown}");
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

#[tokio::test]
async fn people_change_themselves_with_either_sign() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    pair(&mut bot, "bruno").await;
    for (said, answer) in [
        ("/me name  Anna  Rossi ", "From now on I call you Anna Rossi."),
        (
            "/me timezone america/new_york",
            "Your time zone is America/New_York from now on: there it is 06:00.",
        ),
        (
            "/me timezone Roma",
            "I don't know that time zone. Write it like this: Europe/Rome.",
        ),
        ("!me autonomy a1", "Done: autonomy is A1 from now on."),
        (
            "/me autonomy 7",
            "The levels go from A0 (I only suggest) to A4 (I ask hardly ever).",
        ),
        ("!lang it", "Da adesso parlo italiano."),
        ("/me language en", "From now on I speak English."),
        (
            "/me language",
            "I speak these languages: en, it. Write one of them, such as /me language it. The host has one more learned \
             with /language add fr.",
        ),
        (
            "/ME nome Annina",
            "Change it with /me name Anna, /me language en, /me timezone Europe/Rome, /me autonomy A1, /me quiet 22-7, /me area kitchen, /me notes ~/notes.",
        ),
    ] {
        assert_eq!(bot.telegram("anna", said).await, answer, "{said}");
    }
    let shouted = bot.telegram("anna", "!!!").await;
    assert!(!shouted.contains("I don't know !"), "shouting is no command: {shouted}");
    for taken in ["BRUNO", "host", "guest_000000", "", &"n".repeat(41)] {
        let refused = bot.telegram("anna", &format!("/me name {taken}")).await;
        assert!(refused.starts_with("I cannot use that name"), "{taken}: {refused}");
    }
    let raised = bot.telegram("anna", "/me autonomy A4").await;
    assert!(raised.contains("metnos autonomy A4 guest_"), "{raised}");
    let me = bot.telegram("anna", "/me").await;
    for part in ["Anna Rossi", "America/New_York", "A1", "of 60"] {
        assert!(me.contains(part), "{part}: {me}");
    }
}

#[tokio::test]
async fn the_host_decides_about_others_and_a_guest_does_not() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    pair(&mut bot, "bruno").await;
    let people = "SELECT id || name || role || lang || timezone || autonomy || coalesce(turns_per_hour, '') || \
                  coalesce(revoked_at, '') FROM actors ORDER BY rowid";
    let before = rows(&bot, people);
    for tried in [
        "/people",
        "!people rename host Nobody",
        "/people quota anna turns none",
        "/people revoke bruno",
        "/people autonomy host A0",
        "/people link host",
        "/people invite",
    ] {
        let refused = bot.telegram("anna", tried).await;
        assert!(refused.starts_with("Only the host"), "{tried}: {refused}");
    }
    assert_eq!(rows(&bot, people), before);
    assert_eq!(
        rows(&bot, "SELECT code_hash FROM pairing_codes WHERE used_at IS NULL"),
        Vec::<String>::new()
    );
    for (said, answer) in DECISIONS {
        let heard = bot.telegram("host-phone", said).await;
        assert!(heard.contains(answer), "{said}: {heard}");
    }
    let everybody = bot.telegram("host-phone", "/people").await;
    for part in [
        "host (host): telegram;",
        "Zia Anna (guest_",
        "it, Asia/Tokyo, A1.",
        "0 of 60",
        "tasks: no limit",
    ] {
        assert!(everybody.contains(part), "{part}: {everybody}");
    }
    let italian = bot.telegram("anna", "/people").await;
    assert!(italian.starts_with("Solo il proprietario"), "{italian}");
}

#[tokio::test]
async fn a_code_for_a_person_is_one_more_channel_of_theirs() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    let invitation = bot.telegram("host-phone", "/people link anna").await;
    let code = invitation.rsplit(' ').next().unwrap().to_owned();
    let welcome = bot.telegram("annas-tablet", &format!("!pair {code}")).await;
    assert!(welcome.starts_with("Welcome"), "{welcome}");
    let request = "how many pdf files are in ~/docs";
    bot.telegram("anna", "/me language it").await;
    bot.telegram("anna", request).await;
    bot.telegram("annas-tablet", "/me name Anna Due").await;
    let (phone, tablet) = (
        bot.telegram("anna", "/me").await,
        bot.telegram("annas-tablet", "/me").await,
    );
    assert_eq!(phone, tablet);
    assert!(phone.contains("Anna Due"), "{phone}");
    assert_eq!(
        rows(&bot, "SELECT DISTINCT actor FROM identities").len(),
        2,
        "still two people"
    );
    let others = "SELECT message FROM inbox WHERE actor IS NULL OR actor NOT IN (SELECT id FROM actors)";
    assert_eq!(
        rows(&bot, others),
        Vec::<String>::new(),
        "what they wrote before they were somebody is theirs"
    );
    let invited = bot.telegram("host-phone", "/people invite").await;
    let code = invited.rsplit(' ').next().unwrap().to_owned();
    bot.telegram("carla", &format!("/pair {code}")).await;
    assert_eq!(
        rows(&bot, "SELECT DISTINCT actor FROM identities").len(),
        3,
        "and now a third"
    );
}

/// Whoever can write into the database, and has no key, cannot let anybody in.
#[tokio::test]
async fn only_a_code_this_household_signed_lets_anybody_in() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    for forgery in [
        "UPDATE pairing_codes SET actor = 'host' WHERE used_at IS NULL",
        "UPDATE pairing_codes SET expires_at = expires_at + 1 WHERE used_at IS NULL",
        "UPDATE pairing_codes SET signature = x'' WHERE used_at IS NULL",
        "UPDATE pairing_codes SET signature = (SELECT signature FROM pairing_codes WHERE used_at IS NOT NULL) \
         WHERE used_at IS NULL",
    ] {
        let code = bot.app().actors.new_code().await.unwrap();
        change(&bot, forgery);
        let refused = bot.telegram("mallory", &format!("/pair {code}")).await;
        assert_eq!(refused, WRONG, "{forgery}");
        change(&bot, "DELETE FROM pairing_codes WHERE used_at IS NULL");
    }
    assert_eq!(rows(&bot, "SELECT id FROM actors"), ["host"]);
}

#[tokio::test]
async fn nobody_pairs_under_somebody_elses_name() {
    let mut bot = TestBot::new().await;
    for sender in [
        "host-phone",
        "host",
        "Anna",
        "anna",
        "guest_abcdef",
        "two\nlines\u{202e}",
    ] {
        pair(&mut bot, sender).await;
    }
    let names = rows(
        &bot,
        "SELECT CASE WHEN name = id THEN 'their id' ELSE name END FROM actors ORDER BY rowid",
    );
    assert_eq!(
        names,
        ["their id", "their id", "Anna", "their id", "their id", "two lines"]
    );
}

/// Two phones at the same moment: one of them is the host's, and a code lets one in.
#[tokio::test]
async fn two_newcomers_at_once_are_one_host_and_one_guest() {
    let bot = TestBot::new().await;
    let actors = &bot.app().actors;
    let (one, two) = (actors.new_code().await.unwrap(), actors.new_code().await.unwrap());
    let inbound = |sender: &str| Inbound {
        channel: ChannelKind::Telegram,
        conversation: sender.into(),
        sender: sender.into(),
        sender_name: None,
        lang_hint: None,
        message: "1".into(),
        body: InboundBody::Text("/pair".to_owned()),
    };
    let (first, second, third) = (inbound("first"), inbound("second"), inbound("third"));
    let (first, second, third) = tokio::join!(
        actors.pair(&first, &one),
        actors.pair(&second, &two),
        actors.pair(&third, &one)
    );
    let let_in: Vec<Pairing> = [first, second, third].into_iter().map(Result::unwrap).collect();
    let role = |pairing: &Pairing| match pairing {
        Pairing::Paired(actor) if actor.role == Role::Host => "host",
        Pairing::Paired(_) => "guest",
        Pairing::WrongCode => "nobody",
        Pairing::TooManyTries { .. } => "too many tries",
    };
    let mut roles: Vec<&str> = let_in.iter().map(role).collect();
    roles.sort_unstable();
    assert_eq!(roles, ["guest", "host", "nobody"]);
    assert_eq!(rows(&bot, "SELECT id FROM actors WHERE role = 'guest'").len(), 1);
}
