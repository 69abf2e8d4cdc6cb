//! The one door to language models: `LlmClient::complete(workload, prompt) → Completion`.
//!
//! Called by the metis proposer, fillers, the executors that declare `llm:local`, and at night the jobs that translate
//! and write captions; nobody else.
//! It never sees a secret, and a prompt never reaches a log. Dropping a call cancels it, on the server too.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;
use serde_json::Value;

use crate::{
    config::LlmConfig,
    domain::{
        lang::LANGUAGES_FOLDER,
        message::Message,
        outcome::{ModelUse, OnlineUse},
        spending::{MicroUsd, Provider},
    },
    servers::{Kept, Kind, Supervised},
};
use llama_server::LlamaServer;

/// What a model sees in a photo.
pub mod caption;
/// Chat completions, as many servers speak them.
mod chat;
/// Words about a list of entries, for the person.
pub mod describe;
/// Texts to vectors.
pub mod embed;
/// Small open texts of a plan.
pub mod filler;
/// The way to any model server.
mod http;
/// The embedder without a model.
pub mod lexical;
mod llama_server;
/// A provider outside the house.
pub mod online;
/// What each workload may cost.
pub mod tier;
/// Texts of ours in other languages.
pub mod translate;

/// What a call is for; decides tier, limits and time-out in one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Workload {
    /// The whole plan.
    Plan,
    /// The same plan again, with more room, because it was cut off.
    PlanAgain,
    /// A small open text in a plan.
    Filler,
    /// A description of entries for the person.
    Describe,
    /// A text of ours in a language that a household added.
    Translate,
    /// What is seen in a photo.
    Caption,
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
}

/// A picture that a model is shown: a JPEG, written as text (base64).
#[derive(Clone, Copy, Debug)]
pub struct Jpeg<'a>(pub &'a str);

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
    /// The answer ended because it had no more tokens.
    pub cut_off: bool,
}

/// What one call came to; tokens, and milliseconds of wall time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallUse {
    /// What it was for.
    pub workload: &'static str,
    /// Of the prompt, cached ones included.
    pub tokens_in: u64,
    /// Of the prompt, found in the server's cache.
    pub tokens_cached: u64,
    /// Of the answer.
    pub tokens_out: u64,
    /// How long it took.
    pub latency_ms: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// No server is configured.
    #[error("no llama-server is configured")]
    NotConfigured,
    /// The configured address is none.
    #[error("`{url}` is no address of a llama-server: {reason}")]
    BadAddress {
        /// What the config says.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
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
    /// The person has no calls left today.
    #[error("no model calls are left for today")]
    NoCallsLeft,
}

impl LlmError {
    /// The server is out of order, rather than this one request.
    pub fn is_outage(&self) -> bool {
        match self {
            Self::NotConfigured
            | Self::BadAddress { .. }
            | Self::Unreachable { .. }
            | Self::Loading
            | Self::Timeout { .. }
            | Self::DownThisTurn => true,
            Self::Status { status, .. } => *status >= 500,
            Self::Unreadable | Self::NoCallsLeft => false,
        }
    }

