//! Manifests, plans and turns for the engine's unit tests, and what is shipped. Compiled for tests only. Its small
//! catalog is for what the shipped one has no tool for.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use serde_json::{Map, Value, json};

pub(crate) mod corpus;

use crate::catalog::{install::SHIPPED, parse::parse};
use crate::domain::{
    actor::{Actor, Autonomy, Role},
    ids::{ActorId, ChannelKind, ConversationId, ExecutorName, TurnId},
    kind::Class,
    lang::Lang,
    manifest::{ArgSpec, Capability, Effect, Feed, Kind, Manifest, Presentation},
    plan::{Plan, Proposed, Validated},
    run::ToolResult,
    turn::{Origin, Turn},
    verdict::Risk,
    vocabulary::{Object, Qualifier, Verb},
};

/// Everything that is shipped.
pub(crate) fn shipped() -> Vec<Arc<Manifest>> {
    static ALL: LazyLock<Vec<Arc<Manifest>>> = LazyLock::new(|| {
        let parsed = SHIPPED.iter().map(|(_, text)| parse(text.as_bytes()).unwrap().manifest);
        parsed.map(Arc::new).collect()
    });
    ALL.clone()
}

/// What is shipped, without some of it.
pub(crate) fn shipped_but(names: &[&str]) -> Vec<Arc<Manifest>> {
    let mut all = shipped();
    all.retain(|manifest| !names.contains(&manifest.name.as_str()));
    all
}

/// A tool that looks, and of which nothing but the name matters.
pub(crate) fn named(name: &str) -> Manifest {
    manifest(name, Feed::None, Effect::Read, Vec::new())
}

/// A manifest with these arguments.
pub(crate) fn manifest(name: &str, feed: Feed, effect: Effect, args: Vec<ArgSpec>) -> Manifest {
    let mut words = name.split('_');
    Manifest {
        name: ExecutorName::from(name),
        version: "1.0.0".to_owned(),
        digest: format!("digest-{name}"),
        verb: words.next().and_then(Verb::parse),
        object: words.next().and_then(Object::parse),
        qualifier: words.next().and_then(Qualifier::parse),
        kind: Kind::Builtin,
        affinity: Vec::new(),
        description: BTreeMap::new(),
        args,
        requires_one_of: Vec::new(),
        feed,
        capabilities: vec![Capability::FsRead],
        hosts: Vec::new(),
        effect,
        risk: Risk::Low,
        timeout_s: 30,
        cacheable: true,
        companions: Vec::new(),
        entry_fields: Vec::new(),
        result_fields: Vec::new(),
        own_fields: Vec::new(),
        things: None,
        presentation: Presentation::Entries(Vec::new()),
        frames: Vec::new(),
    }
}

/// An argument.
pub(crate) fn arg(name: &str, schema: Value, class: Class) -> ArgSpec {
    ArgSpec {
        name: name.to_owned(),
        schema,
        required: false,
        runtime_resolved: false,
        role: None,
        kind: Some(class.as_str().to_owned()),
        does: None,
        from_entries_key: None,
        description: BTreeMap::new(),
    }
}

/// The same argument, required.
pub(crate) fn required(spec: ArgSpec) -> ArgSpec {
    ArgSpec { required: true, ..spec }
}

/// The same argument, taken from entries.
pub(crate) fn from_entries(spec: ArgSpec, key: &str) -> ArgSpec {
    ArgSpec {
        from_entries_key: Some(key.to_owned()),
        ..spec
    }
}

fn text() -> Value {
    json!({"type": "string"})
}

fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn paths() -> ArgSpec {
    from_entries(required(arg("paths", texts(), Class::File)), "path")
}

/// A small catalog.
pub(crate) fn catalog() -> Vec<Manifest> {
    let mut all = file_tools();
    all.extend(other_tools());
    for manifest in &mut all {
        if manifest.feed == Feed::Required {
            manifest.capabilities = vec![Capability::ComputePure];
        }
    }
    all
}

