//! What must not be read nearly: one table of reasons, each a pure function over the words of a clause and what they
//! filled. A veto only ever takes a reading away.

use super::{build::Frame, fill::Fitted};
use crate::{
    domain::frame::SlotRole,
    language::outline::{Sign, Word},
};

/// One reason, and whom it is for.
struct Veto {
    /// In the record of the turn.
    name: &'static str,
    /// Only against what changes something.
    only_changes: bool,
    holds: fn(&Fitted<'_>, &[(usize, &Word)]) -> bool,
}

/// Words from who does something to the deed, at most: "they have just moved".
const SUBJECT_BEFORE_MAX: usize = 2;

/// All of them.
const VETOES: [Veto; 8] = [
    Veto {
        name: "all but some",
        only_changes: false,
        holds: |fitted, words| {
            !takes_exceptions(fitted.frame) && words.iter().any(|(_, word)| word.leads_to(SlotRole::Except))
        },
    },
    Veto {
        name: "negated",
        only_changes: false,
        // "Not read" may be what a switch is called.
        holds: |fitted, words| {
            let turns = |(at, word): &(usize, &Word)| {
                let excepts = word.leads_to(SlotRole::Except) && takes_exceptions(fitted.frame);
                word.may_be(&Sign::Negation) && !excepts && !fitted.used.contains(at)
            };
            words.iter().any(turns)
        },
    },
    Veto {
        name: "asked, not told",
        only_changes: true,
        holds: |fitted, words| {
            let is_request = words.iter().any(|(_, word)| word.may_be(&Sign::Request));
            // "Can you" begins no question.
            let is_open = words.iter().take(2).any(|(_, word)| word.may_be(&Sign::Question));
            fitted.clause.asks && !is_request && is_open
        },
    },
    Veto {
        name: "told, not asked for",
        only_changes: true,
        // "I moved", "they were moved", «hanno spostato»; but "we need to move".
        holds: |fitted, words| {
            let says = |(at, word): &(usize, &Word)| {
                fitted.used.contains(at) && word.deeds().any(|deed| deed == fitted.frame.deed)
            };
            let deed = words.iter().position(says).unwrap_or_default();
            let before = words.iter().take(deed).rev().take(SUBJECT_BEFORE_MAX);
            before.into_iter().any(|(_, word)| word.may_be(&Sign::Subject))
        },
    },
    Veto {
        name: "how many",
        only_changes: false,
        // A text may say how many; what finds things must count them.
        holds: |fitted, words| {
            let counts = |word: &Word| word.deeds().any(|deed| deed == "count");
            let is_text = |kind: &str| matches!(kind, "text-file" | "address");
            let reads = fitted.frame.slots.iter().any(|slot| is_text(&slot.kind));
            let is_looking = !fitted.frame.changes() && fitted.frame.deed != "count" && !reads;
            // "How full is the disk" is what a tool answers, word for word.
            let is_told = |at: &usize| fitted.named.contains(at);
            is_looking && words.iter().any(|(at, word)| counts(word) && !is_told(at))
        },
    },
    Veto {
        name: "again and again",
        only_changes: false,
        // Looking now is another request, unless the words tell which of what is set is meant.
        holds: |fitted, words| {
            let is_meant = |at: &usize| {
                let mut filled = fitted.filled.iter();
                filled.any(|filled| filled.kind != "moment" && filled.words.contains(at))
            };
            !fitted.frame.changes() && words.iter().any(|(at, word)| word.comes_again && !is_meant(at))
        },
    },
    Veto {
        name: "under a condition",
        only_changes: true,
        // What the frame itself is called by is none: "before every appointment"; nor is "daily" in the name of a thing.
        holds: |fitted, words| {
            let is_named = |at: &usize, word: &Word| {
                let mut names = fitted.filled.iter().filter(|filled| filled.kind != "moment");
                word.is_time && names.any(|filled| filled.words.contains(at))
            };
            let is_told = |at: &usize| fitted.named.contains(at);
            words
                .iter()
                .any(|(at, word)| word.may_be(&Sign::Condition) && !is_told(at) && !is_named(at, word))
        },
    },
    Veto {
        name: "one by its place",
        only_changes: true,
        // "The second" of those that were shown is as good as a name, and what the frame itself is called by is none:
        // «prima che scada».
        holds: |fitted, words| {
            let is_place = |(sign, _): &(Sign, usize)| matches!(sign, Sign::End(_) | Sign::Most(..));
            let found = || fitted.source.iter().flat_map(|source| &source.filled);
            let is_filled = |at: &usize| {
                fitted
                    .filled
                    .iter()
                    .chain(found())
                    .any(|filled| filled.words.contains(at))
            };
            let is_known = |at: &usize| is_filled(at) || fitted.named.contains(at);
            let mut own = words.iter().filter(|(at, word)| !word.is_time && !is_known(at));
            own.any(|(_, word)| word.signs.iter().any(is_place))
        },
    },
];

/// What stands against reading a clause as this frame, as it was filled.
pub(crate) fn against(fitted: &Fitted<'_>, words: &[Word]) -> Option<&'static str> {
    let own = fitted.clause.words.iter();
    let own: Vec<(usize, &Word)> = own.filter_map(|at| Some((*at, words.get(*at)?))).collect();
    let counts = |veto: &&Veto| !veto.only_changes || fitted.frame.changes();
    let mut all = VETOES.iter().filter(counts);
    all.find(|veto| (veto.holds)(fitted, &own)).map(|veto| veto.name)
}

fn takes_exceptions(frame: &Frame<'_>) -> bool {
    frame.slots.iter().any(|slot| slot.role == SlotRole::Except)
}

/// Whether another clause takes something away from what is to be changed ("…, except the ones from Chris"), or says
/// when it counts ("If Anna comes, …").
pub(crate) fn elsewhere(chosen: &[Fitted<'_>], words: &[Word]) -> bool {
    let is_inside = |at: usize| chosen.iter().any(|fitted| fitted.clause.words.contains(&at));
    let is_used = |at: usize| chosen.iter().any(|fitted| fitted.used.contains(&at));
    // Behind the deed such a clause says why: "…, just in case", "…, se no me ne dimentico".
    let first = chosen.iter().filter_map(|fitted| fitted.used.first()).min().copied();
    let begins = |at: usize| {
        let mut before = words.get(..at).unwrap_or_default().iter().rev();
        before.next().is_none_or(Word::is_bound) && first.is_some_and(|first| at < first)
    };
    let turns = |(at, word): (usize, &Word)| {
        let counts = word.leads_to(SlotRole::Except) || word.may_be(&Sign::Condition) && begins(at);
        counts && !is_inside(at) && !is_used(at)
    };
    chosen.iter().any(|fitted| fitted.frame.changes()) && words.iter().enumerate().any(turns)
}
