//! What a llama-server says on the wire: `/health`, `/v1/chat/completions`, `/v1/embeddings`.
//!
//! Called by `LlmClient` alone. Other servers of the same interface work too: `chat` finds out what they understand.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use reqwest::{StatusCode, header::HeaderMap};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::{
    Completion, Jpeg, LlmError, Prompt, Workload,
    chat::{self, Dialect, Question, set},
    http::{self, Door, Failure, Refusal, endpoint},
    tier,
};
use crate::config::LlmConfig;

/// Longest wait for an answer to "are you there".
const HEALTH_TIMEOUT: Duration = Duration::from_secs(1);
/// Longest wait for one vector: memory must stay faster than the model.
const EMBEDDING_TIMEOUT: Duration = Duration::from_secs(5);

/// The configured servers: usually one, but tiers and embeddings may have their own.
#[derive(Debug)]
pub(super) struct LlamaServer {
    http: reqwest::Client,
    /// Those that answer; none when only embeddings have a server.
    chats: Vec<Chat>,
    embedding_base: Url,
    config: LlmConfig,
}

/// One server that answers.
#[derive(Debug)]
struct Chat {
    base: Url,
    /// What it understands, as far as it told.
    dialect: Mutex<Dialect>,
    /// Held by the one call that is under way where calls are pinned to a slot: a llama-server that is asked for the
    /// same slot several times at once answers one request with the words of another.
    pinned: tokio::sync::Mutex<()>,
}

impl LlamaServer {
    /// `None` when no address is configured.
    pub(super) fn from_config(config: &LlmConfig) -> Result<Option<Self>, LlmError> {
        let mut chats: Vec<Chat> = Vec::new();
        for url in Workload::ALL
            .iter()
            .filter_map(|workload| tier::asking(*workload, config).url)
        {
            let base = parse_base(url)?;
            if chats.iter().all(|chat| chat.base != base) {
                chats.push(Chat::new(base));
            }
        }
        let embedding_url = config.embedding_url.as_deref().or(config.url.as_deref());
        let embedding_base = embedding_url.map(parse_base).transpose()?;
        let Some(embedding_base) = embedding_base.or_else(|| chats.first().map(|chat| chat.base.clone())) else {
            return Ok(None);
        };
        let http = http::client().map_err(|source| LlmError::Unreachable {
            url: embedding_base.to_string(),
            source,
        })?;
        Ok(Some(Self {
            http,
            chats,
            embedding_base,
            config: config.clone(),
        }))
    }

    /// Whether there is a server that is asked for this.
    pub(super) fn can_answer(&self, workload: Workload) -> bool {
        self.chat_of(workload).is_some()
    }

    fn chat_of(&self, workload: Workload) -> Option<&Chat> {
        let base = parse_base(tier::asking(workload, &self.config).url?).ok()?;
        self.chats.iter().find(|chat| chat.base == base)
    }

    pub(super) async fn healthy(&self) -> bool {
        match self.probe("health").await {
            Some(StatusCode::NOT_FOUND) => self.probe("v1/models").await == Some(StatusCode::OK),
            status => status == Some(StatusCode::OK),
        }
    }

    async fn probe(&self, path: &str) -> Option<StatusCode> {
        let url = endpoint(&self.chat_of(Workload::Plan)?.base, path)?;
        match self.http.get(url).timeout(HEALTH_TIMEOUT).send().await {
            Ok(response) => Some(response.status()),
            Err(error) => {
                tracing::debug!(%error, "llama-server does not answer");
                None
            }
        }
    }

    /// The name of the model that is asked about pictures, where its server says that it takes them.
    pub(super) async fn sees(&self) -> Option<String> {
        let base = &self.chat_of(Workload::Caption)?.base;
        let props = self.told(base, "props").await;
        let models = self.told(base, "v1/models").await;
        let takes = |told: &Option<Value>, place: &str| told.as_ref()?.pointer(place).cloned();
        let can = |place: &str| {
            let all = takes(&models, place)
                .and_then(|said| said.as_array().cloned())
                .unwrap_or_default();
            all.iter().any(|one| one == "multimodal" || one == "vision")
        };
        let says_so = takes(&props, "/modalities/vision") == Some(Value::Bool(true));
        if !says_so && !can("/models/0/capabilities") && !can("/data/0/capabilities") {
            return None;
        }
        let configured = tier::asking(Workload::Caption, &self.config).model;
        let named = || takes(&models, "/data/0/id").and_then(|id| id.as_str().map(str::to_owned));
        Some(configured.map(str::to_owned).or_else(named).unwrap_or_default())
    }

