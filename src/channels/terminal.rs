//! The terminal of the machine metnos runs on: the channel that needs no token, no account and no server. `cli::chat`
//! runs it, with line editing for a person and plainly for a pipe. The person at it is the host.

use std::{io, path::PathBuf, sync::Arc, thread};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

mod desk;
mod draw;
mod interactive;
mod plain;
mod screen;
mod session;

pub use self::plain::converse;
use crate::{domain::lang::Lang, i18n::I18n, runtime::Runtime};

/// Lines read ahead of the conversation.
const LINES_AHEAD_MAX: usize = 16;
/// Most bytes of one line; the rest of a longer one is another line.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// How the terminal is used.
#[derive(Clone)]
pub struct TerminalOptions {
    /// Whether a person sits at it.
    pub mode: TerminalMode,
    /// The language of the terminal's own words, and a first guess for its person.
    pub lang: Lang,
    /// Unlike that of any other start; message ids are made from it.
    pub session: String,
    /// Where typed lines are kept; `None` for nowhere.
    pub history: Option<PathBuf>,
    /// Shown first to a person.
    pub greeting: Option<String>,
    /// Print under each answer which layer gave it and how long it took; for pipes.
    pub trace: bool,
    /// Speaks the terminal's own words.
    pub words: Arc<I18n>,
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalMode {
    /// A person at a keyboard.
    Interactive,
    /// A pipe, a file or a test.
    Plain,
}

/// The conversation broke off.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Nobody can read our answers any more.
    #[error("cannot write to the terminal")]
    Write {
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The line editor failed.
    #[error("cannot use the terminal")]
    Editor {
        /// Why.
        #[source]
        source: rustyline::error::ReadlineError,
    },
}

/// Holds the conversation until its end: the person leaves, the input ends, or metnos stops.
pub async fn run(runtime: Runtime, options: TerminalOptions, stop: CancellationToken) -> Result<(), TerminalError> {
    match options.mode {
        TerminalMode::Interactive => interactive::converse(runtime, &options, stop).await,
        TerminalMode::Plain => {
            let (sender, lines) = mpsc::channel(LINES_AHEAD_MAX);
            // A thread of its own: a read that waits for ever must not keep the program from ending.
            thread::spawn(move || read_lines(io::stdin().lock(), &sender));
            let mut out = io::stdout();
            plain::converse(runtime, &options, lines, &mut out, stop).await
        }
    }
}

/// Reads lines to the end of the input; bytes that are no text are replaced.
fn read_lines(mut input: impl io::BufRead, lines: &mpsc::Sender<String>) {
    loop {
        let mut line = Vec::new();
        match io::BufRead::read_until(&mut io::Read::take(&mut input, LINE_BYTES_MAX), b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                tracing::error!(%error, "cannot read the input");
                return;
            }
        }
        let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
        if lines.blocking_send(text).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::read_lines;

    #[test]
    fn lines_are_read_to_the_end() {
        let (sender, mut lines) = mpsc::channel(8);
        read_lines(&b"one\r\n\ntwo \xff\nlast"[..], &sender);
        drop(sender);
        let mut read = Vec::new();
        while let Some(line) = lines.blocking_recv() {
            read.push(line);
        }
        assert_eq!(read, ["one", "", "two \u{fffd}", "last"]);
    }
}
