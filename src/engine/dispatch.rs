//! The page to read first: one request, layer by layer, until one answers. Only this file calls two layers; it knows
//! no application domain, and a fix for one belongs into that domain's executor or manifest.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::{
    catalog::Catalog,
    config::Secret,
    domain::{
        failure::FailureClass,
        ids::ExecutorName,
        intent::Intent,
        message::Message,
        outcome::{AnsweredBy, Asks, FinalKind},
        plan::{Plan, Proposed, Validated},
        question::Question,
        share::Shared,
        turn::Turn,
        verdict::Risk,
        vocabulary::Verb,
    },
    engine::{
        Audience, Engine, composite, fastpath,
        meant::Meant,
        outcome::TurnOutcome,
        passages::Graph,
        patterns::{household::Household, trust},
        plan_executor::{
            self,
            report::{RunEnd, RunReport},
            state::{Resume, Unlocking},
        },
        recovery::{self, NextMove},
        render,
        terminator::{self, DeadEnd},
        things::Resolver,
        validator::{self, Grounding, ValidationContext, ValidationError},
    },
    language::{Home, Reading},
    llm::Meter,
    store::dialogs::Paused,
};

mod accounting;
mod alone;
mod around;
mod asking;
mod calendar;
mod certain;
mod continuing;
mod doubt;
mod faithful;
mod first;
mod fit;
mod fixed;
mod grown;
mod instead;
mod household;
mod invention;
mod judging;
mod later;
mod learn;
mod memory;
mod near;
mod nearby;
mod planning;
mod recovering;
mod sending;
mod stopping;
mod undoing;
mod usual;

pub(super) use certain::ends;
use doubt::Offering;
use near::Nearly;
use planning::Written;
use stopping::Hands;
use usual::with_usual_time;

/// Who plans without rules.
const OTHERS: [AnsweredBy; 4] = [
    AnsweredBy::Near,
    AnsweredBy::Metis,
    AnsweredBy::Frontier,
    AnsweredBy::Recovery,
];

/// Answers one request.
pub async fn run_turn(engine: &Engine, turn: &Turn, audience: Audience<'_>) -> TurnOutcome {
    let hands = Hands::default();
    let mut cascade = Cascade::new(engine, turn, audience, &hands);
    let outcome = stopping::unless_stopped(audience, &hands, Box::pin(cascade.answer_instead())).await;
    cascade.account(outcome)
}

/// Goes on with a turn whose question was answered: the same plan, the finished steps kept, nothing planned anew; only
/// where nothing was done yet and the answer brought an account, its words are read again.
pub async fn resume(
    engine: &Engine,
    turn: &Turn,
    paused: Paused,
    answered: (Question, Option<Secret>),
    audience: Audience<'_>,
) -> TurnOutcome {
    let hands = Hands::default();
    let mut cascade = Cascade::new(engine, turn, audience, &hands);
    // The state of a turn is large; on the heap it is moved by its address.
    let work = Box::pin(cascade.carry_out(paused, answered));
    let outcome = stopping::unless_stopped(audience, &hands, work).await;
    cascade.account(outcome)
}

/// One turn on its way down.
struct Cascade<'a> {
    engine: &'a Engine,
    turn: &'a Turn,
    audience: Audience<'a>,
    hands: &'a Hands,
    /// The catalog of this turn: a reload underneath does not change it.
    catalog: Arc<Catalog>,
    /// The household as it is known in this turn.
    household: Arc<Household>,
    home: Arc<Home>,
    reading: Reading,
    /// Files of the host that are shared with this person.
    shared: Vec<Shared>,
    /// What domains know of the things of this person.
    things: Vec<Box<dyn Resolver + 'a>>,
    /// Numbers the request has in words, for grounding.
    numbers: Vec<u64>,
    /// The request beside the names of the home, made at most once.
    meant: OnceLock<Meant<'a>>,
    canonical: String,
    meter: Meter,
    /// A provider outside the house is asked once a turn, whatever came of it.
    was_asked_outside: bool,
    /// The request's vector, made at most once.
    vector: Option<Option<Vec<f32>>>,
    intent: Option<Intent>,
    candidates: Vec<ExecutorName>,
    /// Which executor is likely to follow which; read before a plan is written.
    likely: Graph,
    path: Vec<String>,
    /// No step of this turn counts as less risky than this, whatever its manifest says.
    risk_min: Risk,
    /// How certain it is that the plan that runs was meant.
    offering: Offering,
    /// What the reader of the request missed in a model's plan, and still does in its second.
    left_aside: Vec<ValidationError>,
    /// The nearest reading, and what it left aside.
    nearly: Nearly,
    /// What models answered, and what was wrong with it.
    proposals: Vec<Value>,
    /// A pattern would answer this, but the person does not want it to.
    exempted: bool,
    /// A planner may take changes back: not where the person named something else with the word for it.
    may_undo: bool,
    started: Instant,
    lookup_done: Option<Instant>,
    planning_done: Option<Instant>,
}

