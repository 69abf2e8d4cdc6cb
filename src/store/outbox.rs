//! Answers on their way to people, and what their buttons mean. Written at the end of a turn and by `runtime::outbox`.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, from_json, people, to_json, unknown_word, unreadable};
use crate::domain::{
    delivery::{Delivery, Parcel},
    ids::{ActorId, CallbackToken, ChannelKind, ConversationId, DialogId, MessageId, OutboxId, TurnId},
    lang::Lang,
    reply::{ButtonKind, TaskButton},
};

/// A parcel to be delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewParcel {
    /// Through which channel.
    pub channel: ChannelKind,
    /// To which conversation.
    pub conversation: ConversationId,
    /// The turn it ends.
    pub turn: Option<TurnId>,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// What.
    pub parcel: Parcel,
    /// Not before this moment, in milliseconds since 1970, and nothing waits behind it; 0 for at once.
    pub held_until_ms: i64,
}

impl NewParcel {
    /// Something that answers no message and ends no turn.
    pub fn new(channel: ChannelKind, conversation: ConversationId, parcel: Parcel) -> Self {
        Self {
            channel,
            conversation,
            turn: None,
            reply_to: None,
            parcel,
            held_until_ms: 0,
        }
    }
}

/// What a button does, as kept behind its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// What the channel sends back.
    pub token: CallbackToken,
    /// Who may tap it.
    pub actor: ActorId,
    /// The turn whose answer it stands under.
    pub turn: TurnId,
    /// What it means.
    pub kind: ButtonKind,
    /// The dialog it answers, for approvals.
    pub dialog: Option<DialogId>,
}

/// How a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// Arrived.
    Delivered,
    /// May have arrived; not sent again.
    Uncertain,
    /// Will never arrive.
    Failed,
}

/// Answers for somebody who is let in that did not arrive on a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// What they are called.
    pub name: String,
    /// Where.
    pub channel: ChannelKind,
    /// Tried in vain; they are brought when the channel can be reached.
    pub waiting: u32,
    /// When the oldest of those was given, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Refused for good.
    pub refused: u32,
}

impl Store {
    /// Adds a parcel outside a turn's end, such as new buttons after a tap.
    pub async fn outbox_add(&self, parcel: NewParcel, owner: Option<&ActorId>, now_ms: i64) -> Result<(), StoreError> {
        let owner = owner.cloned();
        self.write("add to outbox", move |tx| add(tx, &parcel, owner.as_ref(), now_ms))
            .await
    }

