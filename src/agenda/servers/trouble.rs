//! What went wrong with a server of calendars, as the sentence that says what to do about it. Pure.

use std::{sync::Arc, time::Duration};

use thiserror::Error;

use crate::{
    domain::{
        account::Service,
        failure::{ErrorClass, ToolError},
        message::Message,
    },
    net::pinned::{BadCertificate, PinnedError},
    store::StoreError,
};

/// Why a server could not be asked, or what it refused.
#[derive(Clone, Debug, Error)]
pub(in crate::agenda) enum Trouble {
    /// It was not reached.
    #[error("{0}")]
    Pinned(Arc<PinnedError>),
    /// All of it took too long.
    #[error("the server takes too long")]
    Slow,
    /// It does not know this name and password.
    #[error("the log-in was refused")]
    Refused,
    /// It lets this person not do that.
    #[error("the server does not allow it")]
    Forbidden,
    /// It wants to be left alone for so long.
    #[error("the server wants to be left alone for {} s", _0.as_secs())]
    Busy(Duration),
    /// Nobody can read what it said.
    #[error("the server's answer makes no sense")]
    Garbled,
    /// It said more than is read.
    #[error("the server's answer is too long")]
    TooMuch,
    /// It answered with an error.
    #[error("the server answered {0}")]
    Status(u16),
    /// Somebody else changed what was to be changed.
    #[error("it was changed by somebody else")]
    Changed,
    /// What was asked for is not there.
    #[error("it is not there")]
    Gone,
    /// It does not say which version something is in.
    #[error("the server does not say versions")]
    NoVersion,
    /// It takes a change for one that contradicts what it has.
    #[error("the server says that it contradicts what is there")]
    Contradicts,
    /// No calendar and no address book is there.
    #[error("no collection of this kind")]
    Empty,
    /// What is kept of the account cannot be read.
    #[error("the settings of the account cannot be read")]
    Settings,
    /// Our own database.
    #[error("{0}")]
    Store(Arc<StoreError>),
}

/// A trouble with this account's server, for its person.
pub(in crate::agenda) fn explain(trouble: &Trouble, account: &str, service: Service) -> ToolError {
    let (class, message) = sentence(trouble);
    let mut error = ToolError::new(class, message.with("account", account)).with_detail(trouble.to_string());
    if matches!(trouble, Trouble::Refused) && service != Service::Calendar {
        error.login = Some(service);
    }
    error
}

fn sentence(trouble: &Trouble) -> (ErrorClass, Message) {
    let say = |class: ErrorClass, key: &str| (class, Message::new(key));
    match trouble {
        Trouble::Pinned(error) => unreached(error),
        Trouble::Slow => say(ErrorClass::Timeout, "dav-slow"),
        Trouble::Refused => say(ErrorClass::AuthRequired, "dav-refused"),
        Trouble::Forbidden => say(ErrorClass::Forbidden, "dav-forbidden"),
        Trouble::Busy(wait) => (
            ErrorClass::RateLimited,
            Message::new("dav-busy").with("seconds", wait.as_secs().max(1)),
        ),
        Trouble::Garbled => say(ErrorClass::ServerError, "dav-garbled"),
        Trouble::TooMuch => say(ErrorClass::TooLarge, "dav-too-much"),
        Trouble::Status(status) => (
            ErrorClass::ServerError,
            Message::new("dav-status").with("status", u64::from(*status)),
        ),
        Trouble::Changed => say(ErrorClass::AlreadyExists, "events-changed-meanwhile"),
        Trouble::Gone => say(ErrorClass::NotFound, "dav-gone"),
        Trouble::NoVersion => say(ErrorClass::ServerError, "dav-no-version"),
        Trouble::Contradicts => say(ErrorClass::ServerError, "dav-contradicts"),
        Trouble::Empty => say(ErrorClass::NotFound, "dav-empty"),
        Trouble::Settings => say(ErrorClass::Internal, "mail-settings-broken"),
        Trouble::Store(_) => say(ErrorClass::Internal, "store-failed"),
    }
}

fn unreached(error: &PinnedError) -> (ErrorClass, Message) {
    let about = |key: &str, host: &str| Message::new(key).with("host", host);
    match error {
        PinnedError::BadAddress => (ErrorClass::InvalidArgs, Message::new("dav-no-address")),
        PinnedError::NotEncrypted(host) => (ErrorClass::Forbidden, about("mail-not-encrypted", host)),
        PinnedError::Private(host) => (ErrorClass::Forbidden, about("dav-private", host)),
        PinnedError::Elsewhere(to) => (
            ErrorClass::Forbidden,
            about("dav-elsewhere", to.host_str().unwrap_or_default()),
        ),
        PinnedError::NoSuchHost(host) => (ErrorClass::Network, about("mail-no-host", host)),
        PinnedError::Unreachable(host) => (ErrorClass::Network, about("mail-unreachable", host)),
        PinnedError::Timeout(_) => (ErrorClass::Timeout, Message::new("dav-slow")),
        PinnedError::TooLarge(_) => (ErrorClass::TooLarge, Message::new("dav-too-much")),
        PinnedError::Certificate { host, what } => {
            let key = match what {
                BadCertificate::Name => "mail-certificate-name",
                BadCertificate::Expired => "mail-certificate-expired",
                BadCertificate::Unknown => "mail-certificate-unknown",
                BadCertificate::Bad => "mail-certificate-bad",
            };
            (ErrorClass::Forbidden, about(key, host))
        }
        PinnedError::Client(why) => (
            ErrorClass::Internal,
            Message::new("mail-no-trust").with("reason", why.as_str()),
        ),
    }
}
