//! `planning`: what the composer plans with somebody else's tools, an empty plan where it hands over; with the
//! address of a llama-server, what the proposer plans of them in one call, an empty plan where that is no valid one.
//! Their names are free and their arguments untyped, so verb, object and kinds of arguments are guessed from words
//! here, as no manifest declares them; shortlist, composer, proposer and validator are the product's.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::Arc,
};

use anyhow::Context;
use jiff::Zoned;
use metnos::{
    config::{LlmConfig, Tiers},
    domain::{
        ids::ExecutorName,
        kind::Class,
        lang::Lang,
        limits::{INTENT_CONFIDENCE_MIN, POOL_SIZE},
        manifest::{ArgSpec, Effect, Manifest},
        plan::{Plan, Proposed},
        vocabulary::Verb,
    },
    engine::{
        composer::{Composition, compose},
        proposer::{Asked, Proposal, ProposalRequest, Said, Surroundings, Toolbox, propose},
        shortlist::ShortlistIndex,
        validator::{ValidationContext, validate},
    },
    language::{Concept, Language, Reading},
    llm::{LlmClient, Meter},
};
use serde_json::{Map, Value, json};

use crate::foreign;

/// Seconds a plan may take: two cores are slow, and here nobody waits.
const PLAN_TIMEOUT_S: u64 = 600;

pub(crate) fn predictor(language: Language, cases: &Path, llm: Option<&str>) -> anyhow::Result<crate::Predictor> {
    let shared = crate::beside(cases, "planning_catalogs.json")?;
    let shared = shared.as_object().context("the catalogs have names")?;
    let catalogs: HashMap<String, Vec<Arc<Manifest>>> = shared
        .iter()
        .map(|(name, tools)| (name.clone(), manifests(tools, &language)))
        .collect();
    let now = Zoned::default();
    let model = llm.map(Model::at).transpose()?;
    Ok(Box::new(move |case| {
        let named = case["catalog"].as_str().unwrap_or_default().split('+');
        let mut tools: Vec<Arc<Manifest>> = named.filter_map(|name| catalogs.get(name)).flatten().cloned().collect();
        tools.extend(manifests(&case["tools"], &language));
        let request = case["request"].as_str().unwrap_or_default();
        let reading = language.read(request, Lang::EN, &now);
        let plan = match &model {
            Some(model) => model.plan(&reading, &tools, &language),
            None => composed(&reading, &tools).ok_or_else(|| "handed over".to_owned()),
        };
        let (plan, why) = match plan {
            Ok(plan) => (numbered(&plan), Value::Null),
            Err(why) => (Vec::new(), Value::String(why)),
        };
        Map::from_iter([("plan".to_owned(), Value::Array(plan)), ("why".to_owned(), why)])
    }))
}

fn composed(reading: &Reading, tools: &[Arc<Manifest>]) -> Option<Value> {
    match compose(reading, tools, &[]) {
        Composition::Plan(plan) => Some(plan.to_json()),
        Composition::Unsure { .. }
        | Composition::Several
        | Composition::NoDomain(_)
        | Composition::NotThere(_)
        | Composition::Excluded => None,
    }
}

/// The server that is asked for plans.
struct Model {
    client: LlmClient,
    runtime: tokio::runtime::Runtime,
}

impl Model {
    fn at(url: &str) -> anyhow::Result<Self> {
        let config = LlmConfig {
            url: Some(url.to_owned()),
            tiers: Tiers::default().waiting(PLAN_TIMEOUT_S, PLAN_TIMEOUT_S),
            ..LlmConfig::default()
        };
        Ok(Self {
            client: LlmClient::new(&config)?,
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build()?,
        })
    }

    /// One call, as in a turn where code has no plan; what the validator refuses is none, and why is said.
    fn plan(&self, reading: &Reading, tools: &[Arc<Manifest>], language: &Language) -> Result<Value, String> {
        // Tools of others, as if somebody had installed them: the model is shown what the shortlist chose and no other.
        let toolbox = Toolbox {
            stable: Vec::new(),
            chosen: ShortlistIndex::new(tools, language).shortlist(reading, language, POOL_SIZE),
        };
        let now = Zoned::default();
        let request = ProposalRequest {
            request: &reading.original,
            lang: reading.lang,
            toolbox: &toolbox,
            around: &Surroundings::default(),
            excluded: &[],
            errors: &[],
            now: &now,
        };
        let meter = Meter::default();
        let proposal = self.runtime.block_on(propose(&self.client, &request, &meter));
        let plan = said(proposal.map_err(|error| error.to_string())?)?;
        let by_name = |name: &ExecutorName| tools.iter().find(|tool| tool.name == *name).cloned();
        let context = ValidationContext::new(&reading.original, &reading.required_verbs);
        let plan = validate(plan, &by_name, &context).map_err(|errors| format!("{errors:?}"))?;
        Ok(plan.to_json())
    }
}

/// The plan, if that is what the model is sure of; else why there is none.
fn said(proposal: Proposal) -> Result<Plan<Proposed>, String> {
    let Proposal {
        asked: Asked { confidence, .. },
        said,
    } = proposal;
    match said {
        Said::Plan(plan) if confidence >= INTENT_CONFIDENCE_MIN => Ok(plan),
        Said::Plan(_) => Err(format!("unsure: {confidence}")),
        Said::Answer(words) => Err(format!("words: {words}")),
        Said::CannotDo { missing } => Err(format!("missing: {missing}")),
        Said::Unsure { question, .. } => Err(format!("asks: {question}")),
    }
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
    let mentions = language.mentions(&language.stems(&words, Lang::EN), Lang::EN);
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
    let class = match schema["type"].as_str() {
        _ if schema["enum"].is_array() => Class::Choice,
        Some("boolean") => Class::Choice,
        Some("integer" | "number" | "float") => Class::Number,
        _ if name.contains("url") => Class::Address,
        _ if name.contains("folder") || name.contains("dir") => Class::Folder,
        _ if name.contains("file") || name.contains("path") => Class::File,
        _ if name.contains("content") || name.contains("message") || name.contains("body") => Class::Text,
        _ => Class::Words,
    };
    // What these catalogs write into a schema beside the schema.
    let mut plain = schema.clone();
    if let Some(fields) = plain.as_object_mut() {
        fields.retain(|field, value| field != "required" || value.is_array());
        if let Some(Value::String(kind)) = fields.remove("type")
            && let Some(kind) = plain_type(&kind)
        {
            fields.insert("type".to_owned(), json!(kind));
        }
    }
    ArgSpec {
        name: name.to_owned(),
        schema: plain,
        required: required || schema["required"] == true,
        runtime_resolved: false,
        role: None,
        kind: Some(class.as_str().to_owned()),
        does: None,
        from_entries_key: None,
        description: BTreeMap::new(),
    }
}

/// A type as JSON Schema names it; `None` for whatever may be anything.
fn plain_type(kind: &str) -> Option<&'static str> {
    match kind.to_ascii_lowercase().as_str() {
        "integer" => Some("integer"),
        "number" | "float" => Some("number"),
        "boolean" => Some("boolean"),
        "array" | "tuple" => Some("array"),
        "object" | "dict" => Some("object"),
        "any" | "none" => None,
        _ => Some("string"),
    }
}
