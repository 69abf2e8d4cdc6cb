//! A fake online provider, at the wire: Anthropic's Messages API and OpenAI's chat completions on one port. It writes
//! down what it was asked and with which key, and can refuse in each way a real one does.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of tests: what cannot be set up must stop the test"
)]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
    routing::any,
};
use metnos::{
    config::{OnlineConfig, Secret},
    domain::spending::{MicroUsd, Prices, Provider, TokenPrice},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

/// The key it was configured with; nobody may ever see it.
pub(crate) const KEY: &str = "sk-test-NEVER-SHOWN-0123456789abcdef";
/// What every answer says it read and wrote.
pub(crate) const TOKENS: (u64, u64) = (1_000, 100);
/// What that costs at the prices below, in millionths of a dollar.
pub(crate) const COST: u64 = 1_000 * 3 + 100 * 15;

/// What it does with a question.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Answers this, in the form that was asked for.
    Say(Value),
    /// The same in plain words, whatever form was asked for.
    InWords(String),
    /// The same, and does not say what it read and wrote.
    Uncounted(Value),
    /// The same after a while.
    Slowly(Duration, Value),
    /// Begins to answer and runs out of tokens.
    CutOff,
    /// Refuses: status, kind of error, words.
    Refuse(u16, &'static str, String),
    /// Refuses and says for how many seconds.
    Busy(u64),
    /// Never answers.
    Hang,
    /// Answers something that is not its protocol.
    Garbage,
}

/// One question as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Where.
    pub(crate) path: String,
    /// The headers that say who asks and how.
    pub(crate) headers: HeaderMap,
    /// What.
    pub(crate) body: Value,
}

#[derive(Default)]
struct Book {
    next: Vec<Reply>,
    always: Option<Reply>,
    asked: Vec<Asked>,
}

/// A running fake; it ends when dropped.
pub(crate) struct FakeProvider {
    /// Its address.
    pub(crate) url: String,
    book: Arc<Mutex<Book>>,
    server: JoinHandle<()>,
}

impl Drop for FakeProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeProvider {
    /// Starts on a free port.
    pub(crate) async fn start() -> Self {
        let book = Arc::new(Mutex::new(Book::default()));
        let router = Router::new()
            .route("/{*path}", any(serve))
            .with_state(Arc::clone(&book));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, book, server }
    }

    /// Complete terms: a key, a model, prices, and money enough for a day of tests.
    pub(crate) fn config(&self, provider: Provider) -> OnlineConfig {
        OnlineConfig {
            provider,
            url: self.url.clone(),
            model: Some("strong-1".to_owned()),
            key: Some(Secret::new(KEY.to_owned())),
            key_file: None,
            prices: Some(Prices {
                input: TokenPrice::per_million(3.0).unwrap(),
                output: TokenPrice::per_million(15.0).unwrap(),
            }),
            spend_max_day: MicroUsd(500_000),
            spend_max_month: MicroUsd(5_000_000),
            timeout_s: 1,
            tokens: 2_048,
        }
    }

    /// Does this with the next question; several are used in order.
    pub(crate) fn next(&self, reply: Reply) -> &Self {
        self.book.lock().unwrap().next.push(reply);
        self
    }

    /// Does this with every other question.
    pub(crate) fn always(&self, reply: Reply) -> &Self {
        self.book.lock().unwrap().always = Some(reply);
        self
    }

    /// Every question so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.book.lock().unwrap().asked.clone()
    }
}

async fn serve(
    State(book): State<Arc<Mutex<Book>>>,
    uri: Uri,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let path = uri.path().to_owned();
    let reply = {
        let mut book = book.lock().unwrap();
        book.asked.push(Asked {
            path: path.clone(),
            headers,
            body: body.clone(),
        });
        if book.next.is_empty() {
            book.always.clone().unwrap_or(Reply::Garbage)
        } else {
            book.next.remove(0)
        }
    };
    let is_anthropic = path.ends_with("/messages");
    let answer = |said: &Value| {
        if is_anthropic {
            message(&body, said)
        } else {
            completion(&body, said)
        }
    };
    match reply {
        Reply::Say(said) => Json(answer(&said)).into_response(),
        Reply::InWords(words) => Json(in_words(is_anthropic, &words)).into_response(),
        Reply::Uncounted(said) => {
            let mut answer = answer(&said);
            answer.as_object_mut().unwrap().remove("usage");
            Json(answer).into_response()
        }
        Reply::Slowly(wait, said) => {
            tokio::time::sleep(wait).await;
            Json(answer(&said)).into_response()
        }
        Reply::CutOff => {
            let mut answer = in_words(is_anthropic, "{\"steps\":[{\"tool\":");
            answer["stop_reason"] = json!("max_tokens");
            answer["choices"][0]["finish_reason"] = json!("length");
            Json(answer).into_response()
        }
        Reply::Refuse(status, kind, words) => refusal(status, kind, &words).into_response(),
        Reply::Busy(seconds) => {
            let headers = [("retry-after", seconds.to_string())];
            (headers, refusal(429, "rate_limit_error", "slow down")).into_response()
        }
        Reply::Hang => std::future::pending().await,
        Reply::Garbage => (StatusCode::OK, "<html>not what you asked</html>").into_response(),
    }
}

fn refusal(status: u16, kind: &str, words: &str) -> (StatusCode, Json<Value>) {
    let body = json!({"type": "error", "error": {"type": kind, "message": words}});
    (StatusCode::from_u16(status).unwrap(), Json(body))
}

/// Anthropic's answer: the tool's input when one must be called.
fn message(asked: &Value, said: &Value) -> Value {
    let Some(tool) = asked.get("tool_choice") else {
        return in_words(true, &said.to_string());
    };
    let mut answer = in_words(true, "I call the tool.");
    let call = json!({"type": "tool_use", "id": "t1", "name": tool["name"], "input": said});
    answer["content"].as_array_mut().unwrap().push(call);
    answer["stop_reason"] = json!("tool_use");
    answer
}

/// OpenAI's answer: the function's arguments when one must be called.
fn completion(asked: &Value, said: &Value) -> Value {
    let mut answer = in_words(false, &said.to_string());
    if let Some(choice) = asked.get("tool_choice") {
        let function = json!({"name": choice["function"]["name"], "arguments": said.to_string()});
        answer["choices"][0]["message"] =
            json!({"role": "assistant", "content": null, "tool_calls": [{"type": "function", "function": function}]});
        answer["choices"][0]["finish_reason"] = json!("tool_calls");
    }
    answer
}

fn in_words(is_anthropic: bool, words: &str) -> Value {
    let (read, written) = TOKENS;
    if is_anthropic {
        json!({
            "type": "message", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": words}],
            "usage": {"input_tokens": read, "output_tokens": written}
        })
    } else {
        json!({
            "object": "chat.completion",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}],
            "usage": {"prompt_tokens": read, "completion_tokens": written}
        })
    }
}
