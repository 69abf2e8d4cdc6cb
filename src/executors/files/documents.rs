//! What documents say, for `read_files`: PDF, office documents, sheets, books, pages. The reading itself is
//! `metnos_documents`, which knows no file; this decides how much is taken and says what stood in the way.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use metnos_documents::{Bounds, Cell, Document, Kind, Label, Table, Unreadable};
use serde_json::{Value, json};

use super::super::{batch::Failure, paths};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits,
    message::Message,
};

/// Endings of texts that are tables.
const TABLE_ENDINGS: [&str; 2] = ["csv", "tsv"];

/// Whether a file that begins like this is read as a document rather than as the text it is.
pub(super) fn is_document(head: &[u8]) -> bool {
    !matches!(Kind::of(head), Kind::Text)
}

/// Whether a file that begins like this is a document that can be read; of a packed one the beginning may not tell.
pub(super) fn is_readable(head: &[u8]) -> bool {
    match Kind::of(head) {
        Kind::Text | Kind::Locked => false,
        Kind::Unknown(_) => head.starts_with(b"PK"),
        Kind::Pdf
        | Kind::Word
        | Kind::Slides
        | Kind::Sheet
        | Kind::OldSheet
        | Kind::OpenText
        | Kind::OpenSlides
        | Kind::OpenSheet
        | Kind::Book
        | Kind::RichText
        | Kind::Page => true,
    }
}

/// What a file says, at most `text_bytes` of it.
pub(super) fn read(path: &Path, mut file: File, head: Vec<u8>, text_bytes: u64) -> Result<Document, Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    let mut bytes = head;
    let room = limits::DOCUMENT_BYTES_MAX.saturating_sub(bytes.len() as u64);
    (&mut file).take(room + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > limits::DOCUMENT_BYTES_MAX {
        return Err(failure(path, &Unreadable::TooLarge));
    }
    metnos_documents::read(&bytes, None, &bounds(text_bytes)).map_err(|error| failure(path, &error))
}

fn bounds(text_bytes: u64) -> Bounds {
    Bounds {
        unpacked_bytes: limits::DOCUMENT_UNPACKED_BYTES_MAX,
        pages: limits::DOCUMENT_PAGES_MAX,
        cells: limits::DOCUMENT_CELLS_MAX,
        text_bytes: usize::try_from(text_bytes).unwrap_or(usize::MAX),
        depth: limits::DOCUMENT_DEPTH_MAX,
    }
}

/// Pages and sheets, each with its text or its rows: what questions are answered from (`metnos_papers::Part`).
pub(super) fn parts(document: &Document) -> Value {
    let parts = document.parts.iter().map(|part| {
        let page = if let Label::Page(page) = part.label {
            Some(page)
        } else {
            None
        };
        let sheet = if let Label::Sheet(name) = &part.label {
            Some(name)
        } else {
            None
        };
        match &part.table {
            Some(table) => json!({"page": page, "sheet": sheet, "rows": rows(table)}),
            None => json!({"page": page, "sheet": sheet, "text": part.text}),
        }
    });
    parts.collect()
}

/// The same of a text: rows, where its name says that there are some.
pub(super) fn parts_of_text(path: &Path, text: &str) -> Value {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    if TABLE_ENDINGS.iter().any(|own| ending == *own) {
        json!([{"rows": rows(&metnos_documents::rows(text, &bounds(text.len() as u64)))}])
    } else {
        json!([{"text": text}])
    }
}

fn rows(table: &Table) -> Value {
    let cell = |cell: &Cell| match cell {
        Cell::Empty => Value::Null,
        Cell::Number(number) => json!(number),
        Cell::Text(text) | Cell::Moment(text) => json!(text),
        Cell::Flag(flag) => json!(flag),
    };
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect::<Value>());
    rows.collect()
}

/// The text of a document; of several sheets each stands under its name.
pub(super) fn text(document: &Document) -> String {
    let has_sheets =
        document.parts.len() > 1 && document.parts.iter().all(|part| matches!(part.label, Label::Sheet(_)));
    if !has_sheets {
        return document.text();
    }
    let texts: Vec<String> = document
        .parts
        .iter()
        .map(|part| match &part.label {
            Label::Sheet(name) => format!("[{name}]\n{}", part.text.trim_end()),
            Label::Whole | Label::Page(_) => part.text.clone(),
        })
        .collect();
    texts.join("\n\n")
}

fn failure(path: &Path, error: &Unreadable) -> Failure {
    let message = |key: &'static str| Message::new(key).with("path", paths::show(path));
    let message = match error {
        Unreadable::Kind("") => message("executors-file-not-text"),
        Unreadable::Kind(kind) => message("executors-file-kind").with("kind", *kind),
        Unreadable::Locked => message("executors-file-locked"),
        Unreadable::Broken(_) => message("executors-file-broken"),
        Unreadable::TooLarge => message("executors-file-unpacks"),
        Unreadable::Pictures(pages) => message("executors-file-pictures").with("pages", *pages),
    };
    let mut error_of = ToolError::new(ErrorClass::InvalidArgs, message);
    if let Unreadable::Broken(detail) = error {
        error_of = error_of.with_detail(detail.clone());
    }
    Failure::path(path, error_of)
}
