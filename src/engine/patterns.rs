//! P0: the few sentences that are answered by rule, before any memory or model is asked. Called first by `dispatch`.
//!
//! ```text
//! undo → closed requests → guards (negation, quotation, how-to, two commands)
//!   → watchers → clocks → devices → the clause that commands → sums → condition, length → whole forms
//! ```
//!
//! Everything is data of a language: whole forms in `locales/<lang>/patterns.toml`, the words of commands in
//! `commands.toml`. A command counts only when each of its words has a part in it, and a hit only for who may say it.

use std::sync::Arc;

use serde_json::Value;

use self::{
    classes::Class,
    command::{Command, Subject},
    household::Household,
    table::Table,
    trust::Speaker,
    undo::Undoing,
};
use crate::{
    domain::{actor::Autonomy, lang::Lang, message::Message},
    language::{LanguageError, normal, time::Times},
};

mod amounts;
mod classes;
mod clauses;
mod clocks;
mod closed;
pub mod command;
pub mod contract;
mod devices;
pub mod household;
mod intents;
mod moments;
mod said;
pub mod snapshot;
mod sums;
mod table;
pub mod trust;
pub mod undo;
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
    /// How many days it is until a day, or how long until a time of day, in words for it.
    DaysUntil {
        /// "christmas", "il 3 marzo", "8 pm".
        when: String,
        /// Whole weeks are asked for, and the days besides.
        in_weeks: bool,
    },
    /// How many days have passed since a day, in words for that day.
    DaysSince {
        /// "christmas", "1 gennaio".
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
    /// Take the last turns back, so many of them; this, or everything that was ever changed, is asked for besides.
    UndoPart {
        /// How many.
        turns: u8,
        /// The other request, in the person's words.
        besides: Option<String>,
    },
    /// Take back a change that is named.
    UndoNamed(undo::Named),
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
    /// A sum, a percentage or another unit, as `compute_numbers` takes it.
    Sum {
        /// "12,5 * 3", "10 mi to km".
        expression: String,
    },
    /// Where the person is.
    WhereAmI,
    /// Timers, alarms, devices, watchers.
    Command(Command),
}

impl Pattern {
    /// Asks for the same, with other values.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Command(one), Self::Command(other)) => std::mem::discriminant(one) == std::mem::discriminant(other),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Makes metnos safer. It is never silenced: its words must not reach a layer that could read them otherwise.
    pub fn is_safety(&self) -> bool {
        match self {
            Self::Undo(_) | Self::UndoPart { .. } | Self::LowerAutonomy => true,
            Self::Time
            | Self::TimeIn { .. }
            | Self::Date
            | Self::DayOf { .. }
            | Self::DaysUntil { .. }
            | Self::DaysSince { .. }
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
            | Self::Sum { .. }
            | Self::WhereAmI
            // What it names may be nothing of ours, and then it is a request like any other.
            | Self::UndoNamed(_)
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

/// Every pattern of every language; made once.
pub struct Patterns {
    english: Table,
    italian: Table,
}

impl Patterns {
    /// Reads and compiles the embedded patterns, which read numbers and times with these words.
    pub fn embedded(times: &Arc<Times>) -> Result<Self, LanguageError> {
        Ok(Self {
            english: Table::parse(Lang::EN, ENGLISH, ENGLISH_COMMANDS, ENGLISH_CLOSED, times)?,
            italian: Table::parse(Lang::IT, ITALIAN, ITALIAN_COMMANDS, ITALIAN_CLOSED, times)?,
        })
    }

    /// Whether a message has a word in it that says what to do to a device, in any language.
    pub fn may_command_devices(&self, text: &str) -> bool {
        let acts = |class: Class| matches!(class, Class::Act(_) | Class::State(_)).then_some(());
        let has = |lang: Lang| {
            let said = self.table(lang).words.look_up(text);
            (0..said.len()).any(|at| said.longest(at, acts).is_some())
        };
        text.len() <= BYTES_MAX && Lang::BUILT_IN.into_iter().any(has)
    }

    /// Whether a beginning keeps what follows from being asked for: "don't", "how do I", "she said".
    pub fn keep_from(&self, beginning: &str) -> bool {
        let normal = normal::words(beginning);
        Lang::BUILT_IN
            .into_iter()
            .any(|lang| self.table(lang).keeps_from(&normal, beginning))
    }

    /// The household that the entries of whoever owns the devices tell of.
    pub fn household(&self, entries: &[Value]) -> Household {
        snapshot::household(entries, |name| {
            Lang::BUILT_IN
                .into_iter()
                .find_map(|lang| self.table(lang).words.kind_in(name))
        })
    }

    fn table(&self, lang: Lang) -> &Table {
        match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        }
    }

    /// What a message means by rule, in the person's language first and then in the others, as far as who said it is
    /// believed.
    pub fn matching(&self, text: &str, speaker: &Speaker, household: &Household) -> PatternMatch {
        trust::held(self.meaning(text, speaker.lang, household), speaker)
    }

    fn meaning(&self, text: &str, lang: Lang, household: &Household) -> PatternMatch {
        if text.len() > BYTES_MAX {
            return PatternMatch::Miss;
        }
        let normal = normal::words(text);
        let others = Lang::BUILT_IN.into_iter().filter(|other| *other != lang);
        let tables: Vec<&Table> = std::iter::once(lang)
            .chain(others)
            .map(|lang| self.table(lang))
            .collect();
        // Taking back is safety: it is looked for before every guard.
        let undoing = tables.iter().filter_map(|table| table.undoes(text));
        match undoing.min_by_key(Undoing::open) {
            Some(Undoing::Last(turns)) => PatternMatch::Hit(Pattern::Undo(turns)),
            Some(Undoing::Part(turns, besides)) => PatternMatch::Hit(Pattern::UndoPart { turns, besides }),
            // "undo the alarm" is a clock's before it is a change's.
            Some(Undoing::Named(named)) => match read(&tables, &normal, text, household) {
                PatternMatch::Decline(_) | PatternMatch::Miss => PatternMatch::Hit(Pattern::UndoNamed(named)),
                answer @ (PatternMatch::Hit(_) | PatternMatch::Clarify(..) | PatternMatch::Refuse(_)) => answer,
            },
            None => read(&tables, &normal, text, household),
        }
    }
}

/// What the first language makes of a message that makes anything of it.
fn read(tables: &[&Table], normal: &str, text: &str, household: &Household) -> PatternMatch {
    let mut declined = None;
    for table in tables {
        match table.read(normal, text, household) {
            PatternMatch::Decline(reason) => {
                declined.get_or_insert(reason);
            }
            PatternMatch::Miss => {}
            answer @ (PatternMatch::Hit(_) | PatternMatch::Clarify(..) | PatternMatch::Refuse(_)) => return answer,
        }
    }
    declined.map_or(PatternMatch::Miss, PatternMatch::Decline)
}

#[cfg(test)]
mod tests;
