//! "only the pdfs", "which are bigger than 1 mb?", "the biggest", "how many are in ~/docs?": messages that choose among
//! what the request before found, as one request with it. Called by `engine::follow_up`, which says whether the plan of
//! the whole is narrower than the one before. A message that says what to do, or names things of its own, is none.

use super::{Kind, Language, trimmed};
use crate::{
    Fact, FactKind,
    reading::{Mark, Measure, Reading},
    refer::edited,
    sense::{Role, Sense},
};

/// How a message chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It says so: "which are pdfs?", "only those". Where the whole makes no sense, neither does the message.
    Said,
    /// It names a kind alone, "the pdfs", and may be a request of its own.
    Kind,
}

impl Language {
    /// Whether a message only chooses among things that were found, and how.
    pub fn may_choose(&self, own: &Reading) -> Option<Choice> {
        let [clause] = own.clauses.as_slice() else {
            return None;
        };
        let says_more = !clause.word.is_empty()
            || clause.projection.is_some()
            || clause.group_by.is_some()
            || clause.is(Mark::Negated)
            || clause.is(Mark::Conditional)
            || clause.is(Mark::There)
            || !own.unaccounted.is_empty();
        if says_more {
            return None;
        }
        let chooses = |kind| matches!(kind, FactKind::Glob | FactKind::Size | FactKind::Window);
        let is_place = |fact: &Fact| fact.kind == FactKind::Path && fact.role == Some(Role::In);
        let of_places = own.facts.iter().all(is_place);
        // "how many are in ~/docs?", "how many are pdfs?"
        if clause.measure.is_some() {
            let counts = clause.measure == Some(Measure::Count) && clause.nouns.is_empty() && !own.facts.is_empty();
            let some = of_places || self.counts_kind(own);
            return (counts && clause.order.is_none() && some).then_some(Choice::Said);
        }
        if clause.order.is_some() {
            return (clause.nouns.is_empty() && of_places).then_some(Choice::Said);
        }
        let first = own.facts.iter().map(|fact| fact.span.start).min()?;
        let only_chooses = own.facts.iter().all(|fact| chooses(fact.kind)) || of_places;
        self.asks_which(own, first).filter(|_| only_chooses)
    }

    /// What such a message says, as a part of the request that found them.
    pub fn chosen(&self, before: &Reading, own: &Reading, how: Choice) -> Option<String> {
        let some = self.some_of(before, own, how)?;
        let counts = own.measures() && !before.measures();
        Some(if counts {
            self.joined(&some, &self.lexicon(own.lang).count, own.lang)
        } else {
            some
        })
    }

    fn some_of(&self, before: &Reading, own: &Reading, how: Choice) -> Option<String> {
        let [clause] = own.clauses.as_slice() else { return None };
        let lexicon = self.lexicon(own.lang);
        let shown = |found: &str| self.joined(found, &lexicon.show, own.lang);
        let first = own.facts.iter().map(|fact| fact.span.start).min();
        let Some(first) = first else {
            let order = own.original.get(clause.span.start..clause.span.end)?;
            return Some(format!("{} {order}", shown(&before.original)));
        };
        let what = own.original.get(first..)?;
        let is_place = |kind: &Kind| *kind == Kind::Fact(FactKind::Path);
        let of_place = own.values().iter().any(|value| is_place(&value.kind));
        let places = before.values().iter().filter(|value| is_place(&value.kind)).count();
        let there = format!("{} {} {what}", trimmed(&before.original), lexicon.inside);
        // "the three biggest", "only those in ~/docs" are not the three biggest of there.
        let is_ordered = before.clauses.iter().any(|clause| clause.order.is_some());
        if of_place && is_ordered && places == 0 {
            return None;
        }
        match (of_place, places) {
            // "find the photos", "the newest in downloads": what leads to the place is said before it now.
            (true, 0) if clause.order.is_some() => {
                let (order, _leads) = own
                    .original
                    .get(clause.span.start..first)?
                    .trim_end()
                    .rsplit_once(' ')?;
                Some(format!("{} {order}", shown(&there)))
            }
            // "find the pdfs", "which are in downloads?"
            (true, 0) => Some(there),
            // "and those in ~/notes?": the same in another place.
            (true, 1) if clause.order.is_none() => before.with_value_of(own, &|_| Some(true)),
            // "find the pdfs in ~/a and ~/b", "only those in ~/a"
            (true, 2..) if clause.order.is_none() => before.in_one_place_of(own),
            // "find the pdfs in ~/a", "the txt"
            (false, _) if how == Choice::Kind && before.has_kind() => before.with_value_of(own, &|_| Some(true)),
            _ => Some(format!("{} {} {what}", shown(&before.original), lexicon.those)),
        }
    }

