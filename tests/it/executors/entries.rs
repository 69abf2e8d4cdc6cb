//! Lists and texts that an earlier step produced.

use metnos::domain::failure::ErrorClass;
use serde_json::{Value, json};

use super::{Bench, class, column};

fn files() -> Value {
    json!([
        {"path": "/h/docs/a.pdf", "name": "a.pdf", "size": 100, "mtime": "2026-03-05T10:00:00Z", "ext": "pdf"},
        {"path": "/h/docs/B.txt", "name": "B.txt", "size": 5, "mtime": "2025-01-01T10:00:00Z", "ext": "txt"},
        {"path": "/h/pics/c.pdf", "name": "c.pdf", "size": 20, "mtime": "2026-02-01T10:00:00Z", "ext": "pdf"},
        {"path": "/h/pics/d", "name": "d", "ext": ""}
    ])
}

async fn run(tool: &str, args: Value) -> metnos::domain::run::ToolResult {
    let mut args = args;
    args["entries"] = files();
    Bench::new().run(tool, args).await
}

#[tokio::test]
async fn filter_entries_keeps_what_meets_all_conditions() {
    for (args, expected) in [
        (json!({"where_glob": "*.PDF"}), vec!["a.pdf", "c.pdf"]),
        (json!({"where_contains": "b"}), vec!["B.txt"]),
        (
            json!({"where_field": "ext", "where_equals": "pdf", "where_min": null}),
            vec!["a.pdf", "c.pdf"],
        ),
        (
            json!({"where_field": "size", "where_min": 10, "where_max": 50}),
            vec!["c.pdf"],
        ),
        (json!({"where_min": 6}), vec!["a.pdf", "c.pdf"]),
        (json!({"modified_window": "2026"}), vec!["a.pdf", "c.pdf"]),
        (
            json!({"modified_window": "2026", "where_contains": "a.p"}),
            vec!["a.pdf"],
        ),
        (json!({"where_contains": "zzz"}), vec![]),
        (json!({"where_field": "no_such", "where_contains": "a"}), vec![]),
    ] {
        let result = run("filter_entries", args.clone()).await;
        assert_eq!(column(&result, "name"), expected, "{args}");
        assert_eq!(result.body["examined"], 4);
    }
    for bad in [
        json!({}),
        json!({"where_glob": "a["}),
        json!({"where_min": "many"}),
        json!({"modified_window": "x"}),
    ] {
        assert_eq!(
            class(&run("filter_entries", bad.clone()).await),
            ErrorClass::InvalidArgs,
            "{bad}"
        );
    }
    let unfed = Bench::new().run("filter_entries", json!({"where_contains": "a"})).await;
    assert_eq!(class(&unfed), ErrorClass::NeedsDataSource);
}

#[tokio::test]
async fn filter_entries_takes_the_one_at_a_place() {
    let all = column(&run("filter_entries", json!({"where_glob": "*"})).await, "name");
    for (place, expected) in [
        (1, all.first()),
        (2, all.get(1)),
        (-1, all.last()),
        (9, None),
        (-9, None),
    ] {
        let result = run("filter_entries", json!({"position": place})).await;
        assert_eq!(
            column(&result, "name"),
            expected.cloned().into_iter().collect::<Vec<_>>(),
            "{place}"
        );
    }
    let pdfs = run("filter_entries", json!({"where_glob": "*.pdf", "position": 2})).await;
    let second = run("filter_entries", json!({"where_glob": "*.pdf"})).await;
    assert_eq!(column(&pdfs, "name"), column(&second, "name")[1..]);
    for place in [json!(0), json!("2"), json!(1.5)] {
        assert_eq!(
            class(&run("filter_entries", json!({"position": place})).await),
            ErrorClass::InvalidArgs
        );
    }
}

#[tokio::test]
async fn sort_entries_puts_the_unknown_last() {
    for (args, expected) in [
        (json!({"by": "size"}), vec!["B.txt", "c.pdf", "a.pdf", "d"]),
        (
            json!({"by": "size", "desc": true}),
            vec!["a.pdf", "c.pdf", "B.txt", "d"],
        ),
        (json!({"by": "date", "desc": true, "top": 1}), vec!["a.pdf"]),
        // All but the largest, and the second largest.
        (
            json!({"by": "size", "desc": true, "skip": 1}),
            vec!["c.pdf", "B.txt", "d"],
        ),
        (json!({"by": "size", "desc": true, "skip": 1, "top": 1}), vec!["c.pdf"]),
        (json!({"by": "size", "skip": 9}), vec![]),
        (json!({"by": "name"}), vec!["a.pdf", "B.txt", "c.pdf", "d"]),
    ] {
        let result = run("sort_entries", args.clone()).await;
        assert_eq!(column(&result, "name"), expected, "{args}");
        assert_eq!(result.body["available_total"], 4);
    }
    assert_eq!(
        class(&run("sort_entries", json!({"by": "colour"})).await),
        ErrorClass::InvalidArgs
    );
    let empty = Bench::new()
        .run("sort_entries", json!({"entries": [], "by": "size"}))
        .await;
    assert!(empty.is_ok());
}

