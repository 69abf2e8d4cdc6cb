//! The terminal through a pipe: a request a line, its answer under it, keys as lines, and an end with the input.

use std::time::{Duration, Instant};

use crate::support::process::Home;

/// Documents that are not all read while one question is answered.
const PAPERS: usize = 150;

#[tokio::test]
async fn keys_act_on_the_answer_above_them() {
    let home = Home::new();
    let printed = home.chat(&["who are you", "+", "", "who are you", "-"]).await;
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines.iter().filter(|line| **line == "[+ ✓  - ✗  = ↺]").count(),
        2,
        "{printed}"
    );
    let after = |typed: &str| {
        let index = lines.iter().position(|line| *line == typed).unwrap();
        *lines.get(index + 1).unwrap()
    };
    assert!(after("> +").contains("Noted"), "{printed}");
    assert!(after("> -").starts_with("Sorry"), "{printed}");
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("> ")).count(),
        4,
        "blank lines ask nothing: {printed}"
    );
}

#[tokio::test]
async fn an_approval_is_one_whole_word() {
    let home = Home::new();
    home.write("docs/old.txt", "old");
    let refused = home.chat(&["delete ~/docs/old.txt", "no"]).await;
    assert!(
        refused.contains("~/docs/old.txt\n") && refused.contains("[y ") && refused.contains("  n "),
        "{refused}"
    );
    assert_eq!(refused.matches("nothing was done").count(), 1, "said once: {refused}");
    assert!(home.path("docs/old.txt").exists());

    let asked = home.chat(&["delete ~/docs/old.txt", "yes?"]).await;
    assert!(!asked.contains("Approved"), "a question approves nothing: {asked}");
    assert!(home.path("docs/old.txt").exists());

    let approved = home.chat(&["delete ~/docs/old.txt", "y"]).await;
    assert!(approved.contains("> y\nApproved"), "{approved}");
    assert!(!home.path("docs/old.txt").exists(), "{approved}");
}

#[tokio::test]
async fn a_file_cannot_drive_the_screen() {
    let home = Home::new();
    home.write("evil.txt", "\u{1b}[2J\u{1b}]0;owned\u{7}plain\u{9b}31m words\n");
    let printed = home.chat(&["read ~/evil.txt"]).await;
    assert!(printed.contains("plain31m words"), "{printed}");
    assert!(!printed.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{printed:?}");
}

#[tokio::test]
async fn a_timer_rings_between_the_lines_of_a_pipe_and_has_keys() {
    let home = Home::new();
    let mut talk = home.talk();
    talk.says("set a timer for 1 second for the egg").await;
    talk.prints("The timer “egg” runs for 1 second").await;
    talk.prints("⏰ Timer “egg”: time is up").await;
    let keys = talk.prints("[d ").await;
    assert_eq!(keys, "✅ Done  l ⏰ +10 min  t 📅 Tomorrow]");
    talk.says("d").await;
    talk.prints("Done.").await;
    talk.says("d").await;
    talk.prints("> d").await;
    talk.ends().await;
    let states = home.rows("SELECT state FROM tasks WHERE kind = 'timer'");
    assert_eq!(states, ["done"]);
}

#[tokio::test]
async fn an_empty_input_ends_at_once() {
    assert_eq!(Home::new().chat(&[""]).await, "");
}

#[tokio::test]
async fn a_secret_reaches_no_log() {
    let home = Home::new();
    home.write("pin=hunter2", "old");
    home.chat(&[
        "my password is hunter2",
        "read ~/pin=hunter2/none",
        "delete ~/pin=hunter2",
        "y",
    ])
    .await;
    assert!(!home.path("pin=hunter2").exists());
    let data = home.data_dir();
    let mut folders = vec![data.clone()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.push(entry.path());
                continue;
            }
            files += 1;
            let bytes = std::fs::read(entry.path()).unwrap();
            assert!(
                !String::from_utf8_lossy(&bytes).contains("hunter2"),
                "{:?}",
                entry.path()
            );
        }
    }
    assert!(files > 5 && data.join("logs").is_dir(), "{files} files");
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_whole() {
    let home = Home::new();
    home.write("old.txt", "old");
    for filling in ["word ".repeat(20_000), " ".repeat(200_000)] {
        let line = format!("who are you {filling} delete ~/old.txt");
        let printed = home.chat(&[&line, "what time is it"]).await;
        let answers = printed.matches("longer than 4000 characters").count();
        assert_eq!((printed.matches("\n> ").count(), answers), (1, 1), "{printed}");
        assert!(
            printed.starts_with("> who are you") && printed.contains("It's "),
            "{printed}"
        );
    }
}

