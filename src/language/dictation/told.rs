//! A sentence told to a text that is named: "add to my diary that we were happy", "scrivi nel diario che è nata Giulia". Called
//! by `dictation` before anything is read: what stands behind "that" is the text, and no word of it means anything else.
//! The same of a message that is a note: "take a note: …".

use std::ops::Range;

use super::{Dictated, announced, leads_to_text};
use crate::language::{
    lexicon::Lexicon,
    made::NAME_WORDS_MAX,
    sense::{Changing, Role, Sense},
};

/// The sentence behind "that", where only the name of a text stands between it and the command.
pub(super) fn told(
    text: &str,
    words: &[(String, Range<usize>)],
    command: Range<usize>,
    lexicon: &Lexicon,
) -> Option<Dictated> {
    let folds: Vec<&str> = words.iter().map(|(fold, _)| fold.as_str()).collect();
    let senses_at = |at: usize| lexicon.longest_match(folds.get(at..).unwrap_or_default());
    let (taken, senses) = senses_at(command.end)?;
    let goes = [Role::To, Role::In]
        .into_iter()
        .any(|role| senses.contains(&Sense::Role(role)));
    let name = command.end + taken;
    // "the", "my" and the name.
    let that = (name + 1..=name + 1 + NAME_WORDS_MAX).find(|at| is_that(&folds, *at, lexicon))?;
    let leads = goes && leads_to_text(words.iter().take(that), lexicon);
    if !leads || marks_as_done(&folds, &command, that, lexicon) {
        return None;
    }
    let place = words.get(that)?.1.clone();
    let said = announced(text, place.start, place.end)?;
    // "could you write in the diary that I am tired?" asks for the writing.
    let asks = command.start > 0 && text.get(said.text.clone())?.ends_with('?');
    let end = if asks { said.text.end - 1 } else { said.text.end };
    (said.text.start < end).then_some(Dictated {
        whole: said.whole.start..end,
        text: said.text.start..end,
        is_note: false,
    })
}

/// "take a note: …", "annota che …": a message that is one note from there to its end.
pub(super) fn noted(text: &str, words: &[(String, Range<usize>)], lexicon: &Lexicon) -> Option<Dictated> {
    let folds: Vec<&str> = words.iter().map(|(fold, _)| fold.as_str()).collect();
    let senses_at = |at: usize| lexicon.longest_match(folds.get(at..).unwrap_or_default());
    let is = |senses: &[Sense], changing: Changing| senses.contains(&Sense::Changing(changing));
    let mut at = 0;
    let (taken, senses) = loop {
        let (taken, senses) = senses_at(at)?;
        if is(senses, Changing::NoteDown) || is(senses, Changing::Note) && at == 0 {
            break (taken, senses);
        }
        if !senses.contains(&Sense::Stop) {
            return None;
        }
        at += taken;
    };
    let that = at + taken;
    let end = words.get(that.checked_sub(1)?)?.1.end;
    let said = if text.get(end..)?.trim_start().starts_with(':') {
        announced(text, end, end)?
    } else if is(senses, Changing::NoteDown) && is_that(&folds, that, lexicon) && !leads_to_text(words.iter(), lexicon)
    {
        // "annota che piove nel diario" would be no note of its own.
        let place = words.get(that)?.1.clone();
        announced(text, place.start, place.end)?
    } else {
        return None;
    };
    Some(Dictated { is_note: true, ..said })
}

/// "that", and not the beginning of "that says" or "che si chiama".
fn is_that(folds: &[&str], at: usize, lexicon: &Lexicon) -> bool {
    let is = |senses: &[Sense], changing: Changing| senses.contains(&Sense::Changing(changing));
    let word = folds.get(at).and_then(|fold| lexicon.senses(fold));
    let phrase = lexicon.longest_match(folds.get(at..).unwrap_or_default());
    let says_more = phrase.is_some_and(|(taken, senses)| {
        // "che ore sono" is a question.
        let asks = taken > 1 && senses.iter().any(|sense| sense.object().is_some());
        asks || senses.contains(&Sense::Says) || senses.contains(&Sense::Named) || is(senses, Changing::CallIt)
    });
    word.is_some_and(|senses| is(senses, Changing::That)) && !says_more
}

/// "segna nella lista che il latte è fatto" may tick it off.
fn marks_as_done(folds: &[&str], command: &Range<usize>, that: usize, lexicon: &Lexicon) -> bool {
    let has = |mut range: Range<usize>, changing: Changing| {
        range.any(|at| {
            let phrase = lexicon.longest_match(folds.get(at..).unwrap_or_default());
            phrase.is_some_and(|(_, senses)| senses.contains(&Sense::Changing(changing)))
        })
    };
    has(command.clone(), Changing::Mark)
        && has(command.end..that, Changing::List)
        && has(that..folds.len(), Changing::Done)
}
