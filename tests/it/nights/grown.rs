//! What a household asks in words day after day grows into a tool, which is planned and replayed for these words with
//! no model, whose uses count, and which leaves everything as it was when it is taken back.

use metnos::{
    clock::Clock,
    config::{DigestForm, EngineChoice},
    domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind},
    i18n::I18n,
    nights::promoter::{Night, Promoter},
};

use super::{DAY, reap};
use crate::{
    support::bot::{Setup, TestBot},
    turns::{change, clock, pair, rows},
};

const FOLDERS: [&str; 5] = ["docs", "inbox", "old", "music", "papers"];

fn asked(folder: &str) -> String {
    format!("the 2 biggest files in ~/{folder}")
}

struct Household {
    bot: TestBot,
    clock: Clock,
    autopromote: bool,
}

impl Household {
    async fn new(autopromote: bool) -> Self {
        let clock = clock("2026-01-01T12:00:00Z");
        let bot = TestBot::with(Setup {
            clock: clock.clone(),
            lang: Lang::EN,
            engine: EngineChoice::Auto,
            digest: DigestForm::Aggregated,
            ..Setup::default()
        })
        .await;
        bot.app().runtime.jobs_installed().await;
        change(&bot, "UPDATE tasks SET state = 'paused' WHERE kind = 'job'");
        for folder in FOLDERS {
            for (name, size) in [("small", 1), ("middle", 50), ("large", 200)] {
                bot.file(&format!("{folder}/{name}.txt"), &"a".repeat(size));
            }
        }
        Self {
            bot,
            clock,
            autopromote,
        }
    }

    async fn asks(&mut self, request: &str) -> String {
        let answer = self.bot.says(request).await;
        assert!(
            answer.contains("large.txt") && answer.contains("middle.txt") && !answer.contains("small.txt"),
            "{request}: {answer}"
        );
        let transcript = self.bot.transcript();
        transcript.lines().last().unwrap_or_default().to_owned()
    }

    async fn night(&mut self) -> Night {
        self.clock.advance(DAY);
        reap(&self.bot).await;
        let i18n = I18n::embedded().unwrap();
        let mut promoter = Promoter::of(self.bot.app().runtime.engine(), &i18n);
        promoter.promotion.autopromote = self.autopromote;
        promoter.propose().await.unwrap();
        let night = promoter.night().await.unwrap();
        promoter.age().await.unwrap();
        night
    }

    /// Days of a household that asks so many of these a day.
    async fn days(&mut self, days: usize, a_day: usize) -> Vec<Night> {
        let mut nights = Vec::new();
        for day in 0..days {
            for turn in 0..a_day {
                self.asks(&asked(FOLDERS[(a_day * day + turn) % FOLDERS.len()])).await;
            }
            nights.push(self.night().await);
        }
        nights
    }

    fn states(&self) -> Vec<String> {
        rows(&self.bot, "SELECT name || ' ' || state FROM proposals ORDER BY id")
    }

    fn uses(&self, name: &str) -> u32 {
        let uses = rows(
            &self.bot,
            &format!("SELECT uses || '' FROM executor_uses WHERE executor = '{name}'"),
        );
        uses.first().map_or(0, |uses| uses.parse().unwrap())
    }
}

