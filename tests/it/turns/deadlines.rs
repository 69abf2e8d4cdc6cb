//! What a paper says expires, or is due, becomes a reminder on a word; where no paper told of a day nothing is made of
//! the words, and that is said.

use metnos::domain::lang::Lang;

use super::{bot_at, clock, rows};

const AT: &str = "2026-11-25T09:00:00Z";

fn paper(lines: &[&str]) -> String {
    format!(r"{{\rtf1\ansi {}}}", lines.join(r"\par "))
}

#[tokio::test]
async fn the_last_day_of_a_paper_is_reminded_of_before_it() {
    for (lang, file, lines, ask, remind, week, three) in [
        (
            Lang::EN,
            "docs/gym contract.rtf",
            [
                "Gym contract",
                "Monthly fee 39.90",
                "The contract expires on 15 March 2027.",
            ],
            "when does the gym contract expire?",
            "remind me before it expires",
            "8 March 2027, 09:00",
            ("remind me three days before it expires", "12 March 2027, 09:00"),
        ),
        (
            Lang::IT,
            "docs/bolletta luce.rtf",
            [
                "Bolletta della luce",
                "Importo 84,20 EUR",
                "Da pagare entro il 20/12/2026",
            ],
            "quando scade la bolletta della luce?",
            "ricordamelo prima che scada",
            "13 dicembre, ore 09:00",
            ("ricordamelo tre giorni prima della scadenza", "17 dicembre, ore 09:00"),
        ),
    ] {
        let mut bot = bot_at(&clock(AT), lang).await;
        bot.file(file, &paper(&lines));
        let nothing = bot.says(remind).await;
        assert_eq!(
            rows(&bot, "SELECT id FROM tasks WHERE kind = 'reminder'"),
            [""; 0],
            "{nothing}"
        );
        let said = bot.says(ask).await;
        assert!(
            said.contains(remind) || said.contains("emind me") || said.contains("icordamelo"),
            "{said}"
        );
        let set = bot.says(remind).await;
        assert!(set.contains(week) && set.contains(lines[2]), "{set}");
        bot.says("undo").await;
        assert_eq!(
            rows(&bot, "SELECT id FROM tasks WHERE kind = 'reminder' AND state <> 'done'"),
            [""; 0]
        );
        bot.says(ask).await;
        let set = bot.says(three.0).await;
        assert!(set.contains(three.1), "{set}");
    }
}

#[tokio::test]
async fn a_day_that_is_over_is_no_last_day_and_one_that_is_near_is_reminded_of_nearer() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    bot.file(
        "docs/old passport.rtf",
        &paper(&["Passport", "The passport expires on 3 May 2019."]),
    );
    bot.file(
        "docs/library card.rtf",
        &paper(&["Library card", "The library card expires on 28 November 2026."]),
    );
    let said = bot.says("when does the old passport expire?").await;
    assert!(said.contains("2019") && !said.contains("Remind me"), "{said}");
    bot.says("when does the library card expire?").await;
    let set = bot.says("remind me before it expires").await;
    assert!(set.contains("27 November, 09:00"), "{set}");
}

#[tokio::test]
async fn a_last_day_with_an_hour_is_one_too() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    let lines = [
        "Car insurance",
        "The excess is 250 euro.",
        "This policy expires on 14 January 2027 at midnight.",
    ];
    bot.file("docs/car insurance.rtf", &paper(&lines));
    bot.says("when does the car insurance expire?").await;
    let set = bot.says("remind me two weeks before it expires").await;
    assert!(set.contains("31 December, 09:00"), "{set}");
}

#[tokio::test]
async fn so_long_before_something_is_never_so_long_from_now() {
    for (lang, say, hint) in [
        (
            Lang::EN,
            "remind me two weeks before the car insurance expires",
            "Before what day?",
        ),
        (
            Lang::IT,
            "ricordami tre giorni prima che scada la bolletta della luce di ottobre",
            "Prima di che giorno?",
        ),
    ] {
        let mut bot = bot_at(&clock(AT), lang).await;
        let said = bot.says(say).await;
        assert!(said.contains(hint), "{said}");
        let set = rows(&bot, "SELECT id FROM tasks WHERE kind IN ('reminder', 'request')");
        assert_eq!(set, [""; 0], "{said}");
    }
}

#[tokio::test]
async fn a_question_is_no_answer_to_when() {
    let mut bot = bot_at(&clock(AT), Lang::IT).await;
    let asked = bot.says("ricordami di pagare la bolletta").await;
    assert!(asked.contains("Quando"), "{asked}");
    let said = bot.says("quanto abbiamo speso di benzina quest'anno?").await;
    assert!(!said.contains("Quando"), "{said}");
    let waiting = rows(&bot, "SELECT state FROM dialogs WHERE state = 'waiting'");
    assert_eq!(waiting, [""; 0], "{said}");
}
