//! Entries of the scheduler. People's are made and changed by the executors of tasks, through the engine; the house's
//! by the jobs. When one fires is `scheduler`'s to decide; `firing` commits it, `runs` remembers it.
//!
//! Whoever changes when something is due need not think of the scheduler: the store itself wakes it.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::tz::TimeZone;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use tokio::sync::Notify;

use super::{
    Store, StoreError,
    effects::{self, EffectId},
    people, unknown_word, unreadable,
};
use crate::domain::{
    ids::{ActorId, ChannelKind, ConversationId, TaskId},
    limits::TASKS_PER_COMMIT_MAX,
    run::Reversal,
    task::{DIGEST_JOB, Task, TaskKind, TaskPlace, TaskState, Trigger, Weekdays, job_id},
};

pub mod firing;
pub mod runs;

const COLUMNS: &str = "id, actor, kind, unsealed(name), unsealed(words), trigger, weekdays, zone, due_at, state,
    times_left, expires_at, grace_minutes, channel, conversation, remaining_ms, length_ms, unsealed(memory), fired,
    failures, last_slot_at, created_at, revision, said_by";
/// An entry that waits for a moment, and whose owner is let in.
const WAITS: &str = "due_at IS NOT NULL AND state IN ('active', 'snoozed')
    AND (actor IS NULL OR EXISTS (SELECT 1 FROM actors a WHERE a.id = tasks.actor AND a.revoked_at IS NULL))";
/// It is not at work. What is due while it works fires when that has ended.
const IDLE: &str = "NOT EXISTS (SELECT 1 FROM task_runs r WHERE r.task = tasks.id AND r.state = 'running')";
/// An entry somebody may still do something about.
const OPEN: &str = "state <> 'done'";

/// How the store wakes the scheduler.
#[derive(Debug)]
pub(super) struct Bell {
    rings: Notify,
    /// When it looks next anyway.
    sleeps_until_ms: AtomicI64,
}

impl Default for Bell {
    fn default() -> Self {
        Self {
            rings: Notify::new(),
            sleeps_until_ms: AtomicI64::new(i64::MAX),
        }
    }
}

/// What became of a new task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskAdded {
    /// It waits.
    Yes,
    /// Its owner has as many as they may.
    TooMany,
    /// Its owner was locked out or erased meanwhile.
    NotLetIn,
}

impl Store {
    /// Resolves when something is due before the moment the scheduler sleeps until.
    pub async fn tasks_changed(&self) {
        self.tasks.rings.notified().await;
    }

    /// Another process may have changed when something is due.
    pub fn tasks_kicked(&self) {
        self.tasks.rings.notify_one();
    }

    /// The scheduler is about to look: until it says how long it sleeps, everything that changes wakes it.
    pub fn scheduler_looks(&self) {
        self.tasks.sleeps_until_ms.store(i64::MAX, Ordering::Release);
    }

    /// The scheduler looks again at this moment; `None` for never.
    pub fn scheduler_sleeps_until(&self, at_ms: Option<i64>) {
        self.tasks
            .sleeps_until_ms
            .store(at_ms.unwrap_or(i64::MAX), Ordering::Release);
    }

    /// Something is due then. Kept until the scheduler looks, so that no change between two looks is lost.
    pub(super) fn wake_scheduler(&self, due_ms: i64) {
        if due_ms < self.tasks.sleeps_until_ms.load(Ordering::Acquire) {
            self.tasks.rings.notify_one();
        }
    }

    /// Keeps a new task, if its owner has fewer than `cap` that are not over; `None` for no limit.
    pub async fn task_add(&self, task: Task, cap: Option<u32>, now_ms: i64) -> Result<TaskAdded, StoreError> {
        let due_ms = task.due_ms;
        let journal = self.journal;
        let added = self.write("add a task", move |tx| {
            if let Some(owner) = &task.owner {
                if !people::is_let_in(tx, owner)? {
                    return Ok(TaskAdded::NotLetIn);
                }
                if cap.is_some_and(|cap| count_of(tx, owner).is_ok_and(|count| count >= cap)) {
                    return Ok(TaskAdded::TooMany);
                }
            }
            put(tx, &task, now_ms)?;
            let id = task.id.clone();
            effects::note(tx, journal, Reversal::Task { id, before: None })?;
            Ok(TaskAdded::Yes)
        });
        let added = added.await?;
        due_ms.into_iter().for_each(|due_ms| self.wake_scheduler(due_ms));
        Ok(added)
    }

