//! Carries promotion out: notes candidates, judges them, makes tools of those that may become one, watches them for a
//! while and takes back what fails. Called by its jobs, by the host's commands and by the command line.
//!
//! The row of a proposal is the truth, and the folder in the catalog follows it: whatever a process died in, `mend`
//! puts the folder right at the next call.

use std::path::Path;

use serde_json::{Value, json};

mod considering;
mod deciding;
mod habits;
pub mod idle;
mod restoring;

use crate::{
    catalog::{CatalogError, CatalogHandle, composite, install},
    clock::Clock,
    config::{PromoterConfig, PromotionConfig},
    domain::{
        actor::Role,
        ids::{CanonicalHash, ExecutorName},
        limits::PROPOSAL_WAITS,
        manifest::Kind,
        message::Message,
        proposal::{ProposalKind, ProposalState},
    },
    engine::Engine,
    i18n::I18n,
    language::Language,
    nights::promotion::{
        cluster::{self, Cluster},
        draft::{self, Draft, Stopped},
        evaluator::{Ruling, Verdict},
    },
    store::{
        Store, StoreError,
        proposals::{Found, ProposalRow, Step},
    },
};

const HOUR_MS: i64 = 3_600 * 1_000;
/// Why a tool went that failed while it was watched.
pub const FAILED_IN_GRACE: &str = "proposal-failed-in-grace";

/// What the promoter works with.
pub struct Promoter<'a> {
    /// The database.
    pub store: &'a Store,
    /// The time.
    pub clock: &'a Clock,
    /// Executors.
    pub catalog: &'a CatalogHandle,
    /// Where the catalog lies.
    pub data_dir: &'a Path,
    /// Reads requests.
    pub language: &'a Language,
    /// Words for descriptions.
    pub i18n: &'a I18n,
    /// What becomes a candidate.
    pub promotion: PromotionConfig,
    /// What becomes of candidates.
    pub promoter: PromoterConfig,
}

/// Why it could not be done.
#[derive(Debug, thiserror::Error)]
pub enum PromoterError {
    /// The database.
    #[error("the proposals cannot be kept")]
    Store(#[from] StoreError),
    /// The catalog.
    #[error("the catalog cannot be changed")]
    Catalog(#[from] CatalogError),
}

/// What a night did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Night {
    /// Judged.
    pub judged: u32,
    /// Tools that were made.
    pub made: u32,
    /// That wait for the host.
    pub to_review: u32,
    /// Judged bad.
    pub archived: u32,
    /// Watched long enough.
    pub settled: u32,
    /// Taken back.
    pub rolled_back: u32,
}

/// What a decision came to, as a sentence for the person who made it.
pub type Told = Message;

impl<'a> Promoter<'a> {
    /// The promoter of a running household.
    pub fn of(engine: &'a Engine, i18n: &'a I18n) -> Self {
        Self {
            store: &engine.store,
            clock: &engine.clock,
            catalog: &engine.catalog,
            data_dir: &engine.data_dir,
            language: &engine.language,
            i18n,
            promotion: engine.promotion,
            promoter: engine.promoter,
        }
    }
}

impl Promoter<'_> {
    /// Notes tonight's candidates; how many are new.
    pub async fn propose(&self) -> Result<usize, PromoterError> {
        let rows = self.store.aging_rows().await?;
        let catalog = self.catalog.current();
        let is_plain = |name: &ExecutorName| {
            let manifest = catalog.get(name);
            manifest.is_some_and(|manifest| !matches!(manifest.kind, Kind::Composite { .. }))
        };
        let now_ms = self.clock.now_ms();
        let families = cluster::families(&rows, &self.promotion, &is_plain, now_ms);
        tracing::info!(candidates = families.candidates.len(), left_out = ?families.left_out, "families of plans");
        let found = families.candidates.into_iter().map(|cluster| Found {
            actor: cluster.actor.clone(),
            kind: ProposalKind::Promotion,
            key: cluster.key.clone(),
            payload: json!({ "cluster": cluster }),
        });
        let found = found.collect();
        Ok(self.store.propose(found, self.promotion.max_per_night, now_ms).await?)
    }

