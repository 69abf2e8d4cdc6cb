//! L1: plans that worked for a kind of request, confirmed by the person. Looked up after the intent is known.
//!
//! Path 1 is the champion of the cluster the request falls into; path 2 a champion of the same intent, if its
//! cluster is not too far. It never calls a language model, and never serves a plan whose literals came
//! from another request.

use std::sync::Arc;

use crate::{
    config::MemoryConfig,
    domain::{
        ids::{ActorId, ClusterId, IntentHash, PlanHash},
        limits::CLUSTER_OBSERVATIONS,
    },
    llm::embed::{Thresholds, cosine},
    store::{
        Store, StoreError,
        autopaths::{AutopathRow, ClusterVector, Decide},
    },
};

pub mod contest;

/// The rules of the contest, ready to be used inside a transaction.
pub fn decider(memory: &MemoryConfig) -> Arc<Decide> {
    let rules = contest::Rules {
        promote_at: memory.autopath_min_obs,
        ban_s: memory.ban_s,
        retry_ban_s: memory.retry_ban_s,
    };
    Arc::new(move |standings, subject, feedback| contest::decide(&rules, standings, subject, feedback))
}

/// A request as L1 looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Whose memory.
    pub actor: &'a ActorId,
    /// What is asked.
    pub intent: &'a IntentHash,
    /// Unit length.
    pub vector: &'a [f32],
    /// Who made it.
    pub embedder: &'a str,
    /// Of that embedder.
    pub thresholds: &'a Thresholds,
    /// Plans that must not be served.
    pub excluded: &'a [PlanHash],
    /// Milliseconds since 1970.
    pub now_ms: i64,
}

/// The champion to serve for a request, if there is one close enough.
pub async fn lookup(store: &Store, request: &Request<'_>) -> Result<Option<AutopathRow>, StoreError> {
    let champions = store
        .autopath_champions(request.actor, request.intent, request.now_ms)
        .await?;
    if champions.is_empty() {
        return Ok(None);
    }
    let recent = store
        .recent_vectors(request.actor, request.embedder, CLUSTER_OBSERVATIONS)
        .await?;
    let cluster = cluster_among(&recent, request.vector, request.thresholds);
    let allowed = || {
        champions
            .iter()
            .filter(|row| !request.excluded.contains(&row.plan_hash))
    };
    let champion = allowed()
        .find(|row| Some(&row.cluster) == cluster.as_ref())
        .or_else(|| allowed().find(|row| closeness(&recent, &row.cluster, request.vector) >= request.thresholds.floor));
    Ok(champion.cloned())
}

fn cluster_among(recent: &[ClusterVector], vector: &[f32], thresholds: &Thresholds) -> Option<ClusterId> {
    nearest(recent, vector)
        .filter(|(_, similarity)| *similarity >= thresholds.cluster)
        .map(|(nearest, _)| nearest.cluster.clone())
}

/// The cluster of a request alone, for a plan that is about to be observed.
pub async fn cluster_of(
    store: &Store,
    actor: &ActorId,
    vector: &[f32],
    embedder: &str,
    thresholds: &Thresholds,
) -> Result<Option<ClusterId>, StoreError> {
    let recent = store.recent_vectors(actor, embedder, CLUSTER_OBSERVATIONS).await?;
    Ok(cluster_among(&recent, vector, thresholds))
}

fn nearest<'a>(recent: &'a [ClusterVector], vector: &[f32]) -> Option<(&'a ClusterVector, f32)> {
    recent
        .iter()
        .map(|other| (other, cosine(&other.vector, vector)))
        .max_by(|one, other| one.1.total_cmp(&other.1))
}

fn closeness(recent: &[ClusterVector], cluster: &ClusterId, vector: &[f32]) -> f32 {
    recent
        .iter()
        .filter(|other| other.cluster == *cluster)
        .map(|other| cosine(&other.vector, vector))
        .fold(f32::MIN, f32::max)
}
