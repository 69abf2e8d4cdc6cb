//! "the first two", "gli ultimi 3", "the second pdf", "all but the last", "number 2", "both": some of the files that the answer before
//! listed, by where they stand there. Called by `listed`, which puts their paths in the place of the words. It takes
//! nothing that the list does not have: the first five of three, or all but the first of a list that was cut, are none.

use std::ops::Range;

use crate::{
    Side, positions,
    scan::Scan,
    sense::{Role, Sense},
};
use metnos_domain::{
    dialogue::Listed,
    vocabulary::{Object, Verb},
};

/// Segments, and the places in the list, from 0, that they speak of.
pub(super) type Several = (Range<usize>, Vec<usize>);

/// Every such phrase of a message.
pub(super) fn several(scan: &Scan<'_>, listed: &Listed) -> Vec<Several> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < scan.segments.len() {
        let phrase = all_but(scan, at, listed)
            .or_else(|| both(scan, at, listed))
            .or_else(|| counted(scan, at, listed))
            .filter(|(span, _)| is_meant(scan, span));
        at = phrase.as_ref().map_or(at + 1, |(span, _)| span.end);
        found.extend(phrase);
    }
    found
}

/// It is all the message says, or what a verb is about, and nothing more is said of it but where it goes.
fn is_meant(scan: &Scan<'_>, span: &Range<usize>) -> bool {
    let before = (0..span.start).rev().find(|at| !scan.is_glue(*at));
    let leads = |at: usize| {
        scan.sense(at, Sense::verb).is_some() || scan.is(at, &Sense::Show) || scan.is_joint(at) || scan.is_break(at)
    };
    // "sposta i primi due in musica"
    let moves = before.is_some_and(|at| scan.sense(at, Sense::verb) == Some(Verb::Move));
    let goes = scan.is(span.end, &Sense::Role(Role::To))
        || moves && scan.is(span.end, &Sense::Role(Role::In))
        || scan.is_joint(span.end)
        || scan.is_break(span.end);
    before.is_none_or(leads) && (span.end >= scan.segments.len() || goes)
}

/// "all but the second", "tutti tranne i primi due e l'ultimo".
fn all_but(scan: &Scan<'_>, at: usize, listed: &Listed) -> Option<Several> {
    let all = |at: usize| scan.is(at, &Sense::All);
    let except = (at..scan.segments.len()).find(|at| !(all(*at) || scan.is_glue(*at) || is_files(scan, *at)))?;
    let is_of_all = scan.is(except, &Sense::Except) && (except == at || all(at));
    let is_but = scan.is(except, &Sense::But) && all(at);
    if listed.is_cut || !(is_of_all || is_but) {
        return None;
    }
    let (end, kept) = parts(scan, except + 1, listed)?;
    let rest: Vec<usize> = (0..listed.ids.len()).filter(|at| !kept.contains(at)).collect();
    (!rest.is_empty()).then_some((at..end, rest))
}

/// "both" of two.
fn both(scan: &Scan<'_>, at: usize, listed: &Listed) -> Option<Several> {
    let are_two = listed.ids.len() == 2 && !listed.is_cut;
    (are_two && scan.is(at, &Sense::Both)).then(|| (at..behind(scan, at + 1), vec![0, 1]))
}

/// "the first two files", "the first and the third", "number 2", "the second pdf", "the pdf" where there is one.
fn counted(scan: &Scan<'_>, at: usize, listed: &Listed) -> Option<Several> {
    let (end, places) = parts(scan, at, listed).or_else(|| only_one(scan, at, listed))?;
    // "the second" alone is for `positions`.
    let start = article(scan, at);
    let is_bare = positions::place(scan, start).is_some_and(|(_, behind)| behind == end);
    (!is_bare).then_some((at..end, places))
}

