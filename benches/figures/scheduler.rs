//! How punctual firings are, how many come at once, and what sleeping tasks cost: over a real store on the machine's
//! clock, up to the moment their words are in the outbox.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
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
        task::{RunState, Task, TaskKind, Trigger},
    },
    scheduler::{Firing, Hands, Scheduler, Work},
    store::{Store, StoreError, outbox::NewParcel, tasks::firing::Along},
};
use rusqlite::Connection;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Figure, milliseconds, percentile, spread};

const PUNCTUAL: i64 = 100;
const AT_ONCE: i64 = 1_000;
const SLEEPING: u64 = 10_000;
const WAKES: i64 = 20;
/// What sleeps does so at least this long.
const FAR_MS: i64 = 40 * 24 * 3_600_000;
const MEMORY_GOAL_KB: u64 = 2 * 1024;

/// Says a word for each firing, and notes when it was in the outbox.
struct Bell {
    clock: Clock,
    rung_ms: Mutex<Vec<i64>>,
}

impl Hands for Bell {
    fn along<'a>(&'a self, firing: &'a Firing) -> BoxFuture<'a, Result<Along, StoreError>> {
        Box::pin(async move {
            let parcel = NewParcel::new(
                ChannelKind::Terminal,
                ConversationId::from("here"),
                Parcel::Reply(Reply::text(firing.run.as_str())),
            );
            Ok(Along {
                parcels: vec![parcel],
                ..Along::default()
            })
        })
    }

    fn committed<'a>(&'a self, _along: &'a Along, _inbox: Option<InboxId>) -> BoxFuture<'a, ()> {
        Box::pin(async { self.rung_ms.lock().unwrap().push(self.clock.now_ms()) })
    }

    fn work<'a>(&'a self, _firing: &'a Firing) -> BoxFuture<'a, Work> {
        Box::pin(async { Work::ended(RunState::Done, None) })
    }

    fn limit(&self, _task: &Task) -> Duration {
        Duration::from_secs(1)
    }

    fn card<'a>(&'a self, _task: &'a Task) -> BoxFuture<'a, Along> {
        Box::pin(async { Along::default() })
    }
}

/// A scheduler that runs.
struct Running {
    bell: Arc<Bell>,
    scheduler: Scheduler,
    stop: CancellationToken,
    store: Store,
    clock: Clock,
}

impl Running {
    async fn over(folder: &Path) -> Self {
        let clock = Clock::system();
        let store = open(folder).await;
        let bell = Arc::new(Bell {
            clock: clock.clone(),
            rung_ms: Mutex::default(),
        });
        let stop = CancellationToken::new();
        let hands = Arc::clone(&bell) as Arc<dyn Hands>;
        let scheduler = Scheduler::start(store.clone(), clock.clone(), hands, TaskTracker::new(), stop.clone());
        let scheduler = scheduler.await.unwrap();
        tokio::spawn(scheduler.clone().run());
        Self {
            bell,
            scheduler,
            stop,
            store,
            clock,
        }
    }

    /// A timer for that moment.
    async fn timer(&self, number: i64, at_ms: i64) {
        self.store.task_add(timer(number, at_ms), None, 0).await.unwrap();
    }

    async fn rung(&self, count: usize) -> Vec<i64> {
        while self.bell.rung_ms.lock().unwrap().len() < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        self.bell.rung_ms.lock().unwrap().clone()
    }
}

async fn open(folder: &Path) -> Store {
    let store = Store::open(&folder.join("db")).unwrap();
    let host = Actor {
        id: ActorId::from("host"),
        role: Role::Host,
        name: "Ada".to_owned(),
        lang: Lang::EN,
        timezone: "Europe/Rome".to_owned(),
        autonomy: Autonomy::A2,
    };
    if store.actor(&host.id).await.unwrap().is_none() {
        store.add_actor(&host, 0).await.unwrap();
    }
    store
}

fn timer(number: i64, at_ms: i64) -> Task {
    let at = Trigger::At(Timestamp::from_millisecond(at_ms).unwrap());
    let mut task = Task::new(
        TaskId::from(format!("t{number:05}")),
        TaskKind::Timer,
        at,
        "UTC",
        Some(at_ms),
        0,
    );
    task.owner = Some(ActorId::from("host"));
    task
}

/// Measures.
pub(super) async fn figures() -> Vec<Figure> {
    let mut figures = punctual().await;
    figures.push(at_once().await);
    figures.extend(sleeping().await);
    figures
}

