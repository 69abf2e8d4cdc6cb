//! Families of plans that recur become candidates for a tool of their own.

use super::{Done, Failed, House, Job};
use crate::nights::promoter::Promoter;

pub(super) const JOB: Job = Job::new("fastpath_promotion", "daily@03:50", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let new = Promoter::of(house.engine, house.i18n).propose().await?;
    Ok(Done::counted("job-candidates", new))
}
