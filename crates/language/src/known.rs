//! Files people call by words of their names, where something is changed: "my shopping list", "la foto della nonna",
//! "the two invoices". Called by `language::read` once folders are known. A file is only one that is there; of several
//! that a singular may mean none is chosen, and what no name explains stays as it is.

use std::ops::Range;

use serde_json::json;

use super::{
    Fact, FactKind,
    home::Home,
    nouns::Nouns,
    scan::Scan,
    sense::{Changing, Role, Sense},
};
use metnos_domain::{
    limits,
    vocabulary::{Object, ShapeRole, Verb},
};

mod bare;
mod candidates;
pub(super) mod counted;
mod left_out;
pub(super) mod lists;
mod phrase;
pub(super) mod single;

pub(super) use bare::command_around;
use candidates::{File, Found};
pub(super) use left_out::{left_out, lists_more, take_out};
use phrase::{List, Phrase};

/// What was found for one phrase.
pub(super) struct Known {
    /// The fact it became.
    pub(super) fact: usize,
    /// It was called a list, or by what only a list is called.
    pub(super) is_list: bool,
    /// It is a text that is written to.
    is_text: bool,
    /// Further files it stands for.
    also: Vec<String>,
}

impl Known {
    /// A thing, there or still to be made.
    pub(super) fn of(fact: usize, also: Vec<String>) -> Self {
        Self {
            fact,
            is_list: false,
            is_text: false,
            also,
        }
    }
}

/// Where a phrase stands, which says what it can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Behind the verb: what is moved, copied, renamed or deleted.
    Thing,
    /// Behind "to", "in" or "from" of a verb that writes or takes away: a text that is there.
    Text,
}

/// Every such phrase.
pub(super) fn files(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    bare::names(scan, home);
    if !changes(scan) {
        return;
    }
    let mut all: Option<Vec<File>> = None;
    for stands in [Stands::Text, Stands::Thing] {
        // "take the milk off the list": what is taken off a text is one of its lines, and no file.
        if stands == Stands::Thing && scan.known.iter().any(|known| known.is_text) {
            return;
        }
        let mut at = 0;
        while at < scan.segments.len() {
            let phrases = phrases_at(scan, at, stands, nouns);
            if phrases.is_empty() {
                at += 1;
                continue;
            }
            let files = all.get_or_insert_with(|| candidates::all(home));
            let end = phrases
                .iter()
                .find_map(|phrase| name(scan, phrase, stands, files, home));
            at = end.unwrap_or(at + 1);
        }
    }
}

/// A text of the home goes by this name already.
pub(super) fn is_text_named(name: &str, home: &Home, nouns: &Nouns) -> bool {
    let phrase = Phrase::of(name, nouns);
    let files = candidates::all(home);
    let texts: Vec<&File> = files.iter().filter(|file| file.is_text()).collect();
    !matches!(candidates::find(&phrase, &texts), Found::None)
}

/// Some command of the request changes something.
fn changes(scan: &Scan<'_>) -> bool {
    let takes_off = |at: usize| scan.is(at, &Sense::Changing(Changing::TakeOff));
    let clears = |at: usize| scan.is(at, &Sense::Changing(Changing::Clear));
    (0..scan.segments.len()).any(|at| acts(scan, at).is_some() || is_tick(scan, at) || takes_off(at) || clears(at))
}

fn acts(scan: &Scan<'_>, at: usize) -> Option<Verb> {
    let free = scan.segments.get(at).is_some_and(|segment| segment.fact.is_none());
    scan.sense(at, Sense::verb)
        .filter(|verb| free && verb.shape_role() == ShapeRole::Act)
}

fn is_tick(scan: &Scan<'_>, at: usize) -> bool {
    [Changing::Tick, Changing::Mark]
        .into_iter()
        .any(|changing| scan.is(at, &Sense::Changing(changing)))
}

