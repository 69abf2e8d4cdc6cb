//! The devices of a house as conversations, over a Home Assistant at the wire: connected in the chat, switched, asked
//! about, taken back; what does not answer, what two bear the name of, what keeps others out, and who may do what.

use std::time::Duration;

use metnos::domain::{ids::ChannelKind, lang::Lang};

use super::{bot_at, clock, looks, pair};
use crate::support::{
    bot::TestBot,
    homeassistant::{FakeHome, TOKEN},
};

const AT: &str = "2026-11-25T09:00:00Z";
const PHONE: &str = "42";

/// To-do lists and cameras.
mod lists;
/// What Home Assistant tests itself with.
mod sentences;

/// A bot whose host has connected this home in the chat.
async fn connected(fake: &FakeHome, lang: Lang) -> TestBot {
    let mut bot = bot_at(&clock(AT), lang).await;
    connect(&mut bot, fake, lang).await;
    bot
}

/// The host connects this home in the chat.
pub(super) async fn connect(bot: &mut TestBot, fake: &FakeHome, lang: Lang) {
    bot.says(if lang == Lang::IT { "dispositivi" } else { "devices" }).await;
    bot.says(&fake.url).await;
    bot.hears(ChannelKind::Terminal).await;
    let said = bot.says(TOKEN).await;
    assert!(said.contains(&fake.url), "{said}");
    bot.hears(ChannelKind::Terminal).await;
}

/// What is said, and a part of what is answered.
async fn answers(bot: &mut TestBot, turns: &[(&str, &str)]) {
    for (say, expected) in turns {
        let heard = bot.says(say).await;
        assert!(heard.contains(expected), "{say}: {heard}");
    }
}

#[tokio::test]
async fn the_token_is_asked_for_tried_and_sealed_and_the_request_goes_on() {
    let fake = FakeHome::start().await;
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    answers(
        &mut bot,
        &[
            (
                "turn on the kitchen light",
                "What is the address of your Home Assistant?",
            ),
            ("ftp://nowhere", "That is no address"),
            (&fake.url, "long-lived access token"),
        ],
    )
    .await;
    bot.hears(ChannelKind::Terminal).await;
    answers(
        &mut bot,
        &[
            ("wrong", "does not take the token"),
            (TOKEN, "works. I keep the password sealed."),
        ],
    )
    .await;
    let done = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(done.contains("Kitchen Light is on."), "{done}");
    assert_eq!(fake.state("light.kitchen"), "on");
    let log = std::fs::read(bot.data_dir().join("metnos.sqlite")).unwrap();
    assert!(!String::from_utf8_lossy(&log).contains("\"right\""));
}

#[tokio::test]
async fn devices_are_switched_by_their_names_and_told_when_they_did() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    answers(
        &mut bot,
        &[
            ("turn on the kitchen light", "Kitchen Light is on."),
            ("turn on the kitchen light", "Kitchen Light was on already."),
            ("switch off the cooking lamp", "Kitchen Light is off."),
            ("dim the counter light to 30%", "is on at 30 %."),
            // It is on, and has another colour.
            ("turn on the kitchen light", "Kitchen Light is on."),
            ("turn the kitchen light red", "Kitchen Light is on."),
            ("set the bedroom heating to 21", "set to 21 °"),
            ("set the bedroom heating to 50", "goes from 7 to 30"),
            ("close the kitchen blind", "Kitchen Blind is closed."),
            ("activate movie night", "Movie Night · Living Room: done."),
            ("turn on the garden light", "Garden Light does not answer."),
        ],
    )
    .await;
    let italian = FakeHome::start().await;
    let mut bot = connected(&italian, Lang::IT).await;
    answers(
        &mut bot,
        &[
            ("accendi kitchen light", "Kitchen Light: accesa."),
            ("spegni kitchen light", "Kitchen Light: spenta."),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_device_that_does_not_do_it_is_not_said_to_have_done_it() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    fake.sticks("light.kitchen");
    answers(
        &mut bot,
        &[("turn on the kitchen light", "Kitchen Light does not answer.")],
    )
    .await;
    assert_eq!(fake.calls(), ["light.turn_on light.kitchen {}"]);
}

#[tokio::test]
async fn what_was_switched_is_put_back() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    answers(
        &mut bot,
        &[("turn off the counter light", "is off"), ("undo", "Counter Light")],
    )
    .await;
    assert_eq!(fake.state("light.counter"), "on");
    assert_eq!(
        fake.calls().last().unwrap(),
        "light.turn_on light.counter {\"brightness\":128.0}"
    );
}

#[tokio::test]
async fn two_of_one_name_are_a_question_and_no_part_of_a_name_acts() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    let said = bot.says("turn on the reading lamp").await;
    assert!(said.contains("Living Room") && said.contains("Bedroom"), "{said}");
    assert_eq!(fake.calls(), [""; 0]);
    bot.says("cancel").await;
    bot.says("/me area bedroom").await;
    bot.says("turn on the reading lamp").await;
    assert_eq!(fake.calls(), ["light.turn_on light.lamp_2 {}"]);
    bot.says("/me area off").await;
    bot.says("turn on the counter").await;
    bot.says("turn on the heater").await;
    assert_eq!(fake.calls(), [""; 0]);
}

