//! Does what `state` decides, with the real parts: policy, journal, executors, scratchpad, fast model. Fail-closed: a
//! journal that cannot be written keeps the effect from happening.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use crate::{
    catalog::Catalog,
    clock::Clock,
    config::Secret,
    domain::{
        actor::{Actor, Role},
        failure::{ErrorClass, ToolError},
        folders,
        ids::StepId,
        manifest::{Effect, Kind, Manifest},
        message::Message,
        run::{Reversal, ToolResult},
        turn::Turn,
        verdict::{Decision, Risk, Verdict},
        vocabulary::Verb,
    },
    engine::{Audience, hosted, plan_executor::verify::Effected, validator},
    executors::{
        Call, CallContext,
        process::{self, Runner},
        progress,
    },
    llm::{LlmClient, Meter, filler},
    policy::{self, CheckRequest},
    store::{
        Store,
        effects::{Begun, EffectId, EffectOutcome, NewEffect},
        scratchpad::ScratchpadEntry,
    },
};

use super::{
    extent,
    report::RunReport,
    scratchpad,
    state::{Action, Decided, Ready, Resume, RunState, Took},
};
use crate::domain::plan::{Plan, Validated};

/// The parts a run works with.
#[derive(Clone, Copy)]
pub struct RunDeps<'a> {
    /// The turn.
    pub turn: &'a Turn,
    /// Its catalog.
    pub catalog: &'a Catalog,
    /// Runs executors.
    pub runner: &'a Runner,
    /// Journal and scratchpad.
    pub store: &'a Store,
    /// The time.
    pub clock: &'a Clock,
    /// For fillers.
    pub llm: &'a LlmClient,
    /// Counts its use.
    pub meter: &'a Meter,
    /// Executors that run inside metnos.
    pub hosted: hosted::Host<'a>,
    /// What `~` stands for.
    pub home: &'a Path,
    /// Closed to executors.
    pub data_dir: &'a Path,
    /// Closed to executors too.
    pub protected: &'a [PathBuf],
    /// What fits the request less than this does not run.
    pub judge_threshold: f64,
    /// Who is told what takes so long, and may stop it.
    pub audience: Audience<'a>,
    /// No step counts as less risky than this.
    pub risk_min: Risk,
    /// The plan may not be what was meant: whatever it changes is shown first.
    pub is_offered: bool,
    /// Steps that only look and are shown first all the same.
    pub shown_first: &'a [StepId],
}

/// Runs a plan from where `resume` says. When its person says stop, what runs right now is ended, children included,
/// and the journal says how far it came. Dropping the future stops it too, but leaves the journal open.
pub async fn run(deps: &RunDeps<'_>, plan: Plan<Validated>, resume: Resume) -> RunReport {
    let manifests = |name: &crate::domain::ids::ExecutorName| deps.catalog.get(name).cloned();
    make_home(deps);
    let fetches: Vec<StepId> = plan
        .steps
        .iter()
        .filter(|step| validator::carries_home_text(&plan, step, &manifests))
        .map(|step| step.id)
        .collect();
    let mut state = RunState::new(plan, deps.turn, resume);
    let mut handles = std::collections::BTreeMap::new();
    loop {
        match state.next(&manifests) {
            Action::End => break,
            Action::Fill(_) | Action::Check(_) if deps.audience.is_stopped() => state.stop(),
            Action::Fill(call) => match deps.audience.unless_stopped(fill(deps, &call.prompt)).await {
                Some(answer) => state.filled(call, answer),
                None => state.stop(),
            },
            Action::Check(mut ready) => {
                let began = Instant::now();
                if let Err(error) = complete(deps, &mut ready).await {
                    state.record(*ready, ToolResult::failed(error), Took::default(), &manifests);
                    continue;
                }
                if ready.manifest.effect.changes_something() {
                    ready.target_count += extent::inside(&ready.manifest, &ready.args, &home(deps));
                }
                let changes = ready.manifest.effect.changes_something();
                // What goes out is shown whole at every level, and a no to it says nothing of how it was understood.
                let is_shown = ready.manifest.effect == Effect::Outbound;
                ready.is_doubtful = deps.is_offered && changes && !is_shown
                    || fetches.contains(&ready.step.id)
                    || deps.shown_first.contains(&ready.step.id);
                let verdict = check(deps, &ready);
                let policy_us = micros(began);
                if state.may_ask(&verdict)
                    && let Err(error) = foresee(deps, &ready)
                {
                    state.refuse(*ready, error, &manifests);
                    continue;
                }
                ready.targets = extent::shown(&ready.manifest, &ready.args, &ready.targets, &home(deps));
                if state.may_ask(&verdict) {
                    ready.names = named(deps, &ready).await;
                }
                if let Decided::Run(ready) = state.decide(ready, &verdict, &manifests)
                    && let Some((id, handle)) = perform(deps, &mut state, *ready, policy_us, &manifests).await
                {
                    handles.insert(id, handle);
                }
            }
        }
    }
    if deps.audience.is_stopped() {
        state.drop_question();
    }
    state.into_report(handles)
}

