//! Tools that grew here: asked for in the words they grew out of, and seen in what anybody else plans.

use std::time::Instant;

use crate::{
    domain::{
        outcome::AnsweredBy,
        plan::{Plan, Validated},
        turn::Origin,
    },
    engine::{
        composite,
        dispatch::{Cascade, Ran},
        fastpath::slots::Template,
        outcome::TurnOutcome,
        plan_executor::state::Resume,
        validator::Grounding,
    },
};

impl Cascade<'_> {
    /// The same words with other values: a plan that is remembered for them, or a tool that grew out of them.
    pub(super) async fn with_other_values(&mut self) -> Option<TurnOutcome> {
        match self.fastpath_slots().await {
            Some(outcome) => Some(outcome),
            None => Box::pin(self.grown()).await,
        }
    }

    /// A tool that grew out of requests in just these words, with other values.
    async fn grown(&mut self) -> Option<TurnOutcome> {
        if matches!(self.turn.origin, Origin::Retry { .. }) {
            return None;
        }
        let template = Template::of(&self.reading, &self.engine.language)?;
        let plan = composite::asked(&template.text, &template.values, self.catalog.all())?;
        let plan = match self.validate(plan, Grounding::Checked) {
            Ok(plan) => plan,
            Err(errors) => {
                self.note(format!("grown: {errors:?}"));
                return None;
            }
        };
        let intent = self.reading.intent.clone();
        if self.excluded(&intent).await.iter().any(|banned| banned.forbids(&plan)) {
            self.note("grown: the person does not want this plan now".to_owned());
            return None;
        }
        self.lookup_done = Some(Instant::now());
        self.intent = Some(intent);
        match self.run(plan, Resume::default(), AnsweredBy::FastpathSlots).await {
            Ran::Answered(outcome) => Some(*outcome),
            Ran::Declined => None,
            Ran::Failed(report) => {
                self.note("grown: the tool failed".to_owned());
                self.give_up_on_outage(&report)
            }
        }
    }

    /// The same plan as a call of the tool that is just that, so that its use counts and it is remembered as one.
    pub(super) fn as_grown(&self, plan: Plan<Validated>) -> Plan<Validated> {
        if plan.is_folded() {
            return plan;
        }
        let call = composite::folded(&plan, self.catalog.all());
        plan.standing_for(call)
    }
}
