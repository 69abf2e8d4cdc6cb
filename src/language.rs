//! Understanding a request without a model: what its words ask for, which values it names, and what stayed unexplained.
//!
//! Called by the engine's intent, patterns and composer, and by the runtime for one-word replies. Everything it knows
//! of a language is data in `locales/<lang>/lexicon.toml`. It never acts, never reads a clock, and never hides a word
//! that it did not understand: such words are listed, and the composer refuses to plan around them.

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
};

use jiff::Zoned;
use serde_json::Value;

use crate::domain::{
    intent::{Clause, Intent},
    lang::Lang,
    vocabulary::{Object, Qualifier, Verb},
};

mod amounts;
mod clauses;
mod concepts;
mod lexicon;
mod literals;
pub mod normal;
mod scan;
mod schedule;
mod sense;
pub mod spoken;
mod token;
mod values;

use concepts::Concepts;
pub use concepts::{Concept, Stem};
pub use lexicon::LanguageError;
use lexicon::{Extensions, Lexicon};
pub use normal::Confirmation;
use scan::Scan;
pub use sense::Role;

const EXTENSIONS: &str = include_str!("language/extensions.toml");
const ENGLISH: &str = include_str!("../locales/en/lexicon.toml");
const ITALIAN: &str = include_str!("../locales/it/lexicon.toml");
const ENGLISH_CONCEPTS: &str = include_str!("../locales/en/concepts.toml");
const ITALIAN_CONCEPTS: &str = include_str!("../locales/it/concepts.toml");

/// What kind of value a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// A file or folder as written, `~` kept.
    Path,
    /// A web address.
    Url,
    /// A file name pattern such as `*.pdf`.
    Glob,
    /// A time window: `this-week`, `last-7d`, `last-24h`, `2026-11-20`.
    Window,
    /// A day of the week, by its English name.
    Weekday,
    /// `{"count": 3, "side": "last"}`.
    Count,
    /// `{"bytes": 10000000, "bound": "min"}`.
    Size,
    /// Text in quotes.
    Quoted,
    /// A mail address.
    Email,
    /// The whole name of a file.
    Name,
    /// A part of the name of a file.
    NamePart,
    /// What a text must contain.
    Query,
    /// A number that belongs to none of the others.
    Number,
    /// Part of another fact; never handed out.
    Taken,
}

/// A typed value found in a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is.
    pub kind: FactKind,
    /// Its value, in the form executors take.
    pub value: Value,
    /// Where it stands in the original.
    pub span: Range<usize>,
    /// What the preposition before it says.
    pub role: Option<Role>,
}

impl Fact {
    /// Its value as text; empty when it is not a text.
    pub fn text(&self) -> &str {
        self.value.as_str().unwrap_or_default()
    }

    /// A path whose last part has an extension, so that it can only be meant as a file.
    pub fn is_file_path(&self) -> bool {
        if self.kind != FactKind::Path {
            return false;
        }
        let name = self.text().rsplit(['/', '\\']).next().unwrap_or_default();
        name.trim_start_matches('.')
            .rsplit_once('.')
            .is_some_and(|(stem, extension)| !stem.is_empty() && (1..=5).contains(&extension.len()))
    }
}

/// From which end a count is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// From the beginning.
    First,
    /// From the end.
    Last,
}

impl Side {
    /// The word in a fact's value.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
        }
    }
}

/// An order that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Field of the entries, by its canonical name (`size`, `mtime`, `memory`, `cpu`, `name`, `ext`).
    pub field: String,
    /// Largest or newest first.
    pub desc: bool,
    /// Only so many.
    pub top: Option<u64>,
}

/// One number that is asked for instead of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// How many there are.
    Count,
    /// How large they are together.
    Total,
}

/// What a clause says beside verb, object and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Points at the result of the clause before.
    Anaphora,
    /// Asks for what is inside ("the contents of").
    Content,
    /// Says "show", or asks.
    Shows,
    /// Wants one thing and nothing else.
    Only,
    /// Speaks of what was done just before.
    Echo,
    /// The verb is a guess from the values alone.
    Implied,
    /// Says what not to do.
    Negated,
    /// Asks how something is done.
    HowTo,
    /// Has a condition or a schedule.
    Conditional,
    /// Has signs that are no words and no values.
    Signs,
}

