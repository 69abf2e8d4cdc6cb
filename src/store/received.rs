//! Files that people sent and that were kept, by the message they came with. Written by `runtime::files` only; the
//! files themselves lie in the person's own folder.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError, people};
use crate::domain::{
    ids::{ActorId, ChannelKind, ConversationId, InboxId},
    inbound::Inbound,
};

impl Store {
    /// What came with a message was words and no file: nothing speaks of it as one.
    pub async fn file_forgotten(&self, inbox: InboxId) -> Result<(), StoreError> {
        self.write("forget a received file", move |tx| {
            tx.execute("DELETE FROM received_files WHERE inbox = ?1", params![inbox.0])?;
            Ok(())
        })
        .await
    }

    /// Notes where the file of a message lies, absolute; `false` when its person was locked out while it came.
    pub async fn file_received(
        &self,
        inbox: InboxId,
        actor: &ActorId,
        inbound: &Inbound,
        path: &str,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let (actor, path) = (actor.clone(), path.to_owned());
        let (channel, conversation) = (inbound.channel, inbound.conversation.clone());
        self.write("note a received file", move |tx| {
            if !people::is_let_in(tx, &actor)? {
                return Ok(false);
            }
            tx.execute(
                "INSERT INTO received_files (inbox, actor, channel, conversation, path, received_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (inbox) DO UPDATE SET path = ?5",
                params![
                    inbox.0,
                    actor.as_str(),
                    channel.as_str(),
                    conversation.as_str(),
                    path,
                    now_ms
                ],
            )?;
            Ok(true)
        })
        .await
    }

    /// Whether another file of this album came after this message and waits for its turn.
    pub async fn album_goes_on(&self, inbox: InboxId, inbound: &Inbound, album: &str) -> Result<bool, StoreError> {
        let (channel, conversation, album) = (inbound.channel, inbound.conversation.clone(), album.to_owned());
        self.read("rest of an album", move |connection| {
            connection
                .prepare_cached(
                    "SELECT 1 FROM inbox WHERE channel = ?1 AND conversation = ?2 AND album = ?3 AND id > ?4
                       AND state <> 'done'",
                )?
                .exists(params![channel.as_str(), conversation.as_str(), album, inbox.0])
        })
        .await
    }

    /// Notes which album the file of this message belongs to, with the words that came with it.
    pub async fn album_add(&self, inbox: InboxId, album: &str, caption: &str) -> Result<(), StoreError> {
        let (album, caption) = (album.to_owned(), caption.to_owned());
        self.write("file of an album", move |tx| {
            tx.execute(
                "UPDATE received_files SET album = ?2, caption = seal(?3) WHERE inbox = ?1",
                params![inbox.0, album, caption],
            )
            .map(drop)
        })
        .await
    }

    /// The files of an album that this message answers for, oldest first, with the words that came with them: all that
    /// were kept and that no message before answered for.
    pub async fn album(
        &self,
        inbox: InboxId,
        actor: &ActorId,
        album: &str,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let (actor, album) = (actor.clone(), album.to_owned());
        self.write("an album", move |tx| {
            tx.execute(
                "UPDATE received_files SET answered_with = ?1
                 WHERE actor = ?2 AND album = ?3 AND answered_with IS NULL
                   AND (channel, conversation) = (SELECT channel, conversation FROM inbox WHERE id = ?1)",
                params![inbox.0, actor.as_str(), album],
            )?;
            let mut statement = tx.prepare_cached(
                "SELECT path, unsealed(caption) FROM received_files WHERE answered_with = ?1 AND actor = ?2 ORDER BY inbox",
            )?;
            let rows = statement.query_map(params![inbox.0, actor.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
        .await
    }

    /// Where the file of this very message was put, if it was.
    pub async fn received_file(&self, inbox: InboxId, actor: &ActorId) -> Result<Option<String>, StoreError> {
        let actor = actor.clone();
        self.read("received file", move |connection| {
            connection
                .query_row(
                    "SELECT path FROM received_files WHERE inbox = ?1 AND actor = ?2",
                    params![inbox.0, actor.as_str()],
                    |row| row.get(0),
                )
                .optional()
        })
        .await
    }

    /// The files a person sent in a conversation since a moment, oldest first.
    pub async fn received_since(
        &self,
        actor: &ActorId,
        channel: ChannelKind,
        conversation: &ConversationId,
        since_ms: i64,
    ) -> Result<Vec<String>, StoreError> {
        let (actor, conversation) = (actor.clone(), conversation.clone());
        self.read("recently received files", move |connection| {
            let mut statement = connection.prepare(
                "SELECT path FROM received_files
                 WHERE actor = ?1 AND channel = ?2 AND conversation = ?3 AND received_at >= ?4 ORDER BY inbox",
            )?;
            let rows = statement.query_map(
                params![actor.as_str(), channel.as_str(), conversation.as_str(), since_ms],
                |row| row.get(0),
            )?;
            rows.collect()
        })
        .await
    }
}
