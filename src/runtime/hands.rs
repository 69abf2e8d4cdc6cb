//! What a firing says and does: the part of the scheduler that knows people, channels and jobs. What a person's task
//! says is `firings`'; a job of the house is in `jobs`.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;

use super::{Inner, dialogs, firings, inbox};
use crate::{
    domain::{
        ids::InboxId,
        limits::WATCHER_TIMEOUT,
        task::{RunState, Task},
    },
    jobs::{self, House, Questions},
    kick::Kicks,
    scheduler::{Firing, Hands, Scheduler, Work},
    store::{StoreError, tasks::firing::Along},
};

/// How long the first channel may take to start before what is due goes out.
const CHANNELS_START: Duration = Duration::from_millis(200);

/// Keeps the jobs' entries and fires what is due, until the stop.
pub(super) async fn run(inner: Arc<Inner>) {
    let parts = &inner.parts;
    let installed = jobs::install(&parts.store, &parts.clock, &parts.timezone, &parts.wishes).await;
    if let Err(error) = installed {
        tracing::error!(%error, "cannot keep the entries of the house's jobs");
    }
    inner.jobs_installed.send_replace(true);
    inner.tasks.spawn(hear_kicks(Arc::clone(&inner)));
    let hands = Arc::new(RuntimeHands {
        inner: Arc::clone(&inner),
    });
    let (store, clock) = (parts.store.clone(), parts.clock.clone());
    // What is due already waits a moment for the channels, so that it is said where somebody is.
    let mut channels = inner.fetchers.subscribe();
    let is_there = channels.wait_for(|channels| !channels.is_empty());
    if tokio::time::timeout(CHANNELS_START, is_there).await.is_err() {
        tracing::debug!("no channel is there yet; what is due is said where it was asked for");
    }
    match Scheduler::start(store, clock, hands, inner.tasks.clone(), inner.stop.clone()).await {
        Ok(scheduler) => scheduler.run().await,
        Err(error) => tracing::error!(%error, "nothing fires: what was left open cannot be read"),
    }
}

/// Other processes of ours change zones and jobs, and add languages, too.
async fn hear_kicks(inner: Arc<Inner>) {
    let kicks = match Kicks::listen(&inner.parts.lock) {
        Ok(kicks) => kicks,
        Err(error) => {
            tracing::warn!(%error, "what other processes change is seen when something fires next");
            return;
        }
    };
    loop {
        let heard = tokio::select! {
            () = inner.stop.cancelled() => return,
            heard = kicks.next() => heard,
        };
        if let Err(error) = heard {
            tracing::warn!(%error, "cannot hear other processes any more");
            return;
        }
        inner.parts.store.tasks_kicked();
        inner.parts.i18n.reload();
    }
}

struct RuntimeHands {
    inner: Arc<Inner>,
}

impl Hands for RuntimeHands {
    fn along<'a>(&'a self, firing: &'a Firing) -> BoxFuture<'a, Result<Along, StoreError>> {
        Box::pin(firings::along(&self.inner, firing))
    }

    fn committed<'a>(&'a self, along: &'a Along, inbox: Option<InboxId>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            for parcel in &along.parcels {
                self.inner.outbox.wake(parcel.channel);
            }
            let (Some(id), Some(inbound)) = (inbox, &along.inbound) else {
                return;
            };
            if let Err(error) = inbox::begin(&self.inner, id, inbound.clone()).await {
                tracing::error!(%error, "cannot queue what a task asks; the next start does");
            }
        })
    }

    fn work<'a>(&'a self, firing: &'a Firing) -> BoxFuture<'a, Work> {
        Box::pin(async move {
            let Some(job) = jobs::of_task(&firing.task) else {
                return Work::ended(RunState::Skipped, None);
            };
            let house = House {
                engine: &self.inner.parts.engine,
                wishes: &self.inner.parts.wishes,
                questions: self.inner.as_ref(),
                morning: self.inner.as_ref(),
                i18n: &self.inner.parts.i18n,
            };
            match (job.run)(house).await {
                Ok(done) => {
                    if !done.is_quiet {
                        tracing::info!(job = job.name, outcome = %done.line, "a job ran");
                    }
                    Work {
                        again_ms: done.again_ms,
                        ..Work::ended(done.state(), Some(done.line))
                    }
                }
                Err(failed) => Work::ended(RunState::Failed, Some(failed.line)),
            }
        })
    }

    fn limit(&self, task: &Task) -> Duration {
        jobs::of_task(task).map_or(WATCHER_TIMEOUT, |job| job.limit)
    }

    fn breaks_off(&self, task: &Task) -> bool {
        jobs::of_task(task).is_some_and(|job| job.breaks_off)
    }

    fn card<'a>(&'a self, task: &'a Task) -> BoxFuture<'a, Along> {
        Box::pin(async move {
            firings::card(&self.inner, task).await.unwrap_or_else(|error| {
                tracing::error!(%error, "cannot ask what to do with a task that was stopped");
                Along::default()
            })
        })
    }
}

impl Questions for Inner {
    /// Takes the buttons of expired questions away and says that nothing was done.
    fn expire(&self) -> BoxFuture<'_, Result<usize, StoreError>> {
        Box::pin(async {
            let overdue = self.parts.store.overdue_dialogs(self.parts.clock.now_ms()).await?;
            for dialog in &overdue {
                dialogs::expire(self, dialog).await?;
            }
            Ok(overdue.len())
        })
    }
}
