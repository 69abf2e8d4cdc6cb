//! `prefilter`: every executor of a foreign catalog, ranked for a request. The catalog lies beside the cases; `TOOLS`
//! fills it up with executors made of the closed vocabulary, which answer to the same words as the real ones. `ms` is
//! the ranking alone: a request is read once, whatever its executors are.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
    sync::Arc,
    time::Instant,
};

use anyhow::Context;
use jiff::Zoned;
use metnos::{
    domain::{
        lang::Lang,
        manifest::Manifest,
        vocabulary::{Object, Qualifier, Verb},
    },
    engine::shortlist::ShortlistIndex,
    language::Language,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::foreign;

const CONCEPTS: [&str; 2] = [
    include_str!("../../locales/it/concepts.toml"),
    include_str!("../../locales/en/concepts.toml"),
];
/// Words of its verb that a made-up executor answers to, per language, as in the bench the cases come from.
const VERB_WORDS: usize = 3;
/// Words of its object, in both languages together.
const OBJECT_WORDS: usize = 4;
/// Words of either in what it says of itself.
const SAID_WORDS: usize = 2;
/// Every so manieth made-up executor has a qualifier too.
const QUALIFIED: usize = 3;

pub(crate) fn predictor(language: Language, cases: &Path, tools: Option<usize>) -> anyhow::Result<crate::Predictor> {
    let mut catalog = catalog(cases)?;
    if let Some(tools) = tools {
        fill_up(&mut catalog, tools)?;
    }
    let index = ShortlistIndex::new(&catalog, &language);
    let now = Zoned::default();
    Ok(Box::new(move |case| {
        let query = case["query"].as_str().unwrap_or_default();
        let reading = language.read(query, Lang::IT, &now);
        let started = Instant::now();
        let ranked = index.rank(&reading, &language);
        let ms = crate::ms_since(started);
        let names: Vec<&str> = ranked.iter().map(|(name, _)| name.as_str()).collect();
        Map::from_iter([("ranked".to_owned(), json!(names)), ("ms".to_owned(), json!(ms))])
    }))
}

/// The manifests of `prefilter_catalog.json` in the folder of the cases.
fn catalog(cases: &Path) -> anyhow::Result<Vec<Arc<Manifest>>> {
    let tools = crate::beside(cases, "prefilter_catalog.json")?;
    let strings = |value: &Value| -> Vec<String> {
        let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    let tools = tools.as_array().context("a catalog is a list")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(tools
        .iter()
        .map(|tool| {
            let (name, purpose) = (text(&tool["name"]), text(&tool["description"]));
            Arc::new(foreign::manifest(&name, &purpose, strings(&tool["affinity"])))
        })
        .collect())
}

#[derive(Deserialize)]
struct Concepts {
    verbs: BTreeMap<String, Vec<String>>,
    objects: BTreeMap<String, Vec<String>>,
}

/// Adds recombinations of the vocabulary until there are so many executors, always the same ones.
fn fill_up(catalog: &mut Vec<Arc<Manifest>>, tools: usize) -> anyhow::Result<()> {
    let concepts: Vec<Concepts> = CONCEPTS
        .iter()
        .map(|text| toml::from_str(text))
        .collect::<Result<_, _>>()
        .context("reading the words of the vocabulary")?;
    let words = |pick: fn(&Concepts) -> &BTreeMap<String, Vec<String>>, word: &str| -> Vec<String> {
        let lists = concepts.iter().filter_map(|concepts| pick(concepts).get(word));
        lists.flat_map(|forms| forms.iter().take(VERB_WORDS)).cloned().collect()
    };
    let mut taken: HashSet<String> = catalog.iter().map(|tool| tool.name.to_string()).collect();
    let mut random: usize = 42;
    let mut pick = |many: usize| {
        // The constants of Knuth's MMIX; the high bits are the good ones.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % many
    };
    while catalog.len() < tools {
        let verb = Verb::ALL[pick(Verb::ALL.len())].as_str();
        let object = Object::ALL[pick(Object::ALL.len())].as_str();
        let mut name = format!("{verb}_{object}");
        if pick(QUALIFIED) == 0 {
            name = format!("{name}_{}", Qualifier::ALL[pick(Qualifier::ALL.len())]);
        }
        if !taken.insert(name.clone()) {
            continue;
        }
        let verb_words = words(|concepts| &concepts.verbs, verb);
        let mut object_words = words(|concepts| &concepts.objects, object);
        object_words.truncate(OBJECT_WORDS);
        let said = verb_words
            .iter()
            .take(SAID_WORDS)
            .chain(object_words.iter().take(SAID_WORDS));
        let purpose = said.cloned().collect::<Vec<_>>().join(" ");
        let own = [verb.to_owned(), object.to_owned()];
        let affinity = verb_words.into_iter().chain(object_words).chain(own).collect();
        catalog.push(Arc::new(foreign::manifest(&name, &purpose, affinity)));
    }
    Ok(())
}
