//! "is milk on the shopping list?", "c'è il latte nella lista della spesa?": a thing, and the list it may be on. Called by
//! `values` before anything else may take the words. It makes nothing of a question in which anything more is said.

use serde_json::json;

use super::{titles, words_from};
use crate::{
    FactKind,
    nouns::Nouns,
    scan::Scan,
    sense::{Changing, Role, Sense},
};
use metnos_domain::vocabulary::{Object, Verb};

/// Most words the things asked about may have.
const THING_WORDS_MAX: usize = 8;

/// The thing that is asked about and the list, as facts.
pub(crate) fn listed(scan: &mut Scan<'_>, nouns: &Nouns) {
    if scan.facts.iter().any(|fact| fact.kind != FactKind::Taken) {
        return;
    }
    let Some(role) = (1..scan.segments.len()).find(|at| is_on(scan, *at)) else {
        return;
    };
    let (Some(things), Some(list)) = (things(scan, role), list(scan, role)) else {
        return;
    };
    let said: Vec<String> = things
        .split(|at| scan.is_joint(*at))
        .filter_map(|words| words_from(scan, *words.first()?..words.last()? + 1))
        .collect();
    let (Some(first), Some(last)) = (list.first(), list.last()) else {
        return;
    };
    if said.is_empty() {
        return;
    }
    titles::make(scan, FactKind::Title, &list, *first..*last + 1, nouns);
    scan.fact(FactKind::Listed, json!(said.join("\n")), 0..*first);
    let end = scan.segments.len();
    scan.explain(0..end);
}

/// "on", "nella", with a list behind it.
fn is_on(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Role(Role::In)) && (at..scan.segments.len()).any(|at| is_list(scan, at))
}

fn is_list(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Changing(Changing::List))
}

/// The words for the things, if nothing but a question whether they are there leads to them.
fn things(scan: &Scan<'_>, role: usize) -> Option<Vec<usize>> {
    // "find milk on the shopping list" asks for the same.
    let leads = |at: usize| scan.is(at, &Sense::Listed) || scan.sense(at, Sense::verb) == Some(Verb::Find);
    let is_question = scan.original.trim_end().ends_with('?');
    let mut start = 0;
    while start < role && (leads(start) || is_article(scan, start)) {
        start += 1;
    }
    let mut end = role;
    // "il latte c'è già nella lista?"; typed without its accent the bare "è" is a connector.
    let is_verb = |at: usize| scan.is_copula(at) || scan.is(at, &Sense::Connector);
    while end > start && (leads(end - 1) || is_question && is_verb(end - 1)) {
        end -= 1;
    }
    let asked = (0..start).any(leads) || is_question && end < role;
    // An article begins another thing, and stands nowhere else: "does Anna think the milk is on the list".
    let begins = |at: usize| is_article(scan, at) && at.checked_sub(1).is_some_and(|before| scan.is_joint(before));
    let words: Vec<usize> = (start..end).filter(|at| !begins(*at)).collect();
    let fits = |at: &usize| is_thing(scan, *at) || scan.is_joint(*at);
    let ends = [words.first(), words.last()]
        .into_iter()
        .all(|at| at.is_some_and(|at| is_thing(scan, *at)));
    (asked && ends && words.len() <= THING_WORDS_MAX && words.iter().all(fits)).then_some(words)
}

/// The words of the list: one the person knows, and nothing behind it.
fn list(scan: &Scan<'_>, role: usize) -> Option<Vec<usize>> {
    let start = scan.skip_glue(role + 1);
    let is_known = (role..start).any(|at| scan.is(at, &Sense::Definite) || scan.is(at, &Sense::Joined));
    let mut words = Vec::new();
    for at in start..scan.segments.len() {
        let mark = scan.segments.get(at).and_then(|segment| segment.mark);
        let small = scan.is_glue(at) && !scan.is(at, &Sense::All) || scan.is(at, &Sense::Role(Role::Of));
        if mark.is_some_and(|mark| matches!(mark, '?' | '.' | '!')) && at + 1 == scan.segments.len() || small {
            continue;
        }
        if !(is_thing(scan, at) || is_list(scan, at)) {
            return None;
        }
        words.push(at);
    }
    (is_known && words.iter().any(|at| is_list(scan, *at))).then_some(words)
}

/// "the", "some", "del": it leads to a thing, and says nothing else.
fn is_article(scan: &Scan<'_>, at: usize) -> bool {
    let leads = [Sense::Definite, Sense::Joined, Sense::Changing(Changing::Fresh)]
        .iter()
        .any(|sense| scan.is(at, sense));
    scan.is_glue(at) && leads && !scan.is(at, &Sense::All) && !scan.is_value(at)
}

/// A word that means nothing else, or a kind of place: "caffè" is on many lists.
fn is_thing(scan: &Scan<'_>, at: usize) -> bool {
    let unsaid = [Changing::Unsaid, Changing::List, Changing::Container]
        .into_iter()
        .any(|changing| scan.is(at, &Sense::Changing(changing)));
    let fits = |sense: &Sense| {
        matches!(
            sense,
            Sense::Changing(_) | Sense::Place(_) | Sense::Object(Object::Places, _) | Sense::Singular | Sense::Plural
        )
    };
    scan.segments.get(at).is_some_and(|segment| {
        let free = !segment.used && segment.fact.is_none() && segment.mark.is_none() && segment.number.is_none();
        free && !unsaid && segment.senses.iter().all(fits)
    })
}
