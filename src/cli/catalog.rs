//! `metnos catalog …`: which tools there are, and signing one that the household changed or added.

use std::process::ExitCode;

use clap::Subcommand;

use super::print;
use crate::{
    app,
    catalog::install,
    config::Config,
    domain::{ids::ExecutorName, message::Message},
    i18n::I18n,
};

/// What to do with the catalog.
#[derive(Clone, Debug, Subcommand)]
pub(super) enum Command {
    List,
    Sign { tool: String },
}

pub(super) fn run(command: &Command, config: &Config) -> anyhow::Result<ExitCode> {
    app::make_private_dir(&config.data_dir)?;
    let i18n = I18n::of_household(&config.data_dir)?;
    match command {
        Command::Sign { tool } => {
            install::sign_one(&config.data_dir, &ExecutorName::from(tool.as_str()))?;
            let message = Message::new("catalog-signed").with("name", tool.as_str());
            print(&i18n.say(config.lang, &message))?;
        }
        Command::List => {
            let catalog = app::open_catalog(&config.data_dir)?.current();
            for manifest in catalog.all() {
                let purpose = manifest
                    .description
                    .get(&config.lang)
                    .map_or("", |words| words.purpose.as_str());
                print(&format!("{:22} {purpose}", manifest.name.as_str()))?;
            }
            for rejected in catalog.rejected() {
                let message = Message::new("catalog-refused").with("reason", rejected.message());
                print(&i18n.say(config.lang, &message))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
