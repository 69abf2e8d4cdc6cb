//! The part of the cascade that writes a plan: the composer where its reading is clear, else the model in one call, an
//! online provider where the household lets it; and what is said when nobody could.

use serde_json::Value;

use crate::{
    config::{EngineChoice, Mode},
    domain::{
        failure::{ErrorClass, FailureClass, ToolError},
        ids::{CanonicalHash, PlanHash},
        intent::Intent,
        limits::PLANS_A_TURN,
        message::Message,
        outcome::{AnsweredBy, FinalKind},
        plan::{Plan, Validated},
        turn::Origin,
    },
    engine::{
        composer::{self, Composition},
        dispatch::{Cascade, first::OfCode},
        fastpath,
        outcome::TurnOutcome,
        terminator::{self, DeadEnd},
        validator::{Grounding, ValidationError},
    },
};

/// A plan that must not come again.
#[derive(Clone, Debug, Default)]
pub(super) struct Excluded {
    /// Every plan of this shape: the person does not want it.
    pub(super) hash: Option<PlanHash>,
    /// The shape in words, as far as it is known.
    pub(super) shape: Option<String>,
    /// This very plan: it failed a moment ago.
    pub(super) exact: Option<Value>,
    /// How it failed, for the model.
    pub(super) failed: Option<String>,
}

impl Excluded {
    /// Whether it is this plan that must not come.
    pub(super) fn forbids(&self, plan: &Plan<Validated>) -> bool {
        let has_shape = self.hash.as_ref().is_some_and(|hash| *hash == plan.hash());
        has_shape || self.exact.as_ref().is_some_and(|exact| *exact == plan.to_json())
    }
}

/// What came of asking for a plan.
pub(super) enum Written {
    /// A plan, and who wrote it.
    Plan(Plan<Validated>, AnsweredBy),
    /// The turn ends with this: words that need no tool, or a question.
    Said(Box<TurnOutcome>),
}

/// How the model's attempt ended without a plan that can run.
pub(super) enum NoPlan {
    /// It is down.
    Down,
    /// The person has no calls left today.
    NoCallsLeft,
    /// It says what is missing.
    Missing(String),
    /// It wrote nothing that is valid.
    Invalid {
        /// The cap it did not keep to.
        end: Option<FinalKind>,
        /// A place it wanted to look at, and that is not there.
        not_there: Option<String>,
        /// Whether all that was wrong is that the person does not want it.
        is_excluded: bool,
    },
    /// It is a provider's, and was not asked or did not answer.
    NoAnswer {
        /// What the person is told.
        cause: Message,
        /// Whether asking again may help.
        may_pass: bool,
    },
}

impl NoPlan {
    /// Nothing that could be read as a plan.
    pub(super) fn unreadable() -> Self {
        Self::Invalid {
            end: None,
            not_there: None,
            is_excluded: false,
        }
    }

    /// Whether a provider may help: the model in the house was no help, rather than clear.
    fn is_worth_money(&self) -> bool {
        match self {
            Self::Down | Self::Invalid { .. } => true,
            Self::NoCallsLeft | Self::Missing(_) | Self::NoAnswer { .. } => false,
        }
    }
}

