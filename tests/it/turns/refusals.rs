//! Answers that are no answer: a message that begins with a no, and words that nobody calls a file. What was asked is
//! over or open, and no later yes carries it out.

use metnos::domain::{ids::ChannelKind, lang::Lang};

use super::{italian_bot, rows};
use crate::support::bot::{Setup, TestBot};

async fn bot_in(lang: Lang) -> TestBot {
    let setup = Setup {
        lang,
        ..Setup::default()
    };
    TestBot::with(setup).await
}

fn states(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT state FROM dialogs ORDER BY rowid")
}

/// The first words refuse, in every wording; a yes after them finds nothing to approve.
#[tokio::test]
async fn a_message_that_begins_with_a_no_refuses() {
    for (lang, delete, noes, yes) in [
        (
            Lang::EN,
            "delete ~/house.txt",
            &[
                "no wait",
                "don't delete it",
                "Wait!",
                "please don't do that",
                "never mind, leave it",
                "no wait, undo",
                "no yes",
            ][..],
            "y",
        ),
        (
            Lang::IT,
            "cancella ~/house.txt",
            &[
                "no aspetta",
                "anzi no",
                "Aspetta",
                "non cancellarlo",
                "lascia stare, ti prego non farlo",
                "ho cambiato idea",
            ],
            "sì",
        ),
    ] {
        let mut bot = bot_in(lang).await;
        bot.file("house.txt", "wifi");
        bot.file("ideas.txt", "scarf");
        bot.says("write \"kept\" to ~/kept.txt").await;
        for no in noes {
            bot.says(delete).await;
            let said = bot.says(no).await;
            assert!(
                said.contains("nothing was done") || said.contains("non ho fatto nulla"),
                "{no}: {said}"
            );
            let late = bot.says(yes).await;
            assert!(
                late.starts_with("I have no question open") || late.starts_with("Non ho domande aperte"),
                "{no}: {late}"
            );
        }
        assert!(bot.has("house.txt") && bot.has("ideas.txt") && bot.has("kept.txt"));
        assert!(
            states(&bot).iter().all(|state| state == "refused"),
            "{:?}",
            states(&bot)
        );
    }
}

/// What follows the no is handled when it is a request of its own.
#[tokio::test]
async fn a_request_after_the_no_is_handled() {
    for (lang, delete, no, refused, card) in [
        (
            Lang::EN,
            "delete ~/house.txt",
            "No, delete ~/ideas.txt",
            "All right, nothing was done.",
            "May I delete this?",
        ),
        (
            Lang::IT,
            "cancella ~/house.txt",
            "no aspetta, cancella ~/ideas.txt",
            "Va bene, non ho fatto nulla.",
            "Posso cancellare questo?",
        ),
    ] {
        let mut bot = bot_in(lang).await;
        bot.file("house.txt", "wifi");
        bot.file("ideas.txt", "scarf");
        bot.says(delete).await;
        assert_eq!(bot.says(no).await, refused);
        let asked = bot.hears(ChannelKind::Terminal).await.plain();
        assert!(asked.starts_with(card) && asked.contains("~/ideas.txt"), "{asked}");
        assert_eq!(states(&bot), ["refused", "waiting"]);
        bot.says("ok").await;
        assert!(
            bot.has("house.txt") && !bot.has("ideas.txt"),
            "the yes is for the second card"
        );
    }
}

/// Not understood is something else, too.
#[tokio::test]
async fn what_is_not_understood_sets_the_card_aside() {
    let mut bot = TestBot::new().await;
    bot.file("house.txt", "wifi");
    for between in ["the other one", "frobnicate the blub"] {
        bot.says("delete ~/house.txt").await;
        bot.says(between).await;
        let late = bot.says("y").await;
        assert!(late.starts_with("Something else came in between"), "{between}: {late}");
        assert!(bot.has("house.txt"), "{between}");
    }
}

/// A word said after a question was answered answers none of those before it.
#[tokio::test]
async fn a_second_ok_after_the_answer_is_no_answer_to_an_older_card() {
    let mut bot = TestBot::new().await;
    bot.file("a.txt", "a");
    bot.file("b.txt", "b");
    bot.says("delete ~/a.txt").await;
    bot.says("what time is it").await;
    bot.says("delete ~/b.txt").await;
    let done = bot.says("yes please").await;
    assert!(done.starts_with("I deleted b.txt"), "{done}");
    let late = bot.says("ok").await;
    assert!(late.starts_with("I have no question open"), "{late}");
    assert!(bot.has("a.txt"));
}

const ASKS: &str = "move ~/a.txt";

