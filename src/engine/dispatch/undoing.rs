//! Taking back by rule: how many of the last turns, or a change that is named. Called by `fixed` and the pattern layer.
//! What is named is looked up in the journal; nothing else than the last change is ever taken back, and where that is
//! not what was named, it is said and nothing is done.

use serde_json::json;

use super::{Cascade, fixed::say};
use crate::{
    domain::{
        limits::CHANGES_NAMED_MAX,
        manifest::Capability,
        message::Message,
        outcome::{FinalKind, View},
        run::Reversal,
        turn::Origin,
    },
    engine::{
        outcome::TurnOutcome,
        patterns::undo::{Described, Named},
    },
    store::effects::PastChange,
};

impl Cascade<'_> {
    /// Answers the request. Where it stands in the place of one before, that one is taken back first; what stays as it
    /// was is never done beside it.
    pub(super) async fn answer_instead(&mut self) -> TurnOutcome {
        let Origin::Instead { of } = &self.turn.origin else {
            return self.answer().await;
        };
        let (store, actor) = (&self.engine.store, &self.turn.actor.id);
        if !matches!(store.is_last_change(of, actor).await, Ok(true)) {
            return say(Message::new("undo-not-the-last-unknown"));
        }
        // Taking back what was wrong is what the person said, whatever they meant instead.
        self.offering.is_unsure = false;
        let Some(mut undone) = self.undo(1).await else {
            return say(Message::new("undo-not-the-last-unknown"));
        };
        if !matches!(store.has_standing_effects(of, actor).await, Ok(false)) {
            let left = Message::new("undo-not-the-rest").with("rest", self.turn.text.as_str());
            undone.views.push(View::Say(left));
            return undone;
        }
        // What was taken back lies elsewhere now than where the request was read.
        let path = std::mem::take(&mut self.path);
        *self = Self {
            path,
            started: self.started,
            ..Self::new(self.engine, self.turn, self.audience, self.hands)
        };
        let mut outcome = self.answer().await;
        outcome.views.splice(0..0, undone.views);
        outcome
    }

    /// Takes so many of the last turns back.
    pub(super) async fn undo(&mut self, turns: u8) -> Option<TurnOutcome> {
        self.one_step("undo_last_turn", json!({"turns": turns}), None).await
    }

    /// The same, and says what else was asked for and is not done: another request, or all that was ever changed.
    pub(super) async fn undo_part(&mut self, turns: u8, besides: Option<&str>) -> Option<TurnOutcome> {
        let mut outcome = self.undo(turns).await?;
        if outcome.pause.is_some() || outcome.final_kind == FinalKind::Stopped {
            return Some(outcome);
        }
        let left = match besides {
            Some(words) => Some(Message::new("undo-not-the-rest").with("rest", words)),
            None if self.changes().await.is_empty() => None,
            None => Some(Message::new("undo-not-all")),
        };
        outcome.views.extend(left.map(View::Say));
        Some(outcome)
    }

    /// Takes back the last change if that is the one that is named. `None` when nothing of ours is named at all: then
    /// it is a request like any other, and no layer may make an undo of it.
    pub(super) async fn undo_named(&mut self, named: &Named) -> Option<TurnOutcome> {
        let changes = self.changes().await;
        let mut fits = changes.iter().map(|change| named.fits(&self.described(change)));
        if fits.next() == Some(true) {
            if matches!(self.turn.origin, Origin::Retry { .. }) {
                return Some(say(Message::new("retry-no-other-way")));
            }
            return self.undo(1).await;
        }
        if !named.is_about_changes() && !fits.any(|fits| fits) {
            self.note("undo: nothing of ours is named".to_owned());
            self.may_undo = false;
            return None;
        }
        let Some(last) = changes.first() else {
            return Some(say(Message::new("undo-nothing")));
        };
        let message = match &last.request {
            Some(request) => Message::new("undo-not-the-last").with("request", request.as_str()),
            None => Message::new("undo-not-the-last-unknown"),
        };
        Some(say(message))
    }

    /// Whether a planner may use an executor in this turn.
    pub(super) fn may_use(&self, capabilities: &[Capability]) -> bool {
        self.may_undo || !capabilities.contains(&Capability::SystemUndo)
    }

    async fn changes(&mut self) -> Vec<PastChange> {
        let store = &self.engine.store;
        let changes = store.changes_to_undo(&self.turn.actor.id, CHANGES_NAMED_MAX).await;
        changes.unwrap_or_else(|error| {
            self.note(format!("undo: {error}"));
            Vec::new()
        })
    }

    fn described(&self, change: &PastChange) -> Described {
        let verbs = change.effects.iter().filter_map(|effect| {
            let verb = self.catalog.get(&effect.tool)?.verb?;
            Some(verb.as_str().to_owned())
        });
        let paths = change
            .effects
            .iter()
            .flat_map(|effect| effect.reversals.iter().flat_map(paths));
        Described::new(change.request.as_deref().unwrap_or_default(), paths, verbs.collect())
    }
}

/// The files of the person that a reversal changes.
fn paths(reversal: &Reversal) -> Vec<&str> {
    match reversal {
        Reversal::MoveBack { from, to } => vec![from, to],
        Reversal::Restore { to, .. } => vec![to],
        Reversal::RemoveFile { path, .. } | Reversal::RemoveDir { path } => vec![path],
        Reversal::Task { .. } => Vec::new(),
        Reversal::Call { label, .. } => vec![label],
    }
}