/// One command of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClauseReading {
    /// What to do; for "show" and questions what is meant by it here.
    pub verb: Option<Verb>,
    /// Everything the verb's word can mean, the first being `verb`.
    pub alternatives: Vec<Verb>,
    /// To what.
    pub object: Option<Object>,
    /// In what form.
    pub qualifier: Option<Qualifier>,
    /// Every noun, in order.
    pub nouns: Vec<(Object, Option<Qualifier>)>,
    /// The word that said the verb; empty when it is implied.
    pub word: String,
    /// Where the clause stands in the original.
    pub span: Range<usize>,
    /// Its values, as indices of `Reading::facts`.
    pub facts: Vec<usize>,
    /// The order it asks for.
    pub order: Option<Order>,
    /// The field it groups by.
    pub group_by: Option<String>,
    /// The number it asks for.
    pub measure: Option<Measure>,
    /// The one field it asks for.
    pub projection: Option<String>,
    /// Closed choices it names, such as `append`.
    pub options: Vec<String>,
    /// What else it says of itself.
    pub marks: Vec<Mark>,
}

impl ClauseReading {
    /// Whether it says this.
    pub fn is(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    fn mark(&mut self, mark: Mark) {
        if !self.is(mark) {
            self.marks.push(mark);
        }
    }

    /// Not a plain command: negated, conditional, a question about how, or with signs nobody can read.
    pub fn is_no_command(&self) -> bool {
        [Mark::Negated, Mark::HowTo, Mark::Conditional, Mark::Signs]
            .into_iter()
            .any(|mark| self.is(mark))
    }

    /// Only a verb: nothing is said of what.
    pub fn is_bare(&self) -> bool {
        self.facts.is_empty()
            && self.nouns.is_empty()
            && self.order.is_none()
            && self.projection.is_none()
            && !self.is(Mark::Anaphora)
    }

    fn is_empty(&self) -> bool {
        self.is_bare() && self.verb.is_none() && self.measure.is_none() && self.group_by.is_none()
    }
}

/// A request as far as it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// As it was written.
    pub original: String,
    /// As patterns compare it: folded words with one space.
    pub normal: String,
    /// The language it turned out to be in.
    pub lang: Lang,
    /// It ended with a question mark.
    pub was_question: bool,
    /// What is believed to be asked.
    pub intent: Intent,
    /// Values, in the order they stand.
    pub facts: Vec<Fact>,
    /// One per command.
    pub clauses: Vec<ClauseReading>,
    /// Content words that nothing explains.
    pub unaccounted: Vec<String>,
    /// It is to happen later, or again and again.
    pub scheduled: bool,
    /// Verbs a plan for this must contain.
    pub required_verbs: Vec<Verb>,
}

/// Everything known about every language; made once.
pub struct Language {
    known: HashSet<String>,
    english: Lexicon,
    italian: Lexicon,
    english_concepts: Concepts,
    italian_concepts: Concepts,
}

impl Language {
    /// Reads the embedded words.
    pub fn embedded() -> Result<Self, LanguageError> {
        let extensions = Extensions::parse(EXTENSIONS)?;
        Ok(Self {
            known: extensions.known(),
            english: Lexicon::parse(Lang::En, ENGLISH, &extensions)?,
            italian: Lexicon::parse(Lang::It, ITALIAN, &extensions)?,
            english_concepts: Concepts::parse(Lang::En, ENGLISH_CONCEPTS)?,
            italian_concepts: Concepts::parse(Lang::It, ITALIAN_CONCEPTS)?,
        })
    }

    fn lexicon(&self, lang: Lang) -> &Lexicon {
        match lang {
            Lang::En => &self.english,
            Lang::It => &self.italian,
        }
    }

    /// The stems of a text's words in one language.
    pub fn stems(&self, text: &str, lang: Lang) -> Vec<Stem> {
        self.concepts(lang).stems(text)
    }

    /// Which words of the closed vocabulary these stems mention, each with the place of its first word.
    pub fn mentions(&self, stems: &[Stem], lang: Lang) -> Vec<(usize, Concept)> {
        self.concepts(lang).mentions(stems)
    }

    fn concepts(&self, lang: Lang) -> &Concepts {
        match lang {
            Lang::En => &self.english_concepts,
            Lang::It => &self.italian_concepts,
        }
    }

    /// Reads a request in the person's language, and in the others if that leaves something open.
    pub fn read(&self, text: &str, lang: Lang, now: &Zoned) -> Reading {
        let mut best = self.read_in(text, lang, now);
        for other in Lang::ALL {
            if other != lang && (!best.unaccounted.is_empty() || best.intent.confidence < 1.0) {
                let reading = self.read_in(text, other, now);
                if reading.understood() > best.understood() {
                    best = reading;
                }
            }
        }
        best
    }