fn file_tools() -> Vec<Manifest> {
    let find = vec![
        required(arg("base_path", text(), Class::Folder)),
        arg("pattern", text(), Class::Glob),
        arg("max_results", json!({"type": "integer", "minimum": 1}), Class::Number),
    ];
    let write = vec![
        required(arg("path", text(), Class::Target)),
        required(arg("content", text(), Class::Text)),
    ];
    vec![
        manifest("get_now", Feed::None, Effect::Read, Vec::new()),
        manifest("find_files", Feed::None, Effect::Read, find),
        manifest(
            "list_dirs",
            Feed::None,
            Effect::Read,
            vec![required(arg("path", text(), Class::Folder))],
        ),
        manifest("read_files", Feed::Optional, Effect::Read, vec![paths()]),
        manifest("write_files", Feed::None, Effect::Reversible, write),
        manifest(
            "create_dirs",
            Feed::None,
            Effect::Reversible,
            vec![required(arg("paths", texts(), Class::File))],
        ),
        manifest("delete_files", Feed::Optional, Effect::Irreversible, vec![paths()]),
        manifest(
            "move_files",
            Feed::Optional,
            Effect::Reversible,
            vec![paths(), required(arg("dst_dir", text(), Class::Target))],
        ),
    ]
}

fn other_tools() -> Vec<Manifest> {
    let hidden = |spec: ArgSpec| ArgSpec {
        runtime_resolved: true,
        ..spec
    };
    vec![
        manifest(
            "get_urls",
            Feed::Optional,
            Effect::Read,
            vec![from_entries(required(arg("urls", texts(), Class::Address)), "url")],
        ),
        manifest(
            "read_urls_html",
            Feed::Optional,
            Effect::Read,
            vec![from_entries(required(arg("urls", texts(), Class::Address)), "url")],
        ),
        manifest(
            "filter_entries",
            Feed::Required,
            Effect::Read,
            vec![
                required(arg("field", text(), Class::Column)),
                arg("keep", json!({"type": "integer"}), Class::Number),
            ],
        ),
        manifest("describe_entries", Feed::Required, Effect::Read, Vec::new()),
        manifest(
            "delete_tasks",
            Feed::None,
            Effect::Irreversible,
            vec![required(arg("id", json!({"type": "integer"}), Class::Words))],
        ),
        manifest(
            "get_files",
            Feed::Optional,
            Effect::Read,
            vec![required(from_entries(arg("path", text(), Class::File), "path"))],
        ),
        manifest(
            "request_new_executor",
            Feed::None,
            Effect::Read,
            vec![hidden(arg("request", text(), Class::Text))],
        ),
    ]
}

/// Looks a manifest up in the small catalog.
pub(crate) fn lookup(name: &ExecutorName) -> Option<Arc<Manifest>> {
    catalog()
        .into_iter()
        .find(|manifest| manifest.name == *name)
        .map(Arc::new)
}

/// A proposed plan from its JSON.
pub(crate) fn proposed(value: &Value) -> Plan<Proposed> {
    Plan::from_json(value).unwrap()
}

/// The same, declared checked.
pub(crate) fn validated(value: &Value) -> Plan<Validated> {
    proposed(value).into_validated()
}

/// A turn in Rome, the morning before summer time begins.
pub(crate) fn turn(text: &str) -> Turn {
    Turn {
        id: TurnId::from("018f0000000070008000000000000001"),
        begun_in: TurnId::from("018f0000000070008000000000000001"),
        actor: Actor {
            id: ActorId::from("host"),
            role: Role::Host,
            name: "Ada".to_owned(),
            lang: Lang::IT,
            timezone: "Europe/Rome".to_owned(),
            autonomy: Autonomy::A2,
        },
        channel: ChannelKind::Terminal,
        conversation: ConversationId::from("local"),
        text: text.to_owned(),
        now: "2026-03-28T10:00:00[Europe/Rome]".parse().unwrap(),
        origin: Origin::Typed,
        is_typed: true,
        is_spoken: false,
        is_joined: false,
        model_calls_left: None,
        before: None,
        host_is_near: false,
    }
}

/// A successful result from its JSON.
pub(crate) fn ok(body: Value) -> ToolResult {
    let Value::Object(body) = body else {
        return ToolResult::ok(Map::new());
    };
    ToolResult::ok(body)
}
