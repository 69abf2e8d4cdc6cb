//! What a file is, by how it begins and what it holds; its name is never asked. Signatures: the "magic" numbers of
//! file(1) and, for packed documents, the entry that each format's specification requires.

use std::io::Cursor;

use zip::ZipArchive;

/// How far into a file its first signs are looked for, in bytes.
const HEAD: usize = 4096;
/// Begins an OLE compound file: Word, Excel and PowerPoint before 2007, and locked ones after.
const COMPOUND: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// What a file is by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// PDF.
    Pdf,
    /// Word, from 2007 on (docx).
    Word,
    /// PowerPoint, from 2007 on (pptx).
    Slides,
    /// Excel, from 2007 on (xlsx, xlsm, xlsb).
    Sheet,
    /// Excel before 2007 (xls).
    OldSheet,
    /// OpenDocument text (odt).
    OpenText,
    /// OpenDocument presentation (odp).
    OpenSlides,
    /// OpenDocument spreadsheet (ods).
    OpenSheet,
    /// EPUB.
    Book,
    /// RTF.
    RichText,
    /// HTML.
    Page,
    /// Plain text, in any of its dresses: Markdown, CSV, calendars, cards.
    Text,
    /// An office document that is locked as a whole.
    Locked,
    /// Nothing that is read here, with the name people know it by, or none.
    Unknown(&'static str),
}

impl Kind {
    /// What these bytes are.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let head = bytes.get(..HEAD).unwrap_or(bytes);
        // A PDF may have bytes before its mark (ISO 32000-1, Annex H: within the first 1,024).
        if head.windows(5).take(1024).any(|window| window == b"%PDF-") {
            return Self::Pdf;
        }
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return packed(bytes);
        }
        if bytes.starts_with(COMPOUND) {
            return compound(bytes);
        }
        if bytes.starts_with(b"{\\rtf") {
            return Self::RichText;
        }
        if let Some(name) = named(head) {
            return Self::Unknown(name);
        }
        if !is_text(head) {
            return Self::Unknown("");
        }
        if is_page(head) { Self::Page } else { Self::Text }
    }
}

/// Documents that are ZIP archives, by the entries they must have.
fn packed(bytes: &[u8]) -> Kind {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return Kind::Unknown("zip");
    };
    if let Some(index) = archive.index_for_name("mimetype") {
        let mut text = String::new();
        if let Ok(entry) = archive.by_index(index) {
            // What it says it is; longer than any type's name is no type.
            let mut entry = std::io::Read::take(entry, 128);
            if std::io::Read::read_to_string(&mut entry, &mut text).is_err() {
                text.clear();
            }
        }
        match text.trim() {
            "application/epub+zip" => return Kind::Book,
            "application/vnd.oasis.opendocument.text" => return Kind::OpenText,
            "application/vnd.oasis.opendocument.spreadsheet" => return Kind::OpenSheet,
            "application/vnd.oasis.opendocument.presentation" => return Kind::OpenSlides,
            _ => {}
        }
    }
    let has = |name: &str| archive.index_for_name(name).is_some();
    if has("word/document.xml") {
        Kind::Word
    } else if has("ppt/presentation.xml") {
        Kind::Slides
    } else if has("xl/workbook.xml") || has("xl/workbook.bin") {
        Kind::Sheet
    } else if has("META-INF/container.xml") {
        Kind::Book
    } else {
        Kind::Unknown("zip")
    }
}

/// Documents in an OLE compound file, by the names of its streams, which stand in it in UTF-16.
fn compound(bytes: &[u8]) -> Kind {
    let has = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes.windows(wide.len()).any(|window| window == wide)
    };
    if has("EncryptedPackage") {
        Kind::Locked
    } else if has("WordDocument") {
        Kind::Unknown("doc")
    } else if has("PowerPoint Document") {
        Kind::Unknown("ppt")
    } else if has("Workbook") || has("Book") {
        Kind::OldSheet
    } else {
        Kind::Unknown("")
    }
}

/// Kinds that people know by name and nobody here reads as text.
fn named(head: &[u8]) -> Option<&'static str> {
    const MARKS: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n", "png"),
        (b"\xff\xd8\xff", "jpg"),
        (b"GIF8", "gif"),
        (b"II*\0", "tiff"),
        (b"MM\0*", "tiff"),
        (b"BM", "bmp"),
        (b"\x1f\x8b", "gz"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!", "rar"),
        (b"ID3", "mp3"),
        (b"OggS", "ogg"),
        (b"fLaC", "flac"),
        (b"SQLite format 3\0", "sqlite"),
        (b"\x7fELF", "elf"),
        (b"%!PS", "ps"),
    ];
    if let Some(brand) = head.get(4..12).filter(|brand| brand.starts_with(b"ftyp")) {
        return Some(match &brand[4..] {
            b"heic" | b"heix" | b"mif1" | b"msf1" => "heic",
            b"avif" => "avif",
            _ => "mp4",
        });
    }
    if head.starts_with(b"RIFF") {
        return match head.get(8..12) {
            Some(b"WEBP") => Some("webp"),
            Some(b"WAVE") => Some("wav"),
            Some(b"AVI ") => Some("avi"),
            _ => None,
        };
    }
    // "ID3 tags …" may begin a note: letters alone tell a kind only where the rest is no text.
    let tells = |mark: &[u8]| !mark.is_ascii() || !is_text(head);
    let (_, name) = MARKS.iter().find(|(mark, _)| head.starts_with(mark) && tells(mark))?;
    Some(name)
}

/// Whether a file that begins like this is text: no zero byte, or the mark of UTF-16.
fn is_text(head: &[u8]) -> bool {
    head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) || !head.contains(&0)
}

/// Whether text is a page: by its first tag, past white space, comments and declarations.
fn is_page(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with("<!doctype html")
        || text.starts_with("<html")
        || (text.starts_with("<?xml") || text.starts_with("<!--") || text.starts_with("<head"))
            && (text.contains("<html") || text.contains("<body"))
}
