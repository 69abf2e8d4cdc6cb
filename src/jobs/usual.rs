//! How long plans take, so that the next one can say it.

use super::{Done, Failed, House, Job};
use crate::domain::limits::USUAL_LOOKS_BACK;

pub(super) const JOB: Job = Job::new("proposals_eta_aggregate", "daily@04:30", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let now_ms = house.engine.clock.now_ms();
    let back_ms = i64::try_from(USUAL_LOOKS_BACK.as_millis()).unwrap_or(i64::MAX);
    let shapes = house
        .engine
        .store
        .aggregate_usual_times(now_ms.saturating_sub(back_ms), now_ms)
        .await?;
    Ok(Done::counted("job-usual", shapes))
}
