//! Accounts of persons with services outside, sealed. Written by who adds one (a dialog, the command line) and by who
//! finds out how it fares; read by the modules of the services, which alone get a secret. Every question names a
//! person.

use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde_json::Value;

use super::{Store, StoreError, from_json, to_json};
use crate::{
    config::Secret,
    domain::{
        account::{AccountState, PersonAccount, Service},
        ids::{ActorId, PersonAccountId},
    },
};

/// An account as it is given. One of the same person, service and name takes its place.
#[derive(Clone, Debug)]
pub struct NewPersonAccount {
    /// Which one; an account it takes the place of keeps its own.
    pub id: PersonAccountId,
    /// What for.
    pub service: Service,
    /// What its person calls it.
    pub name: String,
    /// Servers and user names, as JSON.
    pub settings: Value,
    /// The password; `None` where none is needed.
    pub secret: Option<Secret>,
}

impl Store {
    /// Keeps an account.
    pub async fn put_person_account(
        &self,
        actor: &ActorId,
        account: NewPersonAccount,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("put account", move |tx| put(tx, &actor, &account, now_ms))
            .await
    }

    /// The accounts of a person, oldest first; of one service, or of all.
    pub async fn person_accounts(
        &self,
        actor: &ActorId,
        service: Option<Service>,
    ) -> Result<Vec<PersonAccount>, StoreError> {
        let actor = actor.clone();
        self.read("accounts of a person", move |connection| {
            connection
                .prepare_cached(
                    "SELECT id, actor, service, name, unsealed(settings), state FROM person_accounts
                     WHERE actor = ?1 AND (?2 IS NULL OR service = ?2) ORDER BY at, id",
                )?
                .query_map(params![actor.as_str(), service.map(Service::as_str)], account)?
                .collect::<Result<Vec<_>, _>>()
                .map(|accounts| accounts.into_iter().flatten().collect())
        })
        .await
    }

    /// Every account of everybody who is let in, for `metnos doctor`.
    pub async fn all_person_accounts(&self) -> Result<Vec<PersonAccount>, StoreError> {
        self.read("all accounts", move |connection| {
            connection
                .prepare_cached(
                    "SELECT id, actor, service, name, unsealed(settings), state FROM person_accounts ORDER BY actor, at",
                )?
                .query_map([], account)?
                .collect::<Result<Vec<_>, _>>()
                .map(|accounts| accounts.into_iter().flatten().collect())
        })
        .await
    }

    /// The secret of an account of this person.
    pub async fn person_secret(&self, actor: &ActorId, id: &PersonAccountId) -> Result<Option<Secret>, StoreError> {
        let (actor, id) = (actor.clone(), id.clone());
        self.read("secret of an account", move |connection| {
            let secret: Option<String> = connection
                .prepare_cached("SELECT unsealed(secret) FROM person_accounts WHERE actor = ?1 AND id = ?2")?
                .query_row([actor.as_str(), id.as_str()], |row| row.get(0))
                .optional()?;
            Ok(secret.filter(|secret| !secret.is_empty()).map(Secret::new))
        })
        .await
    }

    /// Notes how an account fared.
    pub async fn person_account_fared(&self, id: &PersonAccountId, state: AccountState) -> Result<(), StoreError> {
        let id = id.clone();
        self.write("account fared", move |tx| {
            tx.execute(
                "UPDATE person_accounts SET state = ?2 WHERE id = ?1 AND state <> ?2",
                [id.as_str(), state.as_str()],
            )
            .map(drop)
        })
        .await
    }

    /// Forgets an account of this person; whether there was one.
    pub async fn remove_person_account(&self, actor: &ActorId, id: &PersonAccountId) -> Result<bool, StoreError> {
        let (actor, id) = (actor.clone(), id.clone());
        self.write("remove account", move |tx| {
            let removed = tx.execute(
                "DELETE FROM person_accounts WHERE actor = ?1 AND id = ?2",
                [actor.as_str(), id.as_str()],
            )?;
            Ok(removed > 0)
        })
        .await
    }
}

pub(super) fn put(
    tx: &Transaction<'_>,
    actor: &ActorId,
    account: &NewPersonAccount,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let secret = account.secret.as_ref().map_or("", Secret::expose);
    tx.execute(
        "INSERT INTO person_accounts (id, actor, service, name, settings, secret, state, at)
         VALUES (?1, ?2, ?3, ?4, seal(?5), seal(?6), 'untried', ?7)
         ON CONFLICT (actor, service, name)
         DO UPDATE SET settings = excluded.settings, secret = excluded.secret, state = 'untried', at = excluded.at",
        params![
            account.id.as_str(),
            actor.as_str(),
            account.service.as_str(),
            account.name,
            to_json(&account.settings)?,
            secret,
            now_ms
        ],
    )
    .map(drop)
}

/// `None` of a service that a newer version knows.
fn account(row: &Row<'_>) -> rusqlite::Result<Option<PersonAccount>> {
    let Some(service) = Service::parse(&row.get::<_, String>(2)?) else {
        return Ok(None);
    };
    Ok(Some(PersonAccount {
        id: row.get::<_, String>(0)?.into(),
        actor: row.get::<_, String>(1)?.into(),
        service,
        name: row.get(3)?,
        settings: from_json(&row.get::<_, String>(4)?)?,
        state: AccountState::parse(&row.get::<_, String>(5)?),
    }))
}
