//! A scripted llama-server: the one fake of the model, at the wire.
//!
//! It answers `/health`, `/props`, `/slots`, `/tokenize`, `/v1/models`, `/v1/chat/completions` and `/v1/embeddings`,
//! records every request, and can be told to fail in each way a real one does. An answer is chosen by words of the
//! user part; the first rule that matches wins.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of tests: what cannot be set up must stop the test"
)]

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use metnos::config::{LlmConfig, Tiers};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::oneshot};

/// What the server does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Script {
    /// Answers with this text.
    Say(String),
    /// Answers with this text and says that it was cut off.
    CutOff(String),
    /// Answers with this text, and puts its thoughts where they belong.
    SayWithReasoning(String, String),
    /// Calls the one tool it was given with these arguments.
    Call(String),
    /// Is still loading its model.
    Loading,
    /// Answers with this status and words.
    Status(u16, String),
    /// Answers with this text after a while.
    Slowly(Duration, String),
    /// Accepts the request and never answers.
    Hang,
    /// Answers something that is not its protocol.
    Garbage,
    /// Begins an answer and closes the connection.
    Drop,
}

#[derive(Default)]
struct Book {
    rules: Vec<(String, Script)>,
    once: Vec<Script>,
    health: Option<Script>,
    requests: Vec<Value>,
    embeddings: Vec<String>,
    abandoned: usize,
    /// It takes pictures, and says so.
    sees: bool,
}

/// Counts a request whose asker went away before it was answered.
struct Waiting(Arc<Mutex<Book>>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.lock().unwrap().abandoned += 1;
    }
}

/// A running scripted server; it ends when dropped.
pub(crate) struct ScriptedLlama {
    address: SocketAddr,
    book: Arc<Mutex<Book>>,
    stop: Option<oneshot::Sender<()>>,
}

impl ScriptedLlama {
    /// Starts on a free port.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let book = Arc::new(Mutex::new(Book::default()));
        let router = Router::new()
            .route("/health", get(health))
            .route("/props", get(props))
            .route("/slots", get(async || Json(json!([{"id": 0}, {"id": 1}]))))
            .route("/tokenize", post(tokenize))
            .route(
                "/v1/models",
                get(async || Json(json!({"data": [{"id": "scripted", "object": "model"}]}))),
            )
            .route("/v1/chat/completions", post(chat))
            .route("/v1/embeddings", post(embeddings))
            .with_state(Arc::clone(&book));
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(async move {
            let serving = axum::serve(listener, router).into_future();
            tokio::select! {
                served = serving => served.unwrap(),
                _ = stopped => {}
            }
        });
        Self {
            address,
            book,
            stop: Some(stop),
        }
    }

    /// It has a model that takes pictures from now on.
    pub(crate) fn seeing(&self) -> &Self {
        self.book.lock().unwrap().sees = true;
        self
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A config that points at it, with short limits.
    pub(crate) fn config(&self) -> LlmConfig {
        LlmConfig {
            url: Some(self.url()),
            model: Some("scripted".to_owned()),
            tiers: Tiers::default().waiting(2, 1),
            slot: Some(1),
            seed: 42,
            ..LlmConfig::default()
        }
    }

    /// Whenever the user part holds these words, do this.
    pub(crate) fn when(&self, words: &str, script: Script) -> &Self {
        self.book.lock().unwrap().rules.push((words.to_owned(), script));
        self
    }

    /// Whenever the user part holds these words, answer this JSON.
    pub(crate) fn when_json(&self, words: &str, answer: &Value) -> &Self {
        self.when(words, Script::Say(answer.to_string()))
    }

    /// Do this with the next chat request, whatever it says; several are used in order.
    pub(crate) fn next(&self, script: Script) -> &Self {
        self.book.lock().unwrap().once.push(script);
        self
    }

    /// What `/health` does from now on; `None` is well.
    pub(crate) fn health(&self, script: Option<Script>) -> &Self {
        self.book.lock().unwrap().health = script;
        self
    }

    /// Every chat request so far, as it came.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.book.lock().unwrap().requests.clone()
    }

    /// How many hanging requests were given up by the asker.
    pub(crate) fn abandoned(&self) -> usize {
        self.book.lock().unwrap().abandoned
    }

    /// Every text that was to be embedded.
    pub(crate) fn embedded(&self) -> Vec<String> {
        self.book.lock().unwrap().embeddings.clone()
    }

    /// Stops listening: from now on connections are refused.
    pub(crate) async fn stop(mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).unwrap();
        }
        // The port closes when the serving task ends.
        while tokio::net::TcpStream::connect(self.address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

type Shared = State<Arc<Mutex<Book>>>;

async fn health(State(book): Shared) -> Response {
    let script = book.lock().unwrap().health.clone();
    match script {
        None => Json(json!({"status": "ok"})).into_response(),
        Some(script) => perform(script, &json!({}), 0).await,
    }
}

async fn props(State(book): Shared) -> Json<Value> {
    let sees = book.lock().unwrap().sees;
    Json(json!({"total_slots": 2, "chat_template": "", "modalities": {"vision": sees, "audio": false}}))
}

/// The words of a user part, which may have a picture beside them. Without the model for it a picture is refused.
fn words_of(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten();
    let texts = parts.filter_map(|part| part["text"].as_str());
    content.as_str().map_or_else(|| texts.collect(), str::to_owned)
}

async fn chat(State(book): Shared, Json(request): Json<Value>) -> Response {
    let content = &request["messages"][1]["content"];
    let user = words_of(content);
    if content.is_array() && !book.lock().unwrap().sees {
        return refusal(500, "image input is not supported", "server_error");
    }
    let system = request["messages"][0]["content"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let (script, cached) = {
        let mut book = book.lock().unwrap();
        // What a slot still holds: the system part, if the request before had the same in the same slot.
        let is_cached = book.requests.iter().any(|before| {
            before["messages"][0]["content"] == request["messages"][0]["content"]
                && before["id_slot"] == request["id_slot"]
        });
        book.requests.push(request.clone());
        let script = if book.once.is_empty() {
            book.rules
                .iter()
                .find(|(words, _)| user.contains(words.as_str()))
                .map(|(_, script)| script.clone())
                .unwrap_or_else(|| Script::Say("no rule of the script matches".to_owned()))
        } else {
            book.once.remove(0)
        };
        (script, if is_cached { tokens(&system) } else { 0 })
    };
    let waiting = matches!(script, Script::Hang).then(|| Waiting(Arc::clone(&book)));
    let response = perform(script, &request, cached).await;
    drop(waiting);
    response
}

async fn perform(script: Script, request: &Value, cached: usize) -> Response {
    match script {
        Script::Say(text) => answer(request, &text, None, "stop", cached),
        Script::Call(arguments) => {
            let function = json!({"name": request["tools"][0]["function"]["name"], "arguments": arguments});
            let calls = json!([{"id": "c1", "type": "function", "function": function}]);
            let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
            Json(json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]})).into_response()
        }
        Script::Slowly(wait, text) => {
            tokio::time::sleep(wait).await;
            answer(request, &text, None, "stop", cached)
        }
        Script::CutOff(text) => answer(request, &text, None, "length", cached),
        Script::SayWithReasoning(text, reasoning) => answer(request, &text, Some(&reasoning), "stop", cached),
        Script::Loading => refusal(503, "Loading model", "unavailable_error"),
        Script::Status(status, words) => refusal(status, &words, "scripted_error"),
        Script::Hang => std::future::pending().await,
        Script::Garbage => (StatusCode::OK, "<html>not what you asked</html>").into_response(),
        Script::Drop => {
            let parts = futures_util::stream::iter([
                Ok("{\"choices\":[{\"message\":{\"content\":\""),
                Err(std::io::Error::other("connection lost")),
            ]);
            (StatusCode::OK, Body::from_stream(parts)).into_response()
        }
    }
}

