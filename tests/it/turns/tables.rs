//! Lists as spreadsheets, asked for in both languages without a model: what the list finds goes into the file, `undo`
//! removes it, and an empty list makes none.

use std::fs;

use metnos::domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind};

use crate::support::bot::{Setup, TestBot};

/// A home with two people in its address book.
async fn bot(lang: Lang) -> TestBot {
    let mut bot = TestBot::with(Setup {
        lang,
        ..Setup::default()
    })
    .await;
    let new = if lang == Lang::IT {
        "nuovo contatto"
    } else {
        "new contact"
    };
    for person in ["Anna Rossi, 333 1234567", "Luca Bianchi, luca@example.org"] {
        done(&mut bot, &format!("{new} {person}")).await;
    }
    bot
}

/// The answer in the end: a card that is shown first is approved.
async fn done(bot: &mut TestBot, request: &str) -> String {
    let answer = bot.says(request).await;
    if !bot.buttons().iter().any(|button| button.kind == ButtonKind::Approve) {
        return answer;
    }
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await.plain()
}

/// Names of what lies in the home and can be seen.
fn files(bot: &TestBot) -> Vec<String> {
    let entries = fs::read_dir(bot.home()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

#[tokio::test]
async fn the_address_book_becomes_a_spreadsheet() {
    let mut bot = bot(Lang::EN).await;
    for request in [
        "make a spreadsheet of my contacts",
        "show the contacts and make a spreadsheet of them",
    ] {
        let made = done(&mut bot, request).await;
        assert!(made.contains("table.xlsx"), "{request}: {made}");
        assert!(files(&bot).contains(&"table.xlsx".to_owned()));
        let read = bot.says("read ~/table.xlsx").await;
        for inside in ["Phone", "Anna Rossi", "333 1234567", "luca@example.org"] {
            assert!(read.contains(inside), "{inside}: {read}");
        }
        bot.says("undo").await;
        assert!(!files(&bot).contains(&"table.xlsx".to_owned()), "{request}");
    }
}

#[tokio::test]
async fn in_italian_as_well() {
    let mut bot = bot(Lang::IT).await;
    let made = done(&mut bot, "crea un foglio di calcolo con i contatti").await;
    assert!(made.contains("tabella.xlsx"), "{made}");
    assert!(files(&bot).contains(&"tabella.xlsx".to_owned()));
}

#[tokio::test]
async fn an_empty_list_makes_no_file() {
    let mut bot = TestBot::new().await;
    let before = files(&bot);
    bot.says("make a spreadsheet of my contacts").await;
    assert_eq!(files(&bot), before);
    assert!(!bot.transcript().contains("xlsx"), "{}", bot.transcript());
}

const FUEL: &str =
    "date;who;litres;euro\n2026-03-03;Nina;30;60,50\n2026-03-09;Marco;20;40,25\n2026-04-02;Nina;25;51,00\n";

#[tokio::test]
async fn a_column_of_a_file_becomes_a_chart_that_is_brought() {
    for (lang, name, request, told, undo) in [
        (
            Lang::EN,
            "fuel.csv",
            "make a chart of the euro column in fuel.csv",
            "euro by date",
            "undo",
        ),
        (
            Lang::IT,
            "fuel.csv",
            "fai un grafico della colonna euro di fuel.csv",
            "euro per date",
            "annulla",
        ),
    ] {
        let mut bot = TestBot::with(Setup {
            lang,
            ..Setup::default()
        })
        .await;
        fs::write(bot.home().join(name), FUEL).unwrap();
        let answer = done(&mut bot, request).await;
        assert!(
            answer.contains("fuel.png") && answer.contains(told),
            "{request}: {answer}"
        );
        let picture = fs::read(bot.home().join("fuel.png")).unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{request}");
        bot.says(undo).await;
        assert_eq!(files(&bot), [name], "{request}");
    }
}

#[tokio::test]
async fn the_form_of_a_chart_is_the_one_that_was_said() {
    let mut bot = TestBot::new().await;
    fs::write(bot.home().join("fuel.csv"), FUEL).unwrap();
    for (request, form) in [
        (
            "make a pie chart of the euro column in fuel.csv",
            "as shares of the whole",
        ),
        ("make a bar chart of the euro column in fuel.csv", "as bars"),
        ("make a line chart of the euro column in fuel.csv", "as a line"),
    ] {
        let answer = done(&mut bot, request).await;
        assert!(answer.contains(form), "{request}: {answer}");
    }
}

#[tokio::test]
async fn pictures_that_are_named_become_one_pdf() {
    let mut bot = TestBot::new().await;
    let picture = |name: &str| {
        let say = |value: f64, _: usize| value.to_string();
        let point = metnos_charts::Point {
            label: name.to_owned(),
            value: 1.0,
            at: 0.0,
        };
        let chart = metnos_charts::Chart {
            title: name.to_owned(),
            form: metnos_charts::Form::Bars,
            points: vec![point],
        };
        metnos_charts::draw(&chart, &say).unwrap()
    };
    for name in ["one.png", "two.png"] {
        fs::write(bot.home().join(name), picture(name)).unwrap();
    }
    let made = done(&mut bot, "make a pdf of ~/two.png and ~/one.png").await;
    assert!(made.contains("two.pdf") && made.contains("2 pages"), "{made}");
    let pdf = fs::read(bot.home().join("two.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    bot.says("undo").await;
    assert_eq!(files(&bot), ["one.png", "two.png"]);
}
