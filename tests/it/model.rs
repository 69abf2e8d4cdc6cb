//! Conversations with a metnos whose model is scripted: how often it is asked, with what, and what becomes of each way
//! it can be wrong, slow or away. The model itself is met in the live suite.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of tests: what cannot be set up must stop the test"
)]

use metnos::{config::EngineChoice, domain::ids::ChannelKind};
use serde_json::{Value, json};

use crate::support::{
    bot::{Setup, TestBot},
    llama::{Script, ScriptedLlama},
};

mod fallback;
mod first;
mod obeying;
mod offers;
mod online;
mod placeholders;
mod proposal;
mod recovery;
mod slots;
mod spending;
mod undone;
mod validation;
mod weak;
mod why;

/// Words that only the request for a plan has.
pub(crate) const PLANNING: &str = "REQUEST (in ";
/// Words that only the request for a small open text has.
pub(crate) const FILLING: &str = "CONTEXT\n";
/// Words that only the request for a description has.
pub(crate) const DESCRIBING: &str = "<<<DATA";

/// A bot that asks this server for the plan of every new request, with short limits.
pub(crate) async fn bot_asking(server: &ScriptedLlama) -> TestBot {
    let setup = Setup {
        llm: Some(server.config()),
        engine: EngineChoice::Metis,
        ..Setup::default()
    };
    TestBot::with(setup).await
}

/// A bot as it is set up by default, with this model and a text to read.
pub(crate) async fn bot_with(server: &ScriptedLlama) -> TestBot {
    let setup = Setup {
        llm: Some(server.config()),
        ..Setup::default()
    };
    let bot = TestBot::with(setup).await;
    bot.file("docs/a.txt", "alpha");
    bot
}

/// A plan whose last result is shown.
pub(crate) fn plan(steps: &Value) -> Script {
    Script::Say(json!({"steps": steps, "show": true}).to_string())
}

/// A plan with a closing sentence.
pub(crate) fn plan_saying(steps: &Value, words: &str) -> Script {
    Script::Say(json!({"steps": steps, "final_message": words}).to_string())
}

/// The user parts of all requests for a plan, oldest first.
pub(crate) fn plans_asked(server: &ScriptedLlama) -> Vec<String> {
    let user = |request: &Value| {
        request["messages"][1]["content"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    server
        .requests()
        .iter()
        .map(user)
        .filter(|text| text.contains(PLANNING))
        .collect()
}

/// The last line of the turn log.
pub(crate) async fn last_turn(bot: &TestBot) -> Value {
    bot.turn_log().await.pop().unwrap_or_default()
}

/// Waits for the answer that a button set off.
pub(crate) async fn hears(bot: &mut TestBot) -> String {
    bot.hears(ChannelKind::Terminal).await.plain()
}

/// The conversation so far, with the times of files left out: they are made while the test runs.
pub(crate) fn said(bot: &TestBot) -> String {
    let times = regex::Regex::new(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}").unwrap();
    times.replace_all(&bot.transcript(), "TIME").into_owned()
}
