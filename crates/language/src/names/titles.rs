//! One file that is to be read, by what it is: "read me the recipe of the lasagne", "what does the letter from the school
//! say", "the first line of my diary"; and questions a note may answer: "quanto pago d'affitto". Called by `names` before
//! anything else. It never makes a title of a word that may mean something else, and knows nothing of the disk.

use serde_json::{Value, json};

use super::{
    topics::{WORDS_MAX, is_free_word, is_thing, run},
    words_from,
};
use crate::{
    FactKind,
    nouns::Nouns,
    scan::Scan,
    sense::{Around, Changing, Role, Sense},
};
use metnos_domain::vocabulary::{Object, Verb};

/// The file that is to be read, or the question that is asked.
pub(super) fn titles(scan: &mut Scan<'_>, nouns: &Nouns) {
    // Who says which file, or page, does not describe another.
    let placed = scan
        .facts
        .iter()
        .any(|fact| matches!(fact.kind, FactKind::Path | FactKind::Url | FactKind::Quoted));
    if placed {
        return;
    }
    let words = titled(scan, nouns);
    if let (Some(first), Some(last)) = (words.first().copied(), words.last().copied()) {
        let where_at = (0..first).find(|at| scan.is(*at, &Sense::Around(Around::Where)));
        make(
            scan,
            FactKind::Title,
            &words,
            where_at.unwrap_or(first)..last + 1,
            nouns,
        );
        undone(scan);
        return;
    }
    let words = matter(scan, nouns);
    if !words.is_empty() {
        make(scan, FactKind::Matter, &words, 0..scan.segments.len(), nouns);
    }
}

/// Words that say which file is meant, each with the other words for the same thing, become one fact.
pub(crate) fn make(scan: &mut Scan<'_>, kind: FactKind, words: &[usize], range: std::ops::Range<usize>, nouns: &Nouns) {
    let said: Vec<String> = words.iter().filter_map(|at| words_from(scan, *at..*at + 1)).collect();
    let telling = |word: &&String| !nouns.is_container(word);
    // "my shopping list" may be called "shopping"; a list of nothing is only known by that word.
    let all = said.iter().all(|word| nouns.is_container(word));
    let told = said.iter().filter(|word| all || telling(word));
    let named: Vec<String> = told.map(|word| nouns.with_others(word)).collect();
    scan.fact(kind, Value::String(named.join(" ")), range);
}

/// "what is still to do on my list": the lines of it that are not ticked off.
fn undone(scan: &mut Scan<'_>) {
    let Some(at) = (0..scan.segments.len()).find(|at| scan.is(*at, &Sense::Undone)) else {
        return;
    };
    scan.fact(FactKind::Count, json!({"count": true, "side": "undone"}), at..at + 1);
}

/// The words of the title, where one is asked for.
fn titled(scan: &Scan<'_>, nouns: &Nouns) -> Vec<usize> {
    let Some(begin) = (0..scan.segments.len()).find(|at| !scan.is_glue(*at) || is_lead(scan, *at)) else {
        return Vec::new();
    };
    let reads = scan.sense(begin, Sense::verb) == Some(Verb::Read);
    let asks_where = scan.is(begin, &Sense::Around(Around::Where));
    let finds = scan.sense(begin, Sense::verb) == Some(Verb::Find);
    let mut start = begin + usize::from(reads || asks_where || finds);
    // "which is the newest invoice"
    let which = scan.is(begin, &Sense::Which);
    let extreme = |at: usize| which && scan.sense(at, Sense::superlative).is_some();
    while is_lead(scan, start) || extreme(start) || scan.is_glue(start) && !scan.is_value(start) {
        start += 1;
    }
    let known = (begin..start).any(|at| scan.is(at, &Sense::Definite) || scan.is(at, &Sense::Joined));
    let free = scan.segments.get(begin).is_some_and(|segment| !segment.used);
    if !known || !free || start == begin {
        return Vec::new();
    }
    let words = run(scan, start, names_a_paper);
    let (Some(first), Some(last)) = (words.first().copied(), words.last().copied()) else {
        return Vec::new();
    };
    let all = || 0..scan.segments.len();
    let says = all().any(|at| scan.is(at, &Sense::Content) || is_lines(scan, at) || scan.is(at, &Sense::Undone));
    let fold = |at: &usize| {
        scan.segments
            .get(*at)
            .map(|segment| segment.fold.as_str())
            .unwrap_or_default()
    };
    let paper = words.iter().any(|at| nouns.is_paper(fold(at)));
    // "show me the recipe": a paper is shown by what stands in it. What else is to be shown nobody said.
    let shown = paper && scan.is(begin, &Sense::Show);
    // "where is the recipe book" looks for no file.
    let lost = asks_where && is_headed_by_paper(scan, &words, nouns);
    // "find my shopping list", and no more: "list" is no word to look for.
    let is_list = |at: &usize| scan.is(*at, &Sense::Changing(Changing::List));
    let ends = || (last + 1..scan.segments.len()).all(|at| scan.is_glue(at) || scan.is_break(at));
    let found = finds && words.iter().any(is_list) && ends();
    let asked = if asks_where {
        lost
    } else {
        reads || found || !finds && (says || shown)
    };
    // A list of something is a paper; "list" by itself may be a command.
    let plain = words.iter().any(|at| scan.is_unknown(*at));
    let alone = !is_thing(scan, last + 1) && !starts_command(scan, first);
    if asked && plain && alone { words } else { Vec::new() }
}

