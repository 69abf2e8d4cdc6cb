//! The room a person usually speaks from. Kept with the person; read where devices of equal names, or of no name, are
//! spoken of.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};
use crate::domain::ids::ActorId;

impl Store {
    /// The room as the person said it, if they did.
    pub async fn area_of(&self, actor: &ActorId) -> Result<Option<String>, StoreError> {
        let actor = actor.clone();
        self.read("area", move |connection| {
            let area: Option<String> = connection
                .prepare_cached("SELECT area FROM actors WHERE id = ?1")?
                .query_row([actor.as_str()], |row| row.get(0))
                .optional()?;
            Ok(area.filter(|area| !area.is_empty()))
        })
        .await
    }

    /// Changes it; empty for none.
    pub async fn set_area(&self, actor: &ActorId, area: &str) -> Result<(), StoreError> {
        let (actor, area) = (actor.clone(), area.to_owned());
        self.write("set area", move |tx| {
            tx.execute(
                "UPDATE actors SET area = ?2 WHERE id = ?1",
                params![actor.as_str(), area],
            )
            .map(drop)
        })
        .await
    }
}
