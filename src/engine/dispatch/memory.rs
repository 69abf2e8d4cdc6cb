//! The part of the cascade that remembers: L0 by hash, by cosine and by slots, and L1. A remembered plan is checked
//! against today's world and this request before it runs; one that no longer fits is forgotten and the cascade goes on.

use std::time::Instant;

use crate::{
    domain::{
        failure::FailureClass,
        ids::PlanHash,
        intent::Intent,
        outcome::AnsweredBy,
        plan::{Plan, Validated},
        removal::Reason,
        turn::Origin,
    },
    engine::{
        autopath,
        dispatch::{Cascade, Ran},
        fastpath::{
            self, Found, Hit,
            slots::{Slots, Template},
        },
        outcome::TurnOutcome,
        plan_executor::{report::RunReport, state::Resume},
        validator::Grounding,
    },
    store::{fastpaths::FastpathRow, offers::Offer},
};

/// What became of a remembered plan.
enum Remembered {
    /// It is served.
    Fits(Plan<Validated>),
    /// It still runs, but tools came or went that may do what it works around.
    Unseated(Plan<Validated>),
    /// Its tools are others now, or it says what today's checks refuse.
    Gone,
}

impl Cascade<'_> {
    /// L0, phase 0a.
    pub(super) async fn fastpath_exact(&mut self) -> Option<TurnOutcome> {
        let hash = fastpath::canonical_hash(&self.canonical)?;
        match self.engine.store.fastpath_by_hash(&self.turn.actor.id, &hash).await {
            Ok(Some(row)) => self.serve_fastpath(Hit { row, by: Found::Hash }, false).await,
            Ok(None) => {
                self.note("fastpath: no such request".to_owned());
                None
            }
            Err(error) => {
                self.note(format!("fastpath: {error}"));
                None
            }
        }
    }

    /// L0, phase 0b.
    pub(super) async fn fastpath_close(&mut self) -> Option<TurnOutcome> {
        // A request that was just judged wrong must not be served by its neighbour, nor one in a language nobody here
        // reads: "with" and "without" are close.
        let is_retry = matches!(self.turn.origin, Origin::Retry { .. });
        if is_retry || self.canonical.is_empty() || !self.reading.is_read() || fastpath::needs_the_same(&self.reading) {
            return None;
        }
        if !self
            .engine
            .vectors
            .has_any(&self.engine.store, &self.turn.actor.id, self.engine.embedder.id())
            .await
        {
            return None;
        }
        let vector = self.vector().await?;
        let intent = self.reading.intent.signature();
        let likeness = fastpath::Likeness {
            canonical: &self.canonical,
            intent: &intent,
            vector: &vector,
            embedder: self.engine.embedder.id(),
            threshold: self.engine.embedder.thresholds().fastpath,
        };
        match self
            .engine
            .vectors
            .closest(
                &self.engine.store,
                &self.turn.actor.id,
                &likeness,
                &self.engine.language,
            )
            .await
        {
            Ok(Some(hit)) => self.serve_fastpath(hit, false).await,
            Ok(None) => None,
            Err(error) => {
                self.note(format!("fastpath by cosine: {error}"));
                None
            }
        }
    }

    /// L0, phase 0c: a plan for the same words with other values, where a model would have to be asked again.
    pub(super) async fn fastpath_slots(&mut self) -> Option<TurnOutcome> {
        if matches!(self.turn.origin, Origin::Retry { .. }) {
            return None;
        }
        let template = Template::of(&self.reading, &self.engine.language)?;
        let known = self
            .engine
            .store
            .fastpaths_by_template(&self.turn.actor.id, &template.hash()?)
            .await;
        let rows = known.unwrap_or_else(|error| {
            self.note(format!("fastpath by slots: {error}"));
            Vec::new()
        });
        let filled = |(row, slots): (FastpathRow, serde_json::Value)| {
            let slots: Slots = serde_json::from_value(slots).ok()?;
            let plan = slots.filled(&row.plan, &template.values)?;
            let own_plan = row.plan.clone();
            Some((FastpathRow { plan, ..row }, own_plan))
        };
        let rows: Vec<(FastpathRow, serde_json::Value)> = rows.into_iter().filter_map(filled).collect();
        let (row, own_plan) = rows.first()?.clone();
        // Two plans for the same words: which is right is not for memory to say.
        if rows.iter().any(|(other, _)| other.plan != row.plan) || self.is_for_code() {
            return None;
        }
        self.offering.stands_for =
            fastpath::canonical_hash(&row.canonical_text).map(|request| (Offer::new(request, &own_plan), own_plan));
        self.serve_fastpath(Hit { row, by: Found::Slots }, false).await
    }

    /// The plan of this very request, where a newer tool was given precedence and nothing came of it.
    pub(super) async fn fastpath_after_all(&mut self) -> Option<TurnOutcome> {
        let hit = self.offering.aside.take()?;
        self.note("fastpath: no newer tool does it, so the remembered plan".to_owned());
        self.serve_fastpath(hit, true).await
    }

    async fn serve_fastpath(&mut self, hit: Hit, is_last: bool) -> Option<TurnOutcome> {
        let id = hit.row.id;
        // What other values do not fit may still be right for its own.
        let is_own = hit.by != Found::Slots;
        let row = &hit.row;
        let grounding = Grounding::Approved;
        let kept = match self.still_valid(&row.plan, &row.intent, (&row.tools_sig, &row.pool_sig), grounding) {
            Remembered::Fits(plan) => Some(plan),
            Remembered::Unseated(plan) if is_last => Some(plan),
            Remembered::Unseated(_) => {
                self.offering.aside = Some(hit).filter(|hit| hit.by == Found::Hash);
                return None;
            }
            Remembered::Gone => None,
        };
        let kept = match kept {
            Some(plan) if self.is_still_meant(&plan).await => Some(plan),
            Some(_) | None => None,
        };
        let Some(plan) = kept else {
            if is_own {
                self.forget_fastpath(id, Reason::WorldChanged).await;
            }
            return None;
        };
        let answered_by = match hit.by {
            Found::Hash => AnsweredBy::FastpathHash,
            Found::Cosine(_) => AnsweredBy::FastpathCosine,
            Found::Slots => AnsweredBy::FastpathSlots,
        };
        let intent = Intent::from_signature(&hit.row.intent);
        if self.excluded(&intent).await.iter().any(|banned| banned.forbids(&plan)) {
            self.note("fastpath: the person does not want this plan now".to_owned());
            return None;
        }
        self.lookup_done = Some(Instant::now());
        self.intent = Some(intent);
        match self.run(plan, Resume::default(), answered_by).await {
            Ran::Answered(mut outcome) => {
                outcome.lessons.fastpath_used = Some(id);
                outcome.stand_in = match hit.by {
                    Found::Hash => None,
                    Found::Cosine(similarity) => Some((id, Some(f64::from(similarity)))),
                    Found::Slots => Some((id, None)),
                };
                Some(*outcome)
            }
            Ran::Declined => None,
            Ran::Failed(report) => {
                self.note("fastpath: the remembered plan failed".to_owned());
                let outage = self.give_up_on_outage(&report);
                // A plan is not at fault when the world is out of order.
                if outage.is_none() && is_own {
                    self.forget_fastpath(id, Reason::Failed).await;
                }
                outage
            }
        }
    }

    /// A remembered plan beside today's world and this request.
    fn still_valid(
        &mut self,
        plan: &serde_json::Value,
        intent: &str,
        (tools_sig, pool_sig): (&str, &str),
        grounding: Grounding,
    ) -> Remembered {
        if self.catalog.tools_signature(plan).as_deref() != Some(tools_sig) {
            self.note("memory: its tools changed since".to_owned());
            return Remembered::Gone;
        }
        let is_unseated = self.catalog.pool_signature(&Intent::from_signature(intent), plan) != pool_sig;
        let plan = match Plan::from_json(plan) {
            Ok(plan) => plan,
            Err(error) => {
                self.note(format!("memory: unreadable plan, {error}"));
                return Remembered::Gone;
            }
        };
        match self.validate(plan, grounding) {
            Ok(plan) if is_unseated => {
                self.note("memory: other tools for this since".to_owned());
                Remembered::Unseated(plan)
            }
            Ok(plan) => Remembered::Fits(plan),
            Err(errors) => {
                self.note(format!("memory: {} errors today", errors.len()));
                Remembered::Gone
            }
        }
    }

    /// Whether all that a remembered plan changes is what these words say, or mean today, or the person said yes to it.
    async fn is_still_meant(&mut self, plan: &Plan<Validated>) -> bool {
        let unsaid = self.ungrounded(plan);
        if unsaid.is_empty() {
            return true;
        }
        self.note(format!("memory: {} values that these words do not say", unsaid.len()));
        match self.offer_of(plan) {
            Some(offer) => {
                let own = (offer, plan.to_json());
                let offers = std::iter::once(own).chain(self.offering.stands_for.clone());
                self.said_yes_to_one(&mut offers.collect::<Vec<_>>().into_iter()).await
            }
            None => false,
        }
    }

    async fn forget_fastpath(&mut self, id: i64, reason: Reason) {
        let now_ms = self.engine.clock.now_ms();
        if let Err(error) = self.engine.store.fastpath_delete(id, reason, now_ms).await {
            self.note(format!("fastpath: {error}"));
        }
    }

    /// L1: a plan that worked for this kind of request.
    pub(super) async fn autopath(&mut self, intent: &Intent) -> Option<TurnOutcome> {
        let negated = !self.engine.language.negations(&self.canonical).is_empty();
        if !intent.is_complete() || fastpath::needs_the_same(&self.reading) || negated {
            return None;
        }
        let vector = self.vector().await?;
        let excluded = self.excluded(intent).await;
        let banned: Vec<PlanHash> = excluded.iter().filter_map(|banned| banned.hash.clone()).collect();
        let found = autopath::lookup(
            &self.engine.store,
            &autopath::Request {
                actor: &self.turn.actor.id,
                intent: &intent.hash(),
                vector: &vector,
                embedder: self.engine.embedder.id(),
                thresholds: &self.engine.embedder.thresholds(),
                excluded: &banned,
                now_ms: self.engine.clock.now_ms(),
            },
        )
        .await;
        let champion = match found {
            Ok(champion) => champion?,
            Err(error) => {
                self.note(format!("autopath: {error}"));
                return None;
            }
        };
        let Remembered::Fits(plan) = self.still_valid(
            &champion.plan,
            &intent.signature(),
            (&champion.tools_sig, &champion.pool_sig),
            Grounding::Checked,
        ) else {
            return None;
        };
        match self.run(plan, Resume::default(), AnsweredBy::Autopath).await {
            Ran::Answered(mut outcome) => {
                outcome.lessons.autopath_used = Some(champion.id);
                Some(*outcome)
            }
            Ran::Declined => None,
            Ran::Failed(report) => {
                self.note("autopath: the remembered plan failed".to_owned());
                self.give_up_on_outage(&report)
            }
        }
    }

    /// A remembered plan that failed because the world is out of order: no other plan would do better.
    pub(super) fn give_up_on_outage(&mut self, report: &RunReport) -> Option<TurnOutcome> {
        let error = report.error()?;
        error
            .class
            .is_operational()
            .then(|| self.dead_end(report, FailureClass::OutOfScope))
    }
}
