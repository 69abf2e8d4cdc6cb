//! Pages (HTML) and books (EPUB, which are packed pages): what a reader would see of them.

use std::collections::BTreeMap;

use crate::{
    Unreadable,
    bounds::Bounds,
    kind::Kind,
    markup::{self, Mark, Package},
    pieces::Document,
    text,
};

/// The text of a page.
pub(crate) fn page(bytes: &[u8], bounds: &Bounds) -> Result<Document, Unreadable> {
    if bytes.len() as u64 > bounds.unpacked_bytes {
        return Err(Unreadable::TooLarge);
    }
    Ok(Document::whole(Kind::Page, visible(&text::decode(bytes))))
}

/// The chapters of a book in the order in which they are read, with who wrote it and what it is about before them.
pub(crate) fn book(bytes: &[u8], bounds: &Bounds) -> Result<Document, Unreadable> {
    let mut package = Package::open(bytes, bounds)?;
    let container = package.needed("META-INF/container.xml")?;
    let mut root = None;
    markup::walk(&container, bounds, |mark| {
        if let Mark::Open("rootfile", start) = mark
            && root.is_none()
        {
            root = markup::attribute(start, "full-path");
        }
    })?;
    let root = root.ok_or_else(|| Unreadable::Broken("no rootfile".to_owned()))?;
    let folder = root
        .rsplit_once('/')
        .map(|(folder, _)| format!("{folder}/"))
        .unwrap_or_default();
    let contents = Contents::read(&package.needed(&root)?, bounds)?;
    let mut pages = vec![contents.about.join("\n")];
    let is_cut = contents.spine.len() > bounds.pages;
    for id in contents.spine.iter().take(bounds.pages) {
        let Some(path) = contents.files.get(id) else { continue };
        if let Some(chapter) = package.text(&format!("{folder}{path}"))? {
            pages.push(visible(&chapter));
        }
    }
    Ok(Document::pages(Kind::Book, pages, is_cut))
}

/// What the package of a book says: its metadata, its files by id, and the ids in reading order.
#[derive(Default)]
struct Contents {
    about: Vec<String>,
    files: BTreeMap<String, String>,
    spine: Vec<String>,
}

impl Contents {
    fn read(xml: &str, bounds: &Bounds) -> Result<Self, Unreadable> {
        let mut contents = Self::default();
        let mut is_metadata = false;
        markup::walk(xml, bounds, |mark| match mark {
            Mark::Open("metadata", _) => is_metadata = true,
            Mark::Close("metadata") => is_metadata = false,
            Mark::Open("item", start) => {
                if let (Some(id), Some(path)) = (markup::attribute(start, "id"), markup::attribute(start, "href")) {
                    contents.files.insert(id, path);
                }
            }
            Mark::Open("itemref", start) => contents.spine.extend(markup::attribute(start, "idref")),
            Mark::Text(text) if is_metadata && !text.trim().is_empty() => contents.about.push(text.trim().to_owned()),
            Mark::Open(..) | Mark::Close(_) | Mark::Text(_) => {}
        })?;
        Ok(contents)
    }
}

/// What is seen of HTML, a line for each block.
fn visible(html: &str) -> String {
    let document = dom_query::Document::from(html);
    document.select("script, style, noscript, template, head").remove();
    document.formatted_text().trim().to_owned()
}
