//! What somebody says right after an answer, and means about it. Called by `turn`; it looks at nothing but the last
//! request in the same conversation, and only at one this person typed.

use super::Inner;
use crate::{
    domain::{
        actor::{Actor, Role},
        dialogue::Listed,
        ids::TurnId,
        limits::FOLLOWED_UP_WITHIN,
        turn::{Before, Origin, Turn},
    },
    engine::follow_up::FollowUp,
    language::secrets,
    store::{StoreError, inbox::Waiting, turns::LastRequest},
};

/// The request that a message completes, if it does, and what it stands in the place of. Where a model can be asked,
/// what code cannot tell is for it to say.
pub(super) async fn whole(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<Option<(FollowUp, Origin)>, StoreError> {
    let Some(before) = last(inner, waiting, actor).await? else {
        return Ok(None);
    };
    let now = inner.parts.clock.zoned(&actor.timezone);
    let engine = &inner.parts.engine;
    let whole = engine.whole_request(&before, text, actor, &now);
    let Some(FollowUp::Instead(whole)) = whole else {
        let follow_up = whole.filter(|whole| *whole != FollowUp::Unclear || !engine.may_ask_model());
        return Ok(follow_up.map(|follow_up| (follow_up, Origin::Typed)));
    };
    let origin = in_place_of(inner, actor, before.turn).await?;
    Ok(origin.map(|origin| (FollowUp::Whole(whole), origin)))
}

/// Completes a turn whose message says only a value of the one before.
pub(super) async fn complete(inner: &Inner, turn: &mut Turn) -> Result<(), StoreError> {
    let Some(before) = turn.before.as_ref().map(|before| before.turn.clone()) else {
        return Ok(());
    };
    let Some(goes_on) = Box::pin(inner.parts.engine.continued(turn)).await? else {
        return Ok(());
    };
    if goes_on.corrects {
        let Some(origin) = in_place_of(inner, &turn.actor, before).await? else {
            return Ok(());
        };
        turn.origin = origin;
    }
    turn.text = goes_on.whole;
    turn.is_joined = goes_on.is_joined;
    Ok(())
}

/// Why a request runs that puts the one of a turn right. What only looked is just looked at anew; what cannot be taken
/// back is never done a second time. A guest's request may wait for the host with the other value, after theirs was
/// gone: they take back themselves.
async fn in_place_of(inner: &Inner, actor: &Actor, turn: TurnId) -> Result<Option<Origin>, StoreError> {
    let store = &inner.parts.store;
    if !store.has_standing_effects(&turn, &actor.id).await? {
        return Ok(Some(Origin::Typed));
    }
    let may_go = actor.role == Role::Host && store.is_last_change(&turn, &actor.id).await?;
    Ok(may_go.then_some(Origin::Instead { of: turn }))
}

/// What the conversation was about a moment ago.
pub(super) async fn before(inner: &Inner, waiting: &Waiting, actor: &Actor) -> Result<Option<Before>, StoreError> {
    let last = last(inner, waiting, actor).await?;
    Ok(last.map(|LastRequest { turn, text, dialogue }| Before { turn, text, dialogue }))
}

/// Whether a message only ends something, right behind an answer that set or changed what can be ended.
pub(in crate::runtime) async fn ends_touched(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<bool, StoreError> {
    let now = inner.parts.clock.zoned(&actor.timezone);
    if !inner.parts.engine.only_ends(text, actor, &now) {
        return Ok(false);
    }
    let before = before(inner, waiting, actor).await?;
    let ends = |touched: &Listed| !touched.is_empty() && !touched.is_at_home();
    Ok(before.is_some_and(|before| ends(&before.dialogue.touched)))
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
