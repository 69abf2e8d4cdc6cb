//! The first hands: every executor built into the binary, one file a family.
//!
//! `process::Runner` is how the engine calls them. Those that only compute run in our own process, all others in a
//! sandboxed child of the same binary (`worker`, `sandbox`). An executor gets a `Call` and returns a `ToolResult`; it
//! never asks a person, never reads the clock or the environment, and never looks at another executor.

use std::path::PathBuf;

use jiff::Zoned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    config::Secret,
    domain::{
        failure::{ErrorClass, ToolError},
        ids::{ActorId, ExecutorName, StepId, TurnId},
        lang::Lang,
        message::Message,
        run::ToolResult,
    },
};

pub mod paths;
pub mod process;
pub mod progress;
pub mod sandbox;
pub mod window;
pub mod worker;

mod batch;
mod disks;
mod broker;
mod entries;
mod fields;
pub(crate) mod files;
pub mod mcp;
mod numbers;
mod printed;
mod processes;
mod reversal;
mod texts;
mod time;
mod urls;
mod zones;

pub use fields::{has_text, need_pages};
pub use paths::{free_place, resolve as resolve_path, show_short as show_path_short};

/// The name under which the plan executor hands over the list that `from_step` points at.
pub const ENTRIES_ARG: &str = "entries";

/// One call of an executor: its arguments, all references resolved, and what it may know about the turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Arguments by name. A step fed by another has its list under `ENTRIES_ARG`.
    pub args: Map<String, Value>,
    /// The turn it is part of.
    pub context: CallContext,
    /// What opens a locked file. It goes to our own code in the worker beside the call, and to nobody else.
    #[serde(skip)]
    pub password: Option<Secret>,
}

/// What an executor may know about the turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallContext {
    /// Which turn.
    pub turn: TurnId,
    /// Which step of its plan.
    pub step: StepId,
    /// Who asked.
    pub actor: ActorId,
    /// Whether that is the host.
    pub is_host: bool,
    /// The language of the answer.
    pub lang: Lang,
    /// Now, in the actor's zone.
    pub now: Zoned,
    /// What `~` and relative paths stand on. Absolute.
    pub home: PathBuf,
    /// Where copies of what is overwritten or deleted go: one folder a turn, inside the data folder.
    pub backup_dir: PathBuf,
    /// Our own folder, which is no part of a home that it lies in.
    #[serde(default)]
    pub data_dir: PathBuf,
    /// Web addresses the host typed literally in this request.
    #[serde(default)]
    pub trusted_urls: Vec<String>,
}

#[cfg(test)]
impl CallContext {
    /// The host's first step of a turn, with everything in this folder.
    pub(crate) fn in_folder(folder: &std::path::Path) -> Self {
        Self {
            turn: TurnId::from("t"),
            step: StepId(1),
            actor: ActorId::from("host"),
            is_host: true,
            lang: Lang::EN,
            now: jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC),
            home: folder.to_path_buf(),
            backup_dir: folder.to_path_buf(),
            data_dir: PathBuf::new(),
            trusted_urls: Vec::new(),
        }
    }
}

/// An executor's code.
#[derive(Clone, Copy)]
pub struct Builtin(fn(&Call) -> Result<ToolResult, ToolError>);

impl Builtin {
    /// Runs it, here and now.
    pub fn run(self, call: &Call) -> ToolResult {
        (self.0)(call).unwrap_or_else(ToolResult::failed)
    }
}

/// The code of a built-in executor; `None` for programs and for tools the runtime itself provides.
pub fn builtin(name: &ExecutorName) -> Option<Builtin> {
    let code = match name.as_str() {
        "get_now" => time::get_now,
        "compute_numbers" => numbers::compute_numbers,
        "list_dirs" => files::find::list_dirs,
        "find_files" => files::find::find_files,
        "find_files_hash" => files::same::find_files_hash,
        "get_files" => files::read::get_files,
        "read_files" => files::read::read_files,
        "write_files" => files::write::write_files,
        "get_images_indices" => files::indices::get_images_indices,
        "change_files_format" => files::pictures::change_files_format,
        "compress_files" => files::archives::compress_files,
        "change_images_pdf" => files::bound::change_images_pdf,
        "create_files_spreadsheet" => files::sheets::create_files_spreadsheet,
        "create_images_chart" => files::charts::create_images_chart,
        "extract_files_zip" => files::archives::extract_files_zip,
        "create_dirs" => files::write::create_dirs,
        "move_files" => files::relocate::move_files,
        "send_files" => files::send::send_files,
        "delete_files" => files::relocate::delete_files,
        "get_urls" => urls::get_urls,
        "read_urls_html" => urls::read_urls_html,
        "filter_entries" => entries::filter_entries,
        "sort_entries" => entries::sort_entries,
        "group_entries" => entries::group_entries,
        "compute_entries" => entries::compute_entries,
        "filter_texts_lines" => texts::filter_texts_lines,
        "get_processes" => processes::get_processes,
        "get_disks" => disks::get_disks,
        _ => return None,
    };
    Some(Builtin(code))
}

