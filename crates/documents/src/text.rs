//! Plain text, in the encoding it seems to be in.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::{Unreadable, bounds::Bounds, kind::Kind, pieces::Document};

/// The text, cut at its bound.
pub(crate) fn read(bytes: &[u8], bounds: &Bounds) -> Result<Document, Unreadable> {
    // Twice the bound: a byte of another encoding may become two, and the cut itself is the caller's.
    let end = bytes.len().min(bounds.text_bytes.saturating_mul(2));
    let mut document = Document::whole(Kind::Text, decode(bytes.get(..end).unwrap_or(bytes)));
    document.is_cut = end < bytes.len();
    Ok(document)
}

/// Text in UTF-8 or with the mark of UTF-16; anything else is read as the Western European code page, in which older
/// programs wrote both of our languages.
pub(crate) fn decode(bytes: &[u8]) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        // The last character was cut through: still UTF-8.
        Err(error) if error.error_len().is_none() => UTF_8.decode(bytes).0.into_owned(),
        Err(_) => WINDOWS_1252.decode(bytes).0.into_owned(),
    }
}
