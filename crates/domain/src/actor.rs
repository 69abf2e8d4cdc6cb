//! The person a turn is for. Resolved once by `runtime::actors`; every row of every store carries the id.

use serde::{Deserialize, Serialize};

use super::{ids::ActorId, lang::Lang};

/// What a person may be to the household.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The first person that paired: owns the machine.
    Host,
    /// Everybody after.
    Guest,
}

/// How much may happen without asking. Ordered: a higher level asks less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Autonomy {
    /// Suggest only: nothing with an effect runs.
    A0,
    /// Confirm: every effect asks.
    A1,
    /// Scoped: low risk runs, medium and high ask.
    #[default]
    A2,
    /// High: low and medium run.
    A3,
    /// Full: only critical asks.
    A4,
}

impl Autonomy {
    /// Reads `a0` … `a4` in either case.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "a0" => Some(Self::A0),
            "a1" => Some(Self::A1),
            "a2" => Some(Self::A2),
            "a3" => Some(Self::A3),
            "a4" => Some(Self::A4),
            _ => None,
        }
    }

    /// The name shown to people and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::A0 => "A0",
            Self::A1 => "A1",
            Self::A2 => "A2",
            Self::A3 => "A3",
            Self::A4 => "A4",
        }
    }
}

/// A known person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// Who, in every row.
    pub id: ActorId,
    /// Host or guest.
    pub role: Role,
    /// How they like to be called.
    pub name: String,
    /// The language we answer in.
    pub lang: Lang,
    /// IANA time zone, such as `Europe/Rome`.
    pub timezone: String,
    /// How much may run without asking.
    pub autonomy: Autonomy,
}
