//! OpenDocument texts and presentations (ISO/IEC 26300): the text of paragraphs, cells and slides.

use crate::{
    Unreadable,
    bounds::Bounds,
    kind::Kind,
    markup::{self, Mark, Package},
    pieces::Document,
};

/// Most spaces that one element may stand for.
const SPACES_MAX: usize = 200;

pub(crate) fn read(bytes: &[u8], kind: Kind, bounds: &Bounds) -> Result<Document, Unreadable> {
    let mut package = Package::open(bytes, bounds)?;
    if package
        .text("META-INF/manifest.xml")?
        .is_some_and(|manifest| manifest.contains("encryption-data"))
    {
        return Err(Unreadable::Locked);
    }
    let xml = package.needed("content.xml")?;
    let mut writer = Writer::default();
    markup::walk(&xml, bounds, |mark| match mark {
        Mark::Open("s", start) => {
            let count = markup::attribute(start, "c")
                .and_then(|count| count.parse().ok())
                .unwrap_or(1);
            writer.write(&" ".repeat(SPACES_MAX.min(count)));
        }
        Mark::Open(name, _) => writer.open(name),
        Mark::Close(name) => writer.close(name),
        Mark::Text(text) => writer.write(text),
    })?;
    if kind == Kind::OpenSlides {
        let is_cut = writer.pages.len() > bounds.pages;
        writer.pages.truncate(bounds.pages);
        return Ok(Document::pages(kind, writer.pages, is_cut));
    }
    Ok(Document::whole(kind, writer.text))
}

/// What is written while the content is walked through.
#[derive(Default)]
struct Writer {
    text: String,
    pages: Vec<String>,
    /// Paragraphs and headings we are in: a box in a paragraph has its own.
    paragraphs: usize,
    /// What was struck out, and kept for the record.
    struck: usize,
    cells: usize,
}

impl Writer {
    fn open(&mut self, name: &str) {
        match name {
            "p" | "h" => self.paragraphs += 1,
            "tracked-changes" => self.struck += 1,
            "tab" => self.write("\t"),
            "line-break" => self.write("\n"),
            "table-cell" => self.cells += 1,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" | "h" => {
                self.paragraphs = self.paragraphs.saturating_sub(1);
                if self.struck == 0 {
                    self.text.push(if self.cells > 0 { ' ' } else { '\n' });
                }
            }
            "tracked-changes" => self.struck = self.struck.saturating_sub(1),
            "table-cell" => {
                self.cells = self.cells.saturating_sub(1);
                markup::end_line(&mut self.text, '\t');
            }
            "table-row" => markup::end_line(&mut self.text, '\n'),
            "page" => self.pages.push(std::mem::take(&mut self.text)),
            _ => {}
        }
    }

    fn write(&mut self, text: &str) {
        if self.paragraphs > 0 && self.struck == 0 {
            self.text.push_str(text);
        }
    }
}
