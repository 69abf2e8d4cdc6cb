//! A question about papers as words: which of them tell what it is about, and what it asks for. Called by `answer`. It
//! knows no paper.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use metnos_domain::{fold::fold, lang::Lang};
use metnos_language::Language;

use crate::{
    SAID_MIN, SAID_SHARE,
    likeness::is_code,
    words::{Sense, Words},
};

/// What a name, a number or a code says, beside another word.
const NAME_WEIGHT: f64 = 3.0;
/// Of the words beside names and numbers, this much at least is said.
const NAMED_SHARE: f64 = 0.3;
/// Years that are meant as such.
const YEARS: std::ops::RangeInclusive<f64> = 1900.0..=2100.0;

/// One word of a question that tells something.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// Its place in the question, in bytes.
    pub(crate) span: Range<usize>,
    /// Lower case, without accents.
    pub(crate) fold: String,
    /// Its stems in every language.
    pub(crate) stems: Vec<String>,
    /// It is written like a name, or holds digits.
    pub(crate) is_name: bool,
    /// The number it says.
    pub(crate) number: Option<f64>,
    /// The month it names, from 1.
    pub(crate) month: Option<u8>,
    /// Words between this one and the beginning.
    pub(crate) place: usize,
}

impl Word {
    /// The year it says.
    pub(crate) fn year(&self) -> Option<f64> {
        self.number
            .filter(|number| YEARS.contains(number) && number.fract() == 0.0)
    }
}

/// A question.
#[derive(Debug)]
pub(crate) struct Asked {
    /// Its telling words.
    pub(crate) words: Vec<Word>,
    /// What it asks for, each with where it first says so.
    pub(crate) senses: BTreeMap<Sense, usize>,
    /// The words that say so, folded, for each phrase.
    pub(crate) phrases: Vec<(Sense, Vec<String>)>,
    /// Places of those phrases, in bytes.
    said: Vec<Range<usize>>,
    /// So many of the first or the last: "the three best".
    pub(crate) top: Option<usize>,
    /// It ends with the mark of one.
    is_question: bool,
}

/// What makes a question one: something is asked for, and not only shown.
const ASKING: [Sense; 16] = [
    Sense::Most,
    Sense::Least,
    Sense::Dearest,
    Sense::Cheapest,
    Sense::Total,
    Sense::Mean,
    Sense::Median,
    Sense::Apart,
    Sense::Count,
    Sense::Above,
    Sense::Below,
    Sense::Money,
    Sense::Moment,
    Sense::Person,
    Sense::Place,
    Sense::Code,
];

/// What a sum answers.
const SUMS: [Sense; 3] = [Sense::Money, Sense::Total, Sense::Amount];

/// A piece of the question.
struct Piece {
    span: Range<usize>,
    fold: String,
    is_capital: bool,
}

