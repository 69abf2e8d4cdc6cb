//! ✓ ✗ ↺ and stop on channels without buttons: a reaction or a short word under an answer acts as the button it stands
//! for, and a reaction that is taken back takes back what it said. What a button does is decided in `feedback`.

use std::sync::Arc;

use super::{Inner, feedback, stop, turn};
use crate::{
    domain::{
        actor::Actor,
        delivery::Pressed,
        feedback::{Feedback, Sign},
        ids::MessageId,
        inbound::{Inbound, InboundBody},
        message::Message,
        reply::{ButtonKind, Reply, TaskButton},
    },
    engine::autopath,
    store::{StoreError, inbox::Waiting, outbox::Callback, reactions::Reaction},
};

/// Acts on a reaction, once. One by a stranger, or to something without buttons, is nobody's business.
pub(super) async fn react(inner: &Arc<Inner>, inbound: &Inbound) -> Result<Pressed, StoreError> {
    let InboundBody::Sign { sign, about, .. } = &inbound.body else {
        return Ok(Pressed::default());
    };
    let store = &inner.parts.store;
    let Some(actor) = inner.parts.actors.resolve(inbound).await? else {
        return Ok(Pressed::default());
    };
    if *sign == Sign::Stop {
        return stop::react(inner, inbound, &actor).await;
    }
    if store
        .has_reacted(inbound.channel, &inbound.conversation, &inbound.message)
        .await?
    {
        return Ok(Pressed::default());
    }
    let Some(callback) = button(inner, inbound, *sign, about.as_ref()).await? else {
        return Ok(Pressed::default());
    };
    let pressed = feedback::act(inner, inbound, &actor, &callback).await?;
    if callback.actor == actor.id {
        let reaction = Reaction {
            channel: inbound.channel,
            conversation: inbound.conversation.clone(),
            message: inbound.message.clone(),
            actor: actor.id,
            turn: callback.turn,
            kind: callback.kind,
        };
        store.add_reaction(reaction, inner.parts.clock.now_ms()).await?;
    }
    Ok(pressed)
}

/// A reaction is gone: what the person said with it no longer counts. What was approved with it stays approved.
pub(super) async fn withdraw(inner: &Arc<Inner>, inbound: &Inbound) -> Result<(), StoreError> {
    let store = &inner.parts.store;
    let (channel, conversation, message) = (inbound.channel, &inbound.conversation, &inbound.message);
    let Some(actor) = inner.parts.actors.resolve(inbound).await? else {
        return Ok(());
    };
    let Some((judged, kind)) = store.reaction(channel, conversation, message, &actor.id).await? else {
        return Ok(());
    };
    let now_ms = inner.parts.clock.now_ms();
    if let Some(feedback) = feedback_of(kind) {
        let decide = autopath::decider(&inner.parts.memory);
        store
            .withdraw_feedback(&judged, &actor.id, feedback, decide, now_ms)
            .await?;
    }
    let left = store
        .forget_reaction(channel, conversation, message, (&actor.id, &judged))
        .await?;
    // ↺ ran when it was tapped; it does not run again because another reaction is gone.
    if let Some(feedback @ (Feedback::Confirm | Feedback::Reject)) = left.and_then(feedback_of) {
        let decide = autopath::decider(&inner.parts.memory);
        store
            .give_feedback(&judged, &actor.id, feedback, decide, now_ms)
            .await?;
    }
    Ok(())
}

/// A short word, such as `!ok`: answered in words, too. Where there is nothing to judge it is a request like any other.
pub(super) async fn said(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    (sign, about, text): (Sign, Option<&MessageId>, &str),
) -> Result<(), StoreError> {
    let Some(callback) = button(inner, &waiting.inbound, sign, about).await? else {
        if text.starts_with('!') {
            let gone = inner.say(actor.lang, &Message::new("feedback-gone"));
            return turn::close(inner, waiting, Some(Reply::text(gone))).await;
        }
        return turn::answer_text(inner, waiting, actor, text).await;
    };
    let pressed = feedback::act(inner, &waiting.inbound, actor, &callback).await?;
    turn::close(inner, waiting, pressed.toast.map(Reply::text)).await
}

/// The button a sign stands for under an answer, or under the last one.
async fn button(
    inner: &Inner,
    inbound: &Inbound,
    sign: Sign,
    about: Option<&MessageId>,
) -> Result<Option<Callback>, StoreError> {
    let store = &inner.parts.store;
    let under = store
        .buttons_under(inbound.channel, &inbound.conversation, about)
        .await?;
    Ok(under.into_iter().find(|callback| stands_for(sign, callback.kind)))
}

fn stands_for(sign: Sign, kind: ButtonKind) -> bool {
    match kind {
        ButtonKind::Confirm | ButtonKind::Approve | ButtonKind::Keep => sign == Sign::Yes,
        ButtonKind::Reject | ButtonKind::Refuse | ButtonKind::Unlearn => sign == Sign::No,
        ButtonKind::Retry => sign == Sign::Again,
        ButtonKind::Resend => matches!(sign, Sign::Again | Sign::Yes),
        // Questions with choices are answered in words where there are no buttons, and so is “change”.
        ButtonKind::Amend | ButtonKind::Choose { .. } | ButtonKind::Done { .. } | ButtonKind::Cancel { .. } => false,
        ButtonKind::Task(TaskButton::Done | TaskButton::GoOn) => sign == Sign::Yes,
        ButtonKind::Task(TaskButton::Later) => sign == Sign::Later,
        ButtonKind::Task(TaskButton::Tomorrow) => sign == Sign::Tomorrow,
        ButtonKind::Task(TaskButton::Pause) => sign == Sign::Pause,
        ButtonKind::Task(TaskButton::Delete) => sign == Sign::No,
    }
}

fn feedback_of(kind: ButtonKind) -> Option<Feedback> {
    match kind {
        ButtonKind::Confirm => Some(Feedback::Confirm),
        ButtonKind::Reject => Some(Feedback::Reject),
        ButtonKind::Retry => Some(Feedback::Retry),
        ButtonKind::Approve
        | ButtonKind::Resend
        | ButtonKind::Keep
        | ButtonKind::Unlearn
        | ButtonKind::Refuse
        | ButtonKind::Amend
        | ButtonKind::Choose { .. }
        | ButtonKind::Done { .. }
        | ButtonKind::Cancel { .. }
        | ButtonKind::Task(_) => None,
    }
}
