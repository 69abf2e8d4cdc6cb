//! A model outside the house, asked for plans alone and only by `engine::online`, which holds the money.
//!
//! One question is one call: what reached the provider is never sent again, not even when it was busy. The key travels
//! in one header and stands in no error and no log; what a provider says of a key it refused is not repeated, as some
//! quote it.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use reqwest::{
    StatusCode,
    header::{HeaderMap, HeaderValue},
};
use url::Url;

use super::{
    Completion, Prompt,
    chat::Dialect,
    http::{self, Door, Failure, Refusal, endpoint},
    tier,
};
use crate::{
    config::{OnlineConfig, Secret},
    domain::{
        limits::ONLINE_OVERHEAD_TOKENS,
        message::Message,
        spending::{self, MicroUsd, Prices},
    },
};

mod anthropic;
mod openai;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OnlineError {
    /// The configured address is none.
    #[error("`{url}` is no address of a provider: {reason}")]
    BadAddress {
        /// What the config says.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody listens, or the connection broke.
    #[error("cannot reach the provider at `{url}`")]
    Unreachable {
        /// Where we tried.
        url: String,
        /// The cause.
        #[source]
        source: reqwest::Error,
    },
    /// No answer in time.
    #[error("the provider did not answer in {seconds} s")]
    Timeout {
        /// The limit.
        seconds: u64,
    },
    /// It does not know the key, or the key may not do this.
    #[error("the provider refused the key ({status})")]
    KeyRefused {
        /// HTTP status; 0 when the key cannot even be sent.
        status: u16,
    },
    /// Too many requests; it wants to be left alone for a while.
    #[error("the provider is busy, retry after {retry_after_s:?} s")]
    Busy {
        /// For how long, if it said so.
        retry_after_s: Option<u64>,
    },
    /// The account has no money or no quota left.
    #[error("the account at the provider has no credit left")]
    NoCredit,
    /// It refused the request.
    #[error("the provider answered {status}: {words}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// Its own words.
        words: String,
    },
    /// It is out of order.
    #[error("the provider is out of order ({status})")]
    OutOfOrder {
        /// HTTP status.
        status: u16,
    },
    /// It answered something that is not its protocol.
    #[error("the provider answered something unreadable")]
    Unreadable,
}

impl OnlineError {
    /// Whether the provider may have worked, and so may ask for money.
    pub fn may_have_cost(&self) -> bool {
        match self {
            Self::BadAddress { .. } | Self::KeyRefused { .. } | Self::Busy { .. } | Self::NoCredit => false,
            Self::Unreachable { source, .. } => !source.is_connect(),
            Self::Refused { status, .. } => !(400..500).contains(status),
            Self::Timeout { .. } | Self::OutOfOrder { .. } | Self::Unreadable => true,
        }
    }

    /// What the person is told.
    pub fn message(&self) -> Message {
        match self {
            Self::BadAddress { .. } | Self::Unreachable { .. } | Self::OutOfOrder { .. } => Message::new("online-down"),
            Self::Timeout { seconds } => Message::new("online-slow").with("seconds", *seconds),
            Self::KeyRefused { .. } => Message::new("online-key-refused"),
            Self::Busy {
                retry_after_s: Some(seconds),
            } => Message::new("online-busy-for").with("seconds", *seconds),
            Self::Busy { retry_after_s: None } => Message::new("online-busy"),
            Self::NoCredit => Message::new("online-no-credit"),
            Self::Refused { .. } => Message::new("online-refused"),
            Self::Unreadable => Message::new("online-unreadable"),
        }
    }
}

/// What came back, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The words.
    pub completion: Completion,
    /// `None` when the provider did not say how much it read and wrote.
    pub cost: Option<MicroUsd>,
}

/// A provider that may be asked: it has a model, a key and prices.
#[derive(Debug)]
pub struct OnlineClient {
    http: reqwest::Client,
    base: Url,
    kind: spending::Provider,
    model: String,
    key: Secret,
    prices: Prices,
    timeout: Duration,
    /// Most tokens of an answer.
    tokens_max: u32,
    /// What a server of OpenAI's interface understands, as far as it told.
    dialect: Mutex<Dialect>,
}

