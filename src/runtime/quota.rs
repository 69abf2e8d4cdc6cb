//! Whether a person may ask one more thing now. `turn` asks before a request begins; a question that was asked before
//! is always carried on, and so is what makes metnos safer.

use super::Inner;
use crate::{
    clock::Clock,
    domain::{actor::Actor, limits::TURNS_QUOTA_WINDOW, message::Message, quota::QuotaKind},
    engine::patterns::PatternMatch,
    store::{Store, StoreError, people::Usage},
};

/// What a person used: requests in the last hour, model calls since their midnight.
pub(super) async fn usage(store: &Store, clock: &Clock, actor: &Actor) -> Result<Usage, StoreError> {
    store
        .usage(&actor.id, window_start(clock), midnight(clock, actor))
        .await
}

/// Why this request has to wait; `None` when it may run.
pub(super) async fn refusal(inner: &Inner, actor: &Actor, request: &str) -> Result<Option<Message>, StoreError> {
    let quotas = inner.parts.store.quotas(&actor.id).await?;
    let Some(limit) = quotas.limit(QuotaKind::TurnsPerHour, actor.role) else {
        return Ok(None);
    };
    let engine = &inner.parts.engine;
    if let PatternMatch::Hit(pattern) = engine.by_rule(request, actor)
        && pattern.is_safety()
    {
        return Ok(None);
    }
    if limit == 0 {
        return Ok(Some(Message::new("quota-turns-none")));
    }
    let clock = &inner.parts.clock;
    let filled = inner
        .parts
        .store
        .filled_at(&actor.id, limit, window_start(clock))
        .await?;
    let Some(filled_ms) = filled else {
        return Ok(None);
    };
    let window_ms = i64::try_from(TURNS_QUOTA_WINDOW.as_millis()).unwrap_or(i64::MAX);
    let wait_ms = filled_ms.saturating_add(window_ms).saturating_sub(clock.now_ms());
    let opens = clock
        .zoned(&actor.timezone)
        .saturating_add(jiff::SignedDuration::from_millis(wait_ms))
        // A minute that has begun is not over.
        .saturating_add(jiff::SignedDuration::from_secs(59));
    Ok(Some(
        Message::new("quota-turns-used")
            .with("limit", f64::from(limit))
            .with("time", opens.strftime("%H:%M").to_string()),
    ))
}

/// How often the model may still be asked for this person today; `None` for as often as needed.
pub(super) async fn model_calls_left(inner: &Inner, actor: &Actor) -> Result<Option<u32>, StoreError> {
    let quotas = inner.parts.store.quotas(&actor.id).await?;
    let Some(limit) = quotas.limit(QuotaKind::ModelCallsPerDay, actor.role) else {
        return Ok(None);
    };
    let used = usage(&inner.parts.store, &inner.parts.clock, actor).await?.model_calls;
    Ok(Some(limit.saturating_sub(used)))
}

fn window_start(clock: &Clock) -> i64 {
    let window_ms = i64::try_from(TURNS_QUOTA_WINDOW.as_millis()).unwrap_or(i64::MAX);
    clock.now_ms().saturating_sub(window_ms)
}

fn midnight(clock: &Clock, actor: &Actor) -> i64 {
    let now = clock.zoned(&actor.timezone);
    now.start_of_day().map_or_else(
        |_out_of_range| clock.now_ms(),
        |start| start.timestamp().as_millisecond(),
    )
}