/// What is known to fail before anything is tried, and so before a person is asked: nothing of it could be done. Only
/// looks. Executors that find nothing out by looking are not named here.
pub fn foresee(name: &ExecutorName, call: &Call) -> Result<(), ToolError> {
    match name.as_str() {
        "write_files" => files::write::foresee_write(call),
        "create_dirs" => files::write::foresee_dirs(call),
        "move_files" => files::relocate::foresee_move(call),
        "delete_files" => files::relocate::foresee_delete(call),
        _ => Ok(()),
    }
}

impl Call {
    /// What opens a locked file, for the code that opens it.
    fn password(&self) -> Option<&str> {
        self.password.as_ref().map(Secret::expose)
    }

    /// The text under this name; an error when it is missing or no text.
    pub fn text(&self, name: &str) -> Result<&str, ToolError> {
        self.optional_text(name)?.ok_or_else(|| missing(name))
    }

    /// The text under this name, if it was given.
    pub fn optional_text(&self, name: &str) -> Result<Option<&str>, ToolError> {
        match self.args.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name)),
        }
    }

    /// The texts under this name: a list, or one alone. Repeated ones are kept once.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, ToolError> {
        let given = match self.args.get(name) {
            None | Some(Value::Null) => return Err(missing(name)),
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(str::to_owned).ok_or_else(|| wrong(name)))
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(wrong(name)),
        };
        let mut texts: Vec<String> = Vec::with_capacity(given.len());
        let mut seen = std::collections::HashSet::new();
        for text in given {
            if seen.insert(text.clone()) {
                texts.push(text);
            }
        }
        if texts.is_empty() {
            Err(missing(name))
        } else {
            Ok(texts)
        }
    }

    /// The names under this name, none where it is not there: a list, or one text with commas or semicolons between.
    pub fn names(&self, name: &str) -> Result<Vec<String>, ToolError> {
        let written = match self.args.get(name) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(_) => self.texts(name)?,
        };
        let parts = written.iter().flat_map(|text| text.split([',', ';'])).map(str::trim);
        Ok(parts.filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }

    /// The switch under this name, or its default.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, ToolError> {
        match self.args.get(name) {
            None | Some(Value::Null) => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| wrong(name)),
        }
    }

    /// The whole number under this name, if it was given; it may be below zero.
    pub fn difference(&self, name: &str) -> Result<Option<i64>, ToolError> {
        match self.args.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_i64().map(Some).ok_or_else(|| wrong(name)),
        }
    }

    /// The count under this name, if it was given.
    pub fn count(&self, name: &str) -> Result<Option<usize>, ToolError> {
        match self.args.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let count = value.as_u64().ok_or_else(|| wrong(name))?;
                usize::try_from(count).map(Some).map_err(|_too_large| wrong(name))
            }
        }
    }

    /// The list an earlier step produced.
    pub fn entries(&self) -> Result<&[Value], ToolError> {
        match self.args.get(ENTRIES_ARG) {
            Some(Value::Array(items)) => Ok(items),
            Some(_) => Err(wrong("from_step")),
            None => Err(ToolError::new(
                ErrorClass::NeedsDataSource,
                Message::new("executors-no-data"),
            )),
        }
    }
}

/// An argument that is needed is not there.
fn missing(name: &str) -> ToolError {
    ToolError::new(
        ErrorClass::InvalidArgs,
        Message::new("executors-argument-missing").with("name", name),
    )
}

/// An argument is there but cannot be used.
fn wrong(name: &str) -> ToolError {
    ToolError::new(
        ErrorClass::InvalidArgs,
        Message::new("executors-argument-wrong").with("name", name),
    )
}

/// A bug or a broken machine: the person gets one calm sentence, the log the detail.
fn internal(detail: impl Into<String>) -> ToolError {
    ToolError::new(ErrorClass::Internal, Message::new("executors-internal")).with_detail(detail)
}

/// A JSON object that is a literal; anything else is empty.
fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}
