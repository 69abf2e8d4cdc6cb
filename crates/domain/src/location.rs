//! Where a person is, as they told us: what a channel hands up, and what the store keeps of it. Nothing here asks
//! anybody where they are.

use serde::{Deserialize, Serialize};

use super::place::Point;

/// How a person says where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocationSource {
    /// Their device measured it.
    Device,
    /// They picked it on a map, such as a venue.
    Picked,
    /// They typed a place or an address.
    Typed,
}

impl LocationSource {
    /// The name in rows and results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Picked => "picked",
            Self::Typed => "typed",
        }
    }

    /// The source of a stored name.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Device, Self::Picked, Self::Typed]
            .into_iter()
            .find(|source| source.as_str() == word)
    }
}

/// Whether more points follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// One point.
    Once,
    /// The first point of a person who shares where they go.
    LiveBegins,
    /// A later point of the same sharing: kept, and never answered.
    LiveGoesOn,
}

/// A location somebody shared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedLocation {
    /// Where.
    pub point: Point,
    /// How far off it may be, in metres, if the channel tells.
    #[serde(default)]
    pub accuracy_m: Option<u32>,
    /// When it was measured or sent, in milliseconds since 1970.
    pub captured_ms: i64,
    /// Whether more follow.
    pub sharing: Sharing,
    /// Who found it.
    pub source: LocationSource,
    /// The name of the place, such as a venue's.
    #[serde(default)]
    pub label: Option<String>,
}
