//! What a domain knows of the world: which of its things some words mean. `engine::frames` asks it for every slot whose
//! kind it knows; a new domain is one more implementation here. It only looks, and decides nothing: what is meant is a
//! value with the words that led to it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{domain::frame::Slot, language::outline::Word};

pub mod files;
mod lines;
mod names;

/// What a slot asks for.
#[derive(Debug)]
pub struct Asking<'a> {
    /// The slot.
    pub slot: &'a Slot,
    /// The message as it was written.
    pub text: &'a str,
    /// All words of it.
    pub words: &'a [Word],
    /// Places of those of the clause.
    pub clause: &'a [usize],
    /// Which of them stand open, behind a word for the slot's part, if there is one.
    pub own: Vec<usize>,
    /// Words that nothing explains yet, in the whole message.
    pub free: Vec<usize>,
    /// Words for what the deed is about, such as "mails": a name ends before one.
    pub named: &'a BTreeSet<usize>,
    /// What is filled already.
    pub filled: &'a [Filled],
    /// Files the person has before them.
    pub view: &'a [String],
    /// The clause points at something instead of naming it.
    pub points: bool,
    /// A word for this part stood before the words.
    pub is_led: bool,
}

impl Asking<'_> {
    /// These words as they were written, from the first to the last.
    pub fn written(&self, places: &[usize]) -> Option<&str> {
        let first = self.words.get(*places.first()?)?;
        let last = self.words.get(*places.last()?)?;
        self.text.get(first.span.start..last.span.end)
    }

    /// What fills a slot of this kind already.
    pub fn filled_with(&self, kind: &str) -> Option<&Value> {
        self.filled
            .iter()
            .find(|filled| filled.kind == kind)
            .map(|filled| &filled.value)
    }
}

/// A slot that is filled.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// The argument.
    pub arg: String,
    /// Its kind.
    pub kind: String,
    /// The value.
    pub value: Value,
    /// The words it comes from.
    pub words: Vec<usize>,
    /// Nothing else could be meant by them.
    pub is_sure: bool,
}

/// What some words mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Meant {
    /// The value.
    pub value: Value,
    /// The words it comes from.
    pub words: Vec<usize>,
    /// Nothing else could be meant by them, and all of its name was said.
    pub is_sure: bool,
    /// What else follows from it, by kind: the list that a line stands on.
    pub implies: Vec<(String, Value)>,
}

impl Meant {
    /// This value, by these words.
    pub fn by(value: Value, words: Vec<usize>, is_sure: bool) -> Self {
        Self {
            value,
            words,
            is_sure,
            implies: Vec::new(),
        }
    }
}

/// Names and words → things.
pub trait Resolver: Sync {
    /// Whether things of this kind are its own.
    fn knows(&self, kind: &str) -> bool;

    /// What is meant; `None` where the words name nothing of the kind, or nobody can say which.
    fn meant(&self, asking: &Asking<'_>) -> Option<Meant>;
}
