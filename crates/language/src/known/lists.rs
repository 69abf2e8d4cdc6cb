//! Lists every household keeps, asked for by what they are for: "what do I need to buy", "the list of the things to do";
//! and those a message begins with: "shopping list: eggs".
//! Called by `language::read` once folders are known. Only a list, or a file, that is there is meant.

use std::ops::Range;

use serde_json::json;

use super::{
    Known,
    candidates::{self, File, Found},
    is_text_named,
    phrase::{self, List, Phrase},
};
use crate::{
    FactKind,
    home::Home,
    nouns::Nouns,
    scan::Scan,
    sense::{Around, Changing, Role, Sense},
    token::words_of,
};
use metnos_domain::{
    limits,
    vocabulary::{Object, Verb},
};

/// A list that is named at the beginning of a message.
pub(crate) struct Named {
    /// It, or those of which only the person can say which it is.
    paths: Vec<String>,
    /// Where its name stands.
    at: Range<usize>,
    /// It holds what is to be done.
    pub(crate) is_to_do: bool,
}

/// What a household may keep in a file.
const KEPT: [Object; 4] = [Object::Contacts, Object::Events, Object::Messages, Object::Tasks];

/// The list that is asked for, as the file that is to be read.
pub(crate) fn asked(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    let whole = (0..scan.segments.len()).find_map(|at| Some((scan.sense(at, Sense::list_of)?.to_owned(), at..at + 1)));
    let Some((name, range)) = whole
        .filter(|(_, range)| is_alone(scan, range))
        .or_else(|| called(scan))
    else {
        filed(scan, home, nouns);
        return;
    };
    let other = nouns.wordings(&name).iter().map(String::as_str);
    let mut names = std::iter::once(name.as_str()).chain(other);
    let Some(there) = names.find(|name| is_text_named(name, home, nouns)) else {
        return;
    };
    let title = if there.contains(' ') {
        there.to_owned()
    } else {
        nouns.with_others(there)
    };
    scan.fact(FactKind::Title, json!(title), range);
}

/// "read the contacts": what might be kept elsewhere is read in the one file of that name.
fn filed(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    let Some(begin) = (0..scan.segments.len()).find(|at| !scan.is_glue(*at) || scan.is(*at, &Sense::Show)) else {
        return;
    };
    let shows = scan.is(begin, &Sense::Show) || scan.sense(begin, Sense::verb) == Some(Verb::Read);
    let at = scan.skip_glue(begin + 1);
    let object = scan.sense(at, Sense::object).map(|(object, _)| object);
    let is_kept = object.is_some_and(|object| KEPT.contains(&object));
    let ends = (at + 1..scan.segments.len()).all(|at| scan.is_glue(at) || scan.is_break(at));
    let Some(name) = scan
        .segments
        .get(at)
        .map(|own| own.fold.clone())
        .filter(|_| shows && is_kept && ends)
    else {
        return;
    };
    let files = candidates::all(home);
    let all: Vec<&File> = files.iter().collect();
    if matches!(
        candidates::find(&Phrase::of(&name, nouns), &all),
        Found::One { is_whole: true, .. }
    ) {
        scan.fact(FactKind::Title, json!(name), at..at + 1);
    }
}

/// "shopping list: eggs": the list whose name stands at the beginning, before the things for it, and whether it is one of
/// what is to be done. Only a list that is there, whose name that is.
pub(crate) fn named(scan: &Scan<'_>, end: usize, home: &Home, nouns: &Nouns) -> Option<Named> {
    let leads = |at: &usize| scan.is_glue(*at) || scan.is(*at, &Sense::Role(Role::In));
    let start = (0..end).find(|at| !leads(at))?;
    // "list the shopping: …" is a command where the word for a list stands behind its name.
    if scan.lexicon.noun_first && scan.is(start, &Sense::Verb(Verb::List)) {
        return None;
    }
    let phrases = phrase::read(scan, start, nouns).into_iter();
    let phrase = phrases
        .filter(|own| own.range.end == end)
        .find(|own| own.list != List::No)?;
    let files = candidates::all(home);
    let texts = files.iter().filter(|file| file.is_text());
    let called: Vec<&File> = texts.filter(|file| is_name_of(&phrase, file, nouns)).collect();
    let several = || called.iter().map(|file| file.path().to_owned()).collect();
    let paths = match candidates::find(&phrase, &called) {
        Found::One { path, .. } => vec![path],
        Found::Several { paths, .. } => paths,
        Found::None => several(),
    };
    if paths.is_empty() || paths.len() > limits::FORM_OPTIONS_MAX {
        return None;
    }
    Some(Named {
        paths,
        at: start..end,
        is_to_do: (start..end).any(|at| scan.is(at, &Sense::Changing(Changing::ToDo))),
    })
}

