//! Takes effects back, newest first. Not in the catalog: `undo_last_turn` asks the worker for it through
//! `process::Runner::reverse`. Doing it twice is harmless, and what was changed since is left alone.

use std::{fs, io, path::Path};

use serde_json::{Map, Value, json};

use super::{
    CallContext,
    batch::{Batch, Changed, Failure},
    files::disk::{self, Replace},
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
    run::{Reversal, ToolResult},
};

/// Things are as they were before: it was taken back by somebody, or never happened.
const ALREADY: &str = "already";

/// Takes back what these describe; they are in the order in which things were done, and so are those the result
/// carries: what could not be taken back now.
pub(super) fn reverse(reversals: &[Reversal], context: &CallContext) -> ToolResult {
    let mut batch = Batch::default();
    let mut left = Vec::new();
    for reversal in reversals.iter().rev() {
        let (path, outcome) = match reversal {
            Reversal::MoveBack { from, to } => (to, move_back(Path::new(from), Path::new(to), context)),
            Reversal::Restore { backup, to, sha256 } => {
                (to, restore(Path::new(backup), Path::new(to), sha256, context))
            }
            Reversal::RemoveFile { path, sha256 } => (path, remove_file(Path::new(path), sha256)),
            Reversal::RemoveDir { path } => (path, remove_dir(Path::new(path))),
            // A row of the database, or another executor: the engine takes it back itself.
            Reversal::Task { .. } | Reversal::Call { .. } => {
                left.push(reversal.clone());
                continue;
            }
        };
        if outcome.is_err() {
            left.push(reversal.clone());
        }
        batch.push_change(outcome.map(|action| {
            let changed = if action == ALREADY { Changed::No } else { Changed::Yes };
            (json!({"path": path, "action": action}), changed)
        }));
    }
    left.reverse();
    ToolResult {
        reversals: left,
        ..batch.finish("results", Map::new())
    }
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Something else stands where ours was, or ours is no longer what we left.
fn changed_since(path: &Path) -> Failure {
    let message = Message::new("executors-undo-changed").with("path", path.to_string_lossy().into_owned());
    Failure::path(path, ToolError::new(ErrorClass::AlreadyExists, message))
}

/// What is to go back finds its place taken.
fn taken(path: &Path) -> Failure {
    let message = Message::new("executors-undo-taken").with("path", path.to_string_lossy().into_owned());
    Failure::path(path, ToolError::new(ErrorClass::AlreadyExists, message))
}

/// Whether this was only meant to be done: what it would have made is not there. Only looks.
pub(super) fn never_happened(reversal: &Reversal) -> bool {
    match reversal {
        Reversal::MoveBack { from: made, .. }
        | Reversal::RemoveFile { path: made, .. }
        | Reversal::RemoveDir { path: made } => !is_there(Path::new(made)),
        Reversal::Restore { to, sha256, .. } => disk::sha256_of(Path::new(to)).is_ok_and(|there| there != *sha256),
        Reversal::Task { .. } | Reversal::Call { .. } => false,
    }
}

/// A move to another disk copies first, and may have been stopped before it took the original away.
fn is_copied_only(from: &Path, to: &Path) -> io::Result<bool> {
    let is_file = |path: &Path| fs::symlink_metadata(path).map(|found| found.is_file());
    Ok(is_file(from)? && is_file(to)? && disk::sha256_of(from)? == disk::sha256_of(to)?)
}

fn move_back(from: &Path, to: &Path, context: &CallContext) -> Result<&'static str, Failure> {
    match (is_there(from), is_there(to)) {
        (true, true) if is_copied_only(from, to).map_err(|error| Failure::io(to, &error))? => {
            fs::remove_file(from).map_err(|error| Failure::io(from, &error))?;
            Ok(ALREADY)
        }
        (true, true) => Err(taken(to)),
        (false, true) => Ok(ALREADY),
        (false, false) => Err(Failure::io(from, &io::ErrorKind::NotFound.into())),
        (true, false) => {
            let parent = to.parent().unwrap_or(to);
            fs::create_dir_all(parent).map_err(|error| Failure::io(parent, &error))?;
            disk::move_new(from, to, context).map_err(|error| Failure::io(to, &error))?;
            Ok("moved_back")
        }
    }
}

fn restore(backup: &Path, to: &Path, sha256: &str, context: &CallContext) -> Result<&'static str, Failure> {
    let before = disk::sha256_of(backup).map_err(|error| Failure::io(backup, &error))?;
    let replace = if is_there(to) {
        let current = disk::sha256_of(to).map_err(|error| Failure::io(to, &error))?;
        if current == before {
            return Ok(ALREADY);
        }
        if current != sha256 {
            return Err(changed_since(to));
        }
        Replace::Yes
    } else {
        Replace::No
    };
    disk::copy(backup, to, replace, context).map_err(|error| Failure::io(to, &error))?;
    Ok("restored")
}

fn remove_file(path: &Path, sha256: &str) -> Result<&'static str, Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    match disk::sha256_of(path) {
        Ok(current) if current == sha256 => {
            fs::remove_file(path).map_err(io)?;
            Ok("removed")
        }
        Ok(_) => Err(changed_since(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(ALREADY),
        Err(error) => Err(io(error)),
    }
}

fn remove_dir(path: &Path) -> Result<&'static str, Failure> {
    match fs::remove_dir(path) {
        Ok(()) => Ok("removed"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(ALREADY),
        Err(error) => Err(Failure::io(path, &error)),
    }
}

/// The paths a reversal touches: those it changes.
pub(super) fn changed_paths(reversal: &Reversal) -> Vec<&str> {
    match reversal {
        Reversal::MoveBack { from, to } => vec![from, to],
        Reversal::Restore { backup, to, .. } => vec![backup, to],
        Reversal::RemoveFile { path, .. } | Reversal::RemoveDir { path } => vec![path],
        Reversal::Task { .. } | Reversal::Call { .. } => Vec::new(),
    }
}

/// What the worker is sent for this.
pub(super) fn request(reversals: &[Reversal], context: &CallContext) -> Value {
    json!({"reversals": reversals, "context": context})
}
