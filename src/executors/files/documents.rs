//! What documents say, for `read_files`: PDF, office documents, sheets, books, pages. The reading itself is
//! `metnos_documents`, which knows no file; this decides how much is taken and says what stood in the way.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use metnos_documents::{Bounds, Cell, Document, Kind, Label, Part, Table, Unreadable};
use serde_json::{Value, json};

use super::{
    super::{batch::Failure, paths},
    ocr::{self, OcrError},
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits,
    message::Message,
};

/// Lines with as many cells each that make a table.
const TABLE_ROWS_MIN: usize = 3;
/// Endings of texts that are tables.
const TABLE_ENDINGS: [&str; 2] = ["csv", "tsv"];

/// Whether a file that begins like this is read as a document rather than as the text it is.
pub(in crate::executors) fn is_document(head: &[u8]) -> bool {
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

/// What a file says, at most `text_bytes` of it, and what stands in its pictures where nothing else does. One that is
/// locked is opened with this password.
pub(super) fn read(
    path: &Path,
    (file, head): (File, Vec<u8>),
    text_bytes: u64,
    password: Option<&str>,
) -> Result<Extracted, Failure> {
    let bytes = all_of(path, file, head)?;
    let bounds = bounds(text_bytes);
    let scanned = |is_wanted: &dyn Fn(usize) -> bool| scanned(&bytes, password, is_wanted);
    match metnos_documents::read(&bytes, password, &bounds) {
        Ok(mut document) => {
            let is_empty = |part: &&Part| part.text.trim().is_empty();
            let empty: Vec<Label> = document
                .parts
                .iter()
                .filter(is_empty)
                .map(|part| part.label.clone())
                .collect();
            let mut from_pictures = false;
            // A page without text in a document with some is often empty: without the program the rest is told.
            if document.kind == Kind::Pdf
                && !empty.is_empty()
                && let Ok(scanned) = scanned(&|page| empty.contains(&Label::Page(page)))
            {
                for (page, text) in scanned {
                    let mut parts = document.parts.iter_mut();
                    if let Some(part) = parts.find(|part| part.label == Label::Page(page)) {
                        part.text = text;
                        from_pictures = true;
                    }
                }
            }
            Ok(Extracted {
                document,
                from_pictures,
            })
        }
        Err(Unreadable::Pictures(pages)) => {
            let scanned = scanned(&|_| true).map_err(|error| ocr_failure(path, &error))?;
            if scanned.is_empty() {
                return Err(failure(path, &Unreadable::Pictures(pages)));
            }
            Ok(Extracted {
                document: of_pages(Kind::Pdf, scanned, pages),
                from_pictures: true,
            })
        }
        Err(Unreadable::Kind(kind)) if ocr::is_picture(kind) => {
            let text = ocr::words(&bytes).map_err(|error| ocr_failure(path, &error))?;
            if text.is_empty() {
                let message = Message::new("executors-picture-silent").with("path", paths::show(path));
                return Err(Failure::path(path, ToolError::new(ErrorClass::InvalidArgs, message)));
            }
            Ok(Extracted {
                document: of_pages(Kind::Unknown(kind), vec![(1, text)], 1),
                from_pictures: true,
            })
        }
        Err(error) => Err(failure(path, &error)),
    }
}

/// What a file says in text, whatever pictures it has.
pub(super) fn read_text(path: &Path, file: File, head: Vec<u8>, text_bytes: u64) -> Result<Document, Failure> {
    let bytes = all_of(path, file, head)?;
    metnos_documents::read(&bytes, None, &bounds(text_bytes)).map_err(|error| failure(path, &error))
}

fn all_of(path: &Path, mut file: File, head: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let io = |error: io::Error| Failure::io(path, &error);
    let mut bytes = head;
    let room = limits::DOCUMENT_BYTES_MAX.saturating_sub(bytes.len() as u64);
    (&mut file).take(room + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > limits::DOCUMENT_BYTES_MAX {
        return Err(failure(path, &Unreadable::TooLarge));
    }
    Ok(bytes)
}

/// A document that was read.
pub(super) struct Extracted {
    /// What it says.
    pub(super) document: Document,
    /// Some of it stood in pictures: letters may be wrong.
    pub(super) from_pictures: bool,
}

/// What the pictures of these pages say.
fn scanned(
    bytes: &[u8],
    password: Option<&str>,
    is_wanted: &dyn Fn(usize) -> bool,
) -> Result<Vec<(usize, String)>, OcrError> {
    if ocr::program().is_none() {
        return Err(OcrError::Missing);
    }
    let scans = metnos_documents::scans(bytes, password, is_wanted, limits::OCR_PAGES_MAX).unwrap_or_default();
    let mut pages = Vec::new();
    for scan in scans {
        match ocr::words(&scan.picture) {
            Ok(text) if text.is_empty() => {}
            Ok(text) => pages.push((scan.page, text)),
            Err(OcrError::Missing) => return Err(OcrError::Missing),
            // One page that cannot be read is none of the others.
            Err(OcrError::Failed(_)) => {}
        }
    }
    Ok(pages)
}

/// A document of these pages, of so many.
fn of_pages(kind: Kind, pages: Vec<(usize, String)>, all: usize) -> Document {
    let is_cut = pages.len() < all;
    let label = |page| if all == 1 { Label::Whole } else { Label::Page(page) };
    let part = |(page, text)| Part {
        label: label(page),
        text,
        table: None,
    };
    Document {
        kind,
        parts: pages.into_iter().map(part).collect(),
        is_cut,
    }
}

fn ocr_failure(path: &Path, error: &OcrError) -> Failure {
    let message = |key: &'static str| Message::new(key).with("path", paths::show(path));
    let error = match error {
        OcrError::Missing => ToolError::new(ErrorClass::CapabilityMissing, message("executors-picture-no-reader")),
        OcrError::Failed(detail) => {
            ToolError::new(ErrorClass::InvalidArgs, message("executors-picture-unreadable")).with_detail(detail.clone())
        }
    };
    Failure::path(path, error)
}

pub(in crate::executors) fn bounds(text_bytes: u64) -> Bounds {
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
    let parts = document.parts.iter().flat_map(|part| {
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
        let text = || json!({"page": page, "sheet": sheet, "text": part.text});
        let table = |rows: Value| json!({"page": page, "sheet": sheet, "rows": rows});
        match &part.table {
            Some(rows_of) => vec![table(rows(rows_of))],
            // A table that was seen in a picture, beside the text of the page.
            None => rows_in(&part.text).map(table).into_iter().chain([text()]).collect(),
        }
    });
    parts.collect()
}

/// The longest run of lines with as many cells each, a tab between two.
fn rows_in(text: &str) -> Option<Value> {
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split('\t').map(str::trim).collect())
        .collect();
    let runs = lines.chunk_by(|one, next| one.len() == next.len());
    let longest = runs
        .filter(|run| run.first().is_some_and(|row| row.len() > 1))
        .max_by_key(|run| run.len())?;
    (longest.len() >= TABLE_ROWS_MIN).then(|| json!(longest))
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
        Unreadable::Locked => return Failure::path(path, ToolError::locked(message("executors-file-password"))),
        Unreadable::LockedForGood => message("executors-file-locked"),
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
