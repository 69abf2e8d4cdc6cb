//! "how many invoices do I have", "show me the recipes": papers that are counted or shown by their names. Called by
//! `language::read`; it takes nothing that no file is named after, and nothing of which more is said than where it is
//! and from when.

use std::ops::Range;

use serde_json::json;

use super::{
    Known,
    candidates::{self, File},
    phrase::{self, Phrase},
};
use crate::{
    FactKind,
    home::Home,
    nouns::Nouns,
    scan::Scan,
    sense::{Around, Role, Sense},
    time::Mention,
};
use metnos_domain::vocabulary::Verb;

/// The names of the papers that are to be counted, or of the several that are to be shown, as one pattern.
pub(crate) fn papers(scan: &mut Scan<'_>, times: &[Mention], home: &Home, nouns: &Nouns) {
    // "Show me the bills and how many they are" counts what it found.
    let is_next = |at: usize| {
        at.checked_sub(1)
            .is_some_and(|before| scan.is(before, &Sense::Connector))
    };
    let counts = |at: &usize| scan.is(*at, &Sense::HowMany) && !is_next(*at);
    if let Some(at) = (0..scan.segments.len()).find(counts) {
        let start = scan.skip_glue(at + 1);
        // Not every picture of somebody is called so: those that are would be no answer.
        let of_a_kind = scan.sense(start, Sense::globs).is_some();
        if let Some((names, range)) = named(scan, start, times, home, nouns).filter(|_| !of_a_kind) {
            take(scan, &names, range);
        }
        return;
    }
    let Some(begin) = (0..scan.segments.len()).find(|at| !scan.is_glue(*at)) else {
        return;
    };
    let asks_where = scan.is(begin, &Sense::Around(Around::Where));
    let shows = asks_where || scan.is(begin, &Sense::Show) || looks(scan, begin);
    let start = if shows { scan.skip_glue(begin + 1) } else { begin };
    let reads = scan.sense(begin, Sense::verb) == Some(Verb::Read);
    let Some((names, range)) = named(scan, start, times, home, nouns) else {
        return;
    };
    let plural = (0..start).any(|at| scan.is(at, &Sense::Plural) && scan.is_glue(at));
    let says_several = |at: usize| scan.segments.get(at).is_some_and(|own| nouns.is_several(&own.fold));
    let several = plural || says_several(range.start) || range.end.checked_sub(1).is_some_and(says_several);
    // One by itself is read, where nobody says from when the several are.
    let dated = (range.end..scan.segments.len()).any(|at| is_timed(scan, at, times));
    // "Find invoice 881": a number says which one it is.
    let numbered = range.clone().any(|at| scan.number(at).is_some());
    let of_a_kind = scan.sense(range.start, Sense::globs).is_some();
    let found = several && (dated || shows && names.starts_with('{')) || numbered && shows && !reads;
    if found || of_a_kind {
        take(scan, &names, if asks_where { begin..range.end } else { range });
    }
}

fn looks(scan: &Scan<'_>, at: usize) -> bool {
    matches!(scan.sense(at, Sense::verb), Some(Verb::Find | Verb::List | Verb::Read))
}

fn take(scan: &mut Scan<'_>, names: &str, range: Range<usize>) {
    let fact = scan.fact(FactKind::Glob, json!(names), range);
    scan.known.push(Known::of(fact, Vec::new()));
}

/// The names of all papers that the words from here on are for, and the words.
fn named(
    scan: &Scan<'_>,
    start: usize,
    times: &[Mention],
    home: &Home,
    nouns: &Nouns,
) -> Option<(String, Range<usize>)> {
    let fits = |phrase: &Phrase| is_of_papers(scan, phrase, nouns) || is_of_a_kind(scan, phrase);
    let mut papers = phrase::read(scan, start, nouns)
        .into_iter()
        .filter(|phrase| fits(phrase) && is_all(scan, phrase.range.end, times))
        .peekable();
    papers.peek()?;
    let files = candidates::all(home);
    let all: Vec<&File> = files.iter().collect();
    let (names, range) = papers.find_map(|phrase| Some((candidates::names(&phrase, &all)?, phrase.range)))?;
    Some(called_after(scan, &names, &range, times).unwrap_or((names, range)))
}