impl Cascade<'_> {
    /// Writes a plan that can run. Where code accounts for every word nobody waits for a model, unless the household
    /// wants the model alone (`metis`). A provider is asked before the model of the house, or, in a hybrid household,
    /// when nothing in the house could write the plan.
    pub(super) async fn write_plan(&mut self, excluded: &[Excluded]) -> Result<Written, DeadEnd> {
        let (reading, dead_end) = match self.of_code(excluded) {
            OfCode::First(written) => return Ok(written),
            OfCode::Rest(reading, dead_end) => (reading, dead_end),
        };
        let written = Box::pin(self.of_models(excluded)).await;
        match reading {
            Some(reading) => Ok(self.better(written, reading)),
            None => written.map_err(|failed| blamed(failed, dead_end)),
        }
    }

    /// What the models make of a request that code does not answer first.
    async fn of_models(&mut self, excluded: &[Excluded]) -> Result<Written, Option<NoPlan>> {
        let mode = self.engine.mode();
        let mut outside = None;
        if mode == Mode::Online {
            match Box::pin(self.ask_provider(excluded)).await {
                Ok(written) => return Ok(written),
                Err(failed) => outside = failed,
            }
        }
        // What a strong model says is missing, a weaker one would only make up.
        let inside = if matches!(outside, Some(NoPlan::Missing(_))) {
            None
        } else if self.may_ask_model() {
            match Box::pin(self.ask_model(excluded)).await {
                Ok(written) => return Ok(written),
                Err(failed) => Some(failed),
            }
        } else {
            // Found dead earlier in this turn: what code cannot plan now is the outage's fault, not the request's.
            let down = self.meter.is_down().then_some(NoPlan::Down);
            down.or((self.has_model() && self.meter.is_used_up()).then_some(NoPlan::NoCallsLeft))
        };
        // Without any model in the house there is none that could be clear.
        if mode == Mode::Hybrid && inside.as_ref().is_none_or(NoPlan::is_worth_money) {
            match Box::pin(self.ask_provider(excluded)).await {
                Ok(written) => return Ok(written),
                Err(failed) => outside = failed,
            }
        }
        // A model in the house that was of use at least to say why not knows best; an outage says the least.
        let (first, last) = if mode == Mode::Hybrid {
            (outside, inside)
        } else {
            (inside, outside)
        };
        let failed = match first {
            None | Some(NoPlan::Down) => last.or(first),
            Some(_) => first,
        };
        Err(failed)
    }

    /// The plan of code, or what was noted down about the thing that it would only find.
    pub(super) fn noted_or(&mut self, plan: Plan<Validated>) -> Written {
        let noted = self.noted(&plan.steps);
        match noted.and_then(|noted| self.validate_covering(noted, Grounding::Approved, &[]).ok()) {
            Some(noted) => Written::Plan(noted, AnsweredBy::Near),
            None => Written::Plan(plan, AnsweredBy::Simple),
        }
    }

    /// The same with those of its words that may be said.
    pub(super) fn sayable(&self, dead_end: DeadEnd) -> DeadEnd {
        let (redactor, text) = (self.engine.language.redactor(), &self.turn.text);
        dead_end.saying(|words| redactor.sayable(terminator::as_said(words, text), text))
    }

    /// Whether a model may be asked: there is one, it was not found dead in this turn, it was not asked often enough in
    /// it, and the person has calls left.
    pub(super) fn may_ask_model(&self) -> bool {
        let asked = u64::from(self.meter.used().calls);
        self.has_model() && !self.meter.is_down() && !self.meter.is_used_up() && asked < PLANS_A_TURN
    }

    /// Whether nobody but code can plan this turn.
    pub(super) fn is_alone(&self) -> bool {
        !self.may_ask_model() && self.engine.online.is_none()
    }

    /// Whether the household lets a model write plans at all.
    pub(super) fn has_model(&self) -> bool {
        match self.engine.choice {
            EngineChoice::Simple => false,
            EngineChoice::Auto | EngineChoice::Metis => self.engine.llm.is_configured(),
        }
    }

    pub(super) fn invalid(&self, errors: &[ValidationError]) -> NoPlan {
        NoPlan::Invalid {
            end: end(errors),
            not_there: errors.iter().find_map(|error| {
                if let ValidationError::NotThere { value, .. } = error {
                    Some(value.clone())
                } else {
                    None
                }
            }),
            is_excluded: errors.iter().all(|error| *error == ValidationError::Excluded),
        }
    }

    /// What the request asks to do and a plan does not, in the person's words.
    fn left_out(&self, errors: &[ValidationError]) -> Vec<String> {
        let missing = errors.iter().filter_map(ValidationError::missing_verb);
        let said = missing.filter_map(|verb| self.reading.clauses.iter().find(|clause| clause.verb == Some(verb)));
        said.map(|clause| clause.word.clone())
            .filter(|word| !word.is_empty())
            .collect()
    }

    /// Whether code has a plan for the request, or knows that there is none.
    pub(super) fn is_for_code(&self) -> bool {
        let composition = composer::compose(&self.reading, self.catalog.all(), &[]);
        !matches!(composition, Composition::Unsure { .. })
    }

    /// The composer: no model, and silent rather than wrong.
    pub(super) fn compose(&mut self, excluded: &[Excluded]) -> Result<Plan<Validated>, DeadEnd> {
        let hashes: Vec<PlanHash> = excluded.iter().filter_map(|banned| banned.hash.clone()).collect();
        match composer::compose(&self.reading, self.catalog.all(), &hashes) {
            // Words of a language without a lexicon may look like those of one that has it.
            Composition::Plan(_) if !self.reading.is_read() => Err(DeadEnd::NoLexicon),
            Composition::Plan(plan) => {
                if self.candidates.is_empty() {
                    self.candidates = plan.steps.iter().map(|step| step.tool.clone()).collect();
                }
                self.validate(plan, Grounding::Checked).map_err(|errors| {
                    self.note(format!("composer: {errors:?}"));
                    DeadEnd::NoValidPlan {
                        words: self.left_out(&errors),
                        end: end(&errors),
                    }
                })
            }
            // ↺ asks for another way to do what was understood before.
            Composition::Unsure { .. } if matches!(self.turn.origin, Origin::Retry { .. }) && !excluded.is_empty() => {
                Err(DeadEnd::OnlyExcludedWays)
            }
            Composition::Unsure { .. } if !self.reading.is_read() => Err(DeadEnd::NoLexicon),
            Composition::Unsure { unaccounted, .. } if unaccounted.is_empty() => {
                Err(DeadEnd::NotUnderstood { words: Vec::new() })
            }
            Composition::Unsure { unaccounted, .. } => Err(DeadEnd::NoTool { words: unaccounted }),
            Composition::NoDomain(object) => Err(DeadEnd::NoDomain { object }),
            // What the step for it would say, before any other changes something.
            Composition::NotThere(name) => Err(DeadEnd::StepFailed {
                error: ToolError::new(
                    ErrorClass::NotFound,
                    Message::new("executors-path-not-found").with("path", format!("~/{name}")),
                ),
                class: FailureClass::MissingInput,
                committed: 0,
            }),
            Composition::Several => Err(DeadEnd::SeveralThings),
            Composition::Excluded => Err(DeadEnd::OnlyExcludedWays),
        }
    }

    /// ↺ asks for another way right then. Whoever writes the request once more, and there is none, wants the one there
    /// is; what was rejected stays refused.
    pub(super) async fn only_way_again(
        &mut self,
        intent: &Intent,
        excluded: &[Excluded],
        dead_end: DeadEnd,
    ) -> Result<Written, DeadEnd> {
        if let Some(outcome) = Box::pin(self.fastpath_after_all()).await {
            return Ok(Written::Said(Box::new(outcome)));
        }
        let is_asked_anew = matches!(self.turn.origin, Origin::Typed | Origin::Instead { .. });
        if !is_asked_anew || !matches!(dead_end, DeadEnd::OnlyExcludedWays | DeadEnd::NoValidPlan { .. }) {
            return Err(dead_end);
        }
        // No other ban ends so soon.
        let retried_ms = self.engine.memory.retry_ban_s.max(0).saturating_mul(1_000);
        let rejected = self.banned(intent, retried_ms).await;
        if rejected.len() == excluded.len() {
            return Err(dead_end);
        }
        self.note("the only way is one that was asked to be another: it is taken again".to_owned());
        self.write_plan(&rejected).await
    }

    /// Plans that are banned for this request, and will be for longer than this.
    async fn banned(&mut self, intent: &Intent, longer_than_ms: i64) -> Vec<Excluded> {
        let then_ms = self.engine.clock.now_ms().saturating_add(longer_than_ms);
        let request = fastpath::canonical_hash(&self.canonical).unwrap_or_else(|| CanonicalHash::from(""));
        let banned = self
            .engine
            .store
            .banned_plans(&self.turn.actor.id, &intent.hash(), &request, then_ms)
            .await;
        let banned = banned.unwrap_or_else(|error| {
            self.note(format!("bans: {error}"));
            Vec::new()
        });
        let excluded = banned.into_iter().map(|(hash, shape)| Excluded {
            hash: Some(hash),
            shape,
            ..Excluded::default()
        });
        excluded.collect()
    }

    /// Whether this very request was answered with this plan the last time, and that was marked wrong.
    pub(super) async fn was_just_rejected(&mut self, plan: &PlanHash) -> bool {
        let Some(request) = fastpath::canonical_hash(&self.canonical) else {
            return false;
        };
        let store = &self.engine.store;
        let rejected = store.was_just_rejected(&self.turn.actor.id, &request, plan).await;
        rejected.unwrap_or_else(|error| {
            self.note(format!("feedback: {error}"));
            false
        })
    }

    /// Plans the person does not want for this request right now.
    pub(super) async fn excluded(&mut self, intent: &Intent) -> Vec<Excluded> {
        let mut excluded = self.banned(intent, 0).await;
        if let Origin::Retry { excluded: Some(hash) } = &self.turn.origin
            && !excluded.iter().any(|banned| banned.hash.as_ref() == Some(hash))
        {
            excluded.push(Excluded {
                hash: Some(hash.clone()),
                ..Excluded::default()
            });
        }
        excluded
    }
}

