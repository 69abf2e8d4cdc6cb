//! What is new, told to the host at their seven in the morning.

use super::{Done, Failed, House, Job};
use crate::domain::task::DIGEST_JOB;

pub(super) const JOB: Job = Job::new(DIGEST_JOB, "daily@07:00", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    Ok(Done::counted("job-digest", house.morning.tell().await?))
}
