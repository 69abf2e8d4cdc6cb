//! Speaking first: what is said when a task fires, where, and what its buttons do. Called by `hands` for the
//! scheduler, and by `feedback` for a tap. It decides nothing about when; what a request comes to is `turn::due`'s.

use std::sync::Arc;

use uuid::Uuid;

use super::{Inner, feedback, reply::Speaker, turn};
use crate::{
    domain::{
        actor::{Actor, Role},
        delivery::{Parcel, Pressed},
        ids::{CallbackToken, ChannelKind, ConversationId, MessageId, RunId, TaskId, TurnId},
        inbound::{Inbound, InboundBody},
        limits::TASK_SNOOZE,
        message::Message,
        reply::{Block, Button, ButtonKind, Reply, Span, TaskButton},
        task::{Task, TaskKind, TaskState},
    },
    engine::tasks::{moves, wording},
    scheduler::{Firing, How},
    store::{
        StoreError,
        outbox::{Callback, NewParcel},
        tasks::firing::Along,
    },
};

/// The answer a firing is, as buttons know it.
const FIRED: &str = "due:";
/// The card of a task that was stopped.
const STOPPED: &str = "stopped:";
/// The conversation of whoever sits at the machine.
const AT_THE_MACHINE: &str = "local";

/// What is committed with a firing: its words and buttons, or the message it asks as.
pub(super) async fn along(inner: &Inner, firing: &Firing) -> Result<Along, StoreError> {
    // A job works in silence.
    if firing.task.kind == TaskKind::Job {
        return Ok(Along::default());
    }
    let Some((owner, place)) = addressee(inner, &firing.task).await? else {
        return Ok(Along::default());
    };
    let is_missed = matches!(firing.how, How::Missed { .. });
    let asks = matches!(firing.task.kind, TaskKind::Request | TaskKind::Watcher);
    if asks && !is_missed {
        return Ok(Along {
            inbound: inbound(inner, &owner, place, firing).await?,
            ..Along::default()
        });
    }
    let buttons: &[TaskButton] = if is_missed {
        &[]
    } else {
        &[TaskButton::Done, TaskButton::Later, TaskButton::Tomorrow]
    };
    let answer = TurnId::from(format!("{FIRED}{}", firing.run));
    Ok(say(
        inner,
        &owner,
        place,
        answer,
        &words(inner, &owner, firing).await?,
        buttons,
    ))
}

/// A place somebody can be spoken to.
type Place = (ChannelKind, ConversationId);

/// Whom a task is for, and where they are spoken to: where it was made, else where they were last. A job of the house
/// is the host's. `None` when they are gone, or can be reached nowhere.
async fn addressee(inner: &Inner, task: &Task) -> Result<Option<(Actor, Place)>, StoreError> {
    let store = &inner.parts.store;
    let actor = match &task.owner {
        Some(owner) => store.actor(owner).await?,
        None => store.host().await?,
    };
    let Some(actor) = actor else { return Ok(None) };
    let place = place_of(inner, &actor, task).await?;
    Ok(place.map(|place| (actor, place)))
}

async fn place_of(inner: &Inner, owner: &Actor, task: &Task) -> Result<Option<Place>, StoreError> {
    let store = &inner.parts.store;
    let made = task
        .place
        .as_ref()
        .map(|place| (place.channel, place.conversation.clone()));
    let mut places: Vec<Place> = Vec::new();
    if let Some((channel, conversation)) = made {
        // The terminal is always its host's; on the others they may have been locked out since.
        let is_theirs = channel == ChannelKind::Terminal || store.is_paired(channel, &owner.id).await?;
        places.extend(is_theirs.then_some((channel, conversation)));
    }
    place_for(inner, owner, places).await
}

/// Where somebody is spoken to: one of these places, else where they were last, on a channel that is there.
pub(super) async fn place_for(
    inner: &Inner,
    owner: &Actor,
    mut places: Vec<Place>,
) -> Result<Option<Place>, StoreError> {
    let store = &inner.parts.store;
    places.extend(store.last_places(&owner.id).await?);
    if owner.role == Role::Host {
        places.push((ChannelKind::Terminal, ConversationId::from(AT_THE_MACHINE)));
    }
    let is_here = |(channel, _): &&Place| inner.fetchers.borrow().contains_key(channel);
    Ok(places.iter().find(is_here).or(places.first()).cloned())
}

