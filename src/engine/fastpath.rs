//! L0: the same request, or one very close to it, was answered well before. Asked before any language model.
//!
//! Phase 0a is the exact hash of the canonical text. Phase 0b is cosine, and serves little on purpose: only plans that
//! carry no value of their request and change nothing, and only for a request with the same verbs and objects, numbers
//! and negations. Phase 0c is the same words with other values, filled into the slots of a plan that a model wrote.
//! When in doubt it is a miss: a miss costs seconds, a wrong replay costs trust.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    domain::{
        ids::{ActorId, CanonicalHash},
        intent::short_hash,
    },
    language::{Language, Reading},
    llm::embed::cosine,
    store::{
        Store, StoreError,
        fastpaths::{FastpathRow, FastpathVector},
    },
};

pub mod cacheable;
pub mod slots;

/// A row to serve.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The row.
    pub row: FastpathRow,
    /// How it was found.
    pub by: Found,
}

/// How a row was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// It was recorded for this very request.
    Hash,
    /// For one that is this close.
    Cosine(f32),
    /// For one with other values, in whose place the plan has those of this one.
    Slots,
}

/// The vectors of each person, kept in memory as long as the store says they are current.
#[derive(Debug, Default)]
pub struct Vectors {
    cached: Mutex<HashMap<Owner, Cached>>,
}

/// A person, and the embedder that made the vectors.
type Owner = (ActorId, String);
/// The version of plan memory the vectors were read at, and the vectors.
type Cached = (u64, Arc<Vec<FastpathVector>>);

/// The text by which a request is known again. Where every letter counts, only the very same letters are the same.
pub fn canonical(reading: &Reading, language: &Language) -> String {
    if reading.verbatim {
        reading.original.trim().to_owned()
    } else {
        language.canonical(&reading.original, reading.lang)
    }
}

/// Whether only the very same request may be answered from memory: one that names a number, a place or a time. A plan
/// that holds no value of its own would lose it.
pub fn needs_the_same(reading: &Reading) -> bool {
    !reading.facts.is_empty()
}

/// The hash of a canonical request; `None` for an empty one, which is neither stored nor looked up.
pub fn canonical_hash(canonical: &str) -> Option<CanonicalHash> {
    (!canonical.is_empty()).then(|| CanonicalHash::from(short_hash(canonical.as_bytes())))
}

/// What a request must have in common with the one a row was recorded for, before cosine may serve it.
#[derive(Clone, Copy, Debug)]
pub struct Likeness<'a> {
    /// The canonical request.
    pub canonical: &'a str,
    /// `verb|object` of each clause.
    pub intent: &'a str,
    /// Unit length.
    pub vector: &'a [f32],
    /// Who made it.
    pub embedder: &'a str,
    /// Default threshold of that embedder.
    pub threshold: f32,
}

impl Likeness<'_> {
    /// Whether a row recorded for this canonical request and intent may stand in, once the vectors are close enough.
    pub fn is_like(&self, canonical: &str, intent: &str, language: &Language) -> bool {
        intent == self.intent && same_marks(language, canonical, self.canonical)
    }
}

impl Vectors {
    /// The closest row that may be served.
    pub async fn closest(
        &self,
        store: &Store,
        actor: &ActorId,
        request: &Likeness<'_>,
        language: &Language,
    ) -> Result<Option<Hit>, StoreError> {
        let vectors = self.of(store, actor, request.embedder).await?;
        let best = vectors
            .iter()
            .map(|candidate| (candidate, cosine(&candidate.vector, request.vector)))
            .filter(|(candidate, similarity)| {
                *similarity >= candidate.threshold.unwrap_or(request.threshold).max(request.threshold)
            })
            .max_by(|one, other| one.1.total_cmp(&other.1));
        let Some((candidate, similarity)) = best else {
            return Ok(None);
        };
        let row = store.fastpath_by_id(actor, candidate.id).await?;
        Ok(row
            .filter(|row| request.is_like(&row.canonical_text, &row.intent, language))
            .map(|row| Hit {
                row,
                by: Found::Cosine(similarity),
            }))
    }

    /// Whether there is anything to compare with, so that no vector is made in vain.
    pub async fn has_any(&self, store: &Store, actor: &ActorId, embedder: &str) -> bool {
        match self.of(store, actor, embedder).await {
            Ok(vectors) => !vectors.is_empty(),
            Err(error) => {
                tracing::warn!(%error, "cannot read the fastpath vectors");
                false
            }
        }
    }

    async fn of(&self, store: &Store, actor: &ActorId, embedder: &str) -> Result<Arc<Vec<FastpathVector>>, StoreError> {
        let key = (actor.clone(), embedder.to_owned());
        let version = store.memory_version();
        if let Some((cached, vectors)) = self.cached.lock().unwrap_or_else(PoisonError::into_inner).get(&key)
            && *cached == version
        {
            return Ok(Arc::clone(vectors));
        }
        let vectors = Arc::new(store.fastpath_vectors(actor, embedder).await?);
        self.cached
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, (version, Arc::clone(&vectors)));
        Ok(vectors)
    }
}

/// What cosine cannot see is the same in both texts: negations, and in the same order and behind the same words every
/// word that is more than plain small letters, such as numbers, names, signs and accents.
fn same_marks(language: &Language, one: &str, other: &str) -> bool {
    fn marked(text: &str) -> Vec<(&str, &str)> {
        let words = || {
            text.split_whitespace()
                .map(|word| word.trim_end_matches([',', '.', ';', ':', '!']))
        };
        let is_plain = |letter: char| letter.is_ascii_lowercase() || matches!(letter, '\'' | '-');
        let is_marked = |word: &str| !word.chars().all(is_plain) || word.starts_with('-');
        let pairs = std::iter::once("").chain(words()).zip(words());
        pairs.filter(|(_, word)| is_marked(word)).collect()
    }
    marked(one) == marked(other) && language.negations(one) == language.negations(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_negations_must_agree() {
        let language = Language::embedded().unwrap();
        let same = |one: &str, other: &str| same_marks(&language, one, other);
        assert!(same("which processes run", "what processes run"));
        assert!(!same("top 3 processes", "top 5 processes"));
        assert!(!same("processes with network", "processes without network"));
        assert!(!same("i processi con la rete", "i processi senza la rete"));
        assert!(!same("show the processes", "show the processes other than mine"));
        assert!(!same("rows where a != b", "rows where a = b"));
        assert!(!same("convert € to $", "convert $ to €"));
        assert!(!same("rename Foo to foo", "rename foo to Foo"));
        assert!(!same("call papà", "call papa"));
        assert!(!same("text ann 👍", "text ann 👎"));
        assert!(!same("find cat -black", "find cat black"));
    }

    #[test]
    fn an_empty_request_has_no_hash() {
        assert_eq!(canonical_hash(""), None);
        assert_ne!(canonical_hash("move a to b"), canonical_hash("move b to a"));
    }
}