fn answer(request: &Value, text: &str, reasoning: Option<&str>, finish: &str, cached: usize) -> Response {
    let system = request["messages"][0]["content"].as_str().unwrap_or_default();
    let user = request["messages"][1]["content"].as_str().unwrap_or_default();
    let prompt = tokens(system) + tokens(user);
    let mut message = json!({"role": "assistant", "content": text});
    if let Some(reasoning) = reasoning {
        message["reasoning_content"] = json!(reasoning);
    }
    Json(json!({
        "object": "chat.completion",
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": tokens(text),
            "total_tokens": prompt + tokens(text),
            "prompt_tokens_details": {"cached_tokens": cached}
        },
        "timings": {"cache_n": cached, "prompt_n": prompt - cached, "predicted_n": tokens(text)}
    }))
    .into_response()
}

fn refusal(status: u16, words: &str, kind: &str) -> Response {
    let body = Json(json!({"error": {"code": status, "message": words, "type": kind}}));
    (StatusCode::from_u16(status).unwrap(), body).into_response()
}

async fn tokenize(Json(request): Json<Value>) -> Json<Value> {
    let count = tokens(request["content"].as_str().unwrap_or_default());
    Json(json!({"tokens": (0..count).collect::<Vec<_>>()}))
}

/// A vector that depends on the text alone: letters counted by their place in the alphabet.
async fn embeddings(State(book): Shared, Json(request): Json<Value>) -> Response {
    let text = request["input"].as_str().unwrap_or_default().to_owned();
    let health = {
        let mut book = book.lock().unwrap();
        book.embeddings.push(text.clone());
        book.health.clone()
    };
    if let Some(script) = health {
        return perform(script, &json!({}), 0).await;
    }
    let mut vector = vec![0.0_f32; 26];
    for letter in text.to_lowercase().bytes().filter(u8::is_ascii_lowercase) {
        vector[usize::from(letter - b'a')] += 1.0;
    }
    Json(json!({"object": "list", "data": [{"index": 0, "embedding": vector}]})).into_response()
}

/// Four characters a token, as with real tokenizers on such texts.
fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}
