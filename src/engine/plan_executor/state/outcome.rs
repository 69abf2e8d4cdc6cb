//! What a run comes to: its report, and the question it asks when a step has to be approved.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::domain::{
    account::{WantedAccount, WantedLogin},
    actor::Autonomy,
    failure::{ErrorClass, ToolError},
    ids::{ExecutorName, StepId},
    kind::Class,
    limits::{CARD_TARGETS_MAX, CARD_TEXT_CHARS_MAX},
    manifest::{ArgSpec, Effect, Manifest},
    outcome::{ApprovalRequest, Asks, Detail, FinalKind, Pause},
    plan::{Plan, Step, Validated},
    question::Form,
    reference::{Argument, Reference},
    run::{StepRecord, ToolResult},
    verdict::{DecidedBy, Verdict},
};

use super::{Ready, RunState};
use crate::engine::plan_executor::{
    closing::Closing,
    extent, projection,
    report::{RunEnd, RunReport},
    verify::Effected,
};

impl RunState<'_> {
    /// The run as others see it. A run that did not end was stopped from outside.
    pub fn into_report(self, handles: BTreeMap<StepId, Value>) -> RunReport {
        let end = self.end.unwrap_or(RunEnd::Stopped(FinalKind::Error));
        let without_effect: Vec<StepId> = self
            .effects
            .iter()
            .filter(|(_, effected)| **effected == Effected::Nothing)
            .map(|(id, _)| *id)
            .collect();
        let mutations = self
            .effects
            .values()
            .map(|effected| match effected {
                Effected::Changed(count) => *count,
                Effected::Read | Effected::Nothing | Effected::Failed | Effected::Unknown => 0,
            })
            .sum();
        let items = self
            .records
            .iter()
            .rev()
            .filter(|record| !record.has_effect && record.result.is_ok())
            .find_map(|record| projection::payload(&record.result))
            .map_or(0, |list| u64::try_from(list.len()).unwrap_or(u64::MAX));
        let has_effects = self.records.iter().any(|record| record.has_effect);
        let cache_worthy = end == RunEnd::Completed
            && self.cacheable
            && self.remedied.is_empty()
            && !self.plan.steps.is_empty()
            && without_effect.is_empty()
            && self.records.iter().all(|record| record.result.is_ok())
            && !matches!(self.closing, Closing::Degenerate { .. })
            && !(has_effects && mutations == 0);
        RunReport {
            committed_effects: self.effects.values().any(|effected| effected.is_committed()),
            last_failure: self.failures.last().cloned(),
            end,
            planned: self.planned,
            helpers: self.remedial.into_keys().collect(),
            plan: self.plan,
            records: self.records,
            closing: self.closing,
            handles,
            items,
            mutations,
            without_effect,
            cache_worthy,
        }
    }

    /// The person said stop: nothing more is done, and nothing is asked.
    pub fn stop(&mut self) {
        self.end = Some(RunEnd::Stopped(FinalKind::Stopped));
    }

    /// A question that is not put any more: its person said stop before it reached them.
    pub fn drop_question(&mut self) {
        if let Some(RunEnd::Paused(_)) = self.end {
            self.stop();
        }
    }

    /// The run as it stands before this step, to go on with later.
    pub(super) fn pause(&self, step: &Step, args: &Map<String, Value>, asks: Asks) -> Pause {
        let frozen = self.frozen(step, args);
        let of_the_moment = !self.cacheable || !self.remedied.is_empty() || frozen.steps != self.plan.steps;
        let (plan, done) = renumbered(frozen, self.records.clone());
        let position = self.plan.steps.iter().position(|other| other.id == step.id);
        let waiting = position
            .and_then(|at| plan.steps.get(at))
            .map_or(step.id, |step| step.id);
        Pause {
            plan,
            done,
            step: waiting,
            tool: step.tool.clone(),
            asks,
            of_the_moment,
        }
    }

    /// The plan with everything in the waiting step that would be another value later (the time, a model's words) put
    /// down as it was shown: what was approved is what runs.
    fn frozen(&self, waiting: &Step, args: &Map<String, Value>) -> Plan<Validated> {
        let mut plan = self.plan.clone();
        if let Some(step) = plan.steps.iter_mut().find(|step| step.id == waiting.id) {
            for (name, argument) in &mut step.args {
                let passing = argument
                    .references()
                    .iter()
                    .any(|reference| matches!(reference, Reference::Runtime(_) | Reference::Filler(_)));
                if passing && let Some(value) = args.get(name) {
                    *argument = Argument::Literal(value.clone());
                }
            }
        }
        plan
    }
}

