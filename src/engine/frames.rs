//! The nearest reading of a request that no rule accounts for word by word: frames, built from manifests, are filled
//! from its words, and the one that explains most of them counts. Called by `dispatch` where the composer is unsure. It
//! never decides that something may run: what was left aside goes with the plan, and a change that is not sure is
//! offered.
//!
//! ```text
//! words (language::outline) ─ clauses ─┬─ frames of all manifests ─ fill ─ score ─ best per clause ─ plan
//!                                      └─ things (Resolver): names and lines of the home
//! ```

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    domain::{
        dialogue::Dialogue,
        frame::Slot,
        ids::ExecutorName,
        manifest::Manifest,
        plan::{Plan, Proposed},
        vocabulary::Verb,
    },
    engine::things::Resolver,
    language::{
        Reading,
        outline::{Sign, Word},
    },
};

mod begin;
mod build;
mod fill;
mod steps;
mod values;
pub(crate) mod vetoes;
mod weigh;

pub(crate) use build::{makes_of_lists, nouns};

use build::Frame;
use fill::Fitted;

/// Clauses of a message that is read nearly: for each of them the texts of the home may be looked at.
const CLAUSES_MAX: usize = 8;

/// Kinds of slots whose words are passed on as they were said.
const DICTATED: [&str; 2] = ["said-text", "told-text"];

/// Whether a frame of these slots takes nothing but times, lengths of time and numbers, and at least one of them.
pub fn takes_only_times(slots: &[Slot]) -> bool {
    let is_time = |slot: &Slot| matches!(slot.kind.as_str(), "moment" | "window" | "duration" | "number");
    !slots.is_empty() && slots.iter().all(is_time)
}

/// A request with what is around it.
pub struct Asked<'a> {
    /// As it was read; only its values are used.
    pub reading: &'a Reading,
    /// Its words.
    pub words: &'a [Word],
    /// What the person has before them.
    pub view: &'a Dialogue,
    /// What knows the things of this person.
    pub things: &'a [&'a dyn Resolver],
    /// The stem of a word of a manifest, in the language of the request.
    pub stem: &'a dyn Fn(&str) -> Vec<String>,
    /// Only what is tried where nothing else is meant.
    pub rest: bool,
    /// Takes down which frames fit, how well, and what stood against them.
    pub note: &'a dyn Fn(&str),
}

impl std::fmt::Debug for Asked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asked")
            .field("words", &self.words)
            .finish_non_exhaustive()
    }
}

/// A plan for the nearest reading.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is asked for by itself, and they go in any mixture"
)]
pub struct Near {
    /// What would be done.
    pub plan: Plan<Proposed>,
    /// Words that say something and that it does not use, as they were written.
    pub left: Vec<String>,
    /// Nothing else could be meant, and nothing that weighs is left.
    pub is_sure: bool,
    /// Places of the words it explains.
    pub explained: BTreeSet<usize>,
    /// It changes something.
    pub changes: bool,
    /// All that it changes is that something comes that was not there.
    pub adds: bool,
    /// What it rests on.
    pub basis: Basis,
    /// Nothing else could be meant, and so this was tried.
    pub is_rest: bool,
    /// Places of the words of a text that is passed on as it was said.
    pub dictated: BTreeSet<usize>,
}

/// What a nearest reading rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Things and lines that are there.
    Things,
    /// A rule that accounts for every word of a part of the message.
    Part,
    /// The same with words left out.
    Words,
    /// A name that was made of words, and that may not be there.
    Name,
}

/// Words from one mark to the next, or to a word that joins two deeds.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    /// Places of its words.
    pub(crate) words: Vec<usize>,
    /// It asks to be told something.
    pub(crate) asks: bool,
    /// It begins with a word that asks.
    pub(crate) begins_asking: bool,
    /// It only says why.
    pub(crate) is_reason: bool,
}

