//! Every executor as the engine calls it: through the runner, in the sandboxed worker, on real files and real sockets.

#![expect(clippy::unwrap_used, reason = "a helper that cannot set up fails the test")]

mod archives;
mod charts;
mod pictures;
mod copies;
mod entries;
mod files;
mod lines;
mod programs;
mod rows;
mod sheets;
mod undo;
mod urls;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use metnos::{
    config::{SandboxConfig, Secret},
    domain::{
        failure::ErrorClass,
        ids::{ActorId, StepId, TurnId},
        lang::Lang,
        manifest::Manifest,
        run::ToolResult,
    },
    executors::{Call, CallContext, builtin, process::Runner, sandbox::Grants},
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::support::manifests;

/// A home folder, a data folder and a runner.
pub(crate) struct Bench {
    folder: TempDir,
    runner: Runner,
    trusted: Vec<String>,
    /// Our own folder, below the test's.
    ours: &'static str,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_metnos"));
        Self {
            folder,
            runner: Runner::new(binary, SandboxConfig::Required),
            trusted: Vec::new(),
            ours: "data",
        }
    }

    /// The same, with our own folder in the home.
    pub(crate) fn with_our_folder_at_home(mut self) -> Self {
        self.ours = "home/metnos";
        self
    }

    /// The same, with addresses the host typed.
    pub(crate) fn trusting(mut self, urls: &[String]) -> Self {
        self.trusted = urls.to_vec();
        self
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn path(&self, below_home: &str) -> PathBuf {
        self.home().join(below_home)
    }

    pub(crate) fn put(&self, below_home: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below_home);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn text(&self, below_home: &str) -> String {
        fs::read_to_string(self.path(below_home)).unwrap()
    }

    pub(crate) fn context(&self) -> CallContext {
        CallContext {
            turn: TurnId::from("turn1"),
            step: StepId(1),
            actor: ActorId::from("host"),
            is_host: true,
            lang: Lang::EN,
            now: now(),
            home: self.home(),
            backup_dir: self.folder.path().join("data/backups/turn1"),
            data_dir: self.folder.path().join(self.ours),
            trusted_urls: self.trusted.clone(),
        }
    }

    pub(crate) fn call(&self, args: &Value) -> Call {
        Call {
            password: None,
            args: args.as_object().unwrap().clone(),
            context: self.context(),
        }
    }

    /// Runs a shipped executor.
    pub(crate) async fn run(&self, tool: &str, args: Value) -> ToolResult {
        self.run_as(&manifests::shipped(tool), args).await
    }

    /// Runs a shipped executor with the password of a locked file.
    pub(crate) async fn opens(&self, tool: &str, args: &Value, password: &str) -> ToolResult {
        let call = Call {
            password: Some(Secret::new(password.to_owned())),
            ..self.call(args)
        };
        let manifest = manifests::shipped(tool);
        self.runner.run(&manifest, call, None, &CancellationToken::new()).await
    }

    /// Runs a shipped executor that may be stopped.
    pub(crate) async fn run_until(&self, stop: &CancellationToken, tool: &str, args: Value) -> ToolResult {
        self.runner
            .run(&manifests::shipped(tool), self.call(&args), None, stop)
            .await
    }

    /// Runs an executor under this manifest.
    pub(crate) async fn run_as(&self, manifest: &Manifest, args: Value) -> ToolResult {
        self.runner
            .run(manifest, self.call(&args), None, &CancellationToken::new())
            .await
    }

    /// Runs a shell script as a program executor.
    pub(crate) async fn run_script(&self, script: &str, manifest: &Manifest, args: Value) -> ToolResult {
        let code = self.folder.path().join("code");
        put_script(&code.join("run.sh"), script);
        self.runner
            .run(manifest, self.call(&args), Some(&code), &CancellationToken::new())
            .await
    }

    /// Takes back what a result says it did.
    pub(crate) async fn undo(&self, result: &ToolResult) -> ToolResult {
        self.runner.reverse(result.reversals.clone(), &self.context()).await
    }
}

/// The real time, because files get real times.
#[expect(clippy::disallowed_methods, reason = "files made by a test carry the machine's time")]
fn now() -> jiff::Zoned {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::get("Europe/Rome").unwrap())
}