    /// What the person is told.
    pub fn message(&self) -> Message {
        match self {
            Self::NotConfigured => Message::new("llm-not-configured"),
            Self::BadAddress { .. } | Self::Unreachable { .. } | Self::DownThisTurn => Message::new("llm-down"),
            Self::Loading => Message::new("llm-loading"),
            Self::Timeout { seconds } => Message::new("llm-slow").with("seconds", *seconds),
            Self::Status { status, .. } if *status >= 500 => Message::new("llm-down"),
            Self::Status { .. } => Message::new("llm-refused"),
            Self::Unreadable => Message::new("llm-unreadable"),
            Self::NoCallsLeft => Message::new("llm-no-calls-left"),
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
    /// Every answered call, in order.
    calls: Vec<CallUse>,
    down: bool,
    embeddings_down: bool,
    /// How many calls this turn may make; `None` for any number.
    allowed: Option<u64>,
}

impl Meter {
    /// A meter that lets so many calls through; `None` for any number.
    pub fn allowing(calls: Option<u32>) -> Self {
        let state = MeterState {
            allowed: calls.map(u64::from),
            ..MeterState::default()
        };
        Self {
            state: Mutex::new(state),
        }
    }

    /// Whether every call that this turn may make was made.
    pub fn is_used_up(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state
            .allowed
            .is_some_and(|allowed| u64::from(state.used.calls) >= allowed)
    }

    /// Adds one chat completion.
    pub fn count(&self, workload: Workload, completion: &Completion) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used.calls += 1;
        add(&mut state.used, completion);
        state.calls.push(CallUse {
            workload: workload.as_str(),
            tokens_in: completion.tokens_in,
            tokens_cached: completion.tokens_cached,
            tokens_out: completion.tokens_out,
            latency_ms: completion.latency_ms,
        });
    }

    /// What each answered call of the house's model came to.
    pub fn calls(&self) -> Vec<CallUse> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).calls.clone()
    }

    /// Adds a call of an online provider that is about to be made, with the most it can cost. It counts from now on,
    /// whatever becomes of it.
    pub fn begin_online(&self, provider: Provider, cost_max: MicroUsd) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used.calls += 1;
        state.used.online = Some(OnlineUse {
            provider,
            cost_micro_usd: cost_max,
        });
    }

    /// Notes what that call brought and did cost.
    pub fn end_online(&self, cost: MicroUsd, completion: Option<&Completion>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(online) = &mut state.used.online {
            online.cost_micro_usd = cost;
        }
        if let Some(completion) = completion {
            add(&mut state.used, completion);
        }
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

    /// Notes an embedding request that failed; an outage is remembered apart, as embeddings may have their own server.
    pub fn count_embedding_failure(&self, error: &LlmError) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used.embeddings += 1;
        state.embeddings_down |= error.is_outage();
    }

    /// Whether this turn already met an outage of the embedding server.
    pub fn is_embedding_down(&self) -> bool {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .embeddings_down
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

fn add(used: &mut ModelUse, completion: &Completion) {
    used.tokens_in += completion.tokens_in;
    used.tokens_cached += completion.tokens_cached;
    used.tokens_out += completion.tokens_out;
    used.latency_ms += completion.latency_ms;
}

/// A call on its way. Dropped before its end it counts, too: the model worked for it.
struct OnItsWay<'a>(Option<&'a Meter>);

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        if let Some(meter) = self.0 {
            meter.state.lock().unwrap_or_else(PoisonError::into_inner).used.calls += 1;
        }
    }
}

/// The client every part shares; cloning it is cheap.
#[derive(Clone, Debug)]
pub struct LlmClient {
    server: Option<Arc<LlamaServer>>,
    /// Where the prompts of added languages are, each in the folder of its language.
    languages: Option<Arc<Path>>,
    /// What became of the server we started, if we did.
    supervised: Supervised,
}

impl Kept for LlmClient {
    const KIND: Kind = Kind::Llama;

    async fn healthy(&self) -> bool {
        Self::healthy(self).await
    }

    fn supervised(&self) -> &Supervised {
        &self.supervised
    }
}

impl LlmClient {
    /// A client for the configured server, or one that answers `NotConfigured`. Connects to nothing yet.
    pub fn new(config: &LlmConfig) -> Result<Self, LlmError> {
        let server = LlamaServer::from_config(config)?.map(Arc::new);
        Ok(Self {
            server,
            languages: None,
            supervised: Supervised::default(),
        })
    }

    /// The same client, speaking the languages that were added to a household.
    pub fn of_household(mut self, data_dir: &Path) -> Self {
        self.languages = Some(Arc::from(data_dir.join(LANGUAGES_FOLDER)));
        self
    }

    /// What there is to say about the server we started: that it is starting, or keeps failing.
    pub fn server_trouble(&self) -> Option<Message> {
        self.supervised.trouble()
    }

    /// Whether there is a server to ask for words at all.
    pub fn is_configured(&self) -> bool {
        let server = self.server.as_ref();
        server.is_some_and(|server| server.can_answer(Workload::Plan))
    }

    /// Whether there is a server to ask for vectors.
    pub(crate) fn can_embed(&self) -> bool {
        self.server.is_some()
    }

    /// Whether the server answers right now; takes a second at most. A server that still loads its model is not ready.
    pub async fn healthy(&self) -> bool {
        match &self.server {
            Some(server) => server.healthy().await,
            None => false,
        }
    }

    /// The name of the model that is asked about pictures; `None` where it takes none, or does not say so.
    pub async fn sees(&self) -> Option<String> {
        self.server.as_ref()?.sees().await
    }

