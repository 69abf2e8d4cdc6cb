//! Text a person dictates without quotes: "a note that says: cat to the vet", "add milk to ~/notes/shopping.txt". Called
//! by `language::read` before anything else reads those words, so that what is to be written is never taken for a
//! command. It never makes a text of words that name a file, an address or an earlier result.

use std::ops::Range;

use serde_json::json;

use super::{
    Fact, FactKind,
    lexicon::Lexicon,
    literals::is_anchored,
    made::NAME_WORDS_MAX,
    scan::Scan,
    sense::{Changing, Role, Sense},
    token::{words_of, words_with_places},
};
use metnos_domain::vocabulary::{Object, Verb};

pub(super) mod items;
pub(super) mod lines;
mod told;

/// Most words that announce a name.
const CALL_WORDS_MAX: usize = 3;

/// The dictated end of a request that writes something: with the words that announce it, and without.
pub(super) struct Dictated {
    pub(super) whole: Range<usize>,
    pub(super) text: Range<usize>,
    pub(super) kind: Kind,
}

/// What such a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What a command before it writes.
    Text,
    /// A note of its own, whatever the words before it say.
    Note,
    /// Things for the list that stands before it, if it is one.
    List,
}

/// "create a note … that says: X", "write in ~/x.txt: X". X runs to the end, whatever it says. `is_text` tells whether a
/// text of the household has a name.
pub(super) fn dictated(text: &str, lexicon: &Lexicon, is_text: &dyn Fn(&str) -> bool) -> Option<Dictated> {
    let words = words_with_places(text);
    let folds: Vec<&str> = words.iter().map(|(fold, _)| fold.as_str()).collect();
    if let Some(note) = told::noted(text, &words, lexicon, is_text) {
        return Some(note);
    }
    let Some(command) = command(&folds, lexicon) else {
        return told::listed(text, lexicon);
    };
    if let Some(said) = told::told(text, &words, command, lexicon) {
        return Some(said);
    }
    for at in 1..folds.len() {
        let rest = folds.get(at..)?;
        let Some((taken, senses)) = lexicon.longest_match(rest) else {
            continue;
        };
        if senses.contains(&Sense::Says) {
            let start = words.get(at)?.1.start;
            let said = announced(text, start, words.get(at + taken - 1)?.1.end)?;
            return Some(without_name(text, said, lexicon));
        }
    }
    // Without such words a colon behind a name, or behind "a note", announces the text.
    let colon = text.find(": ")?;
    let named = text.get(..colon)?.rsplit(' ').next()?;
    let noun = words_of(named).pop();
    let senses = noun.as_deref().and_then(|noun| lexicon.senses(noun));
    let note = senses.is_some_and(|senses| senses.contains(&Sense::Changing(Changing::Container)));
    let goes = leads_to_text(words.iter().filter(|(_, place)| place.end <= colon), lexicon);
    (is_anchored(named) || named.contains('.') || note || goes)
        .then(|| announced(text, colon, colon))
        .flatten()
        .map(|said| without_name(text, said, lexicon))
}

/// "add to the diary", "scrivi nel quaderno": the last words say to which text of the household, one that is known.
fn leads_to_text<'w>(words: impl Iterator<Item = &'w (String, Range<usize>)>, lexicon: &Lexicon) -> bool {
    text_led_to(words, lexicon).is_some()
}

/// The name of that text, without its article.
fn text_led_to<'w>(words: impl Iterator<Item = &'w (String, Range<usize>)>, lexicon: &Lexicon) -> Option<String> {
    let folds: Vec<&str> = words.map(|(fold, _)| fold.as_str()).collect();
    let senses_at = |at: usize| lexicon.longest_match(folds.get(at..).unwrap_or_default());
    let (start, taken, senses) = (1..folds.len()).rev().find_map(|at| {
        let (taken, senses) = senses_at(at)?;
        let goes = [Role::To, Role::In]
            .into_iter()
            .any(|role| senses.contains(&Sense::Role(role)));
        goes.then_some((at, taken, senses))
    })?;
    let behind = start + taken;
    let is_known = senses.contains(&Sense::Definite)
        || senses_at(behind).is_some_and(|(_, senses)| senses.contains(&Sense::Definite));
    // What is written into a calendar is no text of a file.
    let is_thing = |at: usize| {
        senses_at(at).is_some_and(|(_, senses)| {
            let note = senses.contains(&Sense::Changing(Changing::Container));
            !note && senses.iter().any(|sense| sense.object().is_some())
        })
    };
    let is_text = !(behind..folds.len()).any(is_thing);
    let is_led = is_known && is_text && (1..=NAME_WORDS_MAX).contains(&(folds.len().saturating_sub(behind)));
    let is_article = |at: &usize| senses_at(*at).is_some_and(|(_, senses)| senses.contains(&Sense::Definite));
    let name = (behind..folds.len())
        .skip_while(is_article)
        .filter_map(|at| folds.get(at).copied());
    is_led.then(|| name.collect::<Vec<_>>().join(" "))
}

