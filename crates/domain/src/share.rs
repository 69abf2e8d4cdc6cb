//! What the host lets somebody else of the house use: one file, and how far. Read by policy, written by whoever shares.

use std::path::PathBuf;

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
