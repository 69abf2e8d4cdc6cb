//! The program is killed inside every job of the night and started again: each job is done in the end, nothing is lost
//! or doubled, and what lies on the disk is whole.

use std::time::Duration;

use metnos::{
    app::{DATABASE, LOCK},
    clock::Clock,
    domain::task::job_id,
    jobs, kick,
    store::Store,
};
use rusqlite::Connection;
use tokio::time::{Instant, sleep};

use crate::support::{household::Household, llama::Script};

const CHAT: i64 = 42;
const FASTPATHS: i64 = 400;
const DAY_MS: i64 = 24 * 3_600 * 1_000;
const PATIENCE: Duration = Duration::from_secs(60);

fn database(household: &Household) -> Connection {
    let connection = Connection::open(household.data_dir().join(DATABASE)).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection
}

fn number(household: &Household, sql: &str) -> i64 {
    database(household).query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A memory with something to do for every job: plans that are old, a family, passages, and texts to translate.
fn fill(household: &Household) {
    let mut connection = database(household);
    let now_ms = Clock::system().now_ms();
    let tx = connection.transaction().unwrap();
    for row in 0..FASTPATHS {
        let plan = format!(
            r#"{{"steps":[{{"tool":"list_dirs","args":{{"path":"~/d{row}"}}}},{{"tool":"sort_entries","args":{{"from_step":1,"by":"size"}}}}]}}"#
        );
        // Half of them were never asked again.
        let (uses, age_days, used_ms) = if row % 2 == 0 {
            (0, 20, None)
        } else {
            (20, 40, Some(now_ms - DAY_MS))
        };
        tx.execute(
            "INSERT INTO fastpaths (actor, canonical_text, canonical_hash, plan, origin, intent, query_specific, tools_sig,
                                    pool_sig, created_at, n_uses, last_used)
             VALUES ('host', ?1, ?1, ?2, 'auto', 'sort|files', 1, 'x', 'x', ?3, ?4, ?5)",
            (format!("request {row}"), plan, now_ms - age_days * DAY_MS, uses, used_ms),
        )
        .unwrap();
        tx.execute(
            "INSERT INTO passages (actor, source, target, state, weight, weighed_at, uses, first_used, last_used)
             VALUES ('host', ?1, 'sort_entries', 'active', 0.9, ?2, 5, ?2, ?2)",
            (format!("list_things{row}"), now_ms - 60 * DAY_MS),
        )
        .unwrap();
    }
    tx.commit().unwrap();
}

/// Makes a job due in the program that runs.
async fn due(household: &Household, name: &str) {
    let store = Store::open(&household.data_dir().join(DATABASE)).unwrap();
    let now_ms = Clock::system().now_ms();
    let start = Instant::now();
    while !store.job_due(&job_id(name), now_ms).await.unwrap() {
        assert!(start.elapsed() < PATIENCE, "{name} is not there");
        sleep(Duration::from_millis(10)).await;
    }
    kick::kick(&household.data_dir().join(LOCK), Clock::system().now()).unwrap();
}

fn runs(household: &Household, name: &str, states: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM task_runs WHERE task = 'job:{name}' AND state IN ({states})");
    number(household, &sql)
}

async fn until(what: &str, household: &Household, holds: impl Fn(&Household) -> bool) {
    let start = Instant::now();
    while !holds(household) {
        assert!(
            start.elapsed() < PATIENCE,
            "did not happen: {what}\n{}",
            household.story(CHAT)
        );
        sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn whatever_job_it_is_killed_in_the_night_is_whole() {
    let mut household = Household::new(&[CHAT]).await;
    // Slow enough that it is killed while it translates.
    household.llama.when(
        "MESSAGE",
        Script::Slowly(Duration::from_millis(40), "hello = Bonjour".to_owned()),
    );
    let added = household.runs(&["language", "add", "fr"]).await;
    assert!(added.status.success(), "{added:?}");
    household.serve();
    until("the jobs are there", &household, |household| {
        number(household, "SELECT count(*) FROM tasks WHERE id = 'job:promoter_digest'") == 1
    })
    .await;
    fill(&household);
    let mut cut_off = 0;
    for job in jobs::ALL.iter().filter(|job| job.name != "backup") {
        let began = number(&household, "SELECT count(*) FROM task_runs");
        due(&household, job.name).await;
        until(job.name, &household, |household| {
            number(household, "SELECT count(*) FROM task_runs") > began
        })
        .await;
        household.restart();
        // Whatever became of that one, the next is done.
        until(job.name, &household, |household| {
            runs(household, job.name, "'running'") == 0
        })
        .await;
        cut_off += runs(&household, job.name, "'cut_off'");
        let before = runs(&household, job.name, "'done', 'quiet'");
        due(&household, job.name).await;
        until(job.name, &household, |household| {
            runs(household, job.name, "'done', 'quiet'") > before
        })
        .await;
    }
    assert!(cut_off >= 3, "only {cut_off} were killed at work");
    household.kill();
    let check: String = database(&household)
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
    // What memory let go is there once: as a plan or as a removal.
    let (kept, gone) = (
        number(
            &household,
            "SELECT count(*) FROM fastpaths WHERE canonical_text LIKE 'request %'",
        ),
        number(&household, "SELECT count(*) FROM removals WHERE name LIKE 'request %'"),
    );
    assert_eq!(
        (
            kept + gone,
            number(&household, "SELECT count(DISTINCT name) FROM removals")
        ),
        (FASTPATHS, gone)
    );
    assert!(gone >= FASTPATHS / 2, "{gone}");
    let doubled = "SELECT count(*) - count(DISTINCT key) FROM proposals";
    assert_eq!(number(&household, doubled), 0);
    let list = household.runs(&["language", "list"]).await;
    assert!(
        String::from_utf8_lossy(&list.stdout).contains("fr (French)"),
        "{list:?}"
    );
    let log = household.log();
    assert!(!log.contains("panicked"), "{log}");
}
