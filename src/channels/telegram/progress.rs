//! What a person sees while a turn runs: "typing" at the top of the chat and, when it takes longer, one message that
//! says what is being done, has the button that stops it, and later becomes the answer. Everything here may be lost
//! without harm: no call is repeated, and no failure reaches the turn.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use teloxide::types::{InlineKeyboardMarkup, ReplyMarkup};
use tokio::{
    sync::{broadcast, watch},
    task::JoinHandle,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::{
    api::{Api, Words},
    failure::ApiFailure,
    html::escape,
    keyboard,
};
use crate::{
    channels::printable::one_line,
    domain::{
        delivery::{Signal, StopButton},
        ids::{ChannelKind, ConversationId, MessageId, TurnId},
    },
    runtime::Runtime,
};

/// A turn from memory is over before this, and needs no sign.
const TYPING_AFTER: Duration = Duration::from_millis(200);
/// Telegram shows the sign for five seconds.
const TYPING_EVERY: Duration = Duration::from_secs(4);
/// From here on a person wants to know what takes so long.
const MESSAGE_AFTER: Duration = Duration::from_millis(1_500);
/// Telegram counts edits, too.
const EDIT_EVERY: Duration = Duration::from_millis(1_000);
/// A turn whose end we never heard of stops typing here.
const TURN_MAX: Duration = Duration::from_secs(1_800);

/// The turns running in Telegram's conversations. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    api: Api,
    /// Keeps where the message stands, so that a crash leaves none behind.
    keeper: Runtime,
    turns: Arc<Mutex<HashMap<ConversationId, Shown>>>,
}

/// What a conversation shows of its turn.
#[derive(Debug)]
struct Shown {
    turn: TurnId,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The task types, sends and edits; it ends with the message it sent, if any.
    Running {
        text: watch::Sender<String>,
        stop: CancellationToken,
        task: JoinHandle<Option<i32>>,
    },
    /// The message waits to become the answer.
    Message(i32),
}

impl Progress {
    /// Nothing is running yet.
    pub(super) fn new(api: Api, keeper: Runtime) -> Self {
        Self {
            api,
            keeper,
            turns: Arc::default(),
        }
    }

    /// Follows the runtime's signals until told to stop.
    pub(super) async fn follow(&self, mut signals: broadcast::Receiver<Signal>, stop: &CancellationToken) {
        loop {
            let signal = tokio::select! {
                () = stop.cancelled() => break,
                signal = signals.recv() => signal,
            };
            match signal {
                Ok(signal) => self.note(signal),
                Err(broadcast::error::RecvError::Lagged(count)) => tracing::debug!(count, "signals lost"),
                Err(broadcast::error::RecvError::Closed) => break,
            }
        }
        for shown in self.locked().values() {
            if let State::Running { stop, .. } = &shown.state {
                stop.cancel();
            }
        }
    }

    /// Takes in one signal.
    pub(super) fn note(&self, signal: Signal) {
        match signal {
            Signal::Started {
                conversation,
                turn,
                stop,
            } => self.started(conversation, turn, &stop),
            Signal::Progress {
                conversation,
                turn,
                text: line,
            } => {
                if let Some(State::Running { text, .. }) = self.locked().get(&conversation).and_then(|s| s.of(&turn)) {
                    text.send_replace(line);
                }
            }
            Signal::Notice { .. } => {}
            Signal::Ended { conversation, turn } => {
                if let Some(State::Running { stop, .. }) = self.locked().get(&conversation).and_then(|s| s.of(&turn)) {
                    stop.cancel();
                }
            }
        }
    }

    /// Ends the turn's signs and hands over its message, to be replaced by the answer.
    pub(super) async fn take(&self, conversation: &ConversationId, turn: &TurnId) -> Option<i32> {
        let shown = {
            let mut turns = self.locked();
            turns.get(conversation).and_then(|shown| shown.of(turn))?;
            turns.remove(conversation)?
        };
        match shown.state {
            State::Running { stop, task, .. } => {
                stop.cancel();
                task.await.unwrap_or_else(|error| {
                    tracing::error!(%error, "progress task failed");
                    None
                })
            }
            State::Message(message) => Some(message),
        }
    }

