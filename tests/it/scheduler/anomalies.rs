//! What goes wrong: hands that refuse, work that breaks or never ends, people who change their mind in between.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use jiff::Timestamp;
use metnos::{
    clock::Clock,
    domain::{
        ids::{ActorId, ChannelKind, ConversationId, MessageId, RunId, SenderId},
        inbound::{Inbound, InboundBody},
        task::{RunState, TaskKind, TaskState},
    },
    scheduler::{How, Scheduler, Work},
    store::tasks::{
        TaskAdded,
        firing::{Along, Fire, Fired, RunEnd},
        runs::RunsOf,
    },
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{OWNER, TestHands, column, job, ms, settled, started, store_in, task};

const EIGHT: &str = "2026-11-24T07:00:00Z";

fn clock(text: &str) -> Clock {
    Clock::fixed(text.parse::<Timestamp>().unwrap())
}

#[tokio::test]
async fn hands_that_refuse_are_asked_again_and_nothing_is_said_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, clock(EIGHT));
    let hands = Arc::new(TestHands::default());
    hands.refusals.store(1, Ordering::SeqCst);
    store
        .task_add(task("a", TaskKind::Reminder, "at:2026-11-24T08:00", EIGHT), None, 0)
        .await
        .unwrap();
    store
        .task_add(task("b", TaskKind::Reminder, "at:2026-11-24T08:00", EIGHT), None, 0)
        .await
        .unwrap();
    let (scheduler, _) = started(&store, &clock, &hands).await;
    let again_ms = scheduler.step().await.unwrap();
    assert_eq!(again_ms, Some(ms(EIGHT) + 5_000), "not at once, and not never");
    clock.advance(Duration::from_secs(5));
    assert_eq!(scheduler.step().await.unwrap(), None);
    let said = column(folder.path(), "SELECT id || ' ' || state FROM task_runs ORDER BY id");
    assert_eq!(said, [format!("a:{} done", ms(EIGHT)), format!("b:{} done", ms(EIGHT))]);
    assert_eq!(column(folder.path(), "SELECT count(*) || '' FROM outbox"), ["2"]);
    let open = store.tasks_of(&ActorId::from(OWNER)).await.unwrap();
    assert!(
        open.iter()
            .all(|task| task.state == TaskState::Ringing && task.fired == 1)
    );
}

#[tokio::test]
async fn work_that_breaks_or_never_ends_stops_its_job_after_three_times_and_a_success_forgives() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, clock(EIGHT));
    let hands = Arc::new(TestHands {
        working: Box::new(|run| {
            Box::pin(async move {
                match run {
                    0 | 4 => panic!("a bug"),
                    1 | 5 => std::future::pending().await,
                    2 => Work::ended(RunState::Done, None),
                    _ => Work::ended(RunState::Failed, None),
                }
            })
        }),
        limit: Duration::from_millis(20),
        ..TestHands::default()
    });
    store.task_put(job("tidy", "every_1_hours", EIGHT), 0).await.unwrap();
    let (scheduler, tasks) = started(&store, &clock, &hands).await;
    let mut states = Vec::new();
    for _ in 0..8 {
        scheduler.step().await.unwrap();
        settled(&tasks).await;
        clock.advance(Duration::from_secs(3_600));
        let known = store.job_tasks().await.unwrap().remove(0);
        states.push((known.state, known.failures));
    }
    let active = |failures| (TaskState::Active, failures);
    let stopped = (TaskState::Stopped, 3);
    let expected = [
        active(1),
        active(2),
        active(0),
        active(1),
        active(2),
        stopped,
        stopped,
        stopped,
    ];
    assert_eq!(states, expected);
    let runs = store.runs(RunsOf::House, 0, 10).await.unwrap();
    let runs: Vec<RunState> = runs.iter().rev().map(|run| run.state).collect();
    let (broke, endless) = (RunState::Failed, RunState::TimedOut);
    assert_eq!(runs, [broke, endless, RunState::Done, broke, broke, endless]);
    assert_eq!(
        column(folder.path(), "SELECT actor FROM outbox"),
        [OWNER],
        "one card, for the host"
    );
    // Somebody lets it go on.
    assert!(
        store
            .job_due(&job("tidy", "manual", EIGHT).id, clock.now_ms())
            .await
            .unwrap()
    );
    scheduler.step().await.unwrap();
    settled(&tasks).await;
    assert_eq!(store.job_tasks().await.unwrap()[0].failures, 1);
}

