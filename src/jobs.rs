//! Floor 4: what the house does by itself: one file a job, with its name, when it runs, what it does, and one line
//! about how it went. The scheduler fires them as it fires everything; `runtime` hands them what they work on. Nothing
//! here speaks to a person: the line is a sentence by key, for `metnos jobs` and the log.
//!
//! A new job is a file with a `JOB` and its line in `ALL`.

use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::{
    clock::Clock,
    domain::{
        ids::TaskId,
        limits::JOB_TIMEOUT,
        message::Message,
        task::{DIGEST_JOB, RunState, Task, TaskKind, TaskState, Trigger, job_id},
    },
    engine::Engine,
    i18n::I18n,
    nights::promoter::PromoterError,
    store::{Store, StoreError},
};

pub mod backup;
mod candidates;
mod cleanup;
mod digest;
mod executors;
mod introspection;
mod lifecycle;
mod passages;
mod papers;
mod photos;
mod promoter;
mod reaper;
mod suggest;
mod translate;
mod watchdog;
mod questions;
mod reembed;
mod retention;
mod turn_logs;
mod upkeep;
mod usual;

/// Every job, in the order of the night.
pub const ALL: &[Job] = &[
    questions::JOB,
    retention::JOB,
    turn_logs::JOB,
    reembed::JOB,
    translate::JOB,
    papers::JOB,
    photos::JOB,
    executors::JOB,
    reaper::JOB,
    candidates::JOB,
    passages::JOB,
    suggest::JOB,
    usual::JOB,
    promoter::JOB,
    introspection::PROPOSE,
    introspection::APPLY,
    cleanup::JOB,
    lifecycle::JOB,
    watchdog::JOB,
    digest::JOB,
    backup::JOB,
    upkeep::JOB,
];

/// One job.
#[derive(Clone, Copy)]
pub struct Job {
    /// What it is called, in one word.
    pub name: &'static str,
    /// When it runs, as `domain::task::trigger` reads it; wall times are the household's.
    pub schedule: &'static str,
    /// What happens when the machine was off at that moment.
    pub missed: Missed,
    /// Whether a new household waits for its first moment, or it runs at once.
    pub first: First,
    /// How long it may take.
    pub limit: Duration,
    /// Whether it keeps what it did piece by piece: then metnos does not wait for it to end, and it goes on at the next
    /// start.
    pub breaks_off: bool,
    /// Whether this household wants it.
    pub is_wanted: fn(&Wishes) -> bool,
    /// What it does.
    pub run: for<'a> fn(House<'a>) -> BoxFuture<'a, Result<Done, Failed>>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Job {
    /// What most jobs are like: made up for once when it was missed, within half an hour, in every household.
    const fn new(
        name: &'static str,
        schedule: &'static str,
        run: for<'a> fn(House<'a>) -> BoxFuture<'a, Result<Done, Failed>>,
    ) -> Self {
        Self {
            name,
            schedule,
            missed: Missed::Once,
            first: First::Scheduled,
            limit: JOB_TIMEOUT,
            breaks_off: false,
            is_wanted: |_wishes| true,
            run,
        }
    }

    /// Its entry.
    pub fn task(&self) -> TaskId {
        job_id(self.name)
    }
}

/// What becomes of a job whose moment was missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// It runs once, as soon as it can.
    Once,
    /// It waits for its next moment.
    Skip,
}

impl Missed {
    fn grace_minutes(self) -> Option<u32> {
        match self {
            Self::Once => None,
            Self::Skip => Some(SKIPPED_AFTER_MINUTES),
        }
    }
}

/// A job that may be skipped is skipped when it is later than this.
const SKIPPED_AFTER_MINUTES: u32 = 10;

/// When a job runs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// At its moment.
    Scheduled,
    /// As soon as it is known.
    Now,
}

/// What the household wants of jobs.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Where copies go; `None` for no copies.
    pub backup: Option<backup::Plan>,
}

/// What jobs work on.
#[derive(Clone, Copy)]
pub struct House<'a> {
    /// The store, the clock, memory, the data folder.
    pub engine: &'a Engine,
    /// What the household wants.
    pub wishes: &'a Wishes,
    /// Questions that wait for people.
    pub questions: &'a dyn Questions,
    /// The digest, as it is said to the host.
    pub morning: &'a dyn Morning,
    /// The words of tools that are made.
    pub i18n: &'a I18n,
}

/// What is new, said to the host in the morning; how it is said is `runtime`'s.
pub trait Morning: Sync {
    /// Says it; in how many messages.
    fn tell(&self) -> BoxFuture<'_, Result<usize, StoreError>>;