    /// Writes a task as it is now, a new one as well: a change, or a snapshot that comes back. `false` when somebody
    /// changed it meanwhile, or its owner was locked out.
    pub async fn task_put(&self, task: Task, now_ms: i64) -> Result<bool, StoreError> {
        let due_ms = task.due_ms;
        let journal = self.journal;
        let written = self.write("change a task", move |tx| {
            if let Some(owner) = &task.owner
                && !people::is_let_in(tx, owner)?
            {
                return Ok(false);
            }
            put_noted(tx, &task, journal, now_ms)
        });
        let is_written = written.await?;
        due_ms.into_iter().for_each(|due_ms| self.wake_scheduler(due_ms));
        Ok(is_written)
    }

    /// Removes a task of this person; what it was, so that it can come back with `task_put`.
    pub async fn task_remove(&self, id: &TaskId, owner: &ActorId) -> Result<Option<Task>, StoreError> {
        let (id, owner) = (id.clone(), owner.clone());
        let journal = self.journal;
        let removed = self.write("remove a task", move |tx| {
            let task = one(tx, &id)?.filter(|task| task.owner.as_ref() == Some(&owner));
            if let Some(task) = &task {
                tx.execute("DELETE FROM tasks WHERE id = ?1", [id.as_str()])?;
                let before = Some(Box::new(task.clone()));
                effects::note(tx, journal, Reversal::Task { id, before })?;
            }
            Ok(task)
        });
        removed.await
    }

    /// One task.
    pub async fn task(&self, id: &TaskId) -> Result<Option<Task>, StoreError> {
        let id = id.clone();
        self.read("a task", move |connection| one(connection, &id)).await
    }

    /// The tasks of a person that are not over, those that fire first ahead.
    pub async fn tasks_of(&self, owner: &ActorId) -> Result<Vec<Task>, StoreError> {
        let which = format!(
            "SELECT id FROM tasks WHERE actor = ?1 AND {OPEN} ORDER BY due_at IS NULL, due_at, created_at, rowid"
        );
        self.read_tasks("tasks of a person", which, Some(owner.as_str().to_owned()))
            .await
    }

    /// The jobs of the house.
    pub async fn job_tasks(&self) -> Result<Vec<Task>, StoreError> {
        let which = "SELECT id FROM tasks WHERE actor IS NULL ORDER BY due_at IS NULL, due_at, id";
        self.read_tasks("jobs", which.to_owned(), None).await
    }

    /// Writes entries of jobs, and forgets those that are none any more, in one step: a start has others waiting.
    pub async fn jobs_put(&self, jobs: Vec<Task>, gone: Vec<TaskId>, now_ms: i64) -> Result<(), StoreError> {
        if jobs.is_empty() && gone.is_empty() {
            return Ok(());
        }
        self.write("keep the jobs", move |tx| {
            for id in &gone {
                tx.execute("DELETE FROM tasks WHERE id = ?1 AND actor IS NULL", [id.as_str()])?;
            }
            jobs.iter().try_for_each(|job| put(tx, job, now_ms).map(drop))
        })
        .await?;
        self.wake_scheduler(now_ms);
        Ok(())
    }

    /// A job is due now, whatever its schedule says; `false` for one that is not there. One that was stopped goes on.
    pub async fn job_due(&self, id: &TaskId, now_ms: i64) -> Result<bool, StoreError> {
        let id = id.clone();
        let due = self.write("a job is due", move |tx| {
            let Some(mut task) = one(tx, &id)?.filter(|task| task.owner.is_none()) else {
                return Ok(false);
            };
            task.due_ms = Some(now_ms);
            task.state = TaskState::Snoozed;
            task.failures = 0;
            put(tx, &task, now_ms)
        });
        let is_due = due.await?;
        self.wake_scheduler(now_ms);
        Ok(is_due)
    }

