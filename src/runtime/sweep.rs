//! What happens by itself while nobody asks: questions expire, and what is long over is forgotten. One task of the
//! runtime, ended by its stop.

use std::{
    fs, io,
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::{Inner, dialogs};
use crate::{
    domain::{
        folders,
        ids::TurnId,
        limits::{COPIES_SETTLED_AFTER, HISTORY_KEPT_FOR, SWEEP_EVERY},
    },
    store::StoreError,
};

/// How often expired questions are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(20);

/// Runs until the runtime stops.
pub(super) async fn run(inner: Arc<Inner>) {
    let mut next_sweep_ms = 0;
    loop {
        if let Err(error) = expire_questions(&inner).await {
            tracing::error!(%error, "cannot close expired questions");
        }
        let now_ms = inner.parts.clock.now_ms();
        if now_ms >= next_sweep_ms {
            let every_ms = i64::try_from(SWEEP_EVERY.as_millis()).unwrap_or(i64::MAX);
            next_sweep_ms = now_ms.saturating_add(every_ms);
            if let Err(error) = inner.parts.store.sweep(now_ms).await {
                tracing::error!(%error, "cannot sweep the database");
            }
            if let Err(error) = forget_copies(&inner).await {
                tracing::error!(%error, "cannot look for saved copies that nothing needs any more");
            }
            let first_kept = inner.parts.clock.now().saturating_sub(HISTORY_KEPT_FOR);
            if let Err(error) = first_kept
                .map_err(io::Error::other)
                .and_then(|at| inner.turn_log.forget_before(at))
            {
                tracing::error!(%error, "cannot remove old turn logs");
            }
        }
        tokio::select! {
            () = inner.stop.cancelled() => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

/// Takes the buttons of expired questions away and says that nothing was done.
async fn expire_questions(inner: &Inner) -> Result<(), StoreError> {
    for dialog in inner.parts.store.overdue_dialogs(inner.parts.clock.now_ms()).await? {
        dialogs::expire(inner, &dialog).await?;
    }
    Ok(())
}

/// Removes the saved copies of turns that can no longer be undone. They are found on the disk, and not by what was just
/// forgotten: what an earlier sweep could not remove, or was stopped before, goes with the next.
async fn forget_copies(inner: &Inner) -> Result<(), StoreError> {
    // Looked at before the journal: a turn that begins meanwhile is in neither, or in both.
    let settled = settled_copies(inner);
    if settled.is_empty() {
        return Ok(());
    }
    let named = inner.parts.store.turns_with_effects().await?;
    for folder in settled {
        let turn = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if named.contains(&TurnId::from(turn.as_str())) {
            continue;
        }
        if let Err(error) = fs::remove_dir_all(&folder) {
            tracing::error!(%error, turn, "cannot remove the saved copies of a turn");
        }
    }
    Ok(())
}

/// The folders of saved copies to which nothing was added for a while.
fn settled_copies(inner: &Inner) -> Vec<PathBuf> {
    let since = inner.parts.clock.now().saturating_sub(COPIES_SETTLED_AFTER);
    let (Ok(since), Ok(entries)) = (since, fs::read_dir(folders::copies(&inner.parts.data_dir))) else {
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
