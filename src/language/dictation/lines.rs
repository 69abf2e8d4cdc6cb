//! Lines of a text that is there: "add milk and eggs to my shopping list", "take Luca off the list", "mark the dentist as
//! done in the todo list". Called by `clauses` for each clause. It finds what the line says and what is done with it; no
//! words that could be something else become a line.

use std::ops::Range;

use serde_json::json;

use super::{introduces, is_said, leads_to_place};
use crate::{
    domain::vocabulary::{Object, Verb},
    language::{
        ClauseReading, Fact, FactKind, Mark,
        scan::Scan,
        sense::{Changing, Role, Sense},
    },
};

/// What is done with lines, by the names plans use.
const ADD: &str = "add_lines";
const APPEND: &str = "append";
const REMOVE: &str = "remove_lines";
const CLEAR: &str = "clear_lines";
const TICK: &str = "tick_lines";

/// Letters of the longest article. "present" is a word without demand too, and may be what is to be bought.
const ARTICLE_LETTERS_MAX: usize = 5;

/// The text a clause speaks of.
struct Text {
    /// Where its name stands.
    at: Range<usize>,
    role: Role,
    is_known: bool,
    is_list: bool,
}

/// Reads what a clause says of lines; false when it does not.
pub(in crate::language) fn said(scan: &mut Scan<'_>, range: &Range<usize>, clause: &mut ClauseReading) -> bool {
    if cleared(scan, range, clause) {
        return true;
    }
    let Some(text) = text_of(scan, range) else {
        return false;
    };
    let mut before = range.start..text.at.start;
    let Some(verb) = before.find(|at| does(scan, *at, clause)) else {
        return false;
    };
    let is_done = |at: usize| scan.is(at, &Sense::Changing(Changing::Done));
    let ticks = scan.is(verb, &Sense::Changing(Changing::Tick))
        || scan.is(verb, &Sense::Changing(Changing::Mark)) && range.clone().any(is_done);
    let takes_off = scan.is(verb, &Sense::Changing(Changing::TakeOff));
    let writes = clause.verb == Some(Verb::Write) || clause.alternatives.contains(&Verb::Write);
    // "delete the policy from the insurance" speaks of a file, unless it is a list or the line is named.
    let of_lines = text.is_list || (verb..text.at.start).any(|at| is_line(scan, at));
    let mode = match text.role {
        Role::In | Role::To if ticks => TICK,
        Role::From | Role::In if clause.verb == Some(Verb::Delete) && of_lines => REMOVE,
        Role::From if takes_off => REMOVE,
        Role::In | Role::To if writes && text.is_known && text.is_list => ADD,
        Role::In | Role::To if writes && text.is_known => APPEND,
        Role::From | Role::In | Role::To | Role::Of => return false,
    };
    let words = words_of_line(scan, verb + 1, &text, range.end, mode);
    let line = words.and_then(|words| Some((line_of(scan, words.clone(), mode != APPEND)?, words)));
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
    let is_polite = |at: usize| own(at) || scan.is_glue(at) && !scan.is(at, &Sense::All) || is_sign(scan, at);
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

/// The one file of the clause, where it stands as the place of something.
fn text_of(scan: &Scan<'_>, range: &Range<usize>) -> Option<Text> {
    let fact_at = |at: usize| scan.segments.get(at).and_then(|segment| segment.fact);
    let is_file = |at: usize| {
        let fact = fact_at(at).and_then(|fact| scan.facts.get(fact));
        fact.is_some_and(|fact| matches!(fact.kind, FactKind::Path | FactKind::Url | FactKind::Glob))
    };
    let start = range.clone().find(|at| is_file(*at))?;
    let fact = fact_at(start)?;
    let end = (start..range.end).take_while(|at| fact_at(*at) == Some(fact)).last()? + 1;
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

/// The words of the line: between the verb and the text, or behind the text where nothing stands between.
fn words_of_line(scan: &Scan<'_>, from: usize, text: &Text, end: usize, mode: &str) -> Option<Range<usize>> {
    let is_done = |at: usize| mode == TICK && scan.is(at, &Sense::Changing(Changing::Done));
    let passes = |at: usize| is_done(at) || is_sign(scan, at);
    let trimmed = |range: Range<usize>| {
        let (mut start, mut end) = (range.start, range.end);
        let is_unsaid = |at: usize| scan.is(at, &Sense::Changing(Changing::Unsaid));
        let leads = |at: usize| {
            let introduced = introduces(scan, at) || is_article(scan, at) || is_of_line(scan, at);
            passes(at) || introduced && !is_unsaid(at)
        };
        while start < end && leads(start) {
            start += 1;
        }
        while end > start && passes(end - 1) {
            end -= 1;
        }
        start..end
    };
    let mut before = text.at.start;
    while before > from && leads_to_place(scan, before - 1) {
        before -= 1;
    }
    let between = trimmed(from..before);
    let is_polite = (text.at.end..end).all(|at| scan.is_glue(at) || passes(at));
    let behind = if is_polite { end..end } else { trimmed(text.at.end..end) };
    let words = match (between.is_empty(), behind.is_empty()) {
        (false, true) => between,
        (true, false) if mode != REMOVE => behind,
        _ => return None,
    };
    let stands =
        |at: usize| is_said(scan, at) && !is_line(scan, at) && !scan.is(at, &Sense::Changing(Changing::Unsaid));
    let is_quoted = |at: usize| quoted_at(scan, at).is_some();
    // "line 2" counts lines; only in quotes a number is what one says.
    let only_number = words.len() == 1 && scan.number(words.start).is_some();
    let is_one = words.clone().all(|at| is_quoted(at) || stands(at)) && !only_number;
    is_one.then_some(words)
}

fn is_sign(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments.get(at).is_some_and(|segment| segment.mark.is_some())
}

/// "the", "some": they belong to the sentence and not to the line.
fn is_article(scan: &Scan<'_>, at: usize) -> bool {
    let is_short = scan
        .segments
        .get(at)
        .is_some_and(|segment| segment.fold.chars().count() <= ARTICLE_LETTERS_MAX);
    is_short && scan.is_glue(at) && !scan.is(at, &Sense::All) && !scan.is_value(at)
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

fn quoted_at<'s>(scan: &'s Scan<'_>, at: usize) -> Option<&'s Fact> {
    let fact = scan.segments.get(at).and_then(|segment| scan.facts.get(segment.fact?));
    fact.filter(|fact| fact.kind == FactKind::Quoted)
}

/// What the words say: as they stand, or one thing on every line.
fn line_of(scan: &Scan<'_>, words: Range<usize>, is_list: bool) -> Option<String> {
    if let Some(fact) = words.clone().find_map(|at| quoted_at(scan, at)) {
        return (words.len() == 1).then(|| fact.text().to_owned());
    }
    // Somewhere a word must stand that means nothing else.
    let means_itself = |at: usize| scan.is_unknown(at) || scan.sense(at, Sense::place).is_some();
    if !words.clone().any(|at| means_itself(at) && !is_sign(scan, at)) {
        return None;
    }
    let ends = |at: usize| is_list && scan.is_joint(at);
    let mut lines = Vec::new();
    let mut start = words.start;
    for at in words.start..=words.end {
        if at < words.end && !ends(at) {
            continue;
        }
        while start < at && is_article(scan, start) {
            start += 1;
        }
        if start < at {
            let from = scan.segments.get(start)?.span.start;
            let to = scan.segments.get(at - 1)?.span.end;
            lines.push(scan.original.get(from..to)?);
        }
        start = at + 1;
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}
