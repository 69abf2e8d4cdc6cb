//! The program itself, as a household starts it, in a home of its own.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{path::PathBuf, process::Stdio, time::Duration};

use metnos::{app::DATABASE, domain::ids::ChannelKind, store::Store};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

/// How long a test waits for the program.
const PATIENCE: Duration = Duration::from_secs(300);

/// The code in an invitation, or at the beginning of what follows "/pair ".
pub(crate) fn pairing_code(said: &str) -> String {
    let rest = said.split_once("/pair ").map_or(said, |(_, rest)| rest);
    rest.chars().take_while(char::is_ascii_alphanumeric).collect()
}

/// A home with a data folder beside it; both go with the test.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder }
    }

    /// A path below `~`.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("home").join(name)
    }

    /// Writes a file below `~`.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Where the program keeps everything.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The first column of every row.
    pub(crate) fn rows(&self, sql: &str) -> Vec<String> {
        let connection = rusqlite::Connection::open(self.data_dir().join(DATABASE)).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// Writes the config file.
    pub(crate) fn configure(&self, toml: &str) {
        std::fs::write(self.folder.path().join("config.toml"), toml).unwrap();
    }

    /// Waits until the program has noted that everything it sent has arrived: killed before, it would send it again.
    pub(crate) async fn all_noted(&self) {
        let store = Store::open(&self.folder.path().join("data").join(DATABASE)).unwrap();
        let noted = async {
            while !store
                .outbox_due(ChannelKind::Telegram, i64::MAX)
                .await
                .unwrap()
                .is_empty()
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, noted).await.unwrap();
    }

    /// Runs one command to its end: whether it succeeded, and all it said.
    pub(crate) async fn run(&self, arguments: &[&str], input: &str) -> (bool, String) {
        let (first, rest) = arguments.split_first().unwrap();
        let mut command = self.metnos(first, &[]);
        let mut child = command.args(rest).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).await.unwrap();
        drop(stdin);
        let ended = tokio::time::timeout(PATIENCE, child.wait_with_output()).await;
        let output = ended.unwrap().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "whoever measures says in the environment which program to measure"
    )]
    fn metnos(&self, argument: &str, environment: &[(&str, &str)]) -> Command {
        // The figures are those of an optimised program; the test that holds the watch need not be one.
        let binary = std::env::var("METNOS_LIVE_BINARY");
        let binary = binary.as_deref().unwrap_or(env!("CARGO_BIN_EXE_metnos"));
        let mut command = self.command(binary, environment);
        command.arg(argument);
        command
    }

    /// A program in this home's environment.
    pub(crate) fn command(&self, program: &str, environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(environment.iter().copied());
        command.env("HOME", self.path("")).env("LANG", "en_GB.UTF-8");
        command.env("METNOS_DATA_DIR", self.folder.path().join("data"));
        let config = self.folder.path().join("config.toml");
        if config.exists() {
            command.env("METNOS_CONFIG", config);
        }
        command.kill_on_drop(true);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    /// Holds a conversation through a pipe and returns what was printed.
    pub(crate) async fn chat(&self, lines: &[&str]) -> String {
        let mut child = self.metnos("chat", &[]).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(lines.join("\n").as_bytes()).await.unwrap();
        drop(input);
        let output = tokio::time::timeout(PATIENCE, child.wait_with_output())
            .await
            .unwrap()
            .unwrap();
        assert!(output.status.success(), "{:?}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    /// Begins a conversation through a pipe that stays open.
    pub(crate) fn talk(&self) -> Talk {
        let mut child = self.metnos("chat", &[]).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let input = child.stdin.take();
        Talk {
            input,
            service: Service { child, output },
        }
    }

    /// Starts the service.
    pub(crate) fn serve(&self, environment: &[(&str, &str)]) -> Service {
        let mut child = self.metnos("serve", environment).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Service { child, output }
    }
}

/// `metnos chat` at the other end of a pipe.
pub(crate) struct Talk {
    input: Option<ChildStdin>,
    pub(crate) service: Service,
}

impl Talk {
    /// Writes a line.
    pub(crate) async fn says(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// The rest of the next printed line that contains `words`, after them.
    pub(crate) async fn prints(&mut self, words: &str) -> String {
        self.service.prints(words).await
    }

    /// Closes the pipe and waits for the end.
    pub(crate) async fn ends(mut self) {
        drop(self.input.take());
        let status = tokio::time::timeout(PATIENCE, self.service.child.wait()).await;
        assert!(status.unwrap().unwrap().success());
    }
}

/// `metnos serve`, running.
pub(crate) struct Service {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
}

impl Service {
    /// The rest of the first printed line that contains `words`, after them.
    pub(crate) async fn prints(&mut self, words: &str) -> String {
        let reading = async {
            loop {
                let line = self.output.next_line().await.unwrap().unwrap();
                if let Some((_, rest)) = line.split_once(words) {
                    return rest.to_owned();
                }
            }
        };
        tokio::time::timeout(PATIENCE, reading).await.unwrap()
    }

    /// Its number among the processes.
    pub(crate) fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Asks it to end, as an init system does, and waits until it has.
    pub(crate) async fn terminate(mut self) {
        let id = i32::try_from(self.id()).ok();
        let id = id.and_then(rustix::process::Pid::from_raw);
        rustix::process::kill_process(id.unwrap(), rustix::process::Signal::TERM).unwrap();
        let status = tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .unwrap()
            .unwrap();
        assert!(status.success(), "{status:?}");
    }

    /// Ends it without a chance to do anything.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }
}
