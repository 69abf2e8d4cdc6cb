//! A list that the host shares: the others read it and change it as theirs, it is one list for all, and nothing else of
//! the host's comes with it.

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use metnos::domain::{folders, ids::ActorId, lang::Lang};
use serde_json::json;

use super::{bot_at, clock, pair, rows};
use crate::{
    model::{PLANNING, bot_with, plan},
    support::{bot::TestBot, llama::ScriptedLlama},
};

const AT: &str = "2026-11-25T09:00:00Z";

async fn house(lang: Lang) -> TestBot {
    let mut bot = bot_at(&clock(AT), lang).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    pair(&mut bot, "luca").await;
    let notes = bot.home().join("notes");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join(list(lang)), "- [ ] bread\n- [ ] milk\n").unwrap();
    fs::write(notes.join("diary.md"), "nobody's business\n").unwrap();
    bot
}

fn list(lang: Lang) -> &'static str {
    if lang == Lang::IT { "spesa.md" } else { "shopping.md" }
}

fn text(bot: &TestBot, lang: Lang) -> String {
    fs::read_to_string(bot.home().join("notes").join(list(lang))).unwrap()
}

/// The folder of a guest.
fn folder(bot: &TestBot, name: &str) -> PathBuf {
    let id = rows(bot, &format!("SELECT id FROM actors WHERE name = '{name}'")).remove(0);
    folders::guest(&bot.data_dir(), &ActorId::from(id))
}

async fn shares(bot: &mut TestBot, lang: Lang, say: &str) -> String {
    let asked = bot.says(say).await;
    assert!(asked.contains("anna") && asked.contains(list(lang)), "{asked}");
    bot.says(if lang == Lang::IT { "sì" } else { "yes" }).await
}

#[tokio::test]
async fn a_shared_list_is_one_list() {
    for (lang, share, show, add, end) in [
        (
            Lang::EN,
            "share the shopping list with Anna",
            "show me the shopping list",
            "add eggs to the shopping list",
            "stop sharing the shopping list with Anna",
        ),
        (
            Lang::IT,
            "condividi la lista della spesa con Anna",
            "mostrami la lista della spesa",
            "aggiungi uova alla lista della spesa",
            "smetti di condividere la lista della spesa con Anna",
        ),
    ] {
        let mut bot = house(lang).await;
        let before = bot.telegram("anna", show).await;
        assert!(!before.contains("bread"), "{before}");
        let said = shares(&mut bot, lang, share).await;
        assert!(said.contains("anna"), "{said}");
        let shown = bot.telegram("anna", show).await;
        let why = bot.telegram("anna", "/why").await;
        assert!(shown.contains("bread") && shown.contains("milk"), "{shown} {why}");
        let added = bot.telegram("anna", add).await;
        let is_there = |text: String| text.contains("eggs") || text.contains("uova");
        assert!(is_there(text(&bot, lang)), "{added}");
        // What the host writes, Anna sees; Luca sees nothing.
        bot.says(add).await;
        let other = bot.telegram("luca", show).await;
        assert!(!other.contains("bread"), "{other}");
        let ended = shares(&mut bot, lang, end).await;
        assert!(ended.contains("anna"), "{ended}");
        let after = bot.telegram("anna", show).await;
        assert!(!after.contains("bread"), "{after}");
        assert!(text(&bot, lang).contains("bread"));
    }
}

#[tokio::test]
async fn what_is_shared_to_read_is_not_changed_and_never_moved_or_deleted() {
    let lang = Lang::EN;
    let mut bot = house(lang).await;
    let said = shares(&mut bot, lang, "share the shopping list with Anna only to read").await;
    assert!(said.contains("Only you change it"), "{said}");
    let shown = bot.telegram("anna", "show me the shopping list").await;
    assert!(shown.contains("bread"), "{shown}");
    let refused = bot.telegram("anna", "add eggs to the shopping list").await;
    assert!(!text(&bot, lang).contains("eggs"), "{refused}");
    let refused = bot.telegram("anna", "delete ~/notes/shopping.md").await;
    assert!(bot.home().join("notes/shopping.md").is_file(), "{refused}");
    let refused = bot.telegram("anna", "move ~/notes/shopping.md to ~/old").await;
    assert!(bot.home().join("notes/shopping.md").is_file(), "{refused}");
}

