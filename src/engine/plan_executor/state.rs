//! A run as a state machine: `next` says what is to be done, the driver does it and hands back what came of it.
//! Pure and synchronous, so that every rule of a run can be tried without a process, a clock or a store.
//!
//! ```text
//! next ─► Fill(prompt) ─► filled ─┐      next ─► Check(step) ─► decide(verdict) ─► Run ─► record(result) ─► next …
//!   ▲─────────────────────────────┘                                └► the run paused or ended: next ─► End
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::{
    domain::{
        actor::Role,
        failure::{ErrorClass, ToolError},
        ids::{ExecutorName, OperationHash, PlanHash, StepId},
        limits::LOOP_FAILURES_MAX,
        manifest::Manifest,
        message::Message,
        outcome::{Asks, FinalKind},
        plan::{Plan, Step, Validated},
        run::{StepRecord, ToolResult},
        turn::Turn,
        verdict::{Decision, Ruled, Verdict},
    },
    engine::{families::Weight, validator::Lookup},
};

use super::{
    closing::{self, Closing},
    operation::{operation_hash, targets},
    projection,
    remediation::{self, Fed, Remedy},
    report::RunEnd,
    resolve::{FillerCall, Scope, Unresolved},
    verify::{Effected, verify},
};

/// Where a run begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resume {
    /// Steps done before a pause.
    pub done: Vec<StepRecord>,
    /// The one operation the person approved.
    pub approved: Option<OperationHash>,
    /// How an earlier attempt of this turn failed.
    pub last_failure: Option<(ExecutorName, ErrorClass)>,
    /// The plan, or what it did before a pause, is no more what was planned.
    pub of_the_moment: bool,
    /// The step that waited for a password.
    pub unlocking: Option<Unlocking>,
}

/// A step whose arguments are known.
#[derive(Clone, Debug)]
pub struct Ready {
    /// As the plan has it.
    pub step: Step,
    /// What its executor says of itself.
    pub manifest: Arc<Manifest>,
    /// Exactly what will be sent.
    pub args: Map<String, Value>,
    /// What an approval would allow.
    pub operation: OperationHash,
    /// On what it acts.
    pub targets: Vec<String>,
    /// What that is called, where the arguments have ids alone.
    pub names: Vec<String>,
    /// On how many things, as far as the arguments say; what lies in folders is added by who can look.
    pub target_count: usize,
    /// It may not be what was meant, or carries what no one should send unseen.
    pub is_doubtful: bool,
    /// What this one call weighs, beside what its manifest says.
    pub weight: Weight,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Ask the fast model and hand the answer to `filled`.
    Fill(FillerCall),
    /// Ask policy and hand the verdict to `decide`.
    Check(Box<Ready>),
    /// Nothing more.
    End,
}

/// What policy's verdict comes to.
#[derive(Clone, Debug)]
pub enum Decided {
    /// Run it and hand the result to `record`.
    Run(Box<Ready>),
    /// It does not run; `next` says how things go on.
    Refused,
}

/// How long things took, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Took {
    /// The executor.
    pub executor_us: u64,
    /// Policy.
    pub policy_us: u64,
}

/// A run under way.
#[derive(Debug)]
pub struct RunState<'a> {
    planned: PlanHash,
    plan: Plan<Validated>,
    turn: &'a Turn,
    records: Vec<StepRecord>,
    done: BTreeSet<StepId>,
    answers: BTreeMap<String, Option<String>>,
    /// Entries that replace what `from_step` gives, by the step they feed.
    feeds: BTreeMap<StepId, Vec<Value>>,
    /// Steps that remediation put in, with the step they help.
    remedial: BTreeMap<StepId, StepId>,
    remedied: Vec<ErrorClass>,
    approved: Option<OperationHash>,
    /// What was approved and then begun.
    begun: Option<OperationHash>,
    unlocking: Option<Unlocking>,
    /// What policy said last, and of which step.
    ruled: Option<(StepId, Ruled)>,
    failures: Vec<(ExecutorName, ErrorClass)>,
    effects: BTreeMap<StepId, Effected>,
    cacheable: bool,
    closing: Closing,
    end: Option<RunEnd>,
}

