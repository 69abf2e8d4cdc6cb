//! What there is to tell in the morning, as rows: what memory learned, what was asked in vain, what failed. Read by
//! `nights::digest`; a web page would read the same. `None` for a person means the whole household.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, outbox, outbox::Callback, outbox::NewParcel, removals};
use crate::domain::{ids::ActorId, message::Message, outcome::FinalKind, removal::Reason, task::RunState};

/// A plan of L1 that took its place.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedRow {
    /// Its number.
    pub id: i64,
    /// Whose.
    pub actor: ActorId,
    /// A request it answers, in the person's words.
    pub request: String,
    /// Milliseconds such a request took while a plan had to be written; `None` when that was never measured.
    pub planned_ms: Option<f64>,
    /// Milliseconds one takes from memory; `None` while none was.
    pub remembered_ms: Option<f64>,
    /// Requests answered with this plan.
    pub uses: u32,
    /// Those of them that memory answered.
    pub from_memory: u32,
}

/// A request that memory answers from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedRow {
    /// In the person's words.
    pub request: String,
    /// How often memory answered it since.
    pub uses: u32,
}

/// An answer by rule that somebody said was wrong; the rule is silent for those words since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputedRow {
    /// In their words.
    pub request: String,
    /// What they are called.
    pub who: String,
}

/// How often a person is told, and until when nothing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rhythm {
    /// Every morning with news.
    Daily,
    /// Once a week.
    Weekly,
    /// Only when asked.
    Off,
}

impl Rhythm {
    /// The name in rows and commands.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Off => "off",
        }
    }

    /// The one of such a name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Daily, Self::Weekly, Self::Off]
            .into_iter()
            .find(|rhythm| rhythm.as_str() == name)
    }
}

/// Something that was asked in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedRow {
    /// The request, cut.
    pub request: String,
    /// Class of the failure.
    pub error_class: String,
    /// How often it was asked.
    pub times: u32,
    /// How many people asked it.
    pub people: u32,
    /// Somebody asked for it to be learned.
    pub wanted: bool,
    /// When it was asked first, in milliseconds since 1970.
    pub first_ms: i64,
}

/// Requests that could not be finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRow {
    /// How they ended.
    pub ended: String,
    /// The last of them.
    pub request: String,
    /// How many.
    pub times: u32,
}

/// A job or a task that did not work.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenRow {
    /// What it is called.
    pub name: String,
    /// How often, in this time.
    pub times: u32,
    /// What it said the last time.
    pub why: Option<Message>,
}

/// What became of a learned plan that somebody decided on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// As they said.
    Done,
    /// They had said so before.
    Already,
    /// There is no such plan any more, or it is not theirs.
    Gone,
}

