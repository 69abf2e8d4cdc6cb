//! The end of a turn: one transaction with everything that follows from it. Either the turn happened, with its memory,
//! its answer and its gap, or nothing of it did.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use super::{
    Store, StoreError,
    autopaths::{self, Decide, NewObservation},
    dialogs::{self, Dialog},
    fastpaths::{self, NewFastpath},
    gaps, inbox,
    offers::{self, Offer},
    outbox::{self, Callback, NewParcel},
    passages::{self, NewPassage},
    people,
    tasks::firing::{self, RunEnd},
};
use crate::domain::{
    dialogue::{Dialogue, Listed},
    feedback::Feedback,
    ids::{
        ActorId, CanonicalHash, ChannelKind, ConversationId, DialogId, ExecutorName, InboxId, IntentHash, PlanHash,
        TurnId,
    },
    limits::FAILURES_PASSED_MAX,
    outcome::{AnsweredBy, FinalKind, Gap},
};

/// The row of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnRow {
    /// Which turn.
    pub id: TurnId,
    /// Whose.
    pub actor: ActorId,
    /// Through which channel.
    pub channel: ChannelKind,
    /// In which conversation.
    pub conversation: ConversationId,
    /// The request, secrets already taken out.
    pub request: String,
    /// Its words were typed to us.
    pub is_typed: bool,
    /// Of its canonical form.
    pub canonical_hash: CanonicalHash,
    /// Milliseconds since 1970.
    pub started_ms: i64,
    /// Milliseconds since 1970.
    pub ended_ms: i64,
    /// The layer.
    pub answered_by: AnsweredBy,
    /// How it ended.
    pub final_kind: FinalKind,
    /// What was understood.
    pub intent: Option<IntentHash>,
    /// The plan that ran, and its shape in words.
    pub plan: Option<(PlanHash, String)>,
    /// Chat completions.
    pub model_calls: u32,
    /// The fastpath of another request that served it, with the similarity where cosine found it.
    pub stand_in: Option<(i64, Option<f64>)>,
    /// The things its answer listed. A request about one of those keeps the list.
    pub listed: Option<Listed>,
    /// The things it made, changed or told of.
    pub touched: Option<Listed>,
}

/// What somebody asked last, and saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRequest {
    /// The turn that answered it.
    pub turn: TurnId,
    /// The request, its secrets blanked out.
    pub text: String,
    /// What it showed and touched, or one before that it spoke of.
    pub dialogue: Dialogue,
}

/// What memory gains from a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lessons {
    /// A fastpath that served.
    pub fastpath_used: Option<i64>,
    /// An autopath that served.
    pub autopath_used: Option<i64>,
    /// A plan that worked.
    pub observation: Option<NewObservation>,
    /// A request to answer from memory next time.
    pub fastpath: Option<NewFastpath>,
    /// What could not be done.
    pub gap: Option<Gap>,
    /// A plan that was shown first, was said yes to, and went well.
    pub accepted: Option<Offer>,
    /// The executors that ran.
    pub uses: Vec<ToolUse>,
    /// Which of them fed which, and what was missing after one.
    pub passages: Vec<NewPassage>,
}

/// One call of an executor, as it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUse {
    /// Which.
    pub tool: ExecutorName,
    /// Whether anything of what was asked happened.
    pub is_ok: bool,
}

impl Lessons {
    /// Only what is counted: nothing that could answer a later request.
    #[must_use]
    pub fn without_memory(self) -> Self {
        Self {
            observation: None,
            fastpath: None,
            accepted: None,
            ..self
        }
    }
}

