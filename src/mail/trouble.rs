//! What went wrong with a server, as the sentence that says what to do about it. Pure.

use metnos_mail::{Certificate, Failure, Phase};

use crate::domain::{
    account::Service,
    failure::{ErrorClass, ToolError},
    message::Message,
};

/// A failure of this account's server, for its person.
pub fn explain(failure: &Failure, account: &str) -> ToolError {
    let (class, message) = sentence(failure);
    let mut error = ToolError::new(class, message.with("account", account)).with_detail(failure.to_string());
    if let Failure::LoginRefused { wants_oauth: false, .. } = failure {
        error.login = Some(Service::Mail);
    }
    error
}

fn sentence(failure: &Failure) -> (ErrorClass, Message) {
    match failure {
        Failure::NoSuchHost(host) => (
            ErrorClass::Network,
            Message::new("mail-no-host").with("host", host.as_str()),
        ),
        Failure::Unreachable { host, .. } => (
            ErrorClass::Network,
            Message::new("mail-unreachable").with("host", host.as_str()),
        ),
        Failure::Timeout(Phase::Connecting | Phase::Beginning | Phase::Talking) => {
            (ErrorClass::Timeout, Message::new("mail-timeout"))
        }
        Failure::Certificate { host, what } => {
            let key = match what {
                Certificate::WrongName => "mail-certificate-name",
                Certificate::Expired => "mail-certificate-expired",
                Certificate::NotYet => "mail-certificate-not-yet",
                Certificate::Unknown => "mail-certificate-unknown",
                Certificate::Bad => "mail-certificate-bad",
            };
            (ErrorClass::Forbidden, Message::new(key).with("host", host.as_str()))
        }
        Failure::NotEncrypted(host) => (
            ErrorClass::Forbidden,
            Message::new("mail-not-encrypted").with("host", host.as_str()),
        ),
        Failure::LoginRefused { wants_oauth: true, .. } => (ErrorClass::Forbidden, Message::new("mail-login-oauth")),
        Failure::LoginRefused { .. } => (ErrorClass::AuthRequired, Message::new("mail-login-refused")),
        Failure::Refused(said) => (
            ErrorClass::ServerError,
            Message::new("mail-refused").with("said", said.as_str()),
        ),
        Failure::Garbled => (ErrorClass::ServerError, Message::new("mail-garbled")),
        Failure::TooMuch => (ErrorClass::TooLarge, Message::new("mail-too-much")),
        Failure::Gone => (ErrorClass::Network, Message::new("mail-gone")),
        Failure::FolderChanged => (ErrorClass::NotFound, Message::new("mail-folder-changed")),
        Failure::NotFound => (ErrorClass::NotFound, Message::new("mail-message-gone")),
        Failure::Invalid(text) => (
            ErrorClass::InvalidArgs,
            Message::new("mail-invalid").with("text", text.as_str()),
        ),
    }
}
