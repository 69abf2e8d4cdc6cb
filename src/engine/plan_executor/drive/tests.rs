//! Runs with the real parts: policy, journal, scratchpad and executors that only compute, which need no process.

use serde_json::{Value, json};

use super::*;
use crate::{
    config::{LlmConfig, PlacesConfig, SandboxConfig},
    domain::{
        ids::StepId,
        kind::Class,
        manifest::{Capability, Effect, Feed, Manifest},
        outcome::FinalKind,
        verdict::Risk,
    },
    engine::{
        fixtures::{arg, manifest, turn, validated},
        plan_executor::{RunEnd, closing::Closing},
    },
    places::Places,
    world::World,
};

/// What a run leaves behind.
struct Ran {
    report: RunReport,
    store: Store,
    progress: usize,
    _folder: tempfile::TempDir,
}

fn pure(mut manifest: Manifest) -> Manifest {
    manifest.capabilities = vec![Capability::TimeRead];
    manifest
}

fn get_now(effect: Effect) -> Manifest {
    pure(manifest("get_now", Feed::None, effect, Vec::new()))
}

async fn ran(plan: &Value, manifests: Vec<Manifest>) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("metnos.db")).unwrap();
    let turn = turn("what time is it");
    store.add_actor(&turn.actor, 0).await.unwrap();
    let clock = Clock::fixed(turn.now.timestamp());
    let catalog = Catalog::from_manifests(manifests);
    let runner = Runner::new(PathBuf::from("/nonexistent"), SandboxConfig::Required);
    let llm = LlmClient::new(&LlmConfig::default()).unwrap();
    let places = Places::from_config(&PlacesConfig::default()).unwrap();
    let mail = crate::mail::Mail::new(store.clone(), clock.clone(), crate::config::MailConfig::default());
    let world = World::from_config(&Default::default(), &Default::default(), &Default::default()).unwrap();
    let meter = Meter::default();
    let redactor = crate::language::secrets::Redactor::new().unwrap();
    let language = crate::language::Language::embedded().unwrap();
    let progress = std::sync::atomic::AtomicUsize::new(0);
    let count = |_: Message| {
        progress.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let deps = RunDeps {
        turn: &turn,
        catalog: &catalog,
        runner: &runner,
        store: &store,
        clock: &clock,
        llm: &llm,
        meter: &meter,
        hosted: hosted::Host {
            store: &store,
            clock: &clock,
            runner: &runner,
            llm: &llm,
            places: &places,
            mail: &mail,
            world: &world,
            meter: &meter,
            request: &turn.text,
            turn: &turn,
            language: &language,
            redactor: &redactor,
            location: &crate::config::LocationConfig::default(),
            families: &crate::engine::families::Families::default(),
            catalog: &catalog,
            borders: hosted::Borders {
                home: folder.path(),
                data_dir: folder.path(),
                protected: &[],
                shared: &[],
            },
        },
        home: folder.path(),
        data_dir: folder.path(),
        protected: &[],
        judge_threshold: 0.30,
        audience: crate::engine::Audience {
            tell: &count,
            stop: &tokio_util::sync::CancellationToken::new(),
        },
        risk_min: Risk::Low,
        is_offered: false,
        shown_first: &[],
    };
    let report = Box::pin(must_be_send(run(&deps, validated(plan), Resume::default()))).await;
    Ran {
        report,
        store,
        progress: progress.load(std::sync::atomic::Ordering::Relaxed),
        _folder: folder,
    }
}

/// A turn runs on any thread.
fn must_be_send<T: Future + Send>(future: T) -> T {
    future
}

async fn journal(store: &Store) -> Vec<String> {
    let effects = store.effects_to_undo(&"host".into()).await.unwrap();
    effects.iter().map(|effect| effect.tool.as_str().to_owned()).collect()
}

#[tokio::test]
async fn a_plan_runs_through_policy_and_executor_to_its_words() {
    let plan = json!({"steps": [{"tool": "get_now", "args": {}}], "final_message": "it is ${step1.time}"});
    let ran = ran(&plan, vec![get_now(Effect::Read)]).await;
    assert_eq!(ran.report.end, RunEnd::Completed);
    assert_eq!(ran.report.closing, Closing::Words("it is 10:00".to_owned()));
    assert_eq!(ran.progress, 1);
    assert!(journal(&ran.store).await.is_empty());
}

