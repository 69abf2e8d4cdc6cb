//! Places of things that are not there yet: a list by the name it gets, a file or a folder. Called by `things::files`.
//! A list has a home without one being said; nothing here is ever one that is there, but for the list of that name.

use std::ops::Range;

use serde_json::{Value, json};

use super::{
    Asking, Meant,
    files::{Files, path_among},
    names::{Name, is_text, whole},
};
use crate::{
    domain::{frame::SlotRole, vocabulary::Object},
    language::{
        FactKind,
        outline::{Sign, Word},
    },
};

/// The ending of a list or a file that nobody gave one.
const ENDING: &str = ".txt";
/// Words of a name, at most.
const NAME_WORDS_MAX: usize = 4;

impl Files<'_> {
    /// A list by its name, whether it is there or not: "a list called party", "the shopping list", «la spesa».
    pub(super) fn new_list(&self, asking: &Asking<'_>) -> Option<Meant> {
        if let Some((at, path)) = path_among(asking, &asking.own) {
            let path = is_made(asking, at).then(|| self.list_at(&path)).flatten()?;
            return Some(Meant::by(json!(path), vec![at], true));
        }
        let own: Vec<usize> = asking
            .own
            .iter()
            .copied()
            .filter(|at| asking.free.contains(at))
            .collect();
        let first = own.first().copied()?;
        let says_list = |at: &usize| word(asking, *at).is_some_and(|word| word.may_be(&Sign::List) && !word.is_rest);
        let lists: Vec<usize> = asking
            .clause
            .iter()
            .copied()
            .filter(|at| says_list(at) && (*at >= first || only_leads(asking, at + 1..first)))
            .collect();
        // Of "to-do list" the last word says that it is one.
        let named = lists.iter().rev().find_map(|list| {
            let (name, words) = before(asking, &own, *list).or_else(|| behind(asking, &own, *list))?;
            Some((name, words, vec![*list]))
        });
        let alone = || by_name(asking, &own).map(|(name, words)| (name, words, Vec::new()));
        let (name, words, list) = match named.or_else(alone) {
            Some(named) => named,
            // "New list: presents for Anna".
            None => {
                let list = lists.first().copied()?;
                let (name, words) = dictated_name(asking).filter(|_| asking.slot.role == SlotRole::Named)?;
                (name, words, vec![list])
            }
        };
        let path = self.list_called(&name)?;
        let words = words.into_iter().chain(list).collect();
        Some(Meant::by(json!(path), words, true))
    }

    /// A text by the path that is written out, whether it is there or not; a name alone has its place among the lists.
    fn list_at(&self, path: &str) -> Option<String> {
        let name = path.rsplit('/').next()?;
        let (own, ending) = name.rsplit_once('.')?;
        if own.is_empty() || !is_text(&ending.to_lowercase()) {
            return None;
        }
        let notes = format!("~/{}", self.notes()?);
        Some(from_home(path.to_owned(), &notes))
    }

    /// The text of this name, or its place among the lists; `None` where several have that name.
    fn list_called(&self, name: &str) -> Option<String> {
        let (stems, whole) = (self.stems(name), whole(name));
        if whole.is_empty() || name.contains(['/', '\\']) {
            return None;
        }
        let is_it = |file: &&Name| file.is_text() && (file.whole == whole || !stems.is_empty() && file.own == stems);
        let mut there = self.names().files.iter().filter(is_it);
        match (there.next(), there.next()) {
            (None, _) => Some(format!("~/{}/{name}{ENDING}", self.notes()?)),
            (Some(only), None) => Some(only.path.clone()),
            (Some(_), Some(_)) => None,
        }
    }

    /// A place that is not there yet: a path that is written out, anywhere in the message, or a new name in a folder.
    pub(super) fn new_place(&self, asking: &Asking<'_>, is_file: bool) -> Option<Meant> {
        // Who speaks of a list wants no folder.
        let says_list = |at: &usize| word(asking, *at).is_some_and(|word| word.may_be(&Sign::List) && !word.is_rest);
        if !is_file && asking.clause.iter().any(says_list) {
            return None;
        }
        let folder = asking.filled_with("folder").and_then(Value::as_str).unwrap_or("~");
        let written = path_among(asking, &asking.own).or_else(|| path_among(asking, &asking.free).filter(|_| is_file));
        let (path, words) = match written {
            Some((at, path)) => {
                // "Into a new folder docs/bills": all of it is where something goes.
                let leads = |own: &&usize| asking.slot.role == SlotRole::To && **own < at;
                let led = asking.own.iter().filter(leads).copied();
                (path.trim_end_matches('/').to_owned(), led.chain([at]).collect())
            }
            None if asking.slot.role == SlotRole::To => self.new_folder_for(asking)?,
            None => {
                let (name, words) = new_name(asking)?;
                let ending = if name.contains('.') || !is_file { "" } else { ENDING };
                (format!("{folder}/{name}{ending}"), words)
            }
        };
        let path = from_home(path, folder);
        (!self.is_there(&path) && (is_file || !has_ending(&path))).then(|| Meant::by(json!(path), words, true))
    }

    /// A file that is not there yet, by its path, right where something goes: "into backup/jazz.zip".
    pub(super) fn new_path(&self, asking: &Asking<'_>) -> Option<Meant> {
        let (at, path) = path_among(asking, &asking.own).filter(|_| asking.is_led)?;
        let path = from_home(path, "~");
        (!self.is_there(&path) && has_ending(&path)).then(|| Meant::by(json!(path), vec![at], true))
    }

    fn is_there(&self, path: &str) -> bool {
        let mut known = self.names().files.iter().chain(&self.names().folders);
        known.any(|name| name.path == path)
    }

    /// A folder that is made for what goes there, by the name it gets: "a new folder called bills in docs".
    fn new_folder_for(&self, asking: &Asking<'_>) -> Option<(String, Vec<usize>)> {
        let names = |at: &usize| {
            let is_folder = |word: &Word| word.objects().any(|object| object == Object::Dirs);
            word(asking, *at).is_some_and(|word| word.leads_to(SlotRole::Named) || is_folder(word))
        };
        let head = asking.own.iter().rposition(names).filter(|_| asking.is_led)?;
        let (before, behind) = asking.own.split_at(head + 1);
        let leads_on = |at: &usize| word(asking, *at).is_some_and(|word| word.leads_to(SlotRole::In));
        let (own, place) = behind.split_at(behind.iter().position(leads_on).unwrap_or(behind.len()));
        let (name, mut words) = new_name(&asking.about(own.to_vec()))?;
        let folder = match place {
            [] => None,
            _ => Some(self.folder(&asking.about(place.to_vec()))?),
        };
        words.extend(before);
        words.extend(folder.iter().flat_map(|folder| &folder.words));
        let folder = folder.and_then(|folder| folder.value.as_str().map(str::to_owned));
        Some((format!("{}/{name}", folder.as_deref().unwrap_or("~")), words))
    }
}

