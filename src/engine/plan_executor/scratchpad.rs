//! Large results: what stands for them in logs and model context, and how a piece of one is read again
//!. Pure; later steps always get the full value, from memory.

use serde_json::{Map, Value, json};

use crate::domain::{
    limits::{SCRATCHPAD_SUMMARY_CHARS, SCRATCHPAD_THRESHOLD_BYTES},
    run::ToolResult,
};

use super::projection;

/// Texts this little above the two ends of a summary are kept whole.
const SUMMARY_SLACK_CHARS: usize = 80;

/// Which piece is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// Everything.
    Full,
    /// The first characters.
    Head(usize),
    /// The last characters.
    Tail(usize),
    /// From one character up to, not including, another.
    Range {
        /// The first.
        start: usize,
        /// The one after the last.
        end: usize,
    },
}

/// The result as it is kept, if it is large: its text where it has only one, else the whole as JSON.
pub fn content_to_keep(result: &ToolResult) -> Option<String> {
    let whole = Value::Object(result.body.clone()).to_string();
    if whole.len() <= SCRATCHPAD_THRESHOLD_BYTES {
        return None;
    }
    let text = ["content", "text"]
        .into_iter()
        .find_map(|name| result.body.get(name)?.as_str());
    Some(text.map_or(whole, str::to_owned))
}

/// What stands for a large result: never its items, which a model would copy, but what they look like.
pub fn handle(result: &ToolResult, id: &str, content: &str) -> Value {
    let mut handle = Map::new();
    handle.insert("ok".to_owned(), json!(result.is_ok()));
    handle.insert("scratchpad_id".to_owned(), json!(id));
    handle.insert("size_bytes".to_owned(), json!(content.len()));
    let list = result
        .body
        .iter()
        .find(|(_, field)| field.as_array().is_some_and(|list| !list.is_empty()));
    match (projection::payload(result), list) {
        (Some(entries), Some((name, _))) => {
            handle.insert("list_field".to_owned(), json!(name));
            handle.insert("count".to_owned(), json!(entries.len()));
            handle.insert("schema".to_owned(), json!(schema(entries)));
        }
        (None, _) | (_, None) => {
            handle.insert("summary".to_owned(), json!(summary(content)));
        }
    }
    for (name, field) in &result.body {
        let is_scalar = field.is_number() || field.is_boolean();
        if is_scalar && !handle.contains_key(name) {
            handle.insert(name.clone(), field.clone());
        }
    }
    Value::Object(handle)
}

/// Field names of the first entry, sorted.
fn schema(entries: &[Value]) -> Vec<&str> {
    let mut names: Vec<&str> = entries
        .first()
        .and_then(Value::as_object)
        .map(|fields| fields.keys().map(String::as_str).collect())
        .unwrap_or_default();
    names.sort_unstable();
    names
}

/// Beginning and end of a text, with what was left out counted.
pub fn summary(content: &str) -> String {
    let total = content.chars().count();
    if total <= 2 * SCRATCHPAD_SUMMARY_CHARS + SUMMARY_SLACK_CHARS {
        return content.to_owned();
    }
    let head = slice(content, Slice::Head(SCRATCHPAD_SUMMARY_CHARS));
    let tail = slice(content, Slice::Tail(SCRATCHPAD_SUMMARY_CHARS));
    let omitted = total - 2 * SCRATCHPAD_SUMMARY_CHARS;
    format!("{head}\n[... {omitted} characters omitted ...]\n{tail}")
}

/// A piece of a text, counted in characters.
pub fn slice(content: &str, which: Slice) -> String {
    match which {
        Slice::Full => content.to_owned(),
        Slice::Head(count) => content.chars().take(count).collect(),
        Slice::Tail(count) => {
            let skipped = content.chars().count().saturating_sub(count);
            content.chars().skip(skipped).collect()
        }
        Slice::Range { start, end } => content.chars().skip(start).take(end.saturating_sub(start)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixtures::ok;

    #[test]
    fn small_results_are_not_kept_and_large_ones_are_described() {
        assert_eq!(content_to_keep(&ok(json!({"text": "short"}))), None);
        let text = format!("begin{}end", "è".repeat(5_000));
        let large = ok(json!({"text": text, "bytes": 10_008, "complete": true}));
        let content = content_to_keep(&large).unwrap();
        let handle = handle(&large, "00ff", &content);
        assert_eq!(handle["scratchpad_id"], json!("00ff"));
        assert_eq!(handle["bytes"], json!(10_008));
        let summary = handle["summary"].as_str().unwrap();
        assert!(summary.starts_with("begin") && summary.ends_with("end"));
        assert!(summary.contains("[... 4008 characters omitted ...]"));
    }

    #[test]
    fn a_list_is_described_by_its_fields_not_its_items() {
        let entries: Vec<Value> = (0..500)
            .map(|size| json!({"path": "/secret/place", "size": size}))
            .collect();
        let large = ok(json!({"entries": entries, "truncated": false}));
        let content = content_to_keep(&large).unwrap();
        let handle = handle(&large, "00ff", &content);
        assert_eq!(handle["list_field"], json!("entries"));
        assert_eq!(handle["count"], json!(500));
        assert_eq!(handle["schema"], json!(["path", "size"]));
        assert!(!handle.to_string().contains("secret"));
    }

    #[test]
    fn pieces_are_counted_in_characters() {
        for (which, piece) in [
            (Slice::Full, "àbcdè"),
            (Slice::Head(2), "àb"),
            (Slice::Tail(2), "dè"),
            (Slice::Range { start: 1, end: 3 }, "bc"),
            (Slice::Range { start: 3, end: 1 }, ""),
            (Slice::Range { start: 4, end: 99 }, "è"),
            (Slice::Tail(99), "àbcdè"),
        ] {
            assert_eq!(slice("àbcdè", which), piece);
        }
    }
}
