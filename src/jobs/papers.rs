//! What documents say, read at night for the questions of the day: those of everybody who has a home here.

use super::{Done, Failed, First, House, Job};
use crate::{
    domain::{limits::PAPERS_NIGHT, message::Message},
    papers::{self, Desk, Owner},
};

pub(super) const JOB: Job = Job {
    first: First::Now,
    limit: PAPERS_NIGHT,
    ..Job::new("papers_index_refresh", "daily@02:40", |house| Box::pin(run(house)))
};

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let engine = house.engine;
    let catalog = engine.catalog.current();
    let desk = Desk {
        store: &engine.store,
        runner: &engine.runner,
        catalog: &catalog,
        language: &engine.language,
        data_dir: &engine.data_dir,
    };
    let mut left = 0;
    for person in engine.store.people().await? {
        let owner = Owner {
            actor: &person.actor.id,
            home: engine.home_of(&person.actor),
            now: engine.clock.zoned(&person.actor.timezone),
        };
        let home = engine.home_for(&person.actor);
        left += desk.refresh(&owner, &papers::of(&home), PAPERS_NIGHT / 2).await?;
    }
    Ok(Done {
        line: Message::new("job-papers").with("left", left),
        is_quiet: left == 0,
        again_ms: None,
    })
}
