//! What is missing can be had right there: a key of a service, and leave to do what somebody's level does not allow.
//! The turn goes on with it, without it, or ends; a guest never says yes for the host.

use std::time::Duration;

use metnos::domain::{
    ids::ChannelKind,
    lang::Lang,
    reply::{ButtonKind, Expects},
};

use super::{bot_at, change, clock, pair, rows};
use crate::support::{
    bot::{Setup, TestBot},
    geo::{self, FakeGeo, Next},
};

const AT: &str = "2026-05-04T10:00:00Z";
const PHONE: &str = "host-phone";
const REQUEST: &str = "find the nearest open pharmacy";

/// A household with a map service that knows no opening hours; the host is in Milan.
async fn household(geo: &FakeGeo, lang: Lang) -> TestBot {
    in_milan(Setup {
        places: Some(geo.photon()),
        clock: clock(AT),
        lang,
        ..Setup::default()
    })
    .await
}

async fn in_milan(setup: Setup) -> TestBot {
    let mut bot = TestBot::with(setup).await;
    bot.says("where am i").await;
    bot.says("45.4642, 9.19").await;
    bot.hears(ChannelKind::Terminal).await;
    bot
}

fn accounts(bot: &TestBot) -> Vec<String> {
    let state = "CASE sealed WHEN '' THEN 'none' ELSE substr(sealed, 1, 7) END";
    rows(
        bot,
        &format!("SELECT name || ' ' || actor || ' ' || {state} FROM accounts"),
    )
}

fn dialogs(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT actor || ' ' || state FROM dialogs WHERE kind <> 'location' ORDER BY rowid",
    )
}

#[tokio::test]
async fn the_key_that_would_help_is_asked_for_and_the_step_goes_on_with_it() {
    let geo = FakeGeo::start().await;
    let mut bot = household(&geo, Lang::EN).await;
    let asked = bot.says(REQUEST).await;
    let question = "The map service I use does not know opening hours.\n\
        Have you got a key for Google Places? Send it, and I go on with it.\nI seal it at once";
    assert!(
        asked.starts_with(question) && asked.contains("“skip” goes on without it"),
        "{asked}"
    );
    let answer = bot.says(geo::KEY).await;
    assert!(
        answer.contains("Farmacia Duomo") && answer.contains("open now"),
        "{answer}"
    );
    assert_eq!(accounts(&bot), ["google_places host sealed:"]);
    assert_eq!(geo.services().last().map(String::as_str), Some("google"));
    // It stays connected, and lies nowhere in the clear.
    bot.restart().await;
    let again = bot.says("find open pharmacies near me").await;
    assert!(again.contains("Farmacia Duomo"), "{again}");
    let log = format!(
        "{:?}{}",
        bot.turn_log().await,
        rows(&bot, "SELECT payload || request FROM dialogs").concat()
    );
    assert!(!log.contains(geo::KEY), "{log}");
    // What was given can be taken back.
    assert!(bot.says("/disconnect").await.starts_with("I forgot the keys"));
    assert_eq!(accounts(&bot), [""; 0]);
    assert!(bot.says("/disconnect").await.starts_with("You gave me no keys"));
    let asked = bot.says(REQUEST).await;
    assert!(asked.contains("Google Places"), "{asked}");
}

#[tokio::test]
async fn doing_without_is_an_answer_and_nobody_asks_again_for_a_month() {
    for (lang, request, word) in [
        (Lang::EN, REQUEST, "skip"),
        (Lang::EN, REQUEST, "no"),
        (Lang::IT, "trova la farmacia aperta più vicina", "salta"),
    ] {
        let geo = FakeGeo::start().await;
        let mut bot = household(&geo, lang).await;
        bot.says(request).await;
        let answer = bot.says(word).await;
        assert!(answer.contains("Farmacia Vicina"), "{answer}");
        assert_eq!(accounts(&bot), ["google_places host none"]);
        let again = bot.says(request).await;
        assert!(again.contains("Farmacia Vicina"), "{again}");
        change(&bot, "UPDATE accounts SET at = at - 31 * 24 * 3600000");
        let asked = bot.says(request).await;
        assert!(asked.contains("Google Places"), "{asked}");
    }
}