    /// Gives a message back that could not be replaced yet.
    pub(super) fn keep(&self, conversation: ConversationId, turn: TurnId, message: i32) {
        let state = State::Message(message);
        self.locked().insert(conversation, Shown { turn, state });
    }

    /// The message of a turn was taken away, and none will be looked for.
    pub(super) async fn gone(&self, conversation: &ConversationId, message: i32) {
        let message = MessageId::from(message.to_string());
        self.keeper
            .progress_gone(ChannelKind::Telegram, conversation, &message)
            .await;
    }

    fn started(&self, conversation: ConversationId, turn: TurnId, stop: &StopButton) {
        let Ok(chat) = conversation.as_str().parse::<i64>() else {
            return;
        };
        let (text, said) = watch::channel(String::new());
        let sign = Sign {
            api: self.api.clone(),
            keeper: self.keeper.clone(),
            chat,
            conversation: conversation.clone(),
            turn: turn.clone(),
            button: keyboard::stop(stop),
        };
        let stop = CancellationToken::new();
        let task = tokio::spawn(sign.accompany(said, stop.clone()));
        let state = State::Running { text, stop, task };
        if let Some(Shown {
            state: State::Running { stop, .. },
            ..
        }) = self.locked().insert(conversation, Shown { turn, state })
        {
            stop.cancel();
        }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<ConversationId, Shown>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shown {
    fn of(&self, turn: &TurnId) -> Option<&State> {
        (self.turn == *turn).then_some(&self.state)
    }
}

/// The signs of one turn.
struct Sign {
    api: Api,
    keeper: Runtime,
    chat: i64,
    conversation: ConversationId,
    turn: TurnId,
    button: InlineKeyboardMarkup,
}

impl Sign {
    /// Types, sends and edits until the turn ends; returns the message it sent.
    async fn accompany(self, mut said: watch::Receiver<String>, stop: CancellationToken) -> Option<i32> {
        let start = Instant::now();
        let mut next_typing = start + TYPING_AFTER;
        let mut next_message = start + MESSAGE_AFTER;
        let mut shown = String::new();
        let mut message = None;
        loop {
            let has_news = {
                let text = said.borrow_and_update();
                !text.is_empty() && *text != shown
            };
            tokio::select! {
                () = stop.cancelled() => return message,
                () = sleep_until(start + TURN_MAX) => return message,
                () = sleep_until(next_typing) => {
                    if let Err(failure) = self.api.typing(self.chat).await {
                        tracing::debug!(?failure, "typing not shown");
                    }
                    next_typing = Instant::now() + TYPING_EVERY;
                }
                () = sleep_until(next_message), if has_news => {
                    let text = said.borrow_and_update().clone();
                    let wait = self.show(&mut message, &text).await;
                    next_message = Instant::now() + wait;
                    shown = text;
                }
                changed = said.changed(), if !has_news => {
                    if changed.is_err() {
                        return message;
                    }
                }
            }
        }
    }

    /// Sends or edits the message; says how long to leave it alone.
    async fn show(&self, message: &mut Option<i32>, text: &str) -> Duration {
        let line = format!("<i>{}</i>", escape(&one_line(text)));
        let result = match *message {
            Some(shown) => {
                let button = Some(self.button.clone());
                self.api.edit(self.chat, shown, Words::Html(&line), button).await
            }
            None => {
                let button = Some(ReplyMarkup::InlineKeyboard(self.button.clone()));
                let sent = self.api.send(self.chat, Words::Html(&line), None, button).await;
                if let Ok(sent) = &sent {
                    *message = Some(*sent);
                    self.keep(*sent).await;
                }
                sent.map(drop)
            }
        };
        match result {
            Ok(()) | Err(ApiFailure::NotModified) => EDIT_EVERY,
            Err(ApiFailure::RetryAfter(wait)) => wait.max(EDIT_EVERY),
            Err(failure) => {
                tracing::debug!(?failure, "progress not shown");
                EDIT_EVERY
            }
        }
    }

    async fn keep(&self, message: i32) {
        let message = MessageId::from(message.to_string());
        self.keeper
            .progress_shown(ChannelKind::Telegram, &self.conversation, &self.turn, &message)
            .await;
    }
}