#[tokio::test]
async fn undo_ends_it_and_undo_of_a_change_is_for_all() {
    let lang = Lang::EN;
    let mut bot = house(lang).await;
    shares(&mut bot, lang, "share the shopping list with Anna").await;
    bot.telegram("anna", "add eggs to the shopping list").await;
    let back = bot.telegram("anna", "undo").await;
    assert!(!text(&bot, lang).contains("eggs"), "{back}");
    let back = bot.says("undo").await;
    assert_eq!(rows(&bot, "SELECT path FROM shares"), [""; 0], "{back}");
    assert!(fs::symlink_metadata(folder(&bot, "anna").join("notes/shopping.md")).is_err());
    let after = bot.telegram("anna", "show me the shopping list").await;
    assert!(!after.contains("bread"), "{after}");
}

#[tokio::test]
async fn only_the_host_shares_and_a_link_that_nobody_wrote_down_leads_nowhere() {
    let mut bot = house(Lang::EN).await;
    let refused = bot.telegram("anna", "share ~/notes/shopping.md with Luca").await;
    assert_eq!(rows(&bot, "SELECT path FROM shares"), [""; 0], "{refused}");
    let own = folder(&bot, "anna").join("notes");
    fs::create_dir_all(&own).unwrap();
    symlink(bot.home().join("notes/diary.md"), own.join("diary.md")).unwrap();
    let refused = bot.telegram("anna", "read ~/notes/diary.md").await;
    assert!(!refused.contains("nobody's business"), "{refused}");
    // A question about it reads nothing either.
    let refused = bot.telegram("anna", "whose business is the diary?").await;
    assert!(!refused.contains("nobody's business"), "{refused}");
}

const DINNER: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:dinner@x\r\n\
    DTSTAMP:20261101T000000Z\r\nDTSTART;TZID=Europe/Rome:20261126T200000\r\nDTEND;TZID=Europe/Rome:20261126T220000\r\n\
    SUMMARY:Dinner\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
const ROSSI: &str = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:r\r\nFN:Dottor Rossi\r\nTEL:+39021234\r\nEND:VCARD\r\n";

/// The file of the host's only event.
fn event(bot: &TestBot) -> String {
    fs::read_to_string(bot.home().join(".calendar/dinner.ics")).unwrap()
}

async fn with_calendar(lang: Lang) -> TestBot {
    let bot = house(lang).await;
    for (folder, name, text) in [(".calendar", "dinner.ics", DINNER), (".contacts", "rossi.vcf", ROSSI)] {
        fs::create_dir_all(bot.home().join(folder)).unwrap();
        fs::write(bot.home().join(folder).join(name), text).unwrap();
    }
    bot
}

/// A tap on the card that comes.
async fn lends(bot: &mut TestBot, lang: Lang, say: &str) -> String {
    let asked = bot.says(say).await;
    assert!(asked.contains("anna"), "{asked}");
    bot.says(if lang == Lang::IT { "sì" } else { "yes" }).await
}

#[tokio::test]
async fn a_shared_calendar_is_one_calendar_and_nobody_elses() {
    for (lang, share, show, change, put, end) in [
        (
            Lang::EN,
            "share the calendar with Anna",
            "what's on my calendar tomorrow",
            "move dinner to 21:00",
            "put dentist on tomorrow at 9:30",
            "stop sharing the calendar with Anna",
        ),
        (
            Lang::IT,
            "condividi il calendario con Anna",
            "cosa c'è in calendario domani?",
            "sposta dinner alle 21:00",
            "metti dentista domani alle 9:30",
            "smetti di condividere il calendario con Anna",
        ),
    ] {
        let mut bot = with_calendar(lang).await;
        let before = bot.telegram("anna", show).await;
        assert!(!before.contains("Dinner"), "{before}");
        let said = lends(&mut bot, lang, share).await;
        assert!(said.contains("anna"), "{said}");
        let shown = bot.telegram("anna", show).await;
        assert!(shown.contains("Dinner") && shown.contains("20:00"), "{shown}");
        let other = bot.telegram("luca", show).await;
        assert!(!other.contains("Dinner"), "{other}");
        let moved = bot.telegram("anna", change).await;
        assert!(event(&bot).contains("T210000"), "{moved} {}", event(&bot));
        let back = bot.telegram("anna", "undo").await;
        assert_eq!(event(&bot), DINNER, "{back}");
        // What she puts in is hers, and the host does not see it.
        let put = bot.telegram("anna", put).await;
        let own = bot.says(show).await;
        assert!(!own.to_lowercase().contains("denti"), "{put} {own}");
        let ended = lends(&mut bot, lang, end).await;
        assert!(ended.contains("anna"), "{ended}");
        let after = bot.telegram("anna", show).await;
        assert!(
            !after.contains("Dinner") && after.to_lowercase().contains("denti"),
            "{after}"
        );
    }
}

