//! The words of one phrase that may name a file. Read by `known`; pure.

use std::ops::Range;

use super::{Words, is_free, is_noun};
use crate::{
    nouns::Nouns,
    scan::Scan,
    sense::{Changing, Role, Sense},
    token::words_of,
};
use metnos_domain::vocabulary::Verb;

/// Most words that say which file is meant.
const WORDS_MAX: usize = 5;

/// What a phrase says of being a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum List {
    /// Nothing.
    #[default]
    No,
    /// It is nothing but the name of one: "the shopping".
    ByName,
    /// That it is one.
    Said,
}

/// A phrase such as "the photo of grandma".
#[derive(Clone, Debug, Default)]
pub(super) struct Phrase {
    /// The words it stands on, without what leads to it.
    pub(super) range: Words,
    /// What leads to it: articles and numbers.
    pub(super) lead: Words,
    /// Each word that its name must have, in pieces: "cv_marta" is two.
    pub(super) wanted: Vec<Vec<String>>,
    /// Other words for the same, for each of them.
    pub(super) others: Vec<Vec<String>>,
    /// Words its name may have.
    pub(super) optional: Vec<String>,
    /// Endings it must have one of; none when any will do.
    pub(super) endings: Vec<String>,
    /// Whether it is a list.
    pub(super) list: List,
    /// It is one the person knows: "the", "my".
    pub(super) is_definite: bool,
    /// Several are meant.
    pub(super) is_several: bool,
    /// So many.
    pub(super) count: Option<u64>,
}

impl Phrase {
    /// What a name by itself says.
    pub(super) fn of(name: &str, nouns: &Nouns) -> Self {
        let wanted: Vec<Vec<String>> = words_of(name).iter().map(|word| pieces(word)).collect();
        Self {
            others: wanted.iter().map(|word| nouns.others(&word.concat())).collect(),
            wanted,
            ..Self::default()
        }
    }
}

/// The phrases that begin with this word, the longest first: in "add to my shopping list milk" not every word names it.
pub(super) fn read(scan: &Scan<'_>, start: usize, nouns: &Nouns) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut phrase = Phrase::default();
    let mut at = start;
    let mut said = 0;
    while at < scan.segments.len() && said < WORDS_MAX {
        if is_free(scan, at) && is_word(scan, at) {
            // "the beach document" is no other thing of the beach.
            if is_container(scan, at) && phrases.last().is_some_and(|last: &Phrase| last.range.end == at) {
                phrases.pop();
            }
            take(scan, at, &mut phrase, nouns);
            said += 1;
            phrase.range = start..at + 1;
            if !phrase.wanted.is_empty() {
                phrases.push(phrase.clone());
            }
        } else if at == start || !joins(scan, at) {
            break;
        }
        at += 1;
    }
    phrases.reverse();
    phrases
}

/// "of", and articles between words.
fn joins(scan: &Scan<'_>, at: usize) -> bool {
    let is = |sense: &Sense| scan.is(at, sense);
    let elsewhere = [Role::To, Role::In, Role::From]
        .into_iter()
        .any(|role| is(&Sense::Role(role)));
    let free = is_free(scan, at) && !is(&Sense::Connector) && !elsewhere;
    free && (is(&Sense::Role(Role::Of)) || scan.is_glue(at) && !is(&Sense::All))
}

fn is_container(scan: &Scan<'_>, at: usize) -> bool {
    [Changing::Container, Changing::List]
        .into_iter()
        .any(|changing| scan.is(at, &Sense::Changing(changing)))
}

fn is_word(scan: &Scan<'_>, at: usize) -> bool {
    let Some(segment) = scan.segments.get(at) else {
        return false;
    };
    let names = segment.senses.iter().all(is_noun) && !scan.is(at, &Sense::Changing(Changing::CallIt));
    let said_otherwise = [Changing::Unneeded, Changing::Done, Changing::Tick]
        .into_iter()
        .any(|changing| scan.is(at, &Sense::Changing(changing)));
    let whole = !segment.fold.is_empty() && !segment.clitic;
    whole
        && !said_otherwise
        && (names || is_container(scan, at) || scan.sense(at, Sense::globs).is_some_and(|(_, alone)| alone))
}

/// What one word says of the file.
fn take(scan: &Scan<'_>, at: usize, phrase: &mut Phrase, nouns: &Nouns) {
    let Some(segment) = scan.segments.get(at) else { return };
    let pieces = pieces(&segment.fold);
    if scan.is(at, &Sense::Changing(Changing::List)) {
        phrase.list = List::Said;
    }
    if scan.is(at, &Sense::Changing(Changing::Container)) {
        phrase.optional.extend(pieces);
    } else if let Some((endings, _)) = scan.sense(at, Sense::globs).filter(|_| phrase.endings.is_empty()) {
        phrase.endings = endings.to_vec();
    } else {
        let by_name = phrase.wanted.is_empty() && scan.is(at, &Sense::Changing(Changing::ListName));
        if phrase.list != List::Said {
            phrase.list = if by_name { List::ByName } else { List::No };
        }
        phrase.wanted.push(pieces);
        phrase.others.push(nouns.others(&segment.fold));
    }
}

/// The words of a name: "cv_marta" is two of them.
pub(super) fn pieces(name: &str) -> Vec<String> {
    let folded = words_of(name).join(" ");
    let pieces = folded.split(|letter: char| !letter.is_alphanumeric());
    pieces.filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// Segments as they were written.
pub(super) fn words<'a>(scan: &Scan<'a>, range: Range<usize>) -> Option<&'a str> {
    if !range.clone().all(|at| is_free(scan, at)) {
        return None;
    }
    let start = scan.segments.get(range.start)?.span.start;
    let end = scan.segments.get(range.end.checked_sub(1)?)?.span.end;
    scan.original.get(start..end)
}

/// "write to …": who is written to and what is written to are said alike. What is added or put goes to a text.
pub(super) fn may_be_somebody(scan: &Scan<'_>, phrase: &Phrase) -> bool {
    let to = phrase.lead.start.checked_sub(1);
    to.is_some_and(|to| scan.is(to, &Sense::Role(Role::To)) && (0..to).any(|at| writes(scan, at)))
}

/// A verb that only writes.
fn writes(scan: &Scan<'_>, at: usize) -> bool {
    let senses = scan.segments.get(at).map(|segment| segment.senses).unwrap_or_default();
    let mut verbs = senses.iter().filter_map(Sense::verb).peekable();
    verbs.peek().is_some()
        && verbs.all(|verb| verb == Verb::Write)
        && !senses.iter().any(|sense| sense.option().is_some())
}
