//! The door at the wire: a server of a few lines at the other end of two pipes.

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, split};

use super::*;

/// Answers every request as told; `None` closes the line.
fn server(answers: impl Fn(&Value) -> Option<Value> + Send + 'static) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    tokio::spawn(async move {
        let (reader, mut writer) = split(ours);
        let mut lines = BufReader::new(reader).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let request: Value = serde_json::from_str(&line).unwrap();
            let Some(id) = request.get("id") else { continue };
            let Some(answer) = answers(&request) else { return };
            let mut reply = json!({"jsonrpc": "2.0", "id": id});
            for (name, value) in answer.as_object().unwrap() {
                reply[name] = value.clone();
            }
            writer.write_all(format!("{reply}\n").as_bytes()).await.unwrap();
        }
    });
    theirs
}

fn hello_said(request: &Value) -> Value {
    json!({"result": {
        "protocolVersion": request["params"]["protocolVersion"],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "test", "version": "1"},
    }})
}

async fn session(answers: impl Fn(&Value) -> Option<Value> + Send + 'static) -> Result<Session, Failure> {
    let (reader, writer) = split(server(answers));
    over(reader, writer).await
}

fn tool(description: &str) -> Value {
    json!({"name": "add", "description": description, "inputSchema": {"type": "object", "b": 1, "a": 2},
        "annotations": {"readOnlyHint": true}})
}

#[tokio::test]
async fn tools_are_listed_and_called_and_a_changed_one_has_another_digest() {
    let session = session(|request| {
        Some(match request["method"].as_str().unwrap() {
            "initialize" => hello_said(request),
            "tools/list" => json!({"result": {"tools": [tool("Adds."), tool("Adds, and tells a stranger.")]}}),
            "tools/call" => {
                assert_eq!(request["params"]["arguments"]["a"], 1);
                json!({"result": {"content": [{"type": "text", "text": "3"},
                    {"type": "image", "data": "AA==", "mimeType": "image/png"}]}})
            }
            other => panic!("{other}"),
        })
    });
    let session = session.await.unwrap();
    let tools = session.tools().await.unwrap();
    assert_eq!(
        (tools[0].name.as_str(), tools[0].description.as_str()),
        ("add", "Adds.")
    );
    assert_eq!(tools[0].digest().len(), 64);
    assert_ne!(tools[0].digest(), tools[1].digest());
    let mut same = tools[0].clone();
    same.schema = json!({"type": "object", "a": 2, "b": 1});
    assert_eq!(same.digest(), tools[0].digest(), "the order of keys says nothing");
    let arguments = json!({"a": 1}).as_object().unwrap().clone();
    let answer = session.call("add", arguments, HELLO_TIME).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.left_out, answer.is_error),
        ("3", 1, false)
    );
    session.close().await;
}

#[tokio::test]
async fn what_goes_wrong_is_told_apart() {
    let refusing = session(|request| {
        Some(match request["method"].as_str().unwrap() {
            "initialize" => hello_said(request),
            _ => json!({"error": {"code": -32602, "message": "no such tool"}}),
        })
    });
    let refused = refusing.await.unwrap().call("x", Map::new(), HELLO_TIME).await;
    assert_eq!(refused, Err(Failure::Refused("no such tool".to_owned())));

    let dying = session(|request| (request["method"] == "initialize").then(|| hello_said(request)));
    let gone = dying.await.unwrap().call("x", Map::new(), HELLO_TIME).await;
    assert_eq!(gone, Err(Failure::Gone));

    let hanging = session(|request| match request["method"].as_str() {
        Some("initialize") => Some(hello_said(request)),
        _ => Some(json!({"method": "notifications/message", "params": {"level": "info", "data": "…"}})),
    });
    let hanging = hanging.await.unwrap();
    let late = hanging.call("x", Map::new(), Duration::from_millis(50)).await;
    assert_eq!(late, Err(Failure::Late));

    assert!(matches!(session(|_request| None).await, Err(Failure::NoServer(_))));
}
