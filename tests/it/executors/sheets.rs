//! A list as a spreadsheet or a file of values: what is in the list can be read from it, nothing is replaced, what a
//! mail says is never a formula, and undo removes what was made.

use std::fs;

use serde_json::{Value, json};

use super::Bench;

fn people() -> Value {
    json!([
        {"id": "c1", "name": "Anna Rossi", "phones": ["333 1234567", "06 555"], "birthday": "1990-05-02", "told": {"key": "x"}},
        {"id": "c2", "name": "=1+1", "phones": [], "birthday": null},
    ])
}

#[tokio::test]
async fn what_is_in_the_list_can_be_read_from_the_sheet() {
    let bench = Bench::new();
    let args = json!({"entries": people(), "home": "~", "new_name": "people"});
    let made = bench.run("create_files_spreadsheet", args.clone()).await;
    assert_eq!(made.body["rows"], 2, "{made:?}");
    let read = bench.run("read_files", json!({"paths": ["~/people.xlsx"]})).await;
    let said = Value::Object(read.body).to_string();
    for expected in [
        "Name",
        "Phone",
        "Birthday",
        "Anna Rossi",
        "333 1234567, 06 555",
        "1990-05-02",
        "=1+1",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    for mark in ["c1", "Id"] {
        assert!(!said.contains(mark), "{mark}: {said}");
    }
    let again = bench.run("create_files_spreadsheet", args).await;
    assert!(
        again.body["path"].as_str().unwrap().ends_with("people 2.xlsx"),
        "{again:?}"
    );
    bench.undo(&again).await;
    assert!(!bench.path("people 2.xlsx").exists() && bench.path("people.xlsx").exists());
}

#[tokio::test]
async fn a_name_that_ends_in_csv_makes_a_file_of_values() {
    let bench = Bench::new();
    let args = json!({"entries": people(), "home": "~", "new_name": "people.csv"});
    let made = bench.run("create_files_spreadsheet", args).await;
    assert!(made.error.is_none(), "{made:?}");
    let text = fs::read_to_string(bench.path("people.csv")).unwrap();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].contains("\"333 1234567, 06 555\""), "{text}");
    // No program that opens it may take it for a formula, and a phone number is none.
    assert!(lines[2].contains("'=1+1"), "{text}");
    let told = json!([{"name": "+cmd|' /C calc'!A0", "phones": ["+39 333 1234567"]}]);
    let args = json!({"entries": told, "home": "~", "new_name": "told.csv"});
    bench.run("create_files_spreadsheet", args).await;
    let text = fs::read_to_string(bench.path("told.csv")).unwrap();
    assert!(text.ends_with("'+cmd|' /C calc'!A0,+39 333 1234567\n"), "{text}");
}

#[tokio::test]
async fn nothing_and_names_that_lead_elsewhere_are_refused() {
    let bench = Bench::new();
    let rows = [
        (json!({"entries": [{"id": "c1"}], "home": "~"}), "executors-sheet-empty"),
        (
            json!({"entries": people(), "home": "~", "new_name": "../people"}),
            "executors-argument-wrong",
        ),
        (
            json!({"entries": people(), "home": "~", "new_name": ".people"}),
            "executors-argument-wrong",
        ),
    ];
    for (args, key) in rows {
        let refused = bench.run("create_files_spreadsheet", args).await;
        assert_eq!(refused.error.unwrap().message.key.as_str(), key);
    }
    assert_eq!(fs::read_dir(bench.home()).map_or(0, Iterator::count), 0);
}
