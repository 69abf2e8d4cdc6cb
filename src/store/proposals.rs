//! Proposals with their evidence, and which request grew into which executor. Written by `nights`; read by commands,
//! the command line and, later, a page.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::Value;

use super::{Store, StoreError, from_json, removals, to_json, unknown_word};
use crate::domain::{
    ids::{ActorId, CanonicalHash, ExecutorName},
    proposal::{ProposalKind, ProposalState},
};

/// A proposal as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalRow {
    /// Its number.
    pub id: i64,
    /// Whose memory it grew out of.
    pub actor: ActorId,
    /// What is proposed.
    pub kind: ProposalKind,
    /// What tells it from others of its kind and person.
    pub key: String,
    /// The executor's name, as far as there is one.
    pub name: String,
    /// How far it has come.
    pub state: ProposalState,
    /// The last stage it passed.
    pub stage: String,
    /// Why it stopped, or was archived.
    pub reason: String,
    /// What it is made of, and what was made of it.
    pub payload: Value,
    /// What was thought of it, with the numbers.
    pub verdict: Value,
    /// In how many nights it was found.
    pub nights: u32,
    /// Milliseconds since 1970.
    pub created_ms: i64,
    /// Milliseconds since 1970.
    pub changed_ms: i64,
    /// Until when it is watched.
    pub grace_until_ms: Option<i64>,
}

/// A proposal that was found tonight.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Whose memory it grew out of.
    pub actor: ActorId,
    /// What is proposed.
    pub kind: ProposalKind,
    /// What tells it from others of its kind and person.
    pub key: String,
    /// What it is made of.
    pub payload: Value,
}

/// How a proposal goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Which.
    pub id: i64,
    /// Where it must still be, or somebody else decided meanwhile.
    pub from: ProposalState,
    /// Where it goes.
    pub to: ProposalState,
    /// The executor's name.
    pub name: String,
    /// The last stage it passed.
    pub stage: String,
    /// Why it stopped.
    pub reason: String,
    /// Its payload from now on.
    pub payload: Value,
    /// What was thought of it.
    pub verdict: Value,
    /// Until when it is watched.
    pub grace_until_ms: Option<i64>,
    /// Requests that grew into it; written with the step.
    pub promoted: Vec<CanonicalHash>,
    /// Their tier.
    pub tier: u8,
}

/// How long requests took, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans {
    /// With a plan that was written for them.
    pub planned_ms: Vec<f64>,
    /// With one that was there.
    pub remembered_ms: Vec<f64>,
    /// How many came lately.
    pub calls: u32,
}

const COLUMNS: &str = "id, actor, kind, key, name, state, stage, reason, payload, verdict, nights, created_at,
                       changed_at, grace_until";

impl Store {
    /// Every proposal, the newest change first; only those in one of these states, unless there are none.
    pub async fn proposals(&self, states: &[ProposalState]) -> Result<Vec<ProposalRow>, StoreError> {
        let states: Vec<&'static str> = states.iter().map(|state| state.as_str()).collect();
        self.read("proposals", move |connection| {
            let all: Vec<ProposalRow> = connection
                .prepare(&format!(
                    "SELECT {COLUMNS} FROM proposals ORDER BY changed_at DESC, id DESC"
                ))?
                .query_map([], read_row)?
                .collect::<rusqlite::Result<_>>()?;
            let wanted = |row: &ProposalRow| states.is_empty() || states.contains(&row.state.as_str());
            Ok(all.into_iter().filter(wanted).collect())
        })
        .await
    }

    /// One proposal.
    pub async fn proposal(&self, id: i64) -> Result<Option<ProposalRow>, StoreError> {
        self.read("proposal", move |connection| {
            connection
                .query_row(
                    &format!("SELECT {COLUMNS} FROM proposals WHERE id = ?1"),
                    [id],
                    read_row,
                )
                .optional()
        })
        .await
    }

    /// Notes what was found tonight; what was found before and still waits is one night older, with today's evidence.
    /// At most so many are new; how many were.
    pub async fn propose(&self, found: Vec<Found>, new_max: usize, now_ms: i64) -> Result<usize, StoreError> {
        self.write("propose", move |tx| {
            let mut new = 0;
            for one in &found {
                let known: Option<(i64, String)> = tx
                    .query_row(
                        "SELECT id, state FROM proposals WHERE actor = ?1 AND kind = ?2 AND key = ?3",
                        params![one.actor.as_str(), one.kind.as_str(), one.key],
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )
                    .optional()?;
                match known {
                    // What waits for a word goes on gathering evidence: it may come to need none.
                    Some((id, state))
                        if [ProposalState::Candidate, ProposalState::Review]
                            .iter()
                            .any(|waits| waits.as_str() == state) =>
                    {
                        tx.execute(
                            "UPDATE proposals SET nights = nights + 1, payload = ?2 WHERE id = ?1",
                            params![id, to_json(&one.payload)?],
                        )?;
                    }
                    Some(_) => {}
                    None if new < new_max => {
                        new += 1;
                        tx.execute(
                            "INSERT INTO proposals (actor, kind, key, state, payload, created_at, changed_at)
                             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
                            params![
                                one.actor.as_str(),
                                one.kind.as_str(),
                                one.key,
                                ProposalState::Candidate.as_str(),
                                to_json(&one.payload)?,
                                now_ms
                            ],
                        )?;
                    }
                    None => {}
                }
            }
            Ok(new)
        })
        .await
    }

