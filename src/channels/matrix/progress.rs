//! What a person sees while a turn runs: the typing sign and, when it takes longer, one notice that says what is being
//! done, has the sign that stops it, and goes when the answer comes. The answer is a message of its own, since an edit
//! calls nobody. Everything here may be lost without harm: no call is repeated, and no failure reaches the turn.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use metnos_matrix::{Bot, Kind, Outgoing, Place};
use tokio::{
    sync::{broadcast, watch},
    task::JoinHandle,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::signs;
use crate::{
    channels::printable::one_line,
    domain::{
        delivery::{Delivery, Signal},
        ids::{ChannelKind, ConversationId, MessageId, TurnId},
    },
    runtime::Runtime,
};

/// A turn from memory is over before this, and needs no sign.
const TYPING_AFTER: Duration = Duration::from_millis(200);
/// The homeserver shows the sign for four seconds.
const TYPING_EVERY: Duration = Duration::from_millis(3_500);
/// From here on a person wants to know what takes so long.
const NOTICE_AFTER: Duration = Duration::from_millis(1_500);
/// Edits are messages, too.
const EDIT_EVERY: Duration = Duration::from_millis(1_500);
/// A turn whose end we never heard of stops typing here.
const TURN_MAX: Duration = Duration::from_secs(1_800);
/// Conversations whose thread is remembered.
const THREADS_MAX: usize = 1_024;

/// The turns running in rooms. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    bot: Bot,
    /// Keeps where notices stand, so that a crash leaves none behind.
    runtime: Runtime,
    running: Arc<Mutex<HashMap<ConversationId, Running>>>,
    threads: Arc<Mutex<HashMap<ConversationId, Option<String>>>>,
}

#[derive(Debug)]
struct Running {
    turn: TurnId,
    text: watch::Sender<String>,
    stop: CancellationToken,
    /// Types, sends and edits; it ends with the notice it sent, if any.
    task: JoinHandle<Option<String>>,
}

impl Progress {
    /// Nothing is running yet.
    pub(super) fn new(bot: Bot, runtime: Runtime) -> Self {
        Self {
            bot,
            runtime,
            running: Arc::default(),
            threads: Arc::default(),
        }
    }

