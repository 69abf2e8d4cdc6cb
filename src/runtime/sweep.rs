//! What happens by itself while nobody asks: questions expire, and what is long over is forgotten. One task of the
//! runtime, ended by its stop.

use std::{fs, io, sync::Arc, time::Duration};

use super::{Inner, dialogs};
use crate::{
    domain::{
        ids::TurnId,
        limits::{HISTORY_KEPT_FOR, SWEEP_EVERY},
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
            match inner.parts.store.sweep(now_ms).await {
                Ok(turns) => turns.iter().for_each(|turn| forget_copies(&inner, turn)),
                Err(error) => tracing::error!(%error, "cannot sweep the database"),
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

/// The saved copies of a turn that can no longer be undone.
fn forget_copies(inner: &Inner, turn: &TurnId) {
    let folder = inner.parts.data_dir.join("history").join(turn.as_str());
    match fs::remove_dir_all(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => tracing::error!(%error, %turn, "cannot remove the saved copies of a turn"),
    }
}
