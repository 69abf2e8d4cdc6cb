//! Clauses that ask whether something is there, or what is. Called by `clauses` when it settles what a clause asks for.

use crate::{
    domain::vocabulary::Object,
    language::{ClauseReading, FactKind, Mark, scan::Scan, sense::Role},
};

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
