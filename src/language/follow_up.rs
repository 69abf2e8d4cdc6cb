//! Two messages as one request: "find the pdf files in ~/docs", "delete them"; "and in ~/photos?". Called by
//! `engine::follow_up`, which says whether what comes of it makes sense. It adds no word but the one that joins them.

use std::ops::Range;

use super::{FactKind, Language, home::Home, reading::Reading, scan::Scan, sense::Sense, token};
use crate::domain::lang::Lang;

/// What a value is, so that another one can take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fact(FactKind),
    /// A time that is no fact.
    Time,
}

impl Language {
    /// Both in one sentence: "find the pdf files in ~/docs and delete them".
    pub fn joined(&self, before: &str, after: &str, lang: Lang) -> String {
        let lexicon = self.lexicon(lang);
        let tokens = token::tokens(after, &self.known, &Home::unknown(), None);
        let scan = Scan::new(after, &tokens, &[], lexicon);
        let leads = |at: &usize| scan.is_joint(*at) || scan.is(*at, &Sense::Stop) && !scan.is(*at, &Sense::Anaphora);
        let start = (0..scan.segments.len()).find(|at| !leads(at));
        let start = start
            .and_then(|at| scan.segments.get(at))
            .map_or(0, |first| first.span.start);
        let before = before.trim_end_matches(|letter: char| letter.is_whitespace() || ".,;:!?".contains(letter));
        let after = after.get(start..).unwrap_or(after);
        format!("{before} {} {after}", lexicon.joint)
    }
}

impl Reading {
    /// This request with the one value of another in the place of its own of that kind: "and in ~/photos?".
    pub fn with_value_of(&self, other: &Self) -> Option<String> {
        let [(kind, value)] = other.values().try_into().ok()?;
        let mut own = self.values();
        own.retain(|(own, _)| *own == kind);
        let [(_, place)] = own.try_into().ok()?;
        let (begin, end) = (self.original.get(..place.start)?, self.original.get(place.end..)?);
        Some(format!("{begin}{}{end}", other.original.get(value)?))
    }

    /// Its values, and where they stand.
    fn values(&self) -> Vec<(Kind, Range<usize>)> {
        let facts = || self.facts.iter().filter(|fact| fact.kind != FactKind::Taken);
        let is_free = |span: &Range<usize>| !facts().any(|own| own.span.start < span.end && span.start < own.span.end);
        let times = self.times.iter().filter(|time| is_free(&time.span));
        facts()
            .map(|fact| (Kind::Fact(fact.kind), fact.span.clone()))
            .chain(times.map(|time| (Kind::Time, time.span.clone())))
            .collect()
    }
}
