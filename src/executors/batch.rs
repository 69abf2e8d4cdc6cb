//! The outcome of doing one thing to many targets: what went well, what did not, and how to take it back.
//! Used by every executor that takes a list; decides in one place what a partial success looks like.

use std::{io, path::Path};

use serde_json::{Map, Value, json};

use super::{CallContext, paths, progress::Ledger};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
    run::ToolResult,
};

/// One target that could not be done.
pub(super) struct Failure {
    /// The field that names the target: `path` or `url`.
    pub(super) field: &'static str,
    /// The target.
    pub(super) target: String,
    /// Why.
    pub(super) error: Box<ToolError>,
    /// What it should have been and what it is, when that is the reason.
    pub(super) mismatch: Option<(&'static str, &'static str)>,
}

impl Failure {
    /// A path that could not be done.
    pub(super) fn path(path: &Path, error: ToolError) -> Self {
        Self {
            field: "path",
            target: paths::show(path),
            error: Box::new(error),
            mismatch: None,
        }
    }

    /// A path that is another kind of thing than asked for.
    pub(super) fn mismatch(path: &Path, expected: &'static str, actual: &'static str) -> Self {
        let shown = paths::show(path);
        let (class, key) = match actual {
            "pattern" => (ErrorClass::NotFound, "executors-path-is-pattern"),
            "directory" => (ErrorClass::InvalidArgs, "executors-path-is-directory"),
            _ if expected == "directory" => (ErrorClass::InvalidArgs, "executors-path-is-file"),
            _ => (ErrorClass::InvalidArgs, "executors-path-not-regular"),
        };
        Self {
            field: "path",
            error: Box::new(ToolError::new(class, Message::new(key).with("path", shown.as_str()))),
            target: shown,
            mismatch: Some((expected, actual)),
        }
    }

    /// The same with other words.
    pub(super) fn saying(mut self, message: Message) -> Self {
        self.error.message = message;
        self
    }

    /// An operating system error on a path. A name with wildcards that does not exist is a pattern.
    pub(super) fn io(path: &Path, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound && paths::is_pattern(&paths::show(path)) {
            return Self::mismatch(path, "file", "pattern");
        }
        Self::path(path, io_error(path, error))
    }

    fn to_value(&self) -> Value {
        let mut fields = Map::new();
        fields.insert(self.field.to_owned(), json!(self.target));
        fields.insert("error_class".to_owned(), json!(self.error.class));
        fields.insert("error_code".to_owned(), json!(self.error.message.key));
        fields.insert("message".to_owned(), json!(self.error.message));
        if let Some((expected, actual)) = self.mismatch {
            fields.insert("expected".to_owned(), json!(expected));
            fields.insert("actual".to_owned(), json!(actual));
        }
        Value::Object(fields)
    }
}

/// Whether anything can be done at all; the first reason when nothing can, as `Batch::finish` would give it.
pub(super) fn can_any(outcomes: impl Iterator<Item = Result<(), Failure>>) -> Result<(), ToolError> {
    let mut first = None;
    for outcome in outcomes {
        match outcome {
            Ok(()) => return Ok(()),
            Err(failure) => first = first.or(Some(failure)),
        }
    }
    first.map_or(Ok(()), |failure| Err(*failure.error))
}

/// The class and sentence of an operating system error on a path.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the list of operating system errors is open"
)]
pub(super) fn io_error(path: &Path, error: &io::Error) -> ToolError {
    let (class, key) = match error.kind() {
        io::ErrorKind::InvalidFilename => (ErrorClass::InvalidArgs, "executors-name-too-long"),
        io::ErrorKind::NotFound => (ErrorClass::NotFound, "executors-path-not-found"),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            (ErrorClass::PermissionDenied, "executors-path-denied")
        }
        io::ErrorKind::AlreadyExists => (ErrorClass::AlreadyExists, "executors-path-exists"),
        io::ErrorKind::IsADirectory => (ErrorClass::InvalidArgs, "executors-path-is-directory"),
        io::ErrorKind::NotADirectory => (ErrorClass::InvalidArgs, "executors-path-is-file"),
        io::ErrorKind::DirectoryNotEmpty => (ErrorClass::AlreadyExists, "executors-dir-not-empty"),
        io::ErrorKind::FileTooLarge => (ErrorClass::TooLarge, "executors-file-too-large"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => (ErrorClass::TooLarge, "executors-disk-full"),
        _ => (ErrorClass::Internal, "executors-path-failed"),
    };
    ToolError::new(class, Message::new(key).with("path", paths::show(path))).with_detail(error.to_string())
}

/// Whether a target that went well is another than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    /// It is.
    Yes,
    /// It was as wanted already: nothing to take back.
    No,
}

/// What became of each target.
#[derive(Default)]
pub(super) struct Batch {
    /// One object a target that went well.
    pub(super) done: Vec<Value>,
    /// How many of those were as wanted before: they do not count as done.
    unchanged: usize,
    /// The others.
    pub(super) failed: Vec<Failure>,
    /// How what was done is taken back.
    pub(super) ledger: Ledger,
}

impl Batch {
    /// A batch that changes things: what it did is known even when it is stopped in the middle.
    pub(super) fn noting(context: &CallContext) -> Self {
        Self {
            ledger: Ledger::noting(context),
            ..Self::default()
        }
    }

    /// Takes in what became of one target.
    pub(super) fn push(&mut self, outcome: Result<Value, Failure>) {
        match outcome {
            Ok(value) => self.done.push(value),
            Err(failure) => self.failed.push(failure),
        }
    }

    /// Takes in what became of one target that may have been as wanted before.
    pub(super) fn push_change(&mut self, outcome: Result<(Value, Changed), Failure>) {
        if let Ok((_, Changed::No)) = &outcome {
            self.unchanged += 1;
        }
        self.push(outcome.map(|(value, _)| value));
    }

    /// The same for the only target, or the last one: these fields of what was made stand on top of the result as well.
    pub(super) fn push_shown(
        &mut self,
        outcome: Result<(Value, Changed), Failure>,
        fields: &[&str],
        others: &mut Map<String, Value>,
    ) {
        if let Ok((result, _)) = &outcome {
            let value = |field: &str| result.get(field).cloned().unwrap_or_default();
            others.extend(fields.iter().map(|field| ((*field).to_owned(), value(field))));
        }
        self.push_change(outcome);
    }

    /// The result, with the list under `list` (`entries` or `results`) and these other fields. Nothing done and
    /// something failed is a failure; anything else is a success that names what failed.
    pub(super) fn finish(self, list: &str, others: Map<String, Value>) -> ToolResult {
        let mut body = Map::new();
        let counts = (self.done.len().saturating_sub(self.unchanged), self.failed.len());
        let failed: Vec<Value> = self.failed.iter().map(Failure::to_value).collect();
        let nothing_done = self.done.is_empty();
        body.insert(list.to_owned(), Value::Array(self.done));
        body.insert("ok_count".to_owned(), json!(counts.0));
        body.insert("fail_count".to_owned(), json!(counts.1));
        body.insert("unchanged_count".to_owned(), json!(self.unchanged));
        if !failed.is_empty() {
            body.insert("failed".to_owned(), Value::Array(failed));
        }
        body.extend(others);
        let error = if nothing_done {
            self.failed.into_iter().next().map(|failure| *failure.error)
        } else {
            None
        };
        ToolResult {
            body,
            error,
            reversals: self.ledger.into_reversals(),
        }
    }
}
