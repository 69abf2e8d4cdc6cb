//! What a request was understood to say: its values, its clauses, and the words that nothing explains. Filled by the
//! passes of `language`; it holds no rule of its own.

use std::ops::Range;

use serde_json::Value;

use super::{Role, time::Mention};
use metnos_domain::{
    intent::Intent,
    lang::Lang,
    vocabulary::{Object, Qualifier, Verb},
};

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
    /// What something is about, be it in its name or in its text.
    Topic,
    /// The words of the name of one file that is to be read, each with other words for the same behind bars.
    Title,
    /// What a question is about that a note of the household may answer, in the same form.
    Matter,
    /// What may be on a list, one thing a line: whether it is there is asked.
    Listed,
    /// What a text must not contain.
    NotQuery,
    /// A file name pattern that is left out.
    NotGlob,
    /// A kind of place, by its name in plans.
    PlaceKind,
    /// The name of a place that is looked for.
    PlaceName,
    /// Words for a place around which something is looked for.
    Whereabouts,
    /// It must be open at this moment.
    OpenNow,
    /// What is known of one place is asked for: when it opens, its telephone.
    PlaceDetails,
    /// `{"amount": 12.5, "currency": "EUR"}`.
    Money,
    /// So many of a hundred, as a number.
    Percent,
    /// `{"amount": 21, "unit": "celsius", "of": "temperature"}`.
    Amount,
    /// A telephone number: its digits, with a plus before the country's.
    Phone,
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
    /// All that the words for it may stand for, when only the person can say which; its value is the first.
    pub one_of: Vec<String>,
}

impl Fact {
    /// Its value as text; empty when it is not a text.
    pub fn text(&self) -> &str {
        self.value.as_str().unwrap_or_default()
    }

    /// Bounds when something was changed from one side: "older than a day", "newer than a week".
    pub fn is_age(&self) -> bool {
        self.kind == FactKind::Window && AGES.iter().any(|age| self.text().starts_with(age))
    }

    /// Bounds it from the other side than another: both hold, where "today" and "yesterday" do not.
    pub fn bounds_beside(&self, other: &Self) -> bool {
        let side = |fact: &Self| AGES.iter().position(|age| fact.text().starts_with(age));
        self.is_age() && other.is_age() && side(self) != side(other)
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

/// How windows begin that have one side only, each on its own.
const AGES: [&str; 2] = ["older-", "last-"];

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
    /// So many from this end are left out: three of "all but the three newest", one of "the second biggest".
    pub skip: u64,
    /// Only so many, of what is left.
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
    /// Points at the place of the clause before ("there").
    There,
    /// Wants a list of things written down, not the things.
    Listing,
    /// Speaks of things one by one.
    Each,
    /// Speaks of one file, without a word for "every".
    One,
    /// Asks whether something is there, and nothing else of it.
    Exists,
    /// The verb is a guess from the values alone.
    Implied,
    /// Goes on with something said before ("and in ~/photos?"), of which only half is here.
    GoesOn,
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
    /// Which one of those found, as they stand: 1 is the first, -1 the last.
    pub place: Option<i64>,
    /// The field it groups by.
    pub group_by: Option<String>,
    /// The number it asks for.
    pub measure: Option<Measure>,
    /// The one field it asks for.
    pub projection: Option<String>,
    /// Closed choices it names, such as `append`.
    pub options: Vec<String>,
    /// From the word that negates it, if it begins with one, as far as that reaches.
    pub negation: Option<Range<usize>>,
    /// What else it says of itself.
    pub marks: Vec<Mark>,
}

impl ClauseReading {
    /// Whether it says this.
    pub fn is(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        if !self.is(mark) {
            self.marks.push(mark);
        }
    }

    /// Not a plain command: negated, conditional, a question about how, half of one, or with signs nobody can read.
    pub fn is_no_command(&self) -> bool {
        [Mark::Negated, Mark::HowTo, Mark::Conditional, Mark::Signs, Mark::GoesOn]
            .into_iter()
            .any(|mark| self.is(mark))
    }

    /// Only a verb: nothing is said of what.
    pub fn is_bare(&self) -> bool {
        self.facts.is_empty()
            && self.nouns.is_empty()
            && self.order.is_none()
            && self.place.is_none()
            && self.projection.is_none()
            && !self.is(Mark::Anaphora)
    }

