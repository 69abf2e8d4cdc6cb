//! The part of the cascade that asks a model: what it is told, in how many calls, and what its answer comes to. One
//! call, and a second only after errors or a hint that may change what comes of the request; nothing runs here.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    domain::{
        dialogue::FILE,
        ids::ExecutorName,
        intent::Intent,
        limits::{EXAMPLES_LOOKED_AT, HABITS_TOLD_MAX, INTENT_CONFIDENCE_MIN},
        manifest::Manifest,
        message::Message,
        outcome::{AnsweredBy, FinalKind, View},
        plan::{Plan, Proposed},
    },
    engine::{
        dispatch::{
            Cascade, faithful,
            judging::Judged,
            planning::{Excluded, NoPlan, Written},
        },
        online::{Asker, NoAnswer},
        outcome::TurnOutcome,
        passages,
        proposer::{self, Proposal, ProposalRequest, ProposeError, Said, Surroundings, Toolbox, examples},
        terminator,
        validator::ValidationError,
    },
    llm::LlmError,
};

/// Most ways to what is missing that a model is told of.
const WAYS_TOLD_MAX: usize = 2;
/// Names that are like the request among which the map of the home is made.
const LIKE_REQUEST_MAX: usize = 12;

/// All that goes into a question for a plan.
struct Told {
    toolbox: Toolbox,
    around: Surroundings,
    shapes: Vec<String>,
    errors: Vec<String>,
    /// Requests of the person's own with the plans that were right for them.
    own: Vec<(String, Value)>,
    /// Names of the home that a correction told of, near one that the request speaks of.
    near: Vec<String>,
}

impl Told {
    fn request<'r>(&'r self, cascade: &'r Cascade<'_>) -> ProposalRequest<'r> {
        ProposalRequest {
            request: &cascade.turn.text,
            lang: cascade.turn.actor.lang,
            toolbox: &self.toolbox,
            around: &self.around,
            excluded: &self.shapes,
            errors: &self.errors,
            now: &cascade.turn.now,
        }
    }

    /// What the request, the home and the person's own past say. What a correction quotes of a wrong plan is nothing
    /// that anybody said, and neither are the lines of tools, the time, and examples of others.
    fn known(&self, cascade: &Cascade<'_>) -> String {
        let around = &self.around;
        let mut known = vec![cascade.turn.text.clone()];
        known.extend(around.folders.iter().map(|(path, _)| path.clone()));
        known.extend(around.before.iter().cloned());
        for lines in [
            &around.like_request,
            &around.listed,
            &around.changed,
            &around.set,
            &around.habits,
            &self.near,
        ] {
            known.extend(lines.iter().cloned());
        }
        let is_shown = |said: &str| around.examples.iter().any(|(shown, _)| shown == said);
        let own = self.own.iter().filter(|(said, _)| is_shown(said));
        known.extend(own.map(|(said, plan)| format!("{said} {plan}")));
        known.join("\n")
    }
}

