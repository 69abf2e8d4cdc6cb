//! Starts a server, such as a llama-server, with the household's own command and keeps it running.
//!
//! Called by `app` when `[llm.server] command` or `[speech.server] command` is set. A server that already answers at
//! the configured address is used as it is. A server that dies is started again after a wait that doubles. Its output
//! goes to a file of the log folder. It is started through our own program (`companion`), so that it ends with us even
//! when we are killed. It gets none of our own environment variables, as a token may be among them, and nothing is
//! added to its arguments.

use std::{
    convert::Infallible,
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::{
    process::{Child, Command},
    sync::watch,
    task::JoinHandle,
    time::Instant,
};

use crate::{config::env, domain::message::Message};

/// What becomes a server of ours.
pub mod companion;

/// First wait before a new start; it doubles up to the longest.
const RESTART_WAIT: Duration = Duration::from_secs(1);
const RESTART_WAIT_MAX: Duration = Duration::from_secs(60);
/// A server that ran this long was well: the next wait is short again.
const WELL_AFTER: Duration = Duration::from_secs(60);
/// How often a server that is not ours is looked at.
const FOREIGN_CHECK: Duration = Duration::from_secs(15);
/// How long a server may take to stop before it is killed.
const STOP_GRACE: Duration = Duration::from_secs(5);
/// A log bigger than this is put aside, in the place of the one before it.
const LOG_BYTES_MAX: u64 = 10 * 1024 * 1024;
/// How often its size is looked at: a server may run for months.
const LOG_CHECK: Duration = Duration::from_secs(60);

/// What is known about the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerState {
    /// About to be started.
    Starting,
    /// Runs under this process id; whether its model is loaded is `Kept::healthy`'s to say.
    Running {
        /// Process id.
        pid: u32,
    },
    /// Somebody else's server answers at the address; nothing was started.
    Foreign,
    /// Ended; a new start follows after a wait.
    Waiting {
        /// Starts since the last good run.
        failures: u32,
        /// How it ended.
        reason: String,
    },
    /// Stopped by us.
    Stopped,
}

impl ServerState {
    /// What people are told, if there is something to tell. `log` is where the output goes.
    fn message(&self, kind: Kind, log: &Path) -> Option<Message> {
        match self {
            // Asked only while it does not answer: it still loads its model.
            Self::Starting | Self::Running { .. } => Some(Message::new(kind.started_key())),
            Self::Waiting { failures, reason } => Some(
                Message::new(kind.failing_key())
                    .with("failures", u64::from(*failures))
                    .with("reason", reason.as_str())
                    .with("log", log.to_string_lossy().into_owned()),
            ),
            Self::Foreign | Self::Stopped => None,
        }
    }
}

/// What a server is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The language model.
    Llama,
    /// What hears voice notes.
    Speech,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Llama, Self::Speech];

    /// Its name in our log and that of its own, without the ending.
    fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama-server",
            Self::Speech => "speech-server",
        }
    }

    fn started_key(self) -> &'static str {
        match self {
            Self::Llama => "llm-server-started",
            Self::Speech => "speech-server-started",
        }
    }

    fn failing_key(self) -> &'static str {
        match self {
            Self::Llama => "llm-server-failing",
            Self::Speech => "speech-server-failing",
        }
    }
}

/// Who asks a server that is kept running.
pub trait Kept: Clone + Send + Sync + 'static {
    /// What it is for.
    const KIND: Kind;

    /// Whether it answers right now.
    fn healthy(&self) -> impl Future<Output = bool> + Send;

    /// Where it is told how the server is that we started.
    fn supervised(&self) -> &Supervised;
}

/// How the server is that we started, for whoever asks it; nothing where somebody else runs it. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Supervised(Arc<OnceLock<Watched>>);

impl Supervised {
    /// What there is to say about it: that it is starting, or keeps failing.
    pub fn trouble(&self) -> Option<Message> {
        self.0.get().and_then(Watched::message)
    }

    fn by(&self, watched: Watched) {
        if self.0.set(watched).is_err() {
            tracing::warn!("two supervisors for one server; the first one is asked");
        }
    }
}

/// How a supervised server is.
#[derive(Clone, Debug)]
struct Watched {
    kind: Kind,
    state: watch::Receiver<ServerState>,
    log: PathBuf,
}

