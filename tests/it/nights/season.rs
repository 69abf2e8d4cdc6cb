//! A hundred and twenty nights of a household of three, under a clock that is moved a day at a time while the scheduler
//! fires every job of the house by itself: what is asked once or no more is forgotten as the rules say, what is asked
//! again and again grows into a tool, which is used, taken back and made again; and a guest's stays theirs.

use metnos::{clock::Clock, domain::lang::Lang};
use serde_json::json;

use super::DAY;
use crate::{
    support::bot::TestBot,
    turns::{bot_at, change, clock, pair, remember_of, rows},
};

const NIGHTS: u32 = 120;
const FOLDERS: [&str; 3] = ["docs", "inbox", "old"];
const ONCE: &str = "how many pdf files are in ~/docs";
const FOR_A_WHILE: &str = "find txt files in ~/inbox";
/// Until this day that one is asked.
const WHILE_DAYS: u32 = 20;
/// Until this day the family is asked.
const FAMILY_DAYS: u32 = 44;
const ROLLED_BACK_ON: u32 = 60;
const AGAIN_ON: u32 = 64;

fn largest(folder: &str) -> String {
    format!("the 2 biggest files in ~/{folder}")
}

/// The jobs of one night, from noon to noon; they are due in their order, and all of them run.
async fn night(bot: &TestBot, clock: &Clock) {
    clock.advance(DAY);
    let waiting = format!(
        "SELECT id FROM tasks WHERE kind = 'job' AND due_at IS NOT NULL AND due_at <= {}
         UNION SELECT id FROM task_runs WHERE state = 'running'",
        clock.now_ms()
    );
    for _ in 0..3_000 {
        if rows(bot, &waiting).is_empty() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("these did not end: {:?}", rows(bot, &waiting));
}

fn states(bot: &TestBot, actor: &str) -> Vec<String> {
    rows(
        bot,
        &format!("SELECT name || ' ' || state FROM proposals WHERE actor = '{actor}' ORDER BY id"),
    )
}

/// The number of what grew out of the host's own requests.
fn own(bot: &TestBot) -> String {
    rows(bot, "SELECT id || '' FROM proposals WHERE actor = 'host'").remove(0)
}

fn reasons(bot: &TestBot, request: &str) -> Vec<String> {
    rows(
        bot,
        &format!("SELECT reason FROM removals WHERE name = '{request}' AND actor = 'host' ORDER BY id"),
    )
}

/// A household whose guests ask what the host asks, too.
struct Season {
    bot: TestBot,
    clock: Clock,
    anna: String,
}

impl Season {
    async fn begin() -> Self {
        let clock = clock("2026-01-01T12:00:00Z");
        let mut bot = bot_at(&clock, Lang::EN).await;
        pair(&mut bot, "host-phone").await;
        pair(&mut bot, "anna").await;
        pair(&mut bot, "ben").await;
        let anna = rows(
            &bot,
            "SELECT id FROM actors WHERE role = 'guest' ORDER BY created_at, id",
        )
        .remove(0);
        bot.app().runtime.jobs_installed().await;
        bot.file("docs/a.pdf", "a");
        for folder in FOLDERS {
            bot.file(&format!("{folder}/small.txt"), "a");
            bot.file(&format!("{folder}/large.txt"), "aaaaaaaaaa");
            for guest in rows(&bot, "SELECT id FROM actors WHERE role = 'guest'") {
                let home = bot.data_dir().join("guests").join(&guest).join(folder);
                std::fs::create_dir_all(&home).unwrap();
                std::fs::write(home.join("large.txt"), "aaaaaaaaaa").unwrap();
            }
        }
        Self { bot, clock, anna }
    }

    /// What is asked on a day.
    async fn day(&mut self, day: u32) {
        let folder = FOLDERS[usize::try_from(day / 2).unwrap() % FOLDERS.len()];
        if day == 1 {
            self.bot.says(ONCE).await;
        }
        if day <= WHILE_DAYS && day.is_multiple_of(4) {
            self.bot.says(FOR_A_WHILE).await;
        }
        if day <= FAMILY_DAYS && day.is_multiple_of(2) {
            let answer = self.bot.says(&largest(folder)).await;
            assert!(answer.contains("large.txt"), "day {day}: {answer}");
            self.bot.telegram("anna", &largest(folder)).await;
        }
        if day.is_multiple_of(7) {
            self.bot.telegram("ben", "book me a flight to Rome").await;
        }
    }
}

#[tokio::test]
async fn a_season_of_nights() {
    let mut season = Season::begin().await;
    let (mut proposed_on, mut settled_on) = (None, None);
    let (mut once_gone, mut while_gone) = (None, None);
    for day in 0..NIGHTS {
        season.day(day).await;
        if day == ROLLED_BACK_ON {
            let told = season
                .bot
                .says(&format!("/proposals reject p{}", own(&season.bot)))
                .await;
            assert!(told.contains("is taken back"), "{told}");
        }
        if day == AGAIN_ON {
            let told = season
                .bot
                .says(&format!("/proposals approve p{}", own(&season.bot)))
                .await;
            assert!(told.contains("is made"), "{told}");
        }
        night(&season.bot, &season.clock).await;
        let (bot, day) = (&mut season.bot, day + 1);
        if proposed_on.is_none() && !states(bot, "host").is_empty() {
            proposed_on = Some(day);
            assert_eq!(states(bot, "host").len(), 1);
            let told = bot.says(&format!("/proposals approve p{}", own(bot))).await;
            assert!(told.contains("is made"), "{told}");
            // The next time somebody asks, the tool is what is planned.
            let name = states(bot, "host")[0].split(' ').next().unwrap().to_owned();
            let plan = json!({"steps": [{"tool": name, "args": {"base_path": "~/docs"}}]});
            remember_of(bot, "host", "the largest in docs", &plan);
            change(
                bot,
                &format!("UPDATE fastpaths SET created_at = {}", season.clock.now_ms()),
            );
            let answer = bot.says("the largest in docs").await;
            assert!(answer.contains("large.txt"), "{answer}");
            let used = format!("SELECT uses || ' ' || failures FROM executor_uses WHERE executor = '{name}'");
            assert_eq!(rows(bot, &used), ["1 0"]);
        }
        once_gone = once_gone.or_else(|| reasons(bot, ONCE).pop().map(|why| (day, why)));
        while_gone = while_gone.or_else(|| reasons(bot, FOR_A_WHILE).pop().map(|why| (day, why)));
        let is_settled = day > AGAIN_ON && states(bot, "host")[0].ends_with(" final");
        settled_on = settled_on.or(is_settled.then_some(day));
        // A guest's family waits for the host, however long.
        let theirs = states(bot, &season.anna);
        assert!(
            theirs
                .iter()
                .all(|state| !state.ends_with("grace") && !state.ends_with("final")),
            "{theirs:?}"
        );
    }
    let bot = &season.bot;
    let told = format!(
        "proposed {proposed_on:?} once {once_gone:?} while {while_gone:?} settled {settled_on:?} host {:?} guest {:?}",
        states(bot, "host"),
        states(bot, &season.anna)
    );
    // Fourteen days of grace after the first day; thirty after the twentieth.
    assert_eq!(once_gone, Some((16, "never-reused".to_owned())), "{told}");
    assert_eq!(while_gone, Some((51, "stale".to_owned())), "{told}");
    // Thirty days old, and asked often enough.
    assert!(proposed_on.is_some_and(|day| (31..=46).contains(&day)), "{told}");
    assert_eq!(settled_on, Some(AGAIN_ON + 3), "three days of grace: {told}");
    let failures = "SELECT task || ' ' || outcome FROM task_runs WHERE kind = 'job' AND state NOT IN ('done', 'quiet')";
    assert_eq!(rows(bot, failures), Vec::<String>::new());
    let wanted = rows(bot, "SELECT count(*) || '' FROM gaps WHERE request LIKE '%flight%'");
    assert_eq!(wanted.len(), 1, "{wanted:?}");
}
