//! How far a plan is trusted that code would not have written itself. Called before every run; it only ever raises the
//! risk, and asks nobody.

use crate::{
    domain::{
        outcome::AnsweredBy,
        plan::{Plan, Validated},
        verdict::Risk,
    },
    engine::dispatch::Cascade,
};

impl Cascade<'_> {
    /// What a model made of words that code cannot place may be something else than was meant: such a plan changes
    /// nothing unasked, below the level that lets medium risks pass. Remembered it is as doubtful as it was, until
    /// somebody said that it was right.
    pub(super) async fn doubt(&mut self, plan: &Plan<Validated>, writer: AnsweredBy) {
        let is_remembered = match writer {
            AnsweredBy::FastpathHash | AnsweredBy::FastpathCosine | AnsweredBy::FastpathSlots => true,
            // Where a first plan failed, the second may be a model's as well.
            AnsweredBy::Metis | AnsweredBy::Frontier | AnsweredBy::Recovery => false,
            AnsweredBy::Pattern
            | AnsweredBy::Autopath
            | AnsweredBy::Simple
            | AnsweredBy::Terminator
            | AnsweredBy::Runtime => return,
        };
        // What only looks asks nobody at any risk.
        if self.catalog.only_looks(plan) {
            return;
        }
        let written = plan.to_json();
        if self.would_code_write(&written) || is_remembered && self.was_right(&written).await {
            return;
        }
        self.risk_min = self.risk_min.max(Risk::Medium);
    }

    /// Whether this very plan, with all its values, is what code makes of the request.
    pub(super) fn would_code_write(&mut self, written: &serde_json::Value) -> bool {
        self.compose(&[]).is_ok_and(|composed| composed.to_json() == *written)
    }

    /// Whether this person said so of this very plan; what cannot be read counts as no.
    async fn was_right(&mut self, written: &serde_json::Value) -> bool {
        let confirmed = self.engine.store.was_confirmed(&self.turn.actor.id, written).await;
        confirmed.unwrap_or_else(|error| {
            self.note(format!("memory: {error}"));
            false
        })
    }
}
