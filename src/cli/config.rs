//! `metnos config …`: checks the household's file, or shows every key with its default.

use std::process::ExitCode;

use clap::Subcommand;

use super::print;
use crate::config::{Config, EXAMPLE, Mode, config_path, env::Environment};

/// What to do with the configuration.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum Command {
    /// Read it and say what is wrong, if anything.
    Check,
    /// Print every key with its default and what it is for.
    Example,
}

pub(super) fn run(command: &Command, environment: &Environment) -> anyhow::Result<ExitCode> {
    match command {
        Command::Example => print(EXAMPLE.trim_end())?,
        Command::Check => {
            let config = Config::load(environment)?;
            let file = config_path(environment).filter(|path| path.exists());
            let file = file.map_or_else(
                || "no file, defaults only".to_owned(),
                |path| path.display().to_string(),
            );
            print(&format!("ok: {file}"))?;
            print(&format!("data folder: {}", config.data_dir.display()))?;
            let gap = config.llm.online.gap().filter(|_| config.mode != Mode::Local);
            if let Some(gap) = gap {
                let (mode, setting) = (config.mode.as_str(), gap.setting());
                print(&format!(
                    "mode `{mode}`: no provider is asked before `{setting}` is set"
                ))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
