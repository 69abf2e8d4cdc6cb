//! The config file as written: the example is laid down first, the household's file over it, and only then is the
//! whole read into a struct that knows every key. Used by `config` alone.

use serde::Deserialize;
use toml::{Table, Value};

use super::{ConfigError, MemoryConfig, at_least};

/// Every default with its comment; embedded, and shown by `metnos config example`.
pub const EXAMPLE: &str = include_str!("../../config.example.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    pub(super) data_dir: String,
    pub(super) language: String,
    pub(super) timezone: String,
    pub(super) engine: String,
    pub(super) mode: String,
    pub(super) llm: RawLlm,
    pub(super) telegram: RawTelegram,
    pub(super) matrix: RawMatrix,
    pub(super) location: RawLocation,
    pub(super) places: RawPlaces,
    pub(super) devices: RawDevices,
    pub(super) memory: RawMemory,
    pub(super) sandbox: RawSandbox,
    pub(super) backup: RawBackup,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLlm {
    pub(super) url: String,
    pub(super) model: String,
    pub(super) embedding_model: String,
    pub(super) embedding_url: String,
    pub(super) plan_timeout_s: u64,
    pub(super) call_timeout_s: u64,
    pub(super) slot: i64,
    pub(super) seed: i64,
    pub(super) think: bool,
    pub(super) server: RawServer,
    pub(super) online: RawOnline,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOnline {
    pub(super) provider: String,
    pub(super) url: String,
    pub(super) model: String,
    pub(super) key_file: String,
    pub(super) usd_per_million_in: f64,
    pub(super) usd_per_million_out: f64,
    pub(super) spend_max_day_usd: f64,
    pub(super) spend_max_month_usd: f64,
    pub(super) timeout_s: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawServer {
    pub(super) command: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTelegram {
    pub(super) token_file: String,
    pub(super) api_url: String,
    pub(super) poll_s: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLocation {
    pub(super) home: String,
    pub(super) fresh_s: u64,
    pub(super) ask_s: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDevices {
    pub(super) guest_areas: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlaces {
    pub(super) google_key_file: String,
    pub(super) google_url: String,
    pub(super) photon_url: String,
    pub(super) timeout_s: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMatrix {
    pub(super) owner: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMemory {
    pub(super) autopath_min_obs: f64,
    pub(super) ban_s: i64,
    pub(super) retry_ban_s: i64,
    pub(super) fastpath_max: usize,
}

impl RawMemory {
    /// The same, with every value in its range.
    pub(super) fn resolve(&self) -> Result<MemoryConfig, ConfigError> {
        Ok(MemoryConfig {
            autopath_min_obs: at_least("memory.autopath_min_obs", self.autopath_min_obs, 0.1)?,
            ban_s: at_least("memory.ban_s", self.ban_s, 0)?,
            retry_ban_s: at_least("memory.retry_ban_s", self.retry_ban_s, 0)?,
            fastpath_max: at_least("memory.fastpath_max", self.fastpath_max, 1)?,
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSandbox {
    pub(super) mode: String,
}

/// Lays `written` over the example. Unknown keys survive here, so that reading the whole reports them by name.
pub(super) fn layered(written: &str) -> Result<Raw, toml::de::Error> {
    let mut whole: Table = EXAMPLE.parse()?;
    let written: Table = written.parse()?;
    overlay(&mut whole, written);
    whole.try_into()
}

fn overlay(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBackup {
    pub(super) folder: String,
    pub(super) keep: usize,
}
