//! What the documents of a home say, by person: written by `papers` when a document is new or changed, and searched by
//! the stems of a question. A document that nothing can be read of has a row without parts, so that it is not tried
//! again at every look.

use rusqlite::{OptionalExtension as _, Row, params};

use super::{Store, StoreError};
use crate::domain::ids::ActorId;

/// A file as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileStamp {
    /// Written with `~/`.
    pub path: String,
    /// Bytes.
    pub size: i64,
    /// When it was changed last, in nanoseconds since 1970.
    pub changed: i64,
}

/// What a document says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperText {
    /// Written with `~/`.
    pub path: String,
    /// When it was changed last, in nanoseconds since 1970.
    pub changed: i64,
    /// Pages and sheets as JSON.
    pub parts: String,
}

impl Store {
    /// The documents of a person that were read, in order of their names.
    pub async fn paper_stamps(&self, actor: &ActorId) -> Result<Vec<FileStamp>, StoreError> {
        let actor = actor.clone();
        self.read("documents", move |connection| {
            connection
                .prepare_cached("SELECT path, size, changed FROM papers WHERE actor = ?1 ORDER BY path")?
                .query_map([actor.as_str()], |row| {
                    Ok(FileStamp {
                        path: row.get(0)?,
                        size: row.get(1)?,
                        changed: row.get(2)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// A document as it is now, in the place of what was known of it. `words` are the stems it is found by.
    pub async fn put_paper(
        &self,
        actor: &ActorId,
        stamp: FileStamp,
        parts: String,
        words: String,
    ) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("document", move |tx| {
            tx.execute(
                "DELETE FROM papers WHERE actor = ?1 AND path = ?2",
                params![actor.as_str(), stamp.path],
            )?;
            tx.execute(
                "INSERT INTO papers (actor, path, size, changed, parts) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![actor.as_str(), stamp.path, stamp.size, stamp.changed, parts],
            )?;
            let id = tx.last_insert_rowid();
            tx.execute(
                "INSERT INTO papers_words (rowid, words) VALUES (?1, ?2)",
                params![id, words],
            )
            .map(drop)
        })
        .await
    }

    /// Documents that are gone are forgotten.
    pub async fn forget_papers(&self, actor: &ActorId, paths: Vec<String>) -> Result<(), StoreError> {
        if paths.is_empty() {
            return Ok(());
        }
        let actor = actor.clone();
        self.write("documents", move |tx| {
            let mut gone = tx.prepare_cached("DELETE FROM papers WHERE actor = ?1 AND path = ?2")?;
            for path in paths {
                gone.execute(params![actor.as_str(), path])?;
            }
            Ok(())
        })
        .await
    }

    /// The document of a person at this place, if it was read.
    pub async fn paper_at(&self, actor: &ActorId, path: &str) -> Result<Option<PaperText>, StoreError> {
        let (actor, path) = (actor.clone(), path.to_owned());
        self.read("document", move |connection| {
            connection
                .prepare_cached(
                    "SELECT path, changed, parts FROM papers WHERE actor = ?1 AND path = ?2 AND parts <> ''",
                )?
                .query_row(params![actor.as_str(), path], text)
                .optional()
        })
        .await
    }

    /// The documents of a person that have some of these stems, the best first.
    pub async fn papers_with(
        &self,
        actor: &ActorId,
        stems: &[String],
        most: usize,
    ) -> Result<Vec<PaperText>, StoreError> {
        // In quotes nothing is an operator.
        let quoted: Vec<String> = stems
            .iter()
            .map(|stem| format!("\"{}\"", stem.replace('"', "")))
            .collect();
        if quoted.is_empty() {
            return Ok(Vec::new());
        }
        let (actor, query) = (actor.clone(), quoted.join(" OR "));
        self.read("documents", move |connection| {
            connection
                .prepare_cached(
                    "SELECT p.path, p.changed, p.parts FROM papers_words w JOIN papers p ON p.id = w.rowid
                     WHERE w.words MATCH ?2 AND p.actor = ?1 AND p.parts <> '' ORDER BY w.rank, p.path LIMIT ?3",
                )?
                .query_map(params![actor.as_str(), query, most], text)?
                .collect()
        })
        .await
    }
}

fn text(row: &Row<'_>) -> rusqlite::Result<PaperText> {
    Ok(PaperText {
        path: row.get(0)?,
        changed: row.get(1)?,
        parts: row.get(2)?,
    })
}
