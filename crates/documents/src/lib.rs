//! What files of strangers say: bytes in, text and tables out. Called by the executors that read files, inside their
//! sandboxed process. It opens no file, starts no program and reaches no network; every amount it takes from a file is
//! bounded by [`Bounds`], so that a bomb ends in an error and not in the machine's memory.

mod bound;
mod bounds;
mod kind;
mod markup;
mod office;
mod open_document;
mod pdf;
mod pieces;
mod rich_text;
mod scans;
mod sheets;
mod table;
mod text;
mod web;

#[cfg(test)]
mod tests;

pub use bound::{Leaf, bound};
pub use bounds::Bounds;
pub use kind::Kind;
pub use pieces::{Document, Label, Part};
pub use scans::{Scan, scans};
pub use table::{Cell, Table};

/// Why a file gives no text.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// A kind nobody here can read; its usual name, such as `doc`, or empty where even that is unknown.
    #[error("files of the kind {0:?} cannot be read")]
    Kind(&'static str),
    /// It opens with a password only, and none or the wrong one was given.
    #[error("the file is locked with a password")]
    Locked,
    /// It is locked in a way that is not opened here, whatever the password.
    #[error("the file is locked, and such locks are not opened here")]
    LockedForGood,
    /// It says what it is, and then is not.
    #[error("the file is damaged: {0}")]
    Broken(String),
    /// It holds more than [`Bounds`] allow, and nothing of it can be shown.
    #[error("the file unpacks to more than is read")]
    TooLarge,
    /// Pages without any text: pictures of text, at best. The number of pages.
    #[error("its {0} pages hold no text")]
    Pictures(usize),
}

/// Reads a file from its bytes; what it is called is not asked. A password is tried where one is wanted, and not kept.
///
/// # Errors
/// See [`Unreadable`].
pub fn read(bytes: &[u8], password: Option<&str>, bounds: &Bounds) -> Result<Document, Unreadable> {
    let kind = Kind::of(bytes);
    let mut document = match kind {
        Kind::Pdf => pdf::read(bytes, password, bounds),
        Kind::Word | Kind::Slides => office::read(bytes, kind, bounds),
        Kind::OpenText | Kind::OpenSlides => open_document::read(bytes, kind, bounds),
        Kind::Sheet | Kind::OldSheet | Kind::OpenSheet => sheets::read(bytes, kind, bounds),
        Kind::Book => web::book(bytes, bounds),
        Kind::RichText => rich_text::read(bytes, bounds),
        Kind::Page => web::page(bytes, bounds),
        Kind::Text => text::read(bytes, bounds),
        Kind::Locked => Err(Unreadable::LockedForGood),
        Kind::Unknown(name) => Err(Unreadable::Kind(name)),
    }?;
    bounds.cut(&mut document);
    Ok(document)
}

/// The rows of text with separators, such as CSV: the separator is found, quotes are understood.
#[must_use]
pub fn rows(text: &str, bounds: &Bounds) -> Table {
    table::separated(text, bounds)
}

/// What stands between the cells of such text.
#[must_use]
pub fn separator(text: &str) -> u8 {
    table::separator(text)
}
