//! People, the senders they are known by, and the codes that pair them. Written by `runtime::actors` only.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, StoreError, outbox, unknown_word};
use crate::domain::{
    actor::{Actor, Autonomy, Role},
    ids::{ActorId, ChannelKind, ConversationId, SenderId},
    lang::Lang,
};

/// What became of a pairing code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeUse {
    /// Good; it is used up now.
    Accepted,
    /// Never issued, used before or too old.
    Unknown,
}

/// How a sender nobody paired stands with us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stranger {
    /// Whether this is the first time we hear of them.
    pub is_new: bool,
    /// Wrong codes tried so far.
    pub tries: u32,
    /// When the last one was tried, milliseconds since 1970.
    pub last_try_ms: i64,
}

/// What `read_actor` reads, of actors called `a`.
pub(super) const COLUMNS: &str = "a.id, a.role, a.name, a.lang, a.timezone, a.autonomy";
/// How many that are.
pub(super) const COLUMN_COUNT: usize = 6;

/// A code that was made and not used yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingCode {
    /// Of its letters.
    pub hash: String,
    /// Whom it lets in; `None` for a newcomer.
    pub actor: Option<ActorId>,
    /// Milliseconds since 1970.
    pub expires_ms: i64,
    /// Of all that, by the household's key.
    pub signature: Vec<u8>,
}

