//! What becomes of a delivery on its way: it is due, a send of it begins, its parts arrive, it comes later, it ends, or
//! an answer that may not have arrived is kept and sent again when its person asks for it. Called by `runtime::outbox`
//! and `runtime::notices`. A begun send is in the row, so that a start finds what the process died in.

use rusqlite::{OptionalExtension, params};

use super::{Callback, NewParcel, Store, StoreError, add, add_callback, from_json, read_place, to_json, unknown_word};
use crate::{
    domain::{
        delivery::{Delivery, Promise},
        ids::{ActorId, ChannelKind, ConversationId, MessageId, OutboxId, TurnId},
        lang::Lang,
        limits::BROKEN_SENDS_WOKEN_MAX,
    },
    store::unreadable,
};

/// How a delivery ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// Arrived.
    Delivered,
    /// May have arrived, and there is nobody to offer it to.
    Uncertain,
    /// Will never arrive.
    Failed,
}

/// A delivery of which nobody knows whether it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenOff {
    /// Through which channel.
    pub channel: ChannelKind,
    /// In which conversation.
    pub conversation: ConversationId,
    /// Whose it is.
    pub owner: Option<ActorId>,
    /// Their language.
    pub lang: Option<Lang>,
    /// What is promised of it.
    pub promise: Promise,
    /// The words it answers; empty for none.
    pub about: String,
}

impl Store {
    /// Deliveries that are due, the oldest of each conversation only, so that order is kept. One that can no longer be
    /// read has failed: the next one of its conversation is due.
    pub async fn outbox_due(&self, channel: ChannelKind, now_ms: i64) -> Result<Vec<Delivery>, StoreError> {
        loop {
            let (due, unreadable) = self.outbox_look(channel, now_ms).await?;
            if unreadable.is_empty() {
                return Ok(due);
            }
            let end = "UPDATE outbox SET state = 'failed', parcel = '', about = '' WHERE id = ?1 AND state = 'waiting'";
            self.end_unreadable("outbox", end, unreadable).await?;
        }
    }

    async fn outbox_look(&self, channel: ChannelKind, now_ms: i64) -> Result<(Vec<Delivery>, Vec<i64>), StoreError> {
        self.read("due outbox", move |connection| {
            let which = "SELECT id FROM outbox o WHERE channel = ?1 AND state = 'waiting' AND not_before <= ?2
                           AND held_until <= ?2
                           AND id = (SELECT min(id) FROM outbox x WHERE x.channel = ?1
                                     AND x.conversation = o.conversation AND x.state = 'waiting' AND x.held_until <= ?2)
                         ORDER BY id";
            let one = "SELECT id, conversation, reply_to, turn, unsealed(parcel), sent_parts, promise, begun, runs
                       FROM outbox WHERE id = ?1";
            unreadable::read_each(
                connection,
                (which, params![channel.as_str(), now_ms]),
                one,
                read_delivery,
            )
        })
        .await
    }

    /// The language of whom a delivery is for; `None` for somebody we do not know.
    pub async fn outbox_lang(&self, id: OutboxId) -> Result<Option<Lang>, StoreError> {
        self.read("language of a delivery", move |connection| {
            let code: Option<String> = connection
                .prepare_cached("SELECT a.lang FROM outbox o JOIN actors a ON a.id = o.actor WHERE o.id = ?1")?
                .query_row([id.0], |row| row.get(0))
                .optional()?;
            Ok(code.and_then(|code| Lang::from_code(&code)))
        })
        .await
    }

    /// When the next postponed delivery of a channel is due, in milliseconds since 1970.
    pub async fn outbox_next_due(&self, channel: ChannelKind, now_ms: i64) -> Result<Option<i64>, StoreError> {
        self.read("next due", move |connection| {
            connection.query_row(
                "SELECT min(max(not_before, held_until)) FROM outbox
                 WHERE channel = ?1 AND state = 'waiting' AND max(not_before, held_until) > ?2",
                params![channel.as_str(), now_ms],
                |row| row.get(0),
            )
        })
        .await
    }

    /// Commits that the next part of a reply is about to be sent by a channel that could not tell it from a second one.
    /// Unless this is written, it must not be sent.
    pub async fn outbox_begin(&self, id: OutboxId) -> Result<(), StoreError> {
        self.write("begin to send", move |tx| {
            tx.prepare_cached("UPDATE outbox SET begun = 1 WHERE id = ?1")?
                .execute([id.0])
                .map(drop)
        })
        .await
    }

