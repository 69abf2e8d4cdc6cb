//! `metnos matrix setup`: connects a Matrix account, once. Asks for what was not said on the command line; the password
//! is never an argument, since arguments are seen by every user of the machine.

use std::{
    io::{BufRead as _, IsTerminal as _, Write as _},
    process::ExitCode,
};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::{complain, people, print};
use crate::{
    app,
    channels::matrix::{self, RecoveryKey, Setup},
    config::Config,
    domain::{ids::ChannelKind, message::Message},
    i18n::I18n,
};

/// What to do with the Matrix account.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Setup(Account),
}

/// The account. What is left out is asked for; the password is read from the terminal or from standard input.
#[derive(Debug, Args)]
pub(super) struct Account {
    #[arg(long)]
    homeserver: Option<String>,
    #[arg(long)]
    user: Option<String>,
    #[arg(long)]
    owner: Option<String>,
}

pub(super) async fn run(command: Command, config: &Config) -> anyhow::Result<ExitCode> {
    let Command::Setup(account) = command;
    app::make_private_dir(&config.data_dir)?;
    let i18n = I18n::of_household(&config.data_dir)?;
    let say = |message: &Message| i18n.say(config.lang, message);
    let ask = |key: &str, is_secret: bool| answer(&say(&Message::new(key)), is_secret);
    let given = |value: Option<String>, key: &str| value.map_or_else(|| ask(key, false), Ok);
    let owner = account.owner.or_else(|| config.matrix.owner.clone());
    let mut setup = Setup {
        folder: config.matrix.folder.clone(),
        homeserver: given(account.homeserver, "matrix-ask-homeserver")?,
        user: given(account.user, "matrix-ask-user")?,
        owner: Some(given(owner, "matrix-ask-owner")?).filter(|owner| !owner.is_empty()),
        password: ask("matrix-ask-password", true)?,
        recovery_key: None,
    };
    let mut ended = matrix::set_up(setup.clone()).await;
    let is_lost = |error: &matrix::MatrixError| error.needs_recovery_key();
    if ended.as_ref().is_err_and(is_lost) && std::io::stdin().is_terminal() {
        setup.recovery_key = Some(ask("matrix-ask-recovery-key", true)?);
        ended = matrix::set_up(setup.clone()).await;
    }
    let works = match &ended {
        Ok(_) => true,
        Err(error) => error.is_done_before(),
    };
    // Whoever was locked out and is named here once more, by a person at the machine, is let in again.
    let readmitted = match setup.owner.as_deref().filter(|_| works) {
        Some(owner) => people::open(config)?
            .actors
            .readmit_host(ChannelKind::Matrix, &owner.into())
            .await?
            .then(|| Message::new("matrix-owner-again").with("owner", owner)),
        None => None,
    };
    match ended {
        Ok(done) => {
            let key = match &done.recovery {
                RecoveryKey::Written(path) => Message::new("matrix-done-key").with("path", path.display().to_string()),
                RecoveryKey::Used => Message::new("matrix-done-recovered"),
                RecoveryKey::Kept => Message::new("matrix-done-kept"),
            };
            print(&say(&Message::new("matrix-done").with("user", done.user)))?;
            print(&say(&key))?;
            let next = match setup.owner {
                Some(owner) => Message::new("matrix-done-next").with("owner", owner),
                None => Message::new("matrix-done-next-pair"),
            };
            if let Some(again) = readmitted {
                print(&say(&again))?;
            }
            print(&say(&next))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            complain(&say(&error.advice()));
            match readmitted {
                Some(again) => print(&say(&again)).map(|()| ExitCode::SUCCESS),
                None => Ok(ExitCode::FAILURE),
            }
        }
    }
}

/// Asks at the terminal, or takes the next line of standard input.
fn answer(question: &str, is_secret: bool) -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    let shown = stdin.is_terminal();
    if shown {
        write!(std::io::stderr(), "{question} ").context(Message::new("start-terminal"))?;
    }
    let hidden = is_secret.then(Hidden::new).flatten();
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
