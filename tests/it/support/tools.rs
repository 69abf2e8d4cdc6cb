//! The first hands as the proposer sees them, written down once for tests that need a shortlist and no catalog.

use std::{collections::BTreeMap, sync::Arc};

use metnos::domain::{
    ids::ExecutorName,
    lang::Lang,
    manifest::{ArgSpec, Capability, Description, Effect, Feed, Kind, Manifest, Presentation, Semantic},
    verdict::Risk,
    vocabulary::{Object, Qualifier, Verb},
};
use serde_json::{Value, json};

const ENTRY: &[&str] = &["path", "name", "size", "mtime", "kind", "ext"];
const TOTALS: &[&str] = &["used", "available_total"];

/// A shortlist by name; panics on a name that is not here.
pub(crate) fn shortlist(names: &str) -> Vec<Arc<Manifest>> {
    names.split_whitespace().map(|name| Arc::new(tool(name))).collect()
}

/// Every tool of the table.
pub(crate) const ALL: &str = "get_now list_dirs find_files get_files read_files write_files create_dirs move_files \
    delete_files get_urls read_urls_html filter_entries sort_entries group_entries compute_entries filter_texts_lines \
    describe_entries get_processes undo_last_turn request_new_executor";

#[expect(clippy::too_many_lines, reason = "a table, one tool after the other")]
fn tool(name: &str) -> Manifest {
    match name {
        "get_now" => sheet(name, "Tells the current date and time.").gives(&[], &["now", "date", "time", "weekday"]),
        "list_dirs" => sheet(name, "Lists the files and folders directly inside one folder.")
            .needs("path", Semantic::Directory, json!({"type": "string"}))
            .takes(
                "sort",
                Semantic::Option,
                json!({"type": "string", "enum": ["name", "mtime", "size"]}),
            )
            .takes("include_hidden", Semantic::Option, json!({"type": "boolean"}))
            .takes("max_results", Semantic::Count, json!({"type": "integer", "minimum": 1}))
            .gives(ENTRY, TOTALS),
        "find_files" => sheet(name, "Finds files below a folder by name, time or size.")
            .needs("base_path", Semantic::Directory, json!({"type": "string"}))
            .takes("pattern", Semantic::Glob, json!({"type": "string"}))
            .takes("recursive", Semantic::Option, json!({"type": "boolean"}))
            .takes("modified_window", Semantic::Window, json!({"type": "string"}))
            .takes("min_size", Semantic::Option, json!({"type": "integer", "minimum": 0}))
            .takes("include_hidden", Semantic::Option, json!({"type": "boolean"}))
            .takes("max_results", Semantic::Count, json!({"type": "integer", "minimum": 1}))
            .gives(ENTRY, TOTALS),
        "get_files" => sheet(name, "Tells size, date and kind of files.")
            .paths()
            .gives(ENTRY, TOTALS),
        "read_files" => sheet(name, "Reads the text of files.")
            .paths()
            .gives(ENTRY, &["content", "used"]),
        "write_files" => sheet(name, "Writes text into one file; undo brings the old text back.")
            .needs("path", Semantic::Destination, json!({"type": "string"}))
            .needs("content", Semantic::Content, json!({"type": "string"}))
            .takes(
                "mode",
                Semantic::Option,
                json!({"type": "string", "enum": ["overwrite", "append", "fail_if_exists"]}),
            )
            .changes(Effect::Reversible)
            .gives(&["path", "name", "bytes"], &["bytes", "path", "ok_count"]),
        "create_dirs" => sheet(name, "Makes folders.")
            .needs(
                "paths",
                Semantic::Destination,
                json!({"type": "array", "items": {"type": "string"}}),
            )
            .changes(Effect::Reversible)
            .gives(&["path"], &["ok_count", "fail_count"]),
        "move_files" => sheet(
            name,
            "Moves files into a folder or renames one; never replaces anything.",
        )
        .paths()
        .needs("dst_dir", Semantic::Destination, json!({"type": "string"}))
        .takes("new_name", Semantic::Option, json!({"type": "string"}))
        .changes(Effect::Reversible)
        .gives(&["path", "name", "from"], &["dst_dir", "ok_count", "fail_count"]),
        "delete_files" => sheet(name, "Deletes files; undo brings them back. No folders.")
            .paths()
            .changes(Effect::Reversible)
            .gives(&["path", "name", "size"], &["name", "ok_count", "fail_count"]),
        "get_urls" => sheet(name, "Fetches web addresses as they are; JSON is parsed.")
            .urls()
            .gives(
                &["url", "status", "content", "data"],
                &["url", "status", "content", "data"],
            ),
        "read_urls_html" => sheet(name, "Reads web pages as plain text, without menus and ads.")
            .urls()
            .gives(&["url", "title", "text"], &["url", "title", "text"]),
        "filter_entries" => sheet(name, "Keeps the entries of an earlier step that meet conditions.")
            .fed()
            .takes("where_field", Semantic::Field, json!({"type": "string"}))
            .takes("where_contains", Semantic::Query, json!({"type": "string"}))
            .takes("where_glob", Semantic::Glob, json!({"type": "string"}))
            .takes(
                "where_equals",
                Semantic::Option,
                json!({"type": ["string", "number", "boolean"]}),
            )
            .takes("where_min", Semantic::Option, json!({"type": "number"}))
            .takes("where_max", Semantic::Option, json!({"type": "number"}))
            .gives(ENTRY, TOTALS),
        "sort_entries" => sheet(
            name,
            "Orders the entries of an earlier step, and can keep the first few.",
        )
        .fed()
        .needs("by", Semantic::Field, json!({"type": "string"}))
        .takes("desc", Semantic::Option, json!({"type": "boolean"}))
        .takes("top", Semantic::Count, json!({"type": "integer", "minimum": 1}))
        .gives(ENTRY, TOTALS),
        "group_entries" => sheet(name, "Counts the entries of an earlier step by a field.")
            .fed()
            .needs("by", Semantic::Field, json!({"type": "string"}))
            .gives(&["key", "count"], TOTALS),
        "compute_entries" => sheet(name, "Computes one figure over the entries of an earlier step.")
            .fed()
            .needs(
                "op",
                Semantic::Option,
                json!({"type": "string", "enum": ["count", "sum", "avg", "min", "max"]}),
            )
            .takes("field", Semantic::Field, json!({"type": "string"}))
            .gives(&[], &["value", "count"]),
        "filter_texts_lines" => lines(name),
        "describe_entries" => sheet(
            name,
            "Puts what an earlier step found into words, with the local model.",
        )
        .fed()
        .takes(
            "style",
            Semantic::Option,
            json!({"type": "string", "enum": ["compact", "by_importance"]}),
        )
        .takes("question", Semantic::Query, json!({"type": "string"}))
        .gives(&[], &["text"]),
        "get_processes" => sheet(name, "Shows which processes use the most memory or processor.")
            .takes(
                "sort_by",
                Semantic::Option,
                json!({"type": "string", "enum": ["memory", "cpu"]}),
            )
            .takes("top", Semantic::Count, json!({"type": "integer", "minimum": 1}))
            .gives(&["name", "pid", "memory", "cpu"], TOTALS),
        "undo_last_turn" => sheet(name, "Takes back what the person's last action changed.")
            .changes(Effect::Reversible)
            .gives(&[], &["undone_count", "skipped_count"]),
        "request_new_executor" => sheet(
            name,
            "Notes that something cannot be done yet, so that it can be learned.",
        )
        .needs("description", Semantic::Content, json!({"type": "string"}))
        .gives(&[], &["recorded"]),
        other => panic!("no tool `{other}` in the table"),
    }
}

