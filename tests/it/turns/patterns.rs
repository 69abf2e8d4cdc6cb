//! P0: answered by rule, in both languages, whatever memory holds; and silenced where a person said it was wrong.

use std::time::Duration;

use metnos::domain::{lang::Lang, reply::ButtonKind};
use serde_json::json;

use super::{again, bot_at, button, clock, italian_bot, layer, layer_of, remember, rows, tap};
use crate::support::bot::{TestBot, text_of};

/// The fifteenth of each month of 2026; all seven weekdays are among them.
const DAYS: &[(&str, &str, &str)] = &[
    (
        "2026-01-15",
        "Today is Thursday, January 15, 2026.",
        "Oggi è giovedì 15 gennaio 2026.",
    ),
    (
        "2026-02-15",
        "Today is Sunday, February 15, 2026.",
        "Oggi è domenica 15 febbraio 2026.",
    ),
    (
        "2026-03-15",
        "Today is Sunday, March 15, 2026.",
        "Oggi è domenica 15 marzo 2026.",
    ),
    (
        "2026-04-15",
        "Today is Wednesday, April 15, 2026.",
        "Oggi è mercoledì 15 aprile 2026.",
    ),
    (
        "2026-05-15",
        "Today is Friday, May 15, 2026.",
        "Oggi è venerdì 15 maggio 2026.",
    ),
    (
        "2026-06-15",
        "Today is Monday, June 15, 2026.",
        "Oggi è lunedì 15 giugno 2026.",
    ),
    (
        "2026-07-15",
        "Today is Wednesday, July 15, 2026.",
        "Oggi è mercoledì 15 luglio 2026.",
    ),
    (
        "2026-08-15",
        "Today is Saturday, August 15, 2026.",
        "Oggi è sabato 15 agosto 2026.",
    ),
    (
        "2026-09-15",
        "Today is Tuesday, September 15, 2026.",
        "Oggi è martedì 15 settembre 2026.",
    ),
    (
        "2026-10-15",
        "Today is Thursday, October 15, 2026.",
        "Oggi è giovedì 15 ottobre 2026.",
    ),
    (
        "2026-11-15",
        "Today is Sunday, November 15, 2026.",
        "Oggi è domenica 15 novembre 2026.",
    ),
    (
        "2026-12-15",
        "Today is Tuesday, December 15, 2026.",
        "Oggi è martedì 15 dicembre 2026.",
    ),
];

#[tokio::test]
async fn every_month_and_weekday_is_right_in_both_languages() {
    let clock = clock("2026-01-01T12:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    for (day, english, italian) in DAYS {
        let at: jiff::Timestamp = format!("{day}T12:00:00Z").parse().unwrap();
        clock.advance(Duration::try_from(at.duration_since(clock.now())).unwrap());
        bot.says("/lang en").await;
        assert_eq!(bot.says("what day is it today?").await, *english);
        bot.says("/lang it").await;
        assert_eq!(bot.says("che giorno è oggi").await, *italian);
    }
    assert_eq!(layer(&bot), "pattern 0");
}

