//! `read_files` and `get_files`: the text of files, or the facts about them. What a file is, its content says and not
//! its name. A kind nobody can read is refused by its name, not guessed at; a long one is cut and says so.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    super::{
        Call,
        batch::{Batch, Failure},
        object, paths,
    },
    documents,
    weigh::Scales,
};
use crate::domain::{failure::ToolError, limits, message::Message, run::ToolResult};

/// Most bytes all files of one step may give together; the output of a step is capped too.
const ALL_BYTES_MAX: u64 = 3 * limits::FILE_BYTES_MAX / 2;
/// How far into a file a zero byte tells that it is no text.
pub(super) const SNIFF_BYTES: usize = 8_192;
/// How a file begins that may look like text and is none.
const PDF: &[u8] = b"%PDF-";

/// The paths a call names, and how many there were before the cut.
pub(super) fn targets(call: &Call) -> Result<(Vec<Result<PathBuf, Failure>>, usize), ToolError> {
    let mut texts = call.texts("paths")?;
    let available = texts.len();
    texts.truncate(limits::ENTRIES_MAX);
    let resolved = texts
        .iter()
        .map(|text| {
            paths::resolve(text, &call.context.home).map_err(|error| Failure {
                field: "path",
                target: text.clone(),
                error: Box::new(error),
                mismatch: None,
            })
        })
        .collect();
    Ok((resolved, available))
}

/// What is known about files and folders without opening them.
pub(in crate::executors) fn get_files(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, available) = targets(call)?;
    // Whether something is there can be asked for: then what is not there is an answer, and no failure.
    let if_there = call.flag("if_there", false)?;
    let mut batch = Batch::default();
    let mut scales = Scales::default();
    for target in targets {
        let known = target.and_then(|path| match fs::symlink_metadata(&path) {
            Ok(metadata) => {
                let mut entry = super::entry(&path, &metadata);
                if metadata.is_dir() && !if_there {
                    scales.weigh(&path, &mut entry);
                }
                Ok(Some(Value::Object(entry)))
            }
            Err(error) if if_there && is_absence(&error) => Ok(None),
            Err(error) => Err(Failure::io(&path, &error)),
        });
        if let Some(known) = known.transpose() {
            batch.push(known);
        }
    }
    let mut others = counts(batch.done.len(), if if_there { batch.done.len() } else { available });
    if let Some(note) = scales.note() {
        others.insert("note".to_owned(), note);
    }
    Ok(batch.finish("entries", others))
}

/// Nothing is there: neither the thing nor, perhaps, the folder it would be in.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn counts(used: usize, available: usize) -> Map<String, Value> {
    object(json!({"used": used, "available_total": available}))
}

/// The text of files.
pub(in crate::executors) fn read_files(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, available) = targets(call)?;
    let mut batch = Batch::default();
    if call.flag("only_one", false)? && available > 1 {
        let mut others = counts(0, available);
        others.insert("empty".to_owned(), json!(which_of(&targets, &call.context.home)));
        return Ok(batch.finish("entries", others));
    }
    let in_parts = call.flag("parts", false)?;
    let mut left = ALL_BYTES_MAX;
    for target in targets {
        let outcome =
            target.and_then(|path| read_text(&path, left.min(limits::FILE_BYTES_MAX), in_parts, call.password()));
        if let Ok(entry) = &outcome {
            let bytes = entry.get("bytes_read").and_then(Value::as_u64).unwrap_or(0);
            left = left.saturating_sub(bytes);
        }
        batch.push(outcome);
    }
    let mut others = counts(batch.done.len(), available);
    let is_cut = batch.done.iter().any(|entry| entry.get("truncated").is_some());
    if is_cut || available > limits::ENTRIES_MAX {
        others.insert("truncated".to_owned(), json!(true));
        others.insert("truncated_what".to_owned(), json!("content"));
    }
    if batch.done.iter().any(|entry| entry.get("ocr").is_some()) {
        others.insert("note".to_owned(), json!(Message::new("executors-picture-note")));
    }
    if let Some(empty) = empty(&batch.done, &call.context.home) {
        others.insert("empty".to_owned(), json!(empty));
    }
    others.insert("content".to_owned(), json!(joined(&batch.done)));
    Ok(batch.finish("entries", others))
}

