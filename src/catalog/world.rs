//! World signatures: what a remembered plan must still find unchanged to be served.
//! Computed from manifests alone, so that a new or changed executor invalidates by itself what it should, and nothing
//! else: how people ask for a tool is no part of what a plan asks of it. `dispatch` signs and compares, `app` signs
//! again what an older version signed.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::{Value, json};

use super::Catalog;
use crate::domain::{
    ids::ExecutorName,
    intent::{Clause, Intent, short_hash},
    manifest::{Capability, Kind, Manifest},
    vocabulary::{Object, Verb},
};

/// What signatures of today's form begin with. Others were made of the whole text of manifests, words included.
pub const SIGNED_AS: &str = "2:";

impl Catalog {
    /// A hash of what a plan asks of its tools as they are today: names, effects, capabilities, and the schemas of the
    /// arguments that it gives. Words, roles, frames and arguments it does not give may change. `None` when a tool is
    /// gone.
    pub fn tools_signature(&self, plan: &Value) -> Option<String> {
        let tools = self.contracts(plan)?;
        let tools: Vec<String> = tools.into_iter().collect();
        Some(format!("{SIGNED_AS}{}", short_hash(tools.join("\n").as_bytes())))
    }

    /// A hash of the names that could answer this intent better than the plan, which has no tool for it: changes when
    /// one appears or goes. Where the plan has one, no sibling unseats it.
    pub fn pool_signature(&self, intent: &Intent, plan: &Value) -> String {
        let tools: Vec<&Arc<Manifest>> = steps(plan).filter_map(|step| self.get(&tool(step)?)).collect();
        let families = intent.clauses.iter().map(|clause| {
            let is_at_home = tools.iter().any(|manifest| serves(manifest, *clause));
            if is_at_home {
                String::new()
            } else {
                self.family(*clause)
            }
        });
        short_hash(families.collect::<Vec<_>>().join(";").as_bytes())
    }

    /// Both, for a plan that is remembered for an intent.
    pub fn signatures(&self, plan: &Value, intent: &str) -> Option<(String, String)> {
        let pool = self.pool_signature(&Intent::from_signature(intent), plan);
        Some((self.tools_signature(plan)?, pool))
    }

    /// What each step asks of its tool, each once.
    fn contracts(&self, plan: &Value) -> Option<BTreeSet<String>> {
        let mut contracts = BTreeSet::new();
        for step in steps(plan) {
            let manifest = self.get(&tool(step)?)?;
            contracts.insert(contract(manifest, step));
            // A composite is what its parts are.
            if let Kind::Composite { plan } = &manifest.kind {
                contracts.extend(self.contracts(plan)?);
            }
        }
        Some(contracts)
    }

    /// The names that could serve a clause. A part that was not understood stands for any.
    fn family(&self, clause: Clause) -> String {
        let names: Vec<&str> = self
            .all()
            .iter()
            // What grew out of some requests does those, and is no better tool for others that sound alike.
            .filter(|manifest| serves(manifest, clause) && !matches!(manifest.kind, Kind::Composite { .. }))
            .map(|manifest| manifest.name.as_str())
            .collect();
        names.join(",")
    }
}

fn steps(plan: &Value) -> impl Iterator<Item = &Value> {
    plan.get("steps").and_then(Value::as_array).into_iter().flatten()
}

fn tool(step: &Value) -> Option<ExecutorName> {
    Some(ExecutorName::from(step.get("tool")?.as_str()?))
}

/// What a step relies on of its tool.
fn contract(manifest: &Manifest, step: &Value) -> String {
    let given = step.get("args").and_then(Value::as_object);
    let args: BTreeMap<&str, Value> = given
        .into_iter()
        .flatten()
        .filter_map(|(name, _)| Some((name.as_str(), bare(&manifest.arg(name)?.schema))))
        .collect();
    let mut capabilities = manifest.capabilities.clone();
    // What it is read with is no part of what is read: words in pictures came later than the plans that read files.
    capabilities.retain(|capability| *capability != Capability::OcrLocal);
    capabilities.sort();
    let plan = match &manifest.kind {
        Kind::Composite { plan } => plan,
        Kind::Builtin | Kind::Program { .. } | Kind::Mcp(_) => &Value::Null,
    };
    json!([manifest.name, manifest.effect, capabilities, args, plan]).to_string()
}