/// A path as people write it, from their home.
fn from_home(path: String, folder: &str) -> String {
    if path.starts_with("~/") || path.starts_with('/') {
        path
    } else if path.contains('/') {
        format!("~/{path}")
    } else {
        format!("{folder}/{path}")
    }
}

fn has_ending(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

fn word<'a>(asking: &Asking<'a>, at: usize) -> Option<&'a Word> {
    asking.words.get(at)
}

/// "Make me a file notes/camping.txt with …": nothing but words for it between the deed and a path, and what goes in
/// right behind; "make a summary of docs/letter.txt" makes another file.
fn is_made(asking: &Asking<'_>, path: usize) -> bool {
    let is_plain = |word: &Word| {
        let is_file = word
            .objects()
            .any(|object| matches!(object, Object::Files | Object::Texts));
        let is_word_for_it = is_file || word.may_be(&Sign::List) || word.leads_to(SlotRole::Named);
        is_word_for_it || word.deeds().next().is_some() || word.is_glue && !word.leads_to(SlotRole::About)
    };
    let mut before = asking.clause.iter().take_while(|at| **at < path);
    let is_led = before.all(|at| word(asking, *at).is_some_and(is_plain));
    let fills = word(asking, path + 1).is_some_and(|word| word.leads_to(SlotRole::With));
    asking.slot.role == SlotRole::Named && is_led && fills
}

/// "The shopping list": the words right before the one for a list.
fn before(asking: &Asking<'_>, own: &[usize], list: usize) -> Option<(String, Vec<usize>)> {
    let names = |at: &usize| {
        let is_own = own.contains(at);
        is_own && word(asking, *at).is_some_and(|word| may_name(word) && word.deeds().next().is_none())
    };
    let mut words: Vec<usize> = (0..list).rev().take_while(names).take(NAME_WORDS_MAX).collect();
    words.reverse();
    written(asking, words)
}

/// "A list called party", "a list for the trip", «la lista della spesa», "a list of things to do": the words behind it.
fn behind(asking: &Asking<'_>, own: &[usize], list: usize) -> Option<(String, Vec<usize>)> {
    let at_list = |at: usize| word(asking, at);
    let leads = |at: &usize| {
        at_list(*at).is_some_and(|word| {
            let is_role = word.signs.iter().any(|(sign, _)| matches!(sign, Sign::Role(_)));
            word.mark.is_none() && word.literal.is_none() && (word.is_glue || is_role || word.is_rest)
        })
    };
    let first = (list + 1..asking.words.len()).find(|at| !leads(at))?;
    if !own.contains(&first) {
        return None;
    }
    if let Some((FactKind::Quoted, text)) = &at_list(first)?.literal {
        return Some((text.clone(), vec![first]));
    }
    let known = phrase_at(asking, first);
    let ends = |at: &usize| {
        let Some(word) = word(asking, *at) else { return true };
        let goes_on = word.leads_to(SlotRole::About) && !word.leads_to(SlotRole::With);
        let leads_on = [SlotRole::With, SlotRole::To, SlotRole::In, SlotRole::From]
            .into_iter()
            .any(|role| word.leads_to(role));
        word.is_bound() || word.literal.is_some() || leads_on && !goes_on || word.may_be(&Sign::Connector)
    };
    let words: Vec<usize> = match known {
        Some(length) => (first..first + length).collect(),
        None => (first..asking.words.len())
            .take_while(|at| !ends(at) && own.contains(at))
            .collect(),
    };
    if words.len() > NAME_WORDS_MAX {
        return None;
    }
    written(asking, words)
}

