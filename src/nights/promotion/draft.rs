//! A manifest out of a family of plans, in five stages: a name by the vocabulary, a signature from the literals that
//! differ, birth tests from what was recorded, a description in every language, and the plan. Each is a checkpoint; one
//! that fails says why, and nothing after it is tried. Pure.

use std::{collections::BTreeSet, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

mod frames;

use crate::{
    catalog::lint,
    domain::{
        ids::ExecutorName,
        intent::Intent,
        lang::Lang,
        manifest::{ArgSpec, Capability, Description, Effect, Feed, Kind, Manifest},
        plan::Plan,
        reference::Argument,
        verdict::Risk,
        vocabulary::{Object, Qualifier, Verb},
    },
    engine::composite::{expand, parameter},
    nights::promotion::cluster::{Cluster, Member},
};

/// The words of a request with the kind of each value in its place, and the values.
pub type Spoken = (String, Vec<Value>);

/// Longest time limit of a composite, in seconds; it is only told, as each part has its own.
const TIMEOUT_S_MAX: u64 = 600;
/// Requests that become phrases by which the tool is found.
const PHRASES_MAX: usize = 6;

/// Why a draft stops that only lacks a name.
pub const NEEDS_NAME: &str = "draft-needs-name";

/// How far a draft has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It has a name.
    Name,
    /// It has arguments.
    Signature,
    /// It has tests.
    Tests,
    /// It has words.
    Description,
    /// It is a manifest, and its tests hold.
    Plan,
}

impl Stage {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Signature => "signature",
            Self::Tests => "tests",
            Self::Description => "description",
            Self::Plan => "plan",
        }
    }
}

/// Why a stage ended a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Which.
    pub at: Stage,
    /// Why, as the key of a sentence.
    pub why: &'static str,
}

/// One argument of the tool: which of which step it is.
#[derive(Clone, Debug, PartialEq)]
struct Parameter {
    spec: ArgSpec,
    step: usize,
    arg: String,
}

/// A recorded run: with these arguments the tool is this plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BirthTest {
    /// The request it was recorded for.
    pub request: String,
    /// What it is called with.
    pub args: Map<String, Value>,
    /// What must come out, as JSON.
    pub plan: Value,
}

/// Everything the stages made.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The tool.
    pub manifest: Manifest,
    /// Its tests.
    pub tests: Vec<BirthTest>,
}

/// A description in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// What it is for.
    pub purpose: String,
    /// When not to use it.
    pub not: String,
    /// What comes out.
    pub out: String,
}

/// An executor by name.
pub type Known<'a> = &'a dyn Fn(&ExecutorName) -> Option<Arc<Manifest>>;

/// What a draft may ask the world.
#[derive(Clone, Copy)]
pub struct Workshop<'a> {
    /// The catalog.
    pub manifest: Known<'a>,
    /// A name the host chose.
    pub named: Option<&'a str>,
    /// The words in a language, from an example.
    pub words: &'a dyn Fn(Lang, &str) -> Words,
    /// A request as it was spoken, once a way of reading it.
    pub said: &'a dyn Fn(&str) -> Vec<Spoken>,
}

/// Goes through all stages.
pub fn draft(cluster: &Cluster, workshop: &Workshop<'_>) -> Result<Draft, Stopped> {
    let first = cluster
        .members
        .first()
        .ok_or_else(|| stopped(Stage::Name, "draft-part-missing"))?;
    let parts = parts(first, workshop)?;
    let name = name(cluster, first, &parts, workshop)?;
    let parameters = signature(cluster, first, &parts)?;
    let tests = tests(cluster, &parameters)?;
    let description = description(&name, first, &parameters, workshop)?;
    let plan = template(first, &parameters);
    let frames = frames::of(cluster, &parameters, name.as_str(), workshop.said);
    let manifest = Manifest {
        frames,
        ..manifest(cluster, &parts, name, parameters, description, plan)?
    };
    if failed_tests(&manifest, &tests, workshop.manifest) > 0 {
        return Err(stopped(Stage::Plan, "draft-tests-fail"));
    }
    Ok(Draft { manifest, tests })
}

