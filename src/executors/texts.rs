//! `filter_texts_lines`: lines of a text by what is in them or where they stand. Pure. The text is an argument or what
//! an earlier step read; a regular expression runs in linear time, whoever wrote it.

use serde_json::{Value, json};

use super::{
    Call, fields,
    files::{has_some, is_about},
    missing, object, wrong,
};
use crate::domain::{failure::ToolError, limits, message::Message, run::ToolResult};

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

/// Keeps the lines that contain or match, then the first or the last of them, of each text.
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
    let keeps = |line: &str| {
        let has = |part: &String| line.to_lowercase().contains(part.as_str());
        contains.as_ref().is_none_or(has)
            && !without.as_ref().is_some_and(has)
            && regex.as_ref().is_none_or(|regex| regex.is_match(line))
    };
    let (first, last) = (call.count("first")?, call.count("last")?);
    let (around, undone) = (call.optional_text("around")?, call.flag("undone", false)?);
    let mut texts = of_each_text(sources(call)?);
    if let Some(things) = call.optional_text("things")? {
        return Ok(ToolResult::ok(on_list(texts, things)));
    }
    for text in &mut texts {
        if undone {
            keep_undone(text);
        }
        if let Some(around) = around {
            keep_around(text, around);
        }
    }
    let mut available = 0;
    for text in &mut texts {
        text.retain(|line| keeps(line.line));
        available += text.len();
        if let Some(last) = last {
            text.drain(..text.len().saturating_sub(last));
        }
        if let Some(first) = first {
            text.truncate(first);
        }
    }
    let wanted = texts.iter().map(Vec::len).sum();
    let mut room = limits::ENTRIES_MAX;
    for text in &mut texts {
        text.truncate(room);
        room -= text.len();
    }
    let mut body = body(&texts, wanted, available);
    if let Some(around) = around {
        // Where an answer comes from belongs to it.
        body.insert("text".to_owned(), json!(under_names(&texts, Some(around))));
    }
    Ok(ToolResult::ok(body))
}

/// The lines that are about the things, and which of these none is about.
fn on_list(mut texts: Vec<Vec<Line<'_>>>, things: &str) -> serde_json::Map<String, Value> {
    if texts.is_empty() {
        // Why no list was read is said by the step before.
        return body(&texts, 0, 0);
    }
    let path = texts.iter().flatten().find_map(|line| line.path).unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    let things: Vec<&str> = things.lines().collect();
    let is_there = |thing: &&str| texts.iter().flatten().any(|line| is_about(line.line, thing));
    let (_, missing): (Vec<&str>, Vec<&str>) = things.iter().copied().partition(is_there);
    let near = |line: &&Line<'_>| missing.iter().any(|thing| has_some(thing, line.line));
    let near: Vec<&str> = texts
        .iter()
        .flatten()
        .filter(near)
        .map(|line| line.line.trim())
        .collect();
    let near = near.get(..limits::LINES_NAMED_MAX).unwrap_or(&near).join("; ");
    let is_done = |line: &Line<'_>| DONE.iter().any(|done| line.line.contains(done));
    let about = |line: &&Line<'_>| things.iter().any(|thing| is_about(line.line, thing));
    let done = texts.iter().flatten().filter(about).all(is_done);
    let key = match (missing.is_empty(), near.is_empty()) {
        (true, _) if done => "executors-listed-done",
        (true, _) => "executors-listed",
        (false, true) => "executors-not-listed",
        (false, false) => "executors-near-listed",
    };
    let said = Message::new(key)
        .with("name", name)
        .with("things", missing.join(", "))
        .with("lines", near);
    for text in &mut texts {
        text.retain(|line| things.iter().any(|thing| is_about(line.line, thing)));
    }
    let kept = texts.iter().map(Vec::len).sum();
    let mut body = body(&texts, kept, kept);
    body.insert(if kept == 0 { "empty" } else { "note" }.to_owned(), json!(said));
    body
}

/// The boxes of lines that are done, and of those that are not.
const DONE: [&str; 2] = ["[x]", "[X]"];
const OPEN: &str = "[ ]";

/// The lines that are not ticked off; of a list without boxes nothing is.
fn keep_undone(text: &mut Vec<Line<'_>>) {
    let is_open = |line: &Line<'_>| line.line.contains(OPEN);
    if text
        .iter()
        .any(|line| is_open(line) || DONE.iter().any(|done| line.line.contains(done)))
    {
        text.retain(is_open);
    }
}

