//! L0 rows: requests that were answered well, with the plan that did it. Read by `engine::fastpath`, written at the
//! end of a turn.

use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::Value;

use super::{Store, StoreError, from_json, removals, to_json};
use crate::domain::{
    ids::{ActorId, CanonicalHash},
    outcome::AnsweredBy,
    removal::Reason,
};

/// A row of L0.
#[derive(Clone, Debug, PartialEq)]
pub struct FastpathRow {
    /// Its number.
    pub id: i64,
    /// The canonical request it answers.
    pub canonical_text: String,
    /// The plan as JSON; validated again before it runs.
    pub plan: Value,
    /// `verb|object` of each clause.
    pub intent: String,
    /// Served by exact hash only.
    pub query_specific: bool,
    /// Its own threshold for cosine, when it was raised above the default.
    pub threshold: Option<f32>,
    /// World signatures at the time it was recorded.
    pub tools_sig: String,
    /// The same, of the tools that could have been chosen.
    pub pool_sig: String,
}

/// A vector of L0, for the scan in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct FastpathVector {
    /// The row.
    pub id: i64,
    /// Its own threshold.
    pub threshold: Option<f32>,
    /// Unit length.
    pub vector: Vec<f32>,
}

/// A row to be recorded; one of the same person and hash is replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFastpath {
    /// The canonical request.
    pub canonical_text: String,
    /// Its hash.
    pub canonical_hash: CanonicalHash,
    /// Who made the vector.
    pub embedder: String,
    /// Unit length; `None` when there was no embedder.
    pub embedding: Option<Vec<f32>>,
    /// The plan as JSON.
    pub plan: Value,
    /// Which layer it came from.
    pub source: AnsweredBy,
    /// `verb|object` of each clause.
    pub intent: String,
    /// Served by exact hash only.
    pub query_specific: bool,
    /// World signatures.
    pub tools_sig: String,
    /// World signatures.
    pub pool_sig: String,
    /// The hash of the request without its values, and where the plan holds these.
    pub slots: Option<(CanonicalHash, Value)>,
}

/// A request that is remembered again, by the plan that once answered it.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// The canonical request.
    pub canonical_text: String,
    /// Its hash.
    pub canonical_hash: CanonicalHash,
    /// The plan as JSON.
    pub plan: Value,
    /// `verb|object` of each clause.
    pub intent: String,
    /// World signatures.
    pub tools_sig: String,
    /// World signatures.
    pub pool_sig: String,
    /// How often it was asked.
    pub uses: u32,
}