#[tokio::test]
async fn the_time_is_that_of_the_persons_zone_across_its_change() {
    let clock = clock("2026-03-29T00:59:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    assert_eq!(bot.says("what time is it").await, "It's 01:59.");
    clock.advance(Duration::from_secs(60));
    assert_eq!(bot.says("hey metnos, what time is it please").await, "It's 03:00.");
    assert_eq!(bot.says("che ora e\u{0300}\u{FF1F}").await, "It's 03:00.");
    bot.says("/lang it").await;
    assert_eq!(bot.says("che ore sono").await, "Sono le 03:00.");
}

#[tokio::test]
async fn metnos_speaks_of_itself_and_never_of_its_owner() {
    let mut bot = italian_bot().await;
    bot.file("notes/me.md", "the owner's secret life");
    let who = bot.says("chi sei").await;
    assert!(who.starts_with("Sono metnos"), "{who}");
    assert!(bot.says("aiuto").await.contains("Le cose rischiose") || bot.says("aiuto").await.contains("/undo"));
    let status = bot.says("stato").await;
    assert!(
        status.contains("Autonomia: A2.") && status.contains("Nessun modello"),
        "{status}"
    );
    assert_eq!(layer(&bot), "pattern 0");
    assert_eq!(
        rows(&bot, "SELECT canonical_text FROM fastpaths"),
        Vec::<String>::new(),
        "no rule is memory"
    );
}

#[tokio::test]
async fn undo_takes_back_a_move_once_and_never_reaches_anything_else() {
    let mut bot = italian_bot().await;
    bot.file("in/a.jpg", "a");
    bot.file("photos/b.jpg", "b");
    assert_eq!(bot.says("annulla").await, "Non c'è niente da annullare.");
    bot.says("sposta ~/in/a.jpg in ~/photos").await;
    assert!(bot.has("photos/a.jpg") && !bot.has("in/a.jpg"));
    bot.says("annulla ultimo evento").await;
    assert!(bot.has("in/a.jpg") && !bot.has("photos/a.jpg"));
    // A rejected undo must not open the way to a tool that deletes events.
    bot.taps(ButtonKind::Reject).await;
    assert_eq!(layer_of(&mut bot, "annulla ultimo evento").await, "pattern 0");
    assert_eq!(bot.says("annulla ultimo evento").await, "Non c'è niente da annullare.");
    assert!(bot.has("photos/b.jpg"));
}

#[tokio::test]
async fn another_way_of_undoing_is_not_undoing_more() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.jpg", "a");
    bot.file("in/b.jpg", "b");
    bot.says("move ~/in/a.jpg to ~/one").await;
    bot.says("move ~/in/b.jpg to ~/two").await;
    bot.says("undo").await;
    assert!(bot.has("in/b.jpg"));
    let other = again(&mut bot).await;
    assert!(other.starts_with("The only way I know"), "{other}");
    assert!(!bot.has("in/a.jpg"), "the turn before was not taken back as well");
    bot.says("undo").await;
    assert!(bot.has("in/a.jpg"), "a second undo goes one turn further back");
}

/// One change that cannot be taken back keeps nobody from those before it, and is tried again at the end.
#[tokio::test]
async fn undo_says_what_it_leaves_alone_and_goes_on_below_it() {
    let mut bot = TestBot::new().await;
    bot.says("write \"one\" to ~/u.txt").await;
    bot.says("write \"two\" to ~/v.txt").await;
    bot.file("v.txt", "by hand");
    let left = bot.says("undo").await;
    assert!(
        left.starts_with("~/v.txt was changed since, so I left it alone.")
            && left.ends_with("Say “undo” again to take back what I did before that."),
        "{left}"
    );
    assert_eq!(text_of(&bot.home().join("v.txt")), "by hand");
    let undone = bot.says("undo").await;
    assert!(undone.contains("Removed again: u.txt"), "{undone}");
    assert!(!bot.has("u.txt"));
    let left = bot.says("undo").await;
    assert!(
        left.starts_with("~/v.txt was changed since") && !left.contains("again to take back"),
        "{left}"
    );
    bot.file("v.txt", "two");
    let undone = bot.says("undo").await;
    assert!(undone.contains("Removed again: v.txt") && !bot.has("v.txt"), "{undone}");
    assert_eq!(bot.says("undo").await, "There is nothing to undo.");
}

/// What stood in the way was named; once it is gone, the next undo does the rest, and nothing below it.
#[tokio::test]
async fn the_next_undo_does_the_rest_of_one_that_came_back_in_part() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.jpg", "a");
    bot.file("in/b.jpg", "b");
    bot.says("write \"one\" to ~/below.txt").await;
    bot.says("move ~/in/a.jpg and ~/in/b.jpg to ~/box").await;
    assert!(bot.has("box/a.jpg") && bot.has("box/b.jpg"));
    bot.file("in/a.jpg", "another");
    let undone = bot.says("undo the last 2 turns").await;
    assert!(undone.contains("b.jpg") && bot.has("in/b.jpg"), "{undone}");
    assert!(bot.has("box/a.jpg") && bot.has("below.txt"), "{undone}");
    std::fs::remove_file(bot.home().join("in/a.jpg")).unwrap();
    let undone = bot.says("undo").await;
    assert!(undone.contains("a.jpg") && !undone.contains("b.jpg"), "{undone}");
    assert_eq!(text_of(&bot.home().join("in/a.jpg")), "a");
    assert!(!bot.has("box") && bot.has("below.txt"), "{undone}");
    bot.says("undo").await;
    assert!(!bot.has("below.txt"));
}

