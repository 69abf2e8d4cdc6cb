//! Which words of the closed vocabulary a text mentions, in any language: the bridge between how people speak and the
//! names executors have. The shortlist asks; what is recalled here is shown to a planner, and decides nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;

use super::{LanguageError, token::words_of};
use metnos_domain::{
    lang::Lang,
    vocabulary::{Object, Qualifier, Verb},
};

/// A word of the closed vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Concept {
    /// What is done.
    Verb(Verb),
    /// To what.
    Object(Object),
    /// In what form.
    Qualifier(Qualifier),
}

/// One word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stem {
    /// The word's stem.
    pub text: String,
    /// Letters of the whole word.
    pub letters: usize,
    /// Only holds a sentence together: an article, a pronoun, a word of politeness.
    pub is_glue: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    enclitics: Vec<String>,
    verbs: BTreeMap<String, Vec<String>>,
    objects: BTreeMap<String, Vec<String>>,
    qualifiers: BTreeMap<String, Vec<String>>,
}

/// The concepts of one language by their stems.
pub(super) struct Concepts {
    stemmer: Stemmer,
    phrases: HashMap<String, Vec<(Vec<String>, Concept)>>,
    glue: HashSet<String>,
    /// Pronouns that a verb takes at its end.
    enclitics: Vec<String>,
}

impl Concepts {
    /// Reads the words of a language; `glue` are those that only hold a sentence together.
    pub(super) fn parse(lang: Lang, text: &str, glue: HashSet<String>) -> Result<Self, LanguageError> {
        let what = || format!("{} concepts", lang.code());
        let file: File = toml::from_str(text).map_err(|source| LanguageError::Toml { what: what(), source })?;
        let algorithm = match lang {
            Lang::IT => Algorithm::Italian,
            _ => Algorithm::English,
        };
        let mut concepts = Self {
            stemmer: Stemmer::create(algorithm),
            phrases: HashMap::new(),
            glue,
            enclitics: Vec::new(),
        };
        let unknown = |word: &str| LanguageError::Unknown {
            what: what(),
            word: word.to_owned(),
        };
        for (word, forms) in &file.verbs {
            let verb = Verb::parse(word).ok_or_else(|| unknown(word))?;
            concepts.add(forms, Concept::Verb(verb));
        }
        for (word, forms) in &file.objects {
            let object = Object::parse(word).ok_or_else(|| unknown(word))?;
            concepts.add(forms, Concept::Object(object));
        }
        for (word, forms) in &file.qualifiers {
            let qualifier = Qualifier::parse(word).ok_or_else(|| unknown(word))?;
            concepts.add(forms, Concept::Qualifier(qualifier));
        }
        // The forms themselves are taken as they are written.
        concepts.enclitics = file.enclitics;
        Ok(concepts)
    }

    fn add(&mut self, forms: &[String], concept: Concept) {
        for form in forms {
            let mut stems = self.stems(form).into_iter().map(|stem| stem.text);
            if let Some(first) = stems.next() {
                self.phrases.entry(first).or_default().push((stems.collect(), concept));
            }
        }
    }

    /// The stems of a text's words, elisions taken apart.
    pub(super) fn stems(&self, text: &str) -> Vec<Stem> {
        words_of(text)
            .iter()
            .flat_map(|word| word.split(['\'', '-', '_']))
            .filter(|word| !word.is_empty())
            .map(|word| Stem {
                text: self.stem(word),
                letters: word.chars().count(),
                is_glue: self.glue.contains(word),
            })
            .collect()
    }

    /// "eliminalo" is "elimina" where that says something and the whole word does not.
    fn stem(&self, word: &str) -> String {
        let whole = self.stemmer.stem(word).into_owned();
        if self.enclitics.is_empty() || self.phrases.contains_key(&whole) {
            return whole;
        }
        let bare = self.enclitics.iter().filter_map(|own| word.strip_suffix(own.as_str()));
        let mut bare = bare
            .filter(|bare| bare.ends_with(['a', 'i']))
            .map(|bare| self.stemmer.stem(bare).into_owned());
        bare.find(|bare| self.phrases.contains_key(bare)).unwrap_or(whole)
    }

    /// What these stems mention, each with the place of its first word, in order.
    pub(super) fn mentions(&self, stems: &[Stem]) -> Vec<(usize, Concept)> {
        let mut found = Vec::new();
        for (at, stem) in stems.iter().enumerate() {
            for (rest, concept) in self.phrases.get(&stem.text).into_iter().flatten() {
                let tail = stems.get(at + 1..).unwrap_or_default();
                let follows = rest.len() <= tail.len() && rest.iter().zip(tail).all(|(own, said)| *own == said.text);
                if follows && !found.contains(&(at, *concept)) {
                    found.push((at, *concept));
                }
            }
        }
        found
    }
}
