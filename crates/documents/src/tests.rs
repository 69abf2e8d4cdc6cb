//! Documents made here byte by byte: each kind is read, and what is hostile ends in an error of its own.

use std::io::{Cursor, Write};

use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{Bounds, Cell, Document, Kind, Label, Unreadable, read, rows};

const BOUNDS: Bounds = Bounds {
    unpacked_bytes: 4_000_000,
    pages: 10,
    cells: 1_000,
    text_bytes: 100_000,
    depth: 100,
};

/// A packed document with these entries.
fn packed(entries: &[(&str, &[u8])]) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default())?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn document(bytes: &[u8]) -> Result<Document, Unreadable> {
    read(bytes, None, &BOUNDS)
}

const WORD: &str = r#"<w:document xmlns:w="w"><w:body>
<w:p><w:r><w:t>The notice period is </w:t></w:r><w:r><w:t>three months &amp; a day.</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Rent</w:t></w:r></w:p></w:tc>
<w:tc><w:p><w:r><w:t>800</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:r><w:delText>struck out</w:delText><w:t>kept</w:t></w:r></w:p></w:body></w:document>"#;

#[test]
fn a_word_document_gives_its_paragraphs_and_rows() -> Result<(), Box<dyn std::error::Error>> {
    let read = document(&packed(&[("word/document.xml", WORD.as_bytes())])?)?;
    assert_eq!(read.kind, Kind::Word);
    assert_eq!(
        read.text(),
        "The notice period is three months & a day.\nRent\t800\nkept"
    );
    Ok(())
}

#[test]
fn slides_are_pages_in_their_order() -> Result<(), Box<dyn std::error::Error>> {
    let slide = |text: &str| format!(r#"<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:t>{text}</a:t></a:p></p:sld>"#);
    let read = document(&packed(&[
        ("ppt/presentation.xml", b"<p/>"),
        ("ppt/slides/slide10.xml", slide("last").as_bytes()),
        ("ppt/slides/slide2.xml", slide("first").as_bytes()),
    ])?)?;
    let labels: Vec<&Label> = read.parts.iter().map(|part| &part.label).collect();
    assert_eq!(labels, [&Label::Page(1), &Label::Page(2)]);
    assert_eq!(read.text(), "first\n\nlast");
    Ok(())
}

#[test]
fn an_open_document_gives_its_text_without_what_was_struck_out() -> Result<(), Box<dyn std::error::Error>> {
    let content = r#"<office:document-content xmlns:office="o" xmlns:text="t"><text:tracked-changes><text:p>gone</text:p>
        </text:tracked-changes><text:h>Title</text:h><text:p>two<text:s text:c="2"/>spaces</text:p></office:document-content>"#;
    let read = document(&packed(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", content.as_bytes()),
    ])?)?;
    assert_eq!(read.text(), "Title\ntwo  spaces");
    Ok(())
}

#[test]
fn a_book_is_read_in_its_order() -> Result<(), Box<dyn std::error::Error>> {
    let package = r#"<package><metadata><title>Tales</title></metadata><manifest><item id="b" href="b.xhtml"/>
        <item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>"#;
    let read = document(&packed(&[
        ("mimetype", b"application/epub+zip"),
        (
            "META-INF/container.xml",
            br#"<container><rootfile full-path="OPS/p.opf"/></container>"#,
        ),
        ("OPS/p.opf", package.as_bytes()),
        ("OPS/a.xhtml", b"<html><body><p>One</p></body></html>"),
        (
            "OPS/b.xhtml",
            b"<html><body><p>Two</p><script>no()</script></body></html>",
        ),
    ])?)?;
    assert_eq!(read.text(), "Tales\n\nOne\n\nTwo");
    Ok(())
}

#[test]
fn rich_text_gives_its_letters_and_skips_its_tables() -> Result<(), Unreadable> {
    let text =
        br"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator x;}Citt\'e0 di \u8364? uro\par second line}";
    assert_eq!(document(text)?.text(), "Città di € uro\nsecond line");
    Ok(())
}

#[test]
fn a_page_gives_what_is_seen_of_it() -> Result<(), Unreadable> {
    let html = b"<!DOCTYPE html><html><head><title>t</title></head><body><h1>Pool</h1><p>Opens at 9.</p></body></html>";
    let read = document(html)?;
    assert_eq!(read.kind, Kind::Page);
    assert!(read.text().contains("Opens at 9."), "{}", read.text());
    Ok(())
}

