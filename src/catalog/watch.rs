//! Hot reload: when something in the catalog or among the keys changes on disk, the catalog is read again and swapped.
//! `app` starts it once and keeps the guard; turns under way keep the catalog they began with.

use std::{
    path::Path,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{CatalogError, CatalogHandle};

/// Quiet time after the last change: an editor or an installer writes several files.
const DEBOUNCE: Duration = Duration::from_millis(300);
/// Changes that follow each other without a pause delay a reload at most this many times.
const DELAYS_MAX: u32 = 20;

/// Watches while it lives. Dropping it ends the notifications, and with them the thread that waits for them.
pub struct WatchGuard {
    _watcher: RecommendedWatcher,
}

/// Starts to watch both folders.
pub(super) fn start(handle: &Arc<CatalogHandle>, folders: &[&Path]) -> Result<WatchGuard, CatalogError> {
    let (changed, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading the catalog is an access event itself: reacting to it would never end.
        let relevant = event.as_ref().map_or(true, |event| !event.kind.is_access());
        if relevant && changed.send(()).is_err() {
            tracing::debug!("catalog change seen after the watch ended");
        }
    })
    .map_err(CatalogError::Watch)?;
    for folder in folders {
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .map_err(CatalogError::Watch)?;
    }
    // Weak, so that the waiting thread never keeps a catalog alive that nobody uses.
    let handle = Arc::downgrade(handle);
    thread::Builder::new()
        .name("catalog-watch".to_owned())
        .spawn(move || {
            while changes.recv().is_ok() {
                wait_for_quiet(&changes);
                let Some(handle) = handle.upgrade() else { return };
                if let Err(error) = handle.reload() {
                    tracing::error!(%error, "catalog not reloaded, the old one stays");
                }
            }
        })
        .map_err(CatalogError::WatchThread)?;
    Ok(WatchGuard { _watcher: watcher })
}

fn wait_for_quiet(changes: &Receiver<()>) {
    for _ in 0..DELAYS_MAX {
        match changes.recv_timeout(DEBOUNCE) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}
