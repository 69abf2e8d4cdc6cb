//! Looks after the database: whether it is whole, statistics for its planner, and its size.

use super::{Done, Failed, House, Job};
use crate::domain::message::Message;

/// After the nightly copy: what is wrong is not copied over the last good one by the same night's mistake.
pub(super) const JOB: Job = Job::new("database", "daily@04:10", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let store = &house.engine.store;
    let upkeep = store.upkeep().await?;
    if let Some(damage) = upkeep.damage {
        tracing::error!(damage, "the database is damaged");
        return Err(Failed {
            line: Message::new("job-database-damaged").with("reason", damage),
        });
    }
    // Pages that are free are written again: only where they are a good part of the file is everything moved.
    let is_compacted = upkeep.is_wasteful() && store.compact().await?;
    Ok(Done {
        line: Message::new(if is_compacted {
            "job-database-compacted"
        } else {
            "job-database"
        }),
        is_quiet: !is_compacted,
        again_ms: None,
    })
}
