//! Which families of remembered plans are candidates, and why the others are not. Pure.
//!
//! A family is one person's: plans of the same steps and arguments, with the same closing words, for the same intent.
//! What a single plan does is L0's business; only what recurs in different requests is worth a tool.

use std::{cmp::Reverse, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    config::PromotionConfig,
    domain::{
        ids::{ActorId, ExecutorName},
        intent::short_hash,
        plan::Plan,
        removal::Layer,
    },
    store::aging::AgingRow,
};

const DAY_MS: i64 = 24 * 3_600 * 1_000;
/// Without a person, a family needs so many members.
const ALONE_MEMBERS_MIN: usize = 5;
/// And so many uses.
const ALONE_USES_MIN: u32 = 50;
/// And must be found in so many nights.
const ALONE_NIGHTS_MIN: u32 = 3;

/// Executors that are no part of any tool: they ask, take back, look into a scratchpad or grow the catalog.
const NOT_PROMOTABLE: [&str; 4] = [
    "get_inputs",
    "undo_last_turn",
    "scratchpad_read",
    "request_new_executor",
];

/// A remembered request of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The canonical request.
    pub text: String,
    /// Its hash.
    pub hash: String,
    /// Its plan as JSON.
    pub plan: Value,
    /// How often it was asked again.
    pub uses: u32,
}

/// A family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Whose.
    pub actor: ActorId,
    /// What tells it from others of this person.
    pub key: String,
    /// `verb|object` of each clause.
    pub intent: String,
    /// Its requests, the most used first.
    pub members: Vec<Member>,
    /// Uses of all of them.
    pub uses: u32,
    /// When the oldest came, in milliseconds since 1970.
    pub since_ms: i64,
}

/// Why a plan or a family is no candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotYet {
    /// One step is an executor already.
    OneStep,
    /// Nobody knows what is asked.
    NoIntent,
    /// A plan that cannot be read.
    Unreadable,
    /// A part that belongs to no tool.
    NotPromotable,
    /// Too few different requests.
    TooFew,
    /// Not asked often enough.
    LittleUsed,
    /// Too new.
    TooYoung,
}

/// The candidates, and how many were left out for which reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Families {
    /// Worth a tool, the most used first.
    pub candidates: Vec<Cluster>,
    /// Left out.
    pub left_out: BTreeMap<NotYet, usize>,
}

/// Sorts remembered plans into families.
pub fn families(
    rows: &[AgingRow],
    rules: &PromotionConfig,
    may_be_part: &dyn Fn(&ExecutorName) -> bool,
    now_ms: i64,
) -> Families {
    let mut found = Families::default();
    let mut clusters: BTreeMap<(ActorId, String), Cluster> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.layer == Layer::Fastpath) {
        match key_of(row, may_be_part) {
            Ok(key) => add(&mut clusters, row, key),
            Err(reason) => *found.left_out.entry(reason).or_default() += 1,
        }
    }
    for mut cluster in clusters.into_values() {
        let by_use = |one: &Member| (Reverse(one.uses), one.text.clone());
        cluster.members.sort_by_key(by_use);
        match too_small(&cluster, rules, now_ms) {
            None => found.candidates.push(cluster),
            Some(reason) => *found.left_out.entry(reason).or_default() += 1,
        }
    }
    found.candidates.sort_by_key(|one| (Reverse(one.uses), one.key.clone()));
    found
}

/// Whether a family may become a tool before anybody was asked: the household wants that, it is the host's own, and the
/// evidence is overwhelming.
pub fn may_go_alone(cluster: &Cluster, rules: &PromotionConfig, is_hosts: bool, nights: u32) -> bool {
    rules.autopromote
        && is_hosts
        && nights >= ALONE_NIGHTS_MIN
        && cluster.members.len() >= ALONE_MEMBERS_MIN
        && cluster.uses >= ALONE_USES_MIN
}

fn key_of(row: &AgingRow, may_be_part: &dyn Fn(&ExecutorName) -> bool) -> Result<String, NotYet> {
    let plan = Plan::from_json(&row.plan).map_err(|_error| NotYet::Unreadable)?;
    if plan.steps.len() < 2 {
        return Err(NotYet::OneStep);
    }
    if row.intent.is_empty() || row.intent.contains('?') {
        return Err(NotYet::NoIntent);
    }
    let is_part = |tool: &ExecutorName| !NOT_PROMOTABLE.contains(&tool.as_str()) && may_be_part(tool);
    if !plan.steps.iter().all(|step| is_part(&step.tool)) {
        return Err(NotYet::NotPromotable);
    }
    let closing = plan.final_message.as_deref().unwrap_or_default();
    Ok(short_hash(
        format!("{}|{}|{closing}", row.intent, plan.shape()).as_bytes(),
    ))
}

fn add(clusters: &mut BTreeMap<(ActorId, String), Cluster>, row: &AgingRow, key: String) {
    let place = (row.actor.clone(), key.clone());
    let cluster = clusters.entry(place).or_insert_with(|| Cluster {
        actor: row.actor.clone(),
        key,
        intent: row.intent.clone(),
        members: Vec::new(),
        uses: 0,
        since_ms: row.created_ms,
    });
    cluster.uses = cluster.uses.saturating_add(row.uses);
    cluster.since_ms = cluster.since_ms.min(row.created_ms);
    cluster.members.push(Member {
        text: row.text.clone(),
        hash: row.identity.clone(),
        plan: row.plan.clone(),
        uses: row.uses,
    });
}

fn too_small(cluster: &Cluster, rules: &PromotionConfig, now_ms: i64) -> Option<NotYet> {
    let age_ms = now_ms.saturating_sub(cluster.since_ms);
    if cluster.members.len() < rules.min_cluster {
        Some(NotYet::TooFew)
    } else if cluster.uses < rules.min_uses {
        Some(NotYet::LittleUsed)
    } else {
        (age_ms < i64::from(rules.min_age_days).saturating_mul(DAY_MS)).then_some(NotYet::TooYoung)
    }
}

#[cfg(test)]
mod tests;
