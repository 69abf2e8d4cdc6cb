//! Files and folders: looking (`find`, and `about` for what is in them), reading (`read`), writing (`write`, and
//! `lines` for one line of many, `rows` for one of a table), moving, copying and deleting (`relocate`), and the safe
//! disk operations under them (`disk`). Everything here runs in the sandboxed worker; links are never followed by a
//! walk, hidden files are left out unless asked for, and nothing is lost: what is replaced or deleted is kept.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{object, paths};

mod about;
pub(super) mod archives;
pub(super) mod bound;
pub(super) mod charts;
pub(super) mod documents;
pub(super) mod disk;
pub(super) mod find;
pub(super) mod indices;
mod lines;
pub(crate) mod ocr;
pub(super) mod pictures;
pub(super) mod read;
pub(super) mod relocate;
mod rows;
pub(super) mod same;
pub(super) mod send;
pub(super) mod sheets;
mod taken;
mod weigh;
mod wording;
pub(super) mod write;

pub(super) use about::has_some;
pub(super) use lines::is_about;

/// What a later step or a person wants to know about a file.
fn entry(path: &Path, metadata: &fs::Metadata) -> Map<String, Value> {
    let mtime = Timestamp::from_second(metadata.mtime()).unwrap_or(Timestamp::UNIX_EPOCH);
    let text =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    object(json!({
        "path": paths::show(path),
        "name": text(path.file_name()),
        // What a folder's own entry takes on the disk is nobody's answer.
        "size": (!metadata.is_dir()).then_some(metadata.len()),
        "mtime": mtime.to_string(),
        "kind": kind(metadata.file_type()),
        "ext": text(path.extension()).to_lowercase(),
    }))
}

fn kind(kind: fs::FileType) -> &'static str {
    if kind.is_file() {
        "file"
    } else if kind.is_dir() {
        "directory"
    } else if kind.is_symlink() {
        "link"
    } else {
        "other"
    }
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
