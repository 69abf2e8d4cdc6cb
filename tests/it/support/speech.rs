//! A speech server at the wire, on a free local port: a "sound" whose bytes are words is heard as these words. Those that
//! begin with `mumbled ` are a guess, `silence` holds none, `noise` is no sound, and `broken` breaks the server.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use metnos::config::SpeechConfig;
use serde_json::{Value, json};

/// The languages that were asked for, in order.
type Asked = Arc<Mutex<Vec<String>>>;

/// The running server; it ends with this value.
pub(crate) struct FakeSpeech {
    url: String,
    asked: Asked,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeSpeech {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeSpeech {
    pub(crate) async fn start() -> Self {
        let asked = Asked::default();
        let router = Router::new()
            .route("/v1/audio/transcriptions", post(hear))
            .route("/health", get(|| async { "ok" }))
            .with_state(Arc::clone(&asked));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, asked, server }
    }

    pub(crate) fn config(&self) -> SpeechConfig {
        SpeechConfig {
            url: Some(self.url.clone()),
            model: None,
            timeout_s: 5,
            server_command: Vec::new(),
        }
    }

    /// The languages that were asked for, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn hear(State(asked): State<Asked>, body: Bytes) -> Response {
    let body = String::from_utf8_lossy(&body).into_owned();
    let language = field(&body, "language");
    asked.lock().unwrap().push(language.clone());
    let segment = |text: &str, mean: f64, silence: f64| -> Value {
        json!({"id": 0, "start": 0.0, "end": 1.0, "text": text, "avg_logprob": mean, "no_speech_prob": silence})
    };
    let sound = field(&body, "file");
    let segment = match (sound.as_str(), sound.strip_prefix("mumbled ")) {
        ("noise", _) => return (StatusCode::BAD_REQUEST, "no sound").into_response(),
        ("broken", _) => return (StatusCode::INTERNAL_SERVER_ERROR, "out of memory").into_response(),
        ("silence", _) => segment(" Thank you for watching.", -0.5, 0.95),
        (_, Some(guessed)) => segment(guessed, -1.3, 0.1),
        (said, None) => segment(said, -0.2, 0.02),
    };
    let answer = json!({"language": language, "duration": 1.0, "text": segment["text"], "segments": [segment]});
    axum::Json(answer).into_response()
}

/// The value of a field of a form, as it is sent.
fn field(body: &str, name: &str) -> String {
    let (_, rest) = body.split_once(&format!("name=\"{name}\"")).unwrap_or_default();
    let (_, value) = rest.split_once("\r\n\r\n").unwrap_or_default();
    value.split("\r\n--").next().unwrap_or_default().to_owned()
}
