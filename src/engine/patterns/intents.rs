//! The names that whole forms have in `patterns.toml`, and the pattern each becomes. Used by `patterns` alone.

use serde::Deserialize;

use super::{Pattern, PatternMatch};
use crate::domain::{actor::Autonomy, message::Message};

/// What a form asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum IntentName {
    Time,
    TimeIn,
    Date,
    DayIs,
    DayWas,
    DaysUntil,
    WeeksUntil,
    DaysSince,
    Year,
    Month,
    Week,
    Undo,
    Hello,
    Thanks,
    Bye,
    GoodNight,
    WhoAreYou,
    Help,
    Status,
    SetAutonomy,
    LowerAutonomy,
    WhereAmI,
}

impl IntentName {
    /// Asks about the calendar: the time in it is what is asked about, and no condition.
    pub(super) fn is_about_days(self) -> bool {
        matches!(
            self,
            Self::DayIs | Self::DayWas | Self::DaysUntil | Self::WeeksUntil | Self::DaysSince
        )
    }
}

/// The pattern of an intent; `part` is what its sentence leaves open.
pub(super) fn hit(intent: IntentName, part: &str) -> PatternMatch {
    let when = || part.to_owned();
    PatternMatch::Hit(match intent {
        IntentName::Time => Pattern::Time,
        IntentName::TimeIn => Pattern::TimeIn { place: part.to_owned() },
        IntentName::Date => Pattern::Date,
        IntentName::DayIs => Pattern::DayOf {
            when: when(),
            past: false,
        },
        IntentName::DayWas => Pattern::DayOf {
            when: when(),
            past: true,
        },
        IntentName::DaysUntil | IntentName::WeeksUntil => Pattern::DaysUntil {
            when: when(),
            in_weeks: intent == IntentName::WeeksUntil,
        },
        IntentName::DaysSince => Pattern::DaysSince { when: when() },
        IntentName::Year => Pattern::Year,
        IntentName::Month => Pattern::Month,
        IntentName::Week => Pattern::Week,
        IntentName::Bye => Pattern::Bye,
        IntentName::GoodNight => Pattern::GoodNight,
        IntentName::Undo => Pattern::Undo(1),
        IntentName::Hello => Pattern::Hello,
        IntentName::Thanks => Pattern::Thanks,
        IntentName::WhoAreYou => Pattern::WhoAreYou,
        IntentName::Help => Pattern::Help,
        IntentName::Status => Pattern::Status,
        IntentName::LowerAutonomy => Pattern::LowerAutonomy,
        IntentName::WhereAmI => Pattern::WhereAmI,
        IntentName::SetAutonomy => {
            let digits = part.trim_start_matches('a').trim();
            match Autonomy::parse(&format!("a{digits}")) {
                Some(level) => Pattern::SetAutonomy(level),
                None => {
                    let question = Message::new("pattern-autonomy-range").with("level", digits);
                    return PatternMatch::Clarify(question, None);
                }
            }
        }
    })
}
