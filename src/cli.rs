//! The command line: one subcommand, one file. Called by `main` only.

use std::{io::Write as _, process::ExitCode};

use clap::{Parser, Subcommand};

use crate::{
    app,
    config::{Config, ConfigError, env::Environment},
    domain::{lang::Lang, message::Message},
    i18n::I18n,
};

mod account;
mod autonomy;
pub(crate) mod backup;
mod catalog;
mod config;
mod converse;
mod doctor;
mod help;
mod jobs;
mod language;
mod matrix;
mod mcp;
mod memory;
mod pair;
mod prompt;
mod people;
mod why;

/// What can be typed; what each is for stands in `locales/*/help.ftl` and is laid over it by `help`.
#[derive(Debug, Parser)]
#[command(name = "metnos", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Chat {
        #[arg(long)]
        trace: bool,
    },
    Serve,
    Doctor,
    Pair {
        #[arg(long = "for", value_name = "WHO")]
        whom: Option<String>,
    },
    People {
        #[command(subcommand)]
        command: Option<people::Command>,
    },
    #[command(subcommand)]
    Account(account::Command),
    Autonomy {
        level: String,
        #[arg(default_value = "host")]
        who: String,
    },
    Backup {
        folder: std::path::PathBuf,
    },
    Digest {
        words: Vec<String>,
    },
    Gaps,
    Proposals {
        words: Vec<String>,
    },
    Jobs {
        #[command(subcommand)]
        command: Option<jobs::Command>,
    },
    Language {
        words: Vec<String>,
    },
    Why {
        turn: Option<String>,
    },
    #[command(subcommand)]
    Matrix(matrix::Command),
    #[command(subcommand)]
    Mcp(mcp::Command),
    #[command(subcommand)]
    Config(config::Command),
    #[command(subcommand)]
    Catalog(catalog::Command),
    #[command(hide = true, disable_help_flag = true)]
    Executor {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    #[command(hide = true, disable_help_flag = true)]
    Companion {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
}

/// Runs the program.
pub fn run() -> ExitCode {
    let Ok(arguments) = Arguments::try_parse() else {
        let environment = Environment::read();
        let told = help::answer(std::env::args_os().collect(), Config::lang_for(&environment));
        return ended(told, &environment);
    };
    let command = arguments.command.unwrap_or(Command::Chat { trace: false });
    if let Command::Executor { arguments } = command {
        return crate::executors::worker::worker_main(arguments);
    }
    if let Command::Companion { arguments } = command {
        return crate::servers::companion::companion_main(&arguments);
    }
    let environment = Environment::read();
    ended(carry_out(command, &environment), &environment)
}

/// How the program ends; an error is said first.
fn ended(done: anyhow::Result<ExitCode>, environment: &Environment) -> ExitCode {
    done.unwrap_or_else(|error| {
        complain(&told(&error, Config::lang_for(environment)));
        ExitCode::FAILURE
    })
}

/// An error in the household's language: our sentence, and under it the causes as they were given to us.
fn told(error: &anyhow::Error, lang: Lang) -> String {
    let causes = |from: usize| {
        let causes: Vec<String> = error.chain().skip(from).map(ToString::to_string).collect();
        causes.join(": ")
    };
    let Ok(i18n) = I18n::embedded() else {
        return causes(0);
    };
    let (message, causes) = match (error.downcast_ref::<ConfigError>(), error.downcast_ref::<Message>()) {
        (Some(mistake), _) => (mistake.told(), String::new()),
        (None, Some(message)) => (message.clone(), causes(1)),
        (None, None) => (Message::new("start-failed").with("reason", causes(0)), String::new()),
    };
    let words = i18n.say(lang, &message);
    format!("{words}\n{causes}").trim_end().to_owned()
}

fn carry_out(command: Command, environment: &Environment) -> anyhow::Result<ExitCode> {
    match command {
        Command::Config(command) => return config::run(&command, environment),
        Command::Executor { .. } | Command::Companion { .. } => return Ok(ExitCode::FAILURE),
        Command::Chat { .. }
        | Command::Serve
        | Command::Doctor
        | Command::Pair { .. }
        | Command::People { .. }
        | Command::Account(_)
        | Command::Autonomy { .. }
        | Command::Backup { .. }
        | Command::Digest { .. }
        | Command::Gaps
        | Command::Proposals { .. }
        | Command::Jobs { .. }
        | Command::Language { .. }
        | Command::Why { .. }
        | Command::Matrix(_)
        | Command::Mcp(_)
        | Command::Catalog(_) => {}
    }
    app::install_tls();
    let (config, mistakes) = if matches!(command, Command::Doctor) {
        doctor::configuration(environment)?
    } else {
        (Config::load(environment)?, Vec::new())
    };
    name_unknown(&config)?;
    if let Command::Catalog(command) = command {
        return catalog::run(&command, &config);
    }
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()?;
    let code = tokio.block_on(async {
        match command {
            Command::Chat { trace } => converse::chat(&config, environment, trace).await,
            Command::Serve => converse::serve(&config, environment).await,
            Command::Doctor => doctor::run(&config, &mistakes).await,
            Command::Matrix(command) => matrix::run(command, &config).await,
            Command::Pair { whom } => pair::run(&config, whom.as_deref()).await,
            Command::People { command } => people::run(&config, command.unwrap_or(people::Command::List)).await,
            Command::Account(command) => account::run(&config, command).await,
            Command::Mcp(command) => mcp::run(&config, environment, command).await,
            Command::Autonomy { level, who } => autonomy::run(&config, &level, &who).await,
            Command::Backup { folder } => backup::run(&config, environment, folder).await,
            Command::Digest { words } => memory::digest(&config, &words).await,
            Command::Gaps => memory::gaps(&config).await,
            Command::Proposals { words } => memory::proposals(&config, &words).await,
            Command::Jobs { command } => jobs::run(&config, environment, command.unwrap_or(jobs::Command::List)).await,
            Command::Language { words } => language::run(&config, &words).await,
            Command::Why { turn } => why::run(&config, turn.as_deref()),
            Command::Config(_) | Command::Catalog(_) | Command::Executor { .. } | Command::Companion { .. } => {
                Ok(ExitCode::FAILURE)
            }
        }
    });
    // A read from the terminal cannot be cancelled; it must not keep us from ending.
    tokio.shutdown_background();
    code
}

/// Variables nobody knows are named at every start: a setting that is misspelled looks as if it were in force.
fn name_unknown(config: &Config) -> anyhow::Result<()> {
    if config.unknown.is_empty() {
        return Ok(());
    }
    let i18n = I18n::embedded()?;
    for unknown in &config.unknown {
        complain(&i18n.say(config.lang, &unknown.told()));
    }
    Ok(())
}

/// Writes a line to standard output; a reader that went away is no error.
fn print(text: &str) -> anyhow::Result<()> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a line to standard error; if even that fails there is nobody to tell.
fn complain(text: &str) {
    if writeln!(std::io::stderr().lock(), "{text}").is_err() {
        tracing::debug!("standard error is closed");
    }
}
