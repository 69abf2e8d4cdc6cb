//! Lines of a text that is there: "add milk and eggs to my shopping list", "take Luca off the list", "mark the dentist as
//! done in the todo list". Called by `clauses` for each clause. It finds what the line says and what is done with it; no
//! words that could be something else become a line.

use std::{collections::HashSet, ops::Range};

use serde_json::json;

use super::{before_place, introduces, is_due, is_said, is_told, items};
use crate::{
    ClauseReading, Fact, FactKind, Mark,
    home::Home,
    scan::Scan,
    sense::{Changing, Role, Sense},
    token,
};
use metnos_domain::vocabulary::{Object, Verb};

/// What is done with lines, by the names plans use.
pub(crate) const ADD: &str = "add_lines";
const APPEND: &str = "append";
pub(crate) const REMOVE: &str = "remove_lines";
pub(crate) const CLEAR: &str = "clear_lines";
pub(crate) const TICK: &str = "tick_lines";

/// Letters of the longest small word. "present" is a word without demand too, and may be what is to be bought.
const SMALL_LETTERS_MAX: usize = 5;

/// The text a clause speaks of.
struct Text {
    /// Where its name stands.
    at: Range<usize>,
    role: Role,
    is_known: bool,
    is_list: bool,
}

/// Reads what a clause says of lines; false when it does not.
pub(crate) fn said(scan: &mut Scan<'_>, range: &Range<usize>, clause: &mut ClauseReading) -> bool {
    if cleared(scan, range, clause) || put_down(scan, range, clause) {
        return true;
    }
    let Some(text) = text_of(scan, range) else {
        return false;
    };
    let mut before = range.start..text.at.start;
    let Some(verb) = before
        .find(|at| does(scan, *at, clause))
        .or_else(|| behind(scan, range, &text, clause))
    else {
        return false;
    };
    let is_done = |at: usize| scan.is(at, &Sense::Changing(Changing::Done));
    let ticks = scan.is(verb, &Sense::Changing(Changing::Tick))
        || scan.is(verb, &Sense::Changing(Changing::Mark)) && range.clone().any(is_done) && !is_that(scan, verb + 1);
    let takes_off = scan.is(verb, &Sense::Changing(Changing::TakeOff));
    let writes = clause.verb == Some(Verb::Write) || clause.alternatives.contains(&Verb::Write);
    // "delete the policy from the insurance" speaks of a file, unless it is a list or the line is named.
    let of_lines = text.is_list || (verb..text.at.start).any(|at| is_line(scan, at));
    let mode = match text.role {
        Role::In | Role::To | Role::From if ticks => TICK,
        Role::From | Role::In if clause.verb == Some(Verb::Delete) && of_lines => REMOVE,
        Role::From if takes_off => REMOVE,
        Role::In | Role::To if writes && text.is_known && text.is_list => ADD,
        Role::In | Role::To if writes && text.is_known => APPEND,
        Role::From | Role::In | Role::To | Role::Of => return false,
    };
    let words = words_of_line(scan, verb + 1, &text, range.end, mode);
    let line = words.and_then(|words| Some((line_of(scan, &words, mode)?, words.range)));
    let Some((line, words)) = line else {
        // It is about lines and about nothing else: no other reading of the words may stand.
        clause.mark(Mark::Signs);
        return false;
    };
    for at in words.clone() {
        let old = scan.segments.get(at).and_then(|segment| segment.fact);
        if let Some(fact) = old.and_then(|old| scan.facts.get_mut(old)) {
            fact.kind = FactKind::Taken;
        }
    }
    if words.start < text.at.start {
        scan.explain(verb..text.at.start);
        scan.explain(text.at.end..range.end);
    } else {
        scan.explain(verb..words.start);
        scan.explain(words.end..range.end);
    }
    scan.fact(FactKind::Quoted, json!(line), words);
    if clause.word.is_empty() {
        clause.word = scan
            .segments
            .get(verb)
            .map(|word| word.fold.clone())
            .unwrap_or_default();
    }
    clause.verb = Some(Verb::Write);
    clause.alternatives = vec![Verb::Write];
    clause.options.retain(|option| option != APPEND);
    clause.options.push(mode.to_owned());
    true
}

/// "clear the shopping list": every line of a list goes, where nothing more is said.
fn cleared(scan: &mut Scan<'_>, range: &Range<usize>, clause: &mut ClauseReading) -> bool {
    let Some(verb) = range.clone().find(|at| !scan.is_glue(*at)) else {
        return false;
    };
    let list = scan.skip_glue(verb + 1);
    let fact = scan.segments.get(list).and_then(|segment| segment.fact);
    let known = fact.is_some_and(|fact| scan.known.iter().any(|known| known.fact == fact && known.is_list));
    let own = |at: usize| scan.segments.get(at).is_some_and(|segment| segment.fact == fact);
    let is_polite = |at: usize| own(at) || scan.is_glue(at) && !scan.is(at, &Sense::All) || scan.is_break(at);
    // "clear up" is something else.
    let leads = (verb + 1..list).all(|at| scan.is(at, &Sense::Definite));
    let clears = scan.is(verb, &Sense::Changing(Changing::Clear)) && clause.verb.is_none();
    if !(clears && leads && known && (list..range.end).all(is_polite)) {
        return false;
    }
    scan.explain(range.clone());
    scan.fact(FactKind::Quoted, json!(""), verb..verb + 1);
    clause.verb = Some(Verb::Write);
    clause.alternatives = vec![Verb::Write];
    clause.options.push(CLEAR.to_owned());
    true
}

