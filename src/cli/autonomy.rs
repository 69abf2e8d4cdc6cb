//! `metnos autonomy LEVEL [WHO]`: the other factor that raising autonomy needs. Whoever can run this owns the
//! machine.

use std::process::ExitCode;

use anyhow::bail;

use super::{people, print};
use crate::{
    config::Config,
    domain::{actor::Autonomy, message::Message},
    i18n::I18n,
};

pub(super) async fn run(config: &Config, level: &str, who: &str) -> anyhow::Result<ExitCode> {
    let i18n = I18n::of_household(&config.data_dir)?;
    let Some(level) = Autonomy::parse(level) else {
        bail!(Message::new("autonomy-no-such-level").with("level", level));
    };
    let household = people::open(config)?;
    let person = household.person(who).await?;
    household.store.set_autonomy(&person.id, level).await?;
    let message = Message::new("autonomy-changed")
        .with("who", person.name.as_str())
        .with("level", level.as_str())
        .with("before", person.autonomy.as_str());
    print(&i18n.say(config.lang, &message))?;
    Ok(ExitCode::SUCCESS)
}