#[tokio::test]
async fn undo_puts_nothing_over_what_is_there_now() {
    let mut bot = italian_bot().await;
    bot.file("casa.txt", "wifi");
    bot.file("a/list.md", "latte");
    bot.says("sposta ~/a/list.md in ~/b").await;
    bot.says("sposta ~/casa.txt in ~/backup").await;
    bot.file("casa.txt", "altro");
    let left = bot.says("annulla").await;
    assert!(left.starts_with("In ~/casa.txt ora c'è un'altra cosa"), "{left}");
    let undone = bot.says("annulla").await;
    assert_eq!(
        undone,
        "Fatto, ho annullato 2 modifiche. Rimesso a posto: list.md. Tolto di nuovo: b."
    );
    std::fs::remove_file(bot.home().join("casa.txt")).unwrap();
    bot.says("annulla").await;
    assert_eq!(text_of(&bot.home().join("casa.txt")), "wifi");
}

#[tokio::test]
async fn undo_restores_what_a_write_replaced() {
    let mut bot = TestBot::new().await;
    let file = bot.file("a.txt", "old");
    let plan = json!({"steps": [{"tool": "write_files", "args": {"path": "~/a.txt", "content": "new"}}]});
    remember(&bot, "write \"new\" to ~/a.txt", &plan);
    bot.says("write \"new\" to ~/a.txt").await;
    assert_eq!(text_of(&file), "new");
    assert_eq!(layer(&bot), "fastpath 0");
    bot.says("undo").await;
    assert_eq!(text_of(&file), "old");
}

#[tokio::test]
async fn autonomy_goes_down_by_a_sentence_and_up_by_a_command_only() {
    let mut bot = TestBot::new().await;
    let autonomy = |bot: &TestBot| rows(bot, "SELECT upper(autonomy) FROM actors WHERE id = 'host'").remove(0);
    let raise = bot.says("set autonomy to a4").await;
    assert!(raise.contains("metnos autonomy A4 host"), "{raise}");
    assert_eq!(autonomy(&bot), "A2");
    bot.says("set autonomy to a1").await;
    assert_eq!(autonomy(&bot), "A1");
    bot.says("abbassa l'autonomia").await;
    assert_eq!(autonomy(&bot), "A0");
    assert_eq!(bot.says("set autonomy to a0").await, "Autonomy is already A0.");
    let range = bot.says("set autonomy to a9").await;
    assert!(range.contains("A4"), "{range}");
    bot.says("don't set autonomy to a4").await;
    assert_eq!(autonomy(&bot), "A0");
}

#[tokio::test]
async fn a_lower_level_asks_before_it_changes_anything() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.jpg", "a");
    bot.says("set autonomy to a1").await;
    bot.says("move ~/in/a.jpg to ~/photos").await;
    assert!(bot.has("in/a.jpg"));
    assert_eq!(button(&bot, ButtonKind::Approve).label, "✅ Approve");
}

#[tokio::test]
async fn a_rejected_pattern_is_silent_for_that_text_until_it_is_confirmed() {
    let mut bot = TestBot::new().await;
    assert_eq!(layer_of(&mut bot, "what time is it").await, "pattern 0");
    let confirm = button(&bot, ButtonKind::Confirm);
    bot.taps(ButtonKind::Reject).await;
    assert_eq!(layer_of(&mut bot, "what time is it").await, "simple 0");
    // Praise for the other way is no praise for the pattern.
    bot.taps(ButtonKind::Confirm).await;
    assert_ne!(layer_of(&mut bot, "What time is it?").await, "pattern 0");
    assert_eq!(
        layer_of(&mut bot, "what is the time").await,
        "pattern 0",
        "another text is another matter"
    );
    assert_eq!(tap(&bot, &confirm).await, "Noted, thank you.");
    assert_eq!(layer_of(&mut bot, "what time is it").await, "pattern 0");
}