/// PDF files of another program (qpdf), by how they are locked; the user's password and the owner's.
const LOCKED: [(&str, &[u8]); 4] = [
    ("RC4, 40 bits", include_bytes!("../fixtures/locked-rc4_40.pdf")),
    ("RC4, 128 bits", include_bytes!("../fixtures/locked-rc4_128.pdf")),
    ("AES, 128 bits", include_bytes!("../fixtures/locked-aes_128.pdf")),
    ("AES, 256 bits", include_bytes!("../fixtures/locked-aes_256.pdf")),
];

#[test]
fn a_locked_pdf_opens_with_its_password_alone() {
    for (how, bytes) in LOCKED {
        for wrong in [
            None,
            Some(""),
            Some("Tramontana"),
            Some("tramontana "),
            Some("\u{1f511}"),
        ] {
            let read = read(bytes, wrong, &BOUNDS);
            assert!(matches!(read, Err(Unreadable::Locked)), "{how}: {wrong:?}: {read:?}");
        }
        let text = read(bytes, Some("tramontana"), &BOUNDS).map(|read| read.text());
        let text = text.unwrap_or_else(|error| panic!("{how}: {error}"));
        assert!(
            text.contains("The boiler contract ends on 31 March 2027."),
            "{how}: {text}"
        );
    }
}

#[test]
fn a_pdf_that_only_forbids_something_is_read_whatever_is_given() -> Result<(), Unreadable> {
    let bytes = include_bytes!("../fixtures/locked-empty.pdf");
    for given in [None, Some("tramontana")] {
        assert!(
            read(bytes, given, &BOUNDS)?.text().contains("31 March 2027"),
            "{given:?}"
        );
    }
    Ok(())
}

#[test]
fn what_cannot_be_read_is_named() {
    let old = [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice(), &wide("WordDocument")].concat();
    assert!(matches!(document(&old), Err(Unreadable::Kind("doc"))));
    let locked = [
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice(),
        &wide("EncryptedPackage"),
    ]
    .concat();
    assert!(matches!(document(&locked), Err(Unreadable::LockedForGood)));
    let with_one = read(&locked, Some("tramontana"), &BOUNDS);
    assert!(matches!(with_one, Err(Unreadable::LockedForGood)));
    assert!(matches!(document(b"\x89PNG\r\n\x1a\n"), Err(Unreadable::Kind("png"))));
    assert!(matches!(document(b"a\0b"), Err(Unreadable::Kind(""))));
    assert!(matches!(document(b"ID3\x03\0\0"), Err(Unreadable::Kind("mp3"))));
    assert_eq!(Kind::of(b"ID3 tags are for music"), Kind::Text);
    assert!(matches!(
        document(b"%PDF-1.4 and nothing more"),
        Err(Unreadable::Broken(_))
    ));
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_bomb_and_a_tower_end_in_an_error() -> Result<(), Box<dyn std::error::Error>> {
    let zeros = vec![b' '; 8_000_000];
    let bomb = packed(&[("word/document.xml", &zeros)])?;
    assert!(matches!(document(&bomb), Err(Unreadable::TooLarge)));
    let sheet = packed(&[("xl/workbook.xml", b"<workbook/>"), ("xl/big.xml", &zeros)])?;
    assert!(matches!(document(&sheet), Err(Unreadable::TooLarge)));
    let tower = "<a>".repeat(5_000);
    let tower = packed(&[("word/document.xml", tower.as_bytes())])?;
    assert!(matches!(document(&tower), Err(Unreadable::TooLarge)));
    let groups = format!("{{\\rtf1 {}", "{".repeat(5_000));
    assert!(matches!(document(groups.as_bytes()), Err(Unreadable::TooLarge)));
    Ok(())
}

#[test]
fn what_is_too_long_is_cut_at_a_letter_and_says_so() -> Result<(), Unreadable> {
    let bounds = Bounds {
        text_bytes: 4,
        ..BOUNDS
    };
    let read = read("perché no".as_bytes(), None, &bounds)?;
    assert!(read.is_cut);
    assert_eq!(read.text(), "perc");
    let accents = super::read(
        "éééé".as_bytes(),
        None,
        &Bounds {
            text_bytes: 3,
            ..BOUNDS
        },
    )?;
    assert_eq!(accents.text(), "é");
    Ok(())
}

#[test]
fn the_separator_of_rows_is_found() {
    let table = rows("name;euro\n\"Rossi; Anna\";1.250,50\n;3\n", &BOUNDS);
    let text = |text: &str| Cell::Text(text.to_owned());
    assert_eq!(
        table.rows,
        [
            vec![text("name"), text("euro")],
            vec![text("Rossi; Anna"), text("1.250,50")],
            vec![Cell::Empty, text("3")]
        ]
    );
    let tight = rows("a,b\nc,d\n", &Bounds { cells: 3, ..BOUNDS });
    assert!(tight.is_cut);
    assert_eq!(tight.rows.len(), 1);
}