fn put_script(path: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/bash\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The class of a failed result.
pub(crate) fn class(result: &ToolResult) -> ErrorClass {
    result
        .error
        .as_ref()
        .unwrap_or_else(|| panic!("should have failed: {result:?}"))
        .class
}

/// The values of one field of every entry.
pub(crate) fn column(result: &ToolResult, field: &str) -> Vec<Value> {
    let entries = result.entries().unwrap_or_else(|| panic!("has no entries: {result:?}"));
    entries.iter().map(|entry| entry[field].clone()).collect()
}

#[test]
fn every_shipped_builtin_has_code_or_is_the_runtimes() {
    let of_the_runtime = [
        "classify_entries",
        "create_contacts",
        "create_events",
        "create_tasks",
        "delete_contacts",
        "delete_events",
        "delete_messages",
        "delete_tasks",
        "describe_entries",
        "extract_messages",
        "find_contacts",
        "find_events_empty",
        "find_images_indices",
        "find_messages",
        "find_places",
        "find_texts",
        "find_texts_web",
        "find_urls",
        "get_days",
        "get_devices",
        "get_devices_image",
        "get_inputs",
        "get_location",
        "get_places",
        "get_weather",
        "list_tasks",
        "move_messages",
        "read_contacts",
        "read_days",
        "read_devices_todo",
        "read_events",
        "read_messages",
        "read_tasks",
        "read_tasks_history",
        "request_new_executor",
        "scratchpad_read",
        "send_messages",
        "send_messages_unsubscribe",
        "send_texts",
        "set_contacts",
        "set_devices",
        "set_devices_todo",
        "set_events",
        "set_messages",
        "set_tasks",
        "share_contacts",
        "share_events",
        "share_files",
        "undo_last_turn",
    ];
    for name in manifests::shipped_names() {
        let manifest = manifests::shipped(&name);
        assert_eq!(manifest.name.as_str(), name);
        let has_code = builtin(&manifest.name).is_some();
        assert_ne!(has_code, of_the_runtime.contains(&name.as_str()), "{name}");
        for (lang, description) in &manifest.description {
            let length = description.purpose.chars().count() + description.pattern.chars().count();
            assert!(length <= 160, "{name} {lang:?}: {length}");
        }
    }
}

#[test]
fn a_call_is_granted_only_what_it_names() {
    let bench = Bench::new();
    bench.put("docs/a.txt", "x");
    let grants = |tool: &str, args: Value| Grants::of(&manifests::shipped(tool), &bench.call(&args), None);

    let read = grants("read_files", json!({"paths": ["~/docs/a.txt", "~/gone.txt"]}));
    assert_eq!(read.read, [bench.path("docs/a.txt"), bench.path("gone.txt")]);
    assert!(read.write.is_empty() && !read.system);

    let find = grants("find_files", json!({"base_path": "~/docs", "pattern": "/etc/*"}));
    assert_eq!(find.read, [bench.path("docs")]);

    let backup = bench.context().backup_dir;
    let write = grants(
        "write_files",
        json!({"path": "~/docs/new/deep/b.txt", "content": "/etc/passwd"}),
    );
    assert_eq!(write.write, [backup.clone(), bench.path("docs")]);
    assert!(!write.read.contains(&PathBuf::from("/etc/passwd")));

    let moving = grants(
        "move_files",
        json!({"paths": ["~/docs/a.txt"], "dst_dir": "~/docs/sub/x"}),
    );
    assert_eq!(moving.write, [backup, bench.path("docs")]);

    let web = grants("get_urls", json!({"urls": ["https://example.com/"]}));
    assert!(web.read.is_empty() && web.write.is_empty());
}

/// Every sentence an executor may return exists in both languages, and needs the same values.
#[test]
fn every_sentence_is_there_in_both_languages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let messages = |lang: &str| {
        let text = fs::read_to_string(root.join(format!("locales/{lang}/executors.ftl"))).unwrap();
        fluent::FluentResource::try_new(text.clone()).unwrap_or_else(|(_, errors)| panic!("{errors:?}"));
        let mut messages: Vec<(String, BTreeSet<String>)> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((key, _)) = line.split_once(" = ").filter(|_| line.starts_with("executors-")) {
                messages.push((key.to_owned(), BTreeSet::new()));
            }
            for name in line
                .split('$')
                .skip(1)
                .map(|after| after.split([' ', '}']).next().unwrap())
            {
                messages.last_mut().unwrap().1.insert(name.to_owned());
            }
        }
        messages
    };
    let english = messages("en");
    assert_eq!(english, messages("it"));
    let keys: BTreeSet<&str> = english.iter().map(|(key, _)| key.as_str()).collect();
    let mut sources = vec![root.join("src/net.rs"), root.join("src/executors.rs")];
    for folder in ["src/executors", "src/executors/files"] {
        sources.extend(
            fs::read_dir(root.join(folder))
                .unwrap()
                .map(|entry| entry.unwrap().path()),
        );
    }
    sources.extend(
        manifests::shipped_names()
            .iter()
            .map(|name| root.join(format!("executors/{name}/manifest.toml"))),
    );
    let mut used = BTreeSet::new();
    for text in sources
        .iter()
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).unwrap())
    {
        for after in text.split("\"executors-").skip(1) {
            used.insert(format!("executors-{}", after.split('"').next().unwrap()));
        }
    }
    let used: BTreeSet<&str> = used.iter().map(String::as_str).collect();
    assert_eq!(keys, used);
}

