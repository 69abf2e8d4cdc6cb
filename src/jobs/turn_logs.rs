//! Packs the turn log of days that are over, and forgets those of more than a year ago.

use jiff::tz::TimeZone;

use super::{Done, Failed, House, Job};
use crate::{
    domain::limits::{HISTORY_KEPT_FOR, TURN_LOG_PACKED_AFTER},
    turn_files::TurnFiles,
};

pub(super) const JOB: Job = Job {
    first: super::First::Now,
    ..Job::new("turn_logs", "daily@03:10", |house| Box::pin(run(house)))
};

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let files = TurnFiles::new(&house.engine.data_dir);
    let now = house.engine.clock.now();
    let day = |ago| {
        let moment = now.saturating_sub(ago).map_err(std::io::Error::other)?;
        Ok::<_, std::io::Error>(moment.to_zoned(TimeZone::UTC).date())
    };
    let (first_kept, first_open) = (day(HISTORY_KEPT_FOR)?, day(TURN_LOG_PACKED_AFTER)?);
    // The lock may be waited for, and packing takes a while.
    let tidied = tokio::task::spawn_blocking(move || {
        let _locked = files.lock()?;
        let forgotten = files.forget_before(first_kept)?;
        Ok::<_, std::io::Error>((files.pack_before(first_open)?, forgotten))
    });
    let (packed, forgotten) = tidied.await.map_err(std::io::Error::other)??;
    let done = Done::counted("job-turn-logs", packed + forgotten);
    Ok(Done {
        line: done.line.with("packed", packed).with("forgotten", forgotten),
        ..done
    })
}