#[tokio::test]
async fn a_calendar_that_is_shared_to_read_is_not_changed_by_a_plan_either() {
    let mut bot = with_calendar(Lang::EN).await;
    let said = lends(&mut bot, Lang::EN, "share the calendar with Anna only to read").await;
    assert!(said.contains("Only you change it"), "{said}");
    let shown = bot.telegram("anna", "what's on my calendar tomorrow").await;
    assert!(shown.contains("Dinner"), "{shown}");
    for change in ["move dinner to 21:00", "delete dinner from my calendar"] {
        let refused = bot.telegram("anna", change).await;
        let refused = format!("{refused} {}", bot.telegram("anna", "yes").await);
        assert_eq!(event(&bot), DINNER, "{refused}");
    }
    let back = bot.says("undo").await;
    let after = bot.telegram("anna", "what's on my calendar tomorrow").await;
    assert!(!after.contains("Dinner"), "{back} {after}");
}

#[tokio::test]
async fn a_shared_address_book_answers_and_only_the_host_shares_one() {
    let mut bot = with_calendar(Lang::IT).await;
    let before = bot.telegram("anna", "qual è il numero di Rossi?").await;
    assert!(!before.contains("021234"), "{before}");
    lends(&mut bot, Lang::IT, "condividi la rubrica con Anna").await;
    let said = bot.telegram("anna", "qual è il numero di Rossi?").await;
    assert!(said.contains("021234"), "{said}");
    let refused = bot.telegram("anna", "condividi la rubrica con Luca").await;
    let refused = format!("{refused} {}", bot.telegram("anna", "sì").await);
    assert_eq!(rows(&bot, "SELECT actor FROM lent_agendas").len(), 1, "{refused}");
}

/// What is said of a name that nobody has here.
fn nobody(lang: Lang, name: &str) -> String {
    if lang == Lang::IT {
        format!(
            "In questa casa nessuno si chiama {name}. Ci sono: anna, luca. Per far entrare qualcuno scrivimi /people \
             invite. Il codice che ricevi, chi entra lo manda con /pair CODICE"
        )
    } else {
        format!(
            "Nobody in this house is called {name}. These are here: anna, luca. To let somebody in, send me /people \
             invite. They come with the code it gives: /pair CODE"
        )
    }
}

