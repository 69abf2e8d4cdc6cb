//! What a person commands by rule, with executors that can: one step through the same policy, journal and approval as
//! any plan, names resolved against what the household has, and nothing remembered.

use std::time::Duration;

use metnos::domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind};

use serde_json::json;

use super::{bot_at, clock, devices::connect, layer, layer_of, pair, rows};
use crate::support::{
    bot::TestBot,
    homeassistant::{FakeHome, Row},
};

/// Gives the household these devices.
pub(super) async fn has_devices(bot: &mut TestBot, rows: Vec<Row>) -> FakeHome {
    let home = FakeHome::of(rows).await;
    connect(bot, &home, bot.config().lang).await;
    home
}

pub(super) fn effects(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT tool || ' ' || state FROM effects ORDER BY id")
}

fn remembered(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT canonical_text FROM fastpaths UNION ALL SELECT intent FROM observations",
    )
}

fn lamps() -> Vec<Row> {
    vec![
        ("light.reading", "Reading Lamp|book light", "bedroom", "off", json!({})),
        ("light.ceiling", "Ceiling", "kitchen", "off", json!({})),
        ("light.floor", "Floor Lamp", "kitchen", "off", json!({})),
        (
            "cover.blinds",
            "Blinds",
            "kitchen",
            "open",
            json!({"device_class": "blind"}),
        ),
        ("lock.front", "Front Door", "hall", "locked", json!({})),
    ]
}

#[tokio::test]
async fn a_timer_is_set_once_with_all_that_was_said_and_nothing_is_remembered() {
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    let said = bot.says("remind me in 5 minutes to call Mum").await;
    assert_eq!(said, "I'll remind you today, Monday 4 May, 12:05: “call Mum”.");
    assert_eq!(layer(&bot), "pattern 0");
    assert_eq!(effects(&bot), ["create_tasks done"]);
    bot.says("/lang it").await;
    let said = bot.says("imposta un timer di un'ora e mezza").await;
    assert_eq!(
        said,
        "Il timer dura 1 ora e 30 minuti, fino a oggi, lunedì 4 maggio, ore 13:30."
    );
    assert_eq!(effects(&bot).len(), 2);
    assert_eq!(remembered(&bot), Vec::<String>::new(), "rules are not memory");
    // The same words again are read again.
    assert_eq!(
        layer_of(&mut bot, "imposta un timer di un'ora e mezza").await,
        "pattern 0"
    );
}

#[tokio::test]
async fn an_alarm_rings_at_the_next_such_time_and_the_answer_says_the_date() {
    // A Saturday evening in Rome; the clock goes forward in the night.
    let clock = clock("2026-03-28T20:30:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    for (request, told) in [
        ("wake me at 7", "The alarm rings tomorrow, Sunday 29 March, 07:00."),
        ("wake me at 11 pm", "The alarm rings today, Saturday 28 March, 23:00."),
        (
            "set an alarm for 6:30 every weekday",
            "The alarm rings every weekday at 06:30, first on Monday 30 March, 06:30.",
        ),
    ] {
        assert_eq!(bot.says(request).await, told, "{request}");
    }
    let due = rows(&bot, "SELECT trigger FROM tasks WHERE kind = 'alarm' ORDER BY rowid");
    assert_eq!(due, ["at:2026-03-29T07:00:00", "at:2026-03-28T23:00:00", "daily@06:30"]);
    bot.says("/lang it").await;
    let said = bot.says("svegliami domani alle sette e mezza").await;
    assert_eq!(said, "La sveglia suona domani, domenica 29 marzo, ore 07:30.");
    let said = bot.says("svegliami oggi alle 7").await;
    assert!(said.starts_with("Quell'ora è già passata."), "{said}");
    assert_eq!(effects(&bot).len(), 4);
}