#[tokio::test]
async fn a_file_is_attached_by_its_path() {
    let home = Home::new();
    home.write("scans/my letter.txt", "dear aunt");
    home.write(".ssh/id_rsa", "not a key");
    let printed = home
        .chat(&[
            "/attach '~/scans/my letter.txt' save it in ~/docs",
            "/attach ~/scans/none.txt",
            "/attach ~/scans",
            "/attach ~/.ssh/id_rsa save it in ~/docs",
            "/attach",
        ])
        .await;
    assert_eq!(
        std::fs::read_to_string(home.path("docs/my letter.txt")).unwrap(),
        "dear aunt"
    );
    assert!(home.path("scans/my letter.txt").exists(), "only a copy is taken");
    assert!(
        !home.path("docs/id_rsa").exists() && !home.path("inbox/id_rsa").exists(),
        "{printed}"
    );
    for said in [
        "There is no file ~/scans/none.txt",
        "There is no file ~/scans.",
        "id_rsa",
        "/attach FILE",
    ] {
        assert!(printed.contains(said), "{said}: {printed}");
    }
}

/// "y" typed ahead is no answer to a card that nobody has seen yet.
#[tokio::test]
async fn each_line_waits_for_the_whole_answer_to_the_one_before() {
    let home = Home::new();
    home.write("docs/old.txt", "old");
    let printed = home.chat(&["where am i", "delete ~/docs/old.txt", "y"]).await;
    let card = printed.find("May I delete").unwrap();
    let approval = printed.find("> y").unwrap();
    assert!(card < approval, "{printed}");
    assert!(!home.path("docs/old.txt").exists());
    let printed = home.chat(&["delete the file", "what time is it", "who are you"]).await;
    let lines: Vec<&str> = printed.lines().collect();
    let at = |words: &str| lines.iter().position(|line| line.contains(words)).unwrap();
    assert!(
        at("> what time") < at("It's ") && at("It's ") < at("> who are you"),
        "{printed}"
    );
}

#[tokio::test]
async fn words_for_leaving_leave() {
    for word in ["exit", "Quit", "bye!", "esci", "arrivederci"] {
        let home = Home::new();
        let printed = home.chat(&["who are you", word, "what time is it"]).await;
        assert!(
            printed.contains("Goodbye!") && !printed.contains("> what time"),
            "{printed}"
        );
    }
}

/// The letter is a key only while nothing else was said: later it is a word, and answered as one.
#[tokio::test]
async fn a_yes_after_something_else_approves_nothing() {
    let home = Home::new();
    home.write("docs/old.txt", "old");
    for between in [
        "the other one",
        "no wait",
        "no, volevo dire ~/docs/new.txt",
        "frobnicate the blub",
        "/attach ~/docs/old.txt",
        "who are you",
    ] {
        let printed = home.chat(&["delete ~/docs/old.txt", between, "y"]).await;
        assert!(
            printed.contains("May I delete") && !printed.contains("Approved"),
            "{printed}"
        );
        assert!(
            printed.contains("Something else came in between") || printed.contains("I have no question open"),
            "{printed}"
        );
        assert!(home.path("docs/old.txt").exists(), "{printed}");
    }
    let printed = home.chat(&["delete ~/docs/old.txt", "/help", "y"]).await;
    assert!(!home.path("docs/old.txt").exists(), "a command is no answer: {printed}");
}

#[tokio::test]
async fn the_end_waits_for_no_index_and_the_next_start_goes_on_with_it() {
    let home = Home::new();
    // Whose home it is, is known from the first message on.
    home.chat(&["what time is it"]).await;
    for number in 0..PAPERS {
        home.write(&format!("car/{number}.csv"), "date;who;euro\n2026-03-01;Anna;12,50\n");
    }
    let due = home.rows(
        "UPDATE tasks SET due_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000
         WHERE id = 'job:papers_index_refresh' RETURNING id",
    );
    assert_eq!(due.len(), 1);
    let read = || home.rows("SELECT path FROM papers").len();
    let mut talk = home.talk();
    talk.says("what time is it").await;
    talk.prints("It's").await;
    let asked_to_end = Instant::now();
    talk.ends().await;
    let took = asked_to_end.elapsed();
    assert!(took < Duration::from_secs(3), "it ended after {took:?}");
    let before = read();
    assert!(before < PAPERS, "{before} are read already");
    let index = "SELECT state || ' ' || failures FROM tasks WHERE id = 'job:papers_index_refresh'";
    assert_eq!(home.rows(index), ["active 0"]);
    let talk = home.talk();
    while read() < PAPERS {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    talk.ends().await;
    assert_eq!(home.rows(index), ["active 0"]);
}
