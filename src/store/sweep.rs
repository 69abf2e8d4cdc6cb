//! What is over is forgotten after a while, so that the file does not grow for ever. Called by the job
//! of retention.
//! Remembered plans are not touched here: they age by rules of their own, and what they learned from may go.

use std::collections::BTreeSet;

use rusqlite::params;

use super::{Store, StoreError};
use crate::domain::{
    ids::TurnId,
    limits::{FILES_REFERRED_WITHIN, HISTORY_KEPT_FOR, KEPT_FOR, OFFERED_FOR, QUIET_RUNS_KEPT_FOR, REMOVALS_KEPT_FOR},
};

impl Store {
    /// Forgets messages, answers, buttons, questions, codes and large results that are long over, and the journal of
    /// effects that can no longer be taken back; after a year also turns, observations, and gaps nobody asked to fill.
    /// Strangers are met anew after that year, so that whoever ever wrote to us is not kept for ever.
    /// How many rows went.
    /// An answer that could not be brought for that long goes unread: nobody waits for it any more.
    pub async fn sweep(&self, now_ms: i64) -> Result<usize, StoreError> {
        let kept_ms = i64::try_from(KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
        let before = now_ms.saturating_sub(kept_ms);
        let history_ms = i64::try_from(HISTORY_KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
        let long_before = now_ms.saturating_sub(history_ms);
        let quiet_ms = i64::try_from(QUIET_RUNS_KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
        let removals_ms = i64::try_from(REMOVALS_KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
        let removed_before = now_ms.saturating_sub(removals_ms);
        let swept = self.write("sweep", move |tx| {
            let unread: u32 = tx.query_row(
                "SELECT count(*) FROM outbox WHERE state = 'waiting' AND created_at < ?1",
                [before],
                |row| row.get(0),
            )?;
            let offered_ms = i64::try_from(OFFERED_FOR.as_millis()).unwrap_or(i64::MAX);
            tx.execute(
                "UPDATE outbox SET parcel = '', about = '' WHERE state = 'uncertain' AND parcel <> '' AND created_at < ?1",
                [now_ms.saturating_sub(offered_ms)],
            )?;
            let referred_ms = i64::try_from(FILES_REFERRED_WITHIN.as_millis()).unwrap_or(i64::MAX);
            tx.execute(
                "UPDATE received_files SET caption = '' WHERE caption <> '' AND received_at < ?1",
                [now_ms.saturating_sub(referred_ms)],
            )?;
            let mut gone = 0;
            for sql in [
                "DELETE FROM inbox WHERE state = 'done' AND received_at < ?1",
                "DELETE FROM outbox WHERE created_at < ?1",
                "DELETE FROM callbacks WHERE created_at < ?1",
                "DELETE FROM received_files WHERE received_at < ?1",
                "DELETE FROM reactions WHERE at < ?1",
                "DELETE FROM dialogs WHERE state <> 'waiting' AND expires_at < ?1",
                "DELETE FROM secrets WHERE created_at < ?1",
                "DELETE FROM pairing_codes WHERE expires_at < ?1",
                "DELETE FROM tasks WHERE state IN ('done', 'ringing') AND changed_at < ?1",
                "DELETE FROM task_runs WHERE started_at < ?1 AND state <> 'running'",
                "DELETE FROM anti_autopaths WHERE expires_at < ?1",
            ] {
                gone += tx.execute(sql, params![before])?;
            }
            for sql in [
                "DELETE FROM turns WHERE ended_at < ?1",
                "DELETE FROM observations WHERE at < ?1",
                "DELETE FROM spending WHERE at < ?1",
                "DELETE FROM offers WHERE answered_at < ?1",
                "DELETE FROM gaps WHERE last_seen < ?1 AND wanted = 0",
                "DELETE FROM strangers WHERE max(told_at, last_try_at) < ?1",
            ] {
                gone += tx.execute(sql, params![long_before])?;
            }
            // A look every minute that found nothing is no history.
            let quiet = "DELETE FROM task_runs WHERE started_at < ?1 AND state IN ('quiet', 'skipped')";
            gone += tx.execute(quiet, params![now_ms.saturating_sub(quiet_ms)])?;
            gone += tx.execute(
                // What a tool took over comes back with the tool's end, however late that is.
                "DELETE FROM removals WHERE coalesce(taken_back_at < ?2, at < ?1)
                    AND NOT (taken_back_at IS NULL AND coalesce(heir, '') IN (SELECT executor FROM promotions))",
                [removed_before, long_before],
            )?;
            gone += tx.execute("DELETE FROM scratchpad WHERE expires_at < ?1", params![now_ms])?;
            gone += tx.execute(
                "DELETE FROM effects WHERE begun_at < ?1 AND state <> 'begun'",
                params![before],
            )?;
            Ok((unread, gone))
        });
        let (unread, gone) = swept.await?;
        if unread > 0 {
            tracing::error!(unread, "answers that could not be brought for so long are given up");
        }
        Ok(gone)
    }

    /// The turns of which the journal still knows an effect: their saved copies may be needed.
    pub async fn turns_with_effects(&self) -> Result<BTreeSet<TurnId>, StoreError> {
        self.read("turns with effects", |connection| {
            let mut statement = connection.prepare("SELECT DISTINCT turn FROM effects")?;
            let turns = statement.query_map([], |row| row.get::<_, String>(0).map(TurnId::from))?;
            turns.collect()
        })
        .await
    }
}
