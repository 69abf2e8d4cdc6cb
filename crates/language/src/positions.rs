//! "open the second", "mandami l'ultimo": one of those found, by where it stands. Called by `language::values` before
//! times are looked for, since "the third" is also a day. It speaks of things that are there already; where there are
//! none, nothing is planned.

use std::ops::Range;

use super::{
    Side,
    scan::Scan,
    sense::{Changing, Role, Sense},
};

/// Notes every such word that a verb is said of.
pub(super) fn positions(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        if let Some(rank) = scan.sense(at, Sense::ordinal).filter(|_| is_rank(scan, at)) {
            scan.explain(at..at + 1);
            scan.ranks.push((at, rank));
            continue;
        }
        let Some((place, end)) = place(scan, at).filter(|_| follows_verb(scan, at)) else {
            continue;
        };
        if ends(scan, end) {
            scan.explain(at..end);
            scan.places.push((at..end, place));
        }
    }
}

/// The one such word that something is asked of: "how big is the second?". A day is said behind another word: "what's on
/// the second?"
pub(super) fn asked(scan: &Scan<'_>) -> Option<(Range<usize>, i64)> {
    // "the last" is one phrase with its article.
    let is_phrase = |at: usize| scan.segments.get(at).is_some_and(|own| own.fold.contains(' '));
    let is_thing = |at: &usize| {
        let first = if is_phrase(*at) { *at } else { at - 1 };
        let before = first.checked_sub(1);
        (first == *at || scan.is_definite_article(first))
            && before.is_none_or(|before| scan.sense(before, Sense::role).is_none())
    };
    let found = |at: usize| {
        let (place, end) = place(scan, at).filter(|(_, end)| ends(scan, *end))?;
        Some((at..end, place))
    };
    let mut places = (1..scan.segments.len()).filter(is_thing).filter_map(found);
    places.next().filter(|_| places.next().is_none())
}

/// A message that is nothing but such a word: "the second one", "l'ultimo".
pub(super) fn alone(scan: &Scan<'_>) -> Option<(Range<usize>, i64)> {
    let beside = |at: &usize| scan.is_glue(*at) && !scan.is_value(*at) || scan.is_break(*at);
    let start = (0..scan.segments.len()).find(|at| !beside(at))?;
    let (place, end) = place(scan, start)?;
    let is_whole = (end..scan.segments.len()).all(|at| beside(&at));
    is_whole.then_some((start..end, place))
}

/// "the second biggest file", "il secondo file più grande": it counts in an order.
fn is_rank(scan: &Scan<'_>, at: usize) -> bool {
    let passes = |at: &usize| {
        scan.is_glue(*at) || scan.sense(*at, Sense::object).is_some() || scan.sense(*at, Sense::globs).is_some()
    };
    let behind = (at + 1..scan.segments.len()).find(|at| !passes(at));
    let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
    free && behind.is_some_and(|at| scan.sense(at, Sense::superlative).is_some())
}

/// The place a word names, and where the words for it end: "the second one".
pub(super) fn place(scan: &Scan<'_>, at: usize) -> Option<(i64, usize)> {
    let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
    let counted = |sense: fn(&Sense) -> Option<u64>| scan.sense(at, sense).and_then(|place| i64::try_from(place).ok());
    let place = match scan.sense(at, Sense::side) {
        Some(Side::First) => Some(1),
        Some(Side::Last) => Some(-1),
        None => counted(Sense::ordinal).or_else(|| counted(Sense::end_ordinal).map(i64::wrapping_neg)),
    };
    // "the first 3", "i primi": so many of them.
    let several =
        scan.is(at, &Sense::Plural) || at.checked_sub(1).is_some_and(|before| scan.is(before, &Sense::Plural));
    let one = scan.count(at + 1) == Some(1);
    // "a second", "un secondo" are no place.
    let article = at
        .checked_sub(1)
        .filter(|before| scan.is_glue(*before) && scan.sense(*before, Sense::role).is_none());
    let is_any = article.is_some_and(|before| scan.is(before, &Sense::Changing(Changing::Fresh)));
    place
        .filter(|_| free && !several && !is_any)
        .map(|place| (place, at + 1 + usize::from(one)))
}

/// "open the …", "send me the …": it is what the verb is about.
fn follows_verb(scan: &Scan<'_>, at: usize) -> bool {
    let before = (0..at).rev().find(|at| !scan.is_glue(*at));
    before.is_some_and(|at| scan.sense(at, Sense::verb).is_some() || scan.is(at, &Sense::Show))
}

/// Nothing more is said of it, or only where it goes.
fn ends(scan: &Scan<'_>, at: usize) -> bool {
    let goes = [Role::To, Role::In].map(Sense::Role);
    at >= scan.segments.len()
        || scan.is_break(at)
        || scan.is(at, &Sense::Connector)
        || goes.iter().any(|role| scan.is(at, role))
}
