//! The service as a whole: how it stops, how it keeps order in each conversation and holds none up for another, and
//! what it says when it is asked too much at once.

use metnos::domain::limits::CONVERSATION_QUEUE_MAX;

use crate::support::household::{Household, LOOKING, ORDERING};

const CHAT: i64 = 42;

#[tokio::test]
async fn a_stop_lets_the_turn_finish_and_keeps_what_waits() {
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[ORDERING]);
    let gate = project.gate(ORDERING, "after");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    household.telegram.says(CHAT, "/me");
    household
        .until("the second message is kept", CHAT, |household| {
            household.telegram.unconfirmed() == 0
        })
        .await;
    household.terminate();
    household
        .until("the program has heard it", CHAT, |household| {
            household.log().contains("stopping")
        })
        .await;
    drop(held);
    gate.remove();
    let status = household.ended().await;
    assert_eq!(status.code(), Some(0), "{}", household.story(CHAT));
    let answers: Vec<String> = household.answers(CHAT).into_iter().map(|shown| shown.text).collect();
    assert_eq!(
        answers.len(),
        1,
        "the running turn was answered before the end: {answers:?}"
    );
    assert!(answers[0].contains("went well"), "{answers:?}");
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert_eq!((answers.len(), project.count(ORDERING)), (2, 1), "{answers:?}");
    assert!(answers[1].contains("You are Ada"), "{answers:?}");
}

#[tokio::test]
async fn conversations_keep_their_order_and_do_not_wait_for_each_other() {
    let chats: Vec<i64> = (1..=10).collect();
    let mut household = Household::new(&[chats.clone(), vec![CHAT]].concat()).await;
    let project = household.project("box", &[LOOKING]);
    let gate = project.gate(LOOKING, "before");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    for round in 0..10 {
        for chat in &chats {
            // A command and a turn by turns.
            let text = if round % 2 == 0 {
                format!("/round{round}")
            } else {
                "what time is it".to_owned()
            };
            household.telegram.says(*chat, &text);
        }
    }
    for chat in &chats {
        let answers = household.hears(*chat, 10).await;
        for (round, answer) in answers.iter().enumerate() {
            let expected = if round % 2 == 0 {
                format!("/round{round}.")
            } else {
                "It".to_owned()
            };
            assert!(answer.contains(&expected), "chat {chat}, round {round}: {answers:#?}");
        }
    }
    assert!(household.answers(CHAT).is_empty(), "it still hangs");
    drop(held);
    gate.remove();
    assert_eq!(household.hears(CHAT, 1).await.len(), 1);
}

#[tokio::test]
async fn a_full_queue_is_said_and_loses_nothing() {
    const TOO_MANY: usize = 5;
    let mut household = Household::new(&[CHAT]).await;
    let project = household.project("box", &[LOOKING]);
    let gate = project.gate(LOOKING, "before");
    household.serve();
    household.telegram.says(CHAT, &project.request);
    let held = gate.reached().await;
    for number in 0..CONVERSATION_QUEUE_MAX + TOO_MANY {
        household.telegram.says(CHAT, &format!("/number{number}"));
    }
    let refused = household.hears(CHAT, TOO_MANY).await;
    assert!(
        refused.iter().all(|text| text.contains("send this one again")),
        "{refused:?}"
    );
    household.all_noted(CHAT).await;
    // What was taken is answered after a crash too, although it is a full queue and the running turn.
    household.kill();
    drop(held);
    gate.remove();
    household.serve();
    let answers = household.all_answers(CHAT).await;
    assert_eq!(answers.len(), TOO_MANY + 1 + CONVERSATION_QUEUE_MAX, "{answers:#?}");
    for number in 0..CONVERSATION_QUEUE_MAX {
        let answer = &answers[TOO_MANY + 1 + number];
        assert!(answer.contains(&format!("/number{number}.")), "{answers:#?}");
    }
}

#[tokio::test]
async fn a_model_server_dies_with_a_program_that_is_killed() {
    let mut household = Household::bare().await;
    household.pair(&[CHAT]).await;
    let mark = household.home().join("model.pid");
    let command = format!("echo $$ > {0}.new; mv {0}.new {0}; exec sleep 600", mark.display());
    household.configure(&format!(
        "[telegram]\napi_url = \"{}\"\n[llm]\nurl = \"http://127.0.0.1:9\"\n[llm.server]\ncommand = [\"sh\", \"-c\", \
         \"{command}\"]\n",
        household.telegram.url
    ));
    household.serve();
    household.until("the model server runs", CHAT, |_| mark.exists()).await;
    let pid = std::fs::read_to_string(&mark).unwrap();
    let stat = format!("/proc/{}/stat", pid.trim());
    assert!(std::path::Path::new(&stat).exists());
    household.telegram.says(CHAT, "status");
    let status = household.hears(CHAT, 1).await;
    assert!(status[0].contains("The language model is"), "{status:?}");
    household.kill();
    household
        .until("it is gone too", CHAT, |_| {
            std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "))
        })
        .await;
}

/// A set-up of Matrix that failed costs nobody Telegram.
#[tokio::test]
async fn trouble_with_matrix_leaves_telegram_answered() {
    let mut household = Household::new(&[CHAT]).await;
    let failed = household.runs(&["matrix", "setup"]).await;
    assert!(!failed.status.success(), "{failed:?}");
    assert!(!household.data_dir().join("matrix").exists(), "nothing is left behind");
    // As an earlier version, or a set-up that was killed, would leave it.
    let store = household.data_dir().join("matrix/store");
    std::fs::create_dir_all(&store).unwrap();
    std::fs::write(store.join("matrix-sdk-crypto.sqlite3"), "").unwrap();
    household.serve();
    household.telegram.says(CHAT, "who are you");
    let answers = household.hears(CHAT, 1).await;
    assert!(answers.iter().any(|answer| answer.contains("metnos")), "{answers:?}");
    assert!(household.log().contains("matrix is off"), "{}", household.log());
}
