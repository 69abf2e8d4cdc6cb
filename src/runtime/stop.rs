//! Stop: what is answered right now in each conversation, and how its person makes it end. A stop overtakes the queue,
//! since it would wait there behind what it is to stop. It is durable before it acts, so that a stopped request never
//! runs again; what was done before, the stopped turn itself says.

use std::sync::Arc;

use dashmap::DashMap;
use tokio_util::sync::CancellationToken;

use super::{Inner, commands, dialogs, edits, feedback, turn};
use crate::{
    domain::{
        actor::Actor,
        delivery::{Parcel, Pressed, StopButton},
        feedback::Sign,
        ids::{CallbackToken, ChannelKind, ConversationId, InboxId, SenderId, TurnId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        message::Message,
        reply::Reply,
        turn::Turn,
    },
    store::{StoreError, inbox::Waiting, outbox::NewParcel},
};

/// What the button of a running turn sends back, before the turn's id.
const TOKEN: &str = "stop:";

/// What is being answered, one message a conversation.
#[derive(Debug, Default)]
pub(super) struct Running {
    now: DashMap<(ChannelKind, ConversationId), Current>,
}

/// A message that is being answered.
#[derive(Debug)]
struct Current {
    inbox: InboxId,
    sender: SenderId,
    turn: Option<TurnId>,
    stop: CancellationToken,
    /// Its person said stop.
    asked: bool,
    /// The stop is its answer.
    honoured: bool,
}

/// What a stop found.
enum Found {
    /// This is to end.
    Theirs(InboxId, CancellationToken),
    /// Somebody else's.
    NotTheirs,
    /// Nothing runs.
    Nothing,
}

impl Running {
    /// A message's turn has come.
    pub(super) fn begin(&self, waiting: &Waiting) {
        let current = Current {
            inbox: waiting.id,
            sender: waiting.inbound.sender.clone(),
            turn: None,
            stop: CancellationToken::new(),
            asked: false,
            honoured: false,
        };
        self.now.insert(place(&waiting.inbound), current);
    }

    /// A turn of the message begins; cancelled when it is to stop.
    pub(super) fn turn_begins(&self, turn: &Turn) -> CancellationToken {
        let Some(mut current) = self.now.get_mut(&(turn.channel, turn.conversation.clone())) else {
            return CancellationToken::new();
        };
        current.turn = Some(turn.id.clone());
        current.stop.clone()
    }

    /// The turn that the message being answered has come to, if any.
    pub(super) fn turn_for(&self, waiting: &Waiting) -> Option<TurnId> {
        let current = self.now.get(&place(&waiting.inbound))?;
        current.turn.clone().filter(|_| current.inbox == waiting.id)
    }

    /// Whether the person said stop to this turn.
    pub(super) fn is_stopping(&self, turn: &Turn) -> bool {
        self.now
            .get(&(turn.channel, turn.conversation.clone()))
            .is_some_and(|current| current.asked)
    }

    /// The turn's answer says that it was stopped.
    pub(super) fn honour(&self, turn: &Turn) {
        if let Some(mut current) = self.now.get_mut(&(turn.channel, turn.conversation.clone())) {
            current.honoured = true;
        }
    }

    /// The message has its answer; `true` when a stop came too late for it.
    fn end(&self, waiting: &Waiting) -> bool {
        let current = self.now.remove(&place(&waiting.inbound));
        current.is_some_and(|(_, current)| current.asked && !current.honoured)
    }

    /// What this person may stop here.
    fn ask(&self, inbound: &Inbound) -> Found {
        match self.now.get_mut(&place(inbound)) {
            Some(mut current) => current.ask(&inbound.sender),
            None => Found::Nothing,
        }
    }

    /// The same for the turn a button names.
    fn ask_turn(&self, inbound: &Inbound, turn: &TurnId) -> Found {
        let named = self.now.iter_mut().find(|current| current.turn.as_ref() == Some(turn));
        match named {
            Some(mut current) if *current.key() == place(inbound) => current.ask(&inbound.sender),
            Some(_) => Found::NotTheirs,
            None => Found::Nothing,
        }
    }
}

impl Current {
    fn ask(&mut self, sender: &SenderId) -> Found {
        // Its answer, that it was stopped, is on its way.
        if self.honoured {
            return Found::Nothing;
        }
        if self.sender != *sender {
            return Found::NotTheirs;
        }
        self.asked = true;
        Found::Theirs(self.inbox, self.stop.clone())
    }
}

fn place(inbound: &Inbound) -> (ChannelKind, ConversationId) {
    (inbound.channel, inbound.conversation.clone())
}

/// The button that stops a turn.
pub(super) fn button(inner: &Inner, turn: &Turn) -> StopButton {
    StopButton {
        label: inner.say(turn.actor.lang, &Message::new("button-stop")),
        token: CallbackToken::from(format!("{TOKEN}{}", turn.id)),
    }
}

/// A message that just arrived and says stop: acts at once on what runs here for its sender. `false` when nothing does,
/// and when it says something else: then it is for the queue.
pub(super) async fn overtakes(inner: &Arc<Inner>, inbound: &Inbound, said_in: InboxId) -> Result<bool, StoreError> {
    let says_stop = if let InboundBody::Sign { sign, .. } = &inbound.body {
        *sign == Sign::Stop
    } else {
        edits::typed(&inbound.body).is_some_and(|text| is_stop(inner, text))
    };
    if !says_stop || inner.parts.actors.resolve(inbound).await?.is_none() {
        return Ok(false);
    }
    let Found::Theirs(running, stop) = inner.running.ask(inbound) else {
        return Ok(false);
    };
    carry_out(inner, running, &stop, Some(said_in)).await?;
    Ok(true)
}

/// A whole message that says stop, as a command or in a word.
fn is_stop(inner: &Inner, text: &str) -> bool {
    commands::is_stop(text) || inner.parts.engine.language().is_stop(text)
}

async fn carry_out(
    inner: &Inner,
    running: InboxId,
    stop: &CancellationToken,
    said_in: Option<InboxId>,
) -> Result<(), StoreError> {
    let written = inner.parts.store.inbox_stop(Some(running), said_in).await;
    stop.cancel();
    written
}

/// The turn a stop button names.
pub(super) fn turn_of(token: &CallbackToken) -> Option<TurnId> {
    token.as_str().strip_prefix(TOKEN).map(TurnId::from)
}

/// A tap on the button of a turn.
pub(super) async fn press(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    lang: Lang,
    named: &TurnId,
) -> Result<Pressed, StoreError> {
    match inner.running.ask_turn(inbound, named) {
        Found::Theirs(running, stop) => {
            carry_out(inner, running, &stop, None).await?;
            Ok(Pressed {
                as_expected: true,
                ..feedback::toast(inner, lang, "stop-taken")
            })
        }
        Found::NotTheirs => Ok(feedback::toast(inner, lang, "feedback-not-yours")),
        Found::Nothing => Ok(feedback::toast(inner, lang, "stop-over")),
    }
}

/// A reaction that says stop. One that a server tells us of a second time must not stop what runs by then.
pub(super) async fn react(inner: &Arc<Inner>, inbound: &Inbound, actor: &Actor) -> Result<Pressed, StoreError> {
    let now_ms = inner.parts.clock.now_ms();
    let Some(id) = inner.parts.store.inbox_add(inbound, now_ms).await? else {
        return Ok(Pressed::default());
    };
    if overtakes(inner, inbound, id).await? {
        return Ok(Pressed {
            toast: None,
            as_expected: true,
        });
    }
    inner.parts.store.inbox_stop(None, Some(id)).await?;
    Ok(feedback::toast(inner, actor.lang, "stop-nothing"))
}

/// A stop whose turn came in the queue: nothing runs. An open question is dropped.
pub(super) async fn answer(inner: &Arc<Inner>, waiting: &Waiting, actor: &Actor) -> Result<(), StoreError> {
    let reply = match dialogs::drop_question(inner, &waiting.inbound, actor, Some(waiting.id)).await? {
        Some(reply) => reply,
        None => Some(Reply::text(inner.say(actor.lang, &Message::new("stop-nothing")))),
    };
    turn::close(inner, waiting, reply).await
}

/// Whether a word that stops stands for nothing else where nothing runs.
pub(super) fn is_idle_stop(inner: &Inner, actor: &Actor, text: &str) -> bool {
    let engine = &inner.parts.engine;
    let now = inner.parts.clock.zoned(&actor.timezone);
    engine.language().is_stop(text) && !engine.is_request(text, actor, &now)
}

/// A message has its answer. A stop that came too late for it is told so, and takes back what the answer asks.
pub(super) async fn end(inner: &Arc<Inner>, waiting: &Waiting) -> Result<(), StoreError> {
    let inbound = &waiting.inbound;
    if !inner.running.end(waiting) {
        return Ok(());
    }
    let Some(actor) = inner.parts.actors.resolve(inbound).await? else {
        return Ok(());
    };
    if dialogs::drop_question(inner, inbound, &actor, None).await?.is_some() {
        return Ok(());
    }
    let reply = Reply::text(inner.say(actor.lang, &Message::new("stop-too-late")));
    let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), Parcel::Reply(reply)).answering("");
    feedback::send(inner, parcel, &actor.id).await
}
