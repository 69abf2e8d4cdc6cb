//! How the engine calls an executor: `Runner::run`. Code that only computes runs here and now; everything else, and
//! every program, in a child of our own binary that locks itself in (`worker`). Dropping the future ends the child and
//! all it started: that is how a stop works. A child also ends with the thread that started it, so this must be polled
//! on a thread that lives on, as those of the runtime do. Nothing here retries or trusts what a program prints.

use std::{
    ffi::OsStr,
    io,
    os::{
        fd::OwnedFd,
        unix::{fs::DirBuilderExt, net::UnixStream as StdUnixStream},
    },
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use rustix::process::{Pid, Signal, getpid, kill_process_group};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
    process::{Child, Command},
};
use tokio_util::sync::CancellationToken;

use super::{
    Call, CallContext,
    broker::{self, Reach},
    builtin, foresee, internal,
    mcp::Servers,
    printed::{Output, builtin_result, crashed, program_result},
    progress, reversal,
    sandbox::{self, Grants},
    urls,
    worker::{self, Envelope},
};
use crate::{
    config::{McpServers, SandboxConfig, Secret},
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits,
        manifest::{Capability, Kind, Manifest},
        message::Message,
        run::{Reversal, ToolResult},
    },
};

/// How long a child that was killed may take to be gone: only a broken disk keeps one longer.
const END_WAIT: Duration = Duration::from_secs(10);
/// Most bytes kept of what an executor says on stderr.
const STDERR_BYTES_MAX: usize = 4_096;

/// Starts executors.
#[derive(Clone, Debug)]
pub struct Runner {
    /// Our own binary.
    binary: PathBuf,
    /// What to do on a kernel without the sandbox.
    sandbox: SandboxConfig,
    /// Tools of others.
    servers: Arc<Servers>,
}

/// What a child is told.
struct Input<'a> {
    /// The call, as JSON.
    call: String,
    /// What opens a locked file: behind the call, and nowhere else.
    password: Option<&'a Secret>,
    /// What it may ask of the network.
    reach: Option<Reach>,
}

impl Input<'_> {
    /// A call alone.
    fn of(call: &Value) -> Self {
        Self {
            call: call.to_string(),
            password: None,
            reach: None,
        }
    }
}

/// The child's whole process group; ended when this is dropped.
#[derive(Debug)]
pub(super) struct Group(Pid);

impl Group {
    /// That of a child which was given one of its own; `None` once it has ended.
    pub(super) fn of(child: &Child) -> Option<Self> {
        let pid = i32::try_from(child.id()?).ok()?;
        Pid::from_raw(pid).map(Self)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Gone already is what we want.
        if let Err(error) = kill_process_group(self.0, Signal::KILL)
            && error != rustix::io::Errno::SRCH
        {
            tracing::warn!(%error, "cannot end an executor's process group");
        }
    }
}

impl Runner {
    /// Starts executors with this binary, which must answer to `executor`.
    pub fn new(binary: PathBuf, sandbox: SandboxConfig) -> Self {
        let servers = Arc::new(Servers::new(McpServers::new(), binary.clone(), sandbox));
        Self {
            binary,
            sandbox,
            servers,
        }
    }

    /// The same with these servers of tools of others.
    pub fn with_servers(self, configured: McpServers) -> Self {
        let servers = Servers::new(configured, self.binary.clone(), self.sandbox);
        Self {
            servers: Arc::new(servers),
            ..self
        }
    }

