//! Habits: an argument that is nearly always the same is told to the model from now on, and taken back at a word, as a
//! tool is. There is nothing to put into the catalog.

use serde_json::Value;

use super::{HOUR_MS, Promoter, PromoterError, Told, stay};
use crate::{
    domain::{message::Message, proposal::ProposalState},
    nights::proposals,
    store::proposals::{ProposalRow, Step},
};

impl Promoter<'_> {
    /// The model is told of a habit from now on; `false` when somebody decided on it meanwhile.
    pub(crate) async fn adopt(&self, row: &ProposalRow) -> Result<bool, PromoterError> {
        let now_ms = self.clock.now_ms();
        let grace_ms = i64::from(self.promoter.grace_hours).saturating_mul(HOUR_MS);
        let part = |key: &str| row.payload.get(key).and_then(Value::as_str).unwrap_or_default();
        let next = Step {
            to: ProposalState::Grace,
            name: format!("{} {}", part("tool"), part("arg")),
            reason: String::new(),
            grace_until_ms: Some(now_ms.saturating_add(grace_ms)),
            ..stay(row)
        };
        Ok(self.store.advance(next, now_ms).await?)
    }

    pub(super) async fn adopt_at_a_word(&self, row: &ProposalRow) -> Result<Told, PromoterError> {
        Ok(if self.adopt(row).await? {
            Message::new("proposal-adopted").with("what", proposals::what(row))
        } else {
            Message::new("proposal-gone")
        })
    }
}
