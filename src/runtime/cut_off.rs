//! What to say of a message whose turn was cut off, when the process died or the turn broke: what was done, what nobody
//! knows, and whether it may simply run again. It is told by the person's own words and by what was done to which kind
//! of thing, never by the name of a tool. Called before a turn begins and after one that broke; it runs nothing.

use super::{Inner, notices};
use crate::{
    domain::{
        actor::Actor,
        ids::ExecutorName,
        inbound::InboundBody,
        limits::TURN_ATTEMPTS_MAX,
        message::Message,
        reply::Reply,
        vocabulary::{Object, Verb},
    },
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
        naming("stop-cut-off-unknown", &about(inner, waiting).await?)
    } else if cut_off.has_only_taken_back() {
        Message::new("stop-cut-off-after-undo")
    } else if let Some(done) = told(&cut_off.done) {
        Message::new("stop-cut-off-after").with("done", done)
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
    let message = not_again(&about(inner, waiting).await?, &cut_off).or_else(given_up);
    Ok(message.map(|message| Reply::text(inner.say(actor.lang, &message))))
}

/// What to say of a turn that broke on our side: what it had done by then is not to be asked for once more.
pub(super) async fn broken(inner: &Inner, waiting: &Waiting) -> Message {
    let Some(turn) = inner.running.turn_for(waiting) else {
        return Message::new("internal-error");
    };
    let now_ms = inner.parts.clock.now_ms();
    let looking = async {
        let cut_off = inner.parts.store.effects_cut_off(&turn, now_ms).await?;
        Ok::<_, StoreError>(not_again(&about(inner, waiting).await?, &cut_off))
    };
    match looking.await {
        Ok(not_again) => not_again.unwrap_or_else(|| Message::new("internal-error")),
        Err(error) => {
            tracing::error!(%error, "what a broken turn had done cannot be read");
            Message::new("internal-error-unsure")
        }
    }
}

/// What a turn that did not end did, or may have done; `None` when that is nothing.
fn not_again(about: &str, cut_off: &CutOff) -> Option<Message> {
    if !cut_off.unknown.is_empty() {
        Some(naming("interrupted-unknown", about))
    } else if cut_off.has_only_taken_back() {
        Some(Message::new("interrupted-after-undo"))
    } else {
        told(&cut_off.done).map(|done| naming("interrupted-after", about).with("done", done))
    }
}

/// A sentence that names what was asked, where that may be said.
fn naming(key: &str, about: &str) -> Message {
    let named = if about.is_empty() { "no" } else { "yes" };
    Message::new(key).with("named", named).with("about", about)
}

/// What was asked, shortened.
async fn about(inner: &Inner, waiting: &Waiting) -> Result<String, StoreError> {
    let body = &waiting.inbound.body;
    let asked = if let InboundBody::Answered(dialog) = body {
        inner.parts.store.dialog(dialog).await?.map(|dialog| dialog.request)
    } else {
        Some(notices::words_of(body).to_owned())
    };
    Ok(notices::about(inner, &asked.unwrap_or_default()))
}

/// What was done to which kind of thing, such as `moved files`, each once; `None` for nothing.
fn told(tools: &[ExecutorName]) -> Option<Message> {
    let mut kinds: Vec<(Option<Verb>, Option<Object>)> = Vec::new();
    for tool in tools {
        let mut words = tool.as_str().split('_');
        let kind = (words.next().and_then(Verb::parse), words.next().and_then(Object::parse));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let told = kinds.into_iter().map(|(verb, object)| {
        let things = Message::new("stop-some").with("object", object.map(Object::as_str).unwrap_or_default());
        Message::new("stop-did")
            .with("verb", verb.map(Verb::as_str).unwrap_or_default())
            .with("things", things)
    });
    told.reduce(|first, next| Message::new("stop-and").with("first", first).with("next", next))
}
