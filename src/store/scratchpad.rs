//! Large step results, kept for an hour under a handle. Only the person whose turn made one can read it.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};
use crate::domain::{
    ids::{ActorId, ExecutorName, StepId, TurnId},
    intent::short_hash,
    limits::SCRATCHPAD_TTL,
};

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScratchpadEntry {
    /// Whose turn made it.
    pub actor: ActorId,
    /// The turn.
    pub turn: TurnId,
    /// The step.
    pub step: StepId,
    /// The executor.
    pub tool: ExecutorName,
    /// The text, or the whole result as JSON.
    pub content: String,
}

impl Store {
    /// Keeps a result; returns its handle of 16 hex digits. Expired ones are swept on the way.
    pub async fn scratchpad_put(&self, entry: ScratchpadEntry, now_ms: i64) -> Result<String, StoreError> {
        self.write("scratchpad put", move |tx| {
            tx.execute("DELETE FROM scratchpad WHERE expires_at <= ?1", [now_ms])?;
            let id = short_hash(format!("{}|{}|{now_ms}", entry.turn, entry.step.0).as_bytes());
            let expires = now_ms.saturating_add(i64::try_from(SCRATCHPAD_TTL.as_millis()).unwrap_or(i64::MAX));
            tx.execute(
                "INSERT INTO scratchpad (id, actor, turn, step, tool, content, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, seal(?6), ?7) ON CONFLICT (id) DO UPDATE SET content = seal(?6)",
                params![
                    id,
                    entry.actor.as_str(),
                    entry.turn.as_str(),
                    entry.step.0,
                    entry.tool.as_str(),
                    entry.content,
                    expires
                ],
            )?;
            Ok(id)
        })
        .await
    }

    /// The content of a handle, if it is this person's and not expired.
    pub async fn scratchpad_get(&self, actor: &ActorId, id: &str, now_ms: i64) -> Result<Option<String>, StoreError> {
        let (actor, id) = (actor.clone(), id.to_owned());
        self.read("scratchpad get", move |connection| {
            connection
                .query_row(
                    "SELECT unsealed(content) FROM scratchpad WHERE id = ?1 AND actor = ?2 AND expires_at > ?3",
                    params![id, actor.as_str(), now_ms],
                    |row| row.get(0),
                )
                .optional()
        })
        .await
    }
}
