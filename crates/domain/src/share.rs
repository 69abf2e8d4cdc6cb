//! What the host lets somebody else of the house use: one file, a calendar or an address book, and how far. Read by
//! policy and by whoever reads calendars, written by whoever shares.

use std::path::PathBuf;

use crate::ids::ActorId;

/// A file that is shared with somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The file, every link followed.
    pub path: PathBuf,
    /// The link to it in the folder of whom it is shared with.
    pub link: PathBuf,
    /// Whether they may change what is in it.
    pub may_write: bool,
}

/// A calendar or an address book that is shared with somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lent {
    /// Whose it is.
    pub owner: ActorId,
    /// How they are called.
    pub name: String,
    /// The home in which their folders lie.
    pub home: PathBuf,
    /// One collection on a server, by its id; empty for everything they have of the kind.
    pub place: String,
    /// Whether what is in it may be changed.
    pub may_write: bool,
}
