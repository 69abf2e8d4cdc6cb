//! The courier against a server that gives prepared answers: which calls are made, and what a failure is called.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use super::{Courier, parts};
use crate::{
    channels::telegram::{api::Api, progress::Progress},
    config::{Secret, TelegramConfig},
    domain::{
        delivery::{Delivery, DeliveryFailure, Parcel, Signal, StopButton},
        ids::{MessageId, OutboxId},
        reply::{Block, Button, ButtonKind, Reply},
    },
};

/// What the server does with one request.
#[derive(Clone)]
enum Prepared {
    /// Answers.
    Says(Value),
    /// Answers what is no JSON, as a proxy does.
    Page(&'static str),
    /// Reads the request and hangs up.
    HangsUp,
}

type Calls = Arc<Mutex<Vec<(String, Value)>>>;

/// A server that answers one request after the other as prepared, each on a connection of its own.
async fn server(prepared: Vec<Prepared>) -> (Api, Calls) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let api_url = format!("http://{}", listener.local_addr().unwrap());
    let calls = Calls::default();
    let seen = Arc::clone(&calls);
    tokio::spawn(async move {
        for answer in prepared {
            let (mut stream, _) = listener.accept().await.unwrap();
            let call = request(&mut stream).await;
            seen.lock().unwrap().push(call);
            let body = match answer {
                Prepared::Says(body) => Some(body.to_string()),
                Prepared::Page(page) => Some(page.to_owned()),
                Prepared::HangsUp => None,
            };
            if let Some(body) = body {
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            }
        }
    });
    let config = TelegramConfig {
        token: Some(Secret::new("1:t".into())),
        token_file: None,
        api_url,
        poll_s: 1,
    };
    (Api::new(&config).unwrap(), calls)
}

/// The method and the JSON body of one request.
async fn request(stream: &mut TcpStream) -> (String, Value) {
    let mut bytes = Vec::new();
    loop {
        let mut buffer = [0; 4_096];
        let count = stream.read(&mut buffer).await.unwrap();
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && let Ok(body) = serde_json::from_str(if body.is_empty() { "{}" } else { body })
        {
            let path = head.split(' ').nth(1).unwrap();
            return (path.rsplit('/').next().unwrap().to_owned(), body);
        }
        assert!(count > 0, "request broke off: {text}");
    }
}

fn sent(id: i64) -> Prepared {
    let chat = json!({"id": 42, "type": "private", "first_name": "Ada"});
    Prepared::Says(json!({"ok": true, "result": {"message_id": id, "date": 0, "chat": chat, "text": "x"}}))
}

fn refused(description: &str) -> Prepared {
    Prepared::Says(json!({"ok": false, "error_code": 400, "description": description}))
}

fn delivery(parcel: Parcel) -> Delivery {
    Delivery {
        id: OutboxId(1),
        conversation: "42".into(),
        reply_to: Some("9".into()),
        turn: Some("turn1".into()),
        parcel,
        sent_parts: Vec::new(),
    }
}

fn answer(text: &str) -> Reply {
    Reply {
        blocks: vec![Block::text(text)],
        buttons: vec![Button {
            kind: ButtonKind::Confirm,
            label: "✓".into(),
            token: "tok".into(),
            chosen: false,
        }],
        ..Reply::default()
    }
}

async fn send_all(courier: &Courier, reply: &Reply) -> Result<Vec<MessageId>, DeliveryFailure> {
    let delivery = delivery(Parcel::Reply(reply.clone()));
    let mut messages = Vec::new();
    for part in parts(reply)? {
        messages.push(courier.send_part(&delivery, &part).await?);
    }
    Ok(messages)
}

fn courier(api: Api) -> (Courier, Progress) {
    let progress = Progress::new(api.clone(), None);
    (Courier::new(api, progress.clone()), progress)
}

fn methods(calls: &Calls) -> Vec<String> {
    calls.lock().unwrap().iter().map(|(method, _)| method.clone()).collect()
}

fn body(calls: &Calls, index: usize) -> Value {
    calls.lock().unwrap().get(index).unwrap().1.clone()
}

