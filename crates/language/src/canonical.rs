//! The text a request is remembered under: one spelling for what surely means the same, and for nothing else. Called by
//! `engine::fastpath`. It never touches a value, and leaves every letter and sign that could be one: a miss costs
//! seconds, a wrong replay costs trust.

use std::{borrow::Cow, collections::HashSet};

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

use super::{
    FactKind, Language, home::Home, lexicon::Lexicon, literals::literals, normal::was_question, sense::Sense,
    token::words_of,
};
use metnos_domain::{
    fold::{fold, is_invisible, straight},
    lang::Lang,
};

/// Signs at the end of a word that say nothing; a question mark may.
const ENDS: [char; 7] = ['.', '!', ',', ';', ':', '\'', '…'];

/// A word, or a literal with all its spaces.
struct Piece {
    text: String,
    is_literal: bool,
}

impl Language {
    /// The text a request is remembered under. Widths, accents' encoding, spaces, the capital it begins with, closing
    /// punctuation, articles, and politeness at either end are gone. Everything else stays: prepositions, negations,
    /// numbers, names, signs, other capitals, paths and quoted text, and the question mark that turns words into a
    /// question.
    pub fn canonical(&self, text: &str, lang: Lang) -> String {
        let lexicon = self.lexicon(lang);
        let mut pieces = self.pieces(text);
        lexicon.courtesy.take_opening(&mut pieces);
        if let Some(first) = pieces.first_mut().filter(|first| !first.is_literal) {
            first.text = uncapitalised(&first.text).into_owned();
        }
        let asks = was_question(text) && !lexicon.begins_question(&pieces);
        lexicon.courtesy.take_closing(&mut pieces);
        let joined = lexicon.courtesy.joined(pieces);
        match asks {
            true => format!("{joined} ?"),
            false => joined,
        }
    }

    /// The same for words of a request that stand behind one of its values.
    pub fn canonical_rest(&self, text: &str, lang: Lang) -> String {
        let lexicon = self.lexicon(lang);
        let mut pieces = self.pieces(text);
        lexicon.courtesy.take_closing(&mut pieces);
        lexicon.courtesy.joined(pieces)
    }

    fn pieces(&self, text: &str) -> Vec<Piece> {
        let composed: String = text.nfkc().filter(|letter| !is_invisible(*letter)).collect();
        let mut pieces = Vec::new();
        let mut at = 0;
        for literal in literals(&composed, &self.known, &Home::unknown()) {
            self.push_words(composed.get(at..literal.span.start).unwrap_or_default(), &mut pieces);
            let raw = composed.get(literal.span.clone()).unwrap_or_default();
            let text = if literal.kind == FactKind::Email {
                raw.to_lowercase()
            } else {
                raw.chars().map(straight).collect()
            };
            pieces.push(Piece { text, is_literal: true });
            at = literal.span.end;
        }
        self.push_words(composed.get(at..).unwrap_or_default(), &mut pieces);
        pieces
    }

    fn push_words(&self, text: &str, pieces: &mut Vec<Piece>) {
        for word in text.split_whitespace() {
            let straightened: String = word.chars().map(straight).collect();
            let lower = straightened.to_lowercase();
            // "I" is written so wherever it stands, and "PDF" is a kind in any letters.
            let is_pronoun = lower == "i" || straightened.starts_with("I'");
            let text = if is_pronoun || self.known.contains(&lower) {
                lower
            } else {
                straightened
            };
            pieces.push(Piece {
                text,
                is_literal: false,
            });
        }
    }
}

/// The forms of `[canonical]` in the lexicon.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CourtesyForms {
    articles: Vec<String>,
    openers: Vec<String>,
    closers: Vec<String>,
    interrogatives: Vec<String>,
}

/// Words that say nothing by themselves, and those that questions begin with.
pub(super) struct Courtesy {
    /// Anywhere.
    articles: HashSet<String>,
    /// At the beginning.
    openers: Vec<Vec<String>>,
    /// At the end.
    closers: Vec<Vec<String>>,
    /// What begins so is a question, with its mark and without.
    interrogatives: HashSet<String>,
}

