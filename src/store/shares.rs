//! What the host shares with others of the house. Written by the executor that shares, read before every step of
//! theirs: what is not here is not shared.

use std::path::{Path, PathBuf};

use rusqlite::params;

use super::{Store, StoreError};
use crate::domain::{
    ids::ActorId,
    share::{Lent, Shared},
};

impl Store {
    /// What is shared with a person.
    pub async fn shared_with(&self, actor: &ActorId) -> Result<Vec<Shared>, StoreError> {
        let actor = actor.clone();
        self.read("shares", move |connection| {
            connection
                .prepare_cached("SELECT path, link, may_write FROM shares WHERE actor = ?1 ORDER BY path")?
                .query_map([actor.as_str()], |row| {
                    Ok(Shared {
                        path: PathBuf::from(row.get::<_, String>(0)?),
                        link: PathBuf::from(row.get::<_, String>(1)?),
                        may_write: row.get(2)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// From now on it is shared with them so.
    pub async fn share(&self, actor: &ActorId, shared: &Shared, now_ms: i64) -> Result<(), StoreError> {
        let (actor, may_write) = (actor.clone(), shared.may_write);
        let (path, link) = (text(&shared.path), text(&shared.link));
        self.write("share", move |tx| {
            tx.execute(
                "INSERT INTO shares (actor, path, link, may_write, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (actor, path) DO UPDATE SET link = ?3, may_write = ?4, at = ?5",
                params![actor.as_str(), path, link, may_write, now_ms],
            )
            .map(drop)
        })
        .await
    }

    /// From now on it is not.
    pub async fn unshare(&self, actor: &ActorId, path: &Path) -> Result<(), StoreError> {
        let (actor, path) = (actor.clone(), text(path));
        self.write("unshare", move |tx| {
            tx.execute(
                "DELETE FROM shares WHERE actor = ?1 AND path = ?2",
                params![actor.as_str(), path],
            )
            .map(drop)
        })
        .await
    }

    /// The calendars or address books of others that are shared with a person.
    pub async fn lent_to(&self, actor: &ActorId, holds: &'static str) -> Result<Vec<Lent>, StoreError> {
        let actor = actor.clone();
        self.read("lent agendas", move |connection| {
            connection
                .prepare_cached(
                    "SELECT l.owner, o.name, l.home, l.place, l.may_write FROM lent_agendas l
                     JOIN actors o ON o.id = l.owner WHERE l.actor = ?1 AND l.holds = ?2 ORDER BY l.owner, l.place",
                )?
                .query_map([actor.as_str(), holds], |row| {
                    Ok(Lent {
                        owner: ActorId::from(row.get::<_, String>(0)?),
                        name: row.get(1)?,
                        home: PathBuf::from(row.get::<_, String>(2)?),
                        place: row.get(3)?,
                        may_write: row.get(4)?,
                    })
                })?
                .collect()
        })
        .await
    }

    /// From now on they see it so.
    pub async fn lend(&self, actor: &ActorId, holds: &'static str, lent: &Lent, now_ms: i64) -> Result<(), StoreError> {
        let (actor, lent) = (actor.clone(), lent.clone());
        self.write("lend", move |tx| {
            tx.execute(
                "INSERT INTO lent_agendas (actor, owner, home, holds, place, may_write, at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (actor, owner, holds, place) DO UPDATE SET home = ?3, may_write = ?6, at = ?7",
                params![
                    actor.as_str(),
                    lent.owner.as_str(),
                    text(&lent.home),
                    holds,
                    lent.place,
                    lent.may_write,
                    now_ms
                ],
            )
            .map(drop)
        })
        .await
    }

    /// From now on they do not. Whether they did.
    pub async fn lend_no_more(&self, actor: &ActorId, holds: &'static str, lent: &Lent) -> Result<bool, StoreError> {
        let (actor, lent) = (actor.clone(), lent.clone());
        self.write("lend no more", move |tx| {
            let gone = tx.execute(
                "DELETE FROM lent_agendas WHERE actor = ?1 AND owner = ?2 AND holds = ?3 AND place = ?4",
                params![actor.as_str(), lent.owner.as_str(), holds, lent.place],
            )?;
            Ok(gone > 0)
        })
        .await
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