/// "…, call it plumber": at the end it is no part of the text.
fn without_name(text: &str, said: Dictated, lexicon: &Lexicon) -> Dictated {
    let Some(tail) = text.get(said.text.clone()) else {
        return said;
    };
    let words = words_with_places(tail);
    let folds: Vec<&str> = words.iter().map(|(fold, _)| fold.as_str()).collect();
    let last = folds.len().saturating_sub(NAME_WORDS_MAX + CALL_WORDS_MAX)..folds.len();
    let mut names = last.filter_map(|at| {
        let (taken, senses) = lexicon.longest_match(folds.get(at..)?)?;
        let calls = senses.contains(&Sense::Changing(Changing::CallIt)) && at > 0 && at + taken < folds.len();
        words.get(at).filter(|_| calls).map(|(_, place)| place.start)
    });
    let Some(end) = names.next() else { return said };
    let kept = tail
        .get(..end)
        .unwrap_or_default()
        .trim_end_matches([' ', ',', ';', '.']);
    let end = said.text.start + kept.len();
    Dictated {
        whole: said.whole.start..end,
        text: said.text.start..end,
        kind: said.kind,
    }
}

/// The text after its announcement, unless it is in quotes already or begins with a name.
fn announced(text: &str, start: usize, end: usize) -> Option<Dictated> {
    let tail = text.get(end..)?;
    let said = tail.trim_start_matches(|letter: char| letter.is_whitespace() || matches!(letter, ':' | ','));
    let from = text.len() - said.len();
    let said = said.trim_end();
    let quoted = said.starts_with(['"', '\'', '`', '\u{201C}', '\u{00AB}', '\u{2018}']);
    let names = |word: &str| is_anchored(word) || word.contains("://");
    let plain = !said.is_empty() && !quoted && !said.split_whitespace().any(names);
    plain.then(|| Dictated {
        whole: start..from + said.len(),
        text: from..from + said.len(),
        kind: Kind::Text,
    })
}

/// The words of the command to write or make something with which a request begins.
fn command(folds: &[&str], lexicon: &Lexicon) -> Option<Range<usize>> {
    let mut at = 0;
    while let Some((taken, senses)) = folds.get(at..).and_then(|rest| lexicon.longest_match(rest)) {
        if let Some(verb) = senses.iter().find_map(Sense::verb) {
            return matches!(verb, Verb::Write | Verb::Create).then_some(at..at + taken);
        }
        if !senses.iter().any(|sense| matches!(sense, Sense::Stop)) {
            return None;
        }
        at += taken;
    }
    None
}

/// "add milk and eggs to ~/x": what stands between the verb and where it goes, word for word.
pub(super) fn added(scan: &mut Scan<'_>, range: &Range<usize>) {
    let Some((verb, place)) = ends(scan, range) else { return };
    let end = before_place(scan, verb + 1, place);
    let mut start = verb + 1;
    while start < end && introduces(scan, start) {
        start += 1;
    }
    if start >= end || end == place || !(start..end).all(|at| is_said(scan, at)) || is_placed(scan, start..end) {
        return;
    }
    // Somewhere a word must stand that only the text explains, and beside a question before it "the answer" is one.
    let pointing = (start..end).any(|at| range.start > 0 && scan.is_glue(at));
    if pointing || !(start..end).any(|at| scan.is_unknown(at)) {
        return;
    }
    let (Some(first), Some(last)) = (scan.segments.get(start), scan.segments.get(end - 1)) else {
        return;
    };
    let Some(text) = scan.original.get(first.span.start..last.span.end) else {
        return;
    };
    let value = json!(text);
    for at in start..end {
        let old = scan.segments.get(at).and_then(|segment| segment.fact);
        if let Some(fact) = old.and_then(|old| scan.facts.get_mut(old)) {
            fact.kind = FactKind::Taken;
        }
    }
    scan.explain(verb + 1..start);
    scan.fact(FactKind::Quoted, value, start..end);
}