/// What became of a plan that was run.
enum Ran {
    /// The turn is answered.
    Answered(Box<TurnOutcome>),
    /// It was offered for these words before, and the person said no.
    Declined,
    /// It failed before anything changed: the next layer may try.
    Failed(Box<RunReport>),
}

impl<'a> Cascade<'a> {
    fn new(engine: &'a Engine, turn: &'a Turn, audience: Audience<'a>, hands: &'a Hands) -> Self {
        let home = Arc::new(engine.home_for(&turn.actor));
        let reading = engine
            .language
            .read_at_home(&turn.text, turn.actor.lang, &turn.now, &home);
        let canonical = fastpath::canonical(&reading, &engine.language);
        Self {
            catalog: engine.catalog.current(),
            household: engine.household.household(),
            numbers: reading.facts.iter().filter_map(|fact| fact.value.as_u64()).collect(),
            meant: OnceLock::new(),
            home,
            reading,
            things: Vec::new(),
            shared: Vec::new(),
            canonical,
            meter: Meter::allowing(turn.model_calls_left),
            was_asked_outside: false,
            vector: None,
            intent: None,
            candidates: Vec::new(),
            likely: Graph::default(),
            path: Vec::new(),
            risk_min: trust::risk_of_words(turn.is_typed && !turn.is_spoken),
            offering: Offering {
                is_unsure: turn.is_joined,
                ..Offering::default()
            },
            left_aside: Vec::new(),
            nearly: Nearly::default(),
            proposals: Vec::new(),
            exempted: false,
            may_undo: true,
            started: Instant::now(),
            lookup_done: None,
            planning_done: None,
            engine,
            turn,
            audience,
            hands,
        }
    }

    async fn answer(&mut self) -> TurnOutcome {
        if self.catalog.is_empty() {
            return self.admit(&DeadEnd::EmptyCatalog, &Intent::unknown());
        }
        self.know_shared().await;
        self.know().await;
        if let Some(outcome) = Box::pin(self.certain()).await {
            return outcome;
        }
        if let Some(outcome) = self.pattern().await {
            return outcome;
        }
        if let Some(outcome) = Box::pin(self.later()).await {
            return outcome;
        }
        if let Some(outcome) = self.fastpath_exact().await {
            return outcome;
        }
        if let Some(outcome) = self.fastpath_close().await {
            return outcome;
        }
        if let Some(outcome) = self.with_other_values().await {
            return outcome;
        }
        self.lookup_done = Some(Instant::now());
        let intent = self.reading.intent.clone();
        self.intent = Some(intent.clone());
        if let Some(outcome) = self.autopath(&intent).await {
            return outcome;
        }
        // The largest of the futures: on the heap, so that a thread's stack holds what stands above it.
        Box::pin(self.plan_and_run(&intent)).await
    }

