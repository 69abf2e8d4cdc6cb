//! "actually make that 8", "anzi facciamo 8", "no, to archive", "I meant at 6": one value in the place of one that the
//! request before has. Called by `engine::follow_up`, which says whether the request that comes of it is one of
//! the same kind. A message that says anything beside the value, such as another deed, mends nothing.

use std::ops::Range;

use jiff::Zoned;

use super::{FactKind, Language};
use crate::{
    reading::Reading,
    scan::Scan,
    sense::{Changing, Sense},
    time::Value,
};
use metnos_domain::vocabulary::Verb;

/// How a message begins that puts something right.
pub(super) struct Correction {
    /// The segments of what is right.
    pub(super) words: Range<usize>,
    /// It says that something else was meant, rather than only no.
    pub(super) is_meant: bool,
}

/// What a message says is right, without the words that say so; `None` where it corrects nothing.
pub(super) fn correction(scan: &Scan<'_>) -> Option<Correction> {
    let is = |at: usize, changing: Changing| scan.is(at, &Sense::Changing(changing));
    let all = 0..scan.segments.len();
    let is_sorry = |at: usize| scan.is(at, &Sense::Opening) || scan.is_glue(at) && !is(at, Changing::Article);
    let leads = |at: usize| scan.is_break(at) || is(at, Changing::NotSo) || is(at, Changing::Corrects) || is_sorry(at);
    let start = all.clone().find(|at| !leads(*at))?;
    let is_meant = (0..start).any(|at| is(at, Changing::Corrects));
    let is_denied = (1..start).any(|at| is(at - 1, Changing::NotSo) && scan.is_break(at));
    let mut end = all.end;
    while end > start && (scan.is_break(end - 1) || is(end - 1, Changing::Aside)) {
        end -= 1;
    }
    // "make it", "make that"
    let points = |at: usize| {
        (scan.is(at, &Sense::Anaphora) || scan.is_glue(at) && !is(at, Changing::Article)) && !is_number(scan, at)
    };
    let is_made = scan.sense(start, Sense::verb) == Some(Verb::Create) && points(start + 1);
    let start = if is_made { start + 2 } else { start };
    (is_meant || is_denied).then_some(Correction {
        words: start.min(end)..end,
        is_meant,
    })
}

impl Language {
    /// The request before with the value in it that a message puts right. `read` reads a text at home; `is_there` says
    /// whether a file is.
    pub fn amended(
        &self,
        before: &Reading,
        text: &str,
        now: &Zoned,
        read: &dyn Fn(&str) -> Reading,
        is_there: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let scan = self.scan_of(text, before.lang, now);
        let Correction { words, .. } = correction(&scan)?;
        // "facciamo": what is done stays as it was.
        let makes = |at: &usize| {
            let is_made = scan.sense(*at, Sense::verb) == Some(Verb::Create);
            (is_made || scan.is_glue(*at)) && !is_number(&scan, *at)
        };
        let start = words.clone().find(|at| !makes(at))?;
        let own = read(text.get(span_of(&scan, &(start..words.end))?)?);
        let says_deed = own.clauses.iter().any(|clause| !clause.word.is_empty());
        if says_deed || own.was_question {
            return None;
        }
        let length = || before.with_length_of(&own);
        let number = || self.with_number_of(before, &scan, start..words.end, own.times.len() == 1, now);
        let value = || {
            before
                .with_value_of(&own, is_there)
                .filter(|_| own.unaccounted.is_empty())
        };
        length().or_else(number).or_else(value)
    }

    /// "8", "at 6 pm", "alle 7 e mezza": the one number of each, with what follows it where that says the time.
    fn with_number_of(
        &self,
        before: &Reading,
        own: &Scan<'_>,
        words: Range<usize>,
        is_time: bool,
        now: &Zoned,
    ) -> Option<String> {
        let scan = self.scan_of(&before.original, before.lang, now);
        let is_name = |run: &Range<usize>| {
            let is_of = |kind| matches!(kind, FactKind::Path | FactKind::Quoted | FactKind::Title);
            let names = before.facts.iter().filter(|fact| is_of(fact.kind));
            let span = span_of(&scan, run).unwrap_or_default();
            let mut names = names.map(|fact| &fact.span);
            names.any(|name| name.start < span.end && span.start < name.end)
        };
        let [right] = <[_; 1]>::try_from(runs(own, words.clone())).ok()?;
        let mut wrong = runs(&scan, 0..scan.segments.len());
        wrong.retain(|run| !is_name(run));
        let [wrong] = <[_; 1]>::try_from(wrong).ok()?;
        let leads = |at: usize| own.is_glue(at) || own.sense(at, Sense::role).is_some();
        let fold = |scan: &Scan<'_>, at: usize| scan.segments.get(at).map(|own| own.fold.clone());
        let is_same = (right.end..words.end).all(|at| fold(own, at) == fold(&scan, wrong.end + at - right.end));
        if !(words.start..right.start).all(leads) || !is_same && !is_time {
            return None;
        }
        let end = if is_same { right.end } else { words.end };
        let said = own.original.get(span_of(own, &(right.start..end))?)?;
        Some(with(&before.original, &span_of(&scan, &wrong)?, said))
    }
}

impl Reading {
    /// This request with another length of time in the place of its own: "half an hour" for "10 minutes".
    fn with_length_of(&self, other: &Self) -> Option<String> {
        let length = |reading: &Self| {
            let mut own = reading.times.iter().filter(|time| {
                time.readings
                    .iter()
                    .all(|reading| matches!(reading, Value::Duration(_)))
            });
            let length = own.next().filter(|_| own.next().is_none());
            length.map(|time| time.span.clone())
        };
        let (wrong, right) = (length(self)?, length(other)?);
        Some(with(&self.original, &wrong, other.original.get(right)?))
    }
}

/// Numbers, each with the signs inside: "8", "7:30".
fn runs(scan: &Scan<'_>, words: Range<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in words.filter(|at| is_number(scan, *at)) {
        match runs.last_mut() {
            Some(run) if run.end == at || run.end + 1 == at && scan.is_break(run.end) => run.end = at + 1,
            Some(_) | None => runs.push(at..at + 1),
        }
    }
    runs
}

/// A number, also one that is part of a time.
fn is_number(scan: &Scan<'_>, at: usize) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    scan.number(at).is_some() || scan.segments.get(at).is_some_and(|own| is_digits(&own.fold))
}

fn span_of(scan: &Scan<'_>, words: &Range<usize>) -> Option<Range<usize>> {
    let (first, last) = (
        scan.segments.get(words.start)?,
        scan.segments.get(words.end.checked_sub(1)?)?,
    );
    Some(first.span.start..last.span.end)
}

/// A text with another one in the place of a part of it.
pub(super) fn with(text: &str, part: &Range<usize>, other: &str) -> String {
    let (before, behind) = (
        text.get(..part.start).unwrap_or(text),
        text.get(part.end..).unwrap_or_default(),
    );
    format!("{before}{other}{behind}")
}
