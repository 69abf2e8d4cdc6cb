//! `metnos autonomy LEVEL [WHO]`: the other factor that raising autonomy needs. Whoever can run this owns the
//! machine.

use std::process::ExitCode;

use anyhow::bail;

use super::{people, print};
use crate::{config::Config, domain::actor::Autonomy};

pub(super) async fn run(config: &Config, level: &str, who: &str) -> anyhow::Result<ExitCode> {
    let Some(level) = Autonomy::parse(level) else {
        bail!("the levels are A0 to A4, not `{level}`");
    };
    let household = people::open(config)?;
    let person = household.person(config, who).await?;
    household.store.set_autonomy(&person.id, level).await?;
    print(&format!(
        "{}: {} (was {})",
        person.id,
        level.as_str(),
        person.autonomy.as_str()
    ))?;
    Ok(ExitCode::SUCCESS)
}
