//! `find_files_hash`: files that are byte for byte the same as another. Of each such group all but the oldest are
//! given, so that what is done to what was found leaves one. Read only; a link is never followed.

use std::{
    collections::BTreeMap,
    fs::{self, File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
};

use globset::GlobMatcher;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use walkdir::{DirEntry, WalkDir};

use super::{
    super::{Call, batch::Batch, entries, object, paths},
    find,
};
use crate::domain::{
    failure::ToolError,
    limits::{COMPARED_BYTES_MAX, ENTRIES_MAX, WALK_DEPTH_MAX},
    message::Message,
    run::ToolResult,
};

/// Bytes in which most files that are not the same differ.
const HEAD_BYTES: u64 = 16 * 1024;

/// One file.
struct Found {
    path: PathBuf,
    metadata: Metadata,
}

/// Files below a folder that are the same as an older one.
pub(in crate::executors) fn find_files_hash(call: &Call) -> Result<ToolResult, ToolError> {
    let base = paths::resolve(call.text("base_path")?, &call.context.home)?;
    let glob = entries::pattern_of(call.optional_text("pattern")?.unwrap_or("*"), "pattern")?;
    if let Err(failure) = find::check_dir(&base) {
        return Ok(find::failed(failure));
    }
    let mut unreadable = 0;
    let (by_size, mut is_cut) = by_size(&base, &glob, &call.context.data_dir, &mut unreadable);
    let mut left = COMPARED_BYTES_MAX;
    let mut groups: Vec<Vec<Found>> = Vec::new();
    // What takes most room first.
    for (_, files) in by_size.into_iter().rev().filter(|(_, files)| files.len() > 1) {
        let alike = apart(files, Some(HEAD_BYTES), &mut left, &mut unreadable);
        for files in alike {
            groups.extend(apart(files, None, &mut left, &mut unreadable));
        }
    }
    is_cut |= left == 0;
    let mut batch = Batch::default();
    let mut bytes = 0;
    let mut available = 0;
    for mut group in groups {
        group.sort_by_key(|file| (file.metadata.modified().ok(), file.path.clone()));
        let mut files = group.into_iter();
        let Some(kept) = files.next() else { continue };
        for file in files {
            available += 1;
            bytes += file.metadata.len();
            if batch.done.len() < ENTRIES_MAX {
                batch.push(Ok(entry(&file, &kept.path, &call.context.home)));
            }
        }
    }
    let mut others = object(json!({
        "used": batch.done.len(),
        "available_total": available,
        "size_total": bytes,
    }));
    if is_cut {
        others.insert("source_scan_truncated".to_owned(), json!(true));
    }
    if unreadable > 0 {
        others.insert("unreadable".to_owned(), json!(unreadable));
    }
    if batch.done.is_empty() {
        let message =
            Message::new("executors-files-none-twice").with("path", paths::show_short(&base, &call.context.home));
        others.insert("empty".to_owned(), json!(message));
    }
    Ok(batch.finish("entries", others))
}

/// Files with something in them, by their size, and whether there were too many names to look at all.
fn by_size(base: &Path, glob: &GlobMatcher, ours: &Path, unreadable: &mut usize) -> (BTreeMap<u64, Vec<Found>>, bool) {
    let is_ours = |entry: &DirEntry| entry.depth() > 0 && entry.path() == ours;
    let is_hidden = |entry: &DirEntry| entry.depth() > 0 && super::is_hidden(entry.file_name());
    let walk = WalkDir::new(base).max_depth(WALK_DEPTH_MAX).into_iter();
    let mut is_cut = false;
    let mut by_size: BTreeMap<u64, Vec<Found>> = BTreeMap::new();
    for (at, entry) in walk
        .filter_entry(|entry| !is_ours(entry) && !is_hidden(entry))
        .enumerate()
    {
        if at >= find::NAMES_MAX {
            is_cut = true;
            break;
        }
        let Ok(entry) = entry else {
            *unreadable += 1;
            continue;
        };
        if !entry.file_type().is_file() || !glob.is_match(entry.file_name()) {
            continue;
        }
        match entry.metadata() {
            // Files with nothing in them have nothing in common.
            Ok(metadata) if metadata.len() == 0 => {}
            Ok(metadata) => by_size.entry(metadata.len()).or_default().push(Found {
                path: entry.into_path(),
                metadata,
            }),
            Err(_) => *unreadable += 1,
        }
    }
    (by_size, is_cut)
}

fn entry(file: &Found, kept: &Path, home: &Path) -> Value {
    let mut entry = super::entry(&file.path, &file.metadata);
    let shown = paths::show_short(kept, home);
    entry.insert(
        "same".to_owned(),
        json!(Message::new("executors-file-same-as").with("path", shown)),
    );
    entry.insert("same_as".to_owned(), json!(paths::show(kept)));
    Value::Object(entry)
}

/// Files in groups of those that are alike in their first bytes, or in all; who is alone is in none. What cannot be
/// read any more is counted, and what goes beyond what may be read is left out.
fn apart(files: Vec<Found>, head: Option<u64>, left: &mut u64, unreadable: &mut usize) -> Vec<Vec<Found>> {
    let mut groups: BTreeMap<[u8; 32], Vec<Found>> = BTreeMap::new();
    for file in files {
        let most = head.unwrap_or(u64::MAX).min(file.metadata.len());
        if *left < most {
            *left = 0;
            break;
        }
        *left -= most;
        match digest(&file.path, most) {
            Ok(digest) => groups.entry(digest).or_default().push(file),
            Err(_) => *unreadable += 1,
        }
    }
    groups.into_values().filter(|files| files.len() > 1).collect()
}

fn digest(path: &Path, most: u64) -> io::Result<[u8; 32]> {
    // It may have become something else since the walk: opening a pipe would wait for its other end.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    io::copy(&mut Read::by_ref(&mut file).take(most), &mut hasher)?;
    Ok(hasher.finalize().into())
}
