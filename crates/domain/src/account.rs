//! Accounts of the household with services outside the house, for which the host can give a key while a turn waits. An
//! executor says which one it lacks, `runtime::dialogs` asks for it, the store keeps it sealed.

use serde::{Deserialize, Serialize};

use super::message::Message;

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
