//! Answers on their way to people, and what their buttons mean. Written at the end of a turn and by `runtime::outbox`;
//! what becomes of one on its way is in `course`, what waits for the end of quiet hours in `together`.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, from_json, people, to_json, unknown_word};
use crate::domain::{
    delivery::{Parcel, Promise},
    ids::{ActorId, CallbackToken, ChannelKind, ConversationId, DialogId, MessageId, TaskId, TurnId},
    reply::{ButtonKind, TaskButton},
};

mod course;
mod together;

pub use course::{BrokenOff, DeliveryState};

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
    /// What follows when sending it breaks off.
    pub promise: Promise,
    /// The words it answers, shortened and without secrets, to name it by; empty for none.
    pub about: String,
    /// The task whose run it tells of: what waits for the end of quiet hours is one message a task.
    pub of_task: Option<OfTask>,
}

/// The task a parcel tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfTask {
    /// Which.
    pub id: TaskId,
    /// All its runs found is told, such as a watcher's news; else the last one is.
    pub keeps_all: bool,
}

impl NewParcel {
    /// Something that comes unasked: it answers no message and ends no turn.
    pub fn new(channel: ChannelKind, conversation: ConversationId, parcel: Parcel) -> Self {
        Self {
            channel,
            conversation,
            turn: None,
            reply_to: None,
            parcel,
            held_until_ms: 0,
            promise: Promise::AtLeastOnce,
            about: String::new(),
            of_task: None,
        }
    }

    /// The same as an answer, to be named by these words of the request.
    #[must_use]
    pub fn answering(self, about: impl Into<String>) -> Self {
        Self {
            promise: Promise::AtMostOnce,
            about: about.into(),
            ..self
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
    if together::joined(tx, parcel, owner, now_ms)? {
        return Ok(());
    }
    // Of a stranger's line there is nobody to offer it to.
    let promise = owner.map_or(Promise::AtLeastOnce, |_| parcel.promise);
    tx.prepare_cached(
        "INSERT INTO outbox (channel, conversation, turn, reply_to, parcel, created_at, actor, held_until, promise,
                             about, task)
         VALUES (?1, ?2, ?3, ?4, seal(?5), ?6, ?7, ?8, ?9, seal(?10), ?11)",
    )?
    .execute(params![
        parcel.channel.as_str(),
        parcel.conversation.as_str(),
        parcel.turn.as_ref().map(TurnId::as_str),
        parcel.reply_to.as_ref().map(MessageId::as_str),
        to_json(&parcel.parcel)?,
        now_ms,
        owner.map(ActorId::as_str),
        parcel.held_until_ms,
        promise.as_str(),
        parcel.about,
        parcel.of_task.as_ref().map(|task| task.id.as_str())
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
        ButtonKind::Amend => "amend".to_owned(),
        ButtonKind::Choose { field, option } => format!("choose:{field}:{option}"),
        ButtonKind::Done { field } => numbered("done", field),
        ButtonKind::Cancel { field } => numbered("cancel", field),
        ButtonKind::Task(button) => format!("task:{}", button.as_str()),
        ButtonKind::Resend => "resend".to_owned(),
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
        "amend" => Some(ButtonKind::Amend),
        "resend" => Some(ButtonKind::Resend),
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
            ButtonKind::Amend,
            ButtonKind::Choose { field: 2, option: 17 },
            ButtonKind::Done { field: 0 },
            ButtonKind::Cancel { field: 29 },
            ButtonKind::Task(TaskButton::Later),
            ButtonKind::Task(TaskButton::GoOn),
            ButtonKind::Resend,
        ] {
            assert_eq!(parse_kind(&kind_name(kind)), Some(kind));
        }
        assert_eq!(parse_kind("choose:1"), None);
    }
}