/// "rename ~/a.txt to letter to Anna.txt": the new name goes to the end, over spaces.
pub(super) fn renamed(scan: &mut Scan<'_>, range: &Range<usize>) {
    let renames = range.clone().any(|at| scan.is(at, &Sense::Option("rename".to_owned())));
    let Some(mut source) = range
        .clone()
        .find(|at| path_at(scan, *at).is_some())
        .filter(|_| renames)
    else {
        return;
    };
    let fact = |at: usize| scan.segments.get(at).and_then(|segment| segment.fact);
    while fact(source + 1) == fact(source) {
        source += 1;
    }
    let leads = [Role::To, Role::In]
        .into_iter()
        .any(|role| scan.is(source + 1, &Sense::Role(role)));
    let (start, last) = (source + 2, range.end - 1);
    if leads && named_in_quotes(scan, start) {
        return;
    }
    // Words of it may be the names of other things: "rename budget.csv to old budget.csv".
    let named = |at: usize| spelled_bare(scan, at);
    let bare = path_at(scan, last).is_some_and(|fact| !fact.text().contains(['/', '\\'])) || named(last);
    let is_plain = |at: usize| scan.segments.get(at).is_some_and(|segment| segment.fact.is_none()) || named(at);
    let is_word = |at: usize| is_plain(at) && scan.is_unknown(at) && !is_sign(scan, at);
    // A name without an ending: words that mean nothing else here.
    let words = range.contains(&start) && (start..=last).all(|at| is_word(at) || start < last && named(at));
    let plain = start < last && bare && (start..last).all(is_plain);
    if !leads || !plain && !words {
        return;
    }
    let span = |at: usize| scan.segments.get(at).map(|segment| segment.span.clone());
    let (Some(first), Some(end)) = (span(start), span(last)) else {
        return;
    };
    let Some(name) = scan.original.get(first.start..end.end).map(str::to_owned) else {
        return;
    };
    for at in start..=last {
        let old = scan.segments.get(at).and_then(|segment| segment.fact);
        if let Some(fact) = old.and_then(|old| scan.facts.get_mut(old)) {
            fact.kind = FactKind::Taken;
        }
    }
    let new = scan.fact(FactKind::Path, json!(name), start..last + 1);
    if let Some(fact) = scan.facts.get_mut(new) {
        fact.role = Some(Role::To);
    }
}

/// "eggs before milk", "eggs at the top": where among the lines they are to stand.
fn is_placed(scan: &Scan<'_>, words: Range<usize>) -> bool {
    let is_position = |at: usize| scan.is(at, &Sense::Changing(Changing::Position));
    (words.start + 1..words.end).any(|at| is_position(at) && !is_due(scan, &words, at))
}

/// Such a word says when something is to be done: "call Anna before lunch", and not "call Anna below call Luca".
fn is_due(scan: &Scan<'_>, words: &Range<usize>, at: usize) -> bool {
    let is = |at: usize, changing: Changing| scan.is(at, &Sense::Changing(changing));
    let is_errand = |at: usize| is(at, Changing::Errand) || is(at, Changing::ErrandOf);
    let is_inside = (words.start + 1..words.end - 1).contains(&at);
    is_inside && is(at, Changing::Position) && is_errand(words.start) && !is_errand(at + 1)
}

fn is_sign(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments.get(at).is_none_or(|segment| segment.mark.is_some())
}

/// A file that was found by its name, and said without a folder.
fn spelled_bare(scan: &Scan<'_>, at: usize) -> bool {
    let found = scan.segments.get(at).and_then(|segment| segment.fact);
    let said = path_at(scan, at).and_then(|fact| scan.original.get(fact.span.clone()));
    said.is_some_and(|said| !said.contains(['/', '\\'])) && scan.known.iter().any(|known| Some(known.fact) == found)
}