#[tokio::test]
async fn locks_and_doors_are_asked_about_every_time_and_so_are_many_at_once() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    bot.says("/people autonomy host a4").await;
    for _ in 0..2 {
        let said = bot.says("close the garage door").await;
        assert!(said.contains("May I") && said.contains("Garage Door"), "{said}");
        assert_eq!(fake.calls(), [""; 0]);
        let said = bot.says("yes").await;
        assert!(said.contains("Garage Door is closed."), "{said}");
        assert_eq!(fake.calls().len(), 1);
        fake.becomes("cover.garage", "open");
    }
    // Taking it back would be another way in: that is asked for in its own words.
    let said = bot.says("undo").await;
    assert!(
        said.contains("can't be taken back") || said.contains("cannot"),
        "{said}"
    );
    assert_eq!(fake.calls(), [""; 0]);
}

#[tokio::test]
async fn the_house_tells_how_it_is() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    answers(
        &mut bot,
        &[
            ("is the kitchen light on?", "No. Kitchen Light is off."),
            ("is the front door locked?", "Yes. Front Door · Hall is locked."),
            ("which lights are on?", "Counter Light"),
            ("how warm is it in the bathroom?", "Bathroom Temperature is 22.4 °C."),
            ("how warm is it upstairs?", "Bedroom Heating is at 19.5 °, set to 20 °."),
            ("did I leave anything on?", "Counter Light"),
            ("who is home?", "Anna is at home."),
            ("devices", "Bathroom: Bathroom Temperature"),
        ],
    )
    .await;
    fake.becomes("light.kitchen", "on");
    tokio::time::sleep(Duration::from_millis(50)).await;
    answers(&mut bot, &[("is the kitchen light on?", "Yes. Kitchen Light is on.")]).await;
    assert_eq!(fake.calls(), [""; 0], "nothing was switched");
}

#[tokio::test]
async fn a_connection_that_breaks_is_made_again() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    answers(&mut bot, &[("turn on the kitchen light", "Kitchen Light is on.")]).await;
    let before = fake.logins();
    fake.drops_all();
    tokio::time::timeout(Duration::from_secs(10), async {
        while fake.logins() == before {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    answers(&mut bot, &[("turn off the kitchen light", "Kitchen Light is off.")]).await;
    fake.is_dumb(true);
    answers(&mut bot, &[("turn on the kitchen light", "does not answer")]).await;
}

#[tokio::test]
async fn guests_reach_only_the_rooms_they_were_given() {
    let fake = FakeHome::start().await;
    let mut bot = connected(&fake, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    let said = bot.telegram("anna", "turn on the kitchen light").await;
    assert!(!said.contains("is on"), "{said}");
    let said = bot.telegram("anna", "is the front door locked?").await;
    assert!(!said.contains("locked."), "{said}");
    assert_eq!(fake.calls(), [""; 0]);
}

#[tokio::test]
async fn a_watch_speaks_when_it_is_so_and_a_question_about_now_is_answered_now() {
    let fake = FakeHome::start().await;
    let clock = clock(AT);
    let mut bot = bot_at(&clock, Lang::EN).await;
    connect(&mut bot, &fake, Lang::EN).await;
    answers(
        &mut bot,
        &[
            ("tell me if the kitchen light is on", "No. Kitchen Light is off."),
            ("tell me when the kitchen light is on", "I keep watch"),
        ],
    )
    .await;
    // The picture of how it is now is taken at once.
    looks(&bot, "quiet", 1).await;
    for (state, quiet) in [("on", 1), ("off", 2), ("on", 2)] {
        fake.becomes("light.kitchen", state);
        tokio::time::sleep(Duration::from_millis(50)).await;
        clock.advance(Duration::from_secs(301));
        if state == "on" {
            let heard = bot.hears(ChannelKind::Terminal).await.plain();
            assert!(heard.contains("Kitchen Light is on."), "{heard}");
        }
        looks(&bot, "quiet", quiet).await;
    }
    assert_eq!(fake.calls(), [""; 0]);
}

#[tokio::test]
async fn what_is_ordered_for_later_is_done_then_and_once() {
    let fake = FakeHome::start().await;
    let clock = clock(AT);
    let mut bot = bot_at(&clock, Lang::EN).await;
    connect(&mut bot, &fake, Lang::EN).await;
    answers(&mut bot, &[("turn off the counter light at 11 pm", "23:00")]).await;
    assert_eq!(fake.calls(), [""; 0]);
    clock.advance(Duration::from_secs(15 * 3_600));
    let heard = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(heard.contains("is off"), "{heard}");
    assert_eq!(fake.calls(), ["light.turn_off light.counter {}"]);
}
