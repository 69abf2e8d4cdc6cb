//! The languages people speak to us in. A new one is a variant here and a folder in `locales/`.

use serde::{Deserialize, Serialize};

/// A language with complete texts and a complete lexicon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Italian.
    It,
}

impl Lang {
    /// Every language, in the order they are listed to people.
    pub const ALL: [Self; 2] = [Self::En, Self::It];

    /// The ISO 639-1 code.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::It => "it",
        }
    }

    /// A number of bytes as people read it: `5.3 MB`, `5,3 MB`.
    pub fn bytes(self, bytes: f64) -> String {
        // As people write sizes in a request, too: what is "bigger than 1 MB" is shown with at least 1 MB.
        const STEP: f64 = 1_000.0;
        let mut value = bytes;
        let mut unit = "B";
        for larger in ["KB", "MB", "GB", "TB"] {
            if value < STEP {
                break;
            }
            value /= STEP;
            unit = larger;
        }
        let digits = if unit == "B" || value >= 100.0 { 0 } else { 1 };
        format!("{} {unit}", self.decimal(value, digits))
    }

    /// A number with so many digits after its point or comma.
    pub fn decimal(self, value: f64, digits: usize) -> String {
        // Nobody writes a minus before nothing.
        let number = format!("{:.digits$}", if value == 0.0 { 0.0 } else { value });
        match self {
            Self::En => number,
            Self::It => number.replace('.', ","),
        }
    }

    /// Reads a code such as `it`, `it-IT` or `it_IT.UTF-8`; `None` for a language we do not speak.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_', '.']).next().unwrap_or(code);
        Self::ALL
            .into_iter()
            .find(|lang| primary.eq_ignore_ascii_case(lang.code()))
    }
}

/// The same thing in every language; a new language is a field here, and the compiler says where it is missing.
#[derive(Clone, Copy, Debug)]
pub struct InEach<T> {
    /// In English.
    pub english: T,
    /// In Italian.
    pub italian: T,
}

impl<T: Copy> InEach<T> {
    /// In one language.
    pub fn of(&self, lang: Lang) -> T {
        match lang {
            Lang::En => self.english,
            Lang::It => self.italian,
        }
    }

    /// In all of them, in the order of `Lang::ALL`.
    pub fn all(&self) -> impl Iterator<Item = T> {
        Lang::ALL.into_iter().map(|lang| self.of(lang))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_people_write_them() {
        for (bytes, english, italian) in [
            (0.0, "0 B", "0 B"),
            (-0.0, "0 B", "0 B"),
            (1536.0, "1.5 KB", "1,5 KB"),
            (5_300_000.0, "5.3 MB", "5,3 MB"),
            (109_245_000.0, "109 MB", "109 MB"),
        ] {
            assert_eq!(Lang::En.bytes(bytes), english);
            assert_eq!(Lang::It.bytes(bytes), italian);
        }
    }
}
