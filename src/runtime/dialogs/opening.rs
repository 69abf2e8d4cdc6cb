//! Puts the question of a paused turn: as a row that waits, and in words and buttons, to whom it is for.

use super::{ask, permission};
use crate::{
    domain::{
        ids::{ActorId, DialogId},
        limits::{APPROVAL_TTL, FORM_TTL},
        message::Message,
        outcome::{Asks, Pause},
        question::Question,
        reply::{Block, ButtonKind, Reply},
        turn::Turn,
    },
    engine::outcome::TurnOutcome,
    runtime::{Inner, reply::Speaker, turn},
    store::{
        StoreError,
        dialogs::{Dialog, DialogState, Paused},
        outbox::{Callback, NewParcel},
    },
};

/// A question that is put at the end of a turn, or the answer in its place.
#[derive(Default)]
pub(in crate::runtime) struct Asked {
    /// What the person sees.
    pub(in crate::runtime) reply: Reply,
    /// The turn that now waits.
    pub(in crate::runtime) dialog: Option<Dialog>,
    /// Buttons.
    pub(in crate::runtime) callbacks: Vec<Callback>,
    /// The card of whom it is to be decided by, if that is somebody else.
    pub(in crate::runtime) for_others: Vec<(ActorId, NewParcel)>,
}

/// Puts the question of a paused turn to whom it is for.
pub(in crate::runtime) async fn put(
    inner: &Inner,
    speaker: &Speaker<'_>,
    turn: &Turn,
    pause: &Pause,
    outcome: &TurnOutcome,
) -> Result<Asked, StoreError> {
    let dialog = of_pause(inner, turn, pause, outcome);
    if let Some(request) = permission::for_host(turn, pause) {
        return permission::ask_host(inner, speaker, turn, (pause, request), dialog).await;
    }
    let (mut reply, callbacks) = question(inner, speaker, turn, pause, &dialog);
    // What was done on the way is said before what is asked.
    let done = speaker.reply(&outcome.views, &outcome.notes);
    reply.blocks.splice(0..0, done.blocks);
    Ok(Asked {
        reply,
        dialog: Some(dialog),
        callbacks,
        ..Asked::default()
    })
}

/// The question of a paused turn, as a row.
fn of_pause(inner: &Inner, turn: &Turn, pause: &Pause, outcome: &TurnOutcome) -> Dialog {
    let question = match &pause.asks {
        Asks::Approval(request) => Question::Approval {
            operation: request.operation.clone(),
        },
        Asks::Location => Question::Location,
        Asks::Form(form) => Question::Form(form.clone()),
    };
    Dialog {
        id: DialogId::from(format!("d{}", turn.id)),
        actor: turn.actor.id.clone(),
        decider: None,
        channel: turn.channel,
        conversation: turn.conversation.clone(),
        turn: turn.id.clone(),
        expires_ms: inner.parts.clock.now_ms().saturating_add(ttl_ms(inner, &question)),
        question,
        request: turn.text.clone(),
        payload: Paused {
            plan: pause.plan.to_json(),
            done: pause.done.clone(),
            step: pause.step,
            tool: pause.tool.clone(),
            answered_by: outcome.answered_by,
            risk_min: outcome.risk_min,
            is_typed: turn.is_typed,
            of_the_moment: pause.of_the_moment,
            begun_in: Some(turn.begun_in.clone()),
            is_offered: outcome.is_offered,
            offer: outcome.offer.clone(),
        },
        state: DialogState::Waiting,
        revision: 0,
    }
}

pub(super) fn ttl_ms(inner: &Inner, question: &Question) -> i64 {
    let seconds = ttl_s(inner, question);
    i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX)
}

/// How long a question stays open.
fn ttl_s(inner: &Inner, question: &Question) -> u64 {
    match question {
        Question::Approval { .. } => APPROVAL_TTL.as_secs(),
        Question::Location => inner.parts.engine.location.ask_s,
        Question::Form(_) => FORM_TTL.as_secs(),
    }
}

/// What is offered is answered with yes or no: nobody asked for it in these words, so there is nothing to approve.
fn say_yes_and_no(speaker: &Speaker<'_>, reply: &mut Reply) {
    for button in &mut reply.buttons {
        let key = match button.kind {
            ButtonKind::Approve => "button-yes",
            ButtonKind::Refuse => "button-no",
            ButtonKind::Confirm
            | ButtonKind::Reject
            | ButtonKind::Retry
            | ButtonKind::Amend
            | ButtonKind::Choose { .. }
            | ButtonKind::Done { .. }
            | ButtonKind::Task(_)
            | ButtonKind::Resend
            | ButtonKind::Keep
            | ButtonKind::Unlearn
            | ButtonKind::Cancel { .. } => continue,
        };
        button.label = speaker.say(&Message::new(key));
    }
}

/// What a paused turn asks, with its buttons.
fn question(
    inner: &Inner,
    speaker: &Speaker<'_>,
    turn: &Turn,
    pause: &Pause,
    dialog: &Dialog,
) -> (Reply, Vec<Callback>) {
    let minutes = ttl_s(inner, &dialog.question).div_ceil(60);
    let asker = ask::Asker {
        i18n: speaker.i18n,
        lang: speaker.lang,
        actor: &turn.actor.id,
        channel: turn.channel,
    };
    match &pause.asks {
        Asks::Approval(request) => {
            let mut reply = speaker.approval_card(&pause.tool, request, minutes);
            if let Some(level) = request.above {
                let above = Message::new("approval-above").with("level", level.as_str());
                reply.blocks.insert(0, Block::text(speaker.say(&above)));
            }
            let amend = super::amend::is_possible(inner, dialog).then_some(ButtonKind::Amend);
            let kinds: Vec<ButtonKind> = [Some(ButtonKind::Approve), amend, Some(ButtonKind::Refuse)]
                .into_iter()
                .flatten()
                .collect();
            let callbacks = turn::callbacks(turn, &kinds, Some(&dialog.id));
            reply.buttons = turn::labelled(speaker, &callbacks);
            if request.is_offered {
                say_yes_and_no(speaker, &mut reply);
            }
            (reply, callbacks)
        }
        Asks::Location => (ask::location(&asker, minutes), Vec::new()),
        Asks::Form(form) => ask::field(&asker, &dialog.id, &turn.id, form),
    }
}
