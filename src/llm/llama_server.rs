//! What a llama-server says on the wire: `/health`, `/v1/chat/completions`, `/v1/embeddings`.
//!
//! Called by `LlmClient` alone. Wire types stay private here. Only a connection that could not be made is tried again;
//! a request that reached the server never is, as it may be expensive and may still be running. The one exception: a
//! server that refuses llama-server's own fields did nothing with them, and is asked plainly from then on. Redirects
//! and proxies are not followed: a prompt goes to the configured machine or nowhere.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use reqwest::{Response, StatusCode, redirect::Policy};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::{Completion, LlmError, Prompt, Workload, tier, tier::CallParameters, without_thinking};
use crate::config::LlmConfig;

/// Waits before the second and the third try of a connection that was refused.
const CONNECT_RETRY_WAITS: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Longest wait for an answer to "are you there".
const HEALTH_TIMEOUT: Duration = Duration::from_secs(1);
/// Longest wait for one vector: memory must stay faster than the model.
const EMBEDDING_TIMEOUT: Duration = Duration::from_secs(5);
/// Most bytes of one answer.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Fields that other servers with the same interface may not know, nor need.
const OWN_FIELDS: [&str; 5] = [
    "chat_template_kwargs",
    "cache_prompt",
    "id_slot",
    "seed",
    "response_format",
];
/// Most characters kept of the server's own words about an error.
const ERROR_CHARS_MAX: usize = 300;

/// One configured server, or two when embeddings have their own.
#[derive(Debug)]
pub(super) struct LlamaServer {
    http: reqwest::Client,
    /// `None` when only embeddings have a server.
    base: Option<Url>,
    embedding_base: Url,
    config: LlmConfig,
    /// It refused fields of llama-server: it is asked without them, and answers without a grammar.
    is_plain: AtomicBool,
}

impl LlamaServer {
    /// `None` when no address is configured.
    pub(super) fn from_config(config: &LlmConfig) -> Result<Option<Self>, LlmError> {
        let base = config.url.as_deref().map(parse_base).transpose()?;
        let embedding_base = config.embedding_url.as_deref().map(parse_base).transpose()?;
        let Some(embedding_base) = embedding_base.or_else(|| base.clone()) else {
            return Ok(None);
        };
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .map_err(|source| LlmError::Unreachable {
                url: embedding_base.to_string(),
                source,
            })?;
        Ok(Some(Self {
            http,
            base,
            embedding_base,
            config: config.clone(),
            is_plain: AtomicBool::new(false),
        }))
    }

    /// Whether there is a server for more than embeddings.
    pub(super) fn can_chat(&self) -> bool {
        self.base.is_some()
    }

    pub(super) async fn healthy(&self) -> bool {
        match self.probe("health").await {
            Some(StatusCode::NOT_FOUND) => self.probe("v1/models").await == Some(StatusCode::OK),
            status => status == Some(StatusCode::OK),
        }
    }

    async fn probe(&self, path: &str) -> Option<StatusCode> {
        let url = endpoint(self.base.as_ref()?, path)?;
        match self.http.get(url).timeout(HEALTH_TIMEOUT).send().await {
            Ok(response) => Some(response.status()),
            Err(error) => {
                tracing::debug!(%error, "llama-server does not answer");
                None
            }
        }
    }