#[tokio::test]
async fn group_entries_counts() {
    let by_ext = run("group_entries", json!({"by": "ext"})).await;
    assert_eq!(column(&by_ext, "group"), ["pdf", "", "txt"]);
    assert_eq!(column(&by_ext, "count"), [2, 1, 1]);
    assert_eq!(by_ext.body["entries"][0]["size"], 120);
    assert_eq!(
        column(&run("group_entries", json!({"by": "folder"})).await, "group"),
        ["/h/docs", "/h/pics"]
    );
    assert_eq!(
        column(&run("group_entries", json!({"by": "month"})).await, "group"),
        ["2025-01", "2026-02", "2026-03"]
    );
    assert_eq!(
        class(&run("group_entries", json!({"by": "colour"})).await),
        ErrorClass::InvalidArgs
    );
}

#[tokio::test]
async fn compute_entries_gives_one_figure() {
    for (args, expected) in [
        (json!({"op": "count"}), json!(4)),
        (json!({"op": "count", "field": "size"}), json!(3)),
        (json!({"op": "sum", "field": "size"}), json!(125)),
        (json!({"op": "max"}), json!(100)),
        (json!({"op": "any"}), json!(1)),
        (
            json!({"op": "sum", "field": "size", "source_total": 9, "source_size": 900}),
            json!(900),
        ),
        (json!({"op": "min", "field": "size"}), json!(5)),
        (json!({"op": "avg", "field": "size"}), json!(125.0 / 3.0)),
    ] {
        assert_eq!(
            run("compute_entries", args.clone()).await.body["value"],
            expected,
            "{args}"
        );
    }
    assert_eq!(
        class(&run("compute_entries", json!({"op": "median"})).await),
        ErrorClass::InvalidArgs
    );
    assert_eq!(
        class(&run("compute_entries", json!({"op": "sum", "field": "name"})).await),
        ErrorClass::InvalidArgs
    );
    let none = Bench::new()
        .run("compute_entries", json!({"entries": [], "op": "max"}))
        .await;
    assert_eq!(class(&none), ErrorClass::NotFound);
    let zero = Bench::new()
        .run("compute_entries", json!({"entries": [], "op": "sum"}))
        .await;
    assert_eq!(zero.body["value"], 0);
}

#[tokio::test]
async fn a_figure_of_files_in_several_folders_says_where_they_lie() {
    let bench = Bench::new();
    for path in ["photos/a.jpg", "photos/2025/b.jpg", "c.jpg"] {
        bench.put(path, "12345");
    }
    for (base, op, spread) in [
        ("~", "count", " (~/photos 2, ~ 1)"),
        ("~", "sum", " (~/photos 10 B, ~ 5 B)"),
        ("~/photos", "count", ""),
    ] {
        let found = bench.run("find_files", json!({"base_path": base})).await;
        let args = json!({"entries": found.body["entries"], "op": op});
        assert_eq!(
            bench.run("compute_entries", args).await.body["spread"],
            spread,
            "{base} {op}"
        );
    }
}

#[tokio::test]
async fn filter_texts_lines_around_words_and_not_ticked_off() {
    let bench = Bench::new();
    let list = "- [ ] call Ada\n- [x] pay\n- [X] cook\nbuy tea\n";
    for (content, left) in [
        (list, "- [ ] call Ada"),
        ("tea\nrice\n", "tea\nrice"),
        ("- [x] pay\n", ""),
    ] {
        let args = json!({"content": content, "undone": true});
        assert_eq!(
            bench.run("filter_texts_lines", args).await.body["text"],
            left,
            "{content}"
        );
    }
    let mut lines: Vec<String> = (1..=20).map(|day| format!("day {day}")).collect();
    lines[9] = "paid the rent".to_owned();
    let around = |content: String| {
        bench.run(
            "filter_texts_lines",
            json!({"content": content, "around": "rents|affitto"}),
        )
    };
    let long = around(lines.join("\n")).await;
    assert!(
        long.body["text"]
            .as_str()
            .unwrap()
            .ends_with("day 9\npaid the rent\nday 11"),
        "{long:?}"
    );
    lines.truncate(12);
    assert_eq!(
        around(lines.join("\n")).await.body["count"],
        12,
        "a short text is an answer as a whole"
    );
}

