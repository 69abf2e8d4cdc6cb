//! Requests that are nothing but a sum, a percentage of a number or another unit. Read by `patterns`; computed by the
//! executor `compute_numbers`.
//!
//! One mechanism: the words that ask are taken off, the words for signs and units become the signs themselves, and what
//! is then there must be a whole expression. One word too many and it is no request of this kind: nothing is guessed.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Pattern, amounts, words::Words};
use crate::{
    domain::{
        fold::fold,
        lang::{InEach, Lang},
    },
    language::LanguageError,
};

const SIGNS: &str = include_str!("sums.toml");
const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../locales/en/sums.toml"),
    italian: include_str!("../../../locales/it/sums.toml"),
};
const UNITS: InEach<&str> = InEach {
    english: include_str!("../../../locales/en/units.toml"),
    italian: include_str!("../../../locales/it/units.toml"),
};

type Forms = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    ask: Vec<String>,
    article: Vec<String>,
    end: Vec<String>,
    count: Vec<String>,
    link: Vec<String>,
    signs: Forms,
    units: Forms,
}

#[derive(Deserialize)]
struct OfThings {
    units: Forms,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(String),
    Sign(String),
    Unit(String),
}

/// The words for sums of one language, folded, the longest first.
pub(super) struct Sums {
    ask: Vec<String>,
    article: Vec<String>,
    end: Vec<String>,
    count: Vec<String>,
    link: Vec<String>,
    forms: Vec<(String, Token)>,
}

impl Sums {
    /// Reads the embedded words of a language.
    pub(super) fn embedded(lang: Lang) -> Result<Self, LanguageError> {
        let wrong = |source| LanguageError::Toml {
            what: format!("sums of {}", lang.code()),
            source,
        };
        let file: File = toml::from_str(WORDS.of(lang)).map_err(wrong)?;
        let things: OfThings = toml::from_str(UNITS.of(lang)).map_err(wrong)?;
        let signs: BTreeMap<String, String> = toml::from_str(SIGNS).map_err(wrong)?;
        let mut forms = Vec::new();
        for (unit, words) in file.units.iter().chain(&things.units) {
            let Some(sign) = signs.get(unit) else { continue };
            forms.extend(words.iter().map(|word| (fold(word), Token::Unit(sign.clone()))));
        }
        for (sign, words) in &file.signs {
            forms.extend(words.iter().map(|word| (fold(word), Token::Sign(sign.clone()))));
        }
        forms.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        let sorted = |words: &[String]| {
            let mut words: Vec<String> = words.iter().map(|word| fold(word)).collect();
            words.sort_by_key(|word| std::cmp::Reverse(word.len()));
            words
        };
        Ok(Self {
            ask: sorted(&file.ask),
            article: sorted(&file.article),
            end: sorted(&file.end),
            count: sorted(&file.count),
            link: sorted(&file.link),
            forms,
        })
    }

    /// The expression a message is, if it is nothing else. `bare` takes off calls and politeness.
    pub(super) fn read(&self, message: &str, bare: impl Fn(&str) -> &str, words: &Words) -> Option<Pattern> {
        let folded = fold(message).replace(", ", " ");
        let folded = folded.split_whitespace().collect::<Vec<_>>().join(" ");
        let polite = bare(folded.trim_end_matches(['?', '!', '.', ' ']));
        let mut rest = polite.trim_end_matches(['?', '!', '.', '=', ' ']);
        for end in &self.end {
            rest = rest
                .strip_suffix(end.as_str())
                .and_then(|text| text.strip_suffix(' '))
                .unwrap_or(rest);
        }
        let asked = strip_all(rest, &self.ask);
        let is_asked = asked.len() < rest.len() || rest.len() < polite.len();
        let counted = strip(asked, &self.count);
        let (target, text) = match counted {
            None => (None, strip(asked, &self.article).unwrap_or(asked)),
            Some(text) => {
                let (Token::Unit(unit), text) = self.form(text)? else {
                    return None;
                };
                (Some(unit), strip_all(text.trim_start(), &self.link))
            }
        };
        if is_written_number(text, is_asked) {
            return None;
        }
        let mut tokens = self.tokens(text, words)?;
        if let Some(unit) = target {
            tokens.extend([Token::Sign("to".to_owned()), Token::Unit(unit)]);
        }
        let mut reader = Reader {
            tokens: &tokens,
            at: 0,
            works: false,
        };
        (reader.whole() && reader.works).then(|| Pattern::Sum {
            expression: written(&tokens),
        })
    }

    /// The longest phrase a text begins with, and what follows.
    fn form<'t>(&self, text: &'t str) -> Option<(Token, &'t str)> {
        let mut forms = self.forms.iter();
        forms.find_map(|(form, token)| Some((token.clone(), behind(text, form)?)))
    }

    fn tokens(&self, text: &str, words: &Words) -> Option<Vec<Token>> {
        let said = words.look_up(text);
        let mut tokens = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            let digits = rest.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '.' | ','));
            let digits = rest.get(..digits.unwrap_or(rest.len()))?;
            if digits.starts_with(|letter: char| letter.is_ascii_digit()) {
                tokens.push(number(digits)?);
                rest = rest.get(digits.len()..)?.trim_start();
                continue;
            }
            let after_number = matches!(tokens.last(), Some(Token::Number(_)));
            // "second" is a unit behind a number and nothing else; a number never follows another.
            let spoken = (!after_number)
                .then(|| said.words.iter().position(|word| word.span.start == at))
                .flatten();
            let in_words = spoken.and_then(|first| Some((first, amounts::number(&said, first)?)));
            if let Some((first, (count, value))) = in_words.filter(|(_, (_, value))| value.is_finite()) {
                tokens.push(Token::Number(value.to_string()));
                let end = said.words.get(first + count - 1)?.span.end;
                rest = text.get(end..)?.trim_start();
                continue;
            }
            let (token, after) = self.form(rest)?;
            tokens.push(token);
            rest = after.trim_start();
        }
        Some(tokens)
    }
}

