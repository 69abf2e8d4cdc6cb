//! Photos by when they were taken: what the camera wrote into them, or the day in their name, and not when they were
//! copied here.

use std::fs;

use metnos::domain::lang::Lang;

use super::{bot_at, clock};
use crate::support::bot::TestBot;

/// A Wednesday, ten in the morning in Rome.
const AT: &str = "2026-11-25T09:00:00Z";

/// A picture with nothing in it but the moment a camera wrote, such as `2019:08:14 18:30:05`.
fn jpeg(taken: &str) -> Vec<u8> {
    let mut tiff = b"MM\0*\0\0\0\x08".to_vec();
    // One entry: the EXIF directory lies at 26.
    tiff.extend([0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]);
    // One entry: DateTimeOriginal, twenty letters at 44.
    tiff.extend([0, 1, 0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0]);
    tiff.extend(taken.as_bytes());
    tiff.push(0);
    let length = u16::try_from(tiff.len() + 8).unwrap().to_be_bytes();
    [b"\xff\xd8\xff\xe1", &length[..], b"Exif\0\0", &tiff, b"\xff\xd9"].concat()
}

async fn bot(lang: Lang) -> TestBot {
    let bot = bot_at(&clock(AT), lang).await;
    fs::create_dir_all(bot.home().join("photos")).unwrap();
    let photos = [
        ("beach.jpg", jpeg("2026:07:14 18:30:05")),
        ("old.jpg", jpeg("2019:08:14 18:30:05")),
        ("never-set.jpg", jpeg("0000:00:00 00:00:00")),
        (
            "IMG-20260720-WA0012.jpg",
            b"a messenger took out what the camera wrote".to_vec(),
        ),
    ];
    for (name, bytes) in photos {
        fs::write(bot.home().join("photos").join(name), bytes).unwrap();
    }
    bot
}

#[tokio::test]
async fn photos_are_found_by_when_they_were_taken() {
    for (lang, summer, newest) in [
        (
            Lang::EN,
            "show me the photos from last summer",
            "show me the 2 oldest photos",
        ),
        (
            Lang::IT,
            "mostrami le foto dell'estate scorsa",
            "mostrami le 2 foto più vecchie",
        ),
    ] {
        let mut bot = bot(lang).await;
        let said = bot.says(summer).await;
        assert!(said.contains("beach.jpg") && said.contains("IMG-20260720"), "{said}");
        assert!(!said.contains("old.jpg") && !said.contains("never-set.jpg"), "{said}");
        let said = bot.says(newest).await;
        assert!(said.contains("old.jpg") && said.contains("beach.jpg"), "{said}");
        assert!(!said.contains("never-set.jpg"), "{said}");
    }
}

#[tokio::test]
async fn files_of_every_kind_keep_the_day_they_were_changed() {
    let mut bot = bot_at(&metnos::clock::Clock::system(), Lang::EN).await;
    fs::create_dir_all(bot.home().join("box")).unwrap();
    fs::write(bot.home().join("box/old.jpg"), jpeg("2019:08:14 18:30:05")).unwrap();
    let said = bot.says("which files in ~/box were changed today?").await;
    assert!(said.contains("old.jpg"), "{said}");
}

#[tokio::test]
async fn what_is_there_twice_is_found_and_all_but_one_of_it_deleted() {
    for (lang, which, delete) in [
        (Lang::EN, "which photos do I have twice?", "delete them"),
        (Lang::IT, "quali foto ho due volte?", "cancellale"),
    ] {
        let mut bot = bot(lang).await;
        let put = |name: &str, bytes: &[u8]| {
            fs::create_dir_all(bot.home().join("box")).unwrap();
            fs::write(bot.home().join("box").join(name), bytes).unwrap();
        };
        put("one.jpg", &jpeg("2020:01:01 10:00:00"));
        put("two.jpg", &jpeg("2020:01:01 10:00:00"));
        put("three.jpg", &jpeg("2020:01:01 10:00:01"));
        put("empty-1.txt", b"");
        put("empty-2.txt", b"");
        let said = bot.says(which).await;
        assert!(said.contains("one.jpg") && said.contains("two.jpg"), "{said}");
        assert!(!said.contains("three.jpg") && !said.contains("empty"), "{said}");
        let asked = bot.says(delete).await;
        assert!(asked.contains("two.jpg") && !asked.contains("three.jpg"), "{asked}");
        let said = bot.says(if lang == Lang::EN { "yes" } else { "sì" }).await;
        let left = ["one.jpg", "two.jpg"].map(|name| bot.home().join("box").join(name).exists());
        assert_eq!(left.into_iter().filter(|is_there| *is_there).count(), 1, "{said}");
        assert!(bot.home().join("box/three.jpg").exists() && bot.home().join("box/empty-1.txt").exists());
    }
}

#[tokio::test]
async fn a_folder_is_packed_and_unpacked_by_asking() {
    for (lang, pack, unpack, back) in [
        (Lang::EN, "zip the rome folder", "unzip ~/rome.zip", "undo"),
        (Lang::IT, "comprimi la cartella rome", "estrai ~/rome.zip", "annulla"),
    ] {
        let mut bot = bot(lang).await;
        fs::create_dir_all(bot.home().join("rome")).unwrap();
        fs::write(bot.home().join("rome/a.txt"), "a").unwrap();
        let yes = if lang == Lang::EN { "yes" } else { "sì" };
        let mut said = bot.says(pack).await;
        if said.contains("rome\n") {
            said = bot.says(yes).await;
        }
        assert!(bot.home().join("rome.zip").is_file(), "{said}");
        let mut said = bot.says(unpack).await;
        if said.contains('?') {
            said = bot.says(yes).await;
        }
        assert!(bot.home().join("rome 2/rome/a.txt").is_file(), "{said}");
        let said = bot.says(back).await;
        assert!(!bot.home().join("rome 2").exists(), "{said}");
    }
}
