//! The scheduler over a real store: what is due fires once, whatever happens meanwhile.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod anomalies;
mod storm;
mod year;

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use metnos::{
    clock::Clock,
    domain::{
        actor::{Actor, Autonomy, Role},
        delivery::Parcel,
        ids::{ActorId, ChannelKind, ConversationId, InboxId, TaskId},
        lang::Lang,
        reply::Reply,
        task::{RunState, Task, TaskKind, Trigger, job_id},
    },
    scheduler::{Firing, Hands, How, Scheduler, Work},
    store::{Store, StoreError, outbox::NewParcel, tasks::firing::Along},
};
use rusqlite::Connection;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) const OWNER: &str = "host";

/// What the work of a job does in a test.
type Working = Box<dyn Fn(u32) -> BoxFuture<'static, Work> + Send + Sync>;

/// Says the run of every firing in the terminal, and works as it is told.
pub(crate) struct TestHands {
    /// What was fired, in order.
    pub(crate) fired: Mutex<Vec<(TaskId, How)>>,
    /// So often, preparing fails first.
    pub(crate) refusals: AtomicU32,
    /// How often work was begun.
    pub(crate) begun: AtomicU32,
    pub(crate) working: Working,
    pub(crate) limit: Duration,
    pub(crate) breaks_off: bool,
}

impl Default for TestHands {
    fn default() -> Self {
        Self {
            fired: Mutex::default(),
            refusals: AtomicU32::new(0),
            begun: AtomicU32::new(0),
            working: Box::new(|_| Box::pin(async { Work::ended(RunState::Done, None) })),
            limit: Duration::from_secs(5),
            breaks_off: false,
        }
    }
}

pub(crate) fn said(text: String) -> Along {
    Along {
        parcels: vec![NewParcel::new(
            ChannelKind::Terminal,
            ConversationId::from("here"),
            Parcel::Reply(Reply::text(text)),
        )],
        ..Along::default()
    }
}

impl Hands for TestHands {
    fn along<'a>(&'a self, firing: &'a Firing) -> BoxFuture<'a, Result<Along, StoreError>> {
        Box::pin(async move {
            let refuses = |left: u32| left.checked_sub(1);
            if self
                .refusals
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, refuses)
                .is_ok()
            {
                return Err(StoreError::Closed);
            }
            self.fired.lock().unwrap().push((firing.task.id.clone(), firing.how));
            Ok(match firing.task.kind {
                TaskKind::Timer | TaskKind::Alarm | TaskKind::Reminder => said(firing.run.to_string()),
                TaskKind::Request | TaskKind::Watcher | TaskKind::Job => Along::default(),
            })
        })
    }

    fn committed<'a>(&'a self, _along: &'a Along, _inbox: Option<InboxId>) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    fn work<'a>(&'a self, _firing: &'a Firing) -> BoxFuture<'a, Work> {
        (self.working)(self.begun.fetch_add(1, Ordering::SeqCst))
    }

    fn limit(&self, _task: &Task) -> Duration {
        self.limit
    }

    fn breaks_off(&self, _task: &Task) -> bool {
        self.breaks_off
    }

    fn card<'a>(&'a self, task: &'a Task) -> BoxFuture<'a, Along> {
        Box::pin(async move { said(format!("card {}", task.id)) })
    }
}

/// A store in a folder, with its owner.
pub(crate) async fn store_in(folder: &Path) -> Store {
    let store = Store::open(&folder.join("db")).unwrap();
    let owner = Actor {
        id: ActorId::from(OWNER),
        role: Role::Host,
        name: "Ada".to_owned(),
        lang: Lang::EN,
        timezone: "Europe/Rome".to_owned(),
        autonomy: Autonomy::A2,
    };
    if store.actor(&owner.id).await.unwrap().is_none() {
        store.add_actor(&owner, 0).await.unwrap();
    }
    store
}

/// A scheduler that has just started, with a stop and what waits for its work.
pub(crate) async fn started(store: &Store, clock: &Clock, hands: &Arc<TestHands>) -> (Scheduler, TaskTracker) {
    let tasks = TaskTracker::new();
    let hands: Arc<dyn Hands> = Arc::clone(hands) as Arc<dyn Hands>;
    let scheduler = Scheduler::start(
        store.clone(),
        clock.clone(),
        hands,
        tasks.clone(),
        CancellationToken::new(),
    );
    (scheduler.await.unwrap(), tasks)
}

/// Waits for the work that was begun.
pub(crate) async fn settled(tasks: &TaskTracker) {
    tasks.close();
    tasks.wait().await;
    tasks.reopen();
}

pub(crate) fn ms(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

/// A task of the owner's that is due then.
pub(crate) fn task(id: &str, kind: TaskKind, trigger: &str, due: &str) -> Task {
    let trigger = Trigger::parse(trigger).unwrap();
    let mut task = Task::new(TaskId::from(id), kind, trigger, "Europe/Rome", Some(ms(due)), 0);
    task.owner = Some(ActorId::from(OWNER));
    task
}

/// A job that is due then.
pub(crate) fn job(name: &str, trigger: &str, due: &str) -> Task {
    let trigger = Trigger::parse(trigger).unwrap();
    Task::new(job_id(name), TaskKind::Job, trigger, "Europe/Rome", Some(ms(due)), 0)
}

/// The first column of a query, as text.
pub(crate) fn column(folder: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(folder.join("db")).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
