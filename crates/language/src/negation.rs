//! How far a negation reaches, and which negated clauses can be left out of what is done: "list the files in ~/a but
//! don't delete anything" asks for a list. Called by `language::read` once every clause was read. Nothing that is
//! negated is ever handed on as something to do: where the rest is more than looking, or what is negated is itself a
//! way of looking, the whole request stays no command.

use super::{ClauseReading, Mark, scan::Scan, sense::Sense};
use metnos_domain::vocabulary::{ShapeRole, Verb};

/// Marks behind which another clause is a sentence of its own again.
const ENDS: [char; 7] = [',', ';', ':', '.', '!', '?', '\n'];

/// A word that negates begins a command here: "don't delete", "non toccare e non spostare".
pub(super) fn begins(scan: &Scan<'_>, at: usize) -> bool {
    let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
    let verb = scan.skip_glue(at + 1);
    free && scan.is(at, &Sense::Negation)
        && !is_leaving_out(scan, at)
        && scan.sense(verb, Sense::verb).is_some()
        && scan.sense(verb, Sense::object).is_none()
}

/// "no bigger than", "isn't older than": the word before a bound turns it round. Where that word stands.
pub(super) fn denies(scan: &Scan<'_>, bound: usize) -> Option<usize> {
    // "non sono più grandi di"
    let glue = |at: &usize| scan.is_glue(*at) && !scan.is_value(*at);
    let before = bound.checked_sub(1)?;
    let before = Some(before).filter(|at| !glue(at)).or_else(|| before.checked_sub(1))?;
    let free = scan.segments.get(before).is_some_and(|segment| !segment.used);
    let only_denies = !is_leaving_out(scan, before) && !scan.is(before, &Sense::Conditional);
    (free && only_denies && scan.is(before, &Sense::Negation)).then_some(before)
}

/// "without", "except" and kin leave a part out of what is done and forbid nothing of their own.
fn is_leaving_out(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Without) || scan.is(at, &Sense::Except)
}

/// Gives a negated clause that begins with its negation the span of it; a negation anywhere else may reach only a part,
/// and nobody says which.
pub(super) fn place(scan: &Scan<'_>, range: &std::ops::Range<usize>, clause: &mut ClauseReading) {
    if !clause.is(Mark::Negated) {
        return;
    }
    let passed = |at: usize| scan.is_break(at) || scan.is_glue(at) || scan.is(at, &Sense::Connector);
    let first = range.clone().find(|at| !passed(*at));
    clause.negation = first
        .filter(|at| begins(scan, *at))
        .and_then(|at| Some(scan.segments.get(at)?.span.start..clause.span.end));
}

/// "don't find and delete x": what follows with an "and" alone is negated as well.
pub(super) fn spread(scan: &Scan<'_>, clauses: &mut [ClauseReading]) {
    for index in 1..clauses.len() {
        let [.., before, clause] = clauses.get_mut(..=index).unwrap_or_default() else {
            continue;
        };
        let gap = before.span.end..clause.span.start;
        let ends = scan.segments.iter().any(|segment| {
            let ends = segment.mark.is_some_and(|mark| ENDS.contains(&mark)) || segment.senses.contains(&Sense::But);
            ends && gap.contains(&segment.span.start)
        });
        if before.is(Mark::Negated) && !ends && clause.negation.is_none() {
            clause.mark(Mark::Negated);
        }
    }
}

/// What is asked for, and what only is not to be done. The second is empty unless it can be told apart safely.
pub(super) fn set_aside(clauses: Vec<ClauseReading>) -> (Vec<ClauseReading>, Vec<ClauseReading>) {
    let told_apart = clauses.iter().all(|clause| forbids(clause) || only_looks(clause));
    if !told_apart || !clauses.iter().any(forbids) || !clauses.iter().any(only_looks) {
        return (clauses, Vec::new());
    }
    let mut asked: Vec<ClauseReading> = Vec::new();
    let mut forbidden: Vec<ClauseReading> = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        if forbids(clause) {
            forbidden.push(clause.clone());
            continue;
        }
        let behind = index
            .checked_sub(1)
            .and_then(|before| clauses.get(before))
            .filter(|before| forbids(before));
        let points = clause.is(Mark::Anaphora) || clause.is(Mark::There) || clause.is(Mark::Echo);
        match behind.filter(|_| points) {
            None => asked.push(clause.clone()),
            // "non cancellare i pdf, elencali": the things were named with what is not to be done to them.
            Some(before) if index == 1 && lends(before) && clause.facts.is_empty() && clause.nouns.is_empty() => {
                asked.push(with_things_of(clause, before));
            }
            Some(_) => return (clauses, Vec::new()),
        }
    }
    (asked, forbidden)
}

/// Says only what must not be changed.
fn forbids(clause: &ClauseReading) -> bool {
    let others = [Mark::HowTo, Mark::Conditional, Mark::Signs, Mark::GoesOn];
    clause.negation.is_some()
        && !others.into_iter().any(|mark| clause.is(mark))
        && clause.verb.is_some_and(|verb| verb.shape_role() == ShapeRole::Act)
}

fn only_looks(clause: &ClauseReading) -> bool {
    !clause.is_no_command()
        && clause.verb.is_some_and(Verb::is_safe)
        && clause.alternatives.iter().all(|verb| verb.is_safe())
}

/// Names things and asks for nothing else of them.
fn lends(clause: &ClauseReading) -> bool {
    let plain = clause.order.is_none()
        && clause.group_by.is_none()
        && clause.measure.is_none()
        && clause.projection.is_none()
        && clause.options.is_empty();
    plain && !clause.facts.is_empty() && !clause.is(Mark::Anaphora)
}

fn with_things_of(clause: &ClauseReading, named: &ClauseReading) -> ClauseReading {
    let mut clause = clause.clone();
    clause.facts.clone_from(&named.facts);
    clause.nouns.clone_from(&named.nouns);
    clause.object = named.object;
    clause.qualifier = named.qualifier;
    clause.marks.retain(|mark| *mark != Mark::Anaphora);
    clause
}
