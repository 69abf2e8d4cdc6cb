//! The `[llm]` section: the model in the house, and the online provider a household may add. `mode` says which of them
//! may be asked; what a provider may cost is decided here and nowhere else.

use std::path::{Path, PathBuf};

use url::{Host, Url};

use super::{
    ConfigError, Secret, at_least,
    env::Environment,
    filled, key,
    raw::{RawLlm, RawOnline},
    secret_file,
    tiers::{self, Tiers},
    url, wrong,
};
use crate::domain::spending::{MicroUsd, Prices, Provider, TokenPrice};

/// Whose model may be asked (`mode` in the config).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Only the one in the house.
    #[default]
    Local,
    /// A plan is asked of the provider first.
    Online,
    /// The provider is asked when nothing in the house could write the plan.
    Hybrid,
}

impl Mode {
    /// The name in the configuration and in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Online => "online",
            Self::Hybrid => "hybrid",
        }
    }

    pub(super) fn parse(written: &str) -> Option<Self> {
        [Self::Local, Self::Online, Self::Hybrid]
            .into_iter()
            .find(|mode| mode.as_str() == written)
    }
}

/// Language model (`[llm]`).
#[derive(Clone, Debug, Default)]
pub struct LlmConfig {
    /// Base URL of a llama-server, such as `http://127.0.0.1:8080`; `None` for no model.
    pub url: Option<String>,
    /// The model's name, for servers that hold several.
    pub model: Option<String>,
    /// Name of the embedding model on the same server; `None` for the built-in lexical embedder.
    pub embedding_model: Option<String>,
    /// Base URL for embeddings when it is another server.
    pub embedding_url: Option<String>,
    /// The server slot that every call is pinned to, one at a time; `None` lets the server choose.
    pub slot: Option<u32>,
    /// Sampling seed; the same seed and prompt give the same plan.
    pub seed: i64,
    /// How it is asked, by how much effort a question deserves.
    pub tiers: Tiers,
    /// Command that starts a llama-server for us, program first; empty when somebody else runs it.
    pub server_command: Vec<String>,
    /// The online provider; who is never asked unless `mode` says so.
    pub online: OnlineConfig,
}

/// An online provider (`[llm.online]`).
#[derive(Clone, Debug, Default)]
pub struct OnlineConfig {
    /// Whose interface.
    pub provider: Provider,
    /// Its base URL.
    pub url: String,
    /// The model's name; without one nothing is asked.
    pub model: Option<String>,
    /// The key, from the environment or a 0600 file; without one nothing is asked.
    pub key: Option<Secret>,
    /// The file the key may lie in, absolute; closed to executors.
    pub key_file: Option<PathBuf>,
    /// What tokens cost; a model whose prices nobody wrote down is not asked.
    pub prices: Option<Prices>,
    /// Most that may be spent in a day.
    pub spend_max_day: MicroUsd,
    /// Most that may be spent in a month.
    pub spend_max_month: MicroUsd,
    /// Seconds one plan may take.
    pub timeout_s: u64,
    /// Most tokens of a plan.
    pub tokens: u32,
}

/// What keeps a provider from being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlineGap {
    /// `llm.online.model`.
    Model,
    /// `llm.online.key_file`.
    Key,
    /// `llm.online.usd_per_million_in` and `…_out`.
    Prices,
}

impl OnlineGap {
    /// The setting to fill in.
    pub fn setting(self) -> &'static str {
        match self {
            Self::Model => "llm.online.model",
            Self::Key => "llm.online.key_file",
            Self::Prices => "llm.online.usd_per_million_in, llm.online.usd_per_million_out",
        }
    }
}

impl OnlineConfig {
    /// The first thing that is missing before this provider may be asked.
    pub fn gap(&self) -> Option<OnlineGap> {
        if self.model.is_none() {
            Some(OnlineGap::Model)
        } else if self.key.is_none() {
            Some(OnlineGap::Key)
        } else if self.prices.is_none() {
            Some(OnlineGap::Prices)
        } else {
            None
        }
    }
}

