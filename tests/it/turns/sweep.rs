//! What is over is forgotten after a month, and nothing else is: memory ages by rules of its own (`nights`), and what
//! still waits stays.

use std::time::Duration;

use metnos::domain::{
    ids::ChannelKind,
    lang::Lang,
    limits::{COPIES_SETTLED_AFTER, HISTORY_KEPT_FOR, KEPT_FOR, SWEEP_EVERY},
    reply::ButtonKind,
};

use super::{bot_at, change, clock, rows};

const LEFT: &str = "SELECT (SELECT count(*) FROM inbox) || ' ' || (SELECT count(*) FROM outbox) || ' ' || \
                    (SELECT count(*) FROM callbacks) || ' ' || (SELECT count(*) FROM effects) || ' ' || (SELECT count(*) FROM secrets)";

#[tokio::test]
async fn a_month_later_little_is_left() {
    let clock = clock("2026-03-10T09:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.file("docs/a.pdf", "a");
    bot.file("docs/old.txt", "old");
    bot.says("how many pdf files are in ~/docs").await;
    bot.says("delete ~/docs/old.txt").await;
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert_eq!(
        rows(&bot, "SELECT request FROM dialogs"),
        [""],
        "an answered question says nothing any more"
    );
    assert!(bot.data_dir().join("history").read_dir().unwrap().next().is_some());

    // A secret somebody gave and nothing ever used.
    change(
        &bot,
        "INSERT INTO secrets (id, actor, name, sealed, created_at) SELECT 's', id, 'pin', 'sealed:x', 0 FROM actors LIMIT 1",
    );
    clock.advance(KEPT_FOR + SWEEP_EVERY);
    bot.restart().await;
    for _ in 0..500 {
        if rows(&bot, LEFT) == ["0 0 0 0 0"] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(rows(&bot, LEFT), ["0 0 0 0 0"]);
    assert_eq!(rows(&bot, "SELECT count(*) || '' FROM turns"), ["3"]);
    assert_eq!(bot.says("how many pdf files are in ~/docs").await, "1");
    assert_eq!(bot.says("undo").await, "There is nothing to undo.");
}

#[tokio::test]
async fn a_year_later_what_happened_is_forgotten() {
    const HISTORY: &str = "SELECT (SELECT count(*) FROM turns) || ' ' || (SELECT count(*) FROM observations) || ' ' || \
                           (SELECT count(*) FROM gaps) || ' ' || (SELECT group_concat(sender) FROM strangers)";
    let clock = clock("2026-03-10T09:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.file("docs/a.pdf", "a");
    bot.says("how many pdf files are in ~/docs").await;
    bot.says("book me a flight to Rome").await;
    bot.telegram("mallory", "hello").await;
    bot.telegram("trudy", "hello").await;
    assert_eq!(rows(&bot, HISTORY), ["2 1 1 mallory,trudy"]);
    clock.advance(HISTORY_KEPT_FOR / 2);
    bot.says("how many pdf files are in ~/docs").await;
    // Who guesses codes is not forgotten since the first word, but since the last guess.
    bot.telegram("trudy", "/pair ABCDEFGH").await;
    clock.advance(HISTORY_KEPT_FOR / 2 + SWEEP_EVERY + Duration::from_secs(24 * 3_600));
    bot.restart().await;
    for _ in 0..500 {
        if rows(&bot, HISTORY) == ["1 1 0 trudy"] && bot.turn_log().await.len() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(rows(&bot, HISTORY), ["1 1 0 trudy"]);
    assert_eq!(bot.turn_log().await.len(), 1, "the files of the log too");
}

/// A sweep that was stopped half-way, or a folder that could not be removed then, leaves nothing for ever.
#[tokio::test]
async fn saved_copies_that_nothing_names_go_and_no_others() {
    let clock = clock("2026-03-10T09:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.file("docs/old.txt", "old");
    bot.says("delete ~/docs/old.txt").await;
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    clock.advance(SWEEP_EVERY);
    let history = bot.data_dir().join("history");
    let named = history.read_dir().unwrap().next().unwrap().unwrap().path();
    let (stray, new) = (history.join("stray"), history.join("new"));
    let ages = [
        (&named, Duration::from_secs(7 * 24 * 3_600)),
        (&stray, COPIES_SETTLED_AFTER * 2),
        (&new, Duration::ZERO),
    ];
    for (folder, age) in ages {
        std::fs::create_dir_all(folder.join("step1")).unwrap();
        std::fs::write(folder.join("step1/copy.txt"), "words").unwrap();
        let changed = std::time::SystemTime::from(clock.now()) - age;
        std::fs::File::open(folder).unwrap().set_modified(changed).unwrap();
    }
    bot.restart().await;
    for _ in 0..500 {
        if !stray.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!stray.exists());
    assert!(new.exists(), "a step that has just begun");
    assert!(named.exists());
    bot.says("undo").await;
    assert!(bot.has("docs/old.txt"));
}
