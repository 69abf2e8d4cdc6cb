//! A reaction under the notice of what runs stops it.

use serde_json::json;
use tokio::net::TcpListener;

use super::{Bed, Home, Shown, said, serve};

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
    let event = chat
        .event("a notice", |event| event["content"]["msgtype"] == "m.notice")
        .await;
    let notice = Shown {
        id: said(&event, "id"),
        body: said(&event["content"], "body"),
        content: event["content"].clone(),
    };
    chat.reacts(&notice, "⏹️").await;
    chat.hears(before, "Stopped. Nothing was changed.").await;
    chat.event("the notice goes", |event| event["redacts"] == json!(notice.id))
        .await;
    service.terminate().await;
}
