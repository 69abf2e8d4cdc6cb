//! P0: the few sentences that are answered by rule, before any memory or model is asked. Called first by `dispatch`.
//!
//! ```text
//! closed requests → guards (negation, quotation, how-to, two commands)
//!   → watchers → clocks → devices → condition, length → whole forms
//! ```
//!
//! Everything is data of a language: whole forms in `locales/<lang>/patterns.toml`, the words of commands in
//! `commands.toml`. A command counts only when each of its words has a part in it. It decides nothing about rights.

use regex::Regex;
use serde::Deserialize;

use self::{
    closed::Closed,
    command::{Command, Subject},
    household::Household,
    intents::{IntentName, hit},
    said::Said,
    words::Words,
};
use crate::{
    domain::{actor::Autonomy, lang::Lang, message::Message},
    language::{LanguageError, normal},
};

mod amounts;
mod classes;
mod clauses;
mod clocks;
mod closed;
pub mod command;
mod devices;
pub mod household;
mod intents;
mod moments;
mod said;
mod watchers;
mod words;

const ENGLISH: &str = include_str!("../../locales/en/patterns.toml");
const ITALIAN: &str = include_str!("../../locales/it/patterns.toml");
const ENGLISH_CLOSED: &str = include_str!("../../locales/en/closed.toml");
const ITALIAN_CLOSED: &str = include_str!("../../locales/it/closed.toml");
const ENGLISH_COMMANDS: &str = include_str!("../../locales/en/commands.toml");
const ITALIAN_COMMANDS: &str = include_str!("../../locales/it/commands.toml");

/// Longest message that is looked at, in bytes; longer ones are no commands.
const BYTES_MAX: usize = 512;

/// Most turns that are taken back at once.
const UNDO_MAX: u8 = 20;

/// A sentence with one meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// What time it is.
    Time,
    /// What time it is elsewhere.
    TimeIn {
        /// "tokyo", "il cairo".
        place: String,
    },
    /// What day it is.
    Date,
    /// What day another day is, in words for that day.
    DayOf {
        /// "tomorrow", "natale".
        when: String,
        /// It is spoken of as over.
        past: bool,
    },
    /// How many days it is until a day, in words for that day.
    DaysUntil {
        /// "christmas", "il 3 marzo".
        when: String,
    },
    /// What year it is.
    Year,
    /// What month it is.
    Month,
    /// What week of the year it is.
    Week,
    /// Take the last turns back, so many of them.
    Undo(u8),
    /// A greeting and nothing else.
    Hello,
    /// Thanks and nothing else.
    Thanks,
    /// A farewell and nothing else.
    Bye,
    /// A farewell for the night.
    GoodNight,
    /// Who is speaking here.
    WhoAreYou,
    /// What can be asked.
    Help,
    /// What metnos is doing.
    Status,
    /// Change how much happens without asking.
    SetAutonomy(Autonomy),
    /// One level less.
    LowerAutonomy,
    /// Where the person is.
    WhereAmI,
    /// Timers, alarms, devices, watchers.
    Command(Command),
}

impl Pattern {
    /// Makes metnos safer. It is never silenced: its words must not reach a layer that could read them otherwise.
    pub fn is_safety(&self) -> bool {
        match self {
            Self::Undo(_) | Self::LowerAutonomy => true,
            Self::Time
            | Self::TimeIn { .. }
            | Self::Date
            | Self::DayOf { .. }
            | Self::DaysUntil { .. }
            | Self::Year
            | Self::Month
            | Self::Week
            | Self::Bye
            | Self::GoodNight
            | Self::Hello
            | Self::Thanks
            | Self::WhoAreYou
            | Self::Help
            | Self::Status
            | Self::SetAutonomy(_)
            | Self::WhereAmI
            | Self::Command(_) => false,
        }
    }
}