fn lines(name: &str) -> Manifest {
    let mut tool = sheet(
        name,
        "Keeps lines of a text: those that contain something, the first or the last.",
    )
    .takes("content", Semantic::Content, json!({"type": "string"}))
    .takes("contains", Semantic::Query, json!({"type": "string"}))
    .takes("first", Semantic::Count, json!({"type": "integer", "minimum": 1}))
    .takes("last", Semantic::Count, json!({"type": "integer", "minimum": 1}))
    .gives(&["line", "number"], &["text", "count"]);
    tool.feed = Feed::Optional;
    tool.requires_one_of = vec![vec!["content".to_owned(), "from_step".to_owned()]];
    tool
}

fn sheet(name: &str, purpose: &str) -> Manifest {
    let mut parts = name.splitn(3, '_');
    let verb = parts.next().and_then(Verb::parse);
    let object = parts.next().and_then(Object::parse);
    Manifest {
        name: ExecutorName::from(name),
        version: "1.0.0".to_owned(),
        digest: "0".to_owned(),
        verb: verb.filter(|_| object.is_some() && object != Some(Object::Now)),
        object: object.filter(|object| *object != Object::Now),
        qualifier: parts.next().and_then(Qualifier::parse),
        kind: Kind::Builtin,
        affinity: Vec::new(),
        description: BTreeMap::from([(
            Lang::En,
            Description {
                purpose: purpose.to_owned(),
                pattern: String::new(),
                not: String::new(),
                out: String::new(),
            },
        )]),
        args: Vec::new(),
        requires_one_of: Vec::new(),
        feed: Feed::None,
        capabilities: vec![Capability::ComputePure],
        effect: Effect::Read,
        risk: Risk::Low,
        timeout_s: 30,
        cacheable: true,
        companions: Vec::new(),
        entry_fields: Vec::new(),
        result_fields: Vec::new(),
        presentation: Presentation::Text("text".to_owned()),
    }
}