    /// Watches what is new, and judges what waits, so many a night.
    pub async fn night(&self) -> Result<Night, PromoterError> {
        let mut night = Night::default();
        self.mend().await?;
        self.watch(&mut night).await?;
        for row in self.to_judge().await?.into_iter().take(self.promoter.max_per_night) {
            night.judged += 1;
            self.judge(&row, &mut night).await?;
        }
        Ok(night)
    }

    /// What nobody judged yet, and what waits for a word but may by now become a tool without one.
    async fn to_judge(&self) -> Result<Vec<ProposalRow>, PromoterError> {
        let waiting = [ProposalState::Candidate, ProposalState::Review];
        let mut rows = Vec::new();
        for row in self.store.proposals(&waiting).await? {
            let is_new = row.state == ProposalState::Candidate;
            if row.kind == ProposalKind::Promotion && (is_new || self.may_go_alone(&row).await?) {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    async fn may_go_alone(&self, row: &ProposalRow) -> Result<bool, PromoterError> {
        let Some(cluster) = cluster_of(row) else {
            return Ok(false);
        };
        let is_hosts = self.is_hosts(row).await?;
        Ok(cluster::may_go_alone(&cluster, &self.promotion, is_hosts, row.nights))
    }

    async fn judge(&self, row: &ProposalRow, night: &mut Night) -> Result<(), PromoterError> {
        let Some(cluster) = cluster_of(row) else {
            return Ok(());
        };
        let (draft, verdict) = match self.considered(&cluster, None).await? {
            Ok(considered) => considered,
            Err(stop) => {
                night.to_review += 1;
                self.stop(row, &stop).await?;
                return Ok(());
            }
        };
        if self.promoter.dry_run {
            tracing::info!(proposal = row.id, ruling = ?verdict.ruling, score = verdict.score, "judged, nothing made");
            let same = Step {
                name: draft.manifest.name.to_string(),
                verdict: json!(verdict),
                ..stay(row)
            };
            self.store.advance(same, self.clock.now_ms()).await?;
            return Ok(());
        }
        let alone = self.may_go_alone(row).await?;
        match verdict.ruling {
            Ruling::Accept if alone => {
                night.made += 1;
                self.make(row, &cluster, &draft, &verdict, 2).await?;
            }
            // It waits already.
            Ruling::Accept | Ruling::Grey if row.state == ProposalState::Review => {}
            Ruling::Accept | Ruling::Grey => {
                night.to_review += 1;
                let next = self.step(row, ProposalState::Review, &draft, &verdict);
                self.store.advance(next, self.clock.now_ms()).await?;
            }
            Ruling::Reject => {
                night.archived += 1;
                let next = Step {
                    reason: "proposal-judged-bad".to_owned(),
                    ..self.step(row, ProposalState::Archived, &draft, &verdict)
                };
                self.store.advance(next, self.clock.now_ms()).await?;
            }
        }
        Ok(())
    }

    /// What nobody answered for long is put away; how much.
    pub async fn clean_up(&self) -> Result<usize, PromoterError> {
        let now_ms = self.clock.now_ms();
        let open = [ProposalState::Candidate, ProposalState::Review, ProposalState::Stopped];
        let kept_ms = i64::try_from(PROPOSAL_WAITS.as_millis()).unwrap_or(i64::MAX);
        let mut away = 0;
        for row in self.store.proposals(&open).await? {
            if now_ms.saturating_sub(row.changed_ms) > kept_ms {
                let next = Step {
                    to: ProposalState::Archived,
                    reason: "proposal-unanswered".to_owned(),
                    ..stay(&row)
                };
                away += usize::from(self.store.advance(next, now_ms).await?);
            }
        }
        Ok(away)
    }

    /// What is watched is watched no more, and stays.
    async fn settle(&self, row: &ProposalRow) -> Result<Told, PromoterError> {
        let next = Step {
            to: ProposalState::Final,
            grace_until_ms: None,
            ..stay(row)
        };
        self.store.advance(next, self.clock.now_ms()).await?;
        Ok(Message::new("proposal-settled").with("name", row.name.as_str()))
    }

    /// Takes a tool back: its folder is gone, and its requests are answered by its steps, as they were before. How many
    /// of them are remembered again; `None` where what lies there is not what was made.
    async fn roll_back(&self, row: &ProposalRow, why: &str) -> Result<Option<usize>, PromoterError> {
        let with_it = self.catalog.current();
        let next = Step {
            to: ProposalState::RolledBack,
            reason: why.to_owned(),
            grace_until_ms: None,
            ..stay(row)
        };
        if !self.store.advance(next, self.clock.now_ms()).await? {
            return Ok(None);
        }
        if row.kind != ProposalKind::Promotion {
            return Ok(Some(0));
        }
        let is_gone = install::remove(self.data_dir, &ExecutorName::from(row.name.as_str()), text_of(row))?;
        self.catalog.reload()?;
        if !is_gone {
            tracing::warn!(
                tool = row.name,
                why,
                "a tool was taken back, and its folder is somebody else's"
            );
            return Ok(None);
        }
        let back = self.restore(row, &with_it).await?;
        tracing::warn!(tool = row.name, why, back, "a tool was taken back");
        Ok(Some(back))
    }

    /// What failed too often while it was watched goes; what was watched long enough stays.
    async fn watch(&self, night: &mut Night) -> Result<(), PromoterError> {
        for row in self.store.proposals(&[ProposalState::Grace]).await? {
            let failures = self.store.failures_of(&ExecutorName::from(row.name.as_str())).await?;
            let before = row.payload.get("failures_before").and_then(Value::as_u64).unwrap_or(0);
            let is_bad = u64::from(failures).saturating_sub(before) >= u64::from(self.promoter.rollback_fails);
            if is_bad && self.promoter.kill_switch && !self.promoter.dry_run {
                night.rolled_back += 1;
                self.roll_back(&row, FAILED_IN_GRACE).await?;
            } else if is_bad && row.reason == FAILED_IN_GRACE {
                // It was told.
            } else if is_bad {
                let told = Step {
                    reason: FAILED_IN_GRACE.to_owned(),
                    ..stay(&row)
                };
                self.store.advance(told, self.clock.now_ms()).await?;
            } else if row.grace_until_ms.is_some_and(|until| until <= self.clock.now_ms()) {
                night.settled += 1;
                self.settle(&row).await?;
            }
        }
        Ok(())
    }

    /// Makes the tool: first the row, then the folder.
    async fn make(
        &self,
        row: &ProposalRow,
        cluster: &Cluster,
        draft: &Draft,
        verdict: &Verdict,
        tier: u8,
    ) -> Result<bool, PromoterError> {
        let text = match composite::written(&draft.manifest) {
            Ok(text) => text,
            Err(error) => {
                tracing::warn!(%error, "a drafted manifest breaks a rule");
                let stop = Stopped {
                    at: draft::Stage::Plan,
                    why: "draft-lint",
                };
                self.stop(row, &stop).await?;
                return Ok(false);
            }
        };
        let now_ms = self.clock.now_ms();
        let name = &draft.manifest.name;
        let mut payload = row.payload.clone();
        if let Some(payload) = payload.as_object_mut() {
            payload.insert("manifest".to_owned(), json!(text));
            payload.insert("tests".to_owned(), json!(draft.tests));
            payload.insert("made_ms".to_owned(), json!(now_ms));
            payload.insert("failures_before".to_owned(), json!(self.store.failures_of(name).await?));
        }
        let grace_ms = i64::from(self.promoter.grace_hours).saturating_mul(HOUR_MS);
        let hashes = cluster
            .members
            .iter()
            .map(|member| CanonicalHash::from(member.hash.as_str()));
        let next = Step {
            payload,
            grace_until_ms: Some(now_ms.saturating_add(grace_ms)),
            promoted: hashes.collect(),
            tier,
            ..self.step(row, ProposalState::Grace, draft, verdict)
        };
        if !self.store.advance(next, now_ms).await? {
            return Ok(false);
        }
        install::put(self.data_dir, name, &text)?;
        self.catalog.reload()?;
        tracing::info!(tool = %name, tier, "a tool was made of what is asked again and again");
        Ok(true)
    }

    /// Puts the catalog right where a process died between the row and the folder.
    pub async fn mend(&self) -> Result<(), PromoterError> {
        let mut is_changed = false;
        for row in self.store.proposals(&[]).await? {
            let (name, text) = (ExecutorName::from(row.name.as_str()), text_of(&row));
            if text.is_empty() {
                continue;
            }
            if row.state.is_installed() {
                is_changed |= install::put(self.data_dir, &name, text)? == install::Put::New;
            } else if self.catalog.current().get(&name).is_some() && !self.is_of_another(&row).await? {
                is_changed |= install::remove(self.data_dir, &name, text)?;
            }
        }
        if is_changed {
            self.catalog.reload()?;
        }
        Ok(())
    }

    /// Another proposal made a tool of the same name meanwhile.
    async fn is_of_another(&self, row: &ProposalRow) -> Result<bool, PromoterError> {
        let installed = [ProposalState::Grace, ProposalState::Final];
        let others = self.store.proposals(&installed).await?;
        Ok(others.iter().any(|other| other.name == row.name && other.id != row.id))
    }

    async fn stop(&self, row: &ProposalRow, stop: &Stopped) -> Result<(), PromoterError> {
        let next = Step {
            to: ProposalState::Stopped,
            stage: stop.at.as_str().to_owned(),
            reason: stop.why.to_owned(),
            ..stay(row)
        };
        if row.state.may_become(ProposalState::Stopped) && row.state != ProposalState::Stopped {
            self.store.advance(next, self.clock.now_ms()).await?;
        }
        Ok(())
    }

    fn step(&self, row: &ProposalRow, to: ProposalState, draft: &Draft, verdict: &Verdict) -> Step {
        Step {
            to,
            name: draft.manifest.name.to_string(),
            stage: draft::Stage::Plan.as_str().to_owned(),
            reason: String::new(),
            verdict: json!(verdict),
            ..stay(row)
        }
    }

    async fn is_hosts(&self, row: &ProposalRow) -> Result<bool, PromoterError> {
        let people = self.store.people().await?;
        let owner = people.iter().find(|person| person.actor.id == row.actor);
        Ok(owner.is_some_and(|person| person.actor.role == Role::Host))
    }
}

/// A step that changes nothing.
fn stay(row: &ProposalRow) -> Step {
    Step {
        id: row.id,
        from: row.state,
        to: row.state,
        name: row.name.clone(),
        stage: row.stage.clone(),
        reason: row.reason.clone(),
        payload: row.payload.clone(),
        verdict: row.verdict.clone(),
        grace_until_ms: row.grace_until_ms,
        promoted: Vec::new(),
        tier: 1,
    }
}

/// The family a proposal grew out of.
pub fn cluster_of(row: &ProposalRow) -> Option<Cluster> {
    let cluster = row.payload.get("cluster")?;
    match serde_json::from_value(cluster.clone()) {
        Ok(cluster) => Some(cluster),
        Err(error) => {
            tracing::error!(proposal = row.id, %error, "a proposal cannot be read");
            None
        }
    }
}

fn text_of(row: &ProposalRow) -> &str {
    row.payload.get("manifest").and_then(Value::as_str).unwrap_or_default()
}
