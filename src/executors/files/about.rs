//! What a file is about, for `find_files`: every word that is looked for stands in its name or in its text, in whatever
//! ending. Text and documents (PDF, office, books) are looked into, and only so much of them per search; what was not
//! looked into is said.

use std::{
    cell::Cell,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use super::{
    documents,
    read::{SNIFF_BYTES, is_text},
};
use crate::{
    domain::{
        alike::{is_alike, is_same},
        failure::ToolError,
        fold::fold,
        limits,
    },
    executors::{Call, wrong},
};

/// The words that are looked for.
pub(super) struct About {
    words: Vec<Sought>,
    /// Bytes that may still be read.
    left: Cell<u64>,
    /// A text was not looked into.
    is_cut: Cell<bool>,
}

/// One of them, with other words for the same thing.
#[derive(Clone)]
struct Sought {
    words: Vec<String>,
    /// A name or a number has one ending only.
    exactly: bool,
}

impl Sought {
    fn of(said: &str) -> Option<Self> {
        let words: Vec<String> = said.split('|').flat_map(words).collect();
        let exactly = said.starts_with(char::is_uppercase) || said.contains(|letter: char| letter.is_ascii_digit());
        (!words.is_empty()).then_some(Self { words, exactly })
    }

    fn is_said(&self, said: &[String]) -> bool {
        self.words.iter().any(|own| self.is_among(own, said))
    }

    /// The same, in the word the person used.
    fn is_said_so(&self, said: &[String]) -> bool {
        self.words.first().is_some_and(|own| self.is_among(own, said))
    }

    fn is_among(&self, own: &str, said: &[String]) -> bool {
        said.iter()
            .any(|said| own == said || !self.exactly && (is_alike(own, said) || is_slip(own, said)))
    }

    /// The same word, and no kindred one: "Luca" is not "luce".
    fn is_said_truly(&self, said: &[String]) -> bool {
        let same =
            |own: &String, said: &String| own == said || !self.exactly && (is_same(own, said) || is_slip(own, said));
        self.words.iter().any(|own| said.iter().any(|said| same(own, said)))
    }
}

/// Whether a line has one of these words.
pub(in crate::executors) fn has_some(sought: &str, line: &str) -> bool {
    let said = words(line);
    sought
        .split(' ')
        .filter_map(Sought::of)
        .any(|sought| sought.is_said(&said))
}

/// How well the name of a file fits words for it; the first is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// These words and no others.
    Exact,
    /// All of them and more.
    Name,
    /// Some; the others stand in the text.
    NameAndText,
    /// They all stand in the text.
    Text,
}

/// In which form the words are there; kindred ones count only where nothing has the words themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Same,
    Kindred,
}

/// How well a file fits.
pub(super) type Rank = (Form, Fit, Wording);

/// Whether no text can make a file fit better than this.
pub(super) fn is_settled((form, fit, _): Rank) -> bool {
    form == Form::Same && fit <= Fit::Name
}

/// Whose words a name is in; of two that fit alike, the person's own count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wording {
    Own,
    Other,
}

impl About {
    /// What a call looks for, if it looks for words.
    pub(super) fn of(call: &Call) -> Result<Option<Self>, ToolError> {
        Self::said_in(call, "about")
    }

    /// The words of the name of a file that a call looks for.
    pub(super) fn named(call: &Call) -> Result<Option<Self>, ToolError> {
        Self::said_in(call, "named")
    }

