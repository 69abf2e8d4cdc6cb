//! What is shown of a result: nothing pretended, nothing kept back, no markup.

use metnos::domain::limits;
use serde_json::json;

use super::{italian_bot, layer, remember, rows};
use crate::support::{bot::TestBot, site::Site};

#[tokio::test]
async fn nothing_found_is_said() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.txt", "a");
    assert_eq!(bot.says("find the pdf files in ~/docs").await, "I found nothing.");
    let mut bot = italian_bot().await;
    bot.file("docs/a.txt", "a");
    assert_eq!(bot.says("trova i file pdf in ~/docs").await, "Non ho trovato nulla.");
}

#[tokio::test]
async fn a_long_list_is_cut_and_the_rest_is_counted() {
    let mut bot = TestBot::new().await;
    for number in 10..35 {
        bot.file(&format!("docs/{number}.txt"), "x");
    }
    let answer = bot.says("find the txt files in ~/docs").await;
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines.len(), 21, "{answer}");
    assert_eq!(lines.last(), Some(&"… and 5 more."));
    assert!(
        lines.iter().take(20).all(|line| line.starts_with("• ~/docs/")),
        "{answer}"
    );
}

#[tokio::test]
async fn one_missing_of_three_is_not_hidden() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.txt", "alpha");
    bot.file("docs/c.txt", "gamma");
    let answer = bot.says("read ~/docs/a.txt, ~/docs/b.txt and ~/docs/c.txt").await;
    assert!(answer.contains("alpha") && answer.contains("gamma"), "{answer}");
    assert!(
        answer.contains("One did not work. I can't find ~/docs/b.txt."),
        "{answer}"
    );
    let again = bot.says("read ~/docs/a.txt, ~/docs/b.txt and ~/docs/c.txt").await;
    assert_eq!(
        (again, layer(&bot).as_str()),
        (answer, "fastpath 0"),
        "memory is as honest"
    );
}

#[tokio::test]
async fn a_value_that_is_not_there_is_not_made_up() {
    let mut bot = TestBot::new().await;
    bot.file("a.json", r#"{"uuid": "5f0c3a52", "rest": "must not be dumped"}"#);
    let plan = json!({
        "steps": [{"tool": "read_files", "args": {"paths": ["~/a.json"]}}],
        "final_message": "${step1.entries.0.foo}",
    });
    remember(&bot, "read ~/a.json and tell me only the foo", &plan);
    let answer = bot.says("read ~/a.json and tell me only the foo").await;
    assert_eq!(answer, "There is no “foo” in what I got.");
}

#[tokio::test]
async fn a_sentence_with_a_hole_in_it_is_not_spoken() {
    let mut bot = TestBot::new().await;
    bot.file("a.txt", "alpha");
    let plan = json!({
        "steps": [{"tool": "read_files", "args": {"paths": ["~/a.txt"]}}],
        "final_message": "The colour is ${step1.entries.0.colour}.",
    });
    remember(&bot, "read ~/a.txt", &plan);
    let answer = bot.says("read ~/a.txt").await;
    assert!(!answer.contains("The colour is") && !answer.contains("${"), "{answer}");
    assert!(answer.contains("alpha"), "the result speaks for itself: {answer}");
}

#[tokio::test]
async fn markup_and_thoughts_never_reach_a_person() {
    let mut bot = TestBot::new().await;
    bot.file("a.txt", "1 < 2");
    let plan = json!({
        "steps": [{"tool": "read_files", "args": {"paths": ["~/a.txt"]}}],
        "final_message": "<think>what now</think><b>It says:</b> ${step1.content}<br>",
    });
    remember(&bot, "read ~/a.txt", &plan);
    assert_eq!(bot.says("read ~/a.txt").await, "It says: 1 < 2");
    let site = Site::start().await;
    let page = bot.says(&format!("read the page {}", site.url("/article"))).await;
    assert!(page.contains("olive tree"), "{page}");
    for tag in ["<p", "<div", "<script", "<html", "</", "&nbsp;", "&amp;"] {
        assert!(!page.contains(tag), "{tag} in {page}");
    }
}

#[tokio::test]
async fn a_long_text_is_cut_and_that_is_said() {
    let mut bot = TestBot::new().await;
    bot.file("long.txt", &"è".repeat(12_500));
    let answer = bot.says("read ~/long.txt").await;
    assert_eq!(answer.matches('è').count(), 12_000);
    let said = answer.trim_start_matches('è').trim();
    assert_eq!(said, "The text is longer: only the first 12000 characters are shown.");
}

#[tokio::test]
async fn paths_are_shown_as_people_write_them() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.jpg", "a");
    for request in [
        "list the files in ~/in",
        "move ~/in/a.jpg to ~/photos",
        "read ~/in/a.jpg",
        "list the files in ~/photos",
    ] {
        let answer = bot.says(request).await;
        assert!(
            !answer.contains(&bot.home().display().to_string()),
            "{request}: {answer}"
        );
    }
    assert_eq!(rows(&bot, "SELECT state FROM effects"), ["done"]);
}