#[tokio::test]
async fn what_the_level_asks_about_waits_for_a_yes_and_happens_once() {
    for (lang, oven, request, card, done) in [
        (
            Lang::EN,
            "Oven",
            "turn off the oven",
            "May I turn this off?",
            "Approved",
        ),
        (
            Lang::IT,
            "Forno",
            "spegni il forno",
            "Posso spegnere questo?",
            "Approvato",
        ),
    ] {
        let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), lang).await;
        let home = has_devices(&mut bot, vec![("switch.oven", oven, "kitchen", "on", json!({}))]).await;
        bot.says("set autonomy to a1").await;
        let before = remembered(&bot);
        let asked = bot.says(request).await;
        assert!(asked.starts_with(card) && asked.contains(oven), "{asked}");
        assert_eq!(home.calls(), [""; 0]);
        assert!(bot.taps(ButtonKind::Approve).await.starts_with(done));
        bot.hears(ChannelKind::Terminal).await;
        assert_eq!(home.calls(), ["switch.turn_off switch.oven {}"]);
        assert_eq!(effects(&bot), ["set_devices done"]);
        assert_eq!(layer(&bot), "pattern 0");
        assert_eq!(remembered(&bot), before);
    }
}

#[tokio::test]
async fn devices_are_known_by_what_their_owner_says() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    let home = has_devices(&mut bot, lamps()).await;
    for (request, calls) in [
        ("turn on the reading lamp", "light.turn_on light.reading {}"),
        ("turn off the book light", "light.turn_off light.reading {}"),
        (
            "turn on the lights in the kitchen",
            "light.turn_on light.ceiling {}, light.turn_on light.floor {}",
        ),
        ("turn on the lights upstairs", "light.turn_on light.reading {}"),
    ] {
        bot.says(request).await;
        let mut called = home.calls();
        called.sort();
        assert_eq!(called.join(", "), calls, "{request}");
        assert_eq!(layer(&bot), "pattern 0");
    }
    for (request, question) in [
        ("turn on the zorb lamp", "I know no device called “zorb lamp”."),
        ("turn on the lamp", "There are several: Floor Lamp, Reading Lamp."),
        ("turn off everything", "That would switch 5 devices"),
        ("turn off the bathroom lights", "I know no room called “bathroom”."),
        ("turn off the front door lock", "I don't unlock anything"),
    ] {
        let asked = bot.says(request).await;
        assert!(asked.starts_with(question), "{request}: {asked}");
        assert_eq!(home.calls(), [""; 0]);
    }
}

#[tokio::test]
async fn an_alarm_that_rings_or_a_device_of_its_name_is_asked_about() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.says("set an alarm for 13:00 every day").await;
    clock.advance(Duration::from_secs(3_600));
    bot.hears(ChannelKind::Terminal).await;
    let asked = bot.says("turn off the alarm").await;
    assert!(asked.starts_with("An alarm is ringing."), "{asked}");
    clock.advance(Duration::from_secs(3_600));
    let said = bot.says("turn off the alarm").await;
    assert!(said.starts_with("The alarm is gone: 13:00."), "{said}");
    let home = has_devices(&mut bot, vec![("switch.alarm", "Alarm", "hall", "on", json!({}))]).await;
    let asked = bot.says("turn off the alarm").await;
    assert!(asked.starts_with("There is a device of that name"), "{asked}");
    assert_eq!(home.calls(), [""; 0]);
    assert_eq!(effects(&bot), ["create_tasks done", "delete_tasks done"]);
}

#[tokio::test]
async fn a_guest_commands_the_rooms_that_are_listed_for_guests() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "phone").await;
    pair(&mut bot, "anna").await;
    let home = has_devices(&mut bot, lamps()).await;
    let said = bot.telegram("anna", "turn on the reading lamp").await;
    assert_eq!(said, "Only the host can ask me for that. Nothing was changed.");
    let said = bot.telegram("anna", "set autonomy to a4").await;
    assert_eq!(said, "Only the host can ask me for that. Nothing was changed.");
    bot.file(".config/metnos/config.toml", "[devices]\nguest_areas = [\"bedroom\"]\n");
    bot.restart().await;
    let said = bot.telegram("anna", "turn on the reading lamp").await;
    assert_eq!(home.calls(), ["light.turn_on light.reading {}"], "{said}");
    let asked = bot.telegram("anna", "turn on the floor lamp").await;
    assert_eq!(home.calls(), [""; 0], "{asked}");
    assert_eq!(effects(&bot), ["set_devices done"]);
}
