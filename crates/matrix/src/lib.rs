//! A narrow door over matrix-sdk: plain structs in, plain events out over a channel. It knows rooms, messages, keys and
//! devices, and nothing of what metnos is for. Every entry point returns a boxed future, so that matrix-sdk's state
//! machines are compiled here alone.
//!
//! ```text
//! setup    a password, once → a session on disk, an identity, a recovery key   (setup)
//! open     the session on disk → Bot                                           (account, bot)
//! watch    Bot → batches of events, each confirmed by who takes them           (watch, read)
//! fetch    a file that somebody sent → a path; files and points go out          (media, write)
//! examine  what works and what does not                                        (health)
//! ```

#![recursion_limit = "256"]

mod account;
mod bot;
mod failure;
mod health;
mod media;
mod read;
mod setup;
mod verify;
mod watch;
mod write;

pub use account::{Account, AccountError};
pub use bot::{Bot, open};
pub use failure::Failure;
pub use health::{Health, examine};
pub use media::FetchError;
pub use read::{Body, Point, SentFile};
pub use setup::{Done, RecoveryKey, Setup, SetupError, setup};
pub use verify::{Tell, Verifying};
pub use watch::{Batch, Ended, Event, Message, Watch};
pub use write::{FileKind, Kind, Outgoing, OutgoingFile, Pin, Place};