fn path_at<'s>(scan: &'s Scan<'_>, at: usize) -> Option<&'s Fact> {
    let fact = scan.segments.get(at).and_then(|segment| segment.fact)?;
    scan.facts.get(fact).filter(|fact| fact.kind == FactKind::Path)
}

/// "rename ~/a.txt to "holiday plan"": quotes hold a name together, too.
fn named_in_quotes(scan: &mut Scan<'_>, at: usize) -> bool {
    let fact = scan.segments.get(at).and_then(|segment| segment.fact);
    let name = fact
        .and_then(|fact| scan.facts.get_mut(fact))
        .filter(|fact| fact.kind == FactKind::Quoted && !fact.text().contains(['/', '\\']));
    let Some(name) = name else { return false };
    name.kind = FactKind::Path;
    name.role = Some(Role::To);
    true
}

/// The verb that adds, and the only path of the clause, which says where.
fn ends(scan: &Scan<'_>, range: &Range<usize>) -> Option<(usize, usize)> {
    let adds = |at: &usize| {
        scan.sense(*at, Sense::verb) == Some(Verb::Write) && scan.is(*at, &Sense::Option("append".to_owned()))
    };
    let verb = range.clone().find(adds)?;
    let kind = |at: usize| {
        let fact = scan.segments.get(at).and_then(|segment| segment.fact)?;
        scan.facts.get(fact).map(|fact| (fact.kind, fact.role))
    };
    let literal = |at: &usize| {
        matches!(
            kind(*at),
            Some((FactKind::Path | FactKind::Url | FactKind::Glob | FactKind::Quoted, _))
        )
    };
    let mut literals = (verb..range.end).filter(literal);
    let place = literals.next()?;
    let goes = matches!(kind(place), Some((FactKind::Path, Some(Role::To | Role::In))));
    (goes && literals.next().is_none()).then_some((verb, place))
}

/// Where the words end that stand before "to", "at the end of", "in the file". A word without demand is passed only
/// behind the preposition: "add her present to the list".
fn before_place(scan: &Scan<'_>, from: usize, place: usize) -> usize {
    let is_file = |at: usize| scan.is(at, &Sense::Object(Object::Files, None));
    let role = |at: &usize| scan.sense(*at, Sense::role).is_some();
    let passes = |at: &usize| scan.is_glue(*at) || is_file(*at);
    let back = (from..place).rev();
    let Some(mut at) = back.take_while(|at| role(at) || passes(at)).find(role) else {
        return place;
    };
    let leads = |at: usize| {
        let article = scan.is_definite_article(at);
        role(&at) || scan.is(at, &Sense::Option("append".to_owned())) || article || is_file(at)
    };
    while at > from && leads(at - 1) {
        at -= 1;
    }
    at
}

/// "the line", "a line with".
fn introduces(scan: &Scan<'_>, at: usize) -> bool {
    let line = |at: usize| {
        scan.sense(at, Sense::object)
            .is_some_and(|(object, _)| object == Object::Texts)
    };
    line(at) || scan.is_glue(at) && (line(at + 1) || scan.is_glue(at + 1) && line(at + 2))
}

/// A word that can be part of what is said: none that asks for a value found elsewhere or says where something goes.
fn is_said(scan: &Scan<'_>, at: usize) -> bool {
    is_told(scan, at) && !scan.is(at, &Sense::Role(Role::To))
}

/// The same behind the name of the text, where a place is one that is told of: "we went to the sea".
fn is_told(scan: &Scan<'_>, at: usize) -> bool {
    let points = [
        Sense::HowMany,
        Sense::HowMuch,
        Sense::Echo,
        Sense::Content,
        Sense::Verb(Verb::List),
        Sense::Object(Object::Files, None),
    ];
    let asks = scan.segments.get(at).is_some_and(|segment| {
        let elsewhere =
            |sense: &Sense| points.contains(sense) || sense.superlative().is_some() || sense.field().is_some();
        let points_back = segment.senses.contains(&Sense::Anaphora) && !scan.is_glue(at);
        let sign = segment.mark.is_some_and(|mark| mark != ',' && mark != '-');
        sign || points_back || segment.senses.iter().any(elsewhere)
    });
    !asks
}
