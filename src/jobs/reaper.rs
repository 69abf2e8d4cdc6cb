//! Plans age and die: L0 and L1 lose what outlived its use, each with its reason.

use super::{Done, Failed, House, Job};
use crate::nights::reaper;

pub(super) const JOB: Job = Job::new("task_state_reaper", "daily@03:40", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let aged = reaper::reap(house.engine).await?;
    let gone: u32 = aged.removed.values().sum();
    Ok(Done::counted("job-reaper", usize::try_from(gone).unwrap_or(usize::MAX)))
}
