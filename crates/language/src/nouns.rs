//! Nouns of a household's files in every language: which are papers one reads, and what the same thing is called in the
//! other languages. Made once by `Language`, asked by `names`. Words that are not in the data stand for themselves.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;

use super::{LanguageError, embedded::Embedded};
use metnos_domain::{
    alike::{is_alike, is_same},
    fold::fold,
    lang::Lang,
};

const WORDS: Embedded = Embedded {
    what: "nouns",
    english: include_str!("../../../locales/en/nouns.toml"),
    italian: include_str!("../../../locales/it/nouns.toml"),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    containers: BTreeMap<String, Vec<String>>,
    papers: BTreeMap<String, Vec<String>>,
    things: BTreeMap<String, Vec<String>>,
    folders: BTreeMap<String, Vec<String>>,
}

/// The nouns of all languages.
#[derive(Default)]
pub(super) struct Nouns {
    /// What each form means.
    keys: HashMap<String, String>,
    /// All forms of each meaning.
    forms: BTreeMap<String, Vec<String>>,
    papers: Vec<String>,
    containers: Vec<String>,
    /// Forms that stand for more than one.
    plurals: HashSet<String>,
    /// Names of the folders every home has, by what they hold.
    folders: BTreeMap<String, Vec<String>>,
}

impl Nouns {
    /// Reads the embedded words.
    pub(super) fn embedded() -> Result<Self, LanguageError> {
        let mut nouns = Self::default();
        for lang in Lang::BUILT_IN {
            let file: File = WORDS.parse(lang)?;
            nouns
                .papers
                .extend(file.papers.keys().chain(file.containers.keys()).cloned());
            nouns.containers.extend(file.containers.keys().cloned());
            for (key, names) in file.folders {
                let names = names.iter().map(|name| fold(name));
                nouns.folders.entry(key).or_default().extend(names);
            }
            for (key, forms) in file.containers.into_iter().chain(file.papers).chain(file.things) {
                let forms: Vec<String> = forms.iter().map(|form| fold(form)).collect();
                let of_an_earlier = |at: usize, form: &String| {
                    let earlier = forms.get(..at).unwrap_or_default();
                    earlier.iter().any(|one| is_same(one, form))
                };
                let several = forms.iter().enumerate().filter(|(at, form)| of_an_earlier(*at, form));
                nouns.plurals.extend(several.map(|(_, form)| form.clone()));
                for form in forms {
                    nouns.keys.insert(form.clone(), key.clone());
                    nouns.forms.entry(key.clone()).or_default().push(form);
                }
            }
        }
        Ok(nouns)
    }

    /// Whether it is something one reads: a letter, a recipe.
    pub(super) fn is_paper(&self, word: &str) -> bool {
        self.keys.get(&fold(word)).is_some_and(|key| self.papers.contains(key))
    }

    /// Whether the name of such a paper need not say that it is one: a list.
    pub(super) fn is_container(&self, word: &str) -> bool {
        self.keys
            .get(&fold(word))
            .is_some_and(|key| self.containers.contains(key))
    }

    /// Whether it is the form for more than one: the data has the other before it.
    pub(super) fn is_several(&self, word: &str) -> bool {
        self.plurals.contains(&fold(word))
    }

    /// Whether it is a thing that is known here.
    pub(super) fn is_known(&self, word: &str) -> bool {
        self.keys.contains_key(&fold(word))
    }

    /// The other words for the same thing, in every language.
    pub(super) fn others(&self, word: &str) -> Vec<String> {
        let own = fold(word);
        let forms = self.keys.get(&own).and_then(|key| self.forms.get(key));
        forms
            .into_iter()
            .flatten()
            .filter(|form| **form != own && !form.contains(' '))
            .cloned()
            .collect()
    }

    /// Everything the same thing is called, names of several words as well; none where none has several.
    pub(super) fn wordings(&self, name: &str) -> &[String] {
        let forms = self.keys.get(&fold(name)).and_then(|key| self.forms.get(key));
        let forms = forms.map(Vec::as_slice).unwrap_or_default();
        let several = forms.iter().any(|form| form.contains(' '));
        if several { forms } else { &[] }
    }

    /// All names of the folder that this is a name of: "documents" may be called "docs".
    pub(super) fn folders<'n>(&'n self, name: &str) -> impl Iterator<Item = &'n str> {
        let name = fold(name);
        let same = self.folders.values().filter(move |names| names.contains(&name));
        same.flatten().map(String::as_str)
    }

    /// The word, and the other words for the same thing behind bars: "recipe|ricetta".
    pub(super) fn with_others(&self, word: &str) -> String {
        let own = fold(word);
        let mut names = vec![word.to_owned()];
        let key = self.keys.get(&own);
        let forms = key.and_then(|key| self.forms.get(key)).into_iter().flatten();
        for form in forms.filter(|form| !form.contains(' ')) {
            if !names.iter().any(|known| is_alike(&fold(known), form)) {
                names.push(form.clone());
            }
        }
        names.join("|")
    }
}
