//! The other side of `process`: what `metnos executor …` does. It reads the envelope, locks itself in, and only then
//! reads the call and runs it. Its own process, one thread, an empty environment; prints one JSON object.

use std::{
    ffi::OsString,
    io::{self, BufRead, Read, Write},
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    process::{Signal, getppid, set_parent_process_death_signal},
    thread::set_no_new_privs,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Call, CallContext, builtin, reversal,
    sandbox::{self, Grants},
};
use crate::{
    config::Secret,
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        message::Message,
        run::{Reversal, ToolResult},
    },
};

/// The argument that asks for a program, before its path.
pub(super) const PROGRAM: &str = "--program";
/// The argument that asks for becoming a server of tools, before its path and its arguments.
pub(super) const SERVER: &str = "--server";
/// The argument that asks for taking things back.
pub(super) const REVERSE: &str = "--reverse";

/// The first line of the worker's input: everything it must know before it may read the rest.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Envelope {
    /// Our parent: when it is gone before we look, nobody waits for us.
    pub(super) parent: i32,
    /// What the call may touch.
    pub(super) grants: Grants,
    /// Whether a kernel that cannot hold us to that is an error.
    pub(super) is_required: bool,
    /// Bytes of the call behind this line.
    pub(super) call_bytes: usize,
    /// Bytes of the password behind the call; none for most.
    #[serde(default)]
    pub(super) password_bytes: usize,
    /// Whether our input is a line on which requests to the network are answered, and stays open.
    pub(super) is_answered: bool,
}

/// The name under which a program finds the descriptor that its requests go to.
const LINE: &str = "_fetch";

/// What taking things back needs.
#[derive(Debug, Deserialize)]
struct ReverseRequest {
    reversals: Vec<Reversal>,
    context: CallContext,
}

/// Which work was asked for on the command line.
enum Task {
    Builtin(ExecutorName),
    Program(PathBuf),
    Server(PathBuf, Vec<OsString>),
    Reverse,
}

/// Why the worker could not even begin; told on stderr, seen by the parent as a crash.
#[derive(Debug, thiserror::Error)]
enum WorkerError {
    #[error("usage: metnos executor NAME | --program PATH | --server PATH ARGUMENT… | --reverse")]
    Usage,
    #[error("cannot read the call")]
    Input(#[source] io::Error),
    #[error("the call is malformed")]
    Malformed(#[source] serde_json::Error),
    #[error("the parent is gone")]
    Orphan,
    #[error("cannot prepare the process")]
    Process(#[source] io::Error),
    #[error("cannot write the result")]
    Output(#[source] io::Error),
}

/// Does what `metnos executor ARGS` asks for. `args` are those after `executor`.
pub fn worker_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match work(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut text = error.to_string();
            if let Some(cause) = std::error::Error::source(&error) {
                text = format!("{text}: {cause}");
            }
            match writeln!(io::stderr(), "{text}") {
                Ok(()) => ExitCode::FAILURE,
                Err(_) => ExitCode::from(2),
            }
        }
    }
}

fn work(args: impl IntoIterator<Item = OsString>) -> Result<(), WorkerError> {
    let task = parse_task(args)?;
    if let Task::Server(path, arguments) = task {
        return become_server(&path, &arguments);
    }
    let mut input = io::stdin().lock();
    let mut envelope = Vec::new();
    input.read_until(b'\n', &mut envelope).map_err(WorkerError::Input)?;
    let envelope: Envelope = serde_json::from_slice(&envelope).map_err(WorkerError::Malformed)?;
    let mut call = vec![0; envelope.call_bytes];
    input.read_exact(&mut call).map_err(WorkerError::Input)?;
    let password = password(&mut input, envelope.password_bytes)?;
    let result = match locked_in(&envelope)? {
        Ok(()) => run(&task, &call, password, envelope.is_answered)?,
        Err(error) => ToolResult::failed(no_sandbox(&error)),
    };
    let bytes = serde_json::to_vec(&result).map_err(WorkerError::Malformed)?;
    let mut stdout = io::stdout();
    stdout
        .write_all(&bytes)
        .and_then(|()| stdout.flush())
        .map_err(WorkerError::Output)
}

/// What opens a locked file, where the call comes with it.
fn password(input: &mut impl Read, bytes: usize) -> Result<Option<Secret>, WorkerError> {
    if bytes == 0 {
        return Ok(None);
    }
    let mut given = vec![0; bytes];
    input.read_exact(&mut given).map_err(WorkerError::Input)?;
    // The error of a conversion would carry it.
    let text = String::from_utf8(given).map_err(|_no_text| WorkerError::Input(io::ErrorKind::InvalidData.into()))?;
    Ok(Some(Secret::new(text)))
}

fn parse_task(args: impl IntoIterator<Item = OsString>) -> Result<Task, WorkerError> {
    let args: Vec<OsString> = args.into_iter().collect();
    match args.as_slice() {
        [flag] if flag == REVERSE => Ok(Task::Reverse),
        [flag, path] if flag == PROGRAM => Ok(Task::Program(PathBuf::from(path))),
        [flag, path, rest @ ..] if flag == SERVER => Ok(Task::Server(PathBuf::from(path), rest.to_vec())),
        [name] => match name.to_str() {
            Some(name) if !name.starts_with('-') => Ok(Task::Builtin(ExecutorName::from(name))),
            Some(_) | None => Err(WorkerError::Usage),
        },
        _ => Err(WorkerError::Usage),
    }
}

/// Holds this process to what the envelope grants, for good; the inner error is a sandbox that cannot be set up.
fn locked_in(envelope: &Envelope) -> Result<Result<(), sandbox::SandboxError>, WorkerError> {
    die_with(envelope.parent)?;
    set_no_new_privs(true).map_err(|error| WorkerError::Process(error.into()))?;
    Ok(sandbox::enter(&envelope.grants, envelope.is_required))
}

/// Ends with the process that started us, and never outlives a turn that was stopped.
fn die_with(parent: i32) -> Result<(), WorkerError> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| WorkerError::Process(error.into()))?;
    if getppid().is_some_and(|pid| pid.as_raw_pid() == parent) {
        Ok(())
    } else {
        Err(WorkerError::Orphan)
    }
}

