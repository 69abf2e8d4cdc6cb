//! What once went wrong in a household, one function an incident. Where a conversation elsewhere proves the same
//! (`model`, `turns`, `telegram`), only what it leaves open is here.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of tests: what cannot be set up must stop the test"
)]

use std::{fs, os::unix::fs::PermissionsExt};

use insta::assert_snapshot;
use metnos::{
    app::DATABASE,
    catalog::{RejectReason, sign_one},
    clock::Clock,
    config::EngineChoice,
    domain::{
        ids::{ActorId, ExecutorName},
        lang::Lang,
    },
    store::Store,
};
use serde_json::{Value, json};

use crate::{
    model::{PLANNING, bot_asking, last_turn, plan, plan_saying, plans_asked, said},
    support::{
        bot::{Setup, TestBot},
        llama::{Script, ScriptedLlama},
        manifests,
    },
};

const PROGRAM: &str = "get_tasks";
/// A request that code alone cannot plan, and that the lexicon is unsure about.
const UNFAMILIAR: &str = "read me the goodies stashed in ~/docs/a.txt";

/// A bot whose catalog has one more executor, a program with this body, signed as the household would.
async fn bot_with_program(server: &ScriptedLlama, body: &str) -> TestBot {
    server.when(PLANNING, plan(&json!([{"tool": PROGRAM, "args": {}}])));
    let mut bot = bot_asking(server).await;
    bot.stop().await;
    let manifest = fs::read_to_string(bot.data_dir().join("catalog/get_now/manifest.toml")).unwrap();
    let (head, _) = manifest.split_once("[output]").unwrap();
    let head = head.replace("get_now", PROGRAM).replace("\"builtin\"", "\"program\"");
    let tail = "[output]\nentry_fields = []\nresult_fields = [\"text\"]\n[presentation]\ntext = \"text\"\n";
    let code = format!("[code]\nfiles = [\"run.sh\"]\ndigest = \"sha256:{}\"\n", "0".repeat(64));
    let folder = bot.data_dir().join("catalog").join(PROGRAM);
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("manifest.toml"), format!("{head}{tail}{code}")).unwrap();
    put_code(&bot, body);
    sign_one(&bot.data_dir(), &ExecutorName::from(PROGRAM)).unwrap();
    bot.start().await;
    bot
}