#[tokio::test]
async fn a_long_answer_quotes_first_and_has_its_buttons_last() {
    let (api, calls) = server(vec![sent(1), sent(2)]).await;
    let messages = send_all(&courier(api).0, &answer(&"word ".repeat(1_000)))
        .await
        .unwrap();
    assert_eq!(messages, ["1".into(), "2".into()]);
    let (first, last) = (body(&calls, 0), body(&calls, 1));
    assert_eq!(first["reply_parameters"]["message_id"], 9);
    assert_eq!(first["parse_mode"], "HTML");
    assert_eq!(first["link_preview_options"]["is_disabled"], true);
    assert!(first.get("reply_markup").is_none() && last.get("reply_parameters").is_none());
    assert_eq!(last["reply_markup"]["inline_keyboard"][0][0]["callback_data"], "tok");
}

#[tokio::test]
async fn html_that_is_refused_goes_plain_once() {
    let refusal = "Bad Request: can't parse entities: Unsupported start tag";
    let (api, calls) = server(vec![refused(refusal), sent(5)]).await;
    assert_eq!(send_all(&courier(api).0, &answer("1 < 2")).await.unwrap(), ["5".into()]);
    assert_eq!(body(&calls, 0)["text"], "1 &lt; 2");
    assert_eq!(body(&calls, 1)["text"], "1 < 2");
    assert!(body(&calls, 1).get("parse_mode").is_none());

    let (api, calls) = server(vec![refused(refusal), refused(refusal), sent(6)]).await;
    let failure = send_all(&courier(api).0, &answer("1 < 2")).await.unwrap_err();
    assert!(matches!(failure, DeliveryFailure::Permanent(_)), "{failure:?}");
    assert_eq!(methods(&calls).len(), 2);
}

#[tokio::test]
async fn failures_are_called_what_they_are() {
    let wait = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 3",
        "parameters": {"retry_after": 3}});
    let cases = [
        (Prepared::Says(wait), "RetryAfter(3s)"),
        (refused("Forbidden: bot was blocked by the user"), "Permanent"),
        (refused("Bad Request: chat not found"), "Permanent"),
        (Prepared::HangsUp, "Ambiguous"),
        (Prepared::Says(json!({"ok": true, "result": "odd"})), "Ambiguous"),
        (Prepared::Says(json!("not an answer")), "Unreachable"),
        (refused("Bad Gateway"), "Unreachable"),
        (Prepared::Page("<html>502 Bad Gateway</html>"), "Unreachable"),
    ];
    for (prepared, expected) in cases {
        let (api, calls) = server(vec![prepared, sent(1)]).await;
        let failure = send_all(&courier(api).0, &answer("hi")).await.unwrap_err();
        assert!(
            format!("{failure:?}").starts_with(expected),
            "{failure:?} is not {expected}"
        );
        assert_eq!(methods(&calls), ["SendMessage"], "{expected}: sent once");
    }
    let (api, _) = server(vec![]).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    let failure = send_all(&courier(api).0, &answer("hi")).await.unwrap_err();
    assert!(matches!(failure, DeliveryFailure::Unreachable(_)), "{failure:?}");
}

#[tokio::test]
async fn an_answer_without_words_is_not_sent() {
    let failure = parts(&Reply::text(" \n")).unwrap_err();
    assert!(matches!(failure, DeliveryFailure::Permanent(_)));
}

#[tokio::test]
async fn a_keyboard_that_is_there_already_or_gone_is_fine() {
    let not_modified = "Bad Request: message is not modified: specified new message content and reply markup are exactly \
                        the same as a current content and reply markup of the message";
    let gone = "Bad Request: message to edit not found";
    for (prepared, is_fine) in [(sent(3), true), (refused(not_modified), true), (refused(gone), true)] {
        let (api, calls) = server(vec![prepared]).await;
        let (message, buttons) = (MessageId::from("3"), answer("x").buttons);
        let parcel = Parcel::Keyboard {
            message: message.clone(),
            buttons: buttons.clone(),
        };
        let result = courier(api)
            .0
            .change_keyboard(&delivery(parcel), &message, &buttons)
            .await;
        assert_eq!(result.is_ok(), is_fine, "{result:?}");
        assert_eq!(methods(&calls), ["EditMessageReplyMarkup"]);
    }
}