/// The phrases that begin here, if any can.
fn phrases_at(scan: &Scan<'_>, at: usize, stands: Stands, nouns: &Nouns) -> Vec<Phrase> {
    let Some(mut before) = at.checked_sub(1) else {
        return Vec::new();
    };
    let mut count = None;
    while before > 0 && (scan.is_glue(before) && !is_lead(scan, before) || scan.number(before).is_some()) {
        count = count.or_else(|| scan.count(before));
        before -= 1;
    }
    // "the setup file and the backup": the second is spoken of as the first.
    let joint = (before..at).find(|at| scan.is(*at, &Sense::Connector));
    let joined = joint
        .and_then(|joint| joint.checked_sub(1))
        .is_some_and(|last| is_named(scan, last));
    let before = if joined { joint.unwrap_or(before) } else { before };
    let clears = scan.is(before, &Sense::Changing(Changing::Clear));
    let leads = match stands {
        Stands::Thing => moves(scan, before) || scan.is(before, &Sense::Verb(Verb::Send)) || joined,
        Stands::Text => {
            let goes = [Role::To, Role::In, Role::From]
                .into_iter()
                .any(|role| scan.is(before, &Sense::Role(role)));
            goes && edits(scan, before) || clears
        }
    };
    if !leads {
        return Vec::new();
    }
    let known = |at: usize| scan.is(at, &Sense::Definite) || scan.is(at, &Sense::Joined) || scan.is(at, &Sense::All);
    let definite = (before..at).any(known);
    let several = count.is_some_and(|count| count > 1)
        || (before..at).any(|at| scan.is(at, &Sense::Plural) || scan.is(at, &Sense::All));
    let here = |phrase: Phrase| Phrase {
        lead: before + 1..at,
        is_definite: definite || joined || scan.is(before, &Sense::Definite),
        is_several: several,
        count,
        ..phrase
    };
    // Only a list is cleared.
    let is_number = counts(scan, at);
    let fits = |phrase: &Phrase| {
        let only_counts = is_number && phrase.wanted.len() == 1;
        !only_counts && (stands == Stands::Thing || !clears || phrase.list == List::Said)
    };
    let phrases = phrase::read(scan, at, nouns).into_iter().map(here);
    phrases.filter(fits).collect()
}

/// How far behind its number "the 2 biggest", "i 2 pdf più grandi" may say which end they are taken from.
const COUNT_REACH: usize = 3;

/// A number that says how many of the largest, and no name: a file may be called "2".
fn counts(scan: &Scan<'_>, at: usize) -> bool {
    let mut behind = (at + 1..=at + COUNT_REACH).take_while(|at| !scan.is_joint(*at));
    scan.count(at).is_some() && behind.any(|at| scan.sense(at, Sense::superlative).is_some())
}

/// A thing that was found stands here.
fn is_named(scan: &Scan<'_>, at: usize) -> bool {
    let fact = scan.segments.get(at).and_then(|segment| segment.fact);
    fact.is_some_and(|fact| scan.known.iter().any(|known| known.fact == fact && !known.is_text))
}

/// A word that stands before a phrase: a preposition, or the verb itself.
fn is_lead(scan: &Scan<'_>, at: usize) -> bool {
    let to_or_in = [Role::To, Role::In, Role::From]
        .into_iter()
        .any(|role| scan.is(at, &Sense::Role(role)));
    to_or_in || scan.sense(at, Sense::verb).is_some()
}

/// A verb that puts things elsewhere or takes them away.
fn moves(scan: &Scan<'_>, at: usize) -> bool {
    let verbs = scan.segments.get(at).map(|segment| segment.senses).unwrap_or_default();
    let free = scan.segments.get(at).is_some_and(|segment| segment.fact.is_none());
    free && verbs
        .iter()
        .filter_map(Sense::verb)
        .any(|verb| matches!(verb, Verb::Move | Verb::Delete))
}

/// Before it stands a verb that writes or takes away, or one that marks a line as done; behind it where the text is
/// named first ("on the shopping list put milk").
fn edits(scan: &Scan<'_>, at: usize) -> bool {
    let edits = |near: usize| {
        let verbs = scan
            .segments
            .get(near)
            .map(|segment| segment.senses)
            .unwrap_or_default();
        let edits = |verb: Verb| matches!(verb, Verb::Write | Verb::Delete);
        is_tick(scan, near)
            || scan.is(near, &Sense::Changing(Changing::TakeOff))
            || verbs.iter().filter_map(Sense::verb).any(edits)
    };
    let is_first = (0..at).all(|before| scan.is_glue(before));
    (0..at).any(edits) || is_first && (at + 1..scan.segments.len()).any(edits)
}