/// What a person must see before they decide is put into the call: an answer's recipients, for one. Looking for it may
/// be stopped like everything else.
async fn complete(deps: &RunDeps<'_>, ready: &mut Ready) -> Result<(), ToolError> {
    if !deps.hosted.families.run_here(&ready.step.tool) {
        return Ok(());
    }
    let call = call(deps, ready);
    let families = deps.hosted.families;
    let looking = families.completed(&deps.hosted, &ready.step.tool, &call);
    let Some(completed) = deps.audience.unless_stopped(looking).await else {
        return Err(process::stopped(&ready.step.tool));
    };
    if let Some(args) = completed? {
        ready.fill_in(args, &deps.turn.actor.id);
    }
    if ready.manifest.effect.changes_something() {
        let call = self::call(deps, ready);
        let weighing = families.weight(&deps.hosted, &ready.step.tool, &call);
        let Some(weight) = deps.audience.unless_stopped(weighing).await else {
            return Err(process::stopped(&ready.step.tool));
        };
        ready.weight = weight;
    }
    Ok(())
}

/// What a step would change, as the person knows it.
async fn named(deps: &RunDeps<'_>, ready: &Ready) -> Vec<String> {
    if !ready.manifest.effect.changes_something() {
        return Vec::new();
    }
    let call = call(deps, ready);
    let naming = deps.hosted.families.names(&deps.hosted, &ready.step.tool, &call);
    deps.audience.unless_stopped(naming).await.unwrap_or_default()
}

async fn fill(deps: &RunDeps<'_>, prompt: &str) -> Option<String> {
    if !deps.llm.is_configured() {
        return None;
    }
    match filler::fill(deps.llm, prompt, &deps.turn.text, deps.meter).await {
        Ok(answer) => Some(answer),
        Err(error) => {
            tracing::warn!(%error, "a filler stays open");
            None
        }
    }
}

/// Policy's verdict, logged with argument names and never with values.
fn check(deps: &RunDeps<'_>, ready: &Ready) -> Verdict {
    let home = home(deps);
    let request = CheckRequest {
        manifest: &ready.manifest,
        args: &ready.args,
        target_count: ready.target_count,
        risk_min: deps.risk_min.max(ready.weight.risk),
        is_doubtful: ready.is_doubtful,
        actor: &deps.turn.actor,
        request: &deps.turn.text,
        home: &home,
        data_dir: deps.data_dir,
        protected: deps.protected,
        shared: deps.hosted.borders.shared,
        judge_threshold: deps.judge_threshold,
    };
    let verdict = policy::check(&request);
    if verdict.decision != Decision::Allow {
        tracing::info!(
            turn = %deps.turn.id,
            tool = %ready.step.tool,
            decision = ?verdict.decision,
            decided_by = ?verdict.decided_by,
            risk = ?verdict.risk,
            score = verdict.score,
            args_keys = ?request.arg_keys(),
            "policy"
        );
    }
    verdict
}

