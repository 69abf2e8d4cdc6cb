//! A reaction under the notice of what runs stops it.

use std::time::Instant;

use serde_json::json;
use tokio::net::TcpListener;

use super::{Bed, Chat, Home, PATIENCE, Shown, said, serve};

/// The notice in passing, once it is there.
async fn notice(chat: &Chat<'_>) -> Shown {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (_, events) = chat.timeline().await;
        let found = events.iter().find(|event| event["content"]["msgtype"] == "m.notice");
        if let Some(event) = found {
            return Shown {
                id: said(event, "id"),
                body: said(&event["content"], "body"),
                content: event["content"].clone(),
            };
        }
        assert!(Instant::now() < deadline, "no notice came: {events:#?}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_reaction_stops_what_runs() {
    // Accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("who are you", "metnos").await;
    let before = chat.shown().await.len();
    chat.says(&format!("fetch http://{}/page", silent.local_addr().unwrap()))
        .await;
    let notice = notice(&chat).await;
    chat.reacts(&notice, "⏹️").await;
    chat.hears(before, "Stopped. Nothing was changed.").await;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (_, events) = chat.timeline().await;
        if events.iter().any(|event| event["redacts"] == json!(notice.id)) {
            break;
        }
        assert!(Instant::now() < deadline, "the notice stays: {events:#?}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    service.terminate().await;
}