impl Cascade<'_> {
    /// Asks the model of the house.
    pub(super) async fn ask_model(&mut self, excluded: &[Excluded]) -> Result<Written, NoPlan> {
        let mut told = self.told(excluded).await;
        let first = self.proposal(&told).await?;
        let asked = first.asked;
        let first = match self.settled(first)? {
            Settled::Said(outcome) => return Ok(Written::Said(outcome)),
            Settled::Plan(plan) => self.judged(*plan, excluded, &told),
            Settled::Pretended(_) => Err(vec![ValidationError::NotLooked]),
        };
        let wrong: Vec<ValidationError> = match &first {
            Ok(Judged { plan, hints }) if self.catalog.only_looks(plan) => {
                let may_matter = |hint: &&ValidationError| {
                    hint.is_misfit()
                        || matches!(hint, ValidationError::SendsUnasked { .. })
                        || faithful::may_matter(hint, &asked, &self.reading, plan)
                };
                hints.iter().filter(may_matter).cloned().collect()
            }
            Ok(judged) => judged.hints.clone(),
            Err(errors) => errors.clone(),
        };
        if wrong.is_empty() || !self.may_ask_model() {
            return self.taken(first);
        }
        told.near = near_names(&wrong);
        told.errors = wrong.iter().map(ValidationError::for_model).collect();
        let first = first.and_then(Judged::fitting);
        let answer = self.proposal(&told).await;
        let second = match answer.and_then(|second| self.settled(second)) {
            Ok(Settled::Said(outcome) | Settled::Pretended(Some(outcome))) if first.is_err() => {
                return Ok(Written::Said(outcome));
            }
            Ok(Settled::Said(_) | Settled::Pretended(_)) => Err(vec![ValidationError::NotLooked]),
            Ok(Settled::Plan(plan)) => self.judged(*plan, excluded, &told).and_then(Judged::fitting),
            // The first plan stands where it only lacked what the reader missed in it, whatever came instead.
            Err(failed) => match first {
                Ok(judged) => return Ok(self.accepted(judged, AnsweredBy::Metis)),
                Err(_) => return Err(failed),
            },
        };
        match (second, first) {
            (Ok(second), Ok(first)) if second.hints.len() > first.hints.len() => {
                Ok(self.accepted(first, AnsweredBy::Metis))
            }
            (Ok(judged), _) | (Err(_), Ok(judged)) => Ok(self.accepted(judged, AnsweredBy::Metis)),
            (Err(errors), Err(_)) => Err(self.invalid(&errors)),
        }
    }

    /// A plan that is about the request, or why there is none.
    fn taken(&mut self, judged: Result<Judged, Vec<ValidationError>>) -> Result<Written, NoPlan> {
        match judged.and_then(Judged::fitting) {
            Ok(judged) => Ok(self.accepted(judged, AnsweredBy::Metis)),
            Err(errors) => Err(self.invalid(&errors)),
        }
    }

    /// One call outside the house, once a turn. `None` when it was made before. A request with a secret in it stays.
    pub(super) async fn ask_provider(&mut self, excluded: &[Excluded]) -> Result<Written, Option<NoPlan>> {
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
        // Nothing of the home goes out: neither its names nor what was planned here before.
        let told = Told {
            around: Surroundings::default(),
            ..self.told(excluded).await
        };
        let asker = Asker {
            turn: self.turn,
            meter: &self.meter,
            store: &engine.store,
            clock: &engine.clock,
        };
        let proposed = proposer::propose_online(online, &asker, &told.request(self)).await;
        let proposal = proposed.map_err(|error| {
            self.note(format!("frontier: {error}"));
            Some(match error {
                ProposeError::Online(NoAnswer::NoCallsLeft) => NoPlan::NoCallsLeft,
                ProposeError::Online(no_answer) => NoPlan::NoAnswer {
                    cause: no_answer.message(),
                    may_pass: no_answer.may_pass(),
                },
                ProposeError::NoTools | ProposeError::Model(_) | ProposeError::CutOff | ProposeError::Garbage => {
                    NoPlan::unreadable()
                }
            })
        })?;
        let judged = match self.settled(proposal)? {
            Settled::Said(outcome) => return Ok(Written::Said(outcome)),
            Settled::Plan(plan) => self.judged(*plan, excluded, &told),
            Settled::Pretended(_) => Err(vec![ValidationError::NotLooked]),
        };
        judged
            .and_then(Judged::fitting)
            .map(|judged| self.accepted(judged, AnsweredBy::Frontier))
            .map_err(|errors| Some(self.invalid(&errors)))
    }

    /// The tools a model is shown and what is around the person, which takes a moment that they hear of.
    async fn told(&mut self, excluded: &[Excluded]) -> Told {
        (self.audience.tell)(Message::new("progress-planning"));
        let mut shortlist = self.shortlisted(&self.reading);
        let ways = self.ways().await;
        let on_the_way = ways.iter().flatten().filter_map(|tool| self.catalog.get(tool));
        for tool in on_the_way {
            if !shortlist.contains(tool) {
                shortlist.push(Arc::clone(tool));
            }
        }
        let usable: Vec<Arc<Manifest>> = {
            let all = self.catalog.all().iter();
            all.filter(|tool| self.may_use(&tool.capabilities)).cloned().collect()
        };
        let toolbox = Toolbox::new(&usable, &shortlist);
        self.candidates = toolbox.all().map(|manifest| manifest.name.clone()).collect();
        let own = self.own_examples().await;
        let mut habits = self.habits(&toolbox).await;
        habits.extend(ways.iter().map(|way| {
            let names: Vec<&str> = way.iter().map(ExecutorName::as_str).collect();
            format!("one after the other: {}", names.join(" → "))
        }));
        let (set, changed) = (self.told_set().await, self.told_changed().await);
        let view = self.view();
        let listed = view.pointed(FILE).map_or_else(Vec::new, |files| files.ids.clone());
        let meant = self.meant();
        let before = self.turn.before.as_ref();
        let around = Surroundings {
            folders: meant
                .top_folders()
                .into_iter()
                .map(|(path, files)| (path.to_owned(), files))
                .collect(),
            like_request: meant.like_request(LIKE_REQUEST_MAX),
            before: before.map(|before| before.text.clone()),
            listed,
            changed,
            set,
            habits,
            examples: examples::nearest(&self.turn.text, self.turn.actor.lang, &own),
        };
        Told {
            toolbox,
            around,
            shapes: excluded.iter().filter_map(|banned| banned.shape.clone()).collect(),
            errors: excluded.iter().filter_map(|banned| banned.failed.clone()).collect(),
            own,
            near: Vec::new(),
        }
    }

    /// Ways that were found to what this request asks and no tool does alone.
    async fn ways(&mut self) -> Vec<Vec<ExecutorName>> {
        let wishes = passages::wishes(&self.reading.intent, &self.catalog);
        if wishes.is_empty() {
            return Vec::new();
        }
        let known = self.engine.store.ways(&self.turn.actor.id).await;
        let known = known.unwrap_or_else(|error| {
            self.note(format!("ways: {error}"));
            Vec::new()
        });
        let is_wished = |key: &str| {
            let mut wishes = wishes.iter();
            wishes.any(|wish| key == format!("{}|{}", wish.source, wish.target))
        };
        let is_there = |way: &Vec<ExecutorName>| way.iter().all(|tool| self.catalog.get(tool).is_some());
        let found = known.into_iter().filter(|(key, way)| is_wished(key) && is_there(way));
        found.map(|(_, way)| way).take(WAYS_TOLD_MAX).collect()
    }

    /// What this person nearly always asks these tools with.
    async fn habits(&mut self, toolbox: &Toolbox) -> Vec<String> {
        let known = self.engine.store.habits(&self.turn.actor.id).await;
        let known = known.unwrap_or_else(|error| {
            self.note(format!("habits: {error}"));
            Vec::new()
        });
        let is_shown = |tool: &ExecutorName| toolbox.all().any(|manifest| manifest.name == *tool);
        let shown = known.into_iter().filter(|(tool, _, _)| is_shown(tool));
        shown
            .map(|(tool, arg, value)| format!("{tool}: {arg}={value}"))
            .take(HABITS_TOLD_MAX)
            .collect()
    }

    /// What was right for this person before.
    pub(super) async fn own_examples(&mut self) -> Vec<(String, Value)> {
        let known = self
            .engine
            .store
            .recent_plans(&self.turn.actor.id, EXAMPLES_LOOKED_AT)
            .await;
        let known = known.unwrap_or_else(|error| {
            self.note(format!("examples: {error}"));
            Vec::new()
        });
        known
            .into_iter()
            .map(|(request, plan)| (request, as_answer(plan)))
            .collect()
    }

    async fn proposal(&mut self, told: &Told) -> Result<Proposal, NoPlan> {
        match proposer::propose(&self.engine.llm, &told.request(self), &self.meter).await {
            Ok(proposal) => {
                self.engine.trouble.worked();
                Ok(proposal)
            }
            Err(ProposeError::Model(error)) => {
                self.note(format!("metis: {error}"));
                Err(if matches!(error, LlmError::NoCallsLeft) {
                    NoPlan::NoCallsLeft
                } else if error.is_outage() {
                    self.engine.trouble.failed();
                    NoPlan::Down
                } else {
                    self.engine.trouble.failed();
                    NoPlan::unreadable()
                })
            }
            Err(error) => {
                self.note(format!("metis: {error}"));
                self.engine.trouble.failed();
                Err(NoPlan::unreadable())
            }
        }
    }

    /// What a model's answer comes to before any rule looks at its plan. Too unsure, it is a question to the person.
    fn settled(&mut self, proposal: Proposal) -> Result<Settled, NoPlan> {
        let Proposal { asked, said } = proposal;
        let intent = asked.intent();
        if !self.reading.intent.is_complete() {
            self.intent = Some(intent.clone());
        }
        match said {
            Said::Unsure {
                question,
                risk,
                reasoning,
            } => {
                self.proposals
                    .push(json!({"question": question, "risk": risk, "reasoning": reasoning}));
                Ok(Settled::Said(self.asks_back(Some(question), &intent)))
            }
            Said::CannotDo { missing } => {
                self.note("model: says it cannot".to_owned());
                self.proposals.push(json!({"cannot": missing}));
                Err(NoPlan::Missing(missing))
            }
            Said::Plan(_) | Said::Answer(_) if asked.confidence < INTENT_CONFIDENCE_MIN => {
                self.note(format!("model: unsure, {:.2}", asked.confidence));
                Ok(Settled::Said(self.asks_back(None, &intent)))
            }
            Said::Answer(words) => {
                self.proposals.push(json!({"answer": words}));
                let outcome = Box::new(from_the_model(words));
                if self.asks_for_a_change() {
                    self.note("model: words where something is to be done".to_owned());
                    return Ok(Settled::Pretended(None));
                }
                if self.speaks_of_own_things() {
                    self.note("model: words where looking may be needed".to_owned());
                    return Ok(Settled::Pretended(Some(outcome)));
                }
                Ok(Settled::Said(outcome))
            }
            Said::Plan(plan) => Ok(Settled::Plan(Box::new(plan))),
        }
    }

    fn asks_back(&self, question: Option<String>, intent: &Intent) -> Box<TurnOutcome> {
        let redactor = self.engine.language.redactor();
        let request = redactor.text(&self.turn.text).0;
        Box::new(terminator::ask_again(&request, question, intent))
    }

    /// Errors or the plan; what was wrong is kept for whoever asks why.
    fn judged(
        &mut self,
        plan: Plan<Proposed>,
        excluded: &[Excluded],
        told: &Told,
    ) -> Result<Judged, Vec<ValidationError>> {
        let written = plan.to_json();
        let judged = self.judge(plan, excluded, &told.known(self));
        let (is_accepted, wrong) = match &judged {
            Ok(judged) => (true, &judged.hints),
            Err(errors) => (false, errors),
        };
        if !wrong.is_empty() {
            let kind = if is_accepted { "hints" } else { "errors" };
            let codes: Vec<&str> = wrong.iter().map(ValidationError::code).collect();
            self.note(format!("validator: {kind}: {}", codes.join(", ")));
        }
        let lines: Vec<String> = wrong.iter().map(ValidationError::for_model).collect();
        self.proposals
            .push(json!({"plan": written, "valid": is_accepted, "wrong": lines}));
        judged
    }

    fn accepted(&mut self, judged: Judged, by: AnsweredBy) -> Written {
        self.left_aside = judged.hints;
        Written::Plan(judged.plan, by)
    }
}