#[tokio::test]
async fn a_key_google_does_not_take_is_asked_for_anew() {
    let geo = FakeGeo::start().await;
    let mut bot = household(&geo, Lang::EN).await;
    bot.says(REQUEST).await;
    let wrong = bot.says("AIzaSyNotTheRightKeyAtAll").await;
    assert!(wrong.starts_with("Google Places does not accept the key"), "{wrong}");
    let answer = bot.says(geo::KEY).await;
    assert!(answer.contains("Farmacia Duomo"), "{answer}");
}

#[tokio::test]
async fn what_is_no_key_is_a_request_a_command_or_asked_again() {
    let geo = FakeGeo::start().await;
    let mut bot = household(&geo, Lang::EN).await;
    bot.says(REQUEST).await;
    assert!(bot.says("/help").await.contains("/me"), "a command stays one");
    let hint = bot.says("which key do you mean").await;
    assert!(hint.starts_with("That is no key"), "{hint}");
    let aside = bot.says("what time is it").await;
    assert!(aside.starts_with("I put my question aside"), "{aside}");
    assert!(bot.hears(ChannelKind::Terminal).await.plain().starts_with("It's "));
    assert_eq!(accounts(&bot), [""; 0]);
    bot.says(REQUEST).await;
    let stopped = bot.says("/stop").await;
    assert!(stopped.starts_with("All right, I dropped it."), "{stopped}");
}