    /// "how many are pdfs?": one kind, and not "how many pdfs".
    fn counts_kind(&self, own: &Reading) -> bool {
        let scan = self.words_of(&own.original, own.lang);
        let [kind] = own.facts.as_slice() else { return false };
        let at = scan
            .segments
            .iter()
            .position(|segment| segment.span.start == kind.span.start);
        let asks = (0..scan.segments.len()).find(|at| scan.is(*at, &Sense::HowMany));
        let (Some(at), Some(asks)) = (at, asks) else {
            return false;
        };
        kind.kind == FactKind::Glob && at > asks + 1 && (asks + 1..at).all(|between| scan.is_glue(between))
    }

    /// Nothing but "which are", "only", "those" stands before a value: "which pdfs" speaks of all there are, and "which
    /// are not" of the others.
    fn asks_which(&self, own: &Reading, value: usize) -> Option<Choice> {
        let scan = self.words_of(&own.original, own.lang);
        let before = |at: &usize| scan.segments.get(*at).is_some_and(|own| own.span.start < value);
        let leads: Vec<usize> = (0..scan.segments.len())
            .take_while(before)
            .skip_while(|at| scan.is_joint(*at) || scan.is(*at, &Sense::Show) && !scan.is(*at, &Sense::Which))
            .collect();
        let is = |at: usize, sense: &Sense| scan.is(at, sense);
        let passes = |at: &usize| {
            let asks = [
                Sense::Which,
                Sense::Only,
                Sense::Plural,
                Sense::Changed,
                Sense::Anaphora,
                Sense::Role(Role::In),
            ];
            scan.is_glue(*at) || asks.iter().any(|sense| is(*at, sense))
        };
        let (which, others) = leads.split_first().filter(|_| leads.iter().all(passes))?;
        let is_phrase = scan.segments.get(*which).is_some_and(|own| own.fold.contains(' '));
        let of_kind = |own: &Fact| own.span.start == value && own.kind == FactKind::Glob;
        let links = is_phrase || !others.is_empty() || !own.facts.iter().any(of_kind);
        let points = is(*which, &Sense::Anaphora) && !is(*which, &Sense::Definite);
        let says = is(*which, &Sense::Which) && links || is(*which, &Sense::Only) || points;
        let names = is(*which, &Sense::Definite) && others.is_empty() && own.facts.iter().all(of_kind);
        if says {
            Some(Choice::Said)
        } else {
            names.then_some(Choice::Kind)
        }
    }
}

impl Reading {
    /// Asks how many there are, or how large they are together.
    pub fn measures(&self) -> bool {
        self.clauses.iter().any(|clause| clause.measure.is_some())
    }

    fn has_kind(&self) -> bool {
        self.facts.iter().any(|fact| fact.kind == FactKind::Glob)
    }

    /// This request with the one place that another names instead of its own.
    fn in_one_place_of(&self, other: &Self) -> Option<String> {
        let is_place = |fact: &&Fact| fact.kind == FactKind::Path;
        let place = other.facts.iter().find(is_place)?;
        let own: Vec<&Fact> = self.facts.iter().filter(is_place).collect();
        let start = own.iter().map(|own| own.span.start).min()?;
        let end = own.iter().map(|own| own.span.end).max()?;
        let said = other.original.get(place.span.clone())?;
        Some(edited(&self.original, vec![(start..end, said.to_owned())]))
    }
}