/// What the card says of a step that policy wants approved.
pub(super) fn approval(ready: &Ready, verdict: &Verdict, level: Autonomy) -> ApprovalRequest {
    let within = extent::common_folder(&ready.targets);
    let shown = if ready.names.is_empty() {
        &ready.targets
    } else {
        &ready.names
    };
    let count = ready.target_count.max(ready.names.len());
    let (text, text_left) = written(ready);
    let (details, details_left) = details(ready);
    ApprovalRequest {
        operation: ready.operation.clone(),
        targets: shown.iter().take(CARD_TARGETS_MAX).cloned().collect(),
        target_count: count,
        reaches_below: within
            .as_ref()
            .is_some_and(|folder| extent::reaches_below(&ready.targets, folder, count)),
        within,
        goes_to: goes_to(ready),
        switches: switches(ready),
        text,
        text_left: text_left + details_left,
        details,
        is_offered: verdict.decided_by == Some(DecidedBy::Doubt) || ready.is_doubtful,
        reversible: ready.manifest.effect == Effect::Reversible && !ready.weight.stays,
        risk: verdict.risk,
        above: verdict.above_level.then_some(level),
    }
}

/// What a step would write, as far as a card can show it, and how many characters are left. Where a tool takes several
/// texts, each is shown by what it is (see `details`).
fn written(ready: &Ready) -> (Option<String>, usize) {
    let content = only_content(&ready.manifest);
    let whole = content
        .and_then(|spec| ready.args.get(&spec.name))
        .and_then(Value::as_str);
    let Some(whole) = whole.filter(|text| !text.is_empty()) else {
        return (None, 0);
    };
    let (shown, left) = cut(whole);
    (Some(shown), left)
}

/// As much of a text as fits on a card, and how many characters are left.
fn cut(whole: &str) -> (String, usize) {
    let shown: String = whole.chars().take(CARD_TEXT_CHARS_MAX).collect();
    let left = whole.chars().count().saturating_sub(CARD_TEXT_CHARS_MAX);
    (shown, left)
}

/// The text a tool writes, where it takes no other.
fn only_content(manifest: &Manifest) -> Option<&ArgSpec> {
    let mut texts = manifest.args.iter().filter(|spec| spec.class() == Class::Text);
    texts.next().filter(|_| texts.next().is_none())
}

/// Words of its own that a step acts with, and texts of which there may be several, with how many characters are left
/// of them: no target, no choice of a closed list.
fn details(ready: &Ready) -> (Vec<Detail>, usize) {
    let has_one_text = only_content(&ready.manifest).is_some();
    let is_free = |spec: &&ArgSpec| {
        let is_word = matches!(
            spec.class(),
            Class::Choice | Class::Words | Class::Unknown | Class::Whereabouts | Class::Column
        );
        let is_text = spec.class() == Class::Text && !has_one_text;
        (is_word || is_text) && spec.schema.get("enum").is_none() && !spec.runtime_resolved
    };
    let mut hidden = 0;
    let specs = ready.manifest.args.iter().filter(is_free);
    let details = specs
        .filter_map(|spec| {
            let (value, left) = cut(ready.args.get(&spec.name)?.as_str()?);
            hidden += left;
            Some(Detail {
                what: spec.description.clone(),
                value,
            })
        })
        .collect();
    (details, hidden)
}

