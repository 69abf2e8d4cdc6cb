//! Files and folders: found, listed, read, written, moved and deleted.

use std::{fs, os::unix::fs::symlink, time::Duration};

use metnos::domain::{failure::ErrorClass, limits, run::Reversal};
use serde_json::json;

use super::{Bench, class, column};
use crate::support::manifests;

#[tokio::test]
async fn find_files_by_name_depth_and_hiding() {
    let bench = Bench::new();
    for name in [
        "docs/a.pdf",
        "docs/B.PDF",
        "docs/c.txt",
        "docs/deep/er/d.pdf",
        "docs/.hidden.pdf",
        "docs/.git/e.pdf",
    ] {
        bench.put(name, "x");
    }
    symlink(bench.home(), bench.path("docs/loop")).unwrap();
    for (args, expected) in [
        (json!({"pattern": "*.pdf"}), vec!["B.PDF", "a.pdf", "d.pdf"]),
        (json!({"pattern": "*.pdf", "recursive": false}), vec!["B.PDF", "a.pdf"]),
        (
            json!({"pattern": "*.{pdf,txt}", "recursive": false}),
            vec!["B.PDF", "a.pdf", "c.txt"],
        ),
        (json!({"pattern": "deep/**/*.pdf"}), vec!["d.pdf"]),
        (json!({"pattern": "*.jpg"}), vec![]),
        (
            json!({"recursive": false, "include_hidden": true}),
            vec![".hidden.pdf", "B.PDF", "a.pdf", "c.txt"],
        ),
    ] {
        let mut args = args;
        args["base_path"] = json!("~/docs");
        let result = bench.run("find_files", args.clone()).await;
        assert!(result.is_ok(), "{result:?}");
        assert_eq!(column(&result, "name"), expected, "{args}");
        assert_eq!(result.body["available_total"], expected.len());
    }
}

#[tokio::test]
async fn find_files_by_time_and_size_and_cut() {
    let bench = Bench::new();
    let old = bench.put("docs/old.txt", "x");
    let long_ago = fs::metadata(&old).unwrap().modified().unwrap() - Duration::from_secs(40 * 86_400);
    fs::File::options()
        .write(true)
        .open(&old)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    bench.put("docs/new.txt", "xxxxxxxxxx");
    let run = |extra: serde_json::Value| {
        let mut args = json!({"base_path": "~/docs"});
        args.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        bench.run("find_files", args)
    };
    assert_eq!(
        column(&run(json!({"modified_window": "last-7d"})).await, "name"),
        ["new.txt"]
    );
    assert_eq!(column(&run(json!({"min_size": 5})).await, "name"), ["new.txt"]);
    assert_eq!(
        class(&run(json!({"modified_window": "soonish"})).await),
        ErrorClass::InvalidArgs
    );
    assert_eq!(class(&run(json!({"pattern": "a[", })).await), ErrorClass::InvalidArgs);
    let cut = run(json!({"max_results": 1})).await;
    assert_eq!(
        (&cut.body["used"], &cut.body["available_total"], &cut.body["truncated"]),
        (&json!(1), &json!(2), &json!(true))
    );
    for (keep, name) in [
        ("largest", "new.txt"),
        ("smallest", "old.txt"),
        ("newest", "new.txt"),
        ("oldest", "old.txt"),
    ] {
        let kept = run(json!({"max_results": 1, "keep": keep})).await;
        assert_eq!(column(&kept, "name"), [name], "{keep}");
        assert_eq!(kept.body["truncated"], json!(false), "what was asked for is there");
    }
}