/// Makes the files this phrase stands for a fact; the end of the phrase.
fn name(scan: &mut Scan<'_>, phrase: &Phrase, stands: Stands, files: &[File], home: &Home) -> Option<usize> {
    // "the old ones" are some of those just spoken of.
    let points = |at: usize| scan.is(at, &Sense::Anaphora) && !scan.is_glue(at) && !scan.is(at, &Sense::Definite);
    if phrase.lead.clone().any(points) || scan.is(phrase.range.end, &Sense::Plural) {
        return None;
    }
    let (folders, end) = folders_behind(scan, phrase.range.end, home);
    let is_there = |file: &File| folders.is_empty() || folders.iter().any(|folder| file.is_in(folder));
    let fits = |file: &&File| match stands {
        Stands::Thing => is_there(file),
        Stands::Text => file.is_text() && is_there(file),
    };
    let among: Vec<&File> = files.iter().filter(fits).collect();
    let found = candidates::find(phrase, &among);
    // "write to the school": that is somebody, unless the words are the name of a text, or say that it is one.
    let is_text = phrase.list != List::No || !phrase.optional.is_empty();
    if stands == Stands::Text && !is_text && phrase::may_be_somebody(scan, phrase) {
        let is_name = matches!(found, Found::One { is_whole, is_called_so, .. } if is_whole || is_called_so);
        if !is_name {
            return None;
        }
    }
    let (paths, one_of) = match found {
        Found::None => return None,
        // A word that only happens to be part of a name means nothing.
        Found::One { is_whole, .. } if !phrase.is_definite && !is_whole => return None,
        // "the recipes", where one is there: the others have other names.
        Found::One { is_of_many: true, .. } if stands == Stands::Thing => return None,
        Found::One { path, .. } => (vec![path], Vec::new()),
        Found::Several { paths, are_meant: true } if stands == Stands::Thing => (paths, Vec::new()),
        Found::Several { paths, .. } if phrase.is_definite => (paths.iter().take(1).cloned().collect(), paths),
        Found::Several { .. } => return None,
    };
    if phrase
        .count
        .is_some_and(|count| count > 1 && usize::try_from(count) != Ok(paths.len()))
    {
        return None;
    }
    let (first, also) = paths.split_first()?;
    let first = first.clone();
    let also = also.to_vec();
    if one_of.len() > limits::FORM_OPTIONS_MAX || also.len() >= limits::NAMED_FILES_MAX {
        return None;
    }
    let range = phrase.range.start..end;
    for at in range.clone() {
        let old = scan.segments.get(at).and_then(|segment| segment.fact);
        if let Some(fact) = old.and_then(|old| scan.facts.get_mut(old)) {
            fact.kind = FactKind::Taken;
        }
    }
    scan.explain(phrase.lead.clone());
    let fact = scan.fact(FactKind::Path, json!(first), range);
    if let Some(fact) = scan.facts.get_mut(fact) {
        fact.one_of = one_of;
    }
    scan.known.push(Known {
        fact,
        is_list: phrase.list != List::No,
        is_text: stands == Stands::Text,
        also,
    });
    Some(end)
}

/// "the invoices in downloads and docs", "the reports from work": the folders they are in, and the end of the words for
/// them.
fn folders_behind(scan: &Scan<'_>, end: usize, home: &Home) -> (Vec<String>, usize) {
    let leads = [Role::In, Role::From]
        .into_iter()
        .any(|role| scan.is(end, &Sense::Role(role)));
    if !leads {
        return (Vec::new(), end);
    }
    let start = scan.skip_glue(end + 1);
    if scan.segments.get(start).is_some_and(|segment| segment.fact.is_some()) {
        let command = command_around(scan, start);
        // "put the invoices in docs": where they go, when nothing else says it.
        let goes = scan.is(end, &Sense::Role(Role::In)) && !goes_elsewhere(scan, &command, start + 1);
        let (mut folders, mut last) = (Vec::new(), end);
        let mut next = start;
        while let Some((folder, behind)) = folder_at(scan, next, home).filter(|_| !goes) {
            folders.push(folder);
            last = behind;
            next = behind + usize::from(scan.is_joint(behind));
        }
        return (folders, last);
    }
    if !scan.is(end, &Sense::Role(Role::From)) {
        return (Vec::new(), end);
    }
    let called = phrase::words(scan, start..start + 1).and_then(|name| home.folder_below(name));
    match called {
        Some(folder) => (vec![format!("~/{folder}")], start + 1),
        None => (Vec::new(), end),
    }
}

/// The folder of the home that is named here, and the end of its name.
fn folder_at(scan: &Scan<'_>, at: usize, home: &Home) -> Option<(String, usize)> {
    let index = scan.segments.get(at)?.fact?;
    let fact = scan.facts.get(index)?;
    let is_there = fact.kind == FactKind::Path && !fact.is_file_path() && home.has(fact.text());
    let own = |at: usize| scan.segments.get(at).is_some_and(|segment| segment.fact == Some(index));
    let end = (at..scan.segments.len())
        .find(|at| !own(*at))
        .unwrap_or(scan.segments.len());
    is_there.then(|| (fact.text().to_owned(), end))
}

/// Behind the folder there is still a place where they go, or nothing is moved at all. One that is only joined to it
/// ("in photos and in docs") is no other.
pub(super) fn goes_elsewhere(scan: &Scan<'_>, command: &Range<usize>, from: usize) -> bool {
    let moves = (command.start..from).any(|at| {
        let verbs = scan.segments.get(at).map(|segment| segment.senses).unwrap_or_default();
        verbs.iter().filter_map(Sense::verb).any(|verb| verb == Verb::Move)
    });
    let goes = (from..command.end).any(|at| {
        let is_next = at.checked_sub(1).is_some_and(|before| scan.is_joint(before));
        scan.is(at, &Sense::Role(Role::To)) || scan.is(at, &Sense::Role(Role::In)) && !is_next
    });
    !moves || goes
}

