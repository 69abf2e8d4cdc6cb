//! What a person sees of a turn that takes long, and what the household reads when somebody else polls.

use std::time::Duration;

use serde_json::json;

use super::{CHAT, OTHER_POLLER, asks, paired};
use crate::{
    model::PLANNING,
    support::{
        geo::{FakeGeo, Next},
        llama::{Script, ScriptedLlama},
        process::Home,
        telegram::{Failing, FakeTelegram, TOKEN},
    },
};

#[tokio::test]
async fn one_message_names_the_step_and_becomes_the_answer() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let (llama, geo) = (ScriptedLlama::start().await, FakeGeo::start().await);
    paired(&telegram, &home).await.terminate().await;
    home.configure(&format!(
        "engine = \"metis\"\n[telegram]\napi_url = \"{}\"\npoll_s = 2\n[llm]\nurl = \"{}\"\n[places]\n\
         photon_url = \"{}/photon\"\n",
        telegram.url,
        llama.url(),
        geo.url
    ));
    let search = json!({"tool": "find_places", "args": {"kind": "restaurant", "near": "Piazza Navona"}});
    let plan = json!({"steps": [search], "show": true}).to_string();
    llama.when(PLANNING, Script::Slowly(Duration::from_millis(2_500), plan));
    geo.next("photon", Next::Slow(Duration::from_secs(4)));
    let service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    telegram.says(CHAT, "find restaurants near Piazza Navona");
    let texts = |telegram: &FakeTelegram, method: &str| -> Vec<String> {
        let calls = telegram.calls(method).into_iter();
        calls
            .map(|call| call.body["text"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    telegram
        .until("the name of the step", |telegram| {
            texts(telegram, "editMessageText").contains(&"<i>Searching…</i>".to_owned())
        })
        .await;
    let sent = texts(&telegram, "sendMessage");
    let progress = sent.iter().filter(|text| text.contains("…</i>")).collect::<Vec<_>>();
    assert_eq!(
        progress,
        ["<i>Making a plan…</i>"],
        "the next step is an edit, no message"
    );
    let message = telegram.messages(CHAT).pop().unwrap().id;
    telegram
        .until("the answer", |telegram| {
            let shown = telegram.messages(CHAT);
            shown.iter().any(|shown| shown.text.contains("Da Tonino"))
        })
        .await;
    let shown = telegram.messages(CHAT);
    let answer = shown.iter().find(|shown| shown.text.contains("Da Tonino")).unwrap();
    assert_eq!(answer.id, message, "the same message becomes the answer: {shown:#?}");
    assert!(shown.iter().all(|shown| !shown.text.contains("…</i>")), "{shown:#?}");
    service.terminate().await;
}

#[tokio::test]
async fn another_poller_is_named_once_in_the_log_and_its_end_as_well() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    telegram.fail("getUpdates", 2, &Failing::Answer(409, OTHER_POLLER));
    // The poll that waits takes the first; the second comes with the one after those that failed.
    asks(&telegram, "who are you", "I'm metnos").await;
    asks(&telegram, "/me", "host").await;
    service.terminate().await;
    let logs = std::fs::read_dir(home.data_dir().join("logs")).unwrap();
    let log: String = logs
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert_eq!(
        log.matches("another program reads this bot's messages").count(),
        1,
        "{log}"
    );
    assert!(log.contains("telegram answers again"), "{log}");
    assert!(!log.contains("top-secret"), "{log}");
}