impl Store {
    /// The person behind a sender; `None` when nobody paired them, or they were locked out.
    pub async fn actor_of(&self, channel: ChannelKind, sender: &SenderId) -> Result<Option<Actor>, StoreError> {
        let sender = sender.clone();
        self.read("actor of sender", move |connection| {
            connection
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM identities i JOIN actors a ON a.id = i.actor
                     WHERE i.channel = ?1 AND i.sender = ?2 AND i.revoked_at IS NULL AND a.revoked_at IS NULL"
                ))?
                .query_row(params![channel.as_str(), sender.as_str()], read_actor)
                .optional()
        })
        .await
    }

    /// A person by id.
    pub async fn actor(&self, id: &ActorId) -> Result<Option<Actor>, StoreError> {
        let id = id.clone();
        self.read("actor", move |connection| find_actor(connection, &id)).await
    }

    /// The host, once there is one.
    pub async fn host(&self) -> Result<Option<Actor>, StoreError> {
        self.read("host", |connection| {
            connection
                .query_row(
                    &format!("SELECT {COLUMNS} FROM actors a WHERE a.role = 'host'"),
                    [],
                    read_actor,
                )
                .optional()
        })
        .await
    }

    /// The conversations somebody had last, one a channel they are let in on, the latest first.
    pub async fn last_places(&self, actor: &ActorId) -> Result<Vec<(ChannelKind, ConversationId)>, StoreError> {
        let actor = actor.clone();
        self.read("last places", move |connection| {
            let mut statement = connection.prepare_cached(
                // A chat on Telegram is named after its person, who need not have asked for anything yet.
                "SELECT channel, conversation, max(at) FROM (
                     SELECT t.channel, t.conversation, t.rowid AS at FROM turns t WHERE t.actor = ?1
                         AND EXISTS (SELECT 1 FROM identities i WHERE i.actor = ?1 AND i.channel = t.channel
                                     AND i.revoked_at IS NULL)
                     UNION ALL
                     SELECT channel, sender, 0 FROM identities
                     WHERE actor = ?1 AND channel = 'telegram' AND revoked_at IS NULL)
                 GROUP BY channel ORDER BY 3 DESC",
            )?;
            statement.query_map([actor.as_str()], outbox::read_place)?.collect()
        })
        .await
    }

    /// A name under which a channel knows somebody: where a conversation is named after its person, that one.
    pub async fn sender_of(
        &self,
        actor: &ActorId,
        channel: ChannelKind,
        conversation: &ConversationId,
    ) -> Result<Option<SenderId>, StoreError> {
        let (actor, conversation) = (actor.clone(), conversation.clone());
        self.read("sender of", move |connection| {
            connection
                .prepare_cached(
                    "SELECT sender FROM identities WHERE actor = ?1 AND channel = ?2 AND revoked_at IS NULL
                     ORDER BY sender <> ?3, paired_at DESC LIMIT 1",
                )?
                .query_row(
                    params![actor.as_str(), channel.as_str(), conversation.as_str()],
                    |row| row.get::<_, String>(0),
                )
                .optional()
                .map(|sender| sender.map(SenderId::from))
        })
        .await
    }

    /// Adds a person unless the id is taken.
    pub async fn add_actor(&self, actor: &Actor, now_ms: i64) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("add actor", move |tx| add_actor(tx, &actor, now_ms)).await
    }

    /// Makes a sender known as a person, who is let in again if they were locked out; their other channels are not.
    pub async fn pair(
        &self,
        channel: ChannelKind,
        sender: &SenderId,
        actor: &ActorId,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let (sender, actor) = (sender.clone(), actor.clone());
        self.write("pair", move |tx| pair(tx, channel, &sender, &actor, now_ms))
            .await?;
        // Their tasks wait again.
        self.wake_scheduler(now_ms);
        Ok(())
    }

    /// Makes a sender known as a person, unless that sender was locked out: then nothing changes, and `false`.
    pub async fn pair_unless_revoked(
        &self,
        channel: ChannelKind,
        sender: &SenderId,
        actor: &ActorId,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let (sender, actor) = (sender.clone(), actor.clone());
        self.write("pair unless revoked", move |tx| {
            let paired = tx.execute(
                "INSERT INTO identities (channel, sender, actor, paired_at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (channel, sender) DO UPDATE SET actor = ?3, paired_at = ?4 WHERE revoked_at IS NULL",
                params![channel.as_str(), sender.as_str(), actor.as_str(), now_ms],
            )?;
            Ok(paired == 1)
        })
        .await
    }

    /// Whether this very sender was locked out.
    pub async fn is_locked_out(&self, channel: ChannelKind, sender: &SenderId) -> Result<bool, StoreError> {
        let sender = sender.clone();
        self.read("locked out?", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM identities
                                WHERE channel = ?1 AND sender = ?2 AND revoked_at IS NOT NULL)",
                params![channel.as_str(), sender.as_str()],
                |row| row.get(0),
            )
        })
        .await
    }

    /// Whether any sender of any channel was ever this person.
    pub async fn was_ever_paired(&self, actor: &ActorId) -> Result<bool, StoreError> {
        let actor = actor.clone();
        self.read("ever paired?", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM identities WHERE actor = ?1)",
                [actor.as_str()],
                |row| row.get(0),
            )
        })
        .await
    }

    /// Whether any sender of this channel belongs to this person.
    pub async fn is_paired(&self, channel: ChannelKind, actor: &ActorId) -> Result<bool, StoreError> {
        let actor = actor.clone();
        self.read("paired?", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM identities WHERE channel = ?1 AND actor = ?2 AND revoked_at IS NULL)",
                params![channel.as_str(), actor.as_str()],
                |row| row.get(0),
            )
        })
        .await
    }

    /// Changes how much may run without asking.
    pub async fn set_autonomy(&self, actor: &ActorId, autonomy: Autonomy) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("set autonomy", move |tx| {
            tx.execute(
                "UPDATE actors SET autonomy = ?2 WHERE id = ?1",
                params![actor.as_str(), autonomy.as_str()],
            )
            .map(drop)
        })
        .await
    }

    /// Changes the language we answer in.
    pub async fn set_lang(&self, actor: &ActorId, lang: Lang) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("set language", move |tx| {
            tx.execute(
                "UPDATE actors SET lang = ?2 WHERE id = ?1",
                params![actor.as_str(), lang.code()],
            )
            .map(drop)
        })
        .await
    }

    /// Keeps a new pairing code.
    pub async fn add_pairing_code(&self, code: PairingCode) -> Result<(), StoreError> {
        self.write("add pairing code", move |tx| {
            tx.execute(
                "INSERT INTO pairing_codes (code_hash, actor, expires_at, signature) VALUES (?1, ?2, ?3, ?4)",
                params![
                    code.hash,
                    code.actor.as_ref().map(ActorId::as_str),
                    code.expires_ms,
                    code.signature
                ],
            )
            .map(drop)
        })
        .await
    }

    /// A code by its hash, used or not.
    pub async fn pairing_code(&self, hash: &str) -> Result<Option<PairingCode>, StoreError> {
        let hash = hash.to_owned();
        self.read("pairing code", move |connection| {
            connection
                .query_row(
                    "SELECT code_hash, actor, expires_at, signature FROM pairing_codes WHERE code_hash = ?1",
                    [hash],
                    |row| {
                        Ok(PairingCode {
                            hash: row.get(0)?,
                            actor: row.get::<_, Option<String>>(1)?.map(ActorId::from),
                            expires_ms: row.get(2)?,
                            signature: row.get(3)?,
                        })
                    },
                )
                .optional()
        })
        .await
    }

    /// Uses up a pairing code and pairs a sender with whom it is for, who is added if they are new; or does nothing.
    pub async fn pair_with_code(
        &self,
        channel: ChannelKind,
        sender: &SenderId,
        actor: &Actor,
        code: &PairingCode,
        now_ms: i64,
    ) -> Result<CodeUse, StoreError> {
        let (sender, actor, code) = (sender.clone(), actor.clone(), code.clone());
        let used = self.write("pair with a code", move |tx| {
            let used = tx.execute(
                "UPDATE pairing_codes SET used_at = ?2
                 WHERE code_hash = ?1 AND used_at IS NULL AND expires_at > ?2 AND expires_at = ?3 AND actor IS ?4",
                params![
                    code.hash,
                    now_ms,
                    code.expires_ms,
                    code.actor.as_ref().map(ActorId::as_str)
                ],
            )?;
            if used != 1 {
                return Ok(CodeUse::Unknown);
            }
            // Somebody known who is gone meanwhile does not come back this way.
            if code.actor.is_none() {
                add_actor(tx, &actor, now_ms)?;
            }
            pair(tx, channel, &sender, &actor.id, now_ms)?;
            Ok(CodeUse::Accepted)
        });
        let used = used.await?;
        self.wake_scheduler(now_ms);
        Ok(used)
    }

    /// Whether a code can still be used.
    pub async fn is_code_open(&self, hash: &str, now_ms: i64) -> Result<bool, StoreError> {
        let hash = hash.to_owned();
        self.read("open code?", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM pairing_codes
                                WHERE code_hash = ?1 AND used_at IS NULL AND expires_at > ?2)",
                params![hash, now_ms],
                |row| row.get(0),
            )
        })
        .await
    }

    /// Whether a pairing code waits to be used.
    pub async fn has_open_code(&self, now_ms: i64) -> Result<bool, StoreError> {
        self.read("open code?", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM pairing_codes WHERE used_at IS NULL AND expires_at > ?1)",
                [now_ms],
                |row| row.get(0),
            )
        })
        .await
    }

    /// Meets a sender nobody paired.
    pub async fn meet_stranger(
        &self,
        channel: ChannelKind,
        sender: &SenderId,
        now_ms: i64,
    ) -> Result<Stranger, StoreError> {
        let sender = sender.clone();
        self.write("meet stranger", move |tx| {
            let is_new = tx.execute(
                "INSERT INTO strangers (channel, sender, told_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                params![channel.as_str(), sender.as_str(), now_ms],
            )? == 1;
            tx.query_row(
                "SELECT tries, last_try_at FROM strangers WHERE channel = ?1 AND sender = ?2",
                params![channel.as_str(), sender.as_str()],
                |row| {
                    Ok(Stranger {
                        is_new,
                        tries: row.get(0)?,
                        last_try_ms: row.get(1)?,
                    })
                },
            )
        })
        .await
    }

    /// Counts a wrong code; `reset` starts the count again after the penalty is over.
    pub async fn count_wrong_code(
        &self,
        channel: ChannelKind,
        sender: &SenderId,
        now_ms: i64,
        reset: bool,
    ) -> Result<(), StoreError> {
        let sender = sender.clone();
        self.write("count wrong code", move |tx| {
            tx.execute(
                "UPDATE strangers SET tries = CASE WHEN ?4 THEN 1 ELSE tries + 1 END, last_try_at = ?3
                 WHERE channel = ?1 AND sender = ?2",
                params![channel.as_str(), sender.as_str(), now_ms, reset],
            )
            .map(drop)
        })
        .await
    }
}