/// Why a message is left to the next layer although words of a command are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclineReason {
    /// It says not to.
    Negation,
    /// It asks how something is done.
    HowTo,
    /// It repeats what somebody said or wrote.
    Reported,
    /// It has a condition or another time.
    Conditional,
    /// It asks for two things.
    TwoCommands,
    /// It is too long to be one command.
    TooLong,
    /// It names a date or months: the calendar's, not a clock's.
    Calendar,
    /// It says what to do and not to which.
    NoTarget,
}

/// What a frame of commands makes of a message that is about it.
enum Reply {
    Hit(Command),
    Clarify(Message, Subject),
    Decline(DeclineReason),
}

impl From<Reply> for PatternMatch {
    fn from(reply: Reply) -> Self {
        match reply {
            Reply::Hit(command) => Self::Hit(Pattern::Command(command)),
            Reply::Clarify(question, subject) => Self::Clarify(question, Some(subject)),
            Reply::Decline(reason) => Self::Decline(reason),
        }
    }
}

/// What P0 makes of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternMatch {
    /// This is meant.
    Hit(Pattern),
    /// A value is missing or impossible, or two things may be meant: the person is asked, and about what.
    Clarify(Message, Option<Subject>),
    /// Refused in words already, with this sentence.
    Refuse(Message),
    /// Not by rule, and why.
    Decline(DeclineReason),
    /// No pattern.
    Miss,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    wake: Vec<String>,
    polite: Vec<String>,
    undo_first: Vec<String>,
    undo_before: Vec<String>,
    last: Vec<String>,
    undone: Vec<String>,
    numbers: Vec<String>,
    guards: Guards,
    pattern: Vec<Form>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guards {
    negation: Vec<String>,
    how_to: Vec<String>,
    reported: Vec<String>,
    conditional: Vec<String>,
    joint: Vec<String>,
    commands: Vec<String>,
    words_max: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    intent: IntentName,
    forms: Vec<String>,
}

/// The patterns of one language, compiled.
struct Table {
    wake: Vec<String>,
    polite: Vec<String>,
    undo_first: Vec<String>,
    undo_before: Vec<String>,
    last: Vec<String>,
    undone: Vec<String>,
    numbers: Vec<String>,
    guards: Guards,
    patterns: Vec<(IntentName, Regex)>,
    words: Words,
    closed: Closed,
}

impl Table {
    fn parse(lang: Lang, text: &str, commands: &str, closed: &str) -> Result<Self, LanguageError> {
        let what = format!("{} patterns", lang.code());
        let file: File = toml::from_str(text).map_err(|source| LanguageError::Toml {
            what: what.clone(),
            source,
        })?;
        let mut patterns = Vec::new();
        for form in file.pattern {
            let whole = format!("^(?:{})$", form.forms.join("|"));
            // A named group may stand in several forms: each form is then its own expression.
            let expressions = if whole.matches("(?P<").count() > 1 {
                form.forms.iter().map(|form| format!("^(?:{form})$")).collect()
            } else {
                vec![whole]
            };
            for expression in expressions {
                let compiled = Regex::new(&expression).map_err(|source| LanguageError::Regex {
                    what: what.clone(),
                    source,
                })?;
                patterns.push((form.intent, compiled));
            }
        }
        let longest_first = |mut forms: Vec<String>| {
            forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
            forms
        };
        Ok(Self {
            wake: longest_first(file.wake),
            polite: longest_first(file.polite),
            undo_first: file.undo_first,
            undo_before: longest_first(file.undo_before),
            last: file.last,
            undone: file.undone,
            numbers: file.numbers,
            guards: file.guards,
            patterns,
            words: Words::parse(lang, commands)?,
            closed: Closed::parse(lang, closed)?,
        })
    }

