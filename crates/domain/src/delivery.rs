//! What passes between the runtime and a channel on the way out: durable deliveries, and signals that may be lost.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    ids::{CallbackToken, ConversationId, MessageId, OutboxId, TurnId},
    message::Message,
    reply::{Button, Reply},
};

/// Something a channel must bring to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parcel {
    /// A new answer.
    Reply(Reply),
    /// New buttons under an answer that was already delivered; an empty list takes them away.
    Keyboard {
        /// The message the buttons belong to, as the channel named it.
        message: MessageId,
        /// What to show now.
        buttons: Vec<Button>,
    },
    /// Our own message goes away: it says what a turn is doing that was cut off.
    Retract {
        /// As the channel named it.
        message: MessageId,
        /// What it says instead where it cannot be taken away.
        instead: String,
    },
    /// The person's own message goes away, where the channel can do that: it holds a secret.
    Delete {
        /// As the channel named it.
        message: MessageId,
    },
}

/// One row of the outbox, handed to its channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Report success or failure under this number.
    pub id: OutboxId,
    /// Where it goes.
    pub conversation: ConversationId,
    /// The person's message this answers, if the channel can show that.
    pub reply_to: Option<MessageId>,
    /// The turn it ends; its progress message is replaced by this.
    pub turn: Option<TurnId>,
    /// What to bring.
    pub parcel: Parcel,
    /// Parts of this reply that were sent before, as the channel named them; `None` for one that may have arrived.
    /// None of them is sent again.
    pub sent_parts: Vec<Option<MessageId>>,
}

/// Why a delivery did not arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryFailure {
    /// The channel asked us to wait this long.
    RetryAfter(Duration),
    /// It surely did not arrive; worth trying again.
    Unreachable(String),
    /// It may have arrived: not sent again.
    Ambiguous(String),
    /// It will never arrive: blocked, or the conversation is gone.
    Permanent(String),
}

/// Why a file that a person sent could not be had.
#[derive(Clone, Debug, PartialEq)]
pub enum FetchFailure {
    /// Larger than we, or the channel's server, take.
    TooLarge,
    /// The server no longer has it.
    Gone,
    /// What came is not what its sender encrypted.
    Damaged,
    /// The server could not be reached; worth trying again.
    Unreachable(String),
    /// It could not be written here.
    Disk(String),
    /// It may not be taken, or there is none; the reason is for the person.
    Refused(Message),
}

/// Something happening in a conversation right now. Losing one costs nothing but comfort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A turn began.
    Started {
        /// Where.
        conversation: ConversationId,
        /// Which.
        turn: TurnId,
        /// What stops it, for channels that can show that.
        stop: StopButton,
    },
    /// A turn is doing something that takes a while; in the person's language.
    Progress {
        /// Where.
        conversation: ConversationId,
        /// Which.
        turn: TurnId,
        /// What, one line.
        text: String,
    },
    /// Something to be seen now that belongs to no turn.
    Notice {
        /// In the person's language.
        text: String,
    },
    /// A turn ended; its answer is in the outbox.
    Ended {
        /// Where.
        conversation: ConversationId,
        /// Which.
        turn: TurnId,
    },
}

/// The button beside the progress of a turn. It acts while the turn runs, and is nowhere kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopButton {
    /// The word on it, in the person's language.
    pub label: String,
    /// What the channel sends back when it is tapped.
    pub token: CallbackToken,
}

/// What became of a tap, at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pressed {
    /// A few words for a toast, in the person's language; `None` for none.
    pub toast: Option<String>,
    /// Whether it did what the button says: a channel that shows the tap by itself need not repeat it in words.
    pub as_expected: bool,
}
