//! A timer over Matrix: it rings unasked, with reactions to tap and words that do the same.

use serde_json::{Value, json};

use super::bed;
use crate::support::homeserver::{ADA, FakeHomeserver};

/// The message of the bot with these words.
fn message(server: &FakeHomeserver, words: &str) -> Option<String> {
    let sent = server.sent().into_iter().rev();
    let mut messages = sent.filter(|shown| shown.kind == "m.room.message");
    let is_it = |content: &Value| content["body"].as_str().is_some_and(|body| body.contains(words));
    messages.find(|shown| is_it(&shown.content)).map(|shown| shown.id)
}

fn signs(server: &FakeHomeserver, under: &str) -> Vec<String> {
    let reactions = server.sent().into_iter().filter(|shown| shown.kind == "m.reaction");
    reactions
        .map(|shown| shown.content["m.relates_to"].clone())
        .filter(|relation| relation["event_id"] == json!(under))
        .map(|relation| relation["key"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[tokio::test]
async fn a_timer_is_answered_with_reactions_and_with_words() {
    let (server, home, service) = bed().await;
    server.asks("set a timer for 1 second", "runs for 1 second").await;
    server
        .until("it rings", |server| {
            message(server, "time is up after 1 second").is_some()
        })
        .await;
    let rings = message(&server, "time is up after 1 second").unwrap();
    server
        .until("the signs", |server| signs(server, &rings).len() == 3)
        .await;
    assert_eq!(signs(&server, &rings), ["✅", "⏰", "📅"]);
    let tap = json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": rings, "key": "✅"}});
    server.event(ADA, "m.reaction", &tap);
    server.asks("remind me in 1 second to call mum", "call mum").await;
    server
        .until("the reminder", |server| message(server, "🔔 call mum").is_some())
        .await;
    server.asks("!+10", "All right, again today").await;
    let states = home.rows("SELECT kind || ' ' || state FROM tasks WHERE kind <> 'job' ORDER BY rowid");
    assert_eq!(states, ["timer done", "reminder snoozed"]);
    service.terminate().await;
}