pub(super) fn find_actor(connection: &Connection, id: &ActorId) -> rusqlite::Result<Option<Actor>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM actors a WHERE a.id = ?1"))?
        .query_row([id.as_str()], read_actor)
        .optional()
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Host => "host",
        Role::Guest => "guest",
    }
}

pub(super) fn read_actor(row: &Row<'_>) -> rusqlite::Result<Actor> {
    let role: String = row.get(1)?;
    let lang: String = row.get(3)?;
    let autonomy: String = row.get(5)?;
    Ok(Actor {
        id: ActorId::from(row.get::<_, String>(0)?),
        role: match role.as_str() {
            "host" => Role::Host,
            "guest" => Role::Guest,
            _ => return Err(unknown_word(&role)),
        },
        name: row.get(2)?,
        lang: Lang::from_code(&lang).ok_or_else(|| unknown_word(&lang))?,
        timezone: row.get(4)?,
        autonomy: Autonomy::parse(&autonomy).ok_or_else(|| unknown_word(&autonomy))?,
    })
}

/// Makes a sender this actor, whoever it was before, and lets both in again.
fn add_actor(tx: &rusqlite::Transaction<'_>, actor: &Actor, now_ms: i64) -> rusqlite::Result<()> {
    tx.execute(
        "INSERT INTO actors (id, role, name, lang, timezone, autonomy, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING",
        params![
            actor.id.as_str(),
            role_name(actor.role),
            actor.name,
            actor.lang.code(),
            actor.timezone,
            actor.autonomy.as_str(),
            now_ms
        ],
    )
    .map(drop)
}

