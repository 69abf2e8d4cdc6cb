//! Who trusts whom: verification by emoji, log-outs, and owners who were locked out.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Bed, Home, matrix_url, pairing_code, said, serve};

/// Longest time until something stands in the log, in tries of a tenth of a second.
const LOG_TRIES: usize = 300;

/// Everything that was logged.
fn log(home: &Home) -> String {
    let files = std::fs::read_dir(home.data_dir().join("logs")).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    texts.collect()
}

/// Waits until the log has this so many times.
async fn logged(home: &Home, what: &str, times: usize) {
    for _ in 0..LOG_TRIES {
        if log(home).matches(what).count() >= times {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what:?} does not stand {times} times in {}", log(home));
}

#[tokio::test]
async fn the_owner_verifies_the_bot_by_emoji_and_nobody_else_does() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.door("identity", &json!({"person": bed.owner})).await;
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("who are you", "metnos").await;
    let (_, told) = home.run(&["doctor"], "").await;
    assert!(told.contains("not verified it yet"), "{told}");

    for (nth, room) in [json!(chat.room), Value::Null].into_iter().enumerate() {
        let body = json!({"person": bed.owner, "user": bed.bot, "room": room});
        let shown = bed.door("verify", &body).await;
        let emoji: Vec<&str> = shown["emoji"]
            .as_array()
            .unwrap_or_else(|| panic!("{shown}: {}", log(&home)))
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(emoji.len(), 7, "{shown}");
        let log_text = log(&home);
        let compared = log_text.lines().rfind(|line| line.contains("compare with your phone"));
        let compared = compared.unwrap_or_else(|| panic!("the emoji are nowhere: {log_text}"));
        // matrix-nio writes some of them with the mark for colour.
        let bare = |text: &str| text.replace('\u{fe0f}', "");
        assert!(
            emoji.iter().all(|sign| bare(compared).contains(&bare(sign))),
            "{shown} and {compared}"
        );
        // The protocol cancels both where a second one is asked for before the other side knows that the first is done.
        logged(&home, "the owner and this device trust each other", nth + 1).await;
    }
    let (_, told) = home.run(&["doctor"], "").await;
    assert!(told.contains("its owner has verified it"), "{told}");

    let (_, printed) = home.run(&["pair"], "").await;
    let code = pairing_code(&printed);
    let eve = bed.person("eve").await;
    bed.door("identity", &json!({"person": eve})).await;
    let guest = bed.chat(&eve).await;
    guest.asks(&format!("!pair {code}"), "Welcome").await;
    for room in [json!(guest.room), Value::Null] {
        let refused = bed
            .door("verify", &json!({"person": eve, "user": bed.bot, "room": room}))
            .await;
        assert!(refused["cancelled"].is_string(), "{refused}");
    }

    // Locked out, the owner is nobody's owner any more, from that moment on.
    let (_, told) = home.run(&["people", "revoke", "host", "matrix"], "").await;
    assert!(told.contains("locked out on matrix"), "{told}");
    let refused = bed
        .door(
            "verify",
            &json!({"person": bed.owner, "user": bed.bot, "room": chat.room}),
        )
        .await;
    assert!(refused["cancelled"].is_string(), "{refused}");
    service.terminate().await;
}

/// The device was removed in the account's settings: nothing of it is left, but the recovery key brings all back.
#[tokio::test]
async fn a_logout_for_good_is_said_and_setting_up_again_brings_everything_back() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("who are you", "metnos").await;
    service.terminate().await;

    let session = std::fs::read_to_string(home.data_dir().join("matrix/session.json")).unwrap();
    let session: Value = serde_json::from_str(&session).unwrap();
    let logout = bed
        .http
        .post(format!("{}/_matrix/client/v3/logout", matrix_url()))
        .bearer_auth(said(&session, "access_token"))
        .json(&json!({}));
    assert!(logout.send().await.unwrap().status().is_success());
    let (_, told) = home.run(&["doctor"], "").await;
    assert!(told.contains("has logged metnos out"), "{told}");

    let told = bed.set_up(&home).await;
    assert!(told.contains("brought its identity and history back"), "{told}");
    let (_, told) = home.run(&["doctor"], "").await;
    for line in [
        "is logged in",
        "is signed by its own",
        "recovery key works",
        "are backed up",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let service = serve(&home).await;
    chat.asks("what time is it", "It's").await;
    service.terminate().await;
}

#[tokio::test]
async fn an_owner_who_was_locked_out_stays_out_until_the_set_up_names_them_again() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("who are you", "metnos").await;
    let (_, told) = home.run(&["people", "revoke", "host", "matrix"], "").await;
    assert!(told.contains("locked out on matrix"), "{told}");
    service.terminate().await;
    let service = serve(&home).await;
    chat.asks("who are you", "belongs to a household").await;
    service.terminate().await;
    let told = bed.set_up(&home).await;
    assert!(told.contains("is let in again"), "{told}");
    let service = serve(&home).await;
    chat.asks("what time is it", "It's").await;
    service.terminate().await;
}