impl<'a> RunState<'a> {
    /// A run of this plan for this turn.
    pub fn new(plan: Plan<Validated>, turn: &'a Turn, resume: Resume) -> Self {
        let done = resume
            .done
            .iter()
            .filter(|record| record.result.is_ok())
            .map(|record| record.id)
            .collect();
        let effects = resume
            .done
            .iter()
            .filter(|record| record.has_effect && !record.skipped)
            .map(|record| match record.result.ok_count() {
                Some(0) => (record.id, Effected::Nothing),
                Some(count) => (record.id, Effected::Changed(count)),
                None => (record.id, Effected::Changed(1)),
            })
            .collect();
        Self {
            planned: plan.hash(),
            plan,
            turn,
            records: resume.done,
            done,
            answers: BTreeMap::new(),
            feeds: BTreeMap::new(),
            remedial: BTreeMap::new(),
            remedied: Vec::new(),
            approved: resume.approved,
            begun: None,
            unlocking: resume.unlocking,
            ruled: None,
            failures: resume.last_failure.into_iter().collect(),
            effects,
            cacheable: !resume.of_the_moment,
            closing: Closing::None,
            end: None,
        }
    }

    /// What is to be done now. Steps that have nothing to do, or whose answer is already there, pass by on the way.
    pub fn next(&mut self, manifests: Lookup<'_>) -> Action {
        while self.end.is_none() {
            let Some(step) = self
                .plan
                .steps
                .iter()
                .find(|step| !self.done.contains(&step.id))
                .cloned()
            else {
                match closing::close(&self.scope()) {
                    Ok(closing) => self.closing = closing,
                    Err(Unresolved::Fill(call)) => return Action::Fill(call),
                    Err(Unresolved::Missing { reference } | Unresolved::Ambiguous { reference }) => {
                        self.closing = Closing::Degenerate { reference };
                    }
                }
                self.end = Some(RunEnd::Completed);
                break;
            };
            let Some(manifest) = manifests(&step.tool) else {
                let message = Message::new("run-tool-gone").with("tool", step.tool.as_str());
                self.fail(
                    &step,
                    Map::new(),
                    ToolError::new(ErrorClass::CapabilityMissing, message),
                    manifests,
                );
                continue;
            };
            if let Some(action) = self.advance(step, manifest, manifests) {
                return action;
            }
        }
        Action::End
    }

    /// Caps, conditions, arguments and repeats of one step; `None` when it needs nothing from outside.
    fn advance(&mut self, step: Step, manifest: Arc<Manifest>, manifests: Lookup<'_>) -> Option<Action> {
        self.cacheable &= manifest.cacheable;
        if self.has_nothing_to_do(&step, &manifest) {
            self.skip(&step, &manifest);
            return None;
        }
        let args = match self.resolve(&step, &manifest) {
            Ok(Some(args)) => args,
            Ok(None) => {
                self.skip(&step, &manifest);
                return None;
            }
            Err(Unresolved::Fill(call)) => return Some(Action::Fill(call)),
            Err(unresolved) => {
                if let Some(error) = unresolved.to_error() {
                    self.fail(&step, Map::new(), error, manifests);
                }
                return None;
            }
        };
        if let Some(earlier) = self.same_read(&step, &manifest, &args) {
            self.repeat(&step, args, &earlier, manifests);
            return None;
        }
        if let Some(kind) = self.cap(&manifest) {
            self.end = Some(RunEnd::Stopped(kind));
            return None;
        }
        let operation = operation_hash(&step.tool, &Value::Object(args.clone()), &self.turn.actor.id);
        let targets = targets(&manifest, &args);
        Some(Action::Check(Box::new(Ready {
            step,
            manifest,
            args,
            operation,
            target_count: targets.len(),
            targets,
            names: Vec::new(),
            is_doubtful: false,
            weight: Weight::default(),
        })))
    }

