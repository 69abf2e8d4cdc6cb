//! Where people are: keeps what they share. Called for every location that arrives; only the latest point of a person
//! is kept, and later points of a live sharing are never answered.

use std::sync::Arc;

use super::{Inner, dialogs, turn};
use crate::{
    domain::{
        actor::Actor,
        inbound::{Inbound, InboundBody},
        location::{SharedLocation, Sharing},
        message::Message,
        reply::Reply,
    },
    store::{StoreError, inbox::Waiting},
};

/// A later point of a live sharing needs no turn and no answer, and comes as often as every few seconds: it is kept at
/// once, outside the queue. `false` for everything else.
pub(super) async fn follow(inner: &Arc<Inner>, inbound: &Inbound) -> Result<bool, StoreError> {
    let InboundBody::Location(shared) = &inbound.body else {
        return Ok(false);
    };
    if shared.sharing != Sharing::LiveGoesOn {
        return Ok(false);
    }
    if let Some(actor) = inner.parts.actors.resolve(inbound).await?
        && !dialogs::located(inner, inbound, None, &actor, shared).await?
    {
        keep(inner, inbound, &actor, shared).await?;
    }
    Ok(true)
}

/// A shared location as a message of its own: the answer to an open question, or simply good to know.
pub(super) async fn noted(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    shared: &SharedLocation,
) -> Result<(), StoreError> {
    if dialogs::located(inner, &waiting.inbound, Some(waiting.id), actor, shared).await? {
        return turn::close(inner, waiting, None).await;
    }
    keep(inner, &waiting.inbound, actor, shared).await?;
    let key = match shared.sharing {
        Sharing::Once => "location-noted",
        Sharing::LiveBegins | Sharing::LiveGoesOn => "location-noted-live",
    };
    let reply = Reply::text(inner.say(actor.lang, &Message::new(key)));
    turn::close(inner, waiting, Some(reply)).await
}

async fn keep(inner: &Inner, inbound: &Inbound, actor: &Actor, shared: &SharedLocation) -> Result<(), StoreError> {
    inner
        .parts
        .store
        .share_location(&actor.id, inbound.channel, shared)
        .await
}
