//! How often the model is asked, counted by a scripted llama-server: once for a new request the lexicon understands,
//! twice for one it does not, never for a request that memory knows.

use serde_json::json;

use super::{
    Figure,
    bot::{Setup, TestBot},
    llama::{Script, ScriptedLlama},
    replay::{ask, written_log},
};

/// Nonsense to every lexicon; only the scripted model knows what it means.
const UNKNOWN: &str = "gimme the paperwork sitting in ~/docs";
const UNDERSTOOD: &str = "find the pdf files in ~/docs";

/// Asks each kind of request and counts.
pub(super) async fn figures() -> Vec<Figure> {
    let server = ScriptedLlama::start().await;
    let plan =
        json!({"steps": [{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.pdf"}}], "show": true});
    let intent = json!({"clauses": [{"verb": "find", "object": "files"}], "confidence": 0.9});
    let bot = TestBot::with(Setup {
        llm_url: Some(server.url()),
        ..Setup::default()
    })
    .await;
    bot.file("docs/taxes.pdf", "pdf");
    server.when_json("pdf files", &plan);
    ask(&bot, UNDERSTOOD).await;
    ask(&bot, UNDERSTOOD).await;
    server.next(Script::Say(intent.to_string()));
    server.next(Script::Say(plan.to_string()));
    ask(&bot, UNKNOWN).await;
    ask(&bot, UNKNOWN).await;
    let log = written_log(&bot, 4).await;
    let calls = |turn: usize| log[turn]["llm"]["calls"].as_u64().unwrap();
    vec![
        Figure::of_count("model calls, new request the lexicon understands", calls(0), 1),
        Figure::of_count("model calls, new request it does not understand", calls(2), 2),
        Figure::of_count("model calls, the same requests again", calls(1) + calls(3), 0),
    ]
}