/// «Alla spesa»: a name that only a list has, and nothing beside it.
fn by_name(asking: &Asking<'_>, own: &[usize]) -> Option<(String, Vec<usize>)> {
    let first = own
        .iter()
        .copied()
        .find(|at| word(asking, *at).is_some_and(|word| !word.is_glue))?;
    let length = phrase_at(asking, first)?;
    let words: Vec<usize> = (first..first + length).collect();
    let says_more = |at: &&usize| !words.contains(at) && word(asking, **at).is_some_and(Word::is_content);
    let is_said = asking.is_led || is_headed(asking, words.last().copied()?) || goes_there(asking, first);
    (is_said && !own.iter().any(|at| says_more(&at))).then_some(())?;
    written(asking, words)
}

/// How many words the name of a list takes that begins here.
fn phrase_at(asking: &Asking<'_>, first: usize) -> Option<usize> {
    let signs = &word(asking, first)?.signs;
    signs
        .iter()
        .find(|(sign, _)| *sign == Sign::ListName)
        .map(|(_, length)| *length)
}

/// «Lista della spesa»: nothing but what leads from one word to the other.
fn only_leads(asking: &Asking<'_>, mut between: Range<usize>) -> bool {
    between.all(|at| {
        let own = word(asking, at);
        own.is_some_and(|word| word.is_glue || word.signs.iter().any(|(sign, _)| matches!(sign, Sign::Role(_))))
    })
}

/// "To the shopping": a word before it says that something goes there.
fn goes_there(asking: &Asking<'_>, first: usize) -> bool {
    let mut before = asking.words.get(..first).unwrap_or_default().iter().rev();
    let leads = |word: &Word| word.leads_to(SlotRole::To) || word.leads_to(SlotRole::In);
    before.find(|word| !word.is_glue || leads(word)).is_some_and(leads)
}

/// A colon stands behind this word.
fn is_headed(asking: &Asking<'_>, last: usize) -> bool {
    word(asking, last + 1).is_some_and(|word| word.mark == Some(':'))
}

/// A name behind a colon: few words and no list of things.
fn dictated_name(asking: &Asking<'_>) -> Option<(String, Vec<usize>)> {
    let colon = asking.clause.last().copied()? + 1;
    word(asking, colon).filter(|word| word.mark == Some(':'))?;
    let words: Vec<usize> = (colon + 1..asking.words.len()).collect();
    let is_one = words
        .iter()
        .all(|at| word(asking, *at).is_some_and(|word| !word.is_bound()));
    (is_one && words.len() <= NAME_WORDS_MAX).then_some(())?;
    written(asking, words)
}

fn may_name(word: &Word) -> bool {
    word.mark.is_none() && word.literal.is_none() && word.is_content() && !word.may_be(&Sign::Connector)
}

fn written(asking: &Asking<'_>, words: Vec<usize>) -> Option<(String, Vec<usize>)> {
    let text = asking.written(&words)?.trim();
    let says = words
        .iter()
        .any(|at| word(asking, *at).is_some_and(|word| word.is_content() || word.literal.is_some()));
    says.then(|| (text.to_owned(), words))
}

/// The words of a new name, as they were written: a text in quotes, or all behind the word that leads to it.
pub(super) fn new_name(asking: &Asking<'_>) -> Option<(String, Vec<usize>)> {
    let quoted = asking
        .own
        .iter()
        .find_map(|at| match asking.words.get(*at)?.literal.as_ref()? {
            (FactKind::Quoted, text) => Some((text.clone(), vec![*at])),
            _ => None,
        });
    if asking.slot.role == SlotRole::Named && !asking.is_led {
        return None;
    }
    if quoted.is_some() {
        return quoted;
    }
    let own: Vec<usize> = asking
        .own
        .iter()
        .copied()
        .filter(|at| asking.free.contains(at))
        .collect();
    let first = own
        .iter()
        .position(|at| asking.words.get(*at).is_some_and(|word| !word.is_glue))?;
    let run: Vec<usize> = own.into_iter().skip(first).collect();
    let run: Vec<usize> = contiguous(&run).collect();
    let text = asking.written(&run)?.to_owned();
    Some((text, run))
}

/// The first of these that follow on each other.
fn contiguous(places: &[usize]) -> impl Iterator<Item = usize> {
    let first = places.first().copied().unwrap_or_default();
    places
        .iter()
        .enumerate()
        .take_while(move |(index, at)| **at == first + index)
        .map(|(_, at)| *at)
}
