//! The terminal of the machine metnos runs on: the channel that needs no token, no account and no server. `cli::chat`
//! runs it, with line editing for a person and plainly for a pipe. The person at it is the host.

use std::{io, path::PathBuf, sync::Arc, thread};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

mod attach;
mod desk;
mod draw;
mod interactive;
mod plain;
mod screen;
mod session;

use crate::{
    domain::{
        ids::{ChannelKind, ConversationId},
        lang::Lang,
        message::Message,
    },
    i18n::I18n,
    runtime::Runtime,
};

/// Lines read ahead of the conversation.
const LINES_AHEAD_MAX: usize = 16;
/// Most bytes of one line: more than any request may have. A longer line is refused whole, and never held in memory.
const LINE_BYTES_MAX: u64 = 64 * 1024;
/// Characters shown of a line that is refused.
const HEAD_CHARS: usize = 60;

/// One line of a pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Input {
    /// As it was written.
    Line(String),
    /// The beginning of one that is too long.
    TooLong(String),
}

/// The first question of a first start, to whoever sits at this terminal.
pub async fn first_question(runtime: &Runtime) -> Option<String> {
    let conversation = ConversationId::from(session::CONVERSATION);
    runtime.first_question(ChannelKind::Terminal, &conversation).await
}

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

impl TerminalOptions {
    /// Tells whether a whole line says nothing but that the person leaves, in any language.
    fn leaving(&self) -> Box<dyn Fn(&str) -> bool + Send> {
        let message = Message::new("terminal-leave");
        let ways: Vec<String> = self
            .words
            .spoken()
            .into_iter()
            .map(|lang| self.words.say(lang, &message))
            .collect();
        Box::new(move |line| {
            let said = line.trim().trim_end_matches(['.', '!']).to_lowercase();
            ways.iter()
                .any(|words| words.split(',').any(|word| word.trim() == said))
        })
    }
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
    runtime.fetch_files_with(ChannelKind::Terminal, attach::fetcher(&runtime));
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
fn read_lines(mut input: impl io::BufRead, lines: &mpsc::Sender<Input>) {
    loop {
        match read_line(&mut input) {
            Ok(Some(line)) => {
                if lines.blocking_send(line).is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                tracing::error!(%error, "cannot read the input");
                return;
            }
        }
    }
}

/// The next line; `None` at the end of the input.
fn read_line(input: &mut impl io::BufRead) -> io::Result<Option<Input>> {
    let mut line = Vec::new();
    let mut read = io::BufRead::read_until(&mut io::Read::take(&mut *input, LINE_BYTES_MAX), b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
    if line.len() as u64 != LINE_BYTES_MAX || line.ends_with(b"\n") {
        return Ok(Some(Input::Line(text)));
    }
    while read > 0 && !line.ends_with(b"\n") {
        line.clear();
        read = io::BufRead::read_until(&mut io::Read::take(&mut *input, LINE_BYTES_MAX), b'\n', &mut line)?;
    }
    let head = text.trim_start().chars().take(HEAD_CHARS).collect();
    Ok(Some(Input::TooLong(head)))
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::{Input, LINE_BYTES_MAX, read_lines};

    fn read(bytes: &[u8]) -> Vec<Input> {
        let (sender, mut lines) = mpsc::channel(8);
        read_lines(bytes, &sender);
        drop(sender);
        std::iter::from_fn(|| lines.blocking_recv()).collect()
    }

    #[test]
    fn a_line_that_is_too_long_is_one_line() {
        let limit = usize::try_from(LINE_BYTES_MAX).unwrap();
        let line = |text: &str| Input::Line(text.to_owned());
        for length in [limit, limit + 1, limit * 2, limit * 3 + 7] {
            let long = "a".repeat(length);
            let read = read(format!("one\n{long}\nlast\n").as_bytes());
            assert_eq!(
                read,
                [line("one"), Input::TooLong("a".repeat(60)), line("last")],
                "{length}"
            );
        }
        let fits = "a".repeat(limit - 1);
        assert_eq!(read(format!("{fits}\nlast").as_bytes()), [line(&fits), line("last")]);
        let hidden = format!("what time is it{}delete it", " ".repeat(limit));
        assert!(matches!(read(hidden.as_bytes()).as_slice(), [Input::TooLong(_)]));
    }

    #[test]
    fn lines_are_read_to_the_end() {
        let lines = ["one", "", "two \u{fffd}", "last"].map(|line| Input::Line(line.to_owned()));
        assert_eq!(read(&b"one\r\n\ntwo \xff\nlast"[..]), lines);
    }
}
