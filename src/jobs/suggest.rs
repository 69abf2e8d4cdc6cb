//! Ways through the passages to what people keep asking in vain.

use super::{Done, Failed, House, Job};
use crate::nights::passages;

pub(super) const JOB: Job = Job::new("synt_suggest", "daily@04:30", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let new = passages::suggest(house.engine).await?;
    Ok(Done::counted("job-suggest", new))
}