#[tokio::test]
async fn a_file_is_known_by_words_of_its_name_and_the_best_fit_counts() {
    let bench = Bench::new();
    for (path, text) in [
        ("docs/letter_school.txt", "the trip is on Friday"),
        ("docs/letter_bank.txt", "your card"),
        ("docs/ricetta_torta.txt", "uova"),
        ("notes/diary.md", "we baked a cake and went on a trip"),
        ("notes/diary_old.md", "long ago"),
    ] {
        bench.put(path, text);
    }
    let named = |words: &'static str| bench.run("find_files", json!({"base_path": "~", "named": words}));
    for (words, names) in [
        ("letter|lettera school|scuola", vec!["letter_school.txt"]),
        ("letters school", vec!["letter_school.txt"]),
        ("letter trip", vec!["letter_school.txt"]),
        ("diary", vec!["diary.md"]),
        ("recipe|ricetta", vec!["ricetta_torta.txt"]),
        ("leter school", vec!["letter_school.txt"]),
        ("letter", vec!["letter_bank.txt", "letter_school.txt"]),
        ("baked cake", vec!["diary.md"]),
    ] {
        assert_eq!(column(&named(words).await, "name"), names, "{words}");
    }
    let near = named("letter dentist").await;
    assert_eq!(near.body["empty"]["key"], "executors-file-near-named");
    assert_eq!(column(&near, "name"), Vec::<String>::new());
    assert_eq!(named("boat").await.body["empty"]["key"], "executors-file-none-named");
    let several = json!({"paths": ["~/notes/diary.md", "~/docs/letter_bank.txt"], "only_one": true});
    let several = bench.run("read_files", several).await;
    assert_eq!(several.body["empty"]["key"], "executors-file-which");
    assert_eq!(column(&several, "name"), Vec::<String>::new(), "none of them is read");
}

#[tokio::test]
async fn a_folder_that_is_none_says_what_it_is() {
    let bench = Bench::new();
    bench.put("a.txt", "x");
    for tool in ["find_files", "list_dirs"] {
        let name = if tool == "find_files" { "base_path" } else { "path" };
        let missing = bench.run(tool, json!({name: "~/nowhere"})).await;
        assert_eq!(class(&missing), ErrorClass::NotFound);
        let file = if tool == "find_files" {
            let itself = bench.run(tool, json!({name: "~/a.txt"})).await;
            assert_eq!(column(&itself, "name"), ["a.txt"], "a file stands for itself");
            bench.run(tool, json!({name: "~/a.txt", "pattern": "*.md"})).await
        } else {
            bench.run(tool, json!({name: "~/a.txt"})).await
        };
        assert_eq!(class(&file), ErrorClass::InvalidArgs);
        assert_eq!(file.body["failed"][0]["expected"], "directory");
        assert_eq!(file.body["failed"][0]["actual"], "file");
        let none = bench.run(tool, json!({})).await;
        assert_eq!(class(&none), ErrorClass::InvalidArgs);
    }
}

#[tokio::test]
async fn list_dirs_sorts_and_counts() {
    let bench = Bench::new();
    bench.put("docs/b.txt", "xx");
    bench.put("docs/a.txt", "xxx");
    bench.put("docs/sub/c.txt", "x");
    bench.put("docs/.hidden", "x");
    let result = bench.run("list_dirs", json!({"path": "~/docs"})).await;
    assert_eq!(column(&result, "name"), ["a.txt", "b.txt", "sub"]);
    assert_eq!(column(&result, "kind"), ["file", "file", "directory"]);
    let result = bench
        .run("list_dirs", json!({"path": "~/docs", "max_results": 2}))
        .await;
    assert_eq!(result.body["truncated"], true);
    assert_eq!(result.body["available_total"], 3);
    // The two largest are all that was asked for.
    let result = bench
        .run("list_dirs", json!({"path": "~/docs", "sort": "size", "max_results": 2}))
        .await;
    assert_eq!(column(&result, "name"), ["a.txt", "b.txt"]);
    assert_eq!(result.body["truncated"], false);
    fs::create_dir(bench.path("empty")).unwrap();
    let result = bench.run("list_dirs", json!({"path": "~/empty"})).await;
    assert!(result.is_ok());
    assert!(result.entries().unwrap().is_empty());
}

