//! Files both ways, locked on their way through the homeserver.

use serde_json::{Value, json};

use super::{Bed, Home, said, serve};

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
    chat.hears(before, "is now in ~/docs").await;
    assert_eq!(
        std::fs::read_to_string(home.path("docs/report.txt")).unwrap(),
        "between us"
    );
    let before = chat.shown().await.len();
    chat.sends("m.file", "list.txt", "milk", "").await;
    chat.hears(before, "~/inbox/list.txt").await;

    chat.says("send me ~/photos/cat.jpg").await;
    let is_cat = |event: &Value| {
        let content = &event["content"];
        event["sender"] == json!(bed.bot)
            && content["filename"].is_string()
            && content["body"].as_str().is_some_and(|body| body.contains("cat.jpg"))
    };
    let cat = chat.event("the picture", is_cat).await["content"].clone();
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