#[tokio::test]
async fn get_now_tells_the_time_of_the_turn() {
    let bench = Bench::new();
    let mut call = bench.call(&json!({}));
    call.context.now = "2026-03-05T09:07:00+01:00[Europe/Rome]".parse().unwrap();
    let result = bench
        .runner
        .run(&manifests::shipped("get_now"), call, None, &CancellationToken::new())
        .await;
    assert_eq!(result.body["time"], "09:07");
    assert_eq!(result.body["date"], "2026-03-05");
    assert_eq!(result.body["weekday"], "thursday");
    assert_eq!(result.body["now"], "2026-03-05T09:07:00+01:00");
    assert_eq!(result.body["timezone"], "Europe/Rome");
}

#[tokio::test]
async fn get_now_tells_the_time_elsewhere() {
    let bench = Bench::new();
    let at = |place: &str| {
        let mut call = bench.call(&json!({"place": place}));
        call.context.now = "2026-03-05T18:07:00+01:00[Europe/Rome]".parse().unwrap();
        call
    };
    let manifest = manifests::shipped("get_now");
    let token = CancellationToken::new();
    let result = bench.runner.run(&manifest, at("tokyo"), None, &token).await;
    assert_eq!(
        (&result.body["time"], &result.body["date"], &result.body["place"]),
        (&json!("02:07"), &json!("2026-03-06"), &json!("Tokyo"))
    );
    let result = bench.runner.run(&manifest, at("nowhere land"), None, &token).await;
    let error = result.error.unwrap();
    assert_eq!(error.class, ErrorClass::NotFound, "{error:?}");
}

#[tokio::test]
async fn get_processes_finds_this_process() {
    let bench = Bench::new();
    let result = bench.run("get_processes", json!({"top": 5000})).await;
    assert!(result.is_ok(), "{result:?}");
    assert!(
        column(&result, "pid").contains(&json!(std::process::id())),
        "{result:?}"
    );
    let memory: Vec<u64> = column(&result, "memory")
        .iter()
        .map(|value| value.as_u64().unwrap())
        .collect();
    assert!(memory.first().unwrap() > &0);
    assert!(memory.is_sorted_by(|left, right| left >= right));

    let result = bench.run("get_processes", json!({"sort_by": "cpu", "top": 2})).await;
    assert_eq!(result.entries().unwrap().len(), 2);
    assert_eq!(result.body.get("truncated"), Some(&json!(false)), "it was asked for");
    let result = bench.run("get_processes", json!({})).await;
    let count = |name: &str| result.body.get(name).and_then(serde_json::Value::as_u64).unwrap();
    assert_eq!(
        count("used"),
        count("available_total").min(1_000),
        "nothing is cut in silence"
    );
    assert_eq!(
        class(&bench.run("get_processes", json!({"sort_by": "beauty"})).await),
        ErrorClass::InvalidArgs
    );
}
