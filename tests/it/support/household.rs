//! The program itself as a household runs it: `metnos serve` as a process between a fake Bot API and a scripted model,
//! killed and started again on the same folder. Its tools are programs that stop at gates, so that a test can kill it
//! at a point of its choosing.
//!
//! A gate is a named pipe the program reads from: whoever opens the other end knows that the program has come that far,
//! and closing it lets the program go on.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    fs::{self, File, OpenOptions},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::Duration,
};

use metnos::{
    app::DATABASE,
    catalog::sign_one,
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::{ActorId, ChannelKind, ExecutorName, SenderId},
        lang::Lang,
    },
    store::Store,
};
use rustix::{
    fs::{CWD, FileType, Mode, OFlags, mknodat},
    process::{Pid, Signal, kill_process},
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use super::{
    llama::{Script, ScriptedLlama},
    telegram::{FakeTelegram, Shown, TOKEN},
};

/// How long anything may take on a busy machine before a test says that it did not happen.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(15);

/// Our tools: a look, an effect in the middle of a plan, and an effect that ends one.
pub(crate) const LOOKING: &str = "get_packages";
pub(crate) const INSTALLING: &str = "install_packages";
pub(crate) const ORDERING: &str = "order_packages";

/// A home, a data folder, a messenger and a model; the program between them comes and goes.
pub(crate) struct Household {
    folder: TempDir,
    pub(crate) telegram: FakeTelegram,
    pub(crate) llama: ScriptedLlama,
    running: Option<Child>,
}

impl Drop for Household {
    fn drop(&mut self) {
        if self.running.is_some() {
            self.kill();
        }
    }
}

impl Household {
    /// Everything is set up, and these chats belong to the host; the program does not run yet.
    pub(crate) async fn new(chats: &[i64]) -> Self {
        let household = Self::bare().await;
        household.add_tools();
        household.pair(chats).await;
        household
    }

    /// Nothing but an empty home and a config.
    pub(crate) async fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        let (telegram, llama) = (FakeTelegram::start().await, ScriptedLlama::start().await);
        let config = format!(
            "timezone = \"Europe/Rome\"\n[telegram]\napi_url = \"{}\"\npoll_s = 2\n[llm]\nurl = \"{}\"\n",
            telegram.url,
            llama.url()
        );
        fs::write(folder.path().join("config.toml"), config).unwrap();
        Self {
            folder,
            telegram,
            llama,
            running: None,
        }
    }

    /// Writes another config file.
    pub(crate) fn configure(&self, toml: &str) {
        fs::write(self.folder.path().join("config.toml"), toml).unwrap();
    }

    /// The program with this household's environment.
    pub(crate) fn metnos(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_metnos"));
        command.args(arguments).env_clear().stdin(Stdio::null());
        command
            .env("HOME", self.home())
            .env("LANG", "en_GB.UTF-8")
            .env("METNOS_DATA_DIR", self.data_dir())
            .env("METNOS_CONFIG", self.folder.path().join("config.toml"))
            .env("METNOS_TELEGRAM_TOKEN", TOKEN);
        command
    }

    /// Runs the program to its end, without keeping the fakes from answering it.
    pub(crate) async fn runs(&self, arguments: &[&str]) -> Output {
        let mut command = self.metnos(arguments);
        tokio::task::spawn_blocking(move || command.output().unwrap())
            .await
            .unwrap()
    }

    /// Starts `metnos serve`; what it says goes to a file that failures show.
    pub(crate) fn serve(&mut self) {
        assert!(self.running.is_none(), "it runs already");
        let said = OpenOptions::new().create(true).append(true).open(self.said()).unwrap();
        let mut command = self.metnos(&["serve"]);
        command.stdout(said.try_clone().unwrap()).stderr(said);
        self.running = Some(command.spawn().unwrap());
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        let mut child = self.running.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Kills it and starts it again.
    pub(crate) fn restart(&mut self) {
        self.kill();
        self.serve();
    }

    /// Asks it to end, as an init system does.
    pub(crate) fn terminate(&self) {
        let id = i32::try_from(self.running.as_ref().unwrap().id()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), Signal::TERM).unwrap();
    }

    /// Waits until it has ended by itself.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let mut child = self.running.take().unwrap();
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it did not end: {}", self.story(0));
            sleep(LOOK).await;
        }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn said(&self) -> PathBuf {
        self.folder.path().join("said.txt")
    }

    /// Waits for a condition.
    pub(crate) async fn until(&self, what: &str, chat: i64, mut holds: impl FnMut(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(
                start.elapsed() < PATIENCE,
                "did not happen: {what}\n{}",
                self.story(chat)
            );
            sleep(LOOK).await;
        }
    }

    /// Everything known, for a test that fails.
    pub(crate) fn story(&self, chat: i64) -> String {
        let said = fs::read_to_string(self.said()).unwrap_or_default();
        format!("chat: {:#?}\nthe program said:\n{said}", self.telegram.messages(chat))
    }

    /// What the program wrote into its logs so far.
    pub(crate) fn log(&self) -> String {
        fs::read_dir(self.data_dir().join("logs"))
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect()
    }

    /// What the bot answered in a chat; signs of progress are no answers.
    pub(crate) fn answers(&self, chat: i64) -> Vec<Shown> {
        let mut messages = self.telegram.messages(chat);
        messages.retain(|shown| !shown.text.contains("…</i>"));
        messages
    }

    /// Waits for so many answers and returns their texts.
    pub(crate) async fn hears(&self, chat: i64, count: usize) -> Vec<String> {
        self.until(&format!("{count} answers"), chat, |household| {
            household.answers(chat).len() >= count
        })
        .await;
        self.answers(chat).into_iter().map(|shown| shown.text).collect()
    }

    /// Waits until the program has noted that everything it sent has arrived. Killed before, it would send it again.
    pub(crate) async fn all_noted(&self, chat: i64) {
        let store = Store::open(&self.data_dir().join(DATABASE)).unwrap();
        let start = Instant::now();
        while !store
            .outbox_due(ChannelKind::Telegram, i64::MAX)
            .await
            .unwrap()
            .is_empty()
        {
            assert!(
                start.elapsed() < PATIENCE,
                "not everything arrived\n{}",
                self.story(chat)
            );
            sleep(LOOK).await;
        }
    }

    /// Whether a message that shows progress is noted, for the start after a crash.
    pub(crate) fn is_progress_noted(&self) -> bool {
        let connection = rusqlite::Connection::open(self.data_dir().join(DATABASE)).unwrap();
        connection.busy_timeout(Duration::from_secs(5)).unwrap();
        connection
            .query_row("SELECT EXISTS (SELECT 1 FROM progress)", [], |row| row.get(0))
            .unwrap()
    }

    /// Asks something whose answer is known, and returns the answers before it: whatever was to be said has been said.
    pub(crate) async fn all_answers(&self, chat: i64) -> Vec<String> {
        let before = self.answers(chat).iter().filter(|shown| is_last(&shown.text)).count();
        self.telegram.says(chat, "who are you");
        self.until("the last answer", chat, |household| {
            let last = household
                .answers(chat)
                .into_iter()
                .filter(|shown| is_last(&shown.text))
                .count();
            last > before
        })
        .await;
        let answers = self.answers(chat).into_iter().map(|shown| shown.text);
        answers.filter(|text| !is_last(text)).collect()
    }

    /// A folder in the home that our tools work in, and the plan for the request that names it.
    pub(crate) fn project(&self, name: &str, tools: &[&str]) -> Project {
        let path = format!("~/{name}");
        let steps = tools.iter().map(|tool| json!({"tool": tool, "args": {"path": path}}));
        self.project_with(name, &steps.collect::<Vec<_>>())
    }

    /// The same with other steps in the plan.
    pub(crate) fn project_with(&self, name: &str, steps: &[Value]) -> Project {
        let folder = self.home().join(name);
        fs::create_dir_all(&folder).unwrap();
        let path = format!("~/{name}");
        let plan = json!({"steps": steps});
        // What is done without a card was asked for.
        let installs = steps.iter().any(|step| step["tool"] == INSTALLING);
        let asked = if installs { "install and order" } else { "order" };
        let request = format!("{asked} the packages for {path}");
        // The home of everybody here stands in every prompt; the request stands at its end.
        self.llama.when(&request, Script::Say(plan.to_string()));
        Project { folder, request }
    }

    /// Puts our tools into the catalog and signs them.
    pub(crate) fn add_tools(&self) {
        let output = self.metnos(&["catalog", "list"]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        for (name, effect) in [(LOOKING, "read"), (INSTALLING, "reversible"), (ORDERING, "reversible")] {
            self.add_tool(name, effect);
        }
    }

    /// One tool: notes that it begins, waits at its first gate, does its work, waits at its second, and answers.
    pub(crate) fn add_tool(&self, name: &str, effect: &str) {
        let folder = self.data_dir().join("catalog").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("manifest.toml"), manifest(name, effect)).unwrap();
        let work = if effect == "read" {
            ""
        } else {
            "echo done >> $box/.$tool.log"
        };
        let home = self.home().display().to_string();
        let script = format!(
            r#"#!/bin/bash
read -r input
path=${{input#*\"path\":\"~/}}
box={home}/${{path%%\"*}}
tool={name}
if [ -p $box/$tool.before ]; then cat $box/$tool.before; fi
{work}
if [ -p $box/$tool.after ]; then cat $box/$tool.after; fi
printf '{{"ok":true,"text":"%s went well","ok_count":1}}' $tool
"#
        );
        let program = folder.join("run.sh");
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        sign_one(&self.data_dir(), &ExecutorName::from(name)).unwrap();
    }

    /// Makes these chats the host's, as pairing would.
    pub(crate) async fn pair(&self, chats: &[i64]) {
        fs::create_dir_all(self.data_dir()).unwrap();
        let store = Store::open(&self.data_dir().join(DATABASE)).unwrap();
        let host = Actor {
            id: ActorId::from("host"),
            role: Role::Host,
            name: "Ada".to_owned(),
            lang: Lang::EN,
            timezone: "Europe/Rome".to_owned(),
            // The plans here come from a model, and at this level what they change needs no card.
            autonomy: Autonomy::A3,
        };
        store.add_actor(&host, 0).await.unwrap();
        for chat in chats {
            let sender = SenderId::from(chat.to_string());
            store.pair(ChannelKind::Telegram, &sender, &host.id, 0).await.unwrap();
        }
    }
}

/// The known answer of `all_answers`.
fn is_last(text: &str) -> bool {
    text.contains("assistant. I live on")
}

/// Where our tools leave their marks, and the request that makes them.
pub(crate) struct Project {
    folder: PathBuf,
    pub(crate) request: String,
}

impl Project {
    /// How often a tool did its work.
    pub(crate) fn count(&self, tool: &str) -> usize {
        let log = fs::read_to_string(self.folder.join(format!(".{tool}.log"))).unwrap_or_default();
        log.lines().count()
    }

    /// Makes a tool stop `before` or `after` its work.
    pub(crate) fn gate(&self, tool: &str, point: &str) -> Gate {
        let path = self.folder.join(format!("{tool}.{point}"));
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        Gate { path }
    }
}

/// A point a tool waits at.
pub(crate) struct Gate {
    path: PathBuf,
}

impl Gate {
    /// Waits until the tool has come here; it goes on when the result is dropped.
    pub(crate) async fn reached(&self) -> File {
        let start = Instant::now();
        loop {
            let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap();
            // Without a reader at the other end this fails.
            if let Ok(open) = OpenOptions::new().write(true).custom_flags(flags).open(&self.path) {
                return open;
            }
            assert!(start.elapsed() < PATIENCE, "nobody came to {}", self.path.display());
            sleep(LOOK).await;
        }
    }

    /// From now on nobody stops here.
    pub(crate) fn remove(self) {
        fs::remove_file(self.path).unwrap();
    }
}

/// The mode of a file or folder.
pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn manifest(name: &str, effect: &str) -> String {
    let (capabilities, kind) = if effect == "read" {
        ("\"fs:read\"", "folder")
    } else {
        ("\"fs:read\", \"fs:write\"", "target")
    };
    format!(
        r#"manifest_format = "1.0"
name = "{name}"
version = "1.0.0"
kind = "program"
affinity = ["order the packages", "packages"]
effect = "{effect}"
risk = "low"
feed = "none"
timeout_s = 120
cacheable = true
companions = []
requires_one_of = []
capabilities = [{capabilities}]

[code]
files = ["run.sh"]
digest = "sha256:{digest}"

[description.en]
purpose = "Works in a folder for a test."
pattern = "{name}(path)"
not = "anything else"
out = "text"

[description.it]
purpose = "Lavora in una cartella per una prova."
pattern = "{name}(path)"
not = "altro"
out = "text"

[[args]]
name = "path"
required = true
kind = "{kind}"
schema = {{ type = "string" }}
description = {{ en = "the folder", it = "la cartella" }}

[output]
entry_fields = []
result_fields = ["text", "ok_count"]

[presentation]
text = "text"
"#,
        digest = "0".repeat(64)
    )
}
