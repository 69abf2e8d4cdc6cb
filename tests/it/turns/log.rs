//! The turn log: one line a turn, complete, and nothing in it that is nobody's business.

use metnos::{
    config::{LlmConfig, Tiers},
    domain::{ids::ChannelKind, reply::ButtonKind},
};
use serde_json::{Value, json};

use super::{remember, rows};
use crate::{
    model::{bot_with, plan},
    support::{
        bot::{Setup, TestBot},
        llama::{Script, ScriptedLlama},
    },
};

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
    "proposals",
    "plan_hash",
    "steps",
    "effect_counts",
    "llm",
    "llm_calls",
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
    "vaglio",
    "result",
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
    let log = bot.turn_log().await;
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
    assert_eq!(
        log[1]["steps"][0]["vaglio"],
        json!({"decision": "allow", "decided_by": null})
    );
    let approved = &log[6]["steps"][0];
    assert_eq!(approved["vaglio"], json!({"decision": "confirm", "decided_by": "gate"}));
    assert_eq!(
        (&approved["vaglio_approved"], &approved["result"]["ok_count"]),
        (&json!(true), &json!(1))
    );
}

/// What a person says, and how the line of that turn says it ended. The model writes the plans that break a cap.
const ENDS: &[(&str, &str)] = &[
    ("what time is it", "answer"),
    ("delete ~/docs/a.txt", "ask"),
    ("where am i", "awaiting"),
    ("delete the file", "needs_inputs"),
    ("list every nook and cranny of ~/docs", "cap_steps"),
    ("read every nook and cranny of ~/docs", "cap_same_executor"),
    ("put every nook and cranny in order", "error"),
    ("mull over every nook and cranny", "stopped"),
];

#[tokio::test]
async fn every_way_a_turn_can_end_is_in_its_line() {
    let server = ScriptedLlama::start().await;
    let calls = |tool: &str, args: fn(usize) -> Value, count: usize| {
        let steps = (0..count).map(|number| json!({"tool": tool, "args": args(number)}));
        plan(&Value::Array(steps.collect()))
    };
    let folder = |number| json!({"path": format!("~/docs/{number}")});
    let page = |number| json!({"paths": [format!("~/docs/{number}.txt")]});
    server.when("list every nook", calls("list_dirs", folder, 31));
    server.when("read every nook", calls("read_files", page, 3));
    server.when("put every nook", Script::Loading);
    server.when("mull over every nook", Script::Hang);
    for (request, kind) in ENDS {
        let llm = LlmConfig {
            tiers: Tiers::default().waiting(60, 60),
            ..server.config()
        };
        let mut bot = TestBot::with(Setup {
            llm: Some(llm),
            ..Setup::default()
        })
        .await;
        bot.file("docs/a.txt", "a");
        let asked = server.requests().len();
        bot.says_silently(request).await;
        if *kind == "stopped" {
            while server.requests().len() == asked {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            bot.says_silently("stop").await;
        }
        let said = bot.hears(ChannelKind::Terminal).await.plain();
        bot.stop().await;
        let log = bot.turn_log().await;
        assert_eq!(log.len(), 1, "{request}: {log:?}");
        assert_eq!(log[0]["final_kind"], *kind, "{request}: {said}\n{:#}", log[0]);
    }
}

#[tokio::test]
async fn a_secret_is_kept_nowhere() {
    let server = ScriptedLlama::start().await;
    server.when(
        "for another tool",
        plan(&json!([{"tool": "request_new_executor", "args": {"description": "another tool, the pin is hunter2"}}])),
    );
    let mut bot = bot_with(&server).await;
    bot.file("docs/a.txt", "a");
    for (request, answer) in [
        ("la password del wifi è hunter2", ""),
        ("read ~/docs/a.txt pin=hunter2", ""),
        ("fetch http://me:hunter2@127.0.0.1:9/x", ""),
        ("ask for another tool, the pin is hunter2", "I can't do that yet."),
        (
            "write \"the password is hunter2\" to ~/docs/b.txt",
            "b.txt is now in ~/docs",
        ),
        ("undo", "Done, I took"),
    ] {
        let said = bot.says(request).await;
        assert!(said.starts_with(answer), "{request}: {said}");
        assert_eq!(kept(&bot, "hunter2"), [""; 0], "{request}");
    }
    bot.file("docs/pin=hunter2", "old");
    let card = bot.says("delete ~/docs/pin=hunter2").await;
    assert!(
        card.starts_with("May I delete this?") && card.contains("hunter2"),
        "{card}"
    );
    assert_eq!(kept(&bot, "hunter2"), [""; 0], "waiting");
    bot.taps(ButtonKind::Refuse).await;
    bot.hears(ChannelKind::Terminal).await;
    bot.says("delete ~/docs/pin=hunter2").await;
    bot.restart().await;
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("docs/pin=hunter2"), "it was carried out with its real name");
    assert_eq!(kept(&bot, "hunter2"), [""; 0], "approved");
    assert!(bot.says("undo").await.starts_with("Done, I took"));
    assert!(bot.has("docs/pin=hunter2"));
    assert_eq!(kept(&bot, "hunter2"), [""; 0], "undone");
    bot.stop().await;
    for column in [
        "request || payload FROM dialogs",
        "parcel FROM outbox",
        "inbound FROM inbox",
    ] {
        let left = rows(&bot, &format!("SELECT {column}"));
        assert!(left.iter().all(|row| !row.contains("sealed")), "{column}: {left:?}");
    }
    let redacted = |line: &Value| (line["redacted"].clone(), line["n_redacted_fields"].clone());
    assert_eq!(redacted(&bot.turn_log().await[0]), (json!(true), json!(1)));
}

/// Where this word stands in what metnos keeps: columns of tables, and files, by name.
fn kept(bot: &TestBot, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for table in rows(bot, "SELECT name FROM sqlite_master WHERE type = 'table'") {
        for column in rows(bot, &format!("SELECT name FROM pragma_table_info('{table}')")) {
            let sql = format!("SELECT count(*) || '' FROM {table} WHERE instr(CAST({column} AS TEXT), '{word}')");
            if rows(bot, &sql) != ["0"] {
                found.push(format!("{table}.{column}"));
            }
        }
    }
    let mut folders = vec![bot.data_dir()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(word) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[tokio::test]
async fn content_is_counted_and_not_copied() {
    let mut bot = TestBot::new().await;
    let plan = json!({"steps": [{"tool": "write_files", "args": {"path": "~/a.txt", "content": "dear diary"}}]});
    remember(&bot, "write dear diary into ~/a.txt", &plan);
    bot.says("write dear diary into ~/a.txt").await;
    assert!(bot.has("a.txt"));
    bot.stop().await;
    let line = bot.turn_log().await.remove(0);
    assert_eq!(line["steps"][0]["raw_args"]["content"], json!("<10 chars>"));
    assert_eq!(line["steps"][0]["resolved_args"]["content"], json!("<10 chars>"));
    assert!(!line["plan"].to_string().contains("dear diary"), "{line:#}");
}
