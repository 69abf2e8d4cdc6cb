//! The judge: does this step look like what was asked, 0 to 1? `policy::check` asks it last.
//! Rules only, microseconds, no model. Below the household's threshold the step does not run.

use serde_json::{Map, Value};

use super::{CheckRequest, Ruling};
use crate::domain::{
    manifest::{Capability, Effect, Manifest},
    message::Message,
};

/// Where every step with an effect starts.
const BASE: f64 = 0.7;
/// The request names what the executor does.
const NAMED_BONUS: f64 = 0.1;
/// Nothing of ours is changed but files and records that undo can bring back.
const MILD_BONUS: f64 = 0.05;
/// A path climbs out of its folder.
const CLIMBING_MALUS: f64 = 0.2;
/// An argument nobody declared, or one with odd characters in its name: a confused or a steered planner.
const ODD_KEY_MALUS: f64 = 0.1;
/// It leaves the machine or cannot be undone, and no word of the request calls for it.
const UNASKED_MALUS: f64 = 0.3;
/// Shortest part of a name or of an affinity phrase that counts as naming.
const WORD_CHARS_MIN: usize = 3;

/// How well the step fits; 1 for what only looks.
pub(super) fn score(request: &CheckRequest<'_>) -> f64 {
    let manifest = request.manifest;
    if !manifest.effect.changes_something() {
        return 1.0;
    }
    let named = is_named(manifest, request.request);
    let grave =
        matches!(manifest.effect, Effect::Irreversible | Effect::Outbound) || manifest.has(Capability::CodeExec);
    let odd = odd_keys(manifest, request.args);
    let mut score = BASE;
    if named {
        score += NAMED_BONUS;
    }
    if !grave {
        score += MILD_BONUS;
    }
    if grave && !named {
        score -= UNASKED_MALUS;
    }
    if request.args.values().any(climbs) {
        score -= CLIMBING_MALUS;
    }
    for _ in 0..odd {
        score -= ODD_KEY_MALUS;
    }
    score.clamp(0.0, 1.0)
}

/// Blocks what fits too badly.
pub(super) fn rule(manifest: &Manifest, score: f64, threshold: f64) -> Ruling {
    if score < threshold {
        Ruling::block(Message::new("policy-judge").with("executor", manifest.name.as_str()))
    } else {
        Ruling::allow()
    }
}

fn is_named(manifest: &Manifest, request: &str) -> bool {
    let request = request.to_lowercase();
    let said = |word: &str| word.chars().count() >= WORD_CHARS_MIN && request.contains(word);
    manifest.name.as_str().split('_').any(said)
        || manifest
            .affinity
            .iter()
            .any(|phrase| phrase.to_lowercase().split_whitespace().any(said))
}

fn climbs(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('/') && text.split('/').any(|part| part == ".."),
        Value::Array(values) => values.iter().any(climbs),
        Value::Object(fields) => fields.values().any(climbs),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn odd_keys(manifest: &Manifest, args: &Map<String, Value>) -> usize {
    let plain = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let declared = |key: &str| manifest.arg(key).is_some() || key == "from_step" || key == "entries";
    args.keys().filter(|key| !plain(key) || !declared(key)).count()
}
