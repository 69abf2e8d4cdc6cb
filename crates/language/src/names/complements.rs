//! "the bill of the light", "il contratto del telefono", "the phone bill": the noun beside a paper is part of what names
//! it, and no lamp and no address book is meant. Called by `language::read` before anything looks for things. A noun
//! that stands by itself, or to which something else belongs ("the light of the kitchen"), stays what it is.

use crate::{
    nouns::Nouns,
    scan::Scan,
    sense::{Role, Sense},
};
use metnos_domain::vocabulary::Object;

/// Most words between a paper and a noun that belongs to it.
const REACH: usize = 4;

/// Takes every other meaning from nouns that belong to a paper. `noun_first` where the noun may stand before it.
pub(crate) fn complements(scan: &mut Scan<'_>, nouns: &Nouns, noun_first: bool) {
    for at in 0..scan.segments.len() {
        if !is_paper(scan, at, nouns) {
            continue;
        }
        let before = at.checked_sub(1).filter(|before| noun_first && is_led(scan, *before));
        let before = before.filter(|before| is_thing(scan, *before));
        for belongs in behind(scan, at).into_iter().chain(before) {
            if let Some(segment) = scan.segments.get_mut(belongs) {
                segment.senses = &[];
            }
        }
    }
}

/// A paper somebody speaks of: "report" by itself may be a command.
fn is_paper(scan: &Scan<'_>, at: usize, nouns: &Nouns) -> bool {
    let Some(segment) = scan.segments.get(at) else {
        return false;
    };
    let free = segment.fact.is_none() && segment.mark.is_none();
    free && nouns.is_paper(&segment.fold) && (scan.is_unknown(at) || is_led(scan, at))
}

/// An article or the like stands before it.
fn is_led(scan: &Scan<'_>, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| scan.is_glue(before))
}

/// The nouns behind "of" and its articles; behind "from" only one that may be a place.
fn behind(scan: &Scan<'_>, paper: usize) -> Vec<usize> {
    let of = scan.is(paper + 1, &Sense::Role(Role::Of));
    let from = scan.is(paper + 1, &Sense::Role(Role::From));
    if !of && !from {
        return Vec::new();
    }
    let start = scan.skip_glue(paper + 2);
    let is_word = |at: &usize| {
        let plain = scan
            .segments
            .get(*at)
            .is_some_and(|own| own.mark.is_none() && own.fact.is_none());
        plain && (scan.is_unknown(*at) || is_thing(scan, *at) || is_place(scan, *at))
    };
    let run = (start..start + REACH).take_while(is_word);
    run.filter(|at| of && is_thing(scan, *at) || is_place(scan, *at))
        .collect()
}

/// A noun of the household that is no file.
fn is_thing(scan: &Scan<'_>, at: usize) -> bool {
    let things = [
        Object::Events,
        Object::Contacts,
        Object::Tasks,
        Object::Devices,
        Object::Places,
    ];
    let thing = scan
        .sense(at, Sense::object)
        .is_some_and(|(object, _)| things.contains(&object));
    // "the home insurance": the house, and not where the files are.
    let home = scan.is(at, &Sense::Home) && scan.segments.get(at).is_some_and(|own| !own.fold.contains(' '));
    (thing || home) && scan.sense(at, Sense::verb).is_none() && !scan.is_glue(at)
}

fn is_place(scan: &Scan<'_>, at: usize) -> bool {
    scan.sense(at, Sense::place).is_some() && scan.sense(at, Sense::verb).is_none()
}