#[tokio::test]
async fn filter_texts_lines_by_place_and_content() {
    let bench = Bench::new();
    let text = "uno\ndue\nTre\nquattro\ncinque\n";
    for (args, expected) in [
        (json!({"last": 3}), "Tre\nquattro\ncinque"),
        (json!({"first": 2}), "uno\ndue"),
        (json!({"contains": "TR"}), "Tre\nquattro"),
        (json!({"contains": "tr", "last": 1}), "quattro"),
        (json!({"regex": "^.{3}$"}), "uno\ndue\nTre"),
        (json!({"contains": "zzz"}), ""),
        (json!({"last": 99}), "uno\ndue\nTre\nquattro\ncinque"),
    ] {
        let mut from_step = args.clone();
        from_step["entries"] = json!([{"path": "/a", "name": "a", "content": text}]);
        let mut direct = args.clone();
        direct["content"] = json!(text);
        let fed = bench.run("filter_texts_lines", from_step).await;
        assert_eq!(fed.body["text"], expected, "{args}");
        assert_eq!(
            bench.run("filter_texts_lines", direct).await.body["text"],
            expected,
            "{args}"
        );
        assert!(column(&fed, "path").iter().all(|path| path == "/a"));
    }
    assert_eq!(
        class(
            &bench
                .run("filter_texts_lines", json!({"content": "x", "regex": "("}))
                .await
        ),
        ErrorClass::InvalidArgs
    );
    assert_eq!(
        class(&bench.run("filter_texts_lines", json!({"last": 1})).await),
        ErrorClass::InvalidArgs
    );
    let last = bench
        .run("filter_texts_lines", json!({"content": text, "last": 1}))
        .await;
    assert_eq!(column(&last, "number"), [5]);
}

#[tokio::test]
async fn first_and_last_lines_are_those_of_each_text() {
    let entries = json!([
        {"path": "/h/a.txt", "content": "a1\na2\na3"},
        {"path": "/h/b.txt", "content": "b1\nb2"},
        {"path": "/h/c.txt", "content": ""},
    ]);
    let bench = Bench::new();
    let first = bench
        .run("filter_texts_lines", json!({"entries": entries, "first": 1}))
        .await;
    assert_eq!(first.body["text"], "==> a.txt <==\na1\n\n==> b.txt <==\nb1");
    assert_eq!(
        (&first.body["count"], &first.body["available_total"]),
        (&json!(2), &json!(5))
    );
    // Lines of one file that an earlier step cut out are one text again.
    let kept = bench
        .run("filter_texts_lines", json!({"entries": [entries[0]], "contains": "a"}))
        .await;
    let last = bench
        .run(
            "filter_texts_lines",
            json!({"entries": kept.body["entries"], "last": 1}),
        )
        .await;
    assert_eq!(last.body["text"], "a3");
}

/// Whoever works on what pages say asks for the pages, and whoever has nothing to work on says so: the plan executor
/// knows what to do about either.
#[tokio::test]
async fn what_is_missing_to_work_on_has_a_name_of_its_own() {
    let bench = Bench::new();
    let unread = json!([{"url": "http://e/1", "title": "one"}, {"url": "http://e/2", "text": " "}]);
    let part_read = json!([{"url": "http://e/1", "title": "one"}, {"url": "http://e/2", "text": "some wool"}]);
    for (tool, args) in [
        ("filter_texts_lines", json!({"contains": "wool"})),
        (
            "filter_entries",
            json!({"where_field": "text", "where_contains": "wool"}),
        ),
    ] {
        let with = |entries: &Value| {
            let mut args = args.clone();
            args["entries"] = entries.clone();
            args
        };
        assert_eq!(
            class(&bench.run(tool, with(&unread)).await),
            ErrorClass::NeedsContentFetch,
            "{tool}"
        );
        assert!(bench.run(tool, with(&part_read)).await.is_ok(), "{tool}");
    }
    // An address alone is enough to look at addresses.
    let by_title = json!({"entries": unread, "where_field": "title", "where_contains": "one"});
    assert!(bench.run("filter_entries", by_title).await.is_ok());
    for tool in ["sort_entries", "group_entries", "compute_entries"] {
        let nothing = bench.run(tool, json!({"where_contains": "x", "by": "name"})).await;
        assert_eq!(class(&nothing), ErrorClass::NeedsDataSource, "{tool}");
    }
}
