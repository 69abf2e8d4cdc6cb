//! Requests that run by themselves, and looks that are repeated: as turns of their owner, heard only when there is
//! something to hear.

use metnos::domain::{
    ids::ChannelKind,
    lang::Lang,
    reply::{ButtonKind, TaskButton},
};

use super::{bot, button, later, layer, pair, rings, rows, tap, tasks};
use crate::support::bot::TestBot;

fn runs(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT state FROM task_runs WHERE kind <> 'job' ORDER BY rowid")
}

pub(super) async fn ran(bot: &TestBot, count: usize) {
    let began = std::time::Instant::now();
    while runs(bot).iter().filter(|state| *state != "running").count() < count {
        assert!(began.elapsed().as_secs() < 20, "{:?}", runs(bot));
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_request_that_repeats_is_a_turn_of_its_owner_and_needs_no_model() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.file("in/a.pdf", "a");
    let said = bot.says("every weekday at 11 tell me how many files are in ~/in").await;
    assert_eq!(
        said,
        "I'll do that every weekday at 11:00, first today, Tuesday 24 November, 11:00: “tell me how many files are in ~/in”."
    );
    later(&clock, 3_600);
    let said = rings(&mut bot).await;
    assert_eq!(said, "Request “tell me how many files are in ~/in”\n1");
    assert_eq!(layer(&bot), "simple 0");
    bot.taps(ButtonKind::Confirm).await;
    bot.file("in/b.pdf", "b");
    later(&clock, 86_400);
    let said = rings(&mut bot).await;
    assert_eq!(said, "Request “tell me how many files are in ~/in”\n2");
    assert_eq!(layer(&bot), "fastpath 0");
    assert_eq!(runs(&bot), ["done", "done"]);
}

#[tokio::test]
async fn a_run_that_found_nothing_stays_quiet() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.file("in/a.txt", "a");
    bot.says("every 30 minutes find the pdf files in ~/in").await;
    later(&clock, 1_800);
    ran(&bot, 1).await;
    assert_eq!(runs(&bot), ["quiet"]);
    bot.file("in/b.pdf", "b");
    later(&clock, 1_800);
    let said = rings(&mut bot).await;
    assert!(said.contains("b.pdf"), "{said}");
    assert_eq!(runs(&bot), ["quiet", "done"]);
}

#[tokio::test]
async fn a_step_that_changes_something_follows_the_level_and_asks() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.file("docs/old.txt", "old");
    let said = bot.says("delete ~/docs/old.txt in 20 minutes").await;
    assert!(
        said.starts_with("I'll do that today, Tuesday 24 November, 10:20"),
        "{said}"
    );
    later(&clock, 1_200);
    let asked = rings(&mut bot).await;
    assert!(asked.contains("May I delete this?"), "{asked}");
    assert!(bot.has("docs/old.txt"));
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("docs/old.txt"));
}

#[tokio::test]
async fn what_changes_in_a_text_is_told_line_by_line() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.file("notes/plan.txt", "Monday: rest\nTuesday: dentist\n");
    let said = bot.says("tell me when ~/notes/plan.txt changes").await;
    assert!(said.starts_with("I keep watch every 5 minutes"), "{said}");
    ran(&bot, 1).await;
    bot.file("notes/plan.txt", "Monday: swimming\nTuesday: dentist\n");
    later(&clock, 300);
    let said = rings(&mut bot).await;
    assert!(said.contains("Monday: swimming") && !said.contains("dentist"), "{said}");
    assert!(said.contains("One line is gone."), "{said}");
    later(&clock, 300);
    ran(&bot, 3).await;
    assert_eq!(runs(&bot), ["quiet", "done", "quiet"]);
}

#[tokio::test]
async fn a_watcher_speaks_when_something_is_new_and_rests_by_name() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.file("in/a.pdf", "a");
    let said = bot.says("tell me when a new pdf is in ~/in").await;
    assert!(said.starts_with("I keep watch every 5 minutes"), "{said}");
    later(&clock, 300);
    ran(&bot, 1).await;
    bot.file("in/b.pdf", "b");
    later(&clock, 300);
    let said = rings(&mut bot).await;
    assert!(said.contains("b.pdf") && !said.contains("a.pdf"), "{said}");
    later(&clock, 300);
    ran(&bot, 3).await;
    assert_eq!(runs(&bot), ["quiet", "done", "quiet"]);
    let paused = bot.says("pause the pdf watcher").await;
    let paused = if paused.starts_with("May I") {
        bot.taps(ButtonKind::Approve).await;
        rings(&mut bot).await
    } else {
        paused
    };
    assert!(paused.starts_with("Paused"), "{paused}");
    assert_eq!(tasks(&bot), ["watcher paused"]);
    bot.file("in/c.pdf", "c");
    later(&clock, 3_600);
    let on = bot.says("resume the pdf watcher").await;
    assert!(on.starts_with("It goes on"), "{on}");
    later(&clock, 300);
    let said = rings(&mut bot).await;
    assert!(said.contains("c.pdf"), "{said}");
}