impl Store {
    /// Plans of L1 that took their place since then and that nobody decided on.
    pub async fn learned(&self, actor: Option<&ActorId>, since_ms: i64) -> Result<Vec<LearnedRow>, StoreError> {
        let actor = actor.cloned();
        self.read("learned plans", move |connection| {
            connection
                .prepare(
                    "WITH learned AS (
                        SELECT p.id, p.actor, p.intent_hash, p.plan_hash,
                               (SELECT t.request FROM observations o JOIN turns t ON t.id = o.turn
                                WHERE o.actor = p.actor AND o.intent_hash = p.intent_hash AND o.cluster = p.cluster
                                  AND o.plan_hash = p.plan_hash ORDER BY o.id DESC LIMIT 1) AS request
                        FROM autopaths p
                        WHERE p.status = 'active' AND p.champion = 1 AND p.kept_at IS NULL AND p.created_at >= ?1
                          AND (?2 IS NULL OR p.actor = ?2))
                     SELECT l.id, l.actor, l.request,
                            avg(t.ended_at - t.started_at) FILTER (WHERE t.answered_by NOT LIKE 'fastpath%'
                                                                     AND t.answered_by <> 'autopath'),
                            avg(t.ended_at - t.started_at) FILTER (WHERE t.answered_by LIKE 'fastpath%'
                                                                      OR t.answered_by = 'autopath'),
                            count(t.id),
                            count(t.id) FILTER (WHERE t.answered_by LIKE 'fastpath%' OR t.answered_by = 'autopath')
                     FROM learned l LEFT JOIN turns t
                       ON t.actor = l.actor AND t.plan_hash = l.plan_hash AND t.intent_hash = l.intent_hash
                     WHERE l.request IS NOT NULL
                     GROUP BY l.id ORDER BY count(t.id) DESC, l.id",
                )?
                .query_map(params![since_ms, actor.as_ref().map(ActorId::as_str)], |row| {
                    Ok(LearnedRow {
                        id: row.get(0)?,
                        actor: ActorId::from(row.get::<_, String>(1)?),
                        request: row.get(2)?,
                        planned_ms: row.get(3)?,
                        remembered_ms: row.get(4)?,
                        uses: row.get(5)?,
                        from_memory: row.get(6)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Requests that are remembered since then, the most used first.
    pub async fn remembered(&self, actor: Option<&ActorId>, since_ms: i64) -> Result<Vec<RememberedRow>, StoreError> {
        let actor = actor.cloned();
        self.read("remembered requests", move |connection| {
            connection
                .prepare(
                    "SELECT coalesce((SELECT t.request FROM turns t
                                      WHERE t.actor = f.actor AND t.canonical_hash = f.canonical_hash
                                      ORDER BY t.ended_at DESC LIMIT 1), f.canonical_text), f.n_uses
                     FROM fastpaths f WHERE f.created_at >= ?1 AND (?2 IS NULL OR f.actor = ?2)
                     ORDER BY f.n_uses DESC, f.id",
                )?
                .query_map(params![since_ms, actor.as_ref().map(ActorId::as_str)], |row| {
                    Ok(RememberedRow {
                        request: row.get(0)?,
                        uses: row.get(1)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Answers by rule that somebody said were wrong since then, the newest first.
    pub async fn disputed(&self, actor: Option<&ActorId>, since_ms: i64) -> Result<Vec<DisputedRow>, StoreError> {
        let actor = actor.cloned();
        self.read("disputed answers", move |connection| {
            connection
                .prepare(
                    "SELECT (SELECT t.request FROM turns t WHERE t.actor = e.actor
                               AND t.canonical_hash = e.canonical_hash ORDER BY t.ended_at DESC LIMIT 1), a.name
                     FROM pattern_exemptions e JOIN actors a ON a.id = e.actor
                     WHERE e.at >= ?1 AND (?2 IS NULL OR e.actor = ?2) ORDER BY e.at DESC",
                )?
                .query_map(params![since_ms, actor.as_ref().map(ActorId::as_str)], |row| {
                    Ok(DisputedRow {
                        request: row.get::<_, Option<String>>(0)?.unwrap_or_default(),
                        who: row.get(1)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// What was asked in vain for the first time since then, most frequent first.
    pub async fn newly_wanted(
        &self,
        actor: Option<&ActorId>,
        since_ms: i64,
        limit: usize,
    ) -> Result<Vec<WantedRow>, StoreError> {
        let all = self.wanted(actor, since_ms, usize::MAX).await?;
        Ok(all
            .into_iter()
            .filter(|row| row.first_ms >= since_ms)
            .take(limit)
            .collect())
    }

    /// How often a person wants to be told.
    pub async fn digest_rhythm(&self, actor: &ActorId) -> Result<Rhythm, StoreError> {
        let actor = actor.clone();
        self.read("digest rhythm", move |connection| {
            let named: Option<String> = connection
                .query_row("SELECT rhythm FROM digests WHERE actor = ?1", [actor.as_str()], |row| {
                    row.get(0)
                })
                .optional()?;
            Ok(named.and_then(|name| Rhythm::parse(&name)).unwrap_or(Rhythm::Daily))
        })
        .await
    }

    /// From now on a person is told this often.
    pub async fn set_digest_rhythm(&self, actor: &ActorId, rhythm: Rhythm, now_ms: i64) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("set digest rhythm", move |tx| {
            tx.execute(
                "INSERT INTO digests (actor, told_at, rhythm) VALUES (?1, ?2, ?3)
                 ON CONFLICT (actor) DO UPDATE SET rhythm = ?3",
                params![actor.as_str(), now_ms, rhythm.as_str()],
            )
            .map(drop)
        })
        .await
    }

    /// What was asked in vain since then, most frequent first. The same words of several people are one row.
    pub async fn wanted(
        &self,
        actor: Option<&ActorId>,
        since_ms: i64,
        limit: usize,
    ) -> Result<Vec<WantedRow>, StoreError> {
        let actor = actor.cloned();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read("wanted", move |connection| {
            connection
                .prepare(
                    "SELECT request, min(error_class), sum(n_seen), count(DISTINCT actor), max(wanted), min(first_seen)
                     FROM gaps
                     WHERE last_seen >= ?1 AND (?2 IS NULL OR actor = ?2)
                     GROUP BY lower(request)
                     ORDER BY sum(n_seen) DESC, max(last_seen) DESC, request LIMIT ?3",
                )?
                .query_map(params![since_ms, actor.as_ref().map(ActorId::as_str), limit], |row| {
                    Ok(WantedRow {
                        request: row.get(0)?,
                        error_class: row.get(1)?,
                        times: row.get(2)?,
                        people: row.get(3)?,
                        wanted: row.get(4)?,
                        first_ms: row.get(5)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Requests since then that a cap, a loop or something out of order ended.
    pub async fn failed(&self, actor: Option<&ActorId>, since_ms: i64) -> Result<Vec<FailedRow>, StoreError> {
        let actor = actor.cloned();
        self.read("failed turns", move |connection| {
            // The columns beside max() are those of the row that holds it.
            connection
                .prepare(
                    "SELECT final_kind, request, count(*), max(rowid) FROM turns
                     WHERE ended_at >= ?1 AND (?2 IS NULL OR actor = ?2) AND final_kind IN (?3, ?4, ?5, ?6)
                     GROUP BY final_kind ORDER BY count(*) DESC, final_kind",
                )?
                .query_map(
                    params![
                        since_ms,
                        actor.as_ref().map(ActorId::as_str),
                        FinalKind::Error.as_str(),
                        FinalKind::LoopBreak.as_str(),
                        FinalKind::CapSteps.as_str(),
                        FinalKind::CapSameExecutor.as_str()
                    ],
                    |row| {
                        Ok(FailedRow {
                            ended: row.get(0)?,
                            request: row.get(1)?,
                            times: row.get(2)?,
                        })
                    },
                )?
                .collect()
        })
        .await
    }

    /// Jobs and tasks that did not work since then, the most often first. A job that the process died in is no news: it
    /// ran again.
    pub async fn broken(&self, actor: Option<&ActorId>, since_ms: i64) -> Result<Vec<BrokenRow>, StoreError> {
        let actor = actor.cloned();
        self.read("what did not work", move |connection| {
            // The columns beside max() are those of the row that holds it.
            connection
                .prepare(
                    "SELECT unsealed(name), count(*), outcome, max(rowid) FROM task_runs
                     WHERE started_at >= ?1 AND (?2 IS NULL OR actor = ?2) AND state IN (?3, ?4)
                     GROUP BY task ORDER BY count(*) DESC, task",
                )?
                .query_map(
                    params![
                        since_ms,
                        actor.as_ref().map(ActorId::as_str),
                        RunState::Failed.as_str(),
                        RunState::TimedOut.as_str()
                    ],
                    |row| {
                        let why: Option<String> = row.get(2)?;
                        Ok(BrokenRow {
                            name: row.get(0)?,
                            times: row.get(1)?,
                            why: why.and_then(|why| serde_json::from_str(&why).ok()),
                        })
                    },
                )?
                .collect()
        })
        .await
    }

    /// When a person was told last; `None` for never.
    pub async fn digest_told(&self, actor: &ActorId) -> Result<Option<i64>, StoreError> {
        let actor = actor.clone();
        self.read("digest told", move |connection| {
            connection
                .query_row(
                    "SELECT told_at FROM digests WHERE actor = ?1",
                    [actor.as_str()],
                    |row| row.get(0),
                )
                .optional()
        })
        .await
    }

    /// Notes that a person is told, and puts what is said into the outbox: both or nothing, and once for that moment.
    pub async fn tell_digest(
        &self,
        actor: &ActorId,
        parcels: Vec<NewParcel>,
        callbacks: Vec<Callback>,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let actor = actor.clone();
        self.write("tell the digest", move |tx| {
            let told = tx.execute(
                "INSERT INTO digests (actor, told_at) VALUES (?1, ?2)
                 ON CONFLICT (actor) DO UPDATE SET told_at = ?2 WHERE told_at < ?2",
                params![actor.as_str(), now_ms],
            )?;
            if told == 0 {
                return Ok(false);
            }
            for callback in &callbacks {
                outbox::add_callback(tx, callback, now_ms)?;
            }
            for parcel in &parcels {
                outbox::add(tx, parcel, Some(&actor), now_ms)?;
            }
            Ok(true)
        })
        .await
    }

    /// A learned plan stays, and is not told again. `None` decides for everybody's.
    pub async fn keep_learned(&self, actor: Option<&ActorId>, id: i64, now_ms: i64) -> Result<Decided, StoreError> {
        let actor = actor.cloned();
        self.write("keep what was learned", move |tx| {
            let kept = learned(tx, actor.as_ref(), id)?;
            match kept {
                None => Ok(Decided::Gone),
                Some(true) => Ok(Decided::Already),
                Some(false) => {
                    tx.execute("UPDATE autopaths SET kept_at = ?2 WHERE id = ?1", params![id, now_ms])?;
                    Ok(Decided::Done)
                }
            }
        })
        .await
    }

    /// Whether somebody said of a learned plan that it stays.
    pub async fn is_kept(&self, id: i64) -> Result<bool, StoreError> {
        self.read("is kept", move |connection| {
            connection
                .prepare_cached("SELECT 1 FROM autopaths WHERE id = ?1 AND kept_at IS NOT NULL")?
                .exists([id])
        })
        .await
    }

    /// A learned plan is unlearned: it goes, and what spoke for it speaks for it no more. `None`: of everybody's.
    pub async fn undo_learned(&self, actor: Option<&ActorId>, id: i64, now_ms: i64) -> Result<Decided, StoreError> {
        let actor = actor.cloned();
        let undone = self.write("undo what was learned", move |tx| {
            if learned(tx, actor.as_ref(), id)?.is_none() {
                return Ok(Decided::Gone);
            }
            tx.execute(
                "UPDATE observations SET verdict = 'undone'
                 WHERE (actor, intent_hash, cluster, plan_hash) =
                       (SELECT actor, intent_hash, cluster, plan_hash FROM autopaths WHERE id = ?1)",
                [id],
            )?;
            removals::autopath(tx, id, Reason::Rejected, None, now_ms)?;
            Ok(Decided::Done)
        });
        let undone = undone.await?;
        self.memory_changed();
        Ok(undone)
    }
}

/// Whether such a plan was kept by hand; `None` where there is none of this person.
fn learned(tx: &Transaction<'_>, actor: Option<&ActorId>, id: i64) -> rusqlite::Result<Option<bool>> {
    tx.query_row(
        "SELECT kept_at IS NOT NULL FROM autopaths WHERE id = ?1 AND (?2 IS NULL OR actor = ?2)",
        params![id, actor.map(ActorId::as_str)],
        |row| row.get(0),
    )
    .optional()
}
