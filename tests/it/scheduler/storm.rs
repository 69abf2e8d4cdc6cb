//! Kills at random moments while things fire, each life a process of its own. Whatever the moment was, every slot was
//! said once in the end. The process is this test binary, which runs `life` alone.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use metnos::{
    clock::Clock,
    domain::task::TaskKind,
    scheduler::{Hands, Scheduler},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{TestHands, column, job, store_in, task};

const REMINDERS: i64 = 240;
const KILLS: u64 = 12;
/// Between two reminders, so that all of them take as long as the storm.
const APART_MS: i64 = 20;

/// One life: fires what is due in the folder it was started in, until it is killed or everything is said.
#[tokio::test]
#[ignore = "is a process that the storm starts and kills"]
async fn life() {
    let folder = Path::new(".");
    if !folder.join("db").exists() {
        return;
    }
    let store = store_in(folder).await;
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let hands = Arc::new(TestHands::default()) as Arc<dyn Hands>;
    let scheduler = Scheduler::start(store.clone(), Clock::system(), hands, tasks, stop.clone());
    let running = tokio::spawn(scheduler.await.unwrap().run());
    while store
        .tasks_of(&super::OWNER.into())
        .await
        .unwrap()
        .iter()
        .any(|task| task.is_waiting())
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.cancel();
    running.await.unwrap();
}

fn live(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "scheduler::storm::life", "--ignored"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn whatever_the_moment_of_the_kill_every_slot_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_in(folder.path()).await;
    let begin_ms = Clock::system().now_ms() + 300;
    for number in 0..REMINDERS {
        let at_ms = begin_ms + number * APART_MS;
        let at = Timestamp::from_millisecond(at_ms).unwrap();
        let mut reminder = task(
            &format!("r{number}"),
            TaskKind::Reminder,
            &format!("at:{at}"),
            "2026-01-01T00:00:00Z",
        );
        reminder.due_ms = Some(at_ms);
        store.task_add(reminder, None, 0).await.unwrap();
    }
    store
        .task_put(job("tick", "every_1_seconds", "2026-01-01T00:00:00Z"), 0)
        .await
        .unwrap();
    drop(store);
    let mut odd = begin_ms.unsigned_abs() | 1;
    for _ in 0..KILLS {
        let mut child = live(folder.path());
        odd = odd
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        tokio::time::sleep(Duration::from_millis(150 + (odd >> 33) % 300)).await;
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut last = live(folder.path());
    assert!(last.wait().unwrap().success());
    let count = |sql: &str| column(folder.path(), sql).remove(0);
    let reminders = REMINDERS.to_string();
    assert_eq!(
        count("SELECT count(*) || '' FROM outbox WHERE actor IS NOT NULL"),
        reminders
    );
    let runs =
        "SELECT count(DISTINCT task) || ' ' || count(*) FROM task_runs WHERE kind = 'reminder' AND state = 'done'";
    assert_eq!(count(runs), format!("{reminders} {reminders}"));
    let waiting = "SELECT count(*) || '' FROM tasks WHERE kind = 'reminder' AND state <> 'ringing'";
    assert_eq!(count(waiting), "0");
    let lives = "SELECT (count(DISTINCT started_at / 1000) >= 2) || '' FROM task_runs WHERE kind = 'job'";
    assert_eq!(count(lives), "1", "the job ran beside them");
    assert_eq!(
        count("SELECT count(*) || '' FROM task_runs WHERE state = 'running' AND kind <> 'job'"),
        "0"
    );
}
