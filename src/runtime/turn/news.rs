//! What a watcher tells: what a look saw that the one before did not. Called by `due` when a look has ended; only what
//! is new is left of its answer.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::{
    domain::{intent::short_hash, message::Message, outcome::View},
    engine::outcome::TurnOutcome,
};

/// The field of an entry that says whether what was asked about holds for it: what does not is not seen. Of a result as
/// a whole it says the same of the day in its field `date`.
const IS_SO: &str = "is_so";

/// Whether there is something new, and what the next look is to know of this one.
pub(super) fn news(before: Option<&str>, outcome: &mut TurnOutcome) -> (bool, String) {
    let known: Option<BTreeSet<String>> = before.and_then(|json| serde_json::from_str(json).ok());
    let remembered = |seen: &BTreeSet<String>| serde_json::to_string(seen).unwrap_or_default();
    if let Some((is_so, date)) = is_so(outcome) {
        // A yes to what was asked is news at once, and of its day once.
        let seen: BTreeSet<String> = is_so.then_some(date).into_iter().collect();
        return (!seen.is_subset(&known.unwrap_or_default()), remembered(&seen));
    }
    let is_text = outcome.views.iter().any(|view| matches!(view, View::Verbatim(_)));
    let seen = seen(outcome, is_text);
    let memory = remembered(&seen);
    // The first look only learns what is there.
    let Some(known) = known else { return (false, memory) };
    for view in &mut outcome.views {
        leave_what_is_new(view, &known);
    }
    let has_new = !seen.is_subset(&known);
    // Things that are gone are no news; of a text they are a change.
    let gone = known.difference(&seen).count();
    if !is_text || gone == 0 {
        return (has_new, memory);
    }
    let gone = Message::new("task-watch-gone").with("count", gone);
    outcome.views.push(View::Say(gone));
    (true, memory)
}

/// What a look saw, each by what it is known by from one look to the next: things by their names, a text by its lines.
fn seen(outcome: &TurnOutcome, is_text: bool) -> BTreeSet<String> {
    let last = outcome.records.iter().rev().find_map(|record| record.result.entries());
    match last.filter(|_| !is_text) {
        Some(entries) => entries.iter().filter(|entry| entry[IS_SO] != false).map(key).collect(),
        None => outcome.views.iter().flat_map(parts).collect(),
    }
}

/// Whether it is so, and of which day, where a look answers that as a whole: what it says beside it is no news.
fn is_so(outcome: &TurnOutcome) -> Option<(bool, String)> {
    let body = &outcome.records.last()?.result.body;
    let date = body.get("date").and_then(Value::as_str).unwrap_or_default();
    Some((body.get(IS_SO)?.as_bool()?, date.to_owned()))
}

fn parts(view: &View) -> Vec<String> {
    match view {
        View::Verbatim(text) => lines(text).map(|line| short_hash(line.as_bytes())).collect(),
        View::Say(_) | View::Words(_) | View::Value { .. } | View::Entries { .. } | View::Attached(_) => {
            vec![short_hash(format!("{view:?}").as_bytes())]
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty())
}

fn leave_what_is_new(view: &mut View, known: &BTreeSet<String>) {
    match view {
        View::Entries { rows, total, .. } => {
            let before = rows.len();
            rows.retain(|row: &Map<String, Value>| !known.contains(&key(&Value::Object(row.clone()))));
            *total = total.saturating_sub(before - rows.len());
        }
        View::Verbatim(text) => {
            let new = lines(text).filter(|line| !known.contains(&short_hash(line.as_bytes())));
            *text = new.collect::<Vec<_>>().join("\n");
        }
        View::Say(_) | View::Words(_) | View::Value { .. } | View::Attached(_) => {}
    }
}

/// What an entry is known by from one look to the next.
fn key(entry: &Value) -> String {
    ["path", "url", "id", "name"]
        .into_iter()
        .find_map(|field| entry.get(field)?.as_str())
        .map_or_else(|| entry.to_string(), str::to_owned)
}
