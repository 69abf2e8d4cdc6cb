//! The tiers of the house's model: what each may take, in one table (`[llm.fast]`, `[llm.middle]`, `[llm.wise]`). What
//! is asked of which tier stands in `llm::tier`. Used by `config::llm`; the online provider is the fourth tier and has
//! a section of its own.

use serde::Deserialize;
use toml::{Table, Value};

use super::{ConfigError, at_least, filled, salvage, url, wrong};

/// The hottest any server samples at.
const TEMPERATURE_MAX: f64 = 2.0;

/// Keys of older files and the tiers' keys that they stand for, so that such a file still means what it meant.
const MOVED: [(&str, &[&str]); 3] = [
    ("llm.plan_timeout_s", &["llm.wise.timeout_s"]),
    ("llm.call_timeout_s", &["llm.fast.timeout_s", "llm.middle.timeout_s"]),
    ("llm.think", &["llm.wise.think"]),
];

/// How the model is asked in one tier.
#[derive(Clone, Debug, PartialEq)]
pub struct TierConfig {
    /// Another server than that of `llm.url`.
    pub url: Option<String>,
    /// Another model than that of `llm.model`.
    pub model: Option<String>,
    /// Let it think before it answers.
    pub think: bool,
    /// Most tokens of an answer, without what it thinks.
    pub tokens: u32,
    /// Seconds one answer may take.
    pub timeout_s: u64,
    /// How freely it chooses its words; 0 for the likeliest ones.
    pub temperature: f64,
}

impl TierConfig {
    const fn answering(tokens: u32, timeout_s: u64) -> Self {
        Self {
            url: None,
            model: None,
            think: false,
            tokens,
            timeout_s,
            temperature: 0.0,
        }
    }
}

/// All tiers of the house.
#[derive(Clone, Debug, PartialEq)]
pub struct Tiers {
    /// Short answers.
    pub fast: TierConfig,
    /// Texts for a person.
    pub middle: TierConfig,
    /// Plans.
    pub wise: TierConfig,
}

/// As the file that holds every default has them; a test compares the two.
impl Default for Tiers {
    fn default() -> Self {
        Self {
            fast: TierConfig::answering(20, 30),
            middle: TierConfig::answering(600, 30),
            wise: TierConfig::answering(1_024, 90),
        }
    }
}

impl Tiers {
    /// The same with so many seconds for a plan, and for anything smaller.
    #[must_use]
    pub fn waiting(mut self, plan_s: u64, smaller_s: u64) -> Self {
        self.wise.timeout_s = plan_s;
        self.middle.timeout_s = smaller_s;
        self.fast.timeout_s = smaller_s;
        self
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTier {
    url: String,
    model: String,
    think: bool,
    tokens: u32,
    timeout_s: u64,
    temperature: f64,
}

/// The names of one tier's keys that can hold a wrong value.
pub(super) struct Keys {
    pub(super) url: &'static str,
    pub(super) tokens: &'static str,
    pub(super) timeout_s: &'static str,
    pub(super) temperature: &'static str,
}

pub(super) const FAST: Keys = Keys {
    url: "llm.fast.url",
    tokens: "llm.fast.tokens",
    timeout_s: "llm.fast.timeout_s",
    temperature: "llm.fast.temperature",
};
pub(super) const MIDDLE: Keys = Keys {
    url: "llm.middle.url",
    tokens: "llm.middle.tokens",
    timeout_s: "llm.middle.timeout_s",
    temperature: "llm.middle.temperature",
};
pub(super) const WISE: Keys = Keys {
    url: "llm.wise.url",
    tokens: "llm.wise.tokens",
    timeout_s: "llm.wise.timeout_s",
    temperature: "llm.wise.temperature",
};

impl RawTier {
    /// The same, checked.
    pub(super) fn resolve(self, keys: &Keys) -> Result<TierConfig, ConfigError> {
        if !(0.0..=TEMPERATURE_MAX).contains(&self.temperature) {
            let written = self.temperature.to_string();
            return Err(wrong(keys.temperature, written, "config-expects-temperature"));
        }
        Ok(TierConfig {
            url: url(keys.url, self.url)?,
            model: filled(self.model),
            think: self.think,
            tokens: at_least(keys.tokens, self.tokens, 1)?,
            timeout_s: at_least(keys.timeout_s, self.timeout_s, 1)?,
            temperature: self.temperature,
        })
    }
}

/// Puts what an older file says under the keys of today; what the file says under these wins.
pub(super) fn moved(written: &mut Table) {
    for (old, new) in MOVED {
        let Some(value) = salvage::get(written, old).cloned() else {
            continue;
        };
        salvage::remove(written, old);
        for key in new {
            if salvage::get(written, key).is_none() {
                salvage::put(written, key, Value::clone(&value));
            }
        }
    }
}
