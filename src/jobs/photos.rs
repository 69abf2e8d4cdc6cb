//! The index of photos: there is none yet, and the job says so.

use super::{Done, Failed, House, Job};
use crate::domain::message::Message;

pub(super) const JOB: Job = Job::new("images_index_refresh", "daily@03:00", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let _no_index_yet = house;
    Ok(Done {
        line: Message::new("job-photos-none"),
        is_quiet: true,
        again_ms: None,
    })
}