    /// Deliveries that are due, the oldest of each conversation only, so that order is kept. One that can no longer be
    /// read has failed: the next one of its conversation is due.
    pub async fn outbox_due(&self, channel: ChannelKind, now_ms: i64) -> Result<Vec<Delivery>, StoreError> {
        loop {
            let (due, unreadable) = self.outbox_look(channel, now_ms).await?;
            if unreadable.is_empty() {
                return Ok(due);
            }
            let end = "UPDATE outbox SET state = 'failed', parcel = '' WHERE id = ?1";
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
            let one = "SELECT id, conversation, reply_to, turn, unsealed(parcel), sent_parts FROM outbox WHERE id = ?1";
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
                "UPDATE outbox SET sent_parts = ?2 WHERE id = ?1",
                params![id.0, to_json(&parts)?],
            )
            .map(drop)
        })
        .await
    }

    /// Commits how a delivery ended. Its words were the person's to read, and are needed no more.
    pub async fn outbox_end(&self, id: OutboxId, state: DeliveryState) -> Result<(), StoreError> {
        self.write("end delivery", move |tx| {
            let word = match state {
                DeliveryState::Delivered => "delivered",
                DeliveryState::Uncertain => "uncertain",
                DeliveryState::Failed => "failed",
            };
            tx.prepare_cached("UPDATE outbox SET state = ?2, parcel = '' WHERE id = ?1")?
                .execute(params![id.0, word])
                .map(drop)
        })
        .await
    }

    /// Postpones a delivery, if its row is still there: its person may be erased by now.
    pub async fn outbox_postpone(&self, id: OutboxId, not_before_ms: i64) -> Result<(), StoreError> {
        self.write("postpone delivery", move |tx| {
            tx.execute(
                "UPDATE outbox SET not_before = ?2, attempts = attempts + 1 WHERE id = ?1",
                params![id.0, not_before_ms],
            )
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

    /// The answers that did not arrive, as far as they are not forgotten, by person and channel.
    pub async fn undelivered(&self) -> Result<Vec<Undelivered>, StoreError> {
        self.read("undelivered answers", |connection| {
            let mut statement = connection.prepare(
                "SELECT a.name, o.channel, count(*) FILTER (WHERE o.state = 'waiting'),
                        min(o.created_at) FILTER (WHERE o.state = 'waiting'),
                        count(*) FILTER (WHERE o.state = 'failed')
                 FROM outbox o JOIN actors a ON a.id = o.actor AND a.revoked_at IS NULL
                 WHERE (o.state = 'failed' OR o.state = 'waiting' AND o.attempts > 0)
                   AND EXISTS (SELECT 1 FROM identities i
                               WHERE i.actor = a.id AND i.channel = o.channel AND i.revoked_at IS NULL)
                 GROUP BY a.id, o.channel ORDER BY a.created_at, a.rowid, o.channel",
            )?;
            let undelivered = statement.query_map([], |row| {
                let channel: String = row.get(1)?;
                Ok(Undelivered {
                    name: row.get(0)?,
                    channel: ChannelKind::parse(&channel).ok_or_else(|| unknown_word(&channel))?,
                    waiting: row.get(2)?,
                    since_ms: row.get(3)?,
                    refused: row.get(4)?,
                })
            })?;
            undelivered.collect()
        })
        .await
    }

    /// The message that carries the buttons of a turn: the last part of its last delivered reply, if it surely arrived.
    pub async fn answer_message(&self, turn: &TurnId) -> Result<Option<MessageId>, StoreError> {
        let turn = turn.clone();
        self.read("answer message", move |connection| {
            let sent: Option<String> = connection
                .query_row(
                    "SELECT sent_parts FROM outbox WHERE turn = ?1 AND sent_parts <> '[]' ORDER BY id DESC LIMIT 1",
                    [turn.as_str()],
                    |row| row.get(0),
                )
                .optional()?;
            let parts: Vec<Option<MessageId>> = sent.map_or_else(|| Ok(Vec::new()), |json| from_json(&json))?;
            Ok(parts.into_iter().last().flatten())
        })
        .await
    }

    /// Where the answer of a turn was brought.
    pub async fn place_of_answer(&self, turn: &TurnId) -> Result<Option<(ChannelKind, ConversationId)>, StoreError> {
        let turn = turn.clone();
        self.read("place of answer", move |connection| {
            connection
                .query_row(
                    "SELECT channel, conversation FROM outbox WHERE turn = ?1 ORDER BY id DESC LIMIT 1",
                    [turn.as_str()],
                    read_place,
                )
                .optional()
        })
        .await
    }

    /// What a token means; `None` for one we never gave out.
    pub async fn callback(&self, token: &CallbackToken) -> Result<Option<Callback>, StoreError> {
        let token = token.clone();
        self.read("callback", move |connection| {
            connection
                .query_row(
                    "SELECT token, actor, turn, kind, dialog FROM callbacks WHERE token = ?1",
                    [token.as_str()],
                    read_callback,
                )
                .optional()
        })
        .await
    }

    /// The buttons of a turn, in the order they were made.
    pub async fn callbacks_of(&self, turn: &TurnId) -> Result<Vec<Callback>, StoreError> {
        let turn = turn.clone();
        self.read("callbacks of turn", move |connection| {
            let mut statement = connection
                .prepare("SELECT token, actor, turn, kind, dialog FROM callbacks WHERE turn = ?1 ORDER BY rowid")?;
            statement.query_map([turn.as_str()], read_callback)?.collect()
        })
        .await
    }
}

/// Adds a parcel for its owner, unless they were locked out meanwhile; for nobody, while nobody knows the reader.
pub(super) fn add(
    tx: &Transaction<'_>,
    parcel: &NewParcel,
    owner: Option<&ActorId>,
    now_ms: i64,
) -> rusqlite::Result<()> {
    if let Some(owner) = owner
        && !people::is_let_in(tx, owner)?
    {
        return Ok(());
    }
    tx.prepare_cached(
        "INSERT INTO outbox (channel, conversation, turn, reply_to, parcel, created_at, actor, held_until)
         VALUES (?1, ?2, ?3, ?4, seal(?5), ?6, ?7, ?8)",
    )?
    .execute(params![
        parcel.channel.as_str(),
        parcel.conversation.as_str(),
        parcel.turn.as_ref().map(TurnId::as_str),
        parcel.reply_to.as_ref().map(MessageId::as_str),
        to_json(&parcel.parcel)?,
        now_ms,
        owner.map(ActorId::as_str),
        parcel.held_until_ms
    ])
    .map(drop)
}

pub(super) fn add_callback(tx: &Transaction<'_>, callback: &Callback, now_ms: i64) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO callbacks (token, actor, turn, kind, dialog, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        callback.token.as_str(),
        callback.actor.as_str(),
        callback.turn.as_str(),
        kind_name(callback.kind),
        callback.dialog.as_ref().map(DialogId::as_str),
        now_ms
    ])
    .map(drop)
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
    })
}

