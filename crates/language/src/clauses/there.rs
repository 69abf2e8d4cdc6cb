//! Clauses that ask whether something is there, or what is, and those that speak to somebody who is not. Called by
//! `clauses` when it settles what a clause asks for.

use std::ops::Range;

use crate::{
    ClauseReading, Fact, FactKind, Mark,
    scan::Scan,
    sense::{Changing, Role, Sense},
};
use metnos_domain::vocabulary::{Object, Verb};

/// "togli il pane dalla lista e dimmi cosa c'è": what is there now.
pub(super) fn asks_after(clause: &mut ClauseReading, later: bool) {
    let asks_what = clause.is(Mark::Content) || clause.is(Mark::Exists) && clause.is(Mark::Shows);
    if asks_what && clause.is_empty() && later {
        clause.mark(Mark::Anaphora);
    }
}

/// "does ~/x.txt exist": a name and nothing said of it. "do any pdfs exist in ~/docs" asks for those.
pub(super) fn asks_existence(scan: &Scan<'_>, clause: &ClauseReading) -> bool {
    let named = clause.facts.iter().all(|fact| {
        let fact = scan.facts.get(*fact);
        fact.is_some_and(|fact| fact.kind == FactKind::Path && !matches!(fact.role, Some(Role::In | Role::From)))
    });
    let plain = clause.order.is_none()
        && clause.group_by.is_none()
        && clause.measure.is_none()
        && clause.projection.is_none()
        && clause.verb.is_none()
        && !clause.is(Mark::Anaphora);
    let things = |(object, _): &(Object, _)| matches!(object, Object::Files | Object::Dirs);
    named && plain && !clause.facts.is_empty() && clause.nouns.iter().all(things)
}

/// "is letter.txt in docs?": whether it is there, and not what is in it.
pub(super) fn asks_of_files(scan: &Scan<'_>, clause: &ClauseReading) -> bool {
    let is_file = |fact: &usize| scan.facts.get(*fact).is_some_and(Fact::is_file_path);
    let is_file = !clause.facts.is_empty() && clause.facts.iter().all(is_file);
    let begins = scan
        .within(&clause.span)
        .next()
        .is_some_and(|at| scan.is(at, &Sense::Listed));
    is_file && begins && clause.nouns.is_empty() && !clause.is(Mark::Content)
}

/// "write to the school that Anna is ill": nothing is named that a text could be written to.
pub(super) fn writes_to_somebody(scan: &Scan<'_>, range: &Range<usize>, clause: &ClauseReading) -> bool {
    // "email me the invoice": whoever says how does not want it here.
    let mails =
        |at: usize| scan.is(at, &Sense::Verb(Verb::Send)) && scan.is(at, &Sense::Object(Object::Messages, None));
    if clause.verb == Some(Verb::Send) && range.clone().any(mails) {
        return true;
    }
    let is_place = |fact: &usize| {
        let fact = scan.facts.get(*fact);
        fact.is_some_and(|fact| matches!(fact.kind, FactKind::Path | FactKind::Url))
    };
    let is_name = |at: usize| scan.is_unknown(at) || scan.sense(at, Sense::place).is_some();
    let is_somebody = |at: usize| {
        let next = scan.skip_glue(at + 1);
        let is_open = scan
            .segments
            .get(next)
            .is_some_and(|segment| !segment.used && segment.mark.is_none());
        scan.is(at, &Sense::Role(Role::To)) && range.contains(&next) && is_open && is_name(next)
    };
    let Some(verb) = range
        .clone()
        .find(|at| scan.is(*at, &Sense::Changing(Changing::Addresses)))
    else {
        return false;
    };
    clause.verb == Some(Verb::Write)
        && clause.nouns.is_empty()
        && !clause.is(Mark::Anaphora)
        && !clause.facts.iter().any(is_place)
        && (verb + 1..range.end).any(is_somebody)
}