/// All that is listed in one go: "the first two and the last".
fn parts(scan: &Scan<'_>, at: usize, listed: &Listed) -> Option<(usize, Vec<usize>)> {
    let (mut end, mut places) = part(scan, at, listed)?;
    while let Some((further, more)) = scan.is_joint(end).then(|| part(scan, end + 1, listed)).flatten() {
        end = further;
        let new = more.into_iter().filter(|place| !places.contains(place));
        let new: Vec<usize> = new.collect();
        places.extend(new);
    }
    Some((end, places))
}

/// Some, or one: "first two", "ultime 3 foto", "the second pdf", "number 2".
fn part(scan: &Scan<'_>, at: usize, listed: &Listed) -> Option<(usize, Vec<usize>)> {
    let at = article(scan, at);
    if let Some(place) = scan.count(at + 1).filter(|_| scan.is(at, &Sense::Numbered)) {
        return Some((at + 2, vec![listed.index(i64::try_from(place).ok()?)?]));
    }
    let many = scan.count(at + 1).filter(|count| *count > 1);
    let Some((side, count)) = scan.sense(at, Sense::side).zip(many) else {
        let (place, end) = positions::place(scan, at)?;
        let (pool, end) = of_kind(scan, end, listed);
        let index = pool.listed.index(place)?;
        return Some((end, vec![*pool.places.get(index)?]));
    };
    let count = usize::try_from(count).ok()?;
    let (pool, end) = of_kind(scan, at + 2, listed);
    let rest = pool.places.len().checked_sub(count)?;
    let places = match side {
        Side::First => pool.places.get(..count)?,
        Side::Last if listed.is_cut => return None,
        Side::Last => pool.places.get(rest..)?,
    };
    Some((end, places.to_vec()))
}

/// "the pdf", of those listed the only one.
fn only_one(scan: &Scan<'_>, at: usize, listed: &Listed) -> Option<(usize, Vec<usize>)> {
    let noun = article(scan, at);
    let is_kind = noun > at && scan.sense(noun, Sense::globs).is_some();
    let (pool, end) = of_kind(scan, noun, listed);
    // "the pictures" by itself chooses among them, and says so.
    let is_told = (0..at).any(|before| scan.sense(before, Sense::verb).is_some());
    let alone = is_kind && is_told && pool.places.len() == 1 && !listed.is_cut;
    alone.then_some((end, pool.places))
}

/// What is counted, and where each of it stands in the whole list.
struct Pool {
    listed: Listed,
    places: Vec<usize>,
}

/// "the second pdf" is the second of the pdfs; with the end of the words for what is counted.
fn of_kind(scan: &Scan<'_>, at: usize, listed: &Listed) -> (Pool, usize) {
    let kind = scan.sense(at, Sense::globs).map(|(endings, _)| endings);
    let is_of = |path: &str| {
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        kind.is_none_or(|kind| ending.is_some_and(|ending| kind.contains(&ending)))
    };
    let counted = listed.ids.iter().enumerate().filter(|(_, path)| is_of(path));
    let (places, ids) = counted.map(|(place, path)| (place, path.clone())).unzip();
    let is_cut = listed.is_cut;
    let listed = Listed::files(ids, is_cut);
    let end = if kind.is_some() {
        behind(scan, at + 1)
    } else {
        behind(scan, at)
    };
    (Pool { listed, places }, end)
}

/// Behind "the", and where there is none, here.
fn article(scan: &Scan<'_>, at: usize) -> usize {
    if scan.is_definite_article(at) && !scan.is_value(at) {
        at + 1
    } else {
        at
    }
}

/// Behind what only says that files are meant: "files", "of them".
fn behind(scan: &Scan<'_>, at: usize) -> usize {
    let points = |at: usize| scan.is(at, &Sense::Anaphora) && !scan.is(at, &Sense::Stop);
    if is_files(scan, at) || points(at) { at + 1 } else { at }
}

fn is_files(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Object(Object::Files, None)) && !scan.is_value(at)
}
