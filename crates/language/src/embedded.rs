//! The word lists that are compiled in, one file for each language. Asked once by whoever keeps such words, while
//! `Language` is made. It decides nothing about them.

use serde::de::DeserializeOwned;

use super::LanguageError;
use metnos_domain::lang::Lang;

/// The same list in every language.
pub(super) struct Embedded {
    /// What it is, for the error.
    pub(super) what: &'static str,
    pub(super) english: &'static str,
    pub(super) italian: &'static str,
}

impl Embedded {
    /// The list of one language. Only a mistake in the data file is an error.
    pub(super) fn parse<T: DeserializeOwned>(&self, lang: Lang) -> Result<T, LanguageError> {
        let text = match lang {
            Lang::IT => self.italian,
            _ => self.english,
        };
        toml::from_str(text).map_err(|source| LanguageError::Toml {
            what: format!("{} {}", lang.code(), self.what),
            source,
        })
    }
}
