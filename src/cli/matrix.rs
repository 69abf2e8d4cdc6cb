//! `metnos matrix setup`: connects a Matrix account, once. Asks for what was not said on the command line; the password
//! is never an argument, since arguments are seen by every user of the machine.

use std::{io::IsTerminal as _, process::ExitCode};

use clap::{Args, Subcommand};

use super::{
    complain, people, print,
    prompt::{Prompt, answer},
};
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
    let ask = |key: &str, is_secret: bool| {
        answer(
            &say(&Message::new(key)),
            if is_secret { Prompt::Hidden } else { Prompt::Shown },
        )
    };
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
