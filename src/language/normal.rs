//! One spelling for what means the same: the canonical text memory files requests under, the normal text patterns
//! match, and the whole-message words of consent and feedback. Nothing here may change what a request means.

use std::collections::{BTreeSet, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::{
    FactKind, Language,
    home::Home,
    lexicon::{Lexicon, key},
    literals::literals,
    token::words_of,
};
use crate::domain::{
    fold::{fold, is_invisible, straight},
    lang::Lang,
};

/// An answer to a question that is asked with yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Do it.
    Yes,
    /// Leave it.
    No,
}

/// Longest message that can be a confirmation.
const CONFIRMATION_CHARS_MAX: usize = 30;

impl Language {
    /// The text a request is remembered under. Case, widths, accents' encoding, spaces, closing punctuation and words
    /// that never change a meaning are gone; prepositions, negations, numbers, names, paths and quoted text stay.
    pub fn canonical(&self, text: &str, lang: Lang) -> String {
        let composed: String = text.nfkc().filter(|letter| !is_invisible(*letter)).collect();
        let dropped = &self.lexicon(lang).dropped;
        let mut words: Vec<String> = Vec::new();
        let mut at = 0;
        for literal in literals(&composed, &self.known, &Home::unknown()) {
            push_words(composed.get(at..literal.span.start).unwrap_or_default(), &mut words);
            let raw = composed.get(literal.span.clone()).unwrap_or_default();
            let folds = matches!(literal.kind, FactKind::Glob | FactKind::Email);
            words.push(if folds {
                raw.to_lowercase()
            } else {
                raw.chars().map(straight).collect()
            });
            at = literal.span.end;
        }
        push_words(composed.get(at..).unwrap_or_default(), &mut words);
        let kept = without(&words, dropped);
        let joined = kept.join(" ");
        let end = joined
            .trim_end_matches(['.', '?', '!', ',', ';', ':', '\'', '…'])
            .trim();
        if end.is_empty() {
            joined.trim().to_owned()
        } else {
            end.to_owned()
        }
    }

    /// The text as patterns see it: folded words with one space, without punctuation.
    pub fn normal(&self, text: &str) -> String {
        words(text)
    }

    /// The words of any language that turn a request around, as far as this text has them.
    pub fn negations(&self, text: &str) -> BTreeSet<&str> {
        let words: Vec<String> = text
            .split_whitespace()
            .map(|word| fold(word.trim_matches([',', '.', '!', '?', ';', ':'])))
            .collect();
        let padded = format!(" {} ", words.join(" "));
        Lang::ALL
            .into_iter()
            .flat_map(|lang| &self.lexicon(lang).negations)
            .filter(|form| padded.contains(&format!(" {form} ")))
            .map(String::as_str)
            .collect()
    }

    /// Whether a whole message says yes or no: every word of it, in one breath or several ("sure, go ahead"). A question,
    /// a longer text, one that says anything else besides, or a word that could be both is neither.
    pub fn confirmation(&self, text: &str) -> Option<Confirmation> {
        if text.chars().count() > CONFIRMATION_CHARS_MAX || was_question(text) {
            return None;
        }
        let said = key(text);
        let yes = self.says_only_yes(&said.split(' ').collect::<Vec<_>>(), false);
        let no = self.says(&said, |lexicon| &lexicon.no);
        match (yes, no) {
            (true, false) => Some(Confirmation::Yes),
            (false, true) => Some(Confirmation::No),
            (true, true) | (false, false) => None,
        }
    }

    /// Whether a whole message says nothing but stop.
    pub fn is_stop(&self, text: &str) -> bool {
        text.chars().count() <= CONFIRMATION_CHARS_MAX
            && !was_question(text)
            && self.says(&key(text), |lexicon| &lexicon.halt)
    }

    /// Whether words are nothing but a yes, once or more often, with what may stand beside it.
    fn says_only_yes(&self, words: &[&str], agreed: bool) -> bool {
        let part_agrees = |end: usize| {
            let Some((part, rest)) = words.split_at_checked(end) else {
                return false;
            };
            let part = part.join(" ");
            let yes = self.says(&part, |lexicon| &lexicon.yes);
            (yes || self.says(&part, |lexicon| &lexicon.also)) && self.says_only_yes(rest, agreed || yes)
        };
        words.is_empty() && agreed || (1..=words.len()).any(part_agrees)
    }

    fn says(&self, said: &str, list: impl Fn(&Lexicon) -> &HashSet<String>) -> bool {
        !said.is_empty()
            && Lang::ALL
                .into_iter()
                .any(|lang| list(self.lexicon(lang)).contains(said))
    }
}

/// Whether a text ends with a question mark, of any width.
pub fn was_question(text: &str) -> bool {
    let end = text.trim_end_matches(|letter: char| letter.is_whitespace() || matches!(letter, '!' | '.' | '"' | ')'));
    end.nfkc().last() == Some('?')
}

fn push_words(text: &str, words: &mut Vec<String>) {
    for word in text.split_whitespace() {
        // A capital I with a dot is lowered to an i and a loose dot, which would hide that the words are the same.
        let lowered: String = word
            .chars()
            .flat_map(char::to_lowercase)
            .filter(|letter| *letter != '\u{0307}')
            .map(straight)
            .collect();
        words.push(lowered.nfkc().collect());
    }
}

/// The words without phrases that never change a meaning. The last word always stays: "play the a" is not "play the".
fn without(words: &[String], dropped: &[Vec<String>]) -> Vec<String> {
    let plain: Vec<String> = words
        .iter()
        .map(|word| fold(word.trim_end_matches([',', '.', '!', ';', ':'])))
        .collect();
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let phrase = dropped.iter().find(|phrase| {
            let tail = plain.get(at..at + phrase.len());
            tail.is_some_and(|tail| tail == phrase.as_slice())
        });
        match phrase {
            // At the end only politeness goes, not an article that may be a name.
            Some(phrase)
                if at + phrase.len() < words.len() || !kept.is_empty() && phrase.len() > 1 || is_polite(&plain, at) =>
            {
                at += phrase.len();
            }
            Some(_) | None => {
                kept.push(word.clone());
                at += 1;
            }
        }
    }
    kept
}

/// A dropped word of more than four letters at the very end is politeness ("please"), not an article.
fn is_polite(plain: &[String], at: usize) -> bool {
    at > 0 && plain.get(at).is_some_and(|word| word.chars().count() > 4)
}

/// The words of a text as patterns see them: folded, with one space, without punctuation; an elision stays with its
/// word.
pub fn words(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for word in words_of(text) {
        if !joined.is_empty() && !joined.ends_with('\'') {
            joined.push(' ');
        }
        joined.push_str(&word);
    }
    joined
}
