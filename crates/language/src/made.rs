//! Names of what is still to be made: "a folder called Holiday in photos", "copy it and call it b", "a note saying …".
//! Called by `values` before names are looked for. It makes a place only where everything of it was said, or follows
//! from what was said: never one that is there already. Only a folder of which nothing else is said goes into the home.

use std::ops::Range;

use serde_json::json;

use super::{
    Fact, FactKind,
    home::Home,
    known::{self, Known},
    leading,
    lexicon::Lexicon,
    nouns::Nouns,
    scan::Scan,
    sense::{Changing, Role, Sense},
};
use metnos_domain::vocabulary::{Object, Verb};

/// Most words of a name.
pub(super) const NAME_WORDS_MAX: usize = 4;
/// Where things are made that have no other place.
const HOME: &str = "~";
/// The ending of a note nobody gave one.
const NOTE_ENDING: &str = "txt";

/// "call it plumber": the name of what the clause makes.
pub(super) fn called(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        if !scan.is(at, &Sense::Changing(Changing::CallIt)) || scan.segments.get(at).is_none_or(|own| own.used) {
            continue;
        }
        let quoted = scan.segments.get(at + 1).and_then(|segment| segment.fact);
        let quoted = quoted.and_then(|fact| scan.facts.get_mut(fact));
        if let Some(fact) = quoted.filter(|fact| matches!(fact.kind, FactKind::Quoted | FactKind::Path)) {
            fact.kind = FactKind::Name;
            scan.explain(at..at + 1);
        } else if let Some((name, words)) = name_at(scan, at + 1) {
            scan.fact(FactKind::Name, json!(name), words);
            scan.explain(at..at + 1);
        }
    }
}

/// "a folder called Holiday in photos", "le cartelle 2024 e 2025 dentro photos": folders in one that is there. Where
/// nothing is said of where, and nothing else is to be done, they are made in the home.
pub(super) fn folders(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
        if !free || !scan.is(at, &Sense::Object(Object::Dirs, None)) || !is_to_be_made(scan, at) {
            continue;
        }
        // "a folder in docs called Holiday": the place is said before the name.
        let place = base_at(scan, at + 1).filter(|(_, end)| scan.is(*end, &Sense::Named));
        let Some((names, end)) = names_behind(scan, place.as_ref().map_or(at, |(_, end)| end - 1)) else {
            continue;
        };
        let before = base_before(scan, at);
        let place = place.map(|(base, _)| base).or_else(|| Some(before.as_ref()?.0.clone()));
        let (base, end) = match place.map(|base| (base, end)).or_else(|| base_at(scan, end)) {
            Some((base, end)) => (base, end),
            None => match base_of_things(scan, at).or_else(|| is_all(scan, at, end).then(|| HOME.to_owned())) {
                Some(base) => (base, end),
                None => continue,
            },
        };
        let start = before.map_or(at, |(_, start)| start);
        take(scan, start..end);
        let base = base.trim_end_matches('/');
        let mut paths = names.iter().map(|name| format!("{base}/{name}"));
        let Some(first) = paths.next() else { continue };
        let also = paths.collect();
        let fact = scan.fact(FactKind::Path, json!(first), start..end);
        scan.known.push(Known::of(fact, also));
    }
}

/// "a file hello.txt in docs", "in notes make a packing.txt": a name that is written out is made in the folder that is
/// said, and not in the home beside it.
pub(super) fn placed(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        let fact_of = |at: usize| scan.segments.get(at).and_then(|own| own.fact);
        let Some(index) = fact_of(at).filter(|index| at == 0 || fact_of(at - 1) != Some(*index)) else {
            continue;
        };
        let is_bare = |fact: &Fact| fact.kind == FactKind::Path && fact.is_file_path() && !fact.text().contains('/');
        let name = scan.facts.get(index).filter(|fact| is_bare(fact));
        let Some(name) = name.map(|fact| fact.text().to_owned()) else {
            continue;
        };
        let verb = (0..at).rev().find(|at| scan.sense(*at, Sense::verb).is_some());
        let makes = |at: &usize| matches!(scan.sense(*at, Sense::verb), Some(Verb::Create | Verb::Write));
        let Some(verb) = verb.filter(makes) else { continue };
        let end = (at..).find(|end| fact_of(*end) != Some(index)).unwrap_or(at + 1);
        let behind = base_at(scan, end).map(|(base, to)| (base, end..to));
        // "crea in docs un file prova.txt"
        let between = || base_at(scan, verb + 1).filter(|(_, to)| *to <= at);
        let before = || between().map(|(base, to)| (base, verb + 1..to));
        let Some((base, words)) = behind.or_else(before).or_else(|| said_first(scan, verb)) else {
            continue;
        };
        take(scan, words.clone());
        scan.explain(words);
        if let Some(fact) = scan.facts.get_mut(index) {
            fact.value = json!(format!("{}/{name}", base.trim_end_matches('/')));
        }
    }
}