/// "move the videos": of a kind that lies in one folder only, that folder is where they are.
pub(super) fn kinds(scan: &mut Scan<'_>, home: &Home) {
    let of = |kind: FactKind| scan.facts.iter().filter(move |fact| fact.kind == kind);
    let globs: Vec<&Fact> = of(FactKind::Glob).collect();
    let [glob] = globs.as_slice() else { return };
    let moves = (0..scan.segments.len()).any(|at| {
        let before = scan
            .segments
            .get(at)
            .is_some_and(|segment| segment.span.end <= glob.span.start);
        before && moves(scan, at)
    });
    let placed = of(FactKind::Path).any(|fact| fact.role != Some(Role::To) && !is_made(scan, fact));
    if !moves || placed || of(FactKind::Url).next().is_some() {
        return;
    }
    let endings: Vec<String> = glob
        .text()
        .trim_start_matches("*.")
        .trim_matches(['{', '}'])
        .split(',')
        .map(str::to_owned)
        .collect();
    let all = candidates::all(home);
    let Some(folder) = candidates::only_folder(&all, &endings) else {
        return;
    };
    let fact = Fact {
        kind: FactKind::Path,
        value: json!(folder),
        span: glob.span.clone(),
        role: Some(Role::In),
        one_of: Vec::new(),
    };
    scan.facts.push(fact);
    scan.known.push(Known::of(scan.facts.len() - 1, Vec::new()));
}

/// A folder that is only to be made, or one that is made in one that is there.
fn is_made(scan: &Scan<'_>, fact: &Fact) -> bool {
    scan.known
        .iter()
        .filter_map(|known| scan.facts.get(known.fact))
        .any(|known| known.span == fact.span)
}

/// Every further file of a phrase becomes a fact beside the first, with its role.
pub(super) fn spread(scan: &mut Scan<'_>) {
    for index in 0..scan.known.len() {
        let Some(known) = scan.known.get_mut(index) else { return };
        let also = std::mem::take(&mut known.also);
        let Some(first) = scan.facts.get(known.fact).cloned() else {
            continue;
        };
        for path in also {
            let mut next = first.clone();
            next.value = json!(path);
            scan.facts.push(next);
        }
    }
}

/// Every path that stands for words of the request.
pub(super) fn paths(scan: &Scan<'_>) -> Vec<String> {
    let spans = scan
        .known
        .iter()
        .filter_map(|known| Some(&scan.facts.get(known.fact)?.span));
    let spans: Vec<&Range<usize>> = spans.collect();
    let facts = scan
        .facts
        .iter()
        .filter(|fact| fact.kind == FactKind::Path && spans.contains(&&fact.span));
    let files = facts.flat_map(|fact| fact.one_of.iter().map(String::as_str).chain([fact.text()]));
    let folders = scan.folders.iter().filter_map(|fact| scan.facts.get(*fact));
    let folders = folders.filter(|fact| fact.kind == FactKind::Path).map(Fact::text);
    files.chain(folders).map(str::to_owned).collect()
}

/// "delete the setup.exe that I no longer need": of a thing that is named it rules nothing out.
pub(super) fn unneeded(scan: &mut Scan<'_>) {
    for at in 1..scan.segments.len() {
        let named = scan
            .segments
            .get(at - 1)
            .and_then(|before| scan.facts.get(before.fact?))
            .is_some_and(|fact| fact.kind == FactKind::Path && fact.is_file_path());
        let deletes = (0..at).any(|before| scan.sense(before, Sense::verb) == Some(Verb::Delete));
        if named && deletes && scan.is(at, &Sense::Changing(Changing::Unneeded)) {
            scan.explain(at..at + 1);
        }
    }
}

/// Whether a word can be part of the name of a file.
fn is_noun(sense: &Sense) -> bool {
    let thing = sense.object().map(|(object, _)| object);
    let thing = thing.is_some_and(|object| !matches!(object, Object::Files | Object::Dirs | Object::Texts));
    thing
        || matches!(
            sense,
            Sense::Place(_) | Sense::Aged | Sense::Singular | Sense::Plural | Sense::Field(_)
        )
        || sense.is_ordinary()
}

/// Nothing has been made of it yet.
fn is_free(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments
        .get(at)
        .is_some_and(|segment| !segment.used && segment.fact.is_none() && segment.mark.is_none())
}

/// Words at both ends of a stretch.
type Words = Range<usize>;
