//! Reading fields of entries, whatever made them. Pure; used by the processors of entries and of texts.

use std::{borrow::Cow, cmp::Ordering};

use serde_json::Value;

use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
};

/// Fields of an entry that hold what a page says.
pub(super) const PAGE_TEXTS: [&str; 4] = ["text", "content", "body_text", "markdown"];

/// Whether an entry holds what a page says.
pub fn has_text(entry: &Value) -> bool {
    PAGE_TEXTS.iter().any(|name| {
        entry
            .get(*name)
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty())
    })
}

/// Whoever works on what pages say cannot work on their addresses alone: the pages have to be fetched first, which the
/// plan executor does.
pub fn need_pages(entries: &[Value]) -> Result<(), ToolError> {
    let is_unread = |entry: &Value| entry.get("url").is_some_and(Value::is_string) && !has_text(entry);
    if entries.is_empty() || !entries.iter().all(is_unread) {
        return Ok(());
    }
    let unread = Message::new("executors-pages-unread");
    Err(ToolError::new(ErrorClass::NeedsContentFetch, unread))
}

/// The value of a field: by its name, by a dotted path, or by another usual name of it.
pub(super) fn field<'a>(entry: &'a Value, name: &str) -> Option<&'a Value> {
    if let Some(value) = entry.get(name) {
        return Some(value);
    }
    if name.contains('.') {
        return name
            .split('.')
            .try_fold(entry, |value, part| match part.parse::<usize>() {
                Ok(index) => value.get(index),
                Err(_) => value.get(part),
            });
    }
    let usual = match name.to_ascii_lowercase().as_str() {
        "date" | "modified" | "time" | "data" | "when" => "mtime",
        "filename" | "file" | "nome" => "name",
        "extension" | "type" | "tipo" | "estensione" => "ext",
        "bytes" | "dimensione" | "length" => "size",
        "ram" | "memoria" => "memory",
        _ => return None,
    };
    entry.get(usual)
}

/// A value as words, without the quotes of JSON.
pub(super) fn as_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Null => Cow::Borrowed(""),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => Cow::Owned(value.to_string()),
    }
}

/// A value as a number, also when it is written as text.
pub(super) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Numbers by size, everything else by its words without regard to case.
pub(super) fn compare(left: &Value, right: &Value) -> Ordering {
    match (as_number(left), as_number(right)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => as_text(left).to_lowercase().cmp(&as_text(right).to_lowercase()),
    }
}

/// A number as JSON: whole ones without a fraction.
pub(super) fn number(value: f64) -> Value {
    /// Whole numbers beyond this are no longer exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
        let whole = value as i64;
        Value::from(whole)
    } else {
        Value::from(value)
    }
}
