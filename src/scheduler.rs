//! Floor 3: fires what is due, once, at its moment.
//!
//! ```text
//!  store/tasks ──due──▶ decide (pure) ──▶ hands.along ──▶ one transaction: task, run, outbox or inbox row
//!       ▲                                                      │
//!       └── sleeps until the next one, or until one changed ◀──┴──▶ hands.work, beside each other, with a time limit
//! ```
//!
//! What a firing says and does is handed in (`Hands`): nothing here knows a channel, a sentence or a job. Built and
//! started by `runtime`. It never polls: without tasks it sleeps for ever.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::future::{BoxFuture, join_all};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::decide::{Decision, Verdict};
use crate::{
    clock::Clock,
    domain::{
        ids::{InboxId, RunId, TaskId},
        limits::{TASK_FAILURES_TO_STOP, TASKS_AT_ONCE_MAX, TASKS_PER_COMMIT_MAX},
        message::Message,
        task::{RunState, Task, TaskKind, slots::Adjusted},
    },
    store::{
        Store, StoreError,
        tasks::firing::{Along, Ended, Fire, Fired, RunEnd},
    },
};

mod decide;

/// After the database or the hands failed, the same is tried again so much later.
const RETRY_MS: i64 = 5_000;

/// How a firing comes compared with its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// When it was due.
    OnTime,
    /// Later, and it still does what it is for.
    Late {
        /// By so much.
        by_ms: i64,
    },
    /// Too late: its owner is told, and it does nothing else.
    Missed {
        /// By so much.
        by_ms: i64,
    },
}

/// One firing.
#[derive(Clone, Debug)]
pub struct Firing {
    /// The task, as it was before.
    pub task: Task,
    /// The run.
    pub run: RunId,
    /// The slot it fires for; of several that were missed, the latest.
    pub slot_ms: i64,
    /// Whether that is another moment than its wall time says, since the clock changed.
    pub adjusted: Option<Adjusted>,
    /// Now.
    pub now_ms: i64,
    /// How it comes.
    pub how: How,
    /// When it fires next, if it does.
    pub next_ms: Option<i64>,
}

/// How the work of a firing went.
#[derive(Clone, Debug)]
pub struct Work {
    /// In one word.
    pub state: RunState,
    /// In one line.
    pub outcome: Option<Message>,
    /// What the next firing should know; `None` keeps what it knows.
    pub memory: Option<String>,
    /// When a task without moments of its own is due again.
    pub again_ms: Option<i64>,
    /// What is said.
    pub along: Along,
}

impl Work {
    /// A state and a line.
    pub fn ended(state: RunState, outcome: Option<Message>) -> Self {
        Self {
            state,
            outcome,
            memory: None,
            again_ms: None,
            along: Along::default(),
        }
    }
}

/// What a firing says and does.
pub trait Hands: Send + Sync + 'static {
    /// What is committed with a firing: its words and buttons, or the message it asks as. Nothing is done yet.
    fn along<'a>(&'a self, firing: &'a Firing) -> BoxFuture<'a, Result<Along, StoreError>>;

    /// It is committed: whoever brings what it says is told, and its message is queued.
    fn committed<'a>(&'a self, along: &'a Along, inbox: Option<InboxId>) -> BoxFuture<'a, ()>;

    /// Does the work of a firing that asks no message, after it was committed.
    fn work<'a>(&'a self, firing: &'a Firing) -> BoxFuture<'a, Work>;

    /// How long that work may take.
    fn limit(&self, task: &Task) -> Duration;

    /// Whether that work is broken off at a stop, and goes on at the next start: whatever it did is kept.
    fn breaks_off(&self, _task: &Task) -> bool {
        false
    }

    /// What is asked of the owner of a task that failed too often and was stopped.
    fn card<'a>(&'a self, task: &'a Task) -> BoxFuture<'a, Along>;
}

/// The scheduler of one store. Cheap to clone.
#[derive(Clone)]
pub struct Scheduler {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    clock: Clock,
    hands: Arc<dyn Hands>,
    /// Work that runs; a graceful stop waits for it.
    tasks: TaskTracker,
    /// Firings at work at the same time.
    places: Semaphore,
    stop: CancellationToken,
    wakes: AtomicU64,
}

impl std::fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scheduler")
    }
}