/// Small words to write a manifest with.
trait Sheet: Sized {
    fn arg(self, name: &str, semantic: Semantic, schema: Value, required: bool, key: Option<&str>) -> Self;
    fn fed(self) -> Self;
    fn fed_or(self, name: &str) -> Self;
    fn changes(self, effect: Effect) -> Self;
    fn gives(self, entry_fields: &[&str], result_fields: &[&str]) -> Self;

    fn needs(self, name: &str, semantic: Semantic, schema: Value) -> Self {
        self.arg(name, semantic, schema, true, None)
    }

    fn takes(self, name: &str, semantic: Semantic, schema: Value) -> Self {
        self.arg(name, semantic, schema, false, None)
    }

    fn paths(self) -> Self {
        let schema = json!({"type": "array", "items": {"type": "string"}, "minItems": 1});
        self.arg("paths", Semantic::Path, schema, true, Some("path"))
            .fed_or("paths")
    }

    fn urls(self) -> Self {
        let schema = json!({"type": "array", "items": {"type": "string"}, "minItems": 1});
        self.arg("urls", Semantic::Url, schema, true, Some("url"))
            .fed_or("urls")
    }
}

impl Sheet for Manifest {
    fn arg(mut self, name: &str, semantic: Semantic, schema: Value, required: bool, key: Option<&str>) -> Self {
        self.args.push(ArgSpec {
            name: name.to_owned(),
            schema,
            semantic,
            required,
            runtime_resolved: false,
            from_entries_key: key.map(str::to_owned),
            description: BTreeMap::new(),
        });
        self
    }

    fn fed(mut self) -> Self {
        self.feed = Feed::Required;
        self
    }

    fn fed_or(mut self, name: &str) -> Self {
        self.feed = Feed::Optional;
        self.requires_one_of.push(vec![name.to_owned(), "from_step".to_owned()]);
        self
    }

    fn changes(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    fn gives(mut self, entry_fields: &[&str], result_fields: &[&str]) -> Self {
        self.entry_fields = entry_fields.iter().map(|field| (*field).to_owned()).collect();
        self.result_fields = result_fields.iter().map(|field| (*field).to_owned()).collect();
        self
    }
}