impl Asked {
    pub(crate) fn new(question: &str, lang: Lang, language: &Language, words: &Words) -> Self {
        let pieces = pieces(question);
        let folds: Vec<String> = pieces.iter().map(|piece| piece.fold.clone()).collect();
        let mut asked = Self {
            words: Vec::new(),
            senses: BTreeMap::new(),
            phrases: Vec::new(),
            said: Vec::new(),
            top: None,
            is_question: question.trim_end().ends_with('?'),
        };
        let mut small = None;
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            let place = at;
            let sense = words.sense(lang, folds.get(at..).unwrap_or_default());
            at += sense.map_or(1, |(_, length)| length);
            let number = number(&piece.fold).or_else(|| words.number(lang, &piece.fold));
            // "March" may be no name of a sense, and "May I" no month.
            if let Some((sense, length)) = sense {
                asked.senses.entry(sense).or_insert(place);
                let phrase = folds.get(place..place + length).unwrap_or_default();
                asked.phrases.push((sense, phrase.to_vec()));
                let last = pieces
                    .get(place + length - 1)
                    .map_or(piece.span.end, |last| last.span.end);
                asked.said.push(piece.span.start..last);
                continue;
            }
            let stems: Vec<_> = language.stems(&piece.fold, lang);
            let is_glue = stems.iter().all(|stem| stem.is_glue);
            let is_short = piece.fold.chars().count() < 2;
            if let Some(number) = number {
                small = small.or(Some((place, number, piece.span.clone())));
            }
            let is_number_word = number.is_some() && !piece.fold.starts_with(|letter: char| letter.is_ascii_digit());
            if is_number_word || number.is_none() && (is_glue || is_short) {
                continue;
            }
            let is_name = piece.is_capital && place > 0 || is_code(&piece.fold);
            asked.words.push(Word {
                span: piece.span.clone(),
                stems: crate::stems(language, &piece.fold),
                is_name,
                number,
                month: words.month(&piece.fold).filter(|_| piece.fold.chars().count() > 3),
                place,
                fold: piece.fold.clone(),
            });
        }
        asked.take_top(small);
        asked
    }

    /// "The top 3", "the five best": the number beside the word that asks for the most.
    fn take_top(&mut self, small: Option<(usize, f64, Range<usize>)>) {
        let asks = [Sense::Most, Sense::Least, Sense::Dearest, Sense::Cheapest];
        let place = asks.iter().find_map(|sense| self.senses.get(sense));
        let (Some(place), Some((at, number, span))) = (place, small) else {
            return;
        };
        if number.fract() == 0.0 && (2.0..=50.0).contains(&number) && at.abs_diff(*place) <= 2 {
            self.words.retain(|word| word.place != at);
            self.said.push(span);
            // Checked to be a small whole number.
            self.top = (2..=50)
                .find(|whole| f64::from(*whole) == number)
                .map(|whole| whole as usize);
        }
    }

    /// Whether it says one of these.
    pub(crate) fn says(&self, senses: &[Sense]) -> bool {
        senses.iter().any(|sense| self.senses.contains_key(sense))
    }

    /// Whether it asks for something that may stand on papers.
    pub(crate) fn asks(&self) -> bool {
        self.is_question || self.reckons()
    }

    /// Whether it says what is asked for, beside being a question.
    pub(crate) fn reckons(&self) -> bool {
        self.says(&ASKING)
    }

    /// Whether nothing is asked for before this which a sum, or a day, is no answer to.
    pub(crate) fn asks_no_other_first(&self, sense: Sense) -> bool {
        let others: &[Sense] = if sense == Sense::Moment {
            &SUMS
        } else if SUMS.contains(&sense) {
            &[Sense::Moment]
        } else {
            return true;
        };
        let place = |sense: &Sense| self.senses.get(sense);
        let first = others.iter().filter_map(place).min();
        place(&sense).is_some_and(|own| first.is_none_or(|first| own < first))
    }

    /// What the word at this place in the list says.
    pub(crate) fn weight(&self, at: usize) -> f64 {
        let is_heavy = |word: &Word| word.is_name || word.month.is_some() || word.number.is_some();
        match self.words.get(at) {
            Some(word) if is_heavy(word) => NAME_WEIGHT,
            Some(_) => 1.0,
            None => 0.0,
        }
    }

    /// Whether these words, beside what is given for them, are enough to be about it. A name that stands there says
    /// little where nothing else of the question does.
    pub(crate) fn is_enough(&self, explained: &BTreeSet<usize>, given: f64) -> bool {
        let weight = |words: &dyn Fn(usize) -> bool| -> f64 {
            (0..self.words.len())
                .filter(|at| words(*at))
                .map(|at| self.weight(at))
                .sum()
        };
        // "midterm1" is a word with a number, and no name of anybody.
        let is_plain = |at: usize| {
            let word = self.words.get(at);
            word.is_some_and(|word| is_code(&word.fold)) || self.weight(at) <= 1.0
        };
        let is_known = |at: usize| explained.contains(&at);
        let plain = weight(&is_plain);
        let known_plain = weight(&|at| is_plain(at) && is_known(at));
        weight(&is_known) + given >= SAID_MIN
            && weight(&is_known) >= SAID_SHARE * weight(&|_| true)
            && (plain < 1.0 || known_plain >= NAMED_SHARE * plain)
    }

    /// Where these words stand in the question, and those for what is asked.
    pub(crate) fn spans(&self, explained: &BTreeSet<usize>) -> Vec<Range<usize>> {
        let words = explained.iter().filter_map(|at| self.words.get(*at));
        words.map(|word| word.span.clone()).chain(self.said.clone()).collect()
    }
}

/// A whole number or a fraction, as it is written.
fn number(text: &str) -> Option<f64> {
    let is_plain = text
        .chars()
        .all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ','));
    is_plain.then(|| text.replace(',', ".").parse().ok()).flatten()
}

/// Words with their places; what is joined by a hyphen and holds digits is one.
fn pieces(question: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut begin = None;
    let ends = question.char_indices().chain([(question.len(), ' ')]);
    for (at, letter) in ends {
        let is_inside = letter.is_alphanumeric() || {
            let behind = question.get(at + letter.len_utf8()..).unwrap_or_default();
            let next = behind.chars().next().is_some_and(char::is_alphanumeric);
            let before = question.get(..at).unwrap_or_default().chars().next_back();
            let joins = matches!(letter, '-' | '.' | ',' | '/') && begin.is_some() && next;
            let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
            joins && (digit(before) || digit(behind.chars().next()) || is_upper(before) && letter == '-')
        };
        match (begin, is_inside) {
            (None, true) => begin = Some(at),
            (Some(from), false) => {
                begin = None;
                let own = question.get(from..at).unwrap_or_default();
                pieces.push(Piece {
                    span: from..at,
                    fold: fold(own),
                    is_capital: own.starts_with(char::is_uppercase),
                });
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    pieces
}

fn is_upper(letter: Option<char>) -> bool {
    letter.is_some_and(char::is_uppercase)
}
