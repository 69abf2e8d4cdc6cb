//! What is set is ended, changed and asked about as people do: by name, by kind, by its time, by "it", in both
//! languages.

use metnos::domain::{ids::ChannelKind, lang::Lang};

use super::{bot, later, pair, requests::ran, rings, rows};
use crate::support::bot::TestBot;

/// Names or words of what is set, as an overview shows them, in alphabetical order.
async fn set(bot: &mut TestBot, lang: Lang) -> Vec<String> {
    let all = set_with_states(bot, lang).await;
    let names = all.iter().filter_map(|one| one.rsplit_once(' '));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// The same with how each stands: `pizza paused`.
pub(super) async fn set_with_states(bot: &mut TestBot, lang: Lang) -> Vec<String> {
    let ask = if lang == Lang::IT {
        "cosa ho in programma"
    } else {
        "what is set"
    };
    let shown = bot.says(ask).await;
    let one = |line: &str| {
        let (name, rest) = line.split('“').nth(1)?.split_once('”')?;
        let is_paused = rest.contains("paus");
        Some(format!("{name} {}", if is_paused { "paused" } else { "active" }))
    };
    let lines = shown.lines().filter(|line| line.starts_with('•'));
    let mut all: Vec<String> = lines.filter_map(one).collect();
    all.sort();
    all
}

/// How it stands, in the order it was made.
fn states(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT state FROM tasks WHERE kind <> 'job' AND state <> 'done' ORDER BY rowid",
    )
}

