//! What a request asks for, in the closed vocabulary: one clause per imperative.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    hex::hex,
    ids::IntentHash,
    vocabulary::{Object, Verb},
};

/// One thing asked: a verb and an object, either of which may not have been understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clause {
    /// What to do.
    pub verb: Option<Verb>,
    /// To what.
    pub object: Option<Object>,
}

/// What is believed about a whole request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// In the order they were said; the first one is the primary clause. Never more than `limits::CLAUSES_MAX`.
    pub clauses: Vec<Clause>,
    /// Content words that are neither verb, object nor value.
    pub keywords: Vec<String>,
    /// 0..1: how sure. Below `limits::INTENT_CONFIDENCE_MIN` nothing runs and the person is asked.
    pub confidence: f64,
}

impl Intent {
    /// Nothing understood.
    pub fn unknown() -> Self {
        Self {
            clauses: Vec::new(),
            keywords: Vec::new(),
            confidence: 0.0,
        }
    }

    /// The first clause, if there is one.
    pub fn primary(&self) -> Option<Clause> {
        self.clauses.first().copied()
    }

    /// Every clause has both a verb and an object.
    pub fn is_complete(&self) -> bool {
        !self.clauses.is_empty()
            && self
                .clauses
                .iter()
                .all(|clause| clause.verb.is_some() && clause.object.is_some())
    }

    /// `verb|object` of each clause, joined by `;`: what L1 files plans under.
    pub fn signature(&self) -> String {
        let clauses: Vec<String> = self
            .clauses
            .iter()
            .map(|clause| {
                format!(
                    "{}|{}",
                    clause.verb.map_or("?", Verb::as_str),
                    clause.object.map_or("?", Object::as_str)
                )
            })
            .collect();
        clauses.join(";")
    }

    /// The intent of a signature, as sure as when it was written down.
    pub fn from_signature(signature: &str) -> Self {
        let clauses = signature
            .split(';')
            .filter_map(|clause| clause.split_once('|'))
            .map(|(verb, object)| Clause {
                verb: Verb::parse(verb),
                object: Object::parse(object),
            })
            .collect();
        Self {
            clauses,
            keywords: Vec::new(),
            confidence: 1.0,
        }
    }

    /// The hash of the signature; keywords are not in it.
    pub fn hash(&self) -> IntentHash {
        IntentHash::from(short_hash(self.signature().as_bytes()))
    }
}

/// First 16 hex digits of SHA-256: the form of every hash that is stored as a key.
pub fn short_hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let (quarter, _) = digest.split_at(digest.len() / 4);
    hex(quarter)
}
