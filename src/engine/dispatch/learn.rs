//! What memory gains from a run that went well, and the answer that is made of it.

use serde_json::Value;

use crate::{
    domain::{
        ids::{CanonicalHash, ExecutorName},
        intent::Intent,
        message::Message,
        outcome::{AnsweredBy, FinalKind},
        plan::{Plan, Validated},
    },
    engine::{
        autopath,
        dispatch::Cascade,
        fastpath::{
            self,
            slots::{Slots, Template},
        },
        hosted,
        outcome::TurnOutcome,
        plan_executor::{RunDeps, closing::Closing, report::RunReport},
        recovery, render,
        validator::ValidationError,
    },
    store::{autopaths::NewObservation, fastpaths::NewFastpath},
};

impl<'a> Cascade<'a> {
    /// The answer of a completed run, with its lessons.
    pub(super) async fn completed(&mut self, report: RunReport, answered_by: AnsweredBy) -> TurnOutcome {
        let closing = match &report.closing {
            Closing::Words(words) => Some(words.clone()),
            Closing::None => None,
            Closing::Degenerate { reference } => {
                self.note(format!("closing text: `{reference}` has no value"));
                None
            }
        };
        // A text that was to name one value and found none is an honest no, not a dump of everything else.
        let (views, notes) = match &report.closing {
            Closing::Degenerate { reference } if render::wanted_one_value(&report.plan) => {
                (render::value_missing(reference), Vec::new())
            }
            Closing::Words(_) | Closing::None | Closing::Degenerate { .. } => {
                render::answer(&report.plan, &report.told(), closing, &self.catalog)
            }
        };
        let mut outcome = TurnOutcome::new(answered_by, FinalKind::Answer, views);
        outcome.notes = notes;
        outcome.lessons.accepted = self
            .offering
            .accepted
            .take()
            .filter(|_| self.reading.by_name.is_empty());
        outcome.notes.extend(self.left_aside_note());
        let degenerate = matches!(report.closing, Closing::Degenerate { .. });
        if report.cache_worthy && !degenerate {
            self.learn(&report, answered_by, &mut outcome).await;
        }
        self.with_run(outcome, &report)
    }

    /// What the request seems to say and the plan did not use.
    fn left_aside_note(&self) -> Option<Message> {
        let words = self.left_aside.iter().filter_map(|hint| {
            if let ValidationError::ValueUnused { value } = hint {
                let mut facts = self.reading.facts.iter();
                let said = facts
                    .find(|fact| fact.text() == value)
                    .and_then(|fact| self.turn.text.get(fact.span.clone()));
                Some(said.unwrap_or(value).to_owned())
            } else {
                hint.missing_verb().and_then(|verb| {
                    let mut clauses = self.reading.clauses.iter();
                    let said = clauses.find(|clause| clause.verb == Some(verb) && !clause.word.is_empty());
                    said.map(|clause| clause.word.clone())
                })
            }
        });
        let words: Vec<String> = words.map(|word| format!("“{word}”")).collect();
        (!words.is_empty()).then(|| Message::new("note-left-aside").with("words", words.join(", ")))
    }