#[tokio::test]
async fn what_the_process_died_in_is_over_at_the_next_start_and_a_job_is_done_again_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, clock(EIGHT));
    let endless = Arc::new(TestHands {
        working: Box::new(|_| Box::pin(std::future::pending())),
        ..TestHands::default()
    });
    store.task_put(job("once", "daily@08:00", EIGHT), 0).await.unwrap();
    let mut skips = job("skip", "daily@08:00", EIGHT);
    skips.grace_minutes = Some(10);
    store.task_put(skips, 0).await.unwrap();
    let (scheduler, _) = started(&store, &clock, &endless).await;
    scheduler.step().await.unwrap();
    assert_eq!(
        scheduler.step().await.unwrap(),
        Some(ms("2026-11-25T07:00:00Z")),
        "not begun twice"
    );
    clock.advance(Duration::from_secs(600));
    let hands = Arc::new(TestHands::default());
    let (scheduler, tasks) = started(&store, &clock, &hands).await;
    scheduler.step().await.unwrap();
    settled(&tasks).await;
    let runs = "SELECT task || ' ' || state FROM task_runs ORDER BY rowid";
    assert_eq!(
        column(folder.path(), runs),
        ["job:once cut_off", "job:skip cut_off", "job:once done"]
    );
}

#[tokio::test]
async fn work_that_goes_on_later_is_broken_off_at_a_stop_and_that_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, clock(EIGHT));
    let endless = Arc::new(TestHands {
        working: Box::new(|_| Box::pin(std::future::pending())),
        breaks_off: true,
        limit: Duration::from_secs(600),
        ..TestHands::default()
    });
    store.task_put(job("index", "daily@08:00", EIGHT), 0).await.unwrap();
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let begun = Scheduler::start(store.clone(), clock.clone(), endless, tasks.clone(), stop.clone());
    begun.await.unwrap().step().await.unwrap();
    clock.advance(Duration::from_secs(60));
    stop.cancel();
    settled(&tasks).await;
    let known = store.job_tasks().await.unwrap().remove(0);
    let expected = (TaskState::Active, 0, Some(clock.now_ms()));
    assert_eq!((known.state, known.failures, known.due_ms), expected);
    let (scheduler, tasks) = started(&store, &clock, &Arc::new(TestHands::default())).await;
    scheduler.step().await.unwrap();
    settled(&tasks).await;
    let runs = "SELECT task || ' ' || state FROM task_runs ORDER BY rowid";
    assert_eq!(column(folder.path(), runs), ["job:index skipped", "job:index done"]);
}

#[tokio::test]
async fn a_slot_fires_once_whoever_tries_it_again_and_a_changed_task_is_looked_at_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_in(folder.path()).await;
    let known = task("a", TaskKind::Alarm, "daily@08:00", EIGHT);
    assert_eq!(store.task_add(known.clone(), Some(1), 0).await.unwrap(), TaskAdded::Yes);
    assert_eq!(
        store
            .task_add(task("b", TaskKind::Alarm, "manual", EIGHT), Some(1), 0)
            .await
            .unwrap(),
        TaskAdded::TooMany
    );
    let read = store.task(&known.id).await.unwrap().unwrap();
    let fire = |task| Fire {
        after: task,
        run: known.run_of(ms(EIGHT)),
        slot_ms: ms(EIGHT),
        state: RunState::Done,
        along: super::said("ring".to_owned()),
    };
    let both = vec![fire(read.clone()), fire(read.clone())];
    assert_eq!(store.tasks_fire(both, 0).await.unwrap(), [Fired::Yes(None), Fired::No]);
    // A snapshot that comes back cannot make the past happen again.
    let now = store.task(&known.id).await.unwrap().unwrap();
    assert_eq!(store.tasks_fire(vec![fire(now)], 0).await.unwrap(), [Fired::Before]);
    assert_eq!(column(folder.path(), "SELECT count(*) || '' FROM outbox"), ["1"]);
    assert!(!store.task_put(read, 0).await.unwrap(), "it has moved on");
}

