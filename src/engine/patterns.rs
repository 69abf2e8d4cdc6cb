//! P0: the few sentences that are answered by rule, before any memory or model is asked. Called first by `dispatch`.
//!
//! A pattern is data (`locales/<lang>/patterns.toml`) that must match the whole message, and guards come before
//! patterns: a negation, a quotation, a condition or a second command is never answered by rule. It decides nothing
//! about rights. Timers, alarms, devices and watchers will be further variants of `Pattern`, with the same guards.

use regex::Regex;
use serde::Deserialize;

use crate::{
    domain::{actor::Autonomy, lang::Lang, message::Message},
    language::{LanguageError, normal},
};

const ENGLISH: &str = include_str!("../../locales/en/patterns.toml");
const ITALIAN: &str = include_str!("../../locales/it/patterns.toml");

/// Longest message that is looked at, in bytes; longer ones are no commands.
const BYTES_MAX: usize = 512;

/// Most turns that are taken back at once.
const UNDO_MAX: u8 = 20;

/// A sentence with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// What time it is.
    Time,
    /// What day it is.
    Date,
    /// Take the last turns back, so many of them.
    Undo(u8),
    /// A greeting and nothing else.
    Hello,
    /// Thanks and nothing else.
    Thanks,
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
}

impl Pattern {
    /// Makes metnos safer. It is never silenced: its words must not reach a layer that could read them as anything else
    ///.
    pub fn is_safety(self) -> bool {
        match self {
            Self::Undo(_) | Self::LowerAutonomy => true,
            Self::Time
            | Self::Date
            | Self::Hello
            | Self::Thanks
            | Self::WhoAreYou
            | Self::Help
            | Self::Status
            | Self::SetAutonomy(_)
            | Self::WhereAmI => false,
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
}

/// What P0 makes of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternMatch {
    /// This is meant.
    Hit(Pattern),
    /// A value is impossible, or two things may be meant: the person is asked.
    Clarify(Message),
    /// Not by rule, and why.
    Decline(DeclineReason),
    /// No pattern.
    Miss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum IntentName {
    Time,
    Date,
    Undo,
    Hello,
    Thanks,
    WhoAreYou,
    Help,
    Status,
    SetAutonomy,
    LowerAutonomy,
    WhereAmI,
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
}

impl Table {
    fn parse(lang: Lang, text: &str) -> Result<Self, LanguageError> {
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

    /// The first guard that forbids an answer by rule.
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
        if self.has_two_commands(text) {
            return Some(DeclineReason::TwoCommands);
        }
        if has(&guards.conditional) {
            return Some(DeclineReason::Conditional);
        }
        (text.split(' ').count() > guards.words_max).then_some(DeclineReason::TooLong)
    }

    fn has_two_commands(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split(' ').collect();
        words.windows(2).any(|pair| {
            let [joint, command] = pair else { return false };
            let is = |list: &[String], word: &str| list.iter().any(|known| known == word);
            is(&self.guards.joint, joint) && is(&self.guards.commands, command)
        })
    }

    fn hits(&self, text: &str) -> Vec<PatternMatch> {
        let mut hits: Vec<PatternMatch> = Vec::new();
        for (intent, regex) in &self.patterns {
            let Some(captures) = regex.captures(text) else { continue };
            let hit = hit(*intent, captures.name("level").map(|level| level.as_str()));
            if !hits.contains(&hit) {
                hits.push(hit);
            }
        }
        hits
    }
}

fn hit(intent: IntentName, level: Option<&str>) -> PatternMatch {
    PatternMatch::Hit(match intent {
        IntentName::Time => Pattern::Time,
        IntentName::Date => Pattern::Date,
        IntentName::Undo => Pattern::Undo(1),
        IntentName::Hello => Pattern::Hello,
        IntentName::Thanks => Pattern::Thanks,
        IntentName::WhoAreYou => Pattern::WhoAreYou,
        IntentName::Help => Pattern::Help,
        IntentName::Status => Pattern::Status,
        IntentName::LowerAutonomy => Pattern::LowerAutonomy,
        IntentName::WhereAmI => Pattern::WhereAmI,
        IntentName::SetAutonomy => {
            let digits = level.unwrap_or_default().trim_start_matches('a').trim();
            match Autonomy::parse(&format!("a{digits}")) {
                Some(level) => Pattern::SetAutonomy(level),
                None => return PatternMatch::Clarify(Message::new("pattern-autonomy-range").with("level", digits)),
            }
        }
    })
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
            english: Table::parse(Lang::En, ENGLISH)?,
            italian: Table::parse(Lang::It, ITALIAN)?,
        })
    }

    fn table(&self, lang: Lang) -> &Table {
        match lang {
            Lang::En => &self.english,
            Lang::It => &self.italian,
        }
    }

    /// What a message means by rule, in the person's language first and then in the others.
    pub fn matching(&self, text: &str, lang: Lang) -> PatternMatch {
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
            let bare = table.bare(&normal);
            if let Some(reason) = table.guarded(bare, text) {
                declined.get_or_insert(reason);
                continue;
            }
            // "thanks a lot" is all politeness, and means it.
            let mut hits = table.hits(bare);
            if hits.is_empty() {
                hits = table.hits(&normal);
            }
            match hits.len() {
                0 => {}
                1 => return hits.remove(0),
                _ => return PatternMatch::Clarify(Message::new("pattern-ambiguous")),
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
mod tests {
    use super::*;

    const TABLE: &[(&str, Pattern)] = &[
        ("what time is it", Pattern::Time),
        ("What time is it?", Pattern::Time),
        ("hey metnos, what time is it please", Pattern::Time),
        ("What's the time", Pattern::Time),
        ("what\u{2019}s the time\u{FF1F}", Pattern::Time),
        ("che ore sono", Pattern::Time),
        ("che ora è?", Pattern::Time),
        ("che ora e\u{0300}", Pattern::Time),
        ("che ora e'", Pattern::Time),
        ("dimmi che ore sono per favore", Pattern::Time),
        ("che giorno è oggi", Pattern::Date),
        ("what day is it today?", Pattern::Date),
        ("what is today's date", Pattern::Date),
        ("annulla", Pattern::Undo(1)),
        ("annulla ultimo evento", Pattern::Undo(1)),
        ("Annulla l'ultima modifica e poi leggi ~/x", Pattern::Undo(1)),
        ("undo", Pattern::Undo(1)),
        ("undo that please", Pattern::Undo(1)),
        ("rollback", Pattern::Undo(1)),
        ("undo the last two", Pattern::Undo(2)),
        ("please undo the last 3 changes", Pattern::Undo(3)),
        ("no wait, undo that", Pattern::Undo(1)),
        ("undo the last two days", Pattern::Undo(1)),
        ("annulla le ultime due", Pattern::Undo(2)),
        ("no aspetta, annulla", Pattern::Undo(1)),
        ("thanks a lot!", Pattern::Thanks),
        ("grazie mille", Pattern::Thanks),
        ("good morning metnos", Pattern::Hello),
        ("ciao!", Pattern::Hello),
        ("chi sei", Pattern::WhoAreYou),
        ("ciao, chi sei?", Pattern::WhoAreYou),
        ("who are you?", Pattern::WhoAreYou),
        ("and you, who are you", Pattern::WhoAreYou),
        ("help", Pattern::Help),
        ("cosa sai fare?", Pattern::Help),
        ("status?", Pattern::Status),
        ("stato", Pattern::Status),
        ("set autonomy to A3", Pattern::SetAutonomy(Autonomy::A3)),
        ("set autonomy level to a0", Pattern::SetAutonomy(Autonomy::A0)),
        ("autonomy 2", Pattern::SetAutonomy(Autonomy::A2)),
        ("imposta l'autonomia a A1", Pattern::SetAutonomy(Autonomy::A1)),
        ("autonomia a 4", Pattern::SetAutonomy(Autonomy::A4)),
        ("lower autonomy", Pattern::LowerAutonomy),
        ("abbassa l'autonomia", Pattern::LowerAutonomy),
    ];

    #[test]
    fn sentences_with_one_meaning_hit_in_either_language() {
        let patterns = Patterns::embedded().unwrap();
        for (text, pattern) in TABLE {
            for lang in Lang::ALL {
                assert_eq!(
                    patterns.matching(text, lang),
                    PatternMatch::Hit(*pattern),
                    "{text} as {lang:?}"
                );
            }
        }
    }

    #[test]
    fn near_misses_are_left_to_the_next_layer() {
        let patterns = Patterns::embedded().unwrap();
        let declined = [
            ("don't set autonomy to a4", DeclineReason::Negation),
            ("non annullare", DeclineReason::Negation),
            ("how do i set autonomy to a4", DeclineReason::HowTo),
            ("come faccio a impostare l'autonomia", DeclineReason::HowTo),
            ("he said \"set autonomy to a4\"", DeclineReason::Reported),
            ("mi ha detto che ore sono", DeclineReason::Reported),
            ("what time is it and delete ~/x", DeclineReason::TwoCommands),
            ("set autonomy to a4 when i leave", DeclineReason::Conditional),
        ];
        for (text, reason) in declined {
            assert_eq!(
                patterns.matching(text, Lang::En),
                PatternMatch::Decline(reason),
                "{text}"
            );
        }
        for text in [
            "list the files in ~/docs",
            "what time is the meeting",
            "a time to kill",
            "",
            "🙂",
            "timer",
            "help wanted ads",
        ] {
            assert_eq!(patterns.matching(text, Lang::En), PatternMatch::Miss, "{text}");
        }
    }

    #[test]
    fn a_level_that_does_not_exist_is_asked_about() {
        let patterns = Patterns::embedded().unwrap();
        for text in ["set autonomy to a7", "autonomia a 9", "autonomy 12"] {
            let PatternMatch::Clarify(message) = patterns.matching(text, Lang::It) else {
                panic!("{text} must be asked about");
            };
            assert_eq!(message.key.as_str(), "pattern-autonomy-range");
        }
    }
}
