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

    /// Reads a code such as `it`, `it-IT` or `it_IT.UTF-8`; `None` for a language we do not speak.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_', '.']).next().unwrap_or(code);
        Self::ALL
            .into_iter()
            .find(|lang| primary.eq_ignore_ascii_case(lang.code()))
    }
}