    /// Calls and politeness at both ends, gone.
    fn bare<'t>(&self, text: &'t str) -> &'t str {
        let mut text = text;
        loop {
            let before = text;
            for form in self.wake.iter().chain(&self.polite) {
                text = strip_word_prefix(text, form).unwrap_or(text);
            }
            for form in &self.polite {
                text = strip_word_suffix(text, form).unwrap_or(text);
            }
            if text == before {
                return text;
            }
        }
    }

    /// How many turns a message takes back, if it begins with the word for it, or with a start and then that word.
    fn undoes(&self, text: &str) -> Option<u8> {
        let mut text = text;
        while let Some(rest) = self.undo_before.iter().find_map(|form| strip_word_prefix(text, form)) {
            text = rest;
        }
        let words: Vec<&str> = text.split(' ').collect();
        let first = words.first()?;
        if !self.undo_first.iter().any(|word| word == first) {
            return None;
        }
        // "the last three": a number behind the word for last, in digits or in words.
        let number = words.windows(2).enumerate().find_map(|(at, pair)| {
            let [last, number] = pair else { return None };
            let named = self.numbers.iter().position(|word| word == number);
            let count = number.parse().ok().or_else(|| u8::try_from(named? + 1).ok())?;
            let counts = self.last.iter().any(|word| word == last);
            // "the last two days" counts days.
            let of_turns = words
                .get(at + 2)
                .is_none_or(|thing| self.undone.iter().any(|word| word == thing));
            (counts && of_turns).then_some(count)
        });
        Some(number.filter(|count| (1..=UNDO_MAX).contains(count)).unwrap_or(1))
    }

    /// The first guard that forbids any answer by rule.
    fn guarded(&self, text: &str, original: &str) -> Option<DeclineReason> {
        let has = |forms: &[String]| forms.iter().any(|form| contains_words(text, form));
        let guards = &self.guards;
        let quoted = original.contains(['"', '\u{201C}', '\u{00AB}', '\u{201E}']);
        if quoted || has(&guards.reported) {
            return Some(DeclineReason::Reported);
        }
        if has(&guards.how_to) {
            return Some(DeclineReason::HowTo);
        }
        if has(&guards.negation) {
            return Some(DeclineReason::Negation);
        }
        self.has_two_commands(text).then_some(DeclineReason::TwoCommands)
    }

    /// Guards for everything but clocks, whose commands have times in them and a label as long as one likes.
    fn untimely(&self, text: &str) -> Option<DeclineReason> {
        let guards = &self.guards;
        if guards.conditional.iter().any(|form| contains_words(text, form)) {
            return Some(DeclineReason::Conditional);
        }
        (text.split(' ').count() > guards.words_max).then_some(DeclineReason::TooLong)
    }

    /// What this language makes of a message.
    fn read(&self, normal: &str, original: &str, household: &Household) -> PatternMatch {
        let bare = self.bare(normal);
        let said = self.words.look_up(original);
        let asks_how = self.guards.how_to.iter().any(|form| contains_words(bare, form));
        if let Some(key) = self.closed.refusal(original, &said.words).filter(|_| !asks_how) {
            return PatternMatch::Refuse(Message::new(key));
        }
        if let Some(reason) = self.guarded(bare, original) {
            // "…, so I don't miss the bus": the reason may say what is not, and why; the command may not.
            let forbids = |part: &Said<'_>| self.guarded(&part.folded(), "").is_some();
            let may_be_reason = matches!(reason, DeclineReason::Negation | DeclineReason::HowTo);
            let apart = (may_be_reason && !self.has_two_commands(bare))
                .then(|| clauses::read(&said, household, Some(&forbids)));
            return apart.flatten().map_or(PatternMatch::Decline(reason), Into::into);
        }
        if let Some(reply) = watchers::read(&said, household).or_else(|| clocks::read(&said, household)) {
            return reply.into();
        }
        if let Some(reply) = devices::read(&said, household).or_else(|| clauses::read(&said, household, None)) {
            return reply.into();
        }
        let untimely = self.untimely(bare);
        let mut hits = Vec::new();
        if untimely.is_none() {
            // "thanks a lot" is all politeness, and means it.
            hits = self.hits(bare, |intent| !intent.is_about_days());
            if hits.is_empty() {
                hits = self.hits(normal, |intent| !intent.is_about_days());
            }
        }
        if hits.is_empty() {
            hits = self.hits(bare, IntentName::is_about_days);
        }
        match (hits.len(), untimely) {
            (0, Some(reason)) => PatternMatch::Decline(reason),
            (0, None) => PatternMatch::Miss,
            (1, _) => hits.remove(0),
            _ => PatternMatch::Clarify(Message::new("pattern-ambiguous"), None),
        }
    }

    fn has_two_commands(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split(' ').collect();
        words.windows(2).any(|pair| {
            let [joint, command] = pair else { return false };
            let is = |list: &[String], word: &str| list.iter().any(|known| known == word);
            is(&self.guards.joint, joint) && is(&self.guards.commands, command)
        })
    }

    fn hits(&self, text: &str, counts: impl Fn(IntentName) -> bool) -> Vec<PatternMatch> {
        let mut hits: Vec<PatternMatch> = Vec::new();
        for (intent, regex) in self.patterns.iter().filter(|(intent, _)| counts(*intent)) {
            let Some(captures) = regex.captures(text) else { continue };
            let part = ["level", "when", "place"].iter().find_map(|name| captures.name(name));
            let hit = hit(*intent, part.map_or("", |part| part.as_str()));
            if !hits.contains(&hit) {
                hits.push(hit);
            }
        }
        hits
    }
}

