//! Taking back what was done: each kind once, twice, and when something else stands there.

use std::fs;

use metnos::domain::failure::ErrorClass;
use serde_json::json;

use super::{Bench, class, column};

#[tokio::test]
async fn a_new_file_and_its_folders_go_away() {
    let bench = Bench::new();
    let done = bench
        .run("write_files", json!({"path": "~/a/b/c.txt", "content": "x"}))
        .await;
    let undone = bench.undo(&done).await;
    assert_eq!(undone.body["ok_count"], 3, "{undone:?}");
    assert!(!bench.path("a").exists());
    let again = bench.undo(&done).await;
    assert_eq!(column(&again, "action"), ["already", "already", "already"]);
}

#[tokio::test]
async fn a_changed_file_stays() {
    let bench = Bench::new();
    let done = bench
        .run("write_files", json!({"path": "~/new.txt", "content": "x"}))
        .await;
    bench.put("new.txt", "mine now");
    assert_eq!(class(&bench.undo(&done).await), ErrorClass::AlreadyExists);
    assert_eq!(bench.text("new.txt"), "mine now");

    bench.put("old.txt", "before");
    let done = bench
        .run("write_files", json!({"path": "~/old.txt", "content": "after"}))
        .await;
    bench.put("old.txt", "mine now");
    assert_eq!(class(&bench.undo(&done).await), ErrorClass::AlreadyExists);
    assert_eq!(bench.text("old.txt"), "mine now");
}

#[tokio::test]
async fn an_overwritten_file_comes_back() {
    let bench = Bench::new();
    bench.put("a.txt", "before");
    let done = bench
        .run("write_files", json!({"path": "~/a.txt", "content": "after"}))
        .await;
    assert_eq!(column(&bench.undo(&done).await, "action"), ["restored"]);
    assert_eq!(bench.text("a.txt"), "before");
    assert_eq!(column(&bench.undo(&done).await, "action"), ["already"]);
    fs::remove_file(bench.path("a.txt")).unwrap();
    assert_eq!(column(&bench.undo(&done).await, "action"), ["restored"]);
}

#[tokio::test]
async fn two_writes_are_undone_backwards() {
    let bench = Bench::new();
    bench.put("a.txt", "one");
    let mut done = bench
        .run("write_files", json!({"path": "~/a.txt", "content": "two"}))
        .await;
    let second = bench
        .run("write_files", json!({"path": "~/a.txt", "content": "three"}))
        .await;
    done.reversals.extend(second.reversals);
    assert_eq!(bench.undo(&done).await.body["ok_count"], 2);
    assert_eq!(bench.text("a.txt"), "one");
}

#[tokio::test]
async fn deleted_and_moved_files_come_back() {
    let bench = Bench::new();
    bench.put("a.txt", "a");
    bench.put("in/b.txt", "b");
    let deleted = bench.run("delete_files", json!({"paths": ["~/a.txt"]})).await;
    let moved = bench
        .run("move_files", json!({"paths": ["~/in/b.txt"], "dst_dir": "~/out"}))
        .await;
    fs::remove_dir(bench.path("in")).unwrap();
    assert_eq!(bench.undo(&moved).await.body["ok_count"], 2);
    assert_eq!(bench.text("in/b.txt"), "b");
    assert!(!bench.path("out").exists());
    assert_eq!(column(&bench.undo(&moved).await, "action"), ["already", "already"]);

    bench.put("a.txt", "another");
    assert_eq!(class(&bench.undo(&deleted).await), ErrorClass::AlreadyExists);
    assert_eq!(bench.text("a.txt"), "another");
    fs::remove_file(bench.path("a.txt")).unwrap();
    assert!(bench.undo(&deleted).await.is_ok());
    assert_eq!(bench.text("a.txt"), "a");
}

#[tokio::test]
async fn a_folder_that_is_in_use_stays() {
    let bench = Bench::new();
    let done = bench.run("create_dirs", json!({"paths": ["~/box"]})).await;
    bench.put("box/x.txt", "x");
    let undone = bench.undo(&done).await;
    assert_eq!(class(&undone), ErrorClass::AlreadyExists);
    assert!(bench.path("box/x.txt").exists());
}