    /// Takes in what the fast model said; `None` when it could not be asked.
    pub fn filled(&mut self, call: FillerCall, answer: Option<String>) {
        self.answers.insert(call.prompt, answer);
    }

    /// Whether a yes would let this step run, and there is somebody to say it.
    pub fn may_ask(&self, verdict: &Verdict) -> bool {
        match verdict.decision {
            Decision::Allow => false,
            Decision::Confirm => true,
            Decision::Preview | Decision::Block => {
                verdict.above_level && (self.turn.actor.role == Role::Host || self.turn.host_is_near)
            }
        }
    }

    /// Takes in policy's verdict on a ready step.
    pub fn decide(&mut self, ready: Box<Ready>, verdict: &Verdict, manifests: Lookup<'_>) -> Decided {
        let ruling = Ruled {
            decision: verdict.decision,
            decided_by: verdict.decided_by,
        };
        self.ruled = Some((ready.step.id, ruling));
        match verdict.decision {
            Decision::Allow => Decided::Run(ready),
            Decision::Confirm | Decision::Preview | Decision::Block if self.may_ask(verdict) => {
                if self.approved.as_ref() == Some(&ready.operation) {
                    // Good for one operation, once.
                    self.begun = self.approved.take();
                    return Decided::Run(ready);
                }
                let asks = Asks::Approval(Box::new(approval(&ready, verdict, self.turn.actor.autonomy)));
                self.end = Some(RunEnd::Paused(Box::new(self.pause(&ready.step, &ready.args, asks))));
                Decided::Refused
            }
            Decision::Confirm | Decision::Preview | Decision::Block => {
                let reason = verdict
                    .reason
                    .clone()
                    .unwrap_or_else(|| Message::new("run-forbidden").with("tool", ready.step.tool.as_str()));
                let error = ToolError::new(ErrorClass::Forbidden, reason);
                self.fail(&ready.step, ready.args, error, manifests);
                Decided::Refused
            }
        }
    }

    /// Takes in what an executor returned; says what became of the world, for the journal.
    pub fn record(&mut self, ready: Ready, result: ToolResult, took: Took, manifests: Lookup<'_>) -> Effected {
        let Ready {
            step,
            manifest,
            args,
            operation,
            ..
        } = ready;
        let (mut result, effected) = verify(&manifest, result);
        if !effected.is_committed()
            && let Some(asks) = self.asks(&step, &operation, &args, result.error.as_mut())
        {
            // It did nothing yet: when the person has answered, it runs as if for the first time.
            self.end = Some(RunEnd::Paused(Box::new(self.pause(&step, &args, asks))));
            return effected;
        }
        if manifest.effect.changes_something() {
            self.effects.insert(step.id, effected);
        }
        let error = result.error.clone();
        let pages = projection::payload(&result).cloned().unwrap_or_default();
        let mut record = self.blank(&step, args, result);
        record.has_effect = manifest.effect.changes_something();
        record.executor_us = took.executor_us;
        record.policy_us = took.policy_us;
        self.records.push(record);
        match error {
            None => self.finish(&step, &pages),
            Some(error) => self.failed(&step, error, manifests),
        }
        effected
    }

    /// A step that never got as far as running, such as when the journal could not be written.
    pub fn refuse(&mut self, ready: Ready, error: ToolError, manifests: Lookup<'_>) {
        self.fail(&ready.step, ready.args, error, manifests);
    }

