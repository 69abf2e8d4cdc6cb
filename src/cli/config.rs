//! `metnos config …`: checks the household's file, or shows every key with its default.

use std::process::ExitCode;

use clap::Subcommand;

use super::print;
use crate::{
    config::{Config, EXAMPLE, Mode, config_path, env::Environment},
    domain::message::Message,
    i18n::I18n,
};

/// What to do with the configuration.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum Command {
    Check,
    Example,
}

pub(super) fn run(command: &Command, environment: &Environment) -> anyhow::Result<ExitCode> {
    match command {
        Command::Example => print(EXAMPLE.trim_end())?,
        Command::Check => {
            let config = Config::load(environment)?;
            let i18n = I18n::embedded()?;
            let file = match config_path(environment).filter(|path| path.exists()) {
                Some(path) => Message::new("config-ok").with("file", path.display().to_string()),
                None => Message::new("config-ok-without-file"),
            };
            print(&i18n.say(config.lang, &file))?;
            let folder = Message::new("config-data-folder").with("folder", config.data_dir.display().to_string());
            print(&i18n.say(config.lang, &folder))?;
            for unknown in &config.unknown {
                print(&i18n.say(config.lang, &unknown.told()))?;
            }
            let gap = config.llm.online.gap().filter(|_| config.mode != Mode::Local);
            if let Some(gap) = gap {
                let message = Message::new("config-no-provider")
                    .with("mode", config.mode.as_str())
                    .with("setting", gap.setting());
                print(&i18n.say(config.lang, &message))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
