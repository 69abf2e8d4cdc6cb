//! "show me", "what's on it?", "clear it": messages that say nothing but what is to be done with the list that was spoken
//! of. Asked by `follow_up`. One word more, and the message is about something else.

use crate::{
    normal::was_question,
    scan::Scan,
    sense::{Changing, Role, Sense},
};

/// Asks to see it.
pub(super) fn asks(scan: &Scan<'_>) -> bool {
    let is = |at: usize, sense: &Sense| scan.is(at, sense);
    let looks = |at: usize| is(at, &Sense::Changing(Changing::Look));
    let contents = |at: usize| is(at, &Sense::Content);
    let is_place = |at: usize| is(at, &Sense::Role(Role::In)) || is(at, &Sense::Joined);
    let passes = |at: usize| {
        let own = looks(at) || contents(at) || is_place(at) || is(at, &Sense::Show) || is(at, &Sense::Exists);
        own || points(scan, at) || is_beside(scan, at)
    };
    let all = || 0..scan.segments.len();
    if !all().all(passes) {
        return false;
    }
    // "what's on it", "cosa c'è nella lista": a question is about what is on something.
    let of_it = all().any(|at| points(scan, at));
    let on_it = all().any(|at| is_place(at) && (at + 1..scan.segments.len()).any(|behind| points(scan, behind)));
    let there = all().any(|at| is(at, &Sense::There));
    let asks = all().any(|at| is(at, &Sense::Show)) && (on_it || there);
    // "cosa c'è adesso?" by itself; "che c'è di nuovo?" asks for something else.
    let is_new = |at: usize| scan.sense(at, Sense::role).is_some() || is(at, &Sense::Changing(Changing::Fresh));
    let says_no_more = |at: usize| contents(at) || is_beside(scan, at) && !is_new(at);
    let is_bare = all().all(says_no_more) && was_question(scan.original);
    let says = all().any(contents) && (of_it || is_bare);
    all().any(looks) || asks || says
}

/// Takes everything off it.
pub(super) fn clears(scan: &Scan<'_>) -> bool {
    let Some(verb) = (0..scan.segments.len()).find(|at| !is_beside(scan, *at)) else {
        return false;
    };
    let is_clitic = scan.segments.get(verb).is_some_and(|own| own.clitic);
    // "clear them" is said of things.
    let is_several = |at: usize| {
        let several = |fold: &str| scan.lexicon.several.iter().any(|own| fold.ends_with(own.as_str()));
        let word = scan.segments.get(at).map_or("", |own| own.fold.as_str());
        if is_clitic && at == verb {
            several(word)
        } else {
            scan.lexicon.several.contains(word)
        }
    };
    let behind = verb + 1..scan.segments.len();
    let says_no_more = behind
        .clone()
        .all(|at| (points(scan, at) || is_beside(scan, at)) && !is_several(at));
    let of_it = is_clitic || behind.into_iter().any(|at| points(scan, at));
    scan.is(verb, &Sense::Changing(Changing::Clear)) && of_it && says_no_more && !is_several(verb)
}

/// "it", "there", "the list".
fn points(scan: &Scan<'_>, at: usize) -> bool {
    let is_pronoun = scan.is(at, &Sense::Anaphora) && !scan.is(at, &Sense::Definite);
    let there = scan.is(at, &Sense::There) && !scan.is_glue(at);
    is_pronoun || there || scan.is(at, &Sense::Changing(Changing::List))
}

/// What belongs to any message: "please", "now", articles, signs that end it.
fn is_beside(scan: &Scan<'_>, at: usize) -> bool {
    let sign = scan.segments.get(at).and_then(|own| own.mark);
    let ends = sign.is_some_and(|mark| matches!(mark, '?' | '!' | '.' | ','));
    let says = [Changing::Aside, Changing::Further]
        .into_iter()
        .any(|own| scan.is(at, &Sense::Changing(own)));
    ends || says || scan.is_glue(at) && !scan.is_value(at)
}
