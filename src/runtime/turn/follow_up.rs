//! What somebody says right after an answer, and means about it. Called by `turn`; it looks at nothing but the last
//! request in the same conversation, and only at one this person typed.

use super::Inner;
use crate::{
    domain::{actor::Actor, limits::FOLLOWED_UP_WITHIN},
    engine::follow_up::FollowUp,
    language::secrets,
    store::{StoreError, inbox::Waiting},
};

/// The request that a message completes, if it does.
pub(super) async fn whole(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<Option<FollowUp>, StoreError> {
    let within_ms = i64::try_from(FOLLOWED_UP_WITHIN.as_millis()).unwrap_or(i64::MAX);
    let since = inner.parts.clock.now_ms().saturating_sub(within_ms);
    let inbound = &waiting.inbound;
    let before = inner
        .parts
        .store
        .last_request(&actor.id, inbound.channel, &inbound.conversation, since)
        .await?;
    let now = inner.parts.clock.zoned(&actor.timezone);
    Ok(before
        .filter(|before| !secrets::is_redacted(&before.text))
        .and_then(|before| inner.parts.engine.whole_request(&before, text, actor, &now)))
}
