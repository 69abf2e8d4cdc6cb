//! "no, oat milk", "anzi, pane", "I meant bread": what takes the place of the one thing that was just put on a list.
//! Asked by `follow_up`. It takes the words of a thing and of nothing else: who says more, or says that something is
//! wrong and not what is right, has corrected nothing.

use std::ops::Range;

use super::amended::{Correction, correction};
use crate::{
    dictation::items,
    lexicon::key,
    scan::Scan,
    sense::{Changing, Role, Sense},
    token::words_of,
};
use metnos_domain::alike::is_alike;

/// The thing that was meant where this one was said.
pub(super) fn instead(scan: &Scan<'_>, wrong: &str) -> Option<String> {
    let Correction { words, is_meant, .. } = correction(scan)?;
    if !is_thing(scan, words.clone()) {
        return None;
    }
    let [right] = <[String; 1]>::try_from(items::items(scan, words, false)?).ok()?;
    let (own, other) = (words_of(&right), words_of(wrong));
    let is_same = own == other;
    // "no, thanks a lot" and "no, bread" are said alike: what is only denied is put right by more of the same.
    let is_alike = || own.iter().any(|own| other.iter().any(|other| is_alike(own, other)));
    let is_plain = |text: &str| !text.contains(['"', '\n', '{', '}']);
    let fits = !is_same && (is_meant || is_alike()) && is_plain(&right) && is_plain(wrong);
    fits.then_some(right)
}

/// Nothing but the words of a thing.
fn is_thing(scan: &Scan<'_>, words: Range<usize>) -> bool {
    let is = |at: usize, changing: Changing| scan.is(at, &Sense::Changing(changing));
    let answers = |text: &str| scan.lexicon.yes.contains(text) || scan.lexicon.no.contains(text);
    let said = scan.span_of(&words).and_then(|span| scan.original.get(span));
    let Some(said) = said.filter(|said| !answers(&key(said))) else {
        return false;
    };
    let ends = scan.original.ends_with('?');
    let counts = |at: usize| scan.number(at).is_some() && !is(at, Changing::Article);
    let article = |at: usize| is(at, Changing::Article) && scan.sense(at, Sense::verb).is_none();
    let joins = |at: usize| {
        let own = scan.is(at, &Sense::Role(Role::Of)) || scan.is(at, &Sense::With) || is(at, Changing::Purpose);
        own && at > words.start && scan.sense(at, Sense::verb).is_none()
    };
    let says = |at: usize| is_word(scan, at) && !counts(at);
    let fits = |at: usize| article(at) || counts(at) || joins(at) || says(at);
    !ends && !said.contains('?') && words.clone().all(fits) && words.clone().any(says)
}

/// A word that means nothing else here, and does not say that anything is to be done.
fn is_word(scan: &Scan<'_>, at: usize) -> bool {
    let others = [
        Sense::Opening,
        Sense::Wonder,
        Sense::Which,
        Sense::Listed,
        Sense::Wanting,
        Sense::Noted,
        Sense::Undone,
        Sense::Changing(Changing::Unsaid),
        Sense::Changing(Changing::LetBe),
        Sense::Changing(Changing::NotSo),
        Sense::Changing(Changing::List),
        Sense::Changing(Changing::Container),
        Sense::Changing(Changing::ListName),
        Sense::Changing(Changing::Clear),
        Sense::Changing(Changing::Tick),
        Sense::Changing(Changing::Mark),
        Sense::Changing(Changing::Done),
        Sense::Changing(Changing::Corrects),
        Sense::Changing(Changing::Look),
        Sense::Changing(Changing::Entry),
    ];
    let plain = scan.is_unknown(at) || scan.sense(at, Sense::place).is_some();
    let is_other = others.iter().any(|sense| scan.is(at, sense));
    plain && !is_other && !scan.is_break(at) && scan.segments.get(at).is_some_and(|own| own.fact.is_none())
}