/// The lines that have one of the words, with those beside them; a short text answers best as a whole.
fn keep_around(text: &mut Vec<Line<'_>>, words: &str) {
    if text.len() <= limits::SHORT_TEXT_LINES_MAX {
        return;
    }
    let has: Vec<bool> = text.iter().map(|line| has_some(words, line.line)).collect();
    let mut at: usize = 0;
    text.retain(|_| {
        let beside = has.iter().skip(at.saturating_sub(1)).take(if at == 0 { 2 } else { 3 });
        at += 1;
        beside.into_iter().any(|has| *has)
    });
}

/// The lines of each text: the first ones are the first of every file. Lines that an earlier step cut out of one file
/// are one text again.
fn of_each_text<'a>(sources: Vec<(Option<&'a str>, &'a str)>) -> Vec<Vec<Line<'a>>> {
    let mut texts: Vec<(Option<&str>, Vec<Line<'_>>)> = Vec::new();
    for (path, text) in sources {
        let lines = text.lines().enumerate().map(|(index, line)| Line {
            number: index + 1,
            line,
            path,
        });
        match texts.last_mut() {
            Some((before, known)) if *before == path => known.extend(lines),
            Some(_) | None => texts.push((path, lines.collect())),
        }
    }
    texts.into_iter().map(|(_, lines)| lines).collect()
}

fn body(texts: &[Vec<Line<'_>>], wanted: usize, available: usize) -> serde_json::Map<String, Value> {
    let kept = || texts.iter().flatten();
    let entries: Vec<Value> = kept()
        .map(|line| match line.path {
            Some(path) => json!({"line": line.line, "number": line.number, "path": path}),
            None => json!({"line": line.line, "number": line.number}),
        })
        .collect();
    object(json!({
        "text": joined(texts),
        "count": wanted,
        "used": entries.len(),
        "available_total": available,
        "truncated": entries.len() < wanted,
        "entries": entries,
    }))
}

/// One text of all: that of a single one as it is, those of several each under its name.
fn joined(texts: &[Vec<Line<'_>>]) -> String {
    let lines = |text: &Vec<Line<'_>>| text.iter().map(|line| line.line).collect::<Vec<_>>().join("\n");
    if let [only] = texts {
        return lines(only);
    }
    under_names(texts, None)
}

/// Each text under the name of its file; a table that something is looked up in says its rows in words.
fn under_names(texts: &[Vec<Line<'_>>], around: Option<&str>) -> String {
    let lines = |text: &Vec<Line<'_>>| {
        let plain = text.iter().map(|line| line.line).collect::<Vec<_>>().join("\n");
        let is_table = text
            .first()
            .and_then(|line| line.path)
            .is_some_and(|path| path.ends_with(".csv"));
        let rows = around
            .filter(|_| is_table)
            .and_then(|around| rows_in_words(&plain, around));
        rows.unwrap_or(plain)
    };
    let parts: Vec<String> = texts
        .iter()
        .filter_map(|text| {
            let path = text.first()?.path.unwrap_or_default();
            let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path);
            Some(format!("==> {name} <==\n{}", lines(text)))
        })
        .collect();
    parts.join("\n\n")
}

/// The rows of a table that have one of the words, or all of them where none has, each cell behind the name of its
/// column: "june: rent 800, food 120". `None` where it has no such form.
fn rows_in_words(table: &str, around: &str) -> Option<String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let names = reader.headers().ok()?.clone();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().ok()?;
    let has = |row: &&csv::StringRecord| row.iter().any(|cell| has_some(around, cell));
    let some: Vec<&csv::StringRecord> = rows.iter().filter(has).collect();
    let kept = if some.is_empty() { rows.iter().collect() } else { some };
    let in_words = |row: &&csv::StringRecord| {
        let mut cells = row.iter();
        let first = cells.next()?;
        let rest: Vec<String> = names
            .iter()
            .skip(1)
            .zip(cells)
            .map(|(name, cell)| format!("{name} {cell}"))
            .collect();
        (!rest.is_empty()).then(|| format!("{first}: {}", rest.join(", ")))
    };
    let lines: Option<Vec<String>> = kept.iter().map(in_words).collect();
    lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"))
}

/// The texts to look at, each with the file it came from.
fn sources(call: &Call) -> Result<Vec<(Option<&str>, &str)>, ToolError> {
    if let Some(content) = call.optional_text("content")? {
        return Ok(vec![(None, content)]);
    }
    let Some(_) = call.args.get(super::ENTRIES_ARG) else {
        return Err(missing("content"));
    };
    let entries = call.entries()?;
    fields::need_pages(entries)?;
    Ok(entries
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