/// A turn that takes long enough to have a progress message, number 70.
async fn long_turn(progress: &Progress) {
    let (conversation, turn) = (|| "42".into(), || "turn1".into());
    progress.note(Signal::Started {
        conversation: conversation(),
        turn: turn(),
        stop: stop_button(),
    });
    progress.note(Signal::Progress {
        conversation: conversation(),
        turn: turn(),
        text: "reading <files>".into(),
    });
    tokio::time::sleep(Duration::from_millis(1_900)).await;
    progress.note(Signal::Ended {
        conversation: conversation(),
        turn: turn(),
    });
}

fn stop_button() -> StopButton {
    StopButton {
        label: "Stop".into(),
        token: "stop:turn1".into(),
    }
}

fn typing() -> Prepared {
    Prepared::Says(json!({"ok": true, "result": true}))
}

#[tokio::test]
async fn the_progress_message_becomes_the_answer() {
    let (api, calls) = server(vec![typing(), sent(70), sent(70)]).await;
    let (courier, progress) = courier(api);
    long_turn(&progress).await;
    assert_eq!(send_all(&courier, &answer("done")).await.unwrap(), ["70".into()]);
    assert_eq!(methods(&calls), ["SendChatAction", "SendMessage", "EditMessageText"]);
    assert_eq!(body(&calls, 1)["text"], "<i>reading &lt;files&gt;</i>");
    let stop = json!([[{"text": "Stop", "callback_data": "stop:turn1"}]]);
    assert_eq!(body(&calls, 1)["reply_markup"]["inline_keyboard"], stop);
    assert_eq!(body(&calls, 2)["message_id"], 70);
    assert_eq!(body(&calls, 2)["text"], "done");
    assert_eq!(body(&calls, 2)["reply_markup"]["inline_keyboard"][0][0]["text"], "✓");
}

#[tokio::test]
async fn a_sign_of_progress_left_behind_is_taken_away_or_says_so() {
    let too_old = refused("Bad Request: message can't be deleted for everyone");
    let gone = refused("Bad Request: message to delete not found");
    let deleted = || Prepared::Says(json!({"ok": true, "result": true}));
    for (prepared, made) in [
        (vec![deleted()], vec!["DeleteMessage"]),
        (vec![gone], vec!["DeleteMessage"]),
        (vec![too_old, sent(70)], vec!["DeleteMessage", "EditMessageText"]),
    ] {
        let (api, calls) = server(prepared).await;
        let message = MessageId::from("70");
        let parcel = Parcel::Retract {
            message: message.clone(),
            instead: "over".to_owned(),
        };
        let retracted = courier(api).0.retract(&delivery(parcel), &message, "over").await;
        assert_eq!(retracted, Ok(()));
        assert_eq!(methods(&calls), made);
        if let [_, _] = made.as_slice() {
            assert_eq!(body(&calls, 1)["text"], "over");
        }
    }
}

#[tokio::test]
async fn an_answer_lost_while_editing_is_edited_again() {
    let gone = refused("Bad Request: message to edit not found");
    let (api, calls) = server(vec![typing(), sent(70), Prepared::HangsUp, sent(70)]).await;
    let (courier, progress) = courier(api);
    long_turn(&progress).await;
    let failure = send_all(&courier, &answer("done")).await.unwrap_err();
    assert!(matches!(failure, DeliveryFailure::Unreachable(_)), "{failure:?}");
    assert_eq!(send_all(&courier, &answer("done")).await.unwrap(), ["70".into()]);
    assert_eq!(methods(&calls).last().unwrap(), "EditMessageText");

    let (api, calls) = server(vec![typing(), sent(70), gone, sent(71)]).await;
    let (courier, progress) = self::courier(api);
    long_turn(&progress).await;
    assert_eq!(send_all(&courier, &answer("done")).await.unwrap(), ["71".into()]);
    assert_eq!(methods(&calls).last().unwrap(), "SendMessage");
}

#[tokio::test]
async fn a_quick_turn_shows_nothing_but_its_answer() {
    let (api, calls) = server(vec![sent(1)]).await;
    let (courier, progress) = courier(api);
    progress.note(Signal::Started {
        conversation: "42".into(),
        turn: "turn1".into(),
        stop: stop_button(),
    });
    assert_eq!(send_all(&courier, &answer("done")).await.unwrap(), ["1".into()]);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(methods(&calls), ["SendMessage"]);
}
