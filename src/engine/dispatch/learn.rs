//! What memory gains from a run that went well, and the answer that is made of it.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    domain::{
        failure::ErrorClass,
        ids::{CanonicalHash, ExecutorName},
        intent::Intent,
        manifest::Manifest,
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
        outcome::{RanPlan, TurnOutcome},
        passages::{self, Graph},
        plan_executor::{
            RunDeps,
            closing::Closing,
            report::{RunEnd, RunReport},
        },
        recovery, render,
        terminator::DeadEnd,
        validator::ValidationError,
    },
    language::Reading,
    store::{autopaths::NewObservation, fastpaths::NewFastpath, turns::ToolUse},
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
        outcome.notes.extend(self.nearly.aside.cause.take());
        let stands_for = self.nearly.stands_for.take();
        let is_near = stands_for.is_some() || answered_by == AnsweredBy::Near;
        outcome.notes.extend(stands_for);
        outcome.lessons.passages = passages::of_plan(&report.plan);
        let degenerate = matches!(report.closing, Closing::Degenerate { .. });
        // A nearest reading is made as fast as it is looked up, and may find something nearer tomorrow.
        if report.cache_worthy && !degenerate && !is_near {
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
        let words = words.chain(self.nearly.aside.words.iter().cloned());
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
        let plan = report.plan.written();
        let Some(tools_sig) = self.catalog.tools_signature(&plan) else {
            return;
        };
        let pool_sig = self.catalog.pool_signature(&intent, &plan);
        let exact = answered_by == AnsweredBy::FastpathHash;
        let embedding = if exact { None } else { self.vector().await };
        let embedder = self.engine.embedder.id().to_owned();
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
                failed: false,
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

    /// What a failed run says against its plan; nothing where the world was in the way, as no other would do better.
    pub(super) fn failure_of(&self, report: &RunReport) -> Option<NewObservation> {
        let intent = self.intent.as_ref().filter(|intent| intent.is_complete())?;
        report.error().filter(|error| is_plans_fault(error.class))?;
        let query_specific = self.engine.cacheability.judge(&report.plan, &self.catalog).ok()?;
        let plan = report.plan.written();
        Some(NewObservation {
            intent: intent.signature(),
            intent_hash: intent.hash(),
            cluster: None,
            embedder: self.engine.embedder.id().to_owned(),
            embedding: None,
            plan_hash: report.planned.clone(),
            query_specific,
            failed: true,
            tools_sig: self.catalog.tools_signature(&plan)?,
            pool_sig: self.catalog.pool_signature(intent, &plan),
            plan,
        })
    }

    /// What could not be done after something that could is wished for.
    pub(super) fn with_wishes(&self, mut outcome: TurnOutcome, dead_end: &DeadEnd, intent: &Intent) -> TurnOutcome {
        if matches!(dead_end, DeadEnd::NoTool { .. }) {
            outcome.lessons.passages = passages::wishes(intent, &self.catalog);
        }
        outcome
    }

    /// A run that failed says something against its plan.
    pub(super) fn with_failure(&self, mut outcome: TurnOutcome, report: &RunReport) -> TurnOutcome {
        outcome.lessons.observation = self.failure_of(report);
        self.with_run(outcome, report)
    }

    pub(super) fn with_run(&self, mut outcome: TurnOutcome, report: &RunReport) -> TurnOutcome {
        outcome.plan = Some(RanPlan {
            json: report.plan.to_json(),
            hash: report.plan.hash(),
            shape: report.plan.shape(),
        });
        outcome.lessons.uses = uses_of(report);
        outcome.records = report.records.clone();
        outcome.handles = report.handles.clone();
        outcome
    }

    /// The tools for a request; of equals, what is likely to follow the better ones comes first.
    pub(super) fn shortlisted(&self, reading: &Reading) -> Vec<Arc<Manifest>> {
        let index = self.engine.shortlists.of(&self.catalog, &self.engine.language);
        let likely = |source: &ExecutorName, target: &ExecutorName| self.likely.weight(source, target);
        index.shortlist_after(reading, &self.engine.language, self.engine.pool_size, &likely)
    }

    /// Which executors are likely to follow which, as far as this person's runs tell.
    pub(super) async fn likely(&mut self) -> Graph {
        let rows = self.engine.store.passages(Some(&self.turn.actor.id)).await;
        let rows = rows.unwrap_or_else(|error| {
            self.note(format!("passages: {error}"));
            Vec::new()
        });
        Graph::of(&rows, self.engine.clock.now_ms())
    }

    /// Where the plan holds the values of its request, if a model wrote it: what code writes it writes again.
    fn slots_of(&self, plan: &Plan<Validated>, answered_by: AnsweredBy) -> Option<(CanonicalHash, Value)> {
        // A composite has its values as arguments, and is written anew with others.
        if plan.is_folded() {
            return None;
        }
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
                mail: &self.engine.mail,
                world: &self.engine.world,
                meter: &self.meter,
                request: &self.turn.text,
                turn: self.turn,
                language: &self.engine.language,
                redactor: self.engine.language.redactor(),
                location: &self.engine.location,
                families: &self.engine.families,
                catalog: &self.catalog,
                borders: hosted::Borders {
                    home: &self.engine.home,
                    data_dir: &self.engine.data_dir,
                    protected: &self.engine.protected,
                    shared: &self.shared,
                },
            },
            home: &self.engine.home,
            data_dir: &self.engine.data_dir,
            protected: &self.engine.protected,
            judge_threshold: self.engine.judge_threshold,
            audience: self.audience,
            risk_min: self.risk_min,
            is_offered: self.offering.is_offered,
            shown_first: &self.offering.shown_first,
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

/// Wrong in itself: it would fail again whatever the world looks like.
fn is_plans_fault(class: ErrorClass) -> bool {
    matches!(
        class,
        ErrorClass::InvalidArgs
            | ErrorClass::UnresolvedPlaceholder
            | ErrorClass::DuplicateRead
            | ErrorClass::NeedsDataSource
            | ErrorClass::NeedsContentFetch
            | ErrorClass::PipelineAlreadyClosed
    )
}

/// Which executors ran, and how it went. A composite went as its steps did: what was wrong in itself or broke counts
/// against it, what the world was in the way of does not.
pub(super) fn uses_of(report: &RunReport) -> Vec<ToolUse> {
    let ran = report.records.iter().filter(|record| !record.skipped);
    let mut uses: Vec<ToolUse> = ran
        .map(|record| ToolUse {
            tool: record.tool.clone(),
            is_ok: record.result.is_ok(),
        })
        .collect();
    let broke = |class: ErrorClass| {
        is_plans_fault(class) || matches!(class, ErrorClass::Internal | ErrorClass::Crashed | ErrorClass::NonJson)
    };
    let is_ok = matches!(report.end, RunEnd::Completed) || !report.error().is_some_and(|error| broke(error.class));
    let is_open = |tool: &ExecutorName| report.plan.steps.iter().any(|step| step.tool == *tool);
    let composites = report.plan.tools_written().into_iter().filter(|tool| !is_open(tool));
    uses.extend(composites.map(|tool| ToolUse { tool, is_ok }));
    uses
}
