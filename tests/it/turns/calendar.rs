//! Calendars and address books as conversations, with no account and no model: what is in them, what is free, what is
//! put in, moved and taken out again, who has a birthday and how somebody is reached.

use metnos::domain::lang::Lang;

use super::{bot_at, clock};
use crate::support::bot::TestBot;

/// A Wednesday, ten in the morning in Rome.
const AT: &str = "2026-11-25T09:00:00Z";

/// A dentist tomorrow, yoga every Monday, and a holiday that takes no time.
const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n\
    BEGIN:VEVENT\r\nUID:dentist\r\nSUMMARY:Dentist\r\nLOCATION:Via Roma 1\r\n\
    DTSTART;TZID=Europe/Rome:20261126T153000\r\nDTEND;TZID=Europe/Rome:20261126T161500\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:yoga\r\nSUMMARY:Yoga\r\nDTSTART;TZID=Europe/Rome:20261102T180000\r\n\
    DTEND;TZID=Europe/Rome:20261102T190000\r\nRRULE:FREQ=WEEKLY;BYDAY=MO\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:fair\r\nSUMMARY:Town fair\r\nDTSTART;VALUE=DATE:20261127\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

const BOOK: &str = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:anna\r\nFN:Anna Rossi\r\nN:Rossi;Anna;;;\r\nNICKNAME:mum\r\n\
    TEL;TYPE=CELL:+39 333 1234567\r\nBDAY:1960-12-03\r\nEND:VCARD\r\n\
    BEGIN:VCARD\r\nVERSION:3.0\r\nUID:bianchi\r\nFN:Luca Bianchi\r\nN:Bianchi;Luca;;;\r\nROLE:dentist\r\n\
    TEL:+39 02 555\r\nBDAY:1980-02-01\r\nEND:VCARD\r\n";

async fn bot(lang: Lang) -> TestBot {
    let bot = bot_at(&clock(AT), lang).await;
    bot.file(".calendar/home.ics", CALENDAR);
    bot.file(".contacts/people.vcf", BOOK);
    bot
}

/// What is said, and a part of what is answered.
async fn answers(lang: Lang, turns: &[(&str, &str)]) -> TestBot {
    let mut bot = bot(lang).await;
    for (say, expected) in turns {
        let heard = bot.says(say).await;
        assert!(heard.contains(expected), "{say}: {heard}");
    }
    bot
}

#[tokio::test]
async fn a_calendar_tells_what_is_in_it_and_what_is_free() {
    let english = [
        ("what's on my calendar tomorrow", "Dentist"),
        ("what's on my calendar on Saturday", "Nothing is in your calendar"),
        (
            "am I free tomorrow afternoon?",
            "“Dentist”, tomorrow, Thursday 26 November, 15:30 to 16:15",
        ),
        ("am I free on Friday?", "You are free"),
        ("when is the dentist?", "15:30"),
    ];
    answers(Lang::EN, &english).await;
    let italian = [
        ("cosa c'è in calendario domani?", "Dentist"),
        ("sono libero venerdì pomeriggio?", "È libero"),
        ("sono libera domani pomeriggio?", "«Dentist»"),
    ];
    answers(Lang::IT, &italian).await;
}

#[tokio::test]
async fn what_is_put_in_is_moved_and_taken_back() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    let said = bot.says("put dentist on Thursday at 15:30").await;
    assert!(said.contains("Thursday 26 November, 15:30 to 16:30"), "{said}");
    let said = bot.says("move it to Friday").await;
    assert!(said.contains("Friday 27 November, 15:30 to 16:30"), "{said}");
    let said = bot.says("undo").await;
    assert!(said.contains("dentist"), "{said}");
    let said = bot.says("what's on my calendar on Thursday").await;
    assert!(said.contains("dentist") && said.contains("15:30"), "{said}");
    let said = bot.says("undo").await;
    assert!(said.contains("dentist"), "{said}");
    let said = bot.says("what's on my calendar on Thursday").await;
    assert!(said.contains("Nothing is in your calendar"), "{said}");
}