    /// Asks the model once. The meter counts the call; after an outage it refuses at once, so that a turn never waits
    /// for a dead server twice.
    pub async fn complete(&self, workload: Workload, prompt: &Prompt, meter: &Meter) -> Result<Completion, LlmError> {
        self.ask(workload, (prompt, None), meter).await
    }

    /// The same with a picture beside the words, where there is one.
    async fn ask(
        &self,
        workload: Workload,
        (prompt, picture): (&Prompt, Option<Jpeg<'_>>),
        meter: &Meter,
    ) -> Result<Completion, LlmError> {
        let Some(server) = self.server.as_ref().filter(|server| server.can_answer(workload)) else {
            return Err(LlmError::NotConfigured);
        };
        if meter.is_down() {
            return Err(LlmError::DownThisTurn);
        }
        if meter.is_used_up() {
            return Err(LlmError::NoCallsLeft);
        }
        let mut on_its_way = OnItsWay(Some(meter));
        let answered = server.chat(workload, prompt, picture).await;
        on_its_way.0 = None;
        match answered {
            Ok(completion) => {
                tracing::debug!(
                    ?workload,
                    tokens_in = completion.tokens_in,
                    tokens_cached = completion.tokens_cached,
                    tokens_out = completion.tokens_out,
                    latency_ms = completion.latency_ms,
                    cut_off = completion.cut_off,
                    "model answered"
                );
                meter.count(workload, &completion);
                Ok(completion)
            }
            Err(error) => {
                tracing::warn!(?workload, %error, "model call failed");
                meter.count_failure(&error);
                Err(error)
            }
        }
    }

    /// The vector of one text from the embedding server, as it came.
    pub(crate) async fn embedding(&self, text: &str, meter: &Meter) -> Result<Vec<f32>, LlmError> {
        let Some(server) = &self.server else {
            return Err(LlmError::NotConfigured);
        };
        if meter.is_embedding_down() {
            return Err(LlmError::DownThisTurn);
        }
        match server.embedding(text).await {
            Ok(vector) => {
                meter.count_embedding();
                Ok(vector)
            }
            Err(error) => {
                tracing::warn!(%error, "embedding failed");
                meter.count_embedding_failure(&error);
                Err(error)
            }
        }
    }
}

/// The answer without its thinking. A closed block goes; what stands before a lone closing tag goes, as some chat
/// templates open the block themselves. An unclosed block is dropped from a free text; from an answer that must be
/// JSON only the tag goes, as the plan may stand inside it.
fn without_thinking(text: &str, is_json: bool) -> String {
    const OPEN: &str = "<think>";
    const CLOSE: &str = "</think>";
    let mut rest = text;
    if let Some((_, after)) = rest.rsplit_once(CLOSE) {
        rest = after;
    }
    match rest.split_once(OPEN) {
        Some((before, inside)) if is_json => format!("{before}{inside}"),
        Some((before, _)) => before.to_owned(),
        None => rest.to_owned(),
    }
    .trim()
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_never_reaches_a_person() {
        for (raw, is_json, expected) in [
            ("plain", false, "plain"),
            ("<think>a\nb</think>\n\nanswer", false, "answer"),
            ("a thought without its beginning</think>answer", false, "answer"),
            ("<think>one</think>x<think>two</think>answer", false, "answer"),
            ("answer<think>cut off", false, "answer"),
            ("<think>cut off", false, ""),
            ("<think>so: {\"a\":1}", true, "so: {\"a\":1}"),
            ("<think></think>{\"a\":1}", true, "{\"a\":1}"),
        ] {
            assert_eq!(without_thinking(raw, is_json), expected, "{raw}");
        }
    }

    #[test]
    fn an_outage_is_remembered_and_a_refusal_is_not() {
        let meter = Meter::default();
        meter.count_failure(&LlmError::Status {
            status: 400,
            message: String::new(),
        });
        assert!(!meter.is_down());
        meter.count_embedding_failure(&LlmError::Loading);
        assert!(!meter.is_down(), "embeddings may have their own server");
        assert!(meter.is_embedding_down());
        meter.count_failure(&LlmError::Timeout { seconds: 1 });
        assert!(meter.is_down());
        assert_eq!(meter.used().calls, 2);
    }
}
