//! "When does the Rossi pharmacy open", "orari della Coop in Via Roma": what is known of one place is asked for. Called by
//! `places` first. What opens may also be a gate, and what has a number a person: without a sign that it is a place
//! (a kind of place, a name, an address) nothing is touched.

use std::ops::Range;

use serde_json::{Value, json};

use super::{is_free, place_after, whereabouts, words};
use crate::{
    FactKind,
    scan::Scan,
    sense::{Around, Role, Sense},
};
use metnos_domain::vocabulary::Object;

/// What shows that a place is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// "opening hours": of nothing else.
    Hours,
    /// "when does it open": a name or a kind must say of what.
    Opens,
    /// "phone number": a kind must say that it is no person.
    Known,
    /// "is it open": of the one with this name.
    Open,
}

/// Finds the place and what is asked of it; whether it did.
pub(super) fn details(scan: &mut Scan<'_>, near: Option<usize>) -> bool {
    if !is_about_places(scan) {
        return false;
    }
    let Some((sign, at, closing)) = sign(scan) else {
        return false;
    };
    let Some(name) = name(scan, at, closing) else {
        return false;
    };
    let kind = name.clone().find_map(|at| scan.sense(at, Sense::place));
    let capital = name.clone().any(|at| begins_high(scan, at));
    let placed = near.is_some() || goes_on_with_place(scan, name.end);
    let is_place = match sign {
        Sign::Hours => true,
        Sign::Opens => kind.is_some() || capital || placed,
        Sign::Known => kind.is_some(),
        Sign::Open => kind.is_some() && (capital && name.len() > 1 || is_asked_apart(scan, name.end, at)),
    };
    if !is_place {
        return false;
    }
    if sign == Sign::Open {
        // Both sentences are about the one place.
        for segment in scan.segments.get_mut(name.end..at).unwrap_or_default() {
            segment.used |= segment.mark.take().is_some();
        }
    }
    if let (Some(kind), 1) = (kind, name.len()) {
        scan.fact(FactKind::PlaceKind, json!(kind), name.clone());
    } else {
        let said = words(scan, &name);
        scan.fact(FactKind::PlaceName, Value::String(said), name.clone());
    }
    scan.fact(FactKind::PlaceDetails, json!(true), at..at + 1);
    if let Some(closing) = closing {
        scan.explain(closing..closing + 1);
    }
    // The hours of all days are shown: which day was meant changes nothing.
    for fact in &mut scan.facts {
        if matches!(fact.kind, FactKind::Window | FactKind::Weekday) {
            fact.kind = FactKind::Taken;
        }
    }
    whereabouts(scan, near, Some(name.end - 1));
    true
}

/// "Which is the nearest pharmacy? Is it open now?": of the one that was asked for before. "The nearest open pharmacy" is
/// another question.
fn is_asked_apart(scan: &Scan<'_>, name: usize, sign: usize) -> bool {
    let nearest = (0..sign).any(|at| is_free(scan, at) && scan.is(at, &Sense::Around(Around::Nearest)));
    let mut between = name..sign;
    nearest && between.any(|at| scan.is_break(at))
}

/// No file, address or text is spoken of.
fn is_about_places(scan: &Scan<'_>) -> bool {
    let when = |kind: FactKind| matches!(kind, FactKind::Window | FactKind::Weekday);
    let other = |sense: &Sense| matches!(sense, Sense::Object(Object::Files | Object::Dirs | Object::Texts, _));
    scan.facts.iter().all(|fact| when(fact.kind))
        && !scan.segments.iter().any(|segment| segment.senses.iter().any(other))
}

/// The first sign, where it stands, and where the word for opening or closing stands that it needs.
fn sign(scan: &Scan<'_>) -> Option<(Sign, usize, Option<usize>)> {
    let find = |around: Around, from: usize| {
        (from..scan.segments.len()).find(|at| is_free(scan, *at) && scan.is(*at, &Sense::Around(around)))
    };
    let closing = |at: usize| find(Around::Opening, at + 1);
    if let Some(at) = find(Around::Hours, 0) {
        return Some((Sign::Hours, at, None));
    }
    if let Some(at) = find(Around::Opens, 0) {
        return Some((Sign::Opens, at, closing(at)));
    }
    if let Some(at) = find(Around::OpensIf, 0)
        && let Some(closing) = closing(at)
    {
        return Some((Sign::Opens, at, Some(closing)));
    }
    let known = find(Around::Known, 0).map(|at| (Sign::Known, at, None));
    known.or_else(|| find(Around::OpenNow, 0).map(|at| (Sign::Open, at, None)))
}

/// The words of the place: behind the sign, or before it ("the Rossi bakery opening hours").
fn name(scan: &Scan<'_>, sign: usize, closing: Option<usize>) -> Option<Range<usize>> {
    let last = closing.unwrap_or(scan.segments.len());
    run(scan, sign + 1, last).or_else(|| run(scan, 0, sign))
}

/// The first run of words that can be a name, up to where it is: "Rossi bakery", "Casa del Caffè".
fn run(scan: &Scan<'_>, from: usize, last: usize) -> Option<Range<usize>> {
    let first = (from..last).find(|at| is_word(scan, *at))?;
    let mut end = first;
    let mut at = first;
    while at < last && is_word(scan, at) {
        end = at + 1;
        at = end;
        // "Casa del Caffè", "Pizzeria da Michele": a small word between two belongs to the name.
        let inner = [Role::Of, Role::From]
            .into_iter()
            .any(|role| scan.is(at, &Sense::Role(role)));
        if at < last && inner && is_word(scan, at + 1) {
            at += 1;
        }
    }
    Some(first..end)
}

/// A word that says nothing but a name or a kind of place.
fn is_word(scan: &Scan<'_>, at: usize) -> bool {
    let Some(segment) = scan.segments.get(at) else {
        return false;
    };
    let part_of_name = |sense: &Sense| {
        matches!(
            sense,
            Sense::Place(_) | Sense::Object(..) | Sense::Singular | Sense::Plural
        ) || matches!(sense, Sense::Field(_) | Sense::Globs { .. })
    };
    is_free(scan, at)
        && segment.fact.is_none()
        && segment.number.is_none()
        && (segment.senses.iter().all(part_of_name) || begins_high(scan, at) && scan.sense(at, Sense::place).is_some())
}

/// Written with a capital letter, as names are.
fn begins_high(scan: &Scan<'_>, at: usize) -> bool {
    let written = scan
        .segments
        .get(at)
        .and_then(|segment| scan.original.get(segment.span.clone()));
    written.is_some_and(|written| written.starts_with(char::is_uppercase))
}

/// "in Via Roma" stands behind.
fn goes_on_with_place(scan: &Scan<'_>, at: usize) -> bool {
    let leads = [Role::In, Role::To]
        .into_iter()
        .any(|role| scan.is(at, &Sense::Role(role)));
    leads && place_after(scan, at + 1)
}
