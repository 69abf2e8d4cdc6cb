//! What was last seen of calendars and address books on servers, sealed. Written and read by `agenda` only; every
//! question names a person. The servers are the truth: what stands here may be dropped at any moment.

use std::collections::BTreeMap;

use rusqlite::{Row, Transaction, params};
use serde_json::Value;
use uuid::Uuid;

use super::{Store, StoreError, from_json, to_json};
use crate::domain::ids::{ActorId, PersonAccountId};

/// A collection of an account.
#[derive(Clone, Debug, PartialEq)]
pub struct DavCollection {
    /// Our own name for it.
    pub id: String,
    /// The account.
    pub account: PersonAccountId,
    /// Where it is and what may be done, in the form of `agenda`.
    pub settings: Value,
    /// What to ask for changes with; empty for nothing.
    pub token: String,
    /// When its server was last heard, in milliseconds; 0 for never.
    pub seen_ms: i64,
    /// Grows with every change.
    pub revision: i64,
}

/// One resource of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DavItem {
    /// The last part of its address.
    pub name: String,
    /// Its address.
    pub href: String,
    /// The version it is in; empty where the server does not say.
    pub etag: String,
    /// What it says.
    pub text: String,
}

/// What became of a collection.
#[derive(Clone, Debug, Default)]
pub struct DavNews {
    /// New, or in another version.
    pub changed: Vec<DavItem>,
    /// Names that are gone.
    pub gone: Vec<String>,
    /// What to ask with next; `None` leaves it as it is.
    pub token: Option<String>,
    /// When all of it was heard; `None` for a part of it.
    pub seen_ms: Option<i64>,
}

impl Store {
    /// The collections of a person that hold this, those of the oldest account first.
    pub async fn dav_collections(
        &self,
        actor: &ActorId,
        holds: &'static str,
    ) -> Result<Vec<DavCollection>, StoreError> {
        let actor = actor.clone();
        self.read("collections of a person", move |connection| {
            connection
                .prepare_cached(
                    "SELECT c.id, c.account, unsealed(c.settings), c.token, c.seen, c.revision
                     FROM dav_collections c JOIN person_accounts a ON a.id = c.account
                     WHERE c.actor = ?1 AND c.holds = ?2 ORDER BY a.at, a.id, c.place",
                )?
                .query_map([actor.as_str(), holds], collection)?
                .collect()
        })
        .await
    }

    /// Notes which collections an account has, each by its address: what is there already keeps what was seen of it.
    pub async fn put_dav_collections(
        &self,
        actor: &ActorId,
        account: &PersonAccountId,
        holds: &'static str,
        found: Vec<(String, Value)>,
    ) -> Result<(), StoreError> {
        let (actor, account) = (actor.clone(), account.clone());
        self.write("collections of an account", move |tx| {
            let known = addresses(tx, &account)?;
            for (place, (href, settings)) in found.iter().enumerate() {
                let place = i64::try_from(place).unwrap_or(i64::MAX);
                let settings = to_json(settings)?;
                match known.get(href) {
                    Some(id) => tx.execute(
                        "UPDATE dav_collections SET place = ?2, settings = seal(?3) WHERE id = ?1",
                        params![id, place, settings],
                    )?,
                    None => tx.execute(
                        "INSERT INTO dav_collections (id, actor, account, holds, place, settings)
                         SELECT ?1, ?2, ?3, ?4, ?5, seal(?6)
                         WHERE EXISTS (SELECT 1 FROM person_accounts WHERE id = ?3 AND actor = ?2)",
                        params![new_id(), actor.as_str(), account.as_str(), holds, place, settings],
                    )?,
                };
            }
            for (href, id) in &known {
                if !found.iter().any(|(there, _)| there == href) {
                    tx.execute("DELETE FROM dav_collections WHERE id = ?1", [id])?;
                }
            }
            Ok(())
        })
        .await
    }

    /// What is kept of a collection.
    pub async fn dav_items(&self, actor: &ActorId, collection: &str) -> Result<Vec<DavItem>, StoreError> {
        let (actor, collection) = (actor.clone(), collection.to_owned());
        self.read("items of a collection", move |connection| {
            connection
                .prepare_cached(
                    "SELECT name, href, etag, unsealed(text) FROM dav_items
                     WHERE actor = ?1 AND collection = ?2 ORDER BY name",
                )?
                .query_map([actor.as_str(), &collection], item)?
                .collect()
        })
        .await
    }

