//! Where things lie in the data folder when more than one module must agree on it. Names only; nothing here looks.

use std::path::{Path, PathBuf};

use super::ids::{ActorId, TurnId};

/// Below a person's home: what comes to them with the conversation and had no place before.
pub const INBOX: &str = "inbox";

/// The saved copies of every turn, for undo.
pub fn copies(data_dir: &Path) -> PathBuf {
    data_dir.join("history")
}

/// The saved copies of one turn.
pub fn copies_of(data_dir: &Path, turn: &TurnId) -> PathBuf {
    copies(data_dir).join(turn.as_str())
}

/// The log of turns, a file a day.
pub fn turn_log(data_dir: &Path) -> PathBuf {
    data_dir.join("turns")
}

/// What was typed at the terminal, for the arrow keys.
pub fn typed(data_dir: &Path) -> PathBuf {
    data_dir.join("history.txt")
}

/// The folders of all guests.
pub fn guests(data_dir: &Path) -> PathBuf {
    data_dir.join("guests")
}

/// What a guest's files live in.
pub fn guest(data_dir: &Path, guest: &ActorId) -> PathBuf {
    guests(data_dir).join(guest.as_str())
}
