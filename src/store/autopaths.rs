//! L1 rows: observations of plans that worked, autopaths made of them, and the plans that are banned for a while.
//!
//! Counts are never added to a row: they are counted again from the observations each time, so that the last tap wins
//! and a repeated tap changes nothing. What the counts mean is decided by `engine::autopath`, inside the transaction.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::Value;

use super::{
    Store, StoreError,
    fastpaths::{self, to_bytes, to_vector},
    from_json, to_json,
};
use crate::domain::{
    feedback::Feedback,
    ids::{ActorId, CanonicalHash, ClusterId, IntentHash, PlanHash, TurnId},
};

/// A plan that worked, to be remembered.
#[derive(Clone, Debug, PartialEq)]
pub struct NewObservation {
    /// `verb|object` of each clause.
    pub intent: String,
    /// Its hash.
    pub intent_hash: IntentHash,
    /// Requests that mean the same; `None` takes the cluster this plan had before, or a new one.
    pub cluster: Option<ClusterId>,
    /// Who made the vector.
    pub embedder: String,
    /// Unit length.
    pub embedding: Option<Vec<f32>>,
    /// The plan as JSON.
    pub plan: Value,
    /// Its shape.
    pub plan_hash: PlanHash,
    /// Served by exact hash only, so never promoted.
    pub query_specific: bool,
    /// World signatures.
    pub tools_sig: String,
    /// World signatures.
    pub pool_sig: String,
}

/// What is known about one plan within one cluster of one intent.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanStanding {
    /// Its shape.
    pub plan_hash: PlanHash,
    /// Never promoted.
    pub query_specific: bool,
    /// Explicit ✓.
    pub confirmations: u32,
    /// Explicit ✗.
    pub rejections: u32,
    /// Successes nobody commented.
    pub silent: u32,
    /// Explicit ✗ since the last explicit ✓.
    pub rejections_in_row: u32,
    /// Holds the place now.
    pub champion: bool,
    /// Has an autopath that may be served.
    pub active: bool,
}

/// What should be true of one plan from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRuling {
    /// Its shape.
    pub plan_hash: PlanHash,
    /// Has an autopath: active or demoted; `None` for none yet.
    pub active: Option<bool>,
    /// Holds the place.
    pub champion: bool,
    /// Weighted successes.
    pub successes: f64,
    /// Failures.
    pub failures: f64,
}

/// What to write after an observation or a tap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rulings {
    /// Plan by plan.
    pub plans: Vec<PlanRuling>,
    /// Ban this plan for so many seconds.
    pub ban: Option<(PlanHash, i64)>,
    /// Lift the ban of this plan.
    pub lift: Option<PlanHash>,
}

/// An autopath that may be served.
#[derive(Clone, Debug, PartialEq)]
pub struct AutopathRow {
    /// Its number.
    pub id: i64,
    /// The plan as JSON.
    pub plan: Value,
    /// Its shape.
    pub plan_hash: PlanHash,
    /// Its cluster.
    pub cluster: ClusterId,
    /// World signatures.
    pub tools_sig: String,
    /// World signatures.
    pub pool_sig: String,
}

/// A recent observation's vector.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterVector {
    /// Its cluster.
    pub cluster: ClusterId,
    /// Its intent.
    pub intent_hash: IntentHash,
    /// Unit length.
    pub vector: Vec<f32>,
}

/// Decides what counts mean; handed in by `engine::autopath`.
pub type Decide = dyn Fn(&[PlanStanding], &PlanHash, Option<Feedback>) -> Rulings + Send + Sync;

/// What a tap did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedbackOutcome {
    /// Written, or already so.
    Noted {
        /// The turn's request, to run it again on ↺.
        request: String,
        /// The plan that was judged, if the turn had one.
        plan: Option<PlanHash>,
        /// A pattern answered: the dispute is for the host.
        pattern: bool,
        /// The tap said the same as before.
        repeated: bool,
    },
    /// No such turn, or somebody else's.
    NotYours,
}

