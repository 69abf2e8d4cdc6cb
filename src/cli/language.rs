//! `metnos language …`: which languages are spoken, one more, and how its texts stand. The words after it are those of
//! `/language`. Works beside a running service, which reads the texts anew once it is told.

use std::process::ExitCode;

use super::{people, print};
use crate::{app::LOCK, clock::Clock, config::Config, kick, language::Language, runtime::languages::Languages};

pub(super) async fn run(config: &Config, words: &[String]) -> anyhow::Result<ExitCode> {
    let household = people::open(config)?;
    let host = household.actors.host().await?;
    let language = Language::embedded()?;
    let languages = Languages {
        data_dir: &config.data_dir,
        i18n: &household.i18n,
        language: &language,
        speaker: host.lang,
    };
    for line in languages.answer(&words.join(" "))? {
        print(&household.i18n.say(host.lang, &line))?;
    }
    if let Err(error) = kick::kick(&config.data_dir.join(LOCK), Clock::system().now()) {
        tracing::debug!(%error, "none runs that has to know");
    }
    Ok(ExitCode::SUCCESS)
}