impl Courtesy {
    pub(super) fn of(forms: &CourtesyForms) -> Self {
        let phrases = |forms: &[String]| forms.iter().map(|form| words_of(form)).collect();
        Self {
            articles: forms.articles.iter().cloned().collect(),
            openers: phrases(&forms.openers),
            closers: phrases(&forms.closers),
            interrogatives: forms.interrogatives.iter().cloned().collect(),
        }
    }

    /// Takes greetings and politeness off the beginning; what is nothing else stays.
    fn take_opening(&self, pieces: &mut Vec<Piece>) {
        while let Some(count) = phrase_at(pieces, 0, &self.openers).filter(|count| *count < pieces.len()) {
            pieces.drain(..count);
        }
    }

    /// Takes politeness off the end. Behind a colon it is part of what is written or said to somebody.
    fn take_closing(&self, pieces: &mut Vec<Piece>) {
        let dictates = |pieces: &[Piece]| {
            pieces
                .iter()
                .any(|piece| !piece.is_literal && piece.text.ends_with(':'))
        };
        let closing = |pieces: &[Piece]| {
            let ends =
                |at: &usize| phrase_at(pieces, *at, &self.closers).is_some_and(|count| at + count == pieces.len());
            (1..pieces.len()).find(ends)
        };
        while let Some(at) = closing(pieces).filter(|_| !dictates(pieces)) {
            pieces.truncate(at);
        }
    }

    /// The pieces in one text, without articles; one before a capital may be part of a title.
    fn joined(&self, pieces: Vec<Piece>) -> String {
        let mut kept: Vec<String> = Vec::with_capacity(pieces.len());
        let mut pieces = pieces.into_iter().peekable();
        while let Some(piece) = pieces.next() {
            let is_article = !piece.is_literal && self.articles.contains(&piece.text);
            let leads = |next: &Piece| next.is_literal || !next.text.starts_with(char::is_uppercase);
            if !(is_article && pieces.peek().is_some_and(leads)) {
                kept.push(piece.text);
            }
        }
        let joined = kept.join(" ");
        let is_end = |letter: char| ENDS.contains(&letter) || letter == '?';
        match joined.trim_end_matches(is_end).trim() {
            "" => joined.trim().to_owned(),
            end => end.to_owned(),
        }
    }
}

impl Lexicon {
    /// Whether a request that begins so asks, or only looks, with a question mark and without.
    fn begins_question(&self, pieces: &[Piece]) -> bool {
        let fold = |piece: &Piece| fold(piece.text.trim_end_matches(ENDS));
        let Some(first) = pieces.first().filter(|first| !first.is_literal).map(fold) else {
            return false;
        };
        let word = first.split('\'').next().unwrap_or_default();
        let looks = |sense: &Sense| sense.verb().is_some_and(|verb| verb.is_safe()) || *sense == Sense::Show;
        let senses = self.senses(&first).unwrap_or_default();
        let asks = &self.courtesy.interrogatives;
        asks.contains(word) || asks.contains(&first) || senses.iter().any(looks)
    }
}

/// How many pieces a phrase of these takes from here; the longest counts.
fn phrase_at(pieces: &[Piece], at: usize, phrases: &[Vec<String>]) -> Option<usize> {
    let is_word = |piece: &Piece, word: &String| {
        !piece.is_literal && fold(piece.text.trim_end_matches(ENDS).trim_end_matches('?')) == *word
    };
    let stands = |phrase: &&Vec<String>| {
        let here = pieces.get(at..at + phrase.len());
        here.is_some_and(|here| here.iter().zip(*phrase).all(|(piece, word)| is_word(piece, word)))
    };
    phrases.iter().filter(stands).map(Vec::len).max()
}

/// The first word of a sentence has a capital for no reason of its own.
fn uncapitalised(word: &str) -> Cow<'_, str> {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    if !is_capital || letters.any(char::is_uppercase) {
        return word.into();
    }
    // A capital I with a dot is lowered to an i and a loose dot, which would hide that the words are the same.
    let lowered: String = word
        .to_lowercase()
        .chars()
        .filter(|letter| *letter != '\u{0307}')
        .collect();
    lowered.nfkc().collect::<String>().into()
}