/// One step that may run: journal, executor, journal, scratchpad.
async fn perform(
    deps: &RunDeps<'_>,
    state: &mut RunState<'_>,
    ready: Ready,
    policy_us: u64,
    manifests: crate::engine::validator::Lookup<'_>,
) -> Option<(crate::domain::ids::StepId, serde_json::Value)> {
    let effect = match begin(deps, &ready).await {
        Ok(effect) => effect,
        Err(error) => {
            state.refuse(ready, error, manifests);
            return None;
        }
    };
    (deps.audience.tell)(Message::new(progress_key(&ready)));
    let began = Instant::now();
    let password = state.password_for(ready.step.id);
    let mut result = invoke(deps, &ready, effect, password).await;
    // Nobody else may make us ask for a password, nor is given one.
    if !opens_files(deps, &ready)
        && let Some(error) = &mut result.error
    {
        error.wants_password = false;
    }
    let is_cut_off = deps.audience.is_stopped() && !result.is_ok();
    let took = Took {
        executor_us: micros(began),
        policy_us,
    };
    result
        .reversals
        .retain(|reversal| is_believed(deps, &ready.manifest, reversal));
    let reversals = result.reversals.clone();
    let (step, tool) = (ready.step.id, ready.step.tool.clone());
    let kept = keep(deps, &ready, &result).await;
    // So that a later step can name it: `${stepN.scratchpad_id}`.
    if let Some(id) = kept.as_ref().and_then(|handle| handle.get("scratchpad_id")) {
        result.body.insert("scratchpad_id".to_owned(), id.clone());
    }
    let effected = state.record(ready, result, took, manifests);
    if is_cut_off {
        state.stop();
    }
    if let Some(effect) = effect {
        let outcome = match effected {
            Effected::Changed(_) => EffectOutcome::Done(reversals),
            Effected::Unknown => EffectOutcome::Unknown,
            Effected::Nothing | Effected::Failed | Effected::Read => EffectOutcome::Failed,
        };
        if let Err(error) = deps.store.effect_end(effect, outcome, deps.clock.now_ms()).await {
            tracing::error!(%error, %tool, "cannot write the end of an effect; it counts as unknown after a crash");
        }
    }
    kept.map(|handle| (step, handle))
}

/// A program of others knows a way back only through programs of the same sort that may do no more than it may itself.
fn is_believed(deps: &RunDeps<'_>, manifest: &Manifest, reversal: &Reversal) -> bool {
    let is_program = |manifest: &Manifest| matches!(manifest.kind, Kind::Program { .. });
    if !is_program(manifest) {
        return true;
    }
    let Reversal::Call { tool, .. } = reversal else {
        return false;
    };
    let way = deps.catalog.get(tool);
    let may_no_more = |way: &Manifest| way.capabilities.iter().all(|one| manifest.capabilities.contains(one));
    way.is_some_and(|way| is_program(way) && way.object == manifest.object && may_no_more(way))
}

/// Commits that an effect is about to happen; `None` for a step that changes nothing.
async fn begin(deps: &RunDeps<'_>, ready: &Ready) -> Result<Option<EffectId>, ToolError> {
    if !ready.manifest.effect.changes_something() {
        return Ok(None);
    }
    let effect = NewEffect {
        turn: deps.turn.id.clone(),
        begun_in: deps.turn.begun_in.clone(),
        step: ready.step.id,
        tool: ready.step.tool.clone(),
        operation: ready.operation.clone(),
        actor: deps.turn.actor.id.clone(),
        is_ours: deps.hosted.families.keep_rows(&ready.step.tool),
    };
    let fails = |key: &str| ToolError::new(ErrorClass::Internal, Message::new(key));
    match deps.store.effect_begin(effect, deps.clock.now_ms()).await {
        Ok(Begun::Yes(effect)) => Ok(Some(effect)),
        Ok(Begun::NotLetIn) => Err(fails("run-not-let-in")),
        Err(error) => Err(fails("run-journal-failed").with_detail(error.to_string())),
    }
}

/// A question that can only be followed by a failure is not asked.
fn foresee(deps: &RunDeps<'_>, ready: &Ready) -> Result<(), ToolError> {
    if deps.hosted.families.run_here(&ready.step.tool) {
        return Ok(());
    }
    deps.runner.foresee(&ready.manifest, &call(deps, ready))
}

fn call(deps: &RunDeps<'_>, ready: &Ready) -> Call {
    Call {
        args: ready.args.clone(),
        context: context(deps, ready),
        password: None,
    }
}

/// Whether a step is our own code in the worker, which opens locked files.
fn opens_files(deps: &RunDeps<'_>, ready: &Ready) -> bool {
    ready.manifest.kind == Kind::Builtin && !deps.hosted.families.run_here(&ready.step.tool)
}