/// Everything the end of a turn writes.
pub struct TurnEnd {
    /// The message it answers; `None` for a turn nobody sent, such as a test's.
    pub inbox: Option<InboxId>,
    /// The turn itself; `None` when no turn ran (a command, an unpaired sender).
    pub turn: Option<TurnRow>,
    /// For memory.
    pub lessons: Lessons,
    /// How many fastpaths a person may have.
    pub fastpath_max: usize,
    /// What observations mean.
    pub decide: Arc<Decide>,
    /// A question that now waits.
    pub dialog: Option<Dialog>,
    /// A question that is now answered.
    pub dialog_done: Option<DialogId>,
    /// Buttons.
    pub callbacks: Vec<Callback>,
    /// Answers.
    pub parcels: Vec<NewParcel>,
    /// What somebody else is asked because of it.
    pub for_others: Vec<(ActorId, NewParcel)>,
    /// The firing of a task it was, which is over with it.
    pub run: Option<RunEnd>,
    /// Milliseconds since 1970.
    pub now_ms: i64,
}

/// How a turn was answered, for those who want to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnTrace {
    /// The layer's name.
    pub answered_by: String,
    /// Chat completions.
    pub model_calls: u32,
    /// From its start to its end, in milliseconds.
    pub took_ms: i64,
}

/// Counts for the status answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Turns of this person.
    pub turns: u64,
    /// Turns answered from memory.
    pub from_memory: u64,
    /// Fastpaths.
    pub fastpaths: u64,
    /// Autopaths in force.
    pub autopaths: u64,
}

/// What a turn was asked, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastRequest {
    /// The request, its secrets blanked out.
    pub text: String,
    /// The plan that answered it; `None` when there was none.
    pub plan: Option<PlanHash>,
    /// Something was out of order, such as the model.
    pub was_out_of_order: bool,
    /// Its words were typed to us.
    pub was_typed: bool,
}

impl Store {
    /// Commits the end of a turn; `false` when its person was locked out meanwhile, and nothing of it is kept.
    pub async fn end_turn(&self, end: TurnEnd) -> Result<bool, StoreError> {
        let teaches = end.lessons.fastpath.is_some();
        let asks_until_ms = end.dialog.as_ref().map(|dialog| dialog.expires_ms);
        let (is_run, now_ms) = (end.run.is_some(), end.now_ms);
        let ended = self.write("end turn", move |tx| {
            if let Some(turn) = &end.turn
                && !people::is_let_in(tx, &turn.actor)?
            {
                if let Some(inbox) = end.inbox {
                    inbox::finish(tx, inbox)?;
                }
                return Ok(false);
            }
            if let Some(turn) = &end.turn {
                add_turn(tx, turn)?;
                learn(tx, turn, &end)?;
            }
            if let Some(dialog) = &end.dialog {
                dialogs::add(tx, dialog)?;
            }
            if let Some(dialog) = &end.dialog_done {
                dialogs::finish(tx, dialog)?;
            }
            for callback in &end.callbacks {
                outbox::add_callback(tx, callback, end.now_ms)?;
            }
            let owner = match (&end.turn, end.inbox) {
                (Some(turn), _) => Some(turn.actor.clone()),
                (None, Some(inbox)) => inbox::owner(tx, inbox)?,
                (None, None) => None,
            };
            for parcel in &end.parcels {
                outbox::add(tx, parcel, owner.as_ref(), end.now_ms)?;
            }
            for (whom, parcel) in &end.for_others {
                outbox::add(tx, parcel, Some(whom), end.now_ms)?;
            }
            if let Some(run) = &end.run {
                firing::finish(tx, run, end.now_ms)?;
            }
            if let Some(inbox) = end.inbox {
                inbox::finish(tx, inbox)?;
            }
            Ok(true)
        });
        let is_kept = ended.await?;
        if teaches {
            self.memory_changed();
        }
        asks_until_ms
            .into_iter()
            .for_each(|until_ms| self.wake_scheduler(until_ms));
        if is_run {
            self.wake_scheduler(now_ms);
        }
        Ok(is_kept)
    }

    /// How a turn was answered.
    pub async fn trace(&self, turn: &TurnId) -> Result<Option<TurnTrace>, StoreError> {
        let turn = turn.clone();
        self.read("trace", move |connection| {
            connection
                .query_row(
                    "SELECT answered_by, model_calls, ended_at - started_at FROM turns WHERE id = ?1",
                    [turn.as_str()],
                    |row| {
                        Ok(TurnTrace {
                            answered_by: row.get(0)?,
                            model_calls: row.get(1)?,
                            took_ms: row.get(2)?,
                        })
                    },
                )
                .optional()
        })
        .await
    }

