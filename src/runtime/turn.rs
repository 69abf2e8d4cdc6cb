//! The story of one message: who sent it, what is it, what comes of it, and one transaction at the end.

use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

mod again;
mod buttons;
mod due;
/// What a watcher tells.
mod news;
pub(super) mod follow_up;
mod forwarded;
mod row;
mod strangers;

pub(super) use buttons::{callbacks, label, labelled};
pub(super) use forwarded::answer as relayed;

use super::{
    Inner, commands, cut_off,
    dialogs::{self, Heard, permission},
    edits, feedback, files, location, notices, quota,
    reply::Speaker,
    signs, stop, turn_log, voice, welcome,
};
use crate::{
    config::Secret,
    domain::{
        actor::{Actor, Role},
        delivery::{Parcel, Signal},
        feedback::Sign,
        ids::{ChannelKind, DialogId, TurnId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        message::Message,
        outcome::{AnsweredBy, FinalKind, View},
        reply::Reply,
        turn::{Origin, Turn},
    },
    engine::{Audience, autopath, follow_up::FollowUp, outcome::TurnOutcome},
    language::secrets,
    store::{
        StoreError,
        dialogs::{Dialog, DialogState},
        inbox::Waiting,
        outbox::NewParcel,
        turns::{Lessons, TurnEnd},
    },
};

/// Answers one message, whatever it is.
pub(super) async fn answer(inner: Arc<Inner>, waiting: Waiting) -> Result<(), StoreError> {
    let Some(actor) = inner.parts.actors.resolve(&waiting.inbound).await? else {
        return strangers::greet(&inner, &waiting).await;
    };
    if waiting.stopped {
        let reply = Reply::text(inner.say(actor.lang, &cut_off::stopped(&inner, &waiting).await?));
        return close(&inner, &waiting, Some(reply)).await;
    }
    match &waiting.inbound.body {
        InboundBody::Text(text) => Box::pin(answer_text(&inner, &waiting, &actor, text)).await,
        InboundBody::Forwarded(text) => relayed(&inner, &waiting, &actor, text).await,
        InboundBody::Edited { of, text } => edits::answer(&inner, &waiting, &actor, of, text).await,
        InboundBody::Answered(dialog) => carry_out(&inner, &waiting, &actor, dialog).await,
        InboundBody::Again(turn) => again::run_again(&inner, &waiting, &actor, turn).await,
        InboundBody::Due { run, request } => Box::pin(due::run(&inner, &waiting, &actor, (run, request))).await,
        InboundBody::File(file) => files::received(&inner, &waiting, &actor, file).await,
        InboundBody::Location(shared) => Box::pin(location::noted(&inner, &waiting, &actor, shared)).await,
        InboundBody::Button(_) => {
            let pressed = Box::pin(feedback::press(&inner, &waiting.inbound)).await?;
            let toast = pressed.toast.unwrap_or_default();
            close(&inner, &waiting, (!toast.is_empty()).then(|| Reply::text(toast))).await
        }
        InboundBody::Sign { sign: Sign::Stop, .. } => Box::pin(stop::answer(&inner, &waiting, &actor)).await,
        InboundBody::Sign { sign, about, text } => {
            Box::pin(signs::said(&inner, &waiting, &actor, (*sign, about.as_ref(), text))).await
        }
        InboundBody::Unreadable => {
            let text = inner.say(actor.lang, &Message::new("unreadable-message"));
            close(&inner, &waiting, Some(Reply::text(text))).await
        }
        InboundBody::Unsupported => {
            let text = inner.say(actor.lang, &Message::new("unsupported-message"));
            close(&inner, &waiting, Some(Reply::text(text))).await
        }
    }
}

/// Answers what somebody typed.
pub(super) async fn answer_text(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<(), StoreError> {
    let text = text.trim();
    if let Some(refusal) = forwarded::no_request(inner, actor, text) {
        return close(inner, waiting, Some(refusal)).await;
    }
    if commands::is_stop(text) {
        return stop::answer(inner, waiting, actor).await;
    }
    let rest;
    let text = match Box::pin(dialogs::hear(inner, waiting, actor, text)).await? {
        Heard::Yes(reply) => return close(inner, waiting, reply).await,
        Heard::NoBut(request) => {
            rest = request;
            rest.as_str()
        }
        Heard::No => text,
    };
    if let Some(reply) = welcome::hear(inner, waiting, actor, text).await? {
        return close(inner, waiting, Some(reply)).await;
    }
    if let Some(reply) = commands::answer(inner, &waiting.inbound, actor, text).await? {
        return close(inner, waiting, Some(reply)).await;
    }
    if stop::is_idle_stop(inner, actor, text) && !follow_up::ends_touched(inner, waiting, actor, text).await? {
        return stop::answer(inner, waiting, actor).await;
    }
    if let Some(nothing_open) = dialogs::unanswerable(inner, waiting, actor, text).await? {
        return close(inner, waiting, Some(nothing_open)).await;
    }
    let about_file = files::referred(inner, waiting, actor, text).await?;
    let text = commands::as_request(text);
    let (whole, origin) = match about_file {
        Some(about_file) => (Some(about_file), Origin::Typed),
        None => match follow_up::whole(inner, waiting, actor, text).await? {
            Some((FollowUp::Whole(whole) | FollowUp::Instead(whole), origin)) => (Some(whole), origin),
            Some((FollowUp::Unclear, origin)) => {
                // A turn of its own: what is said next goes on with nothing.
                let turn = new_turn(inner, waiting, actor, text, (origin, true)).await?;
                return carry(inner, waiting, &turn, Work::Unclear).await;
            }
            None => (None, Origin::Typed),
        },
    };
    let text = whole.as_deref().unwrap_or(text);
    request_from(inner, waiting, actor, text, (origin, true)).await
}

/// A turn for what was asked, unless an earlier try of it was cut off too late.
pub(super) async fn request(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    request: &str,
) -> Result<(), StoreError> {
    request_from(inner, waiting, actor, request, (Origin::Typed, true)).await
}

/// A turn for what is asked in the place of one before, which is taken back first.
pub(super) async fn replace(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    request: &str,
    of: TurnId,
) -> Result<(), StoreError> {
    request_from(inner, waiting, actor, request, (Origin::Instead { of }, true)).await
}

async fn request_from(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    request: &str,
    source: Source,
) -> Result<(), StoreError> {
    if let Some(interrupted) = cut_off::interrupted(inner, waiting, actor).await? {
        return close(inner, waiting, Some(interrupted)).await;
    }
    if let Some(refusal) = forwarded::no_request(inner, actor, request) {
        return close(inner, waiting, Some(refusal)).await;
    }
    if let Some(refusal) = quota::refusal(inner, actor, request).await? {
        return close(inner, waiting, Some(Reply::text(inner.say(actor.lang, &refusal)))).await;
    }
    let mut turn = new_turn(inner, waiting, actor, request, source).await?;
    if turn.origin == Origin::Typed {
        follow_up::complete(inner, &mut turn).await?;
    }
    carry(inner, waiting, &turn, Work::Request).await
}

/// A turn that waited goes on where it stopped.
async fn carry_out(inner: &Arc<Inner>, waiting: &Waiting, actor: &Actor, id: &DialogId) -> Result<(), StoreError> {
    if let Some(interrupted) = cut_off::interrupted(inner, waiting, actor).await? {
        return close(inner, waiting, Some(interrupted)).await;
    }
    let dialog = inner.parts.store.dialog(id).await?;
    let Some(dialog) = dialog.filter(|dialog| dialog.actor == actor.id && dialog.state == DialogState::Answered) else {
        let text = inner.say(actor.lang, &Message::new("approval-gone"));
        return close(inner, waiting, Some(Reply::text(text))).await;
    };
    let source = (Origin::Answered { dialog: id.clone() }, dialog.payload.is_typed);
    let mut turn = new_turn(inner, waiting, actor, &dialog.request, source).await?;
    turn.begun_in = dialog.payload.begun_in.clone().unwrap_or(turn.begun_in);
    let password = waiting.password.clone();
    carry(inner, waiting, &turn, Work::Answered(Box::new(dialog), password)).await
}

/// Why a turn runs, and whether its words were typed to us.
type Source = (Origin, bool);

enum Work {
    Request,
    /// With the password of a locked file, where that was asked.
    Answered(Box<Dialog>, Option<Secret>),
    /// Nobody can say which of those found are meant.
    Unclear,
}

/// A turn from its beginning to its end. It does not begin for somebody who was locked out since their message was
/// taken in hand.
async fn carry(inner: &Arc<Inner>, waiting: &Waiting, turn: &Turn, work: Work) -> Result<(), StoreError> {
    let store = &inner.parts.store;
    if !store.inbox_begin(waiting.id, &turn.id, &turn.actor.id).await? {
        return close(inner, waiting, None).await;
    }
    let dialog_done = match &work {
        Work::Request | Work::Unclear => None,
        Work::Answered(dialog, _) => Some(dialog.id.clone()),
    };
    let outcome = run(inner, turn, work).await;
    Box::pin(finish(inner, waiting, turn, outcome, dialog_done)).await
}

async fn run(inner: &Arc<Inner>, turn: &Turn, work: Work) -> TurnOutcome {
    let channel = turn.channel;
    let stop = inner.running.turn_begins(turn);
    // Nobody waits for what comes by itself.
    let is_awaited = !matches!(turn.origin, Origin::Due { .. });
    if is_awaited {
        inner.signal(
            channel,
            Signal::Started {
                conversation: turn.conversation.clone(),
                turn: turn.id.clone(),
                stop: stop::button(inner, turn),
            },
        );
    }
    let progress = |message: Message| {
        if !is_awaited {
            return;
        }
        let text = inner.say(turn.actor.lang, &message);
        let (conversation, turn) = (turn.conversation.clone(), turn.id.clone());
        inner.signal(
            channel,
            Signal::Progress {
                conversation,
                turn,
                text,
            },
        );
    };
    let audience = Audience {
        tell: &progress,
        stop: &stop,
    };
    match work {
        Work::Request => Box::pin(inner.parts.engine.run_turn(turn, audience)).await,
        Work::Unclear => {
            let asked_again = View::Say(Message::new("follow-up-unclear"));
            TurnOutcome::new(AnsweredBy::Runtime, FinalKind::Ask, vec![asked_again])
        }
        Work::Answered(dialog, password) => {
            let resumed = inner
                .parts
                .engine
                .resume(turn, dialog.payload, (dialog.question, password), audience);
            Box::pin(resumed).await
        }
    }
}

async fn new_turn(
    inner: &Inner,
    waiting: &Waiting,
    actor: &Actor,
    request: &str,
    (origin, is_typed): Source,
) -> Result<Turn, StoreError> {
    let id = new_turn_id(inner.parts.clock.now());
    // What comes by itself goes on with nothing that was said before: its words mean the same every time.
    let is_due = matches!(origin, Origin::Due { .. });
    let before = match is_due {
        true => None,
        false => follow_up::before(inner, waiting, actor).await?,
    };
    Ok(Turn {
        begun_in: id.clone(),
        id,
        actor: actor.clone(),
        channel: waiting.inbound.channel,
        conversation: waiting.inbound.conversation.clone(),
        text: request.to_owned(),
        now: inner.parts.clock.zoned(&actor.timezone),
        origin,
        is_typed,
        is_joined: false,
        is_spoken: matches!(&waiting.inbound.body, InboundBody::File(file) if voice::is_spoken(file)),
        model_calls_left: quota::model_calls_left(inner, actor).await?,
        before,
        host_is_near: actor.role == Role::Guest && permission::host_place(inner).await?.is_some(),
    })
}

fn new_turn_id(now: Timestamp) -> TurnId {
    let seconds = u64::try_from(now.as_second()).unwrap_or(0);
    let nanos = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
    let at = uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos);
    TurnId::from(Uuid::new_v7(at).simple().to_string())
}

/// One transaction: the turn, what memory learned, the question that waits, the answer, and the message is done.
async fn finish(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    turn: &Turn,
    mut outcome: TurnOutcome,
    dialog_done: Option<DialogId>,
) -> Result<(), StoreError> {
    let ended = inner.parts.clock.now();
    let due = due::ended(inner, turn, &mut outcome).await?;
    let home = inner.parts.engine.home_of(&turn.actor);
    let home = home.to_string_lossy();
    let speaker = Speaker {
        i18n: &inner.parts.i18n,
        lang: turn.actor.lang,
        now: &turn.now,
        home: &home,
    };
    let asked = asked(inner, &speaker, turn, &outcome).await?;
    let line = turn_log::line(
        turn,
        &outcome,
        &asked.reply.plain(),
        ended,
        &inner.parts.engine,
        inner.redactor(),
    );
    let row = row::of(inner, turn, &outcome, ended);
    // A request with a secret in it is not remembered: its plan and its words would be kept as they are.
    // Nor is one that was stopped too late: it was not wanted any more.
    let lessons = if secrets::is_redacted(&row.request) || inner.running.is_stopping(turn) {
        outcome.lessons.without_memory()
    } else {
        outcome.lessons
    };
    let also_wake: Vec<ChannelKind> = asked.for_others.iter().map(|(_, parcel)| parcel.channel).collect();
    let mut end = TurnEnd {
        inbox: Some(waiting.id),
        turn: Some(row),
        lessons,
        fastpath_max: inner.parts.memory.fastpath_max,
        decide: autopath::decider(&inner.parts.memory),
        dialog: asked.dialog,
        dialog_done,
        callbacks: asked.callbacks,
        parcels: vec![parcel(inner, waiting, Some(turn), asked.reply)],
        for_others: asked.for_others,
        run: None,
        now_ms: ended.as_millisecond(),
    };
    if let Some(due) = due {
        due.join(inner, &speaker, turn, &mut end).await?;
    }
    if outcome.final_kind == FinalKind::Stopped {
        inner.running.honour(turn);
    }
    if Box::pin(inner.parts.store.end_turn(end)).await? {
        turn_log::write(inner, turn, &line).await;
    }
    inner.outbox.wake(turn.channel);
    also_wake.into_iter().for_each(|channel| inner.outbox.wake(channel));
    tell_end(inner, &waiting.inbound, turn.id.clone());
    Ok(())
}

/// The answer with its buttons, or the question of a turn that waits.
async fn asked(
    inner: &Arc<Inner>,
    speaker: &Speaker<'_>,
    turn: &Turn,
    outcome: &TurnOutcome,
) -> Result<dialogs::Asked, StoreError> {
    if let Some(pause) = &outcome.pause {
        return dialogs::put(inner, speaker, turn, pause, outcome).await;
    }
    let mut reply = speaker.reply(&outcome.views, &outcome.notes);
    let callbacks = callbacks(turn, buttons::of(outcome), None);
    reply.buttons = labelled(speaker, &callbacks);
    Ok(dialogs::Asked {
        reply,
        callbacks,
        ..dialogs::Asked::default()
    })
}

/// Tells the channel that a turn is over, however it ended.
pub(super) fn tell_end(inner: &Inner, inbound: &Inbound, turn: TurnId) {
    let conversation = inbound.conversation.clone();
    inner.signal(inbound.channel, Signal::Ended { conversation, turn });
}

/// Ends a message that needed no turn, or whose turn broke: then the reply takes the place of its progress.
pub(super) async fn close(inner: &Inner, waiting: &Waiting, reply: Option<Reply>) -> Result<(), StoreError> {
    let turn = inner.running.turn_for(waiting);
    let parcels = reply.map(|reply| NewParcel {
        turn,
        ..parcel(inner, waiting, None, reply)
    });
    let end = TurnEnd {
        inbox: Some(waiting.id),
        turn: None,
        lessons: Lessons::default(),
        fastpath_max: inner.parts.memory.fastpath_max,
        decide: autopath::decider(&inner.parts.memory),
        dialog: None,
        // Whatever kept it from being carried out was said: nothing of it is left to keep.
        dialog_done: if let InboundBody::Answered(dialog) = &waiting.inbound.body {
            Some(dialog.clone())
        } else {
            None
        },
        callbacks: Vec::new(),
        parcels: parcels.into_iter().collect(),
        for_others: Vec::new(),
        // A firing whose turn did not come about, or broke, failed.
        run: due::failed(inner, waiting).await?,
        now_ms: inner.parts.clock.now_ms(),
    };
    Box::pin(inner.parts.store.end_turn(end)).await?;
    inner.outbox.wake(waiting.inbound.channel);
    Ok(())
}

/// The answer to a message, named by its words; what a task says comes unasked.
fn parcel(inner: &Inner, waiting: &Waiting, turn: Option<&Turn>, reply: Reply) -> NewParcel {
    let inbound = &waiting.inbound;
    let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), Parcel::Reply(reply));
    let is_unasked = matches!(inbound.body, InboundBody::Due { .. });
    let asked = turn.map_or_else(|| notices::words_of(&inbound.body), |turn| &turn.text);
    let parcel = if is_unasked {
        parcel
    } else {
        parcel.answering(notices::about(inner, asked))
    };
    NewParcel {
        turn: turn.map(|turn| turn.id.clone()),
        reply_to: match &waiting.inbound.body {
            InboundBody::Text(_)
            | InboundBody::Forwarded(_)
            | InboundBody::File(_)
            | InboundBody::Location(_)
            | InboundBody::Sign { .. }
            | InboundBody::Unreadable
            | InboundBody::Unsupported => Some(waiting.inbound.message.clone()),
            InboundBody::Edited { of, .. } => Some(of.clone()),
            InboundBody::Button(_) | InboundBody::Answered(_) | InboundBody::Again(_) | InboundBody::Due { .. } => None,
        },
        ..parcel
    }
}

/// A message that got no turn, or whose turn broke on our side: said, unless it was answered before. A stranger gets
/// the one line strangers get, and nothing of our troubles.
pub(super) async fn excuse(inner: &Inner, waiting: &Waiting, why: &Message) -> Result<(), StoreError> {
    let reply = match inner.parts.actors.resolve(&waiting.inbound).await? {
        Some(actor) => Some(Reply::text(inner.say(actor.lang, why))),
        None => strangers::first_line(inner, waiting).await?,
    };
    close(inner, waiting, reply).await
}

impl Inner {
    /// A sentence in words.
    pub(super) fn say(&self, lang: Lang, message: &Message) -> String {
        self.parts.i18n.say(lang, message)
    }
}

/// Whether a channel shows buttons at all; a new channel must say so here.
pub(super) fn has_keyboard(channel: ChannelKind) -> bool {
    match channel {
        ChannelKind::Terminal => false,
        ChannelKind::Telegram | ChannelKind::Matrix => true,
    }
}