    /// Who watches something now.
    pub async fn watching(&self) -> Result<Vec<ActorId>, StoreError> {
        self.read("who watches", |connection| {
            let kind = TaskKind::Watcher.as_str();
            let sql = format!("SELECT DISTINCT actor FROM tasks WHERE kind = '{kind}' AND {WAITS}");
            let mut who = connection.prepare_cached(&sql)?;
            who.query_map([], |row| row.get::<_, String>(0).map(ActorId::from))?
                .collect()
        })
        .await
    }

    /// What a person watches is looked at now.
    pub async fn watchers_due(&self, owner: &ActorId, now_ms: i64) -> Result<(), StoreError> {
        let owner = owner.clone();
        self.write("watchers are due", move |tx| {
            let (kind, active) = (TaskKind::Watcher.as_str(), TaskState::Active.as_str());
            tx.execute(
                "UPDATE tasks SET due_at = ?2, revision = revision + 1 WHERE actor = ?1 AND kind = ?3 AND state = ?4 AND due_at > ?2",
                params![owner.as_str(), now_ms, kind, active],
            )
            .map(drop)
        })
        .await?;
        self.wake_scheduler(now_ms);
        Ok(())
    }

    /// How many tasks of a person are not over.
    pub async fn task_count(&self, owner: &ActorId) -> Result<u32, StoreError> {
        let owner = owner.clone();
        self.read("count of tasks", move |connection| count_of(connection, &owner))
            .await
    }

    /// What is due, the oldest first; at most so many. One that can no longer be read is over.
    pub async fn tasks_due(&self, now_ms: i64, limit: usize) -> Result<Vec<Task>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let which = format!(
            "SELECT id FROM tasks WHERE due_at <= {now_ms} AND {WAITS} AND {IDLE} ORDER BY due_at, id LIMIT {limit}"
        );
        self.read_tasks("due tasks", which, None).await
    }

    /// When the next task is due, in milliseconds since 1970. One that is due and still at work says so itself when it
    /// ends.
    pub async fn tasks_next_due(&self, now_ms: i64) -> Result<Option<i64>, StoreError> {
        self.read("next due task", move |connection| {
            let sql =
                format!("SELECT due_at FROM tasks WHERE {WAITS} AND (due_at > ?1 OR {IDLE}) ORDER BY due_at LIMIT 1");
            let mut next = connection.prepare_cached(&sql)?;
            next.query_row([now_ms], |row| row.get(0)).optional()
        })
        .await
    }

    /// Computes the instants of wall times anew that lie ahead: the data of zones may have changed since. A page at a
    /// time, so that many tasks take no memory.
    pub async fn tasks_recompute(&self, now_ms: i64) -> Result<(), StoreError> {
        let mut last = TaskId::from("");
        loop {
            let which = format!(
                "SELECT id FROM tasks WHERE id > ?1 AND due_at > {now_ms} AND state = 'active'
                   AND trigger NOT LIKE 'every%s' AND trigger NOT LIKE 'at:%Z' ORDER BY id LIMIT {TASKS_PER_COMMIT_MAX}"
            );
            let page = self
                .read_tasks("tasks that wait", which, Some(last.as_str().to_owned()))
                .await?;
            let Some(end) = page.last() else {
                return Ok(());
            };
            last = end.id.clone();
            for mut task in page.into_iter().filter(|task| task.trigger.is_wall()) {
                let due_ms = due_again(&task, now_ms);
                if due_ms != task.due_ms {
                    tracing::info!(task = %task.id, "a wall time has another instant than before");
                    task.due_ms = due_ms;
                    self.task_put(task, now_ms).await?;
                }
            }
        }
    }

    async fn read_tasks(
        &self,
        doing: &'static str,
        which: String,
        parameter: Option<String>,
    ) -> Result<Vec<Task>, StoreError> {
        let reading = self.read(doing, move |connection| {
            let one = format!("SELECT {COLUMNS} FROM tasks WHERE id = ?1");
            let params: &[&dyn rusqlite::ToSql] = if parameter.is_some() { &[&parameter] } else { &[] };
            unreadable::read_each(connection, (&which, params), &one, read_task)
        });
        let (tasks, unreadable): (_, Vec<String>) = reading.await?;
        let end =
            "UPDATE tasks SET state = 'done', name = '', words = '', memory = '' WHERE id = ?1 AND state <> 'done'";
        self.end_unreadable("tasks", end, unreadable).await?;
        Ok(tasks)
    }
}

