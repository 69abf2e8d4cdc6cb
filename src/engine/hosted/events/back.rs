//! Takes a change of a calendar back: the file is as it was before, or gone again. Only where it still is in the
//! version that the change left; what somebody changed since stays, and is said. Copies lie in the turn's own folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{Desk, failed, object};
use crate::{
    agenda::{Agenda, AgendaError, Holds, Leaf, Owner, ShelfError, version_of},
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

    pub(super) async fn put_back(&self, back: &Value) -> Result<ToolResult, ToolError> {
        let place = (self.agenda, &self.owner, Holds::Events);
        put_back(place, back, &self.call.context.backup_dir).await
    }
}

/// A copy of a file as it is, in the folder of a turn.
pub(in crate::engine::hosted) fn copied(leaf: &Leaf, folder: &Path) -> Result<String, ToolError> {
    let version = leaf.version.as_str();
    // A version that a server says may be anything, and the file's name has its collection in it.
    let version = version_of(version);
    let version = version.get(..16).unwrap_or_default();
    let place = folder.join(format!("{version}-{}", leaf.name.replace('/', "-")));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&place, &leaf.text));
    written.map_err(|source| {
        failed(AgendaError::Disk(ShelfError::Io {
            path: place.clone(),
            source,
        }))
    })?;
    Ok(place.to_string_lossy().into_owned())
}

/// Does what a way back describes, to one file. The copy lies beside those of other turns.
pub(in crate::engine::hosted) async fn put_back(
    (agenda, owner, holds): (&Agenda, &Owner, Holds),
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
    let there = agenda.read(owner, holds, file).await.map_err(failed)?;
    let copy = text("copy").map(fs::read_to_string).transpose().map_err(|source| {
        failed(AgendaError::Disk(ShelfError::Io {
            path: PathBuf::from(text("copy").unwrap_or_default()),
            source,
        }))
    })?;
    let version = there.as_ref().map(|leaf| leaf.version.as_str());
    let is_done = there.as_ref().map(|leaf| &leaf.text) == copy.as_ref();
    if !is_done {
        // A change that was cut off knows what it wrote, and not yet which version its server made of it.
        let written = there.as_ref().map(|leaf| version_of(&leaf.text));
        if version != text("version") && written.as_deref() != text("version") {
            let message = Message::new("events-undo-changed");
            return Err(ToolError::new(ErrorClass::AlreadyExists, message));
        }
        let done = match (&copy, version) {
            (Some(copy), version) => agenda.put(owner, holds, (file, copy), version).await.map(drop),
            (None, Some(version)) => agenda.remove(owner, holds, file, version).await,
            (None, None) => Ok(()),
        };
        done.map_err(|error| undone(failed(error)))?;
    }
    Ok(ToolResult::ok(object(
        json!({"ok_count": 1, "what": "restored", "count": 1}),
    )))
}

/// What was changed in the moment between is said as what it is.
fn undone(error: ToolError) -> ToolError {
    if error.class == ErrorClass::AlreadyExists {
        ToolError::new(ErrorClass::AlreadyExists, Message::new("events-undo-changed"))
    } else {
        error
    }
}
