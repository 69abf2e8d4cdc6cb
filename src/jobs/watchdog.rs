//! Whether tools of others, or guests, make it worth looking at the sandbox: then the host is told, once for every such
//! household, as it is.

use super::{Done, Failed, House, Job, job_id};
use crate::{
    domain::{message::Message, task::RunState},
    nights::lifecycle,
    store::tasks::runs::RunsOf,
};

const NAME: &str = "skill_sandbox_watchdog";

pub(super) const JOB: Job = Job::new(NAME, "daily@06:35", |house| Box::pin(run(house)));

/// Runs that are looked at: the one at work, and the one before; some may have been cut off.
const RUNS_LOOKED_AT: usize = 10;

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let line = lifecycle::watchdog(house.engine).await?;
    let is_grown = line.key.as_str() == "job-watchdog-told";
    let is_new = is_grown && last_line(&house).await?.as_ref() != Some(&line);
    if is_new {
        let warning = Message {
            key: Message::new("watchdog-warning").key,
            ..line.clone()
        };
        house.morning.warn(warning).await?;
    }
    Ok(Done {
        line,
        is_quiet: !is_new,
        again_ms: None,
    })
}

/// What the job said the last time it came to its end.
async fn last_line(house: &House<'_>) -> Result<Option<Message>, Failed> {
    let runs = house
        .engine
        .store
        .runs(RunsOf::Task(job_id(NAME)), 0, RUNS_LOOKED_AT)
        .await?;
    let ended = runs
        .into_iter()
        .find(|run| matches!(run.state, RunState::Done | RunState::Quiet));
    Ok(ended.and_then(|run| run.outcome))
}
