//! The things of a list as somebody says them in one breath: "the eggs, milk please and a present for Anna and Luca" are
//! three. Called by `lines`. It never drops a word of a thing, and where nobody can know whether two words are two
//! things they stay one.

use std::ops::Range;

use crate::language::{
    scan::Scan,
    sense::{Changing, Sense},
};

/// One thing on every line, word for word, without what only leads to it.
pub(super) fn items(scan: &Scan<'_>, words: Range<usize>) -> Option<Vec<String>> {
    let mut items = Vec::new();
    let mut start = words.start;
    for at in words.start..=words.end {
        let begins = at < words.end && begins_thing(scan, start, at, words.end);
        let splits = scan.is_joint(at) && !holds_together(scan, start..at, words.end) || is_aside(scan, at);
        if at < words.end && !begins && !splits {
            continue;
        }
        let item = thing(scan, start..at);
        if !item.is_empty() {
            let from = scan.segments.get(item.start)?.span.start;
            let to = scan.segments.get(item.end - 1)?.span.end;
            items.push(scan.original.get(from..to)?.to_owned());
        }
        start = if begins { at } else { at + 1 };
    }
    (!items.is_empty()).then_some(items)
}

/// Without articles before it and signs at its ends.
fn thing(scan: &Scan<'_>, words: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = words;
    while start < end && (is_article(scan, start) || scan.is_break(start)) {
        start += 1;
    }
    while end > start && scan.is_break(end - 1) {
        end -= 1;
    }
    start..end
}

/// "the", "some", "un po' di": it leads to a thing and is no part of it.
pub(super) fn is_article(scan: &Scan<'_>, at: usize) -> bool {
    // "2 l": behind a number it is a measure.
    let counts = at.checked_sub(1).is_some_and(|before| scan.number(before).is_some());
    scan.is(at, &Sense::Changing(Changing::Article)) && !counts
}

/// "please": said to the assistant. With an accent it is another word ("purè").
pub(super) fn is_aside(scan: &Scan<'_>, at: usize) -> bool {
    let written = scan
        .segments
        .get(at)
        .and_then(|own| scan.original.get(own.span.clone()));
    scan.is(at, &Sense::Changing(Changing::Aside)) && written.is_some_and(str::is_ascii)
}

/// "dei pomodori un melone": behind a noun an article begins another thing, but not in an errand ("wash the car").
fn begins_thing(scan: &Scan<'_>, start: usize, at: usize, end: usize) -> bool {
    // "vitamin A tablets": a letter is no article.
    let article = is_article(scan, at) && !is_capital(scan, at) && scan.sense(at, Sense::role).is_none();
    let leads = at + 1 < end && is_word(scan, at + 1);
    let behind = at
        .checked_sub(1)
        .is_some_and(|before| before >= start && is_word(scan, before));
    article && leads && behind && !is_errand(scan, start, end)
}

/// A word that means nothing else and leads to nothing: no article, no preposition, no sign.
fn is_word(scan: &Scan<'_>, at: usize) -> bool {
    let leads = [
        Sense::Changing(Changing::Article),
        Sense::Changing(Changing::Purpose),
        Sense::With,
    ];
    let plain = scan.is_unknown(at) || scan.sense(at, Sense::place).is_some();
    plain && !scan.is_break(at) && !leads.iter().any(|sense| scan.is(at, sense))
}

/// What is to be done stands here, and of what.
fn is_errand(scan: &Scan<'_>, start: usize, end: usize) -> bool {
    let at = (start..end).find(|at| !is_aside(scan, *at)).unwrap_or(end);
    let next = at + 1;
    let says_more = next < end && !scan.is_joint(next) && !scan.is_break(next);
    let leads = is_article(scan, next) || scan.is(next, &Sense::Definite);
    let of = scan.is(at, &Sense::Changing(Changing::ErrandOf)) && leads;
    says_more && (scan.is(at, &Sense::Changing(Changing::Errand)) || of)
}

/// The joint behind these words joins parts of one thing: "buy bread and milk", "a present for Anna and Luca".
fn holds_together(scan: &Scan<'_>, item: Range<usize>, end: usize) -> bool {
    let joint = item.end;
    let next = joint + 1;
    if item.is_empty() || next >= end || scan.is_joint(next) || is_aside(scan, next) {
        return false;
    }
    let comma = scan.is_comma(joint);
    if !comma && is_errand(scan, item.start, end) {
        return !is_errand(scan, next, end);
    }
    let leads = |at: &usize| {
        [Sense::Changing(Changing::Purpose), Sense::With]
            .iter()
            .any(|own| scan.is(*at, own))
    };
    let Some(whom) = (item.start + 1..joint).rev().find(leads).map(|at| at + 1) else {
        return false;
    };
    // "latte per Anna e il pane": the second is no second of those it is for.
    let is_alike = !is_article(scan, next) || is_article(scan, whom);
    // A comma joins names, and nothing that may be the next thing.
    let names = || is_capital(scan, whom) && is_capital(scan, next) && !is_capital(scan, item.start);
    whom < joint && is_alike && !is_errand(scan, next, end) && (!comma || names())
}

fn is_capital(scan: &Scan<'_>, at: usize) -> bool {
    let written = scan
        .segments
        .get(at)
        .and_then(|own| scan.original.get(own.span.clone()));
    written.is_some_and(|written| written.starts_with(char::is_uppercase))
}
