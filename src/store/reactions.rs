//! Reactions that acted as buttons, and which buttons stand under a message. Written by `runtime::signs` only.

use rusqlite::{OptionalExtension, params};

use super::{
    Store, StoreError,
    outbox::{Callback, kind_name, parse_kind, read_callback},
    unknown_word,
};
use crate::domain::{
    ids::{ActorId, ChannelKind, ConversationId, MessageId, TurnId},
    reply::ButtonKind,
};

/// A reaction that acted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Where.
    pub channel: ChannelKind,
    /// Where in the channel.
    pub conversation: ConversationId,
    /// The reaction itself.
    pub message: MessageId,
    /// Whose.
    pub actor: ActorId,
    /// The turn it judges.
    pub turn: TurnId,
    /// The button it stands for.
    pub kind: ButtonKind,
}

/// The last answer of a conversation that has buttons, or the one a message belongs to.
const UNDER: &str = "SELECT c.token, c.actor, c.turn, c.kind, c.dialog FROM callbacks c WHERE c.turn = (
        SELECT o.turn FROM outbox o
        WHERE o.channel = ?1 AND o.conversation = ?2 AND o.turn IN (SELECT turn FROM callbacks)
          AND CASE WHEN ?3 IS NULL THEN o.sent_parts <> '[]'
                   ELSE EXISTS (SELECT 1 FROM json_each(o.sent_parts) WHERE value = ?3) END
        ORDER BY o.id DESC LIMIT 1)";

impl Store {
    /// The buttons under a message of ours; without a message, those under the last answer that has any.
    pub async fn buttons_under(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        message: Option<&MessageId>,
    ) -> Result<Vec<Callback>, StoreError> {
        let (conversation, message) = (conversation.clone(), message.cloned());
        self.read("buttons under", move |connection| {
            let mut statement = connection.prepare_cached(UNDER)?;
            let message = message.as_ref().map(MessageId::as_str);
            statement
                .query_map(params![channel.as_str(), conversation.as_str(), message], read_callback)?
                .collect()
        })
        .await
    }

    /// Whether a reaction acted before.
    pub async fn has_reacted(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<bool, StoreError> {
        let (conversation, message) = (conversation.clone(), message.clone());
        self.read("reacted?", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM reactions WHERE channel = ?1 AND conversation = ?2 AND message = ?3)",
                params![channel.as_str(), conversation.as_str(), message.as_str()],
                |row| row.get(0),
            )
        })
        .await
    }

    /// Remembers a reaction that acted.
    pub async fn add_reaction(&self, reaction: Reaction, now_ms: i64) -> Result<(), StoreError> {
        self.write("add reaction", move |tx| {
            tx.execute(
                "INSERT INTO reactions (channel, conversation, message, actor, turn, kind, at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
                params![
                    reaction.channel.as_str(),
                    reaction.conversation.as_str(),
                    reaction.message.as_str(),
                    reaction.actor.as_str(),
                    reaction.turn.as_str(),
                    kind_name(reaction.kind),
                    now_ms
                ],
            )
            .map(drop)
        })
        .await
    }

    /// A reaction that is gone now: what it stood for, if it acted and was this person's.
    pub async fn reaction(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        message: &MessageId,
        actor: &ActorId,
    ) -> Result<Option<(TurnId, ButtonKind)>, StoreError> {
        let (conversation, message, actor) = (conversation.clone(), message.clone(), actor.clone());
        self.read("reaction", move |connection| {
            connection
                .query_row(
                    "SELECT turn, kind FROM reactions
                     WHERE channel = ?1 AND conversation = ?2 AND message = ?3 AND actor = ?4",
                    params![
                        channel.as_str(),
                        conversation.as_str(),
                        message.as_str(),
                        actor.as_str()
                    ],
                    |row| {
                        let kind: String = row.get(1)?;
                        let kind = parse_kind(&kind).ok_or_else(|| unknown_word(&kind))?;
                        Ok((TurnId::from(row.get::<_, String>(0)?), kind))
                    },
                )
                .optional()
        })
        .await
    }

    /// Forgets a reaction; returns what the person's last other reaction to the same turn stands for.
    pub async fn forget_reaction(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        message: &MessageId,
        (actor, turn): (&ActorId, &TurnId),
    ) -> Result<Option<ButtonKind>, StoreError> {
        let (conversation, message) = (conversation.clone(), message.clone());
        let (actor, turn) = (actor.clone(), turn.clone());
        self.write("forget reaction", move |tx| {
            tx.execute(
                "DELETE FROM reactions WHERE channel = ?1 AND conversation = ?2 AND message = ?3",
                params![channel.as_str(), conversation.as_str(), message.as_str()],
            )?;
            let left: Option<String> = tx
                .query_row(
                    "SELECT kind FROM reactions WHERE actor = ?1 AND turn = ?2 ORDER BY rowid DESC LIMIT 1",
                    params![actor.as_str(), turn.as_str()],
                    |row| row.get(0),
                )
                .optional()?;
            Ok(left.as_deref().and_then(parse_kind))
        })
        .await
    }
}
