//! Which remembered plans have outlived their use, and why. Pure: called by `reaper` with everything remembered.
//!
//! The order of the rules is the order of the reasons: what nobody used goes for that, whatever else could be said of
//! it. No rule looks at what a plan is about, and none asks a model.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    domain::{
        ids::{ActorId, CanonicalHash, ExecutorName},
        intent::{Clause, Intent},
        limits::{AUTOPATH_DEMOTED_FOR, AUTOPATH_STALE},
        manifest::{Kind, Manifest},
        removal::{Layer, Reason},
    },
    store::{
        aging::{AgingRow, Removal},
        removals::Spared,
    },
};

const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// What a household may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Days a plan may wait for its second use.
    pub grace_days: u32,
    /// Days a plan may go without use.
    pub stale_days: u32,
    /// Most plans of L0 per person.
    pub max: usize,
}

/// What the rules must know of the world besides the rows.
pub struct World<'a> {
    /// The catalog, if it is whole: with a tool refused for the moment, nothing dies of a missing one.
    pub tools: Option<Tools<'a>>,
    /// What people took back.
    pub spared: &'a Spared,
    /// Milliseconds since 1970.
    pub now_ms: i64,
}

/// What can be called, as far as a plan may die of it.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// By name.
    pub manifest: &'a dyn Fn(&ExecutorName) -> Option<&'a Manifest>,
    /// Every name, and since when it is known.
    pub since: &'a BTreeMap<ExecutorName, i64>,
    /// Which executors grew out of which request of whom.
    pub promoted: &'a BTreeMap<(ActorId, CanonicalHash), ExecutorName>,
    /// The first executor the shortlist has for a request.
    pub first_for: &'a dyn Fn(&AgingRow) -> Option<ExecutorName>,
}

/// What goes, each once.
pub fn removals(rows: &[AgingRow], rules: &Rules, world: &World<'_>) -> Vec<Removal> {
    let mut going: Vec<Removal> = rows.iter().filter_map(|row| removal(row, rules, world)).collect();
    let gone: BTreeSet<(Layer, i64)> = going.iter().map(|removal| (removal.layer, removal.id)).collect();
    let staying = rows.iter().filter(|row| !gone.contains(&(row.layer, row.id)));
    going.extend(over_cap(staying, rules.max));
    going
}

fn removal(row: &AgingRow, rules: &Rules, world: &World<'_>) -> Option<Removal> {
    let (reason, heir) = match row.layer {
        Layer::Fastpath => unused(row, rules, world.now_ms)
            .map(|reason| (reason, None))
            .or_else(|| dead(row, world)),
        Layer::Autopath => out_of_contest(row, world.now_ms)
            .map(|reason| (reason, None))
            .or_else(|| missing_tool(row, world.tools.as_ref()?)),
    }
    .filter(|(reason, _)| !is_spared(row, *reason, world.spared))?;
    Some(Removal {
        layer: row.layer,
        id: row.id,
        used_ms: row.used_ms,
        reason,
        heir,
    })
}

/// Somebody took it back from this very cause. Growing old again is another matter.
fn is_spared(row: &AgingRow, reason: Reason, spared: &Spared) -> bool {
    let is_of_age = matches!(
        reason,
        Reason::NeverReused | Reason::Stale | Reason::Demoted | Reason::OverCap
    );
    !is_of_age && spared.contains(&(row.actor.clone(), row.layer, row.identity.clone(), reason))
}

fn unused(row: &AgingRow, rules: &Rules, now_ms: i64) -> Option<Reason> {
    match row.used_ms {
        None => is_older(row.created_ms, rules.grace_days, now_ms).then_some(Reason::NeverReused),
        Some(used_ms) => is_older(used_ms, rules.stale_days, now_ms).then_some(Reason::Stale),
    }
}

fn is_older(at_ms: i64, days: u32, now_ms: i64) -> bool {
    now_ms.saturating_sub(at_ms) > i64::from(days).saturating_mul(DAY_MS)
}

fn out_of_contest(row: &AgingRow, now_ms: i64) -> Option<Reason> {
    let idle_ms = now_ms.saturating_sub(row.used_ms.unwrap_or(row.created_ms));
    let over = |limit: std::time::Duration| i64::try_from(limit.as_millis()).is_ok_and(|limit| idle_ms > limit);
    if row.is_demoted && over(AUTOPATH_DEMOTED_FOR) {
        Some(Reason::Demoted)
    } else {
        over(AUTOPATH_STALE).then_some(Reason::Stale)
    }
}

/// The four deaths, C1 before C2, what is recorded before what is inferred.
fn dead(row: &AgingRow, world: &World<'_>) -> Option<(Reason, Option<ExecutorName>)> {
    let tools = world.tools.as_ref()?;
    missing_tool(row, tools)
        .or_else(|| heir_by_provenance(row, tools).map(|heir| (Reason::Promoted, Some(heir))))
        .or_else(|| heir_by_name(row, tools).map(|heir| (Reason::CoveredByName, Some(heir))))
        .or_else(|| heir_by_shortlist(row, tools).map(|heir| (Reason::CoveredByShortlist, Some(heir))))
}

