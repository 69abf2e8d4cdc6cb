//! The part of the cascade that names, beside a refusal, the nearest request that works here and now: one the person
//! said yes to before, or a look at the file that the words name. It never runs anything.

use crate::{
    domain::message::Message,
    engine::{dispatch::Cascade, outcome::TurnOutcome, proposer::examples, terminator::DeadEnd, things::files::Files},
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
        let language = &self.engine.language;
        let words = self.words();
        let root = self.engine.home_of(&self.turn.actor);
        let files = Files::new(root, &self.home, language, self.reading.lang);
        let (path, is_text) = files.named_best(&words)?;
        let key = if is_text { "nearest-read" } else { "nearest-find" };
        Some(Message::new(key).with("path", path))
    }
}