    async fn learn(&mut self, report: &RunReport, answered_by: AnsweredBy, outcome: &mut TurnOutcome) {
        if !self.reading.by_name.is_empty() {
            self.note("memory: not remembered, files by words of their names".to_owned());
            return;
        }
        let query_specific = match self.engine.cacheability.judge(&report.plan, &self.catalog) {
            Ok(query_specific) => query_specific,
            Err(reason) => {
                self.note(format!("memory: not remembered, {reason:?}"));
                return;
            }
        };
        let intent = self.intent.clone().unwrap_or_else(Intent::unknown);
        let tools: Vec<_> = report.plan.steps.iter().map(|step| step.tool.clone()).collect();
        let Some(tools_sig) = self.catalog.tools_signature(&tools) else {
            return;
        };
        let pool_sig = self.catalog.pool_signature(&intent);
        let exact = answered_by == AnsweredBy::FastpathHash;
        let embedding = if exact { None } else { self.vector().await };
        let embedder = self.engine.embedder.id().to_owned();
        let plan = report.plan.to_json();
        if intent.is_complete() {
            let cluster = match &embedding {
                Some(vector) => self.cluster_of(vector).await,
                None => None,
            };
            outcome.lessons.observation = Some(NewObservation {
                intent: intent.signature(),
                intent_hash: intent.hash(),
                cluster,
                embedder: embedder.clone(),
                embedding: embedding.clone(),
                plan: plan.clone(),
                plan_hash: report.plan.hash(),
                query_specific,
                tools_sig: tools_sig.clone(),
                pool_sig: pool_sig.clone(),
            });
        }
        let Some(canonical_hash) = fastpath::canonical_hash(&self.canonical).filter(|_| !exact) else {
            return;
        };
        outcome.lessons.fastpath = Some(NewFastpath {
            canonical_text: self.canonical.clone(),
            canonical_hash,
            embedder,
            embedding,
            plan,
            source: answered_by,
            intent: intent.signature(),
            query_specific,
            tools_sig,
            pool_sig,
            slots: self.slots_of(&report.plan, answered_by),
        });
    }

    /// Where the plan holds the values of its request, if a model wrote it: what code writes it writes again.
    fn slots_of(&self, plan: &Plan<Validated>, answered_by: AnsweredBy) -> Option<(CanonicalHash, Value)> {
        if !matches!(
            answered_by,
            AnsweredBy::Metis | AnsweredBy::Frontier | AnsweredBy::Recovery
        ) {
            return None;
        }
        let template = Template::of(&self.reading, &self.engine.language)?;
        let manifests = |name: &ExecutorName| self.catalog.get(name).cloned();
        let slots = Slots::of(&template, plan, &manifests, &self.engine.language)?;
        Some((template.hash()?, serde_json::to_value(slots).ok()?))
    }

    async fn cluster_of(&mut self, vector: &[f32]) -> Option<crate::domain::ids::ClusterId> {
        let embedder = &self.engine.embedder;
        let found = autopath::cluster_of(
            &self.engine.store,
            &self.turn.actor.id,
            vector,
            embedder.id(),
            &embedder.thresholds(),
        )
        .await;
        found.unwrap_or_else(|error| {
            self.note(format!("autopath: {error}"));
            None
        })
    }

    /// The request's vector; `None` when there is no embedder to be had right now.
    pub(super) async fn vector(&mut self) -> Option<Vec<f32>> {
        if self.vector.is_none() {
            let embedding = self.engine.embedder.embed(&self.canonical, &self.meter);
            let made = match self.audience.unless_stopped(embedding).await {
                Some(Ok(vector)) => Some(vector),
                Some(Err(error)) => {
                    self.note(format!("embedding: {error}"));
                    None
                }
                None => None,
            };
            self.vector = Some(made);
        }
        self.vector.clone().flatten()
    }

    /// Everything a run needs.
    pub(super) fn run_deps(&self) -> RunDeps<'_> {
        RunDeps {
            turn: self.turn,
            catalog: &self.catalog,
            runner: &self.engine.runner,
            store: &self.engine.store,
            clock: &self.engine.clock,
            llm: &self.engine.llm,
            meter: &self.meter,
            hosted: hosted::Host {
                store: &self.engine.store,
                clock: &self.engine.clock,
                runner: &self.engine.runner,
                llm: &self.engine.llm,
                places: &self.engine.places,
                meter: &self.meter,
                request: &self.turn.text,
                redactor: self.engine.language.redactor(),
                location: &self.engine.location,
            },
            home: &self.engine.home,
            data_dir: &self.engine.data_dir,
            protected: &self.engine.protected,
            audience: self.audience,
            risk_min: self.risk_min,
            is_offered: self.offering.is_offered,
        }
    }

    /// What may follow a failed run.
    pub(super) fn next_move(&self, report: &RunReport) -> recovery::NextMove {
        let manifests = |name: &ExecutorName| self.catalog.get(name).cloned();
        recovery::next_move(
            report,
            &recovery::Context {
                manifests: &manifests,
                request: &self.turn.text,
            },
        )
    }
}
