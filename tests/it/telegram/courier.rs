//! How answers are brought when Telegram refuses, garbles or loses them on the way.

use std::time::Duration;

use serde_json::json;

use super::{CHAT, asks, count, paired};
use crate::{
    model::PLANNING,
    support::{
        llama::{Script, ScriptedLlama},
        process::{Home, Service},
        telegram::{Failing, FakeTelegram, TOKEN},
    },
};

const NO_HTML: &str = "Bad Request: can't parse entities: Unsupported start tag";

fn texts(telegram: &FakeTelegram, method: &str, part: &str) -> Vec<String> {
    let calls = telegram.calls(method).into_iter();
    calls
        .filter_map(|call| call.body["text"].as_str().map(str::to_owned))
        .filter(|text| text.contains(part))
        .collect()
}

#[tokio::test]
async fn words_come_as_html_and_plain_once_where_that_is_refused() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    home.write("odd.txt", "1 < 2");
    let service = paired(&telegram, &home).await;
    asks(&telegram, "read ~/odd.txt", "1 &lt; 2").await;
    let sent = telegram.calls("sendMessage").pop().unwrap().body;
    assert_eq!(
        (&sent["parse_mode"], &sent["link_preview_options"]["is_disabled"]),
        (&json!("HTML"), &json!(true))
    );
    telegram.fail("sendMessage", 1, &Failing::Answer(400, NO_HTML));
    let shown = asks(&telegram, "read ~/odd.txt", "1 < 2").await;
    assert!(!shown.is_html && shown.buttons.len() == 3, "{shown:?}");
    // Refused as plain words too, it is given up, and nothing after it waits for it.
    telegram.fail("sendMessage", 2, &Failing::Answer(400, NO_HTML));
    telegram.says(CHAT, "read ~/odd.txt");
    asks(&telegram, "who are you", "metnos").await;
    assert_eq!(count(&telegram, "1 &lt; 2") + count(&telegram, "1 < 2"), 2);
    service.terminate().await;
}

#[tokio::test]
async fn what_is_no_answer_of_telegrams_is_told_apart() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    // A proxy's page: Telegram was never asked.
    telegram.fail("sendMessage", 1, &Failing::Says("<html>502 Bad Gateway</html>"));
    asks(&telegram, "who are you", "I'm metnos").await;
    assert_eq!(count(&telegram, "connection broke"), 0);
    // Telegram obeyed, and says so in words we do not know.
    telegram.fail("sendMessage", 1, &Failing::Says("{\"ok\": true, \"result\": \"odd\"}"));
    asks(&telegram, "who are you", "connection broke").await;
    assert_eq!(
        count(&telegram, "I'm metnos"),
        1,
        "what may have arrived is not sent again"
    );
    service.terminate().await;
}

#[tokio::test]
async fn a_keyboard_that_is_there_already_or_gone_holds_nothing_up() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    for trouble in [
        "Bad Request: message to edit not found",
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same",
    ] {
        let before = telegram.calls("editMessageReplyMarkup").len();
        asks(&telegram, "who are you", "metnos").await;
        telegram.fail("editMessageReplyMarkup", 1, &Failing::Answer(400, trouble));
        telegram.taps(CHAT, "✓");
        asks(&telegram, "/me", "host").await;
        let made = telegram.calls("editMessageReplyMarkup").len() - before;
        assert_eq!(made, 1, "{trouble}: tried once");
    }
    service.terminate().await;
}

/// A bot whose model takes long enough that a message says so.
async fn thoughtful(telegram: &FakeTelegram, home: &Home) -> (ScriptedLlama, Service) {
    let llama = ScriptedLlama::start().await;
    paired(telegram, home).await.terminate().await;
    home.configure(&format!(
        "engine = \"metis\"\n[telegram]\napi_url = \"{}\"\npoll_s = 2\n[llm]\nurl = \"{}\"\n",
        telegram.url,
        llama.url()
    ));
    home.write("docs/taxes.txt", "x");
    let step = json!({"tool": "find_files", "args": {"base_path": "~/docs"}});
    let plan = json!({"steps": [step]}).to_string();
    llama.when(PLANNING, Script::Slowly(Duration::from_millis(2_500), plan));
    (llama, home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]))
}

#[tokio::test]
async fn an_answer_that_is_lost_on_its_way_into_the_sign_of_progress_is_brought_there_again() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let (_llama, service) = thoughtful(&telegram, &home).await;
    telegram.says(CHAT, "find the txt files in ~/docs");
    telegram
        .until("a sign of progress", |telegram| count(telegram, "…</i>") == 1)
        .await;
    let sign = telegram.messages(CHAT).pop().unwrap();
    assert_eq!(sign.buttons.len(), 1, "what stops it: {sign:?}");
    // One of them may be the sign that goes on to the next step.
    telegram.fail("editMessageText", 2, &Failing::DroppedBefore);
    telegram
        .until("the answer", |telegram| count(telegram, "taxes.txt") == 1)
        .await;
    let answer = telegram.messages(CHAT).pop().unwrap();
    assert_eq!((answer.id, answer.buttons.len()), (sign.id, 3));
    assert_eq!(texts(&telegram, "sendMessage", "taxes.txt").len(), 0);
    service.terminate().await;
}

#[tokio::test]
async fn where_the_sign_of_progress_is_gone_the_answer_is_a_message_of_its_own() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let (_llama, service) = thoughtful(&telegram, &home).await;
    telegram.says(CHAT, "find the txt files in ~/docs");
    telegram
        .until("a sign of progress", |telegram| count(telegram, "…</i>") == 1)
        .await;
    let gone = Failing::Answer(400, "Bad Request: message to edit not found");
    telegram.fail("editMessageText", 2, &gone);
    telegram
        .until("the answer", |telegram| count(telegram, "taxes.txt") == 1)
        .await;
    assert_eq!(texts(&telegram, "sendMessage", "taxes.txt").len(), 1);
    service.terminate().await;
}

#[tokio::test]
async fn what_is_quick_shows_nothing_but_its_answer() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    let service = paired(&telegram, &home).await;
    let before = telegram.calls("sendMessage").len();
    asks(&telegram, "who are you", "metnos").await;
    asks(&telegram, "/me", "host").await;
    assert_eq!(telegram.calls("sendMessage").len(), before + 2);
    assert_eq!(telegram.calls("editMessageText").len(), 0);
    service.terminate().await;
}
