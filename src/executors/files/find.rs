//! `find_files` and `list_dirs`: what is in a folder. Read only; a link is listed and never followed.

use std::{cmp::Ordering, fs, io, path::Path};

use serde_json::{Map, Value, json};
use walkdir::WalkDir;

use super::super::{
    Call,
    batch::{Batch, Failure},
    entries, fields, object, paths, wrong,
};
use crate::domain::{failure::ToolError, limits, run::ToolResult};

/// Most names one search looks at before it stops and says so.
const NAMES_MAX: usize = 500_000;

/// Files below a folder by name, time and size.
pub(in crate::executors) fn find_files(call: &Call) -> Result<ToolResult, ToolError> {
    let base = paths::resolve(call.text("base_path")?, &call.context.home)?;
    let pattern = call.optional_text("pattern")?.unwrap_or("*");
    let glob = entries::pattern_of(pattern, "pattern")?;
    let window = entries::window_of(call)?;
    let min_size = call.count("min_size")?.map_or(0, |bytes| bytes as u64);
    let max_results = call
        .count("max_results")?
        .unwrap_or(limits::ENTRIES_MAX)
        .min(limits::ENTRIES_MAX);
    let with_hidden = call.flag("include_hidden", false)? || pattern.starts_with('.');
    let depth = if call.flag("recursive", true)? {
        limits::WALK_DEPTH_MAX
    } else {
        1
    };
    if let Err(failure) = check_dir(&base) {
        return Ok(failed(failure));
    }
    let by_path = pattern.contains('/');
    let walk = WalkDir::new(&base).min_depth(1).max_depth(depth).sort_by_file_name();
    let walk = walk
        .into_iter()
        .filter_entry(move |found| found.depth() == 0 || with_hidden || !super::is_hidden(found.file_name()));
    let mut seen = Seen::default();
    for found in walk.take(NAMES_MAX) {
        seen.names += 1;
        let Ok(found) = found else {
            seen.unreadable += 1;
            continue;
        };
        if !found.file_type().is_file() {
            continue;
        }
        let is_named = if by_path {
            found.path().strip_prefix(&base).is_ok_and(|below| glob.is_match(below))
        } else {
            glob.is_match(found.file_name())
        };
        if !is_named {
            continue;
        }
        let Ok(metadata) = found.metadata() else {
            seen.unreadable += 1;
            continue;
        };
        let is_recent = window.is_none_or(|range| {
            let instant = metadata.modified().map(jiff::Timestamp::try_from);
            matches!(instant, Ok(Ok(instant)) if range.contains(instant))
        });
        if metadata.len() >= min_size && is_recent {
            seen.available += 1;
            if seen.entries.len() < max_results {
                seen.entries.push(Value::Object(super::entry(found.path(), &metadata)));
            }
        }
    }
    Ok(ToolResult::ok(seen.into_body()))
}

/// What a walk saw.
#[derive(Default)]
struct Seen {
    entries: Vec<Value>,
    available: usize,
    names: usize,
    unreadable: usize,
}

impl Seen {
    fn into_body(self) -> Map<String, Value> {
        let mut body = object(json!({
            "used": self.entries.len(),
            "available_total": self.available,
            "truncated": self.entries.len() < self.available,
        }));
        if self.names >= NAMES_MAX {
            body.insert("source_scan_truncated".to_owned(), json!(true));
        }
        if self.unreadable > 0 {
            body.insert("unreadable".to_owned(), json!(self.unreadable));
        }
        body.insert("entries".to_owned(), Value::Array(self.entries));
        body
    }
}

/// Names in one folder: files and folders, not deeper.
pub(in crate::executors) fn list_dirs(call: &Call) -> Result<ToolResult, ToolError> {
    let path = paths::resolve(call.text("path")?, &call.context.home)?;
    let sort = call.optional_text("sort")?.unwrap_or("name");
    if !matches!(sort, "name" | "mtime" | "size") {
        return Err(wrong("sort"));
    }
    let with_hidden = call.flag("include_hidden", false)?;
    let max_results = call
        .count("max_results")?
        .unwrap_or(limits::ENTRIES_MAX)
        .min(limits::ENTRIES_MAX);
    if let Err(failure) = check_dir(&path) {
        return Ok(failed(failure));
    }
    let names = match fs::read_dir(&path) {
        Ok(names) => names,
        Err(error) => return Ok(failed(Failure::io(&path, &error))),
    };
    let mut seen = Seen::default();
    for name in names.take(NAMES_MAX) {
        seen.names += 1;
        match name.and_then(|name| Ok((name.path(), name.file_name(), fs::symlink_metadata(name.path())?))) {
            Ok((_, name, _)) if !with_hidden && super::is_hidden(&name) => {}
            Ok((path, _, metadata)) => seen.entries.push(Value::Object(super::entry(&path, &metadata))),
            Err(_) => seen.unreadable += 1,
        }
    }
    seen.entries.sort_by(|left, right| by_field(left, right, sort));
    seen.available = seen.entries.len();
    seen.entries.truncate(max_results);
    let mut body = seen.into_body();
    body.insert("path".to_owned(), json!(paths::show(&path)));
    Ok(ToolResult::ok(body))
}

/// Names from A to Z; the newest and the largest first.
fn by_field(left: &Value, right: &Value, sort: &str) -> Ordering {
    let value = |entry: &Value, name: &str| entry.get(name).cloned().unwrap_or_default();
    let by_name = fields::compare(&value(left, "name"), &value(right, "name"));
    match sort {
        "name" => by_name,
        _ => fields::compare(&value(right, sort), &value(left, sort)).then(by_name),
    }
}

fn check_dir(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(metadata) if metadata.is_file() => Err(Failure::mismatch(path, "directory", "file")),
        Ok(_) => Err(Failure::mismatch(path, "directory", "other")),
        Err(error) if error.kind() == io::ErrorKind::NotFound && paths::is_pattern(&paths::show(path)) => {
            Err(Failure::mismatch(path, "directory", "pattern"))
        }
        Err(error) => Err(Failure::io(path, &error)),
    }
}

fn failed(failure: Failure) -> ToolResult {
    let mut batch = Batch::default();
    batch.push(Err(failure));
    batch.finish("entries", Map::new())
}
