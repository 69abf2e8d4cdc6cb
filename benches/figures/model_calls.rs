//! How often the model is asked, counted by a scripted llama-server: never for a request that code accounts for or
//! memory knows, once for a new one, whether the lexicon understands it or not.

use serde_json::json;

use super::{
    Figure,
    bot::{Setup, TestBot},
    llama::{Script, ScriptedLlama},
    replay::ask,
};

/// Nonsense to every lexicon; only the scripted model knows what it means.
const UNKNOWN: &str = "gimme the paperwork sitting in ~/docs";
/// The verb and the object are clear; what it should go by is not for code to say.
const UNDERSTOOD: &str = "find the scruffy pdf files in ~/docs";
const ACCOUNTED: &str = "find the pdf files in ~/docs";

/// Asks each kind of request and counts.
pub(super) async fn figures() -> Vec<Figure> {
    let server = ScriptedLlama::start().await;
    let steps = json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.pdf"}}]);
    let plan = json!({"verb": "find", "object": "files", "confidence": 0.9, "steps": steps, "show": true});
    let bot = TestBot::with(Setup {
        llm_url: Some(server.url()),
        ..Setup::default()
    })
    .await;
    bot.file("docs/taxes.pdf", "pdf");
    ask(&bot, ACCOUNTED).await;
    server.when_json("pdf files", &plan);
    ask(&bot, UNDERSTOOD).await;
    ask(&bot, UNDERSTOOD).await;
    server.next(Script::Say(plan.to_string()));
    ask(&bot, UNKNOWN).await;
    ask(&bot, UNKNOWN).await;
    let log = bot.turn_log().await;
    let calls = |turn: usize| log[turn]["llm"]["calls"].as_u64().unwrap();
    vec![
        Figure::of_count("model calls, new request that code accounts for", calls(0), 0),
        Figure::of_count("model calls, new request the lexicon understands", calls(1), 1),
        Figure::of_count("model calls, new request it does not understand", calls(3), 1),
        Figure::of_count("model calls, the same requests again", calls(2) + calls(4), 0),
    ]
}
