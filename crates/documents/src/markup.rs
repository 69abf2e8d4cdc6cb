//! XML of packed documents, walked from front to back: names without their prefix, text with its entities resolved.
//! Entities of a document's own are never expanded; nesting is bounded.

use std::{
    borrow::Cow,
    io::{Cursor, Read},
};

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use zip::ZipArchive;

use crate::{Unreadable, bounds::Bounds, text};

/// Most entries a packed document may have.
const ENTRIES_MAX: usize = 20_000;

/// One thing met on the walk.
pub(crate) enum Mark<'a> {
    /// An element begins; its local name, and itself for its attributes.
    Open(&'a str, &'a BytesStart<'a>),
    /// An element ends.
    Close(&'a str),
    /// Text between.
    Text(&'a str),
}

/// Walks through XML.
pub(crate) fn walk(xml: &str, bounds: &Bounds, mut on: impl FnMut(Mark<'_>)) -> Result<(), Unreadable> {
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.check_end_names = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|error| broken(&error))? {
            Event::Start(start) => {
                depth += 1;
                if depth > bounds.depth {
                    return Err(Unreadable::TooLarge);
                }
                on(Mark::Open(start.local_name().into_inner(), &start));
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                on(Mark::Close(end.local_name().into_inner()));
            }
            Event::Text(text) => on(Mark::Text(&text.xml10_content())),
            Event::CData(data) => on(Mark::Text(&data.xml10_content())),
            Event::GeneralRef(reference) => {
                if let Some(character) = reference.resolve_char_ref().map_err(|error| broken(&error))? {
                    on(Mark::Text(character.encode_utf8(&mut [0; 4])));
                } else if let Some(text) = quick_xml::escape::resolve_predefined_entity(&reference.xml10_content()) {
                    on(Mark::Text(text));
                }
            }
            Event::Eof => return Ok(()),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// An attribute by its local name.
pub(crate) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = start
        .attributes()
        .filter_map(Result::ok)
        .find(|attribute| attribute.key.local_name().into_inner() == name)?;
    let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?;
    Some(value.into_owned())
}

/// Ends a cell (a tab) or a row (a line) of a table, without the space or tab that its last paragraph or cell left.
pub(crate) fn end_line(text: &mut String, end: char) {
    let kept = text.trim_end_matches([' ', if end == '\n' { '\t' } else { ' ' }]).len();
    text.truncate(kept);
    text.push(end);
}

pub(crate) fn broken(error: &dyn std::error::Error) -> Unreadable {
    Unreadable::Broken(error.to_string())
}

/// A document that is a ZIP archive, of which no more is unpacked than allowed.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Package<'a> {
    pub(crate) fn open(bytes: &'a [u8], bounds: &Bounds) -> Result<Self, Unreadable> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if archive.len() > ENTRIES_MAX {
            return Err(Unreadable::TooLarge);
        }
        Ok(Self {
            archive,
            left: bounds.unpacked_bytes,
        })
    }

    /// The names of all entries, in the archive's order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.archive
            .file_names()
            .filter_map(Result::ok)
            .map(Cow::into_owned)
            .collect()
    }

    /// The text of an entry; `None` where there is no such entry.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Unreadable> {
        let Some(index) = self.archive.index_for_name(name) else {
            return Ok(None);
        };
        let entry = self.archive.by_index(index).map_err(|error| broken(&error))?;
        let mut bytes = Vec::new();
        // What the archive says of its sizes is not believed: one byte more than allowed tells.
        entry
            .take(self.left.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| broken(&error))?;
        let size = bytes.len() as u64;
        if size > self.left {
            return Err(Unreadable::TooLarge);
        }
        self.left -= size;
        Ok(Some(text::decode(&bytes)))
    }

    /// The text of an entry that must be there.
    pub(crate) fn needed(&mut self, name: &str) -> Result<String, Unreadable> {
        self.text(name)?.ok_or_else(|| Unreadable::Broken(format!("no {name}")))
    }

    /// Whether all that is unpacked is within bounds, for those who unpack by themselves.
    pub(crate) fn is_small(&mut self) -> bool {
        let mut left = self.left;
        for index in 0..self.archive.len() {
            let Ok(entry) = self.archive.by_index(index) else {
                return false;
            };
            match std::io::copy(&mut entry.take(left.saturating_add(1)), &mut std::io::sink()) {
                Ok(size) if size <= left => left -= size,
                Ok(_) | Err(_) => return false,
            }
        }
        true
    }
}
