//! Finds what a request says of places: the kind or the name that is looked for, around where, and whether it must be
//! open. "Near me" says nothing more: around the person is what is meant when nothing else is said. Called by `values`
//! before anything else may take words; without a sign of a place ("near", a kind of place) it touches nothing.

use std::ops::Range;

use serde_json::{Value, json};

mod details;

use super::{
    FactKind,
    scan::Scan,
    sense::{Around, Role, Sense},
};

/// Everything of a request that is about places.
pub(super) fn places(scan: &mut Scan<'_>) {
    let near = sign(scan, Around::Near);
    if details::details(scan, near) {
        finish(scan);
        return;
    }
    // Behind "near" a kind is part of a name: "near Termini station".
    let kinds: Vec<(usize, String)> = (0..near.unwrap_or(scan.segments.len()))
        .filter(|at| is_free(scan, *at))
        .filter_map(|at| Some((at, scan.sense(at, Sense::place)?.to_owned())))
        .collect();
    let pointed = near.is_some() || sign(scan, Around::Here).is_some() || sign(scan, Around::Nearest).is_some();
    match kinds.as_slice() {
        [] if !pointed => return,
        [] => {
            let Some(range) = name(scan) else { return };
            let words = words(scan, &range);
            scan.fact(FactKind::PlaceName, Value::String(words), range);
        }
        [(at, kind)] if pointed || is_asked_for(scan, *at) => {
            scan.fact(FactKind::PlaceKind, json!(kind), *at..*at + 1);
        }
        // Two kinds are two questions, and a kind that nobody looks for is a word like any other.
        [..] => return,
    }
    whereabouts(scan, near, kinds.first().map(|(at, _)| *at));
    finish(scan);
}

/// The first free word that says this.
fn sign(scan: &Scan<'_>, around: Around) -> Option<usize> {
    (0..scan.segments.len()).find(|at| is_free(scan, *at) && scan.is(*at, &Sense::Around(around)))
}

/// What else is said of a place, now that there is one.
fn finish(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        if !is_free(scan, at) {
            continue;
        }
        if scan.is(at, &Sense::Around(Around::OpenNow)) {
            scan.fact(FactKind::OpenNow, json!(true), at..at + 1);
        } else if [Around::Here, Around::Nearest, Around::Praise, Around::Where]
            .into_iter()
            .any(|around| scan.is(at, &Sense::Around(around)))
        {
            scan.explain(at..at + 1);
        }
    }
}

fn is_free(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments
        .get(at)
        .is_some_and(|segment| !segment.used && segment.mark.is_none())
}

/// "where is a pharmacy", "bars in Rome", "a restaurant that is open": the request is about such a place, not about
/// files called so. Only glue may stand before it.
fn is_asked_for(scan: &Scan<'_>, kind: usize) -> bool {
    let leads = |at: usize| {
        scan.is_glue(at)
            || scan.is(at, &Sense::Around(Around::Where))
            || scan.is(at, &Sense::Around(Around::Praise))
            || scan.is(at, &Sense::Show)
            || scan.is(at, &Sense::HowMany)
            || scan.sense(at, Sense::verb).is_some_and(|verb| verb.is_producer())
    };
    let follows = |at: usize| {
        scan.is(at, &Sense::Around(Around::OpenNow))
            || scan.sense(at, Sense::role).is_some() && place_after(scan, at + 1)
    };
    let only_about_it = scan.segments.iter().all(|segment| segment.fact.is_none());
    let alone = (kind + 1..scan.segments.len()).all(|at| scan.is_glue(at) || !is_free(scan, at));
    only_about_it && (0..kind).all(leads) && (alone || follows(kind + 1))
}