/// What these words name is part of another path from here on.
fn take(scan: &mut Scan<'_>, words: Range<usize>) {
    for part in words {
        let old = scan.segments.get(part).and_then(|segment| segment.fact);
        if let Some(fact) = old.and_then(|old| scan.facts.get_mut(old)) {
            fact.kind = FactKind::Taken;
        }
    }
}

/// The one folder that is said before the command at `verb`, and its words.
fn said_first(scan: &Scan<'_>, verb: usize) -> Option<(String, Range<usize>)> {
    let start = leading::start(scan, verb)?;
    let (base, end) = base_at(scan, start)?;
    let is_only = (end..verb).all(|at| scan.is_glue(at) || scan.is_comma(at));
    is_only.then_some((base, start..end))
}

/// "crea in docs una cartella …": the place stands between the command and the folder.
pub(super) fn base_before(scan: &Scan<'_>, at: usize) -> Option<(String, usize)> {
    let verb = (0..at)
        .rev()
        .find(|at| scan.sense(*at, Sense::verb) == Some(Verb::Create))?;
    let (base, end) = base_at(scan, verb + 1)?;
    let fresh = |at: usize| scan.is(at, &Sense::Changing(Changing::Fresh));
    (end..at)
        .all(|at| scan.is_glue(at) || fresh(at))
        .then_some((base, verb + 1))
}

/// The command is to create them, and says no more.
fn is_all(scan: &Scan<'_>, at: usize, end: usize) -> bool {
    let mut before = (0..at).filter(|before| !scan.is_glue(*before));
    let creates = |at: usize| scan.sense(at, Sense::verb) == Some(Verb::Create);
    let fresh = |at: usize| scan.is(at, &Sense::Changing(Changing::Fresh));
    let is_end = |at: usize| scan.is_glue(at) || scan.is_comma(at) || ends_sentence(scan, at);
    let next = (end..scan.segments.len()).find(|at| !scan.is_joint(*at));
    let goes_on = next.is_some_and(|next| next > end && scan.sense(next, Sense::verb).is_some());
    let says_no_more = goes_on || (end..scan.segments.len()).all(is_end);
    before.next().is_some_and(creates) && before.all(fresh) && says_no_more
}

/// It is not there yet: "a folder", "a new folder", or one that is to be created.
pub(super) fn is_to_be_made(scan: &Scan<'_>, at: usize) -> bool {
    let mut before = at;
    while let Some(previous) = before.checked_sub(1) {
        if scan.is(previous, &Sense::Changing(Changing::Fresh))
            || scan.sense(previous, Sense::verb) == Some(Verb::Create)
        {
            return true;
        }
        if !scan.is_glue(previous) {
            return false;
        }
        before = previous;
    }
    false
}

/// The name behind the word for a folder, or several behind the word for folders.
fn names_behind(scan: &Scan<'_>, at: usize) -> Option<(Vec<String>, usize)> {
    let mut start = at + 1;
    let leads = |at: usize| scan.is_glue(at) && !scan.is_value(at) && !scan.is_joint(at);
    while scan.is(start, &Sense::Named) || leads(start) {
        start += 1;
    }
    // "the folders one and two": the first of them is a name as well.
    if scan.is_joint(start) {
        return None;
    }
    let is_called = (at..start).any(|before| scan.is(before, &Sense::Named));
    let name_at = |start: usize| match is_called {
        true => words_at(scan, start, &|kind| {
            matches!(kind, FactKind::Window | FactKind::Weekday)
        }),
        false => name_at(scan, start),
    };
    let single = scan.is(at, &Sense::Singular);
    let mut names = Vec::new();
    loop {
        let (name, words) = quoted_at(scan, start).or_else(|| name_at(start))?;
        names.push(name);
        let end = words.end;
        let mut next = end;
        while scan.is_joint(next) {
            next += 1;
        }
        let goes_on = next > end && !single && name_at(next).is_some();
        if !goes_on {
            return Some((names, end));
        }
        start = next;
    }
}

fn quoted_at(scan: &Scan<'_>, at: usize) -> Option<(String, Range<usize>)> {
    let fact = scan.fact_at(at)?;
    let is_name = fact.kind == FactKind::Quoted && !fact.text().contains(['/', '\\']);
    is_name.then(|| (fact.text().to_owned(), at..at + 1))
}

/// Words that mean nothing else, or a number, as they were written.
fn name_at(scan: &Scan<'_>, start: usize) -> Option<(String, Range<usize>)> {
    words_at(scan, start, &|_| false)
}

