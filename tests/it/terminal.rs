//! The terminal through a pipe: a request a line, its answer under it, keys as lines, and an end with the input.

use crate::support::process::Home;

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
async fn an_empty_input_ends_at_once() {
    assert_eq!(Home::new().chat(&[""]).await, "");
}
