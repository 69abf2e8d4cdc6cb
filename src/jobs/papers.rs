//! What documents say, read at night for the questions of the day: those of everybody who has a home here.

use super::{Done, Failed, First, House, Job};
use crate::{
    catalog::Catalog,
    domain::{actor::Actor, limits::PAPERS_NIGHT, message::Message},
    engine::Engine,
    language::Home,
    papers::{self, Desk, Owner},
    store::StoreError,
};

pub(super) const JOB: Job = Job {
    first: First::Now,
    breaks_off: true,
    limit: PAPERS_NIGHT,
    ..Job::new("papers_index_refresh", "daily@02:40", |house| Box::pin(run(house)))
};

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let look = async |desk: &Desk<'_>, owner: &Owner<'_>, home: &Home| {
        desk.refresh(owner, &papers::of(home), PAPERS_NIGHT / 2).await
    };
    let left = at_every_home(house, look).await?;
    Ok(Done {
        line: Message::new("job-papers").with("left", left),
        is_quiet: left == 0,
        again_ms: None,
    })
}

/// Looks through the home of everybody; how much is left of all.
pub(super) async fn at_every_home(
    house: House<'_>,
    look: impl AsyncFn(&Desk<'_>, &Owner<'_>, &Home) -> Result<usize, StoreError>,
) -> Result<usize, Failed> {
    let engine = house.engine;
    let catalog = engine.catalog.current();
    let desk = desk(engine, &catalog);
    let mut left = 0;
    for person in engine.store.people().await? {
        let owner = owner(engine, &person.actor);
        left += look(&desk, &owner, &engine.home_for(&person.actor)).await?;
    }
    Ok(left)
}

/// Where the files of all homes are looked at.
pub(super) fn desk<'a>(engine: &'a Engine, catalog: &'a Catalog) -> Desk<'a> {
    Desk {
        store: &engine.store,
        runner: &engine.runner,
        catalog,
        language: &engine.language,
        data_dir: &engine.data_dir,
    }
}

/// Whose home it is.
pub(super) fn owner<'a>(engine: &Engine, actor: &'a Actor) -> Owner<'a> {
    Owner {
        actor: &actor.id,
        home: engine.home_of(actor),
        now: engine.clock.zoned(&actor.timezone),
    }
}
