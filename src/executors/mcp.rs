//! Tools of others: the servers that the configuration names are started or reached when one of their tools is called,
//! kept, and asked. Called by `process::Runner` for executors of the kind `mcp`, and by `cli::mcp` to look at them. A
//! program runs in the sandbox with an empty environment; a tool that is not as it was when the host admitted it is
//! not called; nothing is tried again.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    os::fd::OwnedFd,
    os::unix::net::UnixStream as StdUnixStream,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use metnos_mcp::{Answer, Failure, Session, Tool};
use rustix::process::getpid;
use serde_json::{Map, Value, json};
use tokio::{
    io::AsyncWriteExt as _,
    net::UnixStream,
    process::{Child, Command},
    sync::Mutex,
};
use tokio_util::sync::CancellationToken;

use super::{
    Call, internal,
    process::{Group, stopped},
    sandbox::Grants,
    worker::{self, Envelope},
};
use crate::{
    config::{McpServer, McpServers, SandboxConfig},
    domain::{
        failure::{ErrorClass, ToolError},
        manifest::{Manifest, McpTool},
        message::Message,
        run::ToolResult,
    },
};

/// What a runtime such as Node's does not start without, or tells the time by. Nothing in them is a secret.
const SYSTEM_FILES: [&str; 2] = ["/etc/ssl/openssl.cnf", "/etc/localtime"];

/// The servers of a household, and the sessions with those that were asked.
#[derive(Debug)]
pub struct Servers {
    all: BTreeMap<String, Server>,
    /// Our own binary, which locks itself in and becomes a server.
    binary: PathBuf,
    sandbox: SandboxConfig,
}

/// One of them. Who waits for it to start keeps nobody from the others.
#[derive(Debug)]
struct Server {
    configured: McpServer,
    open: Mutex<Option<Arc<Open>>>,
}

/// A session, and what is known of the tools at its other end.
#[derive(Debug)]
struct Open {
    session: Session,
    /// The digest of each tool.
    digests: BTreeMap<String, String>,
    /// Ends with the session.
    _process: Option<Process>,
}

/// A server that was started here, and everything it started: they end when this is dropped.
#[derive(Debug)]
struct Process {
    _child: Child,
    _group: Option<Group>,
}

impl Servers {
    /// Those of this configuration; nothing is started yet.
    pub fn new(configured: McpServers, binary: PathBuf, sandbox: SandboxConfig) -> Self {
        let server = |configured| Server {
            configured,
            open: Mutex::default(),
        };
        Self {
            all: configured.into_iter().map(|(name, one)| (name, server(one))).collect(),
            binary,
            sandbox,
        }
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(String::as_str)
    }

    /// What a server has to offer, asked anew.
    pub async fn tools(&self, server: &str) -> Result<Vec<Tool>, ToolError> {
        let (session, _process) = self.begin(server).await?;
        let tools = session.tools().await.map_err(|failure| told(&failure, server, ""));
        session.close().await;
        tools
    }

    /// Calls a tool that was admitted, or says why not.
    pub(super) async fn run(
        &self,
        manifest: &Manifest,
        tool: &McpTool,
        call: &Call,
        stop: &CancellationToken,
    ) -> ToolResult {
        let limit = Duration::from_secs(manifest.timeout_s);
        let asked = async {
            let open = self.session(&tool.server).await?;
            if open.digests.get(&tool.tool) != Some(&tool.digest) {
                return Err(about("mcp-changed", ErrorClass::Forbidden, &tool.server, &tool.tool));
            }
            let arguments = arguments(manifest, tool, call);
            let answered = open.session.call(&tool.tool, arguments, limit).await;
            answered.map_err(|failure| told(&failure, &tool.server, &tool.tool))
        };
        let answered = tokio::select! {
            biased;
            answered = asked => answered,
            () = stop.cancelled() => Err(stopped(&manifest.name)),
        };
        match answered {
            Ok(answer) if answer.is_error => {
                let failed = about("mcp-failed", ErrorClass::ServerError, &tool.server, &tool.tool);
                let message = failed.message.with("said", answer.text);
                ToolResult::failed(ToolError::new(ErrorClass::ServerError, message))
            }
            Ok(answer) => ToolResult::ok(body(&answer)),
            // Whether it did something before it was gone is not known.
            Err(error) if manifest.effect.changes_something() && is_lost(error.class) => {
                ToolResult::failed(ToolError {
                    class: ErrorClass::UnknownOutcome,
                    ..error
                })
            }
            Err(error) => ToolResult::failed(error),
        }
    }

