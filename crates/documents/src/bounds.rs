//! How much of a stranger's file is taken, and the cut that tells of it.

use crate::pieces::Document;

/// The most that is taken from one file.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes that packed files (office documents, books) may unpack to, all entries together.
    pub unpacked_bytes: u64,
    /// Pages, slides or chapters that are read.
    pub pages: usize,
    /// Cells of all sheets together.
    pub cells: usize,
    /// Bytes of text that are given, all parts together.
    pub text_bytes: usize,
    /// How deep markup may nest.
    pub depth: usize,
}

impl Bounds {
    /// Cuts the text of a document to what is allowed, and says so in it.
    pub(crate) fn cut(&self, document: &mut Document) {
        let mut left = self.text_bytes;
        document.parts.retain_mut(|part| {
            if left == 0 {
                document.is_cut = true;
                return false;
            }
            if part.text.len() > left {
                let end = (0..=left).rev().find(|at| part.text.is_char_boundary(*at)).unwrap_or(0);
                part.text.truncate(end);
                document.is_cut = true;
            }
            left -= part.text.len().min(left);
            true
        });
    }
}
