//! Manifests for tests: those that are shipped, and small ones written in a test. Knows only the shape of the file.

#![expect(clippy::unwrap_used, reason = "a manifest that cannot be read fails the test")]

use std::{collections::BTreeMap, path::Path};

use metnos::domain::{
    ids::ExecutorName,
    lang::Lang,
    manifest::{ArgSpec, Description, Feed, Kind, Manifest, Presentation},
    verdict::Risk,
    vocabulary::{Object, Verb},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A shipped manifest.
pub(crate) fn shipped(name: &str) -> Manifest {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("executors/{name}/manifest.toml"));
    parse(&std::fs::read_to_string(path).unwrap())
}

/// The names of all shipped manifests.
pub(crate) fn shipped_names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("executors");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A manifest from its text; what is left out has a harmless default.
pub(crate) fn parse(text: &str) -> Manifest {
    let raw: Value = toml::from_str(text).unwrap();
    let name = raw["name"].as_str().unwrap();
    let mut words = name.split('_');
    let kind = match raw["kind"].as_str() {
        Some("program") => Kind::Program {
            files: of(&raw["code"]["files"]).unwrap(),
        },
        _ => Kind::Builtin,
    };
    Manifest {
        name: ExecutorName::from(name),
        version: "1.0.0".to_owned(),
        digest: String::new(),
        verb: words.next().and_then(Verb::parse),
        object: words.next().and_then(Object::parse),
        qualifier: None,
        kind,
        affinity: of(&raw["affinity"]).unwrap_or_default(),
        description: descriptions(&raw["description"]),
        args: raw["args"].as_array().into_iter().flatten().map(arg).collect(),
        requires_one_of: of(&raw["requires_one_of"]).unwrap_or_default(),
        feed: of(&raw["feed"]).unwrap_or(Feed::None),
        capabilities: of(&raw["capabilities"]).unwrap(),
        hosts: Vec::new(),
        effect: of(&raw["effect"]).unwrap(),
        risk: risk(raw["risk"].as_str().unwrap_or("low")),
        timeout_s: raw["timeout_s"].as_u64().unwrap_or(30),
        cacheable: raw["cacheable"].as_bool().unwrap_or(true),
        companions: of(&raw["companions"]).unwrap_or_default(),
        entry_fields: of(&raw["output"]["entry_fields"]).unwrap_or_default(),
        result_fields: of(&raw["output"]["result_fields"]).unwrap_or_default(),
        own_fields: of(&raw["output"]["own_fields"]).unwrap_or_default(),
        things: of(&raw["output"]["things"]),
        presentation: presentation(&raw["presentation"]),
        frames: of(&raw["frames"]).unwrap_or_default(),
    }
}

fn of<T: DeserializeOwned>(value: &Value) -> Option<T> {
    (!value.is_null()).then(|| serde_json::from_value(value.clone()).unwrap())
}

fn risk(text: &str) -> Risk {
    match text {
        "low" => Risk::Low,
        "medium" => Risk::Medium,
        "high" => Risk::High,
        _ => Risk::Critical,
    }
}

fn descriptions(raw: &Value) -> BTreeMap<Lang, Description> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Lang::BUILT_IN
        .into_iter()
        .filter_map(|lang| Some((lang, raw.get(lang.code())?)))
        .map(|(lang, raw)| {
            let description = Description {
                purpose: text(&raw["purpose"]),
                pattern: text(&raw["pattern"]),
                not: text(&raw["not"]),
                out: text(&raw["out"]),
            };
            (lang, description)
        })
        .collect()
}

fn arg(raw: &Value) -> ArgSpec {
    ArgSpec {
        name: raw["name"].as_str().unwrap().to_owned(),
        schema: raw.get("schema").cloned().unwrap_or(json!({"type": "string"})),
        required: raw["required"].as_bool().unwrap_or(false),
        runtime_resolved: false,
        role: of(&raw["role"]),
        kind: of(&raw["kind"]),
        does: of(&raw["does"]),
        from_entries_key: of(&raw["from_entries_key"]),
        description: of(&raw["description"]).unwrap_or_default(),
    }
}

fn presentation(raw: &Value) -> Presentation {
    if let Some(text) = raw["text"].as_str() {
        Presentation::Text(text.to_owned())
    } else if let Some(sentence) = raw["sentence"].as_str() {
        Presentation::Sentence(sentence.to_owned())
    } else {
        Presentation::Entries(of(&raw["entries"]).unwrap_or_default())
    }
}
