//! ↺: a request runs again. Called by `turn` for the errand that a tap left.

use std::sync::Arc;

use super::{Work, carry, close, new_turn};
use crate::{
    domain::{actor::Actor, ids::TurnId, message::Message, reply::Reply, turn::Origin},
    language::secrets,
    runtime::{Inner, cut_off, quota},
    store::{StoreError, inbox::Waiting},
};

/// ↺: the same request, without the plan that was not wanted.
pub(super) async fn run_again(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    before: &TurnId,
) -> Result<(), StoreError> {
    if let Some(interrupted) = cut_off::interrupted(inner, waiting, actor).await? {
        return close(inner, waiting, Some(interrupted)).await;
    }
    let Some(past) = inner.parts.store.request_of_turn(before, &actor.id).await? else {
        let text = inner.say(actor.lang, &Message::new("feedback-gone"));
        return close(inner, waiting, Some(Reply::text(text))).await;
    };
    if secrets::is_redacted(&past.text) {
        let text = inner.say(actor.lang, &Message::new("retry-had-secret"));
        return close(inner, waiting, Some(Reply::text(text))).await;
    }
    if let Some(refusal) = quota::refusal(inner, actor, &past.text).await? {
        return close(inner, waiting, Some(Reply::text(inner.say(actor.lang, &refusal)))).await;
    }
    // When the answer before was that nothing but a refused way is left, asking again allows that way again. An outage
    // says nothing about ways.
    let is_kept_from_it = past.plan.is_none() && !past.was_out_of_order;
    let allowed = is_kept_from_it && inner.parts.store.lift_bans(before, &actor.id).await?;
    let origin = if allowed {
        Origin::Typed
    } else {
        Origin::Retry { excluded: past.plan }
    };
    // A tap makes nobody's words somebody's own.
    let source = (origin, past.was_typed);
    let turn = new_turn(inner, waiting, actor, &past.text, source).await?;
    carry(inner, waiting, &turn, Work::Request).await
}
