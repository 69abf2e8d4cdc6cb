//! What fired, and what its owner said to it.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, StoreError, put_noted};
use crate::{
    domain::{
        ids::{ActorId, RunId, TaskId, TurnId},
        task::{Run, RunState, Task, TaskKind},
    },
    store::{from_json, unknown_word},
};

const COLUMNS: &str =
    "id, task, actor, kind, unsealed(name), slot_at, started_at, ended_at, state, outcome, turn, answer";

/// Whose runs are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunsOf {
    /// All of a person.
    Person(ActorId),
    /// Those of one task.
    Task(TaskId),
    /// Those of all jobs of the house.
    House,
}

impl Store {
    /// The latest runs since a moment, the newest first.
    pub async fn runs(&self, of: RunsOf, since_ms: i64, limit: usize) -> Result<Vec<Run>, StoreError> {
        self.read("runs of tasks", move |connection| {
            let (column, key) = match &of {
                RunsOf::Person(owner) => ("actor = ?1", owner.as_str()),
                RunsOf::Task(task) => ("task = ?1", task.as_str()),
                RunsOf::House => ("actor IS NULL AND kind = ?1", TaskKind::Job.as_str()),
            };
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            connection
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM task_runs WHERE {column} AND started_at >= ?2
                     ORDER BY started_at DESC, rowid DESC LIMIT ?3"
                ))?
                .query_map(params![key, since_ms, limit], read_run)?
                .collect()
        })
        .await
    }

    /// One run.
    pub async fn run(&self, id: &RunId) -> Result<Option<Run>, StoreError> {
        let id = id.clone();
        self.read("a run", move |connection| {
            connection
                .prepare_cached(&format!("SELECT {COLUMNS} FROM task_runs WHERE id = ?1"))?
                .query_row([id.as_str()], read_run)
                .optional()
        })
        .await
    }

    /// What a person was told since a moment by timers, alarms and reminders, and has not answered; the newest first.
    pub async fn runs_unanswered(&self, owner: &ActorId, since_ms: i64) -> Result<Vec<Run>, StoreError> {
        let owner = owner.clone();
        self.read("unanswered runs", move |connection| {
            connection
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM task_runs WHERE actor = ?1 AND started_at >= ?2 AND answer IS NULL
                       AND kind IN ('timer', 'alarm', 'reminder') AND state = 'done'
                     ORDER BY started_at DESC, rowid DESC"
                ))?
                .query_map(params![owner.as_str(), since_ms], read_run)?
                .collect()
        })
        .await
    }

    /// Notes what a person said to a run, and how a task is from then on, in one step. `false` when it was answered
    /// before, or the task was changed meanwhile: then nothing is written.
    pub async fn run_answer(
        &self,
        id: &RunId,
        answer: &'static str,
        task: Option<Task>,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        let due_ms = task.as_ref().and_then(|task| task.due_ms);
        let journal = self.journal;
        let answered = self.write("answer a run", move |tx| {
            let open: bool = tx
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM task_runs WHERE id = ?1 AND answer IS NULL)")?
                .query_row([id.as_str()], |row| row.get(0))?;
            let is_written = open
                && task
                    .as_ref()
                    .map_or(Ok(true), |task| put_noted(tx, task, journal, now_ms))?;
            if is_written {
                tx.execute(
                    "UPDATE task_runs SET answer = ?2 WHERE id = ?1",
                    params![id.as_str(), answer],
                )?;
            }
            Ok(is_written)
        });
        let is_answered = answered.await?;
        due_ms.into_iter().for_each(|due_ms| self.wake_scheduler(due_ms));
        Ok(is_answered)
    }
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<Run> {
    let (kind, state): (String, String) = (row.get(3)?, row.get(8)?);
    let outcome: Option<String> = row.get(9)?;
    Ok(Run {
        id: RunId::from(row.get::<_, String>(0)?),
        task: TaskId::from(row.get::<_, String>(1)?),
        owner: row.get::<_, Option<String>>(2)?.map(ActorId::from),
        kind: TaskKind::parse(&kind).ok_or_else(|| unknown_word(&kind))?,
        name: row.get(4)?,
        slot_ms: row.get(5)?,
        started_ms: row.get(6)?,
        ended_ms: row.get(7)?,
        state: RunState::parse(&state).ok_or_else(|| unknown_word(&state))?,
        outcome: outcome.map(|json| from_json(&json)).transpose()?,
        turn: row.get::<_, Option<String>>(10)?.map(TurnId::from),
        answer: row.get(11)?,
    })
}
