//! The nightly copy of everything, into a folder the household names, and as many of them as it wants to keep. How a
//! copy is made is handed in: it is the same that `metnos backup` makes.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::civil::Date;
use tokio_util::sync::CancellationToken;

use super::{Done, Failed, House, Job};
use crate::domain::{limits::BACKUP_TIMEOUT, message::Message, task::job_id};

const NAME: &str = "backup";
/// What the folder of a night's copy is called before its date.
const PREFIX: &str = "metnos-";

pub(super) const JOB: Job = Job {
    limit: BACKUP_TIMEOUT,
    is_wanted: |wishes| wishes.backup.is_some(),
    ..Job::new(NAME, "daily@03:30", |house| Box::pin(run(house)))
};

/// Makes a copy at that place, which is not there yet, unless it is stopped; its bytes.
pub type Copy = Arc<dyn Fn(&Path, &CancellationToken) -> Result<u64, Message> + Send + Sync>;

/// Where copies go, and how many are kept.
#[derive(Clone)]
pub struct Plan {
    /// The folder, such as a disk of its own.
    pub folder: PathBuf,
    /// So many nights.
    pub keep: usize,
    /// Makes one.
    pub copy: Copy,
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let Some(plan) = house.wishes.backup.clone() else {
        return Ok(Done::counted("job-backup", 0));
    };
    let engine = house.engine;
    let zone = engine.store.task(&job_id(NAME)).await?.map(|task| task.zone);
    let day = engine.clock.zoned(zone.as_deref().unwrap_or_default()).date();
    let stop = CancellationToken::new();
    // Too late, or the process stops: what is copied so far goes.
    let _stops = stop.clone().drop_guard();
    let made = tokio::task::spawn_blocking(move || make(&plan, day, &stop));
    made.await.map_err(io::Error::other)?
}

/// Tonight's copy in place of an earlier one of tonight, then without those nobody keeps any more.
fn make(plan: &Plan, day: Date, stop: &CancellationToken) -> Result<Done, Failed> {
    let target = plan.folder.join(format!("{PREFIX}{day}"));
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let bytes = (plan.copy)(&target, stop).map_err(|line| Failed { line })?;
    let mut copies: Vec<(Date, PathBuf)> = fs::read_dir(&plan.folder)?
        .filter_map(Result::ok)
        .filter_map(|entry| day_of(&entry.path()).map(|day| (day, entry.path())))
        .collect();
    copies.sort();
    let too_many = copies.len().saturating_sub(plan.keep);
    for (_, old) in copies.iter().take(too_many) {
        fs::remove_dir_all(old)?;
    }
    Ok(Done {
        line: Message::new("job-backup")
            .with("megabytes", bytes / 1_000_000)
            .with("count", copies.len() - too_many),
        is_quiet: false,
        again_ms: None,
    })
}

/// The night of a copy; `None` for a folder that is none of ours.
fn day_of(folder: &Path) -> Option<Date> {
    folder.file_name()?.to_str()?.strip_prefix(PREFIX)?.parse().ok()
}