#[tokio::test]
async fn read_files_reads_text_and_only_text() {
    let bench = Bench::new();
    bench.put("a.txt", "perché\nno\n");
    bench.put("b.bin", b"ab\0cd");
    bench.put("c.txt", b"caff\xe8");
    bench.put("d.txt", "");
    fs::create_dir(bench.path("dir")).unwrap();
    let one = bench.run("read_files", json!({"paths": ["~/a.txt"]})).await;
    assert_eq!(one.body["content"], "perché\nno\n");
    assert_eq!(one.body["entries"][0]["size"], 11);
    let lossy = bench.run("read_files", json!({"paths": "~/c.txt"})).await;
    assert_eq!(lossy.body["entries"][0]["lossy"], true);
    let empty = bench.run("read_files", json!({"paths": ["d.txt"]})).await;
    assert_eq!(empty.body["content"], "");

    let partial = bench
        .run(
            "read_files",
            json!({"paths": ["~/a.txt", "~/b.bin", "~/dir", "~/*.md", "~/gone.txt", "~/a.txt"]}),
        )
        .await;
    assert!(partial.is_ok());
    assert_eq!(
        (&partial.body["ok_count"], &partial.body["fail_count"]),
        (&json!(1), &json!(4))
    );
    let failed = &partial.body["failed"];
    assert_eq!(failed[0]["error_code"], "executors-file-not-text");
    assert_eq!(
        (&failed[1]["expected"], &failed[1]["actual"]),
        (&json!("file"), &json!("directory"))
    );
    assert_eq!(
        (&failed[2]["error_class"], &failed[2]["actual"]),
        (&json!("not_found"), &json!("pattern"))
    );
    assert_eq!(failed[3]["error_class"], "not_found");

    let all = bench.run("read_files", json!({"paths": ["~/a.txt", "~/d.txt"]})).await;
    assert_eq!(all.body["content"], "==> a.txt <==\nperché\nno\n\n==> d.txt <==\n");
}

