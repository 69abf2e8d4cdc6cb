//! What a document is made of, whatever its kind: parts with a label and a text, and a table where it has cells.

use crate::{kind::Kind, table::Table};

/// Everything a file says.
#[derive(Clone, Debug)]
pub struct Document {
    /// What it is by its content.
    pub kind: Kind,
    /// Pages, sheets, chapters or slides, in their order; one part where it has none of these.
    pub parts: Vec<Part>,
    /// Whether some of it was left out, for its size.
    pub is_cut: bool,
}

/// A page, a sheet, a chapter, or all of it.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where in the document it stands.
    pub label: Label,
    /// Its text, a line for each paragraph or row.
    pub text: String,
    /// Its cells, where it is a sheet.
    pub table: Option<Table>,
}

/// Where in a document a part stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// The document has one part only.
    Whole,
    /// A page or a slide, counted from 1.
    Page(usize),
    /// A sheet, by its name.
    Sheet(String),
}

impl Document {
    /// A document of one part.
    pub(crate) fn whole(kind: Kind, text: String) -> Self {
        let part = Part {
            label: Label::Whole,
            text,
            table: None,
        };
        Self {
            kind,
            parts: vec![part],
            is_cut: false,
        }
    }

    /// A document of pages.
    pub(crate) fn pages(kind: Kind, pages: Vec<String>, is_cut: bool) -> Self {
        let parts = pages
            .into_iter()
            .enumerate()
            .map(|(at, text)| Part {
                label: Label::Page(at + 1),
                text,
                table: None,
            })
            .collect();
        Self { kind, parts, is_cut }
    }

    /// The text of all parts, an empty line between two.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.parts.iter().map(|part| part.text.trim_end()).collect();
        texts.join("\n\n")
    }
}
