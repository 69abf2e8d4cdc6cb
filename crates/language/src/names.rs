//! Finds what a request looks for by its words: names of files, parts of names, what a text must contain or must not.
//! Called by `values` after kinds of files and before prepositions; a word it cannot place stays as it is.

use serde_json::Value;

use super::{
    FactKind,
    nouns::Nouns,
    scan::Scan,
    sense::{Changing, Role, Sense},
};
use metnos_domain::vocabulary::{Object, Verb};

pub(super) mod complements;
pub(super) mod listed;
pub(super) mod titles;
mod topics;

/// "named report.pdf", "whose name contains budget", "with 'x' in the name", "containing the word foo".
pub(super) fn names(scan: &mut Scan<'_>, nouns: &Nouns) {
    titles::titles(scan, nouns);
    topics::topics(scan, nouns);
    for at in 0..scan.segments.len() {
        let mut kind = if scan.is(at, &Sense::NameContains) {
            FactKind::NamePart
        } else if scan.is(at, &Sense::Contains) && may_be_of(scan, at) {
            // "files about the bar" may mean their names as well: that is a topic.
            continue;
        } else if scan.is(at, &Sense::Contains) || scan.is(at, &Sense::With) && after_lines(scan, at) {
            FactKind::Query
        } else if scan.is(at, &Sense::Without) && lines_before(scan, at) {
            FactKind::NotQuery
        } else if scan.is(at, &Sense::Named) {
            FactKind::Name
        } else {
            continue;
        };
        if scan.segments.get(at).is_some_and(|segment| segment.used) || dictates(scan, at) {
            continue;
        }
        let value_at = scan.skip_glue(at + 1);
        if kind == FactKind::Name && is_place(scan, value_at) {
            // "a folder called ~/notes/2026": the path says it all.
            scan.explain(at..at + 1);
            continue;
        }
        if kind == FactKind::NamePart && is_any(scan, value_at) {
            continue;
        }
        let Some(mut value) = value_text(scan, value_at) else {
            continue;
        };
        let mut end = value_at + 1;
        if matches!(kind, FactKind::Query | FactKind::NotQuery) && !scan.is_value(value_at) {
            while goes_on(scan, end) {
                end += 1;
            }
            value = words_from(scan, value_at..end).unwrap_or(value);
        }
        if scan.is(end, &Sense::InName) {
            kind = FactKind::NamePart;
            end += 1;
        }
        let old = scan.segments.get(value_at).and_then(|segment| segment.fact);
        let new = scan.fact(kind, Value::String(value), at..end);
        if let Some(old) = old
            && let Some(fact) = scan.facts.get_mut(old)
        {
            // The literal is now part of the new fact; the old one must not be asked for twice.
            fact.kind = FactKind::Taken;
        }
        if let (Some(segment), Some(fact)) = (scan.segments.get(value_at), scan.facts.get_mut(new)) {
            fact.span = segment.span.clone();
        }
    }
    with_in_name(scan);
    sought(scan);
}

/// "search for 'x' in the files of ~/notes", "search the files in ~/notes for 'x'": what the files must contain.
fn sought(scan: &mut Scan<'_>) {
    let files = |scan: &Scan<'_>, at: usize| scan.is(at, &Sense::Object(Object::Files, None));
    for at in 0..scan.segments.len() {
        let fact = scan.segments.get(at).and_then(|segment| segment.fact);
        let quoted = |fact: &usize| scan.facts.get(*fact).is_some_and(|fact| fact.kind == FactKind::Quoted);
        let Some(fact) = fact.filter(quoted) else { continue };
        let searches = (0..at).any(|before| scan.sense(before, Sense::verb) == Some(Verb::Find));
        let inside = scan.is(at + 1, &Sense::Role(Role::In)) && files(scan, scan.skip_glue(at + 2));
        let among = at
            .checked_sub(1)
            .is_some_and(|before| scan.is(before, &Sense::Role(Role::Of)))
            && (0..at).any(|before| files(scan, before));
        if searches
            && (inside || among)
            && let Some(fact) = scan.facts.get_mut(fact)
        {
            fact.kind = FactKind::Query;
        }
    }
}

