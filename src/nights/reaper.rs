//! The nightly `task_state_reaper`: looks at every remembered plan, lets go of what `aging` says, and weighs L1 anew.
//! Called by its job. It asks no model; a night that was cut off leaves either all of a step or nothing of it.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    catalog::Catalog,
    config::MemoryConfig,
    domain::{
        ids::{ActorId, CanonicalHash, ExecutorName},
        lang::Lang,
        limits::{EVIDENCE_COUNTS_FOR, OBSERVATIONS_KEPT},
        manifest::Manifest,
    },
    engine::{Engine, autopath},
    nights::aging::{self, Rules, Tools, World},
    store::{
        StoreError,
        aging::{Aged, AgingRow, Evidence},
    },
};

impl Rules {
    /// The rules of a household.
    pub fn of(memory: &MemoryConfig) -> Self {
        Self {
            grace_days: memory.fastpath_grace_days,
            stale_days: memory.fastpath_stale_days,
            max: memory.fastpath_max,
        }
    }
}

/// One night's work on plan memory.
pub async fn reap(engine: &Engine) -> Result<Aged, StoreError> {
    let now_ms = engine.clock.now_ms();
    let store = &engine.store;
    let catalog = engine.catalog.current();
    let names = catalog.all().iter().map(|manifest| manifest.name.clone()).collect();
    // A refused tool may be back tomorrow: it is not forgotten, and nothing dies of it.
    let is_whole = catalog.is_whole();
    let since = if is_whole {
        store.know_executors(names, now_ms).await?
    } else {
        BTreeMap::new()
    };
    let rows = store.aging_rows().await?;
    let spared = store.spared().await?;
    let promoted = store.promoted().await?;
    let going = {
        let firsts = |row: &AgingRow| first_for(engine, &catalog, row);
        let manifest = |name: &ExecutorName| catalog.get(name).map(Arc::as_ref);
        let tools = is_whole.then_some(known(&manifest, &since, &promoted, &firsts));
        let world = World {
            tools,
            spared: &spared,
            now_ms,
        };
        aging::removals(&rows, &Rules::of(&engine.memory), &world)
    };
    let aged = store.remove_aged(going, now_ms).await?;
    let evidence_ms = i64::try_from(EVIDENCE_COUNTS_FOR.as_millis()).unwrap_or(i64::MAX);
    let evidence = Evidence {
        since_ms: now_ms.saturating_sub(evidence_ms),
        observations: OBSERVATIONS_KEPT,
    };
    store
        .weigh_again(evidence, autopath::decider(&engine.memory), now_ms)
        .await?;
    tracing::info!(removed = ?aged.removed, inherited = aged.inherited, kept = aged.kept, "memory aged");
    Ok(aged)
}

fn known<'a>(
    manifest: &'a dyn Fn(&ExecutorName) -> Option<&'a Manifest>,
    since: &'a BTreeMap<ExecutorName, i64>,
    promoted: &'a BTreeMap<(ActorId, CanonicalHash), ExecutorName>,
    first_for: &'a dyn Fn(&AgingRow) -> Option<ExecutorName>,
) -> Tools<'a> {
    Tools {
        manifest,
        since,
        promoted,
        first_for,
    }
}

/// What the shortlist would show first for the request of a row, read in either language.
fn first_for(engine: &Engine, catalog: &Arc<Catalog>, row: &AgingRow) -> Option<ExecutorName> {
    let index = engine.shortlists.of(catalog, &engine.language);
    let now = engine.clock.zoned("UTC");
    let best = Lang::BUILT_IN.into_iter().filter_map(|lang| {
        let reading = engine.language.read(&row.text, lang, &now);
        let (name, score) = index.rank(&reading, &engine.language).into_iter().next()?;
        Some((name.clone(), score))
    });
    best.max_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(name, _)| name)
}
