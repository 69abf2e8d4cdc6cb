//! ✓ ✗ ↺ under an answer: whose tap counts, how often, and which one wins.

use metnos::domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind};

use super::{button, layer, pair, rows, tap};
use crate::support::bot::{Setup, TestBot};

const ASKED: &str = "which processes are running";

fn verdicts(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT coalesce(verdict, 'none') FROM observations ORDER BY id")
}

#[tokio::test]
async fn a_repeated_tap_changes_nothing() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    let before = |bot: &TestBot| {
        let counts = "SELECT successes || '/' || failures || '/' || confirmations || '/' || champion FROM autopaths";
        (
            rows(bot, counts),
            verdicts(bot),
            rows(bot, "SELECT id || '' FROM fastpaths"),
        )
    };
    bot.taps(ButtonKind::Confirm).await;
    let once = before(&bot);
    for _ in 0..3 {
        assert_eq!(bot.taps(ButtonKind::Confirm).await, "Noted, thank you.");
    }
    assert_eq!(before(&bot), once);
    bot.taps(ButtonKind::Reject).await;
    let rejected = before(&bot);
    bot.taps(ButtonKind::Reject).await;
    bot.taps(ButtonKind::Reject).await;
    assert_eq!(before(&bot), rejected, "three taps on one answer are one rejection");
    assert_eq!(rows(&bot, "SELECT plan_hash FROM anti_autopaths"), Vec::<String>::new());
}

#[tokio::test]
async fn the_last_tap_wins() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    for (kind, verdict, rows_left) in [
        (ButtonKind::Confirm, "confirm", 1),
        (ButtonKind::Reject, "reject", 0),
        (ButtonKind::Confirm, "confirm", 0),
    ] {
        bot.taps(kind).await;
        assert_eq!(verdicts(&bot), [verdict]);
        assert_eq!(rows(&bot, "SELECT id || '' FROM fastpaths").len(), rows_left);
    }
    assert_eq!(rows(&bot, "SELECT status || champion FROM autopaths"), ["active1"]);
}

#[tokio::test]
async fn praise_after_asking_for_another_way_lifts_the_ban() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    let confirm = button(&bot, ButtonKind::Confirm);
    super::again(&mut bot).await;
    assert_eq!(rows(&bot, "SELECT plan_hash FROM anti_autopaths").len(), 1);
    tap(&bot, &confirm).await;
    assert_eq!(rows(&bot, "SELECT plan_hash FROM anti_autopaths"), Vec::<String>::new());
    bot.says(ASKED).await;
    assert_ne!(layer(&bot), "terminator 0");
}

#[tokio::test]
async fn a_plan_not_wanted_for_one_file_still_serves_another() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.txt", "a");
    bot.file("in/b.txt", "b");
    bot.says("read ~/in/a.txt").await;
    let other = super::again(&mut bot).await;
    assert!(other.starts_with("The only way I know"), "{other}");
    assert!(!other.contains("hour"), "{other}");
    assert_eq!(bot.says("read ~/in/b.txt").await, "b");
    let same = bot.says("read ~/in/a.txt").await;
    assert_eq!(same, "a", "asked for anew, the only way is the one that is wanted");
}

#[tokio::test]
async fn three_rejections_of_three_files_ban_nothing_and_of_one_file_ban_it() {
    let mut bot = TestBot::new().await;
    for name in ["a", "b", "c", "d"] {
        bot.file(&format!("in/{name}.txt"), name);
    }
    for name in ["a", "b", "c"] {
        assert_eq!(bot.says(&format!("read ~/in/{name}.txt")).await, name);
        bot.taps(ButtonKind::Reject).await;
    }
    assert_eq!(bot.says("read ~/in/d.txt").await, "d");
    for _ in 0..2 {
        assert!(bot.says("read ~/in/a.txt").await.starts_with('a'));
        bot.taps(ButtonKind::Reject).await;
    }
    let banned = bot.says("read ~/in/a.txt").await;
    assert!(banned.starts_with("The only way I know"), "{banned}");
    assert!(bot.says("read ~/in/b.txt").await.starts_with('b'));
}

#[tokio::test]
async fn another_way_is_run_once_however_often_it_is_tapped() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    let retry = button(&bot, ButtonKind::Retry);
    tap(&bot, &retry).await;
    tap(&bot, &retry).await;
    bot.hears(ChannelKind::Terminal).await;
    bot.says("what time is it").await;
    assert_eq!(
        rows(&bot, "SELECT answered_by FROM turns ORDER BY rowid"),
        ["simple", "terminator", "pattern"]
    );
}

#[tokio::test]
async fn what_changed_something_is_not_done_again_until_it_is_undone() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.txt", "a");
    bot.says("move ~/in/a.txt to ~/out").await;
    assert!(bot.has("out/a.txt"));
    let retry = button(&bot, ButtonKind::Retry);
    for _ in 0..2 {
        tap(&bot, &retry).await;
        let answer = bot.hears(ChannelKind::Terminal).await.plain();
        assert!(answer.contains("did not do it a second time"), "{answer}");
        assert!(answer.contains("“undo”"), "{answer}");
    }
    assert_eq!(rows(&bot, "SELECT id || '' FROM effects").len(), 1);
    bot.says("undo").await;
    assert!(bot.has("in/a.txt"));
    assert_eq!(tap(&bot, &retry).await, "I'll try another way.");
    let other = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(other.starts_with("The only way I know"), "{other}");
    assert!(bot.has("in/a.txt"));
}