    /// L3: a new plan, and at most one alternative when it fails.
    async fn plan_and_run(&mut self, intent: &Intent) -> TurnOutcome {
        if self.is_alone()
            && !self.is_for_code()
            && let Some(outcome) = self.pattern_of_a_clause().await
        {
            return outcome;
        }
        let excluded = self.excluded(intent).await;
        self.likely = self.likely().await;
        let written = match self.write_plan(&excluded).await {
            Err(dead_end) => self.only_way_again(intent, &excluded, dead_end).await,
            written @ Ok(_) => written,
        };
        let (plan, writer) = match written {
            Ok(Written::Plan(plan, writer)) => (plan, writer),
            Ok(Written::Said(outcome)) => return *outcome,
            // A pattern knew this one, and the person told it to be silent.
            Err(DeadEnd::NotUnderstood { .. } | DeadEnd::NoTool { .. }) if self.exempted => {
                return self.admit(&DeadEnd::OnlyExcludedWays, intent);
            }
            Err(dead_end) => {
                let outcome = self.admit(&self.sayable(dead_end.clone()), intent);
                return self.with_nearest(outcome, &dead_end).await;
            }
        };
        self.planning_done = Some(Instant::now());
        let (first, first_hash) = (plan.to_json(), plan.hash());
        let report = match self.run(plan, Resume::default(), writer).await {
            Ran::Answered(mut outcome) => {
                *outcome = self.found_instead(*outcome, writer, first, &excluded).await;
                if outcome.pause.is_none() && self.was_just_rejected(&first_hash).await {
                    outcome.notes.push(Message::new("note-rejected-before"));
                }
                return *outcome;
            }
            Ran::Declined => return self.admit(&DeadEnd::OnlyExcludedWays, intent),
            Ran::Failed(report) => report,
        };
        let second = match self.next_move(&report) {
            NextMove::GiveUp(class) => return self.dead_end(&report, class),
            NextMove::Repair(plan) => self.validate(*plan, Grounding::Checked).ok(),
            NextMove::ProposeWithout => self.another(&report, excluded, writer).await,
        };
        let Some(second) = second.filter(|plan| plan.to_json() != first) else {
            return self.nothing_else(&report, writer);
        };
        self.note("recovery: one other plan".to_owned());
        let resume = Resume {
            last_failure: report.last_failure.clone(),
            ..Resume::default()
        };
        match self.run(second, resume, AnsweredBy::Recovery).await {
            Ran::Answered(outcome) => *outcome,
            Ran::Declined => self.nothing_else(&report, writer),
            // What stopped a plan of code says more than what stopped the guess after it.
            Ran::Failed(again) => {
                self.nothing_else(if writer == AnsweredBy::Simple { &report } else { &again }, writer)
            }
        }
    }

    async fn carry_out(&mut self, paused: Paused, (question, password): (Question, Option<Secret>)) -> TurnOutcome {
        if paused.done.is_empty() && question.brought_account() {
            // Only now it is known which things there are.
            self.engine.household.forget();
            return self.answer().await;
        }
        self.know_shared().await;
        let validated = Plan::from_json(&paused.plan)
            .map_err(|error| error.to_string())
            .and_then(|plan| {
                let validated = if paused.answered_by == AnsweredBy::Pattern {
                    self.validate_fixed(plan)
                } else {
                    // What was read or planned by others than code may do without a verb that was said.
                    let required = if OTHERS.contains(&paused.answered_by) {
                        &[][..]
                    } else {
                        &self.reading.required_verbs
                    };
                    self.validate_covering(plan, Grounding::Approved, required)
                };
                validated.map_err(|errors| format!("{errors:?}"))
            });
        let plan = match validated {
            Ok(plan) => plan,
            Err(reason) => {
                self.note(format!("resume: {reason}"));
                return self.admit(
                    &DeadEnd::NoValidPlan {
                        words: Vec::new(),
                        end: None,
                    },
                    &Intent::unknown(),
                );
            }
        };
        self.risk_min = self.risk_min.max(paused.risk_min);
        self.offering.goes_on = true;
        self.offering.is_offered = paused.is_offered;
        self.offering.offer.clone_from(&paused.offer);
        if matches!(question, Question::Approval { .. }) {
            self.offering.accepted = paused.offer;
        }
        self.intent = Some(self.reading.intent.clone());
        let mut resume = Resume {
            done: paused.done,
            of_the_moment: paused.of_the_moment,
            ..Resume::default()
        };
        match question {
            Question::Approval { operation } => resume.approved = Some(operation),
            // The step that asked runs again, and now finds where the person is.
            Question::Location => {}
            // The step that lacked the account runs again, with it or knowing that it is not to be had.
            Question::Form(form) if form.account.is_some() || form.login.is_some() => {}
            // The step whose file is locked runs again with what was given, and so does what was approved of it.
            Question::Form(form) if form.password.is_some() => {
                let wanted = form.password;
                resume.approved = wanted.as_ref().and_then(|wanted| wanted.approved.clone());
                resume.unlocking = wanted.map(|wanted| Unlocking::new(paused.step, wanted.tries, password));
            }
            Question::Form(form) => resume
                .done
                .push(plan_executor::answers(paused.step, &paused.tool, form.answers)),
        }
        match self.run(plan, resume, paused.answered_by).await {
            Ran::Answered(outcome) if paused.answered_by == AnsweredBy::Pattern => Self::end_of_fixed(*outcome),
            Ran::Answered(outcome) => *outcome,
            Ran::Declined => self.admit(&DeadEnd::OnlyExcludedWays, &Intent::unknown()),
            Ran::Failed(report) => self.dead_end(&report, recovery::classify(&report)),
        }
    }

