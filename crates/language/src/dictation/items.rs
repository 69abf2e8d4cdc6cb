//! The things of a list as somebody says them in one breath: "the eggs, milk please and a present for Anna and Luca" are
//! three. Called by `lines`. It never drops a word of a thing, and where nobody can know whether two words are two
//! things they stay one. What somebody takes back ("milk, I mean butter") is none; where nobody can know what is taken
//! back there is no list at all.

use std::ops::Range;

use crate::{
    scan::{Scan, Segment},
    sense::{Changing, Role, Sense},
};

/// One thing on every line, word for word, without what only leads to it; `are_counted` where "a bread" is one of
/// several.
pub(crate) fn items(scan: &Scan<'_>, words: Range<usize>, are_counted: bool) -> Option<Vec<String>> {
    let words = words.start..without_full_stop(scan, &words);
    let mut items = Vec::new();
    let mut start = words.start;
    let mut last = words.start..words.start;
    let mut was_corrected = false;
    for at in words.start..=words.end {
        let begins = at < words.end && begins_thing(scan, start, at, words.end);
        let corrects = at < words.end && scan.is(at, &Sense::Changing(Changing::Corrects));
        let joins = is_joint(scan, at) && !holds_together(scan, start..at, words.end);
        if at < words.end && !begins && !corrects && !joins && !is_aside(scan, at) {
            continue;
        }
        let item = thing(scan, start..at, are_counted);
        if item.clone().any(|at| is_filler(scan, at)) {
            return None;
        }
        if !item.is_empty() {
            let from = scan.segments.get(item.start)?.span.start;
            let to = scan.segments.get(item.end - 1)?.span.end;
            items.push(scan.original.get(from..to)?.to_owned());
            // "a pack of rice, I mean two": only so many is no thing.
            if was_corrected && is_number(scan, item.start) {
                return None;
            }
            last = item;
        }
        if corrects && !items.is_empty() {
            // "milk for Anna, I mean Luca": of several words nobody knows which are taken back.
            if was_corrected || items.len() > 1 || last.len() > 1 {
                return None;
            }
            was_corrected = true;
        }
        start = if begins { at } else { at + 1 };
    }
    match items.as_slice() {
        [] => None,
        [_wrong, right] if was_corrected => Some(vec![right.clone()]),
        _ => (!was_corrected).then_some(items),
    }
}

/// Where the things end: "latte punto".
fn without_full_stop(scan: &Scan<'_>, words: &Range<usize>) -> usize {
    let last = words.end.saturating_sub(1);
    let ends = last > words.start && scan.is(last, &Sense::Changing(Changing::FullStop));
    if ends { last } else { words.end }
}

/// "and", a comma, or one that is dictated.
fn is_joint(scan: &Scan<'_>, at: usize) -> bool {
    scan.is_joint(at) || is_comma(scan, at)
}

fn is_comma(scan: &Scan<'_>, at: usize) -> bool {
    scan.is_comma(at) || scan.is(at, &Sense::Changing(Changing::Comma))
}

/// Without articles before it, and signs and "um" at its ends; "a kilo and a half" is one and a half.
fn thing(scan: &Scan<'_>, words: Range<usize>, are_counted: bool) -> Range<usize> {
    let Range { mut start, mut end } = words;
    let is_part =
        |at: usize| scan.is_joint(at) && (half_behind(scan, at).is_some() || part_behind(scan, &(words.start..at), at));
    let says_how_much = words.clone().any(is_part);
    let counts = |at: usize| is_one(scan, at) && are_counted;
    let leads = |at: usize| is_article(scan, at) && !counts(at) || is_empty(scan, at);
    while start < end && leads(start) {
        start += 1;
    }
    let before = start.checked_sub(1);
    start = before
        .filter(|before| says_how_much && is_one(scan, *before))
        .unwrap_or(start);
    let sign = |at: usize, wanted: char| scan.segments.get(at).is_some_and(|own| own.mark == Some(wanted));
    // "milk (2 l)"
    let closes = |at: usize| sign(at, ')') && (start..at).any(|before| sign(before, '('));
    while end > start && is_empty(scan, end - 1) && !closes(end - 1) {
        end -= 1;
    }
    start..end
}

fn is_empty(scan: &Scan<'_>, at: usize) -> bool {
    scan.is_break(at) || is_filler(scan, at)
}

/// "um": it fills a pause.
pub(super) fn is_filler(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Changing(Changing::Filler))
}

/// "a", "un": one of them.
pub(super) fn is_one(scan: &Scan<'_>, at: usize) -> bool {
    is_article(scan, at) && scan.is(at, &Sense::Changing(Changing::Fresh))
}