fn put_code(bot: &TestBot, body: &str) {
    let path = bot.data_dir().join("catalog").join(PROGRAM).join("run.sh");
    fs::write(&path, format!("#!/bin/bash\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

async fn step_error(bot: &TestBot) -> Value {
    last_turn(bot).await["steps"][0]["error"].clone()
}

/// The programs of these tests work when they are not broken on purpose.
#[tokio::test]
async fn a_program_that_behaves_is_used() {
    let server = ScriptedLlama::start().await;
    let mut bot = bot_with_program(&server, "echo '{\"ok\":true,\"text\":\"water the plants\"}'").await;
    assert_eq!(bot.says("get the tasks from the board").await, "water the plants");
}

/// An executor died and took the turn with it.
#[tokio::test]
async fn an_executor_that_crashes_is_a_failed_step_with_its_last_words_in_the_log() {
    let server = ScriptedLlama::start().await;
    let mut bot = bot_with_program(&server, "echo 'no such table' >&2; exit 3").await;
    bot.says("get the tasks from the board").await;
    bot.says("what time is it").await;
    assert!(
        bot.transcript().contains("pattern, 0 model calls"),
        "{}",
        bot.transcript()
    );
    let turn = &bot.turn_log().await[0];
    assert_eq!(turn["error_class"], json!("crashed"));
    let detail = turn["steps"][0]["error"]["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("no such table"), "{turn}");
    assert_snapshot!(turn["final_message"].as_str().unwrap_or_default(), @"get_tasks stopped unexpectedly. Try again; if it stays like that, run metnos doctor.");
}

/// Silence and chatter were taken for results.
#[tokio::test]
async fn an_executor_that_prints_no_json_is_a_failed_step() {
    for body in ["true", "echo hello", "echo '[1]'", "echo '{\"ok\":true}' and more"] {
        let server = ScriptedLlama::start().await;
        let mut bot = bot_with_program(&server, body).await;
        let answer = bot.says("get the tasks from the board").await;
        assert_eq!(step_error(&bot).await["class"], json!("non_json"), "{body}");
        assert!(answer.contains("can't read"), "{body}: {answer}");
    }
}

/// Code was edited after it had been signed, and ran.
#[tokio::test]
async fn code_changed_after_signing_never_runs() {
    let server = ScriptedLlama::start().await;
    let mut bot = bot_with_program(&server, "echo '{\"ok\":true,\"text\":\"water the plants\"}'").await;
    bot.stop().await;
    put_code(&bot, "echo '{\"ok\":true,\"text\":\"milk the cat\"}'");
    bot.start().await;
    let answer = bot.says("get the tasks from the board").await;
    assert!(!answer.contains("milk"), "{answer}");
    let catalog = bot.app().catalog.current();
    let reasons: Vec<&RejectReason> = catalog.rejected().iter().map(|rejected| &rejected.reason).collect();
    assert_eq!(reasons, [&RejectReason::DigestMismatch]);
    assert!(catalog.get(&"get_tasks".into()).is_none());
}

/// The keys were gone, every executor was refused, and the answer was nonsense.
#[tokio::test]
async fn without_keys_the_catalog_is_empty_and_says_so_until_it_is_signed_again() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.txt", "a");
    bot.stop().await;
    fs::remove_dir_all(bot.data_dir().join("keys")).unwrap();
    bot.start().await;
    bot.says("how many files are in ~/docs").await;
    assert_eq!(last_turn(&bot).await["final_kind"], json!("error"));
    assert_eq!(
        bot.app().catalog.current().rejected().len(),
        manifests::shipped_names().len()
    );
    bot.stop().await;
    for name in manifests::shipped_names() {
        sign_one(&bot.data_dir(), &ExecutorName::from(name.as_str())).unwrap();
    }
    bot.start().await;
    bot.says("how many files are in ~/docs").await;
    assert_snapshot!(bot.transcript(), @"
    > how many files are in ~/docs
    < I have no tools at all (empty catalog). Run “metnos doctor” to see why.
      [↺] terminator, 0 model calls
    > how many files are in ~/docs
    < 1
      [✓ ✗ ↺] simple, 0 model calls
    ");
}

/// A model wrote the day of the request where "today" was meant, and the plan was served the day after.
#[tokio::test]
async fn a_frozen_today_is_never_remembered() {
    let day = "2026-05-04";
    let reading = json!({"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}});
    let under = json!({"content": "2026-05-04\n${step1.content}", "first": 2});
    for (request, steps, layers, kept) in [
        (
            "find the txt files in ~/docs changed today",
            json!([{"tool": "find_files", "args": {"base_path": "~/docs", "modified_window": day}}]),
            // Not what was asked: code's own plan says "today", and is remembered.
            ["simple", "fastpath"],
            1,
        ),
        (
            "show me what ~/docs/a.txt says under the day",
            json!([reading, {"tool": "filter_texts_lines", "args": under}]),
            ["metis", "metis"],
            0,
        ),
    ] {
        let server = ScriptedLlama::start().await;
        server.when(PLANNING, plan(&steps));
        let mut bot = TestBot::with(Setup {
            llm: Some(server.config()),
            clock: Clock::fixed("2026-05-04T10:00:00Z".parse().unwrap()),
            ..Setup::default()
        })
        .await;
        bot.file("docs/a.txt", "a");
        bot.says(request).await;
        bot.says(request).await;
        let log = bot.turn_log().await;
        let answered: Vec<&Value> = log.iter().map(|line| &line["answered_by"]).collect();
        assert_eq!(answered, layers, "{request}: {log:#?}");
        let plans = kept_plans(&bot);
        assert_eq!(plans.len(), kept, "{request}: {plans:?}");
        assert!(!plans.concat().contains(day), "{request}: {plans:?}");
    }
}

/// Every plan that memory may serve.
fn kept_plans(bot: &TestBot) -> Vec<String> {
    let connection = rusqlite::Connection::open(bot.data_dir().join(DATABASE)).unwrap();
    let mut statement = connection
        .prepare("SELECT plan FROM fastpaths UNION ALL SELECT plan FROM autopaths")
        .unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// The body of a schedule was run at once, by the model's plan.
#[tokio::test]
async fn a_schedule_is_not_carried_out_now() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "delete_files", "args": {"paths": ["~/docs/old.txt"]}}])),
    );
    // By day: once it has begun, "tonight" is no time to come.
    let setup = Setup {
        llm: Some(server.config()),
        engine: EngineChoice::Metis,
        clock: Clock::fixed("2026-05-04T10:00:00Z".parse().unwrap()),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    bot.file("docs/old.txt", "old");
    for (request, answer) in [
        ("every 30 min: delete ~/docs/old.txt", "I'll do that every 30 minutes"),
        ("delete ~/docs/old.txt tonight", "When exactly?"),
        ("cancel", "All right, I dropped it."),
        (
            "ogni mattina alle 8 elimina ~/docs/old.txt",
            "I'll do that every day at 08:00",
        ),
    ] {
        let said = bot.says(request).await;
        assert!(said.starts_with(answer), "{request}: {said}");
    }
    assert!(bot.has("docs/old.txt"));
    assert_eq!(server.requests().len(), 0, "no planner sees it");
}

/// An empty list for a required argument, `from_step: 0`, and a filter with nothing to filter ran as if
/// all were well.
#[tokio::test]
async fn a_plan_without_a_source_is_mended_before_it_runs() {
    let rows = [
        json!([{"tool": "read_files", "args": {"paths": []}}]),
        json!([
            {"tool": "find_files", "args": {"base_path": "~/docs"}},
            {"tool": "read_files", "args": {"from_step": 0}}
        ]),
        json!([{"tool": "sort_entries", "args": {"by": "size"}}]),
    ];
    for broken in rows {
        let server = ScriptedLlama::start().await;
        server.next(plan(&broken));
        server.next(plan(
            &json!([{"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}}]),
        ));
        let mut bot = bot_asking(&server).await;
        bot.file("docs/a.txt", "alpha");
        assert_eq!(bot.says(UNFAMILIAR).await, "alpha", "{broken}");
        assert_eq!(plans_asked(&server).len(), 2, "{broken}");
    }
}

/// The list was written as a placeholder where `from_step` was meant.
#[tokio::test]
async fn entries_written_as_a_reference_are_the_source() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([
            {"tool": "find_files", "args": {"base_path": "~/docs"}},
            {"tool": "compute_entries", "args": {"entries": "${step1.entries}", "op": "count"}}
        ])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    assert_eq!(bot.says("count the files in ~/docs").await, "1");
    assert_eq!(plans_asked(&server).len(), 1);
}

/// The time of one half of the request was used for the other. A plan for both keeps both times, with a
/// model and without one.
#[tokio::test]
async fn each_half_of_a_request_keeps_its_own_time() {
    let request =
        "find the pdf files in ~/docs modified this week and find the jpg files in ~/pics modified last month";
    let halves = json!([
        {"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.pdf", "modified_window": "this-week"}},
        {"tool": "find_files", "args": {"base_path": "~/pics", "pattern": "*.jpg", "modified_window": "last-month"}}
    ]);
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, plan(&halves));
    for mut bot in [TestBot::new().await, bot_asking(&server).await] {
        bot.file("docs/a.pdf", "a");
        bot.file("pics/b.jpg", "b");
        let answer = bot.says(request).await;
        assert!(!answer.contains("b.jpg"), "made this month: {answer}");
        assert!(answer.contains("a.pdf"), "{answer}");
        assert_eq!(last_turn(&bot).await["plan"]["steps"], halves);
    }
}

/// "It is ." was sent.
#[tokio::test]
async fn a_sentence_with_a_hole_is_never_said() {
    let server = ScriptedLlama::start().await;
    let counting = json!([
        {"tool": "find_files", "args": {"base_path": "~/docs"}},
        {"tool": "compute_entries", "args": {"from_step": 1, "op": "count"}}
    ]);
    server.next(plan_saying(&counting, "There are ${step2.quantity}."));
    server.next(plan_saying(&counting, "There are (N entries) of them."));
    server.next(plan_saying(
        &json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.zip"}}]),
        "Here: ${step1.entries}",
    ));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("count the files in ~/docs").await;
    bot.says("how many files are in ~/docs").await;
    bot.says("find the zip files in ~/docs").await;
    assert_snapshot!(said(&bot), @"
    > count the files in ~/docs
    < 1
      [✓ ✗ ↺] metis, 1 model call
    > how many files are in ~/docs
    < 1
      [✓ ✗ ↺] metis, 1 model call
    > find the zip files in ~/docs
    < I found nothing.
      [✓ ✗ ↺] metis, 1 model call
    ");
}

/// A plan that was cut off in the middle was "not understood".
#[tokio::test]
async fn a_plan_that_was_cut_off_is_asked_for_again_with_more_room() {
    let server = ScriptedLlama::start().await;
    server.next(Script::CutOff("{\"steps\":[{\"tool\":\"read_fi".to_owned()));
    server.next(plan(
        &json!([{"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}}]),
    ));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    assert_eq!(bot.says(UNFAMILIAR).await, "alpha");
    let room: Vec<u64> = server
        .requests()
        .iter()
        .filter_map(|request| request["max_tokens"].as_u64())
        .collect();
    assert!(matches!(room.as_slice(), [first, second] if second > first), "{room:?}");
}

/// The second cut ends it, honestly.
#[tokio::test]
async fn a_plan_that_is_cut_off_again_is_given_up() {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, Script::CutOff("{\"steps\":[{\"tool\":\"read_fi".to_owned()));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    bot.says("read ~/docs/a.txt to me as a poem").await;
    assert_snapshot!(bot.transcript(), @"
    > read ~/docs/a.txt to me as a poem
    < I found no safe way to do this part: “poem”. Nothing was changed. Please say it differently: what to do, and with which file, folder or address.
      [] terminator, 2 model calls
    ");
    assert_eq!(plans_asked(&server).len(), 2);
}

/// A thought that was never closed swallowed the plan, or was shown.
#[tokio::test]
async fn an_unclosed_thought_neither_hides_the_plan_nor_is_shown() {
    let server = ScriptedLlama::start().await;
    let steps = json!({"steps": [{"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}}], "show": true});
    server.when(
        PLANNING,
        Script::Say(format!("<think>They want a file {{so}} read it.\n{steps}")),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    assert_eq!(bot.says("read ~/docs/a.txt").await, "alpha");
}

/// The grammar was dropped on the way, and invented tools were taken at their word.
#[tokio::test]
async fn a_server_that_ignores_the_grammar_is_told_what_tools_there_are_not() {
    let server = ScriptedLlama::start().await;
    let invented = json!({"steps": [{"tool": "open_and_print_file", "args": {"file": "~/docs/a.txt"}}]});
    server.next(Script::Say(format!(
        "Sure! Here is the plan:\n```json\n{invented}\n```\nAnything else?"
    )));
    server.next(plan(
        &json!([{"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}}]),
    ));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    assert_eq!(bot.says(UNFAMILIAR).await, "alpha");
    assert!(plans_asked(&server)[1].contains("open_and_print_file"));
}

/// "database is locked" lost a write while another process wrote.
#[tokio::test]
async fn two_writers_wait_for_each_other() {
    let mut bot = TestBot::new().await;
    bot.says("what time is it").await;
    let other = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let writing = tokio::spawn(async move {
        for number in 0..200 {
            other
                .want_gap(&ActorId::from("host"), &format!("wish {number}"), number)
                .await
                .unwrap();
        }
    });
    bot.file("docs/a.txt", "a");
    for _ in 0..3 {
        assert_eq!(bot.says("how many files are in ~/docs").await, "1");
    }
    writing.await.unwrap();
}

/// Wide letters, a dotted capital I and letters in two parts were not read as what they are.
#[tokio::test]
async fn one_request_in_every_spelling_of_unicode_is_one_request() {
    let setup = Setup {
        engine: EngineChoice::Simple,
        lang: Lang::IT,
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    bot.file("citt\u{e0}/a.txt", "a");
    bot.file("\u{130}stanbul/b.txt", "b");
    for request in [
        "che giorno e\u{300} oggi\u{ff1f}",
        "CHE GIORNO \u{c8} OGGI",
        "\u{ff43}\u{ff48}\u{ff45} ore sono",
    ] {
        bot.says(request).await;
        assert_eq!(
            last_turn(&bot).await["answered_by"],
            json!("pattern"),
            "{request}: {}",
            bot.transcript()
        );
    }
    for (request, layer) in [
        ("quanti file ci sono in ~/citt\u{e0}", "simple"),
        ("Quanti file ci sono in ~/citta\u{300}\u{ff1f}", "fastpath"),
        ("quanti file ci sono in ~/\u{130}stanbul", "simple"),
    ] {
        assert_eq!(bot.says(request).await, "1", "{request}");
        assert_eq!(last_turn(&bot).await["answered_by"], json!(layer), "{request}");
    }
}
