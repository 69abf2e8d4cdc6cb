//! What follows from an observation or a tap: counts are made anew, `engine::autopath` decides what they mean, and its
//! rulings are written, all inside the caller's transaction. Used by `store::autopaths` and the end of a turn.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::{
    domain::{
        feedback::Feedback,
        ids::{ActorId, CanonicalHash, ClusterId, IntentHash, PlanHash, TurnId},
        limits::EVIDENCE_COUNTS_FOR,
    },
    store::{
        autopaths::{Decide, NewObservation, PlanRuling, PlanStanding, Rulings},
        fastpaths::{self, to_bytes},
        to_json,
    },
};

/// A turn that was judged.
pub(super) struct Judged {
    pub(super) request: String,
    pub(super) canonical_hash: CanonicalHash,
    pub(super) intent: Option<IntentHash>,
    pub(super) plan: Option<PlanHash>,
    pub(super) pattern: bool,
    pub(super) fastpath: Option<i64>,
    pub(super) similarity: Option<f64>,
    pub(super) feedback: Option<String>,
}

/// A person's own turn.
pub(super) fn judged_turn(tx: &Transaction<'_>, turn: &TurnId, actor: &ActorId) -> rusqlite::Result<Option<Judged>> {
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

/// What a tap does to L0 and the patterns.
pub(super) fn judge_memory(
    tx: &Transaction<'_>,
    judged: &Judged,
    actor: &ActorId,
    feedback: Feedback,
    now_ms: i64,
) -> rusqlite::Result<()> {
    match feedback {
        Feedback::Confirm => {
            // Praise for another layer's answer does not bring the pattern back.
            if judged.pattern {
                tx.execute(
                    "DELETE FROM pattern_exemptions WHERE actor = ?1 AND canonical_hash = ?2",
                    params![actor.as_str(), judged.canonical_hash.as_str()],
                )?;
            }
        }
        Feedback::Reject | Feedback::Retry => {
            fastpaths::forget(tx, actor, &judged.canonical_hash, now_ms)?;
            match (judged.fastpath, judged.similarity) {
                (Some(id), Some(similarity)) => fastpaths::raise_threshold(tx, id, similarity + THRESHOLD_STEP)?,
                (Some(id), None) => fastpaths::forget_slots(tx, id)?,
                (None, _) => {}
            }
            if judged.pattern && feedback == Feedback::Reject {
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

/// What taking a tap back does: a pattern speaks again, and the plan's ban goes.
pub(super) fn unjudge_memory(
    tx: &Transaction<'_>,
    judged: &Judged,
    actor: &ActorId,
    feedback: Feedback,
) -> rusqlite::Result<()> {
    if feedback == Feedback::Confirm {
        return Ok(());
    }
    let request = judged.canonical_hash.as_str();
    if judged.pattern {
        tx.execute(
            "DELETE FROM pattern_exemptions WHERE actor = ?1 AND canonical_hash = ?2",
            params![actor.as_str(), request],
        )?;
    }
    if let (Some(intent), Some(plan)) = (&judged.intent, &judged.plan) {
        tx.execute(
            "DELETE FROM anti_autopaths
             WHERE actor = ?1 AND intent_hash = ?2 AND canonical_hash IN ('', ?3) AND plan_hash = ?4",
            params![actor.as_str(), intent.as_str(), request, plan.as_str()],
        )?;
    }
    Ok(())
}

/// Everything that was refused for the request of this turn is allowed again.
pub(super) fn lift_bans(tx: &Transaction<'_>, turn: &TurnId, actor: &ActorId) -> rusqlite::Result<bool> {
    let Some(judged) = judged_turn(tx, turn, actor)? else {
        return Ok(false);
    };
    let request = judged.canonical_hash.as_str();
    let pattern = tx.execute(
        "DELETE FROM pattern_exemptions WHERE actor = ?1 AND canonical_hash = ?2",
        params![actor.as_str(), request],
    )?;
    let Some(intent) = &judged.intent else {
        return Ok(pattern > 0);
    };
    let plans = tx.execute(
        "DELETE FROM anti_autopaths WHERE actor = ?1 AND intent_hash = ?2 AND canonical_hash IN ('', ?3)",
        params![actor.as_str(), intent.as_str(), request],
    )?;
    Ok(pattern + plans > 0)
}

/// Adds an observation and lets it count.
pub(in crate::store) fn observe(
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
                                   query_specific, tools_sig, pool_sig, at, failed, latency_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
                 (SELECT ended_at - started_at FROM turns WHERE id = ?1))",
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
        now_ms,
        new.failed
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
pub(in crate::store) fn touch(tx: &Transaction<'_>, id: i64, now_ms: i64) -> rusqlite::Result<()> {
    tx.execute("UPDATE autopaths SET last_used = ?2 WHERE id = ?1", params![id, now_ms])
        .map(drop)
}

/// Counts anew what is known about the turn's plan, and carries out what follows.
pub(super) fn relearn(
    tx: &Transaction<'_>,
    turn: &TurnId,
    actor: &ActorId,
    feedback: Option<Feedback>,
    decide: &Decide,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let subject: Option<(String, String, String, bool, String)> = tx
        .query_row(
            "SELECT o.intent_hash, o.cluster, o.plan_hash, o.query_specific, t.canonical_hash
             FROM observations o JOIN turns t ON t.id = o.turn WHERE o.turn = ?1 AND o.actor = ?2",
            params![turn.as_str(), actor.as_str()],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
        )
        .optional()?;
    let Some((intent_hash, cluster, plan_hash, query_specific, canonical_hash)) = subject else {
        return ban_without_observation(tx, turn, actor, feedback, decide, now_ms);
    };
    let subject = PlanHash::from(plan_hash);
    let canonical_hash = CanonicalHash::from(canonical_hash);
    let place = Place {
        actor,
        intent_hash: &intent_hash,
        cluster: &cluster,
    };
    let evidence_ms = i64::try_from(EVIDENCE_COUNTS_FOR.as_millis()).unwrap_or(i64::MAX);
    let standings = standings(tx, &place, &canonical_hash, now_ms.saturating_sub(evidence_ms))?;
    let rulings = decide(&standings, &subject, feedback);
    for ruling in &rulings.plans {
        write_ruling(tx, actor, &intent_hash, &cluster, ruling, now_ms)?;
    }
    let ban = Ban {
        intent_hash: &intent_hash,
        canonical_hash: &canonical_hash,
        this_request_only: query_specific,
    };
    write_bans(tx, actor, &ban, &rulings, now_ms)
}

/// What a ban is for.
struct Ban<'a> {
    intent_hash: &'a str,
    canonical_hash: &'a CanonicalHash,
    /// The plan carries values of its request: the same shape with other values is another plan.
    this_request_only: bool,
}

/// A turn that failed left no observation, but ↺ must still exclude its plan: for that request, since nothing says
/// that the plan is free of its values.
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
    let ban = Ban {
        intent_hash: intent_hash.as_str(),
        canonical_hash: &judged.canonical_hash,
        this_request_only: true,
    };
    write_bans(tx, actor, &ban, &rulings, now_ms)
}

/// Every contest with today's evidence. Nothing was used by that: the age of a plan stays what it is.
pub(in crate::store) fn contest_again(tx: &Transaction<'_>, since_ms: i64, decide: &Decide) -> rusqlite::Result<()> {
    let contests: Vec<(String, String, String)> = tx
        .prepare("SELECT DISTINCT actor, intent_hash, cluster FROM autopaths")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let nobody = PlanHash::from("");
    for (actor, intent_hash, cluster) in contests {
        let place = Place {
            actor: &ActorId::from(actor),
            intent_hash: &intent_hash,
            cluster: &cluster,
        };
        let mut standings = standings(tx, &place, &CanonicalHash::from(""), since_ms)?;
        standings.extend(without_evidence(tx, &place, &standings)?);
        for ruling in decide(&standings, &nobody, None).plans {
            tx.prepare_cached(
                "UPDATE autopaths SET status = ?5, champion = ?6, successes = ?7, failures = ?8
                 WHERE actor = ?1 AND intent_hash = ?2 AND cluster = ?3 AND plan_hash = ?4",
            )?
            .execute(params![
                place.actor.as_str(),
                place.intent_hash,
                place.cluster,
                ruling.plan_hash.as_str(),
                status(ruling.active == Some(true)),
                ruling.champion,
                ruling.successes,
                ruling.failures
            ])?;
        }
    }
    Ok(())
}

/// Plans of a place that nothing speaks for any more.
fn without_evidence(
    tx: &Transaction<'_>,
    place: &Place<'_>,
    standings: &[PlanStanding],
) -> rusqlite::Result<Vec<PlanStanding>> {
    let mut all: Vec<PlanStanding> = tx
        .prepare_cached("SELECT plan_hash FROM autopaths WHERE actor = ?1 AND intent_hash = ?2 AND cluster = ?3")?
        .query_map(params![place.actor.as_str(), place.intent_hash, place.cluster], |row| {
            row.get::<_, String>(0).map(|hash| unknown(PlanHash::from(hash)))
        })?
        .collect::<rusqlite::Result<_>>()?;
    all.retain(|plan| standings.iter().all(|other| other.plan_hash != plan.plan_hash));
    Ok(all)
}

/// One contest: whose, for which intent, among which requests.
struct Place<'a> {
    actor: &'a ActorId,
    intent_hash: &'a str,
    cluster: &'a str,
}

/// A plan of which nothing is known yet.
fn unknown(plan_hash: PlanHash) -> PlanStanding {
    PlanStanding {
        plan_hash,
        query_specific: false,
        confirmations: 0,
        rejections: 0,
        silent: 0,
        failed: 0,
        rejections_in_row: 0,
        failed_in_row: 0,
        champion: false,
        active: false,
    }
}

/// What one more observation says; `in_row` when it is about the request that is judged.
fn count(standing: &mut PlanStanding, verdict: Option<&str>, failed: bool, in_row: bool) {
    match (verdict, failed) {
        (Some("confirm"), _) => {
            standing.confirmations += 1;
            if in_row {
                standing.rejections_in_row = 0;
                standing.failed_in_row = 0;
            }
        }
        (Some("reject"), _) => {
            standing.rejections += 1;
            standing.rejections_in_row += u32::from(in_row);
        }
        (Some(_), _) => {}
        (None, true) => {
            standing.failed += 1;
            standing.failed_in_row += u32::from(in_row);
        }
        (None, false) => {
            standing.silent += 1;
            if in_row {
                standing.failed_in_row = 0;
            }
        }
    }
}

fn standings(
    connection: &Connection,
    place: &Place<'_>,
    judged: &CanonicalHash,
    since_ms: i64,
) -> rusqlite::Result<Vec<PlanStanding>> {
    let mut statement = connection.prepare_cached(
        "SELECT o.plan_hash, o.verdict, o.query_specific, t.canonical_hash, o.failed
         FROM observations o LEFT JOIN turns t ON t.id = o.turn
         WHERE o.actor = ?1 AND o.intent_hash = ?2 AND o.cluster = ?3 AND o.at >= ?4 ORDER BY o.id",
    )?;
    let mut standings: Vec<PlanStanding> = Vec::new();
    let mut rows = statement.query(params![
        place.actor.as_str(),
        place.intent_hash,
        place.cluster,
        since_ms
    ])?;
    while let Some(row) = rows.next()? {
        let hash = PlanHash::from(row.get::<_, String>(0)?);
        let verdict: Option<String> = row.get(1)?;
        let at = match standings.iter().position(|standing| standing.plan_hash == hash) {
            Some(at) => at,
            None => {
                standings.push(unknown(hash));
                standings.len() - 1
            }
        };
        if let Some(standing) = standings.get_mut(at) {
            standing.query_specific = row.get(2)?;
            let request: Option<String> = row.get(3)?;
            let in_row = !standing.query_specific || request.as_deref() == Some(judged.as_str());
            count(standing, verdict.as_deref(), row.get(4)?, in_row);
        }
    }
    let mut paths = connection.prepare_cached(
        "SELECT plan_hash, champion, status FROM autopaths WHERE actor = ?1 AND intent_hash = ?2 AND cluster = ?3",
    )?;
    let mut rows = paths.query(params![place.actor.as_str(), place.intent_hash, place.cluster])?;
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
         WHERE actor = ?1 AND intent_hash = ?2 AND cluster = ?3 AND plan_hash = ?4 AND failed = 0
         ORDER BY id DESC LIMIT 1
         ON CONFLICT (actor, intent_hash, cluster, plan_hash) DO UPDATE SET
            plan = excluded.plan, status = excluded.status, champion = excluded.champion,
            successes = excluded.successes, failures = excluded.failures, confirmations = excluded.confirmations,
            tools_sig = excluded.tools_sig, pool_sig = excluded.pool_sig, last_used = excluded.last_used",
        params![
            actor.as_str(),
            intent_hash,
            cluster,
            ruling.plan_hash.as_str(),
            status(active),
            ruling.champion,
            ruling.successes,
            ruling.failures,
            now_ms
        ],
    )
    .map(drop)
}

fn status(is_active: bool) -> &'static str {
    if is_active { "active" } else { "demoted" }
}

fn write_bans(
    tx: &Transaction<'_>,
    actor: &ActorId,
    ban: &Ban<'_>,
    rulings: &Rulings,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let request = ban.canonical_hash.as_str();
    if let Some(plan) = &rulings.lift {
        tx.execute(
            "DELETE FROM anti_autopaths
             WHERE actor = ?1 AND intent_hash = ?2 AND canonical_hash IN ('', ?3) AND plan_hash = ?4",
            params![actor.as_str(), ban.intent_hash, request, plan.as_str()],
        )?;
    }
    if let Some((plan, seconds)) = &rulings.ban {
        tx.execute(
            "INSERT INTO anti_autopaths (actor, intent_hash, canonical_hash, plan_hash, rejections, expires_at)
             VALUES (?1, ?2, ?3, ?4, 1, ?5)
             ON CONFLICT (actor, intent_hash, canonical_hash, plan_hash) DO UPDATE SET
                rejections = rejections + 1, expires_at = max(expires_at, excluded.expires_at)",
            params![
                actor.as_str(),
                ban.intent_hash,
                if ban.this_request_only { request } else { "" },
                plan.as_str(),
                now_ms.saturating_add(seconds.saturating_mul(1_000))
            ],
        )?;
    }
    Ok(())
}