fn pair(
    tx: &rusqlite::Transaction<'_>,
    channel: ChannelKind,
    sender: &SenderId,
    actor: &ActorId,
    now_ms: i64,
) -> rusqlite::Result<()> {
    tx.execute(
        "INSERT INTO identities (channel, sender, actor, paired_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (channel, sender) DO UPDATE SET actor = ?3, paired_at = ?4, revoked_at = NULL",
        params![channel.as_str(), sender.as_str(), actor.as_str(), now_ms],
    )?;
    tx.execute("UPDATE actors SET revoked_at = NULL WHERE id = ?1", [actor.as_str()])?;
    tx.execute(
        "DELETE FROM strangers WHERE channel = ?1 AND sender = ?2",
        params![channel.as_str(), sender.as_str()],
    )
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever is added has paired: nobody is left behind by a code that came to nothing.
    #[tokio::test]
    async fn a_code_adds_whom_it_pairs_or_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("db")).unwrap();
        let code = |actor: Option<&str>| PairingCode {
            hash: actor.unwrap_or("newcomer").to_owned(),
            actor: actor.map(ActorId::from),
            expires_ms: 1_000,
            signature: Vec::new(),
        };
        let guest = |id: &str| Actor {
            id: ActorId::from(id),
            role: Role::Guest,
            name: id.to_owned(),
            lang: Lang::IT,
            timezone: "UTC".to_owned(),
            autonomy: Autonomy::default(),
        };
        let sender = SenderId::from("7");
        store.add_pairing_code(code(None)).await.unwrap();
        let pair = |who: &str, code: PairingCode, now_ms| {
            let (store, sender, who) = (&store, &sender, guest(who));
            async move {
                store
                    .pair_with_code(ChannelKind::Telegram, sender, &who, &code, now_ms)
                    .await
            }
        };
        assert_eq!(pair("late", code(None), 1_000).await.unwrap(), CodeUse::Unknown);
        assert_eq!(store.actor(&ActorId::from("late")).await.unwrap(), None);
        assert_eq!(pair("anna", code(None), 999).await.unwrap(), CodeUse::Accepted);
        assert_eq!(
            store.actor_of(ChannelKind::Telegram, &sender).await.unwrap(),
            Some(guest("anna"))
        );
        assert_eq!(
            pair("luca", code(None), 999).await.unwrap(),
            CodeUse::Unknown,
            "used up"
        );
        assert_eq!(store.people().await.unwrap().len(), 1);

        let again = code(Some("anna"));
        store.add_pairing_code(again.clone()).await.unwrap();
        store
            .write("test", |tx| {
                tx.execute("DELETE FROM identities", [])
                    .and_then(|_| tx.execute("DELETE FROM actors", []))
            })
            .await
            .unwrap();
        assert!(pair("anna", again, 999).await.is_err(), "an erased person comes back");
        assert_eq!(store.people().await.unwrap().len(), 0);
    }
}
