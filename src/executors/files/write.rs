//! `write_files` and `create_dirs`. A file is written whole or not at all; what it replaces is kept for undo; writing
//! what is there already changes nothing, so that a step which is run again after a crash does no harm.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    super::{
        Call, CallContext,
        batch::{Batch, Changed, Failure, can_any, io_error},
        missing, object, paths,
        progress::Ledger,
        wrong,
    },
    disk::{self, Replace},
    lines::{self, Edit, Edited},
    read::targets,
    rows,
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    lang::Lang,
    limits,
    message::Message,
    run::{Reversal, ToolResult},
};

/// What to do with a file that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Overwrite,
    Append,
    FailIfExists,
    Lines(Edit),
}

impl Mode {
    fn of(call: &Call) -> Result<Self, ToolError> {
        match call.optional_text("mode")?.unwrap_or("overwrite") {
            "overwrite" => Ok(Self::Overwrite),
            "append" => Ok(Self::Append),
            "fail_if_exists" => Ok(Self::FailIfExists),
            "add_lines" => Ok(Self::Lines(Edit::Add)),
            "remove_lines" => Ok(Self::Lines(Edit::Remove)),
            "clear_lines" => Ok(Self::Lines(Edit::Clear)),
            "tick_lines" => Ok(Self::Lines(Edit::Tick)),
            _ => Err(wrong("mode")),
        }
    }
}

/// Says why this could not be written, if that is known before anything is tried.
pub(in crate::executors) fn foresee_write(call: &Call) -> Result<(), ToolError> {
    let path = paths::resolve(call.text("path")?, &call.context.home)?;
    let content = content(call)?;
    let real = through_links(&path);
    let mode = Mode::of(call)?;
    let foreseen = existing(&path, &real, mode)
        .and_then(|_existing| path.parent().map_or(Ok(()), refuse_blocked))
        .and_then(|()| match mode {
            Mode::Lines(edit) => edited(&path, &real, &content, edit, call.context.lang).map(drop),
            Mode::Append if rows::is_table(&name_of(&path)) => match fs::read(&real) {
                Ok(before) => as_rows(&path, &before, &content, call.context.lang).map(drop),
                Err(_new) => Ok(()),
            },
            Mode::Overwrite | Mode::Append | Mode::FailIfExists => Ok(()),
        });
    foreseen.map_err(|failure| *failure.error)
}

/// Says why none of these folders could be made, if that is known before anything is tried.
pub(in crate::executors) fn foresee_dirs(call: &Call) -> Result<(), ToolError> {
    let (targets, _) = targets(call)?;
    can_any(
        targets
            .into_iter()
            .map(|target| target.and_then(|path| refuse_blocked(&path))),
    )
}

/// A folder cannot stand where a file is, nor below one.
pub(super) fn refuse_blocked(folder: &Path) -> Result<(), Failure> {
    match folder.ancestors().find(|above| above.is_file()) {
        Some(file) if file == folder => Err(Failure::mismatch(folder, "directory", "file")),
        Some(file) => {
            let message = Message::new("executors-path-is-file").with("path", paths::show(file));
            Err(Failure::path(folder, ToolError::new(ErrorClass::InvalidArgs, message)))
        }
        None => Ok(()),
    }
}

/// The text that is there with its lines changed. One that is not there begins with what is added to it, and is changed
/// by nobody otherwise.
fn edited(path: &Path, real: &Path, said: &str, edit: Edit, lang: Lang) -> Result<Edited, Failure> {
    let metadata = match fs::metadata(real) {
        Err(error) if edit == Edit::Add && error.kind() == io::ErrorKind::NotFound => {
            return lines::edit(edit, "", said, &name_of(path)).map_err(|error| Failure::path(path, error));
        }
        metadata => metadata.map_err(|error| Failure::io(path, &error))?,
    };
    if metadata.len() > limits::FILE_BYTES_MAX {
        return Err(Failure::io(path, &io::ErrorKind::FileTooLarge.into()));
    }
    let text = fs::read_to_string(real).map_err(|error| Failure::io(path, &error))?;
    let rows = match edit {
        Edit::Add => as_rows(path, text.as_bytes(), said, lang)?,
        Edit::Remove | Edit::Clear | Edit::Tick => None,
    };
    if let Some(rows) = rows {
        let new = appended(text.as_bytes(), &rows.join(lines::line_end(text.as_bytes())));
        let there = rows.iter().filter(|row| text.lines().any(|line| line == row.as_str()));
        return Ok(Edited {
            text: String::from_utf8_lossy(&new).into_owned(),
            there: there.cloned().collect(),
            lines: rows,
        });
    }
    lines::edit(edit, &text, said, &name_of(path)).map_err(|error| Failure::path(path, error))
}

