//! When and where pictures were taken, and what they look like, looked at by night for the questions of the day:
//! those of everybody who has a home here.

use super::{Done, Failed, First, House, Job, papers::at_every_home};
use crate::{
    domain::{limits::PHOTOS_NIGHT, message::Message},
    language::Home,
    papers::{Desk, Owner},
    photos,
};

pub(super) const JOB: Job = Job {
    first: First::Now,
    limit: PHOTOS_NIGHT,
    ..Job::new("images_index_refresh", "daily@03:00", |house| Box::pin(run(house)))
};

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let look = async |desk: &Desk<'_>, owner: &Owner<'_>, home: &Home| {
        let unread = desk.look_at(owner, &photos::of(home), PHOTOS_NIGHT / 4).await?;
        Ok(unread + desk.compare(owner, PHOTOS_NIGHT / 4).await?)
    };
    let left = at_every_home(house, look).await?;
    Ok(Done {
        line: Message::new("job-photos").with("left", left),
        is_quiet: left == 0,
        again_ms: None,
    })
}
