//! What people answered to plans that were shown before they ran because they were not certain. Read by dispatch before
//! such a plan is offered again, written at the end of a turn and when a card is refused.

use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Store, StoreError, from_json, to_json};
use crate::domain::{
    feedback::Feedback,
    hex::hex,
    ids::{ActorId, CanonicalHash},
};

/// A plan that was offered for a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The canonical request.
    pub request: CanonicalHash,
    /// SHA-256 of the plan's JSON.
    pub plan: String,
}

impl Offer {
    /// This plan, for this request.
    pub fn new(request: CanonicalHash, plan: &Value) -> Self {
        Self {
            request,
            plan: hex(&Sha256::digest(plan.to_string().as_bytes())),
        }
    }
}

impl Store {
    /// Whether a person said yes to this very plan for these very words, on its card or with ✓ under its answer.
    pub async fn was_accepted(&self, actor: &ActorId, offer: &Offer, plan: &Value) -> Result<bool, StoreError> {
        let (actor, offer, plan) = (actor.clone(), offer.clone(), plan.clone());
        self.read("was accepted", move |connection| {
            connection
                .prepare_cached(
                    "SELECT 1 FROM offers WHERE actor = ?1 AND canonical_hash = ?2 AND plan = ?3 AND accepted
                     UNION ALL
                     SELECT 1 FROM observations o JOIN turns t ON t.id = o.turn
                      WHERE o.actor = ?1 AND t.canonical_hash = ?2 AND o.plan = ?4 AND o.verdict = ?5",
                )?
                .exists(params![
                    actor.as_str(),
                    offer.request.as_str(),
                    offer.plan,
                    to_json(&plan)?,
                    Feedback::Confirm.as_str()
                ])
        })
        .await
    }

    /// Whether a person said no to it.
    pub async fn was_declined(&self, actor: &ActorId, offer: &Offer) -> Result<bool, StoreError> {
        let (actor, offer) = (actor.clone(), offer.clone());
        self.read("was declined", move |connection| {
            connection
                .prepare_cached(
                    "SELECT 1 FROM offers WHERE actor = ?1 AND canonical_hash = ?2 AND plan = ?3 AND NOT accepted",
                )?
                .exists(params![actor.as_str(), offer.request.as_str(), offer.plan])
        })
        .await
    }

    /// Requests of a person with the plan that they said was right, the newest first.
    pub async fn recent_plans(&self, actor: &ActorId, limit: usize) -> Result<Vec<(String, Value)>, StoreError> {
        let actor = actor.clone();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read("recent plans", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT request, plan FROM (
                    SELECT t.request AS request, o.plan AS plan, t.ended_at AS at
                      FROM observations o JOIN turns t ON t.id = o.turn WHERE o.actor = ?1 AND o.verdict = ?2
                    UNION ALL
                    SELECT f.canonical_text, f.plan, s.answered_at
                      FROM fastpaths f JOIN offers s ON s.actor = f.actor AND s.canonical_hash = f.canonical_hash
                     WHERE f.actor = ?1 AND s.accepted)
                 ORDER BY at DESC LIMIT ?3",
            )?;
            let rows = statement.query_map(params![actor.as_str(), Feedback::Confirm.as_str(), limit], |row| {
                let plan: String = row.get(1)?;
                Ok((row.get(0)?, from_json(&plan)?))
            })?;
            rows.collect()
        })
        .await
    }

    /// Keeps a no.
    pub async fn decline_offer(&self, actor: &ActorId, offer: &Offer, now_ms: i64) -> Result<(), StoreError> {
        let (actor, offer) = (actor.clone(), offer.clone());
        self.write("decline offer", move |tx| keep(tx, &actor, &offer, false, now_ms))
            .await
    }
}

/// Keeps an answer; the last one counts.
pub(super) fn keep(
    tx: &Transaction<'_>,
    actor: &ActorId,
    offer: &Offer,
    accepted: bool,
    now_ms: i64,
) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO offers (actor, canonical_hash, plan, accepted, answered_at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (actor, canonical_hash, plan) DO UPDATE SET accepted = ?4, answered_at = ?5",
    )?
    .execute(params![
        actor.as_str(),
        offer.request.as_str(),
        offer.plan,
        accepted,
        now_ms
    ])
    .map(drop)
}
