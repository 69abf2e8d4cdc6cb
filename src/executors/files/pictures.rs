//! `change_files_format`: pictures in another format, smaller, or turned, each as a new file beside the one it was made
//! of. Nothing is replaced, and undo removes what was made. What stands in a picture is `metnos_photos`' to read; here
//! files are opened within bounds.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use metnos_photos::{Format, Turn, Unchanged, Wanted, change};
use serde_json::{Value, json};

use super::{
    super::{
        Call, CallContext,
        batch::{Batch, Changed, Failure},
        object, paths,
        progress::Ledger,
        wrong,
    },
    read::targets,
    write::put_new,
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits::{PICTURE_BYTES_MAX, PICTURE_SMALL_PIXELS},
    message::Message,
    run::ToolResult,
};

/// Makes changed pictures beside these.
pub(in crate::executors) fn change_files_format(call: &Call) -> Result<ToolResult, ToolError> {
    let wanted = wanted(call)?;
    let (targets, _) = targets(call)?;
    let mut batch = Batch::noting(&call.context);
    let mut others = object(json!({}));
    for target in targets {
        let outcome = target.and_then(|path| make(&path, &wanted, &call.context, &mut batch.ledger));
        batch.push_shown(outcome, &["path", "shown", "width", "height"], &mut others);
    }
    Ok(batch.finish("results", others))
}

fn wanted(call: &Call) -> Result<Wanted, ToolError> {
    let format = match call.optional_text("to_format")? {
        Some(name) => Some(Format::parse(name).ok_or_else(|| wrong("to_format"))?),
        None => None,
    };
    let longest = match call.count("longest")? {
        Some(pixels) => Some(u32::try_from(pixels).map_err(|_too_many| wrong("longest"))?),
        None => call.flag("smaller", false)?.then_some(PICTURE_SMALL_PIXELS),
    };
    let turn = match call.optional_text("turn")? {
        None => None,
        Some("right") => Some(Turn::Right),
        Some("left") => Some(Turn::Left),
        Some("around") => Some(Turn::Around),
        Some(_) => return Err(wrong("turn")),
    };
    let wanted = Wanted { format, longest, turn };
    if wanted == Wanted::default() {
        let message = Message::new("executors-picture-how");
        return Err(ToolError::new(ErrorClass::InvalidArgs, message));
    }
    Ok(wanted)
}

fn make(path: &Path, wanted: &Wanted, context: &CallContext, ledger: &mut Ledger) -> Result<(Value, Changed), Failure> {
    let failed = |error: io::Error| Failure::io(path, &error);
    let bytes = read(path)?;
    let changed = change(&bytes, wanted).map_err(|why| unchanged(path, why))?;
    let to = place(path, changed.format).ok_or_else(|| failed(io::ErrorKind::AlreadyExists.into()))?;
    put_new(&to, context, ledger, |file| file.write_all(&changed.bytes)).map_err(failed)?;
    let result = json!({
        "path": paths::show(&to),
        "shown": paths::show_short(&to, &context.home),
        "width": changed.size.0,
        "height": changed.size.1,
        "bytes": changed.bytes.len(),
    });
    Ok((result, Changed::Yes))
}

/// A picture's file, within bounds.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: io::Error| Failure::io(path, &error);
    let metadata = fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(Failure::mismatch(path, "file", "directory"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(PICTURE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > PICTURE_BYTES_MAX {
        return Err(unchanged(path, Unchanged::TooLarge));
    }
    Ok(bytes)
}

/// A free name beside it: `rome.png`, else `rome 2.jpg`.
fn place(path: &Path, format: Format) -> Option<PathBuf> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths::free_place(path.parent().unwrap_or(path), &stem, &format!(".{}", format.ending()))
}

/// Why nothing could be made of it.
pub(super) fn unchanged(path: &Path, why: Unchanged) -> Failure {
    let (class, key) = match why {
        Unchanged::Unknown => (ErrorClass::InvalidArgs, "executors-picture-unknown"),
        Unchanged::TooLarge => (ErrorClass::TooLarge, "executors-picture-too-large"),
        Unchanged::Broken => (ErrorClass::InvalidArgs, "executors-picture-broken"),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Failure::path(path, ToolError::new(class, Message::new(key).with("name", name)))
}
