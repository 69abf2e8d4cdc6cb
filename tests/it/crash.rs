//! The process is killed at every point of a turn and started again: every message has exactly one answer, and no
//! effect happened twice. Where nobody can know whether Telegram took a message, an answer is offered again and not
//! repeated, and a ring comes again and says that it is a copy.

use std::time::Duration;

use serde_json::json;

use crate::support::{
    household::{Household, INSTALLING, LOOKING, ORDERING},
    llama::Script,
    telegram::Failing,
};

mod stopped;
mod storm;
mod waiting;

const CHAT: i64 = 42;
/// Longer than any test: whoever waits for it is killed before.
const FOR_EVER: Duration = Duration::from_secs(600);

#[tokio::test]
async fn before_telegram_was_told_that_we_have_the_message() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[ORDERING]);
    household.serve();
    let polls = household.telegram.calls("getUpdates").len();
    household
        .until("a poll", CHAT, |household| {
            household.telegram.calls("getUpdates").len() > polls
        })
        .await;
    household.telegram.fail("getUpdates", 1_000, &Failing::DroppedBefore);
    household.telegram.says(CHAT, &project.request);
    household.hears(CHAT, 1).await;
    household.all_noted(CHAT).await;
    assert_eq!(household.telegram.unconfirmed(), 1, "telegram will give it again");
    household.kill();
    household.telegram.heal();
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert_eq!((answers.len(), project.count(ORDERING)), (1, 1), "{answers:?}");
}

#[tokio::test]
async fn while_the_model_is_asked() {
    let mut household = Household::new(&[CHAT]).await;
    household.llama.next(Script::Hang);
    let project = household.project("box", &[ORDERING]);
    household.serve();
    household.telegram.says(CHAT, &project.request);
    household
        .until("a question to the model", CHAT, |household| {
            !household.llama.requests().is_empty()
        })
        .await;
    household.restart();
    let answers = household.all_answers(CHAT).await;
    assert_eq!(project.count(ORDERING), 1, "{answers:?}");
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(answers[0].contains("went well"), "{answers:?}");
}

#[tokio::test]
async fn between_a_look_and_an_effect() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[LOOKING, ORDERING]);
    let gate = project.gate(LOOKING, "after");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    household.kill();
    drop(held);
    gate.remove();
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert_eq!((answers.len(), project.count(ORDERING)), (1, 1), "{answers:?}");
    assert!(
        answers[0].contains("went well"),
        "nothing was begun, so it simply ran: {answers:?}"
    );
}

#[tokio::test]
async fn after_one_effect_and_before_the_next() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[INSTALLING, LOOKING, ORDERING]);
    let gate = project.gate(LOOKING, "before");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    household.kill();
    drop(held);
    gate.remove();
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(
        answers[0].contains("Before that I had installed something") && answers[0].contains(&project.request),
        "{answers:?}"
    );
    assert_eq!((project.count(INSTALLING), project.count(ORDERING)), (1, 0));
}

#[tokio::test]
async fn in_the_middle_of_an_effect() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[ORDERING]);
    let gate = project.gate(ORDERING, "after");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    household.kill();
    drop(held);
    gate.remove();
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(answers[0].contains("cannot know whether it happened"), "{answers:?}");
    assert!(
        answers[0].contains(&project.request) && !answers[0].contains(ORDERING),
        "{answers:?}"
    );
    assert_eq!(project.count(ORDERING), 1);
    // A new request is a new decision, and nothing of the old one stands in its way.
    household.telegram.says(CHAT, &project.request);
    household
        .until("the second order", CHAT, |_| project.count(ORDERING) == 2)
        .await;
}

#[tokio::test]
async fn after_the_effect_and_before_the_answer() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[INSTALLING, LOOKING]);
    let gate = project.gate(LOOKING, "after");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    // Twice: the sentence about the interruption must not be said twice either.
    household.restart();
    household.restart();
    drop(held);
    gate.remove();
    let answers = household.all_answers(CHAT).await;
    assert_eq!((answers.len(), project.count(INSTALLING)), (1, 1), "{answers:?}");
}

/// Whatever Telegram did with it, nobody here can know: the answer is not repeated, it is offered.
#[tokio::test]
async fn while_the_answer_is_on_its_way() {
    for (failing, arrived) in [(Failing::Slow(FOR_EVER), 0), (Failing::DoneSlowly(FOR_EVER), 1)] {
        let mut household = Household::new(&[CHAT]).await;
        household.serve();
        household.telegram.fail("sendMessage", 1, &failing);
        household.telegram.says(CHAT, "/me");
        household
            .until("an answer on its way", CHAT, |household| {
                !household.telegram.calls("sendMessage").is_empty()
            })
            .await;
        household.restart();
        let answers = household.all_answers(CHAT).await;
        assert_eq!(answers.len(), arrived + 1, "{answers:?}");
        let notice = answers.last().unwrap();
        assert!(
            notice.contains("connection broke") && notice.contains("“/me”"),
            "{answers:?}"
        );
        household.telegram.taps(CHAT, "Send it again");
        let answers = household.hears(CHAT, arrived + 3).await;
        let came = answers.iter().filter(|text| text.contains("You are Ada")).count();
        assert_eq!(came, arrived + 1, "{answers:?}");
        // It is kept for one tap.
        household.all_noted(CHAT).await;
        let all = household.answers(CHAT);
        let notice = all.iter().find(|shown| shown.text.contains("connection broke"));
        assert!(notice.unwrap().buttons.is_empty());
    }
}