/// Where to look: what stands behind "near", else behind a preposition after the kind.
fn whereabouts(scan: &mut Scan<'_>, near: Option<usize>, kind: Option<usize>) {
    let preposition = kind.and_then(|kind| {
        (kind + 1..scan.segments.len())
            .take_while(|at| is_free(scan, *at))
            .find(|at| {
                let role = scan.sense(*at, Sense::role);
                matches!(role, Some(Role::In | Role::To | Role::Of)) && place_after(scan, at + 1)
            })
    });
    let Some(start) = near.or(preposition) else { return };
    let quoted = scan
        .segments
        .get(start + 1)
        .and_then(|segment| segment.fact)
        .filter(|fact| scan.facts.get(*fact).is_some_and(|fact| fact.kind == FactKind::Quoted));
    if let Some(fact) = quoted.and_then(|fact| scan.facts.get_mut(fact)) {
        fact.kind = FactKind::Whereabouts;
        scan.explain(start..start + 1);
        return;
    }
    if !place_after(scan, start + 1) {
        return;
    }
    let first = scan.skip_glue(start + 1);
    let mut end = first;
    while end < scan.segments.len() && belongs_to_place(scan, end, first) {
        end += 1;
    }
    // "near the station": which one is not said.
    if (first..end).any(|at| scan.sense(at, Sense::place).is_none()) {
        let words = words(scan, &(first..end));
        scan.explain(start..first);
        scan.fact(FactKind::Whereabouts, Value::String(words), first..end);
    }
}

/// Whether words for a place can begin here.
fn place_after(scan: &Scan<'_>, at: usize) -> bool {
    let at = scan.skip_glue(at);
    let is_thing = |sense: &Sense| matches!(sense, Sense::Object(..) | Sense::Home | Sense::Anaphora);
    is_free(scan, at)
        && scan
            .segments
            .get(at)
            .is_some_and(|segment| segment.number.is_none() && !segment.senses.iter().any(is_thing))
}

/// Words of a place go on until the sentence, or what is said of the place, ends. A comma goes on before a number or a
/// capital letter: "Via Roma 3, Milano".
fn belongs_to_place(scan: &Scan<'_>, at: usize, first: usize) -> bool {
    let Some(segment) = scan.segments.get(at) else {
        return false;
    };
    if segment.fact.is_some() {
        return false;
    }
    if let Some(mark) = segment.mark {
        let next = scan
            .segments
            .get(at + 1)
            .and_then(|next| scan.original.get(next.span.clone()));
        let goes_on =
            next.is_some_and(|next| next.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()));
        return at > first && (mark == ',' && goes_on || matches!(mark, '\'' | '’' | '-' | '/'));
    }
    let ends = |sense: &Sense| matches!(sense, Sense::Around(_) | Sense::Connector | Sense::Conditional);
    !(segment.used || at > first && segment.senses.iter().any(ends))
}

/// The one run of words that nothing explains: the name that is looked for.
fn name(scan: &Scan<'_>) -> Option<Range<usize>> {
    let unknown = |at: &usize| {
        is_free(scan, *at)
            && scan
                .segments
                .get(*at)
                .is_some_and(|segment| segment.senses.is_empty() && segment.number.is_none())
    };
    let near = (0..scan.segments.len()).find(|at| scan.is(*at, &Sense::Around(Around::Near)));
    let last = near.unwrap_or(scan.segments.len());
    let first = (0..last).find(unknown)?;
    let mut end = first;
    // "Pizzeria da Michele": a short word between two unknown ones belongs to the name.
    while end < last && (unknown(&end) || is_free(scan, end) && unknown(&(end + 1)) && end + 1 < last) {
        end += 1;
    }
    let alone = (end..last).all(|at| !unknown(&at));
    alone.then_some(first..end)
}

fn words(scan: &Scan<'_>, range: &Range<usize>) -> String {
    let start = scan.segments.get(range.start).map_or(0, |segment| segment.span.start);
    let end = scan
        .segments
        .get(range.end.saturating_sub(1))
        .map_or(start, |segment| segment.span.end);
    scan.original.get(start..end).unwrap_or_default().to_owned()
}
