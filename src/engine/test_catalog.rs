//! Manifests for the engine's own tests, with the contract of the shipped executors. Only tests use it.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use crate::domain::{
    ids::ExecutorName,
    manifest::{ArgSpec, Capability, Column, ColumnFormat, Effect, Feed, Kind, Manifest, Presentation, Semantic},
    verdict::Risk,
    vocabulary::{Object, Qualifier, Verb},
};

/// Builds one manifest.
pub(crate) struct Build(Manifest);

impl Build {
    pub(crate) fn new(name: &str) -> Self {
        let mut parts = name.splitn(3, '_');
        let system = crate::domain::vocabulary::SYSTEM_NAMES.contains(&name);
        let verb = parts.next().and_then(Verb::parse).filter(|_| !system);
        let object = parts.next().and_then(Object::parse).filter(|_| !system);
        let qualifier = parts.next().and_then(Qualifier::parse).filter(|_| !system);
        Self(Manifest {
            name: ExecutorName::from(name),
            version: "1.0.0".to_owned(),
            digest: format!("{name}-digest"),
            verb,
            object,
            qualifier,
            kind: Kind::Builtin,
            affinity: Vec::new(),
            description: BTreeMap::new(),
            args: Vec::new(),
            requires_one_of: Vec::new(),
            feed: Feed::None,
            capabilities: vec![Capability::FsRead],
            effect: Effect::Read,
            risk: Risk::Low,
            timeout_s: 30,
            cacheable: true,
            companions: Vec::new(),
            entry_fields: Vec::new(),
            result_fields: Vec::new(),
            own_fields: Vec::new(),
            presentation: Presentation::Entries(vec![Column {
                source: "name".to_owned(),
                format: ColumnFormat::Text,
            }]),
            frames: Vec::new(),
        })
    }

    pub(crate) fn arg(mut self, name: &str, semantic: Semantic, schema: Value, required: bool) -> Self {
        self.0.args.push(ArgSpec {
            name: name.to_owned(),
            schema,
            semantic,
            required,
            runtime_resolved: false,
            role: None,
            kind: None,
            does: None,
            from_entries_key: None,
            description: BTreeMap::new(),
        });
        self
    }

    pub(crate) fn fed_by(mut self, key: &str) -> Self {
        self.0.args.last_mut().unwrap().from_entries_key = Some(key.to_owned());
        self
    }

    pub(crate) fn feed(mut self, feed: Feed) -> Self {
        self.0.feed = feed;
        self
    }

    pub(crate) fn effect(mut self, effect: Effect) -> Self {
        self.0.effect = effect;
        self
    }

    pub(crate) fn entries(mut self, fields: &[&str]) -> Self {
        self.0.entry_fields = fields.iter().map(|field| (*field).to_owned()).collect();
        self
    }

    pub(crate) fn result(mut self, fields: &[&str]) -> Self {
        self.0.result_fields = fields.iter().map(|field| (*field).to_owned()).collect();
        self
    }

    /// Fields that name things of the person's own.
    pub(crate) fn own(mut self, fields: &[&str]) -> Self {
        self.0.own_fields = fields.iter().map(|field| (*field).to_owned()).collect();
        self
    }

    pub(crate) fn text(mut self, field: &str) -> Self {
        self.0.presentation = Presentation::Text(field.to_owned());
        self
    }

    pub(crate) fn says(mut self, key: &str) -> Self {
        self.0.presentation = Presentation::Sentence(key.to_owned());
        self
    }

    pub(crate) fn affinity(mut self, words: &[&str]) -> Self {
        self.0.affinity = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    pub(crate) fn one_of(mut self, names: &[&str]) -> Self {
        self.0.requires_one_of = vec![names.iter().map(|name| (*name).to_owned()).collect()];
        self
    }

    pub(crate) fn companions(mut self, names: &[&str]) -> Self {
        self.0.companions = names.iter().map(|name| ExecutorName::from(*name)).collect();
        self
    }

    pub(crate) fn done(self) -> Arc<Manifest> {
        Arc::new(self.0)
    }
}

fn list() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "integer", "minimum": 1})
}

fn switch() -> Value {
    json!({"type": "boolean"})
}

const FILE: &[&str] = &["path", "name", "size", "mtime", "kind", "ext"];

