//! How far a plan is trusted that code would not have written itself. Called before every run: what is not certain is
//! shown before it changes anything, at every level of autonomy, until somebody said yes to it. It asks nobody itself.

use crate::{
    config::EngineChoice,
    domain::{
        ids::StepId,
        outcome::AnsweredBy,
        plan::{Plan, Validated},
    },
    engine::{dispatch::Cascade, fastpath, validator::ValidationError},
    store::offers::Offer,
};

/// How certain it is that a plan was meant, and what a yes or a no to it is remembered by.
#[derive(Default)]
pub(super) struct Offering {
    /// It may not be what was meant: whatever it changes is shown first.
    pub(super) is_offered: bool,
    /// It was read nearly and something that weighs was left aside, or it was put together of two messages.
    pub(super) is_unsure: bool,
    /// This plan for these words.
    pub(super) offer: Option<Offer>,
    /// The same, once the person said yes.
    pub(super) accepted: Option<Offer>,
    /// Steps that would tell words to a server unasked, until somebody said yes.
    pub(super) shown_first: Vec<StepId>,
    /// The turn goes on after a question: what was decided of its plan stays.
    pub(super) goes_on: bool,
    /// The remembered request whose plan runs for this one.
    pub(super) stands_for: Option<(Offer, serde_json::Value)>,
    /// What was remembered for this very request, before there were tools that may do it better.
    pub(super) aside: Option<fastpath::Hit>,
}

impl Cascade<'_> {
    /// Decides whether the plan that is about to run is to be offered first; whether it must not even be offered, since
    /// the person said no to it for these very words.
    pub(super) async fn is_declined(&mut self, plan: &Plan<Validated>, writer: AnsweredBy) -> bool {
        self.offering.shown_first = self.sends_of(plan, writer);
        // A plan that goes on after its card is as doubtful as it was; what was said of another one that failed is not
        // said of this.
        if self.offering.goes_on {
            return false;
        }
        self.offering.is_offered = false;
        self.offering.offer = None;
        let sends = !self.offering.shown_first.is_empty();
        let is_remembered = match writer {
            // What code read nearly says itself whether it is sure; two messages may mean something else together.
            _ if self.offering.is_unsure => false,
            AnsweredBy::FastpathHash | AnsweredBy::FastpathCosine | AnsweredBy::FastpathSlots => true,
            // Where a first plan failed, the second may be a model's as well.
            AnsweredBy::Metis | AnsweredBy::Frontier | AnsweredBy::Recovery => false,
            AnsweredBy::Autopath | AnsweredBy::Near if sends => false,
            AnsweredBy::Pattern
            | AnsweredBy::Autopath
            | AnsweredBy::Simple
            | AnsweredBy::Near
            | AnsweredBy::Terminator
            | AnsweredBy::Runtime => return false,
        };
        // What only looks asks nobody, unless it tells a server what for.
        let only_looks = self.catalog.only_looks(plan);
        if only_looks && !sends {
            return false;
        }
        let may_be_codes = is_remembered && self.engine.choice != EngineChoice::Metis;
        if may_be_codes && self.would_code_write(&plan.to_json()) {
            return false;
        }
        let mut doubts = if only_looks {
            Vec::new()
        } else if writer == AnsweredBy::Near || self.offering.is_unsure {
            // Where every word has its place, not all of them are sure to mean it.
            let left = self.nearly.aside.words.join(", ");
            let words = if left.is_empty() { self.turn.text.clone() } else { left };
            vec![ValidationError::Unplaced { words }]
        } else {
            self.doubts(plan)
        };
        if !only_looks {
            doubts.extend(self.left_aside.iter().cloned());
        }
        let shown_first = self.offering.shown_first.iter();
        doubts.extend(shown_first.map(|step| ValidationError::SendsUnasked { step: *step }));
        // A no to what is shown whole says that it is not to go out, and nothing of how it was understood.
        let is_shown_whole = !sends && self.catalog.only_goes_out(plan);
        let offer = self.offer_of(plan).filter(|_| !doubts.is_empty() && !is_shown_whole);
        let Some(offer) = offer else {
            self.offering.is_offered = !doubts.is_empty();
            return false;
        };
        let stands_for = self.offering.stands_for.take();
        let mut offers = std::iter::once((offer.clone(), plan.to_json())).chain(stands_for);
        if self.said_yes_to_one(&mut offers).await {
            self.offering.shown_first.clear();
            return false;
        }
        let codes: Vec<&str> = doubts.iter().map(ValidationError::code).collect();
        self.note(format!("doubt: {}", codes.join(", ")));
        self.offering.is_offered = true;
        self.offering.offer = Some(offer.clone());
        let declined = self.engine.store.was_declined(&self.turn.actor.id, &offer).await;
        declined.unwrap_or_else(|error| {
            self.note(format!("offers: {error}"));
            false
        })
    }

    /// The steps of a plan that would tell words to a server unasked; what code reads word by word is what was asked.
    fn sends_of(&self, plan: &Plan<Validated>, writer: AnsweredBy) -> Vec<StepId> {
        match writer {
            AnsweredBy::Pattern | AnsweredBy::Simple | AnsweredBy::Terminator | AnsweredBy::Runtime => Vec::new(),
            AnsweredBy::FastpathHash
            | AnsweredBy::FastpathCosine
            | AnsweredBy::FastpathSlots
            | AnsweredBy::Autopath
            | AnsweredBy::Near
            | AnsweredBy::Metis
            | AnsweredBy::Frontier
            | AnsweredBy::Recovery => self.sends_unasked(plan),
        }
    }

    /// This plan for these words; `None` when the words are nothing to remember it by.
    pub(super) fn offer_of(&self, plan: &Plan<Validated>) -> Option<Offer> {
        let request = fastpath::canonical_hash(&self.canonical)?;
        Some(Offer::new(request, &plan.to_json()))
    }

    /// Whether this very plan, with all its values, is what code makes of the request.
    fn would_code_write(&mut self, written: &serde_json::Value) -> bool {
        self.compose(&[]).is_ok_and(|composed| composed.to_json() == *written)
    }

    /// Whether this person said yes to one of these; what cannot be read counts as no.
    pub(super) async fn said_yes_to_one(
        &mut self,
        offers: &mut (dyn Iterator<Item = (Offer, serde_json::Value)> + Send),
    ) -> bool {
        for (offer, plan) in offers {
            match self.engine.store.was_accepted(&self.turn.actor.id, &offer, &plan).await {
                Ok(true) => return true,
                Ok(false) => {}
                Err(error) => self.note(format!("offers: {error}")),
            }
        }
        false
    }
}