#[tokio::test]
async fn a_request_waits_in_the_inbox_and_its_run_is_open_until_its_turn_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, clock(EIGHT));
    let known = task("a", TaskKind::Request, "every_1_minutes", EIGHT);
    store.task_add(known.clone(), None, 0).await.unwrap();
    let read = store.task(&known.id).await.unwrap().unwrap();
    let inbound = Inbound {
        channel: ChannelKind::Terminal,
        conversation: ConversationId::from("here"),
        sender: SenderId::from("local"),
        sender_name: None,
        lang_hint: None,
        message: MessageId::from("due:a"),
        body: InboundBody::Text("what is on the list".to_owned()),
    };
    let run: RunId = known.run_of(ms(EIGHT));
    let fire = Fire {
        after: read,
        run: run.clone(),
        slot_ms: ms(EIGHT),
        state: RunState::Running,
        along: Along {
            inbound: Some(inbound),
            ..Along::default()
        },
    };
    let fired = store.tasks_fire(vec![fire], 0).await.unwrap();
    assert!(matches!(fired[0], Fired::Yes(Some(_))), "{fired:?}");
    let hands = Arc::new(TestHands::default());
    let (scheduler, _) = started(&store, &clock, &hands).await;
    assert_eq!(
        scheduler.step().await.unwrap(),
        None,
        "it is at work: due, and not fired beside itself"
    );
    let open = store.run(&run).await.unwrap().unwrap();
    assert_eq!(
        (open.state, open.ended_ms),
        (RunState::Running, None),
        "a start leaves it to the inbox"
    );
    let end = RunEnd::new(run.clone(), RunState::Quiet, None);
    store.run_end(end.clone(), 1).await.unwrap();
    store.run_end(end, 2).await.unwrap();
    assert_eq!(store.run(&run).await.unwrap().unwrap().ended_ms, Some(1));
}

#[tokio::test]
async fn nothing_fires_for_whom_was_locked_out_and_it_is_late_when_they_are_back() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, clock(EIGHT));
    let hands = Arc::new(TestHands::default());
    store
        .task_add(task("a", TaskKind::Reminder, "at:2026-11-24T08:00", EIGHT), None, 0)
        .await
        .unwrap();
    let owner = ActorId::from(OWNER);
    store.revoke(&owner, None, 0).await.unwrap();
    let (scheduler, _) = started(&store, &clock, &hands).await;
    assert_eq!(scheduler.step().await.unwrap(), None);
    assert_eq!(
        store
            .task_add(task("b", TaskKind::Timer, "manual", EIGHT), None, 0)
            .await
            .unwrap(),
        TaskAdded::NotLetIn
    );
    clock.advance(Duration::from_secs(3_600));
    store
        .pair(ChannelKind::Terminal, &SenderId::from("local"), &owner, 0)
        .await
        .unwrap();
    scheduler.step().await.unwrap();
    let fired = hands.fired.lock().unwrap().clone();
    assert_eq!(fired.len(), 1);
    assert_eq!(fired[0].1, How::Late { by_ms: 3_600_000 });
}

