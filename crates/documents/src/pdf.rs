//! PDF: the text of each page. The library below may panic on a damaged file; a page on which it does is a page without
//! text, and the rest is read.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Document as File, LoadOptions, PlainTextOutput, output_doc_page};

use crate::{Unreadable, bounds::Bounds, kind::Kind, markup::broken, pieces::Document};

pub(crate) fn read(bytes: &[u8], password: Option<&str>, bounds: &Bounds) -> Result<Document, Unreadable> {
    let file = opened(bytes, password)?;
    let numbers: Vec<u32> = file.get_pages().into_keys().collect();
    if numbers.is_empty() {
        return Err(Unreadable::Broken("it has no pages".to_owned()));
    }
    let is_cut = numbers.len() > bounds.pages;
    let mut pages = Vec::new();
    let mut length = 0;
    for number in numbers.iter().take(bounds.pages) {
        let text = page(&file, *number);
        length += text.len();
        pages.push(text);
        if length > bounds.text_bytes {
            break;
        }
    }
    if pages.iter().all(|page| page.trim().is_empty()) {
        return Err(Unreadable::Pictures(numbers.len()));
    }
    let is_cut = is_cut || pages.len() < numbers.len().min(bounds.pages);
    Ok(Document::pages(Kind::Pdf, pages, is_cut))
}

/// The file, with its structure read.
pub(crate) fn opened(bytes: &[u8], password: Option<&str>) -> Result<File, Unreadable> {
    let opened = catch_unwind(AssertUnwindSafe(|| open(bytes, password)));
    opened.unwrap_or_else(|_| Err(Unreadable::Broken("its structure".to_owned())))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "whatever else the library meets is damage"
)]
fn open(bytes: &[u8], password: Option<&str>) -> Result<File, Unreadable> {
    // The empty password, with which many files only forbid to print, is tried first by the library itself. Its objects
    // can only be read while it is loaded: afterwards there are none to decrypt.
    let loaded = match password {
        Some(password) => File::load_mem_with_options(bytes, LoadOptions::with_password(password)),
        None => File::load_mem(bytes),
    };
    let file = loaded.map_err(|error| match error {
        pdf_extract::Error::InvalidPassword | pdf_extract::Error::Decryption(_) => Unreadable::Locked,
        other => broken(&other),
    })?;
    if file.is_encrypted() {
        return Err(Unreadable::Locked);
    }
    Ok(file)
}

/// The text of a page, with the empty lines between its lines taken out; nothing where it cannot be had.
fn page(file: &File, number: u32) -> String {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let mut text = String::new();
        let mut output = PlainTextOutput::new(&mut text);
        let is_read = output_doc_page(file, &mut output, number).is_ok();
        is_read.then_some(text)
    }));
    let text = read.ok().flatten().unwrap_or_default();
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("\n")
}
