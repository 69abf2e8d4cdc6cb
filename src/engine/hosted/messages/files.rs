//! `extract_messages`: the files of mails, put into a folder of the person's home. Names come from strangers: they hold
//! no path and nothing hidden, nothing that is there is ever replaced, and what was written can be taken back.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{super::Host, body};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        hex::hex,
        limits::{MAIL_FILES_BYTES_MAX, MAIL_FILES_MAX},
        message::Message,
        run::{Reversal, ToolResult},
    },
    executors::{Call, paths},
    mail::{Attachment, file_of},
};

/// Names tried for a file before its folder counts as full of such files.
const NAMES_TRIED: usize = 1_000;

/// A file as an entry names it.
pub(super) fn named(file: &Attachment) -> Value {
    json!({"name": file.name, "kind": file.kind, "size": file.size})
}

impl Host<'_> {
    pub(super) async fn extract_messages(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let folder = paths::resolve(call.text("to")?, &call.context.home)?;
        let wanted = call
            .optional_text("ending")?
            .map(|ending| ending.trim_start_matches('.').to_lowercase());
        let mut results = Vec::new();
        let mut reversals = Vec::new();
        let mut failed = Vec::new();
        let mut left_bytes = MAIL_FILES_BYTES_MAX;
        make_folder(&folder, &mut reversals)?;
        for (account, ids) in self.by_account(call).await? {
            let mut session = self.mail.session(&account).await?;
            for id in ids {
                let (letter, bytes) = match self.letter(&mut session, &id).await {
                    Ok(read) => read,
                    Err(error) => {
                        failed.push(json!({"path": id.to_string(), "message": error.message}));
                        continue;
                    }
                };
                let fits = |file: &&Attachment| {
                    let ending = file.name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
                    wanted.is_none() || ending == wanted
                };
                for file in letter.attachments.iter().filter(fits) {
                    if results.len() >= MAIL_FILES_MAX || file.size > left_bytes {
                        let message = Message::new("mail-files-too-much");
                        failed.push(json!({"path": file.name, "message": message}));
                        continue;
                    }
                    let Some(content) = file_of(&bytes, file.place) else {
                        failed.push(json!({"path": file.name, "message": Message::new("mail-unreadable")}));
                        continue;
                    };
                    left_bytes = left_bytes.saturating_sub(content.len());
                    let path = write_new(&folder, &file.name, &content)?;
                    reversals.push(Reversal::RemoveFile {
                        path: path.display().to_string(),
                        sha256: hex(&Sha256::digest(&content)),
                    });
                    results.push(json!({
                        "path": path.display().to_string(),
                        "name": path.file_name().map(|name| name.to_string_lossy().into_owned()),
                        "size": content.len(),
                        "mail": letter.subject,
                    }));
                }
            }
        }
        if results.is_empty() {
            // A folder that was made for nothing goes again.
            reversals.clear();
            remove_if_empty(&folder);
            return Err(ToolError::new(ErrorClass::NotFound, Message::new("mail-no-files")));
        }
        let mut fields = body(json!({
            "results": results,
            "ok_count": results.len(),
            "fail_count": failed.len(),
            "folder": paths::show_short(&folder, &call.context.home),
        }));
        if !failed.is_empty() {
            fields.insert("failed".to_owned(), json!(failed));
        }
        let mut result = ToolResult::ok(fields);
        result.reversals = reversals;
        Ok(result)
    }
}

fn make_folder(folder: &Path, reversals: &mut Vec<Reversal>) -> Result<(), ToolError> {
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| disk(&error, folder))?;
    reversals.push(Reversal::RemoveDir {
        path: folder.display().to_string(),
    });
    Ok(())
}

fn remove_if_empty(folder: &Path) {
    if let Err(error) = fs::remove_dir(folder) {
        tracing::debug!(%error, "the folder stays");
    }
}

/// Writes a file under its name, or the next free one: `bill.pdf`, `bill (2).pdf`.
fn write_new(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, ToolError> {
    let (stem, ending) = name
        .rsplit_once('.')
        .map_or((name, None), |(stem, ending)| (stem, Some(ending)));
    for number in 1..NAMES_TRIED {
        let tried = match (number, ending) {
            (1, _) => name.to_owned(),
            (_, Some(ending)) => format!("{stem} ({number}).{ending}"),
            (_, None) => format!("{stem} ({number})"),
        };
        let path = folder.join(tried);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                return match file.write_all(content).and_then(|()| file.sync_all()) {
                    Ok(()) => Ok(path),
                    Err(error) => {
                        if let Err(error) = fs::remove_file(&path) {
                            tracing::warn!(%error, "half a file is left");
                        }
                        Err(disk(&error, &path))
                    }
                };
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(disk(&error, &path)),
        }
    }
    Err(ToolError::new(
        ErrorClass::AlreadyExists,
        Message::new("mail-files-too-much"),
    ))
}

fn disk(error: &std::io::Error, path: &Path) -> ToolError {
    let message = Message::new("mail-cannot-write").with("path", path.display().to_string());
    ToolError::new(ErrorClass::PermissionDenied, message).with_detail(error.to_string())
}
