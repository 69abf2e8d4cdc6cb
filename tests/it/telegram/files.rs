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
async fn what_is_sent_together_is_filed_together_and_answered_once() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    home.write("docs/other.txt", "x");
    let before = telegram.messages(CHAT).len();
    let files: [(&str, &[u8]); 3] = [("a.txt", b"one"), ("b.txt", b"two"), ("c.txt", b"three")];
    telegram.sends_together(CHAT, &files, "save them in ~/docs");
    telegram.until("moved", |_| home.path("docs/c.txt").exists()).await;
    for (name, content) in files {
        assert_eq!(std::fs::read(home.path(&format!("docs/{name}"))).unwrap(), content);
    }
    asks(&telegram, "who are you", "I'm metnos").await;
    assert_eq!(telegram.messages(CHAT).len(), before + 2, "one answer for all of them");
    telegram.sends_together(CHAT, &[("d.txt", b"four"), ("e.txt", b"five")], "");
    telegram
        .until("kept", |telegram| count(telegram, "~/inbox/d.txt, ~/inbox/e.txt") == 1)
        .await;
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

/// A file of this size that takes no room on the disk.
fn hollow(home: &Home, name: &str, bytes: u64) {
    home.write(name, "");
    let file = std::fs::File::options().write(true).open(home.path(name)).unwrap();
    file.set_len(bytes).unwrap();
}

#[tokio::test]
async fn what_telegram_does_not_take_is_said_or_goes_another_way() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    hollow(&home, "docs/film.bin", 50_000_001);
    asks(&telegram, "send me ~/docs/film.bin", "larger than 50 MB").await;
    assert!(brought(&telegram).is_empty());

    hollow(&home, "photos/huge.jpg", 10_000_001);
    hollow(&home, "photos/large.jpg", 10_000_000);
    asks(&telegram, "send me ~/photos/huge.jpg", "huge.jpg").await;
    asks(&telegram, "send me ~/photos/large.jpg", "large.jpg").await;
    let expected = ["document huge.jpg (10000001 bytes)", "photo large.jpg (10000000 bytes)"];
    assert_eq!(brought(&telegram).concat(), expected);

    telegram.sends(CHAT, "document", "film.bin", &vec![0; 20_000_001], "");
    telegram
        .until("too large to take", |telegram| count(telegram, "up to 20 MB") == 1)
        .await;
    assert!(!home.path("inbox/film.bin").exists());
    service.terminate().await;
}

/// Between the turn and its delivery files go or grow: each is told as what it is, and what is left comes along, with
/// as many of these words as a caption may have.
#[tokio::test]
async fn what_went_or_grew_meanwhile_is_told_in_the_caption() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    let long = "🦊".repeat(62);
    let names: Vec<String> = (0..8).map(|number| format!("many/{number}{long}.pdf")).collect();
    for name in &names {
        home.write(name, "pdf");
    }
    home.write("many/kept.pdf", "pdf");
    home.write("many/0grown.pdf", "pdf");
    telegram.fail("sendMediaGroup", 1, &Failing::RetryAfter(2));
    telegram.says(CHAT, "send me the pdf files in ~/many");
    telegram
        .until("an album on its way", |telegram| {
            !telegram.calls("sendMediaGroup").is_empty()
        })
        .await;
    for name in names.iter().skip(1) {
        std::fs::remove_file(home.path(name)).unwrap();
    }
    hollow(&home, "many/0grown.pdf", 50_000_001);
    telegram
        .until("what is left", |telegram| !brought(telegram).is_empty())
        .await;
    assert_eq!(brought(&telegram)[0].len(), 2, "two are left: {:?}", brought(&telegram));
    let shown = telegram.messages(CHAT);
    let caption = &shown.iter().find(|shown| !shown.media.is_empty()).unwrap().text;
    let units = caption.encode_utf16().count();
    assert!(caption.starts_with("I could not bring 1🦊"), "{caption}");
    assert!((900..=1_024).contains(&units), "{units}: {caption}");

    // One that only grew is not called gone.
    home.write("docs/a.pdf", "pdf");
    telegram.fail("sendDocument", 1, &Failing::RetryAfter(2));
    let before = telegram.calls("sendDocument").len();
    telegram.says(CHAT, "send me ~/docs/a.pdf");
    telegram
        .until("a file on its way", |telegram| {
            telegram.calls("sendDocument").len() > before
        })
        .await;
    hollow(&home, "docs/a.pdf", 50_000_001);
    telegram
        .until("its own sentence", |telegram| {
            count(telegram, "could not bring a.pdf: it is larger than 50 MB") == 1
        })
        .await;
    assert_eq!(count(&telegram, "a.pdf: it is no longer"), 0);
    service.terminate().await;
}