    /// One resource of a collection.
    pub async fn dav_item(&self, actor: &ActorId, collection: &str, name: &str) -> Result<Option<DavItem>, StoreError> {
        let (actor, collection, name) = (actor.clone(), collection.to_owned(), name.to_owned());
        self.read("item of a collection", move |connection| {
            let mut found = connection
                .prepare_cached(
                    "SELECT name, href, etag, unsealed(text) FROM dav_items
                     WHERE actor = ?1 AND collection = ?2 AND name = ?3",
                )?
                .query_map([actor.as_str(), &collection, &name], item)?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(found.pop())
        })
        .await
    }

    /// Names and versions of what is kept of a collection.
    pub async fn dav_versions(
        &self,
        actor: &ActorId,
        collection: &str,
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let (actor, collection) = (actor.clone(), collection.to_owned());
        self.read("versions of a collection", move |connection| {
            connection
                .prepare_cached("SELECT name, etag FROM dav_items WHERE actor = ?1 AND collection = ?2")?
                .query_map([actor.as_str(), &collection], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
        .await
    }

    /// Takes in what became of a collection.
    pub async fn take_dav_news(&self, actor: &ActorId, collection: &str, news: DavNews) -> Result<(), StoreError> {
        let (actor, collection) = (actor.clone(), collection.to_owned());
        self.write("news of a collection", move |tx| take(tx, &actor, &collection, &news))
            .await
    }
}

fn take(tx: &Transaction<'_>, actor: &ActorId, collection: &str, news: &DavNews) -> rusqlite::Result<()> {
    let is_theirs: bool = tx.query_row(
        "SELECT EXISTS (SELECT 1 FROM dav_collections WHERE id = ?1 AND actor = ?2)",
        [collection, actor.as_str()],
        |row| row.get(0),
    )?;
    if !is_theirs {
        // The account was removed meanwhile.
        return Ok(());
    }
    for item in &news.changed {
        tx.execute(
            "INSERT OR REPLACE INTO dav_items (collection, name, actor, href, etag, text)
             VALUES (?1, ?2, ?3, ?4, ?5, seal(?6))",
            params![collection, item.name, actor.as_str(), item.href, item.etag, item.text],
        )?;
    }
    for name in &news.gone {
        tx.execute(
            "DELETE FROM dav_items WHERE collection = ?1 AND name = ?2",
            [collection, name],
        )?;
    }
    let is_news = !news.changed.is_empty() || !news.gone.is_empty();
    tx.execute(
        "UPDATE dav_collections SET token = coalesce(?2, token), seen = coalesce(?3, seen), revision = revision + ?4
         WHERE id = ?1",
        params![collection, news.token, news.seen_ms, i64::from(is_news)],
    )
    .map(drop)
}

fn addresses(tx: &Transaction<'_>, account: &PersonAccountId) -> rusqlite::Result<BTreeMap<String, String>> {
    tx.prepare_cached("SELECT unsealed(settings), id FROM dav_collections WHERE account = ?1")?
        .query_map([account.as_str()], |row| {
            let settings: Value = from_json(&row.get::<_, String>(0)?)?;
            let href = settings.get("href").and_then(Value::as_str).unwrap_or_default();
            Ok((href.to_owned(), row.get(1)?))
        })?
        .collect()
}

fn new_id() -> String {
    let id = Uuid::now_v7().simple().to_string();
    // The last letters are the random ones.
    id.get(id.len().saturating_sub(12)..).unwrap_or(&id).to_owned()
}

fn collection(row: &Row<'_>) -> rusqlite::Result<DavCollection> {
    Ok(DavCollection {
        id: row.get(0)?,
        account: row.get::<_, String>(1)?.into(),
        settings: from_json(&row.get::<_, String>(2)?)?,
        token: row.get(3)?,
        seen_ms: row.get(4)?,
        revision: row.get(5)?,
    })
}

fn item(row: &Row<'_>) -> rusqlite::Result<DavItem> {
    Ok(DavItem {
        name: row.get(0)?,
        href: row.get(1)?,
        etag: row.get(2)?,
        text: row.get(3)?,
    })
}
