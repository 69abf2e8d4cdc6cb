//! How well a filled frame fits its clause: what it explains against what it leaves over. Called by `fill`; it fills
//! nothing and reads no word anew.

use super::{Asked, fill::Fitted, says_something};
use crate::language::outline::{Sign, Word};

/// What a slot that is filled adds to how well a frame fits.
const SLOT_WEIGHT: i32 = 4;
/// The same for a word that is explained.
const WORD_WEIGHT: i32 = 2;
/// The same for a deed that begins the clause.
const FIRST_DEED_WEIGHT: i32 = 3;
/// Where a phrase tells what is asked, so many words are explained for one that is left over.
const SAID_SHARE: usize = 2;

/// More is better; `None` where a phrase alone tells what is asked, and most of what is said is about something else.
pub(super) fn score(asked: &Asked<'_>, fitted: &Fitted<'_>, deed_is_first: bool) -> Option<i32> {
    let (frame, clause) = (fitted.frame, &fitted.clause);
    // "Size" may be part of a name.
    let is_name = |at: &&usize| fitted.filled.iter().any(|filled| filled.words.contains(*at));
    let own = clause.words.iter().filter(|at| !is_name(at));
    let mut own = own.filter_map(|at| asked.words.get(*at));
    let says_find = own.any(|word| word.deeds().any(|deed| deed == "find"));
    let says = |at: &&usize| asked.words.get(**at).is_some_and(says_something);
    let open = clause.words.iter().filter(says).filter(|at| !fitted.explains(at));
    let left = open.clone().count();
    // What names another sort of thing says more of what is meant than an aside.
    let names_other = |word: &&Word| word.objects().next().is_some();
    let others = open.filter_map(|at| asked.words.get(*at)).filter(names_other).count();
    let explained = fitted.used.union(&fitted.named).filter(says).count();
    if !frame.says.is_empty() && left * SAID_SHARE > explained {
        return None;
    }
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    let list = fitted.source.iter().filter(|_| frame.takes_any());
    let of_list = list.flat_map(|list| &list.filled);
    let filled = fitted
        .filled
        .iter()
        .chain(of_list)
        // How many of them are wanted tells nothing of what they are.
        .filter(|filled| !filled.words.is_empty() && filled.kind != "newest");
    // "Put them in a new folder" is done to them: what takes nothing of what was shown leaves a word aside.
    let points = |at: &usize| asked.words.get(*at).is_some_and(|word| word.may_be(&Sign::Pointer));
    let is_pointed = fitted.filled.iter().any(|filled| filled.words.is_empty()) && clause.words.iter().any(points);
    let score = SLOT_WEIGHT * count(filled.count())
        + WORD_WEIGHT * (count(explained) - count(left) - count(others))
        + if deed_is_first { FIRST_DEED_WEIGHT } else { 0 }
        + if is_pointed { WORD_WEIGHT } else { 0 }
        // A phrase that tells what is asked is more than a noun of what it is about.
        + i32::from(!frame.says.is_empty())
        // What a text says is more of an answer than how large it is.
        + i32::from(frame.slots.iter().any(|slot| slot.kind == "text-file") && !says_find);
    Some(score)
}