fn stopped(at: Stage, why: &'static str) -> Stopped {
    Stopped { at, why }
}

fn steps(plan: &Value) -> Vec<&Value> {
    plan.get("steps")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .collect()
}

fn args_of(plan: &Value, step: usize) -> Map<String, Value> {
    let step = steps(plan).into_iter().nth(step);
    let args = step.and_then(|step| step.get("args")).and_then(Value::as_object);
    args.cloned().unwrap_or_default()
}

/// The executors of the plan, in order; plain ones alone.
fn parts(first: &Member, workshop: &Workshop<'_>) -> Result<Vec<Arc<Manifest>>, Stopped> {
    let tools = steps(&first.plan)
        .into_iter()
        .filter_map(|step| step.get("tool")?.as_str());
    let parts: Option<Vec<_>> = tools
        .map(|tool| (workshop.manifest)(&ExecutorName::from(tool)))
        .collect();
    let is_plain = |part: &Arc<Manifest>| !matches!(part.kind, Kind::Composite { .. });
    parts
        .filter(|parts| !parts.is_empty() && parts.iter().all(is_plain))
        .ok_or_else(|| stopped(Stage::Name, "draft-part-missing"))
}

/// Stage 1: the host's word, else what is asked, with a qualifier where that name is taken.
fn name(
    cluster: &Cluster,
    first: &Member,
    parts: &[Arc<Manifest>],
    workshop: &Workshop<'_>,
) -> Result<ExecutorName, Stopped> {
    let refuse = |why| stopped(Stage::Name, why);
    let is_good = |name: &str| lint::parse_name(name).is_ok();
    let is_free = |name: &str| (workshop.manifest)(&ExecutorName::from(name)).is_none();
    if let Some(named) = workshop.named {
        return match (is_good(named), is_free(named)) {
            (true, true) => Ok(ExecutorName::from(named)),
            (false, _) => Err(refuse("draft-name-broken")),
            (true, false) => Err(refuse("draft-name-taken")),
        };
    }
    let (verb, object) = telling(&cluster.intent, parts).ok_or_else(|| refuse("draft-no-intent"))?;
    let stem = format!("{verb}_{object}");
    let said = words_of_constants(cluster, first);
    let qualified = Qualifier::ALL
        .iter()
        .filter(|qualifier| said.contains(qualifier.as_str()))
        .map(|qualifier| format!("{stem}_{qualifier}"));
    std::iter::once(stem.clone())
        .chain(qualified)
        .find(|name| is_good(name) && is_free(name))
        .map(ExecutorName::from)
        .ok_or_else(|| refuse(NEEDS_NAME))
}

/// Of several things asked, the last one says what it is for where something is changed. Else it is what its last step
/// makes of what was asked about: who asks for the two biggest files has files sorted, in whatever words.
fn telling(intent: &str, parts: &[Arc<Manifest>]) -> Option<(Verb, Object)> {
    let acts = parts.last().is_some_and(|part| part.effect.changes_something());
    let mut clauses = Intent::from_signature(intent).clauses.into_iter();
    let clause = if acts { clauses.next_back() } else { clauses.next() }?;
    let (asked, object) = clause.verb.zip(clause.object)?;
    let mut shaping = parts.iter().rev().filter_map(|part| part.verb);
    let made = shaping.find(|verb| verb.is_processor()).filter(|_| !acts);
    Some((made.unwrap_or(asked), object))
}

/// Words of what is the same in every member: "pdf" in "*.pdf".
fn words_of_constants(cluster: &Cluster, first: &Member) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for at in 0..steps(&first.plan).len() {
        for (name, value) in args_of(&first.plan, at) {
            let is_same = |member: &Member| args_of(&member.plan, at).get(&name) == Some(&value);
            if cluster.members.iter().all(is_same) {
                let text = value.to_string().to_lowercase();
                let parts = text.split(|letter: char| !letter.is_alphanumeric());
                words.extend(parts.filter(|word| !word.is_empty()).map(str::to_owned));
            }
        }
    }
    words
}

