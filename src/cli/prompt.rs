//! Questions of the command line at the terminal. A password is not shown while it is typed.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use anyhow::Context as _;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::complain;
use crate::{
    domain::message::Message,
    language::{Confirmation, Language},
};

/// Whether what is typed is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// It is.
    Shown,
    /// It is a secret.
    Hidden,
}

/// Asks on the terminal; a yes is what it is in a conversation.
pub(super) fn confirmed(question: &str) -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();
    write!(out, "{question} ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(Language::embedded()?.confirmation(answer.trim()) == Some(Confirmation::Yes))
}

/// Asks at the terminal, or takes the next line of standard input.
pub(super) fn answer(question: &str, prompt: Prompt) -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    let shown = stdin.is_terminal();
    if shown {
        write!(std::io::stderr(), "{question} ").context(Message::new("start-terminal"))?;
    }
    let hidden = (prompt == Prompt::Hidden).then(Hidden::new).flatten();
    let mut line = String::new();
    stdin
        .lock()
        .read_line(&mut line)
        .context(Message::new("start-terminal"))?;
    if hidden.is_some() {
        complain("");
    }
    Ok(line.trim().to_owned())
}

/// While it lives, the terminal does not show what is typed.
struct Hidden(rustix::termios::Termios);

impl Hidden {
    fn new() -> Option<Self> {
        let before = tcgetattr(std::io::stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(std::io::stdin(), OptionalActions::Now, &silent).ok()?;
        Some(Self(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if tcsetattr(std::io::stdin(), OptionalActions::Now, &self.0).is_err() {
            tracing::debug!("the terminal stays silent");
        }
    }
}
