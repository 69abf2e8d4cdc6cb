//! The part of the cascade that writes a plan: the model in one call, the composer without one, an online provider
//! where the household lets it, the validator as the judge of all.

use std::sync::Arc;

use crate::{
    config::{EngineChoice, Mode},
    domain::{
        failure::{ErrorClass, FailureClass, ToolError},
        ids::{CanonicalHash, ExecutorName, PlanHash},
        intent::Intent,
        limits::POOL_SIZE,
        manifest::Manifest,
        message::Message,
        outcome::{AnsweredBy, FinalKind},
        plan::{Plan, Proposed, Validated},
        turn::Origin,
    },
    engine::{
        composer::{self, Composition},
        dispatch::{Cascade, faithful},
        fastpath,
        online::{Asker, NoAnswer},
        proposer::{self, Proposal, ProposalRequest, ProposeError},
        terminator::DeadEnd,
        validator::{self, Grounding, ValidationContext, ValidationError},
    },
    language::Reading,
    llm::LlmError,
};

/// A plan that must not come again: its hash, and its shape in words as far as it is known.
pub(super) type Excluded = (PlanHash, Option<String>);

/// How the model's attempt ended without a plan that can run.
enum NoPlan {
    /// It is down.
    Down,
    /// The person has no calls left today.
    NoCallsLeft,
    /// It says what is missing.
    Missing(String),
    /// It wrote nothing that is valid.
    Invalid {
        /// The verbs it left out, in the person's words.
        left_out: Vec<String>,
        /// The cap it did not keep to.
        end: Option<FinalKind>,
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
    fn unreadable() -> Self {
        Self::Invalid {
            left_out: Vec::new(),
            end: None,
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
    /// wants the model's plan of everything; then the composer's is its fallback. Where nothing here deals with what is
    /// asked for, no model is asked, either: it could only use some other tool. A provider is asked before the model of
    /// the house, or, in a hybrid household, when nothing in the house could write the plan.
    pub(super) async fn write_plan(
        &mut self,
        intent: &Intent,
        excluded: &[Excluded],
    ) -> Result<(Plan<Validated>, AnsweredBy), DeadEnd> {
        let composed = self.compose(excluded);
        match (&composed, self.engine.choice) {
            (Ok(_), EngineChoice::Auto) | (Err(DeadEnd::NoDomain { .. }), _) => {
                return composed.map(|plan| (plan, AnsweredBy::Simple));
            }
            (Ok(_) | Err(_), _) => {}
        }
        let mode = self.engine.mode();
        let mut outside = None;
        if mode == Mode::Online {
            match self.ask_provider(intent, excluded).await {
                Ok(plan) => return Ok((plan, AnsweredBy::Frontier)),
                Err(failed) => outside = failed,
            }
        }
        // What a strong model says is missing, a weaker one would only make up.
        let inside = if matches!(outside, Some(NoPlan::Missing(_))) {
            None
        } else if self.may_ask_model() {
            match self.ask_model(intent, excluded, composed.as_ref()).await {
                Ok(plan) => return Ok(self.in_agreement(plan, composed)),
                Err(failed) => Some(failed),
            }
        } else {
            // Found dead earlier in this turn: what code cannot plan now is the outage's fault, not the request's.
            let down = self.meter.is_down().then_some(NoPlan::Down);
            down.or((self.has_model() && self.meter.is_used_up()).then_some(NoPlan::NoCallsLeft))
        };
        let dead_end = match composed {
            Ok(plan) => return Ok((plan, AnsweredBy::Simple)),
            Err(dead_end) => dead_end,
        };
        // Without any model in the house there is none that could be clear.
        if mode == Mode::Hybrid && inside.as_ref().is_none_or(NoPlan::is_worth_money) {
            match self.ask_provider(intent, excluded).await {
                Ok(plan) => return Ok((plan, AnsweredBy::Frontier)),
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
        Err(blamed(failed, dead_end))
    }

    /// One model call, and one more if the plan was invalid and `composed` is no better; the second counts only if it
    /// has no errors left.
    async fn ask_model(
        &mut self,
        intent: &Intent,
        excluded: &[Excluded],
        composed: Result<&Plan<Validated>, &DeadEnd>,
    ) -> Result<Plan<Validated>, NoPlan> {
        let tools = self.shown_tools(intent);
        let shapes = shapes_of(excluded);
        let mut request = self.proposal_request(intent, &tools, &shapes);
        request.has_fallback = composed.is_ok();
        let first = self.proposal(&request).await?;
        let errors = match self.judge(first, excluded) {
            Ok(plan) => return Ok(plan),
            Err(errors) => errors,
        };
        self.note(format!("validator: {} errors in the first plan", errors.len()));
        if request.has_fallback {
            return Err(self.invalid(&errors));
        }
        let lines: Vec<String> = errors.iter().map(ValidationError::for_model).collect();
        request.errors = &lines;
        let second = self.proposal(&request).await?;
        self.judge(second, excluded).map_err(|again| {
            self.note(format!("validator: {} errors in the second plan", again.len()));
            self.invalid(&again)
        })
    }

    /// Code that can account for every word of a request knows what it asks for: where a small model's plan comes to
    /// something else, the composer's stands.
    fn in_agreement(
        &mut self,
        plan: Plan<Validated>,
        composed: Result<Plan<Validated>, DeadEnd>,
    ) -> (Plan<Validated>, AnsweredBy) {
        match composed {
            Ok(composed) if composed.hash() != plan.hash() => {
                self.note("metis: another plan than the words say".to_owned());
                (composed, AnsweredBy::Simple)
            }
            // The same steps; the values are those that the words say.
            Ok(composed) => (composed, AnsweredBy::Metis),
            Err(_) => (plan, AnsweredBy::Metis),
        }
    }

    /// One call outside the house, once a turn. `None` when it was made before. A request with a secret in it stays.
    async fn ask_provider(
        &mut self,
        intent: &Intent,
        excluded: &[Excluded],
    ) -> Result<Plan<Validated>, Option<NoPlan>> {
        let engine = self.engine;
        let Some(online) = engine.online.as_ref().filter(|_| !self.was_asked_outside) else {
            return Err(None);
        };
        self.was_asked_outside = true;
        if engine.language.redactor().finds(&self.turn.text) {
            self.note("frontier: the request holds a secret".to_owned());
            return Err(Some(NoPlan::NoAnswer {
                cause: Message::new("online-holds-secret"),
                may_pass: false,
            }));
        }
        let tools = self.shown_tools(intent);
        let shapes = shapes_of(excluded);
        let request = self.proposal_request(intent, &tools, &shapes);
        let asker = Asker {
            turn: self.turn,
            meter: &self.meter,
            store: &engine.store,
            clock: &engine.clock,
        };
        let proposed = proposer::propose_online(online, &asker, &request).await;
        let plan = match proposed {
            Ok(Proposal::Plan(plan)) => plan,
            Ok(Proposal::CannotDo { missing }) => {
                self.note("frontier: says it cannot".to_owned());
                return Err(Some(NoPlan::Missing(missing)));
            }
            Err(error) => {
                self.note(format!("frontier: {error}"));
                return Err(Some(match error {
                    ProposeError::Online(NoAnswer::NoCallsLeft) => NoPlan::NoCallsLeft,
                    ProposeError::Online(no_answer) => NoPlan::NoAnswer {
                        cause: no_answer.message(),
                        may_pass: no_answer.may_pass(),
                    },
                    ProposeError::NoTools
                    | ProposeError::Model(_)
                    | ProposeError::CutOff
                    | ProposeError::Garbage
                    | ProposeError::Repeated(_) => NoPlan::unreadable(),
                }));
            }
        };
        self.judge(plan, excluded).map_err(|errors| {
            self.note(format!("validator: {} errors in the provider's plan", errors.len()));
            Some(self.invalid(&errors))
        })
    }

    /// The tools a model is shown, which takes a moment that the person hears of.
    fn shown_tools(&mut self, intent: &Intent) -> Vec<Arc<Manifest>> {
        (self.audience.tell)(Message::new("progress-planning"));
        let index = self.engine.shortlists.of(&self.catalog, &self.engine.language);
        let tools = index.shortlist(&self.reading_with(intent), &self.engine.language, POOL_SIZE);
        self.candidates = tools.iter().map(|manifest| manifest.name.clone()).collect();
        tools
    }

    fn proposal_request<'r>(
        &self,
        intent: &'r Intent,
        shortlist: &'r [Arc<Manifest>],
        excluded: &'r [String],
    ) -> ProposalRequest<'r>
    where
        Self: 'r,
    {
        ProposalRequest {
            request: &self.turn.text,
            lang: self.turn.actor.lang,
            intent,
            shortlist,
            excluded,
            errors: &[],
            has_fallback: false,
            now: &self.turn.now,
        }
    }

    /// The reading with what the model understood beyond it, so that the tools for that are among those shown.
    fn reading_with(&self, intent: &Intent) -> Reading {
        let mut reading = self.reading.clone();
        for clause in &intent.clauses {
            if !reading.intent.clauses.contains(clause) {
                reading.intent.clauses.push(*clause);
            }
        }
        reading
    }

    async fn proposal(&mut self, request: &ProposalRequest<'_>) -> Result<Plan<Proposed>, NoPlan> {
        match proposer::propose(&self.engine.llm, request, &self.meter).await {
            Ok(Proposal::Plan(plan)) => Ok(plan),
            Ok(Proposal::CannotDo { missing }) => {
                self.note("metis: says it cannot".to_owned());
                Err(NoPlan::Missing(missing))
            }
            Err(ProposeError::Model(error)) => {
                self.note(format!("metis: {error}"));
                Err(if matches!(error, LlmError::NoCallsLeft) {
                    NoPlan::NoCallsLeft
                } else if error.is_outage() {
                    NoPlan::Down
                } else {
                    NoPlan::unreadable()
                })
            }
            Err(error) => {
                self.note(format!("metis: {error}"));
                Err(NoPlan::unreadable())
            }
        }
    }

    fn judge(&self, plan: Plan<Proposed>, excluded: &[Excluded]) -> Result<Plan<Validated>, Vec<ValidationError>> {
        let plan = self.validate(plan, Grounding::Checked)?;
        if excluded.iter().any(|(hash, _)| *hash == plan.hash()) {
            return Err(vec![ValidationError::Excluded]);
        }
        let manifests = |name: &ExecutorName| self.catalog.get(name).cloned();
        let mut wrong = faithful::overlooked(&self.reading, &plan, &manifests);
        let index = self.engine.shortlists.of(&self.catalog, &self.engine.language);
        let tools: Vec<&ExecutorName> = plan.steps.iter().map(|step| &step.tool).collect();
        let speaks_for_one = index.speaks_for_any(&tools, &self.reading, &self.engine.language);
        if !speaks_for_one && !faithful::says_words_of(&self.reading, &plan) {
            wrong.push(ValidationError::Unrelated);
        }
        let numbers = self.numbers();
        let context = ValidationContext {
            numbers: &numbers,
            by_name: &self.reading.by_name,
            ..ValidationContext::new(&self.turn.text, &self.reading.required_verbs)
        };
        wrong.extend(validator::invented_places(&plan, &manifests, &context));
        wrong.extend(faithful::invented(&self.reading, &plan, &manifests));
        if wrong.is_empty() { Ok(plan) } else { Err(wrong) }
    }

    fn invalid(&self, errors: &[ValidationError]) -> NoPlan {
        NoPlan::Invalid {
            left_out: self.left_out(errors),
            end: end(errors),
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

    /// Whether code settles the request without anybody being asked: then a model need not say what is meant, either.
    pub(super) fn is_code_enough(&self) -> bool {
        match composer::compose(&self.reading, self.catalog.all(), &[]) {
            Composition::Plan(_) => matches!(self.engine.choice, EngineChoice::Auto),
            Composition::NoDomain(_) | Composition::NotThere(_) => true,
            Composition::Unsure { .. } | Composition::Several | Composition::Excluded => false,
        }
    }

    /// Whether code has a plan for the request, or knows that there is none.
    pub(super) fn is_for_code(&self) -> bool {
        let composition = composer::compose(&self.reading, self.catalog.all(), &[]);
        !matches!(composition, Composition::Unsure { .. })
    }

    /// The composer: no model, and silent rather than wrong.
    pub(super) fn compose(&mut self, excluded: &[Excluded]) -> Result<Plan<Validated>, DeadEnd> {
        let hashes: Vec<PlanHash> = excluded.iter().map(|(hash, _)| hash.clone()).collect();
        match composer::compose(&self.reading, self.catalog.all(), &hashes) {
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
    ) -> Result<(Plan<Validated>, AnsweredBy), DeadEnd> {
        let is_asked_anew = matches!(self.turn.origin, Origin::Typed);
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
        self.write_plan(intent, &rejected).await
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
        banned.unwrap_or_else(|error| {
            self.note(format!("bans: {error}"));
            Vec::new()
        })
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
            && !excluded.iter().any(|(banned, _)| banned == hash)
        {
            excluded.push((hash.clone(), None));
        }
        excluded
    }

    /// Numbers the request has in words, for grounding.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.reading
            .facts
            .iter()
            .filter_map(|fact| fact.value.as_u64())
            .collect()
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
        (Some(NoPlan::Missing(words)), _) => DeadEnd::NoTool { words: vec![words] },
        // The model may know the words that code does not: they are no sign of a missing tool, but worth naming.
        (Some(NoPlan::Invalid { left_out, end }), DeadEnd::NotUnderstood { words } | DeadEnd::NoTool { words }) => {
            DeadEnd::NoValidPlan {
                words: if words.is_empty() { left_out } else { words },
                end,
            }
        }
        (Some(NoPlan::Invalid { .. }) | None, dead_end) => dead_end,
    }
}

fn shapes_of(excluded: &[Excluded]) -> Vec<String> {
    excluded.iter().filter_map(|(_, shape)| shape.clone()).collect()
}

fn end(errors: &[ValidationError]) -> Option<FinalKind> {
    errors.iter().find_map(ValidationError::final_kind)
}
