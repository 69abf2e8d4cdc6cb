//! Files and pictures both ways.

use std::time::Duration;

use super::{CHAT, asks, count, paired, serve};
use crate::support::{
    process::Home,
    telegram::{Failing, FakeTelegram, Shown},
};

/// What the bot brought, message by message.
fn brought(telegram: &FakeTelegram) -> Vec<Vec<String>> {
    let media = |shown: Shown| (!shown.media.is_empty()).then_some(shown.media);
    telegram.messages(CHAT).into_iter().filter_map(media).collect()
}

#[tokio::test]
async fn a_file_is_kept_and_it_is_saved_where_the_person_says() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    home.write("docs/other.txt", "x");

    telegram.sends(CHAT, "document", "report.pdf", b"one", "save this in ~/docs");
    telegram.until("moved", |_| home.path("docs/report.pdf").exists()).await;
    assert_eq!(std::fs::read(home.path("docs/report.pdf")).unwrap(), b"one");

    telegram.sends(CHAT, "document", "report.pdf", b"two", "");
    telegram
        .until("kept", |telegram| count(telegram, "~/inbox/report.pdf") >= 1)
        .await;
    asks(&telegram, "rename it to second.pdf", "renamed report.pdf to second.pdf").await;
    assert!(home.path("inbox/second.pdf").exists());

    telegram.sends(CHAT, "photo", "", b"jpeg", "my cat");
    telegram
        .until("the photo", |telegram| count(telegram, "~/inbox/photo-") == 1)
        .await;
    telegram.sends(CHAT, "voice", "", b"opus", "");
    telegram
        .until("the voice note", |telegram| count(telegram, "~/inbox/voice-") == 1)
        .await;
    asks(&telegram, "undo", "Done").await;
    service.terminate().await;
}

#[tokio::test]
async fn a_foreign_name_leads_nowhere_and_nothing_is_replaced() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    for content in [b"one", b"two"] {
        telegram.sends(CHAT, "document", "../../.bashrc", content, "");
    }
    telegram
        .until("both are kept", |telegram| count(telegram, "~/inbox/bashrc") == 2)
        .await;
    assert_eq!(std::fs::read(home.path("inbox/bashrc")).unwrap(), b"one");
    assert_eq!(std::fs::read(home.path("inbox/bashrc (2)")).unwrap(), b"two");
    assert!(!home.path(".bashrc").exists());
    service.terminate().await;
}

#[tokio::test]
async fn a_file_that_cannot_be_had_is_said_and_a_broken_download_is_tried_again() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    telegram.fail("download", 1, &Failing::DroppedBefore);
    telegram.sends(CHAT, "document", "a.txt", b"whole", "");
    telegram
        .until("kept", |telegram| count(telegram, "~/inbox/a.txt") == 1)
        .await;
    assert_eq!(std::fs::read(home.path("inbox/a.txt")).unwrap(), b"whole");

    telegram.fail("getFile", 1, &Failing::Answer(400, "Bad Request: file is too big"));
    telegram.sends(CHAT, "document", "b.txt", b"big", "");
    telegram
        .until("too large", |telegram| count(telegram, "too large") == 1)
        .await;
    telegram.sends(CHAT, "document", "c.txt", b"lost", "");
    telegram.forget_files();
    telegram
        .until("gone or kept", |telegram| {
            count(telegram, "no longer on the server") == 1 || home.path("inbox/c.txt").exists()
        })
        .await;
    let left: Vec<_> = std::fs::read_dir(home.path("inbox"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().ends_with(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    service.terminate().await;
}

#[tokio::test]
async fn a_kill_between_file_and_answer_keeps_it_once() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    telegram.fail("sendMessage", 1, &Failing::Slow(Duration::from_secs(60)));
    telegram.sends(CHAT, "document", "a.txt", b"once", "");
    telegram.until("kept", |_| home.path("inbox/a.txt").exists()).await;
    service.kill().await;
    telegram.heal();
    let service = serve(&telegram, &home);
    asks(&telegram, "/me", "host").await;
    let names: Vec<_> = std::fs::read_dir(home.path("inbox"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["a.txt"]);
    service.terminate().await;
}

#[tokio::test]
async fn files_are_brought_as_what_they_are() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    home.write("docs/a.pdf", "pdf");
    home.write("photos/x.jpg", "jpeg");
    home.write(".secret/key.txt", "hush");
    for number in 0..12 {
        home.write(&format!("many/{number:02}.png"), "png");
    }

    let words = asks(&telegram, "send me ~/docs/a.pdf", "Here is").await;
    assert_eq!(words.buttons.len(), 3);
    assert_eq!(brought(&telegram), [["document a.pdf (3 bytes)"]]);

    asks(&telegram, "mandami la foto ~/photos/x.jpg", "x.jpg").await;
    assert_eq!(brought(&telegram)[1], ["photo x.jpg (4 bytes)"]);

    telegram.fail(
        "sendPhoto",
        1,
        &Failing::Answer(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"),
    );
    asks(&telegram, "send me ~/photos/x.jpg", "Here is").await;
    assert_eq!(brought(&telegram)[2], ["document x.jpg (4 bytes)"]);

    asks(&telegram, "send me the png files in ~/many", "12 files").await;
    let albums: Vec<usize> = brought(&telegram).iter().skip(3).map(Vec::len).collect();
    assert_eq!(albums, [10, 2]);

    asks(&telegram, "send me ~/.secret/key.txt", "hidden").await;
    assert_eq!(brought(&telegram).len(), 5, "nothing else was brought");
    service.terminate().await;
}