/// What is added to a table as its rows; nothing where it is no table.
fn as_rows(path: &Path, before: &[u8], said: &str, lang: Lang) -> Result<Option<Vec<String>>, Failure> {
    let Ok(text) = str::from_utf8(before) else {
        return Ok(None);
    };
    rows::fit(&name_of(path), text, said, lang).map_err(|error| Failure::path(path, error))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A link is written through, not replaced.
fn through_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_new| path.to_path_buf())
}

/// The file that is there already, if it may be written to.
fn existing(path: &Path, real: &Path, mode: Mode) -> Result<Option<fs::Metadata>, Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    if real.to_str().is_none() {
        // Where a link leads; undo could not name it.
        let message = Message::new(paths::NOT_TEXT).with("path", paths::show(real));
        return Err(Failure::path(path, ToolError::new(ErrorClass::InvalidArgs, message)));
    }
    match fs::metadata(real) {
        Ok(metadata) if metadata.is_dir() => Err(Failure::mismatch(path, "file", "directory")),
        Ok(metadata) if !metadata.is_file() => Err(Failure::mismatch(path, "file", "other")),
        Ok(_) if mode == Mode::FailIfExists => Err(io(io::ErrorKind::AlreadyExists.into())),
        Ok(metadata) if metadata.len() > limits::EXECUTOR_FILE_BYTES_MAX / 4 => {
            Err(io(io::ErrorKind::FileTooLarge.into()))
        }
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(error)),
    }
}

/// Writes one text file.
pub(in crate::executors) fn write_files(call: &Call) -> Result<ToolResult, ToolError> {
    let path = paths::resolve(call.text("path")?, &call.context.home)?;
    let content = content(call)?;
    let mode = Mode::of(call)?;
    let mut batch = Batch::noting(&call.context);
    let outcome = write_one(call, &path, &content, mode, &mut batch.ledger);
    let mut others = Map::new();
    batch.push_shown(
        outcome,
        &["path", "name", "folder", "bytes", "action", "lines", "there"],
        &mut others,
    );
    Ok(batch.finish("results", others))
}

/// The text to write: words as they are, anything else as JSON.
fn content(call: &Call) -> Result<String, ToolError> {
    match call.args.get("content") {
        None | Some(Value::Null) => Err(missing("content")),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_))) => {
            serde_json::to_string_pretty(value).map_err(|error| wrong("content").with_detail(error.to_string()))
        }
    }
}

fn write_one(
    call: &Call,
    path: &Path,
    content: &str,
    mode: Mode,
    ledger: &mut Ledger,
) -> Result<(Value, Changed), Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    let real = through_links(path);
    let existing_bytes = match existing(path, &real, mode)? {
        Some(_) => Some(fs::read(&real).map_err(io)?),
        None => None,
    };
    let (mut added, mut there) = (Vec::new(), Vec::new());
    let bytes = match (&existing_bytes, mode) {
        (_, Mode::Lines(edit)) => {
            let edited = edited(path, &real, content, edit, call.context.lang)?;
            (added, there) = (edited.lines, edited.there);
            edited.text.into_bytes()
        }
        (Some(before), Mode::Append) => {
            let rows = as_rows(path, before, content, call.context.lang)?;
            let new = rows.map(|rows| rows.join(lines::line_end(before)));
            let new = new.as_deref().unwrap_or(content);
            added.extend(one_line(new));
            appended(before, new)
        }
        (Some(_) | None, Mode::Overwrite | Mode::FailIfExists | Mode::Append) => content.as_bytes().to_vec(),
    };
    let action = match existing_bytes {
        Some(before) if before == bytes && mode == Mode::Lines(Edit::Tick) => "ticked_before",
        Some(before) if before == bytes && mode == Mode::Lines(Edit::Clear) => "cleared_before",
        Some(before) if before == bytes => "unchanged",
        Some(_) => {
            let backup = disk::backup_place(&real, &call.context).map_err(io)?;
            disk::copy(&real, &backup, Replace::No, &call.context).map_err(io)?;
            let draft = disk::draft(&real, &bytes, &call.context).map_err(io)?;
            let way_back = Reversal::Restore {
                backup: paths::show(&backup),
                to: paths::show(&real),
                sha256: disk::sha256_hex(&bytes),
            };
            ledger.doing(way_back, || draft.place(Replace::Yes)).map_err(io)?;
            match mode {
                Mode::Append if !added.is_empty() => "line_appended",
                Mode::Append => "appended",
                Mode::Lines(Edit::Add) => "lines_added",
                Mode::Lines(Edit::Remove) => "line_removed",
                Mode::Lines(Edit::Clear) => "cleared",
                Mode::Lines(Edit::Tick) => "ticked",
                Mode::Overwrite | Mode::FailIfExists => "overwritten",
            }
        }
        None => {
            make_parents(&real, ledger)?;
            put_new(&real, &call.context, ledger, |file| file.write_all(&bytes)).map_err(io)?;
            if added.is_empty() { "created" } else { "list_created" }
        }
    };
    let changed = match action {
        "unchanged" | "ticked_before" | "cleared_before" => Changed::No,
        _ => Changed::Yes,
    };
    let result = json!({
        "path": paths::show(path),
        "name": name_of(path),
        "bytes": content.len(),
        "action": action,
        "folder": paths::show_short(path.parent().unwrap_or(path), &call.context.home),
        "lines": added.join(", "),
        "there": if there.is_empty() { "none".to_owned() } else { there.join(", ") },
    });
    Ok((result, changed))
}