    /// The records so far.
    pub fn records(&self) -> &[StepRecord] {
        &self.records
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            plan: &self.plan,
            records: &self.records,
            answers: &self.answers,
            turn: self.turn,
        }
    }

    fn skip(&mut self, step: &Step, manifest: &Manifest) {
        let list = if manifest.effect.changes_something() {
            "results"
        } else {
            "entries"
        };
        let mut body = Map::new();
        body.insert(list.to_owned(), json!([]));
        body.insert("ok_count".to_owned(), json!(0));
        let mut record = self.blank(step, Map::new(), ToolResult::ok(body));
        record.has_effect = manifest.effect.changes_something();
        record.skipped = true;
        self.records.push(record);
        self.done.insert(step.id);
    }

    /// A step that ran well; a remedy's result goes where it is needed.
    fn finish(&mut self, step: &Step, entries: &[Value]) {
        self.done.insert(step.id);
        let Some(helped) = self.remedial.get(&step.id).copied() else {
            self.failures.clear();
            return;
        };
        let target = self.plan.steps.iter().find(|other| other.id == helped).cloned();
        let fed = target.as_ref().and_then(|target| self.source_entries(target));
        let merged = fed.map_or_else(|| entries.to_vec(), |fed| remediation::merge_pages(&fed, entries));
        self.feeds.insert(helped, merged);
    }

    /// A step that failed before it ran.
    fn fail(&mut self, step: &Step, args: Map<String, Value>, error: ToolError, manifests: Lookup<'_>) {
        let record = self.blank(step, args, ToolResult::failed(error.clone()));
        self.records.push(record);
        self.failed(step, error, manifests);
    }

    /// Loop, remedy or end.
    fn failed(&mut self, step: &Step, error: ToolError, manifests: Lookup<'_>) {
        let failure = (step.tool.clone(), error.class);
        let times = self
            .failures
            .iter()
            .rev()
            .take_while(|earlier| **earlier == failure)
            .count()
            + 1;
        self.failures.push(failure);
        if times >= LOOP_FAILURES_MAX {
            self.end = Some(RunEnd::Stopped(FinalKind::LoopBreak));
            return;
        }
        let committed = self
            .effects
            .get(&step.id)
            .is_some_and(|effected| effected.is_committed());
        if !committed && !self.remedied.contains(&error.class) && self.remedy(step, error.class, manifests) {
            return;
        }
        self.end = Some(RunEnd::Failed { error, step: step.id });
    }

    /// Puts in the step that was missing, if the registry knows one.
    fn remedy(&mut self, step: &Step, class: ErrorClass, manifests: Lookup<'_>) -> bool {
        let fresh = StepId(
            self.plan
                .steps
                .iter()
                .map(|step| step.id.0)
                .max()
                .unwrap_or(0)
                .saturating_add(1),
        );
        let entries = self.source_entries(step).unwrap_or_default();
        let before = self.found_besides(&entries);
        let fed = Fed {
            entries: &entries,
            before: &before,
        };
        let Some(remedy) = remediation::remedy(class, fed, fresh, manifests) else {
            return false;
        };
        self.remedied.push(class);
        let prerequisite = match remedy {
            Remedy::Stop(kind) => {
                self.end = Some(RunEnd::Stopped(kind));
                return true;
            }
            Remedy::Feed(entries) => {
                self.feeds.insert(step.id, entries);
                return true;
            }
            Remedy::FetchPages(prerequisite) => prerequisite,
        };
        self.remedial.insert(prerequisite.id, step.id);
        let at = self
            .plan
            .steps
            .iter()
            .position(|other| other.id == step.id)
            .unwrap_or(0);
        self.plan.steps.insert(at, prerequisite);
        true
    }

    fn blank(&self, step: &Step, args: Map<String, Value>, result: ToolResult) -> StepRecord {
        let mut raw = Map::new();
        if let Some(number) = step.from_step {
            raw.insert("from_step".to_owned(), json!(number));
        }
        for (name, argument) in &step.args {
            raw.insert(name.clone(), argument.to_json(&|number| number));
        }
        StepRecord {
            id: step.id,
            tool: step.tool.clone(),
            raw_args: Value::Object(raw),
            resolved_args: Value::Object(args),
            result,
            has_effect: false,
            skipped: false,
            ruling: self
                .ruled
                .filter(|(ruled, _)| *ruled == step.id)
                .map(|(_, ruling)| ruling),
            executor_us: 0,
            policy_us: 0,
        }
    }
}

/// Marks a result that was not read again.
pub const DUPLICATE_OF: &str = "duplicate_of";

mod outcome;
pub use outcome::answers;
use outcome::approval;
mod prepare;
mod unlocking;
pub use unlocking::Unlocking;
#[cfg(test)]
mod tests;