/// A catalog with the contract of the shipped one.
pub(crate) fn catalog() -> Vec<Arc<Manifest>> {
    let mut all = folders();
    all.extend(files());
    all.extend(web());
    all.extend(entries());
    all.extend(machine());
    all
}

fn folders() -> Vec<Arc<Manifest>> {
    use Semantic::{Count, Directory, Glob, Option as Choice, Window};
    vec![
        Build::new("list_dirs")
            .arg("path", Directory, text(), true)
            .arg("sort", Choice, json!({"enum": ["name", "size", "mtime"]}), false)
            .arg("totals", Choice, switch(), false)
            .entries(FILE)
            .own(FILE)
            .affinity(&["list", "folder", "elenca", "cartella"])
            .done(),
        Build::new("find_files")
            .arg("base_path", Directory, text(), true)
            .arg("pattern", Glob, text(), false)
            .arg("recursive", Choice, switch(), false)
            .arg("modified_window", Window, text(), false)
            .arg("about", Choice, text(), false)
            .arg("named", Choice, text(), false)
            .arg("min_size", Choice, json!({"type": "integer"}), false)
            .arg("max_results", Count, number(), false)
            .arg(
                "keep",
                Choice,
                json!({"type": "string", "enum": ["largest", "smallest", "newest", "oldest"]}),
                false,
            )
            .arg("also_in", Directory, list(), false)
            .entries(FILE)
            .own(FILE)
            .affinity(&["find", "search", "file", "trova", "cerca"])
            .companions(&["compute_entries", "sort_entries"])
            .done(),
    ]
}

fn files() -> Vec<Arc<Manifest>> {
    use Semantic::{Content, Destination, Option as Choice, Path};
    vec![
        Build::new("read_files")
            .arg("paths", Path, list(), true)
            .fed_by("path")
            .arg("only_one", Choice, switch(), false)
            .feed(Feed::Optional)
            .entries(&["path", "name", "content"])
            .result(&["content"])
            .own(FILE)
            .text("content")
            .affinity(&["read", "leggi", "open"])
            .done(),
        Build::new("get_files")
            .arg("paths", Path, list(), true)
            .fed_by("path")
            .feed(Feed::Optional)
            .arg("if_there", Choice, switch(), false)
            .entries(FILE)
            .own(FILE)
            .affinity(&["file info", "size of a file"])
            .done(),
        Build::new("write_files")
            .arg("path", Destination, text(), true)
            .arg("content", Content, text(), true)
            .arg(
                "mode",
                Choice,
                json!({"enum": ["overwrite", "append", "fail_if_exists", "add_lines", "remove_lines", "clear_lines", "tick_lines"]}),
                false,
            )
            .effect(Effect::Reversible)
            .result(&["path", "bytes"])
            .own(&["path", "bytes"])
            .says("wrote")
            .done(),
        Build::new("create_dirs")
            .arg("paths", Destination, list(), true)
            .effect(Effect::Reversible)
            .says("created")
            .done(),
        Build::new("move_files")
            .arg("paths", Path, list(), true)
            .fed_by("path")
            .arg("dst_dir", Destination, text(), true)
            .arg("new_name", Choice, text(), false)
            .arg("copy", Choice, switch(), false)
            .feed(Feed::Optional)
            .effect(Effect::Reversible)
            .says("moved")
            .done(),
        Build::new("delete_files")
            .arg("paths", Path, list(), true)
            .fed_by("path")
            .feed(Feed::Optional)
            .effect(Effect::Reversible)
            .says("deleted")
            .done(),
    ]
}

fn web() -> Vec<Arc<Manifest>> {
    use Semantic::Url;
    vec![
        Build::new("get_urls")
            .arg("urls", Url, list(), true)
            .entries(&["url", "status", "content", "data"])
            .affinity(&["fetch", "download", "scarica"])
            .done(),
        Build::new("read_urls_html")
            .arg("urls", Url, list(), true)
            .fed_by("url")
            .feed(Feed::Optional)
            .entries(&["url", "title", "text"])
            .result(&["text"])
            .text("text")
            .affinity(&["page", "article", "pagina web"])
            .done(),
    ]
}