impl Store {
    /// The champion of a cluster, and failing that of an intent, with the plans banned for it left out.
    pub async fn autopath_champions(
        &self,
        actor: &ActorId,
        intent_hash: &IntentHash,
        now_ms: i64,
    ) -> Result<Vec<AutopathRow>, StoreError> {
        let (actor, intent_hash) = (actor.clone(), intent_hash.clone());
        self.read("autopath champions", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, plan, plan_hash, cluster, tools_sig, pool_sig FROM autopaths p
                 WHERE actor = ?1 AND intent_hash = ?2 AND status = 'active' AND champion = 1
                   AND NOT EXISTS (SELECT 1 FROM anti_autopaths b WHERE b.actor = ?1 AND b.intent_hash = ?2
                                   AND b.plan_hash = p.plan_hash AND b.expires_at > ?3)
                 ORDER BY confirmations DESC, last_used DESC, id",
            )?;
            let rows = statement.query_map(params![actor.as_str(), intent_hash.as_str(), now_ms], |row| {
                let plan: String = row.get(1)?;
                Ok(AutopathRow {
                    id: row.get(0)?,
                    plan: from_json(&plan)?,
                    plan_hash: PlanHash::from(row.get::<_, String>(2)?),
                    cluster: ClusterId::from(row.get::<_, String>(3)?),
                    tools_sig: row.get(4)?,
                    pool_sig: row.get(5)?,
                })
            })?;
            rows.collect()
        })
        .await
    }

    /// Vectors of a person's newest observations by this embedder, newest first.
    pub async fn recent_vectors(
        &self,
        actor: &ActorId,
        embedder: &str,
        limit: usize,
    ) -> Result<Vec<ClusterVector>, StoreError> {
        let (actor, embedder) = (actor.clone(), embedder.to_owned());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read("recent vectors", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT cluster, intent_hash, embedding FROM observations
                 WHERE actor = ?1 AND embedder = ?2 AND embedding IS NOT NULL ORDER BY id DESC LIMIT ?3",
            )?;
            let rows = statement.query_map(params![actor.as_str(), embedder, limit], |row| {
                let bytes: Vec<u8> = row.get(2)?;
                Ok(ClusterVector {
                    cluster: ClusterId::from(row.get::<_, String>(0)?),
                    intent_hash: IntentHash::from(row.get::<_, String>(1)?),
                    vector: to_vector(&bytes),
                })
            })?;
            rows.collect()
        })
        .await
    }

    /// The plans a person does not want for an intent right now, with their shape as far as it is known.
    pub async fn banned_plans(
        &self,
        actor: &ActorId,
        intent_hash: &IntentHash,
        now_ms: i64,
    ) -> Result<Vec<(PlanHash, Option<String>)>, StoreError> {
        let (actor, intent_hash) = (actor.clone(), intent_hash.clone());
        self.read("banned plans", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT plan_hash, (SELECT plan_shape FROM turns t WHERE t.actor = b.actor AND t.plan_hash = b.plan_hash
                                    LIMIT 1)
                 FROM anti_autopaths b WHERE actor = ?1 AND intent_hash = ?2 AND expires_at > ?3 ORDER BY plan_hash",
            )?;
            let rows = statement.query_map(params![actor.as_str(), intent_hash.as_str(), now_ms], |row| {
                Ok((PlanHash::from(row.get::<_, String>(0)?), row.get(1)?))
            })?;
            rows.collect()
        })
        .await
    }

    /// Whether a pattern must stay silent for this very text.
    pub async fn is_pattern_exempt(&self, actor: &ActorId, hash: &CanonicalHash) -> Result<bool, StoreError> {
        let (actor, hash) = (actor.clone(), hash.clone());
        self.read("pattern exemption", move |connection| {
            connection
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM pattern_exemptions WHERE actor = ?1 AND canonical_hash = ?2)",
                )?
                .query_row(params![actor.as_str(), hash.as_str()], |row| row.get(0))
        })
        .await
    }

    /// Writes what a person thinks of an answer, and everything that follows, in one transaction.
    pub async fn give_feedback(
        &self,
        turn: &TurnId,
        actor: &ActorId,
        feedback: Feedback,
        decide: std::sync::Arc<Decide>,
        now_ms: i64,
    ) -> Result<FeedbackOutcome, StoreError> {
        let (turn, actor) = (turn.clone(), actor.clone());
        let given = self.write("feedback", move |tx| {
            let Some(judged) = judged_turn(tx, &turn, &actor)? else {
                return Ok(FeedbackOutcome::NotYours);
            };
            let noted = FeedbackOutcome::Noted {
                request: judged.request.clone(),
                plan: judged.plan.clone(),
                pattern: judged.pattern,
                repeated: judged.feedback.as_deref() == Some(feedback.as_str()),
            };
            if judged.feedback.as_deref() == Some(feedback.as_str()) {
                return Ok(noted);
            }
            tx.execute(
                "UPDATE turns SET feedback = ?2 WHERE id = ?1",
                params![turn.as_str(), feedback.as_str()],
            )?;
            tx.execute(
                "UPDATE observations SET verdict = ?2 WHERE turn = ?1",
                params![turn.as_str(), feedback.as_str()],
            )?;
            judge_memory(tx, &judged, &actor, feedback, now_ms)?;
            relearn(tx, &turn, &actor, Some(feedback), &*decide, now_ms)?;
            Ok(noted)
        });
        let outcome = given.await?;
        self.memory_changed();
        Ok(outcome)
    }
}

