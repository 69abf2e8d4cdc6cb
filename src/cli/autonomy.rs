//! `metnos autonomy LEVEL [ACTOR]`: the other factor that raising autonomy needs. Whoever can run this owns the
//! machine.

use std::process::ExitCode;

use anyhow::{Context as _, bail};

use super::print;
use crate::{
    app::{self, DATABASE},
    clock::Clock,
    config::Config,
    domain::{actor::Autonomy, ids::ActorId},
    runtime::actors::{Actors, Defaults},
    store::Store,
};

pub(super) async fn run(config: &Config, level: &str, actor: &str) -> anyhow::Result<ExitCode> {
    let Some(level) = Autonomy::parse(level) else {
        bail!("the levels are A0 to A4, not `{level}`");
    };
    app::make_private_dir(&config.data_dir)?;
    let store = Store::open(&config.data_dir.join(DATABASE)).context("cannot open the database")?;
    let defaults = Defaults {
        lang: config.lang,
        timezone: config.timezone.clone(),
    };
    Actors::new(store.clone(), Clock::system(), defaults).host().await?;
    let id = ActorId::from(actor);
    let Some(person) = store.actor(&id).await? else {
        bail!("there is no person `{actor}`; /me in a conversation tells a person's id");
    };
    store.set_autonomy(&id, level).await?;
    print(&format!(
        "{}: {} (was {})",
        person.id,
        level.as_str(),
        person.autonomy.as_str()
    ))?;
    Ok(ExitCode::SUCCESS)
}
