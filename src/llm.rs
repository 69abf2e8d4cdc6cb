//! The one door to language models: `LlmClient::complete(workload, prompt) → Completion`.
//!
//! Called by the metis proposer, the intent fallback, fillers and the executors that declare `llm:local`; nobody else.
//! It never sees a secret, and a prompt never reaches a log.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::domain::outcome::ModelUse;

/// What a call is for; decides tier, limits and time-out in one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Workload {
    /// Verb and object of a request the lexicon is unsure about.
    Intent,
    /// The whole plan.
    Plan,
    /// A small open text in a plan.
    Filler,
    /// A description of entries for the person.
    Describe,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// Byte-stable part: the same for every request, so that the server's prompt cache holds it.
    pub system: String,
    /// The part of this request.
    pub user: String,
    /// JSON Schema the answer must obey; `None` for free text.
    pub schema: Option<Value>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The answer without any thinking.
    pub text: String,
    /// Prompt tokens, cached ones included.
    pub tokens_in: u64,
    /// Prompt tokens taken from the cache.
    pub tokens_cached: u64,
    /// Generated tokens.
    pub tokens_out: u64,
    /// Wall time in milliseconds.
    pub latency_ms: u64,
    /// The answer ended because `max_tokens` was reached.
    pub cut_off: bool,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// No server is configured.
    #[error("no llama-server is configured")]
    NotConfigured,
    /// Nobody listens, or the connection broke.
    #[error("cannot reach llama-server at `{url}`")]
    Unreachable {
        /// Where we tried.
        url: String,
        /// The cause.
        #[source]
        source: reqwest::Error,
    },
    /// It is still loading its model.
    #[error("llama-server is loading its model")]
    Loading,
    /// No answer in time.
    #[error("llama-server did not answer in {seconds} s")]
    Timeout {
        /// The limit.
        seconds: u64,
    },
    /// It refused the request.
    #[error("llama-server answered {status}: {message}")]
    Status {
        /// HTTP status.
        status: u16,
        /// Its own words.
        message: String,
    },
    /// It answered something that is not its protocol.
    #[error("llama-server answered something unreadable")]
    Unreadable,
    /// This turn already found the model down; no further waiting.
    #[error("the model was down a moment ago")]
    DownThisTurn,
}

impl LlmError {
    /// The server is out of order, rather than this one request.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::NotConfigured
            | Self::Unreachable { .. }
            | Self::Loading
            | Self::Timeout { .. }
            | Self::DownThisTurn => true,
            Self::Status { status, .. } => *status >= 500,
            Self::Unreadable => false,
        }
    }
}

/// Counts the model use of one turn and remembers an outage, so that a turn never waits for a dead server twice.
#[derive(Debug, Default)]
pub struct Meter {
    state: Mutex<MeterState>,
}

#[derive(Debug, Default)]
struct MeterState {
    used: ModelUse,
    down: bool,
}

impl Meter {
    /// Adds one chat completion.
    pub fn count(&self, completion: &Completion) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used.calls += 1;
        state.used.tokens_in += completion.tokens_in;
        state.used.tokens_cached += completion.tokens_cached;
        state.used.tokens_out += completion.tokens_out;
        state.used.latency_ms += completion.latency_ms;
    }

    /// Adds one embedding request.
    pub fn count_embedding(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used.embeddings += 1;
    }

    /// Adds a call that failed; an outage is remembered.
    pub fn count_failure(&self, error: &LlmError) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used.calls += 1;
        state.down |= error.is_outage();
    }

    /// Whether this turn already met an outage.
    pub fn is_down(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).down
    }

    /// What was used so far.
    pub fn used(&self) -> ModelUse {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).used
    }
}