async fn invoke(deps: &RunDeps<'_>, ready: &Ready, effect: Option<EffectId>, password: Option<Secret>) -> ToolResult {
    let mut call = call(deps, ready);
    call.password = password.filter(|_| opens_files(deps, ready));
    if deps.hosted.families.run_here(&ready.step.tool) {
        let ours = effect.filter(|_| deps.hosted.families.keep_rows(&ready.step.tool));
        let journaling = ours.map(|effect| deps.hosted.store.journaling(effect));
        let store = journaling.as_ref().unwrap_or(deps.hosted.store);
        let host = hosted::Host { store, ..deps.hosted };
        let hosted = host.families.run(&host, &ready.step.tool, &call);
        let ran = deps.audience.unless_stopped(hosted).await;
        let Some(ran) = ran else {
            let known = host.families.stopped(&deps.hosted, &ready.step.tool, &call).await;
            // What it noted before it was stopped is what it may have done.
            return known.unwrap_or_else(|| ToolResult {
                reversals: progress::read(&call.context),
                ..ToolResult::failed(process::stopped(&ready.step.tool))
            });
        };
        return ran;
    }
    match deps.catalog.code_dir(&ready.step.tool) {
        Ok(code) => deps.runner.run(&ready.manifest, call, code, deps.audience.stop).await,
        Err(changed) => ToolResult::failed(ToolError::new(ErrorClass::Forbidden, changed.message())),
    }
}

fn context(deps: &RunDeps<'_>, ready: &Ready) -> CallContext {
    let turn = deps.turn;
    let is_host = turn.actor.role == Role::Host;
    CallContext {
        turn: turn.id.clone(),
        step: ready.step.id,
        actor: turn.actor.id.clone(),
        is_host,
        lang: turn.actor.lang,
        now: turn.now.clone(),
        home: home(deps),
        backup_dir: folders::copies_of(deps.data_dir, &turn.id),
        data_dir: deps.data_dir.to_owned(),
        trusted_urls: if is_host && turn.is_typed {
            typed_urls(&turn.text)
        } else {
            Vec::new()
        },
    }
}

/// A guest's folder exists from the first plan on, closed to other users of the machine.
fn make_home(deps: &RunDeps<'_>) {
    use std::os::unix::fs::DirBuilderExt;
    if deps.turn.actor.role == Role::Guest
        && let Err(error) = std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(home(deps))
    {
        tracing::error!(%error, "cannot make a guest's folder");
    }
}

fn home(deps: &RunDeps<'_>) -> PathBuf {
    home_of(deps.home, deps.data_dir, &deps.turn.actor)
}

/// What `~` stands for: guests have a folder of their own, and policy lets them into no other.
pub fn home_of(home: &Path, data_dir: &Path, actor: &Actor) -> PathBuf {
    match actor.role {
        Role::Host => home.to_owned(),
        Role::Guest => policy::guest_dir(data_dir, actor),
    }
}

/// Addresses that stand literally in the request: the host may name a machine of the household.
fn typed_urls(request: &str) -> Vec<String> {
    request
        .split_whitespace()
        .map(|word| word.trim_matches(|sign: char| "\"'<>()“”,;!?.:".contains(sign)))
        .filter(|word| word.starts_with("http://") || word.starts_with("https://"))
        .map(str::to_owned)
        .collect()
}

/// What a step is doing, by its verb; the person need not know the tool.
fn progress_key(ready: &Ready) -> &'static str {
    match ready.manifest.verb {
        Some(Verb::Read | Verb::Get) => "progress-reading",
        Some(Verb::Find | Verb::List) => "progress-searching",
        Some(Verb::Write | Verb::Create) => "progress-writing",
        Some(Verb::Move) => "progress-moving",
        Some(Verb::Delete) => "progress-deleting",
        Some(Verb::Describe | Verb::Render) => "progress-describing",
        Some(
            Verb::Filter
            | Verb::Sort
            | Verb::Group
            | Verb::Classify
            | Verb::Set
            | Verb::Send
            | Verb::Extract
            | Verb::Compress
            | Verb::Compute
            | Verb::Compare
            | Verb::Change
            | Verb::Order
            | Verb::Share
            | Verb::Open
            | Verb::Login
            | Verb::Act
            | Verb::Install,
        )
        | None => "progress-working",
    }
}

/// Keeps a large result under a handle, for logs and later reading.
async fn keep(deps: &RunDeps<'_>, ready: &Ready, result: &ToolResult) -> Option<serde_json::Value> {
    let content = scratchpad::content_to_keep(result)?;
    let entry = ScratchpadEntry {
        actor: deps.turn.actor.id.clone(),
        turn: deps.turn.id.clone(),
        step: ready.step.id,
        tool: ready.step.tool.clone(),
        content: content.clone(),
    };
    match deps.store.scratchpad_put(entry, deps.clock.now_ms()).await {
        Ok(id) => Some(scratchpad::handle(result, &id, &content)),
        Err(error) => {
            tracing::warn!(%error, "a large result is not kept");
            None
        }
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