struct Judged {
    request: String,
    canonical_hash: CanonicalHash,
    intent: Option<IntentHash>,
    plan: Option<PlanHash>,
    pattern: bool,
    fastpath: Option<i64>,
    similarity: Option<f64>,
    feedback: Option<String>,
}

fn judged_turn(tx: &Transaction<'_>, turn: &TurnId, actor: &ActorId) -> rusqlite::Result<Option<Judged>> {
    tx.query_row(
        "SELECT request, canonical_hash, intent_hash, plan_hash, answered_by, fastpath, similarity, feedback
         FROM turns WHERE id = ?1 AND actor = ?2",
        params![turn.as_str(), actor.as_str()],
        |row| {
            Ok(Judged {
                request: row.get(0)?,
                canonical_hash: CanonicalHash::from(row.get::<_, String>(1)?),
                intent: row.get::<_, Option<String>>(2)?.map(IntentHash::from),
                plan: row.get::<_, Option<String>>(3)?.map(PlanHash::from),
                pattern: row.get::<_, String>(4)? == "pattern",
                fastpath: row.get(5)?,
                similarity: row.get(6)?,
                feedback: row.get(7)?,
            })
        },
    )
    .optional()
}

/// How far above the similarity that misled us a row's threshold goes.
const THRESHOLD_STEP: f64 = 0.005;

fn judge_memory(
    tx: &Transaction<'_>,
    judged: &Judged,
    actor: &ActorId,
    feedback: Feedback,
    now_ms: i64,
) -> rusqlite::Result<()> {
    match feedback {
        Feedback::Confirm => {
            tx.execute(
                "DELETE FROM pattern_exemptions WHERE actor = ?1 AND canonical_hash = ?2",
                params![actor.as_str(), judged.canonical_hash.as_str()],
            )?;
        }
        Feedback::Reject | Feedback::Retry => {
            fastpaths::forget(tx, actor, &judged.canonical_hash)?;
            if let (Some(id), Some(similarity)) = (judged.fastpath, judged.similarity) {
                fastpaths::raise_threshold(tx, id, similarity + THRESHOLD_STEP)?;
            }
            if judged.pattern {
                tx.execute(
                    "INSERT INTO pattern_exemptions (actor, canonical_hash, at) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO NOTHING",
                    params![actor.as_str(), judged.canonical_hash.as_str(), now_ms],
                )?;
            }
        }
    }
    Ok(())
}

