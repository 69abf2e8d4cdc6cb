//! What is said of a message of which nobody knows whether it arrived, and of several runs that are told as one. Called
//! by `Runtime` when a send broke off, by `feedback` for the tap that asks for an answer again, and by whoever names an
//! answer. What follows when a send breaks off decides its `Promise`, not this.

use std::sync::Arc;

use uuid::Uuid;

use super::{
    Inner, Runtime, feedback,
    outbox::{Broken, Offer},
    turn,
};
use crate::{
    domain::{
        actor::Actor,
        delivery::{AfterBreak, Delivery, DeliveryFailure, Parcel, Pressed},
        ids::{CallbackToken, OutboxId, TurnId},
        inbound::{Inbound, InboundBody},
        limits::ABOUT_CHARS_MAX,
        message::Message,
        reply::{Block, Button, ButtonKind, Reply, Span},
    },
    store::{
        StoreError,
        outbox::{BrokenOff, Callback, NewParcel},
    },
};

/// The notice, as its button knows it.
const OFFERED: &str = "offered:";

/// What follows a failure, if nobody knows whether the delivery arrived.
pub(super) async fn broken(inner: &Inner, id: OutboxId, failure: &DeliveryFailure) -> Broken {
    let DeliveryFailure::Ambiguous(_) = failure else {
        return Broken::SendAgain;
    };
    match inner.parts.store.broken_off(id).await {
        Ok(Some(off)) => match off.promise.after_break() {
            AfterBreak::SendAgain => Broken::SendAgain,
            AfterBreak::Offer => offer(inner, id, off),
        },
        Ok(None) => Broken::Over,
        Err(error) => {
            tracing::error!(%error, "cannot read what broke off; it is looked at again");
            Broken::SendAgain
        }
    }
}

fn offer(inner: &Inner, id: OutboxId, off: BrokenOff) -> Broken {
    let Some(owner) = off.owner else {
        return Broken::Over;
    };
    let lang = off.lang.unwrap_or(inner.parts.lang);
    let offered = TurnId::from(format!("{OFFERED}{}", id.0));
    let button = Callback {
        token: CallbackToken::from(Uuid::new_v4().simple().to_string()),
        actor: owner,
        turn: offered.clone(),
        kind: ButtonKind::Resend,
        dialog: None,
    };
    let named = if off.about.is_empty() { "no" } else { "yes" };
    let words = Message::new("answer-perhaps-lost")
        .with("named", named)
        .with("about", off.about);
    let reply = Reply {
        buttons: vec![Button {
            kind: button.kind,
            label: inner.say(lang, &words_on()),
            token: button.token.clone(),
            chosen: false,
        }],
        ..Reply::text(inner.say(lang, &words))
    };
    let notice = NewParcel {
        turn: Some(offered),
        ..NewParcel::new(off.channel, off.conversation, Parcel::Reply(reply))
    };
    Broken::Offer(Box::new(Offer { notice, button }))
}

/// What stands on the button.
pub(super) fn words_on() -> Message {
    Message::new("button-resend")
}

/// A tap on *Send it again*: the answer comes once for it.
pub(super) async fn press(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    callback: &Callback,
) -> Result<Pressed, StoreError> {
    let store = &inner.parts.store;
    let id = callback.turn.as_str().strip_prefix(OFFERED);
    let Some(id) = id.and_then(|id| id.parse().ok()).map(OutboxId) else {
        return Ok(feedback::toast(inner, actor.lang, "feedback-gone"));
    };
    let now_ms = inner.parts.clock.now_ms();
    let is_sent = store.outbox_resend(id, &actor.id, now_ms).await?;
    if turn::has_keyboard(inbound.channel)
        && let Some(message) = store.answer_message(&callback.turn).await?
    {
        let buttons = Vec::new();
        let parcel = Parcel::Keyboard {
            message,
            buttons,
            words: None,
        };
        let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), parcel);
        feedback::send(inner, parcel, &actor.id).await?;
    }
    inner.outbox.wake(inbound.channel);
    let key = if is_sent { "resend-comes" } else { "resend-gone" };
    Ok(Pressed {
        as_expected: is_sent,
        ..feedback::toast(inner, actor.lang, key)
    })
}

/// Says how many runs of a task a message stands for.
pub(super) async fn count_runs(runtime: &Runtime, delivery: &mut Delivery) {
    let lang = runtime.lang_of_delivery(delivery.id).await;
    let line = runtime.say(
        lang,
        &Message::new("firing-runs").with("count", u64::from(delivery.runs)),
    );
    if let Parcel::Reply(reply) = &mut delivery.parcel {
        let at = 1.min(reply.blocks.len());
        reply.blocks.insert(at, Block::Paragraph(vec![Span::Italic(line)]));
    }
}

/// The words of a message that its answer is named by; none for what is no text.
pub(super) fn words_of(body: &InboundBody) -> &str {
    match body {
        InboundBody::Text(text)
        | InboundBody::Forwarded(text)
        | InboundBody::Edited { text, .. }
        | InboundBody::Sign { text, .. }
        | InboundBody::Due { request: text, .. } => text,
        InboundBody::Answered(_)
        | InboundBody::Again(_)
        | InboundBody::File(_)
        | InboundBody::Location(_)
        | InboundBody::Button(_)
        | InboundBody::Unreadable
        | InboundBody::Unsupported => "",
    }
}

/// A request, shortened to a name for what was asked: one line, and nothing that may be a secret.
pub(super) fn about(inner: &Inner, request: &str) -> String {
    let words = request.split_whitespace().map(str::to_owned).collect();
    let words = inner.redactor().sayable(words, request).join(" ");
    if words.chars().count() <= ABOUT_CHARS_MAX {
        return words;
    }
    let kept: String = words.chars().take(ABOUT_CHARS_MAX).collect();
    format!("{}…", kept.trim_end())
}
