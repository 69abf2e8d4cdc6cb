//! A narrow door over IMAP, SMTP and MIME: plain structs in, plain structs out. It knows servers, folders and messages,
//! and nothing of what metnos is for. Every entry point that waits returns a boxed future, so that the state machines
//! of async-imap and lettre are compiled here alone.
//!
//! ```text
//! providers   an address → the servers that are known for it                       (providers, autoconfig)
//! trust       the certificates that count; no connection goes without              (tls)
//! open        a server and a login → Mailbox                                        (mailbox, talk)
//! mailbox     folders, find, fetch, move, flags, append; never marks as read        (folders, query)
//! letter      bytes → what a person reads: text, quoted part, attachments           (letter, quoted)
//! signals     what the headers say of who wrote and why                             (signals)
//! compose     a draft → bytes, with our own Message-ID                              (compose)
//! post        bytes → on their way, once; says whether it is known that they are    (post)
//! ```
//!
//! What strangers send is bounded in `bounds`, and nowhere else. Protocol (`query`, `folders`, `letter`, `compose`) is
//! apart from sockets (`tls`, `talk`, `post`).

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the enumerations of the protocol's crates are open: what they hold besides is nothing we asked for"
)]

use std::{future::Future, pin::Pin};

mod autoconfig;
mod bounds;
mod compose;
mod failure;
mod folders;
mod letter;
mod mailbox;
mod post;
mod providers;
mod query;
mod quoted;
mod signals;
mod talk;
mod tls;
mod utf7;

pub use autoconfig::{addresses as autoconfig_addresses, read as read_autoconfig};
pub use bounds::{ATTACHMENTS_MAX, LETTER_BYTES_MAX};
pub use compose::{Draft, File, Purpose, compose, is_address, message_id};
pub use failure::{Certificate, Failure, Phase};
pub use folders::{Folder, Folders, Role, role_of_name};
pub use letter::{Attachment, HEADERS, Letter, Person, file_of, read_letter};
pub use mailbox::{Found, Header, Mailbox, Mark, Moved, News, Quirk, open};
pub use post::{Outcome, Probe, probe_smtp, send};
pub use providers::{Known, Login as LoginForm, Servers, known, no_password};
pub use query::Query;
pub use quoted::{Parts, parts};
pub use signals::{Signals, Unsubscribe, Verified};
pub use tls::{Login, Password, Security, Server, Trust, TrustError, probe};

/// What an entry point returns: its future, boxed.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