#[tokio::test]
async fn what_is_asked_day_after_day_becomes_a_tool_that_is_used_and_can_be_taken_back() {
    let mut house = Household::new(false).await;
    house.days(31, 1).await;
    assert_eq!(house.states(), ["sort_files review"], "its name says what it does");
    let told = house.bot.says("approve p1").await;
    assert!(told.starts_with("sort_files is made"), "{told}");
    // Said twice is said once: it is still watched.
    let again = house.bot.says("approve p1").await;
    assert!(again.contains("I am watching it"), "{again}");
    assert_eq!(house.states(), ["sort_files grace"]);

    // The rows it grew out of go, and the next day every one of them is planned again by code, as the tool.
    let before = house.uses("sort_files");
    house.days(5, 1).await;
    assert_eq!(house.uses("sort_files") - before, 5);
    let remembered = rows(&house.bot, "SELECT DISTINCT plan ->> '$.steps[0].tool' FROM fastpaths");
    assert_eq!(
        remembered,
        ["sort_files"],
        "{:?}",
        rows(&house.bot, "SELECT plan FROM fastpaths")
    );
    let asked_model = "SELECT count(*) || '' FROM turns WHERE model_calls > 0";
    assert_eq!(rows(&house.bot, asked_model), ["0"]);
    // Other values in the same words.
    house.bot.file("fresh/large.txt", &"a".repeat(200));
    house.bot.file("fresh/middle.txt", "aaa");
    house.bot.file("fresh/small.txt", "a");
    let before = house.uses("sort_files");
    house.asks(&asked("fresh")).await;
    assert_eq!(house.uses("sort_files"), before + 1);

    // A month and a half on it is still in demand, and stays.
    for week in 0..9 {
        house.asks(&asked(FOLDERS[week % FOLDERS.len()])).await;
        for _ in 0..5 {
            house.night().await;
        }
    }
    assert_eq!(house.states(), ["sort_files final"]);

    // Taken back: every request is answered from memory as before.
    let told = house.bot.says("reject p1").await;
    assert!(
        told.contains("The 5 requests it was made of are answered as before"),
        "{told}"
    );
    for folder in FOLDERS {
        let trace = house.asks(&asked(folder)).await;
        assert!(trace.contains("fastpath"), "{folder}: {trace}");
    }
    let plans = rows(&house.bot, "SELECT DISTINCT plan ->> '$.steps[0].tool' FROM fastpaths");
    assert_eq!(plans, ["find_files"]);
}

#[tokio::test]
async fn overwhelming_evidence_makes_a_tool_by_itself_and_failing_ends_it_and_is_told() {
    let mut house = Household::new(true).await;
    pair(&mut house.bot, "host-phone").await;
    let nights = house.days(33, 2).await;
    let made: u32 = nights.iter().map(|night| night.made).sum();
    let verdict = rows(&house.bot, "SELECT verdict || nights FROM proposals");
    assert_eq!(made, 1, "{:?} {verdict:?}", house.states());
    assert_eq!(house.states(), ["sort_files grace"]);
    assert_eq!(rows(&house.bot, "SELECT DISTINCT tier || '' FROM promotions"), ["2"]);

    // It breaks: its part is not what it was.
    change(
        &house.bot,
        "UPDATE executor_uses SET failures = failures + 2 WHERE executor = 'sort_files'",
    );
    assert_eq!(house.night().await.rolled_back, 1);
    assert_eq!(house.states(), ["sort_files rolled-back"]);
    let digest = house.bot.says("/digest").await;
    assert!(digest.contains("sort_files failed while I watched it"), "{digest}");
    house.asks(&asked("docs")).await;
}

/// What is told in the morning can be answered with a tap, once. Then nobody asks for a long time: it goes, and nothing
/// that is asked again is lost.
#[tokio::test]
async fn a_tool_that_is_made_with_a_tap_and_that_nobody_asks_for_goes_again() {
    let mut house = Household::new(false).await;
    pair(&mut house.bot, "host-phone").await;
    house.bot.telegram("host-phone", "what time is it").await;
    house.days(31, 1).await;
    change(
        &house.bot,
        &format!(
            "UPDATE tasks SET state = 'active', due_at = {} WHERE id = 'job:promoter_digest'",
            house.clock.now_ms()
        ),
    );
    metnos::kick::kick(&house.bot.data_dir().join(metnos::app::LOCK), Clock::system().now()).unwrap();
    let told = house.bot.hears(ChannelKind::Telegram).await;
    assert!(told.plain().starts_with("Good morning"), "{}", told.plain());
    assert!(told.plain().contains("Shall I make a tool of it?"), "{}", told.plain());
    let tap = |kind: ButtonKind| told.buttons.iter().find(|button| button.kind == kind).unwrap().clone();
    assert_eq!(tap(ButtonKind::Keep).label, "Make it");
    let made = house.bot.telegram_taps("host-phone", &tap(ButtonKind::Keep)).await;
    assert!(made.starts_with("sort_files is made"), "{made}");
    // A second tap, and the other button, change nothing.
    for kind in [ButtonKind::Keep, ButtonKind::Unlearn] {
        let late = house.bot.telegram_taps("host-phone", &tap(kind)).await;
        assert!(late.contains("I am watching it"), "{late}");
    }
    assert_eq!(house.states(), ["sort_files grace"]);
    for _ in 0..50 {
        house.night().await;
    }
    assert_eq!(house.states(), ["sort_files rolled-back"]);
    house.asks(&asked("docs")).await;
    assert_eq!(house.uses("sort_files"), 0);
}