    /// What a server says of itself; nothing where it says nothing.
    async fn told(&self, base: &Url, path: &str) -> Option<Value> {
        let url = endpoint(base, path)?;
        let asked = self.http.get(url).timeout(HEALTH_TIMEOUT).send().await;
        let bytes = http::read(HEALTH_TIMEOUT, asked.ok()?).await.ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) async fn chat(
        &self,
        workload: Workload,
        prompt: &Prompt,
        picture: Option<Jpeg<'_>>,
    ) -> Result<Completion, LlmError> {
        let Chat { base, dialect, pinned } = self.chat_of(workload).ok_or(LlmError::NotConfigured)?;
        let timeout = tier::asking(workload, &self.config).timeout;
        let door = self.door(base, chat::PATH, timeout)?;
        let body = |dialect| chat_body(&self.config, workload, (prompt, picture), dialect);
        let _one_at_a_time = match self.config.slot {
            Some(_) => Some(pinned.lock().await),
            None => None,
        };
        let started = Instant::now();
        let bytes = chat::ask(&door, dialect, body)
            .await
            .map_err(|failure| failed(base, failure))?;
        let latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        chat::read(&bytes, latency_ms, prompt.schema.is_some()).ok_or(LlmError::Unreadable)
    }

    pub(super) async fn embedding(&self, text: &str) -> Result<Vec<f32>, LlmError> {
        let mut body = json!({"input": text});
        if let Some(model) = &self.config.embedding_model {
            set(&mut body, "model", json!(model));
        }
        let patience = Duration::from_secs(self.config.tiers.fast.timeout_s.max(1));
        let timeout = EMBEDDING_TIMEOUT.min(patience);
        let base = &self.embedding_base;
        let door = self.door(base, "v1/embeddings", timeout)?;
        let bytes = door.post(&body).await.map_err(|failure| failed(base, failure))?;
        let answer: EmbeddingAnswer = serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))?;
        let vector = answer.data.into_iter().next().ok_or(LlmError::Unreadable)?.embedding;
        if vector.is_empty() || vector.iter().any(|value| !value.is_finite()) {
            return Err(LlmError::Unreadable);
        }
        Ok(vector)
    }

    fn door(&self, base: &Url, path: &str, timeout: Duration) -> Result<Door<'_>, LlmError> {
        Ok(Door {
            http: &self.http,
            url: endpoint(base, path).ok_or(LlmError::Unreadable)?,
            headers: HeaderMap::new(),
            timeout,
        })
    }
}

impl Chat {
    fn new(base: Url) -> Self {
        Self {
            base,
            dialect: Mutex::new(Dialect::LLAMA),
            pinned: tokio::sync::Mutex::new(()),
        }
    }
}

fn parse_base(address: &str) -> Result<Url, LlmError> {
    http::parse_base(address).map_err(|reason| LlmError::BadAddress {
        url: address.to_owned(),
        reason,
    })
}

fn chat_body(
    config: &LlmConfig,
    workload: Workload,
    (prompt, picture): (&Prompt, Option<Jpeg<'_>>),
    dialect: Dialect,
) -> Value {
    let asking = tier::asking(workload, config);
    let question = Question {
        model: asking.model,
        prompt,
        picture,
        tokens_max: asking.tokens_max,
        name: workload.answer_name(),
        is_strict: true,
    };
    let mut body = question.body(dialect);
    if let Some(temperature) = asking.temperature {
        set(&mut body, "temperature", json!(temperature));
    }
    if !dialect.has_own_fields() {
        return body;
    }
    set(&mut body, "cache_prompt", json!(true));
    if let Some(think) = asking.think {
        set(&mut body, "chat_template_kwargs", json!({"enable_thinking": think}));
    }
    if let Some(slot) = config.slot {
        set(&mut body, "id_slot", json!(slot));
    }
    // A negative seed asks for a random one, which is the server's own default.
    if config.seed >= 0 {
        set(&mut body, "seed", json!(config.seed));
    }
    body
}

fn failed(base: &Url, failure: Failure) -> LlmError {
    match failure {
        Failure::Unreachable(source) => LlmError::Unreachable {
            url: base.to_string(),
            source,
        },
        Failure::Timeout { seconds } => LlmError::Timeout { seconds },
        Failure::Unreadable => LlmError::Unreadable,
        Failure::Refused(refusal) => refused(refusal),
    }
}

fn refused(refusal: Refusal) -> LlmError {
    let Refusal {
        status, kind, words, ..
    } = refusal;
    if status == StatusCode::SERVICE_UNAVAILABLE && (kind == "unavailable_error" || words.contains("oading")) {
        return LlmError::Loading;
    }
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
struct EmbeddingAnswer {
    data: Vec<EmbeddingData>,
}

#[derive(Deserialize)]
struct EmbeddingData {
    embedding: Vec<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_configured_is_sent() {
        let prompt = Prompt {
            system: "s".to_owned(),
            user: "u".to_owned(),
            schema: None,
        };
        let config = LlmConfig {
            seed: -1,
            ..LlmConfig::default()
        };
        let body = chat_body(&config, Workload::Filler, (&prompt, None), Dialect::LLAMA);
        for absent in ["model", "id_slot", "seed", "response_format", "tools"] {
            assert_eq!(body.get(absent), None, "{absent}");
        }
        assert_eq!(body["cache_prompt"], json!(true));
        assert_eq!(body["chat_template_kwargs"]["enable_thinking"], json!(false));
    }
}
