//! `move_files` (which copies, too) and `delete_files`. Neither a move nor a copy ever replaces anything; a deleted
//! file goes to the turn's backup folder, from where undo brings it back. Folders are never deleted nor copied: one
//! mistake would lose too much, or fill the disk, at once.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    super::{
        Call, CallContext,
        batch::{Batch, Changed, Failure, can_any},
        object, paths,
        progress::Ledger,
        wrong,
    },
    disk::{self, Replace},
    read::targets,
    write::{make_dirs, refuse_blocked},
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
    run::{Reversal, ToolResult},
};

/// Says why none of this could be moved, if that is known before anything is tried.
pub(in crate::executors) fn foresee_move(call: &Call) -> Result<(), ToolError> {
    let Move {
        folder,
        new_name,
        copies,
        targets,
    } = move_request(call)?;
    let movable = targets.into_iter().map(|target| {
        target.and_then(|path| {
            if copies {
                refuse_all_but_files(&path)?;
            }
            destination(&path, &folder, new_name, copies).map(drop)
        })
    });
    can_any(movable)?;
    refuse_blocked(&folder).map_err(|failure| *failure.error)
}

/// What is to be moved where, or copied there.
struct Move<'a> {
    folder: PathBuf,
    new_name: Option<&'a str>,
    copies: bool,
    targets: Vec<Result<PathBuf, Failure>>,
}

fn move_request(call: &Call) -> Result<Move<'_>, ToolError> {
    let folder = paths::resolve(call.text("dst_dir")?, &call.context.home)?;
    let new_name = call.optional_text("new_name")?.filter(|name| !name.is_empty());
    let copies = call.flag("copy", false)?;
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
    Ok(Move {
        folder,
        new_name,
        copies,
        targets,
    })
}

/// Moves files and folders into a folder, or gives one a new name; files are copied there when that is asked for.
pub(in crate::executors) fn move_files(call: &Call) -> Result<ToolResult, ToolError> {
    let Move {
        folder,
        new_name,
        copies,
        targets,
    } = move_request(call)?;
    let mut batch = Batch::noting(&call.context);
    let is_something_there = targets
        .iter()
        .any(|target| target.as_ref().is_ok_and(|path| fs::symlink_metadata(path).is_ok()));
    if is_something_there && let Err(failure) = make_dirs(&folder, &mut batch.ledger) {
        batch.push(Err(failure));
        return Ok(batch.finish("results", Map::new()));
    }
    for target in targets {
        let outcome = target.and_then(|path| {
            let relocate = if copies { copy_one } else { move_one };
            relocate(&path, &folder, new_name, &call.context, &mut batch.ledger)
        });
        batch.push_change(outcome);
    }
    if batch.done.is_empty() {
        take_back_dirs(&mut batch.ledger);
    }
    let one = batch.done.first();
    let path_of = |field: &str| {
        one.and_then(|done| done.get(field))
            .and_then(Value::as_str)
            .map(Path::new)
    };
    let name_of = |field: &str| path_of(field).map(file_name).unwrap_or_default();
    let parent_of = |field: &str| path_of(field).and_then(Path::parent);
    let action = match (
        name_of("from") == name_of("path"),
        parent_of("from") == parent_of("path"),
    ) {
        (false, _) if copies => "copied_as",
        _ if copies => "copied",
        (false, true) => "renamed",
        (false, false) => "moved_as",
        (true, _) => "moved",
    };
    let others = object(json!({
        "action": action,
        "what": what(&batch.done),
        "name": name_of("path"),
        "was": name_of("from"),
        "dst_dir": paths::show(&folder),
        "folder": paths::show_short(&folder, &call.context.home),
    }));
    Ok(batch.finish("results", others))
}

