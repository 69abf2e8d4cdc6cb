//! What memory let go: every removal of a plan is a row with its reason and with everything it was, so that a person
//! can see it and take it back while it is kept. Written by whoever removes a row of L0 or L1: nothing else does.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, unknown_word};
use crate::domain::{
    ids::{ActorId, ExecutorName},
    removal::{Layer, Reason},
};

/// A removal as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovalRow {
    /// Its number, by which it is taken back.
    pub id: i64,
    /// Whose memory it was.
    pub actor: ActorId,
    /// Which memory it was in.
    pub layer: Layer,
    /// The request, or the kind of request, it answered.
    pub name: String,
    /// Why it went.
    pub reason: Reason,
    /// Who took over.
    pub heir: Option<ExecutorName>,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
}

/// What taking a removal back came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakenBack {
    /// It is remembered again.
    Done(RemovalRow),
    /// Something newer stands in its place.
    Replaced(RemovalRow),
    /// No such removal of this person, or it was taken back before.
    Gone,
}

/// A row that was taken back: the same cause does not remove it again.
pub type Spared = BTreeSet<(ActorId, Layer, String, Reason)>;

const KEEP_FASTPATH: &str = "INSERT INTO removals (actor, layer, name, identity, reason, heir, kept, embedding, at)
     SELECT actor, 'fastpath', canonical_text, canonical_hash, ?2, ?3,
            json_object('canonical_text', canonical_text, 'canonical_hash', canonical_hash, 'embedder', embedder,
                        'plan', plan, 'origin', origin, 'intent', intent, 'query_specific', query_specific,
                        'threshold', threshold, 'tools_sig', tools_sig, 'pool_sig', pool_sig, 'n_uses', n_uses,
                        'created_at', created_at, 'template_hash', template_hash, 'slots', slots),
            embedding, ?4
     FROM fastpaths WHERE id = ?1";

const BRING_FASTPATH: &str = "INSERT INTO fastpaths (actor, canonical_text, canonical_hash, embedder, embedding, plan,
         origin, intent, query_specific, threshold, tools_sig, pool_sig, n_uses, created_at, last_used, template_hash,
         slots)
     SELECT actor, kept ->> 'canonical_text', kept ->> 'canonical_hash', kept ->> 'embedder', embedding,
            kept ->> 'plan', kept ->> 'origin', kept ->> 'intent', kept ->> 'query_specific', kept ->> 'threshold',
            kept ->> 'tools_sig', kept ->> 'pool_sig', kept ->> 'n_uses', kept ->> 'created_at', ?2,
            kept ->> 'template_hash', kept ->> 'slots'
     FROM removals WHERE id = ?1
     ON CONFLICT DO NOTHING";

const KEEP_AUTOPATH: &str = "INSERT INTO removals (actor, layer, name, identity, reason, heir, kept, at)
     SELECT actor, 'autopath',
            coalesce((SELECT t.request FROM observations o JOIN turns t ON t.id = o.turn
                      WHERE o.actor = autopaths.actor AND o.intent_hash = autopaths.intent_hash
                        AND o.cluster = autopaths.cluster AND o.plan_hash = autopaths.plan_hash
                      ORDER BY o.id DESC LIMIT 1), intent),
            intent_hash || cluster || plan_hash, ?2, ?3,
            json_object('intent', intent, 'intent_hash', intent_hash, 'cluster', cluster, 'plan', plan,
                        'plan_hash', plan_hash, 'status', status, 'champion', champion, 'successes', successes,
                        'failures', failures, 'confirmations', confirmations, 'tools_sig', tools_sig,
                        'pool_sig', pool_sig, 'created_at', created_at),
            ?4
     FROM autopaths WHERE id = ?1";

const BRING_AUTOPATH: &str = "INSERT INTO autopaths (actor, intent, intent_hash, cluster, plan, plan_hash, status,
         champion, successes, failures, confirmations, tools_sig, pool_sig, created_at, last_used)
     SELECT actor, kept ->> 'intent', kept ->> 'intent_hash', kept ->> 'cluster', kept ->> 'plan',
            kept ->> 'plan_hash', kept ->> 'status', kept ->> 'champion', kept ->> 'successes', kept ->> 'failures',
            kept ->> 'confirmations', kept ->> 'tools_sig', kept ->> 'pool_sig', kept ->> 'created_at', ?2
     FROM removals WHERE id = ?1
     ON CONFLICT DO NOTHING";

impl Store {
    /// What memory let go of a person since then and did not take back, the newest first; of everybody without one.
    pub async fn removals(&self, actor: Option<&ActorId>, since_ms: i64) -> Result<Vec<RemovalRow>, StoreError> {
        let actor = actor.cloned();
        self.read("removals", move |connection| {
            connection
                .prepare(
                    "SELECT id, actor, layer, name, reason, heir, at FROM removals
                     WHERE at >= ?1 AND taken_back_at IS NULL AND (?2 IS NULL OR actor = ?2) ORDER BY id DESC",
                )?
                .query_map(params![since_ms, actor.as_ref().map(ActorId::as_str)], read_row)?
                .collect()
        })
        .await
    }

