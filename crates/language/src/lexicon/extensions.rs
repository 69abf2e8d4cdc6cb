//! What every language shares, from `extensions.toml`: extensions of file names, kinds of files and units of size.
//! Called once by the lexicon while it is made; it decides nothing.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;

use super::{LanguageError, Lexicon};
use crate::sense::Sense;

/// The kinds of files that are looked at or listened to.
const SEEN: [&str; 3] = ["image", "video", "audio"];

/// What every language shares: extensions of file names and units of size.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extensions {
    alone: Vec<String>,
    beside: Vec<String>,
    names: BTreeMap<String, String>,
    kinds: BTreeMap<String, Vec<String>>,
    sizes: BTreeMap<String, u64>,
}

impl Extensions {
    pub(crate) fn parse(text: &str) -> Result<Self, LanguageError> {
        toml::from_str(text).map_err(|source| LanguageError::Toml {
            what: "extensions".to_owned(),
            source,
        })
    }

    /// Every extension by itself: what makes a bare word with a dot a file name.
    pub(crate) fn known(&self) -> HashSet<String> {
        let named = self.names.values();
        self.alone
            .iter()
            .chain(&self.beside)
            .chain(named)
            .chain(self.kinds.values().flatten())
            .cloned()
            .collect()
    }

    /// Those of files that are looked at or listened to.
    fn seen(&self) -> HashSet<String> {
        let kinds = SEEN.iter().filter_map(|kind| self.kinds.get(*kind));
        kinds.flatten().cloned().collect()
    }
}

impl Lexicon {
    /// `kinds` are the words of a language for each kind of file.
    pub(super) fn add_extensions(&mut self, kinds: &BTreeMap<String, Vec<String>>, shared: &Extensions) {
        let globs = |extension: &str, alone: bool| Sense::Globs {
            extensions: vec![extension.to_owned()],
            alone,
        };
        for extension in &shared.alone {
            self.add(std::slice::from_ref(extension), &globs(extension, true));
            self.add(&[format!("{extension}s")], &globs(extension, true));
        }
        for extension in &shared.beside {
            self.add(std::slice::from_ref(extension), &globs(extension, false));
        }
        for (name, extension) in &shared.names {
            self.add(std::slice::from_ref(name), &globs(extension, false));
        }
        for (kind, forms) in kinds {
            let extensions = shared.kinds.get(kind).cloned().unwrap_or_default();
            let sense = match kind.as_str() {
                "paper" => Sense::Papers(extensions),
                _ => Sense::Globs {
                    extensions,
                    alone: true,
                },
            };
            self.add(forms, &sense);
        }
        for (unit, bytes) in &shared.sizes {
            self.add(std::slice::from_ref(unit), &Sense::SizeUnit(*bytes));
        }
        self.seen = shared.seen();
    }
}