/// The names of the arguments that say yes.
fn switches(ready: &Ready) -> Vec<String> {
    let is_choice = |name: &str| {
        let spec = ready.manifest.arg(name);
        spec.is_some_and(|spec| spec.class() == Class::Choice)
    };
    let chosen = |(name, value): (&String, &Value)| match value {
        Value::Bool(true) => Some(name.clone()),
        Value::String(choice) if is_choice(name) => Some(choice.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    };
    ready.args.iter().filter_map(chosen).collect()
}

/// Where a step puts what it acts on; `None` when that place is itself what it acts on.
fn goes_to(ready: &Ready) -> Option<String> {
    let acts_on_others = ready
        .manifest
        .args
        .iter()
        .any(|spec| spec.class() == Class::File && ready.args.contains_key(&spec.name));
    let place = ready.manifest.arg_of(Class::Target).filter(|_| acts_on_others)?;
    ready.args.get(&place.name)?.as_str().map(str::to_owned)
}

/// Numbers steps and records by position, as the plan's JSON does: a pause is kept as JSON, and a remedy's step stands
/// out of order.
fn renumbered(plan: Plan<Validated>, mut records: Vec<StepRecord>) -> (Plan<Validated>, Vec<StepRecord>) {
    let Ok(written) = Plan::from_json(&plan.to_json()) else {
        return (plan, records);
    };
    for record in &mut records {
        let position = plan.position(u32::from(record.id.0));
        if let Some(number) = position.and_then(|at| u16::try_from(at + 1).ok()) {
            record.id = StepId(number);
        }
    }
    let written = written.standing_for(plan.folded().cloned());
    (written.into_validated(), records)
}

/// The step that asked, done: what the person said is its result.
pub fn answers(step: StepId, tool: &ExecutorName, values: Map<String, Value>) -> StepRecord {
    let mut body = Map::new();
    body.insert("values".to_owned(), Value::Object(values));
    StepRecord {
        id: step,
        tool: tool.clone(),
        raw_args: json!({}),
        resolved_args: json!({}),
        result: ToolResult::ok(body),
        has_effect: false,
        skipped: false,
        ruling: None,
        executor_us: 0,
        policy_us: 0,
    }
}

/// What the person has to say before a step that failed like this can run.
pub(super) fn asks_of(error: &ToolError, args: &Map<String, Value>) -> Option<Asks> {
    match error.class {
        ErrorClass::NeedsLocation => Some(Asks::Location),
        ErrorClass::NeedsInputs => Form::from_args(args).ok().map(Box::new).map(Asks::Form),
        ErrorClass::AuthRequired => {
            let why = || error.message.clone();
            let account = error.account.map(|account| WantedAccount { account, why: why() });
            let login = error.login.map(|service| WantedLogin { service, why: why() });
            let form = account.map(Form::for_account).or_else(|| login.map(Form::for_login));
            form.map(Box::new).map(Asks::Form)
        }
        ErrorClass::InvalidArgs
        | ErrorClass::NotFound
        | ErrorClass::PermissionDenied
        | ErrorClass::Forbidden
        | ErrorClass::Refused
        | ErrorClass::AlreadyExists
        | ErrorClass::Timeout
        | ErrorClass::Network
        | ErrorClass::ServerError
        | ErrorClass::RateLimited
        | ErrorClass::ModelUnavailable
        | ErrorClass::CapabilityMissing
        | ErrorClass::NonJson
        | ErrorClass::Crashed
        | ErrorClass::UnresolvedPlaceholder
        | ErrorClass::AmbiguousSourceContext
        | ErrorClass::DuplicateRead
        | ErrorClass::TooLarge
        | ErrorClass::NeedsContentFetch
        | ErrorClass::NeedsDataSource
        | ErrorClass::NeedsActionTarget
        | ErrorClass::PipelineAlreadyClosed
        | ErrorClass::UnknownOutcome
        | ErrorClass::Internal => None,
    }
}