/// "Write undo, then tap ↺ again", as the answer says: under the undo, where there is nothing else to tap.
#[tokio::test]
async fn another_way_under_an_undo_is_of_what_was_taken_back() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.txt", "a");
    bot.says("move ~/in/a.txt to ~/out").await;
    bot.says("undo").await;
    let other = super::again(&mut bot).await;
    assert!(other.contains("then I use it again") && bot.has("in/a.txt"), "{other}");
    super::again(&mut bot).await;
    assert!(bot.has("out/a.txt"), "and then it is used again");

    let mut bot = TestBot::new().await;
    bot.says("undo").await;
    let other = super::again(&mut bot).await;
    assert!(other.starts_with("There is no other way"), "{other}");
}

/// ✗ once is no ban: the same plan may come anew, and then it is said that it is the same.
#[tokio::test]
async fn what_was_marked_wrong_says_so_when_it_comes_again() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.txt", "a");
    bot.says("move ~/in/a.txt to ~/out").await;
    bot.taps(ButtonKind::Reject).await;
    bot.says("undo").await;
    let again = bot.says("move ~/in/a.txt to ~/out").await;
    assert!(
        again.contains("You marked this with ✗") && bot.has("out/a.txt"),
        "{again}"
    );
    bot.says("undo").await;
    let again = bot.says("move ~/in/a.txt to ~/out").await;
    assert!(!again.contains('✗'), "it is said once: {again}");
}

#[tokio::test]
async fn another_way_is_not_promised_when_it_was_tried_before() {
    let mut bot = TestBot::new().await;
    bot.says(ASKED).await;
    let (confirm, retry) = (button(&bot, ButtonKind::Confirm), button(&bot, ButtonKind::Retry));
    assert_eq!(tap(&bot, &retry).await, "I'll try another way.");
    bot.hears(ChannelKind::Terminal).await;
    tap(&bot, &confirm).await;
    let again = tap(&bot, &retry).await;
    assert!(again.starts_with("I looked for another way once already"), "{again}");
}

#[tokio::test]
async fn only_the_person_who_asked_may_judge() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.says(ASKED).await;
    let confirm = button(&bot, ButtonKind::Confirm);
    let anna = bot.telegram_taps("anna", &confirm).await;
    assert_eq!(anna, "Only the person who asked can use these buttons.");
    let stranger = bot.telegram_taps("mallory", &confirm).await;
    assert!(
        stranger.starts_with("This assistant belongs to a household"),
        "{stranger}"
    );
    assert_eq!(verdicts(&bot), ["none"]);
    assert_eq!(bot.telegram_taps("host-phone", &confirm).await, "Noted, thank you.");
    assert_eq!(verdicts(&bot), ["confirm"]);
}

#[tokio::test]
async fn a_request_with_a_secret_is_not_run_again_from_what_was_kept() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.txt", "a");
    let plan = serde_json::json!({"steps": [{"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}}]});
    super::remember(&bot, "read ~/docs/a.txt password: hunter2", &plan);
    assert_eq!(bot.says("read ~/docs/a.txt password: hunter2").await, "a");
    let other = super::again(&mut bot).await;
    assert_eq!(
        other,
        "There was a secret in that request, and I keep none. Please write it again."
    );
}

/// A refusal for good would be a dead end: ↺ under it allows the way again.
#[tokio::test]
async fn what_was_refused_can_be_allowed_again() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.txt", "a");
    bot.file("in/b.txt", "b");
    for _ in 0..3 {
        assert!(bot.says("how many files are in ~/in").await.starts_with('2'));
        bot.taps(ButtonKind::Reject).await;
    }
    let refused = bot.says("how many files are in ~/in").await;
    assert!(
        refused.starts_with("The only way I know") && refused.contains('↺'),
        "{refused}"
    );
    bot.taps(ButtonKind::Retry).await;
    assert_eq!(bot.hears(ChannelKind::Terminal).await.plain(), "2");
    assert_eq!(bot.says("how many files are in ~/in").await, "2");
}

#[tokio::test]
async fn a_pattern_that_was_silenced_can_speak_again() {
    let mut bot = TestBot::new().await;
    bot.says("thanks").await;
    bot.taps(ButtonKind::Reject).await;
    let refused = bot.says("thanks").await;
    assert!(refused.starts_with("The only way I know"), "{refused}");
    bot.taps(ButtonKind::Retry).await;
    let again = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(again.starts_with("You're welcome"), "{again}");
}

/// ↺ is for that moment: the same words typed later are answered, in the only way there is.
#[tokio::test]
async fn another_way_is_meant_for_that_moment_alone() {
    for (lang, request, refused) in [
        (Lang::EN, "find the mp3 files in ~/music", "The only way I know"),
        (Lang::IT, "trova i file mp3 in ~/music", "L'unico modo che conosco"),
    ] {
        let setup = Setup {
            lang,
            ..Setup::default()
        };
        let mut bot = TestBot::with(setup).await;
        bot.file("music/song.mp3", "la");
        let found = bot.says(request).await;
        assert!(found.contains("song.mp3"), "{found}");
        let other = super::again(&mut bot).await;
        assert!(other.starts_with(refused), "{other}");
        bot.restart().await;
        let typed = bot.says(request).await;
        assert!(typed.contains("song.mp3"), "{typed}");
        for _ in 0..3 {
            bot.says(request).await;
            bot.taps(ButtonKind::Reject).await;
        }
        let rejected = bot.says(request).await;
        assert!(rejected.starts_with(refused), "✗ keeps its rules: {rejected}");
    }
}
