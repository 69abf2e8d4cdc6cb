//! Whether a word on a paper is one of the question: the same, the same in another form, one letter off, a word of
//! another language with the same beginning, or one that means the same. Called by `passage` and `reckon`.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
};

use metnos_domain::fold::fold;
use metnos_language::Language;

use crate::{
    asked::{Asked, Word},
    words::Words,
};

/// Letters of a word in which one may be wrong.
const SLIP_LETTERS_MIN: usize = 5;
/// Letters with which two words of two languages begin alike: "inventario", "inventory".
const BEGINNING_MIN: usize = 6;

/// Compares words of papers with those of one question.
pub(crate) struct Likeness<'a> {
    asked: &'a Asked,
    language: &'a Language,
    /// For each word of the question, what means the same.
    same: Vec<BTreeSet<String>>,
    /// Words that were compared already.
    known: RefCell<HashMap<String, Vec<usize>>>,
}

impl<'a> Likeness<'a> {
    pub(crate) fn new(asked: &'a Asked, language: &'a Language, words: &'a Words) -> Self {
        let same = |word: &Word| {
            // A word in another form is looked up by the form that stands in the list.
            let others = words.same_as(&word.fold);
            others.map(str::to_owned).collect()
        };
        Self {
            same: asked.words.iter().map(same).collect(),
            asked,
            language,
            known: RefCell::default(),
        }
    }

    /// Which words of the question stand in a text.
    pub(crate) fn of(&self, text: &str) -> BTreeSet<usize> {
        tokens(text).iter().flat_map(|token| self.of_token(token)).collect()
    }

    /// The same of one word.
    pub(crate) fn of_token(&self, token: &str) -> Vec<usize> {
        if let Some(known) = self.known.borrow().get(token) {
            return known.clone();
        }
        let stems = crate::stems(self.language, token);
        let words = self.asked.words.iter().enumerate();
        let found: Vec<usize> = words
            .filter(|(at, word)| self.is_like(*at, word, token, &stems))
            .map(|(at, _)| at)
            .collect();
        self.known.borrow_mut().insert(token.to_owned(), found.clone());
        found
    }

    fn is_like(&self, at: usize, word: &Word, token: &str, stems: &[String]) -> bool {
        if word.fold == token || word.month.is_some() && token.starts_with(&word.fold) {
            return true;
        }
        if let Some(number) = word.number {
            return token.trim_start_matches('0') == word.fold.trim_start_matches('0')
                || ordinal(token).is_some_and(|own| own == number);
        }
        if is_code(&word.fold) || is_code(token) {
            return false;
        }
        // A name has one form, and one of somebody's.
        if word.is_name {
            return token.strip_suffix('s') == Some(word.fold.as_str());
        }
        word.stems.iter().any(|stem| stems.contains(stem))
            || self.same.get(at).is_some_and(|same| same.contains(token))
            || is_slip(&word.fold, token)
            || begin_alike(&word.fold, token)
    }
}

/// The words of a text: names in one word are taken apart ("car_trading"), codes are kept whole and in parts.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let folded = fold(text);
    let mut tokens = Vec::new();
    for piece in
        folded.split(|letter: char| letter.is_whitespace() || matches!(letter, '_' | '/' | '(' | ')' | ':' | ';' | '|'))
    {
        let piece = piece.trim_matches(|letter: char| !letter.is_alphanumeric());
        if piece.is_empty() {
            continue;
        }
        let parts: Vec<&str> = piece
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .collect();
        if parts.len() > 1 {
            tokens.push(piece.to_owned());
        }
        for part in parts {
            tokens.push(part.to_owned());
            // "midterm1" is "midterm" and "1".
            let digits = part.trim_start_matches(char::is_alphabetic);
            let letters = part.strip_suffix(digits).unwrap_or_default();
            if !letters.is_empty() && digits.chars().all(|letter| letter.is_ascii_digit()) && !digits.is_empty() {
                tokens.extend([letters.to_owned(), digits.to_owned()]);
            }
        }
    }
    tokens
}

/// A text with its words taken apart, for whoever makes stems of it.
pub(crate) fn apart(text: &str) -> String {
    tokens(text).join(" ")
}

/// Holds digits and letters, as numbers of policies do, or marks between digits.
pub(crate) fn is_code(token: &str) -> bool {
    let has_digit = token.contains(|letter: char| letter.is_ascii_digit());
    has_digit && token.contains(|letter: char| !letter.is_ascii_digit())
}

/// "15th", "1st".
fn ordinal(token: &str) -> Option<f64> {
    let digits = token.trim_end_matches(|letter: char| letter.is_alphabetic());
    (digits.len() < token.len()).then(|| digits.parse().ok()).flatten()
}

/// Whether two words differ in one letter: one wrong, one missing, or one too many.
fn is_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() {
        (&one, &other)
    } else {
        (&other, &one)
    };
    if short.len() < SLIP_LETTERS_MIN || long.len() > short.len() + 1 || one.first() != other.first() {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let skip = usize::from(short.len() == long.len());
    short.get(same + skip..) == long.get(same + 1..)
}

fn begin_alike(one: &str, other: &str) -> bool {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    same >= BEGINNING_MIN
}