/// The message a request is asked as: its owner's own, in their place.
async fn inbound(
    inner: &Inner,
    owner: &Actor,
    (channel, conversation): Place,
    firing: &Firing,
) -> Result<Option<Inbound>, StoreError> {
    let sender = inner.parts.store.sender_of(&owner.id, channel, &conversation).await?;
    let sender = match (sender, channel) {
        (Some(sender), _) => sender,
        (None, ChannelKind::Terminal) => conversation.as_str().into(),
        (None, ChannelKind::Telegram | ChannelKind::Matrix) => return Ok(None),
    };
    Ok(Some(Inbound {
        channel,
        conversation,
        sender,
        sender_name: None,
        lang_hint: None,
        message: MessageId::from(format!("{FIRED}{}", firing.run)),
        body: InboundBody::Due {
            run: firing.run.clone(),
            request: firing.task.words.clone(),
        },
    }))
}

/// What rings, in words.
async fn words(inner: &Inner, owner: &Actor, firing: &Firing) -> Result<Vec<Message>, StoreError> {
    let task = &firing.task;
    let teller = match &task.said_by {
        Some(teller) => inner.parts.store.actor(teller).await?,
        None => None,
    };
    let now = inner.parts.clock.zoned(&owner.timezone);
    let label = || wording::label(task.kind, &task.name, &task.words);
    let named = if task.name.is_empty() { "no" } else { "yes" };
    let told = teller.map(|teller| {
        Message::new("firing-told")
            .with("name", teller.name)
            .with("words", task.words.as_str())
    });
    let rings = told.unwrap_or_else(|| match task.kind {
        TaskKind::Timer => Message::new("firing-timer")
            .with("named", named)
            .with("name", task.name.as_str())
            .with("span", wording::span(task.length_ms.unwrap_or_default())),
        TaskKind::Alarm => Message::new("firing-alarm")
            .with("named", named)
            .with("name", task.name.as_str())
            .with("time", now.strftime("%H:%M").to_string()),
        TaskKind::Reminder | TaskKind::Request | TaskKind::Watcher | TaskKind::Job => Message::new("firing-reminder")
            .with("said", if task.words.is_empty() { "no" } else { "yes" })
            .with("words", task.words.as_str()),
    });
    let mut lines = match firing.how {
        How::OnTime => vec![rings],
        How::Late { .. } => vec![
            rings,
            Message::new("firing-late").with("moment", wording::moment(firing.slot_ms, &now)),
        ],
        How::Missed { .. } => vec![
            Message::new("firing-missed")
                .with("label", label())
                .with("moment", wording::moment(firing.slot_ms, &now)),
        ],
    };
    lines.extend(
        firing
            .adjusted
            .map(|adjusted| Message::new(wording::adjusted_key(adjusted))),
    );
    Ok(lines)
}

/// A message with buttons that belong to it, for its owner alone.
fn say(
    inner: &Inner,
    owner: &Actor,
    (channel, conversation): Place,
    answer: TurnId,
    lines: &[Message],
    buttons: &[TaskButton],
) -> Along {
    let mut lines = lines.iter().map(|line| inner.say(owner.lang, line));
    let first = lines.next().unwrap_or_default();
    let mut blocks = vec![Block::Paragraph(vec![Span::Bold(first)])];
    blocks.extend(lines.map(|line| Block::Paragraph(vec![Span::Italic(line)])));
    let callbacks: Vec<Callback> = buttons
        .iter()
        .map(|button| Callback {
            token: CallbackToken::from(Uuid::new_v4().simple().to_string()),
            actor: owner.id.clone(),
            turn: answer.clone(),
            kind: ButtonKind::Task(*button),
            dialog: None,
        })
        .collect();
    let shown = buttons.iter().zip(&callbacks).map(|(button, callback)| Button {
        kind: callback.kind,
        label: inner.say(owner.lang, &words_on(*button)),
        token: callback.token.clone(),
        chosen: false,
    });
    let reply = Reply {
        blocks,
        buttons: shown.collect(),
        ..Reply::default()
    };
    let parcel = NewParcel {
        turn: Some(answer),
        ..NewParcel::new(channel, conversation, Parcel::Reply(reply))
    };
    Along {
        parcels: vec![parcel],
        callbacks,
        inbound: None,
    }
}

