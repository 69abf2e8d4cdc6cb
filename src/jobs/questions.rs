//! Ends the questions nobody answered in time. It has no schedule: whoever asks a question says, in the same
//! transaction, when this is due (`store::dialogs`).

use super::{Done, First, House, Job};
use crate::domain::task::QUESTIONS_JOB;

/// A question that is over says so within a moment.
pub(super) const JOB: Job = Job {
    first: First::Now,
    ..Job::new(QUESTIONS_JOB, "manual", |house| Box::pin(run(house)))
};

async fn run(house: House<'_>) -> Result<Done, super::Failed> {
    let expired = house.questions.expire().await?;
    Ok(Done {
        again_ms: house.engine.store.next_expiry().await?,
        ..Done::counted("job-questions", expired)
    })
}
