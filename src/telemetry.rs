//! Logs: one line per event, into a file a day and, for `serve`, onto standard error. Set up once by `app`.
//! Requests, answers, arguments and tokens never reach a log; the turn log has its own file and its own redaction.

use std::{io::IsTerminal as _, path::Path};

use tracing_appender::{
    non_blocking::{NonBlockingBuilder, WorkerGuard},
    rolling::{RollingFileAppender, Rotation},
};
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

use crate::domain::limits::{LOG_FILES_KEPT, LOG_LINES_WAITING_MAX};

/// What is logged when nobody says otherwise: our own events, and only trouble from the libraries.
const DEFAULT_FILTER: &str = "warn,metnos=info";

/// Libraries that log what they send, passwords included, once somebody asks for every detail.
const NEVER: [&str; 2] = ["async_imap=warn", "lettre=warn"];

/// Whether standard error is ours to write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Console {
    /// A service: logs go to standard error too.
    Shared,
    /// A conversation owns the screen: logs go to the file only.
    Quiet,
}

/// Starts logging; the guard flushes the file when it is dropped. A second call in the same process does nothing.
pub fn start(logs_dir: &Path, filter: Option<&str>, console: Console) -> std::io::Result<WorkerGuard> {
    std::fs::create_dir_all(logs_dir)?;
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("metnos.log")
        .max_log_files(LOG_FILES_KEPT)
        .build(logs_dir)
        .map_err(std::io::Error::other)?;
    let (file, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(LOG_LINES_WAITING_MAX)
        .finish(files);
    let filter = || {
        let mut chosen = filter
            .and_then(|written| EnvFilter::try_new(written).ok())
            .unwrap_or_else(|| EnvFilter::new(DEFAULT_FILTER));
        for silent in NEVER {
            if let Ok(directive) = silent.parse() {
                chosen = chosen.add_directive(directive);
            }
        }
        chosen
    };
    let to_file = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(file)
        .with_filter(filter());
    let to_screen = (console == Console::Shared).then(|| {
        tracing_subscriber::fmt::layer()
            .with_ansi(std::io::stderr().is_terminal())
            .with_writer(std::io::stderr)
            .with_filter(filter())
    });
    if tracing_subscriber::registry()
        .with(to_file)
        .with(to_screen)
        .try_init()
        .is_err()
    {
        tracing::debug!("logging was started before");
    }
    Ok(guard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_logs_make_room() {
        let folder = tempfile::tempdir().unwrap();
        for day in 0..LOG_FILES_KEPT + 10 {
            let name = format!("metnos.log.20{day:02}-01-01");
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        drop(start(folder.path(), None, Console::Quiet).unwrap());
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert!(left <= LOG_FILES_KEPT, "{left} files");
    }
}