    /// Commits all parts of a reply that arrived so far, or may have (`None`); it may be said twice.
    pub async fn outbox_parts(&self, id: OutboxId, parts: Vec<Option<MessageId>>) -> Result<(), StoreError> {
        self.write("outbox parts", move |tx| {
            // A message that showed progress became part of the answer.
            for part in parts.iter().flatten() {
                tx.prepare_cached(
                    "DELETE FROM progress WHERE message = ?2 AND (channel, conversation) =
                     (SELECT channel, conversation FROM outbox WHERE id = ?1)",
                )?
                .execute(params![id.0, part.as_str()])?;
            }
            tx.execute(
                "UPDATE outbox SET sent_parts = ?2, begun = 0 WHERE id = ?1",
                params![id.0, to_json(&parts)?],
            )
            .map(drop)
        })
        .await
    }

    /// Commits how a delivery ended, unless it ended before. Its words were the person's to read, and are needed no
    /// more.
    pub async fn outbox_end(&self, id: OutboxId, state: DeliveryState) -> Result<(), StoreError> {
        self.write("end delivery", move |tx| {
            let word = match state {
                DeliveryState::Delivered => "delivered",
                DeliveryState::Uncertain => "uncertain",
                DeliveryState::Failed => "failed",
            };
            tx.prepare_cached(
                "UPDATE outbox SET state = ?2, parcel = '', about = '', begun = 0 WHERE id = ?1 AND state = 'waiting'",
            )?
            .execute(params![id.0, word])
            .map(drop)
        })
        .await
    }

    /// Commits that an answer may not have arrived: it is kept, and the notice that offers it goes out.
    pub async fn outbox_offer(
        &self,
        id: OutboxId,
        notice: NewParcel,
        button: Callback,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.write("offer an answer", move |tx| {
            let ended = tx
                .prepare_cached("UPDATE outbox SET state = 'uncertain', begun = 0 WHERE id = ?1 AND state = 'waiting'")?
                .execute([id.0])?;
            if ended == 0 {
                return Ok(());
            }
            add(tx, &notice, Some(&button.actor), now_ms)?;
            add_callback(tx, &button, now_ms)
        })
        .await
    }

    /// What is known of a delivery whose sending broke off; `None` once it is over or erased.
    pub async fn broken_off(&self, id: OutboxId) -> Result<Option<BrokenOff>, StoreError> {
        self.read("delivery that broke off", move |connection| {
            connection
                .prepare_cached(
                    "SELECT o.channel, o.conversation, o.actor, a.lang, o.promise, unsealed(o.about)
                     FROM outbox o LEFT JOIN actors a ON a.id = o.actor WHERE o.id = ?1 AND o.state = 'waiting'",
                )?
                .query_row([id.0], |row| {
                    let (channel, conversation) = read_place(row)?;
                    let lang: Option<String> = row.get(3)?;
                    Ok(BrokenOff {
                        channel,
                        conversation,
                        owner: row.get::<_, Option<String>>(2)?.map(ActorId::from),
                        lang: lang.and_then(|code| Lang::from_code(&code)),
                        promise: read_promise(&row.get::<_, String>(4)?)?,
                        about: row.get(5)?,
                    })
                })
                .optional()
        })
        .await
    }

    /// Sends an answer again that may not have arrived; `false` when that was done before, or it is kept no more.
    pub async fn outbox_resend(&self, id: OutboxId, actor: &ActorId, now_ms: i64) -> Result<bool, StoreError> {
        let actor = actor.clone();
        self.write("send an answer again", move |tx| {
            let added = tx
                .prepare_cached(
                    "INSERT INTO outbox (channel, conversation, turn, reply_to, parcel, created_at, actor, promise, about)
                     SELECT channel, conversation, turn, reply_to, parcel, ?3, actor, promise, about FROM outbox
                     WHERE id = ?1 AND actor = ?2 AND state = 'uncertain' AND parcel <> ''",
                )?
                .execute(params![id.0, actor.as_str(), now_ms])?;
            tx.prepare_cached("UPDATE outbox SET parcel = '', about = '' WHERE id = ?1 AND ?2 > 0")?
                .execute(params![id.0, added])?;
            Ok(added > 0)
        })
        .await
    }

