//! `change_images_pdf`: pictures as the pages of one PDF, in their order and upright, beside the first of them. A JPEG
//! goes in as it is, another picture as one; how a page is made is `metnos_documents`' to know. Nothing is replaced,
//! all of it is made or nothing, and undo removes it.

use std::{
    io::{self, Cursor, Write},
    path::{Path, PathBuf},
};

use metnos_documents::{Leaf, bound};
use metnos_photos::{Format, Unchanged, Wanted, change};
use serde_json::{Value, json};

use super::{
    super::{
        Call,
        batch::{Batch, Changed, Failure},
        object, paths,
        progress::Ledger,
    },
    pictures,
    read::targets,
    write::{new_name, put_new},
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits::{PDF_BYTES_MAX, PDF_PAGES_MAX},
    message::Message,
    run::ToolResult,
};

/// The ending of what is made.
const ENDING: &str = ".pdf";

/// Binds these pictures into one PDF.
pub(in crate::executors) fn change_images_pdf(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, available) = targets(call)?;
    if available > PDF_PAGES_MAX {
        return Err(too_large());
    }
    let name = new_name(call)?.map(|name| name.strip_suffix(ENDING).unwrap_or(name));
    let mut batch = Batch::noting(&call.context);
    let made = make(targets, name, call, &mut batch.ledger);
    let mut others = object(json!({}));
    batch.push_shown(made, &["path", "shown", "pages"], &mut others);
    Ok(batch.finish("results", others))
}

fn make(
    targets: Vec<Result<PathBuf, Failure>>,
    name: Option<&str>,
    call: &Call,
    ledger: &mut Ledger,
) -> Result<(Value, Changed), Failure> {
    let mut leaves = Vec::new();
    let mut first: Option<PathBuf> = None;
    let mut bytes = 0_u64;
    for target in targets {
        let path = target?;
        let leaf = leaf(&path)?;
        bytes = bytes.saturating_add(leaf.bytes() as u64);
        if bytes > PDF_BYTES_MAX {
            return Err(Failure::path(&path, too_large()));
        }
        leaves.push(leaf);
        first.get_or_insert(path);
    }
    let first = first.unwrap_or_default();
    let failed = |error: io::Error| Failure::io(&first, &error);
    let stem = first.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = first.parent().unwrap_or(&first);
    let to = paths::free_place(folder, name.unwrap_or(&stem), ENDING);
    let to = to.ok_or_else(|| failed(io::ErrorKind::AlreadyExists.into()))?;
    let pages = leaves.len();
    let pdf = bound(leaves).ok_or_else(|| pictures::unchanged(&first, Unchanged::Broken))?;
    put_new(&to, &call.context, ledger, |file| file.write_all(&pdf)).map_err(failed)?;
    let result = json!({
        "path": paths::show(&to),
        "shown": paths::show_short(&to, &call.context.home),
        "pages": pages,
        "bytes": pdf.len(),
    });
    Ok((result, Changed::Yes))
}

/// A picture as a page: as it is, else made anew, upright.
fn leaf(path: &Path) -> Result<Leaf, Failure> {
    let bytes = pictures::read(path)?;
    let orientation = metnos_photos::read(Cursor::new(&bytes)).and_then(|photo| photo.orientation);
    if let Some(leaf) = Leaf::of_jpeg(&bytes, orientation.unwrap_or(1)) {
        return Ok(leaf);
    }
    let wanted = Wanted {
        format: Some(Format::Jpeg),
        ..Wanted::default()
    };
    let changed = change(&bytes, &wanted).map_err(|why| pictures::unchanged(path, why))?;
    Leaf::of_jpeg(&changed.bytes, 1).ok_or_else(|| pictures::unchanged(path, Unchanged::Broken))
}

fn too_large() -> ToolError {
    let message = Message::new("executors-pdf-too-large")
        .with("pages", PDF_PAGES_MAX)
        .with("limit", PDF_BYTES_MAX / 1_000_000);
    ToolError::new(ErrorClass::TooLarge, message)
}
