//! What can be known of a draft before anybody uses it: from its manifest, its parts, the tools beside it, and the
//! requests it grew out of. Reads manifests and words; asks no model and no store.

use std::{collections::BTreeSet, sync::Arc};

use jiff::Zoned;

use crate::{
    catalog::lint,
    domain::{
        ids::ExecutorName,
        lang::Lang,
        manifest::{Capability, Effect, Manifest},
    },
    engine::shortlist::ShortlistIndex,
    language::Language,
    nights::promotion::{
        cluster::Cluster,
        draft::{Draft, failed_tests},
        evaluator::Evidence,
    },
};

/// Fields by which a result says whether it is all there is.
const SAYS_HOW_MUCH: [&str; 6] = ["truncated", "count", "used", "available_total", "total", "ok_count"];
/// How far down a list a tool is still seen.
const SEEN: usize = 10;

/// What was measured of the requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Half of them took longer, while a plan had to be written; `None` when that never was measured.
    pub planned_ms: Option<f64>,
    /// Half of them took longer, answered by a plan that was there.
    pub remembered_ms: Option<f64>,
    /// Requests in sixty days.
    pub calls_60d: u32,
}

/// Other wordings of a request, in a language.
pub type Reworded<'a> = &'a dyn Fn(Lang, &str) -> Vec<String>;

/// Where the evidence is taken from.
pub struct Bench<'a> {
    /// Every executor there is.
    pub catalog: &'a [Arc<Manifest>],
    /// Reads requests.
    pub language: &'a Language,
    /// When they are read.
    pub now: &'a Zoned,
    /// Puts them in other words.
    pub reworded: Reworded<'a>,
}

/// Everything that speaks for and against a draft.
pub fn gather(draft: &Draft, cluster: &Cluster, measured: Measured, bench: &Bench<'_>) -> Evidence {
    let manifest = &draft.manifest;
    let known = |name: &ExecutorName| bench.catalog.iter().find(|one| one.name == *name).cloned();
    let parts: Vec<Arc<Manifest>> = manifest.parts().iter().filter_map(known).collect();
    let changing = || parts.iter().filter(|part| part.effect.changes_something());
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let found = Found::of(draft, cluster, bench);
    Evidence {
        name_is_good: lint::parse_name(manifest.name.as_str()).is_ok(),
        overlap: overlap(manifest, bench.catalog),
        tests: count(draft.tests.len()),
        tests_failed: count(failed_tests(manifest, &draft.tests, &known)),
        path_can_undo: changing().any(|part| part.effect == Effect::Reversible),
        can_undo: changing().all(|part| part.effect == Effect::Reversible),
        error_classes: count(failures(&parts).len()),
        is_terminal: manifest.effect.changes_something(),
        returns_only_entries: manifest.result_fields.is_empty(),
        is_honest: manifest
            .result_fields
            .iter()
            .any(|field| SAYS_HOW_MUCH.contains(&field.as_str())),
        speedup: match (measured.planned_ms, measured.remembered_ms) {
            (Some(planned), Some(remembered)) => planned / remembered.max(1.0),
            (Some(_), None) | (None, _) => 0.0,
        },
        calls_60d: measured.calls_60d,
        decided: found.decided,
        in_top10: found.in_top10,
        token_saving: token_saving(draft),
    }
}

/// The likest of the tools that do the same to the same: the share of words their phrases have in common.
fn overlap(manifest: &Manifest, catalog: &[Arc<Manifest>]) -> f64 {
    let words = |manifest: &Manifest| -> BTreeSet<String> {
        let words = manifest.affinity.iter().flat_map(|phrase| phrase.split_whitespace());
        words.map(str::to_lowercase).collect()
    };
    let own = words(manifest);
    let is_kin = |other: &&Arc<Manifest>| {
        other.name != manifest.name && (other.verb, other.object) == (manifest.verb, manifest.object)
    };
    let likeness = catalog.iter().filter(is_kin).map(|other| {
        let others = words(other);
        share(own.intersection(&others).count(), own.union(&others).count())
    });
    likeness.fold(0.0, f64::max)
}

/// The sorts of failure its parts can tell apart, by what they touch.
fn failures(parts: &[Arc<Manifest>]) -> BTreeSet<&'static str> {
    let of = |capability: &Capability| -> &[&'static str] {
        match capability {
            Capability::ComputePure | Capability::TimeRead => &["invalid_args"],
            Capability::FsRead => &["invalid_args", "not_found", "permission_denied"],
            Capability::FsWrite => &["already_exists", "permission_denied"],
            Capability::AccountRead | Capability::AccountWrite => &["auth_required", "network", "not_found"],
            Capability::NetworkHttp => &["network", "server_error", "timeout"],
            Capability::SystemRead => &["permission_denied", "not_found"],
            Capability::OcrLocal => &["not_found", "timeout"],
            Capability::LlmLocal => &["model_unavailable", "timeout"],
            Capability::MetnosRead | Capability::MetnosWrite => &["not_found", "internal"],
            Capability::SystemUndo => &["not_found", "unknown_outcome"],
            Capability::McpCall => &["network", "server_error", "timeout"],
            Capability::CodeExec => &["crashed", "non_json", "timeout"],
        }
    };
    let capabilities = parts.iter().flat_map(|part| &part.capabilities);
    capabilities.flat_map(of).copied().collect()
}

/// How much shorter the call is than the plan it stands for, in percent.
fn token_saving(draft: &Draft) -> f64 {
    let savings: Vec<f64> = draft
        .tests
        .iter()
        .map(|test| {
            let call = serde_json::json!({"steps": [{"tool": draft.manifest.name, "args": test.args}]});
            let (call, plan) = (call.to_string().len(), test.plan.to_string().len());
            100.0 * (1.0 - share(call.min(plan), plan))
        })
        .collect();
    savings.iter().sum::<f64>() / count(savings.len().max(1))
}

/// Whether the shortlist finds it.
struct Found {
    decided: f64,
    in_top10: f64,
}

impl Found {
    fn of(draft: &Draft, cluster: &Cluster, bench: &Bench<'_>) -> Self {
        let mut all = bench.catalog.to_vec();
        all.push(Arc::new(draft.manifest.clone()));
        let index = ShortlistIndex::new(&all, bench.language);
        let place = |text: &str, lang: Lang| {
            let reading = bench.language.read(text, lang, bench.now);
            let ranked = index.rank(&reading, bench.language);
            ranked.iter().position(|(name, _)| **name == draft.manifest.name)
        };
        let example = cluster
            .members
            .first()
            .map(|member| member.text.as_str())
            .unwrap_or_default();
        let wordings = Lang::BUILT_IN.into_iter().flat_map(|lang| {
            (bench.reworded)(lang, example)
                .into_iter()
                .map(move |text| (text, lang))
        });
        let first: Vec<bool> = wordings.map(|(text, lang)| place(&text, lang) == Some(0)).collect();
        let seen = |text: &str| {
            let places = Lang::BUILT_IN.into_iter().filter_map(|lang| place(text, lang));
            places.min().is_some_and(|place| place < SEEN)
        };
        let history: Vec<bool> = cluster.members.iter().map(|member| seen(&member.text)).collect();
        let part = |all: &[bool]| share(all.iter().filter(|holds| **holds).count(), all.len());
        Self {
            decided: part(&first),
            in_top10: part(&history),
        }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { count(part) / count(whole) }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
