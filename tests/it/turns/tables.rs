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
