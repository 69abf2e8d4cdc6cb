//! "how many invoices do I have": papers that are counted by their names. Called by `language::read`; it counts nothing
//! that no file is named after, and nothing of which more is said than where it is.

use serde_json::json;

use super::{
    Known,
    candidates::{self, File},
    phrase::{self, Phrase},
};
use crate::language::{
    FactKind,
    home::Home,
    nouns::Nouns,
    scan::Scan,
    sense::{Role, Sense},
};

/// The names of the papers that are to be counted, as one pattern.
pub(in crate::language) fn papers(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    let Some(at) = (0..scan.segments.len()).find(|at| scan.is(*at, &Sense::HowMany)) else {
        return;
    };
    let start = scan.skip_glue(at + 1);
    let phrases = phrase::read(scan, start, nouns);
    let papers: Vec<Phrase> = phrases
        .into_iter()
        .filter(|phrase| is_of_papers(scan, phrase, nouns) && is_all(scan, phrase.range.end))
        .collect();
    if papers.is_empty() {
        return;
    }
    let files = candidates::all(home);
    let all: Vec<&File> = files.iter().collect();
    let found = papers
        .into_iter()
        .find_map(|phrase| Some((candidates::names(&phrase, &all)?, phrase.range)));
    if let Some((names, range)) = found {
        let fact = scan.fact(FactKind::Glob, json!(names), range);
        scan.known.push(Known::of(fact, Vec::new()));
    }
}

/// The first or the last word says that it is something one reads; a list is one thing, and holds others.
fn is_of_papers(scan: &Scan<'_>, phrase: &Phrase, nouns: &Nouns) -> bool {
    let is_paper = |at: usize| {
        let word = scan.segments.get(at).map(|own| own.fold.as_str()).unwrap_or_default();
        nouns.is_paper(word) && !nouns.is_container(word)
    };
    is_paper(phrase.range.start) || phrase.range.end.checked_sub(1).is_some_and(is_paper)
}

/// Behind it stands only a folder, or nothing that says more.
fn is_all(scan: &Scan<'_>, end: usize) -> bool {
    (end..scan.segments.len()).all(|at| {
        let Some(segment) = scan.segments.get(at) else {
            return false;
        };
        let folder = segment.fact.and_then(|fact| scan.facts.get(fact));
        let leads = [Role::In, Role::From]
            .into_iter()
            .any(|role| scan.is(at, &Sense::Role(role)) && scan.is_value(scan.skip_glue(at + 1)));
        folder.is_some_and(|fact| fact.kind == FactKind::Path && !fact.is_file_path())
            || segment.mark.is_some_and(|mark| matches!(mark, '?' | '.' | '!'))
            || scan.is_glue(at) && segment.number.is_none()
            || leads
    })
}