/// A channel and a conversation, the first two columns.
pub(super) fn read_place(row: &rusqlite::Row<'_>) -> rusqlite::Result<(ChannelKind, ConversationId)> {
    let channel: String = row.get(0)?;
    Ok((
        ChannelKind::parse(&channel).ok_or_else(|| unknown_word(&channel))?,
        ConversationId::from(row.get::<_, String>(1)?),
    ))
}

pub(super) fn read_callback(row: &rusqlite::Row<'_>) -> rusqlite::Result<Callback> {
    let kind: String = row.get(3)?;
    Ok(Callback {
        token: CallbackToken::from(row.get::<_, String>(0)?),
        actor: ActorId::from(row.get::<_, String>(1)?),
        turn: TurnId::from(row.get::<_, String>(2)?),
        kind: parse_kind(&kind).ok_or_else(|| unknown_word(&kind))?,
        dialog: row.get::<_, Option<String>>(4)?.map(DialogId::from),
    })
}

pub(super) fn kind_name(kind: ButtonKind) -> String {
    let numbered = |word: &str, field: u8| format!("{word}:{field}");
    match kind {
        ButtonKind::Confirm => "confirm".to_owned(),
        ButtonKind::Reject => "reject".to_owned(),
        ButtonKind::Retry => "retry".to_owned(),
        ButtonKind::Approve => "approve".to_owned(),
        ButtonKind::Refuse => "refuse".to_owned(),
        ButtonKind::Choose { field, option } => format!("choose:{field}:{option}"),
        ButtonKind::Done { field } => numbered("done", field),
        ButtonKind::Cancel { field } => numbered("cancel", field),
        ButtonKind::Task(button) => format!("task:{}", button.as_str()),
        ButtonKind::Keep => "keep".to_owned(),
        ButtonKind::Unlearn => "unlearn".to_owned(),
    }
}

pub(super) fn parse_kind(word: &str) -> Option<ButtonKind> {
    let mut parts = word.split(':');
    let name = parts.next()?;
    let mut number = || parts.next()?.parse::<u8>().ok();
    if let Some(word) = word.strip_prefix("task:") {
        let button = TaskButton::ALL.into_iter().find(|button| button.as_str() == word);
        return button.map(ButtonKind::Task);
    }
    match name {
        "confirm" => Some(ButtonKind::Confirm),
        "reject" => Some(ButtonKind::Reject),
        "retry" => Some(ButtonKind::Retry),
        "approve" => Some(ButtonKind::Approve),
        "refuse" => Some(ButtonKind::Refuse),
        "keep" => Some(ButtonKind::Keep),
        "unlearn" => Some(ButtonKind::Unlearn),
        "choose" => Some(ButtonKind::Choose {
            field: number()?,
            option: number()?,
        }),
        "done" => Some(ButtonKind::Done { field: number()? }),
        "cancel" => Some(ButtonKind::Cancel { field: number()? }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_button_is_kept_as_it_is() {
        for kind in [
            ButtonKind::Confirm,
            ButtonKind::Reject,
            ButtonKind::Retry,
            ButtonKind::Approve,
            ButtonKind::Refuse,
            ButtonKind::Choose { field: 2, option: 17 },
            ButtonKind::Done { field: 0 },
            ButtonKind::Cancel { field: 29 },
            ButtonKind::Task(TaskButton::Later),
            ButtonKind::Task(TaskButton::GoOn),
        ] {
            assert_eq!(parse_kind(&kind_name(kind)), Some(kind));
        }
        assert_eq!(parse_kind("choose:1"), None);
    }
}
