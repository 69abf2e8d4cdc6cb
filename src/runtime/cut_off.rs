//! What to say of a message whose turn was cut off, when the process died or the turn broke: what was done, what nobody
//! knows, and whether it may simply run again. Called before a turn begins and after one that broke; it runs nothing.

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
    } else if cut_off.has_only_taken_back() {
        Message::new("stop-cut-off-after-undo")
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
    let given_up = || (waiting.attempts >= TURN_ATTEMPTS_MAX).then(|| Message::new("interrupted-again-and-again"));
    let message = not_again(&cut_off).or_else(given_up);
    Ok(message.map(|message| Reply::text(inner.say(actor.lang, &message))))
}

/// What to say of a turn that broke on our side: what it had done by then is not to be asked for once more.
pub(super) async fn broken(inner: &Inner, waiting: &Waiting) -> Message {
    let Some(turn) = inner.running.turn_for(waiting) else {
        return Message::new("internal-error");
    };
    match inner
        .parts
        .store
        .effects_cut_off(&turn, inner.parts.clock.now_ms())
        .await
    {
        Ok(cut_off) => not_again(&cut_off).unwrap_or_else(|| Message::new("internal-error")),
        Err(error) => {
            tracing::error!(%error, "what a broken turn had done cannot be read");
            Message::new("internal-error-unsure")
        }
    }
}

/// What a turn that did not end did, or may have done; `None` when that is nothing.
fn not_again(cut_off: &CutOff) -> Option<Message> {
    if !cut_off.unknown.is_empty() {
        Some(Message::new("interrupted-unknown").with("unknown", names(&cut_off.unknown)))
    } else if cut_off.has_only_taken_back() {
        Some(Message::new("interrupted-after-undo"))
    } else if !cut_off.done.is_empty() {
        Some(Message::new("interrupted-after").with("done", names(&cut_off.done)))
    } else {
        None
    }
}

fn names(tools: &[ExecutorName]) -> String {
    let names: Vec<&str> = tools.iter().map(ExecutorName::as_str).collect();
    names.join(", ")
}
