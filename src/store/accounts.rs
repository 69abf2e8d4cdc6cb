//! Keys of the household's accounts with services outside, sealed. Written with the answer that gave one; read when the
//! program starts, and by the executor that lacks one.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError};
use crate::{
    config::Secret,
    domain::{account::Account, ids::ActorId},
};

/// A key somebody gave, or the word that there is none.
#[derive(Clone, Debug)]
pub struct GivenAccount {
    /// Which one.
    pub account: Account,
    /// `None`: the household does without.
    pub key: Option<Secret>,
}

impl Store {
    /// The key of an account, if one was given.
    pub async fn account_key(&self, account: Account) -> Result<Option<Secret>, StoreError> {
        self.read("account", move |connection| {
            let key: Option<String> = connection
                .prepare_cached("SELECT unsealed(sealed) FROM accounts WHERE name = ?1")?
                .query_row([account.as_str()], |row| row.get(0))
                .optional()?;
            Ok(key.filter(|key| !key.is_empty()).map(Secret::new))
        })
        .await
    }

    /// Forgets what was said of an account; whether that was a key.
    pub async fn forget_account(&self, account: Account) -> Result<bool, StoreError> {
        self.write("forget account", move |tx| {
            let had_key: bool = tx.query_row(
                "SELECT EXISTS (SELECT 1 FROM accounts WHERE name = ?1 AND sealed <> '')",
                [account.as_str()],
                |row| row.get(0),
            )?;
            tx.execute("DELETE FROM accounts WHERE name = ?1", [account.as_str()])?;
            Ok(had_key)
        })
        .await
    }

    /// Whether the household said, since then, that it does without this account.
    pub async fn does_without(&self, account: Account, since_ms: i64) -> Result<bool, StoreError> {
        self.read("account declined", move |connection| {
            connection
                .prepare_cached("SELECT 1 FROM accounts WHERE name = ?1 AND sealed = '' AND at >= ?2")?
                .exists(params![account.as_str(), since_ms])
        })
        .await
    }
}

pub(super) fn put(tx: &Transaction<'_>, actor: &ActorId, given: &GivenAccount, now_ms: i64) -> rusqlite::Result<()> {
    let key = given.key.as_ref().map_or("", Secret::expose);
    tx.execute(
        "INSERT INTO accounts (name, actor, sealed, at) VALUES (?1, ?2, seal(?3), ?4)
         ON CONFLICT (name) DO UPDATE SET actor = ?2, sealed = excluded.sealed, at = ?4",
        params![given.account.as_str(), actor.as_str(), key, now_ms],
    )
    .map(drop)
}
