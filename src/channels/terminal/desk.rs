//! The runtime as seen from the terminal: one place that submits, presses, waits and reports deliveries as printed.
//! It decides when a request counts as answered, and nothing else.

use std::time::Duration;

use tokio::{
    sync::{broadcast, mpsc},
    task::JoinHandle,
};

use super::session::CONVERSATION;
use crate::{
    domain::{
        delivery::{Delivery, Parcel, Pressed, Signal},
        ids::{ChannelKind, ConversationId, MessageId, TurnId},
        inbound::Inbound,
    },
    runtime::{Runtime, SubmitError},
};

/// Deliveries taken from the runtime and not yet printed. The next of a conversation comes only after a report.
const WAITING_MAX: usize = 4;

/// Something to show.
#[derive(Debug)]
pub(super) enum News {
    /// Print it, then report it with `Desk::printed`.
    Delivery(Box<Delivery>),
    /// A turn says what it is doing.
    Progress(String),
    /// To be seen, and answered by nobody.
    Notice(String),
    /// Turns began or ended.
    Turns,
}

/// The terminal's side of the runtime.
#[derive(Debug)]
pub(super) struct Desk {
    runtime: Runtime,
    deliveries: mpsc::Receiver<Delivery>,
    signals: broadcast::Receiver<Signal>,
    carrier: JoinHandle<()>,
    running: usize,
}

impl Desk {
    /// Begins to take deliveries; those left from an earlier start come first.
    pub(super) fn new(runtime: Runtime) -> Self {
        let (sender, deliveries) = mpsc::channel(WAITING_MAX);
        let signals = runtime.signals(ChannelKind::Terminal);
        let carrier = tokio::spawn(carry(runtime.clone(), sender));
        Self {
            runtime,
            deliveries,
            signals,
            carrier,
            running: 0,
        }
    }

    /// The runtime behind it.
    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Hands a request up.
    pub(super) async fn submit(&self, inbound: Inbound) -> Result<(), SubmitError> {
        let submitted = self.runtime.submit(inbound).await?;
        tracing::debug!(?submitted, "line taken");
        Ok(())
    }

    /// Hands a pressed key up.
    pub(super) async fn press(&self, inbound: Inbound) -> Result<Pressed, SubmitError> {
        self.runtime.press(inbound).await
    }

    /// Reports a delivery as shown, under its message's name if it made one.
    pub(super) async fn printed(&self, delivery: &Delivery, message: Option<MessageId>) {
        if let Some(message) = message {
            self.runtime.part_delivered(delivery.id, message).await;
        }
        self.runtime.delivered(delivery.id).await;
    }

    /// Whether a message of this conversation has its whole answer.
    pub(super) async fn is_answered(&self, message: &MessageId) -> bool {
        let conversation = ConversationId::from(CONVERSATION);
        self.runtime
            .is_answered(ChannelKind::Terminal, &conversation, message)
            .await
    }

    /// How a turn was answered, in a few words.
    pub(super) async fn trace(&self, turn: &TurnId) -> Option<String> {
        self.runtime.trace(turn).await
    }

    /// Whether a turn is running.
    pub(super) fn is_busy(&self) -> bool {
        self.running > 0
    }

    /// The next thing to show. Dropping the future loses nothing.
    pub(super) async fn news(&mut self) -> Option<News> {
        loop {
            tokio::select! {
                delivery = self.deliveries.recv() => return delivery.map(Box::new).map(News::Delivery),
                signal = self.signals.recv() => match signal {
                    Ok(Signal::Started { .. }) => {
                        self.running += 1;
                        return Some(News::Turns);
                    }
                    Ok(Signal::Ended { .. }) => {
                        self.running = self.running.saturating_sub(1);
                        return Some(News::Turns);
                    }
                    Ok(Signal::Progress { text, .. }) => return Some(News::Progress(text)),
                    Ok(Signal::Notice { text }) => return Some(News::Notice(text)),
                    Err(broadcast::error::RecvError::Lagged(_)) => self.running = 0,
                    Err(broadcast::error::RecvError::Closed) => {
                        return self.deliveries.recv().await.map(Box::new).map(News::Delivery);
                    }
                },
            }
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.carrier.abort();
    }
}

async fn carry(runtime: Runtime, sender: mpsc::Sender<Delivery>) {
    loop {
        let delivery = runtime.next_delivery(ChannelKind::Terminal).await;
        if sender.send(delivery).await.is_err() {
            return;
        }
    }
}

/// When the next line may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// After the answer to this message.
    AnswerTo(MessageId),
    /// After an answer, or when nothing has happened for this long and no turn is running.
    Settled(Duration),
    /// After the next delivery of any kind, or when settled for this long.
    Acknowledged(Duration),
    /// When nothing has happened for this long and no turn is running.
    Quiet(Duration),
}

impl Until {
    /// How long silence must last to end the wait; `None` for ever.
    pub(super) fn silence(&self) -> Option<Duration> {
        match self {
            Self::AnswerTo(_) => None,
            Self::Settled(silence) | Self::Acknowledged(silence) | Self::Quiet(silence) => Some(*silence),
        }
    }

    /// Whether this delivery ends the wait.
    pub(super) fn is_over_with(&self, delivery: &Delivery) -> bool {
        let is_reply = matches!(delivery.parcel, Parcel::Reply(_));
        match self {
            // A delivery left over from an earlier start answers another message.
            Self::AnswerTo(message) => is_reply && delivery.reply_to.as_ref().is_none_or(|asked| asked == message),
            Self::Settled(_) => is_reply,
            Self::Acknowledged(_) => true,
            Self::Quiet(_) => false,
        }
    }
}
