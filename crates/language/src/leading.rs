//! "in downloads find the pdfs", "dalla cartella foto, cancella i png", "in docs and photos count the files": places that
//! are said before the command they belong to, as people do who speak. Asked by `clauses`, `known`, `names` and
//! `whereabouts`; a place with nothing to do behind it is no such thing.

use super::{
    FactKind,
    scan::Scan,
    sense::{Role, Sense},
};

/// Where the words for the places end that stand at `start`.
pub(super) fn places(scan: &Scan<'_>, start: usize) -> Option<usize> {
    let mut end = folder(scan, start)?;
    if !(start..end).any(|at| leads(scan, at)) {
        return None;
    }
    // "in docs, photos and downloads"
    while let Some(next) = (end..end + 2).take_while(|at| scan.is_joint(*at)).last() {
        let Some(after) = folder(scan, next + 1) else { break };
        end = after;
    }
    Some(end)
}

/// Where the words for one folder end, with what leads to it.
fn folder(scan: &Scan<'_>, start: usize) -> Option<usize> {
    let passes = |at: &usize| leads(scan, *at) || scan.is_glue(*at) && !scan.is_value(*at);
    let at = (start..scan.segments.len()).find(|at| !passes(at))?;
    let fact = scan.fact_at(at)?;
    // One that became part of a path is still where it was said.
    let is_folder = matches!(fact.kind, FactKind::Path | FactKind::Taken) && !fact.is_file_path();
    let is_folder = is_folder && fact.value.as_str().is_some_and(|path| path.starts_with(['~', '/']));
    let inside = |at: &usize| scan.segments.get(*at).is_some_and(|own| own.span.start < fact.span.end);
    (at..).find(|at| !inside(at)).filter(|_| is_folder)
}

/// "in", "from"
pub(super) fn leads(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Role(Role::In)) || scan.is(at, &Sense::Role(Role::From))
}

/// Where the command begins that stands behind the places at `start`.
pub(super) fn command(scan: &Scan<'_>, start: usize) -> Option<usize> {
    let end = places(scan, start)?;
    let comma = scan.segments.get(end).is_some_and(|own| own.mark == Some(','));
    let next = scan.skip_glue(end + usize::from(comma));
    begins(scan, next).then_some(next)
}

/// Where the places begin that are said before the command at `at`.
pub(super) fn start(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let is_start = |start: &usize| *start == 0 || scan.is_joint(start - 1) || scan.is_break(start - 1);
    let mut starts = (0..at).rev().filter(is_start);
    starts.find(|start| command(scan, *start) == Some(at))
}

/// What may stand behind a place that is said first: a verb, or a question. What is both a verb and a thing is a thing.
pub(super) fn begins(scan: &Scan<'_>, at: usize) -> bool {
    let free = scan.segments.get(at).is_some_and(|own| !own.used);
    let verb = scan.sense(at, Sense::verb).is_some() && scan.sense(at, Sense::object).is_none();
    let asks = scan.is(at, &Sense::HowMany) || scan.is(at, &Sense::HowMuch);
    let shows = scan.is(at, &Sense::Show) && !scan.is(at, &Sense::Stop);
    free && (verb || asks || shows)
}