impl RawLlm {
    /// The same, checked, with secrets read.
    pub(super) fn resolve(self, environment: &Environment, home: &Path) -> Result<LlmConfig, ConfigError> {
        if !self.server.command.is_empty() && self.url.is_empty() {
            let command = self.server.command.join(" ");
            let expected = "config-expects-llm-url";
            return Err(wrong("llm.server.command", command, expected));
        }
        Ok(LlmConfig {
            url: url("llm.url", self.url)?,
            model: filled(self.model),
            embedding_model: filled(self.embedding_model),
            embedding_url: url("llm.embedding_url", self.embedding_url)?,
            slot: u32::try_from(self.slot).ok(),
            seed: self.seed,
            tiers: Tiers {
                fast: self.fast.resolve(&tiers::FAST)?,
                middle: self.middle.resolve(&tiers::MIDDLE)?,
                wise: self.wise.resolve(&tiers::WISE)?,
            },
            server_command: self.server.command,
            online: self.online.resolve(environment, home)?,
        })
    }
}

impl RawOnline {
    fn resolve(self, environment: &Environment, home: &Path) -> Result<OnlineConfig, ConfigError> {
        let provider = [Provider::Anthropic, Provider::OpenAi]
            .into_iter()
            .find(|provider| provider.as_str() == self.provider)
            .ok_or_else(|| wrong("llm.online.provider", self.provider, "config-expects-provider"))?;
        let key_file = secret_file(&self.key_file, home)?;
        let input = price("llm.online.usd_per_million_in", self.usd_per_million_in)?;
        let output = price("llm.online.usd_per_million_out", self.usd_per_million_out)?;
        Ok(OnlineConfig {
            provider,
            url: closed_url(self.url)?.unwrap_or_else(|| home_of(provider).to_owned()),
            model: filled(self.model),
            key: key(key_file.as_deref(), environment.llm_online_key.as_deref())?,
            key_file,
            prices: input.zip(output).map(|(input, output)| Prices { input, output }),
            spend_max_day: cap("llm.online.spend_max_day_usd", self.spend_max_day_usd)?,
            spend_max_month: cap("llm.online.spend_max_month_usd", self.spend_max_month_usd)?,
            timeout_s: at_least("llm.online.timeout_s", self.timeout_s, 1)?,
            tokens: at_least("llm.online.tokens", self.tokens, 1)?,
        })
    }
}

fn home_of(provider: Provider) -> &'static str {
    match provider {
        Provider::Anthropic => "https://api.anthropic.com",
        Provider::OpenAi => "https://api.openai.com",
    }
}

/// A key and what people say travel encrypted, or not at all; only this very machine needs no lock.
fn closed_url(written: String) -> Result<Option<String>, ConfigError> {
    const KEY: &str = "llm.online.url";
    let Some(address) = url(KEY, written)? else {
        return Ok(None);
    };
    let Ok(parsed) = Url::parse(&address) else {
        return Err(wrong(KEY, address, "config-expects-web-address"));
    };
    // Addresses are shown; a secret has its own setting.
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(wrong(KEY, "…@…".to_owned(), "config-expects-no-login"));
    }
    if parsed.scheme() == "https" || is_this_machine(&parsed) {
        Ok(Some(address))
    } else {
        Err(wrong(KEY, address, "config-expects-https"))
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// Zero stands for a price nobody knows.
fn price(key: &'static str, written: f64) -> Result<Option<TokenPrice>, ConfigError> {
    if written == 0.0 {
        return Ok(None);
    }
    TokenPrice::per_million(written)
        .map(Some)
        .ok_or_else(|| wrong(key, written.to_string(), "config-expects-price"))
}

fn cap(key: &'static str, written: f64) -> Result<MicroUsd, ConfigError> {
    MicroUsd::at_most(written).ok_or_else(|| wrong(key, written.to_string(), "config-expects-dollars"))
}