    /// Counts of one person.
    pub async fn totals(&self, actor: &ActorId) -> Result<Totals, StoreError> {
        let actor = actor.clone();
        self.read("totals", move |connection| {
            let count = |sql: &str| count_of(connection, sql, &actor);
            Ok(Totals {
                turns: count("SELECT count(*) FROM turns WHERE actor = ?1")?,
                from_memory: count(
                    "SELECT count(*) FROM turns WHERE actor = ?1
                     AND answered_by IN ('fastpath', 'fastpath-cosine', 'fastpath-slots', 'autopath')",
                )?,
                fastpaths: count("SELECT count(*) FROM fastpaths WHERE actor = ?1")?,
                autopaths: count("SELECT count(*) FROM autopaths WHERE actor = ?1 AND status = 'active'")?,
            })
        })
        .await
    }

    /// The last request in a conversation, civilities apart, if this person typed it, it was answered since then, and
    /// they did not mark the answer as wrong. What was not understood since leaves it as it is. Its secrets are blanked
    /// out.
    pub async fn last_request(
        &self,
        actor: &ActorId,
        channel: ChannelKind,
        conversation: &ConversationId,
        since_ms: i64,
    ) -> Result<Option<LastRequest>, StoreError> {
        let (actor, conversation) = (actor.clone(), conversation.clone());
        self.read("last request", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, request, listed,
                        actor = ?3 AND ended_at >= ?4 AND is_typed AND final_kind = ?5 AND coalesce(feedback, '') <> ?6,
                        plan_hash IS NULL AND answered_by = ?8, touched
                 FROM turns
                 WHERE channel = ?1 AND conversation = ?2 AND (plan_hash IS NOT NULL OR answered_by <> ?7)
                 ORDER BY rowid DESC LIMIT ?9",
            )?;
            let failures = i64::try_from(FAILURES_PASSED_MAX).unwrap_or(i64::MAX);
            let mut rows = statement.query(params![
                channel.as_str(),
                conversation.as_str(),
                actor.as_str(),
                since_ms,
                FinalKind::Answer.as_str(),
                Feedback::Reject.as_str(),
                AnsweredBy::Pattern.as_str(),
                AnsweredBy::Terminator.as_str(),
                failures + 1,
            ])?;
            let mut failed: Option<LastRequest> = None;
            while let Some(row) = rows.next()? {
                let (goes_on, has_failed): (bool, bool) = (row.get(3)?, row.get(4)?);
                if !goes_on {
                    break;
                }
                let things = |column: usize| -> rusqlite::Result<Listed> {
                    let json: Option<String> = row.get(column)?;
                    Ok(json
                        .and_then(|json| serde_json::from_str(&json).ok())
                        .unwrap_or_default())
                };
                let last = LastRequest {
                    turn: TurnId::from(row.get::<_, String>(0)?),
                    text: row.get(1)?,
                    dialogue: Dialogue {
                        listed: things(2)?,
                        touched: things(5)?,
                        failed: None,
                    },
                };
                if has_failed {
                    failed.get_or_insert(last);
                    continue;
                }
                let mut last = last;
                last.dialogue.failed = failed.map(|failed| failed.text);
                return Ok(Some(last));
            }
            Ok(failed)
        })
        .await
    }

    /// The request of a person's turn and the plan it ran, to run it again differently.
    pub async fn request_of_turn(&self, turn: &TurnId, actor: &ActorId) -> Result<Option<PastRequest>, StoreError> {
        let (turn, actor) = (turn.clone(), actor.clone());
        self.read("request of turn", move |connection| {
            connection
                .query_row(
                    "SELECT request, plan_hash, final_kind = ?3, is_typed FROM turns WHERE id = ?1 AND actor = ?2",
                    params![turn.as_str(), actor.as_str(), FinalKind::Error.as_str()],
                    |row| {
                        Ok(PastRequest {
                            text: row.get(0)?,
                            plan: row.get::<_, Option<String>>(1)?.map(PlanHash::from),
                            was_out_of_order: row.get(2)?,
                            was_typed: row.get(3)?,
                        })
                    },
                )
                .optional()
        })
        .await
    }
}