#[tokio::test]
async fn of_a_series_it_is_asked_how_much_is_meant() {
    let mut bot = bot(Lang::EN).await;
    let asked = bot.says("move yoga to Tuesday").await;
    assert!(asked.contains("only this one"), "{asked}");
    let said = bot.says("only this one").await;
    assert!(said.contains("Tuesday 1 December, 18:00"), "{said}");
    let said = bot.says("what's on my calendar on 7 December").await;
    assert!(said.contains("Yoga"), "the others stay: {said}");
}

#[tokio::test]
async fn nothing_is_written_over_what_another_program_changed() {
    let mut bot = bot(Lang::EN).await;
    let said = bot.says("move the dentist to Friday").await;
    assert!(said.contains("Friday 27 November"), "{said}");
    let path = bot.home().join(".calendar/home.ics");
    let changed = std::fs::read_to_string(&path)
        .unwrap()
        .replace("Via Roma 1", "Via Milano 2");
    std::fs::write(&path, changed).unwrap();
    let said = bot.says("undo").await;
    assert!(said.contains("changed since"), "{said}");
    assert!(std::fs::read_to_string(&path).unwrap().contains("Via Milano 2"));
}

#[tokio::test]
async fn people_are_known_by_name_by_what_they_are_called_and_by_what_they_do() {
    let english = [
        ("what is Anna's number?", "+39 333 1234567"),
        ("what is mum's number", "+39 333 1234567"),
        ("what's the dentist's number?", "+39 02 555"),
        ("whose birthday is next?", "Anna Rossi"),
        ("when is Luca's birthday?", "1 February"),
    ];
    answers(Lang::EN, &english).await;
    let italian = [
        ("qual è il telefono di Anna?", "+39 333 1234567"),
        ("di chi è il prossimo compleanno?", "Anna Rossi"),
    ];
    answers(Lang::IT, &italian).await;
}

#[tokio::test]
async fn a_new_name_is_never_the_event_and_what_is_over_is_no_future_one() {
    let mut bot = bot(Lang::EN).await;
    let past = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nBEGIN:VEVENT\r\nUID:review\r\nSUMMARY:Budget review\r\n\
        DTSTART;TZID=Europe/Rome:20261120T150000\r\nDTEND;TZID=Europe/Rome:20261120T160000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    bot.file(".calendar/past.ics", past);
    let said = bot.says("rename the dentist to Town fair").await;
    if said.contains("May I") {
        bot.says("yes").await;
    }
    let kept = std::fs::read_to_string(bot.home().join(".calendar/home.ics")).unwrap();
    assert_eq!(kept.matches("SUMMARY:Town fair").count(), 2, "{kept}");
    assert!(!kept.contains("SUMMARY:Dentist"), "{kept}");
    let said = bot.says("cancel the future budget review").await;
    assert!(
        !said.contains("May I") && !said.contains("out of your calendar"),
        "{said}"
    );
    let kept = std::fs::read_to_string(bot.home().join(".calendar/past.ics")).unwrap();
    assert!(kept.contains("Budget review"), "{kept}");
}

/// Two appointments with Olga on one day and one on another, and none of them is called by her name.
const WITH_OLGA: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n\
    BEGIN:VEVENT\r\nUID:plan\r\nSUMMARY:Garden plan\r\nATTENDEE;CN=Olga Neri:mailto:olga@example.org\r\n\
    DTSTART;TZID=Europe/Rome:20261204T100000\r\nDTEND;TZID=Europe/Rome:20261204T110000\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:call\r\nSUMMARY:Daily call\r\nATTENDEE;CN=Olga Neri:mailto:olga@example.org\r\n\
    DTSTART;TZID=Europe/Rome:20261204T150000\r\nDTEND;TZID=Europe/Rome:20261204T153000\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:walk\r\nSUMMARY:Walk\r\nATTENDEE;CN=Olga Neri:mailto:olga@example.org\r\n\
    DTSTART;TZID=Europe/Rome:20261210T090000\r\nDTEND;TZID=Europe/Rome:20261210T100000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[tokio::test]