/// The same, with words that say a value of such a kind: behind "called" they are a name ("called summer 2026").
fn words_at(scan: &Scan<'_>, start: usize, takes: &dyn Fn(FactKind) -> bool) -> Option<(String, Range<usize>)> {
    let is_name = |at: usize| {
        scan.segments.get(at).is_some_and(|segment| {
            // "the folders 2024 and 2025" are no years that anything was changed in.
            let kind = scan.fact_at(at).map(|fact| fact.kind);
            let year = segment.number.is_some() && kind == Some(FactKind::Window);
            let free =
                year || kind.is_some_and(takes) || !segment.used && segment.fact.is_none() && segment.mark.is_none();
            let number = segment.number.is_some() && segment.span.len() == segment.fold.len();
            let noun = |sense: &Sense| {
                sense.is_ordinary()
                    || matches!(
                        sense,
                        Sense::Globs { .. } | Sense::Place(_) | Sense::Singular | Sense::Plural
                    )
            };
            free && (number || !segment.fold.is_empty() && segment.senses.iter().all(noun))
        })
    };
    let mut end = start;
    while end < start + NAME_WORDS_MAX && is_name(end) {
        end += 1;
    }
    let from = scan.segments.get(start)?.span.start;
    let to = scan.segments.get(end.checked_sub(1)?)?.span.end;
    let name = scan.original.get(from..to).filter(|_| end > start)?;
    Some((name.to_owned(), start..end))
}

/// "in photos", "nella mia home": the folder it is made in, and the end of the words for it.
fn base_at(scan: &Scan<'_>, at: usize) -> Option<(String, usize)> {
    let leads = [Role::In, Role::Of, Role::To]
        .into_iter()
        .any(|role| scan.is(at, &Sense::Role(role)));
    let start = scan.skip_glue(at + 1);
    let fact = scan
        .segments
        .get(start)
        .and_then(|segment| segment.fact)
        .filter(|_| leads)?;
    let folder = scan.facts.get(fact)?;
    let mut end = start + 1;
    while scan.segments.get(end).is_some_and(|segment| segment.fact == Some(fact)) {
        end += 1;
    }
    let is_folder = folder.kind == FactKind::Path && !folder.is_file_path() && folder.text().starts_with('~');
    is_folder.then(|| (folder.text().to_owned(), end))
}

/// Where the things are that are moved there: the folder they are said to come from, or the one they are in.
fn base_of_things(scan: &Scan<'_>, at: usize) -> Option<String> {
    let moves = (0..at).any(|before| scan.sense(before, Sense::verb) == Some(Verb::Move));
    let paths = facts_of(scan, FactKind::Path);
    let [only] = *paths.as_slice() else { return None };
    let fact = scan.facts.get(only).filter(|_| moves)?;
    if scan.known.iter().any(|known| known.fact == only) && fact.one_of.is_empty() {
        return fact.text().rsplit_once('/').map(|(folder, _)| folder.to_owned());
    }
    let start = (0..scan.segments.len()).find(|at| scan.segments.get(*at).is_some_and(|own| own.fact == Some(only)))?;
    let inside = matches!(scan.role_before(start), Some(Role::From | Role::In));
    (inside && !fact.is_file_path() && fact.text().starts_with('~')).then(|| fact.text().to_owned())
}

fn facts_of(scan: &Scan<'_>, kind: FactKind) -> Vec<usize> {
    let is_one = |index: &usize| scan.facts.get(*index).is_some_and(|fact| fact.kind == kind);
    (0..scan.facts.len()).filter(is_one).collect()
}

/// "create a list called party", "crea una lista per la festa", "make a packing list": an empty text in the folder with
/// the notes. None where a text may be meant that is there.
pub(super) fn list(scan: &mut Scan<'_>, lexicon: &Lexicon, home: &Home, nouns: &Nouns) {
    let noun_first = lexicon.noun_first;
    let told = scan.facts.iter().any(|fact| fact.kind != FactKind::Taken);
    let Some(verb) = (0..scan.segments.len()).find(|at| !scan.is_glue(*at)).filter(|_| !told) else {
        return;
    };
    let is_list = |at: &usize| scan.is(*at, &Sense::Changing(Changing::List));
    let Some(at) = (verb + 1..scan.segments.len()).find(is_list) else {
        return;
    };
    let creates = scan.sense(verb, Sense::verb) == Some(Verb::Create);
    let start = scan.skip_glue(verb + 1);
    let fresh =
        (verb + 1..start).any(|at| scan.is(at, &Sense::Changing(Changing::Fresh)) || scan.is(at, &Sense::Definite));
    if !creates || !fresh {
        return;
    }
    let before = name_at(scan, start).filter(|(_, words)| noun_first && words.end == at);
    let named = name_of_list(scan, at + 1, noun_first);
    let is_end = |from: usize| (from..scan.segments.len()).all(|at| scan.is_glue(at) || ends_sentence(scan, at));
    let (name, words) = match (start == at, before, named) {
        (true, _, Some(named)) => named,
        (false, Some((name, _)), None) => (name, at..at + 1),
        _ => return,
    };
    let plain = words
        .clone()
        .chain(start..at)
        .all(|at| scan.sense(at, Sense::globs).is_none());
    let Some(folder) = home.notes(&lexicon.notes) else {
        return;
    };
    // One that is there is not made again, and who made it will say so.
    let list = scan.segments.get(at).map(|own| own.fold.clone()).unwrap_or_default();
    let there = known::lists::text_called(&name, &list, home, nouns);
    if !plain || !is_end(words.end) || there.is_none() && known::is_text_named(&name, home, nouns) {
        return;
    }
    let end = words.end;
    let path = there.unwrap_or_else(|| format!("~/{folder}/{name}.{NOTE_ENDING}"));
    scan.fact(FactKind::Quoted, json!(""), verb + 1..start);
    let fact = scan.fact(FactKind::Path, json!(path), start..end);
    scan.known.push(Known::of(fact, Vec::new()));
}

