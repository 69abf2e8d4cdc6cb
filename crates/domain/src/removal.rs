//! Why memory let something go. Written with every removal, read by the digest and by who takes one back.

use serde::{Deserialize, Serialize};

/// Which memory a row was in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// L0: one request.
    Fastpath,
    /// L1: a kind of request.
    Autopath,
}

/// What ended a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nobody asked a second time.
    NeverReused,
    /// Not asked for too long.
    Stale,
    /// The least recently used of too many.
    OverCap,
    /// One of its tools is gone (C1).
    ToolMissing,
    /// It grew into an executor of its own (C2).
    Promoted,
    /// A newer executor has the very name of what it does (C2).
    CoveredByName,
    /// A newer executor does alone what its several steps did (C2).
    CoveredByShortlist,
    /// Its tools, or those it could have used, are not what they were.
    WorldChanged,
    /// It ran and failed.
    Failed,
    /// The person said that it was wrong.
    Rejected,
    /// It lost the place it had, and did not win it back.
    Demoted,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Self; 2] = [Self::Fastpath, Self::Autopath];

    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fastpath => "fastpath",
            Self::Autopath => "autopath",
        }
    }

    /// The layer of such a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.as_str() == name)
    }
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 11] = [
        Self::NeverReused,
        Self::Stale,
        Self::OverCap,
        Self::ToolMissing,
        Self::Promoted,
        Self::CoveredByName,
        Self::CoveredByShortlist,
        Self::WorldChanged,
        Self::Failed,
        Self::Rejected,
        Self::Demoted,
    ];

    /// The name in rows and in the keys of texts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NeverReused => "never-reused",
            Self::Stale => "stale",
            Self::OverCap => "over-cap",
            Self::ToolMissing => "tool-missing",
            Self::Promoted => "promoted",
            Self::CoveredByName => "covered-by-name",
            Self::CoveredByShortlist => "covered-by-shortlist",
            Self::WorldChanged => "world-changed",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::Demoted => "demoted",
        }
    }

    /// The reason of such a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// Whether an executor took over: then the uses of the row are its own from now on.
    pub fn has_heir(self) -> bool {
        match self {
            Self::Promoted | Self::CoveredByName | Self::CoveredByShortlist => true,
            Self::NeverReused
            | Self::Stale
            | Self::OverCap
            | Self::ToolMissing
            | Self::WorldChanged
            | Self::Failed
            | Self::Rejected
            | Self::Demoted => false,
        }
    }
}
