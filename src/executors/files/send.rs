//! `send_files`: files a person wants brought to them. This only looks whether each can be sent; the channel brings
//! them once the turn is over. What is hidden is never sent, nor what no channel would take.

use std::{
    fs::{self, File},
    path::{Component, Path},
};

use serde_json::{Value, json};

use super::{
    super::{
        Call,
        batch::{Batch, Failure},
        object, paths,
    },
    read::targets,
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits::{SENT_FILE_BYTES_MAX, SENT_FILES_MAX},
    message::Message,
    run::ToolResult,
};

/// Checks each file; what a channel will bring is under `entries`.
pub(in crate::executors) fn send_files(call: &Call) -> Result<ToolResult, ToolError> {
    let (mut targets, available) = targets(call)?;
    targets.truncate(SENT_FILES_MAX);
    let used = targets.len();
    let mut batch = Batch::default();
    for target in targets {
        batch.push(target.and_then(|path| sendable(&path, &call.context.home)));
    }
    let mut others = object(json!({"used": used, "available_total": available}));
    if used < available {
        others.insert("truncated".to_owned(), json!(true));
    }
    if let [only] = batch.done.as_slice() {
        others.insert("name".to_owned(), only.get("name").cloned().unwrap_or_default());
    }
    Ok(batch.finish("entries", others))
}

fn sendable(path: &Path, home: &Path) -> Result<Value, Failure> {
    let refuse = |class: ErrorClass, key: &str| {
        let message = Message::new(key)
            .with("path", paths::show_short(path, home))
            .with("limit", SENT_FILE_BYTES_MAX / 1_000_000);
        Failure::path(path, ToolError::new(class, message))
    };
    let real = fs::canonicalize(path).map_err(|error| Failure::io(path, &error))?;
    let is_hidden = |path: &Path| {
        path.components()
            .any(|part| matches!(part, Component::Normal(name) if super::is_hidden(name)))
    };
    if is_hidden(path.strip_prefix(home).unwrap_or(path)) || is_hidden(real.strip_prefix(home).unwrap_or(&real)) {
        return Err(refuse(ErrorClass::Forbidden, "executors-send-hidden"));
    }
    let metadata = fs::metadata(&real).map_err(|error| Failure::io(path, &error))?;
    if metadata.is_dir() {
        return Err(Failure::mismatch(path, "file", "directory"));
    }
    if !metadata.is_file() {
        return Err(Failure::mismatch(path, "file", "other"));
    }
    if metadata.len() == 0 {
        return Err(refuse(ErrorClass::InvalidArgs, "executors-send-empty"));
    }
    if metadata.len() > SENT_FILE_BYTES_MAX {
        return Err(refuse(ErrorClass::TooLarge, "executors-send-too-large"));
    }
    File::open(&real).map_err(|error| Failure::io(path, &error))?;
    Ok(Value::Object(super::entry(&real, &metadata)))
}
