//! `filter_texts_lines`: lines of a text by what is in them or where they stand. Pure. The text is an argument or what
//! an earlier step read; a regular expression runs in linear time, whoever wrote it.

use serde_json::{Value, json};

use super::{Call, fields, missing, object, wrong};
use crate::domain::{failure::ToolError, limits, run::ToolResult};

/// Fields of an entry that may hold its text, best first.
const TEXT_FIELDS: [&str; 7] = ["content", "text", "body", "line", "snippet", "description", "title"];
/// Largest compiled regular expression, in bytes.
const REGEX_BYTES_MAX: usize = 1_000_000;

/// A line and where it came from.
struct Line<'a> {
    number: usize,
    line: &'a str,
    path: Option<&'a str>,
}

/// Keeps the lines that contain or match, then the first or the last of them.
pub(super) fn filter_texts_lines(call: &Call) -> Result<ToolResult, ToolError> {
    let contains = call.optional_text("contains")?.map(str::to_lowercase);
    let without = call.optional_text("without")?.map(str::to_lowercase);
    let regex = call
        .optional_text("regex")?
        .map(|pattern| {
            regex::RegexBuilder::new(pattern)
                .case_insensitive(true)
                .size_limit(REGEX_BYTES_MAX)
                .build()
                .map_err(|error| wrong("regex").with_detail(error.to_string()))
        })
        .transpose()?;
    let sources = sources(call)?;
    let mut kept: Vec<Line<'_>> = sources
        .iter()
        .flat_map(|(path, text)| {
            text.lines().enumerate().map(|(index, line)| Line {
                number: index + 1,
                line,
                path: *path,
            })
        })
        .filter(|line| {
            let has = |part: &String| line.line.to_lowercase().contains(part.as_str());
            contains.as_ref().is_none_or(has)
                && !without.as_ref().is_some_and(has)
                && regex.as_ref().is_none_or(|regex| regex.is_match(line.line))
        })
        .collect();
    let available = kept.len();
    let asked = (call.count("first")?, call.count("last")?);
    if let Some(last) = asked.1 {
        kept.drain(..available.saturating_sub(last));
    }
    if let Some(first) = asked.0 {
        kept.truncate(first);
    }
    let wanted = kept.len();
    kept.truncate(limits::ENTRIES_MAX);
    Ok(ToolResult::ok(body(&kept, wanted, available)))
}

fn body(kept: &[Line<'_>], wanted: usize, available: usize) -> serde_json::Map<String, Value> {
    let text: Vec<&str> = kept.iter().map(|line| line.line).collect();
    let entries: Vec<Value> = kept
        .iter()
        .map(|line| match line.path {
            Some(path) => json!({"line": line.line, "number": line.number, "path": path}),
            None => json!({"line": line.line, "number": line.number}),
        })
        .collect();
    object(json!({
        "text": text.join("\n"),
        "count": wanted,
        "used": kept.len(),
        "available_total": available,
        "truncated": kept.len() < wanted,
        "entries": entries,
    }))
}

/// The texts to look at, each with the file it came from.
fn sources(call: &Call) -> Result<Vec<(Option<&str>, &str)>, ToolError> {
    if let Some(content) = call.optional_text("content")? {
        return Ok(vec![(None, content)]);
    }
    let Some(_) = call.args.get(super::ENTRIES_ARG) else {
        return Err(missing("content"));
    };
    Ok(call
        .entries()?
        .iter()
        .filter_map(|entry| {
            let path = ["path", "url"].into_iter().find_map(|name| entry.get(name)?.as_str());
            let text = entry.as_str().or_else(|| {
                TEXT_FIELDS
                    .into_iter()
                    .find_map(|name| fields::field(entry, name)?.as_str())
            });
            text.map(|text| (path, text))
        })
        .collect())
}
