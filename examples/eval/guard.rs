//! `guard`: what policy says to a target. A path is read, a nested call is checked as the tool it names, a command is
//! given to an executor that runs code. A sentence of a person has no target of its own: the places it names are
//! checked as if a step read or deleted them.

use std::{collections::BTreeMap, path::Path};

use jiff::Zoned;
use metnos::{
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::ActorId,
        kind::Class,
        lang::Lang,
        manifest::{ArgSpec, Capability, Manifest},
        verdict::{Decision, Risk},
    },
    engine::patterns::{PatternMatch, Patterns, household::Household, trust::Speaker},
    language::{FactKind, Language},
    policy::{self, CheckRequest},
};
use serde_json::{Map, Value, json};

use crate::foreign;

const HOME: &str = "/home/user";

pub(crate) fn predictor(language: Language, patterns: Patterns) -> crate::Predictor {
    let now = Zoned::default();
    Box::new(move |case| {
        let value = &case["value"];
        let tool = case["tool"].as_str().unwrap_or("read_files");
        let denied = match case["surface"].as_str() {
            Some("path_arg") => is_denied(&manifest(tool, &["path"]), &json!({"path": value})),
            Some("tool_args") => {
                let names: Vec<&str> = value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.as_str())
                    .collect();
                is_denied(&manifest(tool, &names), value)
            }
            Some("shell") => is_denied(&manifest("admin", &["command"]), &json!({"command": value})),
            _ => {
                let text = value.as_str().unwrap_or_default();
                let lang = if case["lang"] == "it" { Lang::IT } else { Lang::EN };
                let reading = language.read(text, lang, &now);
                let places = reading
                    .facts
                    .iter()
                    .filter(|fact| matches!(fact.kind, FactKind::Path | FactKind::Url));
                let meant = patterns.matching(text, &Speaker::host(lang), &Household::default());
                let mut denied = matches!(meant, PatternMatch::Refuse(_));
                for place in places {
                    denied |= is_denied(&manifest("read_files", &["path"]), &json!({"path": place.text()}));
                }
                denied
            }
        };
        Map::from_iter([("decision".to_owned(), json!(if denied { "deny" } else { "allow" }))])
    })
}

fn is_denied(manifest: &Manifest, args: &Value) -> bool {
    let (Some(args), Ok(actor)) = (args.as_object(), serde_json::from_value::<Actor>(host())) else {
        return true;
    };
    let verdict = policy::check(&CheckRequest {
        manifest,
        args,
        target_count: 1,
        risk_min: Risk::Low,
        is_doubtful: false,
        actor: &actor,
        request: "",
        home: Path::new(HOME),
        data_dir: Path::new("/home/user/.local/share/metnos"),
        protected: &[],
        shared: &[],
        judge_threshold: 0.30,
    });
    verdict.decision == Decision::Block
}

fn host() -> Value {
    let actor = Actor {
        id: ActorId::from("host"),
        role: Role::Host,
        name: "host".to_owned(),
        lang: Lang::EN,
        timezone: "Europe/Rome".to_owned(),
        autonomy: Autonomy::A4,
    };
    serde_json::to_value(actor).unwrap_or_default()
}

/// A tool with these arguments, and the capabilities its verb needs.
fn manifest(name: &str, args: &[&str]) -> Manifest {
    let mut manifest = foreign::manifest(name, "", vec![name.replace('_', " ")]);
    manifest.args = args.iter().map(|name| arg(name)).collect();
    manifest.capabilities = match name {
        "admin" => vec![Capability::CodeExec],
        "get_urls" | "read_urls_html" => vec![Capability::NetworkHttp],
        _ if manifest.effect.changes_something() || manifest.verb.is_none() => {
            vec![Capability::FsRead, Capability::FsWrite]
        }
        _ => vec![Capability::FsRead],
    };
    manifest
}

fn arg(name: &str) -> ArgSpec {
    let class = match name {
        "path" | "paths" | "src" | "attachments" => Class::File,
        "dst" => Class::Target,
        "root" => Class::Folder,
        "pattern" => Class::Glob,
        "url" | "urls" => Class::Address,
        "content" | "command" => Class::Text,
        _ => Class::Choice,
    };
    ArgSpec {
        name: name.to_owned(),
        schema: json!({}),
        required: false,
        runtime_resolved: false,
        role: None,
        kind: Some(class.as_str().to_owned()),
        does: None,
        from_entries_key: None,
        description: BTreeMap::new(),
    }
}