/// What was moved, for the sentence.
fn what(done: &[Value]) -> &'static str {
    let is_folder = |result: &Value| result.get("kind").and_then(Value::as_str) == Some("directory");
    match done.iter().filter(|result| is_folder(result)).count() {
        0 => "files",
        folders if folders == done.len() => "folders",
        _ => "things",
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A copy beside the original; undo removes it, unless somebody changed it since.
fn copy_one(
    path: &Path,
    folder: &Path,
    new_name: Option<&str>,
    context: &CallContext,
    ledger: &mut Ledger,
) -> Result<(Value, Changed), Failure> {
    refuse_all_but_files(path)?;
    let to = destination(path, folder, new_name, true)?;
    let failed = |error: io::Error| Failure::io(&to, &error);
    let draft = disk::draft_copy(path, &to, context).map_err(failed)?;
    let way_back = Reversal::RemoveFile {
        path: paths::show(&to),
        sha256: draft.sha256().map_err(failed)?,
    };
    ledger.doing(way_back, || draft.place(Replace::No)).map_err(failed)?;
    Ok((relocated(path, &to), Changed::Yes))
}

/// A folder, a link or a device is no file that could be copied.
fn refuse_all_but_files(path: &Path) -> Result<(), Failure> {
    let metadata = fs::symlink_metadata(path).map_err(|error| Failure::io(path, &error))?;
    match (metadata.is_file(), metadata.is_dir()) {
        (true, _) => Ok(()),
        (false, true) => Err(Failure::mismatch(path, "file", "directory")),
        (false, false) => Err(Failure::mismatch(path, "file", "other")),
    }
}

/// What is said of one that went well.
fn relocated(from: &Path, to: &Path) -> Value {
    let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
    json!({
        "path": paths::show(to),
        "name": name,
        "from": paths::show(from),
        "kind": if fs::symlink_metadata(from).is_ok_and(|found| found.is_dir()) { "directory" } else { "file" },
    })
}

/// Removes the folders made for what then was not put there.
pub(super) fn take_back_dirs(ledger: &mut Ledger) {
    while let Some(reversal) = ledger.forget_last() {
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
    ledger: &mut Ledger,
) -> Result<(Value, Changed), Failure> {
    let to = destination(path, folder, new_name, false)?;
    let shown = relocated(path, &to);
    if to == path {
        return Ok((shown, Changed::No));
    }
    let way_back = Reversal::MoveBack {
        from: paths::show(&to),
        to: paths::show(path),
    };
    let moved = ledger.doing(way_back, || disk::move_new(path, &to, context));
    moved.map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Failure::io(&to, &error);
        }
        if error.kind() != io::ErrorKind::CrossesDevices {
            return Failure::io(path, &error);
        }
        let message = Message::new("executors-move-across-disks").with("path", paths::show(path));
        Failure::path(path, ToolError::new(ErrorClass::InvalidArgs, message))
    })?;
    Ok((shown, Changed::Yes))
}

/// Where a thing that is there goes; the place must be free, unless it is moved to where it is.
fn destination(path: &Path, folder: &Path, new_name: Option<&str>, copies: bool) -> Result<PathBuf, Failure> {
    let found = fs::symlink_metadata(path).map_err(|error| Failure::io(path, &error))?;
    if found.is_dir() && folder.starts_with(path) {
        let message = Message::new("executors-move-into-itself").with("path", paths::show(path));
        return Err(Failure::path(path, ToolError::new(ErrorClass::InvalidArgs, message)));
    }
    let name = match (new_name, path.file_name()) {
        (Some(name), _) => name.as_ref(),
        (None, Some(name)) => name,
        (None, None) => return Err(Failure::mismatch(path, "file", "directory")),
    };
    let to = folder.join(name);
    if (copies || to != path) && fs::symlink_metadata(&to).is_ok() {
        return Err(Failure::io(&to, &io::ErrorKind::AlreadyExists.into()));
    }
    Ok(to)
}

/// Says why none of this could be deleted, if that is known before anything is tried.
pub(in crate::executors) fn foresee_delete(call: &Call) -> Result<(), ToolError> {
    let (targets, _) = targets(call)?;
    can_any(
        targets
            .into_iter()
            .map(|target| target.and_then(|path| deletable(&path).map(drop))),
    )
}

/// A folder is no file: deleting it would lose too much at once.
fn deletable(path: &Path) -> Result<fs::Metadata, Failure> {
    let metadata = fs::symlink_metadata(path).map_err(|error| Failure::io(path, &error))?;
    if metadata.is_dir() {
        let failure = Failure::mismatch(path, "file", "directory");
        let message = Message::new("executors-delete-is-directory").with("path", paths::show(path));
        return Err(failure.saying(message));
    }
    Ok(metadata)
}

/// Puts files away, so that undo can bring them back.
pub(in crate::executors) fn delete_files(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, _) = targets(call)?;
    let mut batch = Batch::noting(&call.context);
    for target in targets {
        let outcome = target.and_then(|path| delete_one(&path, &call.context, &mut batch.ledger));
        batch.push(outcome);
    }
    let first = batch.done.first();
    let name = first.and_then(|result| result.get("name")).cloned().unwrap_or_default();
    Ok(batch.finish("results", object(json!({"name": name}))))
}

fn delete_one(path: &Path, context: &CallContext, ledger: &mut Ledger) -> Result<Value, Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    let metadata = deletable(path)?;
    let backup = disk::backup_place(path, context).map_err(io)?;
    let way_back = Reversal::MoveBack {
        from: paths::show(&backup),
        to: paths::show(path),
    };
    let moved = ledger.doing(way_back, || disk::move_new(path, &backup, context));
    moved.map_err(io)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(json!({"path": paths::show(path), "name": name, "size": metadata.len()}))
}
