//! When somebody is not to be spoken to unasked. Kept with the person; read by whoever pushes an answer.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};
use crate::domain::{ids::ActorId, quiet::QuietHours};

impl Store {
    /// The quiet hours of a person, if they have any.
    pub async fn quiet_hours(&self, actor: &ActorId) -> Result<Option<QuietHours>, StoreError> {
        let actor = actor.clone();
        self.read("quiet hours", move |connection| {
            let text: Option<String> = connection
                .prepare_cached("SELECT quiet FROM actors WHERE id = ?1")?
                .query_row([actor.as_str()], |row| row.get(0))
                .optional()?;
            Ok(text.and_then(|text| QuietHours::parse(&text)))
        })
        .await
    }

    /// Changes them; `None` for none.
    pub async fn set_quiet_hours(&self, actor: &ActorId, hours: Option<QuietHours>) -> Result<(), StoreError> {
        let actor = actor.clone();
        let text = hours.map(|hours| hours.to_string()).unwrap_or_default();
        self.write("set quiet hours", move |tx| {
            tx.execute(
                "UPDATE actors SET quiet = ?2 WHERE id = ?1",
                params![actor.as_str(), text],
            )
            .map(drop)
        })
        .await
    }
}