    /// What happens on a kernel without the sandbox, as the configuration calls it.
    pub fn sandbox_name(&self) -> &'static str {
        match self.sandbox {
            SandboxConfig::Required => "required",
            SandboxConfig::Degraded => "degraded",
        }
    }

    /// Runs one call to its end or its time limit, or until `stop` is cancelled. `code_dir` is where a program's files
    /// lie.
    pub async fn run(
        &self,
        manifest: &Manifest,
        call: Call,
        code_dir: Option<&Path>,
        stop: &CancellationToken,
    ) -> ToolResult {
        match &manifest.kind {
            Kind::Builtin if manifest.is_pure() => run_here(&manifest.name, &call),
            Kind::Builtin => {
                let call = match self.prepared(manifest, call, stop).await {
                    Ok(call) => call,
                    Err(error) => return ToolResult::failed(error),
                };
                let grants = Grants::of(manifest, &call, None);
                let args = [OsStr::new(manifest.name.as_str())];
                if let Err(error) = progress::clear(&call.context) {
                    return ToolResult::failed(internal(format!("cannot clear old progress: {error}")));
                }
                let input = Input {
                    password: call.password.as_ref(),
                    ..Input::of(&to_json(&call))
                };
                let limit = Duration::from_secs(manifest.timeout_s);
                let ran = self
                    .exchange(&args, &grants, input, (limit, stop), &manifest.name)
                    .await
                    .and_then(|output| builtin_result(&manifest.name, &output));
                let result = ran.unwrap_or_else(|error| ToolResult {
                    reversals: progress::read(&call.context),
                    ..ToolResult::failed(error)
                });
                if let Err(error) = progress::clear(&call.context) {
                    tracing::warn!(%error, "what a step did stays noted beside its copies");
                }
                result
            }
            // A composite is opened before its plan is validated: it never runs as such.
            Kind::Composite { .. } => ToolResult::failed(worker::unknown(&manifest.name)),
            Kind::Mcp(tool) => self.servers.run(manifest, tool, &call, stop).await,
            Kind::Program { files } => {
                let (Some(code_dir), Some(file)) = (code_dir, files.first()) else {
                    return ToolResult::failed(worker::unknown(&manifest.name));
                };
                let path = code_dir.join(file);
                let grants = Grants::of(manifest, &call, Some(code_dir));
                let args = [OsStr::new(worker::PROGRAM), path.as_os_str()];
                let reach = Reach::of(manifest, &call);
                let limit = Duration::from_secs(manifest.timeout_s);
                // A password is for our own code: a program is not given one.
                let input = Input {
                    reach,
                    ..Input::of(&to_json(&call))
                };
                self.exchange(&args, &grants, input, (limit, stop), &manifest.name)
                    .await
                    .and_then(|output| program_result(&manifest.name, &output))
                    .unwrap_or_else(ToolResult::failed)
            }
        }
    }

    /// The call with what its code may not fetch by itself: it reads what strangers wrote, and has no way out.
    async fn prepared(&self, manifest: &Manifest, call: Call, stop: &CancellationToken) -> Result<Call, ToolError> {
        if !manifest.has(Capability::NetworkHttp) {
            return Ok(call);
        }
        tokio::select! {
            biased;
            fetched = urls::fetched(call) => fetched,
            () = stop.cancelled() => Err(stopped(&manifest.name)),
            () = tokio::time::sleep(Duration::from_secs(manifest.timeout_s)) => Err(timed_out(&manifest.name)),
        }
    }

    /// What is known to fail without running it: its own reasons, or a sandbox that this machine does not have.
    pub fn foresee(&self, manifest: &Manifest, call: &Call) -> Result<(), ToolError> {
        if self.sandbox == SandboxConfig::Required && !manifest.is_pure() && !sandbox::probe().is_complete() {
            return Err(ToolError::new(
                ErrorClass::Internal,
                Message::new("executors-no-sandbox"),
            ));
        }
        foresee(&manifest.name, call)
    }

    /// Takes effects back, newest first. They are given in the order in which things were done.
    pub async fn reverse(&self, reversals: Vec<Reversal>, context: &CallContext) -> ToolResult {
        let name = ExecutorName::from("undo_last_turn");
        let grants = Grants::of_reversals(&reversals, context);
        let request = reversal::request(&reversals, context);
        let args = [OsStr::new(worker::REVERSE)];
        let limit = Duration::from_secs(limits::EXECUTOR_TIMEOUT_S);
        // Nobody stops it but who drops it: taken back in part it is no better than before.
        let stop = CancellationToken::new();
        self.exchange(&args, &grants, Input::of(&to_json(&request)), (limit, &stop), &name)
            .await
            .and_then(|output| builtin_result(&name, &output))
            .unwrap_or_else(ToolResult::failed)
    }

    /// One child: the envelope and the input in, everything it printed out. Where it may ask the network, its requests
    /// are answered on the way.
    async fn exchange(
        &self,
        args: &[&OsStr],
        grants: &Grants,
        input: Input<'_>,
        (limit, stop): (Duration, &CancellationToken),
        name: &ExecutorName,
    ) -> Result<Output, ToolError> {
        make_backup_dirs(grants).map_err(|error| internal(format!("cannot make the backup folder: {error}")))?;
        let Input { call, password, reach } = input;
        let password = password.map(Secret::expose).unwrap_or_default();
        let envelope = Envelope {
            parent: getpid().as_raw_pid(),
            grants: grants.clone(),
            is_required: self.sandbox == SandboxConfig::Required,
            call_bytes: call.len(),
            password_bytes: password.len(),
            is_answered: reach.is_some(),
        };
        let bytes = format!("{}\n{call}{password}", to_json(&envelope)).into_bytes();
        let failed = |error| internal(format!("cannot start `{}`: {error}", self.binary.display()));
        let (line, stdin) = match reach {
            Some(reach) => {
                let (ours, theirs) = StdUnixStream::pair().map_err(failed)?;
                ours.set_nonblocking(true).map_err(failed)?;
                let ours = UnixStream::from_std(ours).map_err(failed)?;
                (Some((ours, reach)), Stdio::from(OwnedFd::from(theirs)))
            }
            None => (None, Stdio::piped()),
        };
        let child = spawn(Command::new(&self.binary).arg("executor").args(args).stdin(stdin)).map_err(failed)?;
        let output = converse(child, (&bytes, line), name, (limit, stop)).await;
        // Its words and its detail may repeat arguments; the turn's record has them, with the secrets taken out.
        output.inspect_err(
            |error| tracing::warn!(executor = %name, class = ?error.class, code = %error.message.key, "executor failed"),
        )
    }
}