/// "A number" in a name is any, and not that word.
fn is_any(scan: &Scan<'_>, at: usize) -> bool {
    let article = |at: usize| scan.is(at, &Sense::Changing(Changing::Fresh));
    let word = scan
        .segments
        .get(at)
        .is_some_and(|segment| segment.fold.chars().count() > 1);
    word && at.checked_sub(1).is_some_and(article) && !scan.is_value(at)
}

/// "with X in the name", where X stands between.
fn with_in_name(scan: &mut Scan<'_>) {
    for at in 1..scan.segments.len() {
        if !scan.is(at, &Sense::InName) || scan.segments.get(at).is_some_and(|segment| segment.used) {
            continue;
        }
        let old = scan.segments.get(at - 1).and_then(|segment| segment.fact);
        if is_any(scan, at - 1) {
            continue;
        }
        if let Some(value) = value_text(scan, at - 1) {
            scan.fact(FactKind::NamePart, Value::String(value), at - 1..at + 1);
            if let Some(fact) = old.and_then(|old| scan.facts.get_mut(old)) {
                fact.kind = FactKind::Taken;
            }
        }
    }
}

/// "write … that says x" announces a text; it looks for none.
fn dictates(scan: &Scan<'_>, at: usize) -> bool {
    let writes = |at: usize| matches!(scan.sense(at, Sense::verb), Some(Verb::Write | Verb::Create));
    scan.is(at, &Sense::Says) && (0..at).any(writes)
}

/// These words as they stand.
fn words_from(scan: &Scan<'_>, range: std::ops::Range<usize>) -> Option<String> {
    let start = scan.segments.get(range.start)?.span.start;
    let end = scan.segments.get(range.end.checked_sub(1)?)?.span.end;
    scan.original.get(start..end).map(str::to_owned)
}

/// A word that goes on with what is looked for ("opening hours"): one that nothing else can use.
fn goes_on(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments.get(at).is_some_and(|segment| {
        let free = !segment.used && segment.fact.is_none() && segment.mark.is_none() && segment.number.is_none();
        let says_no_more = |sense: &Sense| matches!(sense, Sense::Singular | Sense::Plural) || sense.is_ordinary();
        free && segment.senses.iter().all(says_no_more)
    })
}

/// "about" behind anything but lines; "lines about it" mean what they say.
fn may_be_of(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Role(Role::Of)) && !lines_before(scan, at)
}

fn lines_before(scan: &Scan<'_>, at: usize) -> bool {
    (0..at).any(|before| {
        scan.sense(before, Sense::object)
            .is_some_and(|(object, _)| object == Object::Texts)
    })
}

/// "lines with x" are lines that contain x; "files with x" may mean anything.
fn after_lines(scan: &Scan<'_>, at: usize) -> bool {
    let noun = at.checked_sub(1).and_then(|before| scan.sense(before, Sense::object));
    noun.is_some_and(|(object, _)| object == Object::Texts)
}

/// A path that says where, not only a name.
fn is_place(scan: &Scan<'_>, at: usize) -> bool {
    scan.fact_at(at)
        .is_some_and(|fact| fact.kind == FactKind::Path && fact.text().contains(['/', '\\']))
}

/// A quoted text, a file name, or one plain word.
fn value_text(scan: &Scan<'_>, at: usize) -> Option<String> {
    let segment = scan.segments.get(at)?;
    if let Some(fact) = segment.fact {
        let fact = scan.facts.get(fact)?;
        let good = matches!(fact.kind, FactKind::Quoted | FactKind::Path | FactKind::Glob);
        return good.then(|| fact.value.as_str().map(str::to_owned)).flatten();
    }
    let is_word = segment.mark.is_none()
        && !segment
            .senses
            .iter()
            .any(|sense| matches!(sense, Sense::Role(_) | Sense::Connector | Sense::Stop));
    is_word
        .then(|| scan.original.get(segment.span.clone()).map(str::to_owned))
        .flatten()
}