    /// Remembers again what was removed. The same cause does not remove it again; it begins anew to be of use.
    /// Without a person, whosever it was.
    pub async fn take_back(&self, actor: Option<&ActorId>, id: i64, now_ms: i64) -> Result<TakenBack, StoreError> {
        let actor = actor.cloned();
        let taken = self.write("take back a removal", move |tx| {
            let row = tx
                .query_row(
                    "SELECT id, actor, layer, name, reason, heir, at FROM removals
                     WHERE id = ?1 AND (?2 IS NULL OR actor = ?2) AND taken_back_at IS NULL",
                    params![id, actor.as_ref().map(ActorId::as_str)],
                    read_row,
                )
                .optional()?;
            let Some(row) = row else {
                return Ok(TakenBack::Gone);
            };
            let bring = match row.layer {
                Layer::Fastpath => BRING_FASTPATH,
                Layer::Autopath => BRING_AUTOPATH,
            };
            if tx.execute(bring, params![id, now_ms])? == 0 {
                return Ok(TakenBack::Replaced(row));
            }
            tx.execute(
                "UPDATE removals SET taken_back_at = ?2 WHERE id = ?1",
                params![id, now_ms],
            )?;
            Ok(TakenBack::Done(row))
        });
        let taken = taken.await?;
        self.memory_changed();
        Ok(taken)
    }

    /// What was taken back, and from which cause.
    pub async fn spared(&self) -> Result<Spared, StoreError> {
        self.read("spared", |connection| {
            connection
                .prepare("SELECT actor, layer, identity, reason FROM removals WHERE taken_back_at IS NOT NULL")?
                .query_map([], |row| {
                    let actor = ActorId::from(row.get::<_, String>(0)?);
                    Ok((actor, layer(row, 1)?, row.get(2)?, reason(row, 3)?))
                })?
                .collect()
        })
        .await
    }
}

/// Removes a row of L0; `false` when it was gone before.
pub(super) fn fastpath(
    tx: &Transaction<'_>,
    id: i64,
    reason: Reason,
    heir: Option<&ExecutorName>,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    keep_and_delete(
        tx,
        [KEEP_FASTPATH, "DELETE FROM fastpaths WHERE id = ?1"],
        id,
        reason,
        heir,
        now_ms,
    )
}

/// Removes a row of L1; `false` when it was gone before.
pub(super) fn autopath(
    tx: &Transaction<'_>,
    id: i64,
    reason: Reason,
    heir: Option<&ExecutorName>,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    keep_and_delete(
        tx,
        [KEEP_AUTOPATH, "DELETE FROM autopaths WHERE id = ?1"],
        id,
        reason,
        heir,
        now_ms,
    )
}

/// Keeps what is needed to bring a row back, then deletes it.
fn keep_and_delete(
    tx: &Transaction<'_>,
    [keep, delete]: [&str; 2],
    id: i64,
    reason: Reason,
    heir: Option<&ExecutorName>,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let heir = heir.map(ExecutorName::as_str);
    tx.prepare_cached(keep)?
        .execute(params![id, reason.as_str(), heir, now_ms])?;
    Ok(tx.prepare_cached(delete)?.execute([id])? > 0)
}

/// Remembers again every request that an executor had taken over, unless something newer stands there.
pub(super) fn bring_back_from(tx: &Transaction<'_>, heir: &str, now_ms: i64) -> rusqlite::Result<()> {
    let ids: Vec<i64> = tx
        .prepare("SELECT id FROM removals WHERE heir = ?1 AND layer = 'fastpath' AND taken_back_at IS NULL")?
        .query_map([heir], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for id in ids {
        tx.execute(BRING_FASTPATH, params![id, now_ms])?;
        // Gone, and not spared: the same executor may take over again one day.
        tx.execute("DELETE FROM removals WHERE id = ?1", [id])?;
    }
    Ok(())
}

/// Removes every row of L0 that a query names.
pub(super) fn fastpaths_of(
    tx: &Transaction<'_>,
    query: &str,
    values: impl rusqlite::Params,
    reason: Reason,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let ids: Vec<i64> = tx
        .prepare_cached(query)?
        .query_map(values, |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for id in ids {
        fastpath(tx, id, reason, None, now_ms)?;
    }
    Ok(())
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<RemovalRow> {
    Ok(RemovalRow {
        id: row.get(0)?,
        actor: ActorId::from(row.get::<_, String>(1)?),
        layer: layer(row, 2)?,
        name: row.get(3)?,
        reason: reason(row, 4)?,
        heir: row.get::<_, Option<String>>(5)?.map(ExecutorName::from),
        at_ms: row.get(6)?,
    })
}

fn layer(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Layer> {
    let word: String = row.get(at)?;
    Layer::parse(&word).ok_or_else(|| unknown_word(&word))
}

fn reason(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Reason> {
    let word: String = row.get(at)?;
    Reason::parse(&word).ok_or_else(|| unknown_word(&word))
}
