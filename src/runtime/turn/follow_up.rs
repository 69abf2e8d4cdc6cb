//! What somebody says right after an answer, and means about it. Called by `turn`; it looks at nothing but the last
//! request in the same conversation, and only at one this person typed.

use super::Inner;
use crate::{
    domain::{actor::Actor, limits::FOLLOWED_UP_WITHIN, turn::Before},
    engine::follow_up::FollowUp,
    language::secrets,
    store::{StoreError, inbox::Waiting, turns::LastRequest},
};

/// The request that a message completes, if it does. Where a model can be asked, what code cannot tell is for it to
/// say.
pub(super) async fn whole(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<Option<FollowUp>, StoreError> {
    let Some(before) = last(inner, waiting, actor).await? else {
        return Ok(None);
    };
    let now = inner.parts.clock.zoned(&actor.timezone);
    let engine = &inner.parts.engine;
    let whole = engine.whole_request(&before, text, actor, &now);
    Ok(whole.filter(|whole| *whole != FollowUp::Unclear || !engine.may_ask_model()))
}

/// What the conversation was about a moment ago.
pub(super) async fn before(inner: &Inner, waiting: &Waiting, actor: &Actor) -> Result<Option<Before>, StoreError> {
    let last = last(inner, waiting, actor).await?;
    Ok(last.map(|LastRequest { text, listed }| Before { text, listed }))
}

async fn last(inner: &Inner, waiting: &Waiting, actor: &Actor) -> Result<Option<LastRequest>, StoreError> {
    let within_ms = i64::try_from(FOLLOWED_UP_WITHIN.as_millis()).unwrap_or(i64::MAX);
    let since = inner.parts.clock.now_ms().saturating_sub(within_ms);
    let inbound = &waiting.inbound;
    let last = inner
        .parts
        .store
        .last_request(&actor.id, inbound.channel, &inbound.conversation, since)
        .await?;
    Ok(last.filter(|last| !secrets::is_redacted(&last.text)))
}