/// Adds an observation and lets it count.
pub(super) fn observe(
    tx: &Transaction<'_>,
    turn: &TurnId,
    actor: &ActorId,
    new: &NewObservation,
    decide: &Decide,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let cluster = match &new.cluster {
        Some(cluster) => cluster.clone(),
        None => cluster_before(tx, actor, new)?.unwrap_or_else(|| ClusterId::from(format!("cl_{turn}"))),
    };
    tx.prepare_cached(
        "INSERT INTO observations (turn, actor, intent, intent_hash, cluster, embedder, embedding, plan, plan_hash,
                                   query_specific, tools_sig, pool_sig, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        turn.as_str(),
        actor.as_str(),
        new.intent,
        new.intent_hash.as_str(),
        cluster.as_str(),
        new.embedder,
        new.embedding.as_deref().map(to_bytes),
        to_json(&new.plan)?,
        new.plan_hash.as_str(),
        new.query_specific,
        new.tools_sig,
        new.pool_sig,
        now_ms
    ])?;
    relearn(tx, turn, actor, None, decide, now_ms)
}

fn cluster_before(tx: &Transaction<'_>, actor: &ActorId, new: &NewObservation) -> rusqlite::Result<Option<ClusterId>> {
    tx.prepare_cached(
        "SELECT cluster FROM observations WHERE actor = ?1 AND intent_hash = ?2 AND plan_hash = ?3
         ORDER BY id DESC LIMIT 1",
    )?
    .query_row(
        params![actor.as_str(), new.intent_hash.as_str(), new.plan_hash.as_str()],
        |row| row.get::<_, String>(0).map(ClusterId::from),
    )
    .optional()
}

/// Marks an autopath as used.
pub(super) fn touch(tx: &Transaction<'_>, id: i64, now_ms: i64) -> rusqlite::Result<()> {
    tx.execute("UPDATE autopaths SET last_used = ?2 WHERE id = ?1", params![id, now_ms])
        .map(drop)
}

