//! What is left out by name: "everything in downloads except the invoices", "the invoices except 882". Called by
//! `language::read`; a name that leaves out nothing of what is meant stays open, and no plan passes over it.

use serde_json::json;

use super::{
    Known,
    candidates::{self, File},
    changes, phrase,
};
use crate::{
    Fact, FactKind,
    home::Home,
    nouns::Nouns,
    scan::Scan,
    sense::{Role, Sense},
};
use metnos_domain::vocabulary::Verb;

/// "everything in downloads except the invoices", "… but keep the letter": files of these names are left out.
pub(crate) fn left_out(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    if !changes(scan) {
        return;
    }
    for at in 0..scan.segments.len() {
        let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
        let next = scan.skip_glue(at + 1);
        let keeps = scan.is(at, &Sense::But) && scan.sense(next, Sense::verb) == Some(Verb::Filter);
        if !free || !(keeps || scan.is(at, &Sense::Except)) {
            continue;
        }
        let start = scan.skip_glue(if keeps { next + 1 } else { at + 1 });
        // "except 2 of them": how many, and no name; "the invoices except 2" are files with numbers.
        let is_count = scan.count(start).is_some_and(|count| count <= COUNT_MAX);
        if is_count && scan.known.is_empty() {
            continue;
        }
        let files = candidates::all(home);
        let folders: Vec<String> = places(scan).collect();
        let lies_there = |file: &&File| folders.is_empty() || folders.iter().any(|folder| file.is_in(folder));
        let all: Vec<&File> = files.iter().filter(lies_there).collect();
        let kept = phrase::read(scan, start, nouns).into_iter().find_map(|phrase| {
            let names = candidates::names(&phrase, &all)?;
            Some((names, phrase.range.end))
        });
        if let Some((names, end)) = kept.filter(|(_, end)| !lists_more(scan, *end)) {
            let fact = scan.fact(FactKind::NotGlob, json!(names), at..end);
            scan.known.push(Known::of(fact, Vec::new()));
            return;
        }
    }
}

/// Numbers up to here say how many, behind "except"; larger ones may be part of a name.
const COUNT_MAX: u64 = 99;

/// The folders that what is meant lies in: what is left out is left out of these.
fn places(scan: &Scan<'_>) -> impl Iterator<Item = String> {
    let is_place = |fact: &&Fact| {
        let is_folder = fact.kind == FactKind::Path && !fact.is_file_path();
        is_folder && !matches!(fact.role, Some(Role::To))
    };
    scan.facts.iter().filter(is_place).map(|fact| fact.text().to_owned())
}

/// "except the invoices and the song": more is left out behind what is known; nobody may take it for what is meant.
pub(crate) fn lists_more(scan: &Scan<'_>, end: usize) -> bool {
    let next = scan.skip_glue(end + 1);
    let begins = scan.sense(next, Sense::verb).is_some() && !scan.is_value(next);
    scan.is_joint(end) && next < scan.segments.len() && !begins
}

/// "The invoices except 882": of files that are known by name already, those that are left out go.
pub(crate) fn take_out(scan: &mut Scan<'_>) {
    let left_out = scan.facts.iter().position(|fact| fact.kind == FactKind::NotGlob);
    let Some((index, pattern)) = left_out.and_then(|index| Some((index, scan.facts.get(index)?.text().to_owned())))
    else {
        return;
    };
    let stays = |path: &String| !is_left_out(path, &pattern);
    let mut went = false;
    for known in &mut scan.known {
        let Some(fact) = scan
            .facts
            .get_mut(known.fact)
            .filter(|fact| fact.kind == FactKind::Path)
        else {
            continue;
        };
        let asked = !fact.one_of.is_empty();
        let mut all = if asked {
            fact.one_of.clone()
        } else {
            vec![fact.text().to_owned()]
        };
        all.append(&mut known.also);
        let said = all.len();
        all.retain(stays);
        let Some(first) = all.first().filter(|_| all.len() < said) else {
            known.also = all.split_off(1.min(all.len())).into_iter().filter(|_| !asked).collect();
            continue;
        };
        went = true;
        fact.value = json!(first);
        if asked {
            fact.one_of = if all.len() > 1 { all } else { Vec::new() };
        } else {
            known.also = all.split_off(1);
        }
    }
    if let Some(fact) = scan.facts.get_mut(index).filter(|_| went) {
        fact.kind = FactKind::Taken;
    }
}

/// The name of a file is one of these, or has one of these endings.
fn is_left_out(path: &str, pattern: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let pattern = pattern.to_lowercase();
    let endings = pattern.strip_prefix("*.");
    let mut parts = endings.unwrap_or(&pattern).trim_matches(['{', '}']).split(',');
    parts.any(|part| match endings {
        Some(_) => name.strip_suffix(part).is_some_and(|stem| stem.ends_with('.')),
        None => name == part,
    })
}
