//! The turn log: one line a turn, complete, and nothing in it that is nobody's business.

use metnos::domain::{ids::ChannelKind, reply::ButtonKind};
use serde_json::{Value, json};

use super::{remember, rows};
use crate::support::bot::TestBot;

const FIELDS: &[&str] = &[
    "turn_id",
    "ts_start",
    "ts_end",
    "user_query",
    "redacted",
    "n_redacted_fields",
    "mode",
    "engine",
    "actor",
    "channel",
    "conversation_id",
    "answered_by",
    "path",
    "intent",
    "intent_confidence",
    "candidates",
    "plan",
    "plan_hash",
    "steps",
    "effect_counts",
    "llm",
    "timings",
    "error_class",
    "final_message",
    "final_kind",
];
const STEP_FIELDS: &[&str] = &[
    "step_num",
    "chosen_tool",
    "raw_args",
    "resolved_args",
    "from_memory",
    "ok",
    "skipped",
    "vaglio_approved",
    "scratchpad_id",
    "size_bytes",
    "error",
    "ok_count",
    "entries",
    "vaglio_us",
    "exec_us",
];

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn every_turn_has_one_complete_line() {
    let mut bot = TestBot::new().await;
    bot.file("docs/old.txt", "old");
    bot.says("what time is it").await;
    bot.says("list the files in ~/docs").await;
    bot.says("list the files in ~/docs").await;
    bot.says("/help").await;
    bot.says("book me a flight to Rome").await;
    bot.says("read ~/none.txt").await;
    bot.says("delete ~/docs/old.txt").await;
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    bot.says("set autonomy to a9").await;
    bot.stop().await;
    let log = bot.turn_log();
    for line in &log {
        assert_eq!(names(line), FIELDS);
        for step in line["steps"].as_array().unwrap() {
            assert_eq!(names(step), STEP_FIELDS);
        }
    }
    let ids: Vec<&str> = log.iter().map(|line| line["turn_id"].as_str().unwrap()).collect();
    assert_eq!(rows(&bot, "SELECT id FROM turns ORDER BY rowid"), ids);
    let told: Vec<String> = log
        .iter()
        .map(|line| format!("{} {} {}", line["answered_by"], line["final_kind"], line["error_class"]).replace('"', ""))
        .collect();
    assert_eq!(
        told,
        [
            "pattern answer null",
            "simple answer null",
            "fastpath answer null",
            "terminator answer capability_missing",
            "terminator answer not_found",
            "simple ask null",
            "simple answer null",
            "pattern ask null",
        ]
    );
    assert_eq!(log[2]["steps"][0]["from_memory"], json!(true));
    assert_eq!(log[1]["effect_counts"], json!({"items": 1, "mutations": 0}));
    assert_eq!(log[6]["effect_counts"]["mutations"], json!(1));
    assert_eq!(log[4]["steps"][0]["error"]["class"], json!("not_found"));
}

#[tokio::test]
async fn a_secret_is_kept_nowhere() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.txt", "a");
    let plan = json!({"steps": [{"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}}]});
    remember(&bot, "read ~/docs/a.txt", &plan);
    for request in [
        "my password is hunter2",
        "la password del wifi è hunter2",
        "read ~/docs/a.txt pin=hunter2",
        "fetch http://me:hunter2@127.0.0.1:9/x",
    ] {
        bot.says(request).await;
    }
    bot.stop().await;
    for line in bot.turn_log() {
        assert!(!line.to_string().contains("hunter2"), "{line:#}");
        assert_eq!(
            (&line["redacted"], &line["n_redacted_fields"]),
            (&json!(true), &json!(1))
        );
    }
    for (table, columns) in [
        ("turns", "request"),
        ("inbox", "inbound"),
        ("fastpaths", "canonical_text || plan"),
        ("observations", "plan"),
        ("gaps", "request"),
        ("effects", "operation || reversals"),
    ] {
        for row in rows(&bot, &format!("SELECT {columns} FROM {table}")) {
            assert!(!row.contains("hunter2"), "{table}: {row}");
        }
    }
}

#[tokio::test]
async fn content_is_counted_and_not_copied() {
    let mut bot = TestBot::new().await;
    let plan = json!({"steps": [{"tool": "write_files", "args": {"path": "~/a.txt", "content": "dear diary"}}]});
    remember(&bot, "write dear diary into ~/a.txt", &plan);
    bot.says("write dear diary into ~/a.txt").await;
    assert!(bot.has("a.txt"));
    bot.stop().await;
    let line = bot.turn_log().remove(0);
    assert_eq!(line["steps"][0]["raw_args"]["content"], json!("<10 chars>"));
    assert_eq!(line["steps"][0]["resolved_args"]["content"], json!("<10 chars>"));
    assert!(!line["plan"].to_string().contains("dear diary"), "{line:#}");
}
