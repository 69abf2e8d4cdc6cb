//! Lines of the short texts of a home: the one that some words mean, what is to be written down as new ones, and what a
//! question is about. Called by `things::files`. It reads texts up to a size, and never changes one.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
};

use serde_json::{Value, json};

use super::{
    Asking, Matter, Meant, counted,
    names::{Likeness, Name, Names, is_near},
};
use crate::{
    domain::{
        dialogue::{FILE, Listed},
        frame::SlotRole,
        lang::Lang,
        limits::{TEXT_LOOKED_AT_BYTES_MAX, TEXTS_LOOKED_AT},
        vocabulary::Object,
    },
    language::{
        Language,
        outline::{Sign, Word},
    },
};

/// What a word of a name counts beside one of a line that no other text has.
const NAME_WEIGHT: f64 = 1.5;
/// The same of a word for the kind of a file, and of a further word in one line.
const KIND_WEIGHT: f64 = 0.25;
/// Words of one thing among several, at most.
const THING_WORDS_MAX: usize = 4;
/// The box of a line that is not done.
const OPEN_BOX: &str = "[ ]";

/// A line by its stems.
struct Line {
    stems: Vec<String>,
    text: String,
}

/// What a text of the home says; `None` where it cannot be read or is large.
fn short_text(root: &Path, path: &str) -> Option<String> {
    let path = root.join(path.trim_start_matches("~/"));
    let size = fs::metadata(&path).ok()?.len();
    (size <= TEXT_LOOKED_AT_BYTES_MAX)
        .then(|| fs::read_to_string(path).ok())
        .flatten()
}

/// The texts among these names, with their lines; what cannot be read or is large is none.
fn texts<'n>(
    root: &Path,
    names: impl Iterator<Item = &'n Name>,
    (language, lang): (&Language, Lang),
) -> Vec<(&'n Name, Vec<Line>)> {
    let read = |name: &'n Name| {
        let text = short_text(root, &name.path)?;
        let lines = text.lines().filter(|line| !line.trim().is_empty()).map(|line| Line {
            stems: language.telling_stems(line, lang),
            text: line.to_owned(),
        });
        Some((name, lines.collect()))
    };
    names
        .filter(|name| name.is_text())
        .take(TEXTS_LOOKED_AT)
        .filter_map(read)
        .collect()
}

/// The one line that these words mean, on this list or on any.
pub(super) fn line(
    root: &Path,
    names: &Names,
    (list, is_open): (Option<&str>, bool),
    tongue: (&Language, Lang),
    words: &[Word],
    among: &[usize],
) -> Option<Meant> {
    let of_list = names
        .files
        .iter()
        .filter(|name| list.is_none_or(|list| name.path == list));
    let texts = texts(root, of_list, tongue);
    let mut found: Vec<(BTreeSet<usize>, usize, &Name, &Line)> = Vec::new();
    for (name, lines) in &texts {
        for line in lines
            .iter()
            .filter(|line| !line.text.starts_with('#') && (!is_open || line.text.contains(OPEN_BOX)))
        {
            let said = said_in(&line.stems, words, among);
            if !said.is_empty() {
                found.push((said, line.stems.len(), name, line));
            }
        }
    }
    // The line of which most was said; of two, the one that says least beside.
    found.sort_by_key(|(said, length, _, _)| (std::cmp::Reverse(said.len()), *length));
    let (said, length, name, line) = found.first()?;
    let is_only = found
        .get(1)
        .is_none_or(|(other, longer, _, _)| other.len() < said.len() || longer > length);
    let is_sure = said.len() == *length;
    is_only.then(|| Meant {
        value: json!(bare(&line.text)),
        words: said.iter().copied().collect(),
        is_sure,
        implies: vec![("list".to_owned(), json!(name.path))],
        choices: Vec::new(),
    })
}

/// "The third one": a line of a list by its place there, headings left aside.
pub(super) fn at(root: &Path, list: &str, asking: &Asking<'_>, place: (usize, i64)) -> Option<Meant> {
    let text = short_text(root, list)?;
    let lines = text.lines().map(bare);
    let listed = Listed {
        ids: lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(str::to_owned)
            .collect(),
        ..Listed::default()
    };
    let meant = counted(asking, &listed, place)?;
    // Of two that say the same nobody could take one.
    let is_twin = |id: &Value| listed.ids.iter().filter(|own| *id == json!(own)).count() > 1;
    if meant.value.as_array().is_some_and(|ids| ids.iter().any(is_twin)) {
        return None;
    }
    Some(Meant {
        implies: vec![("list".to_owned(), json!(list))],
        ..meant
    })
}

