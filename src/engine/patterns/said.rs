//! A message with the phrases of one language found in it. Made by `words`, read by every frame of `patterns`: each
//! asks for the classes it knows and takes the longest phrase that has one. It means nothing by itself.

use std::{cell::OnceCell, ops::Range};

use super::{classes::Class, words::Words};
use crate::language::{normal::was_question, spoken::Spoken, time::Heard};

/// A phrase: how many words, and what it can be.
pub(super) type Found<'a> = (usize, &'a [Class]);

/// A message with its phrases.
pub(super) struct Said<'a> {
    message: &'a str,
    /// It ends with a question mark.
    pub(super) is_question: bool,
    pub(super) words: Vec<Spoken>,
    found: Vec<Vec<Found<'a>>>,
    table: &'a Words,
    heard: OnceCell<Heard<'a>>,
}

impl<'a> Said<'a> {
    /// Finds the phrases of these words of a message.
    pub(super) fn new(table: &'a Words, message: &'a str, words: Vec<Spoken>) -> Self {
        let mut found: Vec<Vec<Found<'a>>> = (0..words.len()).map(|at| table.phrases_at(&words, at)).collect();
        for at in 0..words.len() {
            for (first, place, last, classes) in table.apart_at(&words, at) {
                // What stands apart is one verb: its last part says nothing more.
                let acts = classes.iter().any(|class| matches!(class, Class::Act(_)));
                let rest: &[Class] = if acts {
                    &[Class::Taken, Class::Filler]
                } else {
                    &[Class::Filler]
                };
                insert(&mut found, at, (first, classes));
                insert(&mut found, place, (last, rest));
            }
        }
        Self {
            message,
            is_question: was_question(message),
            words,
            found,
            table,
            heard: OnceCell::new(),
        }
    }

    /// What the words for numbers and times say at a word, and how many words that is.
    pub(super) fn value<T>(
        &self,
        at: usize,
        ask: impl Fn(&Heard<'a>, usize) -> Option<(usize, T)>,
    ) -> Option<(usize, T)> {
        let start = self.words.first()?.span.start;
        let end = self.words.last()?.span.end;
        let heard = self
            .heard
            .get_or_init(|| self.table.heard(self.message.get(start..end).unwrap_or_default()));
        let (behind, value) = ask(heard, self.words.get(at)?.span.start - start)?;
        let rest = self.words.get(at..)?;
        let count = rest.iter().take_while(|word| word.span.end - start <= behind).count();
        (count > 0).then_some((count, value))
    }

    /// The same message, reduced to some of its words.
    pub(super) fn cut(&self, range: Range<usize>) -> Self {
        let words = self.words.get(range).unwrap_or_default().to_vec();
        Self::new(self.table, self.message, words)
    }

    /// In "the heater plug" the noun comes last.
    pub(super) fn noun_is_last(&self) -> bool {
        self.table.noun_last
    }

    /// Whether a comma or another stop stands before a word.
    pub(super) fn is_stop(&self, at: usize) -> bool {
        let (Some(before), Some(word)) = (
            at.checked_sub(1).and_then(|last| self.words.get(last)),
            self.words.get(at),
        ) else {
            return false;
        };
        let gap = self.message.get(before.span.end..word.span.start).unwrap_or_default();
        gap.contains([',', ';', '.', '!', '\u{2013}', '\u{2014}']) || gap.contains(" - ")
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether a minus stands before a number: "to -5%", and not "7-8".
    pub(super) fn is_negative(&self, at: usize) -> bool {
        let before = self.words.get(at).and_then(|word| self.message.get(..word.span.start));
        before.is_some_and(|before| before.ends_with(" -") || before.ends_with(" \u{2212}"))
    }

    /// Whether nothing follows.
    pub(super) fn is_end(&self, at: usize) -> bool {
        at >= self.words.len()
    }

    /// The longest phrase here with a class that `pick` takes.
    pub(super) fn longest<T>(&self, at: usize, pick: impl Fn(Class) -> Option<T>) -> Option<(usize, T)> {
        let phrases = self.found.get(at)?;
        phrases
            .iter()
            .find_map(|(count, classes)| classes.iter().find_map(|class| Some((*count, pick(*class)?))))
    }

    /// The classes of the phrase of so many words that begins here. A verb in two parts hides the one its first part
    /// would be alone, and its last part is nothing but that.
    pub(super) fn classes(&self, at: usize, count: usize) -> Vec<Class> {
        let phrases = self.found.get(at).map(Vec::as_slice).unwrap_or_default();
        let is_act = |class: &Class| matches!(class, Class::Act(_));
        let mut all: Vec<Class> = Vec::new();
        for (_, classes) in phrases.iter().filter(|(words, _)| *words == count) {
            let hidden = all.iter().any(is_act);
            all.extend(classes.iter().filter(|class| !(hidden && is_act(class))));
        }
        if all.contains(&Class::Taken) {
            return vec![Class::Filler];
        }
        all
    }

    /// How many words a phrase of this class has here.
    pub(super) fn is(&self, at: usize, class: Class) -> Option<usize> {
        self.longest(at, |found| (found == class).then_some(()))
            .map(|(count, ())| count)
    }

    /// Whether any phrase of the message has this class.
    pub(super) fn has(&self, class: Class) -> bool {
        (0..self.len()).any(|at| self.is(at, class).is_some())
    }

    /// A word as it is compared.
    pub(super) fn fold(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.fold.as_str())
    }

    /// The words as they are compared.
    pub(super) fn folded(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.fold.as_str()).collect();
        words.join(" ")
    }

    /// Words as the person wrote them.
    pub(super) fn original(&self, from: usize, to: usize) -> Option<&'a str> {
        let first = self.words.get(from)?;
        let last = self.words.get(to.checked_sub(1)?)?;
        self.message.get(first.span.start..last.span.end)
    }
}

/// Keeps the longest first; of two of one length, what was found last counts.
fn insert<'a>(found: &mut [Vec<Found<'a>>], at: usize, phrase: Found<'a>) {
    let Some(here) = found.get_mut(at) else { return };
    let place = here.iter().take_while(|(count, _)| *count > phrase.0).count();
    here.insert(place, phrase);
}