fn no_sandbox(error: &sandbox::SandboxError) -> ToolError {
    let mut detail = error.to_string();
    if let Some(cause) = std::error::Error::source(error) {
        detail = format!("{detail}: {cause}");
    }
    ToolError::new(ErrorClass::Internal, Message::new("executors-no-sandbox")).with_detail(detail)
}

fn run(task: &Task, input: &[u8], password: Option<Secret>, is_answered: bool) -> Result<ToolResult, WorkerError> {
    match task {
        Task::Builtin(name) => {
            let mut call: Call = serde_json::from_slice(input).map_err(WorkerError::Malformed)?;
            call.password = password;
            Ok(match builtin(name) {
                Some(code) => code.run(&call),
                None => ToolResult::failed(unknown(name)),
            })
        }
        Task::Reverse => {
            let request: ReverseRequest = serde_json::from_slice(input).map_err(WorkerError::Malformed)?;
            Ok(reversal::reverse(&request.reversals, &request.context))
        }
        // It was taken care of before there was a call.
        Task::Server(..) => Err(WorkerError::Usage),
        Task::Program(path) => {
            let call: Call = serde_json::from_slice(input).map_err(WorkerError::Malformed)?;
            Err(WorkerError::Process(become_program(path, &call, is_answered)))
        }
    }
}

/// An executor that is in the catalog and nowhere in the code.
pub(super) fn unknown(name: &ExecutorName) -> ToolError {
    ToolError::new(
        ErrorClass::CapabilityMissing,
        Message::new("executors-unknown").with("name", name.as_str()),
    )
}

/// Turns this process into the program: same sandbox, same parent, its arguments on stdin. Returns only on failure.
fn become_program(path: &Path, call: &Call, is_answered: bool) -> io::Error {
    // Its own input are its arguments; the line stays open beside them.
    let line = is_answered.then(|| rustix::io::dup(io::stdin())).transpose();
    let line = match line {
        Ok(line) => line,
        Err(error) => return error.into(),
    };
    let stdin = match program_input(call, line.as_ref()) {
        Ok(stdin) => stdin,
        Err(error) => return error,
    };
    Command::new(path).env_clear().stdin(stdin).exec()
}

/// Locks itself in and turns into a server, whose input and output are those of this process. Returns only on failure.
fn become_server(path: &Path, arguments: &[OsString]) -> Result<(), WorkerError> {
    let envelope: Envelope =
        serde_json::from_slice(&first_line().map_err(WorkerError::Input)?).map_err(WorkerError::Malformed)?;
    locked_in(&envelope)?.map_err(|error| WorkerError::Process(io::Error::other(error)))?;
    Err(WorkerError::Process(
        Command::new(path).args(arguments).env_clear().exec(),
    ))
}

/// The first line of the input and not one byte more: what follows is for the server.
fn first_line() -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut byte = [0_u8];
    while rustix::io::read(rustix::stdio::stdin(), &mut byte)? == 1 {
        if byte == *b"\n" {
            return Ok(line);
        }
        line.extend(byte);
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// The arguments as the program reads them, with the turn's facts under names a plan cannot set.
fn program_input(call: &Call, line: Option<&OwnedFd>) -> io::Result<Stdio> {
    let mut input: Map<String, Value> = call.args.clone();
    input.remove(LINE);
    let context = &call.context;
    let facts = [
        ("_turn_id", context.turn.as_str().to_owned()),
        ("_actor", context.actor.as_str().to_owned()),
        ("_lang", context.lang.code().to_owned()),
        ("_now", context.now.to_string()),
        ("_home", context.home.to_string_lossy().into_owned()),
    ];
    input.extend(facts.map(|(name, value)| (name.to_owned(), Value::String(value))));
    input.extend(line.map(|line| (LINE.to_owned(), Value::from(line.as_raw_fd()))));
    let bytes = serde_json::to_vec(&input)?;
    let mut file = std::fs::File::from(memfd_create("call", MemfdFlags::CLOEXEC)?);
    file.write_all(&bytes)?;
    std::io::Seek::rewind(&mut file)?;
    Ok(Stdio::from(file))
}