impl Watched {
    /// What people are told, if there is something to tell.
    fn message(&self) -> Option<Message> {
        self.state.borrow().message(self.kind, &self.log)
    }
}

/// Where the output of our server goes.
pub fn log_in(log_folder: &Path, kind: Kind) -> PathBuf {
    log_folder.join(kind.name()).with_extension("log")
}

/// Why supervision cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SupervisorError {
    /// The command is empty.
    #[error("the command that starts the server is empty")]
    NoCommand,
    /// The log cannot be written.
    #[error("cannot write the log of the server in `{folder}`")]
    Log {
        /// The log folder.
        folder: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

/// A server under watch. Dropping it kills the server; `stop` ends it gently.
#[derive(Debug)]
pub struct Supervisor {
    state: watch::Receiver<ServerState>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Supervisor {
    /// Starts the command and watches it from now on; `binary` is our own program, which becomes the command. Must be
    /// called inside the async runtime.
    pub fn start<K: Kept>(
        command: &[String],
        log_folder: &Path,
        client: &K,
        binary: PathBuf,
    ) -> Result<Self, SupervisorError> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(SupervisorError::NoCommand);
        };
        let log_error = |source| SupervisorError::Log {
            folder: log_folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(log_folder).map_err(log_error)?;
        let log = log_in(log_folder, K::KIND);
        open_log(&log).map_err(log_error)?;
        let (state_sender, state) = watch::channel(ServerState::Starting);
        let (stop, stop_receiver) = watch::channel(false);
        client.supervised().by(Watched {
            kind: K::KIND,
            state: state.clone(),
            log: log.clone(),
        });
        let watcher = Watcher {
            binary,
            program: program.clone(),
            arguments: arguments.to_vec(),
            log,
            client: client.clone(),
            state: state_sender,
            stop: stop_receiver,
        };
        Ok(Self {
            state,
            stop,
            task: tokio::spawn(watcher.watch()),
        })
    }

    /// What is known right now.
    pub fn state(&self) -> ServerState {
        self.state.borrow().clone()
    }

    /// Asks the server to stop, kills it if it does not, and waits for the end.
    pub async fn stop(mut self) {
        if self.stop.send(true).is_err() {
            return;
        }
        if let Err(error) = (&mut self.task).await {
            tracing::warn!(%error, "the watcher of a server failed");
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The child dies with the task that owns it: `kill_on_drop`.
        self.task.abort();
    }
}

struct Watcher<K> {
    binary: PathBuf,
    program: String,
    arguments: Vec<String>,
    log: PathBuf,
    client: K,
    state: watch::Sender<ServerState>,
    stop: watch::Receiver<bool>,
}

/// How one run ended.
enum End {
    Stopped,
    Died(String),
}

impl<K: Kept> Watcher<K> {
    async fn watch(mut self) {
        let mut failures: u32 = 0;
        loop {
            if self.client.healthy().await {
                self.state.send_replace(ServerState::Foreign);
                if self.pause(FOREIGN_CHECK).await {
                    break;
                }
                continue;
            }
            self.state.send_replace(ServerState::Starting);
            let started = Instant::now();
            let reason = match self.run_once().await {
                End::Stopped => break,
                End::Died(reason) => reason,
            };
            failures = if started.elapsed() >= WELL_AFTER {
                1
            } else {
                failures.saturating_add(1)
            };
            let wait = restart_wait(failures);
            tracing::warn!(%reason, failures, wait_s = wait.as_secs(), "{} ended, starting it again", K::KIND.name());
            self.state.send_replace(ServerState::Waiting { failures, reason });
            if self.pause(wait).await {
                break;
            }
        }
        self.state.send_replace(ServerState::Stopped);
    }

    async fn run_once(&mut self) -> End {
        let mut child = match self.spawn() {
            Ok(child) => child,
            Err(error) => return End::Died(format!("cannot start `{}`: {error}", self.program)),
        };
        let pid = child.id().unwrap_or_default();
        tracing::info!(pid, program = %self.program, "{} started", K::KIND.name());
        self.state.send_replace(ServerState::Running { pid });
        tokio::select! {
            status = child.wait() => End::Died(match status {
                Ok(status) if status.code() == Some(companion::NOT_STARTED.into()) => {
                    format!("cannot start `{}`", self.program)
                }
                status => ending(status),
            }),
            () = stopped(&mut self.stop) => {
                stop_child(&mut child).await;
                End::Stopped
            }
            never = keep_short(&self.log, LOG_CHECK) => match never {},
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        let output = open_log(&self.log)?;
        let errors = output.try_clone()?;
        let mut command = Command::new(&self.binary);
        command
            .arg("companion")
            .arg(std::process::id().to_string())
            .arg(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::from(output))
            .stderr(Stdio::from(errors))
            // Ctrl-C in the terminal is for us: we stop the server ourselves, after the running turn.
            .process_group(0)
            .kill_on_drop(true);
        // Threads that spin while they wait starve everything else on a small machine: ten times slower when busy.
        command.env("GOMP_SPINCOUNT", "0");
        for name in env::own() {
            command.env_remove(name);
        }
        command.spawn()
    }

    /// Waits; `true` when it is time to stop.
    async fn pause(&mut self, wait: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(wait) => false,
            () = stopped(&mut self.stop) => true,
        }
    }
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that the supervisor is gone, which is a stop too.
    if stop.wait_for(|stop| *stop).await.is_err() {
        tracing::debug!("the supervisor of a server is gone");
    }
}

async fn stop_child(child: &mut Child) {
    let pid = child
        .id()
        .and_then(|pid| i32::try_from(pid).ok())
        .and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid
        && let Err(error) = rustix::process::kill_process(pid, rustix::process::Signal::TERM)
    {
        tracing::debug!(%error, "a server was gone before it was stopped");
    }
    match tokio::time::timeout(STOP_GRACE, child.wait()).await {
        Ok(status) => tracing::info!(ending = %ending(status), "a server stopped"),
        Err(_elapsed) => {
            if let Err(error) = child.kill().await {
                tracing::warn!(%error, "cannot kill a server");
            }
        }
    }
}

fn ending(status: io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    }
}

fn restart_wait(failures: u32) -> Duration {
    RESTART_WAIT
        .saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)))
        .min(RESTART_WAIT_MAX)
}

