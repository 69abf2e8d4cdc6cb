//! The ager of executors: a tool that grew here and that nobody uses is told of, and later taken back, so that its
//! requests are answered as before; a use in between revives it. What came with metnos and what a household put into
//! the catalog itself never ages, however long nobody needs it.

use super::{Promoter, PromoterError, stay};
use crate::{
    domain::{
        ids::ExecutorName,
        limits::{EXECUTOR_ARCHIVED_AFTER, EXECUTOR_DEPRECATED_AFTER},
        proposal::{ProposalKind, ProposalState},
    },
    store::proposals::{ProposalRow, Step},
};

/// Why a tool was told of.
pub const IDLE_SOON: &str = "proposal-idle-soon";
/// Why it went.
pub const IDLE: &str = "proposal-idle";

/// What a night did to tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Idle {
    /// Told of.
    pub deprecated: u32,
    /// Taken back.
    pub archived: u32,
    /// Used again since they were told of.
    pub revived: u32,
}

/// How a tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Active,
    Deprecated,
    Archived,
}

/// How a tool stands that nobody used for so long.
fn standing(idle_ms: i64) -> Standing {
    let over = |limit: std::time::Duration| i64::try_from(limit.as_millis()).is_ok_and(|limit| idle_ms > limit);
    if over(EXECUTOR_DEPRECATED_AFTER + EXECUTOR_ARCHIVED_AFTER) {
        Standing::Archived
    } else if over(EXECUTOR_DEPRECATED_AFTER) {
        Standing::Deprecated
    } else {
        Standing::Active
    }
}

impl Promoter<'_> {
    /// One night's work on tools that are made and settled.
    pub async fn age(&self) -> Result<Idle, PromoterError> {
        self.mend().await?;
        let mut idle = Idle::default();
        let settled = self.store.proposals(&[ProposalState::Final]).await?;
        for row in settled.iter().filter(|row| row.kind == ProposalKind::Promotion) {
            let is_told = row.reason == IDLE_SOON;
            match standing(self.idle_ms(row).await?) {
                Standing::Active if is_told => {
                    idle.revived += 1;
                    self.note(row, "").await?;
                }
                Standing::Deprecated if !is_told => {
                    idle.deprecated += 1;
                    self.note(row, IDLE_SOON).await?;
                }
                // Whoever was not told of it keeps it until they were.
                Standing::Archived if !is_told => {
                    idle.deprecated += 1;
                    self.note(row, IDLE_SOON).await?;
                }
                Standing::Archived if self.is_told_long_enough(row) => {
                    idle.archived += u32::from(self.roll_back(row, IDLE).await?.is_some());
                }
                Standing::Active | Standing::Deprecated | Standing::Archived => {}
            }
        }
        Ok(idle)
    }

    /// How long nobody used it; what was made again begins anew.
    async fn idle_ms(&self, row: &ProposalRow) -> Result<i64, PromoterError> {
        let used_ms = self.store.last_used(&ExecutorName::from(row.name.as_str())).await?;
        let made_ms = row.payload.get("made_ms").and_then(serde_json::Value::as_i64);
        let since_ms = used_ms.max(made_ms).unwrap_or(row.created_ms);
        Ok(self.clock.now_ms().saturating_sub(since_ms))
    }

    fn is_told_long_enough(&self, row: &ProposalRow) -> bool {
        let told_ms = self.clock.now_ms().saturating_sub(row.changed_ms);
        i64::try_from(EXECUTOR_ARCHIVED_AFTER.as_millis()).is_ok_and(|limit| told_ms >= limit)
    }

    async fn note(&self, row: &ProposalRow, reason: &str) -> Result<(), PromoterError> {
        let noted = Step {
            reason: reason.to_owned(),
            ..stay(row)
        };
        self.store.advance(noted, self.clock.now_ms()).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_told_of_after_thirty_days_and_goes_fourteen_later() {
        const DAY_MS: i64 = 24 * 3_600 * 1_000;
        for (days, expected) in [
            (0, Standing::Active),
            (30, Standing::Active),
            (31, Standing::Deprecated),
            (44, Standing::Deprecated),
            (45, Standing::Archived),
        ] {
            assert_eq!(standing(days * DAY_MS), expected, "{days}");
        }
    }
}
