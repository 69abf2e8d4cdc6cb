//! What stands at the end of a word and is no part of it: the pronoun of an Italian verb ("spostali", "elencarmi"), the
//! English possessive ("file's"); from `locales/<lang>/endings.toml`. Asked by the scan for words it does not know, and
//! by whoever takes a pronoun off. It knows no sentence.

use serde::Deserialize;

use super::{LanguageError, Lexicon};
use crate::{
    embedded::Embedded,
    sense::{Changing, Sense},
};
use metnos_domain::lang::Lang;

const WORDS: Embedded = Embedded {
    what: "endings",
    english: include_str!("../../../../locales/en/endings.toml"),
    italian: include_str!("../../../../locales/it/endings.toml"),
};

/// The endings of one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Endings {
    points: Vec<String>,
    there: Vec<String>,
    person: Vec<String>,
    owner: Vec<String>,
    cut: Vec<Cut>,
    many: Vec<String>,
}

/// What a verb loses before a pronoun: "leggere" is "legger" in "leggerlo".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cut {
    behind: String,
    lost: String,
}

/// A word that is only known without its ending.
pub(crate) struct Inflected<'a> {
    pub(crate) senses: &'a [Sense],
    /// The ending points at an earlier result: "spostali".
    pub(crate) points: bool,
    /// The ending says where: "mettici".
    pub(crate) there: bool,
}

impl Endings {
    /// Reads the embedded words.
    pub(super) fn embedded(lang: Lang) -> Result<Self, LanguageError> {
        WORDS.parse(lang)
    }

    /// A verb in full: what it lost before a pronoun is back.
    fn restored(&self, stem: &str) -> Option<String> {
        let cut = self.cut.iter().find(|cut| stem.ends_with(&cut.behind))?;
        Some(format!("{stem}{}", cut.lost))
    }
}

impl Lexicon {
    /// What a word means without a pronoun ("elencarmi", "spostali") or possessive ending ("file's").
    pub(crate) fn inflected(&self, fold: &str) -> Option<Inflected<'_>> {
        let owner = self.endings.owner.iter().find_map(|ending| fold.strip_suffix(ending));
        if let Some(owner) = owner {
            let of = |senses| Inflected {
                senses,
                points: false,
                there: false,
            };
            return self.senses(owner).map(of);
        }
        let points = self.endings.points.iter().map(|ending| (ending, true, false));
        let there = self.endings.there.iter().map(|ending| (ending, false, true));
        let person = self.endings.person.iter().map(|ending| (ending, false, false));
        points.chain(there).chain(person).find_map(|(ending, points, there)| {
            let senses = self.verb(fold.strip_suffix(ending.as_str())?)?;
            Some(Inflected { senses, points, there })
        })
    }

    /// The senses of a word that says what is done.
    fn verb(&self, stem: &str) -> Option<&[Sense]> {
        let says = |sense: &Sense| {
            let clears = *sense == Sense::Changing(Changing::Clear);
            clears || matches!(sense, Sense::Verb(_) | Sense::Show | Sense::HowMany)
        };
        let is_verb = |senses: &&[Sense]| senses.iter().any(says);
        let restored = || self.senses(&self.endings.restored(stem)?).filter(is_verb);
        self.senses(stem).filter(is_verb).or_else(restored)
    }

    /// Whether the end of a word may say that there are many.
    pub(crate) fn may_be_many(&self, fold: &str) -> bool {
        self.endings.many.iter().any(|ending| fold.ends_with(ending.as_str()))
    }

    /// A word without a pronoun at its end, and whether it points at something: "spostale", "mettici".
    pub(crate) fn bare<'w>(&self, fold: &'w str) -> Option<&'w str> {
        let points = self
            .endings
            .points
            .iter()
            .chain(&self.endings.there)
            .chain(&self.endings.person);
        let mut bare = points.filter_map(|ending| fold.strip_suffix(ending.as_str()));
        bare.find(|bare| bare.chars().count() > 2)
    }

    /// "salvalo" is "salva", "leggerlo" is "leggere".
    pub(crate) fn without_pronoun(&self, word: &str) -> String {
        let ending = self
            .endings
            .points
            .iter()
            .find_map(|ending| word.strip_suffix(ending.as_str()));
        let stem = ending.unwrap_or(word);
        self.endings.restored(stem).unwrap_or_else(|| stem.to_owned())
    }
}
