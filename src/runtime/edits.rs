//! Messages that their sender put otherwise. One that still waits is simply said in the new words. The last one that
//! was answered is asked anew, because that is what people mean who mend a word; an older one is not done again, and
//! that is said. A message that comes again with the same words changes nothing. Called by `inbox` and `turn`.

use std::sync::Arc;

use super::{Inner, Submitted, commands, dialogs, inbox, turn};
use crate::{
    domain::{
        actor::{Actor, Role},
        ids::{MessageId, TurnId},
        inbound::{Inbound, InboundBody},
        message::Message,
        reply::Reply,
    },
    store::{
        StoreError,
        edits::{Earlier, TakenEdit},
        inbox::Waiting,
    },
};

/// Keeps an edit: in the place of the message it changes while that waits, else as something to answer.
pub(super) async fn receive(inner: &Arc<Inner>, inbound: Inbound) -> Result<Submitted, StoreError> {
    let now_ms = inner.parts.clock.now_ms();
    match inner.parts.store.inbox_edit(&inbound, now_ms).await? {
        TakenEdit::Duplicate => Ok(Submitted::Duplicate),
        TakenEdit::InQueue(_) => Ok(Submitted::Accepted),
        TakenEdit::Alone(id) => inbox::begin(inner, id, inbound).await,
    }
}

/// Answers the edit of a message that did not wait any more.
pub(super) async fn answer(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    of: &MessageId,
    text: &str,
) -> Result<(), StoreError> {
    let is_command = text.trim_start().starts_with(['/', '!']);
    match inner.parts.store.earlier_of(waiting, of, &actor.id).await? {
        Some(Earlier {
            request: Some(before), ..
        }) if inner.redactor().text(commands::as_request(text.trim())).0 == before => {
            turn::close(inner, waiting, None).await
        }
        // What answered a question may have been a secret, and is no request in any case.
        Some(Earlier {
            request,
            is_last: true,
            touched_in,
        }) if request.is_some() || is_command => {
            dialogs::put_aside(inner, waiting, actor).await?;
            match touched_in {
                // What it set is in the place of what it had set before.
                Some(before) if !is_command && is_to_replace(inner, actor, &before).await? => {
                    turn::replace(inner, waiting, actor, text.trim(), before).await
                }
                Some(_) | None => turn::answer_text(inner, waiting, actor, text).await,
            }
        }
        Some(_) | None => {
            let late = Message::new("edit-too-late");
            turn::close(inner, waiting, Some(Reply::text(inner.say(actor.lang, &late)))).await
        }
    }
}

/// Whether what a turn set stands still, and is the last thing that was changed.
async fn is_to_replace(inner: &Inner, actor: &Actor, turn: &TurnId) -> Result<bool, StoreError> {
    let store = &inner.parts.store;
    Ok(actor.role == Role::Host
        && store.has_standing_effects(turn, &actor.id).await?
        && store.is_last_change(turn, &actor.id).await?)
}

/// What somebody typed, whether they put it otherwise since or not.
pub(super) fn typed(body: &InboundBody) -> Option<&str> {
    match body {
        InboundBody::Text(text) | InboundBody::Edited { text, .. } => Some(text),
        InboundBody::Forwarded(_)
        | InboundBody::Button(_)
        | InboundBody::File(_)
        | InboundBody::Location(_)
        | InboundBody::Sign { .. }
        | InboundBody::Unreadable
        | InboundBody::Unsupported
        | InboundBody::Answered(_)
        | InboundBody::Again(_)
        | InboundBody::Due { .. } => None,
    }
}
