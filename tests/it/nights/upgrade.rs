//! A home that learned is upgraded: what tools are described with and asked for in may change, what was learned stays.

use std::fs;

use metnos::{catalog::sign_one, clock::Clock, domain::ids::ExecutorName, domain::lang::Lang};

use super::{DAY, at_rest, reap};
use crate::{
    support::bot::TestBot,
    turns::{change, clock, rows},
};

/// Looks and changes, by one tool and by several.
const ASKED: [&str; 5] = [
    "how many pdf files are in ~/docs",
    "the 2 biggest files in ~/docs",
    "which processes use the most memory",
    "show ~/docs/a.txt",
    "list ~/docs",
];

const REMEMBERED: &str = "SELECT 'fastpath ' || canonical_text || plan FROM fastpaths
    UNION ALL SELECT 'autopath ' || intent || plan FROM autopaths
    UNION ALL SELECT 'observation ' || count(*) FROM observations
    UNION ALL SELECT 'removal ' || count(*) FROM removals ORDER BY 1";

async fn learned(clock: &Clock) -> TestBot {
    let mut bot = at_rest(clock, Lang::EN).await;
    bot.file("docs/a.pdf", "a");
    bot.file("docs/a.txt", "hello");
    for asked in ASKED {
        bot.says(asked).await;
        assert!(!bot.says(asked).await.is_empty());
        clock.advance(DAY / 8);
    }
    let learned = rows(&bot, "SELECT canonical_text FROM fastpaths");
    assert_eq!(learned.len(), ASKED.len(), "{learned:?}");
    bot
}

/// What an older version called kinds.
const OLDER: [(&str, &str); 9] = [
    ("file", "path"),
    ("folder", "directory"),
    ("address", "url"),
    ("number", "count"),
    ("column", "field"),
    ("words", "query"),
    ("text", "content"),
    ("choice", "option"),
    ("whereabouts", "near"),
];

fn as_is(line: &str) -> String {
    line.to_owned()
}

/// The kind of an argument as an older version wrote it.
fn older(line: &str) -> String {
    let kind = line.strip_prefix("kind = \"").and_then(|rest| rest.strip_suffix('"'));
    let known = OLDER.iter().find(|(now, _)| Some(*now) == kind);
    known.map_or_else(|| line.to_owned(), |(_, older)| format!("semantic = \"{older}\""))
}

/// Every manifest with other words, roles, frames and descriptions.
fn change_manifests(bot: &TestBot, kind: fn(&str) -> String) {
    let catalog = bot.data_dir().join("catalog");
    for folder in fs::read_dir(&catalog).unwrap() {
        let path = folder.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        fs::write(path.join("manifest.toml"), changed(&path, kind)).unwrap();
        sign_one(&bot.data_dir(), &ExecutorName::from(name.as_str())).unwrap();
    }
}

fn changed(path: &std::path::Path, kind: fn(&str) -> String) -> String {
    let text = fs::read_to_string(path.join("manifest.toml")).unwrap();
    // Frames come last or are followed by other tables; what stands in them goes.
    let mut kept = Vec::new();
    let (mut in_frame, mut in_arg) = (false, false);
    for line in text.lines() {
        if line.starts_with('[') {
            in_frame = line.starts_with("[[frames") || line.starts_with("[frames");
            in_arg = line == "[[args]]";
        }
        let is_role = in_arg && (line.starts_with("role =") || line.starts_with("does ="));
        if in_frame || is_role {
            continue;
        }
        kept.push(match line {
            _ if in_arg && line.starts_with("kind =") => kind(line),
            _ if line.starts_with("version =") => "version = \"9.0.0\"".to_owned(),
            _ if line.starts_with("affinity = [") => line.replacen("affinity = [", "affinity = [\"zip\", ", 1),
            _ if line.starts_with("purpose =") => "purpose = \"Does something, said otherwise.\"".to_owned(),
            _ => line.to_owned(),
        });
    }
    kept.join("\n")
}

async fn assert_nothing_is_lost(bot: &mut TestBot, before: &[String]) {
    assert_eq!(rows(bot, REMEMBERED), before);
    for asked in ASKED {
        bot.says(asked).await;
        let transcript = bot.transcript();
        let trace = transcript.lines().last().unwrap_or_default();
        assert!(trace.contains("fastpath"), "{asked}: {trace}");
    }
    let lost = "SELECT reason || ': ' || name FROM removals";
    assert_eq!(rows(bot, lost), Vec::<String>::new());
}

#[tokio::test]
async fn other_words_roles_and_frames_forget_nothing() {
    forget_nothing(as_is).await;
}

#[tokio::test]
async fn what_kinds_were_called_before_forgets_nothing() {
    forget_nothing(older).await;
}

async fn forget_nothing(kind: fn(&str) -> String) {
    let clock = clock("2026-03-02T12:00:00Z");
    let mut bot = learned(&clock).await;
    let before = rows(&bot, REMEMBERED);
    bot.stop().await;
    change_manifests(&bot, kind);
    bot.start().await;
    assert_nothing_is_lost(&mut bot, &before).await;
    reap(&bot).await;
    assert_eq!(rows(&bot, "SELECT reason FROM removals"), Vec::<String>::new());
}

#[tokio::test]
async fn what_an_older_version_signed_is_signed_anew() {
    let clock = clock("2026-03-02T12:00:00Z");
    let mut bot = learned(&clock).await;
    let before = rows(&bot, REMEMBERED);
    bot.stop().await;
    for table in ["fastpaths", "autopaths", "observations"] {
        change(
            &bot,
            &format!("UPDATE {table} SET tools_sig = '0123456789abcdef', pool_sig = 'fedcba9876543210'"),
        );
    }
    bot.start().await;
    assert_nothing_is_lost(&mut bot, &before).await;
}
