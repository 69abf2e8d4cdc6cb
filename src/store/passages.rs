//! Passages between executors, by person: written at the end of a turn, weighed again at night, read as a graph.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, unknown_word};
use crate::domain::{
    ids::{ActorId, ExecutorName},
    passage::{PassageState, Strength},
};

/// One executor's output fed another, in one run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewPassage {
    /// From.
    pub source: ExecutorName,
    /// To.
    pub target: ExecutorName,
    /// Whether there is such an executor.
    pub exists: bool,
}

/// A passage as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct PassageRow {
    /// Whose.
    pub actor: ActorId,
    /// From.
    pub source: ExecutorName,
    /// To.
    pub target: ExecutorName,
    /// How strong.
    pub strength: Strength,
    /// When it was first used, in milliseconds since 1970.
    pub first_ms: i64,
    /// What was asked when the target was missed last.
    pub request: String,
}

/// What a night found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weighed {
    /// In use.
    pub active: u32,
    /// On their way out.
    pub decaying: u32,
    /// Wishes.
    pub protos: u32,
    /// Wishes that are met again and again.
    pub recurring: u32,
    /// Wishes that were forgotten.
    pub purged: u32,
    /// Passages that hardly anybody would miss.
    pub may_go: u32,
}

const COLUMNS: &str = "actor, source, target, state, weight, weighed_at, uses, first_used, request";

impl Store {
    /// The passages of a person; of everybody without one.
    pub async fn passages(&self, actor: Option<&ActorId>) -> Result<Vec<PassageRow>, StoreError> {
        let actor = actor.cloned();
        self.read("passages", move |connection| {
            connection
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM passages WHERE ?1 IS NULL OR actor = ?1 ORDER BY actor, source, target"
                ))?
                .query_map([actor.as_ref().map(ActorId::as_str)], read_row)?
                .collect()
        })
        .await
    }

    /// Every passage as it is by now; wishes nobody has any more are forgotten.
    pub async fn weigh_passages(&self, now_ms: i64) -> Result<Weighed, StoreError> {
        self.write("weigh passages", move |tx| {
            let rows: Vec<PassageRow> = tx
                .prepare(&format!("SELECT {COLUMNS} FROM passages"))?
                .query_map([], read_row)?
                .collect::<rusqlite::Result<_>>()?;
            let mut weighed = Weighed::default();
            for row in rows {
                let strength = row.strength.at(now_ms);
                if strength.is_forgotten() {
                    weighed.purged += 1;
                    tx.prepare_cached("DELETE FROM passages WHERE actor = ?1 AND source = ?2 AND target = ?3")?
                        .execute(params![row.actor.as_str(), row.source.as_str(), row.target.as_str()])?;
                    continue;
                }
                match strength.state {
                    PassageState::Active => weighed.active += 1,
                    PassageState::Decaying => weighed.decaying += 1,
                    PassageState::Proto => weighed.protos += 1,
                }
                weighed.recurring += u32::from(strength.recurs());
                weighed.may_go += u32::from(strength.may_go(row.first_ms, now_ms));
                put(tx, &row, strength)?;
            }
            Ok(weighed)
        })
        .await
    }
}

/// One more use of a passage.
pub(super) fn reinforce(
    tx: &Transaction<'_>,
    actor: &ActorId,
    new: &NewPassage,
    request: &str,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let known = tx
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM passages WHERE actor = ?1 AND source = ?2 AND target = ?3"
        ))?
        .query_row(
            params![actor.as_str(), new.source.as_str(), new.target.as_str()],
            read_row,
        )
        .optional()?;
    let strength = match &known {
        Some(row) => row.strength.reinforced(new.exists, now_ms),
        None => Strength::beginning(new.exists, now_ms),
    };
    let request = if new.exists { "" } else { request };
    tx.prepare_cached(
        "INSERT INTO passages (actor, source, target, state, weight, weighed_at, uses, first_used, last_used, request)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9)
         ON CONFLICT (actor, source, target) DO UPDATE SET
            state = ?4, weight = ?5, weighed_at = ?6, uses = ?7, last_used = ?8, request = ?9",
    )?
    .execute(params![
        actor.as_str(),
        new.source.as_str(),
        new.target.as_str(),
        strength.state.as_str(),
        strength.weight,
        strength.weighed_ms,
        strength.uses,
        now_ms,
        request
    ])
    .map(drop)
}

fn put(tx: &Transaction<'_>, row: &PassageRow, strength: Strength) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "UPDATE passages SET state = ?4, weight = ?5, weighed_at = ?6 WHERE actor = ?1 AND source = ?2 AND target = ?3",
    )?
    .execute(params![
        row.actor.as_str(),
        row.source.as_str(),
        row.target.as_str(),
        strength.state.as_str(),
        strength.weight,
        strength.weighed_ms
    ])
    .map(drop)
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<PassageRow> {
    let state: String = row.get(3)?;
    Ok(PassageRow {
        actor: ActorId::from(row.get::<_, String>(0)?),
        source: ExecutorName::from(row.get::<_, String>(1)?),
        target: ExecutorName::from(row.get::<_, String>(2)?),
        strength: Strength {
            state: PassageState::parse(&state).ok_or_else(|| unknown_word(&state))?,
            weight: row.get(4)?,
            weighed_ms: row.get(5)?,
            uses: row.get(6)?,
        },
        first_ms: row.get(7)?,
        request: row.get(8)?,
    })
}