fn entries() -> Vec<Arc<Manifest>> {
    use Semantic::{Content, Count, Field, Glob, Option as Choice, Query};
    vec![
        Build::new("filter_entries")
            .arg("where_field", Field, text(), false)
            .arg("where_contains", Query, text(), false)
            .arg(
                "where_equals",
                Choice,
                json!({"type": ["string", "number", "boolean"]}),
                false,
            )
            .arg("where_glob", Glob, text(), false)
            .arg("where_except", Glob, text(), false)
            .arg("where_min", Choice, json!({"type": "number"}), false)
            .arg("where_max", Choice, json!({"type": "number"}), false)
            .arg("modified_window", Semantic::Window, text(), false)
            .arg("position", Choice, json!({"type": "integer"}), false)
            .feed(Feed::Required)
            .done(),
        Build::new("sort_entries")
            .arg("by", Field, text(), true)
            .arg("desc", Choice, switch(), false)
            .arg("top", Count, number(), false)
            .arg("skip", Choice, number(), false)
            .feed(Feed::Required)
            .done(),
        Build::new("group_entries")
            .arg("by", Field, text(), true)
            .feed(Feed::Required)
            .done(),
        Build::new("compute_entries")
            .arg(
                "op",
                Choice,
                json!({"enum": ["count", "sum", "avg", "min", "max", "any"]}),
                true,
            )
            .arg("field", Field, text(), false)
            .feed(Feed::Required)
            .result(&["value"])
            .says("computed")
            .done(),
        Build::new("filter_texts_lines")
            .arg("content", Content, text(), false)
            .arg("contains", Query, text(), false)
            .arg("first", Count, number(), false)
            .arg("last", Count, number(), false)
            .arg("around", Choice, text(), false)
            .arg("undone", Choice, switch(), false)
            .arg("things", Choice, text(), false)
            .feed(Feed::Optional)
            .result(&["text", "count"])
            .own(&["count"])
            .text("text")
            .affinity(&["last lines", "ultime righe"])
            .done(),
    ]
}

fn machine() -> Vec<Arc<Manifest>> {
    use Semantic::{Count, Option as Choice};
    vec![
        Build::new("get_now")
            .says("now")
            .result(&["time", "date"])
            .own(&["time", "date"])
            .affinity(&["time", "ora"])
            .done(),
        Build::new("get_processes")
            .arg("sort_by", Choice, json!({"enum": ["memory", "cpu"]}), false)
            .arg("top", Count, number(), false)
            .entries(&["pid", "name", "memory", "cpu"])
            .own(&["pid", "name", "memory", "cpu"])
            .affinity(&["process", "processes", "memory", "memoria", "processo"])
            .done(),
        Build::new("send_files")
            .arg("paths", Semantic::Path, list(), true)
            .fed_by("path")
            .feed(Feed::Optional)
            .entries(FILE)
            .own(FILE)
            .says("sent")
            .done(),
        Build::new("get_location")
            .says("location")
            .result(&["point"])
            .own(&["point"])
            .done(),
        Build::new("find_places")
            .arg(
                "kind",
                Choice,
                json!({"enum": ["pharmacy", "restaurant", "bar"]}),
                false,
            )
            .arg("query", Semantic::Query, text(), false)
            .arg("near", Semantic::Near, json!({"type": ["string", "object"]}), true)
            .arg("open_now", Choice, switch(), false)
            .one_of(&["kind", "query"])
            .entries(&["name", "address", "distance_m"])
            .done(),
        Build::new("get_places")
            .arg("query", Semantic::Query, text(), false)
            .arg(
                "kind",
                Choice,
                json!({"enum": ["pharmacy", "restaurant", "bar"]}),
                false,
            )
            .arg("near", Semantic::Near, json!({"type": ["string", "object"]}), false)
            .feed(Feed::Optional)
            .one_of(&["query", "kind", "from_step"])
            .entries(&["name", "address", "hours"])
            .done(),
        Build::new("describe_entries")
            .feed(Feed::Required)
            .text("text")
            .result(&["text"])
            .done(),
        Build::new("undo_last_turn")
            .effect(Effect::Irreversible)
            .says("undone")
            .done(),
        Build::new("request_new_executor").says("requested").done(),
        Build::new("scratchpad_read").text("text").done(),
    ]
}
