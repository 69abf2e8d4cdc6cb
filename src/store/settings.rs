//! What the host said once for the whole household, by name. Written by commands, read by executors that depend on it.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};
use crate::domain::ids::ActorId;

/// Whether a question that nothing in the house answers is looked up.
pub const SEARCH_QUESTIONS: &str = "search_questions";
/// The value of a setting that is switched on.
pub const SEARCH_ON: &str = "on";
/// The value of one that is switched off.
pub const SEARCH_OFF: &str = "off";

impl Store {
    /// What was said of this, if anything.
    pub async fn setting(&self, name: &'static str) -> Result<Option<String>, StoreError> {
        self.read("setting", move |connection| {
            connection
                .prepare_cached("SELECT value FROM settings WHERE name = ?1")?
                .query_row([name], |row| row.get(0))
                .optional()
        })
        .await
    }

    /// From now on it is so.
    pub async fn set_setting(
        &self,
        actor: &ActorId,
        name: &'static str,
        value: &'static str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("set setting", move |tx| {
            tx.execute(
                "INSERT INTO settings (name, value, actor, at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (name) DO UPDATE SET value = ?2, actor = ?3, at = ?4",
                params![name, value, actor.as_str(), now_ms],
            )
            .map(drop)
        })
        .await
    }
}