/// One timer after the other, each alone.
async fn punctual() -> Vec<Figure> {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::over(folder.path()).await;
    let first_ms = running.clock.now_ms() + 3_000;
    let due: Vec<i64> = (0..PUNCTUAL).map(|number| first_ms + number * 60).collect();
    for (number, at_ms) in (0..).zip(&due) {
        running.timer(number, *at_ms).await;
    }
    let rung = running.rung(due.len()).await;
    running.stop.cancel();
    let late = due.iter().zip(&rung).map(|(due_ms, rung_ms)| rung_ms - due_ms);
    let mut late: Vec<Duration> = late.map(|ms| Duration::from_millis(ms.unsigned_abs())).collect();
    let measured = spread(&mut late);
    let (median, most) = (percentile(&late, 50), percentile(&late, 95));
    vec![Figure {
        what: format!("lateness of a firing ({PUNCTUAL} times)"),
        measured,
        goal: "p50 ≤ 20 ms, p95 ≤ 100 ms".to_owned(),
        is_met: median <= Duration::from_millis(20) && most <= Duration::from_millis(100),
    }]
}

/// All of them in the same second.
async fn at_once() -> Figure {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let due_ms = Clock::system().now_ms();
    for number in 0..AT_ONCE {
        store.task_add(timer(number, due_ms), None, 0).await.unwrap();
    }
    drop(store);
    let begun = Instant::now();
    let running = Running::over(folder.path()).await;
    running.rung(usize::try_from(AT_ONCE).unwrap()).await;
    let took = begun.elapsed();
    running.stop.cancel();
    Figure {
        what: format!("{AT_ONCE} due at once, all in the outbox"),
        measured: milliseconds(took),
        goal: "≤ 2 s".to_owned(),
        is_met: took <= Duration::from_secs(2),
    }
}

/// Many tasks that wait: what they weigh, and whether anything wakes for them.
async fn sleeping() -> Vec<Figure> {
    let (empty, full) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = open(full.path()).await;
    let mut pattern = timer(0, Clock::system().now_ms() + FAR_MS);
    pattern.trigger = Trigger::parse("daily@08:00").unwrap();
    store.task_add(pattern, None, 0).await.unwrap();
    drop(store);
    multiply(full.path());
    drop(open(empty.path()).await);
    let before = resident_kb();
    let alone = Running::over(empty.path()).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let without = resident_kb().saturating_sub(before);
    let running = Running::over(full.path()).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let with = resident_kb().saturating_sub(before + without);
    alone.stop.cancel();
    let more = with.saturating_sub(without);
    let asleep = running.scheduler.wakes();
    let first_ms = running.clock.now_ms() + 1_500;
    for number in 0..WAKES {
        running
            .timer(SLEEPING.cast_signed() + number, first_ms + number * 100)
            .await;
    }
    // Each of them said that it is sooner than the others, or nothing: those wakes are over before the first fires.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let told = running.scheduler.wakes() - asleep;
    running.rung(usize::try_from(WAKES).unwrap()).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let woke = running.scheduler.wakes() - asleep - told;
    running.stop.cancel();
    vec![
        Figure {
            what: format!("memory of {SLEEPING} sleeping tasks"),
            measured: format!("{more} KB"),
            goal: format!("≤ {MEMORY_GOAL_KB} KB"),
            is_met: more <= MEMORY_GOAL_KB,
        },
        Figure::of_count(
            &format!("wakes for {WAKES} firings among {SLEEPING} sleeping tasks"),
            woke,
            WAKES.unsigned_abs(),
        ),
    ]
}

/// Copies the one task until there are enough.
fn multiply(folder: &Path) {
    let connection = Connection::open(folder.join("db")).unwrap();
    let columns = "actor, kind, name, words, trigger, weekdays, zone, due_at, state, times_left, expires_at,
        grace_minutes, channel, conversation, remaining_ms, length_ms, memory, fired, failures, last_slot_at,
        created_at, changed_at, revision";
    let copy = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {SLEEPING})
         INSERT INTO tasks (id, {columns}) SELECT printf('s%05d', i), {columns} FROM n, tasks WHERE id = 't00000'"
    );
    connection.execute(&copy, []).unwrap();
    connection.execute("DELETE FROM tasks WHERE id = 't00000'", []).unwrap();
}

fn resident_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