impl OnlineClient {
    /// `None` while something is missing. Connects to nothing yet.
    pub fn new(config: &OnlineConfig) -> Result<Option<Self>, OnlineError> {
        let (Some(model), Some(key), Some(prices)) = (&config.model, &config.key, config.prices) else {
            return Ok(None);
        };
        let base = http::parse_base(&config.url).map_err(|reason| OnlineError::BadAddress {
            url: config.url.clone(),
            reason,
        })?;
        let asking = tier::frontier(config);
        let http = http::client().map_err(|source| OnlineError::Unreachable {
            url: base.to_string(),
            source,
        })?;
        Ok(Some(Self {
            http,
            base,
            kind: config.provider,
            model: model.clone(),
            key: key.clone(),
            prices,
            timeout: asking.timeout,
            tokens_max: asking.tokens_max,
            dialect: Mutex::new(Dialect::ONLINE),
        }))
    }

    /// The most that this question can cost. A token is never less than a byte, whoever counts.
    pub fn worst_case(&self, prompt: &Prompt) -> MicroUsd {
        let schema = prompt.schema.as_ref().map_or(0, |schema| schema.to_string().len());
        let bytes = prompt.system.len() + prompt.user.len() + schema;
        let tokens_in = u64::try_from(bytes)
            .unwrap_or(u64::MAX)
            .saturating_add(ONLINE_OVERHEAD_TOKENS);
        self.prices.of(tokens_in, u64::from(self.tokens_max))
    }

    /// Asks for a plan, once.
    pub async fn complete(&self, prompt: &Prompt) -> Result<Answer, OnlineError> {
        let started = Instant::now();
        let asked = match self.kind {
            spending::Provider::Anthropic => anthropic::ask(self, prompt).await,
            spending::Provider::OpenAi => openai::ask(self, prompt).await,
        };
        let mut completion = asked?;
        completion.latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let is_counted = completion.tokens_in > 0;
        let cost = is_counted.then(|| self.prices.of(completion.tokens_in, completion.tokens_out));
        Ok(Answer { completion, cost })
    }

    fn door(&self, path: &str, headers: HeaderMap) -> Result<Door<'_>, OnlineError> {
        Ok(Door {
            http: &self.http,
            url: endpoint(&self.base, path).ok_or(OnlineError::Unreadable)?,
            headers,
            timeout: self.timeout,
        })
    }

    /// The key behind these words as a header's value, kept out of what is printed of it.
    fn key_after(&self, before: &str) -> Result<HeaderValue, OnlineError> {
        let written = format!("{before}{}", self.key.expose());
        let Ok(mut value) = HeaderValue::from_str(&written) else {
            // What is wrong with it is not said: the error would hold it.
            return Err(OnlineError::KeyRefused { status: 0 });
        };
        value.set_sensitive(true);
        Ok(value)
    }

    fn failed(&self, failure: Failure) -> OnlineError {
        match failure {
            Failure::Unreachable(source) => OnlineError::Unreachable {
                url: self.base.to_string(),
                source,
            },
            Failure::Timeout { seconds } => OnlineError::Timeout { seconds },
            Failure::Unreadable => OnlineError::Unreadable,
            Failure::Refused(refusal) => self.refused(&refusal),
        }
    }

    fn refused(&self, refusal: &Refusal) -> OnlineError {
        let status = refusal.status.as_u16();
        let has_no_credit = refusal.status == StatusCode::PAYMENT_REQUIRED
            || refusal.kind == "insufficient_quota"
            || refusal.words.contains("credit balance");
        match refusal.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => OnlineError::KeyRefused { status },
            _ if has_no_credit => OnlineError::NoCredit,
            StatusCode::TOO_MANY_REQUESTS => OnlineError::Busy {
                retry_after_s: refusal.retry_after_s,
            },
            other if other.is_server_error() => OnlineError::OutOfOrder { status },
            _ => OnlineError::Refused {
                status,
                words: format!("{}: {}", refusal.kind, refusal.words).replace(self.key.expose(), "…"),
            },
        }
    }
}
