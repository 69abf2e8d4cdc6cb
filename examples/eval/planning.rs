//! `planning`: what the composer plans with somebody else's tools, an empty plan where it hands over. Their names are
//! free and their arguments untyped, so verb, object and kinds of arguments are guessed from words here, as no manifest
//! declares them; the composer itself is the product's.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::Arc,
};

use anyhow::Context;
use jiff::Zoned;
use metnos::{
    domain::{
        lang::Lang,
        manifest::{ArgSpec, Effect, Manifest, Semantic},
        vocabulary::Verb,
    },
    engine::composer::{Composition, compose},
    language::{Concept, Language},
};
use serde_json::{Map, Value, json};

use crate::foreign;

pub(crate) fn predictor(language: Language, cases: &Path) -> anyhow::Result<crate::Predictor> {
    let shared = crate::beside(cases, "planning_catalogs.json")?;
    let shared = shared.as_object().context("the catalogs have names")?;
    let catalogs: HashMap<String, Vec<Arc<Manifest>>> = shared
        .iter()
        .map(|(name, tools)| (name.clone(), manifests(tools, &language)))
        .collect();
    let now = Zoned::default();
    Ok(Box::new(move |case| {
        let named = case["catalog"].as_str().unwrap_or_default().split('+');
        let mut tools: Vec<Arc<Manifest>> = named.filter_map(|name| catalogs.get(name)).flatten().cloned().collect();
        tools.extend(manifests(&case["tools"], &language));
        let request = case["request"].as_str().unwrap_or_default();
        let reading = language.read(request, Lang::En, &now);
        let plan = match compose(&reading, &tools, &[]) {
            Composition::Plan(plan) => numbered(&plan.to_json()),
            Composition::Unsure { .. } | Composition::Several | Composition::NoDomain(_) | Composition::Excluded => {
                Vec::new()
            }
        };
        Map::from_iter([("plan".to_owned(), Value::Array(plan))])
    }))
}

fn numbered(plan: &Value) -> Vec<Value> {
    let steps = plan["steps"].as_array().into_iter().flatten();
    (1..)
        .zip(steps)
        .map(|(number, step): (usize, &Value)| json!({"step": number, "tool": step["tool"], "args": step["args"]}))
        .collect()
}

fn manifests(tools: &Value, language: &Language) -> Vec<Arc<Manifest>> {
    let tools = tools.as_array().into_iter().flatten();
    tools.map(|tool| Arc::new(manifest(tool, language))).collect()
}

fn manifest(tool: &Value, language: &Language) -> Manifest {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (name, purpose) = (text(&tool["name"]), text(&tool["description"]));
    let words = words_of(&name);
    let mentions = language.mentions(&language.stems(&words, Lang::En), Lang::En);
    let required: Vec<&str> = tool["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut manifest = foreign::manifest(&name, &purpose, vec![words]);
    for (_, concept) in mentions {
        match concept {
            Concept::Verb(verb) => manifest.verb = manifest.verb.or(Some(verb)),
            Concept::Object(object) => manifest.object = manifest.object.or(Some(object)),
            Concept::Qualifier(_) => {}
        }
    }
    let looks = manifest.verb.is_none_or(Verb::is_safe);
    manifest.effect = if looks { Effect::Read } else { Effect::Reversible };
    let args = tool["parameters"].as_object().into_iter().flatten();
    manifest.args = args
        .map(|(name, schema)| argument(name, schema, required.contains(&name.as_str())))
        .collect();
    let fields = tool["returns"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    manifest.result_fields = fields.map(str::to_owned).collect();
    manifest
}

/// `SkyScrapperFlightSearch` and `get_all_hotels` in words.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    for character in name.chars() {
        if character.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        words.push(if character.is_alphanumeric() { character } else { ' ' });
    }
    words.to_lowercase()
}

fn argument(name: &str, schema: &Value, required: bool) -> ArgSpec {
    let semantic = match schema["type"].as_str() {
        _ if schema["enum"].is_array() => Semantic::Option,
        Some("boolean") => Semantic::Option,
        Some("integer" | "number" | "float") => Semantic::Count,
        _ if name.contains("url") => Semantic::Url,
        _ if name.contains("folder") || name.contains("dir") => Semantic::Directory,
        _ if name.contains("file") || name.contains("path") => Semantic::Path,
        _ if name.contains("content") || name.contains("message") || name.contains("body") => Semantic::Content,
        _ => Semantic::Query,
    };
    ArgSpec {
        name: name.to_owned(),
        schema: schema.clone(),
        semantic,
        required: required || schema["required"] == true,
        runtime_resolved: false,
        from_entries_key: None,
        description: BTreeMap::new(),
    }
}
