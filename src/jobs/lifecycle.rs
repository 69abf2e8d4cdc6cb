//! How memory stands, in one line. It only looks.

use super::{Done, Failed, House, Job};
use crate::nights::lifecycle;

pub(super) const JOB: Job = Job::new("lifecycle_summary", "daily@06:30", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let summary = lifecycle::summary(house.engine).await?;
    Ok(Done {
        line: summary,
        is_quiet: false,
        again_ms: None,
    })
}
