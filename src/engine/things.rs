//! What a domain knows of the world: which of its things some words mean. `engine::frames` asks it for every slot whose
//! kind it knows; a new domain implements `Resolver`. It only looks, and decides nothing: what is meant is a
//! value with the words that led to it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    domain::{
        dialogue::{Dialogue, FILE, Listed},
        frame::{Slot, SlotRole},
        message::Message,
    },
    language::{
        FactKind,
        outline::{Sign, Word},
    },
};

pub mod files;
/// Towns.
pub mod towns;
/// What the web is asked.
pub mod web;
mod fresh;
mod lines;
pub mod mailboxes;
mod names;

pub(crate) use lines::new_lines;

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
    /// What the person has before them.
    pub view: &'a Dialogue,
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

    /// The first text in quotes among these words.
    pub(super) fn quoted(&self, among: &[usize]) -> Option<Meant> {
        among
            .iter()
            .find_map(|at| match self.words.get(*at)?.literal.as_ref()? {
                (FactKind::Quoted, text) => Some(Meant::by(json!(text), vec![*at], true)),
                _ => None,
            })
    }

    /// The same about other words.
    pub(super) fn about(&self, own: Vec<usize>) -> Self {
        Self {
            own,
            free: self.free.clone(),
            ..*self
        }
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
    /// Several fit alike.
    pub choices: Vec<String>,
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
    /// Several fit alike: what the person sees of each, to choose one. The executor takes that as well as an id.
    pub choices: Vec<String>,
}

impl Meant {
    /// This value, by these words.
    pub fn by(value: Value, words: Vec<usize>, is_sure: bool) -> Self {
        Self {
            value,
            words,
            is_sure,
            implies: Vec::new(),
            choices: Vec::new(),
        }
    }
}

/// A text that a question is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Matter {
    /// What it is: a kind of thing that some executor reads.
    pub kind: String,
    /// Which one.
    pub id: String,
    /// Words it is to be read around, as they stand there.
    pub words: Vec<String>,
    /// How much of the question it explains: a word of its name counts one, one of what it says the less the more
    /// others say it.
    pub weight: f64,
    /// Places of all words of the question that it explains.
    pub explained: BTreeSet<usize>,
}

/// Names and words → things. Made for a turn by a family of `engine::families`.
pub trait Resolver: Send + Sync {
    /// Whether things of this kind are its own.
    fn knows(&self, kind: &str) -> bool;

    /// Whether what it means by words is there for certain, so that a reading which uses every word of a message counts
    /// before all others. Names of files may be any words.
    fn is_certain(&self) -> bool {
        false
    }

    /// Whether the words say by themselves which are meant, so that those which were shown before are not: "all the
    /// lights" are more than the one that was switched just now.
    fn says_which(&self, _asking: &Asking<'_>) -> bool {
        false
    }

