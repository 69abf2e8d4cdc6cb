//! What somebody passed on, in words or as the words of a file: a request like any other, but nobody typed it to us.
//! Called by `turn` and `files`; what such a request may do is for the engine to say, by its origin.

use std::sync::Arc;

use super::{Inner, request_from};
use crate::{
    domain::{actor::Actor, limits::REQUEST_CHARS_MAX, message::Message, reply::Reply, turn::Origin},
    store::{StoreError, inbox::Waiting},
};

/// Answers it as a request: it is never an answer to a question of ours, no stop and no command.
pub(in crate::runtime) async fn answer(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<(), StoreError> {
    request_from(inner, waiting, actor, text.trim(), (Origin::Relayed, false)).await
}

/// Why a text is no request at all: it is empty, or longer than anybody reads.
pub(super) fn no_request(inner: &Inner, actor: &Actor, text: &str) -> Option<Reply> {
    let message = if text.chars().count() > REQUEST_CHARS_MAX {
        Message::new("request-too-long").with("limit", REQUEST_CHARS_MAX)
    } else if text.is_empty() {
        Message::new("request-empty")
    } else {
        return None;
    };
    Some(Reply::text(inner.say(actor.lang, &message)))
}
