//! One thing where several would do: "move the pdf from downloads", "delete a tmp file", and some of them: "some pdfs".
//! Called by `language::read`. Nothing here chooses: the person says which one is meant, or the words stay open.

use std::ops::Range;

use serde_json::json;

use super::{
    Known,
    bare::command_around,
    candidates::{self, File},
};
use crate::{
    Fact, FactKind,
    home::Home,
    scan::Scan,
    sense::{Changing, Role, Sense},
};
use metnos_domain::{
    limits,
    vocabulary::{Object, Verb},
};

/// "Move some pdfs": not all of them, and nobody says which. The word stays open where something is done with them.
pub(crate) fn some(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        let next = scan.skip_glue(at + 1);
        let things = scan.sense(next, Sense::globs).is_some() || is_file_word(scan, next);
        let command = command_around(scan, at);
        // "sposta dei pdf", and not "i nomi dei pdf".
        let of = scan.is(at, &Sense::Role(Role::Of)) && at != command.start + 1;
        if scan.is(at, &Sense::Vague) && things && !of && acts(scan, &command) {
            unread(scan, at);
        }
    }
}

/// A kind of file in the singular, where something is done with it: which one is asked, of those in the folder that is
/// named, or else of all. Too many to ask about stay open.
pub(crate) fn one_of_a_kind(scan: &mut Scan<'_>, home: &Home) {
    for at in 0..scan.segments.len() {
        let Some(index) = single_glob(scan, at) else { continue };
        let command = command_around(scan, at);
        if !acts(scan, &command) || says_more(scan, &command) {
            continue;
        }
        let places = folders(scan, &command);
        let Some(found) = fitting(scan, index, &places, home) else {
            continue;
        };
        let Some(fact) = scan.facts.get_mut(index) else {
            continue;
        };
        match found.as_slice() {
            [] | [_] => {}
            [first, ..] if found.len() <= limits::FORM_OPTIONS_MAX => {
                fact.kind = FactKind::Path;
                fact.value = json!(first);
                fact.one_of = found;
                for (place, _) in places.iter().filter(|(_, goes)| !goes) {
                    if let Some(fact) = scan.facts.get_mut(*place) {
                        fact.kind = FactKind::Taken;
                    }
                }
                scan.known.push(Known::of(index, Vec::new()));
            }
            _ => {
                fact.kind = FactKind::Taken;
                unread(scan, at);
            }
        }
    }
}

/// What stands here counts as not understood.
fn unread(scan: &mut Scan<'_>, at: usize) {
    if let Some(segment) = scan.segments.get_mut(at) {
        segment.senses = &[];
        segment.fact = None;
        segment.used = false;
    }
}

/// A kind of file that is one: an article before it, and no word for several.
fn single_glob(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let segment = scan.segments.get(at)?;
    let index = segment.fact?;
    let fact = scan.facts.get(index).filter(|fact| fact.kind == FactKind::Glob)?;
    let written = scan
        .original
        .get(segment.span.clone())?
        .trim_start_matches('.')
        .to_lowercase();
    let endings = fact.text().strip_prefix("*.")?.trim_matches(['{', '}']);
    // "the pdf file", "il file pdf"
    let beside = |near: &usize| is_file_word(scan, *near);
    let noun = std::iter::once(at + 1)
        .chain(at.checked_sub(1))
        .find(beside)
        .unwrap_or(at);
    let is_ending = noun == at && endings.split(',').any(|ending| ending == written);
    if !(scan.is(noun, &Sense::Singular) || is_ending) || scan.is(noun, &Sense::Plural) {
        return None;
    }
    let start = noun.min(at);
    let lead: Vec<usize> = (0..start).rev().take_while(|before| scan.is_glue(*before)).collect();
    let says = |sense: Sense| lead.iter().any(|before| scan.is(*before, &sense));
    let known =
        says(Sense::Definite) || says(Sense::Changing(Changing::Fresh)) || says(Sense::Changing(Changing::Article));
    let several = says(Sense::Plural) || says(Sense::All) || says(Sense::Each);
    (known && !several).then_some(index)
}

fn is_file_word(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Object(Object::Files, None))
}

/// Something is done with what the command speaks of.
fn acts(scan: &Scan<'_>, command: &Range<usize>) -> bool {
    [Verb::Move, Verb::Delete, Verb::Send]
        .into_iter()
        .any(|verb| scan.is(command.start, &Sense::Verb(verb)))
}

/// More than a kind and a folder says which one it is.
fn says_more(scan: &Scan<'_>, command: &Range<usize>) -> bool {
    command.clone().any(|at| {
        let fact = scan.fact_at(at);
        let narrows = |fact: &Fact| !matches!(fact.kind, FactKind::Path | FactKind::Glob | FactKind::Taken);
        let orders = scan.sense(at, Sense::superlative).is_some()
            || scan.sense(at, Sense::ordered).is_some()
            || scan.sense(at, Sense::side).is_some();
        orders || scan.is(at, &Sense::Except) || fact.is_some_and(narrows)
    })
}

/// The folders a command names, and whether things go there.
fn folders(scan: &Scan<'_>, command: &Range<usize>) -> Vec<(usize, bool)> {
    let mut found: Vec<(usize, bool)> = Vec::new();
    let inside = |fact: &Fact| matches!(fact.role, Some(Role::In | Role::From | Role::Of));
    let own = command.clone().filter_map(|at| scan.segments.get(at)?.fact);
    let is_folder = |fact: &Fact| fact.kind == FactKind::Path && !fact.is_file_path();
    for index in own {
        let Some(fact) = scan.facts.get(index).filter(|fact| is_folder(fact)) else {
            continue;
        };
        let entry = (index, !inside(fact));
        if !found.contains(&entry) {
            found.push(entry);
        }
    }
    // "put the pdf in docs": where it goes, when nothing else does.
    let moves = scan.is(command.start, &Sense::Verb(Verb::Move));
    let goes = found.iter().any(|(_, goes)| *goes);
    if let Some(last) = found.last_mut().filter(|_| moves && !goes) {
        last.1 = true;
    }
    found
}

/// The files of the kind that may be meant; none when the home says nothing of them.
fn fitting(scan: &Scan<'_>, glob: usize, places: &[(usize, bool)], home: &Home) -> Option<Vec<String>> {
    let text = |index: usize| scan.facts.get(index).map(Fact::text);
    let endings = text(glob)?.strip_prefix("*.")?.trim_matches(['{', '}']);
    let among: Vec<&str> = places
        .iter()
        .filter(|(_, goes)| !goes)
        .filter_map(|(place, _)| text(*place))
        .collect();
    let goal = places
        .iter()
        .find(|(_, goes)| *goes)
        .and_then(|(place, _)| text(*place));
    let all = candidates::all(home);
    let is_of_kind = |file: &&File| endings.split(',').any(|ending| file.has_ending(ending));
    let is_there = |file: &&File| among.is_empty() || among.iter().any(|folder| file.is_in(folder));
    let stays = |file: &&File| goal.is_some_and(|goal| file.is_directly_in(goal));
    let found = all
        .iter()
        .filter(is_of_kind)
        .filter(is_there)
        .filter(|file| !stays(file));
    (!all.is_empty()).then(|| found.map(|file| file.path().to_owned()).collect())
}
