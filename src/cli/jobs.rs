//! `metnos jobs …`: what the house does by itself, when it runs next, how it went, and one of them now. Works beside a
//! running service, which then does the work itself; otherwise it is done here.

use std::{process::ExitCode, time::Duration};

use anyhow::{Context as _, bail};
use clap::Subcommand;
use jiff::{Timestamp, tz::TimeZone};
use tokio::time::{Instant, sleep};

use super::print;
use crate::{
    app::{self, App, DATABASE, LOCK},
    clock::Clock,
    config::{Config, env::Environment},
    domain::{
        lang::Lang,
        limits::{JOB_WATCHED_FOR, JOBS_SHOWN_MAX},
        message::Message,
        task::{Run, RunState, Task, TaskState, job_id},
    },
    i18n::I18n,
    jobs, kick,
    store::{Store, tasks::runs::RunsOf},
};

/// How often it is looked whether a job has ended.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What can be asked about jobs.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    List,
    Run { job: String },
    History { job: Option<String> },
}

/// What a command speaks with.
struct Desk {
    store: Store,
    i18n: I18n,
    lang: Lang,
    zone: TimeZone,
}

pub(super) async fn run(config: &Config, environment: &Environment, command: Command) -> anyhow::Result<ExitCode> {
    app::make_private_dir(&config.data_dir)?;
    let desk = Desk {
        store: Store::open(&config.data_dir.join(DATABASE)).context(Message::new("start-database"))?,
        i18n: I18n::of_household(&config.data_dir)?,
        lang: config.lang,
        zone: TimeZone::get(&config.timezone).unwrap_or(TimeZone::UTC),
    };
    match command {
        Command::List => desk.list(config, environment).await,
        Command::History { job } => desk.history(job.as_deref()).await,
        Command::Run { job } => run_now(config, environment, &desk, &job).await,
    }
}

impl Desk {
    async fn list(&self, config: &Config, environment: &Environment) -> anyhow::Result<ExitCode> {
        let mut jobs = self.store.job_tasks().await?;
        if jobs.is_empty() {
            // Nothing ran yet: they are what a first start would install.
            let wishes = app::wishes(config, environment);
            jobs::install(&self.store, &Clock::system(), &config.timezone, &wishes).await?;
            jobs = self.store.job_tasks().await?;
        }
        for job in jobs {
            let last = self.store.runs(RunsOf::Task(job.id.clone()), 0, 1).await?;
            let line = Message::new("jobs-line")
                .with("name", job.name.as_str())
                .with("schedule", job.trigger.to_string())
                .with("next", self.next_of(&job))
                .with(
                    "last",
                    last.first()
                        .map_or_else(|| Message::new("jobs-never"), |run| self.about(run)),
                );
            print(&self.say(&line))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn next_of(&self, job: &Task) -> Message {
        match (job.state, job.due_ms) {
            (TaskState::Stopped, _) => Message::new("jobs-stopped"),
            (_, Some(due_ms)) => Message::new("jobs-next").with("time", self.time(due_ms)),
            (_, None) => Message::new("jobs-no-next"),
        }
    }

    /// When a run began, how it went, and its line.
    fn about(&self, run: &Run) -> Message {
        let key = if run.outcome.is_some() {
            "jobs-run-said"
        } else {
            "jobs-run"
        };
        let line = run.outcome.clone().map_or_else(String::new, |line| self.say(&line));
        Message::new(key)
            .with("time", self.time(run.started_ms))
            .with("state", Message::new(word_of(run.state)))
            .with("line", line)
    }

    async fn history(&self, job: Option<&str>) -> anyhow::Result<ExitCode> {
        let of = match job {
            Some(name) => RunsOf::Task(self.named(name).await?.id),
            None => RunsOf::House,
        };
        let runs = self.store.runs(of, 0, JOBS_SHOWN_MAX).await?;
        if runs.is_empty() {
            print(&self.say(&Message::new("jobs-no-history")))?;
        }
        for run in runs.iter().rev() {
            let line = Message::new("jobs-past")
                .with("name", run.name.as_str())
                .with("run", self.about(run));
            print(&self.say(&line))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn named(&self, name: &str) -> anyhow::Result<Task> {
        match self.store.task(&job_id(name)).await? {
            Some(job) => Ok(job),
            None => bail!(Message::new("jobs-unknown").with("name", name)),
        }
    }

    fn time(&self, ms: i64) -> String {
        let at = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH);
        at.to_zoned(self.zone.clone()).strftime("%F %H:%M").to_string()
    }

    fn say(&self, message: &Message) -> String {
        self.i18n.say(self.lang, message)
    }
}

fn word_of(state: RunState) -> &'static str {
    match state {
        RunState::Running => "jobs-running",
        RunState::Done => "jobs-done",
        RunState::Quiet => "jobs-quiet",
        RunState::Failed => "jobs-failed",
        RunState::TimedOut => "jobs-timed-out",
        RunState::CutOff => "jobs-cut-off",
        RunState::Missed => "jobs-missed",
        RunState::Skipped => "jobs-skipped",
    }
}

/// The process that runs does it; when none runs, this one does, with everything a job may need.
async fn run_now(config: &Config, environment: &Environment, desk: &Desk, name: &str) -> anyhow::Result<ExitCode> {
    let clock = Clock::system();
    let here = match app::lock(&config.data_dir).await {
        Ok(lock) => {
            drop(lock);
            let app = App::start(config, environment, clock.clone(), app::own_binary()?).await?;
            app.runtime.jobs_installed().await;
            Some(app)
        }
        Err(_one_runs) => None,
    };
    let done = begin_and_wait(config, desk, name, &clock).await;
    if let Some(app) = here {
        app.stop().await;
    }
    done
}

async fn begin_and_wait(config: &Config, desk: &Desk, name: &str, clock: &Clock) -> anyhow::Result<ExitCode> {
    let job = desk.named(name).await?;
    let asked_ms = clock.now_ms();
    if !desk.store.job_due(&job.id, asked_ms).await? {
        bail!(Message::new("jobs-busy").with("name", name));
    }
    kick::kick(&config.data_dir.join(LOCK), clock.now())?;
    let until = Instant::now() + JOB_WATCHED_FOR;
    while Instant::now() < until {
        let runs = desk.store.runs(RunsOf::Task(job.id.clone()), asked_ms, 1).await?;
        let Some(run) = runs.first().filter(|run| run.state != RunState::Running) else {
            sleep(LOOK_EVERY).await;
            continue;
        };
        print(&desk.say(&desk.about(run)))?;
        return Ok(if run.state.is_failure() {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        });
    }
    bail!(Message::new("jobs-still-running").with("name", name))
}
