//! "actually make that 8", "anzi facciamo 8", "no, to archive", "I meant at 6": one value in the place of one that the
//! request before has. Called by `engine::follow_up`, which says whether the request that comes of it is one of
//! the same kind. A message that says anything beside the value, such as another deed, mends nothing.

use std::ops::Range;

use jiff::Zoned;

use super::{FactKind, Language};
use crate::{
    reading::Reading,
    refer::edited,
    scan::Scan,
    sense::{Changing, Sense},
    time::{Mention, Value},
};
use metnos_domain::{lang::Lang, vocabulary::Verb};

/// How a message begins that puts something right.
pub(super) struct Correction {
    /// The segments of what is right.
    pub(super) words: Range<usize>,
    /// It says that something else was meant, rather than only no.
    pub(super) is_meant: bool,
    /// The word of grammar right before, such as "at".
    pub(super) leader: Option<usize>,
}

/// What a message says is right, without the words that say so; `None` where it corrects nothing.
pub(super) fn correction(scan: &Scan<'_>) -> Option<Correction> {
    let is = |at: usize, changing: Changing| scan.is(at, &Sense::Changing(changing));
    let all = 0..scan.segments.len();
    let is_sorry = |at: usize| {
        let pauses = scan.is(at, &Sense::Opening) || is(at, Changing::Filler);
        pauses || scan.is_glue(at) && !is(at, Changing::Article)
    };
    let leads = |at: usize| scan.is_break(at) || is(at, Changing::NotSo) || is(at, Changing::Corrects) || is_sorry(at);
    let start = all.clone().find(|at| !leads(*at))?;
    let mut is_meant = (0..start).any(|at| is(at, Changing::Corrects));
    let mut end = all.end;
    // "Make it 6:45 actually", "in the jazz folder I meant".
    while end > start && (scan.is_break(end - 1) || is(end - 1, Changing::Aside) || is(end - 1, Changing::Corrects)) {
        end -= 1;
        is_meant |= is(end, Changing::Corrects);
    }
    // "make it", "make that"
    let points = |at: usize| {
        (scan.is(at, &Sense::Anaphora) || scan.is_glue(at) && !is(at, Changing::Article)) && !is_number(scan, at)
    };
    let makes = scan.sense(start, Sense::verb) == Some(Verb::Create);
    let pointer = start + 1;
    let is_made = makes && points(pointer);
    // "No facciamo alle 8": who only says no goes on behind a mark.
    let denies = |at: usize| is(at, Changing::NotSo) && (at + 1 == start && makes || scan.is_break(at + 1));
    let is_denied = (0..start).any(denies);
    let is_leader = |at: &usize| scan.is_glue(*at) && !is(*at, Changing::NotSo) && !is(*at, Changing::Corrects);
    let leader = start.checked_sub(1).filter(is_leader).filter(|_| !is_made);
    let start = if is_made { start + 2 } else { start };
    // "Sorry make that 6": what was set is pointed at, and gets another number; "make also b.txt" makes one more.
    let points_back = scan.is(pointer, &Sense::Anaphora) || is(pointer, Changing::That);
    let is_clear = points_back && !is(pointer, Changing::Article) && !is(pointer, Changing::Further);
    let is_other = is_made && is_clear && start < end && is_number(scan, start);
    (is_meant || is_denied || is_other).then_some(Correction {
        words: start.min(end)..end,
        is_meant,
        leader,
    })
}

impl Language {
    /// Whether a message begins like one that puts something right, in any language: nearly none does.
    pub fn corrects(&self, text: &str, now: &Zoned) -> bool {
        let corrects = |lang: Lang| correction(&self.scan_of(text, lang, now)).is_some();
        Lang::BUILT_IN.into_iter().any(corrects)
    }

    /// The request before with the value in it that a message puts right. `read` reads a text at home; `there` says
    /// whether a file is, and nothing of a folder.
    pub fn amended(
        &self,
        before: &Reading,
        text: &str,
        now: &Zoned,
        read: &dyn Fn(&str) -> Reading,
        there: &dyn Fn(&str) -> Option<bool>,
    ) -> Option<String> {
        let scan = self.scan_of(text, before.lang, now);
        let Correction { words, leader, .. } = correction(&scan)?;
        if text.contains('?') {
            return None;
        }
        // "facciamo 8": what is done stays as it was. With anything but a number behind, something is to be made.
        let makes = scan.sense(words.start, Sense::verb) == Some(Verb::Create);
        let start = if makes { words.start + 1 } else { words.start };
        let first = (start..words.end).find(|at| !leads(&scan, *at));
        if makes && !first.is_some_and(|at| is_number(&scan, at)) || start >= words.end {
            return None;
        }
        let right = scan.span_of(&(start..words.end))?;
        let own = read(text.get(right.clone())?);
        let says_deed = own.clauses.iter().any(|clause| !clause.word.is_empty());
        if says_deed || own.was_question {
            return None;
        }
        let times = own.times.iter().map(|time| time.span.clone());
        let facts = own.facts.iter().map(|fact| fact.span.clone());
        let values: Vec<Range<usize>> = times.chain(facts).collect();
        // Nothing stands beside the value but what leads to it: "not 8", "if it rains 8", "I'm back at 8" say more.
        let is_beside = |at: usize| {
            let span = scan.segments.get(at).map_or(0..0, |segment| segment.span.clone());
            let inside =
                |value: &Range<usize>| right.start + value.start <= span.start && span.end <= right.start + value.end;
            !is_number(&scan, at) && !values.iter().any(inside)
        };
        let beside: Vec<usize> = (start..words.end).filter(|at| is_beside(*at)).collect();
        let only_leads = beside.iter().all(|at| leads(&scan, *at));
        let length = || before.with_length_of(&own).filter(|_| only_leads);
        let number = || {
            self.with_number_of(
                before,
                &scan,
                start..words.end,
                (!own.times.is_empty(), leader, &beside),
                now,
            )
        };
        // Of a time only its numbers are put right: "at 8" leaves the day as it was said.
        let is_fact = only_leads
            && own.times.is_empty()
            && own.unaccounted.is_empty()
            && runs(&scan, start..words.end).is_empty();
        let value = || before.with_value_of(&own, there).filter(|_| is_fact);
        length().or_else(number).or_else(value)
    }

