//! Files that people sent and that were kept, by the message they came with. Written by `runtime::files` only; the
//! files themselves lie in the person's own folder.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError, people};
use crate::domain::{
    ids::{ActorId, ChannelKind, ConversationId, InboxId},
    inbound::Inbound,
};

impl Store {
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
