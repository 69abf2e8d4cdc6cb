//! Anthropic's Messages API: the plan is the input of the one tool the model has to call.
//!
//! Called by `llm::online` alone. Nothing is cached at the provider, and nothing is sampled by settings of ours: some
//! of its models refuse them.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{OnlineClient, OnlineError};
use crate::llm::{Completion, Prompt, Workload, chat, without_thinking};

/// The version of the interface spoken here.
const VERSION: &str = "2023-06-01";
const VERSION_HEADER: HeaderName = HeaderName::from_static("anthropic-version");
const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");
const PATH: &str = "v1/messages";

pub(super) async fn ask(client: &OnlineClient, prompt: &Prompt) -> Result<Completion, OnlineError> {
    let mut headers = HeaderMap::new();
    headers.insert(KEY_HEADER, client.key_after("")?);
    headers.insert(VERSION_HEADER, HeaderValue::from_static(VERSION));
    let door = client.door(PATH, headers)?;
    let bytes = door
        .post(&body(client, prompt))
        .await
        .map_err(|failure| client.failed(failure))?;
    let answer: Answer = serde_json::from_slice(&bytes).map_err(|error| {
        tracing::warn!(%error, "the provider answered something unreadable");
        OnlineError::Unreadable
    })?;
    Ok(answer.into_completion(prompt.schema.is_some()))
}

fn body(client: &OnlineClient, prompt: &Prompt) -> Value {
    let mut body = json!({
        "model": client.model,
        "max_tokens": client.tokens_max,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.user}]
    });
    if let Some(schema) = &prompt.schema {
        let name = Workload::Plan.answer_name();
        let tool = json!({"name": name, "description": chat::DESCRIPTION, "input_schema": schema});
        chat::set(&mut body, "tools", json!([tool]));
        chat::set(&mut body, "tool_choice", json!({"type": "tool", "name": name}));
    }
    body
}

#[derive(Deserialize)]
struct Answer {
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Usage,
}

/// A text, a call of the tool, or something else that says nothing to us.
#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    input: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    input_tokens: u64,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: u64,
}

impl Answer {
    fn into_completion(self, is_json: bool) -> Completion {
        let called = self.content.iter().find_map(|block| block.input.as_ref());
        let text = match called {
            Some(input) => input.to_string(),
            None => self.content.iter().filter_map(|block| block.text.as_deref()).collect(),
        };
        let cached = self.usage.cache_read_input_tokens.unwrap_or(0);
        Completion {
            text: without_thinking(&text, is_json),
            tokens_in: self.usage.input_tokens + self.usage.cache_creation_input_tokens.unwrap_or(0) + cached,
            tokens_cached: cached,
            tokens_out: self.usage.output_tokens,
            latency_ms: 0,
            cut_off: self.stop_reason.as_deref() == Some("max_tokens"),
        }
    }
}
