//! Days and the weather, as they are asked for in both languages, and a weather service that fails.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::time::Duration;

use metnos::{
    clock::Clock,
    domain::{holidays::Patron, ids::ChannelKind, lang::Lang},
};

use super::turns::{looks, rows};
use crate::support::{
    bot::{Setup, TestBot},
    sky::{FakeSky, Next},
};

/// Thursday 26 November 2026, ten in the morning in Rome.
const NOW: &str = "2026-11-26T09:00:00Z";

async fn bot(sky: &FakeSky, lang: Lang, home: Option<&str>) -> TestBot {
    bot_at(sky, lang, home, &Clock::fixed(NOW.parse().unwrap())).await
}

async fn bot_at(sky: &FakeSky, lang: Lang, home: Option<&str>, clock: &Clock) -> TestBot {
    let setup = Setup {
        lang,
        clock: clock.clone(),
        weather: Some(sky.config()),
        location_home: home.and_then(metnos::domain::place::Point::parse),
        patron: Patron::parse("Milano"),
        ..Setup::default()
    };
    TestBot::with(setup).await
}

#[tokio::test]
async fn the_weather_is_told_in_english() {
    let sky = FakeSky::start().await;
    let mut bot = bot(&sky, Lang::EN, Some("41.9, 12.48")).await;
    for (said, heard) in [
        (
            "what's the weather like?",
            "Home: 6 °C (feels like 2 °C), overcast. Rest of today: 4 to 6 °C, 90 % chance of rain (1.5 mm).",
        ),
        (
            "do I need an umbrella at five?",
            "Yes, take an umbrella. Home, today, Thursday 26 November, 17:00: rain, 4 °C, 90 % chance of rain (1.5 mm).",
        ),
        (
            "will it rain tomorrow in Turin?",
            "Yes, rain. Turin, tomorrow, Friday 27 November: light rain, 3 to 7 °C, 80 % chance of rain (4.2 mm), wind up to 30 km/h.",
        ),
        (
            "is it going to snow on Sunday?",
            "Yes, snow. Home, Sunday 29 November: snow, -2 to 1 °C, 70 % chance of rain (3 mm).",
        ),
        (
            "what's the weather this weekend?",
            "Home, Saturday 28 November: clear sky, 2 to 12 °C, dry.\nHome, Sunday 29 November: snow, -2 to 1 °C, 70 % chance of rain (3 mm).",
        ),
        ("weather in Atlantis", "I could not find a place called “Atlantis”."),
    ] {
        let answer = bot.says(said).await;
        assert!(answer.starts_with(heard), "{said}\n  {answer}");
    }
    let answer = bot.says("will it rain tomorrow?").await;
    assert!(answer.contains("Source: Open-Meteo.com"), "{answer}");
}

#[tokio::test]
async fn the_weather_is_told_in_italian() {
    let sky = FakeSky::start().await;
    let mut bot = bot(&sky, Lang::IT, Some("41.9, 12.48")).await;
    for (said, heard) in [
        (
            "che tempo fa domani a Torino?",
            "Torino, domani, venerdì 27 novembre: pioggia leggera, da 3 a 7 °C, probabilità di pioggia 80 % (4,2 mm), vento fino a 30 km/h.",
        ),
        (
            "mi serve l'ombrello alle cinque?",
            "Sì, prendi l'ombrello. Casa, oggi, giovedì 26 novembre, ore 17:00: pioggia",
        ),
        (
            "piove sabato?",
            "Niente pioggia. Casa, sabato 28 novembre: sereno, da 2 a 12 °C, asciutto.",
        ),
        ("meteo domani", "Casa, domani, venerdì 27 novembre: pioggia leggera"),
        ("nevicherà domenica?", "Sì, neve. Casa, domenica 29 novembre: neve"),
    ] {
        let answer = bot.says(said).await;
        assert!(answer.starts_with(heard), "{said}\n  {answer}");
    }
}

#[tokio::test]
async fn days_are_told_without_a_server() {
    let sky = FakeSky::start().await;
    let mut english = bot(&sky, Lang::EN, Some("41.9, 12.48")).await;
    for (said, heard) in [
        (
            "when is the next public holiday?",
            "The next public holiday is the patron saint's day of your town: Monday 7 December, in 11 days.",
        ),
        (
            "is 4 October 2027 a holiday?",
            "Yes, Monday 4 October 2027 is a public holiday: St Francis' Day.",
        ),
        (
            "is 25 December a public holiday?",
            "Yes, Friday 25 December is a public holiday: Christmas Day.",
        ),
        (
            "is tomorrow a holiday?",
            "No, tomorrow, Friday 27 November is no public holiday. The next public holiday is",
        ),
        (
            "when is sunset?",
            "Home, today, Thursday 26 November: the sun sets at 16:41.",
        ),
        (
            "what time is sunrise tomorrow?",
            "Home, tomorrow, Friday 27 November: the sun rises at 07:13.",
        ),
        (
            "when is sunset in Tokyo?",
            "Tokyo, today, Thursday 26 November: the sun",
        ),
        (
            "when is the next full moon?",
            "The next full moon is Thursday 24 December, at 02:",
        ),
    ] {
        let answer = english.says(said).await;
        assert!(answer.starts_with(heard), "{said}\n  {answer}");
    }
    let mut italian = bot(&sky, Lang::IT, Some("41.9, 12.48")).await;
    for (said, heard) in [
        (
            "il 4 ottobre 2027 è festa?",
            "Sì, lunedì 4 ottobre 2027 è festa: San Francesco.",
        ),
        (
            "quando è la prossima festività?",
            "La prossima festività è festa del santo patrono: lunedì 7 dicembre, fra 11 giorni.",
        ),
        (
            "a che ora tramonta il sole?",
            "Casa, oggi, giovedì 26 novembre: il sole tramonta alle 16:41.",
        ),
        (
            "quando è la prossima luna piena?",
            "La prossima luna piena è giovedì 24 dicembre, alle 02:",
        ),
    ] {
        let answer = italian.says(said).await;
        assert!(answer.starts_with(heard), "{said}\n  {answer}");
    }
    let asked = sky.asked();
    assert!(asked.iter().all(|(what, _)| what == "search"), "{asked:?}");
}