fn open_log(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Puts what a long log says aside, again and again. The server writes on in the same file, at its end: it was opened
/// for appending.
async fn keep_short(log: &Path, every: Duration) -> Infallible {
    loop {
        if let Err(error) = shorten(log).await {
            tracing::warn!(%error, "the log of a server is long and stays so");
        }
        tokio::time::sleep(every).await;
    }
}

async fn shorten(log: &Path) -> io::Result<()> {
    if tokio::fs::metadata(log).await?.len() <= LOG_BYTES_MAX {
        return Ok(());
    }
    let aside = log.with_extension("log.1");
    if let Err(error) = tokio::fs::copy(log, &aside).await {
        // On a full disk room counts for more than old lines.
        tracing::warn!(%error, "old lines of a server are lost");
    }
    let file = tokio::fs::OpenOptions::new().write(true).open(log).await?;
    file.set_len(0).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that runs for months, and never stops saying something.
    #[tokio::test]
    async fn the_log_of_a_server_that_runs_is_put_aside_when_it_is_long() {
        use std::io::Write as _;
        let folder = tempfile::tempdir().unwrap();
        let log = log_in(folder.path(), Kind::Llama);
        let mut server = open_log(&log).unwrap();
        let length = || std::fs::metadata(&log).unwrap().len();
        let is_short = async {
            while length() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        server.write_all(b"first\n").unwrap();
        let keeping = keep_short(&log, Duration::from_millis(20));
        let writing = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            assert_eq!(length(), 6, "it is not long");
            let more = vec![b'.'; usize::try_from(LOG_BYTES_MAX).unwrap()];
            server.write_all(&more).unwrap();
            tokio::time::timeout(Duration::from_secs(20), is_short).await.unwrap();
        };
        tokio::select! {
            never = keeping => match never {},
            () = writing => {}
        }
        server.write_all(b"last\n").unwrap();
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "last\n");
        let aside = std::fs::metadata(folder.path().join("llama-server.log.1")).unwrap();
        assert_eq!(aside.len(), LOG_BYTES_MAX + 6);
    }

    #[test]
    fn waits_double_and_end_at_a_minute() {
        let waits: Vec<u64> = [1, 2, 3, 6, 7, 8, 1_000]
            .into_iter()
            .map(|n| restart_wait(n).as_secs())
            .collect();
        assert_eq!(waits, [1, 2, 4, 32, 60, 60, 60]);
    }
}
