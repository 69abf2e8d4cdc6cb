//! Messages that arrived, each kept once until its turn is committed. Written by `runtime::inbox` only.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError, from_json, people, to_json, unreadable};
use crate::{
    config::Secret,
    domain::{
        ids::{ActorId, ChannelKind, ConversationId, InboxId, MessageId, TurnId},
        inbound::{Inbound, InboundBody},
    },
};

/// A message that still needs an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its row.
    pub id: InboxId,
    /// What arrived.
    pub inbound: Inbound,
    /// The turn that was cut off, when the process died while it ran.
    pub cut_off: Option<TurnId>,
    /// How often a turn was begun for it.
    pub attempts: u32,
    /// Its person said stop, and the process died before it had its answer.
    pub stopped: bool,
    /// The password of a locked file that its turn is to use. It is in no row: it goes along in memory, and is gone
    /// with this message, however that ends.
    pub password: Option<Secret>,
}

impl Store {
    /// Keeps a message; `None` when it was kept before.
    pub async fn inbox_add(&self, inbound: &Inbound, now_ms: i64) -> Result<Option<InboxId>, StoreError> {
        let inbound = inbound.clone();
        self.write("add to inbox", move |tx| insert(tx, &inbound, now_ms)).await
    }

    /// Every message without an answer, oldest first: what a start finds. One that can no longer be read is over.
    pub async fn inbox_open(&self) -> Result<Vec<Waiting>, StoreError> {
        let reading = self.read("open inbox", |connection| {
            let which = "SELECT id FROM inbox WHERE state <> 'done' ORDER BY id";
            let one = "SELECT id, unsealed(inbound), state, turn, attempts, stopped FROM inbox WHERE id = ?1";
            unreadable::read_each(connection, (which, []), one, read_waiting)
        });
        let (open, unreadable): (_, Vec<i64>) = reading.await?;
        let end = "UPDATE inbox SET state = 'done', inbound = '' WHERE id = ?1 AND state <> 'done'";
        self.end_unreadable("inbox", end, unreadable).await?;
        Ok(open)
    }

