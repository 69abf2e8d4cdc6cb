//! Candidates are judged, what is new is watched, and what fails is taken back.

use super::{Done, Failed, House, Job};
use crate::{
    domain::message::Message,
    nights::promoter::{Night, Promoter},
};

pub(super) const JOB: Job = Job::new("proposal_evaluator", "daily@04:45", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let night = Promoter::of(house.engine, house.i18n).night().await?;
    let line = Message::new("job-promoter")
        .with("judged", f64::from(night.judged))
        .with("made", f64::from(night.made))
        .with("waiting", f64::from(night.to_review))
        .with("away", f64::from(night.archived))
        .with("back", f64::from(night.rolled_back));
    Ok(Done {
        line,
        is_quiet: night == Night::default(),
        again_ms: None,
    })
}
