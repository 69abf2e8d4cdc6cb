//! The words of papers: how a question asks for a number, a day or a name, what a column of money is called, and words
//! that mean the same on a paper, in both languages. Read from `locales/<lang>/papers.toml`.

use std::collections::{BTreeMap, HashMap};

use metnos_domain::{fold::fold, lang::Lang};
use serde::Deserialize;

/// Why the words cannot be used; a test finds this before anybody else.
#[derive(Debug)]
pub struct PapersError(toml::de::Error);

impl std::fmt::Display for PapersError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the words of papers are damaged: {}", self.0)
    }
}

impl std::error::Error for PapersError {}

/// What a phrase of a question asks for, or says of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Sense {
    /// The highest.
    Most,
    /// The lowest.
    Least,
    /// The highest price.
    Dearest,
    /// The lowest price.
    Cheapest,
    /// All added up.
    Total,
    /// The mean.
    Mean,
    /// The median.
    Median,
    /// The difference.
    Apart,
    /// How many.
    Count,
    /// One is higher than the other.
    Above,
    /// One is lower than the other.
    Below,
    /// Money.
    Money,
    /// A number of something.
    Amount,
    /// A day or an hour.
    Moment,
    /// A person.
    Person,
    /// A place.
    Place,
    /// A number that is a name: of a policy, of a card.
    Code,
    /// Of several the last one.
    Latest,
    /// A kind of paper, or what stands on one: "file", "rows".
    Kind,
    /// Says nothing here.
    Filler,
}

/// A file of words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    senses: BTreeMap<Sense, Vec<String>>,
    money_columns: Vec<String>,
    deadlines: Vec<String>,
    numbers: Vec<String>,
}

/// Words that mean the same, whatever their language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    same: Vec<Vec<String>>,
    named: BTreeMap<Sense, Vec<String>>,
}

/// Months of one language; other values are none of ours.
#[derive(Deserialize)]
struct Values {
    months: BTreeMap<String, Vec<String>>,
}

const ENGLISH: &str = include_str!("../../../locales/en/papers.toml");
const ITALIAN: &str = include_str!("../../../locales/it/papers.toml");
const GLOSSARY: &str = include_str!("glossary.toml");
const VALUES: [&str; 2] = [
    include_str!("../../../locales/en/values.toml"),
    include_str!("../../../locales/it/values.toml"),
];

/// All of them.
#[derive(Debug)]
pub struct Words {
    english: Senses,
    italian: Senses,
    same: Vec<Vec<String>>,
    groups: HashMap<String, Vec<usize>>,
    months: HashMap<String, u8>,
    money_columns: Vec<String>,
    /// Each as its words.
    deadlines: Vec<Vec<String>>,
    named: BTreeMap<Sense, Vec<String>>,
}

/// The phrases of one language.
#[derive(Debug)]
struct Senses {
    /// By their first word: the words behind it, and what the phrase says; longer ones first.
    phrases: HashMap<String, Vec<(Vec<String>, Sense)>>,
    /// Number words, from one.
    numbers: Vec<String>,
}

impl Words {
    /// Those that come with the program.
    ///
    /// # Errors
    /// A file of them is damaged.
    pub fn embedded() -> Result<Self, PapersError> {
        let file = |text: &str| toml::from_str::<File>(text).map_err(PapersError);
        let (english, italian) = (file(ENGLISH)?, file(ITALIAN)?);
        let glossary: Glossary = toml::from_str(GLOSSARY).map_err(PapersError)?;
        let same: Vec<Vec<String>> = glossary
            .same
            .iter()
            .map(|group| group.iter().map(|word| fold(word)).collect())
            .collect();
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, group) in same.iter().enumerate() {
            for word in group {
                groups.entry(word.clone()).or_default().push(at);
            }
        }
        let mut months = HashMap::new();
        for text in VALUES {
            let values: Values = toml::from_str(text).map_err(PapersError)?;
            for (number, names) in values.months {
                let Ok(number) = number.parse() else { continue };
                months.extend(names.iter().map(|name| (fold(name), number)));
            }
        }
        let deadlines = english.deadlines.iter().chain(&italian.deadlines);
        let deadlines = deadlines.map(|phrase| phrase.split_whitespace().map(fold).collect());
        let columns = english.money_columns.iter().chain(&italian.money_columns);
        Ok(Self {
            money_columns: columns.map(|word| fold(word)).collect(),
            deadlines: deadlines.collect(),
            english: Senses::new(&english),
            italian: Senses::new(&italian),
            same,
            groups,
            months,
            named: glossary.named,
        })
    }

    /// What a phrase that begins here says, and how many words it has.
    pub(crate) fn sense(&self, lang: Lang, words: &[String]) -> Option<(Sense, usize)> {
        let (first, behind) = words.split_first()?;
        let fits = |phrase: &&(Vec<String>, Sense)| behind.starts_with(&phrase.0);
        let (rest, sense) = self.of(lang).phrases.get(first)?.iter().find(fits)?;
        Some((*sense, rest.len() + 1))
    }

    /// Whether these words say that what stands beside them is the last day for something.
    pub(crate) fn says_deadline(&self, tokens: &[String]) -> bool {
        let says = |phrase: &Vec<String>| {
            tokens
                .windows(phrase.len().max(1))
                .any(|window| window == phrase.as_slice())
        };
        self.deadlines.iter().any(says)
    }

    /// The number a word says.
    pub(crate) fn number(&self, lang: Lang, word: &str) -> Option<f64> {
        let at = self.of(lang).numbers.iter().position(|number| number == word)?;
        Some((at + 1) as f64)
    }

    /// The month a word names, from 1, in any language.
    pub(crate) fn month(&self, word: &str) -> Option<u8> {
        self.months.get(word).copied()
    }

    /// Other words that mean the same on a paper.
    pub(crate) fn same_as<'a>(&'a self, word: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let groups = self.groups.get(word).cloned().unwrap_or_default();
        groups
            .into_iter()
            .flat_map(|at| self.same.get(at).into_iter().flatten().map(String::as_str))
    }

    /// Whether a word stands on papers beside what is asked for.
    pub(crate) fn names(&self, sense: Sense, word: &str) -> bool {
        self.named
            .get(&sense)
            .is_some_and(|own| own.iter().any(|known| known == word))
    }

    /// Whether a heading names amounts of money.
    pub(crate) fn is_money(&self, heading: &str) -> bool {
        let heading = fold(heading);
        let mut words = heading.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| self.money_columns.iter().any(|own| own == word))
    }

    fn of(&self, lang: Lang) -> &Senses {
        if lang == Lang::IT { &self.italian } else { &self.english }
    }
}

impl Senses {
    fn new(file: &File) -> Self {
        let mut phrases: HashMap<String, Vec<(Vec<String>, Sense)>> = HashMap::new();
        for (sense, forms) in &file.senses {
            for form in forms {
                let folded = fold(form);
                let mut words = folded.split_whitespace().map(str::to_owned);
                let Some(first) = words.next() else { continue };
                phrases.entry(first).or_default().push((words.collect(), *sense));
            }
        }
        for own in phrases.values_mut() {
            own.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Self {
            phrases,
            numbers: file.numbers.iter().map(|word| fold(word)).collect(),
        }
    }
}