    /// The last message of a conversation stood in this thread: so do its notices.
    pub(super) fn stands_in(&self, conversation: &ConversationId, thread: Option<String>) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.len() >= THREADS_MAX {
            threads.clear();
        }
        threads.insert(conversation.clone(), thread);
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
        for running in self.locked().values() {
            running.stop.cancel();
        }
    }

    fn note(&self, signal: Signal) {
        match signal {
            // It is stopped by a sign under the notice, which needs no words.
            Signal::Started {
                conversation,
                turn,
                stop: _,
            } => self.started(conversation, turn),
            Signal::Progress {
                conversation,
                turn,
                text,
            } => {
                if let Some(running) = self.locked().get(&conversation).filter(|running| running.turn == turn) {
                    running.text.send_replace(text);
                }
            }
            Signal::Notice { .. } => {}
            Signal::Ended { conversation, turn } => {
                if let Some(running) = self.locked().get(&conversation).filter(|running| running.turn == turn) {
                    running.stop.cancel();
                }
            }
        }
    }

    fn started(&self, conversation: ConversationId, turn: TurnId) {
        let (text, said) = watch::channel(String::new());
        let stop = CancellationToken::new();
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let sign = Sign {
            bot: self.bot.clone(),
            runtime: self.runtime.clone(),
            conversation: conversation.clone(),
            turn: turn.clone(),
            thread: threads.get(&conversation).cloned().flatten(),
        };
        drop(threads);
        let task = tokio::spawn(sign.accompany(said, stop.clone()));
        let before = self.locked().insert(conversation, Running { turn, text, stop, task });
        if let Some(before) = before {
            before.stop.cancel();
        }
    }

    /// The answer is there: the typing sign and the notice go.
    pub(super) async fn finish(&self, delivery: &Delivery) {
        let running = {
            let mut turns = self.locked();
            let is_its = turns
                .get(&delivery.conversation)
                .is_some_and(|running| delivery.turn.as_ref() == Some(&running.turn));
            if !is_its {
                return;
            }
            turns.remove(&delivery.conversation)
        };
        let Some(running) = running else {
            return;
        };
        running.stop.cancel();
        let room = delivery.conversation.as_str();
        match running.task.await {
            Ok(Some(notice)) => match self.bot.redact(room, &notice).await {
                Ok(()) => {
                    let notice = MessageId::from(notice);
                    self.runtime
                        .progress_gone(ChannelKind::Matrix, &delivery.conversation, &notice)
                        .await;
                }
                Err(failure) => tracing::debug!(%failure, "notice not taken away"),
            },
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "progress task failed"),
        }
        if let Err(failure) = self.bot.typing(room, false).await {
            tracing::debug!(%failure, "typing not ended");
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<ConversationId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The signs of one turn.
struct Sign {
    bot: Bot,
    runtime: Runtime,
    conversation: ConversationId,
    turn: TurnId,
    thread: Option<String>,
}

impl Sign {
    /// Types, sends and edits until the turn ends; returns the notice it sent.
    async fn accompany(self, mut said: watch::Receiver<String>, stop: CancellationToken) -> Option<String> {
        let start = Instant::now();
        let mut next_typing = start + TYPING_AFTER;
        let mut next_notice = start + NOTICE_AFTER;
        let mut shown = String::new();
        let mut notice = None;
        let mut edits = 0_u32;
        loop {
            let has_news = {
                let text = said.borrow_and_update();
                !text.is_empty() && *text != shown
            };
            tokio::select! {
                () = stop.cancelled() => return notice,
                () = sleep_until(start + TURN_MAX) => return notice,
                () = sleep_until(next_typing) => {
                    if let Err(failure) = self.bot.typing(self.conversation.as_str(), true).await {
                        tracing::debug!(%failure, "typing not shown");
                    }
                    next_typing = Instant::now() + TYPING_EVERY;
                }
                () = sleep_until(next_notice), if has_news => {
                    let text = said.borrow_and_update().clone();
                    self.show(&mut notice, &text, edits).await;
                    edits += 1;
                    next_notice = Instant::now() + EDIT_EVERY;
                    shown = text;
                }
                changed = said.changed(), if !has_news => {
                    if changed.is_err() {
                        return notice;
                    }
                }
            }
        }
    }

    /// Sends or edits the notice.
    async fn show(&self, notice: &mut Option<String>, text: &str, edits: u32) {
        let message = Outgoing {
            kind: Kind::Notice,
            text: one_line(text),
            html: None,
            place: Place {
                reply_to: None,
                thread: self.thread.clone().filter(|_| notice.is_none()),
            },
            replaces: notice.clone(),
        };
        let name = format!("progress-{}-{edits}", self.turn);
        match self.bot.send(self.conversation.as_str(), &message, &name).await {
            Ok(sent) if notice.is_none() => {
                self.keep(&sent).await;
                *notice = Some(sent);
            }
            Ok(_edit) => {}
            Err(failure) => tracing::debug!(%failure, "progress not shown"),
        }
    }

    /// Notes where the notice stands, and puts the sign under it that stops the turn.
    async fn keep(&self, notice: &str) {
        let message = MessageId::from(notice);
        self.runtime
            .progress_shown(ChannelKind::Matrix, &self.conversation, &self.turn, &message)
            .await;
        let name = format!("progress-{}-stop", self.turn);
        let seeded = self
            .bot
            .react(self.conversation.as_str(), notice, signs::STOP, &name)
            .await;
        if let Err(failure) = seeded {
            tracing::debug!(%failure, "no sign to stop with; words do the same");
        }
    }
}