/// The nearest reading; `None` where no frame has all it needs, or a veto stands against it.
pub fn nearest(asked: &Asked<'_>, manifests: &[Arc<Manifest>]) -> Option<Near> {
    let mut frames = build::frames(manifests, asked.stem);
    frames.retain(|frame| frame.is_rest == asked.rest);
    let clauses = clauses(asked.words);
    if clauses.len() > CLAUSES_MAX {
        return None;
    }
    let mut chosen: Vec<Fitted<'_>> = Vec::new();
    for clause in &clauses {
        // What was dictated to a deed before is no deed.
        let is_used = |at: &usize| chosen.iter().any(|fitted| fitted.used.contains(at));
        if clause.is_reason || clause.words.iter().all(is_used) {
            continue;
        }
        let before = chosen.last();
        let mut fitted = fitting(asked, &frames, clause, before).into_iter();
        let Some(best) = fitted.next() else { continue };
        // Two deeds that fit alike are none.
        let rival = fitted
            .next()
            .filter(|rival| rival.score == best.score && rival.is_sure() == best.is_sure());
        let is_other = |rival: &Fitted<'_>| rival.frame.manifest.name != best.frame.manifest.name;
        if rival.is_some_and(|rival| is_other(&rival) && (rival.frame.changes() || best.frame.changes())) {
            return None;
        }
        chosen.push(best);
    }
    let chosen = main_ones(chosen, asked.words);
    if chosen.is_empty() {
        return None;
    }
    if vetoes::elsewhere(&chosen, asked.words) {
        return None;
    }
    let left = left_over(asked.words, &chosen);
    let is_sure = left.iter().all(|(_, weighs)| !weighs) && chosen.iter().all(Fitted::is_sure);
    let written = |at: &usize| {
        let word = asked.words.get(*at)?;
        asked.reading.original.get(word.span.clone()).map(str::to_owned)
    };
    Some(Near {
        plan: steps::plan(&chosen, manifests)?,
        left: left
            .iter()
            .filter(|(_, weighs)| *weighs)
            .filter_map(|(at, _)| written(at))
            .collect(),
        is_sure,
        explained: (0..asked.words.len())
            .filter(|at| chosen.iter().any(|fitted| fitted.explains(at)))
            .collect(),
        changes: chosen.iter().any(|fitted| fitted.frame.changes()),
        adds: chosen.iter().all(|fitted| fitted.frame.adds),
        basis: Basis::Things,
        is_rest: asked.rest,
        dictated: dictated(&chosen),
    })
}

/// Every frame that fits a clause and against which nothing stands, the best first.
fn fitting<'f>(
    asked: &Asked<'_>,
    frames: &'f [Frame<'f>],
    clause: &Clause,
    before: Option<&Fitted<'f>>,
) -> Vec<Fitted<'f>> {
    let mut fitted: Vec<Fitted<'f>> = frames
        .iter()
        .filter_map(|frame| {
            let fitted = fill::fit(asked, frame, clause, before, frames)?;
            let veto = vetoes::against(&fitted, asked.words);
            (asked.note)(&format!(
                "{} {} {} {}",
                frame.deed,
                frame.manifest.name,
                fitted.score,
                veto.unwrap_or_default()
            ));
            veto.is_none().then_some(fitted)
        })
        .collect();
    name_themselves(&mut fitted);
    // Of two that fit alike the narrower deed was said: who says "copy" says a kind of "move", and not the other
    // way.
    // And what is there goes before words for something new.
    fitted.sort_by_key(|fitted| std::cmp::Reverse((fitted.score, fitted.is_sure(), fitted.frame.set.len())));
    fitted
}

