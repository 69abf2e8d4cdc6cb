//! Tools that grew here and that nobody uses any more: told of first, then taken back.

use super::{Done, Failed, House, Job};
use crate::{domain::message::Message, nights::promoter::Promoter};

pub(super) const JOB: Job = Job::new("apply_executor_ager", "daily@03:30", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let idle = Promoter::of(house.engine, house.i18n).age().await?;
    Ok(Done {
        line: Message::new("job-executors")
            .with("deprecated", f64::from(idle.deprecated))
            .with("archived", f64::from(idle.archived))
            .with("revived", f64::from(idle.revived)),
        is_quiet: idle == Default::default(),
        again_ms: None,
    })
}