/// "shopping list: eggs and bread": nothing but a list, and what goes on it.
fn put_down(scan: &mut Scan<'_>, range: &Range<usize>, clause: &mut ClauseReading) -> bool {
    let Some(list) = range.clone().find_map(|at| index_at(scan, at)) else {
        return false;
    };
    let is_list = scan.known.iter().any(|known| known.fact == list && known.is_list);
    let last = range.end - 1;
    let leads =
        |at: usize| index_at(scan, at) == Some(list) || scan.is_glue(at) || scan.sense(at, Sense::role).is_some();
    let is_alone = clause.verb.is_none() && (range.start..last).all(leads);
    let Some(said) = quoted_at(scan, last).filter(|_| is_list && is_alone).map(Fact::text) else {
        return false;
    };
    let Some(line) = listed(scan, said) else {
        clause.mark(Mark::Signs);
        return false;
    };
    if let Some(place) = scan.facts.get_mut(list) {
        place.role = Some(Role::In);
    }
    if let Some(said) = index_at(scan, last).and_then(|said| scan.facts.get_mut(said)) {
        said.value = json!(line);
    }
    clause.verb = Some(Verb::Write);
    clause.alternatives = vec![Verb::Write];
    clause.options.push(ADD.to_owned());
    true
}

/// The one file of the clause, where it stands as the place of something.
fn text_of(scan: &Scan<'_>, range: &Range<usize>) -> Option<Text> {
    let is_file = |at: usize| {
        let fact = scan.fact_at(at);
        fact.is_some_and(|fact| matches!(fact.kind, FactKind::Path | FactKind::Url | FactKind::Glob))
    };
    let start = range.clone().find(|at| is_file(*at))?;
    let fact = index_at(scan, start)?;
    let end = (start..range.end)
        .take_while(|at| index_at(scan, *at) == Some(fact))
        .last()?
        + 1;
    let others = (end..range.end).any(is_file);
    let found = scan.facts.get(fact)?;
    let known = scan.known.iter().find(|known| known.fact == fact);
    let is_text = known.is_some() || found.kind == FactKind::Path && found.is_file_path();
    (is_text && !others).then_some(Text {
        at: start..end,
        role: found.role?,
        is_known: known.is_some(),
        is_list: known.is_some_and(|known| known.is_list),
    })
}

/// The word that says what is done.
fn does(scan: &Scan<'_>, at: usize, clause: &ClauseReading) -> bool {
    let tick = [Changing::Tick, Changing::Mark, Changing::TakeOff]
        .into_iter()
        .any(|changing| scan.is(at, &Sense::Changing(changing)));
    let verb = scan.sense(at, Sense::verb);
    tick || verb.is_some() && verb == clause.verb
}

/// The words for a line.
struct Words {
    range: Range<usize>,
    /// They are a sentence behind "that", whatever it says.
    is_told: bool,
}

/// "on the shopping list put milk": the verb, where nothing stands before the text.
fn behind(scan: &Scan<'_>, range: &Range<usize>, text: &Text, clause: &mut ClauseReading) -> Option<usize> {
    let leads = |at: usize| scan.is_glue(at) || scan.sense(at, Sense::role).is_some();
    let verb = scan.skip_glue(text.at.end);
    let is_first = (range.start..text.at.start).all(leads) && clause.verb.is_none() && range.contains(&verb);
    let verbs: Vec<Verb> = scan.segments.get(verb)?.senses.iter().filter_map(Sense::verb).collect();
    let acts = |verb: &&Verb| matches!(verb, Verb::Write | Verb::Delete);
    let found = verbs.iter().find(acts).copied().filter(|_| is_first);
    if found.is_some() {
        clause.verb = found;
    }
    (found.is_some() || is_first && does(scan, verb, clause)).then_some(verb)
}

/// The words of the line: between the verb and the text, or behind the text where nothing stands between.
fn words_of_line(scan: &Scan<'_>, from: usize, text: &Text, end: usize, mode: &str) -> Option<Words> {
    let is_first = text.at.end < from;
    let between = match is_first {
        true => from..from,
        false => trimmed(scan, from..before_place(scan, from, text.at.start), mode),
    };
    let after = text.at.end.max(from);
    let passes = |at: usize| is_done(scan, at, mode) || scan.is_break(at);
    let is_polite = (after..end).all(|at| scan.is_glue(at) || passes(at) || is_beside(scan, at));
    let behind = if is_polite {
        end..end
    } else {
        trimmed(scan, after..end, mode)
    };
    let is_behind = between.is_empty();
    let range = match (is_behind, behind.is_empty()) {
        (false, true) => between,
        (true, false) if mode != REMOVE || is_first => behind,
        _ => return None,
    };
    if is_that(scan, range.start) {
        return Some(Words { range, is_told: true });
    }
    let fits = |at: usize| match mode {
        APPEND if is_behind => is_told(scan, at),
        _ => is_said(scan, at),
    };
    let is_unsaid = |at: usize| scan.is(at, &Sense::Changing(Changing::Unsaid)) && !is_due(scan, &range, at);
    let stands = |at: usize| fits(at) && !is_line(scan, at) && !is_unsaid(at);
    let is_quoted = |at: usize| quoted_at(scan, at).is_some();
    // "line 2" counts lines; only in quotes a number is what one says.
    let only_number = range.len() == 1 && scan.number(range.start).is_some();
    let is_one = range.clone().all(|at| is_quoted(at) || stands(at)) && !only_number;
    is_one.then_some(Words { range, is_told: false })
}