    /// Says of what was found before what is wanted of it.
    pub(super) fn works_on_earlier(&self) -> bool {
        self.is(Mark::Anaphora) || self.order.is_some() || self.place.is_some() || self.group_by.is_some()
    }

    /// So many files from one end of an order ("the three biggest files"), and not of those of before.
    pub fn is_some_of_all(&self) -> bool {
        // "find the biggest files": whoever has them searched for means those of all.
        let searched = self.alternatives.contains(&Verb::Find) && !self.word.is_empty();
        let cut = self.order.as_ref().is_some_and(|order| order.top.is_some() || searched);
        cut && self.nouns.contains(&(Object::Files, None)) && !self.is(Mark::Anaphora) && !self.is(Mark::GoesOn)
    }

    pub(super) fn is_empty(&self) -> bool {
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
    /// Every number it says, in the order they stand, whatever it became.
    pub numbers: Vec<f64>,
    /// Every time it speaks of, windows included.
    pub times: Vec<Mention>,
    /// One per command.
    pub clauses: Vec<ClauseReading>,
    /// Clauses that only say what is not to be done.
    pub forbidden: Vec<ClauseReading>,
    /// Content words that nothing explains.
    pub unaccounted: Vec<String>,
    /// It is to happen later, or again and again.
    pub scheduled: bool,
    /// Verbs a plan for this must contain.
    pub required_verbs: Vec<Verb>,
    /// Holds a name or a text that stands without quotes: every letter of the request counts, also those of words that
    /// otherwise change nothing.
    pub verbatim: bool,
    /// What words of it stand for, found on the disk: files by words of their names, and the folders these are in. It
    /// may be another file tomorrow.
    pub by_name: Vec<String>,
    /// Names of files, without a folder, that must be there and are nowhere in the home.
    pub missing: Vec<String>,
}

impl Reading {
    /// The facts of a clause.
    pub fn facts_of<'a>(&'a self, clause: &'a ClauseReading) -> impl Iterator<Item = (usize, &'a Fact)> {
        clause
            .facts
            .iter()
            .filter_map(|index| Some((*index, self.facts.get(*index)?)))
    }

    /// Verbs that no step may have: people said not to.
    pub fn forbidden_verbs(&self) -> impl Iterator<Item = Verb> {
        let said = |clause: &ClauseReading| clause.alternatives.clone().into_iter().chain(clause.verb);
        self.forbidden.iter().flat_map(said)
    }

    /// Whether a fact only belongs to what is not to be done.
    pub fn is_only_forbidden(&self, fact: usize) -> bool {
        let has = |clauses: &[ClauseReading]| clauses.iter().any(|clause| clause.facts.contains(&fact));
        has(&self.forbidden) && !has(&self.clauses)
    }

    /// Whether every word of it was understood.
    pub(super) fn is_whole(&self) -> bool {
        self.unaccounted.is_empty() && self.intent.confidence >= 1.0
    }

    /// The same request in a language nobody here can read: what means the same in all of them stays, such as paths and
    /// addresses, and nothing is believed of the rest.
    pub(super) fn unread(self, lang: Lang) -> Self {
        let is_sure = |fact: &Fact| matches!(fact.kind, FactKind::Path | FactKind::Url | FactKind::Email);
        Self {
            lang,
            intent: Intent::unknown(),
            facts: self.facts.into_iter().filter(is_sure).collect(),
            times: Vec::new(),
            clauses: Vec::new(),
            forbidden: Vec::new(),
            unaccounted: Vec::new(),
            scheduled: false,
            required_verbs: Vec::new(),
            verbatim: true,
            by_name: Vec::new(),
            missing: Vec::new(),
            ..self
        }
    }

    /// Whether it is in a language that is read here; in any other one only a model understands it.
    pub fn is_read(&self) -> bool {
        self.lang.is_built_in()
    }

    /// Higher is better understood: first by fewer open words, then by confidence in thousandths.
    pub(super) fn understood(&self) -> (std::cmp::Reverse<usize>, u64) {
        let open = self
            .unaccounted
            .iter()
            .map(|phrase| phrase.split_whitespace().count())
            .sum();
        (std::cmp::Reverse(open), (self.intent.confidence * 1000.0) as u64)
    }
}
