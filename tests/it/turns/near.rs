//! The nearest reading and what it must never do by itself: a question, a report, a retraction or a name that is only
//! alike changes nothing unasked; a reminder stays one.

use metnos::domain::lang::Lang;

use super::{bot_at, clock, rows};

/// Files of the home, with what they say.
const HOME: [(&str, &str); 7] = [
    ("docs/letter.txt", "Dear Anna"),
    ("docs/contratto.txt", "affitto"),
    ("old/report.pdf", "x"),
    ("old/invoice-10235.pdf", "x"),
    ("notes/Mario.txt", "ciao"),
    ("notes/shopping.txt", "milk\nbread\n"),
    ("docs/essay.txt", "Introduction\nConclusion\n"),
];

#[tokio::test]
async fn nothing_that_is_read_nearly_is_changed_unasked() {
    for (lang, sentences) in [
        (
            Lang::EN,
            &[
                "Can I move the report to docs?",
                "The report was moved to docs?",
                "Can you tell me who moved the report to docs?",
                "I moved the report to docs",
                "I'm moving the report to docs",
                "I need the shopping list printed",
                "Move the report to docs, no wait",
                "Move invoice 10234 to docs",
                "Make a call to Anna",
                "Change the name on the letter to Anna",
                "Remove the introduction",
                "making minestrone tonight, what do i need for it",
            ][..],
        ),
        (
            Lang::IT,
            &[
                "Hai spostato il report in docs?",
                "Hanno spostato il report in docs",
                "sposta il report in docs, anzi no",
                "Sposta Maria in docs",
                "Fai una chiamata a Marco",
                "Cambia il nome nel contratto in Anna Rossi",
            ],
        ),
    ] {
        let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), lang).await;
        for (path, text) in HOME {
            bot.file(path, text);
        }
        for sentence in sentences {
            let heard = bot.says(sentence).await;
            let effects = rows(&bot, "SELECT tool FROM effects");
            assert_eq!(effects, [""; 0], "{sentence}: {heard}");
            if !rows(&bot, "SELECT id FROM dialogs WHERE state = 'waiting'").is_empty() {
                bot.says("/stop").await;
            }
        }
    }
}

#[tokio::test]
async fn what_stands_behind_the_is_no_order_and_is_not_even_offered() {
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    bot.file("notes/bins.txt", "Monday: paper\nTuesday: plastic\n");
    let heard = bot
        .says("They collect the plastic on Wednesday now, not Tuesday any more. Please correct it in the bins note")
        .await;
    assert_eq!(rows(&bot, "SELECT id FROM dialogs"), [""; 0], "{heard}");
    assert_eq!(rows(&bot, "SELECT tool FROM effects"), [""; 0], "{heard}");
    bot.says("delete the bins note").await;
    assert_eq!(rows(&bot, "SELECT id FROM dialogs").len(), 1);
}

#[tokio::test]
async fn a_reminder_is_asked_when_and_no_list_is_read_instead() {
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    bot.file("notes/shopping.txt", "milk\n");
    let asked = bot.says("Remind me to buy milk, the shopping list is in notes").await;
    assert!(asked.starts_with("When exactly?"), "{asked}");
}

#[tokio::test]
async fn a_part_of_a_message_rings_only_where_the_rest_takes_nothing_back() {
    for sentence in [
        "She said: set a timer for 10 minutes",
        "Set a timer for 10 minutes, no wait, don't",
        "Set a timer for 10 minutes, I mean 12",
        "Anna texted: set a timer for 10 minutes",
        "10 minute timer, way too short for eggs",
        "set a timer for an hour and a few minutes",
    ] {
        let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
        let heard = bot.says(sentence).await;
        let timers = rows(&bot, "SELECT id FROM tasks WHERE kind = 'timer'");
        assert_eq!(timers, [""; 0], "{sentence}: {heard}");
    }
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    let heard = bot.says("wake me up at 6:45 tomorrow ive got an exam!!").await;
    assert!(!heard.contains("06:00"), "{heard}");
    let heard = bot
        .says("wake me up tomorrow at quarter to seven, got an exam :(")
        .await;
    assert!(heard.contains("06:45"), "{heard}");
}

/// From the first set of fresh requests: a remark beside a question names a file that holds no answer.
#[tokio::test]
async fn a_question_about_a_figure_is_not_answered_with_what_a_remark_names() {
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    bot.file("notes/recipes.md", "# Recipes\nPancakes: 2 eggs, 200 g flour, milk\n");
    let heard = bot.says("350 fahrenheit in celsius? my recipe is american").await;
    assert!(!heard.contains("Pancakes"), "{heard}");
    let heard = bot.says("what is in my recipes? I have 3 eggs").await;
    assert!(heard.contains("Pancakes"), "{heard}");
}

/// From a first try in an empty home: taken for an order to copy, its answer copied a whole folder.
#[tokio::test]
async fn what_can_be_done_as_it_was_said_goes_before_what_would_have_to_be_asked() {
    let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), Lang::EN).await;
    for name in ["letter.txt", "letter copy.txt", "other.txt"] {
        let text = if name == "other.txt" { "Dear Paul" } else { "Dear Anna" };
        bot.file(&format!("Downloads/{name}"), text);
    }
    let heard = bot.says("are there any duplicate files in Downloads?").await;
    assert!(
        heard.contains("letter copy.txt") && !heard.contains("other.txt"),
        "{heard}"
    );
}