/// When a task is due now that its zone is another: a wall time it already fired for is over, and a single one that
/// would lie in the past is due at once.
fn due_again(task: &Task, now_ms: i64) -> Option<i64> {
    let zone = task.time_zone();
    if task.trigger.is_once() {
        return task.trigger.moment(&zone).map(|slot| slot.at_ms.max(now_ms));
    }
    let next = task.trigger.next_after(now_ms, &zone, task.weekdays);
    next.map(|slot| slot.at_ms)
}

/// A task without moments of its own is due by then at the latest; nothing for one that is not there.
pub(super) fn due_by(tx: &Transaction<'_>, id: &TaskId, due_ms: i64) -> rusqlite::Result<()> {
    tx.prepare_cached("UPDATE tasks SET due_at = min(coalesce(due_at, ?2), ?2), revision = revision + 1 WHERE id = ?1")?
        .execute(params![id.as_str(), due_ms])
        .map(drop)
}

/// The person lives by another zone: their wall times mean other instants. Part of the transaction that says so.
pub(super) fn rezone(tx: &Transaction<'_>, owner: &ActorId, zone: &str, now_ms: i64) -> rusqlite::Result<()> {
    // What the house tells its host in the morning goes where they go.
    let sql = format!(
        "SELECT {COLUMNS} FROM tasks WHERE {OPEN} AND (actor = ?1 OR id = ?2
             AND EXISTS (SELECT 1 FROM actors WHERE actors.id = ?1 AND role = 'host'))"
    );
    let mut statement = tx.prepare(&sql)?;
    let tasks = statement.query_map(params![owner.as_str(), job_id(DIGEST_JOB).as_str()], read_task)?;
    for task in tasks.collect::<rusqlite::Result<Vec<Task>>>()? {
        let mut moved = task.clone();
        zone.clone_into(&mut moved.zone);
        if task.state == TaskState::Active && task.trigger.is_wall() && task.due_ms.is_some() {
            moved.due_ms = due_again(&moved, now_ms);
            let (before, after) = (task.time_zone(), moved.time_zone());
            let fired = task.last_slot_ms.and_then(|ms| civil(ms, &before));
            // The same wall time of the same day, again: it fired where they were before.
            let is_again = |due_ms: &i64| fired.is_some() && civil(*due_ms, &after) <= fired;
            while let Some(due_ms) = moved
                .due_ms
                .filter(|due_ms| !task.trigger.is_once() && is_again(due_ms))
            {
                moved.due_ms = due_again(&moved, due_ms);
            }
        }
        put(tx, &moved, now_ms)?;
    }
    Ok(())
}

fn civil(ms: i64, zone: &TimeZone) -> Option<jiff::civil::DateTime> {
    jiff::Timestamp::from_millisecond(ms)
        .ok()
        .map(|at| zone.to_datetime(at))
}

pub(super) fn count_of(connection: &Connection, owner: &ActorId) -> rusqlite::Result<u32> {
    let sql = "SELECT count(*) FROM tasks WHERE actor = ?1 AND state NOT IN ('done', 'ringing')";
    connection
        .prepare_cached(sql)?
        .query_row([owner.as_str()], |row| row.get(0))
}

/// Writes a task, and notes how it was before where that is an effect.
fn put_noted(tx: &Transaction<'_>, task: &Task, journal: Option<EffectId>, now_ms: i64) -> rusqlite::Result<bool> {
    let before = match journal {
        Some(_) => one(tx, &task.id)?.map(Box::new),
        None => None,
    };
    let is_written = put(tx, task, now_ms)?;
    if is_written {
        let id = task.id.clone();
        effects::note(tx, journal, Reversal::Task { id, before })?;
    }
    Ok(is_written)
}

pub(super) fn one(connection: &Connection, id: &TaskId) -> rusqlite::Result<Option<Task>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM tasks WHERE id = ?1"))?
        .query_row([id.as_str()], read_task)
        .optional()
}

