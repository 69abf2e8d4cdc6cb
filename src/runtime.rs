//! Floor 4: takes what channels hand up, runs one turn after the other per conversation, and keeps the answers until
//! a channel has brought them. Channels know this handle and nothing else of us.

use tokio::sync::broadcast;

use crate::domain::{
    delivery::{Delivery, DeliveryFailure, Pressed, Signal},
    ids::{ChannelKind, MessageId, OutboxId},
    inbound::Inbound,
};

/// What became of a submitted message. In every case it is durable and its sender will hear of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// New: queued.
    Accepted,
    /// Seen before: nothing happens.
    Duplicate,
}

/// The message could not be made durable; the channel must not confirm it to its server.
#[derive(Debug, thiserror::Error)]
#[error("cannot keep the message")]
pub struct SubmitError;

/// Handle to the running assistant. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Runtime {}

impl Runtime {
    /// Makes a message durable and queues it. When this returns `Ok`, the channel may confirm it to its server.
    pub async fn submit(&self, _inbound: Inbound) -> Result<Submitted, SubmitError> {
        Err(SubmitError)
    }

    /// Acts on a tapped button, durably and once; the inbound's body must be `Button`.
    pub async fn press(&self, _inbound: Inbound) -> Result<Pressed, SubmitError> {
        Err(SubmitError)
    }

    /// The next delivery of this channel, in order within each conversation; waits until there is one.
    /// A conversation's next delivery is handed out only after the one before was reported.
    pub async fn next_delivery(&self, _channel: ChannelKind) -> Delivery {
        std::future::pending().await
    }

    /// Part of a reply arrived; durable before the next part is sent.
    pub async fn part_delivered(&self, _id: OutboxId, _part: MessageId) {}

    /// All of it arrived.
    pub async fn delivered(&self, _id: OutboxId) {}

    /// It did not arrive.
    pub async fn undelivered(&self, _id: OutboxId, _failure: DeliveryFailure) {}

    /// What happens right now, for typing and progress.
    pub fn signals(&self, _channel: ChannelKind) -> broadcast::Receiver<Signal> {
        broadcast::channel(1).1
    }

    /// Where the channel's stream of events was confirmed up to, such as Telegram's update id.
    pub async fn cursor(&self, _channel: ChannelKind) -> Option<i64> {
        None
    }

    /// Remembers the cursor, after everything before it is durable.
    pub async fn set_cursor(&self, _channel: ChannelKind, _cursor: i64) -> Result<(), SubmitError> {
        Err(SubmitError)
    }
}