async fn the_first_of_a_day_is_one_a_length_is_no_hour_and_all_are_shown_before_they_go() {
    let mut bot = bot(Lang::EN).await;
    bot.file(".calendar/olga.ics", WITH_OLGA);
    let kept = |bot: &TestBot| std::fs::read_to_string(bot.home().join(".calendar/olga.ics")).unwrap_or_default();
    let said = bot
        .says("please move my first meeting with olga on December 4 by 1.5 hours")
        .await;
    assert!(
        said.contains("“Garden plan” is now on Friday 4 December, 11:30 to 12:30"),
        "{said}"
    );
    let said = bot.says("rename the daily call to Weekly talk").await;
    assert!(said.contains("“Weekly talk”"), "{said}");
    let said = bot.says("cancel all meetings with olga").await;
    let shown = ["Garden plan", "Weekly talk", "Walk"];
    assert!(shown.iter().all(|name| said.contains(name)), "{said}");
    assert!(kept(&bot).contains("Walk"), "{}", kept(&bot));
    let said = bot.says("yes").await;
    assert!(said.contains("3 events") && !kept(&bot).contains("SUMMARY"), "{said}");
    bot.says("undo").await;
    assert_eq!(kept(&bot).matches("SUMMARY").count(), 3);
    let said = bot
        .says("create a 2 hour event called New Arts & Crafts on December 21 at 12 with anna")
        .await;
    let said = if said.contains("May I") {
        bot.says("yes").await
    } else {
        said
    };
    assert!(
        said.contains("“New Arts & Crafts”, on Monday 21 December, 12:00 to 14:00"),
        "{said}"
    );
}

#[tokio::test]
async fn of_mails_that_are_named_no_appointment_is_taken_out() {
    let mut bot = bot(Lang::IT).await;
    bot.file(".calendar/olga.ics", WITH_OLGA);
    let said = bot.says("cancella tutte le mail di Olga degli ultimi 4 giorni").await;
    assert!(said.contains("account"), "{said}");
    bot.says("annulla").await;
    let said = bot.says("cancella il primo appuntamento con olga").await;
    let said = if said.contains("Posso") {
        bot.says("sì").await
    } else {
        said
    };
    assert!(said.contains("«Garden plan»"), "{said}");
}

#[tokio::test]
async fn a_name_that_looks_like_grammar_stays_and_one_name_fills_one_field() {
    let mut bot = bot(Lang::IT).await;
    let said = bot.says("metti pranzo con Sara in calendario martedì all'una").await;
    assert!(said.contains("«pranzo con Sara»"), "{said}");
    let said = bot.says("nuovo contatto: Paolo Verdi, 340 5550177").await;
    if said.contains("Posso") {
        bot.says("sì").await;
    }
    let cards = std::fs::read_dir(bot.home().join(".contacts")).unwrap().flatten();
    let cards: Vec<String> = cards
        .map(|file| std::fs::read_to_string(file.path()).unwrap())
        .filter(|text| text.contains("Paolo"))
        .collect();
    assert_eq!(cards.len(), 1, "{said}");
    let lines = cards[0].lines().filter(|line| line.contains("Paolo Verdi"));
    assert_eq!(lines.collect::<Vec<_>>(), ["FN:Paolo Verdi"], "{cards:?}");
}

#[tokio::test]
async fn a_card_shows_what_it_becomes_and_every_text_by_what_it_is() {
    let mut bot = bot(Lang::EN).await;
    let said = bot
        .says("move the dentist to Friday at the same time, Thursday is mum's birthday")
        .await;
    assert!(said.contains("2026-11-26 15:30 → 2026-11-27 15:30"), "{said}");
    bot.says("no").await;
    let said = bot
        .says("Luca got a new mobile, it's 347 5550102, put it with his contact")
        .await;
    assert!(said.contains("a telephone number: 347 5550102"), "{said}");
    // What is asked of a day is not answered with another day.
    let said = bot.says("have we got anything on next saturday evening").await;
    assert!(!said.contains("Yoga") && !said.contains("Dentist"), "{said}");
}

#[tokio::test]
async fn who_is_answered_in_one_language_may_write_in_another() {
    let mut bot = bot(Lang::EN).await;
    let said = bot.says("che impegni ho giovedì").await;
    assert!(said.contains("Dentist"), "{said}");
    let said = bot.says("metti pranzo in calendario martedì all'una").await;
    assert!(said.contains("“pranzo”, on Tuesday 1 December, 13:00"), "{said}");
}
