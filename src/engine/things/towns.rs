//! Towns: which words of a request name a place on the earth, for slots of the kind `town`. Called by `engine::frames`.
//! It knows no towns, only which words are none: "here", "at home" and "outside" are where the person is.

use serde::Deserialize;
use serde_json::json;

use super::{Asking, Meant, Resolver};
use crate::{
    domain::lang::Lang,
    language::outline::{Sign, Word},
};

const ENGLISH: &str = include_str!("../../../locales/en/towns.toml");
const ITALIAN: &str = include_str!("../../../locales/it/towns.toml");

/// Words of the longest name: "Reggio nell'Emilia", "Cernusco sul Naviglio".
const WORDS_MAX: usize = 5;

/// The words of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    own: Vec<String>,
}

/// The resolver.
#[derive(Debug)]
pub struct Towns {
    own: Vec<String>,
}

impl Towns {
    /// For requests in this language.
    pub fn new(lang: Lang) -> Self {
        let text = match lang {
            Lang::IT => ITALIAN,
            _ => ENGLISH,
        };
        let file: File = toml::from_str(text).unwrap_or_default();
        Self { own: file.own }
    }

    fn is_own(&self, word: &Word) -> bool {
        self.own.contains(&word.fold)
    }
}

impl Resolver for Towns {
    fn knows(&self, kind: &str) -> bool {
        kind == "town"
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        let word = |at: usize| asking.words.get(at);
        let is_taken = |at: usize| asking.filled.iter().any(|filled| filled.words.contains(&at));
        // Without a word that leads there only a capital tells a name, and not at the beginning.
        let begins = |at: &usize| {
            let is_first = asking.clause.first() == Some(at);
            word(*at).is_some_and(|word| word.is_content() && !word.is_time)
                && (asking.is_led || !is_first && word(*at).is_some_and(|word| word.is_capital(asking.text)))
        };
        let open = |at: &usize| !is_taken(*at) && asking.free.contains(at);
        // "A che ora": behind the word that leads stands a question, and no town.
        let asks = |at: &usize| word(*at).is_some_and(|word| word.may_be(&Sign::Question));
        if asking.is_led && asking.own.first().is_some_and(asks) {
            return None;
        }
        let mut own = asking.own.iter().copied().filter(open);
        let first = if asking.is_led {
            own.find(|at| !word(*at).is_some_and(|word| word.is_glue))
                .filter(begins)?
        } else {
            own.find(begins)?
        };
        if word(first).is_some_and(|word| self.is_own(word)) {
            return Some(Meant::by(json!(""), vec![first], true));
        }
        // In small letters a name stands right behind the word that leads to it: "a che ora tramonta" names no town.
        let is_name = word(first).is_some_and(|word| word.is_capital(asking.text));
        if !is_name && asking.own.first() != Some(&first) {
            return None;
        }
        let goes_on = |at: &usize| {
            open(at)
                && asking.own.contains(at)
                && word(*at).is_some_and(|word| {
                    let is_name = word.is_capital(asking.text) || word.is_glue || asking.is_led && !word.is_time;
                    is_name && !word.is_time && !word.is_bound() && !word.may_be(&Sign::Question)
                })
        };
        let mut run: Vec<usize> = (first..first + WORDS_MAX).take_while(goes_on).collect();
        // A name ends with a word that says something.
        while run.last().is_some_and(|at| word(*at).is_some_and(|word| word.is_glue)) {
            run.pop();
        }
        let name = asking.written(&run)?.to_owned();
        Some(Meant::by(json!(name), run, true))
    }
}