/// Only what looks like a name is one.
#[tokio::test]
async fn words_of_conversation_are_no_file() {
    let mut bot = TestBot::new().await;
    bot.file("a.txt", "dentist");
    bot.says("write \"one\" to ~/u.txt").await;
    for (words, answer) in [
        ("ok", "I need a file or folder"),
        ("anywhere you like", "I need a file or folder"),
        ("delete", "I need a file or folder"),
        ("sì", "I need a file or folder"),
        ("dunno", "I need a file or folder"),
        ("thanks", "I put my question aside"),
        ("help", "I put my question aside"),
        ("undo", "I put my question aside"),
        ("no wait", "All right, I dropped it."),
        (
            "create a note in ~/notes called todo.txt with \"water the plants\"",
            "I put my question aside",
        ),
    ] {
        let asked = bot.says(ASKS).await;
        assert!(asked.starts_with("Where should it go?"), "{asked}");
        let said = bot.says(words).await;
        assert!(said.starts_with(answer), "{words}: {said}");
        if answer.starts_with("I put") {
            bot.hears(ChannelKind::Terminal).await;
        }
        if answer.starts_with("I need") {
            bot.says("cancel").await;
        }
    }
    assert!(!bot.has("u.txt"), "undo was undo");
    let made: Vec<String> = std::fs::read_dir(bot.home())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name != "notes")
        .collect();
    assert_eq!(made, ["a.txt"]);
}

#[tokio::test]
async fn words_of_conversation_are_no_folder_in_italian() {
    let mut bot = italian_bot().await;
    bot.file("casa.txt", "wifi");
    for words in ["ciao", "grazie", "sì", "aiuto", "stato", "boh", "cancella"] {
        let asked = bot.says("sposta ~/casa.txt").await;
        assert!(asked.starts_with("Dove"), "{asked}");
        let said = bot.says(words).await;
        if said.starts_with("Metto da parte") {
            bot.hears(ChannelKind::Terminal).await;
        } else {
            assert!(said.starts_with("Mi serve un file o una cartella"), "{words}: {said}");
            bot.says("annulla").await;
        }
        assert!(bot.has("casa.txt"), "{words}");
    }
    bot.says("sposta ~/casa.txt").await;
    bot.says("archivio").await;
    assert!(bot.has("archivio/casa.txt"));
}

/// A name is taken as it is.
#[tokio::test]
async fn names_are_still_answers() {
    for (name, file) in [
        ("appointments", "appointments/a.txt"),
        ("\"thanks\"", "thanks/a.txt"),
        ("~/notes/my dentist", "notes/my dentist/a.txt"),
        ("Old Stuff", "Old Stuff/a.txt"),
    ] {
        let mut bot = TestBot::new().await;
        bot.file("a.txt", "dentist");
        bot.says(ASKS).await;
        bot.says(name).await;
        assert!(bot.has(file), "{}", bot.transcript());
    }
}

async fn which_one(lang: Lang) -> TestBot {
    let mut bot = bot_in(lang).await;
    bot.file("Downloads/invoice-881.pdf", "1");
    bot.file("Downloads/invoice-882.pdf", "2");
    bot.file("docs/x.txt", "x");
    let asked = bot.says("move the invoice from ~/Downloads to ~/docs").await;
    assert!(
        asked.contains("invoice-881.pdf") && asked.contains("invoice-882.pdf"),
        "{asked}"
    );
    bot
}

/// A part of the name, politeness, and a place in the list choose; two where one is wanted are told so.
#[tokio::test]
async fn a_choice_is_taken_as_people_say_it() {
    for (lang, words) in [
        (Lang::EN, "882"),
        (Lang::EN, "882, please"),
        (Lang::EN, "the second one"),
        (Lang::EN, "the last one"),
        (Lang::IT, "il secondo, grazie"),
    ] {
        let mut bot = which_one(lang).await;
        bot.says(words).await;
        assert!(
            bot.has("docs/invoice-882.pdf") && bot.has("Downloads/invoice-881.pdf"),
            "{words}"
        );
    }
    for words in ["both", "1 and 2"] {
        let mut bot = which_one(Lang::EN).await;
        let said = bot.says(words).await;
        assert!(said.starts_with("I can take only one"), "{words}: {said}");
        bot.says("1").await;
        assert!(bot.has("docs/invoice-881.pdf") && bot.has("Downloads/invoice-882.pdf"));
    }
}

/// What says what to do is no choice: the question is set aside for it.
#[tokio::test]
async fn a_request_instead_of_a_choice_is_a_request() {
    for words in ["delete the invoice", "what time is it"] {
        let mut bot = which_one(Lang::EN).await;
        let said = bot.says(words).await;
        assert!(said.starts_with("I put my question aside"), "{words}: {said}");
    }
}
