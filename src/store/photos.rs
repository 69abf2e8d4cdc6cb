//! When and where the pictures of a home were taken, by person: written by `photos` when a picture is new or changed.

use rusqlite::params;

use super::{Store, StoreError, papers::FileStamp};
use crate::domain::ids::ActorId;

/// What is known of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhotoRow {
    /// The file.
    pub stamp: FileStamp,
    /// What it tells of itself, as JSON.
    pub told: String,
    /// The town, as JSON; empty where that is not known.
    pub place: String,
    /// What it looks like, where that was looked at and can be.
    pub likeness: Option<u64>,
    /// Whether that was looked at.
    pub is_seen: bool,
}

impl Store {
    /// Everything known of a person's pictures, in order of their names.
    pub async fn photos(&self, actor: &ActorId) -> Result<Vec<PhotoRow>, StoreError> {
        let actor = actor.clone();
        self.read("photos", move |connection| {
            connection
                .prepare_cached(
                    "SELECT path, size, changed, told, place, likeness, is_seen FROM photos WHERE actor = ?1 ORDER BY path",
                )?
                .query_map([actor.as_str()], |row| {
                    Ok(PhotoRow {
                        stamp: FileStamp {
                            path: row.get(0)?,
                            size: row.get(1)?,
                            changed: row.get(2)?,
                        },
                        told: row.get(3)?,
                        place: row.get(4)?,
                        likeness: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
                        is_seen: row.get(6)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// Pictures as they are now, in the place of what was known of them.
    pub async fn put_photos(&self, actor: &ActorId, rows: Vec<PhotoRow>) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("photos", move |tx| {
            let mut put = tx.prepare_cached(
                "INSERT OR REPLACE INTO photos (actor, path, size, changed, told, place, likeness, is_seen)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?;
            for row in rows {
                let PhotoRow {
                    stamp: FileStamp { path, size, changed },
                    told,
                    place,
                    likeness,
                    is_seen,
                } = row;
                let likeness = likeness.map(u64::cast_signed);
                put.execute(params![
                    actor.as_str(),
                    path,
                    size,
                    changed,
                    told,
                    place,
                    likeness,
                    is_seen
                ])?;
            }
            Ok(())
        })
        .await
    }

    /// Every place where a person's pictures were taken, once each.
    pub async fn photo_places(&self, actor: &ActorId) -> Result<Vec<String>, StoreError> {
        let actor = actor.clone();
        self.read("photos", move |connection| {
            connection
                .prepare_cached("SELECT DISTINCT place FROM photos WHERE actor = ?1 AND place <> ''")?
                .query_map([actor.as_str()], |row| row.get(0))?
                .collect()
        })
        .await
    }

    /// Pictures that are gone are forgotten.
    pub async fn forget_photos(&self, actor: &ActorId, paths: Vec<String>) -> Result<(), StoreError> {
        if paths.is_empty() {
            return Ok(());
        }
        let actor = actor.clone();
        self.write("photos", move |tx| {
            let mut gone = tx.prepare_cached("DELETE FROM photos WHERE actor = ?1 AND path = ?2")?;
            let mut said = tx.prepare_cached("DELETE FROM photo_captions WHERE actor = ?1 AND path = ?2")?;
            for path in paths {
                gone.execute(params![actor.as_str(), path])?;
                said.execute(params![actor.as_str(), path])?;
            }
            Ok(())
        })
        .await
    }
}