    fn named(&self, server: &str) -> Result<&Server, ToolError> {
        let missing = || about("mcp-not-configured", ErrorClass::CapabilityMissing, server, "");
        self.all.get(server).ok_or_else(missing)
    }

    /// The session with a server: the one there is, as long as both ends are.
    async fn session(&self, server: &str) -> Result<Arc<Open>, ToolError> {
        let mut open = self.named(server)?.open.lock().await;
        if let Some(known) = open.as_ref().filter(|known| known.session.is_open()) {
            return Ok(Arc::clone(known));
        }
        let (session, process) = self.begin(server).await?;
        let tools = session.tools().await.map_err(|failure| told(&failure, server, ""))?;
        let begun = Arc::new(Open {
            session,
            digests: tools.iter().map(|tool| (tool.name.clone(), tool.digest())).collect(),
            _process: process,
        });
        *open = Some(Arc::clone(&begun));
        Ok(begun)
    }

    async fn begin(&self, server: &str) -> Result<(Session, Option<Process>), ToolError> {
        let failed = |failure: Failure| told(&failure, server, "");
        match &self.named(server)?.configured {
            McpServer::Address { url, token } => {
                let token = token.as_ref().map(|token| token.expose().to_owned());
                let session = metnos_mcp::at(url, token).await.map_err(failed)?;
                Ok((session, None))
            }
            McpServer::Command { command, reads, writes } => {
                let grants = grants(command, reads, writes);
                let (process, line) = self.start(command, &grants).await?;
                let (reader, writer) = line.into_split();
                let session = metnos_mcp::over(reader, writer).await.map_err(failed)?;
                Ok((session, Some(process)))
            }
        }
    }

    /// A child of our own binary that locks itself in and becomes the program; its input and output are one line.
    async fn start(&self, command: &[String], grants: &Grants) -> Result<(Process, UnixStream), ToolError> {
        let failed = |error: std::io::Error| internal(format!("cannot start a server of tools: {error}"));
        let (ours, theirs) = StdUnixStream::pair().map_err(failed)?;
        ours.set_nonblocking(true).map_err(failed)?;
        let mut line = UnixStream::from_std(ours).map_err(failed)?;
        let also = theirs.try_clone().map_err(failed)?;
        let envelope = Envelope {
            password_bytes: 0,
            parent: getpid().as_raw_pid(),
            grants: grants.clone(),
            is_required: self.sandbox == SandboxConfig::Required,
            call_bytes: 0,
            is_answered: true,
        };
        let child = Command::new(&self.binary)
            .arg("executor")
            .arg(worker::SERVER)
            .args(command.iter().map(OsStr::new))
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(OwnedFd::from(also)))
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let process = Process {
            _group: Group::of(&child),
            _child: child,
        };
        let envelope = serde_json::to_string(&envelope).unwrap_or_default();
        line.write_all(format!("{envelope}\n").as_bytes())
            .await
            .map_err(failed)?;
        Ok((process, line))
    }
}