impl Scheduler {
    /// Ends what the process died in before, and computes wall times anew. Nothing fires until `run`.
    pub async fn start(
        store: Store,
        clock: Clock,
        hands: Arc<dyn Hands>,
        tasks: TaskTracker,
        stop: CancellationToken,
    ) -> Result<Self, StoreError> {
        let scheduler = Self {
            inner: Arc::new(Inner {
                store,
                clock,
                hands,
                tasks,
                places: Semaphore::new(TASKS_AT_ONCE_MAX),
                stop,
                wakes: AtomicU64::new(0),
            }),
        };
        scheduler.inner.end_cut_off().await?;
        let now_ms = scheduler.inner.clock.now_ms();
        scheduler.inner.store.tasks_recompute(now_ms).await?;
        Ok(scheduler)
    }

    /// Fires what is due and sleeps until the next, until the stop.
    pub async fn run(self) {
        let inner = &self.inner;
        loop {
            inner.wakes.fetch_add(1, Ordering::Relaxed);
            let next_ms = match self.step().await {
                Ok(next_ms) => next_ms,
                Err(error) => {
                    tracing::error!(%error, "cannot fire what is due");
                    Some(inner.clock.now_ms().saturating_add(RETRY_MS))
                }
            };
            tokio::select! {
                biased;
                () = inner.stop.cancelled() => return,
                () = inner.store.tasks_changed() => {}
                () = inner.sleep_until(next_ms) => {}
            }
        }
    }

    /// Fires everything that is due now; when to look again, `None` for when something changed.
    pub async fn step(&self) -> Result<Option<i64>, StoreError> {
        let inner = &self.inner;
        let mut failed = HashSet::new();
        inner.store.scheduler_looks();
        loop {
            let now_ms = inner.clock.now_ms();
            let limit = TASKS_PER_COMMIT_MAX + failed.len();
            let mut due = inner.store.tasks_due(now_ms, limit).await?;
            due.retain(|task| !failed.contains(&task.id));
            if due.is_empty() || inner.stop.is_cancelled() {
                break;
            }
            failed.extend(inner.fire(due, now_ms).await?);
        }
        let mut next_ms = inner.store.tasks_next_due(inner.clock.now_ms()).await?;
        if !failed.is_empty() {
            next_ms = Some(inner.clock.now_ms().saturating_add(RETRY_MS));
        }
        inner.store.scheduler_sleeps_until(next_ms);
        Ok(next_ms)
    }

    /// How often the loop woke since the start.
    pub fn wakes(&self) -> u64 {
        self.inner.wakes.load(Ordering::Relaxed)
    }
}

impl Inner {
    async fn sleep_until(&self, next_ms: Option<i64>) {
        match next_ms {
            Some(next_ms) => self.clock.sleep_until(next_ms).await,
            None => std::future::pending().await,
        }
    }

    /// Decides, says and commits; then begins the work. Which of them could not be prepared.
    async fn fire(self: &Arc<Self>, due: Vec<Task>, now_ms: i64) -> Result<Vec<TaskId>, StoreError> {
        let prepared = join_all(due.into_iter().map(|task| self.prepare(task, now_ms))).await;
        let (mut ready, mut failed) = (Vec::new(), Vec::new());
        for one in prepared {
            match one {
                Ok(one) => ready.push(one),
                Err(task) => failed.push(task),
            }
        }
        let fires: Vec<Fire> = ready.iter().map(|(_, fire)| fire.clone()).collect();
        let fired = self.store.tasks_fire(fires, now_ms).await?;
        for ((firing, fire), fired) in ready.into_iter().zip(fired) {
            let Fired::Yes(inbox) = fired else {
                continue;
            };
            self.hands.committed(&fire.along, inbox).await;
            if let Some(firing) = firing.filter(|_| fire.state == RunState::Running && inbox.is_none()) {
                let inner = Arc::clone(self);
                self.tasks.spawn(async move { inner.work(firing).await });
            }
        }
        Ok(failed)
    }

