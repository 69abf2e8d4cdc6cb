//! Takes a change of a calendar back: the file is as it was before, or gone again. Only where it still is in the
//! version that the change left; what somebody changed since stays, and is said. Copies lie in the turn's own folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{Desk, disk_failed, object};
use crate::{
    agenda::{Leaf, ShelfError},
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
        run::ToolResult,
    },
};

impl Desk<'_> {
    /// A copy of a file as it is, for the way back.
    pub(super) fn copied(&self, leaf: &Leaf) -> Result<String, ToolError> {
        copied(leaf, &self.call.context.backup_dir)
    }

    pub(super) fn put_back(&self, back: &Value) -> Result<ToolResult, ToolError> {
        put_back(&self.shelf, back, &self.call.context.backup_dir)
    }
}

/// A copy of a file as it is, in the folder of a turn.
pub(in crate::engine::hosted) fn copied(leaf: &Leaf, folder: &Path) -> Result<String, ToolError> {
    let version = leaf.version.get(..16).unwrap_or_default();
    let place = folder.join(format!("{version}-{}", leaf.name));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&place, &leaf.text));
    written.map_err(|source| {
        disk_failed(ShelfError::Io {
            path: place.clone(),
            source,
        })
    })?;
    Ok(place.to_string_lossy().into_owned())
}

/// Does what a way back describes, on one folder. The copy lies beside those of other turns.
pub(in crate::engine::hosted) fn put_back(
    shelf: &crate::agenda::Shelf,
    back: &Value,
    backup_dir: &Path,
) -> Result<ToolResult, ToolError> {
    let text = |name: &str| back.get(name).and_then(Value::as_str);
    let copies = backup_dir.parent();
    let is_ours = |copy: &str| Path::new(copy).parent().and_then(Path::parent) == copies && !copy.contains("..");
    if !text("copy").is_none_or(is_ours) {
        return Err(ToolError::new(ErrorClass::Forbidden, Message::new("events-gone")));
    }
    let file = text("file").unwrap_or_default();
    let there = shelf.read(file).map_err(disk_failed)?;
    let copy = text("copy").map(fs::read_to_string).transpose().map_err(|source| {
        disk_failed(ShelfError::Io {
            path: PathBuf::from(text("copy").unwrap_or_default()),
            source,
        })
    })?;
    let version = there.as_ref().map(|leaf| leaf.version.as_str());
    let is_done = version == copy.as_deref().map(crate::agenda::version_of).as_deref();
    if !is_done {
        if version != text("version") {
            let message = Message::new("events-undo-changed");
            return Err(ToolError::new(ErrorClass::AlreadyExists, message));
        }
        let done = match (&copy, text("version")) {
            (Some(copy), version) => shelf.put(file, copy, version).map(|_version| ()),
            (None, Some(version)) => shelf.remove(file, version),
            (None, None) => Ok(()),
        };
        done.map_err(disk_failed)?;
    }
    Ok(ToolResult::ok(object(
        json!({"ok_count": 1, "what": "restored", "count": 1}),
    )))
}