    fn read_in(&self, text: &str, lang: Lang, now: &Zoned) -> Reading {
        let tokens = token::tokens(text, &self.known);
        let mut scan = Scan::new(text, &tokens, self.lexicon(lang));
        values::find_values(&mut scan, now);
        let mut clauses = clauses::clauses(&mut scan);
        let unaccounted = unaccounted(&scan);
        let scheduled = schedule::is_scheduled(&scan);
        let facts = handed_out(&scan, &mut clauses);
        let intent = intent(&clauses, &unaccounted);
        Reading {
            original: text.to_owned(),
            normal: self.normal(text),
            lang,
            was_question: normal::was_question(text),
            required_verbs: required_verbs(&intent),
            intent,
            facts,
            clauses,
            unaccounted,
            scheduled,
        }
    }
}

impl Reading {
    /// The facts of a clause.
    pub fn facts_of<'a>(&'a self, clause: &'a ClauseReading) -> impl Iterator<Item = (usize, &'a Fact)> {
        clause
            .facts
            .iter()
            .filter_map(|index| Some((*index, self.facts.get(*index)?)))
    }

    /// Higher is better understood: first by fewer open words, then by confidence in thousandths.
    fn understood(&self) -> (std::cmp::Reverse<usize>, u64) {
        let open = self
            .unaccounted
            .iter()
            .map(|phrase| phrase.split_whitespace().count())
            .sum();
        (std::cmp::Reverse(open), (self.intent.confidence * 1000.0) as u64)
    }
}

/// What no pass explained, in the words of the request.
fn unaccounted(scan: &Scan<'_>) -> Vec<String> {
    scan.segments
        .iter()
        .filter(|segment| !segment.used && segment.mark.is_none())
        .filter_map(|segment| scan.original.get(segment.span.clone()))
        .map(str::to_owned)
        .collect()
}

/// The facts without those that became part of others; the clauses' indices follow.
fn handed_out(scan: &Scan<'_>, clauses: &mut [ClauseReading]) -> Vec<Fact> {
    let mut order: Vec<usize> = (0..scan.facts.len())
        .filter(|index| scan.facts.get(*index).is_some_and(|fact| fact.kind != FactKind::Taken))
        .collect();
    order.sort_by_key(|index| scan.facts.get(*index).map_or(0, |fact| fact.span.start));
    for clause in clauses {
        clause.facts = clause
            .facts
            .iter()
            .filter_map(|old| order.iter().position(|kept| kept == old))
            .collect();
        clause.facts.sort_unstable();
    }
    order
        .iter()
        .filter_map(|index| scan.facts.get(*index).cloned())
        .collect()
}

/// The intent and how sure it is:
/// 1.0 when every clause has a verb and an object and no word is open; 0.8 when the verb is only implied by the values;
/// 0.2 less for each open word; at most 0.4 when a verb or an object is missing, or when the verb is implied although a
/// word is open (that word may be the verb: "copy"); at most 0.3 when the sentence negates, is conditional or asks how
/// something is done. Nothing understood is 0.
fn intent(clauses: &[ClauseReading], unaccounted: &[String]) -> Intent {
    let asked: Vec<Clause> = clauses
        .iter()
        .filter(|clause| clause.verb.is_some() || clause.object.is_some())
        .map(|clause| Clause {
            verb: clause.verb,
            object: clause.object,
        })
        .collect();
    let keywords = unaccounted.iter().map(|word| token::fold(word)).collect();
    if asked.is_empty() {
        return Intent {
            keywords,
            ..Intent::unknown()
        };
    }
    let open = u32::try_from(unaccounted.len()).unwrap_or(u32::MAX);
    let implied = clauses.iter().any(|clause| clause.is(Mark::Implied));
    let mut confidence: f64 = if implied { 0.8 } else { 1.0 } - 0.2 * f64::from(open);
    let mut intent = Intent {
        clauses: asked,
        keywords,
        confidence: 0.0,
    };
    if !intent.is_complete() || implied && open > 0 {
        confidence = confidence.min(0.4);
    }
    if clauses.iter().any(|clause| clause.is_no_command()) {
        confidence = confidence.min(0.3);
    }
    intent.confidence = confidence.max(0.1);
    intent
}

/// Verbs a plan must contain: none for a request that only reads and names fewer than two.
fn required_verbs(intent: &Intent) -> Vec<Verb> {
    let wanted: BTreeSet<Verb> = intent.clauses.iter().filter_map(|clause| clause.verb).collect();
    if wanted.len() < 2 && !wanted.iter().any(|verb| verb.is_destructive()) {
        return Vec::new();
    }
    wanted.into_iter().filter(|verb| verb.must_be_covered()).collect()
}

#[cfg(test)]
mod tests;
