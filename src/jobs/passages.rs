//! Passages are as strong as they are by now; wishes nobody has any more go.

use super::{Done, Failed, House, Job};
use crate::nights::passages;

pub(super) const JOB: Job = Job::new("apply_ager", "daily@04:00", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let weighed = passages::apply_ager(house.engine).await?;
    Ok(Done::counted(
        "job-passages",
        usize::try_from(weighed.purged).unwrap_or(usize::MAX),
    ))
}
