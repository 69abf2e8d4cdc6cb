//! Looks after the file itself: whether it is whole, what its planner knows of it, and how much of it is unused. Called
//! by the job that does that (`jobs`).

use rusqlite::OptionalExtension;

use super::{Store, StoreError, ask};

impl Store {
    /// Whether the database is whole, and how much of it is unused; its planner learns what there is.
    pub async fn upkeep(&self) -> Result<Upkeep, StoreError> {
        // Beside the writer: looking at every page takes a while.
        let found = self.read("look at the database", |connection| {
            connection
                .query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
                .optional()
        });
        let damage = found.await?.filter(|found| found != "ok");
        ask(
            &self.writer,
            "upkeep",
            Box::new(|connection| {
                connection.execute_batch("PRAGMA optimize")?;
                let is_held: bool = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
                tracing::debug!(is_held, "the log of the database was written back");
                Ok(Upkeep {
                    damage,
                    pages: connection.query_row("PRAGMA page_count", [], |row| row.get(0))?,
                    free_pages: connection.query_row("PRAGMA freelist_count", [], |row| row.get(0))?,
                })
            }),
        )
        .await
    }
}

/// How the database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upkeep {
    /// What is wrong with it.
    pub damage: Option<String>,
    /// Its pages.
    pub pages: u64,
    /// Those that hold nothing.
    pub free_pages: u64,
}

impl Upkeep {
    /// Whether more than a quarter of more than a megabyte holds nothing.
    pub fn is_wasteful(&self) -> bool {
        self.pages > 256 && self.free_pages > self.pages / 4
    }
}
