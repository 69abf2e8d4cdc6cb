//! The part of the cascade that names, beside a refusal, the nearest request that works here and now: one the person
//! said yes to before, or a look at the thing that the words name. It never runs anything.

use crate::{
    domain::message::Message,
    engine::{dispatch::Cascade, outcome::TurnOutcome, proposer::examples, terminator::DeadEnd},
};

impl Cascade<'_> {
    /// Adds it to a refusal of what nobody understood or has a tool for.
    pub(super) async fn with_nearest(&mut self, mut outcome: TurnOutcome, dead_end: &DeadEnd) -> TurnOutcome {
        let is_open = matches!(dead_end, DeadEnd::NotUnderstood { .. } | DeadEnd::NoTool { .. });
        if is_open && let Some(request) = self.nearest_request().await {
            outcome
                .notes
                .push(Message::new("note-nearest").with("request", request));
        }
        outcome
    }

    async fn nearest_request(&mut self) -> Option<Message> {
        let own = self.own_examples().await;
        if let Some(said) = examples::likest(&self.turn.text, &own) {
            return Some(Message::new("nearest-own").with("request", said));
        }
        if !self.reading.is_read() {
            return None;
        }
        let words = self.words();
        self.things.iter().find_map(|things| things.nearest(&words))
    }
}