    /// Postpones a delivery that surely did not arrive, if its row is still there: its person may be erased by now.
    /// `backs_off` when nobody asked for the pause.
    pub async fn outbox_postpone(&self, id: OutboxId, not_before_ms: i64, backs_off: bool) -> Result<(), StoreError> {
        self.write("postpone delivery", move |tx| {
            tx.execute(
                "UPDATE outbox SET not_before = ?2, attempts = attempts + 1, begun = 0, backs_off = ?3 WHERE id = ?1",
                params![id.0, not_before_ms, backs_off],
            )
            .map(drop)
        })
        .await
    }

    /// Postpones a delivery that may have arrived and is sent again all the same: what was begun stays so.
    pub async fn outbox_postpone_broken(&self, id: OutboxId, not_before_ms: i64) -> Result<(), StoreError> {
        self.write("postpone a copy", move |tx| {
            tx.execute(
                "UPDATE outbox SET not_before = ?2, attempts = attempts + 1, backs_off = 1 WHERE id = ?1",
                params![id.0, not_before_ms],
            )
            .map(drop)
        })
        .await
    }

    /// The way is open: what waits by itself on this channel is due. Nothing that was told to wait, and no copy of what
    /// broke off again and again.
    pub async fn outbox_hurry(&self, channel: ChannelKind) -> Result<(), StoreError> {
        self.write("hurry the outbox", move |tx| {
            tx.prepare_cached(
                "UPDATE outbox SET not_before = 0, backs_off = 0
                 WHERE channel = ?1 AND state = 'waiting' AND backs_off = 1 AND (begun = 0 OR attempts <= ?2)",
            )?
            .execute(params![channel.as_str(), BROKEN_SENDS_WOKEN_MAX])
            .map(drop)
        })
        .await
    }

    /// How often a delivery was tried.
    pub async fn outbox_attempts(&self, id: OutboxId) -> Result<u32, StoreError> {
        self.read("delivery attempts", move |connection| {
            let attempts = connection
                .query_row("SELECT attempts FROM outbox WHERE id = ?1", [id.0], |row| row.get(0))
                .optional()?;
            Ok(attempts.unwrap_or_default())
        })
        .await
    }
}

fn read_delivery(row: &rusqlite::Row<'_>) -> rusqlite::Result<Delivery> {
    let parcel: String = row.get(4)?;
    let sent_parts: String = row.get(5)?;
    Ok(Delivery {
        id: OutboxId(row.get(0)?),
        conversation: ConversationId::from(row.get::<_, String>(1)?),
        reply_to: row.get::<_, Option<String>>(2)?.map(MessageId::from),
        turn: row.get::<_, Option<String>>(3)?.map(TurnId::from),
        parcel: from_json(&parcel)?,
        sent_parts: from_json(&sent_parts)?,
        promise: read_promise(&row.get::<_, String>(6)?)?,
        is_broken: row.get(7)?,
        runs: row.get(8)?,
    })
}

fn read_promise(word: &str) -> rusqlite::Result<Promise> {
    Promise::parse(word).ok_or_else(|| unknown_word(word))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::{delivery::Parcel, reply::Reply};

    /// Rows are delivered by one task while another looks, as channels do: none of them looks unreadable for that.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_row_that_is_delivered_between_two_looks_is_no_unreadable_one() {
        const ROWS: i64 = 1_500;
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("db")).unwrap());
        for number in 0..ROWS {
            let conversation = ConversationId::from(format!("{number}"));
            let parcel = Parcel::Reply(Reply::text("x"));
            let parcel = NewParcel::new(ChannelKind::Telegram, conversation, parcel);
            store.outbox_add(parcel, None, 0).await.unwrap();
        }
        let ending = Arc::clone(&store);
        let ended = tokio::spawn(async move {
            for id in 1..=ROWS {
                ending.outbox_end(OutboxId(id), DeliveryState::Delivered).await.unwrap();
            }
        });
        while !ended.is_finished() {
            store.outbox_due(ChannelKind::Telegram, 1).await.unwrap();
        }
        let failed = store.read("test", |connection| {
            let sql = "SELECT count(*) FROM outbox WHERE state <> 'delivered'";
            connection.query_row(sql, [], |row| row.get::<_, i64>(0))
        });
        assert_eq!(failed.await.unwrap(), 0);
    }
}
