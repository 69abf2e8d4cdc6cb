//! Requests that are refused in words already: for keys, for the disk as a whole, against the rules themselves.
//! Called by `patterns` before anything else. It spares a planner the attempt and the person a riddle. What protects is
//! the guard of policy, which sees every target again; a place that is named outright is left to it alone.

use serde::Deserialize;

use crate::{
    domain::lang::Lang,
    language::{
        LanguageError,
        spoken::{Spoken, spoken},
    },
    policy,
};

/// What is refused, and with which sentence.
const MESSAGES: &[&str] = &["closed-secrets", "closed-destruction", "closed-safety"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    closed: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    message: String,
    within: usize,
    #[serde(rename = "do")]
    acts: Vec<String>,
    to: Vec<String>,
}

/// The closed requests of one language.
pub(super) struct Closed(Vec<Rule>);

struct Rule {
    message: &'static str,
    within: usize,
    acts: Phrases,
    targets: Phrases,
}

type Phrases = Vec<Vec<String>>;

impl Closed {
    /// Reads the words of a language.
    pub(super) fn parse(lang: Lang, text: &str) -> Result<Self, LanguageError> {
        let what = || format!("{} closed requests", lang.code());
        let file: File = toml::from_str(text).map_err(|source| LanguageError::Toml { what: what(), source })?;
        let phrases = |forms: &[String]| -> Phrases {
            let folds = |form: &String| spoken(form).into_iter().map(|word| word.fold).collect();
            forms.iter().map(folds).collect()
        };
        let mut groups = Vec::new();
        for group in &file.closed {
            let message = MESSAGES.iter().find(|known| **known == group.message);
            let message = message.ok_or_else(|| LanguageError::Unknown {
                what: what(),
                word: group.message.clone(),
            })?;
            groups.push(Rule {
                message,
                within: group.within,
                acts: phrases(&group.acts),
                targets: phrases(&group.to),
            });
        }
        Ok(Self(groups))
    }

    /// The sentence that refuses a message, if it is closed.
    pub(super) fn refusal(&self, text: &str, words: &[Spoken]) -> Option<&'static str> {
        if policy::is_fork_bomb(text) {
            return Some("closed-destruction");
        }
        let said: Vec<&Spoken> = words.iter().filter(|word| !is_in_place(text, word)).collect();
        self.0.iter().find(|rule| rule.fits(&said)).map(|rule| rule.message)
    }
}

impl Rule {
    fn fits(&self, words: &[&Spoken]) -> bool {
        let begins = |at: usize, phrase: &Vec<String>| {
            let here = words.get(at..at + phrase.len());
            here.is_some_and(|here| here.iter().zip(phrase).all(|(word, own)| word.fold == *own))
        };
        let targets_at = |at: usize| self.targets.iter().any(|target| begins(at, target));
        (0..words.len()).any(|at| {
            let mut acts = self.acts.iter().filter(|act| begins(at, act));
            acts.any(|act| (at + act.len()..=at + act.len() + self.within).any(targets_at))
        })
    }
}

/// Whether a word is part of a path or an address.
fn is_in_place(text: &str, word: &Spoken) -> bool {
    let head = text.get(..word.span.start).unwrap_or_default();
    let tail = text.get(word.span.start..).unwrap_or_default();
    let start = head.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let before = head.get(start..).unwrap_or_default();
    let after = tail.split(char::is_whitespace).next().unwrap_or_default();
    before.len() + after.len() > 1 && (before.contains('/') || after.contains('/'))
}