/// What a server may touch: its own program, and the folders the host gave it.
fn grants(command: &[String], reads: &[PathBuf], writes: &[PathBuf]) -> Grants {
    let program = command.first().map(Path::new);
    Grants {
        read: reads
            .iter()
            .chain(writes)
            .cloned()
            .chain(SYSTEM_FILES.map(PathBuf::from))
            .collect(),
        write: writes.to_vec(),
        code_dir: program.and_then(Path::parent).map(Path::to_path_buf),
        is_lasting: true,
        ..Grants::default()
    }
}

/// The arguments of a call, under the names that the tool knows them by.
fn arguments(manifest: &Manifest, tool: &McpTool, call: &Call) -> Map<String, Value> {
    let known = manifest.args.iter().filter_map(|arg| {
        let value = call.args.get(&arg.name).filter(|value| !value.is_null())?;
        let name = tool.args.get(&arg.name).unwrap_or(&arg.name);
        Some((name.clone(), value.clone()))
    });
    known.collect()
}

/// What a tool answered, as later steps have it: its text, and a list where it gave one.
fn body(answer: &Answer) -> Map<String, Value> {
    let entries = answer.value.as_ref().and_then(entries);
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
    let note = match (answer.is_cut, answer.left_out) {
        (true, _) => Some(Message::new("mcp-note-cut")),
        (false, 0) => None,
        (false, count) => Some(Message::new("mcp-note-left-out").with("count", count)),
    };
    if answer.text.trim().is_empty() {
        put("empty", json!(Message::new("mcp-nothing")));
    }
    put("text", json!(answer.text));
    if let Some(note) = note {
        put("note", json!(note));
    }
    if let Some(entries) = entries {
        put("used", json!(entries.len()));
        put("entries", Value::Array(entries));
    }
    body
}

/// The list in a value: itself, or the only list it has.
fn entries(value: &Value) -> Option<Vec<Value>> {
    let lists: Vec<&Vec<Value>> = match value {
        Value::Array(items) => vec![items],
        Value::Object(fields) => fields.values().filter_map(Value::as_array).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    match lists.as_slice() {
        [only] if only.iter().all(Value::is_object) => Some((*only).clone()),
        _ => None,
    }
}

fn is_lost(class: ErrorClass) -> bool {
    matches!(class, ErrorClass::Network | ErrorClass::Timeout | ErrorClass::NonJson)
}

fn about(key: &str, class: ErrorClass, server: &str, tool: &str) -> ToolError {
    let message = Message::new(key).with("server", server).with("tool", tool);
    ToolError::new(class, message)
}

fn told(failure: &Failure, server: &str, tool: &str) -> ToolError {
    let (key, class) = match failure {
        Failure::NoServer(_) => ("mcp-no-server", ErrorClass::CapabilityMissing),
        Failure::Gone => ("mcp-gone", ErrorClass::Network),
        Failure::Refused(_) => ("mcp-refused", ErrorClass::InvalidArgs),
        Failure::Late => ("mcp-late", ErrorClass::Timeout),
        Failure::Garbled => ("mcp-garbled", ErrorClass::NonJson),
    };
    about(key, class, server, tool).with_detail(failure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_found_where_there_is_only_one() {
        assert_eq!(entries(&json!([{"a": 1}])).map(|list| list.len()), Some(1));
        assert_eq!(
            entries(&json!({"all": [{"a": 1}, {"a": 2}], "n": 2})).map(|list| list.len()),
            Some(2)
        );
        assert_eq!(entries(&json!({"all": [1, 2]})), None);
        assert_eq!(entries(&json!({"one": [], "other": []})), None);
        assert_eq!(entries(&json!("text")), None);
    }

    #[test]
    fn what_was_cut_or_left_out_is_said() {
        let answer = Answer {
            text: "3".to_owned(),
            left_out: 2,
            ..Answer::default()
        };
        let told = body(&answer);
        assert_eq!(told["text"], "3");
        assert_eq!(told["note"]["key"], "mcp-note-left-out");
        assert_eq!(body(&Answer::default())["empty"]["key"], "mcp-nothing");
    }
}
