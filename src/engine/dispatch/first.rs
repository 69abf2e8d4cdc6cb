//! Who answers first where a model is connected, and whose plan counts. Code does where it has a place for every word
//! that weighs, and found something; otherwise the model is asked, and what code read stays for when the model has
//! nothing valid, or leaves more of the request aside. Called by `planning` and by `plan_and_run`. Nothing runs here
//! but a second plan for a look that found nothing.

use serde_json::Value;

use crate::{
    config::EngineChoice,
    domain::{
        message::Message,
        outcome::{AnsweredBy, FinalKind},
        plan::{Plan, Validated},
    },
    engine::{
        dispatch::{
            Cascade, Ran,
            near::Nearest,
            planning::{Excluded, NoPlan, Written},
        },
        follow_up,
        outcome::TurnOutcome,
        plan_executor::state::Resume,
        terminator::DeadEnd,
    },
};

/// What code makes of a request.
pub(super) enum OfCode {
    /// It answers first.
    First(Written),
    /// Somebody else is to be asked: what it read, if anything, and what kept it from more.
    Rest(Option<Reading>, DeadEnd),
}

/// A plan of code that somebody else may know better than.
pub(super) enum Reading {
    /// Of every word by its own account.
    Whole(Box<Plan<Validated>>),
    /// Nearly.
    Near(Box<Nearest>),
}

impl Reading {
    fn plan(&self) -> &Plan<Validated> {
        match self {
            Self::Whole(plan) => plan,
            Self::Near(near) => near.plan(),
        }
    }
}

impl Cascade<'_> {
    /// What code makes of the request, and whether that is the answer.
    pub(super) fn of_code(&mut self, excluded: &[Excluded]) -> OfCode {
        match (self.compose(excluded), self.engine.choice) {
            (Ok(_), EngineChoice::Metis) => OfCode::Rest(None, DeadEnd::NotUnderstood { words: Vec::new() }),
            (Err(dead_end), EngineChoice::Metis) => OfCode::Rest(None, dead_end),
            (Ok(plan), EngineChoice::Simple | EngineChoice::Auto) => {
                if let Some(near) = self.near_of_own(excluded, &plan) {
                    return OfCode::First(self.take_near(near, None));
                }
                if let Some(near) = self.near_unasked(excluded, &plan) {
                    return OfCode::First(self.take_near(near, None));
                }
                let left = if self.is_alone() {
                    Vec::new()
                } else {
                    self.fit(&plan).unused
                };
                if left.is_empty() {
                    return OfCode::First(self.noted_or(plan));
                }
                self.note(format!("composer: no place for {}", left.join(", ")));
                OfCode::Rest(
                    Some(Reading::Whole(Box::new(plan))),
                    DeadEnd::NotUnderstood { words: left },
                )
            }
            // Where nobody else can be asked, the nearest reading is the best there is.
            (Err(dead_end), EngineChoice::Simple | EngineChoice::Auto) => match self.near(excluded, &dead_end) {
                Some(near) if self.is_alone() || near.is_certain() => OfCode::First(self.take_near(near, None)),
                near => OfCode::Rest(near.map(|near| Reading::Near(Box::new(near))), dead_end),
            },
        }
    }

    /// The nearest plan that needs to ask nothing, where the composer's would have to: what the words say as they are
    /// is likelier than what they do not say.
    fn near_unasked(&mut self, excluded: &[Excluded], composed: &Plan<Validated>) -> Option<Nearest> {
        if !follow_up::asks_back(composed) {
            return None;
        }
        let near = self.near(excluded, &DeadEnd::NotUnderstood { words: Vec::new() })?;
        near.is_certain().then_some(near)
    }

    /// Of what a model wrote and what code read, the one that leaves less of the request aside; what code read where
    /// the model has no plan.
    pub(super) fn better(&mut self, written: Result<Written, Option<NoPlan>>, reading: Reading) -> Written {
        let cause = match written {
            Ok(Written::Plan(plan, writer)) => {
                let (of_model, of_code) = (self.fit(&plan).unused.len(), self.fit(reading.plan()).unused.len());
                if of_model <= of_code {
                    return Written::Plan(plan, writer);
                }
                self.note(format!("metis: leaves {of_model} words aside, code {of_code}"));
                None
            }
            Ok(Written::Said(_)) => {
                self.note("metis: no plan, and code has one".to_owned());
                None
            }
            Err(Some(NoPlan::NoAnswer { cause, .. })) => Some(cause),
            Err(_) => None,
        };
        self.left_aside.clear();
        self.taken_of_code(reading, cause)
    }

    fn taken_of_code(&mut self, reading: Reading, cause: Option<Message>) -> Written {
        match reading {
            Reading::Whole(plan) => self.noted_or(*plan),
            Reading::Near(near) => self.take_near(*near, cause),
        }
    }

    /// A look of code that found nothing: what a model finds instead, if it does.
    pub(super) async fn found_instead(
        &mut self,
        outcome: TurnOutcome,
        writer: AnsweredBy,
        plan: Value,
        excluded: &[Excluded],
    ) -> TurnOutcome {
        let is_codes = matches!(writer, AnsweredBy::Simple | AnsweredBy::Near);
        if !is_codes || !self.may_ask_model() || !found_nothing(&outcome) {
            return outcome;
        }
        self.note("code: found nothing, the model is asked".to_owned());
        let mut excluded = excluded.to_vec();
        excluded.push(Excluded {
            exact: Some(plan),
            failed: Some("a plan like that found nothing".to_owned()),
            ..Excluded::default()
        });
        let aside = std::mem::take(&mut self.nearly.aside);
        let written = Box::pin(self.ask_model(&excluded)).await;
        let Ok(Written::Plan(other, writer)) = written else {
            self.nearly.aside = aside;
            return outcome;
        };
        match self.run(other, Resume::default(), writer).await {
            Ran::Answered(found) if !found_nothing(&found) => *found,
            Ran::Answered(_) | Ran::Declined | Ran::Failed(_) => outcome,
        }
    }
}

/// Whether a run that only looked came to an answer with nothing in it.
fn found_nothing(outcome: &TurnOutcome) -> bool {
    let mut lists = outcome
        .records
        .iter()
        .filter_map(|record| record.result.entries())
        .peekable();
    let looked = outcome.final_kind == FinalKind::Answer && outcome.pause.is_none();
    let changed = outcome.records.iter().any(|record| record.has_effect);
    looked && !changed && lists.peek().is_some() && lists.any(Vec::is_empty)
}
