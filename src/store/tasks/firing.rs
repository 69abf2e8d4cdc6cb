//! A firing, exactly once: the entry moves on, its run is noted, and what it says or asks is queued in one transaction.
//! Before it nothing happened, after it everything did; the process may die at any instruction between. Called by
//! `scheduler`, and by the end of a turn that a task asked for.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, one, people, put};
use crate::{
    domain::{
        ids::{ActorId, InboxId, RunId, TaskId, TurnId},
        inbound::Inbound,
        limits::TASK_FAILURES_TO_STOP,
        message::Message,
        task::{RunState, Task, TaskState},
    },
    store::{
        inbox,
        outbox::{self, Callback, NewParcel},
        to_json,
    },
};

/// What is committed along with a firing, or with its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Along {
    /// What is said.
    pub parcels: Vec<NewParcel>,
    /// The buttons under it.
    pub callbacks: Vec<Callback>,
    /// A message that is queued as if its owner had written it: the request of a task.
    pub inbound: Option<Inbound>,
}

/// A firing that was decided.
#[derive(Clone, Debug)]
pub struct Fire {
    /// The task as it is afterwards, in the revision it was read with.
    pub after: Task,
    /// The run.
    pub run: RunId,
    /// The slot it fires for.
    pub slot_ms: i64,
    /// How it stands from now on: at work, or over already.
    pub state: RunState,
    /// What goes along with it.
    pub along: Along,
}

/// What became of a firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fired {
    /// It happened, now; the message it asks as, if it does.
    Yes(Option<InboxId>),
    /// It happened before; the task has moved on.
    Before,
    /// Somebody changed the task meanwhile, or its owner was locked out: look again.
    No,
}

/// The end of a run that was at work.
#[derive(Clone, Debug)]
pub struct RunEnd {
    /// Which.
    pub run: RunId,
    /// How it went.
    pub state: RunState,
    /// One line about it.
    pub outcome: Option<Message>,
    /// The turn it was.
    pub turn: Option<TurnId>,
    /// What the next firing should know; `None` keeps what it knows.
    pub memory: Option<String>,
    /// When a task without moments of its own is due again.
    pub again_ms: Option<i64>,
    /// What is said.
    pub along: Along,
    /// What is asked of its owner, if this was the failure that stops it.
    pub card: Along,
}

impl RunEnd {
    /// An end with nothing more to it.
    pub fn new(run: RunId, state: RunState, outcome: Option<Message>) -> Self {
        Self {
            run,
            state,
            outcome,
            turn: None,
            memory: None,
            again_ms: None,
            along: Along::default(),
            card: Along::default(),
        }
    }
}

/// What became of the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is over, and its task goes on.
    Yes,
    /// It is over, and its task was stopped by it: the card is in the outbox.
    Stopped,
    /// It was over before; nothing was written.
    Before,
}

impl Store {
    /// Commits firings, all in one transaction; what became of each.
    pub async fn tasks_fire(&self, fires: Vec<Fire>, now_ms: i64) -> Result<Vec<Fired>, StoreError> {
        self.write("fire tasks", move |tx| {
            fires.iter().map(|one| fire(tx, one, now_ms)).collect()
        })
        .await
    }

    /// Commits the end of a run.
    pub async fn run_end(&self, end: RunEnd, now_ms: i64) -> Result<Ended, StoreError> {
        let ended = self.write("end a run", move |tx| {
            let ended = finish(tx, &end, now_ms)?;
            // It may have become due again while it ran.
            let due_ms: Option<Option<i64>> = tx
                .prepare_cached("SELECT t.due_at FROM tasks t JOIN task_runs r ON r.task = t.id WHERE r.id = ?1")?
                .query_row([end.run.as_str()], |row| row.get(0))
                .optional()?;
            Ok((ended, due_ms.flatten()))
        });
        let (ended, due_ms) = ended.await?;
        due_ms.into_iter().for_each(|due_ms| self.wake_scheduler(due_ms));
        Ok(ended)
    }

    /// The runs the process died in, each with its task as it is. A request that waits in the inbox is not among them:
    /// its turn is taken up there. A run whose task is gone is forgotten.
    pub async fn runs_open(&self) -> Result<Vec<(RunId, Task)>, StoreError> {
        self.write("runs that were cut off", move |tx| {
            tx.execute(
                "DELETE FROM task_runs WHERE state = 'running' AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = task)",
                [],
            )?;
            let open: Vec<(String, String)> = tx
                .prepare(
                    "SELECT r.id, r.task FROM task_runs r WHERE r.state = 'running'
                       AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = r.inbox AND i.state <> 'done') ORDER BY r.rowid",
                )?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            let with_task = |(run, task): (String, String)| {
                let task = one(tx, &TaskId::from(task)).transpose()?;
                Some(task.map(|task| (RunId::from(run), task)))
            };
            open.into_iter().filter_map(with_task).collect()
        })
        .await
    }
}