#[tokio::test]
async fn another_way_is_asked_for_once_and_not_for_ever() {
    let mut bot = TestBot::new().await;
    bot.says("what time is it").await;
    let other = again(&mut bot).await;
    assert!(other.starts_with("The only way I know"), "{other}");
    assert_eq!(layer_of(&mut bot, "what time is it").await, "pattern 0");
}

#[tokio::test]
async fn a_command_for_a_device_asks_where_they_are_kept_until_they_are() {
    let mut bot = TestBot::new().await;
    for request in ["turn off the kitchen lights", "turn on the fan in the bedroom"] {
        let said = bot.says(request).await;
        assert!(said.contains("I need your Home Assistant."), "{request}: {said}");
        bot.says("cancel").await;
    }
    assert_eq!(rows(&bot, "SELECT canonical_text FROM fastpaths"), Vec::<String>::new());
}

#[tokio::test]
async fn what_would_destroy_everything_is_refused_before_anybody_plans() {
    let mut bot = italian_bot().await;
    bot.file("docs/a.txt", "a");
    let said = bot.says("svuota completamente la mia cartella home").await;
    assert!(said.starts_with("Questo non lo faccio"), "{said}");
    assert!(bot.has("docs/a.txt"));
    assert_eq!(layer(&bot), "pattern 0");
}

/// Every example of the help is understood, as it stands there.
#[tokio::test]
async fn what_the_help_shows_can_be_said() {
    for lang in Lang::BUILT_IN {
        let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), lang).await;
        let letter = match lang {
            Lang::IT => "documenti/lettera scuola.txt",
            _ => "docs/letter school.txt",
        };
        for file in [letter, "photos/sea.jpg", "notes/diary.txt"] {
            bot.file(file, "x");
        }
        for table in ["fuel.csv", "benzina.csv"] {
            bot.file(table, "date;euro\n2026-03-04;73.80\n");
        }
        let help = bot.says("/help").await;
        let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("· ")).collect();
        assert!(examples.len() > 5, "{help}");
        for example in examples {
            let heard = bot.says(example).await;
            let understood = rows(
                &bot,
                "SELECT iif(plan_hash IS NOT NULL OR answered_by = 'pattern', 'yes', 'no') FROM turns
                 ORDER BY rowid DESC LIMIT 1",
            );
            assert_eq!(understood, ["yes"], "{example}: {heard}\n{}", bot.transcript());
            // What an example asks back is no part of the next.
            if !rows(&bot, "SELECT id FROM dialogs WHERE state = 'waiting'").is_empty() {
                bot.says("/stop").await;
            }
        }
    }
}

#[tokio::test]
async fn sums_are_computed_by_code_and_without_a_model() {
    let mut bot = italian_bot().await;
    for (words, answer) in [
        ("quanto fa 12,5 per 3?", "Fa 37,5."),
        ("il 22% di 1.500?", "Fa 330."),
        ("quanti minuti ci sono in una settimana", "Fa 10080 min."),
        ("converti 10 miglia in km", "Fa circa 16,0934 km."),
        ("quanto fa 5 diviso 0", "Non si può dividere per zero."),
    ] {
        let said = bot.says(words).await;
        assert!(said.starts_with(answer), "{words}: {said}");
        // What cannot be computed ends there too, with its reason.
        let last = if words.ends_with('0') {
            "terminator 0"
        } else {
            "pattern 0"
        };
        assert_eq!(layer(&bot), last, "{words}");
    }
    bot.says("/lang en").await;
    for (words, answer) in [
        ("what is 15% of 80?", "It is 12."),
        ("how many cups in a litre", "It is about 4.2268 cups."),
        ("what is 5 kg in km", "I cannot work out “5 kg to km”."),
    ] {
        let said = bot.says(words).await;
        assert!(said.starts_with(answer), "{words}: {said}");
    }
    bot.says("add 2 eggs to the list").await;
    assert_ne!(layer(&bot), "pattern 0");
}
