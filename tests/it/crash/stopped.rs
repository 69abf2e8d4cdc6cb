//! Stop in the program itself: the button under the sign of progress, child processes that end with their whole group,
//! and signs of progress that no crash leaves behind.

use std::{io::Write, time::Instant};

use super::CHAT;
use crate::support::{
    household::{Household, INSTALLING, LOOKING, ORDERING},
    llama::Script,
    telegram::Failing,
};

/// A stop takes a second at most; the rest is for a machine that runs other tests as well. What is stopped here would
/// go on for two minutes.
const A_MOMENT: u64 = 8;

/// Waits for the message that says what is being done, with its button.
async fn progress(household: &Household) {
    household
        .until("a sign of progress", CHAT, |household| {
            let messages = household.telegram.messages(CHAT);
            messages.iter().any(|shown| {
                shown.text.contains("…</i>") && shown.buttons.iter().any(|(label, _)| label.ends_with("Stop"))
            })
        })
        .await;
}

#[tokio::test]
async fn the_button_stops_a_model_call() {
    let mut household = Household::new(&[CHAT]).await;
    household.llama.next(Script::Hang);
    let project = household.project("box", &[ORDERING]);
    household.serve();
    household.telegram.says(CHAT, &project.request);
    progress(&household).await;
    household.telegram.taps(CHAT, "Stop");
    let answers = household.hears(CHAT, 1).await;
    assert_eq!(answers, ["Stopped. Nothing was changed."]);
    household
        .until("the call given up", CHAT, |household| household.llama.abandoned() == 1)
        .await;
    let messages = household.telegram.messages(CHAT);
    assert_eq!(messages.len(), 1, "the progress became the answer: {messages:?}");
    assert!(messages[0].buttons.is_empty(), "{messages:?}");
    let toast = household.telegram.calls("answerCallbackQuery").pop().unwrap();
    assert_eq!(toast.body["text"], "Stopping.");
    // Nothing is left of it, whatever happens now, and the next request is a new one.
    household.all_noted(CHAT).await;
    household.restart();
    household.telegram.says(CHAT, &project.request);
    household.hears(CHAT, 2).await;
    assert_eq!(household.all_answers(CHAT).await.len(), 2);
    assert_eq!(project.count(ORDERING), 1);
}

#[tokio::test]
async fn a_child_process_ends_with_its_group() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[INSTALLING, LOOKING, ORDERING]);
    let gate = project.gate(LOOKING, "before");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let mut held = gate.reached().await;
    let began = Instant::now();
    household.telegram.says(CHAT, "/stop");
    let answers = household.hears(CHAT, 1).await;
    assert!(began.elapsed().as_secs() < A_MOMENT, "{:?}", began.elapsed());
    assert_eq!(
        answers,
        ["Stopped. Before that, I had installed 1 thing; that cannot be taken back."]
    );
    // Whoever waited at the gate is gone: the pipe has no reader.
    household
        .until("the end of the group", CHAT, |_| held.write_all(b"x").is_err())
        .await;
    assert_eq!((project.count(INSTALLING), project.count(ORDERING)), (1, 0));
}

#[tokio::test]
async fn in_the_middle_of_an_effect_nobody_knows() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[ORDERING]);
    let gate = project.gate(ORDERING, "after");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    household.telegram.says(CHAT, "stop");
    let answers = household.hears(CHAT, 1).await;
    assert!(
        answers[0].starts_with("Stopped.") && answers[0].contains("cannot know whether it happened"),
        "{answers:?}"
    );
    household.all_noted(CHAT).await;
    drop(held);
    gate.remove();
    household.restart();
    assert_eq!(household.all_answers(CHAT).await.len(), 1);
    assert_eq!(project.count(ORDERING), 1);
}

#[tokio::test]
async fn a_sign_of_progress_does_not_outlive_the_process() {
    let mut household = Household::new(&[CHAT]).await;
    household.llama.next(Script::Hang);
    let project = household.project("box", &[ORDERING]);
    household.serve();
    household.telegram.says(CHAT, &project.request);
    progress(&household).await;
    let shown = household.telegram.messages(CHAT)[0].id;
    // Killed before it is noted it would stay; that moment is not what this is about.
    household
        .until("the note of it", CHAT, |household| household.is_progress_noted())
        .await;
    household.restart();
    let answers = household.all_answers(CHAT).await;
    assert_eq!((answers.len(), project.count(ORDERING)), (1, 1), "{answers:?}");
    household
        .until("the old sign goes", CHAT, |household| {
            household
                .telegram
                .messages(CHAT)
                .iter()
                .all(|message| message.id != shown)
        })
        .await;
    assert!(!household.is_progress_noted());
}

/// Telegram lets nobody delete what is older than two days: then the sign says that it is over.
#[tokio::test]
async fn a_sign_of_progress_that_cannot_be_deleted_says_that_it_is_over() {
    let mut household = Household::new(&[CHAT]).await;
    household.llama.next(Script::Hang);
    let project = household.project("box", &[ORDERING]);
    household.serve();
    household.telegram.says(CHAT, &project.request);
    progress(&household).await;
    let shown = household.telegram.messages(CHAT)[0].id;
    household
        .until("the note of it", CHAT, |household| household.is_progress_noted())
        .await;
    let too_old = Failing::Answer(400, "Bad Request: message can't be deleted for everyone");
    household.telegram.fail("deleteMessage", 1, &too_old);
    household.restart();
    household
        .until("the old sign says so", CHAT, |household| {
            let messages = household.telegram.messages(CHAT);
            messages
                .iter()
                .any(|message| message.id == shown && !message.text.contains("…</i>"))
        })
        .await;
    household
        .until("it is noted no more", CHAT, |household| !household.is_progress_noted())
        .await;
}
