//! Accounts with services outside the house: those of the household, for which the host can give a key, and those of a
//! person (mail, calendars, address books), which belong to them alone. An executor says which one it lacks,
//! `runtime::dialogs` asks for it, the store keeps it sealed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ids::{ActorId, PersonAccountId},
    message::Message,
};

/// A service that wants a key of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Account {
    /// Places and their opening hours.
    GooglePlaces,
}

impl Account {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::GooglePlaces];

    /// The name stored in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GooglePlaces => "google_places",
        }
    }
}

/// An account that a step lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WantedAccount {
    /// Which one.
    pub account: Account,
    /// What cannot be done without it.
    pub why: Message,
}

/// What an account of a person is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// Mail: IMAP and SMTP.
    Mail,
    /// Calendars on a server (CalDAV).
    Caldav,
    /// Address books on a server (CardDAV).
    Carddav,
    /// A calendar at a web address, which is only read.
    Calendar,
    /// The devices of the house, by Home Assistant; its account is the household's.
    Homeassistant,
}

impl Service {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Mail,
        Self::Caldav,
        Self::Carddav,
        Self::Calendar,
        Self::Homeassistant,
    ];

    /// The name in rows and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Caldav => "caldav",
            Self::Carddav => "carddav",
            Self::Calendar => "calendar",
            Self::Homeassistant => "homeassistant",
        }
    }

    /// The service of this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|service| service.as_str() == text)
    }
}

/// How an account fared when it was last used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountState {
    /// Never used yet.
    #[default]
    Untried,
    /// It works.
    Good,
    /// Its password is not taken any more.
    Refused,
}

impl AccountState {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Untried => "untried",
            Self::Good => "good",
            Self::Refused => "refused",
        }
    }

    /// The state of this name.
    pub fn parse(text: &str) -> Self {
        match text {
            "good" => Self::Good,
            "refused" => Self::Refused,
            _ => Self::Untried,
        }
    }
}

/// An account of a person, without its secret.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonAccount {
    /// Which one.
    pub id: PersonAccountId,
    /// Whose.
    pub actor: ActorId,
    /// What for.
    pub service: Service,
    /// What its person calls it: an address, or a name they gave.
    pub name: String,
    /// Servers and user names, in the form of the service's own module.
    pub settings: Value,
    /// How it fared.
    pub state: AccountState,
}

/// An account of a person that a step lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WantedLogin {
    /// What for.
    pub service: Service,
    /// What cannot be done without it.
    pub why: Message,
}