/// "The bills from March", where one is called so: those, whenever they were changed.
fn called_after(
    scan: &Scan<'_>,
    names: &str,
    range: &Range<usize>,
    times: &[Mention],
) -> Option<(String, Range<usize>)> {
    let rest = range.end..scan.segments.len();
    let timed = rest.filter(|at| is_timed(scan, *at, times) && !scan.is_glue(*at));
    let timed: Vec<usize> = timed.collect();
    let folds = timed.iter().filter_map(|at| scan.segments.get(*at));
    let said: Vec<String> = folds.flat_map(|own| phrase::pieces(&own.fold)).collect();
    let is_said = |name: &&str| phrase::pieces(name).iter().any(|word| said.contains(word));
    let chosen: Vec<&str> = names.trim_matches(['{', '}']).split(',').filter(is_said).collect();
    let end = timed.last().filter(|_| !chosen.is_empty())? + 1;
    Some((format!("{{{}}}", chosen.join(",")), range.start..end))
}

/// The first or the last word says that it is something one reads; a list is one thing, and holds others.
fn is_of_papers(scan: &Scan<'_>, phrase: &Phrase, nouns: &Nouns) -> bool {
    let is_paper = |at: usize| {
        let word = scan.segments.get(at).map(|own| own.fold.as_str()).unwrap_or_default();
        nouns.is_paper(word) && !nouns.is_container(word)
    };
    is_paper(phrase.range.start) || phrase.range.end.checked_sub(1).is_some_and(is_paper)
}

/// "The photo of grandma": a kind of file, and of what it is one.
fn is_of_a_kind(scan: &Scan<'_>, phrase: &Phrase) -> bool {
    let of = phrase
        .range
        .clone()
        .any(|at| scan.is(at, &Sense::Role(Role::Of)) || scan.is(at, &Sense::Joined));
    of && !phrase.endings.is_empty() && !phrase.wanted.is_empty()
}

/// Behind it stands only a folder, or a time, or nothing that says more; then what is done with what was found.
fn is_all(scan: &Scan<'_>, end: usize, times: &[Mention]) -> bool {
    let points_back = |at: usize| {
        let points = |at: usize| {
            let ending = scan.segments.get(at).is_some_and(|segment| segment.clitic);
            ending || scan.is(at, &Sense::Anaphora) && !scan.is(at, &Sense::Stop)
        };
        scan.is(scan.skip_glue(at), &Sense::HowMany) || (at..scan.segments.len()).any(points)
    };
    let is_next = |at: &usize| scan.is(*at, &Sense::Connector) && points_back(at + 1);
    let own = end..scan.segments.len();
    let next = own.clone().find(is_next).unwrap_or(own.end);
    (end..next).all(|at| {
        let Some(segment) = scan.segments.get(at) else {
            return false;
        };
        let folder = segment.fact.and_then(|fact| scan.facts.get(fact));
        let behind = scan.skip_glue(at + 1);
        let dates = |role: Role| scan.is(at, &Sense::Role(role)) && is_timed(scan, behind, times);
        let leads = [Role::In, Role::From]
            .into_iter()
            .any(|role| scan.is(at, &Sense::Role(role)) && scan.is_value(behind) || dates(role) || dates(Role::Of));
        is_timed(scan, at, times)
            || folder.is_some_and(|fact| fact.kind == FactKind::Path && !fact.is_file_path())
            || segment.mark.is_some_and(|mark| matches!(mark, '?' | '.' | '!'))
            || scan.is_glue(at) && segment.number.is_none()
            || leads
    })
}

/// Part of a time.
fn is_timed(scan: &Scan<'_>, at: usize, times: &[Mention]) -> bool {
    let inside = |span: &Range<usize>| {
        times
            .iter()
            .any(|time| time.span.start < span.end && span.start < time.span.end)
    };
    scan.segments.get(at).is_some_and(|segment| inside(&segment.span))
}
