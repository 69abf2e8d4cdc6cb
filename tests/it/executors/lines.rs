//! `write_files` on lines of a text: added, taken out and ticked, what it refuses, and what comes back with undo.

use metnos::domain::failure::ErrorClass;
use serde_json::{Value, json};

use super::{Bench, class, column};

fn lines(path: &str, mode: &str, content: &str) -> Value {
    json!({"path": path, "mode": mode, "content": content})
}

#[tokio::test]
async fn lines_are_changed_and_come_back() {
    let todo = "- [ ] call plumber\n- [x] pay gas\n";
    for (mode, content, action, new) in [
        (
            "add_lines",
            "buy milk\nrest",
            "lines_added",
            "- [ ] call plumber\n- [x] pay gas\n- [ ] buy milk\n- [ ] rest\n",
        ),
        ("remove_lines", "gas", "line_removed", "- [ ] call plumber\n"),
        ("tick_lines", "plumber", "ticked", "- [x] call plumber\n- [x] pay gas\n"),
    ] {
        let bench = Bench::new();
        bench.put("notes/todo.md", todo);
        let done = bench.run("write_files", lines("~/notes/todo.md", mode, content)).await;
        assert_eq!(
            (&done.body["action"], done.ok_count()),
            (&json!(action), Some(1)),
            "{done:?}"
        );
        assert_eq!(bench.text("notes/todo.md"), new);
        assert_eq!(column(&bench.undo(&done).await, "action"), ["restored"]);
        assert_eq!(bench.text("notes/todo.md"), todo);
    }
}

#[tokio::test]
async fn what_is_not_surely_meant_stays() {
    let bench = Bench::new();
    bench.put("list.txt", "soy milk\noat milk\nbread\n6 eggs\n12 eggs\n");
    for (path, mode, content, wanted) in [
        ("~/list.txt", "remove_lines", "eggs", ErrorClass::InvalidArgs),
        ("~/list.txt", "remove_lines", "milk", ErrorClass::NotFound),
        ("~/list.txt", "remove_lines", "rice", ErrorClass::NotFound),
        ("~/list.txt", "tick_lines", "bread", ErrorClass::InvalidArgs),
        ("~/none.txt", "remove_lines", "rice", ErrorClass::NotFound),
    ] {
        let result = bench.run("write_files", lines(path, mode, content)).await;
        assert_eq!(class(&result), wanted, "{path} {mode} {content}");
        assert!(result.reversals.is_empty(), "{result:?}");
    }
    assert_eq!(bench.text("list.txt"), "soy milk\noat milk\nbread\n6 eggs\n12 eggs\n");
    assert!(!bench.path("none.txt").exists());
}

#[tokio::test]
async fn a_list_that_is_not_there_begins_with_what_is_added_and_can_be_taken_back() {
    let bench = Bench::new();
    let made = bench
        .run("write_files", lines("~/notes/shopping.txt", "add_lines", "milk\neggs"))
        .await;
    assert_eq!(made.body["action"], json!("list_created"), "{made:?}");
    assert_eq!(bench.text("notes/shopping.txt"), "- [ ] milk\n- [ ] eggs\n");
    bench.undo(&made).await;
    assert!(!bench.path("notes").exists());
}

#[tokio::test]
async fn what_is_done_already_changes_nothing() {
    let bench = Bench::new();
    bench.put("todo.md", "- [x] pay gas\n");
    let again = bench.run("write_files", lines("~/todo.md", "tick_lines", "gas")).await;
    assert_eq!(
        (&again.body["action"], again.ok_count()),
        (&json!("ticked_before"), Some(0))
    );
    assert!(again.reversals.is_empty());
}