/// The file has no other name: this one, or another word for the same.
fn is_name_of(phrase: &Phrase, file: &File, nouns: &Nouns) -> bool {
    let name = file.path().rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = phrase::pieces(stem).join(" ");
    let is_other = || match (phrase.wanted.as_slice(), phrase.others.as_slice()) {
        ([wanted], [others]) => others.contains(&stem) || nouns.wordings(&wanted.join(" ")).contains(&stem),
        _ => false,
    };
    let found = candidates::find(phrase, &[file]);
    matches!(found, Found::One { is_whole, is_called_so, .. } if is_whole || is_called_so) || is_other()
}

/// Makes that name the list.
pub(crate) fn short(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    let Some(end) = (0..scan.segments.len()).find(|at| scan.is_value(*at)) else {
        return;
    };
    let Some(named) = named(scan, end, home, nouns) else {
        return;
    };
    scan.explain(0..named.at.start);
    let fact = scan.fact(FactKind::Path, json!(named.paths.first()), named.at);
    if let Some(list) = scan.facts.get_mut(fact).filter(|_| named.paths.len() > 1) {
        list.one_of = named.paths;
    }
    scan.known.push(Known {
        fact,
        is_list: true,
        is_text: true,
        also: Vec::new(),
    });
}

/// Nothing else is said.
fn is_alone(scan: &Scan<'_>, range: &Range<usize>) -> bool {
    (0..scan.segments.len()).all(|at| range.contains(&at) || scan.is_glue(at) || scan.is_break(at))
}

/// "Show me the list of the things to do": a name of several words, or of one that stands for several.
fn called(scan: &Scan<'_>) -> Option<(String, Range<usize>)> {
    let begin = (0..scan.segments.len()).find(|at| !scan.is_glue(*at))?;
    let asks_where = scan.is(begin, &Sense::Around(Around::Where));
    let reads = scan.sense(begin, Sense::verb) == Some(Verb::Read);
    let is_list = |at: usize| scan.is(at, &Sense::Changing(Changing::List)) && scan.is(at, &Sense::Verb(Verb::List));
    let leads = |at: usize| is_list(at) || scan.is_glue(at) || scan.is(at, &Sense::Role(Role::Of));
    let mut start = begin + 1;
    while start < scan.segments.len() && leads(start) {
        start += 1;
    }
    let mut end = scan.segments.len();
    while end > start && (scan.is_break(end - 1) || is_list(end - 1)) {
        end -= 1;
    }
    let listed = (begin..start).chain(end..scan.segments.len()).any(is_list);
    if !(asks_where || reads || scan.is(begin, &Sense::Show)) || !listed || start == end {
        return None;
    }
    let first = scan.segments.get(start)?.span.start;
    let last = scan.segments.get(end - 1)?.span.end;
    let name = words_of(scan.original.get(first..last)?).join(" ").replace('-', " ");
    let from = if asks_where { begin } else { begin + 1 };
    let behind = (end..scan.segments.len()).take_while(|at| is_list(*at)).last();
    Some((name, from..behind.map_or(end, |at| at + 1)))
}

/// The one text of the home whose whole name this is, but for the words for a list.
pub(crate) fn text_called(name: &str, list: &str, home: &Home, nouns: &Nouns) -> Option<String> {
    let phrase = Phrase {
        optional: vec![list.to_owned()],
        ..Phrase::of(name, nouns)
    };
    let files = candidates::all(home);
    let texts: Vec<&File> = files.iter().filter(|file| file.is_text()).collect();
    match candidates::find(&phrase, &texts) {
        Found::One {
            path,
            is_whole,
            is_called_so,
            ..
        } if is_whole || is_called_so => Some(path),
        Found::One { .. } | Found::Several { .. } | Found::None => None,
    }
}