    pub(super) async fn chat(&self, workload: Workload, prompt: &Prompt) -> Result<Completion, LlmError> {
        let base = self.base.as_ref().ok_or(LlmError::NotConfigured)?;
        let parameters = tier::parameters(workload, &self.config);
        let body = chat_body(&self.config, parameters, prompt);
        let started = Instant::now();
        let ask = async |body: &Value| self.post(base, "v1/chat/completions", body, parameters.timeout).await;
        let bytes = if self.is_plain.load(Ordering::Relaxed) {
            ask(&plain(body)).await?
        } else {
            match ask(&body).await {
                Err(error) if refuses_fields(&error) => {
                    tracing::warn!(%error, "the server is no llama-server: plans come without a grammar from now on");
                    self.is_plain.store(true, Ordering::Relaxed);
                    ask(&plain(body)).await?
                }
                answered => answered?,
            }
        };
        let answer: ChatAnswer = serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))?;
        let latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        answer
            .into_completion(latency_ms, prompt.schema.is_some())
            .ok_or(LlmError::Unreadable)
    }

    pub(super) async fn embedding(&self, text: &str) -> Result<Vec<f32>, LlmError> {
        let mut body = json!({"input": text});
        if let Some(model) = &self.config.embedding_model {
            set(&mut body, "model", json!(model));
        }
        let timeout = EMBEDDING_TIMEOUT.min(Duration::from_secs(self.config.call_timeout_s.max(1)));
        let bytes = self.post(&self.embedding_base, "v1/embeddings", &body, timeout).await?;
        let answer: EmbeddingAnswer = serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))?;
        let vector = answer.data.into_iter().next().ok_or(LlmError::Unreadable)?.embedding;
        if vector.is_empty() || vector.iter().any(|value| !value.is_finite()) {
            return Err(LlmError::Unreadable);
        }
        Ok(vector)
    }

    async fn post(&self, base: &Url, path: &str, body: &Value, timeout: Duration) -> Result<Vec<u8>, LlmError> {
        let deadline = Instant::now() + timeout;
        let mut waits = CONNECT_RETRY_WAITS.into_iter();
        let response = loop {
            let url = endpoint(base, path).ok_or(LlmError::Unreadable)?;
            let left = deadline.saturating_duration_since(Instant::now());
            match self.http.post(url).json(body).timeout(left).send().await {
                Ok(response) => break response,
                // A refused connection reached nobody: trying again cannot do anything twice.
                Err(error) if error.is_connect() && !error.is_timeout() => match waits.next() {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => return Err(transport_error(base, timeout, error)),
                },
                Err(error) => return Err(transport_error(base, timeout, error)),
            }
        };
        read_answer(base, timeout, response).await
    }
}

fn parse_base(address: &str) -> Result<Url, LlmError> {
    let bad = |reason: String| LlmError::BadAddress {
        url: address.to_owned(),
        reason,
    };
    let url = Url::parse(address).map_err(|error| bad(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad("it must begin with http:// or https://".to_owned()));
    }
    Ok(url)
}

/// The base may have a path of its own, with or without a closing slash and with or without `/v1`.
fn endpoint(base: &Url, path: &str) -> Option<Url> {
    let mut url = base.clone();
    {
        let mut segments = url.path_segments_mut().ok()?;
        segments.pop_if_empty();
        segments.extend(path.split('/'));
    }
    Some(url)
}

fn chat_body(config: &LlmConfig, parameters: CallParameters, prompt: &Prompt) -> Value {
    let mut body = json!({
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user}
        ],
        "max_tokens": prompt.max_tokens.saturating_add(parameters.thinking_tokens),
        "temperature": 0,
        "cache_prompt": true,
        "stream": false,
        "chat_template_kwargs": {"enable_thinking": parameters.think}
    });
    if let Some(model) = &config.model {
        set(&mut body, "model", json!(model));
    }
    if let Some(slot) = parameters.slot {
        set(&mut body, "id_slot", json!(slot));
    }
    // A negative seed asks for a random one, which is the server's own default.
    if config.seed >= 0 {
        set(&mut body, "seed", json!(config.seed));
    }
    if let Some(schema) = &prompt.schema {
        let format = json!({
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": true, "schema": schema}
        });
        set(&mut body, "response_format", format);
    }
    body
}

/// The same question in the words every server of this interface knows.
fn plain(mut body: Value) -> Value {
    if let Value::Object(fields) = &mut body {
        fields.retain(|name, _| !OWN_FIELDS.contains(&name.as_str()));
    }
    body
}

/// A refusal that names a field of ours is about the form of the question, not about the question.
fn refuses_fields(error: &LlmError) -> bool {
    let LlmError::Status { status, message } = error else {
        return false;
    };
    let is_about_form = [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY]
        .iter()
        .any(|code| code.as_u16() == *status);
    is_about_form && OWN_FIELDS.iter().any(|field| message.contains(field))
}

fn set(body: &mut Value, name: &str, value: Value) {
    if let Value::Object(fields) = body {
        fields.insert(name.to_owned(), value);
    }
}

fn transport_error(base: &Url, timeout: Duration, source: reqwest::Error) -> LlmError {
    if source.is_timeout() && !source.is_connect() {
        return LlmError::Timeout {
            seconds: timeout.as_secs(),
        };
    }
    LlmError::Unreachable {
        url: base.to_string(),
        source: source.without_url(),
    }
}

