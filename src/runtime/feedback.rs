//! Taps: ✓ ✗ ↺ under an answer, approve and refuse under a card, and the same in words where buttons are missing.
//! A tap counts only from the person whose turn it was, acts once, and the last one wins.

use std::{ops::ControlFlow, sync::Arc};

use super::{Inner, Submitted, inbox, reply::Speaker, turn};
use crate::{
    domain::{
        actor::Actor,
        delivery::{Parcel, Pressed},
        feedback::Feedback,
        ids::{ActorId, DialogId, InboxId, MessageId, TurnId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        message::Message,
        reply::{ButtonKind, Reply},
    },
    engine::autopath,
    language::Confirmation,
    store::{
        StoreError,
        autopaths::FeedbackOutcome,
        dialogs::{Answered, Dialog, DialogAnswer, DialogState},
        inbox::Waiting,
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
    let Some(callback) = inner.parts.store.callback(token).await? else {
        return Ok(toast(inner, actor.lang, "feedback-gone"));
    };
    if callback.actor != actor.id {
        return Ok(toast(inner, actor.lang, "feedback-not-yours"));
    }
    act(inner, inbound, &actor, &callback).await
}

async fn act(inner: &Arc<Inner>, inbound: &Inbound, actor: &Actor, callback: &Callback) -> Result<Pressed, StoreError> {
    let feedback = match callback.kind {
        ButtonKind::Confirm => Feedback::Confirm,
        ButtonKind::Reject => Feedback::Reject,
        ButtonKind::Retry => Feedback::Retry,
        ButtonKind::Approve | ButtonKind::Refuse => return decide(inner, inbound, actor, callback).await,
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
    let FeedbackOutcome::Noted { pattern, repeated, .. } = outcome else {
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
    Ok(toast(
        inner,
        actor.lang,
        match feedback {
            Feedback::Confirm => "feedback-confirmed",
            Feedback::Reject => "feedback-rejected",
            Feedback::Retry => "feedback-retry",
        },
    ))
}

/// Said in the conversation, where it stays: it names the next step.
async fn say_done_already(inner: &Inner, inbound: &Inbound, actor: &Actor) -> Result<Pressed, StoreError> {
    let reply = Reply::text(inner.say(actor.lang, &Message::new("retry-done-already")));
    let parcel = NewParcel {
        channel: inbound.channel,
        conversation: inbound.conversation.clone(),
        turn: None,
        reply_to: None,
        parcel: Parcel::Reply(reply),
    };
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

/// Approve or refuse: once, by the requester, in time.
async fn decide(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    callback: &Callback,
) -> Result<Pressed, StoreError> {
    let Some(dialog) = &callback.dialog else {
        return Ok(toast(inner, actor.lang, "approval-gone"));
    };
    let approve = callback.kind == ButtonKind::Approve;
    match answer_dialog(inner, inbound, None, actor, (dialog, approve)).await? {
        Some(pressed) => Ok(pressed),
        None => Ok(toast(inner, actor.lang, late(inner, dialog).await?)),
    }
}

/// Answers an open question, from a button or from the message `said_in`; `None` when it is open no more. A crash finds
/// all of it done, or nothing.
async fn answer_dialog(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    said_in: Option<InboxId>,
    actor: &Actor,
    (id, approve): (&DialogId, bool),
) -> Result<Option<Pressed>, StoreError> {
    let Some(dialog) = inner.parts.store.dialog(id).await? else {
        return Ok(None);
    };
    let mut parcels: Vec<NewParcel> = without_buttons(inner, &dialog).await?.into_iter().collect();
    if !approve {
        let refused = Reply::text(inner.say(actor.lang, &Message::new("approval-refused")));
        parcels.push(dialog_parcel(&dialog, Parcel::Reply(refused)));
    }
    let (state, errand) = if approve {
        let body = InboundBody::Approved(id.clone());
        (
            DialogState::Approved,
            Some(errand(inbound, format!("approved:{id}"), body)),
        )
    } else {
        (DialogState::Refused, None)
    };
    let answer = DialogAnswer {
        state,
        errand,
        said_in,
        parcels,
    };
    let now_ms = inner.parts.clock.now_ms();
    let Answered::Now(queued) = inner.parts.store.answer_dialog(id, answer, now_ms).await? else {
        return Ok(None);
    };
    inner.outbox.wake(dialog.channel);
    if let Some(waiting) = queued {
        inbox::enqueue(inner, waiting).await?;
    }
    // A refusal is said in the conversation; saying it beside the button as well would be once too often.
    Ok(Some(if approve {
        toast(inner, actor.lang, "approval-given")
    } else {
        Pressed::default()
    }))
}

/// An answer that came too late or a second time is answered honestly.
async fn late(inner: &Arc<Inner>, id: &DialogId) -> Result<&'static str, StoreError> {
    let dialog = inner.parts.store.dialog(id).await?;
    Ok(match dialog.map(|dialog| dialog.state) {
        Some(DialogState::Approved | DialogState::Done) => "approval-given-before",
        Some(DialogState::Refused) => "approval-refused-before",
        Some(DialogState::Waiting | DialogState::Expired) | None => "approval-expired",
    })
}

/// A whole message that answers a waiting question ends here, with what is still to be said; others go on.
pub(super) async fn answer_in_words(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<ControlFlow<Option<Reply>>, StoreError> {
    let now_ms = inner.parts.clock.now_ms();
    let conversation = &waiting.inbound.conversation;
    let Some(dialog) = inner
        .parts
        .store
        .waiting_dialog(&actor.id, conversation, now_ms)
        .await?
    else {
        return Ok(ControlFlow::Continue(()));
    };
    let approve = match inner.parts.engine.language().confirmation(text) {
        Some(Confirmation::Yes) => true,
        Some(Confirmation::No) => false,
        None => return Ok(ControlFlow::Continue(())),
    };
    let said_in = Some(waiting.id);
    let reply = match answer_dialog(inner, &waiting.inbound, said_in, actor, (&dialog.id, approve)).await? {
        Some(_said_there) => None,
        // Its time was over, or a button was quicker, since we looked.
        None => {
            let message = Message::new(late(inner, &dialog.id).await?);
            Some(Reply::text(inner.say(actor.lang, &message)))
        }
    };
    Ok(ControlFlow::Break(reply))
}

/// A question whose time is over closes, loses its buttons, and the person is told that nothing was done: all of it, or
/// nothing when an answer was quicker.
pub(super) async fn expire(inner: &Inner, dialog: &Dialog) -> Result<(), StoreError> {
    let lang = inner
        .parts
        .store
        .actor(&dialog.actor)
        .await?
        .map_or(inner.parts.lang, |actor| actor.lang);
    let reply = Reply::text(inner.say(lang, &Message::new("approval-expired")));
    let mut parcels: Vec<NewParcel> = without_buttons(inner, dialog).await?.into_iter().collect();
    parcels.push(dialog_parcel(dialog, Parcel::Reply(reply)));
    let now_ms = inner.parts.clock.now_ms();
    if inner.parts.store.expire_dialog(&dialog.id, parcels, now_ms).await? {
        inner.outbox.wake(dialog.channel);
    }
    Ok(())
}

/// What takes the buttons of a question away, where there are any.
async fn without_buttons(inner: &Inner, dialog: &Dialog) -> Result<Option<NewParcel>, StoreError> {
    if !turn::has_keyboard(dialog.channel) {
        return Ok(None);
    }
    let shown = inner.parts.store.answer_message(&dialog.turn).await?;
    let buttons = Vec::new();
    Ok(shown.map(|message| dialog_parcel(dialog, Parcel::Keyboard { message, buttons })))
}

fn dialog_parcel(dialog: &Dialog, parcel: Parcel) -> NewParcel {
    NewParcel {
        channel: dialog.channel,
        conversation: dialog.conversation.clone(),
        turn: None,
        reply_to: None,
        parcel,
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
    let parcel = NewParcel {
        channel: inbound.channel,
        conversation: inbound.conversation.clone(),
        turn: None,
        reply_to: None,
        parcel: Parcel::Keyboard { message, buttons },
    };
    send(inner, parcel, &actor.id).await
}

async fn send(inner: &Inner, parcel: NewParcel, owner: &ActorId) -> Result<(), StoreError> {
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

fn toast(inner: &Inner, lang: Lang, key: &str) -> Pressed {
    Pressed {
        toast: Some(inner.say(lang, &Message::new(key))),
    }
}