/// What follows a phrase at the beginning of a text, where the phrase ends there as a word.
fn behind<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(phrase)?;
    let ends = !phrase.ends_with(char::is_alphanumeric) || !rest.starts_with(char::is_alphabetic);
    ends.then_some(rest)
}

fn strip<'t>(text: &'t str, phrases: &[String]) -> Option<&'t str> {
    phrases
        .iter()
        .find_map(|phrase| behind(text, phrase))
        .map(str::trim_start)
}

fn strip_all<'t>(text: &'t str, phrases: &[String]) -> &'t str {
    let mut text = text;
    while let Some(rest) = strip(text, phrases) {
        text = rest;
    }
    text
}

/// A number as it is written; one that begins with a needless zero is a code, a day or a telephone number.
fn number(digits: &str) -> Option<Token> {
    let mut letters = digits.chars();
    let is_code = letters.next() == Some('0') && letters.next().is_some_and(|next| next.is_ascii_digit());
    let is_whole = digits.ends_with(|letter: char| letter.is_ascii_digit());
    (!is_code && is_whole).then(|| Token::Number(digits.to_owned()))
}

/// Dates, telephone numbers and parts are written without spaces: "5/12", "555-1234". Asked for, one sign is a sum.
fn is_written_number(text: &str, is_asked: bool) -> bool {
    let is_one = text
        .chars()
        .all(|letter| letter.is_ascii_digit() || matches!(letter, '/' | '-' | '.'));
    let signs = text
        .chars()
        .skip(1)
        .filter(|letter| matches!(letter, '/' | '-'))
        .count();
    is_one && (signs > 1 || !is_asked)
}

/// The tokens as the executor reads them.
fn written(tokens: &[Token]) -> String {
    let parts = tokens.iter().map(|token| match token {
        Token::Number(text) | Token::Sign(text) | Token::Unit(text) => text.as_str(),
    });
    parts
        .collect::<Vec<_>>()
        .join(" ")
        .replace(" %", "%")
        .replace(" ^", "^")
}

/// Says whether tokens are one expression, and whether there is anything to compute in it.
struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    works: bool,
}

impl Reader<'_> {
    fn whole(&mut self) -> bool {
        let has_unit = self.tokens.iter().any(|token| matches!(token, Token::Unit(_)));
        if !self.sum() {
            return false;
        }
        if has_unit && self.takes(&["to"]) {
            return self.unit() && self.at == self.tokens.len();
        }
        self.at == self.tokens.len()
    }

    fn sum(&mut self) -> bool {
        self.takes_quietly("-");
        if !self.term() {
            return false;
        }
        while self.takes(&["+", "-", "*", "/"]) {
            if !self.term() {
                return false;
            }
        }
        true
    }

    /// "3", "15% of 80", "3 ft 2 inch", "(2 + 3)^2"; a percentage alone only at the end of all: "80 + 10%".
    fn term(&mut self) -> bool {
        if self.takes(&["sqrt"]) {
            return self.term();
        }
        if self.takes_quietly("(") {
            return self.sum() && self.takes_quietly(")") && self.power();
        }
        let first = self.at;
        if !self.number() {
            return false;
        }
        if self.takes_quietly("%") {
            if self.takes(&["of"]) {
                return self.term();
            }
            let signs = first.checked_sub(1).and_then(|before| self.tokens.get(before));
            let adds = matches!(signs, Some(Token::Sign(sign)) if sign == "+" || sign == "-");
            return adds && first > 1 && self.at == self.tokens.len();
        }
        while self.unit() {
            if !self.number() {
                return true;
            }
            if !matches!(self.tokens.get(self.at), Some(Token::Unit(_))) {
                return false;
            }
        }
        self.power()
    }

    fn power(&mut self) -> bool {
        if self.takes(&["^2", "^3"]) {
            return true;
        }
        !self.takes(&["^"]) || {
            self.takes_quietly("-");
            self.number()
        }
    }

    /// A number, or "a" before a unit.
    fn number(&mut self) -> bool {
        let is_one = matches!(self.tokens.get(self.at + 1), Some(Token::Unit(_))) && self.takes_quietly("1");
        let is_number = is_one || matches!(self.tokens.get(self.at), Some(Token::Number(_)));
        self.at += usize::from(is_number && !is_one);
        is_number
    }

    fn unit(&mut self) -> bool {
        let is_unit = matches!(self.tokens.get(self.at), Some(Token::Unit(_)));
        self.at += usize::from(is_unit);
        is_unit
    }

    /// One of these signs, which computes something.
    fn takes(&mut self, signs: &[&str]) -> bool {
        let taken = signs.iter().any(|sign| self.takes_quietly(sign));
        self.works |= taken;
        taken
    }

    fn takes_quietly(&mut self, sign: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Sign(here)) if here == sign);
        self.at += usize::from(is);
        is
    }
}
