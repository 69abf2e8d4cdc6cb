//! Proposals nobody answered for long are put away; none is deleted.

use super::{Done, Failed, House, Job};
use crate::nights::promoter::Promoter;

pub(super) const JOB: Job = Job::new("proposals_cleanup", "daily@06:00", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let away = Promoter::of(house.engine, house.i18n).clean_up().await?;
    Ok(Done::counted("job-cleanup", away))
}
