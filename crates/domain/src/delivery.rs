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
        /// What the message says from now on, where the channel can change it; `None` leaves its words.
        #[serde(default)]
        words: Option<Reply>,
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

/// What is promised of a message. Sending one may break off so that nobody can know whether it arrived, or the process
/// may die meanwhile; its promise alone decides then what follows, the same while it runs and at the next start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// What comes unasked (rings, what was missed or failed, news, what somebody else is asked) and what changes a
    /// message that is there: it comes again until it surely arrived, and a second copy says that it is one.
    AtLeastOnce,
    /// Answers: never sent twice unasked. A notice names what the answer was about and offers it again.
    AtMostOnce,
}

/// What follows when a send broke off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterBreak {
    /// It is sent again, as a copy.
    SendAgain,
    /// A notice offers it.
    Offer,
}

impl Promise {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::AtLeastOnce, Self::AtMostOnce];

    /// The rule.
    pub fn after_break(self) -> AfterBreak {
        match self {
            Self::AtLeastOnce => AfterBreak::SendAgain,
            Self::AtMostOnce => AfterBreak::Offer,
        }
    }

    /// The word it is stored as.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AtLeastOnce => "at_least_once",
            Self::AtMostOnce => "at_most_once",
        }
    }

    /// Reads that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|promise| promise.as_str() == word)
    }
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
    /// What is promised of it.
    pub promise: Promise,
    /// Sending the part after those broke off: it may have arrived.
    pub is_broken: bool,
    /// For how many runs of a task it stands.
    pub runs: u32,
}

/// Why a delivery did not arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryFailure {
    /// The channel asked us to wait this long.
    RetryAfter(Duration),
    /// It surely did not arrive; worth trying again.
    Unreachable(String),
    /// It may have arrived: its promise says what follows.
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