fn relearn(
    tx: &Transaction<'_>,
    turn: &TurnId,
    actor: &ActorId,
    feedback: Option<Feedback>,
    decide: &Decide,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let subject: Option<(String, String, String)> = tx
        .query_row(
            "SELECT intent_hash, cluster, plan_hash FROM observations WHERE turn = ?1 AND actor = ?2",
            params![turn.as_str(), actor.as_str()],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some((intent_hash, cluster, plan_hash)) = subject else {
        return ban_without_observation(tx, turn, actor, feedback, decide, now_ms);
    };
    let subject = PlanHash::from(plan_hash);
    let standings = standings(tx, actor, &intent_hash, &cluster)?;
    let rulings = decide(&standings, &subject, feedback);
    for ruling in &rulings.plans {
        write_ruling(tx, actor, &intent_hash, &cluster, ruling, now_ms)?;
    }
    write_bans(tx, actor, &intent_hash, &rulings, now_ms)
}

/// A turn that failed left no observation, but ↺ must still exclude its plan.
fn ban_without_observation(
    tx: &Transaction<'_>,
    turn: &TurnId,
    actor: &ActorId,
    feedback: Option<Feedback>,
    decide: &Decide,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let Some(judged) = judged_turn(tx, turn, actor)? else {
        return Ok(());
    };
    let (Some(intent_hash), Some(plan)) = (judged.intent, judged.plan) else {
        return Ok(());
    };
    let rulings = decide(&[], &plan, feedback);
    write_bans(tx, actor, intent_hash.as_str(), &rulings, now_ms)
}

fn standings(
    connection: &Connection,
    actor: &ActorId,
    intent_hash: &str,
    cluster: &str,
) -> rusqlite::Result<Vec<PlanStanding>> {
    let mut statement = connection.prepare_cached(
        "SELECT plan_hash, verdict, query_specific FROM observations
         WHERE actor = ?1 AND intent_hash = ?2 AND cluster = ?3 ORDER BY id",
    )?;
    let mut standings: Vec<PlanStanding> = Vec::new();
    let mut rows = statement.query(params![actor.as_str(), intent_hash, cluster])?;
    while let Some(row) = rows.next()? {
        let hash = PlanHash::from(row.get::<_, String>(0)?);
        let verdict: Option<String> = row.get(1)?;
        let at = match standings.iter().position(|standing| standing.plan_hash == hash) {
            Some(at) => at,
            None => {
                standings.push(PlanStanding {
                    plan_hash: hash,
                    query_specific: false,
                    confirmations: 0,
                    rejections: 0,
                    silent: 0,
                    rejections_in_row: 0,
                    champion: false,
                    active: false,
                });
                standings.len() - 1
            }
        };
        if let Some(standing) = standings.get_mut(at) {
            standing.query_specific = row.get(2)?;
            match verdict.as_deref() {
                Some("confirm") => {
                    standing.confirmations += 1;
                    standing.rejections_in_row = 0;
                }
                Some("reject") => {
                    standing.rejections += 1;
                    standing.rejections_in_row += 1;
                }
                Some(_) => {}
                None => standing.silent += 1,
            }
        }
    }
    let mut paths = connection.prepare_cached(
        "SELECT plan_hash, champion, status FROM autopaths WHERE actor = ?1 AND intent_hash = ?2 AND cluster = ?3",
    )?;
    let mut rows = paths.query(params![actor.as_str(), intent_hash, cluster])?;
    while let Some(row) = rows.next()? {
        let hash: String = row.get(0)?;
        if let Some(standing) = standings
            .iter_mut()
            .find(|standing| standing.plan_hash.as_str() == hash)
        {
            standing.champion = row.get(1)?;
            standing.active = row.get::<_, String>(2)? == "active";
        }
    }
    Ok(standings)
}

fn write_ruling(
    tx: &Transaction<'_>,
    actor: &ActorId,
    intent_hash: &str,
    cluster: &str,
    ruling: &PlanRuling,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let Some(active) = ruling.active else {
        return Ok(());
    };
    // The newest observation of the plan brings its text and the world it was made in.
    tx.execute(
        "INSERT INTO autopaths (actor, intent, intent_hash, cluster, plan, plan_hash, status, champion, successes,
                                failures, confirmations, tools_sig, pool_sig, created_at, last_used)
         SELECT actor, intent, intent_hash, cluster, plan, plan_hash, ?5, ?6, ?7, ?8,
                (SELECT count(*) FROM observations c WHERE c.actor = o.actor AND c.intent_hash = o.intent_hash
                    AND c.cluster = o.cluster AND c.plan_hash = o.plan_hash AND c.verdict = 'confirm'),
                tools_sig, pool_sig, ?9, ?9
         FROM observations o
         WHERE actor = ?1 AND intent_hash = ?2 AND cluster = ?3 AND plan_hash = ?4 ORDER BY id DESC LIMIT 1
         ON CONFLICT (actor, intent_hash, cluster, plan_hash) DO UPDATE SET
            plan = excluded.plan, status = excluded.status, champion = excluded.champion,
            successes = excluded.successes, failures = excluded.failures, confirmations = excluded.confirmations,
            tools_sig = excluded.tools_sig, pool_sig = excluded.pool_sig, last_used = excluded.last_used",
        params![
            actor.as_str(),
            intent_hash,
            cluster,
            ruling.plan_hash.as_str(),
            if active { "active" } else { "demoted" },
            ruling.champion,
            ruling.successes,
            ruling.failures,
            now_ms
        ],
    )
    .map(drop)
}

fn write_bans(
    tx: &Transaction<'_>,
    actor: &ActorId,
    intent_hash: &str,
    rulings: &Rulings,
    now_ms: i64,
) -> rusqlite::Result<()> {
    if let Some(plan) = &rulings.lift {
        tx.execute(
            "DELETE FROM anti_autopaths WHERE actor = ?1 AND intent_hash = ?2 AND plan_hash = ?3",
            params![actor.as_str(), intent_hash, plan.as_str()],
        )?;
    }
    if let Some((plan, seconds)) = &rulings.ban {
        tx.execute(
            "INSERT INTO anti_autopaths (actor, intent_hash, plan_hash, rejections, expires_at)
             VALUES (?1, ?2, ?3, 1, ?4)
             ON CONFLICT (actor, intent_hash, plan_hash) DO UPDATE SET
                rejections = rejections + 1, expires_at = max(expires_at, excluded.expires_at)",
            params![
                actor.as_str(),
                intent_hash,
                plan.as_str(),
                now_ms.saturating_add(seconds.saturating_mul(1_000))
            ],
        )?;
    }
    Ok(())
}
