//! The words for asking what one's own notes say: `locales/<lang>/asking.toml`, added to the index of `lexicon`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{LanguageError, Lexicon, Sense};
use crate::embedded::Embedded;
use metnos_domain::lang::Lang;

const WORDS: Embedded = Embedded {
    what: "asking",
    english: include_str!("../../../../locales/en/asking.toml"),
    italian: include_str!("../../../../locales/it/asking.toml"),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asking {
    wonder: Vec<String>,
    due: Vec<String>,
    noted: Vec<String>,
    wanting: Vec<String>,
    which: Vec<String>,
    listed: Vec<String>,
    undone: Vec<String>,
    lists: BTreeMap<String, Vec<String>>,
    joined: Vec<String>,
}

impl Lexicon {
    /// Adds these words.
    pub(super) fn add_asking(&mut self, lang: Lang) -> Result<(), LanguageError> {
        let words: Asking = WORDS.parse(lang)?;
        for (forms, sense) in [
            (&words.wonder, Sense::Wonder),
            (&words.due, Sense::Due),
            (&words.noted, Sense::Noted),
            (&words.wanting, Sense::Wanting),
            (&words.which, Sense::Which),
            (&words.listed, Sense::Listed),
            (&words.undone, Sense::Undone),
            (&words.joined, Sense::Joined),
        ] {
            self.add(forms, &sense);
        }
        for (name, forms) in &words.lists {
            self.add(forms, &Sense::ListOf(name.clone()));
        }
        Ok(())
    }
}
