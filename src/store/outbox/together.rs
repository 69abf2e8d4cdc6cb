//! What a task has to say while its person is not to be spoken to: one message a task waits for the end of the quiet
//! hours, with the number of its runs. Called where a parcel is added.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{NewParcel, from_json, to_json};
use crate::{
    domain::{
        delivery::Parcel,
        ids::{ActorId, TurnId},
        limits::TOLD_TOGETHER_MAX,
        reply::Reply,
    },
    store::dialogs,
};

/// Takes the place of what waits of the same task; `false` when nothing does.
pub(super) fn joined(
    tx: &Transaction<'_>,
    parcel: &NewParcel,
    owner: Option<&ActorId>,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let (Some(task), Some(owner), Parcel::Reply(reply)) = (&parcel.of_task, owner, &parcel.parcel) else {
        return Ok(false);
    };
    if parcel.held_until_ms <= now_ms {
        return Ok(false);
    }
    let waiting: Option<(i64, String, Option<String>)> = tx
        .prepare_cached(
            "SELECT id, unsealed(parcel), turn FROM outbox
             WHERE actor = ?1 AND channel = ?2 AND conversation = ?3 AND task = ?4 AND state = 'waiting'
               AND held_until > ?5 ORDER BY id DESC LIMIT 1",
        )?
        .query_row(
            params![
                owner.as_str(),
                parcel.channel.as_str(),
                parcel.conversation.as_str(),
                task.id.as_str(),
                now_ms
            ],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some((id, before, turn)) = waiting else {
        return Ok(false);
    };
    let told = match from_json(&before)? {
        Parcel::Reply(before) if task.keeps_all => both(before, reply.clone()),
        Parcel::Reply(_) | Parcel::Keyboard { .. } | Parcel::Retract { .. } | Parcel::Delete { .. } => reply.clone(),
    };
    // A question that was never seen is not open.
    if let Some(turn) = turn {
        dialogs::close_unseen(tx, &TurnId::from(turn))?;
    }
    tx.prepare_cached(
        "UPDATE outbox SET parcel = seal(?2), turn = ?3, held_until = ?4, runs = runs + 1 WHERE id = ?1",
    )?
    .execute(params![
        id,
        to_json(&Parcel::Reply(told))?,
        parcel.turn.as_ref().map(TurnId::as_str),
        parcel.held_until_ms
    ])?;
    Ok(true)
}

/// What was found before, then what is new; the heading, their first paragraph, stands once.
fn both(before: Reply, now: Reply) -> Reply {
    let mut blocks = before.blocks;
    blocks.extend(now.blocks.into_iter().skip(1));
    let too_many = blocks.len().saturating_sub(TOLD_TOGETHER_MAX);
    blocks.drain(1.min(blocks.len())..(1 + too_many).min(blocks.len()));
    let mut attachments = before.attachments;
    attachments.extend(now.attachments);
    Reply {
        blocks,
        attachments,
        ..now
    }
}