/// Every pattern of every language; made once.
pub struct Patterns {
    english: Table,
    italian: Table,
}

impl Patterns {
    /// Reads and compiles the embedded patterns.
    pub fn embedded() -> Result<Self, LanguageError> {
        Ok(Self {
            english: Table::parse(Lang::En, ENGLISH, ENGLISH_COMMANDS, ENGLISH_CLOSED)?,
            italian: Table::parse(Lang::It, ITALIAN, ITALIAN_COMMANDS, ITALIAN_CLOSED)?,
        })
    }

    fn table(&self, lang: Lang) -> &Table {
        match lang {
            Lang::En => &self.english,
            Lang::It => &self.italian,
        }
    }

    /// What a message means by rule, in the person's language first and then in the others.
    pub fn matching(&self, text: &str, lang: Lang, household: &Household) -> PatternMatch {
        if text.len() > BYTES_MAX {
            return PatternMatch::Miss;
        }
        let normal = normal::words(text);
        let others = Lang::ALL.into_iter().filter(|other| *other != lang);
        let tables: Vec<&Table> = std::iter::once(lang)
            .chain(others)
            .map(|lang| self.table(lang))
            .collect();
        // Taking back is safety: it wins over everything that follows the word.
        if let Some(turns) = tables.iter().filter_map(|table| table.undoes(&normal)).max() {
            return PatternMatch::Hit(Pattern::Undo(turns));
        }
        let mut declined = None;
        for table in tables {
            match table.read(&normal, text, household) {
                PatternMatch::Decline(reason) => {
                    declined.get_or_insert(reason);
                }
                PatternMatch::Miss => {}
                answer @ (PatternMatch::Hit(_) | PatternMatch::Clarify(..) | PatternMatch::Refuse(_)) => return answer,
            }
        }
        declined.map_or(PatternMatch::Miss, PatternMatch::Decline)
    }
}

fn strip_word_prefix<'t>(text: &'t str, form: &str) -> Option<&'t str> {
    text.strip_prefix(form)?.strip_prefix(' ')
}

fn strip_word_suffix<'t>(text: &'t str, form: &str) -> Option<&'t str> {
    text.strip_suffix(form)?.strip_suffix(' ')
}

/// Whether a phrase stands in a text as whole words.
fn contains_words(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, found)| {
        let before = text
            .get(..at)
            .is_none_or(|head| head.is_empty() || head.ends_with([' ', '\'']));
        let after = text
            .get(at + found.len()..)
            .is_none_or(|tail| tail.is_empty() || tail.starts_with(' '));
        before && after
    })
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_wordings;