#[tokio::test]
async fn a_person_who_moves_takes_their_wall_times_along_and_hears_none_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, clock(EIGHT));
    let hands = Arc::new(TestHands::default());
    let owner = ActorId::from(OWNER);
    for known in [
        task("daily", TaskKind::Alarm, "daily@08:00", EIGHT),
        task(
            "once",
            TaskKind::Reminder,
            "at:2026-11-24T20:00",
            "2026-11-24T19:00:00Z",
        ),
        task(
            "timer",
            TaskKind::Timer,
            "at:2026-11-24T09:00:00Z",
            "2026-11-24T09:00:00Z",
        ),
        task(
            "past",
            TaskKind::Reminder,
            "at:2026-11-24T09:30",
            "2026-11-24T08:30:00Z",
        ),
    ] {
        store.task_add(known, None, 0).await.unwrap();
    }
    let (scheduler, _) = started(&store, &clock, &hands).await;
    scheduler.step().await.unwrap();
    let due = |tasks: Vec<metnos::domain::task::Task>| {
        let mut due: Vec<String> = tasks
            .iter()
            .map(|task| {
                format!(
                    "{} {}",
                    task.id,
                    Timestamp::from_millisecond(task.due_ms.unwrap()).unwrap()
                )
            })
            .collect();
        due.sort();
        due
    };
    store
        .set_timezone(&owner, "America/New_York", clock.now_ms())
        .await
        .unwrap();
    let west = due(store.tasks_of(&owner).await.unwrap());
    // Eight o'clock of the 24th rang in Rome: in New York it does not ring again on that day.
    let expected = [
        "daily 2026-11-25T13:00:00Z",
        "once 2026-11-25T01:00:00Z",
        "past 2026-11-24T14:30:00Z",
        "timer 2026-11-24T09:00:00Z",
    ];
    assert_eq!(west, expected);
    store.set_timezone(&owner, "Asia/Tokyo", clock.now_ms()).await.unwrap();
    let east = due(store.tasks_of(&owner).await.unwrap());
    let expected = [
        "daily 2026-11-24T23:00:00Z",
        "once 2026-11-24T11:00:00Z",
        "past 2026-11-24T07:00:00Z",
        "timer 2026-11-24T09:00:00Z",
    ];
    assert_eq!(east, expected, "what would lie in the past comes now");
}

#[tokio::test]
async fn it_sleeps_until_the_next_and_wakes_for_what_is_sooner_and_for_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (store, clock) = (store_in(folder.path()).await, Clock::system());
    let hands = Arc::new(TestHands::default());
    let now_ms = clock.now_ms();
    let at = |id: &str, in_ms: i64| {
        let moment = Timestamp::from_millisecond(now_ms + in_ms).unwrap();
        let mut timer = task(id, TaskKind::Timer, &format!("at:{moment}"), EIGHT);
        timer.due_ms = Some(now_ms + in_ms);
        timer
    };
    store.task_add(at("far", 3_600_000), None, 0).await.unwrap();
    let (stop, tasks) = (CancellationToken::new(), tokio_util::task::TaskTracker::new());
    let handed = Arc::clone(&hands) as Arc<dyn metnos::scheduler::Hands>;
    let scheduler = metnos::scheduler::Scheduler::start(store.clone(), clock, handed, tasks, stop.clone());
    let scheduler = scheduler.await.unwrap();
    let running = tokio::spawn(scheduler.clone().run());
    tokio::time::sleep(Duration::from_millis(100)).await;
    let asleep = scheduler.wakes();
    store.task_add(at("farther", 7_200_000), None, 0).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(scheduler.wakes(), asleep, "something later wakes nobody");
    store.task_add(at("soon", 400), None, 0).await.unwrap();
    for _ in 0..200 {
        if !hands.fired.lock().unwrap().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let fired = hands.fired.lock().unwrap().clone();
    assert_eq!(fired.len(), 1);
    assert_eq!((fired[0].0.as_str(), fired[0].1), ("soon", How::OnTime));
    assert_eq!(scheduler.wakes() - asleep, 2, "once to hear of it, once to fire it");
    stop.cancel();
    running.await.unwrap();
}
