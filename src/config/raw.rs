//! The config file as written: the example is laid down first, the household's file over it, and only then is the
//! whole read into a struct that knows every key. Used by `config` alone.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};

use super::{
    mail::RawMail,
    mcp::RawMcp,
    memory::{RawMemory, RawPromoter, RawPromotion},
    tiers::{self, RawTier},
};

/// Every default with its comment; embedded, and shown by `metnos config example`.
pub const EXAMPLE: &str = include_str!("../../config.example.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    pub(super) data_dir: String,
    pub(super) notes_dir: String,
    pub(super) language: String,
    pub(super) timezone: String,
    pub(super) engine: String,
    pub(super) mode: String,
    pub(super) llm: RawLlm,
    pub(super) telegram: RawTelegram,
    pub(super) matrix: RawMatrix,
    pub(super) location: RawLocation,
    pub(super) places: RawPlaces,
    pub(super) mail: RawMail,
    pub(super) days: RawDays,
    pub(super) weather: RawWeather,
    pub(super) search: RawSearch,
    pub(super) speech: RawSpeech,
    pub(super) devices: RawDevices,
    pub(super) agenda: RawAgenda,
    pub(super) planner: RawPlanner,
    pub(super) policy: RawPolicy,
    pub(super) memory: RawMemory,
    pub(super) promotion: RawPromotion,
    pub(super) promoter: RawPromoter,
    pub(super) sandbox: RawSandbox,
    pub(super) backup: RawBackup,
    #[serde(default)]
    pub(super) mcp: BTreeMap<String, RawMcp>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLlm {
    pub(super) url: String,
    pub(super) model: String,
    pub(super) embedding_model: String,
    pub(super) embedding_url: String,
    pub(super) slot: i64,
    pub(super) seed: i64,
    pub(super) fast: RawTier,
    pub(super) middle: RawTier,
    pub(super) wise: RawTier,
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
    pub(super) tokens: u32,
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
pub(super) struct RawAgenda {
    pub(super) calendar: String,
    pub(super) contacts: String,
    pub(super) ca_file: String,
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
pub(super) struct RawDays {
    pub(super) country: String,
    pub(super) patron: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSpeech {
    pub(super) url: String,
    pub(super) model: String,
    pub(super) server: RawServer,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWeather {
    pub(super) url: String,
    pub(super) towns_url: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSearch {
    pub(super) searx_url: String,
    pub(super) brave_key_file: String,
    pub(super) wikipedia_url: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMatrix {
    pub(super) owner: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlanner {
    pub(super) pool_size: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPolicy {
    pub(super) judge_threshold: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSandbox {
    pub(super) mode: String,
}

/// Lays `written` over the example. Unknown keys survive here, so that reading the whole reports them by name.
pub(super) fn layered(mut written: Table) -> Result<Table, toml::de::Error> {
    tiers::moved(&mut written);
    let mut whole = defaults()?;
    overlay(&mut whole, written);
    Ok(whole)
}

/// Every setting with its default.
pub(super) fn defaults() -> Result<Table, toml::de::Error> {
    EXAMPLE.parse()
}

/// The whole as a struct that knows every key.
pub(super) fn read(whole: Table) -> Result<Raw, toml::de::Error> {
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
