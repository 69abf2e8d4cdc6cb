//! Plan memory as the night looks at it: everything that may grow old, and what is written once `nights` has decided.
//! Nothing is decided here.

use std::collections::BTreeMap;

use rusqlite::{Transaction, params};
use serde_json::Value;

use super::{
    Store, StoreError,
    autopaths::{Decide, learning},
    from_json, removals, to_json,
};
use crate::domain::{
    ids::{ActorId, ExecutorName},
    removal::{Layer, Reason},
};

/// A remembered plan with its age.
#[derive(Clone, Debug, PartialEq)]
pub struct AgingRow {
    /// Which memory it is in.
    pub layer: Layer,
    /// Its number there.
    pub id: i64,
    /// Whose.
    pub actor: ActorId,
    /// The request of an L0 row; empty for L1.
    pub text: String,
    /// What tells it from others of its layer and person.
    pub identity: String,
    /// The plan as JSON.
    pub plan: Value,
    /// `verb|object` of each clause.
    pub intent: String,
    /// When it came, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it was last used; `None` for never.
    pub used_ms: Option<i64>,
    /// How often.
    pub uses: u32,
    /// Out of the contest (L1).
    pub is_demoted: bool,
}

/// A row that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// Which memory it is in.
    pub layer: Layer,
    /// Its number there.
    pub id: i64,
    /// As it was when this was decided: a row that was used since stays.
    pub used_ms: Option<i64>,
    /// Why.
    pub reason: Reason,
    /// Who takes its uses over.
    pub heir: Option<ExecutorName>,
}

/// A plan whose calls of a tool became its steps again.
#[derive(Clone, Debug, PartialEq)]
pub struct Reopened {
    /// Which memory it is in.
    pub layer: Layer,
    /// Its number there.
    pub id: i64,
    /// The plan from now on.
    pub plan: Value,
    /// World signatures.
    pub tools_sig: String,
    /// World signatures.
    pub pool_sig: String,
}

/// What a night removed, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aged {
    /// How many rows went, by reason.
    pub removed: BTreeMap<Reason, u32>,
    /// Uses that executors took over.
    pub inherited: u64,
    /// Rows that stayed.
    pub kept: u64,
}

/// How far back evidence counts, and how much of it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Milliseconds since 1970: what is older counts no more.
    pub since_ms: i64,
    /// Observations nobody judged that are kept of each person.
    pub observations: usize,
}

/// Today's signatures of a plan for an intent; `None` where a tool of it is gone.
pub type Sign = dyn Fn(&Value, &str) -> Option<(String, String)> + Send + Sync;

impl Store {
    /// Signs anew what an older version signed by other rules, so that an upgrade forgets nothing. Whether such a plan
    /// is still good is looked at when it is served, as ever. How many rows it was.
    pub async fn sign_again(&self, signed_as: &'static str, sign: std::sync::Arc<Sign>) -> Result<usize, StoreError> {
        self.write("sign memory again", move |tx| sign_again(tx, signed_as, &*sign))
            .await
    }

    /// Every remembered plan of everybody.
    pub async fn aging_rows(&self) -> Result<Vec<AgingRow>, StoreError> {
        self.read("aging rows", |connection| {
            let fastpaths = "SELECT 'fastpath', id, actor, canonical_text, canonical_hash, plan, intent, created_at,
                                    last_used, n_uses, 0 FROM fastpaths ORDER BY id";
            let autopaths = "SELECT 'autopath', id, actor, '', intent_hash || cluster || plan_hash, plan, intent,
                                    created_at, last_used, 0, status = 'demoted' FROM autopaths ORDER BY id";
            let mut all = Vec::new();
            for (layer, sql) in [(Layer::Fastpath, fastpaths), (Layer::Autopath, autopaths)] {
                let mut statement = connection.prepare(sql)?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    all.push(AgingRow {
                        layer,
                        id: row.get(1)?,
                        actor: ActorId::from(row.get::<_, String>(2)?),
                        text: row.get(3)?,
                        identity: row.get(4)?,
                        plan: from_json(&row.get::<_, String>(5)?)?,
                        intent: row.get(6)?,
                        created_ms: row.get(7)?,
                        used_ms: row.get(8)?,
                        uses: row.get(9)?,
                        is_demoted: row.get(10)?,
                    });
                }
            }
            Ok(all)
        })
        .await
    }

    /// Removes rows that nobody used since it was decided, all or none of them; the heirs take their uses over.
    pub async fn remove_aged(&self, going: Vec<Removal>, now_ms: i64) -> Result<Aged, StoreError> {
        let aged = self.write("remove what is old", move |tx| {
            let mut aged = Aged::default();
            for removal in &going {
                if remove(tx, removal, now_ms, &mut aged)? {
                    *aged.removed.entry(removal.reason).or_default() += 1;
                }
            }
            aged.kept = tx.query_row(
                "SELECT (SELECT count(*) FROM fastpaths) + (SELECT count(*) FROM autopaths)",
                [],
                |row| row.get::<_, i64>(0).map(|count| u64::try_from(count).unwrap_or(0)),
            )?;
            Ok(aged)
        });
        let aged = aged.await?;
        self.memory_changed();
        Ok(aged)
    }

    /// Remembers plans by their steps.
    pub async fn reopen(&self, rows: Vec<Reopened>) -> Result<(), StoreError> {
        self.write("reopen plans", move |tx| {
            for row in &rows {
                let table = match row.layer {
                    Layer::Fastpath => "fastpaths",
                    Layer::Autopath => "autopaths",
                };
                tx.prepare_cached(&format!(
                    "UPDATE {table} SET plan = ?2, tools_sig = ?3, pool_sig = ?4 WHERE id = ?1"
                ))?
                .execute(params![row.id, to_json(&row.plan)?, row.tools_sig, row.pool_sig])?;
            }
            Ok(())
        })
        .await?;
        self.memory_changed();
        Ok(())
    }

    /// L1 with today's evidence: bans that are over go, what is old counts no more, and every contest is held anew.
    pub async fn weigh_again(
        &self,
        evidence: Evidence,
        decide: std::sync::Arc<Decide>,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.write("weigh L1 again", move |tx| {
            tx.execute("DELETE FROM anti_autopaths WHERE expires_at <= ?1", [now_ms])?;
            tx.execute(
                "DELETE FROM observations WHERE verdict IS NULL AND id IN (
                     SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY actor ORDER BY id DESC) AS place
                                     FROM observations) WHERE place > ?1)",
                [i64::try_from(evidence.observations).unwrap_or(i64::MAX)],
            )?;
            learning::contest_again(tx, evidence.since_ms, &*decide)
        })
        .await?;
        self.memory_changed();
        Ok(())
    }

    /// Notes which executors are in the catalog, and since when each has been known. Before the first look all of them
    /// have been there for ever.
    pub async fn know_executors(
        &self,
        names: Vec<ExecutorName>,
        now_ms: i64,
    ) -> Result<BTreeMap<ExecutorName, i64>, StoreError> {
        self.write("know executors", move |tx| {
            let is_first: bool = tx.query_row("SELECT NOT EXISTS (SELECT 1 FROM executors_known)", [], |row| {
                row.get(0)
            })?;
            let since = if is_first { 0 } else { now_ms };
            for name in &names {
                tx.prepare_cached("INSERT INTO executors_known (name, since) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
                    .execute(params![name.as_str(), since])?;
            }
            let known: Vec<(String, i64)> = tx
                .prepare("SELECT name, since FROM executors_known")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            for (name, _) in &known {
                if !names.iter().any(|still| still.as_str() == name) {
                    tx.execute("DELETE FROM executors_known WHERE name = ?1", [name])?;
                }
            }
            let here = known.into_iter().map(|(name, since)| (ExecutorName::from(name), since));
            Ok(here.filter(|(name, _)| names.contains(name)).collect())
        })
        .await
    }
}

