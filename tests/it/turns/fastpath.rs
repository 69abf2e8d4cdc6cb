//! L0: the same request again costs nothing, and a remembered plan is never served where it could be wrong.

use std::{fs, time::Duration};

use metnos::{
    catalog::sign_one,
    config::LlmConfig,
    domain::{
        ids::{ChannelKind, ExecutorName},
        lang::Lang,
        reply::ButtonKind,
    },
};
use serde_json::json;

use super::{again, bot_at, change, clock, layer, layer_of, remember, rows};
use crate::{
    model::{PLANNING, plan},
    support::{
        bot::{Setup, TestBot},
        llama::ScriptedLlama,
    },
};

const PDFS: &str = "how many pdf files are in ~/docs";

async fn with_pdf() -> TestBot {
    let bot = TestBot::new().await;
    bot.file("docs/taxes.pdf", "pdf");
    bot
}

#[tokio::test]
async fn the_same_request_in_other_clothes_is_replayed_without_a_model() {
    let mut bot = with_pdf().await;
    assert_eq!(layer_of(&mut bot, PDFS).await, "simple 0");
    for same in [
        PDFS,
        "How many PDF files are in ~/docs?",
        "  how many  pdf files are in ~/docs .",
    ] {
        assert_eq!(layer_of(&mut bot, same).await, "fastpath 0", "{same}");
    }
    assert_eq!(rows(&bot, "SELECT n_uses || '' FROM fastpaths"), ["3"]);
    bot.file("docs/more.pdf", "pdf");
    assert_eq!(bot.says(PDFS).await, "2", "the plan is remembered, not its result");
}

/// Another reader of processes: any request about processes may have chosen it.
const RIVAL: &str = r#"
manifest_format = "1.0"
name = "find_processes"
version = "1.0.0"
kind = "program"
affinity = ["busy programs of old"]
effect = "read"
risk = "low"
feed = "none"
capabilities = ["compute:pure"]

[description.en]
purpose = "Finds busy programs."
pattern = "find_processes()"
not = "cannot end one"
out = "entries"

[description.it]
purpose = "Trova programmi occupati."
pattern = "find_processes()"
not = "non li chiude"
out = "entries"

[code]
files = ["run.sh"]
digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

[output]
entry_fields = ["name"]

[presentation]
entries = [{ source = "name", format = "text" }]
"#;

#[tokio::test]
async fn a_tool_that_takes_something_else_makes_the_plan_be_written_anew() {
    let mut bot = with_pdf().await;
    bot.says(PDFS).await;
    let folder = bot.data_dir().join("catalog/find_files");
    let manifest = fs::read_to_string(folder.join("manifest.toml")).unwrap();
    let other = manifest.replace("{ type = \"string\" }", "{ type = \"string\", minLength = 1 }");
    assert_ne!(other, manifest);
    fs::write(folder.join("manifest.toml"), other).unwrap();
    sign_one(&bot.data_dir(), &ExecutorName::from("find_files")).unwrap();
    bot.app().catalog.reload().unwrap();
    assert_eq!(layer_of(&mut bot, PDFS).await, "simple 0", "the tool changed");
    assert_eq!(layer_of(&mut bot, PDFS).await, "fastpath 0");
}

