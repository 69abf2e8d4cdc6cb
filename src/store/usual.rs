//! What is usual: how long plans of a shape take, which plans ran lately, and since when nobody used a tool. Aggregated
//! at night by jobs; read by dispatch and `nights`.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use super::{Store, StoreError, from_json};
use crate::domain::{
    ids::{ActorId, ExecutorName, PlanHash},
    outcome::FinalKind,
    proposal::{ProposalKind, ProposalState},
};

/// Fewer runs say nothing about the next one.
const RUNS_MIN: usize = 3;

/// How long plans of one shape take, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsualTime {
    /// Half of them took less.
    pub p50_ms: i64,
    /// Nearly all of them took less.
    pub p95_ms: i64,
    /// So many there were.
    pub runs: i64,
}

/// The value below which so many hundredths of them lie; they are in order.
fn percentile(sorted: &[i64], hundredths: usize) -> i64 {
    let rank = (sorted.len() * hundredths).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

impl Store {
    /// Looks at every turn since then whose plan was known or written by code, and keeps what is usual for its shape.
    /// A plan that a model had to write says how long writing took, and that is over when this is told.
    pub async fn aggregate_usual_times(&self, since_ms: i64, now_ms: i64) -> Result<usize, StoreError> {
        self.write("usual times", move |tx| {
            let mut spans: BTreeMap<(String, String), Vec<i64>> = BTreeMap::new();
            {
                let mut statement = tx.prepare(
                    "SELECT actor, plan_hash, ended_at - started_at FROM turns
                     WHERE ended_at >= ?1 AND plan_hash IS NOT NULL AND final_kind = ?2
                       AND (answered_by LIKE 'fastpath%' OR answered_by IN ('autopath', 'simple'))
                     ORDER BY 3",
                )?;
                let mut rows = statement.query(params![since_ms, FinalKind::Answer.as_str()])?;
                while let Some(row) = rows.next()? {
                    spans.entry((row.get(0)?, row.get(1)?)).or_default().push(row.get(2)?);
                }
            }
            tx.execute("DELETE FROM usual_times", [])?;
            let mut kept = 0;
            for ((actor, plan), sorted) in spans.iter().filter(|(_, spans)| spans.len() >= RUNS_MIN) {
                kept += tx
                    .prepare_cached("INSERT INTO usual_times VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                    .execute(params![
                        actor,
                        plan,
                        percentile(sorted, 50),
                        percentile(sorted, 95),
                        i64::try_from(sorted.len()).unwrap_or(i64::MAX),
                        now_ms
                    ])?;
            }
            Ok(kept)
        })
        .await
    }

    /// What is usual for a plan of this shape.
    pub async fn usual_time(&self, actor: &ActorId, plan: &PlanHash) -> Result<Option<UsualTime>, StoreError> {
        let (actor, plan) = (actor.clone(), plan.clone());
        self.read("usual time", move |connection| {
            connection
                .prepare_cached("SELECT p50_ms, p95_ms, runs FROM usual_times WHERE actor = ?1 AND plan_hash = ?2")?
                .query_row([actor.as_str(), plan.as_str()], |row| {
                    Ok(UsualTime {
                        p50_ms: row.get(0)?,
                        p95_ms: row.get(1)?,
                        runs: row.get(2)?,
                    })
                })
                .optional()
        })
        .await
    }

    /// Every plan that ran well since then, and whose it was.
    pub async fn plans_since(&self, since_ms: i64) -> Result<Vec<(ActorId, Value)>, StoreError> {
        self.read("plans that ran", move |connection| {
            let mut statement =
                connection.prepare("SELECT actor, plan FROM observations WHERE at >= ?1 AND failed = 0 ORDER BY id")?;
            let mut rows = statement.query([since_ms])?;
            let mut plans = Vec::new();
            while let Some(row) = rows.next()? {
                plans.push((
                    ActorId::from(row.get::<_, String>(0)?),
                    from_json(&row.get::<_, String>(1)?)?,
                ));
            }
            Ok(plans)
        })
        .await
    }

    /// The habits of a person that a planner may know: the tool, its argument, and the value.
    pub async fn habits(&self, actor: &ActorId) -> Result<Vec<(ExecutorName, String, String)>, StoreError> {
        let actor = actor.clone();
        self.read("habits", move |connection| {
            connection
                .prepare_cached(
                    "SELECT json_extract(payload, '$.tool'), json_extract(payload, '$.arg'),
                            json_extract(payload, '$.value')
                     FROM proposals WHERE actor = ?1 AND kind = ?2 AND state IN (?3, ?4) ORDER BY id",
                )?
                .query_map(
                    params![
                        actor.as_str(),
                        ProposalKind::Specialize.as_str(),
                        ProposalState::Grace.as_str(),
                        ProposalState::Final.as_str()
                    ],
                    |row| Ok((ExecutorName::from(row.get::<_, String>(0)?), row.get(1)?, row.get(2)?)),
                )?
                .collect()
        })
        .await
    }

    /// Ways through the passages to what this person keeps asking in vain, by `source|wanted`, unless the host put them
    /// away.
    pub async fn ways(&self, actor: &ActorId) -> Result<Vec<(String, Vec<ExecutorName>)>, StoreError> {
        let actor = actor.clone();
        self.read("ways to what is missing", move |connection| {
            connection
                .prepare_cached(
                    "SELECT key, payload ->> 'chain' FROM proposals
                     WHERE actor = ?1 AND kind = ?2 AND state <> ?3 ORDER BY id DESC",
                )?
                .query_map(
                    params![
                        actor.as_str(),
                        ProposalKind::Chain.as_str(),
                        ProposalState::Archived.as_str()
                    ],
                    |row| {
                        let chain: String = row.get(1)?;
                        Ok((row.get(0)?, chain.split(" → ").map(ExecutorName::from).collect()))
                    },
                )?
                .collect()
        })
        .await
    }

    /// When somebody last used a tool, or, if nobody did, since when it is there; `None` for one nobody has seen.
    pub async fn last_used(&self, tool: &ExecutorName) -> Result<Option<i64>, StoreError> {
        let tool = tool.clone();
        self.read("last use of a tool", move |connection| {
            connection
                .prepare_cached(
                    "SELECT max(at) FROM (
                        SELECT last_used AS at FROM executor_uses WHERE executor = ?1 AND uses + inherited > 0
                        UNION ALL SELECT since FROM executors_known WHERE name = ?1
                        UNION ALL SELECT t.ended_at FROM promotions p JOIN turns t
                            ON t.actor = p.actor AND t.canonical_hash = p.canonical_hash
                            WHERE p.executor = ?1 AND t.plan_hash IS NOT NULL)",
                )?
                .query_row([tool.as_str()], |row| row.get(0))
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let spans: Vec<i64> = (1..=20).collect();
        assert_eq!((percentile(&spans, 50), percentile(&spans, 95)), (10, 19));
        assert_eq!((percentile(&[7], 50), percentile(&[7], 95)), (7, 7));
        assert_eq!(percentile(&[], 50), 0);
    }
}
