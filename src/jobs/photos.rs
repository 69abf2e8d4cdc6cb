//! When and where pictures were taken, and what they look like, looked at by night for the questions of the day:
//! those of everybody who has a home here.

use super::{Done, Failed, First, House, Job};
use crate::{
    domain::{limits::PHOTOS_NIGHT, message::Message},
    papers::{Desk, Owner},
    photos,
};

pub(super) const JOB: Job = Job {
    first: First::Now,
    limit: PHOTOS_NIGHT,
    ..Job::new("images_index_refresh", "daily@03:00", |house| Box::pin(run(house)))
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
        left += desk.look_at(&owner, &photos::of(&home), PHOTOS_NIGHT / 4).await?;
        left += desk.compare(&owner, PHOTOS_NIGHT / 4).await?;
    }
    Ok(Done {
        line: Message::new("job-photos").with("left", left),
        is_quiet: left == 0,
        again_ms: None,
    })
}
