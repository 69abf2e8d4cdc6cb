//! What a failed call to Telegram means for us: teloxide's errors sorted by what to do next. Nothing from here may
//! contain the token, which teloxide and its HTTP client put into addresses and so into error texts.

use std::{error::Error, time::Duration};

use teloxide::{ApiError, RequestError};

use crate::{config::Secret, domain::delivery::DeliveryFailure};

/// How long to wait when Telegram says "too many" without saying for how long.
const RETRY_AFTER_UNSAID: Duration = Duration::from_secs(5);

/// Telegram's tokens are much longer; taking out less would only spoil the text.
const SECRET_BYTES_MIN: usize = 3;

/// How the descriptions of those 5xx answers begin that say: the server could not do it, or was not reached.
const SERVER_ERRORS: [&str; 3] = ["Internal Server Error", "Bad Gateway", "Service Unavailable"];
/// How the one begins that says: the server was asked, and its answer did not come in time. It may have obeyed.
const GATEWAY_TIMEOUT: &str = "Gateway Time";

/// A failed call, by what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ApiFailure {
    /// The token is not known (401, 404).
    BadToken,
    /// Another program polls with the same token (409).
    OtherPoller,
    /// A webhook takes the updates (409).
    WebhookSet,
    /// Asked to wait (429).
    RetryAfter(Duration),
    /// The edit changes nothing: what we wanted is there already.
    NotModified,
    /// The message to edit is gone or too old.
    Gone,
    /// Telegram cannot read our HTML.
    Unreadable(String),
    /// Refused for good: blocked, no such chat, not allowed.
    Refused(String),
    /// The request never left, or the server failed before it could obey: safe to repeat.
    Unreachable(String),
    /// The request may have been obeyed.
    Ambiguous(String),
}

impl ApiFailure {
    /// Sorts an error, and takes the token out of what remains of its text.
    pub(super) fn from_error(error: &RequestError, token: &Secret) -> Self {
        let text = || scrub(&reason(error), token);
        if let RequestError::RetryAfter(seconds) = error {
            return Self::RetryAfter(seconds.duration());
        }
        if let RequestError::Network(cause) = error {
            return if cause.is_connect() || cause.is_builder() {
                Self::Unreachable(text())
            } else {
                Self::Ambiguous(text())
            };
        }
        if let RequestError::Api(ApiError::InvalidToken) = error {
            return Self::BadToken;
        }
        if let RequestError::Api(api) = error {
            // Words teloxide has no name for come in quotes, with words of its own before them.
            let said = if let ApiError::Unknown(said) = api {
                said.clone()
            } else {
                api.to_string()
            };
            return Self::from_description(&said, scrub(&said, token));
        }
        if let RequestError::InvalidJson { raw, .. } = error
            && !is_yes(raw)
            && !raw.contains(GATEWAY_TIMEOUT)
        {
            return Self::Unreachable(text());
        }
        if let RequestError::MigrateToChatId(_) = error {
            return Self::Refused(text());
        }
        Self::Ambiguous(text())
    }

    /// Sorts Telegram's own words and keeps them as `kept`. The numeric code is lost in teloxide, but the words begin
    /// with its name.
    fn from_description(text: &str, kept: String) -> Self {
        let says = |words: &str| text.contains(words);
        if says("terminated by other getUpdates") {
            Self::OtherPoller
        } else if says("webhook is active") {
            Self::WebhookSet
        } else if says("message is not modified") {
            Self::NotModified
        } else if says("message to edit not found")
            || says("message to delete not found")
            || says("message can't be edited")
            || says("MESSAGE_ID_INVALID")
        {
            Self::Gone
        } else if says("can't parse entities") || says("can't find end of the entity") || says("unsupported start tag")
        {
            Self::Unreadable(kept)
        } else if says("Too Many Requests") {
            Self::RetryAfter(RETRY_AFTER_UNSAID)
        } else if SERVER_ERRORS.iter().any(|name| text.starts_with(name)) {
            Self::Unreachable(kept)
        } else if ["Bad Request", "Forbidden", "Unauthorized"]
            .iter()
            .any(|name| text.starts_with(name))
        {
            Self::Refused(kept)
        } else {
            Self::Ambiguous(kept)
        }
    }

    /// What it means for a message that was being sent.
    pub(super) fn of_send(self) -> DeliveryFailure {
        match self {
            Self::RetryAfter(wait) => DeliveryFailure::RetryAfter(wait),
            Self::BadToken => DeliveryFailure::Unreachable("the token is not known".to_owned()),
            Self::Unreachable(text) => DeliveryFailure::Unreachable(text),
            Self::Ambiguous(text) => DeliveryFailure::Ambiguous(text),
            Self::Unreadable(text) | Self::Refused(text) => DeliveryFailure::Permanent(text),
            Self::NotModified | Self::Gone | Self::OtherPoller | Self::WebhookSet => {
                DeliveryFailure::Permanent("an answer that does not fit the question".to_owned())
            }
        }
    }