/// Places of the words that are passed on as they were said.
fn dictated(chosen: &[Fitted<'_>]) -> BTreeSet<usize> {
    let filled = chosen.iter().flat_map(|fitted| &fitted.filled);
    let told = filled.filter(|filled| DICTATED.contains(&filled.kind.as_str()));
    told.flat_map(|filled| filled.words.iter().copied()).collect()
}

/// Executors whose frame is made of the roles of their arguments alone, and that one of these words names.
pub(crate) fn spoken_of(
    manifests: &[Arc<Manifest>],
    words: &[Word],
    stem: &dyn Fn(&str) -> Vec<String>,
) -> Vec<ExecutorName> {
    let is_named = |manifest: &&Arc<Manifest>| {
        let nouns = build::nouns(manifest, stem);
        let mut named = words.iter().filter(|word| word.is_content());
        named.any(|word| nouns.contains(&word.stem))
    };
    let open = manifests.iter().filter(|manifest| build::is_open(manifest));
    open.filter(is_named).map(|manifest| manifest.name.clone()).collect()
}

/// Who names the thing itself means no other that is made of the same words: "a shift for Ellie at the gate".
fn name_themselves(fitted: &mut Vec<Fitted<'_>>) {
    let makes_named = |fitted: &Fitted<'_>| {
        let is_own = !fitted.frame.is_declared && fitted.frame.changes();
        (is_own && !fitted.named.is_empty()).then_some(fitted.frame.manifest.verb)
    };
    let named: Vec<Option<Verb>> = fitted.iter().filter_map(makes_named).collect();
    fitted.retain(|fitted| {
        let is_other = fitted.frame.is_declared && fitted.named.is_empty();
        !(is_other && named.contains(&fitted.frame.manifest.verb))
    });
}

/// The deeds of a message. What only looks is one question, unless all that is said asks for several; where something
/// is done, looking belongs to it as a source of it, or where it was told word by word.
fn main_ones<'f>(mut chosen: Vec<Fitted<'f>>, words: &[Word]) -> Vec<Fitted<'f>> {
    // "The dentist is missing there, write: book the dentist": what is dictated is what was meant before.
    if let Some(at) = chosen.iter().position(Fitted::is_dictated) {
        let deed = chosen.get(at).map(|fitted| fitted.frame.deed.clone());
        let mut place = 0;
        chosen.retain(|fitted| {
            place += 1;
            place > at || Some(&fitted.frame.deed) != deed.as_ref()
        });
    }
    let is_asked = |fitted: &Fitted<'_>| !fitted.frame.is_declared && fitted.says_all(words);
    if chosen.iter().any(|fitted| fitted.frame.changes()) {
        let feeds = |at: usize| chosen.get(at + 1).is_some_and(|next| next.is_fed);
        let counts = |fitted: &Fitted<'_>| fitted.frame.changes() || is_asked(fitted);
        let kept: Vec<bool> = (0..chosen.len())
            .map(|at| chosen.get(at).is_some_and(counts) || feeds(at))
            .collect();
        return chosen
            .into_iter()
            .zip(kept)
            .filter(|(_, keep)| *keep)
            .map(|(fitted, _)| fitted)
            .collect();
    }
    if chosen.iter().all(is_asked) {
        return chosen;
    }
    chosen
        .into_iter()
        .max_by_key(|fitted| fitted.score)
        .into_iter()
        .collect()
}

