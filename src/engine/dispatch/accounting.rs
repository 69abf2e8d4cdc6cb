//! What only the end of a turn knows: how long it took, what it cost and what led to it. Called by `dispatch` with the
//! outcome; it decides nothing.

use std::time::Instant;

use crate::{
    domain::{actor::Role, message::Message},
    engine::{
        dispatch::Cascade,
        fastpath,
        outcome::{Timings, TurnOutcome},
    },
};

impl Cascade<'_> {
    /// The outcome with all of that in it.
    pub(super) fn account(self, mut outcome: TurnOutcome) -> TurnOutcome {
        let micros = |from: Instant, to: Instant| u64::try_from((to - from).as_micros()).unwrap_or(u64::MAX);
        let executors_us = outcome.records.iter().map(|record| record.executor_us).sum();
        let lookup_done = self.lookup_done.unwrap_or(self.started);
        outcome.timings = Timings {
            lookup_us: micros(self.started, lookup_done),
            planning_us: self.planning_done.map_or(0, |done| micros(lookup_done, done)),
            executors_us,
            total_us: micros(self.started, Instant::now()),
        };
        if self.turn.actor.role == Role::Host && self.engine.trouble.tell_host() {
            outcome.notes.push(Message::new("note-model-trouble"));
        }
        outcome.model = self.meter.used();
        outcome.calls = self.meter.calls();
        outcome.risk_min = self.risk_min;
        outcome.is_offered = self.offering.is_offered;
        outcome.offer = self.offering.offer;
        outcome.proposals = self.proposals;
        outcome.intent = outcome.intent.or(self.intent);
        outcome.candidates = self.candidates;
        outcome.path = self.path;
        if let Some(hash) = fastpath::canonical_hash(&self.canonical) {
            outcome.canonical_hash = hash;
        }
        outcome
    }
}