/// What stands on a button under a firing.
pub(super) fn words_on(button: TaskButton) -> Message {
    Message::new(match button {
        TaskButton::Done => "button-task-done",
        TaskButton::Later => "button-task-later",
        TaskButton::Tomorrow => "button-task-tomorrow",
        TaskButton::GoOn => "button-task-go-on",
        TaskButton::Pause => "button-task-pause",
        TaskButton::Delete => "button-task-delete",
    })
}

/// What its owner is asked about a task that failed too often.
pub(super) async fn card(inner: &Inner, task: &Task) -> Result<Along, StoreError> {
    let Some((owner, place)) = addressee(inner, task).await? else {
        return Ok(Along::default());
    };
    let line = Message::new("firing-stopped").with("label", wording::label(task.kind, &task.name, &task.words));
    let answer = TurnId::from(format!("{STOPPED}{}:{}", task.id, task.fired));
    let buttons: &[TaskButton] = if task.owner.is_some() {
        &[TaskButton::GoOn, TaskButton::Pause, TaskButton::Delete]
    } else {
        &[TaskButton::GoOn, TaskButton::Pause]
    };
    let mut along = say(inner, &owner, place, answer, &[line], buttons);
    hold(inner, &owner, &mut along.parcels).await?;
    Ok(along)
}

/// Keeps what may wait until the quiet hours of its reader are over.
pub(super) async fn hold(inner: &Inner, reader: &Actor, parcels: &mut [NewParcel]) -> Result<(), StoreError> {
    let Some(hours) = inner.parts.store.quiet_hours(&reader.id).await? else {
        return Ok(());
    };
    let now = inner.parts.clock.zoned(&reader.timezone);
    if let Some(end_ms) = hours.end_ms(&now) {
        for parcel in parcels {
            parcel.held_until_ms = end_ms;
        }
    }
    Ok(())
}

/// A tap on a button under a firing, or on the card of a task that was stopped. The first one counts.
pub(super) async fn press(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    callback: &Callback,
    button: TaskButton,
) -> Result<Pressed, StoreError> {
    let by = Presser { inner, actor, button };
    let label = by.label(callback.turn.as_str()).await?;
    let said = match callback.turn.as_str().split_once(':') {
        Some(("due", run)) => by.answer(&RunId::from(run)).await?,
        Some(("stopped", card)) => {
            let task = card.rsplit_once(':').map_or(card, |(task, _)| task);
            by.decide(&TaskId::from(task)).await?
        }
        Some(_) | None => Err("feedback-gone"),
    };
    if turn::has_keyboard(inbound.channel)
        && let Some(message) = inner.parts.store.answer_message(&callback.turn).await?
    {
        let done = said.as_ref().ok().zip(label);
        let words = done.map(|(done, label)| told(inner, actor, &label, done));
        let parcel = Parcel::Keyboard {
            message,
            buttons: Vec::new(),
            words,
        };
        let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), parcel);
        feedback::send(inner, parcel, &actor.id).await?;
    }
    Ok(match said {
        Ok(message) => Pressed {
            as_expected: button == TaskButton::Done,
            toast: Some(inner.say(actor.lang, &message)),
        },
        Err(key) => feedback::toast(inner, actor.lang, key),
    })
}

/// What a message says once its button was tapped: what it was about, and what was done.
fn told(inner: &Inner, actor: &Actor, label: &Message, done: &Message) -> Reply {
    let say = |message| inner.say(actor.lang, message);
    Reply {
        blocks: vec![
            Block::Paragraph(vec![Span::Bold(say(label))]),
            Block::Paragraph(vec![Span::Italic(say(done))]),
        ],
        ..Reply::default()
    }
}

struct Presser<'a> {
    inner: &'a Arc<Inner>,
    actor: &'a Actor,
    button: TaskButton,
}

