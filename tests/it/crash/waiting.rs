//! The process is killed while a turn waits for an answer and while it goes on with one.

use serde_json::json;

use super::CHAT;
use crate::support::household::{Household, LOOKING, ORDERING, Project};

/// A household whose model asks for a colour, looks, and orders.
async fn asking(kind: &str) -> (Household, Project) {
    let household = Household::new(&[CHAT]).await;
    let question = json!({"var": "colour", "kind": kind, "prompt": "Which colour?"});
    let steps = vec![
        json!({"tool": "get_inputs", "args": {"fields": [question]}}),
        json!({"tool": LOOKING, "args": {"path": "~/box"}}),
        json!({"tool": ORDERING, "args": {"path": "~/box"}}),
    ];
    let project = household.project_with("box", &steps);
    (household, project)
}

#[tokio::test]
async fn an_answer_is_carried_out_once_whenever_the_process_dies() {
    let (mut household, project) = asking("text").await;
    let gate = project.gate(LOOKING, "after");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    household.hears(CHAT, 1).await;
    household.all_noted(CHAT).await;
    household.restart();
    household.telegram.says(CHAT, "blue");
    let held = gate.reached().await;
    household.kill();
    drop(held);
    gate.remove();
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert_eq!(answers.len(), 2, "a question and an answer: {answers:?}");
    assert!(answers[1].contains("went well"), "{answers:?}");
    assert_eq!(project.count(ORDERING), 1);
}

#[tokio::test]
async fn a_secret_is_taken_out_of_the_chat_and_no_log_has_it() {
    let (mut household, project) = asking("secret").await;
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let asked = household.hears(CHAT, 1).await;
    assert!(asked[0].contains("remove your message"), "{asked:?}");
    let message = household.telegram.says(CHAT, "xyzzy-plugh");
    household.hears(CHAT, 2).await;
    household
        .until("the message to go away", CHAT, |household| {
            let calls = household.telegram.calls("deleteMessage");
            calls.iter().any(|call| call.body["message_id"] == message)
        })
        .await;
    assert_eq!(project.count(ORDERING), 1);
    let asked_model = format!("{:?}", household.llama.requests());
    assert!(!asked_model.contains("xyzzy-plugh") && !household.log().contains("xyzzy-plugh"));
}
