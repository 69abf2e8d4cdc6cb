//! What the database keeps of a turn that ended: the request without its secrets, the plan, and the things that
//! were listed or touched. Called by `turn` at its end.

use jiff::Timestamp;

use super::Inner;
use crate::{
    domain::{intent::Intent, turn::Turn},
    engine::outcome::TurnOutcome,
    store::turns::TurnRow,
};

/// The turn as the database keeps it.
pub(super) fn of(inner: &Inner, turn: &Turn, outcome: &TurnOutcome, ended: Timestamp) -> TurnRow {
    let (request, _) = inner.redactor().text(&turn.text);
    let engine = &inner.parts.engine;
    let (catalog, home) = (engine.catalog.current(), engine.home_of(&turn.actor));
    TurnRow {
        id: turn.id.clone(),
        actor: turn.actor.id.clone(),
        channel: turn.channel,
        conversation: turn.conversation.clone(),
        request,
        is_typed: turn.is_typed,
        canonical_hash: outcome.canonical_hash.clone(),
        started_ms: turn.now.timestamp().as_millisecond(),
        ended_ms: ended.as_millisecond(),
        answered_by: outcome.answered_by,
        final_kind: outcome.final_kind,
        intent: outcome.intent.as_ref().map(Intent::hash),
        plan: outcome
            .plan
            .as_ref()
            .map(|plan| (plan.hash.clone(), plan.shape.clone())),
        model_calls: outcome.model.calls,
        stand_in: outcome.stand_in,
        listed: outcome.listed(&catalog, &home),
        touched: outcome.touched(&catalog, &home),
    }
}
