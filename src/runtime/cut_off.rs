//! What to say of a message whose turn was cut off when the process died: what was done, what nobody knows, and whether
//! it may simply run again. Called before any turn begins; it runs nothing.

use super::Inner;
use crate::{
    domain::{actor::Actor, ids::ExecutorName, limits::TURN_ATTEMPTS_MAX, message::Message, reply::Reply},
    store::{StoreError, effects::CutOff, inbox::Waiting},
};

/// What to say of a message whose person said stop before the process died: it does not run again.
pub(super) async fn stopped(inner: &Inner, waiting: &Waiting) -> Result<Message, StoreError> {
    let cut_off = match &waiting.cut_off {
        Some(before) => {
            let now_ms = inner.parts.clock.now_ms();
            inner.parts.store.effects_cut_off(before, now_ms).await?
        }
        None => CutOff::default(),
    };
    Ok(if !cut_off.unknown.is_empty() {
        Message::new("stop-cut-off-unknown").with("unknown", names(&cut_off.unknown))
    } else if !cut_off.done.is_empty() {
        Message::new("stop-cut-off-after").with("done", names(&cut_off.done))
    } else {
        Message::new("stop-nothing-done")
    })
}

/// What to say when the process died in this message's turn; `None` when it may simply run (again).
pub(super) async fn interrupted(inner: &Inner, waiting: &Waiting, actor: &Actor) -> Result<Option<Reply>, StoreError> {
    let Some(before) = &waiting.cut_off else {
        return Ok(None);
    };
    let cut_off = inner
        .parts
        .store
        .effects_cut_off(before, inner.parts.clock.now_ms())
        .await?;
    let message = if !cut_off.unknown.is_empty() {
        Message::new("interrupted-unknown").with("unknown", names(&cut_off.unknown))
    } else if !cut_off.done.is_empty() {
        Message::new("interrupted-after").with("done", names(&cut_off.done))
    } else if waiting.attempts >= TURN_ATTEMPTS_MAX {
        Message::new("interrupted-again-and-again")
    } else {
        return Ok(None);
    };
    Ok(Some(Reply::text(inner.say(actor.lang, &message))))
}

fn names(tools: &[ExecutorName]) -> String {
    let names: Vec<&str> = tools.iter().map(ExecutorName::as_str).collect();
    names.join(", ")
}