async fn read_answer(base: &Url, timeout: Duration, mut response: Response) -> Result<Vec<u8>, LlmError> {
    let status = response.status();
    let mut bytes = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| transport_error(base, timeout, error))?
    {
        if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(LlmError::Unreadable);
        }
        bytes.extend_from_slice(&chunk);
    }
    if status.is_success() {
        return Ok(bytes);
    }
    Err(refusal(status, &bytes))
}

fn refusal(status: StatusCode, bytes: &[u8]) -> LlmError {
    let (kind, words) = match serde_json::from_slice::<ErrorAnswer>(bytes) {
        Ok(answer) => (
            answer.error.kind.unwrap_or_default(),
            answer.error.message.unwrap_or_default(),
        ),
        Err(_not_json) => (String::new(), String::from_utf8_lossy(bytes).into_owned()),
    };
    if status == StatusCode::SERVICE_UNAVAILABLE && (kind == "unavailable_error" || words.contains("oading")) {
        return LlmError::Loading;
    }
    let words: String = words.chars().take(ERROR_CHARS_MAX).collect();
    LlmError::Status {
        status: status.as_u16(),
        message: if kind.is_empty() {
            words
        } else {
            format!("{kind}: {words}")
        },
    }
}

fn unreadable(error: &serde_json::Error) -> LlmError {
    tracing::warn!(%error, "llama-server answered something unreadable");
    LlmError::Unreadable
}

#[derive(Deserialize)]
struct ChatAnswer {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Usage,
    #[serde(default)]
    timings: Timings,
}

#[derive(Deserialize)]
struct Choice {
    message: ChoiceMessage,
    #[serde(default)]
    finish_reason: Option<String>,
}

/// `reasoning_content` is left out on purpose: thinking is never an answer.
#[derive(Deserialize)]
struct ChoiceMessage {
    #[serde(default)]
    content: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    prompt_tokens: u64,
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptDetails {
    cached_tokens: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Timings {
    cache_n: Option<u64>,
}

#[derive(Deserialize)]
struct EmbeddingAnswer {
    data: Vec<EmbeddingData>,
}

#[derive(Deserialize)]
struct EmbeddingData {
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: ErrorBody,
}

#[derive(Deserialize)]
struct ErrorBody {
    #[serde(default)]
    message: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

impl ChatAnswer {
    fn into_completion(self, latency_ms: u64, is_json: bool) -> Option<Completion> {
        let choice = self.choices.into_iter().next()?;
        let content = choice.message.content.unwrap_or_default();
        let counted = self.usage.prompt_tokens_details.map(|details| details.cached_tokens);
        Some(Completion {
            text: without_thinking(&content, is_json),
            tokens_in: self.usage.prompt_tokens,
            tokens_cached: counted.or(self.timings.cache_n).unwrap_or(0),
            tokens_out: self.usage.completion_tokens,
            latency_ms,
            cut_off: choice.finish_reason.as_deref() == Some("length"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_a_path_of_its_own() {
        for (base, expected) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/models"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/models"),
            ("https://box.example/llm/", "https://box.example/llm/v1/models"),
        ] {
            let base = parse_base(base).unwrap();
            assert_eq!(endpoint(&base, "v1/models").unwrap().as_str(), expected);
        }
    }

    #[test]
    fn what_is_no_web_address_is_refused_at_the_start() {
        for address in ["", "127.0.0.1:8080", "localhost:8080", "file:///tmp/x", "ftp://box"] {
            assert!(
                matches!(parse_base(address), Err(LlmError::BadAddress { .. })),
                "{address}"
            );
        }
    }

    #[test]
    fn only_what_is_configured_is_sent() {
        let prompt = Prompt {
            system: "s".to_owned(),
            user: "u".to_owned(),
            schema: None,
            max_tokens: 10,
        };
        let config = LlmConfig {
            seed: -1,
            ..LlmConfig::default()
        };
        let body = chat_body(&config, tier::parameters(Workload::Filler, &config), &prompt);
        for absent in ["model", "id_slot", "seed", "response_format"] {
            assert_eq!(body.get(absent), None, "{absent}");
        }
        assert_eq!(body["cache_prompt"], json!(true));
        assert_eq!(body["chat_template_kwargs"]["enable_thinking"], json!(false));
    }
}
