//! What memory notices about itself, and the habits that are beyond doubt.

use super::{Done, Failed, House, Job};
use crate::nights::{introspection, promoter::Promoter};

pub(super) const PROPOSE: Job = Job::new("introvertiva_propose", "daily@05:00", |house| Box::pin(propose(house)));
pub(super) const APPLY: Job = Job::new("introvertiva_apply", "daily@05:30", |house| Box::pin(apply(house)));

async fn propose(house: House<'_>) -> Result<Done, Failed> {
    let new = introspection::propose(&Promoter::of(house.engine, house.i18n)).await?;
    Ok(Done::counted("job-noticed", new))
}

async fn apply(house: House<'_>) -> Result<Done, Failed> {
    let applied = introspection::apply(&Promoter::of(house.engine, house.i18n)).await?;
    Ok(Done::counted("job-habits", applied))
}