/// Places of the words that a line has.
fn said_in(stems: &[String], words: &[Word], among: &[usize]) -> BTreeSet<usize> {
    let is_said = |at: &&usize| {
        let word = words.get(**at).filter(|word| word.is_content());
        word.is_some_and(|word| stems.iter().any(|stem| is_near(stem, &word.stem)))
    };
    among.iter().filter(is_said).copied().collect()
}

/// A line without the mark and the box before it.
fn bare(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['-', '*', '+', '•']).trim_start();
    let boxes = [OPEN_BOX, "[x]", "[X]"];
    boxes
        .iter()
        .find_map(|own| line.strip_prefix(own))
        .unwrap_or(line)
        .trim()
}

/// What is to be written down, each thing a line: the free words of the clause, else of the one before that the clause
/// points at.
pub(crate) fn new_lines(asking: &Asking<'_>) -> Option<Meant> {
    let quoted = asking.quoted(&asking.own);
    if quoted.is_some() {
        return quoted;
    }
    if let Some(dictated) = dictated(asking) {
        return Some(apart(asking, &dictated.words).unwrap_or(dictated));
    }
    // "With milk and eggs" is said; what nothing leads to is no part of what is made.
    if asking.slot.role == SlotRole::With && !asking.is_led {
        return None;
    }
    let own: Vec<usize> = asking
        .own
        .iter()
        .copied()
        .filter(|at| asking.free.contains(at))
        .collect();
    let spoken_of = || -> Vec<usize> {
        let first = asking.own.first().copied().unwrap_or_default();
        asking.free.iter().copied().filter(|at| *at < first).collect()
    };
    // "A note" alone says where, and not what.
    let holds = |word: &Word| {
        word.objects()
            .any(|object| matches!(object, Object::Files | Object::Texts))
    };
    let is_content = |word: &Word| is_thing(word) && !holds(word);
    let has_content = |places: &[usize]| places.iter().any(|at| asking.words.get(*at).is_some_and(is_content));
    let (places, is_sure) = if has_content(&own) {
        (own, true)
    } else {
        (spoken_of(), false)
    };
    let things = things(asking, &places);
    let text: Vec<&str> = things.iter().filter_map(|thing| asking.written(thing)).collect();
    let used: Vec<usize> = things.iter().flatten().copied().collect();
    (!text.is_empty()).then(|| Meant::by(Value::String(text.join("\n")), used, is_sure))
}

/// "milk, bread and apples": what is dictated as things, where commas stand between short ones.
fn apart(asking: &Asking<'_>, places: &[usize]) -> Option<Meant> {
    let is_comma = |at: &usize| asking.words.get(*at).is_some_and(|word| word.mark == Some(','));
    let things = things(asking, places);
    let is_short = |thing: &Vec<usize>| thing.len() <= THING_WORDS_MAX;
    let text: Vec<&str> = things.iter().filter_map(|thing| asking.written(thing)).collect();
    let are_things = places.iter().any(is_comma) && things.iter().all(is_short);
    are_things.then(|| Meant::by(Value::String(text.join("\n")), places.to_vec(), true))
}

/// What stands behind the first colon after the clause began, letter by letter: who writes one dictates.
pub(super) fn dictated(asking: &Asking<'_>) -> Option<Meant> {
    let first = asking.clause.first().copied()?;
    // That of 15:30 begins nothing.
    let is_colon = |word: &Word| word.mark == Some(':') && !word.is_time;
    let colon = (first..asking.words.len()).find(|at| asking.words.get(*at).is_some_and(is_colon))?;
    let text = asking.text.get(asking.words.get(colon)?.span.end..)?.trim();
    let words: Vec<usize> = (colon + 1..asking.words.len()).collect();
    let is_free = |at: &usize| asking.free.contains(at);
    (!text.is_empty() && words.iter().all(is_free)).then(|| Meant::by(json!(text), words, true))
}

/// A text that is dictated: in quotes, anywhere in the message, behind a colon, or behind words for it.
pub(super) fn said_text(asking: &Asking<'_>) -> Option<Meant> {
    let led = || {
        let own = to_its_end(asking, &asking.own);
        let text = asking.written(&own).filter(|_| asking.is_led)?;
        Some(Meant::by(json!(text), own, true))
    };
    asking.quoted(&asking.free).or_else(|| dictated(asking)).or_else(led)
}

