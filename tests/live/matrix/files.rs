//! Files both ways, locked on their way through the homeserver.

use std::time::Instant;

use serde_json::{Value, json};

use super::{Bed, Chat, Home, PATIENCE, said, serve};

/// The first file of the bot whose words contain this.
async fn brought(chat: &Chat<'_>, words: &str) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (_, events) = chat.timeline().await;
        let found = events.iter().find(|event| {
            let content = &event["content"];
            event["sender"] == json!(chat.bed.bot)
                && content["filename"].is_string()
                && content["body"].as_str().is_some_and(|body| body.contains(words))
        });
        if let Some(event) = found {
            return event["content"].clone();
        }
        assert!(Instant::now() < deadline, "never came: {words}; {events:#?}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn files_both_ways_in_an_encrypted_room() {
    let bed = Bed::new().await;
    let home = Home::new();
    home.write("docs/other.txt", "x");
    home.write("photos/cat.jpg", "a cat");
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("who are you", "metnos").await;

    let before = chat.shown().await.len();
    chat.sends("m.file", "report.txt", "between us", "save this in ~/docs")
        .await;
    chat.hears(before, "moved one file to ~/docs").await;
    assert_eq!(
        std::fs::read_to_string(home.path("docs/report.txt")).unwrap(),
        "between us"
    );
    let before = chat.shown().await.len();
    chat.sends("m.file", "list.txt", "milk", "").await;
    chat.hears(before, "~/inbox/list.txt").await;

    chat.says("send me ~/photos/cat.jpg").await;
    let cat = brought(&chat, "cat.jpg").await;
    assert_eq!(
        (&cat["msgtype"], &cat["filename"]),
        (&json!("m.image"), &json!("cat.jpg"))
    );
    assert!(cat["url"].is_null() && cat["file"]["key"].is_object(), "locked: {cat}");
    let opened = bed
        .door("content", &json!({"person": chat.person, "content": cat}))
        .await;
    assert_eq!(said(&opened, "text"), "a cat");
    service.terminate().await;
}