/// What rings comes at least once: a send that breaks off, or that the process dies in, is made again.
#[tokio::test]
async fn a_ring_comes_at_least_once_and_a_copy_says_that_it_is_one() {
    const COPY: &str = "You may have this already";
    for (failing, dies, shown) in [
        (Failing::DroppedBefore, false, 1),
        (Failing::DroppedAfter, false, 3),
        (Failing::Slow(FOR_EVER), true, 1),
        (Failing::DoneSlowly(FOR_EVER), true, 2),
    ] {
        let mut household = Household::new(&[CHAT]).await;
        household.serve();
        household.telegram.says(CHAT, "set a timer for 3 seconds");
        household.hears(CHAT, 1).await;
        household.all_noted(CHAT).await;
        let sent = household.telegram.calls("sendMessage").len();
        household
            .telegram
            .fail("sendMessage", if dies { 1 } else { 2 }, &failing);
        household
            .until("a ring on its way", CHAT, |household| {
                household.telegram.calls("sendMessage").len() > sent
            })
            .await;
        if dies {
            household.restart();
        }
        let told = format!("{failing:?}");
        household
            .until(&told, CHAT, |household| {
                let rings = household
                    .answers(CHAT)
                    .into_iter()
                    .filter(|shown| shown.text.contains("time is up"));
                rings.count() == shown
            })
            .await;
        let rings = household.all_answers(CHAT).await.split_off(1);
        assert_eq!(rings.len(), shown, "{told}: {rings:?}");
        let copies = rings.iter().filter(|text| text.contains(COPY)).count();
        assert_eq!(copies, shown.max(2) - 1, "{told}: {rings:?}");
        assert!(rings.last().unwrap().contains(COPY), "{told}: {rings:?}");
    }
}

#[tokio::test]
async fn between_two_parts_of_a_long_answer() {
    let mut household = Household::new(&[CHAT]).await;
    let lines: Vec<String> = (0..700).map(|number| format!("line {number}")).collect();
    std::fs::write(household.home().join("long.txt"), lines.join("\n")).unwrap();
    let plan = json!({"steps": [{"tool": "read_files", "args": {"paths": ["~/long.txt"]}}]});
    household.llama.when_json("~/long.txt", &plan);
    household.serve();
    household
        .telegram
        .fail("sendMessage", 1, &Failing::Slow(Duration::ZERO));
    household.telegram.fail("sendMessage", 1, &Failing::Slow(FOR_EVER));
    household.telegram.says(CHAT, "read ~/long.txt");
    household
        .until("the second part on its way", CHAT, |household| {
            household.telegram.calls("sendMessage").len() == 2
        })
        .await;
    household.restart();
    let text = household.all_answers(CHAT).await.join("\n");
    assert_eq!(
        (text.matches("line 0\n").count(), text.matches("line 699").count()),
        (1, 0)
    );
    assert!(
        text.contains("connection broke") && text.contains("read ~/long.txt"),
        "{text}"
    );
    household.telegram.taps(CHAT, "Send it again");
    household
        .until("the whole answer", CHAT, |household| {
            household
                .answers(CHAT)
                .iter()
                .any(|shown| shown.text.contains("line 699"))
        })
        .await;
}

#[tokio::test]
async fn between_approve_and_its_run() {
    let mut household = Household::new(&[CHAT]).await;
    let doomed = household.home().join("old.txt");
    std::fs::write(&doomed, "old").unwrap();
    let plan = json!({"steps": [{"tool": "delete_files", "args": {"paths": ["~/old.txt"]}}]});
    household.llama.when_json("~/old.txt", &plan);
    let project = household.project("box", &[LOOKING]);
    let gate = project.gate(LOOKING, "before");
    household.serve();
    household.telegram.says(CHAT, "delete ~/old.txt");
    household.hears(CHAT, 1).await;
    // Something else runs in this conversation, so the approval is kept and waits.
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    household.telegram.taps(CHAT, "Approve");
    household
        .until("the tap is answered", CHAT, |household| {
            !household.telegram.calls("answerCallbackQuery").is_empty()
        })
        .await;
    assert!(doomed.exists());
    household.all_noted(CHAT).await;
    household.kill();
    drop(held);
    gate.remove();
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert!(!doomed.exists(), "{answers:?}");
    assert_eq!(answers.len(), 3, "the card, the look and the deletion: {answers:?}");
    // The same tap once more: said, not done.
    std::fs::write(&doomed, "new").unwrap();
    let card = &household.telegram.messages(CHAT)[0];
    assert!(card.buttons.is_empty(), "{card:?}");
    assert_eq!(household.all_answers(CHAT).await.len(), 3);
    assert!(doomed.exists());
}

/// A refusal in words is one answer, whenever the process dies around it.
#[tokio::test]
async fn around_a_refusal_in_words() {
    let mut household = Household::new(&[CHAT]).await;
    let kept = household.home().join("old.txt");
    std::fs::write(&kept, "old").unwrap();
    let plan = json!({"steps": [{"tool": "delete_files", "args": {"paths": ["~/old.txt"]}}]});
    household.llama.when_json("~/old.txt", &plan);
    household.serve();
    household.telegram.says(CHAT, "delete ~/old.txt");
    household.hears(CHAT, 1).await;
    household.all_noted(CHAT).await;
    household.telegram.fail("sendMessage", 1, &Failing::Slow(FOR_EVER));
    let sent = household.telegram.calls("sendMessage").len();
    household.telegram.says(CHAT, "no");
    household
        .until("the refusal on its way", CHAT, |household| {
            household.telegram.calls("sendMessage").len() > sent
        })
        .await;
    household.restart();
    let answers = household.all_answers(CHAT).await;
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(
        answers[1].contains("connection broke") && answers[1].contains("delete ~/old.txt"),
        "{answers:?}"
    );
    household.telegram.taps(CHAT, "Send it again");
    let answers = household.hears(CHAT, 4).await;
    assert!(answers[3].contains("nothing was done"), "{answers:?}");
    assert!(kept.exists());
}
