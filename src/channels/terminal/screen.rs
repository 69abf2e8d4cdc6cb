//! Prints above a prompt that somebody may be typing at. rustyline has a printer of its own for that, but with it keys
//! that arrive together wait for the next key. So the line being typed is watched here, and drawn again below what is
//! printed.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use rustyline::{Context, Helper, completion::Completer, highlight::Highlighter, hint::Hinter, validate::Validator};

use super::TerminalError;

/// What a person types behind.
pub(super) const PROMPT: &str = "> ";
/// Back to the start of the row, and nothing from there on.
const CLEAR: &str = "\r\u{1b}[J";
/// One row up.
const UP: &str = "\u{1b}[1A";
/// The editor asks the terminal to mark pasted text; this takes it back.
const NO_PASTE_MARKS: &str = "\u{1b}[?2004l";

/// The line being typed; `None` while nobody is asked for one. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Prompt(Arc<Mutex<Option<String>>>);

impl Prompt {
    /// The prompt is about to be shown.
    pub(super) fn opened(&self) {
        self.set(Some(String::new()));
    }

    /// The line was entered or given up.
    pub(super) fn closed(&self) {
        self.set(None);
    }

    fn set(&self, line: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }

    fn line(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The editor tells its hinter every change of the line; ours has no hints and remembers the line.
impl Hinter for Prompt {
    type Hint = String;

    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.set(Some(line.to_owned()));
        None
    }
}

impl Completer for Prompt {
    type Candidate = String;
}
impl Highlighter for Prompt {}
impl Validator for Prompt {}
impl Helper for Prompt {}

/// The terminal, and its settings as they were: the editor changes them while it reads, and a stop does not wait for
/// the editor.
pub(super) struct Screen {
    prompt: Prompt,
    /// The row above the prompt is a passing line.
    has_passing: bool,
    settings: Option<rustix::termios::Termios>,
}

impl Screen {
    /// Remembers the terminal's settings, to restore them when dropped.
    pub(super) fn new(prompt: Prompt) -> Self {
        let settings = match rustix::termios::tcgetattr(rustix::stdio::stdin()) {
            Ok(settings) => Some(settings),
            Err(error) => {
                tracing::debug!(%error, "terminal settings not known");
                None
            }
        };
        Self {
            prompt,
            has_passing: false,
            settings,
        }
    }

    /// A line was entered: what is above it stays.
    pub(super) fn entered(&mut self) {
        self.has_passing = false;
    }

    /// Prints lines that stay.
    pub(super) fn print(&mut self, text: &str) -> Result<(), TerminalError> {
        self.write(text)?;
        self.has_passing = false;
        Ok(())
    }

    /// Prints a line that the next one replaces.
    pub(super) fn print_passing(&mut self, text: &str) -> Result<(), TerminalError> {
        self.write(text)?;
        self.has_passing = true;
        Ok(())
    }

    fn write(&self, text: &str) -> Result<(), TerminalError> {
        let drawn = above(self.prompt.line().as_deref(), self.has_passing, text);
        put(&drawn).map_err(|source| TerminalError::Write { source })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.prompt.line().is_some()
            && let Err(error) = put(&format!("{CLEAR}{NO_PASTE_MARKS}"))
        {
            tracing::debug!(%error, "prompt not cleared");
        }
        let now = rustix::termios::OptionalActions::Now;
        if let Some(settings) = &self.settings
            && let Err(error) = rustix::termios::tcsetattr(rustix::stdio::stdin(), now, settings)
        {
            tracing::debug!(%error, "terminal settings not restored");
        }
    }
}

/// What to write so that `text` appears above the prompt.
fn above(line: Option<&str>, has_passing: bool, text: &str) -> String {
    match line {
        None => format!(
            "{}{text}\n",
            if has_passing {
                format!("{UP}{CLEAR}")
            } else {
                String::new()
            }
        ),
        // A longer line may fill several rows; then the passing line above it is left where it is.
        Some("") if has_passing => format!("{CLEAR}{UP}{CLEAR}{text}\n{PROMPT}"),
        Some(line) => format!("{CLEAR}{text}\n{PROMPT}{line}"),
    }
}

fn put(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::above;

    #[test]
    fn what_is_typed_stays_below() {
        let cases = [
            (None, false, "text\n"),
            (None, true, "\u{1b}[1A\r\u{1b}[Jtext\n"),
            (Some(""), false, "\r\u{1b}[Jtext\n> "),
            (Some(""), true, "\r\u{1b}[J\u{1b}[1A\r\u{1b}[Jtext\n> "),
            (Some("half a li"), true, "\r\u{1b}[Jtext\n> half a li"),
        ];
        for (line, has_passing, expected) in cases {
            assert_eq!(above(line, has_passing, "text"), expected, "{line:?} {has_passing}");
        }
    }
}
