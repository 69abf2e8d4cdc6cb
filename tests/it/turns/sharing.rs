//! A list that the host shares: the others read it and change it as theirs, it is one list for all, and nothing else of
//! the host's comes with it.

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use metnos::domain::{folders, ids::ActorId, lang::Lang};

use super::{bot_at, clock, pair, rows};
use crate::support::bot::TestBot;

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