    /// Whether a message has its answer, and everything said on the way there.
    pub async fn inbox_is_done(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<bool, StoreError> {
        let (conversation, message) = (conversation.clone(), message.clone());
        self.read("inbox is done", move |connection| {
            let open = connection
                .prepare_cached(
                    "SELECT 1 FROM inbox WHERE channel = ?1 AND conversation = ?2 AND message = ?3 AND state <> 'done'",
                )?
                .exists(params![channel.as_str(), conversation.as_str(), message.as_str()])?;
            Ok(!open)
        })
        .await
    }

    /// Takes a message in hand whose turn has come, in its last words: from now on nobody puts it otherwise, and who
    /// erases its person waits for it. `None` when it is over, such as that of somebody who was locked out meanwhile.
    pub async fn inbox_take(&self, id: InboxId) -> Result<Option<Inbound>, StoreError> {
        self.write("take from inbox", move |tx| {
            let json: Option<String> = tx
                .prepare_cached("SELECT unsealed(inbound) FROM inbox WHERE id = ?1 AND state <> 'done'")?
                .query_row([id.0], |row| row.get(0))
                .optional()?;
            tx.prepare_cached("UPDATE inbox SET state = 'running' WHERE id = ?1 AND state <> 'done'")?
                .execute([id.0])?;
            json.map(|json| from_json(&json)).transpose()
        })
        .await
    }

    /// Commits that a turn is about to run for a message of this person; unless this says yes, it must not. Nothing
    /// begins for somebody who was locked out, and nothing for a message that is over.
    pub async fn inbox_begin(&self, id: InboxId, turn: &TurnId, actor: &ActorId) -> Result<bool, StoreError> {
        let (turn, actor) = (turn.clone(), actor.clone());
        self.write("begin turn", move |tx| {
            if !people::is_let_in(tx, &actor)? {
                return Ok(false);
            }
            let begun = tx
                .prepare_cached(
                    "UPDATE inbox SET state = 'running', turn = ?2, attempts = attempts + 1
                     WHERE id = ?1 AND state <> 'done'",
                )?
                .execute(params![id.0, turn.as_str()])?;
            Ok(begun == 1)
        })
        .await
    }

    /// Commits that what runs for a message is to stop, and that what this was said in needs no answer of its own.
    pub async fn inbox_stop(&self, running: Option<InboxId>, said_in: Option<InboxId>) -> Result<(), StoreError> {
        self.write("stop turn", move |tx| {
            if let Some(running) = running {
                tx.execute(
                    "UPDATE inbox SET stopped = 1 WHERE id = ?1 AND state <> 'done'",
                    [running.0],
                )?;
            }
            said_in.map_or(Ok(()), |said_in| finish(tx, said_in))
        })
        .await
    }

    /// Where a channel's stream was confirmed up to.
    pub async fn cursor(&self, channel: ChannelKind) -> Result<Option<i64>, StoreError> {
        self.read("cursor", move |connection| {
            connection
                .query_row(
                    "SELECT value FROM cursors WHERE channel = ?1",
                    [channel.as_str()],
                    |row| row.get(0),
                )
                .optional()
        })
        .await
    }

    /// Remembers where a channel's stream was confirmed up to.
    pub async fn set_cursor(&self, channel: ChannelKind, value: i64) -> Result<(), StoreError> {
        self.write("set cursor", move |tx| {
            tx.execute(
                "INSERT INTO cursors (channel, value) VALUES (?1, ?2) ON CONFLICT (channel) DO UPDATE SET value = ?2",
                params![channel.as_str(), value],
            )
            .map(drop)
        })
        .await
    }
}

fn read_waiting(row: &rusqlite::Row<'_>) -> rusqlite::Result<Waiting> {
    let inbound: String = row.get(1)?;
    let state: String = row.get(2)?;
    let turn: Option<String> = row.get(3)?;
    Ok(Waiting {
        id: InboxId(row.get(0)?),
        inbound: from_json(&inbound)?,
        cut_off: turn.filter(|_| state == "running").map(TurnId::from),
        attempts: row.get(4)?,
        stopped: row.get(5)?,
        password: None,
    })
}

/// Adds a row unless the message was kept before.
pub(super) fn insert(
    tx: &rusqlite::Transaction<'_>,
    inbound: &Inbound,
    now_ms: i64,
) -> rusqlite::Result<Option<InboxId>> {
    let file = if let InboundBody::File(file) = &inbound.body {
        Some(file)
    } else {
        None
    };
    let album = file.and_then(|file| file.album.as_deref());
    let added = tx
        .prepare_cached(
            "INSERT INTO inbox (channel, conversation, message, inbound, received_at, album, actor)
             VALUES (?1, ?2, ?3, seal(?4), ?5, ?7, CASE ?1 WHEN 'terminal' THEN 'host' ELSE
                     (SELECT i.actor FROM identities i
                      WHERE i.channel = ?1 AND i.sender = ?6 AND i.revoked_at IS NULL) END)
             ON CONFLICT (channel, conversation, message) DO NOTHING",
        )?
        .execute(params![
            inbound.channel.as_str(),
            inbound.conversation.as_str(),
            inbound.message.as_str(),
            to_json(inbound)?,
            now_ms,
            inbound.sender.as_str(),
            album
        ])?;
    Ok((added == 1).then(|| InboxId(tx.last_insert_rowid())))
}

/// Whose message it is; `None` while nobody knows the sender.
pub(super) fn owner(tx: &rusqlite::Transaction<'_>, id: InboxId) -> rusqlite::Result<Option<ActorId>> {
    tx.prepare_cached("SELECT actor FROM inbox WHERE id = ?1")?
        .query_row([id.0], |row| row.get::<_, Option<String>>(0))
        .optional()
        .map(|owner| owner.flatten().map(ActorId::from))
}

/// The row stays, so that the message is known when it comes again; what was said goes, it may hold a secret.
pub(super) fn finish(tx: &rusqlite::Transaction<'_>, id: InboxId) -> rusqlite::Result<()> {
    tx.prepare_cached("UPDATE inbox SET state = 'done', inbound = '' WHERE id = ?1")?
        .execute([id.0])
        .map(drop)
}