#[tokio::test]
async fn a_document_is_read_by_what_it_is_and_not_by_its_name() {
    let bench = Bench::new();
    bench.put(
        "letter.txt",
        br"{\rtf1\ansi{\fonttbl{\f0 Arial;}}Three months\' 92 notice.\par}".as_slice(),
    );
    bench.put("lease.pdf", "<!DOCTYPE html><html><body><p>Rent: 800</p></body></html>");
    bench.put("photo.txt", b"\x1f\x8b\x08\0\0\0".as_slice());
    bench.put(
        "old.docx",
        [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0".as_slice()].concat(),
    );
    bench.put("cut.pdf", "%PDF-1.7 and no more");
    let read = bench
        .run(
            "read_files",
            json!({"paths": ["~/letter.txt", "~/lease.pdf", "~/photo.txt", "~/old.docx", "~/cut.pdf"]}),
        )
        .await;
    let said = |at: usize| read.body["entries"][at]["content"].as_str().unwrap().trim().to_owned();
    assert!(said(0).starts_with("Three months"), "{}", said(0));
    assert_eq!(said(1), "Rent: 800");
    let codes: Vec<&str> = read.body["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|failed| failed["error_code"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        ["executors-file-kind", "executors-file-kind", "executors-file-broken"]
    );
}

#[tokio::test]
async fn a_long_file_is_cut_between_characters() {
    let bench = Bench::new();
    let bytes_max = usize::try_from(limits::FILE_BYTES_MAX).unwrap();
    let mut text = "x".repeat(bytes_max - 1);
    text.push_str("èè");
    bench.put("long.txt", &text);
    let result = bench.run("read_files", json!({"paths": ["~/long.txt"]})).await;
    assert_eq!(result.body["truncated"], true);
    assert!(result.body["entries"][0].get("lossy").is_none());
    assert_eq!(result.body["content"].as_str().unwrap().len(), bytes_max - 1);
}

#[tokio::test]
async fn get_files_tells_facts() {
    let bench = Bench::new();
    bench.put("a.TXT", "abc");
    let result = bench.run("get_files", json!({"paths": ["~/a.TXT", "~/gone"]})).await;
    assert_eq!(result.body["entries"][0]["ext"], "txt");
    assert_eq!(result.body["entries"][0]["size"], 3);
    assert_eq!(result.body["fail_count"], 1);
    assert_eq!(
        class(&bench.run("get_files", json!({"paths": ["~/gone"]})).await),
        ErrorClass::NotFound
    );
    assert_eq!(
        class(&bench.run("get_files", json!({"paths": [7]})).await),
        ErrorClass::InvalidArgs
    );
}

#[tokio::test]
async fn write_files_in_every_mode() {
    let bench = Bench::new();
    let write = |args: serde_json::Value| bench.run("write_files", args);
    let new = write(json!({"path": "~/notes/new/a.md", "content": "perché"})).await;
    assert_eq!(
        (&new.body["bytes"], &new.body["action"]),
        (&json!(7), &json!("created"))
    );
    assert_eq!(new.reversals.len(), 3, "{:?}", new.reversals);
    assert_eq!(bench.text("notes/new/a.md"), "perché");

    let again = write(json!({"path": "~/notes/new/a.md", "content": "perché"})).await;
    assert_eq!(
        (&again.body["action"], again.ok_count()),
        (&json!("unchanged"), Some(0))
    );
    assert!(again.reversals.is_empty());

    let more = write(json!({"path": "~/notes/new/a.md", "content": "no", "mode": "append"})).await;
    assert_eq!(
        (&more.body["action"], &more.body["lines"]),
        (&json!("line_appended"), &json!("no"))
    );
    assert_eq!(bench.text("notes/new/a.md"), "perché\nno");

    let careful = write(json!({"path": "~/notes/new/a.md", "content": "z", "mode": "fail_if_exists"})).await;
    assert_eq!(class(&careful), ErrorClass::AlreadyExists);
    let over = write(json!({"path": "~/notes/new/a.md", "content": {"a": 1}})).await;
    assert_eq!(
        (&over.body["action"], &over.body["folder"]),
        (&json!("overwritten"), &json!("~/notes/new"))
    );
    assert_eq!(bench.text("notes/new/a.md"), "{\n  \"a\": 1\n}");
    assert!(matches!(over.reversals.as_slice(), [Reversal::Restore { .. }]));

    let folder = write(json!({"path": "~/notes", "content": "z"})).await;
    assert_eq!(class(&folder), ErrorClass::InvalidArgs);
    assert_eq!(folder.body["failed"][0]["actual"], "directory");
    let below_file = write(json!({"path": "~/notes/new/a.md/b", "content": "z"})).await;
    assert_eq!(class(&below_file), ErrorClass::InvalidArgs);
    assert_eq!(class(&write(json!({"path": "~/x"})).await), ErrorClass::InvalidArgs);
    let names: Vec<_> = fs::read_dir(bench.path("notes/new"))
        .unwrap()
        .map(|name| name.unwrap().file_name())
        .collect();
    assert_eq!(names, ["a.md"], "no temporary file stays");
}

#[tokio::test]
async fn a_link_is_written_through() {
    let bench = Bench::new();
    bench.put("real/a.txt", "old");
    symlink(bench.path("real/a.txt"), bench.path("link.txt")).unwrap();
    let result = bench
        .run("write_files", json!({"path": "~/link.txt", "content": "new"}))
        .await;
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(bench.text("real/a.txt"), "new");
    assert!(fs::symlink_metadata(bench.path("link.txt")).unwrap().is_symlink());
}

#[tokio::test]
async fn create_dirs_makes_what_is_missing() {
    let bench = Bench::new();
    bench.put("file", "x");
    let result = bench
        .run("create_dirs", json!({"paths": ["~/a/b", "~/a", "~/file", "~/file/c"]}))
        .await;
    assert!(bench.path("a/b").is_dir());
    assert_eq!(column(&result, "action"), ["created", "existed"]);
    assert_eq!(
        (&result.body["created"], &result.body["fail_count"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(result.ok_count(), Some(1), "a folder that is there was not made");
    assert_eq!(result.reversals.len(), 2);
    assert_eq!(
        class(&bench.run("create_dirs", json!({"paths": ["~/file"]})).await),
        ErrorClass::InvalidArgs
    );
}

#[tokio::test]
async fn move_files_never_replaces() {
    let bench = Bench::new();
    bench.put("in/a.jpg", "a");
    bench.put("in/b.jpg", "b");
    bench.put("photos/b.jpg", "other");
    let result = bench
        .run(
            "move_files",
            json!({"paths": ["~/in/a.jpg", "~/in/b.jpg", "~/in/c.jpg"], "dst_dir": "~/photos"}),
        )
        .await;
    assert!(result.is_ok());
    assert_eq!(
        (&result.body["ok_count"], &result.body["fail_count"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(result.body["failed"][0]["error_class"], "already_exists");
    assert_eq!(result.body["failed"][1]["error_class"], "not_found");
    assert_eq!(bench.text("photos/a.jpg"), "a");
    assert_eq!(result.body["folder"], "~/photos");
    assert_eq!(bench.text("photos/b.jpg"), "other");
    assert_eq!(bench.text("in/b.jpg"), "b");

    let again = bench
        .run(
            "move_files",
            json!({"paths": ["~/photos/a.jpg", "~/photos/b.jpg"], "dst_dir": "~/photos"}),
        )
        .await;
    assert!(again.is_ok() && again.reversals.is_empty(), "{again:?}");
    assert_eq!(
        (&again.body["ok_count"], &again.body["unchanged_count"]),
        (&json!(0), &json!(2))
    );

    let gone = bench
        .run(
            "move_files",
            json!({"paths": ["~/in/c.jpg"], "dst_dir": "~/made/in/vain"}),
        )
        .await;
    assert_eq!(class(&gone), ErrorClass::NotFound);
    assert!(!bench.path("made").exists());
}

#[tokio::test]
async fn move_files_makes_the_folder_and_renames() {
    let bench = Bench::new();
    bench.put("a.txt", "a");
    bench.put("folder/x.txt", "x");
    let moved = bench
        .run(
            "move_files",
            json!({"paths": ["~/a.txt", "~/folder"], "dst_dir": "~/new/place"}),
        )
        .await;
    assert_eq!(moved.body["ok_count"], 2, "{moved:?}");
    assert_eq!(bench.text("new/place/folder/x.txt"), "x");
    let renamed = bench
        .run(
            "move_files",
            json!({"paths": ["~/new/place/a.txt"], "dst_dir": "~/new/place", "new_name": "b.txt"}),
        )
        .await;
    assert_eq!(column(&renamed, "name"), ["b.txt"], "{renamed:?}");
    for (name, paths) in [("../x", vec!["~/new/place/b.txt"]), ("z", vec!["~/a", "~/b"])] {
        let bad = bench
            .run(
                "move_files",
                json!({"paths": paths, "dst_dir": "~/new", "new_name": name}),
            )
            .await;
        assert_eq!(class(&bad), ErrorClass::InvalidArgs, "{name}");
    }
}

#[tokio::test]
async fn delete_files_keeps_what_it_deletes() {
    let bench = Bench::new();
    bench.put("a.txt", "a");
    bench.put("b/a.txt", "b");
    fs::create_dir(bench.path("dir")).unwrap();
    let result = bench
        .run(
            "delete_files",
            json!({"paths": ["~/a.txt", "~/b/a.txt", "~/dir", "~/gone", "~/*.txt"]}),
        )
        .await;
    assert_eq!(
        (&result.body["ok_count"], &result.body["fail_count"]),
        (&json!(2), &json!(3))
    );
    assert!(!bench.path("a.txt").exists() && bench.path("dir").exists());
    assert_eq!(result.body["failed"][0]["actual"], "directory");
    let kept: Vec<String> = result
        .reversals
        .iter()
        .map(|reversal| {
            let Reversal::MoveBack { from, .. } = reversal else {
                panic!("{reversal:?}");
            };
            fs::read_to_string(from).unwrap()
        })
        .collect();
    assert_eq!(kept, ["a", "b"]);
}

#[tokio::test]
async fn files_go_to_another_disk_and_come_back() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let bench = Bench::new();
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
        return;
    };
    if fs::metadata(other.path()).unwrap().dev() == fs::metadata(bench.home()).unwrap().dev() {
        return;
    }
    let file = bench.put("a.txt", "a");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    fs::create_dir(bench.path("folder")).unwrap();
    let moved = bench
        .run(
            "move_files",
            json!({"paths": ["~/a.txt", "~/folder"], "dst_dir": other.path()}),
        )
        .await;
    assert_eq!(
        (&moved.body["ok_count"], &moved.body["fail_count"]),
        (&json!(1), &json!(1)),
        "{moved:?}"
    );
    assert_eq!(moved.body["failed"][0]["error_code"], "executors-move-across-disks");
    assert!(!file.exists());
    let there = fs::metadata(other.path().join("a.txt")).unwrap();
    assert_eq!(there.permissions().mode() & 0o777, 0o640);
    assert_eq!(there.modified().unwrap(), modified);
    assert!(bench.undo(&moved).await.is_ok());
    assert_eq!(bench.text("a.txt"), "a");
}

#[tokio::test]
async fn a_path_that_no_argument_names_is_closed() {
    let bench = Bench::new();
    bench.put("secret.txt", "s");
    let mut manifest = manifests::shipped("read_files");
    for arg in &mut manifest.args {
        arg.kind = Some("words".to_owned());
    }
    let result = bench.run_as(&manifest, json!({"paths": ["~/secret.txt"]})).await;
    assert_eq!(class(&result), ErrorClass::PermissionDenied);

    let mut manifest = manifests::shipped("write_files");
    manifest.capabilities = vec![metnos::domain::manifest::Capability::FsRead];
    let result = bench
        .run_as(&manifest, json!({"path": "~/new.txt", "content": "x"}))
        .await;
    assert_eq!(class(&result), ErrorClass::PermissionDenied);
    assert!(!bench.path("new.txt").exists());
}

/// The entry of a folder says nothing of what is in it.
#[tokio::test]
async fn folders_are_as_large_as_what_is_in_them() {
    let bench = Bench::new();
    bench.put("docs/small/a.txt", "x");
    bench.put("docs/large/deep/b.txt", "xxxxxxxxxx");
    bench.put("docs/large/.hidden", "xx");
    bench.put("docs/c.txt", "xxx");
    let plain = bench.run("list_dirs", json!({"path": "~/docs"})).await;
    assert_eq!(plain.entries().unwrap()[1]["size"], json!(null), "{plain:?}");
    for args in [json!({"sort": "size"}), json!({"totals": true, "sort": "size"})] {
        let mut args = args;
        args["path"] = json!("~/docs");
        let result = bench.run("list_dirs", args).await;
        assert_eq!(column(&result, "name"), ["large", "c.txt", "small"]);
        assert_eq!(result.entries().unwrap()[0]["size"], json!(12));
    }
    let known = bench.run("get_files", json!({"paths": ["~/docs"]})).await;
    assert_eq!(known.entries().unwrap()[0]["size"], json!(16));
}

#[tokio::test]
async fn what_is_not_there_can_be_asked_for() {
    let bench = Bench::new();
    bench.put("a.txt", "x");
    let args = json!({"paths": ["~/a.txt", "~/gone.txt", "~/a.txt/below"], "if_there": true});
    let there = bench.run("get_files", args).await;
    assert_eq!(column(&there, "name"), ["a.txt"]);
    assert!(there.body.get("failed").is_none(), "{there:?}");
    let none = bench
        .run("get_files", json!({"paths": ["~/gone.txt"], "if_there": true}))
        .await;
    assert!(none.is_ok() && none.entries().unwrap().is_empty(), "{none:?}");
}

/// A search goes only so deep, and says when there was more; a hidden folder that is named is searched beside its home.
#[tokio::test]
async fn what_a_search_does_not_reach_is_said() {
    let bench = Bench::new();
    let deep = (1..=limits::WALK_DEPTH_MAX)
        .map(|step| format!("f{step}"))
        .collect::<Vec<_>>()
        .join("/");
    bench.put("a/x.pdf", "x");
    bench.put("a/.notes/z.pdf", "x");
    let all = json!({"base_path": "~/a", "also_in": ["~/a/.notes"], "pattern": "*.pdf"});
    let found = bench.run("find_files", all.clone()).await;
    assert_eq!(column(&found, "name"), ["x.pdf", "z.pdf"]);
    assert!(!found.body.contains_key("source_scan_truncated"));
    bench.put(&format!("a/{deep}/y.pdf"), "x");
    let found = bench.run("find_files", all).await;
    assert_eq!(column(&found, "name"), ["x.pdf", "z.pdf"]);
    assert_eq!(found.body["source_scan_truncated"], true);
}

/// What can be read can be found: a note of an old machine, and one with the mark of UTF-16.
#[tokio::test]
async fn what_a_text_is_about_is_found_in_other_encodings_too() {
    let bench = Bench::new();
    bench.put("n/plain.txt", "the roses are red");
    fs::write(bench.path("n/latin.txt"), b"perch\xe9 the roses").unwrap();
    let wide: Vec<u8> = "\u{feff}my roses".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(bench.path("n/wide.txt"), wide).unwrap();
    fs::write(bench.path("n/picture.jpg"), b"\0\0roses").unwrap();
    let found = bench
        .run("find_files", json!({"base_path": "~/n", "about": "roses"}))
        .await;
    assert_eq!(column(&found, "name"), ["latin.txt", "plain.txt", "wide.txt"]);
    assert!(!found.body.contains_key("source_scan_truncated"));
}

#[tokio::test]
async fn several_folders_are_searched_once_each() {
    let bench = Bench::new();
    bench.put("a/x.pdf", "x");
    bench.put("a/deep/y.pdf", "x");
    bench.put("b/z.pdf", "x");
    let args = json!({"base_path": "~/a", "also_in": ["~/b", "~/a/deep", "~/a"], "pattern": "*.pdf"});
    let found = bench.run("find_files", args).await;
    assert_eq!(column(&found, "name"), ["y.pdf", "x.pdf", "z.pdf"]);
    assert_eq!(found.body["size_total"], json!(3));
    let gone = bench
        .run("find_files", json!({"base_path": "~/a", "also_in": ["~/gone"]}))
        .await;
    assert_eq!(class(&gone), ErrorClass::NotFound);
}

/// A name may end in a space, or be no text at all: neither is ever taken for another file's.
#[tokio::test]
async fn a_file_of_an_odd_name_is_never_taken_for_another() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let bench = Bench::new();
    bench.put("notes", "plain");
    bench.put("notes ", "with a space");
    let found = bench
        .run("find_files", json!({"base_path": "~", "pattern": "notes*"}))
        .await;
    let spaced: Vec<_> = column(&found, "path")
        .into_iter()
        .filter(|path| path.as_str().unwrap().ends_with(' '))
        .collect();
    assert_eq!(spaced.len(), 1, "{found:?}");
    let deleted = bench.run("delete_files", json!({"paths": spaced})).await;
    assert!(deleted.is_ok(), "{deleted:?}");
    assert!(bench.path("notes").exists() && !bench.path("notes ").exists());
    bench.undo(&deleted).await;
    assert_eq!(
        (bench.text("notes"), bench.text("notes ")),
        ("plain".into(), "with a space".into())
    );

    let odd = bench.home().join(OsStr::from_bytes(b"caf\xe9.txt"));
    fs::write(&odd, "odd").unwrap();
    bench.put("caf\u{FFFD}.txt", "another");
    let found = bench
        .run("find_files", json!({"base_path": "~", "pattern": "caf*"}))
        .await;
    let paths = column(&found, "path");
    for (tool, args) in [
        ("delete_files", json!({"paths": paths})),
        ("move_files", json!({"paths": paths, "dst_dir": "~/box"})),
        ("write_files", json!({"path": paths[0], "content": "mine"})),
        ("read_files", json!({"paths": paths})),
    ] {
        let refused = bench.run(tool, args).await;
        let error = refused.error.unwrap_or_else(|| panic!("{tool}: {:?}", refused.body));
        assert_eq!(error.message.key, "executors-name-not-text".into(), "{tool}");
    }
    std::os::unix::fs::symlink(&odd, bench.path("link.txt")).unwrap();
    let through = bench
        .run("write_files", json!({"path": "~/link.txt", "content": "mine"}))
        .await;
    assert_eq!(class(&through), ErrorClass::InvalidArgs);
    assert_eq!(fs::read_to_string(&odd).unwrap(), "odd");
    assert_eq!(bench.text("caf\u{FFFD}.txt"), "another");
}

#[tokio::test]
async fn our_own_folder_is_no_part_of_the_home_it_lies_in() {
    let bench = Bench::new().with_our_folder_at_home();
    bench.put("metnos/secret plan.txt", "x");
    bench.put("plan.txt", "x");
    for args in [
        json!({"base_path": "~"}),
        json!({"base_path": "~", "include_hidden": true}),
    ] {
        let found = bench.run("find_files", args).await;
        assert_eq!(column(&found, "name"), ["plan.txt"]);
    }
    let listed = bench.run("list_dirs", json!({"path": "~"})).await;
    assert_eq!(column(&listed, "name"), ["plan.txt"]);
}