#[tokio::test]
async fn how_full_the_disk_is_is_watched_and_told_at_once_where_it_is_so_already() {
    for (lang, request, kept) in [
        (Lang::EN, "tell me when the disk is over 1%", "show the disk space 1%"),
        (
            Lang::IT,
            "avvisami quando il disco è pieno oltre il 90 %",
            "mostra lo spazio su disco 90%",
        ),
    ] {
        let (mut bot, clock) = bot(lang).await;
        let said = bot.says(request).await;
        assert!(said.contains(kept), "{said}");
        assert_eq!(tasks(&bot), ["watcher active"]);
        later(&clock, 300);
        ran(&bot, 1).await;
        let state = runs(&bot).concat();
        assert!(["done", "quiet"].contains(&state.as_str()), "{request}: {state}");
        assert_eq!(layer(&bot), "simple 0", "{request}");
    }
}

#[tokio::test]
async fn what_fails_three_times_stops_and_its_owner_decides() {
    let (mut bot, clock) = bot(Lang::EN).await;
    bot.file("in/a.txt", "a");
    bot.says("every 30 minutes read ~/in/a.txt").await;
    std::fs::remove_file(bot.home().join("in/a.txt")).unwrap();
    for count in 1..=3 {
        later(&clock, 1_800);
        rings(&mut bot).await;
        ran(&bot, count).await;
    }
    let card = rings(&mut bot).await;
    assert_eq!(
        card,
        "Request “read ~/in/a.txt” failed three times in a row, so I stopped it. What shall I do with it?"
    );
    assert_eq!(tasks(&bot), ["request stopped"]);
    let go_on = button(&bot, ButtonKind::Task(TaskButton::GoOn));
    assert!(tap(&bot, &go_on).await.starts_with("It goes on; next today"));
    assert_eq!(
        tap(&bot, &go_on).await,
        "That is over: it was changed, or it rang again since."
    );
    assert_eq!(tasks(&bot), ["request active"]);
}

#[tokio::test]
async fn at_night_only_what_rings_speaks_and_the_rest_comes_in_the_morning() {
    let (mut bot, clock) = bot(Lang::EN).await;
    pair(&mut bot, "phone").await;
    let said = bot.telegram("phone", "/me quiet 22-7").await;
    assert!(said.contains("22:00-07:00"), "{said}");
    bot.file("in/a.pdf", "a");
    bot.telegram("phone", "every day at 23:00 find the pdf files in ~/in")
        .await;
    bot.telegram("phone", "remind me at 23:30 to sleep").await;
    later(&clock, 13 * 3_600);
    ran(&bot, 1).await;
    later(&clock, 1_800);
    let said = bot.hears(ChannelKind::Telegram).await.plain();
    assert_eq!(said, "🔔 sleep");
    let said = bot.telegram("phone", "what time is it").await;
    assert!(said.starts_with("It's 23:30"), "answers are no pushes: {said}");
    later(&clock, 7 * 3_600 + 1_800);
    let said = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(said.contains("a.pdf"), "{said}");
}

#[tokio::test]
async fn the_end_of_quiet_hours_brings_one_message_a_task() {
    let (mut bot, clock) = bot(Lang::EN).await;
    pair(&mut bot, "phone").await;
    bot.telegram("phone", "/me quiet 22-6").await;
    bot.file("in/a.pdf", "a");
    bot.telegram("phone", "every 3 hours find the pdf files in ~/in").await;
    bot.file("box/old.txt", "old");
    bot.telegram("phone", "tell me when a new txt is in ~/box").await;
    // The night begins: three runs of the request, and two looks that find something.
    later(&clock, 12 * 3_600);
    ran(&bot, 2).await;
    for (name, count) in [("one", 4), ("two", 6)] {
        bot.file(&format!("box/{name}.txt"), name);
        bot.file(&format!("in/{name}.pdf"), name);
        later(&clock, 3 * 3_600);
        ran(&bot, count).await;
    }
    later(&clock, 2 * 3_600);
    let said = [
        bot.hears(ChannelKind::Telegram).await.plain(),
        bot.hears(ChannelKind::Telegram).await.plain(),
    ];
    let request = said.iter().find(|said| said.contains("pdf files")).unwrap();
    assert!(
        request.contains("3 runs during your quiet hours") && request.contains("two.pdf"),
        "{said:#?}"
    );
    let watcher = said.iter().find(|said| said.contains("txt")).unwrap();
    assert!(watcher.contains("one.txt") && watcher.contains("two.txt"), "{said:#?}");
    assert_eq!(
        rows(&bot, "SELECT count(*) || '' FROM outbox WHERE state = 'waiting'"),
        ["0"]
    );
}
