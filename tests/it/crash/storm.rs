//! Kills at random moments while fifteen conversations go on. Whatever the moment was, what is true at the end is the
//! same. A failure names its seed; to run it again, put the seed into `METNOS_TEST_SEED` when compiling the tests.

use std::time::Duration;

use metnos::clock::Clock;
use tokio::time::{Instant, sleep};

use crate::support::{
    household::{Household, ORDERING},
    telegram::Shown,
};

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

/// Each answer arrived once and was noted. Beside it there may be copies that Telegram took and that no life of the
/// program came to note: at most one in each life that was cut off, and the last thing that life said in the chat.
fn only_unnoted_copies(household: &Household, chat: i64, told: &str) {
    let (noted, begun) = (household.noted(chat), household.telegram.begun());
    let life = |shown: &Shown| begun.iter().filter(|first| **first < shown.id).count();
    let all = household.answers(chat);
    let mut seen = Vec::new();
    for shown in &all {
        if noted.contains(&shown.id) {
            assert!(!seen.contains(&&shown.text), "noted twice: {told}");
            seen.push(&shown.text);
            continue;
        }
        assert!(life(shown) < begun.len(), "the last life noted everything: {told}");
        let later = all
            .iter()
            .any(|other| other.id > shown.id && life(other) == life(shown));
        assert!(!later, "it lived on and did not note {}: {told}", shown.text);
    }
    for shown in &all {
        assert!(seen.contains(&&shown.text), "never noted: {}: {told}", shown.text);
    }
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
        assert!(!ordered.is_empty() && !me.is_empty(), "{told}");
        household.all_noted(*chat).await;
        only_unnoted_copies(&household, *chat, &told);
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