    fn said_in(call: &Call, name: &str) -> Result<Option<Self>, ToolError> {
        let Some(said) = call.optional_text(name)? else {
            return Ok(None);
        };
        let split = said.split(|letter: char| !(letter.is_alphanumeric() || letter == '|'));
        let words: Vec<Sought> = split.filter_map(Sought::of).collect();
        if words.is_empty() {
            return Err(wrong(name));
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

    /// How well the name of a file fits by itself; none where it does not.
    pub(super) fn fit_by_name(&self, path: &Path) -> Option<Rank> {
        self.rank(path, None)
    }

    /// How well a file fits with what it says; none where its text makes it fit no better than its name.
    pub(super) fn fit_by_text(&self, path: &Path, metadata: &fs::Metadata) -> Option<Rank> {
        let text = words(&self.text(path, metadata)?);
        self.rank(path, Some(&text)).filter(|(_, fit, _)| *fit > Fit::Name)
    }

    fn rank(&self, path: &Path, text: Option<&[String]>) -> Option<Rank> {
        let said = words(&path.file_stem().unwrap_or_default().to_string_lossy());
        let fit = |is_said| self.fit_by(&said, text, is_said);
        let same = fit(Sought::is_said_truly).map(|fit| (Form::Same, fit));
        let (form, fit) = same.or_else(|| Some((Form::Kindred, fit(Sought::is_said)?)))?;
        let own = |sought: &Sought| sought.is_said_so(&said) || !sought.is_said(&said);
        let wording = if self.words.iter().all(own) {
            Wording::Own
        } else {
            Wording::Other
        };
        Some((form, fit, wording))
    }

    /// How well words fit, by the words of a name and of a text.
    fn fit_by(&self, said: &[String], text: Option<&[String]>, is_said: fn(&Sought, &[String]) -> bool) -> Option<Fit> {
        let mut missing: Vec<&Sought> = self.words.iter().collect();
        missing.retain(|sought| !is_said(sought, said));
        if missing.is_empty() {
            let exact = said.len() == self.words.len();
            return Some(if exact { Fit::Exact } else { Fit::Name });
        }
        let some = missing.len() < self.words.len();
        let text = text?;
        missing.retain(|sought| !is_said(sought, text));
        missing
            .is_empty()
            .then_some(if some { Fit::NameAndText } else { Fit::Text })
    }

    /// Whether a name has some of the words.
    pub(super) fn is_near(&self, name: &str) -> bool {
        let said = words(name);
        self.words.iter().any(|sought| sought.is_said(&said))
    }

    /// The words as they were said.
    pub(super) fn said(&self) -> String {
        let said = self.words.iter().filter_map(|sought| sought.words.first());
        said.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The text of a file that is one; none when it is too much.
    fn text(&self, path: &Path, metadata: &fs::Metadata) -> Option<String> {
        let read = self.read(path, metadata);
        // One that cannot be opened may say what is looked for, too.
        self.is_cut.set(self.is_cut.get() || read.is_err());
        read.ok()?
    }

    fn read(&self, path: &Path, metadata: &fs::Metadata) -> io::Result<Option<String>> {
        if metadata.len() == 0 {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let mut bytes = vec![0; SNIFF_BYTES];
        let count = file.read(&mut bytes)?;
        bytes.truncate(count);
        let is_document = documents::is_readable(&bytes);
        if !is_document && !is_text(&bytes) {
            return Ok(None);
        }
        // Unpacking takes longer than reading.
        let (most, cost) = match is_document {
            true => (
                limits::DOCUMENT_BYTES_MAX,
                metadata.len().max(limits::SEARCHED_DOCUMENT_COST),
            ),
            false => (limits::FILE_BYTES_MAX, metadata.len()),
        };
        if metadata.len() > most || cost > self.left.get() {
            self.is_cut.set(true);
            return Ok(None);
        }
        self.left.set(self.left.get().saturating_sub(cost));
        if is_document {
            // One that is locked, damaged or a picture of text says nothing here; who reads it is told why.
            let document = documents::read_text(path, file, bytes, limits::FILE_BYTES_MAX);
            return Ok(document.ok().map(|document| documents::text(&document)));
        }
        file.take(limits::FILE_BYTES_MAX).read_to_end(&mut bytes)?;
        Ok(Some(encoding_rs::UTF_8.decode(&bytes).0.into_owned()))
    }
}

/// The words of a name or of a line, as they are compared.
pub(super) fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Takes out what the text says.
fn strike(missing: &mut Vec<Sought>, text: &str) {
    let said = words(text);
    missing.retain(|sought| !sought.is_said(&said));
}

/// Letters a word must have so that a doubled letter more or less is a slip.
const SLIP_LETTERS_MIN: usize = 5;

/// The same word but for a letter that is doubled in one of them: "waranty", "besciamela".
fn is_slip(one: &str, other: &str) -> bool {
    let squeezed = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.dedup();
        letters
    };
    let (one, other) = (squeezed(one), squeezed(other));
    one.len() >= SLIP_LETTERS_MIN && one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_word_in_any_form_in_the_other_language_and_with_a_letter_too_few() {
        for (sought, line) in [
            ("eggs|uova", "4 uova"),
            ("besciamela", "besciamella"),
            ("trip school|scuola", "The School fair"),
            ("regalo", "regali"),
        ] {
            assert!(has_some(sought, line), "{sought}: {line}");
        }
        for (sought, line) in [
            ("oven", "over"),
            ("Anna", "Annalisa"),
            ("pala", "palla"),
            ("eggs|uova", "uva"),
        ] {
            assert!(!has_some(sought, line), "{sought}: {line}");
        }
    }

    #[test]
    fn a_kindred_name_fits_worse_than_the_word_in_a_text() {
        let folder = tempfile::tempdir().unwrap();
        let about = About {
            words: vec![Sought::of("carlo").unwrap()],
            left: Cell::new(limits::SEARCHED_BYTES_MAX),
            is_cut: Cell::new(false),
        };
        let rank = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            let by_name = about.fit_by_name(&path);
            let by_text = || about.fit_by_text(&path, &fs::metadata(&path).unwrap()).or(by_name);
            by_name.filter(|rank| is_settled(*rank)).or_else(by_text)
        };
        let named = rank("carlo.txt", "");
        let said = rank("gifts.txt", "Carlo: gloves");
        let kindred = rank("carla.pdf", "\0");
        assert!(named < said && said < kindred, "{named:?} {said:?} {kindred:?}");
        assert_eq!(rank("other.txt", "nobody"), None);
    }
}