#[tokio::test]
async fn a_new_rival_unseats_no_plan_that_has_a_tool_for_what_is_asked() {
    let mut bot = TestBot::new().await;
    bot.says("which processes are running").await;
    assert_eq!(layer_of(&mut bot, "which processes are running").await, "fastpath 0");
    let folder = bot.data_dir().join("catalog/find_processes");
    fs::create_dir(&folder).unwrap();
    let code = "#!/bin/sh\necho '{\"ok\":true,\"entries\":[]}'\n";
    fs::write(folder.join("run.sh"), code).unwrap();
    fs::write(folder.join("manifest.toml"), RIVAL).unwrap();
    sign_one(&bot.data_dir(), &ExecutorName::from("find_processes")).unwrap();
    bot.app().catalog.reload().unwrap();
    let rejected: Vec<_> = bot
        .app()
        .catalog
        .current()
        .rejected()
        .iter()
        .map(|one| format!("{one:?}"))
        .collect();
    assert_eq!(rejected, Vec::<String>::new());
    assert_eq!(layer_of(&mut bot, "which processes are running").await, "fastpath 0");
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_a_miss_and_is_replaced() {
    let mut bot = with_pdf().await;
    for broken in [
        "{\"steps\": [",
        "{\"steps\": [{\"tool\": 7}]}",
        "{\"steps\": [{\"tool\": \"no_tool\", \"args\": {}}]}",
    ] {
        bot.says(PDFS).await;
        change(&bot, &format!("UPDATE fastpaths SET plan = '{broken}'"));
        assert_eq!(bot.says(PDFS).await, "1");
        assert_eq!(layer(&bot), "simple 0", "{broken}");
        assert_eq!(layer_of(&mut bot, PDFS).await, "fastpath 0");
    }
}

#[tokio::test]
async fn likeness_serves_only_plans_without_values_and_the_same_meaning() {
    let mut bot = with_pdf().await;
    bot.file("papers/a.pdf", "pdf");
    bot.says(PDFS).await;
    bot.says("how many pdf files are in ~/papers").await;
    assert_eq!(
        layer(&bot),
        "simple 0",
        "a plan with a folder in it is served by hash alone"
    );
    assert_eq!(rows(&bot, "SELECT DISTINCT query_specific || '' FROM fastpaths"), ["1"]);
    bot.says("show me which processes are running").await;
    assert_eq!(
        rows(
            &bot,
            "SELECT query_specific || '' FROM fastpaths WHERE canonical_text LIKE '%process%'"
        ),
        ["0"]
    );
    let close = "show which processes are running";
    assert_eq!(layer_of(&mut bot, close).await, "fastpath-cosine 0");
    assert_eq!(layer_of(&mut bot, close).await, "fastpath 0", "from now on by hash");
    for other in [
        "show which processes are not running",
        "show which 3 processes are running",
        "show which three processes are running",
    ] {
        let layer = layer_of(&mut bot, other).await;
        assert!(!layer.starts_with("fastpath"), "{other}: {layer}");
    }
}

/// The vectors come from the configured server, and only they are compared.
#[tokio::test]
async fn likeness_by_a_served_embedder_serves_as_well() {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, plan(&json!([{"tool": "get_processes", "args": {}}])));
    let llm = LlmConfig {
        embedding_model: Some("bge-m3".to_owned()),
        ..server.config()
    };
    let mut bot = TestBot::with(Setup {
        llm: Some(llm),
        ..Setup::default()
    })
    .await;
    bot.says("show me which processes are running").await;
    let embedders = "SELECT DISTINCT embedder FROM fastpaths";
    assert_eq!(rows(&bot, embedders), ["server:bge-m3"]);
    let (asked, embedded) = (server.requests().len(), server.embedded().len());
    let close = "show which processes are running";
    assert_eq!(layer_of(&mut bot, close).await, "fastpath-cosine 0");
    assert_eq!(server.requests().len(), asked, "no plan was asked for");
    assert!(server.embedded().len() > embedded, "its vector was asked for");
    let line = bot.turn_log().await.pop().unwrap();
    assert!(line["llm"]["embeddings"].as_u64().unwrap() > 0, "{line:#}");
    assert_eq!(layer_of(&mut bot, close).await, "fastpath 0", "from now on by hash");
    let other = layer_of(&mut bot, "show which processes are not running").await;
    assert!(!other.starts_with("fastpath"), "{other}");
}

#[tokio::test]
async fn a_close_request_that_was_served_wrongly_is_not_served_again() {
    let mut bot = TestBot::new().await;
    bot.says("show me which processes are running").await;
    let close = "show which processes are running";
    assert_eq!(layer_of(&mut bot, close).await, "fastpath-cosine 0");
    bot.taps(ButtonKind::Reject).await;
    assert_eq!(
        layer_of(&mut bot, close).await,
        "simple 0",
        "the row asks for more likeness now"
    );
    let own = "show me which processes are running";
    assert_eq!(layer_of(&mut bot, own).await, "fastpath 0", "its own request keeps it");
}

#[tokio::test]
async fn today_means_the_day_it_is_asked() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    for (name, day) in [
        ("docs/monday.pdf", "2026-05-04T08:00:00Z"),
        ("docs/tuesday.pdf", "2026-05-05T08:00:00Z"),
    ] {
        let file = fs::File::options().write(true).open(bot.file(name, "pdf")).unwrap();
        let day: jiff::Timestamp = day.parse().unwrap();
        file.set_modified(day.into()).unwrap();
    }
    let request = "find the pdf files in ~/docs modified today";
    let monday = bot.says(request).await;
    assert!(
        monday.contains("monday.pdf") && !monday.contains("tuesday.pdf"),
        "{monday}"
    );
    clock.advance(Duration::from_secs(24 * 3_600));
    let tuesday = bot.says(request).await;
    assert_eq!(layer(&bot), "fastpath 0");
    assert!(
        tuesday.contains("tuesday.pdf") && !tuesday.contains("monday.pdf"),
        "{tuesday}"
    );
}

#[tokio::test]
async fn a_plan_with_a_date_in_it_is_not_remembered() {
    let mut bot = with_pdf().await;
    let request = "find the files modified on 2026-01-05 in ~/docs";
    assert_eq!(layer_of(&mut bot, request).await, "simple 0");
    assert_eq!(layer_of(&mut bot, request).await, "simple 0");
    assert_eq!(rows(&bot, "SELECT canonical_text FROM fastpaths"), Vec::<String>::new());
}