    /// Carries a proposal one step on, if it is still where it was; `false` when it is not.
    pub async fn advance(&self, step: Step, now_ms: i64) -> Result<bool, StoreError> {
        let advanced = self.write("advance a proposal", move |tx| {
            let changed = tx.execute(
                "UPDATE proposals SET state = ?3, name = ?4, stage = ?5, reason = ?6, payload = ?7, verdict = ?8,
                        grace_until = ?9, changed_at = ?10
                 WHERE id = ?1 AND state = ?2",
                params![
                    step.id,
                    step.from.as_str(),
                    step.to.as_str(),
                    step.name,
                    step.stage,
                    step.reason,
                    to_json(&step.payload)?,
                    to_json(&step.verdict)?,
                    step.grace_until_ms,
                    now_ms
                ],
            )?;
            if changed == 0 {
                return Ok(false);
            }
            let actor: String =
                tx.query_row("SELECT actor FROM proposals WHERE id = ?1", [step.id], |row| row.get(0))?;
            for hash in &step.promoted {
                tx.execute(
                    "INSERT INTO promotions (actor, canonical_hash, executor, tier, at) VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT DO NOTHING",
                    params![actor, hash.as_str(), step.name, step.tier, now_ms],
                )?;
            }
            if step.to == ProposalState::RolledBack {
                unpromote(tx, &step.name, now_ms)?;
            }
            Ok(true)
        });
        let is_done = advanced.await?;
        self.memory_changed();
        Ok(is_done)
    }

    /// Which executor each request of each person grew into.
    pub async fn promoted(&self) -> Result<BTreeMap<(ActorId, CanonicalHash), ExecutorName>, StoreError> {
        self.read("promoted", |connection| {
            connection
                .prepare("SELECT actor, canonical_hash, executor FROM promotions ORDER BY at")?
                .query_map([], |row| {
                    let actor = ActorId::from(row.get::<_, String>(0)?);
                    let hash = CanonicalHash::from(row.get::<_, String>(1)?);
                    Ok(((actor, hash), ExecutorName::from(row.get::<_, String>(2)?)))
                })?
                .collect()
        })
        .await
    }

    /// How long requests of a person took, and how many came since then.
    pub async fn spans(
        &self,
        actor: &ActorId,
        requests: Vec<CanonicalHash>,
        since_ms: i64,
    ) -> Result<Spans, StoreError> {
        let actor = actor.clone();
        self.read("spans", move |connection| {
            let mut spans = Spans::default();
            for hash in &requests {
                let mut statement = connection.prepare_cached(
                    "SELECT ended_at - started_at, answered_by LIKE 'fastpath%' OR answered_by = 'autopath', started_at
                     FROM turns WHERE actor = ?1 AND canonical_hash = ?2 AND plan_hash IS NOT NULL",
                )?;
                let mut rows = statement.query(params![actor.as_str(), hash.as_str()])?;
                while let Some(row) = rows.next()? {
                    let of = if row.get(1)? {
                        &mut spans.remembered_ms
                    } else {
                        &mut spans.planned_ms
                    };
                    of.push(row.get(0)?);
                    spans.calls += u32::from(row.get::<_, i64>(2)? >= since_ms);
                }
            }
            Ok(spans)
        })
        .await
    }

    /// Failures of an executor so far, of everybody.
    pub async fn failures_of(&self, name: &ExecutorName) -> Result<u32, StoreError> {
        let name = name.clone();
        self.read("failures of an executor", move |connection| {
            connection.query_row(
                "SELECT coalesce(sum(failures), 0) FROM executor_uses WHERE executor = ?1",
                [name.as_str()],
                |row| row.get(0),
            )
        })
        .await
    }
}

/// The requests of an executor that is taken back are answered by what they were answered by before.
fn unpromote(tx: &Transaction<'_>, name: &str, now_ms: i64) -> rusqlite::Result<()> {
    tx.execute("DELETE FROM promotions WHERE executor = ?1", [name])?;
    removals::bring_back_from(tx, name, now_ms)
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<ProposalRow> {
    let (kind, state): (String, String) = (row.get(2)?, row.get(5)?);
    Ok(ProposalRow {
        id: row.get(0)?,
        actor: ActorId::from(row.get::<_, String>(1)?),
        kind: ProposalKind::parse(&kind).ok_or_else(|| unknown_word(&kind))?,
        key: row.get(3)?,
        name: row.get(4)?,
        state: ProposalState::parse(&state).ok_or_else(|| unknown_word(&state))?,
        stage: row.get(6)?,
        reason: row.get(7)?,
        payload: from_json(&row.get::<_, String>(8)?)?,
        verdict: from_json(&row.get::<_, String>(9)?)?,
        nights: row.get(10)?,
        created_ms: row.get(11)?,
        changed_ms: row.get(12)?,
        grace_until_ms: row.get(13)?,
    })
}