/// The names a correction tells of; none where the plan speaks of what nobody said, as they are near that.
fn near_names(wrong: &[ValidationError]) -> Vec<String> {
    let is_foreign = |error: &ValidationError| matches!(error, ValidationError::Foreign { .. });
    if wrong.iter().any(is_foreign) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for error in wrong {
        if let ValidationError::NotThere { near, .. } = error {
            names.extend(near.iter().cloned());
        }
    }
    names
}

/// A plan that was kept, in the form a model writes it: what was understood first, by the name of its last tool.
fn as_answer(plan: Value) -> Value {
    let steps = plan.get("steps").and_then(Value::as_array);
    let tool = steps
        .and_then(|steps| steps.last()?.get("tool")?.as_str())
        .unwrap_or_default();
    let mut words = tool.split('_');
    let mut answer = json!({"verb": words.next(), "object": words.next(), "confidence": 0.9});
    if let (Value::Object(answer), Value::Object(plan)) = (&mut answer, plan) {
        let shows = !plan.contains_key("final_message");
        answer.extend(plan);
        if shows {
            answer.insert("show".to_owned(), json!(true));
        }
    }
    answer
}

/// A model's answer before it is judged.
enum Settled {
    Plan(Box<Plan<Proposed>>),
    /// The turn ends with this.
    Said(Box<TurnOutcome>),
    /// Words about what only a tool could tell or do. They count when the model stays with them and nothing was to be
    /// changed: the reader may be wrong.
    Pretended(Option<Box<TurnOutcome>>),
}

/// The model's own words, marked as such: nobody checked them.
fn from_the_model(words: String) -> TurnOutcome {
    let mut outcome = TurnOutcome::new(AnsweredBy::Metis, FinalKind::Answer, vec![View::Words(words)]);
    outcome.notes.push(Message::new("note-from-model"));
    outcome
}