#[tokio::test]
async fn a_plan_is_never_served_for_another_number_or_name() {
    let mut bot = TestBot::new().await;
    bot.file("40.txt", "forty");
    bot.file("42.txt", "forty-two");
    let plan = json!({"steps": [{"tool": "delete_files", "args": {"paths": ["~/42.txt"]}}]});
    remember(&bot, "delete ~/40.txt", &plan);
    let card = bot.says("delete ~/40.txt").await;
    assert_eq!(layer(&bot), "simple 0", "the remembered plan names another file");
    assert!(card.contains("40.txt") && !card.contains("42.txt"), "{card}");
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("40.txt") && bot.has("42.txt"));
    let other = bot.says("delete ~/42.txt").await;
    assert!(other.contains("42.txt") && !other.contains("40.txt"), "{other}");
}

#[tokio::test]
async fn a_failing_plan_is_forgotten_and_the_next_layer_answers() {
    let mut bot = with_pdf().await;
    let stale = json!({"steps": [{"tool": "find_files", "args": {"base_path": "~/gone", "pattern": "*.pdf"}}]});
    remember(&bot, PDFS, &stale);
    assert_eq!(bot.says(PDFS).await, "1");
    assert_eq!(layer(&bot), "simple 0");
    assert_eq!(layer_of(&mut bot, PDFS).await, "fastpath 0");
}

#[tokio::test]
async fn nothing_is_tried_again_after_something_changed() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.jpg", "a");
    let plan = json!({"steps": [
        {"tool": "move_files", "args": {"paths": ["~/in/a.jpg"], "dst_dir": "~/photos"}},
        {"tool": "move_files", "args": {"paths": ["~/in/b.jpg"], "dst_dir": "~/photos"}},
    ]});
    let request = "move ~/in/a.jpg to ~/photos and then move ~/in/b.jpg to ~/photos";
    remember(&bot, request, &plan);
    let answer = bot.says(request).await;
    assert_eq!(rows(&bot, "SELECT answered_by FROM turns"), ["terminator"]);
    assert!(answer.contains("I did not repeat it"), "{answer}");
    assert!(bot.has("photos/a.jpg"));
    assert_eq!(rows(&bot, "SELECT state FROM effects ORDER BY id"), ["done", "failed"]);
}

#[tokio::test]
async fn a_changing_plan_is_replayed_by_hash_only_and_still_asks() {
    let mut bot = TestBot::new().await;
    for _ in 0..2 {
        bot.file("old.txt", "old");
        bot.says("delete ~/old.txt").await;
        assert!(bot.has("old.txt"), "asked first");
        bot.taps(ButtonKind::Approve).await;
        bot.hears(ChannelKind::Terminal).await;
        assert!(!bot.has("old.txt"));
    }
    let layers = rows(
        &bot,
        "SELECT answered_by FROM turns WHERE final_kind = 'ask' ORDER BY rowid",
    );
    assert_eq!(layers, ["simple", "fastpath"]);
    let carried_out = rows(
        &bot,
        "SELECT answered_by FROM turns WHERE final_kind = 'answer' ORDER BY rowid",
    );
    assert_eq!(carried_out, layers, "an approval does not change who planned it");
    bot.file("old.txt", "old");
    assert_ne!(
        layer_of(&mut bot, "delete the ~/old.txt file").await,
        "fastpath-cosine 0"
    );
}

#[tokio::test]
async fn rejected_is_forgotten_and_not_wanted_now_runs_when_it_is_typed_anew() {
    let mut bot = TestBot::new().await;
    bot.file("docs/taxes.pdf", "pdf");
    bot.says(PDFS).await;
    bot.taps(ButtonKind::Reject).await;
    assert_eq!(layer_of(&mut bot, PDFS).await, "simple 0", "the row is gone");
    let other = again(&mut bot).await;
    assert!(other.starts_with("The only way I know"), "{other}");
    assert_eq!(layer_of(&mut bot, PDFS).await, "simple 0", "not out of memory, but run");
}

#[tokio::test]
async fn a_plan_not_wanted_now_is_not_served_for_its_other_wordings() {
    let mut bot = TestBot::new().await;
    bot.says("show the processes").await;
    bot.says("which processes are running").await;
    again(&mut bot).await;
    assert_ne!(layer_of(&mut bot, "show the processes").await, "fastpath 0");
}

#[tokio::test]
async fn only_so_many_requests_are_remembered_and_the_least_used_go() {
    let setup = Setup {
        fastpath_max: Some(2),
        clock: clock("2026-05-04T10:00:00Z"),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup.clone()).await;
    for folder in ["one", "two", "three"] {
        bot.file(&format!("{folder}/a.txt"), "a");
    }
    for request in [
        "list the files in ~/one",
        "list the files in ~/two",
        "list the files in ~/one",
    ] {
        setup.clock.advance(Duration::from_secs(60));
        bot.says(request).await;
    }
    setup.clock.advance(Duration::from_secs(60));
    bot.says("list the files in ~/three").await;
    assert_eq!(layer_of(&mut bot, "list the files in ~/one").await, "fastpath 0");
    assert_eq!(layer_of(&mut bot, "list the files in ~/two").await, "simple 0");
}
