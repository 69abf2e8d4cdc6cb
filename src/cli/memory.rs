//! `metnos digest`, `metnos gaps` and `metnos proposals`: what memory learned, forgot, was asked in vain and would make
//! of itself, and what the host decides about it, from the machine itself. The same words as in the chat; works beside
//! a running service.

use std::process::ExitCode;

use super::{people, print};
use crate::{
    app,
    clock::Clock,
    config::Config,
    language::Language,
    nights::{promoter::Promoter, proposals},
    runtime::{digest, people::Said},
};

/// `metnos digest …`: the words after it are those of `/digest`.
pub(super) async fn digest(config: &Config, words: &[String]) -> anyhow::Result<ExitCode> {
    let household = people::open(config)?;
    let host = household.actors.host().await?;
    let now_ms = Clock::system().now_ms();
    let said = digest::answer(&household.store, &host, &words.join(" "), now_ms).await?;
    tell(&household, &said)
}

/// `metnos gaps`.
pub(super) async fn gaps(config: &Config) -> anyhow::Result<ExitCode> {
    let household = people::open(config)?;
    let host = household.actors.host().await?;
    let said = digest::gaps(&household.store, &host, Clock::system().now_ms()).await?;
    tell(&household, &said)
}

/// `metnos proposals …`: the words after it are those of `/proposals`. A running service sees a new tool by itself.
pub(super) async fn proposals(config: &Config, words: &[String]) -> anyhow::Result<ExitCode> {
    let household = people::open(config)?;
    let host = household.actors.host().await?;
    let (catalog, language) = (app::open_catalog(&config.data_dir)?, Language::embedded()?);
    let promoter = Promoter {
        store: &household.store,
        clock: &Clock::system(),
        catalog: &catalog,
        data_dir: &config.data_dir,
        language: &language,
        i18n: &household.i18n,
        promotion: config.promotion,
        promoter: config.promoter,
    };
    let lines = proposals::answer(&promoter, &words.join(" ")).await?;
    tell(&household, &Said { lang: host.lang, lines })
}

fn tell(household: &people::Household, said: &Said) -> anyhow::Result<ExitCode> {
    for line in &said.lines {
        print(&household.i18n.say(said.lang, line))?;
    }
    Ok(ExitCode::SUCCESS)
}