/// The columns with a plan, its intent and its two signatures, and where they are written, by table.
const SIGNED: [[&str; 2]; 4] = [
    [
        "SELECT id, plan, intent FROM fastpaths WHERE tools_sig NOT LIKE ?1 || '%'",
        "UPDATE fastpaths SET tools_sig = ?2, pool_sig = ?3 WHERE id = ?1",
    ],
    [
        "SELECT id, plan, intent FROM autopaths WHERE tools_sig NOT LIKE ?1 || '%'",
        "UPDATE autopaths SET tools_sig = ?2, pool_sig = ?3 WHERE id = ?1",
    ],
    [
        "SELECT id, plan, intent FROM observations WHERE tools_sig NOT LIKE ?1 || '%'",
        "UPDATE observations SET tools_sig = ?2, pool_sig = ?3 WHERE id = ?1",
    ],
    [
        "SELECT id, kept ->> 'plan', kept ->> 'intent' FROM removals
         WHERE taken_back_at IS NULL AND kept ->> 'tools_sig' NOT LIKE ?1 || '%'",
        "UPDATE removals SET kept = json_set(kept, '$.tools_sig', ?2, '$.pool_sig', ?3) WHERE id = ?1",
    ],
];

/// Signs rows whose signature does not begin like those of today; how many.
fn sign_again(tx: &Transaction<'_>, signed_as: &str, sign: &Sign) -> rusqlite::Result<usize> {
    let mut signed = 0;
    for [found, written] in SIGNED {
        let rows: Vec<(i64, String, String)> = tx
            .prepare(found)?
            .query_map([signed_as], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (id, plan, intent) in rows {
            if let Some((tools, pool)) = sign(&from_json(&plan)?, &intent) {
                signed += tx.prepare_cached(written)?.execute(params![id, tools, pool])?;
            }
        }
    }
    Ok(signed)
}

fn remove(tx: &Transaction<'_>, removal: &Removal, now_ms: i64, aged: &mut Aged) -> rusqlite::Result<bool> {
    let table = match removal.layer {
        Layer::Fastpath => "fastpaths",
        Layer::Autopath => "autopaths",
    };
    let is_as_it_was = tx
        .prepare_cached(&format!("SELECT 1 FROM {table} WHERE id = ?1 AND last_used IS ?2"))?
        .exists(params![removal.id, removal.used_ms])?;
    if !is_as_it_was {
        return Ok(false);
    }
    if let (Layer::Fastpath, Some(heir)) = (removal.layer, &removal.heir) {
        let (actor, uses, used_ms): (String, i64, i64) = tx.query_row(
            "SELECT actor, n_uses, coalesce(last_used, created_at) FROM fastpaths WHERE id = ?1",
            [removal.id],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        tx.prepare_cached(
            "INSERT INTO executor_uses (actor, executor, inherited, last_used) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (actor, executor) DO UPDATE SET inherited = inherited + ?3, last_used = max(last_used, ?4)",
        )?
        .execute(params![actor, heir.as_str(), uses, used_ms])?;
        aged.inherited = aged.inherited.saturating_add(u64::try_from(uses).unwrap_or(0));
    }
    match removal.layer {
        Layer::Fastpath => removals::fastpath(tx, removal.id, removal.reason, removal.heir.as_ref(), now_ms),
        Layer::Autopath => removals::autopath(tx, removal.id, removal.reason, removal.heir.as_ref(), now_ms),
    }
}
