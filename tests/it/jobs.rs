//! The jobs of the house: by their schedule, by hand, beside a running metnos and without one.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{fs, path::Path, time::Duration};

use metnos::{
    app::{DATABASE, LOCK},
    clock::Clock,
    domain::{lang::Lang, task::job_id},
    jobs, kick,
    store::Store,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{
    support::{
        bot::{Setup, TestBot},
        process::Home,
    },
    turns::rows,
};

const DAY: Duration = Duration::from_secs(24 * 3_600);
/// How often something is looked for, 20 ms apart.
const TRIES: usize = 500;

async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..TRIES {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it never was so: {what}");
}

async fn bot_at(clock: &Clock) -> TestBot {
    let setup = Setup {
        clock: clock.clone(),
        lang: Lang::EN,
        ..Setup::default()
    };
    TestBot::with(setup).await
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Makes a job due in a metnos that runs, as another process does.
pub(crate) async fn due(bot: &TestBot, name: &str, clock: &Clock) {
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    assert!(store.job_due(&job_id(name), clock.now_ms()).await.unwrap());
    kick::kick(&bot.data_dir().join(LOCK), Clock::system().now()).unwrap();
}

#[tokio::test]
async fn every_job_has_its_entry_and_an_old_one_goes() {
    let clock = Clock::fixed("2026-11-24T12:00:00Z".parse().unwrap());
    let mut bot = bot_at(&clock).await;
    bot.app().runtime.jobs_installed().await;
    let entries = "SELECT id || ' ' || trigger || ' ' || zone FROM tasks ORDER BY id";
    let known = rows(&bot, entries);
    // Copies are made only where the household names a place for them.
    let wanted = jobs::ALL.iter().filter(|job| job.name != "backup");
    let mut wanted: Vec<String> = wanted
        .map(|job| format!("job:{} {} Europe/Rome", job.name, job.schedule))
        .collect();
    wanted.sort();
    assert_eq!(known, wanted);
    bot.stop().await;
    let connection = rusqlite::Connection::open(bot.data_dir().join(DATABASE)).unwrap();
    connection
        .execute("UPDATE tasks SET id = 'job:gone' WHERE id = 'job:database'", [])
        .unwrap();
    connection
        .execute("UPDATE tasks SET fired = 7 WHERE id = 'job:retention'", [])
        .unwrap();
    drop(connection);
    bot.start().await;
    bot.app().runtime.jobs_installed().await;
    assert_eq!(rows(&bot, entries), wanted);
    let kept = rows(&bot, "SELECT (fired >= 7) || '' FROM tasks WHERE id = 'job:retention'");
    assert_eq!(kept, ["1"], "what is there keeps its counts");
}

#[tokio::test]
async fn days_of_the_turn_log_that_are_over_are_packed_and_still_read() {
    let clock = Clock::fixed("2026-11-24T12:00:00Z".parse().unwrap());
    let mut bot = bot_at(&clock).await;
    bot.says("what time is it").await;
    let turns = bot.data_dir().join("turns");
    assert_eq!(names(&turns), ["2026-11-24.jsonl"]);
    clock.advance(3 * DAY);
    until("the log is packed", || names(&turns) == ["2026-11-24.jsonl.gz"]).await;
    bot.says("what day is it").await;
    assert_eq!(bot.turn_log().await.len(), 2);
}

#[tokio::test]
async fn memory_learns_the_new_embedder_at_night_and_finds_its_requests_again() {
    let clock = Clock::fixed("2026-11-24T12:00:00Z".parse().unwrap());
    let mut bot = bot_at(&clock).await;
    bot.file("docs/a.pdf", "a");
    bot.says("find the pdf files in ~/docs").await;
    let vectors =
        "SELECT 'f ' || hex(embedding) FROM fastpaths UNION ALL SELECT 'o ' || hex(embedding) FROM observations";
    let before = rows(&bot, vectors);
    assert_eq!(before.len(), 2, "{before:?}");
    let connection = rusqlite::Connection::open(bot.data_dir().join(DATABASE)).unwrap();
    for table in ["fastpaths", "observations"] {
        let other = format!("UPDATE {table} SET embedder = 'server:other', embedding = x'00'");
        connection.execute(&other, []).unwrap();
    }
    due(&bot, "reembedding", &clock).await;
    until("vectors are made anew", || rows(&bot, vectors) == before).await;
    let line = "SELECT json_extract(outcome, '$.args.count') || '' FROM task_runs WHERE task = 'job:reembedding'
                AND outcome IS NOT NULL";
    until("it is noted", || rows(&bot, line) == ["2.0"]).await;
}

#[tokio::test]
async fn a_question_is_over_at_its_moment_without_anybody_looking() {
    let clock = Clock::fixed("2026-11-24T12:00:00Z".parse().unwrap());
    let mut bot = bot_at(&clock).await;
    bot.file("docs/a.pdf", "a");
    bot.says("delete ~/docs/a.pdf").await;
    let due = "SELECT (due_at - 1795521600000) || '' FROM tasks WHERE id = 'job:questions' AND due_at IS NOT NULL";
    until("somebody looks when it is over", || rows(&bot, due) == ["600000"]).await;
    clock.advance(Duration::from_secs(600));
    let said = bot.hears(metnos::domain::ids::ChannelKind::Terminal).await.plain();
    assert!(!said.is_empty());
    assert!(bot.has("docs/a.pdf"));
    until("nothing is due any more", || {
        rows(
            &bot,
            "SELECT 'x' FROM tasks WHERE id = 'job:questions' AND due_at IS NOT NULL",
        )
        .is_empty()
    })
    .await;
}

#[tokio::test]
async fn a_job_runs_by_hand_where_none_runs_and_its_failure_is_named() {
    let home = Home::new();
    let copies = home.path("copies");
    home.configure(&format!(
        "[backup]\nfolder = {:?}\nkeep = 2\n",
        copies.display().to_string()
    ));
    let (is_good, said) = home.run(&["jobs", "list"], "").await;
    assert!(
        is_good && said.lines().count() == jobs::ALL.len() && said.contains("never"),
        "before the first start: {said}"
    );
    let (is_good, said) = home.run(&["jobs", "run", "backup"], "").await;
    assert!(!is_good && said.contains("failed"), "{said}");
    let (is_good, said) = home.run(&["doctor"], "").await;
    assert!(!is_good && said.contains("“backup” failed the last time"), "{said}");
    fs::create_dir(&copies).unwrap();
    for old in ["metnos-2020-01-01", "metnos-2020-01-02", "mine"] {
        fs::create_dir(copies.join(old)).unwrap();
    }
    for _ in 0..2 {
        let (is_good, said) = home.run(&["jobs", "run", "backup"], "").await;
        assert!(is_good && said.contains("2 copies are kept"), "{said}");
    }
    let left = names(&copies);
    assert_eq!(
        (left.len(), left[0].as_str(), left[2].as_str()),
        (3, "metnos-2020-01-02", "mine")
    );
    assert!(copies.join(&left[1]).join(DATABASE).exists(), "tonight's, once");
    let (_, said) = home.run(&["doctor"], "").await;
    assert!(!said.contains("backup"), "{said}");
    let (is_good, said) = home.run(&["jobs", "history", "backup"], "").await;
    assert!(is_good && said.lines().count() == 3, "{said}");
    let (is_good, said) = home.run(&["jobs"], "").await;
    assert!(is_good && said.contains("backup (daily@03:30): next "), "{said}");
    let (is_good, said) = home.run(&["jobs", "run", "nothing"], "").await;
    assert!(!is_good && said.contains("no job called “nothing”"), "{said}");
}

#[tokio::test]
async fn a_job_by_hand_is_done_by_the_metnos_that_runs() {
    let home = Home::new();
    let mut running = home
        .command(env!("CARGO_BIN_EXE_metnos"), &[])
        .arg("chat")
        .spawn()
        .unwrap();
    running.stdin.as_mut().unwrap().write_all(b"/help\n").await.unwrap();
    // Its first words: it holds the folder by then.
    let first = running.stdout.as_mut().unwrap().read_u8();
    tokio::time::timeout(Duration::from_secs(30), first)
        .await
        .unwrap()
        .unwrap();
    let (is_good, said) = home.run(&["jobs", "run", "database"], "").await;
    assert!(is_good && said.contains("The database is whole."), "{said}");
    assert!(running.try_wait().unwrap().is_none(), "it runs on");
    running.kill().await.unwrap();
}