/// "the bill of the light", "the car insurance": the word for a paper is the one that the others belong to.
fn is_headed_by_paper(scan: &Scan<'_>, words: &[usize], nouns: &Nouns) -> bool {
    let is_paper = |at: &usize| {
        let fold = scan.segments.get(*at).map(|segment| segment.fold.as_str());
        fold.is_some_and(|fold| nouns.is_paper(fold) && !nouns.is_container(fold))
    };
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let joined = [Role::Of, Role::From, Role::To]
        .into_iter()
        .any(|role| scan.is(*first + 1, &Sense::Role(role)));
    is_paper(last) || is_paper(first) && joined
}

/// What may stand before a title: "what", "the first three lines of", "che c'è scritto nella".
fn is_lead(scan: &Scan<'_>, at: usize) -> bool {
    let Some(segment) = scan.segments.get(at) else {
        return false;
    };
    let is_number = segment.number.is_some() && segment.fact.is_none();
    let known = segment.senses.iter().any(|sense| {
        matches!(
            sense,
            Sense::Show
                | Sense::Content
                | Sense::Side(_)
                | Sense::HowMany
                | Sense::Undone
                | Sense::Role(Role::Of | Role::In)
        )
    });
    segment.fact.is_none() && (is_number || known || is_lines(scan, at))
}

fn is_lines(scan: &Scan<'_>, at: usize) -> bool {
    let is_list = |at: usize| scan.is(at, &Sense::Changing(Changing::List));
    let entry = scan.is(at, &Sense::Changing(Changing::Entry)) && (at + 1..scan.segments.len()).any(is_list);
    let object = scan.sense(at, Sense::object);
    entry || object.is_some_and(|(object, _)| object == Object::Texts)
}

/// A word of a title: one that means nothing else, the name of a kind of place, a list of something.
pub(crate) fn names_a_paper(scan: &Scan<'_>, at: usize) -> bool {
    let fits = |sense: &Sense| {
        sense.is_ordinary()
            || matches!(
                sense,
                Sense::Aged | Sense::Place(_) | Sense::Singular | Sense::Plural | Sense::Verb(Verb::List)
            )
            || matches!(sense, Sense::Object(Object::Places, _))
    };
    let carrier = scan.is(at, &Sense::Carrier) || scan.is(at, &Sense::Due) || scan.is(at, &Sense::Wonder);
    let senses = scan.segments.get(at).map(|segment| segment.senses);
    is_free_word(scan, at) && !carrier && senses.is_some_and(|senses| senses.iter().all(fits))
}

fn starts_command(scan: &Scan<'_>, at: usize) -> bool {
    scan.sense(at, Sense::verb).is_some() && !scan.is(at, &Sense::Verb(Verb::List))
}

/// "when do I have to pay for the school trip": a question word, what is asked of the matter, and its words. Nothing else
/// may stand there.
fn matter(scan: &Scan<'_>, nouns: &Nouns) -> Vec<usize> {
    let all = 0..scan.segments.len();
    let begins = all
        .clone()
        .find(|at| !scan.is_glue(*at) || scan.is(*at, &Sense::Wonder));
    let wonders = begins.is_some_and(|at| scan.is(at, &Sense::Wonder));
    let asks = |at: usize| scan.is(at, &Sense::Due) || scan.is(at, &Sense::Noted);
    if !wonders || !all.clone().any(asks) {
        return Vec::new();
    }
    let mut words: Vec<usize> = Vec::new();
    let mut is_second = false;
    let noted = (0..scan.segments.len()).any(|at| scan.is(at, &Sense::Noted));
    for at in all {
        // "how many for the cake, and how many for the bread" are two matters.
        is_second |= !words.is_empty() && scan.is(at, &Sense::Wonder);
        let Some(segment) = scan.segments.get(at) else { break };
        let mark = segment.mark.is_some_and(|mark| matches!(mark, '?' | '.' | ','));
        // "present" is a word without demand, and a thing.
        let thing = scan.is_glue(at) && nouns.is_known(&segment.fold);
        let small = scan.is_glue(at) && !thing
            || noted && scan.is(at, &Sense::Wanting)
            || scan.sense(at, Sense::role).is_some()
            || [Sense::Wonder, Sense::Due, Sense::Noted, Sense::Connector, Sense::Per]
                .iter()
                .any(|sense| scan.is(at, sense));
        if mark || small && segment.number.is_none() && segment.fact.is_none() {
            continue;
        }
        if is_second || !thing && !names_a_paper(scan, at) {
            return Vec::new();
        }
        words.push(at);
    }
    if words.len() > WORDS_MAX { Vec::new() } else { words }
}
