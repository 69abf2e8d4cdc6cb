//! The command line: one subcommand, one file. Called by `main` only.

use std::{io::Write as _, process::ExitCode};

use clap::{Parser, Subcommand};

use crate::{app, config::env::Environment};

mod autonomy;
mod catalog;
mod config;
mod converse;
mod doctor;
mod matrix;
mod pair;
mod people;

/// A household's personal assistant, on its own machine.
#[derive(Debug, Parser)]
#[command(name = "metnos", version, about, long_about = None)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Talk in this terminal (the default); also answers Telegram and Matrix once they are set up.
    Chat {
        /// Print after each answer which layer gave it and how long it took.
        #[arg(long)]
        trace: bool,
    },
    /// Answer Telegram and Matrix without a terminal, until told to stop.
    Serve,
    /// Say what works and what does not, with the next step for each.
    Doctor,
    /// Make a one-time code that lets a person in: the host first, guests after.
    Pair {
        /// For one more phone or channel of this person, by name or id.
        #[arg(long = "for", value_name = "WHO")]
        whom: Option<String>,
    },
    /// Show the people, change what each may do, lock one out, write out or erase what is kept about one.
    People {
        #[command(subcommand)]
        command: Option<people::Command>,
    },
    /// Change how much a person's requests may do without asking.
    Autonomy {
        /// A0 (nothing) to A4 (nearly everything).
        level: String,
        /// Whose, by name or id; `host` when left out.
        #[arg(default_value = "host")]
        who: String,
    },
    /// Connect a Matrix account.
    #[command(subcommand)]
    Matrix(matrix::Command),
    /// Look at the configuration.
    #[command(subcommand)]
    Config(config::Command),
    /// Look at the tools, or sign one of your own.
    #[command(subcommand)]
    Catalog(catalog::Command),
    /// Runs one executor inside its sandbox; started by metnos itself.
    #[command(hide = true, disable_help_flag = true)]
    Executor {
        /// What to run.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Becomes a llama-server that ends with metnos; started by metnos itself.
    #[command(hide = true, disable_help_flag = true)]
    Companion {
        /// The process it ends with, the program and its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
}

/// Runs the program.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let command = arguments.command.unwrap_or(Command::Chat { trace: false });
    if let Command::Executor { arguments } = command {
        return crate::executors::worker::worker_main(arguments);
    }
    if let Command::Companion { arguments } = command {
        return crate::llm::companion::companion_main(&arguments);
    }
    match carry_out(command) {
        Ok(code) => code,
        Err(error) => {
            // Some causes end with a line break of their own.
            complain(format!("metnos: {error:#}").trim_end());
            ExitCode::FAILURE
        }
    }
}

fn carry_out(command: Command) -> anyhow::Result<ExitCode> {
    let environment = Environment::read();
    match command {
        Command::Config(command) => return config::run(&command, &environment),
        Command::Executor { .. } | Command::Companion { .. } => return Ok(ExitCode::FAILURE),
        Command::Chat { .. }
        | Command::Serve
        | Command::Doctor
        | Command::Pair { .. }
        | Command::People { .. }
        | Command::Autonomy { .. }
        | Command::Matrix(_)
        | Command::Catalog(_) => {}
    }
    app::install_tls();
    let (config, mistakes) = match command {
        Command::Doctor => doctor::configuration(&environment)?,
        Command::Chat { .. }
        | Command::Serve
        | Command::Matrix(_)
        | Command::Pair { .. }
        | Command::People { .. }
        | Command::Autonomy { .. }
        | Command::Config(_)
        | Command::Catalog(_)
        | Command::Executor { .. }
        | Command::Companion { .. } => (crate::config::Config::load(&environment)?, Vec::new()),
    };
    if let Command::Catalog(command) = command {
        return catalog::run(&command, &config);
    }
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()?;
    let code = tokio.block_on(async {
        match command {
            Command::Chat { trace } => converse::chat(&config, &environment, trace).await,
            Command::Serve => converse::serve(&config, &environment).await,
            Command::Doctor => doctor::run(&config, &mistakes).await,
            Command::Matrix(command) => matrix::run(command, &config).await,
            Command::Pair { whom } => pair::run(&config, whom.as_deref()).await,
            Command::People { command } => people::run(&config, command.unwrap_or(people::Command::List)).await,
            Command::Autonomy { level, who } => autonomy::run(&config, &level, &who).await,
            Command::Config(_) | Command::Catalog(_) | Command::Executor { .. } | Command::Companion { .. } => {
                Ok(ExitCode::FAILURE)
            }
        }
    });
    // A read from the terminal cannot be cancelled; it must not keep us from ending.
    tokio.shutdown_background();
    code
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