/// Stage 2: every literal that differs is an argument, of the kind it is in its own executor.
fn signature(cluster: &Cluster, first: &Member, parts: &[Arc<Manifest>]) -> Result<Vec<Parameter>, Stopped> {
    let refuse = |why| stopped(Stage::Signature, why);
    let mut parameters: Vec<Parameter> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        for (name, value) in args_of(&first.plan, at) {
            let of_members = cluster
                .members
                .iter()
                .map(|member| args_of(&member.plan, at).get(&name).cloned());
            let values: Vec<Option<Value>> = of_members.collect();
            if values.iter().all(|other| other.as_ref() == Some(&value)) {
                continue;
            }
            let is_literal = |value: &Option<Value>| {
                let argument = value.as_ref().map(Argument::parse);
                argument.is_some_and(|argument| matches!(argument, Argument::Literal(_)))
            };
            if name == "from_step" || !values.iter().all(is_literal) {
                return Err(refuse("draft-structure-differs"));
            }
            let own = part.arg(&name).ok_or_else(|| refuse("draft-part-changed"))?;
            let is_taken = parameters.iter().any(|other| other.spec.name == name);
            let called = if is_taken {
                format!("{name}_{}", at + 1)
            } else {
                name.clone()
            };
            let spec = ArgSpec {
                name: called,
                required: true,
                runtime_resolved: false,
                from_entries_key: None,
                ..own.clone()
            };
            parameters.push(Parameter {
                spec,
                step: at,
                arg: name,
            });
        }
    }
    Ok(parameters)
}

/// The plan with parameters where the values were.
fn template(first: &Member, parameters: &[Parameter]) -> Value {
    let mut plan = first.plan.clone();
    for one in parameters {
        let step = plan.get_mut("steps").and_then(|steps| steps.get_mut(one.step));
        let args = step
            .and_then(|step| step.get_mut("args"))
            .and_then(Value::as_object_mut);
        if let Some(args) = args {
            args.insert(one.arg.clone(), json!(parameter(&one.spec.name)));
        }
    }
    plan
}

/// Stage 3: what was recorded must come out again.
fn tests(cluster: &Cluster, parameters: &[Parameter]) -> Result<Vec<BirthTest>, Stopped> {
    let test = |member: &Member| {
        let args = parameters.iter().map(|one| {
            let value = args_of(&member.plan, one.step).get(&one.arg).cloned();
            Some((one.spec.name.clone(), value?))
        });
        Some(BirthTest {
            request: member.text.clone(),
            args: args.collect::<Option<_>>()?,
            plan: member.plan.clone(),
        })
    };
    let tests: Option<Vec<BirthTest>> = cluster.members.iter().map(test).collect();
    tests.ok_or_else(|| stopped(Stage::Tests, "draft-no-tests"))
}

/// Stage 4: what it is for, how it is called, what not to use it for and what comes out, in every language.
fn description(
    name: &ExecutorName,
    first: &Member,
    parameters: &[Parameter],
    workshop: &Workshop<'_>,
) -> Result<Vec<(Lang, Description)>, Stopped> {
    let called: Vec<&str> = parameters.iter().map(|one| one.spec.name.as_str()).collect();
    let described = |lang: Lang| {
        let words = (workshop.words)(lang, &first.text);
        let description = Description {
            purpose: words.purpose,
            pattern: format!("{name}({})", called.join(", ")),
            not: words.not,
            out: words.out,
        };
        (lang, description)
    };
    let all: Vec<(Lang, Description)> = Lang::BUILT_IN.into_iter().map(described).collect();
    let is_said = |(_, words): &(Lang, Description)| !words.purpose.is_empty() && !words.not.is_empty();
    all.iter()
        .all(is_said)
        .then_some(all)
        .ok_or_else(|| stopped(Stage::Description, "draft-no-words"))
}

