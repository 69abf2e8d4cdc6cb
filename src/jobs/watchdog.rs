//! Whether tools of others, or guests, make it worth looking at the sandbox.

use super::{Done, Failed, House, Job};
use crate::nights::lifecycle;

pub(super) const JOB: Job = Job::new("skill_sandbox_watchdog", "daily@06:35", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let line = lifecycle::watchdog(house.engine).await?;
    let is_quiet = line.key.as_str() == "job-watchdog-quiet";
    Ok(Done {
        line,
        is_quiet,
        again_ms: None,
    })
}