#[tokio::test]
async fn on_the_phone_the_key_survives_a_restart_leaves_the_chat_and_its_question_has_its_time() {
    let geo = FakeGeo::start().await;
    let mut bot = household(&geo, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    bot.telegram_silently(PHONE, REQUEST).await;
    let asked = bot.hears(ChannelKind::Telegram).await;
    assert_eq!(asked.expects, Expects::Secret);
    assert_eq!(asked.buttons.len(), 1, "{:?}", asked.buttons);
    bot.restart().await;
    let answer = bot.telegram(PHONE, geo::KEY).await;
    assert!(answer.contains("Farmacia Duomo"), "{answer}");

    let geo = FakeGeo::start().await;
    let time = clock(AT);
    let mut bot = in_milan(Setup {
        places: Some(geo.photon()),
        clock: time.clone(),
        ..Setup::default()
    })
    .await;
    bot.says(REQUEST).await;
    time.advance(Duration::from_secs(601));
    bot.restart().await;
    let said = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(said.starts_with("I waited for your answer"), "{said}");
    assert_eq!(accounts(&bot), [""; 0]);
}

#[tokio::test]
async fn the_button_goes_on_without() {
    let geo = FakeGeo::start().await;
    let mut bot = household(&geo, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    bot.telegram(PHONE, REQUEST).await;
    let skip = bot.buttons()[0].clone();
    assert_eq!(skip.label, "✖ Skip");
    bot.telegram_taps(PHONE, &skip).await;
    let answer = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(answer.contains("Farmacia Vicina"), "{answer}");
}

#[tokio::test]
async fn a_guest_is_told_whom_to_ask_and_gives_no_key() {
    let geo = FakeGeo::start().await;
    let mut bot = household(&geo, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    bot.telegram("anna", "where am i").await;
    bot.telegram("anna", "45.4642, 9.19").await;
    bot.hears(ChannelKind::Telegram).await;
    let answer = bot.telegram("anna", REQUEST).await;
    assert!(
        answer.contains("Farmacia Vicina") && answer.contains("Ask the host"),
        "{answer}"
    );
    assert_eq!(dialogs(&bot), [""; 0]);
}

#[tokio::test]
async fn without_any_map_service_the_host_can_connect_one() {
    let geo = FakeGeo::start().await;
    let places = metnos::config::PlacesConfig {
        photon_url: None,
        ..geo.photon()
    };
    let mut bot = in_milan(Setup {
        places: Some(places),
        ..Setup::default()
    })
    .await;
    let asked = bot.says("find the nearest pharmacy").await;
    assert!(asked.starts_with("No map service is connected."), "{asked}");
    let answer = bot.says(geo::KEY).await;
    assert!(answer.contains("Farmacia Duomo"), "{answer}");
}

#[tokio::test]
async fn a_key_in_the_configuration_is_the_configurations_affair() {
    let geo = FakeGeo::start().await;
    let mut bot = in_milan(Setup {
        places: Some(geo.both()),
        ..Setup::default()
    })
    .await;
    geo.next("google", Next::Says(403, "{}".to_owned()));
    let answer = bot.says(REQUEST).await;
    assert!(answer.contains("Farmacia Vicina"), "{answer}");
    assert_eq!(dialogs(&bot), [""; 0]);
}

/// What the level of the host forbids, the host may allow this once; the level stays.
#[tokio::test]
async fn the_host_allows_themselves_one_thing_above_their_level() {
    let mut bot = TestBot::new().await;
    bot.file("old.txt", "old");
    bot.file("other.txt", "other");
    bot.says("set autonomy to a0").await;
    let card = bot.says("delete ~/old.txt").await;
    insta::assert_snapshot!(card, @"
    At level A0 I would not do this. Approve it, and I do it this one time.
    May I delete this?
    • ~/old.txt
    “undo” can bring it back. Risk: high. This question is open for 10 minutes.
    ");
    bot.restart().await;
    assert_eq!(bot.taps(ButtonKind::Approve).await, "Approved: I'm on it.");
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("old.txt"));
    let card = bot.says("delete ~/other.txt").await;
    assert!(card.starts_with("At level A0"), "{card}");
    assert_eq!(bot.says("no").await, "All right, nothing was done.");
    assert!(bot.has("other.txt"));
}

#[tokio::test]
async fn what_nobody_may_touch_has_no_card() {
    let mut bot = TestBot::new().await;
    bot.file(".ssh/id_ed25519", "key");
    bot.says("set autonomy to a0").await;
    for request in ["delete ~/.ssh/id_ed25519", "write \"x\" to /etc/passwd"] {
        let said = bot.says(request).await;
        assert!(said.starts_with("I don't"), "{request}: {said}");
    }
    assert_eq!(dialogs(&bot), [""; 0]);
}

/// The host with a phone, and a guest whose level allows nothing.
async fn with_guest() -> TestBot {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    bot.telegram(PHONE, "/people autonomy anna a0").await;
    bot.telegram(PHONE, "what time is it").await;
    bot
}

/// What she asks, and the host's card.
async fn asks(bot: &mut TestBot) -> String {
    let told = bot.telegram("anna", "write \"milk\" to ~/list.txt").await;
    assert!(
        told.starts_with("At your level (A0) only the host can allow this."),
        "{told}"
    );
    assert!(bot.buttons().is_empty());
    bot.hears(ChannelKind::Telegram).await.plain()
}

fn written(bot: &TestBot) -> bool {
    let guests = bot.data_dir().join("guests");
    let folders = std::fs::read_dir(guests).unwrap();
    folders
        .into_iter()
        .any(|folder| folder.unwrap().path().join("list.txt").exists())
}

#[tokio::test]
async fn a_guest_waits_for_the_host_who_says_yes_once() {
    let mut bot = with_guest().await;
    let card = asks(&mut bot).await;
    let whose = "anna asks me for this. At their level (A0) only you can allow it.";
    let what = "May I write this?\n• ~/list.txt\nmilk\n“undo” can bring it back. Risk: low.";
    assert!(card.starts_with(whose) && card.contains(what), "{card}");
    let [approve, refuse] = [ButtonKind::Approve, ButtonKind::Refuse].map(|kind| super::button(&bot, kind));
    assert_eq!(
        bot.telegram_taps("anna", &approve).await,
        "Only the person who asked can use these buttons."
    );
    let told = bot.telegram("anna", "yes").await;
    assert!(told.starts_with("Only the host can allow this."), "{told}");
    assert!(!written(&bot));
    bot.restart().await;
    assert_eq!(bot.telegram_taps(PHONE, &approve).await, "Allowed, this one time.");
    let done = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(done.starts_with("list.txt is now in ~"), "{done}");
    assert!(written(&bot));
    for late in [&approve, &refuse] {
        assert_eq!(bot.telegram_taps(PHONE, late).await, "That was answered before.");
    }
    assert_eq!(rows(&bot, "SELECT actor || ' ' || tool FROM effects").len(), 1);
    assert!(rows(&bot, "SELECT actor FROM effects")[0].starts_with("guest_"));
    let outbox = rows(
        &bot,
        "SELECT actor || ' ' || conversation FROM outbox WHERE turn LIKE 'asked:%'",
    );
    assert_eq!(outbox, [format!("host {PHONE}")], "the card is the host's");
}

#[tokio::test]
async fn the_host_says_no_the_guest_drops_it_or_time_is_over() {
    let mut bot = with_guest().await;
    asks(&mut bot).await;
    let refuse = super::button(&bot, ButtonKind::Refuse);
    assert_eq!(bot.telegram_taps(PHONE, &refuse).await, "All right, I tell them no.");
    assert_eq!(
        bot.hears(ChannelKind::Telegram).await.plain(),
        "The host said no. Nothing was done."
    );

    let mut bot = with_guest().await;
    asks(&mut bot).await;
    let approve = super::button(&bot, ButtonKind::Approve);
    assert_eq!(bot.telegram("anna", "no").await, "All right, nothing was done.");
    assert_eq!(
        bot.telegram_taps(PHONE, &approve).await,
        "That question is closed. Nothing was done."
    );

    let time = clock(AT);
    let mut bot = bot_at(&time, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    bot.telegram(PHONE, "/people autonomy anna a0").await;
    bot.telegram(PHONE, "what time is it").await;
    asks(&mut bot).await;
    let approve = super::button(&bot, ButtonKind::Approve);
    time.advance(Duration::from_secs(601));
    assert!(
        bot.telegram_taps(PHONE, &approve).await.starts_with("Time is over"),
        "late"
    );
    bot.restart().await;
    let told = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(told.starts_with("Time is over"), "{told}");
    assert!(!written(&bot));
}

/// A yes of the host opens nothing that guests are kept from, and a host who last spoke in the terminal is asked on the
/// phone that is paired.
#[tokio::test]
async fn the_hosts_yes_makes_no_host_of_a_guest() {
    let mut bot = with_guest().await;
    bot.file("mine.txt", "mine");
    let path = bot.home().join("mine.txt");
    let said = bot.telegram("anna", &format!("delete {}", path.display())).await;
    assert!(
        said.starts_with("As a guest you can use files in your own folder"),
        "{said}"
    );
    assert_eq!(dialogs(&bot), [""; 0]);

    let mut bot = TestBot::new().await;
    bot.says("what time is it").await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    bot.says("/people autonomy anna a0").await;
    let said = bot.telegram("anna", "write \"milk\" to ~/list.txt").await;
    let asked = "At your level (A0) only the host can allow this. I asked them";
    assert!(said.starts_with(asked), "{said}");
    let card = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(card.starts_with("anna asks me for this."), "{card}");
    let approve = super::button(&bot, ButtonKind::Approve);
    assert_eq!(bot.telegram_taps(PHONE, &approve).await, "Allowed, this one time.");
    let done = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(done.starts_with("list.txt is now in ~") && written(&bot), "{done}");
}
