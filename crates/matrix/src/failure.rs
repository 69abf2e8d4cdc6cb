//! Why a call failed, sorted by what can be done about it. Every error of matrix-sdk becomes one of these here.

use std::time::Duration;

use matrix_sdk::{
    HttpError,
    ruma::api::error::{ErrorKind, RetryAfter},
};

/// When a server asks us to wait and does not say how long.
const WAIT_DEFAULT: Duration = Duration::from_secs(5);

/// Why a call failed. The texts hold no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The server asked us to wait this long.
    #[error("the homeserver asked us to wait {} s", .0.as_secs())]
    Wait(Duration),
    /// Worth trying again: the network, the server, a key that is not there yet. Sending the same again is safe, since
    /// every message carries a name by which the server knows it.
    #[error("{0}")]
    Unreachable(String),
    /// The server no longer knows our session. Softly: the device may log in again and keep its keys.
    #[error("the homeserver has logged us out")]
    LoggedOut {
        /// Whether the device may log in again.
        soft: bool,
    },
    /// The server will always say no: forbidden, not in the room, too large.
    #[error("{0}")]
    Refused(String),
}

impl From<matrix_sdk::Error> for Failure {
    fn from(error: matrix_sdk::Error) -> Self {
        sort(
            error.client_api_error_kind(),
            status(error.as_client_api_error()),
            || error.to_string(),
        )
    }
}

impl From<HttpError> for Failure {
    fn from(error: HttpError) -> Self {
        sort(
            error.client_api_error_kind(),
            status(error.as_client_api_error()),
            || error.to_string(),
        )
    }
}

fn status(error: Option<&matrix_sdk::ruma::api::error::Error>) -> Option<u16> {
    error.map(|error| error.status_code.as_u16())
}

fn sort(kind: Option<&ErrorKind>, status: Option<u16>, text: impl FnOnce() -> String) -> Failure {
    if let Some(ErrorKind::LimitExceeded(limit)) = kind {
        return Failure::Wait(match limit.retry_after {
            Some(RetryAfter::Delay(delay)) => delay,
            Some(RetryAfter::DateTime(_)) | None => WAIT_DEFAULT,
        });
    }
    if let Some(ErrorKind::UnknownToken(token)) = kind {
        return Failure::LoggedOut {
            soft: token.soft_logout,
        };
    }
    match status {
        Some(429) => Failure::Wait(WAIT_DEFAULT),
        Some(401) => Failure::LoggedOut { soft: false },
        Some(400..=499) => Failure::Refused(text()),
        Some(_) | None => Failure::Unreachable(text()),
    }
}