    /// What a due task becomes, with what goes along with it; nothing but the task moves on when it is skipped.
    async fn prepare(&self, task: Task, now_ms: i64) -> Result<(Option<Firing>, Fire), TaskId> {
        let Decision {
            slot_ms,
            adjusted,
            verdict,
            after,
        } = decide::decide(&task, now_ms);
        let fire = |after: Task, state: RunState, along: Along| Fire {
            run: after.run_of(slot_ms),
            after,
            slot_ms,
            state,
            along,
        };
        let how = match verdict {
            Verdict::Fire(how) => how,
            Verdict::Skip => return Ok((None, fire(after, RunState::Skipped, Along::default()))),
        };
        let firing = Firing {
            run: task.run_of(slot_ms),
            task,
            slot_ms,
            adjusted,
            now_ms,
            how,
            next_ms: after.due_ms,
        };
        let along = self.hands.along(&firing).await.map_err(|error| {
            tracing::error!(%error, task = %firing.task.id, "cannot say what a task is for; it is tried again");
            firing.task.id.clone()
        })?;
        let state = match (how, firing.task.kind) {
            (How::Missed { .. }, _) => RunState::Missed,
            (How::OnTime | How::Late { .. }, TaskKind::Timer | TaskKind::Alarm | TaskKind::Reminder) => RunState::Done,
            (How::OnTime | How::Late { .. }, TaskKind::Request | TaskKind::Watcher | TaskKind::Job) => {
                RunState::Running
            }
        };
        Ok((Some(firing), fire(after, state, along)))
    }

    /// The work of one firing, within its time, and its end.
    async fn work(&self, firing: Firing) {
        let breaks_off = self.hands.breaks_off(&firing.task);
        // What has no place yet when the process should end is begun after the next start.
        let place = tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            place = self.places.acquire() => place.ok(),
        };
        let work = match place {
            Some(_place) => self.worked(&firing, breaks_off).await,
            None if breaks_off => self.broken_off(),
            None => return,
        };
        self.end(&firing.task, firing.run, work).await;
    }

    /// What came of it.
    async fn worked(&self, firing: &Firing, breaks_off: bool) -> Work {
        let limit = self.hands.limit(&firing.task);
        let hands = Arc::clone(&self.hands);
        let at_work = firing.clone();
        // In a task of its own: a bug in it is a failure of this run, and of nothing else.
        let mut working = tokio::spawn(async move { hands.work(&at_work).await });
        let ran = tokio::select! {
            ran = tokio::time::timeout(limit, &mut working) => ran,
            () = self.stop.cancelled(), if breaks_off => {
                working.abort();
                Ok((&mut working).await)
            }
        };
        match ran {
            Ok(Ok(work)) => work,
            Ok(Err(error)) if error.is_cancelled() => self.broken_off(),
            Ok(Err(panicked)) => {
                tracing::error!(%panicked, task = %firing.task.id, "the work of a task broke");
                Work::ended(RunState::Failed, Some(Message::new("firing-broke")))
            }
            Err(_elapsed) => {
                working.abort();
                let limit = Message::new("firing-too-long").with("seconds", limit.as_secs());
                Work::ended(RunState::TimedOut, Some(limit))
            }
        }
    }

    /// The end of work that is to go on as soon as somebody is there again.
    fn broken_off(&self) -> Work {
        Work {
            again_ms: Some(self.clock.now_ms()),
            ..Work::ended(RunState::Skipped, Some(Message::new("firing-broken-off")))
        }
    }

    async fn end(&self, task: &Task, run: RunId, work: Work) {
        let is_last = work.state.is_failure() && task.failures + 1 >= TASK_FAILURES_TO_STOP;
        let card = if is_last {
            self.hands.card(task).await
        } else {
            Along::default()
        };
        let end = RunEnd {
            memory: work.memory,
            again_ms: work.again_ms,
            along: work.along,
            card,
            ..RunEnd::new(run, work.state, work.outcome)
        };
        let said = (end.along.clone(), end.card.clone());
        match self.store.run_end(end, self.clock.now_ms()).await {
            Ok(Ended::Yes) => self.hands.committed(&said.0, None).await,
            Ok(Ended::Stopped) => {
                tracing::error!(task = %task.id, "a task failed too often and is stopped");
                self.hands.committed(&said.0, None).await;
                self.hands.committed(&said.1, None).await;
            }
            Ok(Ended::Before) => {}
            Err(error) => tracing::error!(%error, task = %task.id, "cannot note how a task ended; the next start does"),
        }
    }

    /// Runs the process died in are over. What looks or tidies does so again at once; it would otherwise wait for its
    /// next moment.
    async fn end_cut_off(&self) -> Result<(), StoreError> {
        for (run, task) in self.store.runs_open().await? {
            tracing::warn!(task = %task.id, "the process ended while this ran");
            let is_again = matches!(task.kind, TaskKind::Job | TaskKind::Watcher) && task.grace_minutes.is_none();
            let work = Work {
                again_ms: is_again.then(|| self.clock.now_ms()),
                ..Work::ended(RunState::CutOff, Some(Message::new("firing-cut-off")))
            };
            self.end(&task, run, work).await;
        }
        Ok(())
    }
}