fn fire(tx: &Transaction<'_>, fire: &Fire, now_ms: i64) -> rusqlite::Result<Fired> {
    let task = &fire.after;
    if let Some(owner) = &task.owner
        && !people::is_let_in(tx, owner)?
    {
        return Ok(Fired::No);
    }
    if !put(tx, task, now_ms)? {
        return Ok(Fired::No);
    }
    let is_over = fire.state != RunState::Running;
    let noted = tx
        .prepare_cached(
            "INSERT INTO task_runs (id, task, actor, kind, name, slot_at, started_at, ended_at, state)
             VALUES (?1, ?2, ?3, ?4, seal(?5), ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            fire.run.as_str(),
            task.id.as_str(),
            task.owner.as_ref().map(|owner| owner.as_str()),
            task.kind.as_str(),
            task.name,
            fire.slot_ms,
            now_ms,
            is_over.then_some(now_ms),
            fire.state.as_str(),
        ])?;
    if noted == 0 {
        return Ok(Fired::Before);
    }
    say(tx, task, &fire.along, now_ms)?;
    let asked = match &fire.along.inbound {
        Some(inbound) => inbox::insert(tx, inbound, now_ms)?,
        None => None,
    };
    if let Some(InboxId(inbox)) = asked {
        tx.prepare_cached("UPDATE task_runs SET inbox = ?2 WHERE id = ?1")?
            .execute(params![fire.run.as_str(), inbox])?;
    }
    Ok(Fired::Yes(asked))
}

fn say(tx: &Transaction<'_>, task: &Task, along: &Along, now_ms: i64) -> rusqlite::Result<()> {
    for callback in &along.callbacks {
        outbox::add_callback(tx, callback, now_ms)?;
    }
    // What a job of the house has to say is for the host.
    let reader = match (&task.owner, along.parcels.is_empty()) {
        (None, false) => tx
            .query_row("SELECT id FROM actors WHERE role = 'host'", [], |row| row.get(0))
            .optional()?
            .map(|id: String| ActorId::from(id)),
        (owner, _) => owner.clone(),
    };
    for parcel in &along.parcels {
        outbox::add(tx, parcel, reader.as_ref(), now_ms)?;
    }
    Ok(())
}

/// Ends a run, in a transaction of the caller's.
pub(in crate::store) fn finish(tx: &Transaction<'_>, end: &RunEnd, now_ms: i64) -> rusqlite::Result<Ended> {
    let ended: Option<String> = tx
        .prepare_cached(
            "UPDATE task_runs SET state = ?2, outcome = ?3, turn = ?4, ended_at = ?5
             WHERE id = ?1 AND state = 'running' RETURNING task",
        )?
        .query_row(
            params![
                end.run.as_str(),
                end.state.as_str(),
                end.outcome.as_ref().map(to_json).transpose()?,
                end.turn.as_ref().map(TurnId::as_str),
                now_ms,
            ],
            |row| row.get(0),
        )
        .optional()?;
    let Some(task) = ended else {
        return Ok(Ended::Before);
    };
    let Some(mut task) = one(tx, &TaskId::from(task))? else {
        // It was deleted while it ran: what it says is nobody's to hear.
        return Ok(Ended::Yes);
    };
    say(tx, &task, &end.along, now_ms)?;
    if let Some(memory) = &end.memory {
        task.memory = Some(memory.clone());
    }
    if let Some(again_ms) = end.again_ms {
        task.due_ms = Some(task.due_ms.map_or(again_ms, |due_ms| due_ms.min(again_ms)));
    }
    task.failures = if end.state.is_failure() { task.failures + 1 } else { 0 };
    let stops = task.failures >= TASK_FAILURES_TO_STOP && matches!(task.state, TaskState::Active | TaskState::Snoozed);
    if stops {
        task.state = TaskState::Stopped;
        say(tx, &task, &end.card, now_ms)?;
    }
    put(tx, &task, now_ms)?;
    Ok(if stops { Ended::Stopped } else { Ended::Yes })
}