fn missing_tool(row: &AgingRow, tools: &Tools<'_>) -> Option<(Reason, Option<ExecutorName>)> {
    let steps = tools_of(row);
    let is_whole = steps.iter().all(|tool| (tools.manifest)(tool).is_some());
    (!is_whole).then_some((Reason::ToolMissing, None))
}

/// The executor that was made of this very row.
fn heir_by_provenance(row: &AgingRow, tools: &Tools<'_>) -> Option<ExecutorName> {
    let key = (row.actor.clone(), CanonicalHash::from(row.identity.as_str()));
    let heir = tools.promoted.get(&key)?;
    let is_live = (tools.manifest)(heir).is_some();
    (is_live && !tools_of(row).contains(heir)).then(|| heir.clone())
}

/// An executor that has the name of what is asked, came after the plan, and whose family the plan does not use.
fn heir_by_name(row: &AgingRow, tools: &Tools<'_>) -> Option<ExecutorName> {
    let clause = only_clause(row)?;
    let stem = format!("{}_{}", clause.verb?, clause.object?);
    let is_family = |name: &ExecutorName| {
        let rest = name.as_str().strip_prefix(stem.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    if tools_of(row).iter().any(is_family) {
        return None;
    }
    // The stem itself comes first among its family.
    let mut family = tools
        .since
        .iter()
        .filter(|(name, _)| is_family(name) && is_own_tool(name, tools));
    family
        .find(|(_, since)| **since > row.created_ms)
        .map(|(name, _)| name.clone())
}

/// Not one that grew out of requests: it does those, and only what is recorded says which.
fn is_own_tool(name: &ExecutorName, tools: &Tools<'_>) -> bool {
    let manifest = (tools.manifest)(name);
    manifest.is_none_or(|manifest| !matches!(manifest.kind, Kind::Composite { .. }))
}

/// For a plan of several steps: one executor that came after it, that the shortlist puts first, and that does this to
/// this.
fn heir_by_shortlist(row: &AgingRow, tools: &Tools<'_>) -> Option<ExecutorName> {
    let steps = tools_of(row);
    let clause = only_clause(row)?;
    if steps.len() < 2 {
        return None;
    }
    // Most nights nothing is newer than a plan, and no request needs to be read.
    if tools.since.values().all(|since| *since <= row.created_ms) {
        return None;
    }
    let first = (tools.first_for)(row).filter(|first| is_own_tool(first, tools))?;
    let manifest = (tools.manifest)(&first)?;
    let does = manifest
        .verb
        .zip(clause.verb)
        .is_some_and(|(its, asked)| its == asked || its.is_producer() && asked.is_producer());
    let is_newer = tools.since.get(&first).is_some_and(|since| *since > row.created_ms);
    let is_of_it = manifest.object.is_some() && manifest.object == clause.object;
    let same_family = |tool: &ExecutorName| {
        (tools.manifest)(tool).is_some_and(|step| (step.verb, step.object) == (manifest.verb, manifest.object))
    };
    (does && is_newer && is_of_it && !steps.iter().any(same_family)).then_some(first)
}

/// What is asked, where it is one thing.
fn only_clause(row: &AgingRow) -> Option<Clause> {
    let intent = Intent::from_signature(&row.intent);
    let mut clauses = intent.clauses.into_iter();
    clauses.next().filter(|_| clauses.next().is_none())
}

/// The executors of the row's plan, as written.
pub fn tools_of(row: &AgingRow) -> Vec<ExecutorName> {
    let steps = row.plan.get("steps").and_then(serde_json::Value::as_array);
    let tools = steps
        .into_iter()
        .flatten()
        .filter_map(|step| step.get("tool")?.as_str());
    tools.map(ExecutorName::from).collect()
}

/// The least recently used of each person above the cap.
fn over_cap<'a>(rows: impl Iterator<Item = &'a AgingRow>, max: usize) -> Vec<Removal> {
    let mut of_person: BTreeMap<&ActorId, Vec<&AgingRow>> = BTreeMap::new();
    for row in rows.filter(|row| row.layer == Layer::Fastpath) {
        of_person.entry(&row.actor).or_default().push(row);
    }
    let over = of_person.into_values().flat_map(|mut rows| {
        rows.sort_by_key(|row| std::cmp::Reverse((row.used_ms.unwrap_or(row.created_ms), row.id)));
        rows.split_off(max.min(rows.len()))
    });
    over.map(|row| Removal {
        layer: row.layer,
        id: row.id,
        used_ms: row.used_ms,
        reason: Reason::OverCap,
        heir: None,
    })
    .collect()
}

#[cfg(test)]
mod tests;
