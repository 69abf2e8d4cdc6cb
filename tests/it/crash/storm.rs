//! Kills at random moments while fifteen conversations go on. Whatever the moment was, what is true at the end is the
//! same. A failure names its seed; to run it again, put the seed into `METNOS_TEST_SEED` when compiling the tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::time::Duration;

use metnos::clock::Clock;
use tokio::time::{Instant, sleep};

use crate::support::household::{Household, ORDERING};

const CHATS: std::ops::RangeInclusive<i64> = 101..=115;
/// The storm is over after so many kills or so long, whichever comes first.
const KILLS_MAX: usize = 12;
const STORM: Duration = Duration::from_secs(9);

/// Small numbers that look random; the same seed gives the same ones.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn is_me(text: &str) -> bool {
    text.contains("You are Ada")
}

fn seed() -> u64 {
    let given = option_env!("METNOS_TEST_SEED").and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| Clock::system().now_ms().unsigned_abs() | 1)
}

/// What is said of an answer that may not have arrived.
const LOST: &str = "connection broke";

/// No answer came twice unasked; the one to these words came, or is offered. What is offered is taken.
async fn at_most_once(
    household: &Household,
    chat: i64,
    asked: &str,
    is_it: impl Fn(&str) -> bool,
    told: &str,
) -> String {
    let came = |household: &Household| -> Vec<String> {
        let all = household.answers(chat).into_iter().map(|shown| shown.text);
        all.filter(|text| !text.contains(LOST) && is_it(text)).collect()
    };
    let first = came(household);
    assert!(first.len() <= 1, "it came twice unasked: {told}");
    let offered = household
        .answers(chat)
        .into_iter()
        .find(|shown| shown.text.contains(LOST) && shown.text.contains(asked));
    let Some(offered) = offered else {
        assert_eq!(first.len(), 1, "it came, or is offered: {told}");
        return first[0].clone();
    };
    let (_, token) = offered.buttons.first().unwrap();
    household.telegram.taps_data(chat, offered.id, token);
    household
        .until("what was offered", chat, |household| {
            came(household).len() > first.len()
        })
        .await;
    came(household).remove(0)
}

#[tokio::test]
async fn kills_at_random_moments() {
    let seed = seed();
    let mut dice = Dice(seed);
    let chats: Vec<i64> = CHATS.collect();
    let mut household = Household::new(&chats).await;
    let projects: Vec<_> = chats
        .iter()
        .map(|chat| household.project(&format!("box{chat}"), &[ORDERING]))
        .collect();
    household.serve();
    for (chat, project) in chats.iter().zip(&projects) {
        household.telegram.says(*chat, &project.request);
        household.telegram.says(*chat, "/me");
    }
    let (start, mut kills) = (Instant::now(), 0);
    while kills < KILLS_MAX && start.elapsed() < STORM {
        sleep(Duration::from_millis(30 + dice.below(1_200))).await;
        household.restart();
        kills += 1;
    }
    for (chat, project) in chats.iter().zip(&projects) {
        let answers = household.all_answers(*chat).await;
        let told = format!("seed {seed}, chat {chat}, {kills} kills: {answers:#?}");
        let ordered = at_most_once(
            &household,
            *chat,
            &project.request,
            |text| !is_me(text) && !text.contains("assistant. I live on"),
            &told,
        )
        .await;
        at_most_once(&household, *chat, "/me", is_me, &told).await;
        let done = project.count(ORDERING);
        let says_done = ordered.contains("went well");
        let says_cut_off = ordered.contains("Before that I had");
        assert!(done <= 1 && (done == 1 || !says_done && !says_cut_off), "{told}");
        let says_so = says_done || says_cut_off || ordered.contains("cannot know") || ordered.contains("gave up");
        assert!(says_so, "{told}");
    }
}
