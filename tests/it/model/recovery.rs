//! Plans that were right on paper and failed: one other way, never after something changed.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{FILLING, PLANNING, bot_asking, bot_with, last_turn, plan, plans_asked, said};
use crate::support::llama::{Script, ScriptedLlama};

#[tokio::test]
async fn a_folder_given_to_a_reader_is_searched() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "read_files", "args": {"paths": ["~/notes"]}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("notes/a.md", "alpha\n");
    bot.says("read ~/notes").await;
    assert_snapshot!(said(&bot), @"
    > read ~/notes
    < alpha
      [✓ ✗ ↺] recovery, 1 model call
    ");
    assert_eq!(plans_asked(&server).len(), 1, "the mend needs no model");
}

#[tokio::test]
async fn a_pattern_given_as_a_name_is_searched() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "read_files", "args": {"paths": ["~/notes/*.md"]}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("notes/a.md", "alpha\n");
    bot.file("notes/b.txt", "beta\n");
    // A word that code cannot place: else its own plan would stand, which searches at once.
    bot.says("read ~/notes/*.md twice").await;
    assert_snapshot!(said(&bot), @"
    > read ~/notes/*.md twice
    < alpha
      [✓ ✗ ↺] recovery, 1 model call
    ");
}

/// A guess at words that nobody here knows: what is missing are they, not what the guess lacked.
#[tokio::test]
async fn a_guess_that_comes_to_nothing_names_the_words_it_was_made_of() {
    let server = ScriptedLlama::start().await;
    let guess = json!({
        "steps": [
            {"tool": "read_files", "args": {"paths": ["~/notes/a.md"]}},
            {"tool": "filter_texts_lines", "args": {"from_step": 1, "contains": "${FILLER:french}"}}
        ],
        "fillers": {"french": {"prompt": "the text in French"}}
    });
    server
        .when(PLANNING, Script::Say(guess.to_string()))
        .when(FILLING, Script::Status(400, "no".to_owned()));
    let mut bot = bot_asking(&server).await;
    bot.file("notes/a.md", "alpha\n");
    bot.says("translate ~/notes/a.md into French").await;
    assert_snapshot!(said(&bot), @"
    > translate ~/notes/a.md into French
    < I don't know how to do this part: “translate ~/notes/a.md into French”. I noted it as missing; /help shows what I can do.
      [✓ ✗ ↺] terminator, 2 model calls
    ");
}

#[tokio::test]
async fn another_plan_is_asked_for_once() {
    let server = ScriptedLlama::start().await;
    server.next(plan(
        &json!([{"tool": "read_files", "args": {"paths": ["~/notes/diary"]}}]),
    ));
    server.next(plan(&json!([
        {"tool": "find_files", "args": {"base_path": "~/notes", "pattern": "diary*"}},
        {"tool": "read_files", "args": {"from_step": 1}}
    ])));
    let mut bot = bot_asking(&server).await;
    bot.file("notes/diary.md", "alpha\n");
    bot.says("read that splendid diary in ~/notes").await;
    assert_snapshot!(said(&bot), @"
    > read that splendid diary in ~/notes
    < alpha
      [✓ ✗ ↺] metis, 2 model calls
    ");
    let asked = plans_asked(&server);
    assert_eq!(asked.len(), 2);
    assert!(
        asked[1].contains("there is no ~/notes/diary; there is ~/notes/diary.md"),
        "{}",
        asked[1]
    );
}

/// The words were understood; only the guess after that was no good.
#[tokio::test]
async fn what_stopped_the_plan_of_code_is_what_is_said() {
    let server = ScriptedLlama::start().await;
    let wrong = json!([
        {"tool": "find_files", "args": {"base_path": "~/notes", "pattern": "*.md"}},
        {"tool": "write_files", "args": {
            "path": "~/notes/shopping.txt", "content": "${step1.entries.0.name}", "mode": "remove_lines"
        }}
    ]);
    server.when(PLANNING, plan(&wrong));
    let mut bot = bot_with(&server).await;
    bot.file("notes/shopping.txt", "sun cream\n");
    let heard = bot.says("remove the cream from the shopping list").await;
    assert!(heard.contains("sun cream"), "{heard}");
    assert!(!plans_asked(&server).is_empty(), "another one was asked for");
}

#[tokio::test]
async fn what_fails_twice_is_said_as_it_is() {
    let server = ScriptedLlama::start().await;
    server.next(plan(
        &json!([{"tool": "read_files", "args": {"paths": ["~/notes/diary.md"]}}]),
    ));
    server.next(plan(&json!([
        {"tool": "list_dirs", "args": {"path": "~/notes"}},
        {"tool": "read_files", "args": {"paths": ["~/notes/diary.md"]}}
    ])));
    let mut bot = bot_asking(&server).await;
    bot.file("notes/other.md", "x");
    bot.says("read ~/notes/diary.md").await;
    assert_snapshot!(said(&bot), @"
    > read ~/notes/diary.md
    < I can't find ~/notes/diary.md. Check the name, or ask me to list the folder.
      [✓ ✗ ↺] terminator, 2 model calls
    ");
    assert_eq!(plans_asked(&server).len(), 2, "not a third time");
    assert_eq!(last_turn(&bot).await["final_kind"], json!("answer"));
}

/// The rule that ends the turn is in the log; the person is told what is wrong.
#[tokio::test]
async fn the_same_failure_of_the_same_tool_breaks_the_loop() {
    let server = ScriptedLlama::start().await;
    server.next(plan(
        &json!([{"tool": "read_files", "args": {"paths": ["~/notes/diary.md"]}}]),
    ));
    server.next(plan(&json!([
        {"tool": "read_files", "args": {"paths": ["~/notes/diary.md"]}},
        {"tool": "filter_texts_lines", "args": {"from_step": 1, "last": 3}}
    ])));
    let mut bot = bot_asking(&server).await;
    bot.says("read ~/notes/diary.md").await;
    assert_snapshot!(said(&bot), @"
    > read ~/notes/diary.md
    < I can't find ~/notes/diary.md. Check the name, or ask me to list the folder.
      [✓ ✗ ↺] terminator, 2 model calls
    ");
    assert_eq!(plans_asked(&server).len(), 2);
    assert_eq!(last_turn(&bot).await["final_kind"], json!("loop_break"));
}

/// A plan that had already moved things was run again.
#[tokio::test]
async fn after_a_change_nothing_is_tried_again() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([
            {"tool": "move_files", "args": {"paths": ["~/in/a.jpg"], "dst_dir": "~/photos"}},
            {"tool": "read_files", "args": {"paths": ["~/in/a.txt"]}}
        ])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("in/a.jpg", "a");
    bot.says("move ~/in/a.jpg to ~/photos and read ~/in/a.txt").await;
    assert_snapshot!(said(&bot), @"
    > move ~/in/a.jpg to ~/photos and read ~/in/a.txt
    < I can't find ~/in/a.txt. Check the name, or ask me to list the folder.
    < One thing was done before; I did not repeat it. “undo” takes it back.
      [✓ ✗ ↺] terminator, 1 model call
    ");
    assert_eq!(plans_asked(&server).len(), 1);
    assert!(bot.has("photos/a.jpg"));
}

#[tokio::test]
async fn a_no_is_not_worked_around() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "read_files", "args": {"paths": ["~/.ssh/id_rsa"]}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file(".ssh/id_rsa", "key");
    bot.says("read ~/.ssh/id_rsa").await;
    assert_snapshot!(said(&bot), @"
    > read ~/.ssh/id_rsa
    < I don't touch ~/.ssh/id_rsa: keys and passwords are kept there, and I stay away from them for everybody. If you need something from it, please open it yourself.
      [✓ ✗ ↺] terminator, 1 model call
    ");
    assert_eq!(plans_asked(&server).len(), 1);
}

/// The third call of a tool that takes whole lists is one too many; a plan written so is refused before it runs.
#[tokio::test]
async fn the_same_tool_over_and_over_is_refused() {
    let server = ScriptedLlama::start().await;
    let steps: Vec<Value> = (1..=3)
        .map(|number| json!({"tool": "read_files", "args": {"paths": [format!("~/notes/{number}.md")]}}))
        .collect();
    server.when(PLANNING, plan(&Value::Array(steps)));
    let mut bot = bot_asking(&server).await;
    for number in 1..=3 {
        bot.file(&format!("notes/{number}.md"), "x\n");
    }
    bot.says("have a look at ~/notes/1.md, ~/notes/2.md and ~/notes/3.md please mate")
        .await;
    assert_snapshot!(said(&bot), @"
    > have a look at ~/notes/1.md, ~/notes/2.md and ~/notes/3.md please mate
    < I was doing the same thing over and over, so I stopped. Please ask for a smaller part of it.
      [] terminator, 2 model calls
    ");
}