/// What is told of a request that nobody could plan: what kept the model from it, and what code did not understand.
fn blamed(failed: Option<NoPlan>, dead_end: DeadEnd) -> DeadEnd {
    match (failed, dead_end) {
        (Some(NoPlan::Down), DeadEnd::NotUnderstood { words } | DeadEnd::NoTool { words }) => {
            DeadEnd::ModelDown { words }
        }
        (Some(NoPlan::Down), _) => DeadEnd::ModelDown { words: Vec::new() },
        (Some(NoPlan::NoCallsLeft), _) => DeadEnd::NoModelCallsLeft,
        (Some(NoPlan::NoAnswer { cause, may_pass }), _) => DeadEnd::NoProvider { cause, may_pass },
        // Who knows the topic by its name says more than a model's own words for it.
        (Some(NoPlan::Missing(_)), dead_end @ DeadEnd::NoDomain { .. }) => dead_end,
        (Some(NoPlan::Missing(words)), _) => DeadEnd::NoTool { words: vec![words] },
        (
            Some(NoPlan::Invalid {
                not_there: Some(path), ..
            }),
            _,
        ) => DeadEnd::StepFailed {
            error: ToolError::new(
                ErrorClass::NotFound,
                Message::new("executors-path-not-found").with("path", path),
            ),
            class: FailureClass::MissingInput,
            committed: 0,
        },
        (Some(NoPlan::Invalid { is_excluded: true, .. }), _) => DeadEnd::OnlyExcludedWays,
        // The model may know the words that code does not: they are no sign of a missing tool, but worth naming.
        (Some(NoPlan::Invalid { end, .. }), DeadEnd::NotUnderstood { words } | DeadEnd::NoTool { words }) => {
            DeadEnd::NoValidPlan { words, end }
        }
        (Some(NoPlan::Invalid { end, .. }), DeadEnd::NoLexicon) => DeadEnd::NoValidPlan { words: Vec::new(), end },
        (Some(NoPlan::Invalid { .. }) | None, dead_end) => dead_end,
    }
}

fn end(errors: &[ValidationError]) -> Option<FinalKind> {
    errors.iter().find_map(ValidationError::final_kind)
}