    /// Says one thing that is no part of the digest, such as a warning; whether there is somebody to say it to.
    fn warn(&self, line: Message) -> BoxFuture<'_, Result<bool, StoreError>>;
}

/// Questions people were asked; what is said when one is over is `runtime`'s.
pub trait Questions: Sync {
    /// Ends those whose time is over; how many.
    fn expire(&self) -> BoxFuture<'_, Result<usize, StoreError>>;
}

/// How a job went.
#[derive(Clone, Debug)]
pub struct Done {
    /// In one line.
    pub line: Message,
    /// Whether it did anything worth a line in the log.
    pub is_quiet: bool,
    /// When a job without a schedule is due again.
    pub again_ms: Option<i64>,
}

impl Done {
    /// It did so many of something; nothing of it is nothing to tell.
    fn counted(key: &str, count: usize) -> Self {
        Self {
            line: Message::new(key).with("count", count),
            is_quiet: count == 0,
            again_ms: None,
        }
    }

    /// Done, or quiet.
    pub fn state(&self) -> RunState {
        if self.is_quiet { RunState::Quiet } else { RunState::Done }
    }
}

/// Why a job failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// In one line.
    pub line: Message,
}

impl Failed {
    /// A sentence with what the system said.
    fn because(key: &str, error: &dyn std::error::Error) -> Self {
        tracing::error!(%error, key, "a job failed");
        Self {
            line: Message::new(key).with("reason", error.to_string()),
        }
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::because("job-store-failed", &error)
    }
}

impl From<PromoterError> for Failed {
    fn from(error: PromoterError) -> Self {
        Self::because("job-promoter-failed", &error)
    }
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Self {
        Self::because("job-disk-failed", &error)
    }
}

/// The job of an entry.
pub fn of_task(task: &Task) -> Option<&'static Job> {
    ALL.iter().find(|job| job.task() == task.id)
}

/// Keeps an entry for every job that is wanted: what is there keeps its counts, what is not known or wanted any more
/// goes.
pub async fn install(store: &Store, clock: &Clock, zone: &str, wishes: &Wishes) -> Result<(), StoreError> {
    let now_ms = clock.now_ms();
    let hosts = store
        .host()
        .await?
        .map_or_else(|| zone.to_owned(), |host| host.timezone);
    let wanted: Vec<&Job> = ALL.iter().filter(|job| (job.is_wanted)(wishes)).collect();
    let known = store.job_tasks().await?;
    let is_wanted = |id: &TaskId| wanted.iter().any(|job| job.task() == *id);
    let gone = known.iter().map(|task| task.id.clone()).filter(|id| !is_wanted(id));
    let mut entries = Vec::new();
    for job in &wanted {
        let Ok(trigger) = Trigger::parse(job.schedule) else {
            tracing::error!(job = job.name, "this job has a schedule that cannot be read");
            continue;
        };
        // What is said in the morning is said in the morning of whom it is said to.
        let zone = if job.name == DIGEST_JOB { hosts.as_str() } else { zone };
        let entry = match known.iter().find(|task| task.id == job.task()) {
            Some(entry) => renewed(entry, job, &trigger, zone, now_ms),
            None => new_entry(job, &trigger, zone, now_ms),
        };
        entries.push(entry);
    }
    entries.retain(|entry| !known.contains(entry));
    store.jobs_put(entries, gone.collect(), now_ms).await
}

fn new_entry(job: &Job, trigger: &Trigger, zone: &str, now_ms: i64) -> Task {
    let mut entry = Task::new(job.task(), TaskKind::Job, trigger.clone(), zone, None, now_ms);
    job.name.clone_into(&mut entry.name);
    entry.grace_minutes = job.missed.grace_minutes();
    entry.due_ms = match job.first {
        First::Now => Some(now_ms),
        First::Scheduled => entry.slot_after(now_ms, now_ms).map(|slot| slot.at_ms),
    };
    entry
}

/// An entry as this version of its job wants it.
fn renewed(entry: &Task, job: &Job, trigger: &Trigger, zone: &str, now_ms: i64) -> Task {
    let mut renewed = entry.clone();
    renewed.grace_minutes = job.missed.grace_minutes();
    if entry.trigger != *trigger || entry.zone != zone {
        renewed.trigger = trigger.clone();
        zone.clone_into(&mut renewed.zone);
        if entry.state == TaskState::Active {
            renewed.due_ms = renewed.slot_after(now_ms, now_ms).map(|slot| slot.at_ms);
        }
    }
    renewed
}