/// What a conversation begins with, what is said, and what is set afterwards.
type Row = (&'static [&'static str], &'static str, &'static [&'static str]);

async fn all(lang: Lang, table: &[Row]) {
    let mut wrong = Vec::new();
    for (before, say, left) in table {
        let (mut bot, _clock) = bot(lang).await;
        for one in *before {
            bot.says(one).await;
        }
        let said = bot.says(say).await;
        let now = set(&mut bot, lang).await;
        if now != *left {
            wrong.push(format!("{say}: {now:?}, not {left:?}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const PIZZA: &str = "set a timer for 10 minutes for the pizza";
const TEA: &str = "set a timer for 4 minutes for the tea";
const MUM: &str = "remind me tomorrow at 9 to call mum";
const BINS: &str = "remind me today at 23:00 to take the bins out";
const LATTE: &str = "ricordami domani alle 11 di comprare il latte";
const MAMMA: &str = "ricordami oggi alle 23 di chiamare la mamma";
const PASTA: &str = "imposta un timer di 10 minuti per la pasta";
const SPESA: &str = "ogni giorno alle 8 dimmi cosa c'è nella lista della spesa";
const LIST: &str = "every weekday at 8 tell me what is on the shopping list";

#[tokio::test]
async fn what_is_set_is_ended_by_whatever_it_is_called() {
    all(
        Lang::EN,
        &[
            (&[PIZZA], "cancel it", &[]),
            (&[PIZZA, TEA], "cancel the pizza one", &["tea"]),
            (&[MUM, BINS], "delete the 23:00 reminder", &["call mum"]),
            (&[MUM, BINS], "delete all reminders", &[]),
            (&[MUM, BINS, PIZZA], "cancel all my reminders", &["pizza"]),
            (&[MUM, BINS], "delete the reminder about mum", &["take the bins out"]),
            (&[MUM, LIST], "cancel the shopping list request", &["call mum"]),
            (
                &[MUM, LIST],
                "stop telling me what is on the shopping list",
                &["call mum"],
            ),
            (&[MUM, BINS], "stop reminding me to call mum", &["take the bins out"]),
            (&[MUM], "cancel the dentist reminder", &["call mum"]),
            (&[MUM, BINS], "cancel the reminder for tomorrow", &["take the bins out"]),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_is_set_is_ended_in_italian() {
    all(
        Lang::IT,
        &[
            (&[LATTE, MAMMA], "cancella tutti i promemoria", &[]),
            (
                &[LATTE, MAMMA],
                "elimina il promemoria delle 11",
                &["chiamare la mamma"],
            ),
            (&[PASTA], "annullalo", &[]),
            (&[LATTE, MAMMA], "cancella quello della mamma", &["comprare il latte"]),
            (
                &[LATTE, MAMMA],
                "non ricordarmi più di chiamare la mamma",
                &["comprare il latte"],
            ),
            (
                &[LATTE, SPESA],
                "smetti di dirmi cosa c'è nella lista della spesa",
                &["comprare il latte"],
            ),
            (&[LATTE, PASTA], "annulla il timer della pasta", &["comprare il latte"]),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_is_set_is_moved_paused_and_given_more_time() {
    let due = |bot: &TestBot| {
        rows(
            bot,
            "SELECT substr(datetime(due_at / 1000, 'unixepoch', '+1 hour'), 9, 8) FROM tasks
             WHERE kind <> 'job' AND due_at IS NOT NULL",
        )
    };
    for (lang, before, say, is) in [
        (Lang::EN, MUM, "move it to 10", "25 10:00"),
        (Lang::EN, MUM, "move it to 10:30", "25 10:30"),
        (Lang::EN, MUM, "postpone the reminder to friday", "27 09:00"),
        (Lang::EN, MUM, "push it back an hour", "25 10:00"),
        (Lang::EN, PIZZA, "add 5 minutes to it", "24 10:15"),
        (Lang::EN, PIZZA, "add 5 minutes to the pizza one", "24 10:15"),
        (
            Lang::IT,
            "ricordami domani alle 9 di chiamare la mamma",
            "spostalo alle 10",
            "25 10:00",
        ),
        (
            Lang::IT,
            "ricordami domani alle 9 di chiamare la mamma",
            "rimandalo a venerdì",
            "27 09:00",
        ),
        (
            Lang::IT,
            "imposta un timer di 10 minuti per la pasta",
            "aggiungi 5 minuti",
            "24 10:15",
        ),
    ] {
        let (mut bot, _clock) = bot(lang).await;
        bot.says(before).await;
        let said = bot.says(say).await;
        assert_eq!(due(&bot), [is], "{say}: {said}");
    }
    for (lang, before, pause, go_on) in [
        (Lang::EN, PIZZA, "pause it", "resume it"),
        (
            Lang::IT,
            "imposta un timer di 10 minuti per la pasta",
            "mettilo in pausa",
            "riprendi",
        ),
    ] {
        let (mut bot, _clock) = bot(lang).await;
        bot.says(before).await;
        let said = bot.says(pause).await;
        assert_eq!(states(&bot), ["paused"], "{said}");
        let said = bot.says(go_on).await;
        assert_eq!(states(&bot), ["active"], "{said}");
    }
}

#[tokio::test]
async fn what_is_set_can_be_asked_about() {
    for (lang, before, say, has) in [
        (Lang::EN, PIZZA, "how long is left", "10 minutes left"),
        (Lang::EN, MUM, "when is it", "Wednesday 25 November"),
        (Lang::EN, MUM, "what is set", "call mum"),
        (Lang::EN, PIZZA, "show my tasks", "pizza"),
        (Lang::EN, LIST, "what do i have planned", "shopping list"),
        (
            Lang::IT,
            "imposta un timer di 10 minuti per la pasta",
            "quanto manca",
            "10 minuti",
        ),
        (
            Lang::IT,
            "ricordami domani alle 9 di chiamare la mamma",
            "cosa ho in programma",
            "chiamare la mamma",
        ),
    ] {
        let (mut bot, _clock) = bot(lang).await;
        bot.says(before).await;
        let said = bot.says(say).await;
        assert!(said.contains(has), "{say}: {said}");
    }
}

#[tokio::test]
async fn of_two_that_are_called_alike_one_is_chosen() {
    let (mut bot, _clock) = bot(Lang::EN).await;
    bot.says(MUM).await;
    bot.says("remind me on friday at 18:00 to call mum").await;
    let asked = bot.says("delete the reminder about mum").await;
    assert!(asked.contains("09:00") && asked.contains("18:00"), "{asked}");
    assert_eq!(states(&bot).len(), 2);
    let said = bot.says("2").await;
    let left = rows(&bot, "SELECT trigger FROM tasks WHERE kind <> 'job'");
    assert_eq!(left, ["at:2026-11-25T09:00:00"], "{said}");
}

#[tokio::test]
async fn after_a_ring_it_is_done_or_comes_later_by_words() {
    for (lang, before, say, left) in [
        (
            Lang::EN,
            "remind me in 20 minutes to take the cake out",
            "done",
            &[][..],
        ),
        (
            Lang::EN,
            "remind me in 20 minutes to take the cake out",
            "snooze",
            &["snoozed"],
        ),
        (
            Lang::EN,
            "remind me in 20 minutes to take the cake out",
            "10 more minutes",
            &["snoozed"],
        ),
        (
            Lang::IT,
            "ricordami fra 20 minuti di togliere la torta",
            "altri 10 minuti",
            &["snoozed"],
        ),
        (Lang::IT, "ricordami fra 20 minuti di togliere la torta", "fatto", &[]),
    ] {
        let (mut bot, clock) = bot(lang).await;
        bot.says(before).await;
        later(&clock, 1_200);
        rings(&mut bot).await;
        let said = bot.says(say).await;
        assert_eq!(states(&bot), left, "{say}: {said}");
    }
}

#[tokio::test]
async fn an_edited_message_replaces_what_it_had_set() {
    let (mut bot, _clock) = bot(Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    bot.telegram("host-phone", MUM).await;
    let mended = bot.last_message();
    bot.telegram_edits("host-phone", &mended, "remind me tomorrow at 10 to call mum")
        .await;
    let said = bot.hears(ChannelKind::Telegram).await.plain();
    let left = rows(&bot, "SELECT trigger FROM tasks WHERE kind <> 'job'");
    assert_eq!(left, ["at:2026-11-25T10:00:00"], "{said}");
}

#[tokio::test]
async fn a_bare_cancel_ends_what_was_set_a_moment_ago_and_nothing_older() {
    for (lang, before, say) in [
        (Lang::EN, MUM, "cancel"),
        (Lang::EN, MUM, "cancel that"),
        (Lang::IT, LATTE, "annulla"),
    ] {
        let (mut bot, _clock) = bot(lang).await;
        bot.says(before).await;
        let said = bot.says(say).await;
        assert_eq!(states(&bot), [""; 0], "{say}: {said}");
    }
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.says(MUM).await;
    later(&clock, 4 * 3_600);
    let said = bot.says("cancel").await;
    assert_eq!(states(&bot), ["active"], "{said}");
}

#[tokio::test]
async fn the_second_of_those_that_were_shown_is_ended() {
    let (mut bot, _clock) = bot(Lang::EN).await;
    bot.says(BINS).await;
    bot.says(MUM).await;
    let shown = bot.says("what are my reminders").await;
    assert!(
        shown.contains("take the bins out") && shown.contains("call mum"),
        "{shown}"
    );
    let said = bot.says("delete the second").await;
    assert_eq!(states(&bot).len(), 1, "{said}");
    bot.says("what are my reminders").await;
    let said = bot.says("delete them").await;
    assert_eq!(states(&bot), [""; 0], "{said}");
}

#[tokio::test]
async fn a_watcher_takes_its_picture_when_it_is_set() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.file("in/old.pdf", "old");
    bot.says("tell me when a new pdf is in ~/in").await;
    ran(&bot, 1).await;
    bot.file("in/new.pdf", "new");
    later(&clock, 300);
    let heard = rings(&mut bot).await;
    assert!(heard.contains("new.pdf") && !heard.contains("old.pdf"), "{heard}");
    let refused = bot.says("tell me when a new pdf is in ~/nowhere").await;
    let watchers = rows(&bot, "SELECT kind FROM tasks WHERE kind = 'watcher'");
    assert_eq!(watchers, ["watcher"], "{refused}");
}
