//! What a clause says before any slot is filled: whether it speaks of what a frame is about, and which of its words
//! name that. Called by `frames::fill`; it fills nothing.

use std::collections::BTreeSet;

use super::{
    Asked, Clause,
    build::Frame,
    fill::{Fitted, LOOK},
    is_named_thing, values,
};
use crate::{
    domain::frame::SlotRole,
    language::outline::{Sign, Word},
};

/// A clause that names a list, says no deed, and ends with a colon.
pub(super) fn heads(words: &[Word], clause: &Clause) -> bool {
    let mark = clause.words.last().and_then(|last| words.get(last + 1));
    let mut own = clause.words.iter().filter_map(|at| words.get(*at));
    let names_list = |word: &Word| word.may_be(&Sign::List) || word.may_be(&Sign::ListName);
    mark.is_some_and(|word| word.mark == Some(':'))
        && own.clone().any(names_list)
        && own.all(|word| word.deeds().all(|deed| deed == LOOK))
}

/// The frame with nothing filled, and the words that name what it is about.
pub(super) fn begun<'f>(asked: &Asked<'_>, frame: &'f Frame<'f>, clause: &Clause) -> Fitted<'f> {
    let own = clause.words.iter().filter(|at| {
        let word = asked.words.get(**at);
        word.is_some_and(|word| is_named_thing(frame, word) || frame.nouns.contains(&word.stem))
    });
    let of_phrases = of_phrases(asked, frame, clause);
    Fitted {
        frame,
        used: BTreeSet::new(),
        named: own.copied().chain(of_phrases).collect(),
        clause: clause.clone(),
        filled: Vec::new(),
        chosen: Vec::new(),
        source: None,
        is_fed: false,
        score: 0,
    }
}

/// Places of the words of phrases that are all said.
fn of_phrases(asked: &Asked<'_>, frame: &Frame<'_>, clause: &Clause) -> Vec<usize> {
    let place = |stem: &String| {
        let says = |at: &&usize| asked.words.get(**at).is_some_and(|word| word.stem == *stem);
        clause.words.iter().find(says).copied()
    };
    let whole = frame
        .phrases
        .iter()
        .filter_map(|phrase| phrase.iter().map(place).collect::<Option<Vec<usize>>>());
    whole.flatten().collect()
}

/// Whether a word says no deed: "in the bins note" names a thing, "making minestrone tonight" tells what goes on.
pub(super) fn is_no_order(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let goes_on = words.get(at).is_some_and(|word| word.may_be(&Sign::Ongoing));
    goes_on || before.is_some_and(|word| word.may_be(&Sign::Definite))
}

/// Whether what fills the frame tells what it is about: a thing of its own kind, and a value that is told by its form.
pub(super) fn says_itself(frame: &Frame<'_>) -> bool {
    let mut needed = frame.slots.iter().filter(|slot| slot.needed);
    let has_thing = needed
        .clone()
        .any(|slot| slot.role == SlotRole::What && slot.kind != "text");
    has_thing && needed.any(|slot| values::knows(&slot.kind))
}

/// Whether the clause names what the executor is about.
pub(super) fn speaks_of(frame: &Frame<'_>, clause: &Clause, words: &[Word]) -> bool {
    let mut own = clause.words.iter().filter_map(|at| words.get(*at));
    own.any(|word| {
        let own = frame.objects.first();
        let is_object = word
            .signs
            .iter()
            .any(|(sign, _)| matches!(sign, Sign::Object(object) if frame.objects.contains(object)));
        is_object && own.is_some() || frame.nouns.contains(&word.stem)
    })
}
