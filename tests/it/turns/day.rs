//! A person's day in one answer, each morning by itself, and what is said before an appointment: by code, from every
//! domain that knows something of it.

use std::time::Duration;

use metnos::{
    clock::Clock,
    domain::{ids::ChannelKind, lang::Lang},
};

use super::{bot_at, clock, looks, pair, rows};
use crate::support::bot::TestBot;

/// A Wednesday, ten in the morning in Rome.
const AT: &str = "2026-11-25T09:00:00Z";

/// A dentist this afternoon, a fair all day, and the patron's holiday in the other week.
const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n\
    BEGIN:VEVENT\r\nUID:dentist\r\nSUMMARY:Dentist\r\nLOCATION:Via Roma 1\r\n\
    DTSTART;TZID=Europe/Rome:20261125T153000\r\nDTEND;TZID=Europe/Rome:20261125T161500\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:fair\r\nSUMMARY:Town fair\r\nDTSTART;VALUE=DATE:20261125\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:lunch\r\nSUMMARY:Lunch\r\n\
    DTSTART;TZID=Europe/Rome:20261126T130000\r\nDTEND;TZID=Europe/Rome:20261126T140000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

const BOOK: &str = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:anna\r\nFN:Anna Rossi\r\nN:Rossi;Anna;;;\r\nBDAY:1960-11-25\r\n\
    END:VCARD\r\n";

async fn bot(clock: &Clock, lang: Lang) -> TestBot {
    let bot = bot_at(clock, lang).await;
    bot.file(".calendar/home.ics", CALENDAR);
    bot.file(".contacts/people.vcf", BOOK);
    bot
}

/// The next thing that is said in the terminal unasked.
async fn heard(bot: &mut TestBot) -> String {
    bot.hears(ChannelKind::Terminal).await.plain()
}

/// That all of these are said, in this order.
fn in_order(said: &str, parts: &[&str]) {
    let mut rest = said;
    for part in parts {
        let found = rest.find(part);
        assert!(found.is_some(), "{part} is not where it should be: {said}");
        rest = found.and_then(|at| rest.get(at + part.len()..)).unwrap_or_default();
    }
}

#[tokio::test]
async fn a_day_is_told_from_all_that_knows_of_it() {
    let clock = clock(AT);
    let mut english = bot(&clock, Lang::EN).await;
    english.says("remind me at 18:00 to water the plants").await;
    let day = english.says("what does my day look like?").await;
    in_order(
        &day,
        &[
            "Anna Rossi (66)",
            "15:30–16:15: Dentist, Via Roma 1",
            "18:00",
            "water the plants",
        ],
    );
    assert!(day.contains("All day: Town fair") && !day.contains("Lunch"), "{day}");
    let tomorrow = english.says("what does my day look like tomorrow?").await;
    assert!(
        tomorrow.contains("13:00–14:00: Lunch") && !tomorrow.contains("Dentist"),
        "{tomorrow}"
    );
    let christmas = english.says("my day on 25 December").await;
    assert!(christmas.contains("Holiday: Christmas"), "{christmas}");

    let mut italian = bot(&clock, Lang::IT).await;
    let day = italian.says("la mia giornata").await;
    in_order(
        &day,
        &["Compleanno: Anna Rossi (66)", "15:30–16:15: Dentist, Via Roma 1"],
    );
    let tomorrow = italian.says("cosa mi aspetta domani?").await;
    assert!(tomorrow.contains("13:00–14:00: Lunch"), "{tomorrow}");
}

#[tokio::test]
async fn a_free_day_is_told_as_one_and_what_cannot_be_read_is_named() {
    let clock = clock(AT);
    let mut bot = bot_at(&clock, Lang::EN).await;
    let free = bot.says("my day").await;
    assert!(free.contains("Nothing is waiting for you today"), "{free}");
    bot.file(".calendar/broken.ics", "this is no calendar");
    let unknown = bot.says("my day").await;
    assert!(unknown.contains("could not read"), "{unknown}");
}

#[tokio::test]
async fn nobody_is_told_the_day_of_another() {
    let clock = clock(AT);
    let mut bot = bot(&clock, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.says("remind me at 18:00 to water the plants").await;
    let said = bot.telegram("anna", "my day").await;
    assert!(said.contains("Nothing is waiting for you today"), "{said}");
}

#[tokio::test]
async fn every_morning_the_day_is_told_and_a_late_morning_says_so() {
    for (lang, order, late) in [
        (Lang::EN, "every morning at 7 my day", "This comes late"),
        (Lang::IT, "ogni mattina alle 7 la mia giornata", "in ritardo"),
    ] {
        let clock = clock(AT);
        let mut bot = bot(&clock, lang).await;
        let said = bot.says(order).await;
        assert!(said.contains("7:00"), "{said}");
        assert_eq!(rows(&bot, "SELECT kind FROM tasks WHERE kind <> 'job'"), ["request"]);
        clock.advance(Duration::from_secs(21 * 3_600));
        let morning = heard(&mut bot).await;
        assert!(morning.contains("Lunch") && !morning.contains(late), "{morning}");
        // The machine slept over it.
        bot.stop().await;
        clock.advance(Duration::from_secs(26 * 3_600));
        bot.start().await;
        let morning = heard(&mut bot).await;
        assert!(morning.contains(late), "{morning}");
    }
}

#[tokio::test]
async fn before_every_appointment_it_is_said_once() {
    for (lang, order, keeps) in [
        (
            Lang::EN,
            "remind me 15 minutes before every appointment",
            "I keep watch",
        ),
        (
            Lang::IT,
            "avvisami un quarto d'ora prima di ogni appuntamento",
            "Guardo ogni 5 minuti",
        ),
    ] {
        let clock = clock(AT);
        let mut bot = bot(&clock, lang).await;
        let said = bot.says(order).await;
        assert!(said.contains(keeps), "{said}");
        // 10:05, and 15:10: it begins in twenty minutes.
        for (seconds, quiet) in [(300, 1), (5 * 3_600 + 300, 2)] {
            clock.advance(Duration::from_secs(seconds));
            looks(&bot, "quiet", quiet).await;
        }
        clock.advance(Duration::from_secs(300));
        let ahead = heard(&mut bot).await;
        assert!(ahead.contains("Dentist") && !ahead.contains("Town fair"), "{ahead}");
        // It was told.
        clock.advance(Duration::from_secs(300));
        looks(&bot, "quiet", 3).await;
        // It was moved, and is told again.
        bot.file(
            ".calendar/home.ics",
            &CALENDAR.replace("20261125T153000", "20261125T160000"),
        );
        clock.advance(Duration::from_secs(1_500));
        let ahead = heard(&mut bot).await;
        assert!(ahead.contains("Dentist"), "{ahead}");
    }
}

#[tokio::test]
async fn how_long_before_has_a_least() {
    let clock = clock(AT);
    let mut bot = bot(&clock, Lang::EN).await;
    let said = bot.says("remind me 2 minutes before every appointment").await;
    assert!(said.contains("5 minutes is the least"), "{said}");
    assert!(rows(&bot, "SELECT kind FROM tasks WHERE kind <> 'job'").is_empty());
}