/// Without what only leads to the line; of a text every word counts, of a list no article does.
fn trimmed(scan: &Scan<'_>, range: Range<usize>, mode: &str) -> Range<usize> {
    let Range { mut start, mut end } = range;
    let passes = |at: usize| is_done(scan, at, mode) || scan.is_break(at) || is_beside(scan, at);
    let leads = |at: usize| {
        let counts = mode == REMOVE && items::is_one(scan, at);
        let article = mode != APPEND && items::is_article(scan, at) && !counts;
        let introduced = introduces(scan, at) || article || is_of_line(scan, at);
        passes(at) || introduced && !scan.is(at, &Sense::Changing(Changing::Unsaid))
    };
    while start < end && leads(start) {
        start += 1;
    }
    while end > start && passes(end - 1) {
        end -= 1;
    }
    start..end
}

/// Belongs to the request, or to nothing: "please", "um".
fn is_beside(scan: &Scan<'_>, at: usize) -> bool {
    items::is_aside(scan, at) || items::is_filler(scan, at)
}

fn is_done(scan: &Scan<'_>, at: usize, mode: &str) -> bool {
    mode == TICK && scan.is(at, &Sense::Changing(Changing::Done))
}

fn is_that(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Changing(Changing::That))
}

/// "of", behind the word for a line.
fn is_of_line(scan: &Scan<'_>, at: usize) -> bool {
    let joins = [Sense::Role(Role::Of), Sense::With, Sense::Contains];
    at.checked_sub(1).is_some_and(|before| is_line(scan, before)) && joins.iter().any(|sense| scan.is(at, sense))
}

/// The word for a line.
fn is_line(scan: &Scan<'_>, at: usize) -> bool {
    scan.sense(at, Sense::object)
        .is_some_and(|(object, _)| object == Object::Texts)
}

fn index_at(scan: &Scan<'_>, at: usize) -> Option<usize> {
    scan.segments.get(at)?.fact
}

fn quoted_at<'s>(scan: &'s Scan<'_>, at: usize) -> Option<&'s Fact> {
    scan.fact_at(at).filter(|fact| fact.kind == FactKind::Quoted)
}

/// What the words say: as they stand, or one thing on every line.
fn line_of(scan: &Scan<'_>, words: &Words, mode: &str) -> Option<String> {
    let range = words.range.clone();
    if let Some(fact) = range.clone().find_map(|at| quoted_at(scan, at)) {
        let said = fact.text();
        let after_colon = scan
            .original
            .get(fact.span.clone())
            .is_some_and(|own| own.starts_with(':'));
        return match range.len() == 1 {
            true if mode == ADD && after_colon => listed(scan, said),
            true => Some(said.to_owned()),
            false => None,
        };
    }
    // Somewhere a word must stand that means nothing else, and that is no word for the text itself ("add a note to it").
    let is_text = |at: usize| scan.is(at, &Sense::Changing(Changing::Container));
    let is_long = |at: usize| {
        let letters = scan.segments.get(at).map_or(0, |own| own.fold.chars().count());
        mode != APPEND && scan.is_glue(at) && letters > SMALL_LETTERS_MAX
    };
    let means_itself = |at: usize| scan.is_unknown(at) || scan.sense(at, Sense::place).is_some() || is_long(at);
    if !range
        .clone()
        .any(|at| means_itself(at) && !scan.is_break(at) && !is_text(at))
    {
        return None;
    }
    if mode != APPEND && !words.is_told {
        return Some(items::items(scan, range, mode == REMOVE)?.join("\n"));
    }
    let from = scan.segments.get(range.start)?.span.start;
    let to = scan.segments.get(range.end - 1)?.span.end;
    let said = scan.original.get(from..to)?;
    let told = said.split_once(char::is_whitespace).filter(|_| words.is_told);
    Some(told.map_or(said, |(_that, told)| told.trim_start()).to_owned())
}

/// "add to the list: milk, eggs": behind a colon everything is said of the list, one thing a line all the same.
fn listed(scan: &Scan<'_>, said: &str) -> Option<String> {
    let tokens = token::tokens(said, &HashSet::new(), &Home::unknown(), None);
    let own = Scan::new(said, &tokens, &[], scan.lexicon);
    let end = own.segments.len();
    Some(items::items(&own, 0..end, false)?.join("\n"))
}
