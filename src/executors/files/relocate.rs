//! `move_files` and `delete_files`. A move never replaces anything; a deleted file goes to the turn's backup folder,
//! from where undo brings it back. Folders are never deleted: one mistake would lose too much at once.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    super::{
        Call, CallContext,
        batch::{Batch, Changed, Failure},
        object, paths, wrong,
    },
    disk,
    read::targets,
    write::make_dirs,
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
    run::{Reversal, ToolResult},
};

/// Moves files and folders into a folder, or gives one a new name.
pub(in crate::executors) fn move_files(call: &Call) -> Result<ToolResult, ToolError> {
    let folder = paths::resolve(call.text("dst_dir")?, &call.context.home)?;
    let new_name = call.optional_text("new_name")?.filter(|name| !name.is_empty());
    let (targets, _) = targets(call)?;
    if let Some(name) = new_name {
        if name.contains('/') || matches!(name, "." | "..") {
            return Err(wrong("new_name"));
        }
        if targets.len() > 1 {
            return Err(ToolError::new(
                ErrorClass::InvalidArgs,
                Message::new("executors-new-name-many"),
            ));
        }
    }
    let mut batch = Batch::default();
    let is_something_there = targets
        .iter()
        .any(|target| target.as_ref().is_ok_and(|path| fs::symlink_metadata(path).is_ok()));
    if is_something_there && let Err(failure) = make_dirs(&folder, &mut batch.reversals) {
        batch.push(Err(failure));
        return Ok(batch.finish("results", Map::new()));
    }
    for target in targets {
        let outcome = target.and_then(|path| move_one(&path, &folder, new_name, &call.context, &mut batch.reversals));
        batch.push_change(outcome);
    }
    if batch.done.is_empty() {
        take_back_dirs(&mut batch.reversals);
    }
    let others = object(json!({
        "dst_dir": paths::show(&folder),
        "folder": paths::show_short(&folder, &call.context.home),
    }));
    Ok(batch.finish("results", others))
}

/// Removes the folders made for a move that then moved nothing.
fn take_back_dirs(reversals: &mut Vec<Reversal>) {
    for reversal in reversals.drain(..).rev() {
        if let Reversal::RemoveDir { path } = reversal
            && let Err(error) = fs::remove_dir(&path)
        {
            tracing::warn!(path, %error, "cannot remove a folder made in vain");
        }
    }
}

fn move_one(
    path: &Path,
    folder: &Path,
    new_name: Option<&str>,
    context: &CallContext,
    reversals: &mut Vec<Reversal>,
) -> Result<(Value, Changed), Failure> {
    fs::symlink_metadata(path).map_err(|error| Failure::io(path, &error))?;
    let name = match (new_name, path.file_name()) {
        (Some(name), _) => name.into(),
        (None, Some(name)) => name.to_owned(),
        (None, None) => return Err(Failure::mismatch(path, "file", "directory")),
    };
    let to: PathBuf = folder.join(&name);
    let shown = json!({
        "path": paths::show(&to),
        "name": name.to_string_lossy(),
        "from": paths::show(path),
    });
    if to == path {
        return Ok((shown, Changed::No));
    }
    disk::move_new(path, &to, context).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Failure::io(&to, &error);
        }
        if error.kind() != io::ErrorKind::CrossesDevices {
            return Failure::io(path, &error);
        }
        let message = Message::new("executors-move-across-disks").with("path", paths::show(path));
        Failure::path(path, ToolError::new(ErrorClass::InvalidArgs, message))
    })?;
    reversals.push(Reversal::MoveBack {
        from: paths::show(&to),
        to: paths::show(path),
    });
    Ok((shown, Changed::Yes))
}

/// Puts files away, so that undo can bring them back.
pub(in crate::executors) fn delete_files(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, _) = targets(call)?;
    let mut batch = Batch::default();
    for target in targets {
        let outcome = target.and_then(|path| delete_one(&path, &call.context, &mut batch.reversals));
        batch.push(outcome);
    }
    let first = batch.done.first();
    let name = first.and_then(|result| result.get("name")).cloned().unwrap_or_default();
    Ok(batch.finish("results", object(json!({"name": name}))))
}

fn delete_one(path: &Path, context: &CallContext, reversals: &mut Vec<Reversal>) -> Result<Value, Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    let metadata = fs::symlink_metadata(path).map_err(io)?;
    if metadata.is_dir() {
        return Err(Failure::mismatch(path, "file", "directory"));
    }
    let backup = disk::backup_place(path, context).map_err(io)?;
    disk::move_new(path, &backup, context).map_err(io)?;
    reversals.push(Reversal::MoveBack {
        from: paths::show(&backup),
        to: paths::show(path),
    });
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(json!({"path": paths::show(path), "name": name, "size": metadata.len()}))
}
