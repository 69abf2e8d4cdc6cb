//! What memory would make of itself, and how far that has come. Written by `nights`, decided on by the host.

use serde::{Deserialize, Serialize};

/// What is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// An executor out of a family of plans.
    Promotion,
    /// A way through the passages to what somebody keeps missing.
    Chain,
    /// An argument that is nearly always the same.
    Specialize,
    /// A passage that leads to nothing any more.
    Dedupe,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// Found; nobody decided yet.
    Candidate,
    /// Somebody must say whether it is good.
    Review,
    /// A stage stopped it; the reason stands beside it.
    Stopped,
    /// Made, watched, and taken back at a word.
    Grace,
    /// It stays.
    Final,
    /// It was taken back.
    RolledBack,
    /// Judged bad, refused, or long without an answer.
    Archived,
}

macro_rules! named {
    ($name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        impl $name {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in rows.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// The one of such a name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == name)
            }
        }
    };
}

named!(ProposalKind {
    Promotion = "promotion",
    Chain = "chain",
    Specialize = "specialize",
    Dedupe = "dedupe",
});

named!(ProposalState {
    Candidate = "candidate",
    Review = "review",
    Stopped = "stopped",
    Grace = "grace",
    Final = "final",
    RolledBack = "rolled-back",
    Archived = "archived",
});

impl ProposalState {
    /// Whether what it may become from here is this. Nothing skips grace, and what is over is only begun anew.
    pub fn may_become(self, next: Self) -> bool {
        match self {
            Self::Candidate | Self::Review | Self::Stopped => {
                matches!(next, Self::Review | Self::Stopped | Self::Grace | Self::Archived)
            }
            Self::Grace => matches!(next, Self::Final | Self::RolledBack),
            Self::Final => next == Self::RolledBack,
            Self::RolledBack | Self::Archived => matches!(next, Self::Review | Self::Stopped | Self::Grace),
        }
    }

    /// Whether it waits for the host.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Candidate | Self::Review | Self::Stopped)
    }

    /// Whether its tool is in the catalog.
    pub fn is_installed(self) -> bool {
        matches!(self, Self::Grace | Self::Final)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_skips_grace_and_what_is_over_begins_anew() {
        use ProposalState::{Archived, Candidate, Final, Grace, Review, RolledBack};
        for (from, to, may) in [
            (Candidate, Grace, true),
            (Candidate, Final, false),
            (Grace, Final, true),
            (Grace, RolledBack, true),
            (Final, RolledBack, true),
            (Final, Archived, false),
            (RolledBack, Grace, true),
            (Archived, Review, true),
            (Archived, Final, false),
        ] {
            assert_eq!(from.may_become(to), may, "{from:?} {to:?}");
        }
        for state in ProposalState::ALL {
            assert_eq!(ProposalState::parse(state.as_str()), Some(*state));
        }
    }
}