fn count_of(connection: &Connection, sql: &str, actor: &ActorId) -> rusqlite::Result<u64> {
    connection.prepare_cached(sql)?.query_row([actor.as_str()], |row| {
        row.get::<_, i64>(0).map(|count| u64::try_from(count).unwrap_or(0))
    })
}

fn add_turn(tx: &rusqlite::Transaction<'_>, turn: &TurnRow) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO turns (id, actor, channel, conversation, request, canonical_hash, started_at, ended_at,
                            answered_by, final_kind, intent_hash, plan_hash, plan_shape, model_calls, fastpath,
                            similarity, is_typed, touched, listed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?19,
                 coalesce(?18, (SELECT listed FROM turns AS before
                                WHERE rowid = (SELECT max(rowid) FROM turns WHERE channel = ?3 AND conversation = ?4)
                                  AND actor = ?2
                                  AND EXISTS (SELECT 1 FROM json_each(before.listed, '$.ids') AS seen
                                              WHERE instr(?5, seen.value) > 0
                                                 OR seen.value IN (SELECT value FROM json_each(?19, '$.ids'))))))",
    )?
    .execute(params![
        turn.id.as_str(),
        turn.actor.as_str(),
        turn.channel.as_str(),
        turn.conversation.as_str(),
        turn.request,
        turn.canonical_hash.as_str(),
        turn.started_ms,
        turn.ended_ms,
        turn.answered_by.as_str(),
        turn.final_kind.as_str(),
        turn.intent.as_ref().map(IntentHash::as_str),
        turn.plan.as_ref().map(|(hash, _)| hash.as_str()),
        turn.plan.as_ref().map(|(_, shape)| shape),
        turn.model_calls,
        turn.stand_in.map(|(id, _)| id),
        turn.stand_in.and_then(|(_, similarity)| similarity),
        turn.is_typed,
        json_of(turn.listed.as_ref()),
        json_of(turn.touched.as_ref()),
    ])
    .map(drop)
}

fn json_of(things: Option<&Listed>) -> Option<String> {
    things.and_then(|things| serde_json::to_string(things).ok())
}

fn learn(tx: &rusqlite::Transaction<'_>, turn: &TurnRow, end: &TurnEnd) -> rusqlite::Result<()> {
    let lessons = &end.lessons;
    if let Some(id) = lessons.fastpath_used {
        fastpaths::touch(tx, id, end.now_ms)?;
    }
    if let Some(id) = lessons.autopath_used {
        autopaths::learning::touch(tx, id, end.now_ms)?;
    }
    if let Some(observation) = &lessons.observation {
        autopaths::learning::observe(tx, &turn.id, &turn.actor, observation, &*end.decide, end.now_ms)?;
    }
    if let Some(fastpath) = &lessons.fastpath {
        fastpaths::record(tx, &turn.actor, fastpath, end.fastpath_max, end.now_ms)?;
    }
    if let Some(offer) = &lessons.accepted {
        offers::keep(tx, &turn.actor, offer, true, end.now_ms)?;
    }
    for used in &lessons.uses {
        tx.prepare_cached(
            "INSERT INTO executor_uses (actor, executor, uses, failures, last_used) VALUES (?1, ?2, 1, ?3, ?4)
             ON CONFLICT (actor, executor) DO UPDATE SET
                uses = uses + 1, failures = failures + ?3, last_used = ?4",
        )?
        .execute(params![
            turn.actor.as_str(),
            used.tool.as_str(),
            !used.is_ok,
            end.now_ms
        ])?;
    }
    for passage in &lessons.passages {
        passages::reinforce(tx, &turn.actor, passage, &turn.request, end.now_ms)?;
    }
    if let Some(gap) = &lessons.gap {
        gaps::count(tx, &turn.actor, &turn.request, gap, end.now_ms)?;
    }
    Ok(())
}