    /// What it means for an edit. Editing twice is editing once, so an edit that may have arrived is tried again.
    pub(super) fn of_edit(self) -> DeliveryFailure {
        if let Self::Ambiguous(text) = self {
            return DeliveryFailure::Unreachable(text);
        }
        self.of_send()
    }
}

/// Whether an answer that cannot be read says all the same that the call was obeyed. A page of a proxy does not.
fn is_yes(raw: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(raw).is_ok_and(|answer| answer.get("ok") == Some(&true.into()))
}

/// The innermost cause: short, and without the address the outer ones repeat.
fn reason(error: &RequestError) -> String {
    if let RequestError::InvalidJson { source, .. } = error {
        return format!("cannot read Telegram's answer: {source}");
    }
    let mut deepest: &dyn Error = error;
    while let Some(cause) = deepest.source() {
        deepest = cause;
    }
    deepest.to_string()
}

/// The text without the token, whole or in part.
fn scrub(text: &str, token: &Secret) -> String {
    let whole = token.expose();
    let secret_half = whole.split_once(':').map_or(whole, |(_, half)| half);
    [whole, secret_half]
        .into_iter()
        .filter(|secret| secret.len() >= SECRET_BYTES_MIN)
        .fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use teloxide::{RequestError, types::Seconds};

    use super::{ApiFailure, scrub};
    use crate::{config::Secret, domain::delivery::DeliveryFailure};

    fn token() -> Secret {
        Secret::new("123456:AAsecret".into())
    }

    #[test]
    fn descriptions_say_what_to_do() {
        let refused = |text: &str| ApiFailure::Refused(text.to_owned());
        let cases = [
            (
                "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                ApiFailure::OtherPoller,
            ),
            (
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook",
                ApiFailure::WebhookSet,
            ),
            (
                "Bad Request: message is not modified: specified new",
                ApiFailure::NotModified,
            ),
            ("Bad Request: message to edit not found", ApiFailure::Gone),
            ("Bad Request: message can't be edited", ApiFailure::Gone),
            (
                "Forbidden: bot was blocked by the user",
                refused("Forbidden: bot was blocked by the user"),
            ),
            (
                "Unauthorized: bot was kicked from a chat",
                refused("Unauthorized: bot was kicked from a chat"),
            ),
            ("Bad Request: chat not found", refused("Bad Request: chat not found")),
            (
                "Too Many Requests: slow down",
                ApiFailure::RetryAfter(Duration::from_secs(5)),
            ),
            ("Bad Gateway", ApiFailure::Unreachable("Bad Gateway".into())),
            (
                "Internal Server Error: restart",
                ApiFailure::Unreachable("Internal Server Error: restart".into()),
            ),
            ("Gateway Timeout", ApiFailure::Ambiguous("Gateway Timeout".into())),
            ("Strange", ApiFailure::Ambiguous("Strange".into())),
        ];
        for (text, expected) in cases {
            assert_eq!(ApiFailure::from_description(text, text.to_owned()), expected, "{text}");
        }
        let html = "Bad Request: can't parse entities: Unsupported start tag \"x\" at byte offset 0";
        assert_eq!(
            ApiFailure::from_description(html, html.to_owned()),
            ApiFailure::Unreadable(html.into())
        );
    }

    #[test]
    fn a_wait_is_obeyed() {
        let error = RequestError::RetryAfter(Seconds::from_seconds(7));
        let failure = ApiFailure::from_error(&error, &token());
        assert_eq!(failure.of_send(), DeliveryFailure::RetryAfter(Duration::from_secs(7)));
    }

    #[test]
    fn what_may_have_arrived_is_repeated_only_when_that_is_harmless() {
        let lost = ApiFailure::Ambiguous("gone".into());
        assert_eq!(lost.clone().of_send(), DeliveryFailure::Ambiguous("gone".into()));
        assert_eq!(lost.of_edit(), DeliveryFailure::Unreachable("gone".into()));
    }

    #[test]
    fn the_token_is_taken_out_in_every_form() {
        let cases = [
            ("http://x/bot123456:AAsecret/GetMe", "http://x/bot…/GetMe"),
            ("http://x/bot123456%3AAAsecret/GetMe", "http://x/bot123456%3A…/GetMe"),
            ("nothing here", "nothing here"),
        ];
        for (text, expected) in cases {
            assert_eq!(scrub(text, &token()), expected);
        }
    }
}
