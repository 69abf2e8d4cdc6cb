//! Forgets what is long over: rows, and the saved copies of turns that can no longer be undone.

use std::{fs, path::PathBuf, time::SystemTime};

use super::{Done, Failed, First, House, Job};
use crate::{
    domain::{folders, ids::TurnId, limits::COPIES_SETTLED_AFTER},
    engine::Engine,
};

/// Codes and large results live for minutes or hours: a day would be long.
pub(super) const JOB: Job = Job {
    first: First::Now,
    ..Job::new("retention", "every_1_hours", |house| Box::pin(run(house)))
};

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let rows = house.engine.store.sweep(house.engine.clock.now_ms()).await?;
    let copies = forget_copies(house.engine).await?;
    Ok(Done::counted("job-retention", rows + copies))
}

/// Removes the saved copies of turns that can no longer be undone. They are found on the disk, and not by what was just
/// forgotten: what an earlier sweep could not remove, or was stopped before, goes with the next.
async fn forget_copies(engine: &Engine) -> Result<usize, Failed> {
    // Looked at before the journal: a turn that begins meanwhile is in neither, or in both.
    let settled = settled_copies(engine);
    if settled.is_empty() {
        return Ok(0);
    }
    let named = engine.store.turns_with_effects().await?;
    let mut forgotten = 0;
    for folder in settled {
        let turn = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if named.contains(&TurnId::from(turn.as_str())) {
            continue;
        }
        match fs::remove_dir_all(&folder) {
            Ok(()) => forgotten += 1,
            Err(error) => tracing::error!(%error, turn, "cannot remove the saved copies of a turn"),
        }
    }
    Ok(forgotten)
}

/// The folders of saved copies to which nothing was added for a while.
fn settled_copies(engine: &Engine) -> Vec<PathBuf> {
    let since = engine.clock.now().saturating_sub(COPIES_SETTLED_AFTER);
    let (Ok(since), Ok(entries)) = (since, fs::read_dir(folders::copies(&engine.data_dir))) else {
        return Vec::new();
    };
    let since = SystemTime::from(since);
    let is_settled = |folder: &fs::DirEntry| {
        let changed = folder.metadata().and_then(|found| found.modified());
        changed.is_ok_and(|changed| changed < since)
    };
    let entries = entries.filter_map(Result::ok);
    entries.filter(is_settled).map(|folder| folder.path()).collect()
}