/// A part of one behind a joint, and of one of something: "a litre and a quarter of juice".
fn part_behind(scan: &Scan<'_>, item: &Range<usize>, joint: usize) -> bool {
    let is_part = scan
        .number(joint + 1)
        .is_some_and(|number| 0.0 < number && number < 1.0);
    let counted = |at: usize| is_one(scan, at) || is_number(scan, at);
    let start = item
        .start
        .checked_sub(1)
        .filter(|before| counted(*before))
        .unwrap_or(item.start);
    is_part && counted(start) && joint - start <= 2
}

/// The word for half behind a joint: "un chilo e mezzo", "a kilo and a half".
fn half_behind(scan: &Scan<'_>, joint: usize) -> Option<usize> {
    let is_half = |at: &usize| scan.is(*at, &Sense::Changing(Changing::Half)) || scan.number(*at) == Some(0.5);
    let next = joint + 1;
    [next, next + 1]
        .into_iter()
        .find(is_half)
        .filter(|at| *at == next || is_one(scan, next))
}

/// "the", "some", "un po' di": it leads to a thing and is no part of it.
pub(super) fn is_article(scan: &Scan<'_>, at: usize) -> bool {
    // "2 l": behind a number it is a measure.
    let counts = at.checked_sub(1).is_some_and(|before| is_number(scan, before));
    scan.is(at, &Sense::Changing(Changing::Article)) && !counts
}

fn is_number(scan: &Scan<'_>, at: usize) -> bool {
    let digits = |own: &Segment<'_>| own.fold.starts_with(|letter: char| letter.is_ascii_digit());
    scan.number(at).is_some() || scan.segments.get(at).is_some_and(digits)
}

/// "please": said to the assistant. With an accent it is another word ("purè").
pub(super) fn is_aside(scan: &Scan<'_>, at: usize) -> bool {
    let written = scan
        .segments
        .get(at)
        .and_then(|own| scan.original.get(own.span.clone()));
    let is_aside = [Changing::Aside, Changing::Further]
        .into_iter()
        .any(|changing| scan.is(at, &Sense::Changing(changing)));
    is_aside && written.is_some_and(str::is_ascii)
}

/// "dei pomodori un melone": behind a noun an article begins another thing, but not in an errand ("wash the car"). Where
/// a noun needs no article it does so only behind one that has its own: "cheese the soft one" is one thing.
fn begins_thing(scan: &Scan<'_>, start: usize, at: usize, end: usize) -> bool {
    // "vitamin A tablets": a letter is no article.
    let article = is_article(scan, at) && !is_capital(scan, at) && scan.sense(at, Sense::role).is_none();
    let leads = at + 1 < end && is_word(scan, at + 1);
    let behind = at
        .checked_sub(1)
        .is_some_and(|before| before >= start && is_word(scan, before));
    let has_own = is_article(scan, start) || start.checked_sub(1).is_some_and(|before| is_article(scan, before));
    let is_alike = !scan.lexicon.noun_first || has_own;
    article && leads && behind && is_alike && !is_errand(scan, start, end)
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
    let says_more = next < end && !is_joint(scan, next) && !scan.is_break(next);
    let leads = is_article(scan, next) || scan.is(next, &Sense::Definite);
    let of = scan.is(at, &Sense::Changing(Changing::ErrandOf)) && leads;
    says_more && (scan.is(at, &Sense::Changing(Changing::Errand)) || of)
}

/// The joint behind these words joins parts of one thing: "buy bread and milk", "a present for Anna and Luca".
fn holds_together(scan: &Scan<'_>, item: Range<usize>, end: usize) -> bool {
    let joint = item.end;
    let next = joint + 1;
    if item.is_empty() || next >= end || is_joint(scan, next) || is_aside(scan, next) {
        return false;
    }
    if part_behind(scan, &item, joint) {
        return true;
    }
    if let Some(half) = half_behind(scan, joint) {
        // "latte e mezzo melone" are two.
        let ends = half + 1 >= end || is_joint(scan, half + 1) || is_aside(scan, half + 1);
        return ends || scan.is(half + 1, &Sense::Role(Role::Of));
    }
    let comma = is_comma(scan, joint);
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
    // "latte per Anna e il pane", "milk for the baby and bread for the party": the second is no second of those it is for.
    let own = next..(next..end).find(|at| is_joint(scan, *at)).unwrap_or(end);
    let is_alike = (!is_article(scan, next) || is_article(scan, whom)) && !own.skip(1).any(|at| leads(&at));
    // A comma joins names, and nothing that may be the next thing.
    let names = || is_capital(scan, whom) && is_capital(scan, next) && !is_capital(scan, item.start);
    whom < joint && (is_alike || names()) && !is_errand(scan, next, end) && (!comma || names())
}

fn is_capital(scan: &Scan<'_>, at: usize) -> bool {
    let written = scan
        .segments
        .get(at)
        .and_then(|own| scan.original.get(own.span.clone()));
    written.is_some_and(|written| written.starts_with(char::is_uppercase))
}
