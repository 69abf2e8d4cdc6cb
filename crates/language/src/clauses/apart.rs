//! Two kinds of things in one command, of which only one was bounded: "the pdfs older than a month and the zip files",
//! "the files in ~/a and the pdfs in ~/b". Called for each clause; what it cannot tell apart it leaves unread, and it
//! must never decide what a bound holds for.

use std::ops::Range;

use crate::{
    FactKind,
    scan::Scan,
    sense::{Role, Sense},
};
use metnos_domain::vocabulary::Object;

/// Which things a noun speaks of.
#[derive(Clone, PartialEq)]
enum Kind {
    /// Files, whatever they are.
    Files,
    /// Those of a pattern.
    Of(String),
}

/// Leaves the second kind unread where the bounds of the first may not be its own. `only_one`: the order picks one.
pub(super) fn kinds(scan: &mut Scan<'_>, range: &Range<usize>, only_one: bool) {
    let Some((first, one)) = range.clone().find_map(|at| Some((at, kind(scan, at)?))) else {
        return;
    };
    let apart = (first + 1..range.end)
        .filter(|at| scan.is_joint(*at))
        .find_map(|joint| {
            let noun = scan.skip_glue(joint + 1);
            let next = kind(scan, noun).filter(|_| noun < range.end)?;
            let picked = (range.start..first).any(|at| is_picked(scan, at)) && (only_one || noun > joint + 1);
            let more = (noun..range.end).any(|at| is_where(scan, at) || bounds(scan, at));
            let placed = one != next && !more && noun > joint + 1 && (first + 1..joint).any(|at| is_where(scan, at));
            let bounded = picked || placed || (first + 1..joint).any(|at| bounds(scan, at) || is_picked(scan, at));
            let differs = one != next;
            let whole = one == Kind::Files || next == Kind::Files;
            (bounded || differs && whole).then_some(noun)
        });
    if let Some(noun) = apart.and_then(|noun| scan.segments.get_mut(noun)) {
        noun.used = false;
    }
}

/// The kind a noun speaks of; "the pdf files" are pdfs.
fn kind(scan: &Scan<'_>, at: usize) -> Option<Kind> {
    let pattern = |at: usize| {
        let fact = scan.facts.get(scan.segments.get(at)?.fact?)?;
        (fact.kind == FactKind::Glob).then(|| Kind::Of(fact.text().to_owned()))
    };
    let files = scan
        .sense(at, Sense::object)
        .is_some_and(|(object, _)| object == Object::Files);
    let plain = files && scan.segments.get(at).is_some_and(|segment| segment.fact.is_none());
    pattern(at).or_else(|| {
        let beside = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
        plain.then(|| beside.filter_map(pattern).next().unwrap_or(Kind::Files))
    })
}

/// "in docs": the songs of "the pdfs in docs and the songs" are somewhere else.
fn is_where(scan: &Scan<'_>, at: usize) -> bool {
    let fact = scan.fact_at(at).filter(|fact| fact.kind == FactKind::Path);
    fact.is_some_and(|fact| matches!(fact.role, Some(Role::In | Role::From)))
}

/// An age, a day or a size.
fn bounds(scan: &Scan<'_>, at: usize) -> bool {
    let fact = scan.fact_at(at);
    fact.is_some_and(|fact| matches!(fact.kind, FactKind::Window | FactKind::Weekday | FactKind::Size))
}

/// "the oldest", where it was read as an order.
fn is_picked(scan: &Scan<'_>, at: usize) -> bool {
    let read = scan
        .segments
        .get(at)
        .is_some_and(|segment| segment.used && segment.fact.is_none());
    read && scan.sense(at, Sense::superlative).is_some()
}
