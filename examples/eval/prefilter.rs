//! `prefilter`: every executor of a foreign catalog, ranked for a request. The catalog lies beside the cases.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use anyhow::Context;
use jiff::Zoned;
use metnos::{
    domain::{
        ids::ExecutorName,
        lang::Lang,
        manifest::{Description, Effect, Feed, Kind, Manifest, Presentation},
        verdict::Risk,
        vocabulary::{Object, Qualifier, Verb},
    },
    engine::shortlist::ShortlistIndex,
    language::Language,
};
use serde_json::{Map, Value, json};

pub(crate) fn predictor(language: Language, cases: &Path) -> anyhow::Result<crate::Predictor> {
    let index = ShortlistIndex::new(&catalog(cases)?, &language);
    let now = Zoned::default();
    Ok(Box::new(move |case| {
        let query = case["query"].as_str().unwrap_or_default();
        let reading = language.read(query, Lang::It, &now);
        let ranked = index.rank(&reading, &language);
        let names: Vec<&str> = ranked.iter().map(|(name, _)| name.as_str()).collect();
        Map::from_iter([("ranked".to_owned(), json!(names))])
    }))
}

/// The manifests of `prefilter_catalog.json` in the folder of the cases.
fn catalog(cases: &Path) -> anyhow::Result<Vec<Arc<Manifest>>> {
    let path = cases.with_file_name("prefilter_catalog.json");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let tools: Vec<Value> = serde_json::from_str(&text).context("parsing the catalog")?;
    Ok(tools.iter().map(|tool| Arc::new(manifest(tool))).collect())
}

/// What our shortlist looks at, taken from a description in another format.
fn manifest(tool: &Value) -> Manifest {
    let name = tool["name"].as_str().unwrap_or_default();
    let mut parts = name.splitn(3, '_');
    let verb = parts.next().and_then(Verb::parse);
    let strings = |value: &Value| -> Vec<String> {
        let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    let description = Description {
        purpose: tool["description"].as_str().unwrap_or_default().to_owned(),
        pattern: String::new(),
        not: String::new(),
        out: String::new(),
    };
    let looks = verb.is_none_or(Verb::is_safe);
    Manifest {
        name: ExecutorName::from(name),
        version: "1.0.0".to_owned(),
        digest: name.to_owned(),
        verb,
        object: parts.next().and_then(Object::parse),
        qualifier: parts.next().and_then(Qualifier::parse),
        kind: Kind::Builtin,
        affinity: strings(&tool["affinity"]),
        description: BTreeMap::from([(Lang::It, description)]),
        args: Vec::new(),
        requires_one_of: Vec::new(),
        feed: Feed::None,
        capabilities: Vec::new(),
        effect: if looks { Effect::Read } else { Effect::Reversible },
        risk: Risk::Low,
        timeout_s: 30,
        cacheable: true,
        companions: Vec::new(),
        entry_fields: Vec::new(),
        result_fields: Vec::new(),
        presentation: Presentation::Text("text".to_owned()),
    }
}