/// "called party", "for the party"; where a noun does not stand first, also "lista compleanno".
fn name_of_list(scan: &Scan<'_>, at: usize, noun_first: bool) -> Option<(String, Range<usize>)> {
    let purpose = scan.is(at, &Sense::Changing(Changing::Purpose));
    if scan.is(at, &Sense::Named) || purpose {
        let start = scan.skip_glue(at + 1);
        return quoted_at(scan, start).or_else(|| name_at(scan, start));
    }
    name_at(scan, at).filter(|_| !noun_first)
}

fn ends_sentence(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments
        .get(at)
        .is_some_and(|segment| segment.mark.is_some_and(|mark| matches!(mark, '.' | '!')))
}

/// "a note saying …": a new file in the folder with the notes, by the name it was given or by its first words.
pub(super) fn note(scan: &mut Scan<'_>, names: &[String], home: &Home) {
    let texts = facts_of(scan, FactKind::Quoted);
    let named = facts_of(scan, FactKind::Name);
    let placed = [FactKind::Path, FactKind::Url]
        .into_iter()
        .any(|kind| !facts_of(scan, kind).is_empty());
    let ([text], false, true) = (texts.as_slice(), placed, named.len() < 2) else {
        return;
    };
    let writes = |at: usize| matches!(scan.sense(at, Sense::verb), Some(Verb::Write | Verb::Create));
    let Some(verb) = (0..scan.segments.len())
        .find(|at| !scan.is_glue(*at))
        .filter(|at| writes(*at))
    else {
        return;
    };
    let is_note = |at: &usize| {
        scan.is(*at, &Sense::Object(Object::Files, None)) && scan.is(*at, &Sense::Changing(Changing::Container))
    };
    let Some(at) = (verb..scan.segments.len()).find(is_note) else {
        return;
    };
    // "a note in docs": not in the folder with the notes, then.
    let behind = scan.facts.get(*text).map_or(0, |fact| fact.span.start);
    let is_elsewhere = |at: usize| {
        let before = scan.segments.get(at).is_some_and(|segment| segment.span.start < behind);
        before && scan.is(at, &Sense::Role(Role::In))
    };
    if (at..scan.segments.len()).any(is_elsewhere) {
        return;
    }
    let Some(folder) = home.notes(names) else {
        return;
    };
    let said = named.first().unwrap_or(text);
    let Some(fact) = scan.facts.get(*said) else { return };
    let words: Vec<&str> = fact
        .text()
        .split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '\'')))
        .filter(|word| !word.trim_matches('.').is_empty())
        .take(NAME_WORDS_MAX)
        .collect();
    let name = words.join(" ");
    let ended = name
        .rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && (1..=5).contains(&ending.len()));
    let path = if ended {
        format!("~/{folder}/{name}")
    } else {
        format!("~/{folder}/{}.{NOTE_ENDING}", name.trim_end_matches('.'))
    };
    if words.is_empty() || home.has(&path) {
        return;
    }
    if let Some(fact) = named.first().and_then(|index| scan.facts.get_mut(*index)) {
        fact.kind = FactKind::Taken;
    }
    let fact = if at == verb {
        // "take a note": the words of the command are those of the note.
        let span = scan.segments.get(at).map_or(0..0, |own| own.span.clone());
        scan.facts.push(Fact {
            kind: FactKind::Path,
            value: json!(path),
            span,
            role: None,
            one_of: Vec::new(),
        });
        scan.facts.len() - 1
    } else {
        scan.fact(FactKind::Path, json!(path), at..at + 1)
    };
    scan.known.push(Known::of(fact, Vec::new()));
}
