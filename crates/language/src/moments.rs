//! Whether a request asks for a moment or a length of time. Asked by dispatch of a plan that is to answer it.

use std::ops::Range;

use crate::{Language, outline::Word};
use metnos_domain::lang::Lang;

impl Language {
    /// The words that ask when something is, or how long it takes.
    pub fn moment_asked(&self, words: &[Word], lang: Lang) -> Option<Range<usize>> {
        self.frames(lang).moments.iter().find_map(|form| {
            let is_it = |own: &[Word]| own.iter().map(|word| &word.fold).eq(form);
            let at = words.windows(form.len().max(1)).position(is_it)?;
            Some(at..at + form.len())
        })
    }
}
