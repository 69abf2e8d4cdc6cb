//! Why a call failed, sorted by what can be done about it. Every error of async-imap, lettre and rustls becomes one of
//! these here; the texts hold no secret, and what a server said is shortened.

use std::io;

use crate::bounds::{SAID_CHARS_MAX, one_line};

/// How far it had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The name was looked up, the connection made.
    Connecting,
    /// The greeting, STARTTLS, the log-in.
    Beginning,
    /// A command.
    Talking,
}

/// What is wrong with a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// It is for another name.
    WrongName,
    /// Its time is over.
    Expired,
    /// It will be good later; or this machine's clock is wrong.
    NotYet,
    /// Nobody this machine trusts has signed it: self-signed, or a scanner of mail in between.
    Unknown,
    /// Anything else.
    Bad,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The name of the server does not exist, or nobody can be asked for it.
    #[error("no server is called {0}")]
    NoSuchHost(String),
    /// Nobody answers there.
    #[error("{host} cannot be reached: {why}")]
    Unreachable {
        /// The server.
        host: String,
        /// As the system says it.
        why: String,
    },
    /// It took too long.
    #[error("no answer in time")]
    Timeout(Phase),
    /// Its certificate is not good.
    #[error("the certificate of {host} is not good: {what:?}")]
    Certificate {
        /// The server.
        host: String,
        /// Why not.
        what: Certificate,
    },
    /// The server does not encrypt, and so nothing is said to it.
    #[error("{0} does not encrypt")]
    NotEncrypted(String),
    /// It does not know this name and password.
    #[error("the log-in was refused: {said}")]
    LoginRefused {
        /// What the server said of it.
        said: String,
        /// It takes no passwords at all.
        wants_oauth: bool,
    },
    /// It said no to a command.
    #[error("the server refused: {0}")]
    Refused(String),
    /// Nobody can read what it said.
    #[error("the server's answer makes no sense")]
    Garbled,
    /// It said more than is read.
    #[error("the server's answer is too long")]
    TooMuch,
    /// It closed the connection.
    #[error("the connection is gone")]
    Gone,
    /// The folder is not what it was: the numbers of its messages mean nothing any more.
    #[error("the folder was made anew")]
    FolderChanged,
    /// There is no such folder or message.
    #[error("not there")]
    NotFound,
    /// What was given cannot be said in the protocol.
    #[error("cannot be said: {0}")]
    Invalid(String),
}

impl Failure {
    /// Whether the connection is of no use any more.
    pub fn ends_connection(&self) -> bool {
        match self {
            Self::Refused(_) | Self::FolderChanged | Self::NotFound | Self::Invalid(_) => false,
            Self::NoSuchHost(_)
            | Self::Unreachable { .. }
            | Self::Timeout(_)
            | Self::Certificate { .. }
            | Self::NotEncrypted(_)
            | Self::LoginRefused { .. }
            | Self::Garbled
            | Self::TooMuch
            | Self::Gone => true,
        }
    }

    /// Whether the same may go well a moment later, on a new connection.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Timeout(_) | Self::Gone | Self::Unreachable { .. })
    }

    /// A no, with what was said.
    pub(crate) fn refused(said: &str) -> Self {
        Self::Refused(one_line(said, SAID_CHARS_MAX))
    }

    /// An error of a connection that was open.
    pub(crate) fn of_stream(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Self::TooMuch,
            io::ErrorKind::TimedOut => Self::Timeout(Phase::Talking),
            io::ErrorKind::Other | io::ErrorKind::InvalidData => Self::Garbled,
            _ => Self::Gone,
        }
    }

    /// An error of a handshake.
    pub(crate) fn of_handshake(error: &io::Error, host: &str) -> Self {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
        match inner {
            Some(rustls::Error::InvalidCertificate(what)) => Self::Certificate {
                host: host.to_owned(),
                what: certificate(what),
            },
            Some(_) => Self::NotEncrypted(host.to_owned()),
            None => Self::Unreachable {
                host: host.to_owned(),
                why: one_line(&error.to_string(), SAID_CHARS_MAX),
            },
        }
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "rustls may add reasons; those that a person can do something about are named"
)]
fn certificate(error: &rustls::CertificateError) -> Certificate {
    use rustls::CertificateError as E;
    match error {
        E::Expired | E::ExpiredContext { .. } => Certificate::Expired,
        E::NotValidYet | E::NotValidYetContext { .. } => Certificate::NotYet,
        E::NotValidForName | E::NotValidForNameContext { .. } => Certificate::WrongName,
        E::UnknownIssuer | E::BadSignature => Certificate::Unknown,
        // As servers at home have it: an authority of its own that signs for itself.
        E::Other(why) if why.to_string().contains("CaUsedAsEndEntity") => Certificate::Unknown,
        _ => Certificate::Bad,
    }
}
