//! `/why [TURN]` in a chat, and what there is to say of a line of the turn log, for it and for `metnos why`: which
//! layer answered and why the others did not, what every call of a model cost, what was wrong with its plans, and what
//! each step came to. In a chat it never tells of a turn of somebody else.

use std::sync::Arc;

use serde_json::Value;

use super::{Inner, people::Said};
use crate::domain::{actor::Actor, inbound::Inbound, message::Message};

/// Answers `/why`: the last request of this person in this conversation, or the one of theirs whose id begins like
/// this.
pub(super) async fn answer(inner: &Arc<Inner>, inbound: &Inbound, actor: &Actor, rest: &str) -> Said {
    let log = inner.turn_log.clone();
    let id = actor.id.clone();
    // Files of many days may be read: beside the tasks.
    let read = tokio::task::spawn_blocking(move || log.lines_of(&id)).await;
    let lines = match read.unwrap_or_else(|panicked| Err(std::io::Error::other(panicked))) {
        Ok(lines) => lines,
        Err(error) => {
            tracing::error!(%error, "the turn log cannot be read");
            return said(actor, vec![Message::new("why-unreadable")]);
        }
    };
    let fits = |line: &&Value| {
        if rest.is_empty() {
            word(line, "conversation_id") == inbound.conversation.as_str()
        } else {
            word(line, "turn_id").starts_with(rest)
        }
    };
    let told = match lines.iter().rev().find(fits) {
        Some(line) => told(line),
        None if rest.is_empty() => vec![Message::new("why-no-turn-here")],
        None => vec![Message::new("why-no-such-turn-here").with("turn", rest)],
    };
    said(actor, told)
}

fn said(actor: &Actor, lines: Vec<Message>) -> Said {
    Said {
        lang: actor.lang,
        lines,
    }
}

/// What there is to say of a line, top to bottom.
pub fn told(line: &Value) -> Vec<Message> {
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