    /// "8", "at 6 pm", "alle 7 e mezza": the one number of each, with what follows it where that says the time. A time
    /// takes the place of a time, behind the same word.
    fn with_number_of(
        &self,
        before: &Reading,
        own: &Scan<'_>,
        words: Range<usize>,
        (is_time, leader, beside): (bool, Option<usize>, &[usize]),
        now: &Zoned,
    ) -> Option<String> {
        let scan = self.scan_of(&before.original, before.lang, now);
        let [right] = <[_; 1]>::try_from(runs(own, words.clone())).ok()?;
        let mut wrong = runs(&scan, 0..scan.segments.len());
        let is_of = |kind| matches!(kind, FactKind::Path | FactKind::Quoted | FactKind::Title);
        let names = before.facts.iter().filter(|fact| is_of(fact.kind));
        let names: Vec<&Range<usize>> = names.map(|fact| &fact.span).collect();
        wrong.retain(|run| {
            let span = scan.span_of(run).unwrap_or_default();
            !names.iter().any(|name| name.start < span.end && span.start < name.end)
        });
        let [wrong] = <[_; 1]>::try_from(wrong).ok()?;
        let fold =
            |scan: &Scan<'_>, at: Option<usize>| at.and_then(|at| scan.segments.get(at)).map(|own| own.fold.clone());
        let is_same =
            (right.end..words.end).all(|at| fold(own, Some(at)) == fold(&scan, Some(wrong.end + at - right.end)));
        let span = scan.span_of(&wrong)?;
        let time = before
            .times
            .iter()
            .find(|time| time.span.start <= span.start && span.end <= time.span.end);
        // "9 am" is not "3 pm am"; "half past 7" is not "half past 8".
        let ends = time.is_some_and(|time| time.span.end == span.end);
        let leader = if right.start > words.start {
            Some(right.start - 1)
        } else {
            leader
        };
        let is_led_alike = leader.is_none() || fold(own, leader) == fold(&scan, wrong.start.checked_sub(1));
        let led = (words.start..right.start).all(|at| leads(own, at));
        let says_no_more = beside.iter().all(|at| leads(own, *at) || is_same && *at >= right.end);
        let before_run = wrong.start.checked_sub(1);
        let begins = time.is_none_or(|time| time.span.start == span.start);
        let behind_leader = begins || before_run.is_none_or(|at| leads(&scan, at));
        let fits = (is_same || is_time && ends) && (!is_time || time.is_some()) && behind_leader;
        if !(led && is_led_alike && says_no_more && fits) {
            return None;
        }
        let end = if is_same { right.end } else { words.end };
        let said = own.original.get(own.span_of(&(right.start..end))?)?;
        Some(edited(&before.original, vec![(span, said.to_owned())]))
    }
}

impl Reading {
    /// This request with another length of time in the place of its own: "half an hour" for "10 minutes".
    fn with_length_of(&self, other: &Self) -> Option<String> {
        let length = |reading: &Self| {
            let lasts = |time: &&Mention| {
                time.readings
                    .iter()
                    .all(|reading| matches!(reading, Value::Duration(_)))
            };
            let mut own = reading.times.iter().filter(lasts);
            let length = own.next().filter(|_| own.next().is_none());
            length.map(|time| time.span.clone())
        };
        let (wrong, right) = (length(self)?, length(other)?);
        let said = other.original.get(right)?;
        Some(edited(&self.original, vec![(wrong, said.to_owned())]))
    }
}

/// Nothing but a word of grammar that leads to a value: "at", "the", "to".
fn leads(scan: &Scan<'_>, at: usize) -> bool {
    let is_grammar = |sense: &Sense| {
        let article = *sense == Sense::Changing(Changing::Article);
        article || matches!(sense, Sense::Stop | Sense::Role(_) | Sense::Definite | Sense::Joined)
    };
    let senses = scan.segments.get(at).map_or(&[][..], |own| own.senses);
    scan.segments.get(at).is_some_and(|own| own.fact.is_none()) && !senses.is_empty() && senses.iter().all(is_grammar)
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
