//! The one clause of a message that counts, where all else is an aside. Asked by the pattern layer for a message that
//! nobody reads as a whole. It never takes a clause out of a message that says when it counts, or takes it back.

use super::near::written;
use crate::{
    engine::{
        dispatch::Cascade,
        frames::{self, Clause},
        patterns::{Pattern, PatternMatch, command::Command},
    },
    language::outline::{Sign, Word},
};

impl Cascade<'_> {
    /// The only clause that asks or tells something, where all else is an aside: "whats 15% of 84? working out the tip".
    pub(super) fn only_clause(&self) -> Option<String> {
        // "…, no wait", "she said: …" turn the clause beside them, too.
        self.clause_beside_asides(&|words, only| {
            let is_beside = |at: usize| !only.words.contains(&at);
            // "Turn off the lamp. Preferably tonight", "…, I mean 12": it may be the one that is meant.
            let is_value = |word: &Word| word.is_time || word.is_number();
            let is_another = words
                .iter()
                .enumerate()
                .any(|(at, word)| is_value(word) && is_beside(at));
            if !only.asks && (is_another || self.reading.scheduled || is_told(words, only)) {
                return false;
            }
            let turns = |(at, word): (usize, &Word)| word.may_be(&Sign::Negation) && is_beside(at);
            let counts = only.asks || begins_deed(words, only) || self.commands(words, only);
            counts && !words.iter().enumerate().any(turns)
        })
    }

    /// Whether a clause is a command to a clock as it stands: one that sets or lists, by a verb or its noun.
    fn commands(&self, words: &[Word], clause: &Clause) -> bool {
        let first = clause.words.first().copied().unwrap_or_default();
        let begins = words.get(first).is_some_and(|word| !word.is_glue && !word.is_number());
        if !begins {
            return false;
        }
        let text = written(&self.reading.original, words, &clause.words);
        let matched = text.map(|text| self.engine.by_rule(&text, &self.turn.actor));
        let Some(PatternMatch::Hit(Pattern::Command(command))) = matched else {
            return false;
        };
        matches!(
            command,
            Command::SetTimer { .. } | Command::SetAlarm(_) | Command::ListSchedules { .. }
        )
    }

    /// The clause that takes the last change back, where all else is an aside: "no, I need that, bring it back".
    pub(super) fn clause_that_takes_back(&self) -> Option<String> {
        self.clause_beside_asides(&|words, only| {
            let text = written(&self.reading.original, words, &only.words);
            text.is_some_and(|text| self.engine.takes_back(&text, &self.turn.actor))
        })
    }

    /// The clause of a message that counts, where no other one asks or tells anything and nothing says when it counts.
    fn clause_beside_asides(&self, counts: &dyn Fn(&[Word], &Clause) -> bool) -> Option<String> {
        if !self.reading.is_read() || self.engine.patterns.keep_from(&self.turn.text) {
            return None;
        }
        let words = self.words();
        if words.iter().any(|word| word.may_be(&Sign::Condition)) {
            return None;
        }
        let clauses = frames::clauses(&words);
        let mut main = clauses
            .iter()
            .filter(|clause| !clause.is_reason && counts(&words, clause));
        let only = main.next().filter(|_| main.next().is_none() && clauses.len() > 1)?;
        let mut others = clauses
            .iter()
            .filter(|clause| clause.words != only.words && !clause.is_reason);
        if others.any(|other| other.asks || begins_deed(&words, other)) {
            return None;
        }
        written(&self.reading.original, &words, &only.words)
    }
}

/// What stands behind a colon may be somebody else's words.
fn is_told(words: &[Word], clause: &Clause) -> bool {
    let before = clause.words.first().and_then(|first| first.checked_sub(1));
    let before = before.and_then(|before| words.get(before));
    before.is_some_and(|before| before.mark == Some(':'))
}

/// Whether a clause begins with what is to be done.
fn begins_deed(words: &[Word], clause: &Clause) -> bool {
    let mut own = clause.words.iter().filter_map(|at| words.get(*at));
    let first = own.find(|word| !word.may_be(&Sign::Request) && !word.is_glue);
    first.is_some_and(|word| word.deeds().next().is_some() && !word.may_be(&Sign::Ongoing))
}