/// A schema without what only explains it, and without the values of a choice: whether a plan's own is still one of
/// them is what the validator sees.
fn bare(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let kept = fields
                .iter()
                .filter(|(name, value)| !EXPLAINS.contains(&name.as_str()) || value.is_object());
            Value::Object(kept.map(|(name, field)| (name.clone(), bare(field))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(bare).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

const EXPLAINS: [&str; 5] = ["description", "title", "examples", "$comment", "enum"];

fn serves(manifest: &Manifest, clause: Clause) -> bool {
    let (Some(verb), Some(object)) = (manifest.verb, manifest.object) else {
        return false;
    };
    let verb_fits = clause
        .verb
        .is_none_or(|wanted| wanted == verb || (wanted.is_producer() && Verb::is_producer(verb)));
    let object_fits = clause.object.is_none_or(|wanted| {
        wanted == object
            || (matches!(wanted, Object::Images | Object::Texts) && matches!(object, Object::Files | Object::Dirs))
    });
    verb_fits && object_fits && (clause.verb.is_some() || clause.object.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::parse::parse;

    const FIND_FILES: &str = include_str!("../../executors/find_files/manifest.toml");

    /// Like `find_files`, under another name and with something else in its text.
    fn named(full: &str, change: impl Fn(String) -> String) -> Manifest {
        let text = change(FIND_FILES.replace("\"find_files\"", &format!("\"{full}\"")));
        parse(text.as_bytes()).unwrap().manifest
    }

    fn of(names: &[&str]) -> Catalog {
        Catalog::from_manifests(names.iter().map(|full| named(full, |text| text)).collect())
    }

    fn intent(verb: Verb, object: Object) -> Intent {
        Intent {
            clauses: vec![Clause {
                verb: Some(verb),
                object: Some(object),
            }],
            keywords: Vec::new(),
            confidence: 1.0,
        }
    }

    fn plan(tools: &[&str]) -> Value {
        let step = |tool: &&str| json!({"tool": tool, "args": {"base_path": "~/docs", "pattern": "*.pdf"}});
        json!({"steps": tools.iter().map(step).collect::<Vec<_>>()})
    }

    #[test]
    fn only_what_a_plan_asks_of_its_tools_is_signed() {
        let today = of(&["find_files", "sort_entries"]);
        let signed = |change: &dyn Fn(String) -> String| {
            let catalog = Catalog::from_manifests(vec![named("find_files", change)]);
            catalog.tools_signature(&plan(&["find_files"])).unwrap()
        };
        let before = today.tools_signature(&plan(&["find_files"])).unwrap();
        let harmless = [
            ("version = \"1.1.0\"", "version = \"9.0.0\""),
            ("\"search files\"", "\"search files\", \"hunt for\""),
            ("purpose = \"Finds", "purpose = \"Really finds"),
            ("en = \"the folder to search, such as ~/docs\"", "en = \"where\""),
            ("risk = \"low\"", "risk = \"medium\""),
            ("schema = { type = \"boolean\" }", "schema = { type = \"string\" }"),
        ];
        for (from, to) in harmless {
            assert!(FIND_FILES.contains(from), "{from}");
            assert_eq!(signed(&|text| text.replace(from, to)), before, "{from}");
        }
        let telling = [
            ("[\"fs:read\"]", "[\"fs:read\", \"network:http\"]"),
            ("schema = { type = \"string\" }", "schema = { type = \"integer\" }"),
        ];
        for (from, to) in telling {
            assert!(FIND_FILES.contains(from), "{from}");
            assert_ne!(signed(&|text| text.replace(from, to)), before, "{from}");
        }
        let (two, turned) = (
            plan(&["find_files", "sort_entries"]),
            plan(&["sort_entries", "find_files", "find_files"]),
        );
        assert_eq!(today.tools_signature(&two), today.tools_signature(&turned));
        assert_eq!(today.tools_signature(&plan(&["read_files"])), None);
    }

    #[test]
    fn a_pool_counts_where_the_plan_has_no_tool_of_its_own_for_what_is_asked() {
        let before = of(&["find_files", "sort_entries"]);
        let grown = of(&["find_files", "find_files_pdf", "sort_entries"]);
        let same = |asked: &Intent, tools: &[&str]| {
            before.pool_signature(asked, &plan(tools)) == grown.pool_signature(asked, &plan(tools))
        };
        let listing = intent(Verb::List, Object::Files);
        assert!(!same(&listing, &["sort_entries"]), "producers stand for each other");
        assert!(same(&listing, &["find_files"]), "it has one already");
        assert!(
            !same(&intent(Verb::Read, Object::Texts), &["sort_entries"]),
            "texts may be files"
        );
        assert!(same(&intent(Verb::Sort, Object::Entries), &["find_files"]));
    }
}
