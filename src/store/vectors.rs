//! Vectors of memory that another embedder made, and their renewal by the job that does that (`jobs`).

use rusqlite::params;

use super::{Store, StoreError, fastpaths::to_bytes};
use crate::domain::{ids::CanonicalHash, lang::Lang};

/// A row whose vector meets no vector of today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorRow {
    /// Of the fastpaths.
    Fastpath(i64),
    /// Of the observations.
    Observation(i64),
}

/// A vector of another embedder, and what is known of the words it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct StaleVector {
    /// Where it stands.
    pub row: VectorRow,
    /// The canonical words, where they are kept.
    pub canonical: Option<String>,
    /// The request, and the hash of its canonical words, where the turn is still known.
    pub request: Option<(String, CanonicalHash)>,
    /// The language of its person.
    pub lang: Lang,
}

/// A vector made anew; `None` for a row that goes without one.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVector {
    /// Where it goes.
    pub row: VectorRow,
    /// Of length 1.
    pub vector: Option<Vec<f32>>,
}

impl Store {
    /// Vectors that another embedder made, at most so many.
    pub async fn stale_vectors(&self, embedder: &str, limit: usize) -> Result<Vec<StaleVector>, StoreError> {
        let embedder = embedder.to_owned();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read("stale vectors", move |connection| {
            let read = |row: &rusqlite::Row<'_>| {
                let (is_fastpath, id): (bool, i64) = (row.get(0)?, row.get(1)?);
                let lang: String = row.get(5)?;
                let request: Option<String> = row.get(3)?;
                let hash: Option<String> = row.get(4)?;
                Ok(StaleVector {
                    row: if is_fastpath { VectorRow::Fastpath(id) } else { VectorRow::Observation(id) },
                    canonical: row.get(2)?,
                    request: request.zip(hash.map(CanonicalHash::from)),
                    lang: Lang::from_code(&lang).unwrap_or(Lang::EN),
                })
            };
            connection
                .prepare(
                    "SELECT 1, f.id, f.canonical_text, NULL, NULL, a.lang FROM fastpaths f JOIN actors a ON a.id = f.actor
                     WHERE f.embedder IS NOT NULL AND f.embedder <> ?1
                     UNION ALL
                     SELECT 0, o.id, (SELECT f.canonical_text FROM fastpaths f
                                      WHERE f.actor = o.actor AND f.canonical_hash = t.canonical_hash),
                            t.request, t.canonical_hash, a.lang
                     FROM observations o JOIN actors a ON a.id = o.actor LEFT JOIN turns t ON t.id = o.turn
                     WHERE o.embedder IS NOT NULL AND o.embedder <> ?1
                     LIMIT ?2",
                )?
                .query_map(params![embedder, limit], read)?
                .collect()
        })
        .await
    }

    /// Keeps vectors this embedder made.
    pub async fn renew_vectors(&self, embedder: &str, vectors: Vec<NewVector>) -> Result<(), StoreError> {
        let embedder = embedder.to_owned();
        self.write("renew vectors", move |tx| {
            for NewVector { row, vector } in &vectors {
                let (table, id) = match row {
                    VectorRow::Fastpath(id) => ("fastpaths", id),
                    VectorRow::Observation(id) => ("observations", id),
                };
                tx.prepare_cached(&format!(
                    "UPDATE {table} SET embedder = ?2, embedding = ?3 WHERE id = ?1"
                ))?
                .execute(params![id, embedder, vector.as_deref().map(to_bytes)])?;
            }
            Ok(())
        })
        .await?;
        self.memory_changed();
        Ok(())
    }
}
