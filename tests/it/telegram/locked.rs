//! The password of a locked file on its way through the program itself: its message is taken out of the chat, and it
//! stands in no file and in no log.

use std::fs;

use serde_json::json;

use super::{CHAT, asks, count, pairs};
use crate::support::{
    process::Home,
    telegram::{FakeTelegram, TOKEN},
    traces::kept,
};

const PDF: &[u8] = include_bytes!("../../../crates/documents/fixtures/locked-aes_256.pdf");

#[tokio::test]
async fn a_password_stands_in_no_file_and_in_no_log() {
    let (telegram, home) = (FakeTelegram::start().await, Home::new());
    home.configure(&format!("[telegram]\napi_url = \"{}\"\npoll_s = 2\n", telegram.url));
    let loud = [("METNOS_TELEGRAM_TOKEN", TOKEN), ("METNOS_LOG", "metnos=trace")];
    let service = pairs(&telegram, home.serve(&loud)).await;
    home.write("docs/contract.pdf", "");
    fs::write(home.path("docs/contract.pdf"), PDF).unwrap();
    asks(&telegram, "read ~/docs/contract.pdf", "What is its password?").await;
    let wrong = telegram.says(CHAT, "maestro-wrong");
    telegram
        .until("it is refused", |telegram| count(telegram, "does not open") == 1)
        .await;
    let right = telegram.says(CHAT, "tramontana");
    telegram
        .until("it is read", |telegram| count(telegram, "ends on 31 March 2027") == 1)
        .await;
    for message in [wrong, right] {
        let is_gone = |telegram: &FakeTelegram| {
            let calls = telegram.calls("deleteMessage");
            calls.iter().any(|call| call.body["message_id"] == json!(message))
        };
        telegram.until("the message goes", is_gone).await;
    }
    let words = ["tramontana", "maestro-wrong"];
    assert_eq!(kept(&home.data_dir(), &words), [""; 0], "while it runs");
    service.terminate().await;
    assert_eq!(kept(&home.data_dir(), &words), [""; 0]);
    assert!(home.data_dir().join("logs").is_dir());
}