#[tokio::test]
async fn with_somebody_who_is_not_here_nothing_is_shared_sent_or_even_shown() {
    for (lang, requests) in [
        (
            Lang::EN,
            &[
                ("share the shopping list with Marta", "Marta"),
                ("share the shopping list with marta", "marta"),
                ("share ~/notes/diary.md with Marta Rossi", "Marta Rossi"),
                ("share the shopping list with Anna and Marta", "Marta"),
                ("share the shopping list with Marta only to read", "Marta"),
                ("stop sharing the shopping list with Marta", "Marta"),
                ("share the calendar with Marta", "Marta"),
                ("share the address book with Marta", "Marta"),
                ("tell Marta that dinner is ready", "Marta"),
                ("let Marta know that dinner is ready", "Marta"),
                ("tell Anna and Marta that dinner is ready", "Marta"),
            ],
        ),
        (
            Lang::IT,
            &[
                ("condividi la lista della spesa con Marta", "Marta"),
                ("condividi la lista della spesa con marta", "marta"),
                ("condividi ~/notes/diary.md con Marta Rossi", "Marta Rossi"),
                ("condividi la lista della spesa con Anna e Marta", "Marta"),
                ("condividi la lista della spesa con Marta in sola lettura", "Marta"),
                ("smetti di condividere la lista della spesa con Marta", "Marta"),
                ("condividi il calendario con Marta", "Marta"),
                ("condividi la rubrica con Marta", "Marta"),
                ("di' a Marta che la cena è pronta", "Marta"),
                ("avvisa Marta che la cena è pronta", "Marta"),
                ("di' ad Anna e a Marta che la cena è pronta", "Marta"),
            ],
        ),
    ] {
        let mut bot = with_calendar(lang).await;
        let mut wrong = Vec::new();
        for (say, name) in requests {
            let said = bot.says(say).await;
            if said != nobody(lang, name) {
                wrong.push(format!("> {say}\n{said}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        for what in ["dialogs", "shares", "lent_agendas"] {
            assert_eq!(
                rows(&bot, &format!("SELECT rowid || '' FROM {what}")),
                [""; 0],
                "{what}"
            );
        }
        assert_eq!(rows(&bot, "SELECT id FROM tasks WHERE said_by IS NOT NULL"), [""; 0]);
    }
}

#[tokio::test]
async fn a_household_of_one_shares_with_nobody() {
    for (lang, say, answer) in [
        (
            Lang::EN,
            "share the shopping list with Anna",
            "Nobody but you is let in here yet.",
        ),
        (
            Lang::IT,
            "condividi la lista della spesa con Anna",
            "Per ora qui non c'è nessuno oltre a te.",
        ),
        (
            Lang::EN,
            "share the shopping list with everybody",
            "Nobody but you is let in here yet.",
        ),
    ] {
        let mut bot = bot_at(&clock(AT), lang).await;
        bot.file(&format!("notes/{}", list(lang)), "- [ ] bread\n");
        let said = bot.says(say).await;
        assert!(said.starts_with(answer), "{say}: {said}");
    }
}

#[tokio::test]
async fn whatever_a_model_plans_for_somebody_who_is_not_here_goes_to_nobody() {
    for steps in [
        json!([{"tool": "share_files", "args": {"paths": ["~/notes/shopping.md"], "to": ["Marta"]}}]),
        json!([{"tool": "send_files", "args": {"paths": ["~/notes/shopping.md"]}}]),
    ] {
        let server = ScriptedLlama::start().await;
        server.when(PLANNING, plan(&steps));
        let mut bot = bot_with(&server).await;
        bot.file("notes/shopping.md", "- [ ] bread\n");
        let said = bot.says("share the shopping list with Marta").await;
        assert!(
            said.starts_with("Nobody but you is let in here yet."),
            "{steps}: {said}"
        );
        assert_eq!(rows(&bot, "SELECT rowid || '' FROM dialogs"), [""; 0], "{steps}");
    }
}

/// Words that are no name, or a name that nothing is said to.
#[tokio::test]
async fn what_tells_nobody_anything_names_nobody() {
    for (lang, requests) in [
        (
            Lang::EN,
            &[
                "tell me how to get to Rome",
                "tell me who Marta is",
                "tell me about Rome",
                "tell me Marta's number",
                "remind me tomorrow at 8 to call Marta",
                "share the shopping list by email",
            ],
        ),
        (
            Lang::IT,
            &[
                "dimmi come arrivo a Roma",
                "dimmi chi è Marta",
                "di Marta hai il numero?",
                "mostrami le foto di Marta",
                "qual è il numero di Marta?",
                "ricordami domani alle 8 di chiamare Marta",
            ],
        ),
    ] {
        let mut bot = with_calendar(lang).await;
        for say in requests {
            let said = bot.says(say).await;
            assert!(!said.contains("/people invite"), "{say}: {said}");
        }
        assert_eq!(rows(&bot, "SELECT id FROM tasks WHERE said_by IS NOT NULL"), [""; 0]);
    }
}

#[tokio::test]
async fn several_who_are_here_share_it() {
    for (lang, say) in [
        (Lang::EN, "share the shopping list with Anna and Luca"),
        (Lang::IT, "condividi la lista della spesa con Anna e Luca"),
        (Lang::EN, "share the shopping list with everybody"),
    ] {
        let mut bot = house(lang).await;
        let said = shares(&mut bot, lang, say).await;
        assert!(said.contains("anna, luca"), "{said}");
        assert_eq!(rows(&bot, "SELECT actor FROM shares").len(), 2);
    }
}
