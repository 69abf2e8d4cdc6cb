//! One spelling for what means the same: the normal text patterns match, and the whole-message words of consent and
//! feedback. Nothing here may change what a request means. What memory files requests under is in `canonical`.

use std::collections::{BTreeSet, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::{
    Language,
    lexicon::{Lexicon, key},
    token::words_of,
};
use metnos_domain::{fold::fold, lang::Lang};

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
        Lang::BUILT_IN
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
            && Lang::BUILT_IN
                .into_iter()
                .any(|lang| list(self.lexicon(lang)).contains(said))
    }
}

/// Whether a text ends with a question mark, of any width.
pub fn was_question(text: &str) -> bool {
    let end = text.trim_end_matches(|letter: char| letter.is_whitespace() || matches!(letter, '!' | '.' | '"' | ')'));
    end.nfkc().last() == Some('?')
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
