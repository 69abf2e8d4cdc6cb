//! A sender nobody paired: a good code makes them somebody; else they get one polite line, once, and nothing runs.
//! Called by `turn`; it tells nothing of the household.

use std::sync::Arc;

use super::{Inner, close};
use crate::{
    domain::{actor::Role, message::Message, reply::Reply},
    runtime::{actors::Pairing, commands, edits, welcome},
    store::{StoreError, inbox::Waiting},
};

/// Pairs whoever brings a good code, and answers anybody else once.
pub(super) async fn greet(inner: &Arc<Inner>, waiting: &Waiting) -> Result<(), StoreError> {
    let lang = waiting.inbound.lang_hint.unwrap_or(inner.parts.lang);
    let text = edits::typed(&waiting.inbound.body).unwrap_or_default();
    if let Some(code) = commands::pairing_code(text) {
        let mut question = None;
        let (lang, message) = match inner.parts.actors.pair(&waiting.inbound, code).await? {
            Pairing::Paired(actor) => {
                if actor.role == Role::Host {
                    let inbound = &waiting.inbound;
                    question = welcome::begin(inner, &actor, inbound.channel, &inbound.conversation).await?;
                }
                let name = waiting.inbound.sender_name.clone().unwrap_or(actor.name);
                (actor.lang, Message::new("paired").with("name", name))
            }
            Pairing::WrongCode => (lang, Message::new("pairing-wrong-code")),
            Pairing::TooManyTries { minutes } => {
                (lang, Message::new("pairing-too-many-tries").with("minutes", minutes))
            }
        };
        let lines = std::iter::once(inner.say(lang, &message)).chain(question);
        return close(inner, waiting, Some(Reply::text(lines.collect::<Vec<_>>().join("\n")))).await;
    }
    let reply = first_line(inner, waiting).await?;
    close(inner, waiting, reply).await
}

/// What a sender nobody paired is told, once.
pub(super) async fn first_line(inner: &Inner, waiting: &Waiting) -> Result<Option<Reply>, StoreError> {
    let lang = waiting.inbound.lang_hint.unwrap_or(inner.parts.lang);
    let is_first = inner.parts.actors.is_first_contact(&waiting.inbound).await?;
    Ok(is_first.then(|| Reply::text(inner.say(lang, &Message::new("stranger")))))
}
