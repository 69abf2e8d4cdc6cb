//! Cuts a request into literals (paths, addresses, quoted text), words, numbers and breaks, each with its place in the
//! original. Called first by every reading. It never changes the original: a value is taken from it letter by letter.

use std::{collections::HashSet, ops::Range};

use unicode_normalization::char::is_combining_mark;

use super::{
    FactKind,
    dictation::Dictated,
    home::Home,
    literals::{Literal, literals},
};
use metnos_domain::fold::{fold, is_invisible, straight};

/// A piece of a request.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Where it stands in the original.
    pub(super) span: Range<usize>,
    /// Lower case, without accents; empty for literals and breaks.
    pub(super) fold: String,
    /// What it is.
    pub(super) kind: TokenKind,
}

/// What a piece is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// Letters.
    Word,
    /// Digits: part of a number, a date or a code.
    Digits,
    /// A value that is taken as it stands.
    Literal(Literal),
    /// Punctuation: no phrase goes across it.
    Break(char),
}

/// The words of a phrase of the lexicon, or of a whole short message.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    push_words(text, 0, &mut tokens);
    tokens
        .into_iter()
        .filter(|token| !matches!(token.kind, TokenKind::Break(_)))
        .map(|token| token.fold)
        .collect()
}

/// The words and signs of a phrase, each as a segment holds it.
pub(super) fn pieces_of(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    push_words(text, 0, &mut tokens);
    let piece = |token: Token| match token.kind {
        TokenKind::Break(sign) => sign.to_string(),
        TokenKind::Word | TokenKind::Digits | TokenKind::Literal(_) => token.fold,
    };
    tokens.into_iter().map(piece).collect()
}

/// The words of a text with their places in it.
pub(super) fn words_with_places(text: &str) -> Vec<(String, Range<usize>)> {
    let mut tokens = Vec::new();
    push_words(text, 0, &mut tokens);
    let words = tokens.into_iter().filter(|token| !token.fold.is_empty());
    words.map(|token| (token.fold, token.span)).collect()
}

/// Cuts a request; a text that is dictated at its end is one literal.
pub(super) fn tokens(text: &str, extensions: &HashSet<String>, home: &Home, dictated: Option<&Dictated>) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let before = dictated.and_then(|dictated| text.get(..dictated.whole.start));
    let said = dictated.and_then(|dictated| {
        Some(Literal {
            span: dictated.whole.clone(),
            kind: FactKind::Quoted,
            value: text.get(dictated.text.clone())?.to_owned(),
        })
    });
    for literal in literals(before.unwrap_or(text), extensions, home)
        .into_iter()
        .chain(said)
    {
        if let Some(before) = text.get(at..literal.span.start) {
            push_words(before, at, &mut tokens);
        }
        at = literal.span.end;
        tokens.push(Token {
            span: literal.span.clone(),
            fold: String::new(),
            kind: TokenKind::Literal(literal),
        });
    }
    if let Some(rest) = text.get(at..) {
        push_words(rest, at, &mut tokens);
    }
    tokens
}

/// Where the values stand that are taken letter by letter.
pub(super) fn literal_spans(tokens: &[Token]) -> Vec<Range<usize>> {
    let literals = tokens
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Literal(_)));
    literals.map(|token| token.span.clone()).collect()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || is_combining_mark(letter) || is_invisible(letter)
}

/// Appends the words of a stretch of text that begins at `offset` of the original.
fn push_words(text: &str, offset: usize, tokens: &mut Vec<Token>) {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let end_of = |index: usize| letters.get(index).map_or(text.len(), |(at, _)| *at);
    let mut index = 0;
    while let Some(&(start, letter)) = letters.get(index) {
        if letter.is_whitespace() {
            index += 1;
        } else if letter.is_numeric() {
            let stop = end_of_number(&letters, index);
            push_token(text, start..end_of(stop), offset, tokens);
            index = stop;
        } else if is_word(letter) {
            let stop = end_of_word(&letters, index);
            push_token(text, start..end_of(stop), offset, tokens);
            index = stop;
        } else {
            let at = offset + start;
            tokens.push(Token {
                span: at..at + letter.len_utf8(),
                fold: String::new(),
                kind: TokenKind::Break(letter),
            });
            index += 1;
        }
    }
}

fn push_token(text: &str, range: Range<usize>, offset: usize, tokens: &mut Vec<Token>) {
    let mut fold = fold(text.get(range.clone()).unwrap_or_default());
    if fold.is_empty() {
        return;
    }
    // An apostrophe before a space stands for an accent ("e'" is "è"); before a letter it is an elision and stays.
    let elided = text
        .get(range.end..)
        .and_then(|rest| rest.chars().next())
        .is_some_and(is_word);
    if fold.ends_with('\'') && !elided {
        fold.pop();
    }
    let digits = fold.starts_with(|letter: char| letter.is_ascii_digit()) && !fold.contains(char::is_alphabetic);
    let kind = if digits { TokenKind::Digits } else { TokenKind::Word };
    tokens.push(Token {
        span: offset + range.start..offset + range.end,
        fold,
        kind,
    });
}

fn end_of_number(letters: &[(usize, char)], from: usize) -> usize {
    let digit = |index: usize| letters.get(index).is_some_and(|(_, letter)| letter.is_numeric());
    let mut index = from;
    while digit(index) {
        index += 1;
    }
    let separator = letters
        .get(index)
        .is_some_and(|(_, letter)| matches!(letter, '.' | ','));
    if separator && digit(index + 1) {
        index += 1;
        while digit(index) {
            index += 1;
        }
    }
    index
}

fn end_of_word(letters: &[(usize, char)], from: usize) -> usize {
    let letter_at = |index: usize| letters.get(index).map(|(_, letter)| *letter);
    let mut index = from;
    loop {
        match letter_at(index) {
            Some(letter) if is_word(letter) => index += 1,
            Some('-') if index > from && letter_at(index + 1).is_some_and(is_word) => index += 1,
            Some(letter) if straight(letter) == '\'' => {
                let mut tail = index + 1;
                while letter_at(tail).is_some_and(is_word) {
                    tail += 1;
                }
                let suffix: String = letters
                    .get(index + 1..tail)
                    .unwrap_or_default()
                    .iter()
                    .flat_map(|(_, letter)| letter.to_lowercase())
                    .collect();
                // English contractions are one word, an Italian elision ends its own.
                return match suffix.as_str() {
                    "s" | "t" | "d" | "m" | "re" | "ll" | "ve" => tail,
                    _ => index + 1,
                };
            }
            Some(_) | None => return index,
        }
    }
}