/// What is empty is called empty, in words of the language all through.
#[tokio::test]
async fn what_is_empty_is_said_to_be_empty() {
    let mut bot = TestBot::new().await;
    bot.file("notes/empty.txt", "");
    bot.file("notes/blank.txt", " \n\n");
    bot.file("docs/sub/.hidden", "x");
    std::fs::create_dir_all(bot.home().join("docs/none")).unwrap();
    for (request, answer) in [
        ("read ~/notes/empty.txt", "~/notes/empty.txt is empty."),
        (
            "read ~/notes/blank.txt",
            "There is nothing but blank space in ~/notes/blank.txt.",
        ),
        ("list ~/docs/none", "~/docs/none is empty."),
        ("list ~/docs/sub", "There are only hidden things in ~/docs/sub."),
    ] {
        assert_eq!(bot.says(request).await, answer);
    }
    let empty = bot.says("how big is ~/docs/none").await;
    assert!(empty.contains("0 B") && !empty.contains('-'), "{empty}");
    let mut bot = italian_bot().await;
    std::fs::create_dir_all(bot.home().join("Documenti/Fatture")).unwrap();
    let list = bot.says("cosa c'è in ~/Documenti").await;
    assert!(list.starts_with("• Fatture · cartella · "), "{list}");
    assert_eq!(
        bot.says("elenca ~/Documenti/Fatture").await,
        "~/Documenti/Fatture è vuota."
    );
}

#[tokio::test]
async fn a_file_without_an_ending_has_a_size() {
    let mut bot = TestBot::new().await;
    bot.file("plain", "hello\n");
    let size = bot.says("how big is ~/plain").await;
    assert!(size.starts_with("6 B"), "{size}");
}

#[tokio::test]
async fn what_was_moved_is_called_what_it_is() {
    let mut bot = TestBot::new().await;
    bot.file("photos/a.jpg", "a");
    bot.file("docs/taxes.pdf", "x");
    std::fs::create_dir_all(bot.home().join("old")).unwrap();
    let moved = bot.says("move ~/photos to ~/old").await;
    assert_eq!(moved, "I moved the folder photos, with all that is in it, to ~/old.");
    bot.says("undo").await;
    let inside = bot.says("move ~/photos into ~/photos/sub").await;
    assert_eq!(inside, "~/photos can't go into itself. Choose a folder outside it.");
    let long = format!("write \"x\" to ~/{}.txt", "a".repeat(300));
    let refused = bot.says(&long).await;
    assert!(refused.starts_with("That name is too long"), "{refused}");
    let plan = json!({"steps": [{"tool": "move_files", "args": {
        "paths": ["~/docs/taxes.pdf"], "dst_dir": "~/old", "new_name": "taxes.pdf"
    }}]});
    remember(&bot, "move the taxes.pdf in ~/docs to ~/old", &plan);
    let same = bot.says("move the taxes.pdf in ~/docs to ~/old").await;
    assert_eq!(same, "taxes.pdf is now in ~/old.");
}

#[tokio::test]
async fn everything_that_failed_has_its_name() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.txt", "alpha");
    let answer = bot.says("read ~/docs/a.txt, ~/docs/b.txt and ~/docs/c.txt").await;
    assert!(
        answer.contains("2 did not work. I can't find ~/docs/b.txt.") && answer.ends_with("Not done either: c.txt."),
        "{answer}"
    );
}

/// A count that leaves something out says so.
#[tokio::test]
async fn what_a_search_did_not_reach_is_said() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.pdf", "a");
    assert_eq!(bot.says("how many pdf files are in ~/docs").await, "1");
    let deep = ["f"; limits::WALK_DEPTH_MAX].join("/");
    bot.file(&format!("docs/{deep}/b.pdf"), "b");
    let said = bot.says("find the pdf files in ~/docs").await;
    assert!(
        said.contains("a.pdf") && said.contains("I did not look everywhere"),
        "{said}"
    );
}