impl Store {
    /// Remembers requests again where nothing is remembered for them now, for just their words; how many of them are
    /// remembered then.
    pub async fn restore_fastpaths(
        &self,
        actor: &ActorId,
        rows: Vec<Restored>,
        now_ms: i64,
    ) -> Result<usize, StoreError> {
        let actor = actor.clone();
        let restored = self.write("restore fastpaths", move |tx| {
            let mut there = 0;
            for row in &rows {
                tx.prepare_cached(
                    "INSERT INTO fastpaths (actor, canonical_text, canonical_hash, plan, origin, intent, query_specific,
                                            tools_sig, pool_sig, n_uses, created_at, last_used)
                     VALUES (?1, ?2, ?3, ?4, 'auto', ?5, 1, ?6, ?7, ?8, ?9, ?9) ON CONFLICT DO NOTHING",
                )?
                .execute(params![
                    actor.as_str(),
                    row.canonical_text,
                    row.canonical_hash.as_str(),
                    to_json(&row.plan)?,
                    row.intent,
                    row.tools_sig,
                    row.pool_sig,
                    row.uses,
                    now_ms
                ])?;
                let known = "SELECT 1 FROM fastpaths WHERE actor = ?1 AND canonical_hash = ?2";
                let is_there = tx
                    .prepare_cached(known)?
                    .exists(params![actor.as_str(), row.canonical_hash.as_str()])?;
                there += usize::from(is_there);
            }
            Ok(there)
        });
        let there = restored.await?;
        self.memory_changed();
        Ok(there)
    }

    /// The row of an exact canonical request.
    pub async fn fastpath_by_hash(
        &self,
        actor: &ActorId,
        hash: &CanonicalHash,
    ) -> Result<Option<FastpathRow>, StoreError> {
        let (actor, hash) = (actor.clone(), hash.clone());
        self.read("fastpath by hash", move |connection| {
            connection
                .prepare_cached(
                    "SELECT id, canonical_text, plan, intent, query_specific, threshold, tools_sig, pool_sig
                     FROM fastpaths WHERE actor = ?1 AND canonical_hash = ?2",
                )?
                .query_row(params![actor.as_str(), hash.as_str()], read_row)
                .optional()
        })
        .await
    }

    /// The rows for the same words with other values, and where their plans hold these; the newest first.
    pub async fn fastpaths_by_template(
        &self,
        actor: &ActorId,
        template: &CanonicalHash,
    ) -> Result<Vec<(FastpathRow, Value)>, StoreError> {
        let (actor, template) = (actor.clone(), template.clone());
        self.read("fastpaths by template", move |connection| {
            connection
                .prepare_cached(
                    "SELECT id, canonical_text, plan, intent, query_specific, threshold, tools_sig, pool_sig, slots
                     FROM fastpaths WHERE actor = ?1 AND template_hash = ?2 ORDER BY id DESC",
                )?
                .query_map(params![actor.as_str(), template.as_str()], |row| {
                    Ok((read_row(row)?, from_json(&row.get::<_, String>(8)?)?))
                })?
                .collect()
        })
        .await
    }

    /// A row by number.
    pub async fn fastpath_by_id(&self, actor: &ActorId, id: i64) -> Result<Option<FastpathRow>, StoreError> {
        let actor = actor.clone();
        self.read("fastpath by id", move |connection| {
            connection
                .prepare_cached(
                    "SELECT id, canonical_text, plan, intent, query_specific, threshold, tools_sig, pool_sig
                     FROM fastpaths WHERE actor = ?1 AND id = ?2",
                )?
                .query_row(params![actor.as_str(), id], read_row)
                .optional()
        })
        .await
    }

    /// The vectors of one person that cosine may serve, made by this embedder.
    pub async fn fastpath_vectors(&self, actor: &ActorId, embedder: &str) -> Result<Vec<FastpathVector>, StoreError> {
        let (actor, embedder) = (actor.clone(), embedder.to_owned());
        self.read("fastpath vectors", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, threshold, embedding FROM fastpaths
                 WHERE actor = ?1 AND embedder = ?2 AND query_specific = 0 AND embedding IS NOT NULL ORDER BY id",
            )?;
            let rows = statement.query_map(params![actor.as_str(), embedder], |row| {
                let bytes: Vec<u8> = row.get(2)?;
                Ok(FastpathVector {
                    id: row.get(0)?,
                    threshold: row.get(1)?,
                    vector: to_vector(&bytes),
                })
            })?;
            rows.collect()
        })
        .await
    }

    /// Forgets a row that no longer fits the world, or failed in it.
    pub async fn fastpath_delete(&self, id: i64, reason: Reason, now_ms: i64) -> Result<(), StoreError> {
        self.write("delete fastpath", move |tx| {
            removals::fastpath(tx, id, reason, None, now_ms).map(drop)
        })
        .await?;
        self.memory_changed();
        Ok(())
    }
}

