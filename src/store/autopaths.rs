//! L1 rows: observations of plans that worked, autopaths made of them, and the plans that are banned for a while.
//!
//! Counts are never added to a row: they are counted again from the observations each time, so that the last tap wins
//! and a repeated tap changes nothing. What the counts mean is decided by `engine::autopath`, inside the transaction.

use rusqlite::{OptionalExtension, params};
use serde_json::Value;

pub(super) mod learning;

use learning::{judge_memory, judged_turn, relearn, unjudge_memory};

use super::{Store, StoreError, fastpaths::to_vector, from_json, to_json};
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
    /// The run failed, and its plan was at fault.
    pub failed: bool,
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
    /// Runs that failed through the plan's own fault, and that nobody judged.
    pub failed: u32,
    /// Explicit ✗ since the last explicit ✓; for a plan with values, of the judged request alone.
    pub rejections_in_row: u32,
    /// Failed runs since the last one that went well, counted the same way.
    pub failed_in_row: u32,
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
                                   AND b.canonical_hash = '' AND b.plan_hash = p.plan_hash AND b.expires_at > ?3)
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

    /// The plans a person does not want for this request right now, with their shape as far as it is known: those
    /// banned for every request of the intent, and those banned for this very one.
    pub async fn banned_plans(
        &self,
        actor: &ActorId,
        intent_hash: &IntentHash,
        canonical_hash: &CanonicalHash,
        now_ms: i64,
    ) -> Result<Vec<(PlanHash, Option<String>)>, StoreError> {
        let (actor, intent_hash, canonical_hash) = (actor.clone(), intent_hash.clone(), canonical_hash.clone());
        self.read("banned plans", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT DISTINCT plan_hash,
                                 (SELECT plan_shape FROM turns t WHERE t.actor = b.actor AND t.plan_hash = b.plan_hash
                                  LIMIT 1)
                 FROM anti_autopaths b WHERE actor = ?1 AND intent_hash = ?2 AND canonical_hash IN ('', ?3)
                   AND expires_at > ?4 ORDER BY plan_hash",
            )?;
            let whose = params![actor.as_str(), intent_hash.as_str(), canonical_hash.as_str(), now_ms];
            let rows = statement.query_map(whose, |row| Ok((PlanHash::from(row.get::<_, String>(0)?), row.get(1)?)))?;
            rows.collect()
        })
        .await
    }

    /// Whether a person's last turn of this very request ran this plan and was marked wrong.
    pub async fn was_just_rejected(
        &self,
        actor: &ActorId,
        canonical_hash: &CanonicalHash,
        plan: &PlanHash,
    ) -> Result<bool, StoreError> {
        let (actor, canonical_hash, plan) = (actor.clone(), canonical_hash.clone(), plan.clone());
        self.read("just rejected", move |connection| {
            let last = connection
                .prepare_cached(
                    "SELECT coalesce(plan_hash = ?3 AND feedback = ?4, 0) FROM turns
                     WHERE actor = ?1 AND canonical_hash = ?2 ORDER BY rowid DESC LIMIT 1",
                )?
                .query_row(
                    params![
                        actor.as_str(),
                        canonical_hash.as_str(),
                        plan.as_str(),
                        Feedback::Reject.as_str()
                    ],
                    |row| row.get(0),
                )
                .optional()?;
            Ok(last.unwrap_or(false))
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

    /// Allows again what a person had refused for the request of a turn, plans and pattern; whether there was anything.
    pub async fn lift_bans(&self, turn: &TurnId, actor: &ActorId) -> Result<bool, StoreError> {
        let (turn, actor) = (turn.clone(), actor.clone());
        self.write("lift bans", move |tx| learning::lift_bans(tx, &turn, &actor))
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

    /// Whether a person said of this very plan, with these values, that it was right.
    pub async fn was_confirmed(&self, actor: &ActorId, plan: &Value) -> Result<bool, StoreError> {
        let (actor, plan) = (actor.clone(), plan.clone());
        self.read("was confirmed", move |connection| {
            connection
                .prepare_cached("SELECT 1 FROM observations WHERE actor = ?1 AND plan = ?2 AND verdict = ?3")?
                .exists(params![actor.as_str(), to_json(&plan)?, Feedback::Confirm.as_str()])
        })
        .await
    }

    /// Takes a tap back, unless a later one counts: the turn stands as if nobody had judged it. What ✗ made it forget
    /// is not brought back; the next success is remembered again.
    pub async fn withdraw_feedback(
        &self,
        turn: &TurnId,
        actor: &ActorId,
        feedback: Feedback,
        decide: std::sync::Arc<Decide>,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let (turn, actor) = (turn.clone(), actor.clone());
        let withdrawn = self.write("withdraw feedback", move |tx| {
            let Some(judged) = judged_turn(tx, &turn, &actor)? else {
                return Ok(());
            };
            if judged.feedback.as_deref() != Some(feedback.as_str()) {
                return Ok(());
            }
            tx.execute("UPDATE turns SET feedback = NULL WHERE id = ?1", [turn.as_str()])?;
            tx.execute(
                "UPDATE observations SET verdict = NULL WHERE turn = ?1",
                [turn.as_str()],
            )?;
            unjudge_memory(tx, &judged, &actor, feedback)?;
            relearn(tx, &turn, &actor, None, &*decide, now_ms)
        });
        withdrawn.await?;
        self.memory_changed();
        Ok(())
    }
}
