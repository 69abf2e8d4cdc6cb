//! The buttons under an answer: which there are, with tokens nobody can guess, and how people see them. Called by
//! `turn` and by everybody who draws buttons again. What a tap does is decided elsewhere.

use uuid::Uuid;

use crate::{
    domain::{
        ids::{CallbackToken, DialogId},
        message::Message,
        outcome::{AnsweredBy, FinalKind},
        reply::{Button, ButtonKind},
        turn::Turn,
    },
    engine::outcome::TurnOutcome,
    runtime::{firings, notices, reply::Speaker},
    store::outbox::Callback,
};

/// ✓ ✗ ↺ under an answer; ↺ alone where nothing could be planned because something was out of order; nothing under
/// any other dead end, nor under what was stopped.
pub(super) fn of(outcome: &TurnOutcome) -> &'static [ButtonKind] {
    if outcome.final_kind == FinalKind::Stopped {
        &[]
    } else if outcome.is_kept_from_only_way() || outcome.final_kind == FinalKind::Error && outcome.plan.is_none() {
        &[ButtonKind::Retry]
    } else if outcome.plan.is_some() || outcome.answered_by == AnsweredBy::Pattern {
        &[ButtonKind::Confirm, ButtonKind::Reject, ButtonKind::Retry]
    } else {
        &[]
    }
}

/// Buttons with new tokens.
pub(in crate::runtime) fn callbacks(turn: &Turn, kinds: &[ButtonKind], dialog: Option<&DialogId>) -> Vec<Callback> {
    kinds
        .iter()
        .map(|kind| Callback {
            token: CallbackToken::from(Uuid::new_v4().simple().to_string()),
            actor: turn.actor.id.clone(),
            turn: turn.id.clone(),
            kind: *kind,
            dialog: dialog.cloned(),
        })
        .collect()
}

/// Buttons as people see them.
pub(in crate::runtime) fn labelled(speaker: &Speaker<'_>, callbacks: &[Callback]) -> Vec<Button> {
    callbacks
        .iter()
        .map(|callback| label(speaker, callback, None))
        .collect()
}

/// A button as people see it. Those of questions get their words from the question.
pub(in crate::runtime) fn label(speaker: &Speaker<'_>, callback: &Callback, chosen: Option<ButtonKind>) -> Button {
    let label = match callback.kind {
        ButtonKind::Confirm => "✓".to_owned(),
        ButtonKind::Reject => "✗".to_owned(),
        ButtonKind::Retry => "↺".to_owned(),
        ButtonKind::Approve => speaker.say(&Message::new("button-approve")),
        ButtonKind::Refuse => speaker.say(&Message::new("button-refuse")),
        ButtonKind::Amend => speaker.say(&Message::new("button-change")),
        ButtonKind::Choose { option, .. } => (u16::from(option) + 1).to_string(),
        ButtonKind::Done { .. } => speaker.say(&Message::new("button-done")),
        ButtonKind::Cancel { .. } => speaker.say(&Message::new("button-cancel")),
        ButtonKind::Resend => speaker.say(&notices::words_on()),
        ButtonKind::Keep => speaker.say(&Message::new("button-keep")),
        ButtonKind::Unlearn => speaker.say(&Message::new("button-unlearn")),
        ButtonKind::Task(button) => speaker.say(&firings::words_on(button)),
    };
    Button {
        kind: callback.kind,
        label,
        token: callback.token.clone(),
        chosen: chosen == Some(callback.kind),
    }
}
