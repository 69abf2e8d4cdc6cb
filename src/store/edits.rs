//! Messages that their sender put otherwise, beside the rows of those they change. Written by `runtime::edits` only.
//! The name of an edit begins with `edit:`, the name of the message it changes and a colon.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{
    Store, StoreError, from_json,
    inbox::{self, Waiting},
    to_json,
};
use crate::domain::{
    ids::{ActorId, InboxId, MessageId, TurnId},
    inbound::{Inbound, InboundBody},
};

/// Whether a row, by this name, is one of the message `?3`, in a thread or not, or of an edit of it.
fn of_message(row: &str) -> String {
    format!(
        "({row}.message = ?3 OR substr({row}.message, 1, length(?3) + 1) = ?3 || ' '
          OR substr({row}.message, 1, length(?3) + 6) IN ('edit:' || ?3 || ':', 'edit:' || ?3 || ' '))"
    )
}

/// What became of an edit that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenEdit {
    /// It was kept before.
    Duplicate,
    /// What it changes waits no more: it is to be answered itself.
    Alone(InboxId),
    /// What it changes still waited, and has the new words; it will be taken in hand with them.
    InQueue(InboxId),
}

/// A message that was answered before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// Its request as it was noted; `None` when it was none, such as an answer to a question.
    pub request: Option<String>,
    /// The turn in which it made or changed things that are spoken of again, such as a reminder.
    pub touched_in: Option<TurnId>,
    /// Nothing was said after it.
    pub is_last: bool,
}

impl Store {
    /// Keeps an edit, and with it the new words of the message it changes, as long as nobody took that in hand. Then
    /// the edit itself needs no answer.
    pub async fn inbox_edit(&self, inbound: &Inbound, now_ms: i64) -> Result<TakenEdit, StoreError> {
        let inbound = inbound.clone();
        self.write("edit in inbox", move |tx| {
            let Some(edit) = inbox::insert(tx, &inbound, now_ms)? else {
                return Ok(TakenEdit::Duplicate);
            };
            Ok(match change(tx, &inbound, edit)? {
                Some(changed) => {
                    inbox::finish(tx, edit)?;
                    TakenEdit::InQueue(changed)
                }
                None => TakenEdit::Alone(edit),
            })
        })
        .await
    }

    /// What a person said before that an edit changes; `None` when nothing is known of it.
    pub async fn earlier_of(
        &self,
        edit: &Waiting,
        of: &MessageId,
        actor: &ActorId,
    ) -> Result<Option<Earlier>, StoreError> {
        let (channel, conversation) = (edit.inbound.channel, edit.inbound.conversation.clone());
        let (id, of, actor) = (edit.id, of.clone(), actor.clone());
        self.read("earlier of edit", move |connection| {
            connection
                // The last that had a turn: the same words once more had none.
                .prepare_cached(&format!(
                    "SELECT (SELECT request FROM turns WHERE turns.id = i.turn),
                            NOT EXISTS (SELECT 1 FROM inbox x WHERE x.channel = ?1 AND x.conversation = ?2
                                        AND x.id > i.id AND x.id < ?4 AND NOT {}
                                        AND (x.message NOT LIKE '%:%' OR x.message LIKE 'edit:%'
                                             OR x.message LIKE '$%')),
                            (SELECT id FROM turns WHERE turns.id = i.turn AND touched IS NOT NULL)
                     FROM inbox i WHERE i.channel = ?1 AND i.conversation = ?2 AND {} AND i.id < ?4 AND i.actor = ?5
                     ORDER BY i.turn IS NULL, i.id DESC LIMIT 1",
                    of_message("x"),
                    of_message("i")
                ))?
                .query_row(
                    params![
                        channel.as_str(),
                        conversation.as_str(),
                        of.as_str(),
                        id.0,
                        actor.as_str()
                    ],
                    |row| {
                        Ok(Earlier {
                            request: row.get(0)?,
                            is_last: row.get(1)?,
                            touched_in: row.get::<_, Option<String>>(2)?.map(TurnId::from),
                        })
                    },
                )
                .optional()
        })
        .await
    }
}

/// Puts the new words into the last row of the message, if it waits and is its sender's.
fn change(tx: &Transaction<'_>, edit: &Inbound, own: InboxId) -> rusqlite::Result<Option<InboxId>> {
    let InboundBody::Edited { of, text } = &edit.body else {
        return Ok(None);
    };
    let waiting: Option<(i64, String)> = tx
        .prepare_cached(&format!(
            "SELECT i.id, unsealed(i.inbound) FROM inbox i
             WHERE i.channel = ?1 AND i.conversation = ?2 AND {} AND i.id <> ?4 AND i.state = 'queued'
             ORDER BY i.id DESC LIMIT 1",
            of_message("i")
        ))?
        .query_row(
            params![edit.channel.as_str(), edit.conversation.as_str(), of.as_str(), own.0],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    let Some((id, json)) = waiting else {
        return Ok(None);
    };
    let mut inbound: Inbound = from_json(&json)?;
    if inbound.sender != edit.sender {
        return Ok(None);
    }
    match &mut inbound.body {
        InboundBody::Text(words) | InboundBody::Forwarded(words) | InboundBody::Edited { text: words, .. } => {
            words.clone_from(text);
        }
        InboundBody::File(file) => file.caption.clone_from(text),
        body @ (InboundBody::Sign { .. } | InboundBody::Unreadable | InboundBody::Unsupported) => {
            *body = InboundBody::Text(text.clone());
        }
        InboundBody::Button(_)
        | InboundBody::Location(_)
        | InboundBody::Answered(_)
        | InboundBody::Again(_)
        | InboundBody::Due { .. } => {
            return Ok(None);
        }
    }
    tx.execute(
        "UPDATE inbox SET inbound = seal(?2) WHERE id = ?1",
        params![id, to_json(&inbound)?],
    )?;
    Ok(Some(InboxId(id)))
}
