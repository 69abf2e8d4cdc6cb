//! Taps: ✓ ✗ ↺ under an answer; those under a question go to `dialogs`. A tap counts only from the person whose turn it
//! was, acts once, and the last one wins.

use std::sync::Arc;

use super::{Inner, Submitted, dialogs, firings, inbox, morning, notices, reply::Speaker, stop, turn};
use crate::{
    domain::{
        actor::Actor,
        delivery::{Parcel, Pressed},
        feedback::Feedback,
        ids::{ActorId, MessageId, TurnId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        message::Message,
        reply::{ButtonKind, Reply},
    },
    engine::autopath,
    store::{
        StoreError,
        autopaths::FeedbackOutcome,
        outbox::{Callback, NewParcel},
    },
};

/// Acts on a tapped button.
pub(super) async fn press(inner: &Arc<Inner>, inbound: &Inbound) -> Result<Pressed, StoreError> {
    let InboundBody::Button(token) = &inbound.body else {
        return Ok(Pressed::default());
    };
    let Some(actor) = inner.parts.actors.resolve(inbound).await? else {
        let lang = inbound.lang_hint.unwrap_or(inner.parts.lang);
        return Ok(toast(inner, lang, "stranger"));
    };
    if let Some(named) = stop::turn_of(token) {
        return stop::press(inner, inbound, actor.lang, &named).await;
    }
    let Some(callback) = inner.parts.store.callback(token).await? else {
        return Ok(toast(inner, actor.lang, "feedback-gone"));
    };
    act(inner, inbound, &actor, &callback).await
}

/// Does what a button says, for the person it was made for.
pub(super) async fn act(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    callback: &Callback,
) -> Result<Pressed, StoreError> {
    if callback.actor != actor.id {
        return Ok(toast(inner, actor.lang, "feedback-not-yours"));
    }
    let feedback = match callback.kind {
        ButtonKind::Confirm => Feedback::Confirm,
        ButtonKind::Reject => Feedback::Reject,
        ButtonKind::Retry => Feedback::Retry,
        ButtonKind::Approve
        | ButtonKind::Refuse
        | ButtonKind::Amend
        | ButtonKind::Choose { .. }
        | ButtonKind::Done { .. }
        | ButtonKind::Cancel { .. } => return dialogs::tap(inner, inbound, actor, callback).await,
        ButtonKind::Resend => return notices::press(inner, inbound, actor, callback).await,
        ButtonKind::Keep | ButtonKind::Unlearn => return morning::press(inner, inbound, actor, callback).await,
        ButtonKind::Task(button) => return firings::press(inner, inbound, actor, callback, button).await,
    };
    judge(inner, inbound, actor, &callback.turn, feedback).await
}

/// ✓ ✗ ↺: memory first, then the mark on the button, then the new run.
async fn judge(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    judged: &TurnId,
    feedback: Feedback,
) -> Result<Pressed, StoreError> {
    // Under an undo ↺ means what was taken back: "undo, then ↺" does that in another way.
    let taken_back = match feedback {
        Feedback::Retry => inner.parts.store.taken_back_by(judged, &actor.id).await?,
        Feedback::Confirm | Feedback::Reject => None,
    };
    let judged = taken_back.as_ref().unwrap_or(judged);
    // Doing it in another way would do it twice. The tap is not written down: after `undo` it counts as the first.
    if feedback == Feedback::Retry && inner.parts.store.has_standing_effects(judged, &actor.id).await? {
        return say_done_already(inner, inbound, actor).await;
    }
    let now_ms = inner.parts.clock.now_ms();
    let decide = autopath::decider(&inner.parts.memory);
    let outcome = inner
        .parts
        .store
        .give_feedback(judged, &actor.id, feedback, decide, now_ms)
        .await?;
    let FeedbackOutcome::Noted {
        pattern,
        repeated,
        plan,
        ..
    } = outcome
    else {
        return Ok(toast(inner, actor.lang, "feedback-not-yours"));
    };
    if !repeated {
        mark(inner, inbound, actor, judged, kind_of(feedback)).await?;
    }
    if feedback == Feedback::Retry {
        let body = InboundBody::Again(judged.clone());
        let queued = inbox::receive(inner, errand(inbound, format!("again:{judged}"), body)).await?;
        if queued == Submitted::Duplicate {
            return Ok(toast(inner, actor.lang, "feedback-retry-before"));
        }
    }
    if pattern && feedback == Feedback::Reject {
        tracing::warn!(turn = %judged, "a pattern answer was rejected; it stays silent for that text");
    }
    let key = match feedback {
        Feedback::Confirm => "feedback-confirmed",
        Feedback::Reject if pattern => "feedback-rejected-words",
        Feedback::Reject => "feedback-rejected",
        Feedback::Retry if plan.is_none() && !pattern => "feedback-try-again",
        Feedback::Retry => "feedback-retry",
    };
    Ok(Pressed {
        as_expected: true,
        ..toast(inner, actor.lang, key)
    })
}

/// Said in the conversation, where it stays: it names the next step.
async fn say_done_already(inner: &Inner, inbound: &Inbound, actor: &Actor) -> Result<Pressed, StoreError> {
    let reply = Reply::text(inner.say(actor.lang, &Message::new("retry-done-already")));
    let parcel = Parcel::Reply(reply);
    let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), parcel).answering("");
    send(inner, parcel, &actor.id).await?;
    Ok(Pressed::default())
}

fn kind_of(feedback: Feedback) -> ButtonKind {
    match feedback {
        Feedback::Confirm => ButtonKind::Confirm,
        Feedback::Reject => ButtonKind::Reject,
        Feedback::Retry => ButtonKind::Retry,
    }
}

/// Shows which button is in force.
async fn mark(
    inner: &Inner,
    inbound: &Inbound,
    actor: &Actor,
    judged: &TurnId,
    chosen: ButtonKind,
) -> Result<(), StoreError> {
    if !turn::has_keyboard(inbound.channel) {
        return Ok(());
    }
    let Some(message) = inner.parts.store.answer_message(judged).await? else {
        return Ok(());
    };
    let home = inner.parts.home.to_string_lossy();
    let now = inner.parts.clock.zoned(&actor.timezone);
    let speaker = Speaker {
        i18n: &inner.parts.i18n,
        lang: actor.lang,
        now: &now,
        home: &home,
    };
    let callbacks = inner.parts.store.callbacks_of(judged).await?;
    let buttons = callbacks
        .iter()
        .map(|callback| turn::label(&speaker, callback, Some(chosen)))
        .collect();
    let parcel = Parcel::Keyboard {
        message,
        buttons,
        words: None,
    };
    let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), parcel);
    send(inner, parcel, &actor.id).await
}

/// Puts something into the outbox and has it brought.
pub(super) async fn send(inner: &Inner, parcel: NewParcel, owner: &ActorId) -> Result<(), StoreError> {
    let channel = parcel.channel;
    let now_ms = inner.parts.clock.now_ms();
    inner.parts.store.outbox_add(parcel, Some(owner), now_ms).await?;
    inner.outbox.wake(channel);
    Ok(())
}

/// A message of our own making, unique by its name, so that a second tap cannot run it twice.
fn errand(inbound: &Inbound, name: String, body: InboundBody) -> Inbound {
    Inbound {
        message: MessageId::from(name),
        body,
        ..inbound.clone()
    }
}

/// A few words beside the button.
pub(super) fn toast(inner: &Inner, lang: Lang, key: &str) -> Pressed {
    Pressed {
        toast: Some(inner.say(lang, &Message::new(key))),
        as_expected: false,
    }
}