/// Records a row and keeps the person's number of rows under the cap, forgetting the least recently used.
pub(super) fn record(
    tx: &Transaction<'_>,
    actor: &ActorId,
    new: &NewFastpath,
    cap: usize,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let origin = match new.source {
        AnsweredBy::Autopath => "autopath",
        AnsweredBy::FastpathCosine => "cosine",
        AnsweredBy::Pattern
        | AnsweredBy::FastpathHash
        | AnsweredBy::FastpathSlots
        | AnsweredBy::Simple
        | AnsweredBy::Near
        | AnsweredBy::Metis
        | AnsweredBy::Frontier
        | AnsweredBy::Recovery
        | AnsweredBy::Terminator
        | AnsweredBy::Runtime => "auto",
    };
    tx.prepare_cached(
        "INSERT INTO fastpaths (actor, canonical_text, canonical_hash, embedder, embedding, plan, origin, intent,
                                query_specific, tools_sig, pool_sig, created_at, template_hash, slots)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
         ON CONFLICT (actor, canonical_hash) DO UPDATE SET
            embedder = ?4, embedding = ?5, plan = ?6, origin = ?7, intent = ?8, query_specific = ?9,
            tools_sig = ?10, pool_sig = ?11, template_hash = ?13, slots = ?14",
    )?
    .execute(params![
        actor.as_str(),
        new.canonical_text,
        new.canonical_hash.as_str(),
        new.embedder,
        new.embedding.as_deref().map(to_bytes),
        to_json(&new.plan)?,
        origin,
        new.intent,
        new.query_specific,
        new.tools_sig,
        new.pool_sig,
        now_ms,
        new.slots.as_ref().map(|(template, _)| template.as_str()),
        new.slots.as_ref().map(|(_, slots)| to_json(slots)).transpose()?
    ])?;
    removals::fastpaths_of(
        tx,
        "SELECT id FROM fastpaths WHERE actor = ?1
         ORDER BY coalesce(last_used, created_at) DESC, id DESC LIMIT -1 OFFSET ?2",
        params![actor.as_str(), i64::try_from(cap).unwrap_or(i64::MAX)],
        Reason::OverCap,
        now_ms,
    )
}

/// Counts a use; only after the plan really ran.
pub(super) fn touch(tx: &Transaction<'_>, id: i64, now_ms: i64) -> rusqlite::Result<()> {
    tx.prepare_cached("UPDATE fastpaths SET n_uses = n_uses + 1, last_used = ?2 WHERE id = ?1")?
        .execute(params![id, now_ms])
        .map(drop)
}

/// Raises a row's own threshold after a wrong cosine answer; it never falls.
pub(super) fn raise_threshold(tx: &Transaction<'_>, id: i64, above: f64) -> rusqlite::Result<()> {
    tx.execute(
        "UPDATE fastpaths SET threshold = max(coalesce(threshold, 0), min(1.0, ?2)) WHERE id = ?1",
        params![id, above],
    )
    .map(drop)
}

/// From now on the row serves its own values only, as do all for the same words: a plan for them was marked as wrong.
pub(super) fn forget_slots(tx: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    tx.execute(
        "UPDATE fastpaths SET template_hash = NULL, slots = NULL
         WHERE (actor, template_hash) IN (SELECT actor, template_hash FROM fastpaths WHERE id = ?1)",
        [id],
    )
    .map(drop)
}

/// Forgets what answered a request that was judged wrong.
pub(super) fn forget(tx: &Transaction<'_>, actor: &ActorId, hash: &CanonicalHash, now_ms: i64) -> rusqlite::Result<()> {
    removals::fastpaths_of(
        tx,
        "SELECT id FROM fastpaths WHERE actor = ?1 AND canonical_hash = ?2",
        params![actor.as_str(), hash.as_str()],
        Reason::Rejected,
        now_ms,
    )
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<FastpathRow> {
    let plan: String = row.get(2)?;
    Ok(FastpathRow {
        id: row.get(0)?,
        canonical_text: row.get(1)?,
        plan: from_json(&plan)?,
        intent: row.get(3)?,
        query_specific: row.get(4)?,
        threshold: row.get(5)?,
        tools_sig: row.get(6)?,
        pool_sig: row.get(7)?,
    })
}

/// Little-endian f32, as vectors are kept.
pub(super) fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The vector of such bytes; a torn tail is dropped.
pub(super) fn to_vector(bytes: &[u8]) -> Vec<f32> {
    bytes
        .chunks_exact(4)
        .filter_map(|four| four.try_into().ok())
        .map(f32::from_le_bytes)
        .collect()
}
