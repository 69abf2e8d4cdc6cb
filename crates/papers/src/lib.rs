//! What papers answer to a question: the passage of a document, or what a table comes to. Called by the family of
//! papers, with what was read of them. Pure: no file, no database, no clock, no model. It says nothing that does not
//! stand there or follow from it, and where the question is about something else it says nothing at all.

use std::ops::Range;

use metnos_language::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use metnos_domain::lang::Lang;

mod asked;
mod grid;
mod likeness;
mod measured;
mod passage;
mod reckon;
mod words;

pub use grid::Number;
pub use measured::{Measured, Sample, Unmeasured, measured};
pub use words::{PapersError, Words};

use asked::Asked;
use likeness::Likeness;

/// Of what a question says, this much at least stands in what answers it.
const SAID_SHARE: f64 = 0.5;
/// And so much of it, whatever the share: a name, or two words.
const SAID_MIN: f64 = 2.0;
/// What a table that gives what is asked for counts beside words.
const ASKED_WEIGHT: f64 = 1.0;
/// What stands in a name of a file says more of what it is about than a word inside.
const NAMED_WEIGHT: f64 = 0.5;

/// A document.
#[derive(Clone, Debug, PartialEq)]
pub struct Paper {
    /// Where it is, written with `~/`.
    pub path: String,
    /// When it was changed last; of two that answer alike the later one is meant.
    pub changed: i64,
    /// What it says.
    pub parts: Vec<Part>,
    /// It was spoken of last: a question that does not say which paper it is about is about this one.
    pub is_spoken_of: bool,
}

/// A page, a sheet, or all of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The page, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// The name of the sheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Its text; empty for a table.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Rows of cells: numbers, texts, and nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<Value>>,
}

/// What answers a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Which of the papers.
    pub paper: usize,
    /// Which part of it.
    pub part: usize,
    /// What it says, or comes to.
    pub finding: Finding,
    /// What of the question it accounts for, as places of bytes.
    pub explained: Vec<Range<usize>>,
    /// How much of the question that is.
    pub weight: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Lines of a text, as they stand there.
    Passage(String),
    /// Rows of a table, each in one line, and how many more there are.
    Rows {
        /// The rows.
        rows: Vec<String>,
        /// Those that are left out.
        more: usize,
    },
    /// What numbers of a table come to, for each column that was asked about.
    Numbers(Vec<Reckoned>),
}

/// What the numbers of one column come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reckoned {
    /// How they were taken together.
    pub how: How,
    /// The heading of the column; empty where rows were counted.
    pub column: String,
    /// The result.
    pub number: Number,
    /// Of so many rows.
    pub rows: usize,
}

/// How numbers are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// All added up.
    Sum,
    /// The sum over how many.
    Mean,
    /// The one in the middle.
    Median,
    /// The highest less the lowest.
    Difference,
    /// How many rows.
    Count,
}

impl Paper {
    /// From what was kept of it; nothing where that is damaged.
    pub fn new(path: &str, changed: i64, parts: &str) -> Self {
        Self {
            path: path.to_owned(),
            changed,
            parts: serde_json::from_str(parts).unwrap_or_default(),
            is_spoken_of: false,
        }
    }
}

/// The stems by which a text is found, in every language that comes with the program.
pub fn stems(language: &Language, text: &str) -> Vec<String> {
    let apart = likeness::apart(text);
    let all = Lang::BUILT_IN
        .iter()
        .flat_map(|lang| language.telling_stems(&apart, *lang));
    let mut stems: Vec<String> = all.collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// The stems by which papers for a question are looked up: its own words, and others that mean the same on a paper.
/// Empty for what asks nothing that stands on papers.
pub fn wanted(question: &str, lang: Lang, language: &Language, words: &Words) -> Vec<String> {
    let asked = Asked::new(question, lang, language, words);
    if !asked.asks() {
        return Vec::new();
    }
    let own = asked.words.iter().flat_map(|word| stems(language, &word.fold));
    let same = asked.words.iter().flat_map(|word| words.same_as(&word.fold));
    let mut all: Vec<String> = own.chain(same.flat_map(|other| stems(language, other))).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether this asks for something that may stand on papers.
pub fn asks(question: &str, lang: Lang, language: &Language, words: &Words) -> bool {
    Asked::new(question, lang, language, words).asks()
}

/// The lines of a passage that name a last day: "The contract expires on 15 March 2027.", and where the day stands in
/// the next line, that one with it.
pub fn deadlines(passage: &str, words: &Words) -> Vec<String> {
    let lines: Vec<&str> = passage.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let names = |line: &str| words.says_deadline(&likeness::tokens(line));
    let named = (0..lines.len()).filter(|at| lines.get(*at).is_some_and(|line| names(line)));
    named
        .map(|at| lines.get(at..(at + 2).min(lines.len())).unwrap_or_default())
        .flat_map(|both| {
            both.iter()
                .take(1)
                .map(|one| (*one).to_owned())
                .chain((both.len() > 1).then(|| both.join(" ")))
        })
        .collect()
}

/// What these papers answer; `None` where they are about something else, or nothing in them can be told from the rest.
pub fn answer(question: &str, lang: Lang, papers: &[Paper], language: &Language, words: &Words) -> Option<Answer> {
    let asked = Asked::new(question, lang, language, words);
    if !asked.asks() {
        return None;
    }
    let likeness = Likeness::new(&asked, language, words);
    let mut best: Option<Answer> = None;
    for (paper, known) in papers.iter().enumerate() {
        let of_name = likeness.of(&known.path);
        // What stands on another page belongs to the same paper.
        let mut of_paper = of_name.clone();
        of_paper.extend(known.parts.iter().flat_map(|part| likeness.of(&part.text)));
        let found = known.parts.iter().enumerate().filter_map(|(part, own)| {
            let found = if own.rows.is_empty() {
                passage::find(&asked, &likeness, own, words, (&of_name, &of_paper), known.is_spoken_of)
            } else {
                reckon::find(&asked, &likeness, own, words, &of_name)
            };
            let (finding, mut explained) = found?;
            explained.extend(of_name.iter().copied());
            let of_words: f64 = explained.iter().map(|at| asked.weight(*at)).sum();
            // Of what was spoken of a question is only where it says nothing else.
            let says_what = !asked.words.is_empty() || own.rows.is_empty() && asked.says(&passage::KINDS);
            let is_of_it = known.is_spoken_of && says_what && explained.len() == asked.words.len() && asked.reckons();
            let named = of_name.len() + usize::from(is_of_it);
            let weight = of_words + NAMED_WEIGHT * named as f64;
            // What is worked out of a table says what was asked by itself, and what a file is called what it is about.
            let is_given = if own.rows.is_empty() {
                !of_name.is_empty()
            } else {
                asked.reckons()
            };
            let of_asking = if is_given { ASKED_WEIGHT } else { 0.0 };
            (is_of_it || asked.is_enough(&explained, of_asking)).then(|| Answer {
                paper,
                part,
                finding,
                explained: asked.spans(&explained),
                weight,
            })
        });
        for answer in found {
            let changed = |answer: &Answer| papers.get(answer.paper).map(|paper| paper.changed);
            let is_better = best.as_ref().is_none_or(|known| {
                answer.weight > known.weight || answer.weight >= known.weight && changed(&answer) > changed(known)
            });
            if is_better {
                best = Some(answer);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests;