/// What was added, where it is short enough to be said again.
fn one_line(content: &str) -> Option<String> {
    let line = content.trim();
    let short = !line.is_empty() && !line.contains('\n') && line.chars().count() <= limits::LINE_NAMED_CHARS_MAX;
    short.then(|| line.to_owned())
}

/// The old text and the new, on a line of its own; a file whose lines all end keeps that.
fn appended(before: &[u8], content: &str) -> Vec<u8> {
    let mut bytes = before.to_vec();
    let ended = before.ends_with(b"\n");
    let end = lines::line_end(before).as_bytes();
    if !bytes.is_empty() && !ended && !content.starts_with('\n') {
        bytes.extend_from_slice(end);
    }
    bytes.extend_from_slice(content.as_bytes());
    if ended && !content.ends_with('\n') {
        bytes.extend_from_slice(end);
    }
    bytes
}

/// The name of a new file, where the call says one.
pub(super) fn new_name(call: &Call) -> Result<Option<&str>, ToolError> {
    let name = call.optional_text("new_name")?.map(str::trim);
    name.filter(|name| !name.is_empty()).map(file_name).transpose()
}

/// A name that leads into no other folder and hides nothing.
pub(super) fn file_name(name: &str) -> Result<&str, ToolError> {
    if name.contains('/') || name.starts_with('.') {
        return Err(wrong("new_name"));
    }
    Ok(name)
}

/// Puts a new file in its place, whole or not at all, and notes how to take that back. What is there is never replaced.
pub(super) fn put_new(
    to: &Path,
    context: &CallContext,
    ledger: &mut Ledger,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let draft = disk::draft_written(to, context, write)?;
    let way_back = Reversal::RemoveFile {
        path: paths::show(to),
        sha256: draft.sha256()?,
    };
    ledger.doing(way_back, || draft.place(Replace::No))
}

/// Makes the folders above a path, and notes how to take that back.
pub(super) fn make_parents(path: &Path, ledger: &mut Ledger) -> Result<(), Failure> {
    match path.parent() {
        Some(parent) => make_dirs(parent, ledger).map(|_made| ()),
        None => Ok(()),
    }
}

/// Makes a folder and those above it; returns how many were new.
pub(super) fn make_dirs(path: &Path, ledger: &mut Ledger) -> Result<usize, Failure> {
    let mut made = 0;
    for folder in disk::missing_dirs(path) {
        let way_back = Reversal::RemoveDir {
            path: paths::show(folder),
        };
        match ledger.doing(way_back, || fs::create_dir(folder)) {
            Ok(()) => made += 1,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            Err(error) => {
                let blocked = refuse_blocked(path).err();
                return Err(blocked.unwrap_or_else(|| Failure::path(path, io_error(path, &error))));
            }
        }
    }
    Ok(made)
}

/// Makes folders; one that is there already is fine.
pub(in crate::executors) fn create_dirs(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, _) = targets(call)?;
    let mut batch = Batch::noting(&call.context);
    let mut created = 0;
    for target in targets {
        let outcome = target.and_then(|path| {
            let count = make_dirs(&path, &mut batch.ledger)?;
            created += usize::from(count > 0);
            let (action, changed) = match count {
                0 => ("existed", Changed::No),
                _ => ("created", Changed::Yes),
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let result = json!({"path": paths::show(&path), "name": name, "action": action});
            Ok((result, changed))
        });
        batch.push_change(outcome);
    }
    let first = batch.done.first().and_then(|result| result.get("path")?.as_str());
    let folder = first.map(|path| paths::show_short(Path::new(path), &call.context.home));
    Ok(batch.finish("results", object(json!({"created": created, "folder": folder}))))
}
