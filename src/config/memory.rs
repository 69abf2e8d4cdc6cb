//! What a household says of plan memory: how long it lasts (`[memory]`), what may grow out of it (`[promotion]`), and
//! what becomes of that (`[promoter]`). Used by `config` alone.

use serde::Deserialize;

use super::{ConfigError, at_least};

/// Plan memory (`[memory]`).
#[derive(Clone, Debug)]
pub struct MemoryConfig {
    /// Weighted observations that promote a plan to L1.
    pub autopath_min_obs: f64,
    /// Seconds a plan stays banned after three rejections.
    pub ban_s: i64,
    /// Seconds a plan stays out after ↺.
    pub retry_ban_s: i64,
    /// Most remembered requests.
    pub fastpath_max: usize,
    /// Days a remembered request may wait for its second use.
    pub fastpath_grace_days: u32,
    /// Days a remembered request may go without use.
    pub fastpath_stale_days: u32,
}

/// What becomes a candidate for an executor of its own (`[promotion]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromotionConfig {
    /// Different requests that share one plan.
    pub min_cluster: usize,
    /// Uses of all of them.
    pub min_uses: u32,
    /// Days since the first.
    pub min_age_days: u32,
    /// New candidates a night.
    pub max_per_night: usize,
    /// Without a person, where the evidence is overwhelming.
    pub autopromote: bool,
}

/// What becomes of candidates (`[promoter]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromoterConfig {
    /// Hours in which a new executor can be taken back and is watched. 0: none.
    pub grace_hours: u32,
    /// Candidates that are decided on in a night.
    pub max_per_night: usize,
    /// Hard failures in grace that end it.
    pub rollback_fails: u32,
    /// Such failures take it away at once; else the host is told.
    pub kill_switch: bool,
    /// Decide and write it down, and do nothing.
    pub dry_run: bool,
    /// What the host hears of it in the morning.
    pub digest: DigestForm,
}

/// How the morning's digest comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestForm {
    /// Not at all; `/digest` still shows it.
    Silent,
    /// A message for each thing, or one for all when there are several.
    Aggregated,
    /// A message for each thing.
    OneByOne,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMemory {
    pub(super) autopath_min_obs: f64,
    pub(super) ban_s: i64,
    pub(super) retry_ban_s: i64,
    pub(super) fastpath_max: usize,
    pub(super) fastpath_grace_days: u32,
    pub(super) fastpath_stale_days: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPromotion {
    pub(super) min_cluster: usize,
    pub(super) min_uses: u32,
    pub(super) min_age_days: u32,
    pub(super) max_per_night: usize,
    pub(super) autopromote: bool,
}

impl RawPromotion {
    /// The same, with every value in its range.
    pub(super) fn resolve(&self) -> Result<PromotionConfig, ConfigError> {
        Ok(PromotionConfig {
            min_cluster: at_least("promotion.min_cluster", self.min_cluster, 2)?,
            min_uses: at_least("promotion.min_uses", self.min_uses, 1)?,
            min_age_days: self.min_age_days,
            max_per_night: self.max_per_night,
            autopromote: self.autopromote,
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the section as it is written")]
pub(super) struct RawPromoter {
    pub(super) grace_hours: u32,
    pub(super) max_per_night: usize,
    pub(super) rollback_fails: u32,
    pub(super) kill_switch: bool,
    pub(super) dry_run: bool,
    pub(super) notify: bool,
    pub(super) digest_aggregated: bool,
}

impl RawPromoter {
    /// The same, with every value in its range.
    pub(super) fn resolve(&self) -> Result<PromoterConfig, ConfigError> {
        Ok(PromoterConfig {
            grace_hours: self.grace_hours,
            max_per_night: self.max_per_night,
            rollback_fails: at_least("promoter.rollback_fails", self.rollback_fails, 1)?,
            kill_switch: self.kill_switch,
            dry_run: self.dry_run,
            digest: match (self.notify, self.digest_aggregated) {
                (false, _) => DigestForm::Silent,
                (true, true) => DigestForm::Aggregated,
                (true, false) => DigestForm::OneByOne,
            },
        })
    }
}

impl RawMemory {
    /// The same, with every value in its range.
    pub(super) fn resolve(&self) -> Result<MemoryConfig, ConfigError> {
        Ok(MemoryConfig {
            autopath_min_obs: at_least("memory.autopath_min_obs", self.autopath_min_obs, 0.1)?,
            ban_s: at_least("memory.ban_s", self.ban_s, 0)?,
            retry_ban_s: at_least("memory.retry_ban_s", self.retry_ban_s, 0)?,
            fastpath_max: at_least("memory.fastpath_max", self.fastpath_max, 1)?,
            fastpath_grace_days: at_least("memory.fastpath_grace_days", self.fastpath_grace_days, 1)?,
            fastpath_stale_days: at_least("memory.fastpath_stale_days", self.fastpath_stale_days, 1)?,
        })
    }
}
