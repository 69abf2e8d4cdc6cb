//! What languages are called, and how people ask that one more be spoken. Asked by `runtime` about a message of the
//! host; which languages are spoken is not known here.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{LanguageError, embedded::Embedded};
use metnos_domain::{fold::fold, lang::Lang};

const TONGUES: Embedded = Embedded {
    what: "tongues",
    english: include_str!("../../../locales/en/tongues.toml"),
    italian: include_str!("../../../locales/it/tongues.toml"),
};

/// Where the name stands in a form.
const NAME: &str = "{}";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    asked: Vec<String>,
    names: BTreeMap<String, String>,
}

/// The names, and the forms around them.
#[derive(Debug)]
pub struct Tongues {
    /// What stands before a name and behind it, folded.
    forms: Vec<(String, String)>,
    /// By folded name, in every built-in language.
    names: BTreeMap<String, Lang>,
    /// What a language is called in another one.
    called: BTreeMap<(Lang, Lang), String>,
}

impl Tongues {
    pub(super) fn embedded() -> Result<Self, LanguageError> {
        let mut tongues = Self {
            forms: Vec::new(),
            names: BTreeMap::new(),
            called: BTreeMap::new(),
        };
        for speaker in Lang::BUILT_IN {
            let file: File = TONGUES.parse(speaker)?;
            for form in &file.asked {
                let (before, behind) = form.split_once(NAME).unwrap_or((form, ""));
                tongues.forms.push((fold(before), fold(behind)));
            }
            for (code, name) in file.names {
                let Some(lang) = Lang::from_code(&code) else {
                    return Err(LanguageError::Unknown {
                        what: format!("{} tongues", speaker.code()),
                        word: code,
                    });
                };
                tongues.names.insert(fold(&name), lang);
                tongues.called.insert((lang, speaker), name);
            }
        }
        Ok(tongues)
    }

    /// The language a word stands for: its code, or its name in a language that is built in.
    pub fn named(&self, word: &str) -> Option<Lang> {
        let word = fold(word.trim());
        self.names.get(&word).copied().or_else(|| Lang::from_code(&word))
    }

    /// What a language is called by those who speak another one.
    pub fn called(&self, lang: Lang, speaker: Lang) -> &str {
        let known = self.called.get(&(lang, speaker));
        known.map_or_else(|| lang.english_name(), String::as_str)
    }

    /// The language a whole message asks to be spoken, too: "also speak French", "parla anche francese".
    pub(super) fn asked_for(&self, canonical: &str) -> Option<Lang> {
        let said = fold(canonical);
        let said = said.trim_end_matches(['.', '!', ' ']);
        self.forms.iter().find_map(|(before, behind)| {
            let name = said.strip_prefix(before.as_str())?.strip_suffix(behind.as_str())?;
            self.names.get(name.trim()).copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use metnos_domain::lang::Lang;

    #[test]
    fn names_and_codes_stand_for_languages() {
        let language = Language::embedded().unwrap();
        let tongues = language.tongues();
        for word in ["fr", "FR", "French", "francese"] {
            assert_eq!(tongues.named(word).map(Lang::code), Some("fr"), "{word}");
        }
        assert_eq!(tongues.named("klingon"), None);
        let french = tongues.named("fr").unwrap();
        assert_eq!(tongues.called(french, Lang::IT), "francese");
        assert_eq!(tongues.called(french, french), "French");
    }
}
