//! What the host decides about a proposal, by a command or a button. A word said twice is said once.

use super::{Promoter, PromoterError, Told, cluster_of, stay};
use crate::{
    domain::{
        item::Item,
        message::Message,
        proposal::{ProposalKind, ProposalState},
    },
    store::proposals::Step,
};

impl Promoter<'_> {
    /// The host says that it is good; under another name, if they give one.
    pub async fn approve(&self, id: i64, named: Option<&str>) -> Result<Told, PromoterError> {
        self.mend().await?;
        let Some(row) = self.store.proposal(id).await? else {
            return Ok(Message::new("proposal-gone"));
        };
        match row.state {
            // Said twice is said once: only *keep* ends the watch.
            ProposalState::Grace => {
                return Ok(Message::new("proposal-watched")
                    .with("name", row.name.as_str())
                    .with("item", Item::Proposal(row.id).to_string()));
            }
            ProposalState::Final => return Ok(Message::new("proposal-settled").with("name", row.name)),
            ProposalState::Candidate
            | ProposalState::Review
            | ProposalState::Stopped
            | ProposalState::RolledBack
            | ProposalState::Archived => {}
        }
        if row.kind == ProposalKind::Specialize {
            return self.adopt_at_a_word(&row).await;
        }
        let Some(cluster) = cluster_of(&row).filter(|_| row.kind == ProposalKind::Promotion) else {
            return Ok(Message::new("proposal-only-told"));
        };
        let (draft, verdict) = match self.considered(&cluster, named).await? {
            Ok(considered) => considered,
            Err(stop) => {
                self.stop(&row, &stop).await?;
                return Ok(Message::new("proposal-stopped").with("why", Message::new(stop.why)));
            }
        };
        if !verdict.killers.is_empty() {
            if row.state.may_become(ProposalState::Archived) {
                let next = Step {
                    reason: "proposal-judged-bad".to_owned(),
                    ..self.step(&row, ProposalState::Archived, &draft, &verdict)
                };
                self.store.advance(next, self.clock.now_ms()).await?;
            }
            return Ok(Message::new("proposal-killed").with("killers", format!("{:?}", verdict.killers)));
        }
        Ok(if self.make(&row, &cluster, &draft, &verdict, 1).await? {
            Message::new("proposal-made")
                .with("name", draft.manifest.name.as_str())
                .with("hours", f64::from(self.promoter.grace_hours))
        } else {
            Message::new("proposal-gone")
        })
    }

    /// Whether there is a tool of it.
    pub async fn is_made(&self, id: i64) -> Result<bool, PromoterError> {
        let row = self.store.proposal(id).await?;
        Ok(row.is_some_and(|row| row.state.is_installed()))
    }

    /// The host says that a tool stays: it is watched no more.
    pub async fn keep(&self, id: i64) -> Result<Told, PromoterError> {
        self.mend().await?;
        match self.store.proposal(id).await? {
            Some(row) if row.state == ProposalState::Grace => self.settle(&row).await,
            Some(row) if row.state == ProposalState::Final => {
                Ok(Message::new("proposal-settled").with("name", row.name))
            }
            Some(row) if row.state.is_open() => self.approve(id, None).await,
            Some(_) | None => Ok(Message::new("proposal-gone")),
        }
    }

    /// The host says no: what waits is put away, what was made is taken back.
    pub async fn reject(&self, id: i64) -> Result<Told, PromoterError> {
        self.mend().await?;
        let Some(row) = self.store.proposal(id).await? else {
            return Ok(Message::new("proposal-gone"));
        };
        if row.state.is_installed() {
            return Ok(match self.roll_back(&row, "proposal-refused").await? {
                Some(back) => Message::new("proposal-rolled-back")
                    .with("name", row.name)
                    .with("requests", back),
                None => Message::new("proposal-not-ours").with("name", row.name),
            });
        }
        if !row.state.is_open() {
            return Ok(Message::new("proposal-refused-before"));
        }
        let next = Step {
            to: ProposalState::Archived,
            reason: "proposal-refused".to_owned(),
            ..stay(&row)
        };
        self.store.advance(next, self.clock.now_ms()).await?;
        Ok(Message::new("proposal-put-away"))
    }
}