/// Stage 5: everything put together; what its parts may do, it may.
fn manifest(
    cluster: &Cluster,
    parts: &[Arc<Manifest>],
    name: ExecutorName,
    parameters: Vec<Parameter>,
    description: Vec<(Lang, Description)>,
    plan: Value,
) -> Result<Manifest, Stopped> {
    let last = parts.last().ok_or_else(|| stopped(Stage::Plan, "draft-part-missing"))?;
    let names = lint::parse_name(name.as_str()).map_err(|_error| stopped(Stage::Plan, "draft-name-broken"))?;
    Ok(Manifest {
        version: "1.0.0".to_owned(),
        digest: String::new(),
        verb: names.verb,
        object: names.object,
        qualifier: names.qualifier,
        kind: Kind::Composite { plan },
        affinity: phrases(cluster),
        description: description.into_iter().collect(),
        args: parameters.into_iter().map(|one| one.spec).collect(),
        requires_one_of: Vec::new(),
        feed: Feed::None,
        capabilities: capabilities(parts),
        hosts: Vec::new(),
        effect: gravest(parts),
        risk: parts.iter().map(|part| part.risk).max().unwrap_or(Risk::Low),
        timeout_s: parts.iter().map(|part| part.timeout_s).sum::<u64>().min(TIMEOUT_S_MAX),
        cacheable: parts.iter().all(|part| part.cacheable),
        companions: Vec::new(),
        entry_fields: last.entry_fields.clone(),
        result_fields: last.result_fields.clone(),
        own_fields: last.own_fields.clone(),
        things: last.things.clone(),
        presentation: last.presentation.clone(),
        frames: Vec::new(),
        name,
    })
}

fn gravest(parts: &[Arc<Manifest>]) -> Effect {
    let weight = |effect: &Effect| match effect {
        Effect::Read => 0,
        Effect::Reversible => 1,
        Effect::Irreversible => 2,
        Effect::Outbound => 3,
    };
    let effects = parts.iter().map(|part| part.effect);
    effects.max_by_key(weight).unwrap_or(Effect::Read)
}

/// Computing alone is nothing to name beside what touches the world.
fn capabilities(parts: &[Arc<Manifest>]) -> Vec<Capability> {
    let all: BTreeSet<Capability> = parts
        .iter()
        .flat_map(|part| part.capabilities.iter().copied())
        .collect();
    let touching = all.into_iter().filter(|one| *one != Capability::ComputePure);
    let touching: Vec<Capability> = touching.collect();
    if touching.is_empty() {
        vec![Capability::ComputePure]
    } else {
        touching
    }
}

/// What the requests have in common, word by word, in the order each says it.
fn phrases(cluster: &Cluster) -> Vec<String> {
    let words = |member: &Member| -> Vec<String> { member.text.split_whitespace().map(str::to_owned).collect() };
    let all: Vec<Vec<String>> = cluster.members.iter().map(words).collect();
    let is_common = |word: &&String| all.iter().all(|words| words.contains(word));
    let mut phrases: Vec<String> = Vec::new();
    for words in all.iter().take(PHRASES_MAX) {
        let phrase: Vec<&str> = words.iter().filter(is_common).map(String::as_str).collect();
        let phrase = phrase.join(" ");
        if !phrase.is_empty() && !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    if phrases.is_empty() {
        phrases.extend(cluster.members.first().map(|member| member.text.clone()));
    }
    phrases
}

/// How many birth tests do not hold: called with the arguments of a run, the tool must be that run's plan.
pub fn failed_tests(manifest: &Manifest, tests: &[BirthTest], known: Known<'_>) -> usize {
    let own = Arc::new(manifest.clone());
    let with_it = |name: &ExecutorName| {
        if *name == own.name {
            Some(Arc::clone(&own))
        } else {
            known(name)
        }
    };
    let holds = |test: &&BirthTest| {
        let call = json!({"steps": [{"tool": manifest.name, "args": test.args}]});
        let called = Plan::from_json(&call).map(|plan| expand(plan, &with_it).to_json());
        let recorded = Plan::from_json(&test.plan).map(|plan| plan.to_json());
        called.is_ok() && called == recorded
    };
    tests.iter().filter(|test| !holds(test)).count()
}

#[cfg(test)]
mod checks;
