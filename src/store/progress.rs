//! Where messages stand that show what a turn is doing, so that none is left behind when the process dies. A channel
//! notes each when it has sent it; it is forgotten when it became an answer or was taken away.

use rusqlite::params;

use super::{
    Store, StoreError,
    actors::find_actor,
    outbox::{self, NewParcel},
};
use crate::domain::{
    delivery::Parcel,
    ids::{ActorId, ChannelKind, ConversationId, MessageId, TurnId},
    lang::Lang,
};

impl Store {
    /// Notes that this message shows what a turn is doing.
    pub async fn progress_shown(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        turn: &TurnId,
        message: &MessageId,
    ) -> Result<(), StoreError> {
        let (conversation, turn, message) = (conversation.clone(), turn.clone(), message.clone());
        self.write("note progress", move |tx| {
            tx.execute(
                "INSERT INTO progress (channel, conversation, message, actor)
                 SELECT ?1, ?2, ?3, actor FROM inbox WHERE turn = ?4 AND actor IS NOT NULL
                 ON CONFLICT DO NOTHING",
                params![channel.as_str(), conversation.as_str(), message.as_str(), turn.as_str()],
            )
            .map(drop)
        })
        .await
    }

    /// The message is gone.
    pub async fn progress_gone(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<(), StoreError> {
        let (conversation, message) = (conversation.clone(), message.clone());
        self.write("forget progress", move |tx| {
            tx.execute(
                "DELETE FROM progress WHERE channel = ?1 AND conversation = ?2 AND message = ?3",
                params![channel.as_str(), conversation.as_str(), message.as_str()],
            )
            .map(drop)
        })
        .await
    }

    /// What a start finds: every such message is to be taken away, or to say these words in its owner's language.
    pub async fn retract_progress(
        &self,
        instead: impl Fn(Option<Lang>) -> String + Send + 'static,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.write("retract progress", move |tx| {
            let mut statement = tx.prepare("DELETE FROM progress RETURNING channel, conversation, message, actor")?;
            let rows = statement.query_map([], |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, String>(3)?,
                ))
            })?;
            for row in rows.collect::<rusqlite::Result<Vec<_>>>()? {
                let (channel, conversation, message, actor) = row;
                let Some(channel) = ChannelKind::parse(&channel) else {
                    continue;
                };
                let actor = ActorId::from(actor);
                let lang = find_actor(tx, &actor)?.map(|actor| actor.lang);
                let parcel = Parcel::Retract {
                    message: MessageId::from(message),
                    instead: instead(lang),
                };
                let parcel = NewParcel::new(channel, ConversationId::from(conversation), parcel);
                outbox::add(tx, &parcel, Some(&actor), now_ms)?;
            }
            Ok(())
        })
        .await
    }
}