#[tokio::test]
async fn whoever_has_no_place_is_asked_for_one_once() {
    let sky = FakeSky::start().await;
    let mut bot = bot(&sky, Lang::EN, None).await;
    let question = bot.says("will it rain tomorrow?").await;
    assert!(!question.contains("27 November"), "{question}");
    let thanks = bot.says("45.07, 7.69").await;
    assert!(thanks.starts_with("Thanks"), "{thanks}");
    let answer = bot.hears(metnos::domain::ids::ChannelKind::Terminal).await.plain();
    assert!(answer.starts_with("Yes, rain. Where you are, tomorrow"), "{answer}");
    let again = bot.says("will it be sunny on Saturday?").await;
    assert!(again.starts_with("Yes, sunshine."), "{again}");
    let forecasts = sky.asked().into_iter().filter(|(what, _)| what == "forecast").count();
    assert_eq!(forecasts, 1, "the second answer comes from what was kept");
}

#[tokio::test]
async fn a_weather_service_that_fails_is_told_of_and_asked_again() {
    let sky = FakeSky::start().await;
    let mut bot = bot(&sky, Lang::EN, Some("41.9, 12.48")).await;
    for (next, heard) in [
        (
            Next::Says(500, String::new()),
            "The weather service cannot be reached right now.",
        ),
        (Next::Says(429, String::new()), "The weather service asks us to wait."),
        (
            Next::Says(200, "<html>busy</html>".to_owned()),
            "The weather service answered something I cannot read.",
        ),
        (
            Next::Says(200, "{\"daily\":{}}".to_owned()),
            "The weather service answered something I cannot read.",
        ),
        (
            Next::Slow(Duration::from_secs(3)),
            "The weather service took too long to answer.",
        ),
    ] {
        sky.next(next);
        let answer = bot.says("will it rain tomorrow?").await;
        assert!(answer.contains(heard), "{heard}\n  {answer}");
    }
    let answer = bot.says("will it rain tomorrow?").await;
    assert!(answer.starts_with("Yes, rain."), "{answer}");
    let too_far = bot.says("will it rain on 24 December?").await;
    assert!(
        too_far.contains("I know the weather only up to Saturday 5 December."),
        "{too_far}"
    );
}

/// The next thing that is said in the terminal unasked.
async fn unasked(bot: &mut TestBot) -> String {
    bot.hears(ChannelKind::Terminal).await.plain()
}

#[tokio::test]
async fn a_watch_for_rain_speaks_once_of_the_day_it_was_set_for_and_is_over_with_it() {
    let sky = FakeSky::start().await;
    for (lang, order, rain) in [
        (Lang::EN, "tell me if it rains tomorrow", "Yes, rain."),
        (Lang::IT, "avvisami se domani piove", "Sì"),
    ] {
        let clock = Clock::fixed(NOW.parse().unwrap());
        let mut bot = bot_at(&sky, lang, Some("41.9, 12.48"), &clock).await;
        bot.says(order).await;
        let heard = unasked(&mut bot).await;
        assert!(heard.contains(rain) && heard.contains("27"), "{heard}");
        clock.advance(Duration::from_secs(300));
        looks(&bot, "quiet", 1).await;
        // On Friday "tomorrow" is no other day, and on Saturday it is over.
        clock.advance(Duration::from_secs(24 * 3_600));
        looks(&bot, "quiet", 2).await;
        clock.advance(Duration::from_secs(24 * 3_600));
        let over = async {
            while rows(&bot, "SELECT id FROM tasks WHERE kind = 'watcher' AND state = 'active'").len() == 1 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), over).await.unwrap();
        assert_eq!(
            rows(
                &bot,
                "SELECT id FROM task_runs WHERE state = 'done' AND kind = 'watcher'"
            )
            .len(),
            1
        );
    }
}

#[tokio::test]
async fn a_watch_for_snow_is_quiet_on_a_clear_day() {
    let sky = FakeSky::start().await;
    let clock = Clock::fixed(NOW.parse().unwrap());
    let mut bot = bot_at(&sky, Lang::EN, Some("41.9, 12.48"), &clock).await;
    let said = bot.says("tell me if it snows on Saturday").await;
    assert!(said.contains("2026-11-28"), "{said}");
    looks(&bot, "quiet", 1).await;
}