    /// Runs a plan. A failure after something changed is an answer too: nothing may be tried again.
    fn run(&mut self, plan: Plan<Validated>, resume: Resume, answered_by: AnsweredBy) -> BoxFuture<'_, Ran> {
        Box::pin(async move {
            if self.is_declined(&plan, answered_by).await {
                self.note("doubt: the person said no to this plan before".to_owned());
                return Ran::Declined;
            }
            let plan = self.as_grown(plan);
            self.hands.take();
            let usual = self.usual_time(&plan).await;
            let tell = |what: Message| (self.audience.tell)(with_usual_time(what, usual));
            let audience = Audience {
                tell: &tell,
                stop: self.audience.stop,
            };
            let deps = plan_executor::RunDeps {
                audience,
                ..self.run_deps()
            };
            let report = Box::pin(plan_executor::run(&deps, plan, resume)).await;
            if let Some(near) = self.nearby(&report) {
                return self.run(near, Resume::default(), answered_by).await;
            }
            match report.end.clone() {
                RunEnd::Completed => Ran::Answered(Box::new(self.completed(report, answered_by).await)),
                RunEnd::Paused(pause) => {
                    let kind = match pause.asks {
                        Asks::Approval(_) => FinalKind::Ask,
                        Asks::Location => FinalKind::Awaiting,
                        Asks::Form(_) => FinalKind::NeedsInputs,
                    };
                    let done = render::done_so_far(&report.plan, &report.told(), &self.catalog);
                    let mut outcome = TurnOutcome::new(answered_by, kind, done);
                    outcome.pause = Some(pause);
                    Ran::Answered(Box::new(self.with_run(outcome, &report)))
                }
                RunEnd::Stopped(FinalKind::Stopped) => Ran::Answered(Box::new(self.left_off(&report, answered_by))),
                RunEnd::Stopped(kind) => Ran::Answered(Box::new(self.stopped(&report, kind, answered_by))),
                RunEnd::Failed { .. } if report.committed_effects => {
                    Ran::Answered(Box::new(self.dead_end(&report, recovery::classify(&report))))
                }
                RunEnd::Failed { .. } => {
                    self.hands.put_down();
                    Ran::Failed(Box::new(report))
                }
            }
        })
    }

    fn dead_end(&mut self, report: &RunReport, class: FailureClass) -> TurnOutcome {
        let intent = self.intent.clone().unwrap_or_else(Intent::unknown);
        let dead_end = match report.error() {
            Some(error) => DeadEnd::StepFailed {
                error: error.clone(),
                class,
                committed: report.mutations,
            },
            None => DeadEnd::NoValidPlan {
                words: Vec::new(),
                end: None,
            },
        };
        let outcome = self.admit(&dead_end, &intent);
        self.with_failure(outcome, report)
    }

    fn admit(&self, dead_end: &DeadEnd, intent: &Intent) -> TurnOutcome {
        self.with_wishes(
            terminator::admit(dead_end, intent, self.turn.actor.role),
            dead_end,
            intent,
        )
    }

    fn validate(
        &self,
        plan: Plan<Proposed>,
        grounding: Grounding,
    ) -> Result<Plan<Validated>, Vec<validator::ValidationError>> {
        self.validate_covering(plan, grounding, &self.reading.required_verbs)
    }

    fn validate_covering(
        &self,
        plan: Plan<Proposed>,
        grounding: Grounding,
        required_verbs: &[Verb],
    ) -> Result<Plan<Validated>, Vec<validator::ValidationError>> {
        let context = ValidationContext {
            numbers: &self.numbers,
            by_name: &self.reading.by_name,
            grounding,
            ..ValidationContext::new(&self.turn.text, required_verbs)
        };
        let known = |name: &ExecutorName| {
            let manifest = self.catalog.get(name).cloned();
            manifest.filter(|manifest| self.may_use(&manifest.capabilities))
        };
        validator::validate(composite::expand(plan, &known), &known, &context)
    }

    fn note(&mut self, reason: String) {
        tracing::debug!(turn = %self.turn.id, reason, "layer");
        self.path.push(reason);
    }
}
