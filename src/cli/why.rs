//! `metnos why [TURN]`: what became of a request, from the turn log: which layer answered and why the others did not,
//! what every call of a model cost, what was wrong with its plans, and what each step came to. It reads the log alone.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::print;
use crate::{
    config::Config,
    domain::message::Message,
    i18n::I18n,
    turn_files::{self, TurnFiles},
};

/// Says why a turn went as it did: the one whose id begins like this, or the last one.
pub(super) fn run(config: &Config, turn: Option<&str>) -> anyhow::Result<ExitCode> {
    let i18n = I18n::of_household(&config.data_dir)?;
    let Some(line) = find(config, turn)? else {
        let key = if turn.is_some() {
            "why-no-such-turn"
        } else {
            "why-no-turn"
        };
        bail!(Message::new(key).with("turn", turn.unwrap_or_default()));
    };
    for message in told(&line) {
        print(&i18n.say(config.lang, &message))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The newest line that fits, looked for from the newest day on.
fn find(config: &Config, turn: Option<&str>) -> anyhow::Result<Option<Value>> {
    let files = TurnFiles::new(&config.data_dir);
    for file in files.all().context(Message::new("why-unreadable"))?.iter().rev() {
        let text = turn_files::read(file).context(Message::new("why-unreadable"))?;
        let lines = text
            .lines()
            .rev()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let fits = |line: &Value| turn.is_none_or(|turn| word(line, "turn_id").starts_with(turn));
        if let Some(line) = lines.into_iter().find(fits) {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

/// What there is to say of a line, top to bottom.
fn told(line: &Value) -> Vec<Message> {
    let mut told = vec![
        Message::new("why-request")
            .with("turn", word(line, "turn_id"))
            .with("request", word(line, "user_query")),
        Message::new("why-answered")
            .with("layer", word(line, "answered_by"))
            .with("ending", word(line, "final_kind"))
            .with("ms", number(line, "/timings/total_us") / 1_000),
    ];
    told.extend(
        list(line, "path").map(|note| Message::new("why-note").with("note", note.as_str().unwrap_or_default())),
    );
    told.extend(list(line, "llm_calls").map(|call| {
        Message::new("why-call")
            .with("workload", word(call, "workload"))
            .with("read", number(call, "/tokens_in"))
            .with("cached", number(call, "/tokens_cached"))
            .with("written", number(call, "/tokens_out"))
            .with("ms", number(call, "/latency_ms"))
    }));
    for proposal in list(line, "proposals") {
        let key = match proposal.get("valid").and_then(Value::as_bool) {
            Some(true) => "why-plan-accepted",
            Some(false) => "why-plan-refused",
            None => "why-model-said",
        };
        let shown = proposal.get("plan").unwrap_or(proposal);
        told.push(Message::new(key).with("plan", shown.to_string()));
        let wrong = list(proposal, "wrong").map(|wrong| wrong.as_str().unwrap_or_default());
        told.extend(wrong.map(|wrong| Message::new("why-wrong").with("what", wrong)));
    }
    told.extend(list(line, "steps").map(|step| {
        let error = step.pointer("/error/class").and_then(Value::as_str);
        Message::new(if error.is_some() { "why-step-failed" } else { "why-step" })
            .with("number", number(step, "/step_num"))
            .with("tool", word(step, "chosen_tool"))
            .with("error", error.unwrap_or_default())
    }));
    told.push(Message::new("why-said").with("answer", word(line, "final_message")));
    told
}

fn word<'l>(line: &'l Value, name: &str) -> &'l str {
    line.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(line: &Value, pointer: &str) -> u64 {
    line.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

fn list<'l>(line: &'l Value, name: &str) -> impl Iterator<Item = &'l Value> {
    line.get(name).and_then(Value::as_array).into_iter().flatten()
}