    /// What is meant; `None` where the words name nothing of the kind, or nobody can say which.
    fn meant(&self, asking: &Asking<'_>) -> Option<Meant>;

    /// What tells most of what a question is about, among the words at these places; `None` where nothing does.
    fn matter(&self, _words: &[Word], _among: &[usize]) -> Option<Matter> {
        None
    }

    /// The one thing that is known by nearly this, where nothing is known by it: a path with a slip of the finger.
    fn near_id(&self, _id: &str) -> Option<String> {
        None
    }

    /// A request that works, about the one thing that words name which nobody understood.
    fn nearest(&self, _words: &[Word]) -> Option<Message> {
        None
    }
}

/// What was shown or spoken of before, by where it stands there or by a word that points at it. Files, whose names are
/// looked up first, see to that themselves.
pub(crate) fn shown(asking: &Asking<'_>, kind: &str) -> Option<Meant> {
    if kind == FILE || !matches!(asking.slot.role, SlotRole::What | SlotRole::To | SlotRole::From) {
        return None;
    }
    let own = || asking.own.iter().filter_map(|at| Some((*at, asking.words.get(*at)?)));
    if let Some(place) = place_among(asking, &asking.own) {
        return counted(asking, asking.view.counted(kind)?, place);
    }
    let tells = |(at, word): &(usize, &Word)| {
        let is_value = word.is_time || word.is_number() || word.literal.is_some();
        word.is_content() && !is_value && !asking.named.contains(at) && !is_grammar(word)
    };
    if !asking.points || own().any(|one| tells(&one)) {
        return None;
    }
    let says = |sign: &Sign| own().any(|(_, word)| word.may_be(sign));
    // A pronoun at the end of the deed is no word of its own.
    let all = || asking.clause.iter().filter_map(|at| asking.words.get(*at));
    let points_at_many = all().any(|word| word.may_be(&Sign::Pointer) && word.may_be(&Sign::Many));
    let is_all = says(&Sign::All) || says(&Sign::Both) || points_at_many;
    let listed = asking
        .view
        .counted(kind)
        .filter(|_| is_all)
        .or_else(|| asking.view.pointed(kind))?;
    let words =
        own().filter(|(_, word)| word.may_be(&Sign::Pointer) || word.may_be(&Sign::All) || word.may_be(&Sign::Both));
    Some(Meant::by(
        json!(listed.ids),
        words.map(|(at, _)| at).collect(),
        listed.ids.len() == 1 || is_all,
    ))
}

/// The first of these words that counts to a place, and that place. "The second" may be a day as well; of those that
/// were shown it is one. "The first" alone may be a day, "the first of May" is one.
pub(crate) fn place_among(asking: &Asking<'_>, among: &[usize]) -> Option<(usize, i64)> {
    let goes_on = |at: usize| asking.words.get(at + 1).is_some_and(|next| next.is_time);
    let mut own = among.iter().filter_map(|at| Some((*at, asking.words.get(*at)?)));
    own.find_map(|(at, word)| Some((at, place(word, goes_on(at))?)))
}

/// The place a word counts to, from the first with 1 or from the last with -1; "last week" counts to none.
fn place(word: &Word, goes_on: bool) -> Option<i64> {
    let ends = |is_first: bool| word.may_be(&Sign::End(is_first)) && !(word.is_time && goes_on);
    match (ends(true), ends(false)) {
        (true, _) => Some(1),
        (_, true) => Some(-1),
        (false, false) => word.place(),
    }
}

/// "The second", "the last", "the first two".
pub(crate) fn counted(asking: &Asking<'_>, listed: &Listed, (at, place): (usize, i64)) -> Option<Meant> {
    // Its article belongs to it: the two may be read as a day.
    let is_small = |before: &usize| asking.words.get(*before).is_some_and(|word| word.is_glue);
    let article = at.checked_sub(1).filter(is_small);
    let mut places: Vec<usize> = article.into_iter().chain([at]).collect();
    let number = asking
        .words
        .get(at + 1)
        .and_then(|word| word.fold.parse::<usize>().ok());
    let first = listed.index(place)?;
    let Some(number) = number.filter(|number| *number > 1) else {
        return Some(Meant::by(json!([listed.ids.get(first)?]), places, true));
    };
    let start = if place < 0 {
        (first + 1).checked_sub(number)?
    } else {
        first
    };
    let ids = listed.ids.get(start..start + number)?;
    places.push(at + 1);
    Some(Meant::by(json!(ids), places, true))
}

/// Only holds a sentence together, or says how many of those before.
fn is_grammar(word: &Word) -> bool {
    let is_one = |sign: &Sign| {
        matches!(
            sign,
            Sign::Pointer | Sign::All | Sign::Both | Sign::Request | Sign::Role(_) | Sign::Question | Sign::Connector
        )
    };
    word.is_rest || word.signs.iter().any(|(sign, _)| is_one(sign)) || word.deeds().next().is_some()
}
