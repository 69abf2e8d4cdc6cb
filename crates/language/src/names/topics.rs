//! What files are looked for by: "files about taxes", "file sulle tasse", "find the letter to Marta". Called by `names`. A thing without "files" is a file only when it is one the person knows ("the
//! letter", "la bolletta") and every word of it means nothing else here.

use serde_json::Value;

use super::words_from;
use crate::{
    FactKind,
    known::command_around,
    leading,
    nouns::Nouns,
    scan::Scan,
    sense::{Role, Sense},
};
use metnos_domain::vocabulary::{Object, Verb};

/// Most words a topic may have.
pub(super) const WORDS_MAX: usize = 4;

/// Everything of a request that says what files are about.
pub(super) fn topics(scan: &mut Scan<'_>, nouns: &Nouns) {
    for at in 0..scan.segments.len() {
        let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
        if !free || !scan.is(at, &Sense::About) || !behind_files(scan, at) {
            continue;
        }
        let words = run(scan, scan.skip_glue(at + 1), is_subject);
        // "about a week old" is an age.
        if words.last().is_some_and(|last| scan.is(*last, &Sense::Aged)) {
            continue;
        }
        make(scan, at, &words, nouns);
    }
    let words = known_thing(scan);
    if let Some(start) = words.first() {
        make(scan, *start, &words, nouns);
    }
}

/// A topic of these words, without the small ones between them, each with the other words for the same thing.
fn make(scan: &mut Scan<'_>, start: usize, words: &[usize], nouns: &Nouns) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return;
    };
    let said = words.iter().filter_map(|at| words_from(scan, *at..*at + 1));
    let said: Vec<String> = said.map(|word| nouns.with_others(&word)).collect();
    let begins = scan.segments.get(*first).map(|segment| segment.span.start);
    let fact = scan.fact(FactKind::Topic, Value::String(said.join(" ")), start..*last + 1);
    if let (Some(fact), Some(begins)) = (scan.facts.get_mut(fact), begins) {
        fact.span.start = begins;
    }
}

/// "files", "the pdfs", "everything", "anything": directly before, or before the folder they are in.
fn behind_files(scan: &Scan<'_>, at: usize) -> bool {
    let Some(mut before) = at.checked_sub(1) else {
        return false;
    };
    // "on" may say where: then nothing stands between.
    let is_where = scan.is(at, &Sense::Role(Role::In));
    while !is_where && before > 0 && is_whereabouts(scan, before) {
        before -= 1;
    }
    let glob = scan.fact_at(before);
    scan.is(before, &Sense::Object(Object::Files, None))
        || scan.is(before, &Sense::Content)
        || scan.is(before, &Sense::All)
        || scan.is(before, &Sense::Something)
        || glob.is_some_and(|fact| fact.kind == FactKind::Glob)
}

/// A folder, or one of the small words around it.
fn is_whereabouts(scan: &Scan<'_>, at: usize) -> bool {
    let fact = scan.fact_at(at);
    let folder = fact.is_some_and(|fact| fact.kind == FactKind::Path);
    let small = scan.is_glue(at) && !scan.is(at, &Sense::All) || scan.is(at, &Sense::Role(Role::In));
    folder || small && fact.is_none()
}

/// "find the letter to Marta", "cerca la polizza dell'auto", "find insurance in docs": its words. Where a folder is named
/// everything that is looked for is a file.
fn known_thing(scan: &Scan<'_>) -> Vec<usize> {
    let first = (0..scan.segments.len()).find(|at| !scan.is_glue(*at));
    let Some(verb) = leading::command(scan, 0).or(first) else {
        return Vec::new();
    };
    let command = command_around(scan, verb);
    let is_folder = |at: usize| scan.fact_at(at).is_some_and(|fact| fact.kind == FactKind::Path);
    let placed = command.clone().any(is_folder) || leading::start(scan, verb).is_some();
    let looks = scan.sense(verb, Sense::verb) == Some(Verb::Find);
    // "cerca nei documenti la bolletta"
    let behind = leading::places(scan, verb + 1).unwrap_or(verb + 1);
    // "search my notes for stamps"
    let first = scan.skip_glue(behind);
    let behind = match scan.is(verb, &Sense::Searches) && is_folder(first) && scan.is(first + 1, &Sense::Role(Role::Of))
    {
        true => first + 2,
        false => behind,
    };
    let start = scan.skip_glue(behind);
    let known = placed || (verb + 1..start).any(|at| scan.is(at, &Sense::Definite));
    let free = scan.segments.get(verb).is_some_and(|segment| !segment.used);
    let words = if looks && known && free {
        run(scan, start, means_nothing_else)
    } else {
        Vec::new()
    };
    // "the shiny files" are files, and which ones is not understood.
    let describes = words.last().is_some_and(|last| is_thing(scan, last + 1));
    if describes { Vec::new() } else { words }
}

pub(super) fn is_thing(scan: &Scan<'_>, at: usize) -> bool {
    let thing = scan.sense(at, Sense::object).is_some() || scan.sense(at, Sense::place).is_some();
    let fact = scan.fact_at(at);
    thing || fact.is_some_and(|fact| fact.kind == FactKind::Glob)
}

/// Words that `fits`, with "to", "of", "from" and articles between them.
pub(super) fn run(scan: &Scan<'_>, start: usize, fits: impl Fn(&Scan<'_>, usize) -> bool) -> Vec<usize> {
    let mut words = Vec::new();
    let mut at = start;
    while fits(scan, at) && words.len() < WORDS_MAX {
        words.push(at);
        at += 1;
        let joins = [Role::To, Role::Of, Role::From]
            .into_iter()
            .any(|role| scan.is(at, &Sense::Role(role)));
        if joins || scan.is_glue(at) {
            at = scan.skip_glue(at + 1);
        }
    }
    words
}

pub(super) fn is_free_word(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments.get(at).is_some_and(|segment| {
        !segment.used && segment.fact.is_none() && segment.mark.is_none() && segment.number.is_none()
    })
}

/// Behind "about" any noun is a topic, but files and where they are.
fn is_subject(scan: &Scan<'_>, at: usize) -> bool {
    let is_noun = |sense: &Sense| {
        let object = sense.object().map(|(object, _)| object);
        object.is_some_and(|object| !matches!(object, Object::Files | Object::Dirs | Object::Texts | Object::Urls))
    };
    let says = |sense: &Sense| {
        is_noun(sense)
            || matches!(
                sense,
                Sense::Aged | Sense::Place(_) | Sense::Singular | Sense::Plural | Sense::Field(_)
            )
            || matches!(sense, Sense::Around(around) if around.is_of_details())
    };
    is_free_word(scan, at)
        && scan
            .segments
            .get(at)
            .is_some_and(|segment| segment.senses.iter().all(says))
}

fn means_nothing_else(scan: &Scan<'_>, at: usize) -> bool {
    let ordinary = scan.is_unknown(at) && !scan.is(at, &Sense::Carrier);
    is_free_word(scan, at) && (ordinary || scan.is(at, &Sense::Aged))
}