#[tokio::test]
async fn an_effect_stands_in_the_journal_and_a_read_does_not() {
    let plan = json!({"steps": [{"tool": "get_now", "args": {}}]});
    let ran = ran(&plan, vec![get_now(Effect::Reversible)]).await;
    assert_eq!(ran.report.end, RunEnd::Completed);
    assert!(ran.report.committed_effects);
    assert_eq!(journal(&ran.store).await, ["get_now"]);
}

#[tokio::test]
async fn what_is_risky_waits_and_leaves_no_trace() {
    let plan = json!({"steps": [{"tool": "get_now", "args": {}}]});
    let mut risky = get_now(Effect::Irreversible);
    risky.risk = Risk::High;
    let ran = ran(&plan, vec![risky]).await;
    assert!(matches!(ran.report.end, RunEnd::Paused(_)), "{:?}", ran.report.end);
    assert!(journal(&ran.store).await.is_empty());
    assert_eq!(ran.progress, 0);
}

#[tokio::test]
async fn without_a_model_a_filler_falls_back_or_the_step_fails() {
    for (filler, done) in [
        (json!({"prompt": "a word", "default": "line"}), true),
        (json!({"prompt": "a word"}), false),
    ] {
        let lines = vec![
            arg("content", json!({"type": "string"}), Class::Text),
            arg("contains", json!({"type": "string"}), Class::Words),
        ];
        let plan = json!({
            "steps": [{"tool": "filter_texts_lines", "args": {"content": "a line\nother", "contains": "${FILLER:w}"}}],
            "fillers": {"w": filler},
            "final_message": "${step1.text}"
        });
        let ran = ran(
            &plan,
            vec![pure(manifest("filter_texts_lines", Feed::None, Effect::Read, lines))],
        )
        .await;
        assert_eq!(
            ran.report.closing == Closing::Words("a line".to_owned()),
            done,
            "{:?}",
            ran.report
        );
        assert_eq!(
            ran.report.error().map(|error| error.class),
            (!done).then_some(ErrorClass::UnresolvedPlaceholder)
        );
    }
}

#[tokio::test]
async fn a_large_result_is_put_aside_and_later_steps_still_have_it() {
    let lines = vec![arg("content", json!({"type": "string"}), Class::Text)];
    let text = "a long line\n".repeat(900);
    let plan = json!({
        "steps": [{"tool": "filter_texts_lines", "args": {"content": text}}],
        "final_message": "${step1.text}"
    });
    let ran = ran(
        &plan,
        vec![pure(manifest("filter_texts_lines", Feed::None, Effect::Read, lines))],
    )
    .await;
    let Closing::Words(words) = &ran.report.closing else {
        panic!("{:?}", ran.report.end);
    };
    assert!(words.len() > 9_000);
    let handle = &ran.report.handles[&StepId(1)];
    let id = handle["scratchpad_id"].as_str().unwrap();
    assert_eq!(id.len(), 16);
    let now_ms = turn("x").now.timestamp().as_millisecond();
    let kept = ran.store.scratchpad_get(&"host".into(), id, now_ms).await.unwrap();
    assert!(kept.is_some_and(|kept| kept.starts_with("a long line")));
    let other = ran.store.scratchpad_get(&"guest_1".into(), id, now_ms).await.unwrap();
    assert_eq!(other, None);
}

#[tokio::test]
async fn a_tool_that_is_gone_is_a_failure_not_a_crash() {
    let plan = json!({"steps": [{"tool": "get_now", "args": {}}]});
    let ran = ran(&plan, Vec::new()).await;
    assert_eq!(
        ran.report.error().map(|error| error.class),
        Some(ErrorClass::CapabilityMissing)
    );
    assert_ne!(ran.report.end, RunEnd::Stopped(FinalKind::Error));
}

#[test]
fn addresses_are_found_without_the_sentence_around_them() {
    assert_eq!(
        typed_urls("fetch http://127.0.0.1:80/uuid, then (https://e.org/a?b=c)."),
        ["http://127.0.0.1:80/uuid", "https://e.org/a?b=c"]
    );
    assert!(typed_urls("nothing ftp://x here").is_empty());
}