/// Writes a task, unless its row has another revision than it was read with. What is over keeps its name only.
pub(super) fn put(tx: &Transaction<'_>, task: &Task, now_ms: i64) -> rusqlite::Result<bool> {
    let is_over = task.state == TaskState::Done;
    let kept = |words: &str| if is_over { String::new() } else { words.to_owned() };
    let written = tx
        .prepare_cached(
            "INSERT INTO tasks (id, actor, kind, name, words, trigger, weekdays, zone, due_at, state, times_left,
                expires_at, grace_minutes, channel, conversation, remaining_ms, length_ms, memory, fired, failures,
                last_slot_at, created_at, revision, changed_at, said_by)
             VALUES (?1, ?2, ?3, seal(?4), seal(?5), ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, seal(?18),
                ?19, ?20, ?21, ?22, ?23 + 1, ?24, ?25)
             ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name, words = excluded.words,
                trigger = excluded.trigger, weekdays = excluded.weekdays, zone = excluded.zone,
                due_at = excluded.due_at, state = excluded.state, times_left = excluded.times_left,
                expires_at = excluded.expires_at, grace_minutes = excluded.grace_minutes, channel = excluded.channel,
                conversation = excluded.conversation, remaining_ms = excluded.remaining_ms,
                length_ms = excluded.length_ms, memory = excluded.memory, fired = excluded.fired,
                failures = excluded.failures, last_slot_at = excluded.last_slot_at, revision = excluded.revision,
                changed_at = excluded.changed_at
             WHERE tasks.revision = ?23 AND tasks.actor IS excluded.actor",
        )?
        .execute(params![
            task.id.as_str(),
            task.owner.as_ref().map(ActorId::as_str),
            task.kind.as_str(),
            task.name,
            kept(&task.words),
            task.trigger.to_string(),
            task.weekdays.to_string(),
            task.zone,
            task.due_ms,
            task.state.as_str(),
            task.times_left,
            task.expires_ms,
            task.grace_minutes,
            task.place.as_ref().map(|place| place.channel.as_str()),
            task.place.as_ref().map(|place| place.conversation.as_str()),
            task.remaining_ms,
            task.length_ms,
            kept(task.memory.as_deref().unwrap_or_default()),
            task.fired,
            task.failures,
            task.last_slot_ms,
            task.created_ms,
            task.revision,
            now_ms,
            task.said_by.as_ref().map(ActorId::as_str),
        ])?;
    Ok(written == 1)
}

fn read_task(row: &Row<'_>) -> rusqlite::Result<Task> {
    let word = |at: usize| row.get::<_, String>(at);
    let place = match (row.get::<_, Option<String>>(13)?, row.get::<_, Option<String>>(14)?) {
        (Some(channel), Some(conversation)) => Some(TaskPlace {
            channel: ChannelKind::parse(&channel).ok_or_else(|| unknown_word(&channel))?,
            conversation: ConversationId::from(conversation),
        }),
        (None, _) | (_, None) => None,
    };
    let (kind, trigger, weekdays, state) = (word(2)?, word(5)?, word(6)?, word(9)?);
    Ok(Task {
        id: TaskId::from(word(0)?),
        owner: row.get::<_, Option<String>>(1)?.map(ActorId::from),
        kind: TaskKind::parse(&kind).ok_or_else(|| unknown_word(&kind))?,
        name: word(3)?,
        words: word(4)?,
        trigger: Trigger::parse(&trigger).map_err(|_no_trigger| unknown_word(&trigger))?,
        weekdays: Weekdays::parse(&weekdays).ok_or_else(|| unknown_word(&weekdays))?,
        zone: word(7)?,
        due_ms: row.get(8)?,
        state: TaskState::parse(&state).ok_or_else(|| unknown_word(&state))?,
        times_left: row.get(10)?,
        expires_ms: row.get(11)?,
        grace_minutes: row.get(12)?,
        place,
        remaining_ms: row.get(15)?,
        length_ms: row.get(16)?,
        memory: Some(word(17)?).filter(|memory| !memory.is_empty()),
        fired: row.get(18)?,
        failures: row.get(19)?,
        last_slot_ms: row.get(20)?,
        created_ms: row.get(21)?,
        revision: row.get(22)?,
        said_by: row.get::<_, Option<String>>(23)?.map(ActorId::from),
    })
}
