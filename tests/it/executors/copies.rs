//! Copies that never replace anything and go away again with undo, and files found by what they are about.

use std::{fs, os::unix::fs::symlink};

use metnos::domain::failure::ErrorClass;
use serde_json::json;

use super::{Bench, class, column};

#[tokio::test]
async fn a_copy_leaves_the_original_and_replaces_nothing() {
    let bench = Bench::new();
    bench.put("in/a.txt", "a");
    bench.put("in/b.txt", "b");
    bench.put("out/b.txt", "other");
    fs::create_dir(bench.path("in/folder")).unwrap();
    symlink(bench.path("in/a.txt"), bench.path("in/link.txt")).unwrap();
    let paths = [
        "~/in/a.txt",
        "~/in/b.txt",
        "~/in/folder",
        "~/in/link.txt",
        "~/in/gone.txt",
    ];
    let copied = bench
        .run("move_files", json!({"paths": paths, "dst_dir": "~/out", "copy": true}))
        .await;
    assert_eq!(
        (
            &copied.body["ok_count"],
            &copied.body["fail_count"],
            &copied.body["action"]
        ),
        (&json!(1), &json!(4), &json!("copied")),
        "{copied:?}"
    );
    assert_eq!(
        (bench.text("in/a.txt"), bench.text("out/a.txt")),
        ("a".to_owned(), "a".to_owned())
    );
    assert_eq!(bench.text("out/b.txt"), "other");
    assert!(!bench.path("out/folder").exists() && !bench.path("out/link.txt").exists());

    let named = json!({"paths": ["~/in/a.txt"], "dst_dir": "~/in", "new_name": "c.txt", "copy": true});
    assert_eq!(column(&bench.run("move_files", named).await, "name"), ["c.txt"]);
    // Beside itself under its own name there is no place for a copy.
    let same = json!({"paths": ["~/in/a.txt"], "dst_dir": "~/in", "copy": true});
    assert_eq!(class(&bench.run("move_files", same).await), ErrorClass::AlreadyExists);
    let folder = json!({"paths": ["~/in/folder"], "dst_dir": "~/made/in/vain", "copy": true});
    assert_eq!(class(&bench.run("move_files", folder).await), ErrorClass::InvalidArgs);
    assert!(!bench.path("made").exists());
}

#[tokio::test]
async fn undo_removes_a_copy_unless_it_was_changed_since() {
    let bench = Bench::new();
    bench.put("a.txt", "a");
    bench.put("b.txt", "b");
    let copied = bench
        .run(
            "move_files",
            json!({"paths": ["~/a.txt", "~/b.txt"], "dst_dir": "~/new", "copy": true}),
        )
        .await;
    bench.put("new/b.txt", "changed");
    assert_eq!(
        bench.undo(&copied).await.body["fail_count"],
        2,
        "the changed one, and the folder it is in"
    );
    assert!(!bench.path("new/a.txt").exists());
    assert_eq!(bench.text("new/b.txt"), "changed");
    assert_eq!(
        (bench.text("a.txt"), bench.text("b.txt")),
        ("a".to_owned(), "b".to_owned())
    );
    fs::remove_file(bench.path("new/b.txt")).unwrap();
    assert!(bench.undo(&copied).await.is_ok());
    assert!(!bench.path("new").exists());
}

#[tokio::test]
async fn files_are_found_by_what_they_are_about() {
    let bench = Bench::new();
    bench.put("taxes 2024.pdf", "%PDF-1.7 nothing to read");
    bench.put("notes/money.txt", "The tax office wrote again.");
    bench.put("notes/città.md", "Le tasse della città di Torino, chiede Marta.");
    bench.put("notes/other.txt", "Maria waters the tomatoes.");
    fs::write(bench.path("notes/picture.bin"), b"tax\0tax").unwrap();
    bench.put(
        "contract.rtf",
        br"{\rtf1\ansi{\fonttbl{\f0 Arial;}}The gym is paid monthly; notice is three months.\par}".as_slice(),
    );
    let about = async |words: &str| {
        let found = bench.run("find_files", json!({"base_path": "~", "about": words})).await;
        column(&found, "name")
    };
    assert_eq!(about("taxes").await, ["money.txt", "taxes 2024.pdf"]);
    assert_eq!(about("tassa citta").await, ["città.md"]);
    assert_eq!(about("tomato").await, ["other.txt"]);
    assert_eq!(about("gym notice").await, ["contract.rtf"], "a document says it");
    // A name has no other ending, and a number no other digits.
    assert_eq!(about("Marta").await, ["città.md"]);
    assert_eq!(about("taxes 2025").await, [""; 0]);
    let nothing = bench.run("find_files", json!({"base_path": "~", "about": "?"})).await;
    assert_eq!(class(&nothing), ErrorClass::InvalidArgs);
    bench.put("notes/long.txt", "tax ".repeat(600_000));
    let cut = bench.run("find_files", json!({"base_path": "~", "about": "tax"})).await;
    assert_eq!(cut.body["source_scan_truncated"], true, "{:?}", cut.body.keys());
}
