//! Taking back what was done: each kind once, twice, and when something else stands there.

use std::fs;

use metnos::domain::{failure::ErrorClass, run::ToolResult};
use serde_json::json;
use tokio_util::sync::CancellationToken;

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

/// A move to another disk copies first; stopped there, both are left.
#[tokio::test]
async fn a_file_that_was_only_copied_is_there_once_again() {
    let bench = Bench::new();
    bench.put("a.txt", "a");
    let moved = bench
        .run("move_files", json!({"paths": ["~/a.txt"], "dst_dir": "~/out"}))
        .await;
    bench.put("a.txt", "a");
    let undone = bench.undo(&moved).await;
    assert_eq!(column(&undone, "action"), ["already", "removed"]);
    assert_eq!(
        (&undone.body["ok_count"], bench.text("a.txt")),
        (&json!(1), "a".to_owned())
    );
    assert!(!bench.path("out").exists());
}

/// What is left for the next time comes back with the result, in the order in which it was done.
#[tokio::test]
async fn what_could_not_be_taken_back_is_named_and_only_that() {
    let bench = Bench::new();
    for name in ["a.txt", "b.txt", "c.txt"] {
        bench.put(name, name);
    }
    let paths = ["~/a.txt", "~/b.txt", "~/c.txt"];
    let moved = bench
        .run("move_files", json!({"paths": paths, "dst_dir": "~/out"}))
        .await;
    bench.put("a.txt", "another");
    bench.put("c.txt", "another");
    let undone = bench.undo(&moved).await;
    assert_eq!(column(&undone, "action"), ["moved_back"]);
    let left = [&moved.reversals[0], &moved.reversals[1], &moved.reversals[3]];
    assert_eq!(undone.reversals.iter().collect::<Vec<_>>(), left);
    fs::remove_file(bench.path("a.txt")).unwrap();
    fs::remove_file(bench.path("c.txt")).unwrap();
    assert_eq!(bench.undo(&undone).await.reversals, []);
    assert_eq!(
        (bench.text("a.txt"), bench.text("c.txt")),
        ("a.txt".into(), "c.txt".into())
    );
    assert!(!bench.path("out").exists());
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

/// The real worker, killed in the middle of its work; tried again when it was quicker than the killer.
#[tokio::test]
async fn a_batch_that_is_cut_off_is_undone_as_far_as_it_came() {
    const FILES: usize = 1_000;
    for _ in 0..10 {
        let bench = Bench::new();
        let names: Vec<String> = (0..FILES).map(|number| format!("in/{number}.txt")).collect();
        for name in &names {
            bench.put(name, "x");
        }
        let context = bench.context();
        let progress = context.backup_dir.join(format!("step{}.undo", context.step.0));
        let noted = progress.clone();
        let killing = tokio::spawn(async move {
            let began = std::time::Instant::now();
            while began.elapsed().as_secs() < 10 {
                if fs::read_to_string(&noted).is_ok_and(|noted| noted.lines().count() >= 3) {
                    return kill_who_has_open(&noted);
                }
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        });
        let paths: Vec<String> = names.iter().map(|name| format!("~/{name}")).collect();
        let cut_off = bench.run("delete_files", json!({"paths": paths})).await;
        killing.await.unwrap();
        if cut_off.error.is_none() {
            continue;
        }
        assert_eq!(class(&cut_off), ErrorClass::Crashed);
        undo_as_far_as_it_came(&bench, &names, &cut_off).await;
        assert!(!progress.exists());
        return;
    }
    panic!("never caught in the middle");
}

/// The same when its person says stop: the worker is gone when the result is there, and what it noted is all it did.
#[tokio::test]
async fn a_batch_that_is_stopped_is_undone_as_far_as_it_came() {
    const FILES: usize = 1_000;
    for _ in 0..10 {
        let bench = Bench::new();
        let names: Vec<String> = (0..FILES).map(|number| format!("in/{number}.txt")).collect();
        for name in &names {
            bench.put(name, "x");
        }
        let context = bench.context();
        let noted = context.backup_dir.join(format!("step{}.undo", context.step.0));
        let stop = CancellationToken::new();
        let stopping = tokio::spawn({
            let stop = stop.clone();
            async move {
                let began = std::time::Instant::now();
                while began.elapsed().as_secs() < 10 {
                    if fs::read_to_string(&noted).is_ok_and(|noted| noted.lines().count() >= 3) {
                        return stop.cancel();
                    }
                    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
                }
            }
        });
        let paths: Vec<String> = names.iter().map(|name| format!("~/{name}")).collect();
        let stopped = bench.run_until(&stop, "delete_files", json!({"paths": paths})).await;
        stopping.abort();
        if stopped.error.is_none() {
            continue;
        }
        assert_eq!(class(&stopped), ErrorClass::UnknownOutcome);
        undo_as_far_as_it_came(&bench, &names, &stopped).await;
        return;
    }
    panic!("never stopped in the middle");
}

/// What a batch that ended too early noted is what it did, and all of it comes back.
async fn undo_as_far_as_it_came(bench: &Bench, names: &[String], ended: &ToolResult) {
    let gone = || names.iter().filter(|name| !bench.path(name).exists()).count();
    assert_eq!(
        ended.reversals.len(),
        gone(),
        "each file that is gone has its way back, and no other"
    );
    assert!(ended.reversals.len() >= 2, "{}", ended.reversals.len());
    assert_eq!(bench.undo(ended).await.body["ok_count"], ended.reversals.len());
    assert_eq!(gone(), 0, "nothing that was begun is lost");
}

fn kill_who_has_open(path: &std::path::Path) {
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let open = fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        let has_it = open
            .into_iter()
            .any(|fd| fs::read_link(fd.path()).is_ok_and(|to| to == path));
        let id = process.file_name().to_string_lossy().parse().ok();
        if let (true, Some(id)) = (has_it, id.and_then(rustix::process::Pid::from_raw)) {
            rustix::process::kill_process(id, rustix::process::Signal::KILL).unwrap();
        }
    }
}