/// A child that is given nothing of ours but three pipes, in a process group of its own.
fn spawn(command: &mut Command) -> io::Result<Child> {
    command
        .env_clear()
        .current_dir("/")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
}

/// The backup folder must exist before it can be granted; nobody else may look into it.
fn make_backup_dirs(grants: &Grants) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    let mut missing = grants.write.iter().filter(|path| !path.exists());
    missing.try_for_each(|path| builder.create(path))
}

fn to_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Feeds a child and listens until it is done, takes too long, says too much, or is to be stopped. However it ends, it
/// is gone when this returns, so that what it noted is all it did.
async fn converse(
    mut child: Child,
    (input, line): (&[u8], Option<(UnixStream, Reach)>),
    name: &ExecutorName,
    (limit, stop): (Duration, &CancellationToken),
) -> Result<Output, ToolError> {
    let broken = |error: io::Error| internal(format!("cannot talk to `{name}`: {error}"));
    // Its process group has its own number; without one it has ended already.
    let group = Group::of(&child);
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(internal("an executor has no pipes"));
    };
    let stdin = child.stdin.take();
    let feed = async move {
        let fed = match (line, stdin) {
            (Some((mut line, reach)), _) => match line.write_all(input).await {
                Ok(()) => broker::serve(line, &reach).await,
                Err(error) => Err(error),
            },
            (None, Some(mut stdin)) => stdin.write_all(input).await,
            (None, None) => return Err(internal("an executor has no input")),
        };
        match fed {
            // It may end without reading all; what it printed tells why.
            Err(error) if !matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) => {
                Err(broken(error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    };
    let listen = async {
        let bytes = read_up_to(stdout, limits::EXECUTOR_OUTPUT_BYTES_MAX + 1)
            .await
            .map_err(broken)?;
        if bytes.len() > limits::EXECUTOR_OUTPUT_BYTES_MAX {
            return Err(ToolError::new(
                ErrorClass::TooLarge,
                Message::new("executors-output-too-large").with("name", name.as_str()),
            ));
        }
        Ok(bytes)
    };
    let overhear = async { drain(stderr).await.map_err(broken) };
    let talk = async {
        let ((), stdout, stderr) = tokio::try_join!(feed, listen, overhear)?;
        let status = child.wait().await.map_err(broken)?;
        Ok(Output { status, stdout, stderr })
    };
    let talked = tokio::select! {
        biased;
        talked = talk => talked,
        () = stop.cancelled() => Err(stopped(name)),
        () = tokio::time::sleep(limit) => Err(timed_out(name)),
    };
    drop(group);
    match tokio::time::timeout(END_WAIT, child.wait()).await {
        Ok(Ok(_ended)) => {}
        Ok(Err(error)) => tracing::warn!(executor = %name, %error, "cannot wait for an executor's end"),
        Err(_elapsed) => tracing::error!(executor = %name, "an executor that was killed does not end"),
    }
    talked
}

async fn read_up_to(reader: impl AsyncRead + Unpin, bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(bytes_max as u64).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// Keeps the head and lets the rest go by, so that a talkative program does not block.
async fn drain(mut reader: impl AsyncRead + Unpin) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    let mut chunk = vec![0; STDERR_BYTES_MAX];
    loop {
        let count = reader.read(&mut chunk).await?;
        let Some(part) = chunk.get(..count).filter(|part| !part.is_empty()) else {
            return Ok(kept);
        };
        let room = STDERR_BYTES_MAX.saturating_sub(kept.len());
        kept.extend(part.iter().take(room));
    }
}

/// Code that only computes; a panic in it stays in the step.
fn run_here(name: &ExecutorName, call: &Call) -> ToolResult {
    let Some(code) = builtin(name) else {
        return ToolResult::failed(worker::unknown(name));
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| code.run(call)))
        .unwrap_or_else(|_panic| ToolResult::failed(crashed(name, "panicked")))
}

fn timed_out(name: &ExecutorName) -> ToolError {
    ToolError::new(
        ErrorClass::Timeout,
        Message::new("executors-timeout").with("name", name.as_str()),
    )
}

/// The person said stop while it ran.
pub fn stopped(name: &ExecutorName) -> ToolError {
    let message = Message::new("executors-stopped").with("name", name.as_str());
    ToolError::new(ErrorClass::UnknownOutcome, message)
}

#[cfg(test)]
mod tests {
    use rustix::process::test_kill_process;

    use super::*;

    /// Runs a shell command until it ends or is ended, and says whether it is gone then.
    async fn ended(command: &str, limit_ms: u64, stop: &CancellationToken) -> (Result<Output, ToolError>, bool) {
        let child = spawn(Command::new("/bin/sh").args(["-c", command]).stdin(Stdio::piped())).unwrap();
        let pid = Pid::from_raw(child.id().unwrap().cast_signed()).unwrap();
        let limit = Duration::from_millis(limit_ms);
        let outcome = converse(child, (b"", None), &ExecutorName::from("test"), (limit, stop)).await;
        (outcome, test_kill_process(pid).is_err())
    }

    #[tokio::test]
    async fn however_a_child_ends_it_is_gone_before_its_notes_are_read() {
        let stop = CancellationToken::new();
        let (outcome, is_gone) = ended("echo done", 60_000, &stop).await;
        assert_eq!((outcome.unwrap().stdout, is_gone), (b"done\n".to_vec(), true));
        let (outcome, is_gone) = ended("sleep 60", 50, &stop).await;
        assert_eq!((outcome.err().unwrap().class, is_gone), (ErrorClass::Timeout, true));
        let (outcome, is_gone) = ended("yes", 60_000, &stop).await;
        assert_eq!((outcome.err().unwrap().class, is_gone), (ErrorClass::TooLarge, true));
        stop.cancel();
        let (outcome, is_gone) = ended("sleep 60", 60_000, &stop).await;
        assert_eq!(
            (outcome.err().unwrap().class, is_gone),
            (ErrorClass::UnknownOutcome, true)
        );
    }
}