/// What is dictated goes on behind a comma, up to what ends the sentence or says another deed.
fn to_its_end(asking: &Asking<'_>, own: &[usize]) -> Vec<usize> {
    let mut own = own.to_vec();
    while let Some(comma) = own.last().map(|last| last + 1) {
        let is_comma = asking.words.get(comma).is_some_and(|word| word.mark == Some(','));
        let inside = |at: &usize| asking.words.get(*at).is_some_and(|word| !word.is_bound());
        let further: Vec<usize> = (comma + 1..asking.words.len()).take_while(inside).collect();
        let first = further.first().and_then(|at| asking.words.get(*at));
        if !is_comma || first.is_none_or(|word| word.deeds().next().is_some()) {
            break;
        }
        own.extend(further);
    }
    own
}

fn is_thing(word: &Word) -> bool {
    let names_list = word.may_be(&Sign::List) || word.may_be(&Sign::Object(Object::Lists));
    word.is_content() && !word.is_rest && !names_list
}

/// Runs of words, each from its first telling word to its last.
fn things(asking: &Asking<'_>, places: &[usize]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut before = None;
    for at in places.iter().copied() {
        let Some(word) = asking.words.get(at) else { continue };
        let joins = word.may_be(&Sign::Connector) || word.is_bound();
        let goes_on = before.is_some_and(|last: usize| last + 1 == at);
        before = Some(at);
        if joins {
            before = None;
        } else if let Some(run) = runs.last_mut().filter(|_| goes_on) {
            run.push(at);
        } else {
            runs.push(vec![at]);
        }
    }
    let telling = |at: &usize| asking.words.get(*at).is_some_and(is_thing);
    let trimmed = runs.into_iter().filter_map(|run| {
        let first = run.iter().position(telling)?;
        let last = run.iter().rposition(telling)?;
        run.get(first..=last).map(<[usize]>::to_vec)
    });
    trimmed.collect()
}

/// The text of the home that a question is about: the words of its name and of its lines that were said, each counting
/// the more the fewer texts have it, and more where they stand in one line.
pub(super) fn matter(
    root: &Path,
    names: &Names,
    tongue: (&Language, Lang),
    words: &[Word],
    among: &[usize],
) -> Option<Matter> {
    let texts = texts(root, names.files.iter(), tongue);
    let said: Vec<(Likeness, Vec<BTreeSet<usize>>)> = texts
        .iter()
        .map(|(name, lines)| {
            let lines = lines.iter().map(|line| said_in(&line.stems, words, among));
            (name.likeness(words, among), lines.collect())
        })
        .collect();
    let has = |at: usize| {
        said.iter()
            .flat_map(|(_, lines)| lines)
            .filter(|line| line.contains(&at))
            .count()
    };
    let rarity: HashMap<usize, f64> = among.iter().map(|at| (*at, 1.0 / (has(*at).max(1) as f64))).collect();
    let weight = |at: &usize| rarity.get(at).copied().unwrap_or_default();
    let mut best: Option<(f64, Matter)> = None;
    let mut is_tied = false;
    for ((name, _), (like, lines)) in texts.iter().zip(&said) {
        let in_lines: BTreeSet<usize> = lines.iter().flatten().copied().collect();
        let together = lines.iter().map(BTreeSet::len).max().unwrap_or_default();
        let score = in_lines.difference(&like.own).map(weight).sum::<f64>()
            + NAME_WEIGHT * like.own.len() as f64
            + KIND_WEIGHT * (like.kind.len() + together.saturating_sub(1)) as f64;
        if score <= 0.0 || like.own.is_empty() && in_lines.is_empty() {
            continue;
        }
        if let Some((known, _)) = &best
            && *known >= score - f64::EPSILON
        {
            is_tied |= *known <= score + f64::EPSILON;
            continue;
        }
        is_tied = false;
        best = Some((
            score,
            Matter {
                kind: FILE.to_owned(),
                id: name.path.clone(),
                words: in_lines
                    .iter()
                    .filter_map(|at| words.get(*at))
                    .map(|word| word.fold.clone())
                    .collect(),
                explained: in_lines.union(&like.own).chain(&like.kind).copied().collect(),
                weight: in_lines.difference(&like.own).map(weight).sum::<f64>() + like.own.len() as f64,
            },
        ));
    }
    best.filter(|_| !is_tied).map(|(_, matter)| matter)
}