/// Places of words that say something and that nothing uses, each with whether it weighs. What stands in a clause
/// without a deed gives a reason or an aside, and weighs nothing.
fn left_over(words: &[Word], chosen: &[Fitted<'_>]) -> Vec<(usize, bool)> {
    let is_used = |at: &usize| chosen.iter().any(|fitted| fitted.explains(at));
    let of_deeds = chosen.iter().flat_map(|fitted| &fitted.clause.words);
    let mut left: Vec<(usize, bool)> = of_deeds
        .copied()
        .filter(|at| !is_used(at))
        .filter_map(|at| Some((at, words.get(at)?)))
        .filter(|(_, word)| word.literal.is_some() || word.is_time || says_something(word))
        .map(|(at, _)| (at, true))
        .collect();
    let elsewhere = (0..words.len()).filter(|at| !chosen.iter().any(|fitted| fitted.clause.words.contains(at)));
    let aside = elsewhere.filter(|at| !is_used(at) && words.get(*at).is_some_and(says_something));
    left.extend(aside.map(|at| (at, false)));
    left
}

/// Whether a word carries content that a frame should explain.
pub(crate) fn says_something(word: &Word) -> bool {
    let is_only_grammar = |sign: &Sign| {
        matches!(
            sign,
            Sign::Request
                | Sign::Pointer
                | Sign::Connector
                | Sign::Role(_)
                | Sign::Question
                | Sign::Many
                | Sign::All
                | Sign::Both
                | Sign::Ongoing
                | Sign::Subject
        )
    };
    let only_grammar = !word.signs.is_empty()
        && word
            .signs
            .iter()
            .any(|(sign, _)| !matches!(sign, Sign::Many | Sign::Ongoing))
        && word.signs.iter().all(|(sign, _)| is_only_grammar(sign));
    word.is_content() && !word.is_rest && !only_grammar
}

/// Cuts a message into clauses: at marks, and where a word joins two deeds.
pub(crate) fn clauses(words: &[Word]) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut own: Vec<usize> = Vec::new();
    let mut end = |own: &mut Vec<usize>, mark: Option<char>| {
        let places = std::mem::take(own);
        let begins_asking = begins_question(words, &places);
        let first = places.first().and_then(|at| words.get(*at));
        let is_reason = first.is_some_and(|word| word.may_be(&Sign::Reason)) && mark != Some('?');
        if !places.is_empty() {
            clauses.push(Clause {
                words: places,
                asks: !is_reason && (mark == Some('?') || begins_asking),
                begins_asking,
                is_reason,
            });
        }
    };
    for (at, word) in words.iter().enumerate() {
        let joins_deeds = word.may_be(&Sign::Connector) && begins_deed(words, at + 1);
        let is_list = word.mark == Some(',') && goes_on_listing(words, at + 1);
        // "6:45" is one time.
        if word.is_bound() && !is_list && !word.is_time {
            end(&mut own, word.mark);
            continue;
        }
        if joins_deeds || word.may_be(&Sign::Reason) && !own.is_empty() {
            end(&mut own, None);
        }
        if !joins_deeds && (word.mark.is_none() || word.literal.is_some()) {
            own.push(at);
        }
    }
    end(&mut own, None);
    clauses
}

/// Whether a deed follows within the next two words.
fn begins_deed(words: &[Word], at: usize) -> bool {
    let ahead = words.iter().skip(at).take(2).take_while(|word| !word.is_bound());
    ahead.into_iter().any(|word| word.deeds().next().is_some())
}

/// Behind a comma, one more thing of a list: a few telling words, up to the next comma of the list or the word that
/// joins its last thing.
fn goes_on_listing(words: &[Word], at: usize) -> bool {
    let ahead: Vec<&Word> = words
        .iter()
        .skip(at)
        .take_while(|word| !word.is_bound() && !word.may_be(&Sign::Connector))
        .collect();
    let end = words.get(at + ahead.len());
    let is_joined = end.is_some_and(|word| word.may_be(&Sign::Connector)) && !begins_deed(words, at + ahead.len() + 1);
    let is_thing = |word: &&Word| word.literal.is_some() || word.is_content() && word.deeds().next().is_none();
    let things = ahead.iter().filter(|word| is_thing(word)).count();
    (1..=3).contains(&ahead.len()) && (things == ahead.len() || is_joined && things > 0 && things + 1 >= ahead.len())
}

/// Whether a word for a question stands at the beginning, before any word that says a deed.
fn begins_question(words: &[Word], places: &[usize]) -> bool {
    let says = |word: &&Word| word.may_be(&Sign::Question) || word.deeds().any(|deed| deed != "look" && deed != "find");
    let mut first = places.iter().filter_map(|at| words.get(*at)).take(3);
    // «Ho preso le uova» asks nothing: what is done is said with the word that asks elsewhere.
    let does = |word: &Word| word.deeds().any(|deed| !matches!(deed, "look" | "find" | "count"));
    first
        .find(says)
        .is_some_and(|word| word.may_be(&Sign::Question) && !does(word))
}

/// Whether a frame of this manifest is about files, whose names explain a word like "folder" beside them.
pub(crate) fn is_named_thing(frame: &Frame<'_>, word: &Word) -> bool {
    word.signs
        .iter()
        .any(|(sign, _)| matches!(sign, Sign::Object(object) if frame.objects.contains(object)))
}

#[cfg(test)]
mod tests;
