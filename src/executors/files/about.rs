//! What a file is about, for `find_files`: every word that is looked for stands in its name or in its text, in whatever
//! ending. Only text is looked into, and only so much of it per search; what was not looked into is said.

use std::{
    cell::Cell,
    fs::{self, File},
    io::Read,
    path::Path,
};

use crate::{
    domain::{alike::is_alike, failure::ToolError, limits},
    executors::{Call, wrong, zones::folded},
};

/// How far into a file a zero byte tells that it is no text.
const SNIFF_BYTES: usize = 8_192;

/// The words that are looked for.
pub(super) struct About {
    words: Vec<Sought>,
    /// Bytes that may still be read.
    left: Cell<u64>,
    /// A text was not looked into.
    is_cut: Cell<bool>,
}

/// One of them.
#[derive(Clone)]
struct Sought {
    word: String,
    /// A name or a number has one ending only.
    exactly: bool,
}

impl About {
    /// What a call looks for, if it looks for words.
    pub(super) fn of(call: &Call) -> Result<Option<Self>, ToolError> {
        let Some(about) = call.optional_text("about")? else {
            return Ok(None);
        };
        let split = about.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<Sought> = split
            .filter(|word| !word.is_empty())
            .map(|word| Sought {
                word: folded(word),
                exactly: word.starts_with(char::is_uppercase) || word.contains(|letter: char| letter.is_ascii_digit()),
            })
            .collect();
        if words.is_empty() {
            return Err(wrong("about"));
        }
        Ok(Some(Self {
            words,
            left: Cell::new(limits::SEARCHED_BYTES_MAX),
            is_cut: Cell::new(false),
        }))
    }

    /// Some text was too long, or too much, to look into.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Whether a file is about these words.
    pub(super) fn is_said_of(&self, path: &Path, metadata: &fs::Metadata) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut missing = self.words.clone();
        strike(&mut missing, &name);
        if missing.is_empty() {
            return true;
        }
        if let Some(text) = self.text(path, metadata) {
            strike(&mut missing, &text);
        }
        missing.is_empty()
    }

    /// The text of a file that is one; none when it is too much.
    fn text(&self, path: &Path, metadata: &fs::Metadata) -> Option<String> {
        let mut file = File::open(path).ok()?;
        let mut head = vec![0; SNIFF_BYTES];
        let count = file.read(&mut head).ok()?;
        head.truncate(count);
        if head.contains(&0) || head.starts_with(b"%PDF-") {
            return None;
        }
        if metadata.len() > limits::FILE_BYTES_MAX || metadata.len() > self.left.get() {
            self.is_cut.set(true);
            return None;
        }
        self.left.set(self.left.get().saturating_sub(metadata.len()));
        file.take(limits::FILE_BYTES_MAX).read_to_end(&mut head).ok()?;
        String::from_utf8(head).ok()
    }
}

fn words(text: &str) -> Vec<String> {
    let folded = folded(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Takes out what the text says.
fn strike(missing: &mut Vec<Sought>, text: &str) {
    let said = words(text);
    let is_said = |sought: &Sought| {
        said.iter()
            .any(|said| sought.word == *said || !sought.exactly && is_alike(&sought.word, said))
    };
    missing.retain(|sought| !is_said(sought));
}