/// Several files fit where one is meant: they are named, and none is read.
fn which_of(targets: &[Result<PathBuf, Failure>], home: &Path) -> Message {
    let known = targets.iter().filter_map(|target| target.as_ref().ok());
    let names: Vec<String> = known
        .take(limits::NEAR_NAMES_MAX)
        .map(|path| paths::show_short(path, home))
        .collect();
    Message::new("executors-file-which")
        .with("count", targets.len())
        .with("names", names.join(", "))
}

/// What to say of a single file without any text.
fn empty(entries: &[Value], home: &Path) -> Option<Message> {
    let [only] = entries else { return None };
    let text = |name: &str| only.get(name).and_then(Value::as_str).unwrap_or_default();
    let key = match text("content") {
        "" => "executors-file-empty",
        content if content.trim().is_empty() => "executors-file-blank",
        _ => return None,
    };
    Some(Message::new(key).with("path", paths::show_short(Path::new(text("path")), home)))
}

/// One text of all files: a single one as it is, several each under its name.
fn joined(entries: &[Value]) -> String {
    let text = |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    if let [only] = entries {
        return text(only, "content");
    }
    let parts: Vec<String> = entries
        .iter()
        .map(|entry| format!("==> {} <==\n{}", text(entry, "name"), text(entry, "content").trim_end()))
        .collect();
    parts.join("\n\n")
}

/// What one file says, and where that is wanted its pages, sheets and rows.
pub(super) fn read_text(path: &Path, bytes_max: u64, in_parts: bool, password: Option<&str>) -> Result<Value, Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    // Looked at before it is opened: opening a pipe would wait for its other end.
    let before = fs::metadata(path).map_err(io)?;
    if before.is_dir() {
        return Err(Failure::mismatch(path, "file", "directory"));
    }
    if !before.is_file() {
        return Err(Failure::mismatch(path, "file", "other"));
    }
    let mut file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    let mut bytes = Vec::new();
    (&mut file).take(bytes_max).read_to_end(&mut bytes).map_err(io)?;
    let mut entry = super::entry(path, &metadata);
    if documents::is_document(&bytes) {
        let documents::Extracted {
            document,
            from_pictures,
        } = documents::read(path, (file, bytes), bytes_max, password)?;
        if from_pictures {
            entry.insert("ocr".to_owned(), json!(true));
        }
        if in_parts {
            entry.insert("parts".to_owned(), documents::parts(&document));
        }
        let content = documents::text(&document);
        entry.insert("bytes_read".to_owned(), json!(content.len()));
        entry.insert("content".to_owned(), json!(content));
        if document.is_cut {
            entry.insert("truncated".to_owned(), json!(true));
        }
        return Ok(Value::Object(entry));
    }
    let is_cut = metadata.len() > bytes.len() as u64;
    if is_cut {
        trim_broken_character(&mut bytes);
    }
    let (content, _, is_lossy) = encoding_rs::UTF_8.decode(&bytes);
    if in_parts {
        entry.insert("parts".to_owned(), documents::parts_of_text(path, &content));
    }
    entry.insert("bytes_read".to_owned(), json!(bytes.len()));
    entry.insert("content".to_owned(), json!(content));
    if is_cut {
        entry.insert("truncated".to_owned(), json!(true));
    }
    if is_lossy {
        entry.insert("lossy".to_owned(), json!(true));
    }
    Ok(Value::Object(entry))
}

/// Whether a file that begins like this is text, in UTF-8 or with the mark of UTF-16.
pub(super) fn is_text(head: &[u8]) -> bool {
    let is_utf16 = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    is_utf16 || !head.contains(&0) && !head.starts_with(PDF)
}

/// Drops the last character when the cut went through it, so that a cut file does not look damaged.
fn trim_broken_character(bytes: &mut Vec<u8>) {
    if let Err(error) = std::str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
}
