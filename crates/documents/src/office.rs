//! Word and PowerPoint documents from 2007 on (ECMA-376): the text of paragraphs, cells and slides, in their order.

use crate::{
    Unreadable,
    bounds::Bounds,
    kind::Kind,
    markup::{self, Mark, Package},
    pieces::Document,
};

/// Parts of a Word document that have text, in the order in which they are given.
const WORD_PARTS: [&str; 3] = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"];

pub(crate) fn read(bytes: &[u8], kind: Kind, bounds: &Bounds) -> Result<Document, Unreadable> {
    let mut package = Package::open(bytes, bounds)?;
    if kind == Kind::Slides {
        return slides(&mut package, bounds);
    }
    let mut text = paragraphs(&package.needed(WORD_PARTS[0])?, bounds)?;
    for part in WORD_PARTS.iter().skip(1) {
        if let Some(xml) = package.text(part)? {
            text.push_str(&paragraphs(&xml, bounds)?);
        }
    }
    Ok(Document::whole(kind, text))
}

/// A page for each slide, in the order of their numbers.
fn slides(package: &mut Package<'_>, bounds: &Bounds) -> Result<Document, Unreadable> {
    let number = |name: &str| -> Option<usize> {
        name.strip_prefix("ppt/slides/slide")?
            .strip_suffix(".xml")?
            .parse()
            .ok()
    };
    let mut names: Vec<(usize, String)> = package
        .names()
        .into_iter()
        .filter_map(|name| Some((number(&name)?, name)))
        .collect();
    names.sort();
    let is_cut = names.len() > bounds.pages;
    names.truncate(bounds.pages);
    let mut pages = Vec::new();
    for (_, name) in names {
        let xml = package.needed(&name)?;
        pages.push(paragraphs(&xml, bounds)?);
    }
    Ok(Document::pages(Kind::Slides, pages, is_cut))
}

/// The text of a part: a line for each paragraph and each row of a table, a tab between two cells.
fn paragraphs(xml: &str, bounds: &Bounds) -> Result<String, Unreadable> {
    let mut writer = Writer::default();
    markup::walk(xml, bounds, |mark| match mark {
        Mark::Open(name, _) => writer.open(name),
        Mark::Close(name) => writer.close(name),
        Mark::Text(text) => writer.write(text),
    })?;
    Ok(writer.text)
}

/// What is written while a part is walked through.
#[derive(Default)]
struct Writer {
    text: String,
    /// Elements of text we are in.
    texts: usize,
    /// Elements whose text does not count: the second of two forms of the same picture or box.
    skipped: usize,
    cells: usize,
}

impl Writer {
    fn open(&mut self, name: &str) {
        match name {
            "t" => self.texts += 1,
            "Fallback" => self.skipped += 1,
            "tab" if self.skipped == 0 && self.texts == 0 => self.text.push('\t'),
            "br" | "cr" if self.skipped == 0 => self.text.push('\n'),
            "noBreakHyphen" if self.skipped == 0 => self.text.push('-'),
            "tc" => self.cells += 1,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.texts = self.texts.saturating_sub(1),
            "Fallback" => self.skipped = self.skipped.saturating_sub(1),
            "p" if self.skipped == 0 => self.text.push(if self.cells > 0 { ' ' } else { '\n' }),
            "tc" => {
                self.cells = self.cells.saturating_sub(1);
                markup::end_line(&mut self.text, '\t');
            }
            "tr" => markup::end_line(&mut self.text, '\n'),
            _ => {}
        }
    }

    fn write(&mut self, text: &str) {
        if self.texts > 0 && self.skipped == 0 {
            self.text.push_str(text);
        }
    }
}