/// What is said of a tap, or the key of why it comes too late.
type Said = Result<Message, &'static str>;

impl Presser<'_> {
    /// What the task under a message is called, while it is there.
    async fn label(&self, answer: &str) -> Result<Option<Message>, StoreError> {
        let store = &self.inner.parts.store;
        let task = match answer.split_once(':') {
            Some(("due", run)) => store.run(&RunId::from(run)).await?.map(|run| run.task),
            Some(("stopped", card)) => card.rsplit_once(':').map(|(task, _)| TaskId::from(task)),
            Some(_) | None => None,
        };
        let Some(task) = task else { return Ok(None) };
        let task = store.task(&task).await?;
        Ok(task.map(|task| wording::label(task.kind, &task.name, &task.words)))
    }

    /// Done, later or tomorrow.
    async fn answer(&self, id: &RunId) -> Result<Said, StoreError> {
        let store = &self.inner.parts.store;
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        let now_ms = self.inner.parts.clock.now_ms();
        let Some(run) = store.run(id).await? else {
            return Ok(Err("firing-over"));
        };
        if run.answer.is_some() {
            return Ok(Err("firing-answered-before"));
        }
        let Some(mut task) = store.task(&run.task).await? else {
            return Ok(Err("firing-over"));
        };
        let rang_since = task.last_slot_ms.is_some_and(|slot_ms| slot_ms > run.slot_ms);
        let rests = matches!(task.state, TaskState::Paused | TaskState::Stopped | TaskState::Done);
        if self.button != TaskButton::Done && (rang_since || rests) {
            return Ok(Err("firing-over"));
        }
        let at_ms = match self.button {
            TaskButton::Later => Some(now_ms.saturating_add(i64::try_from(TASK_SNOOZE.as_millis()).unwrap_or(0))),
            TaskButton::Tomorrow => moves::tomorrow(run.slot_ms, &now),
            TaskButton::Done | TaskButton::GoOn | TaskButton::Pause | TaskButton::Delete => None,
        };
        let said = match at_ms {
            Some(at_ms) => {
                moves::come_again(&mut task, at_ms);
                Message::new("firing-again").with("moment", wording::moment(at_ms, &now))
            }
            None => {
                moves::done(&mut task);
                Message::new("firing-done")
            }
        };
        let answered = store.run_answer(id, self.button.as_str(), Some(task), now_ms).await?;
        Ok(if answered {
            Ok(said)
        } else {
            Err("firing-answered-before")
        })
    }

    /// Go on, rest or never again.
    async fn decide(&self, id: &TaskId) -> Result<Said, StoreError> {
        let store = &self.inner.parts.store;
        let now_ms = self.inner.parts.clock.now_ms();
        let task = store.task(id).await?;
        let Some(mut task) = task.filter(|task| task.state == TaskState::Stopped) else {
            return Ok(Err("firing-over"));
        };
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        let said = match self.button {
            TaskButton::Delete => {
                let removed = store.task_remove(id, &self.actor.id).await?;
                return Ok(removed.map(|_| Message::new("firing-deleted")).ok_or("firing-over"));
            }
            TaskButton::GoOn => {
                if !moves::go_on(&mut task, now_ms) {
                    return Ok(Err("firing-over"));
                }
                let next = wording::moment(task.due_ms.unwrap_or(now_ms), &now);
                Message::new("firing-goes-on").with("moment", next)
            }
            TaskButton::Pause | TaskButton::Done | TaskButton::Later | TaskButton::Tomorrow => {
                moves::pause(&mut task, now_ms);
                Message::new("firing-rests")
            }
        };
        Ok(if store.task_put(task, now_ms).await? {
            Ok(said)
        } else {
            Err("firing-answered-before")
        })
    }
}

/// What is said above the answer of a request that ran by itself.
pub(super) fn heading(inner: &Inner, speaker: &Speaker<'_>, task: &Task) -> Block {
    aside(inner, speaker, &wording::label(task.kind, &task.name, &task.words))
}

/// Something said beside an answer.
pub(super) fn aside(inner: &Inner, speaker: &Speaker<'_>, said: &Message) -> Block {
    Block::Paragraph(vec![Span::Italic(inner.say(speaker.lang, said))])
}
