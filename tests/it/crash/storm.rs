//! Kills at random moments while fifteen conversations go on. Whatever the moment was, what is true at the end is the
//! same. A failure names its seed; to run it again, put the seed into `METNOS_TEST_SEED` when compiling the tests.

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

fn seed() -> u64 {
    let given = option_env!("METNOS_TEST_SEED").and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| Clock::system().now_ms().unsigned_abs() | 1)
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
        let (ordered, me): (Vec<&String>, Vec<&String>) =
            answers.iter().partition(|text| !text.contains("You are Ada"));
        // More than one only as copies of a part that telegram took unknown to us, at most one for each kill.
        assert!(!ordered.is_empty() && ordered.len() <= 1 + kills, "{told}");
        assert!(!me.is_empty() && me.len() <= 1 + kills, "{told}");
        assert!(
            ordered.iter().all(|text| *text == ordered[0]),
            "one answer and its copies: {told}"
        );
        assert!(
            answers.iter().rposition(|text| text == ordered[0]) < answers.iter().position(|text| text == me[0]),
            "{told}"
        );
        let done = project.count(ORDERING);
        let says_done = ordered[0].contains("went well");
        let says_cut_off = ordered[0].contains("was interrupted after");
        assert!(done <= 1 && (done == 1 || !says_done && !says_cut_off), "{told}");
        let says_so = says_done || says_cut_off || ordered[0].contains("cannot know") || ordered[0].contains("gave up");
        assert!(says_so, "{told}");
    }
}
