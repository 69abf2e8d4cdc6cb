//! Identifiers as types that do not mix. Everybody names things with these; nothing here knows how a thing is stored.
//!
//! ```compile_fail
//! use metnos::domain::ids::{ActorId, TurnId};
//! let _: TurnId = ActorId::from("host");
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The identifier as text, as it is stored and shown.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// One person as the household knows them: `host` or `guest_<id6>`. The isolation key of every row.
    ActorId
}
text_id! {
    /// One account of a person with a service, such as a mailbox.
    PersonAccountId
}
text_id! {
    /// One turn, a UUIDv7 in 32 hex digits: unique, and ordered by time.
    TurnId
}
text_id! {
    /// One conversation of one channel, such as a Telegram chat: messages inside it are answered in order.
    ConversationId
}
text_id! {
    /// The sender as the channel names them (a Telegram user id, a Matrix user id, `local`).
    SenderId
}
text_id! {
    /// A message as its channel names it; with the channel and the conversation it is unique.
    MessageId
}
text_id! {
    /// The name of an executor, `verb_object[_qualifier]` or one of the ratified system names.
    ExecutorName
}
text_id! {
    /// What a button carries over the wire: short, random, meaningless outside our own database.
    CallbackToken
}
text_id! {
    /// A turn that waits for a person.
    DialogId
}
text_id! {
    /// An entry of the scheduler: short and random; `job:<name>` for a job of the house.
    TaskId
}
text_id! {
    /// One firing of a task: the task and the slot it fired for, so that no slot fires twice.
    RunId
}
text_id! {
    /// A cluster of requests that mean the same (L1).
    ClusterId
}
text_id! {
    /// First 16 hex digits of SHA-256 over a plan's shape: tools and argument names, not values.
    PlanHash
}
text_id! {
    /// First 16 hex digits of SHA-256 over an intent's verbs and objects; keywords are not in it.
    IntentHash
}
text_id! {
    /// First 16 hex digits of SHA-256 over a canonical request text.
    CanonicalHash
}
text_id! {
    /// What exactly an approval allows: SHA-256 over executor, resolved arguments and actor, 32 hex digits.
    OperationHash
}
text_id! {
    /// Key of a sentence in `locales/`.
    MessageKey
}

/// A step inside one plan. Stable while steps are inserted or removed; numbered only when shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepId(pub u16);

/// A row of the outbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OutboxId(pub i64);

/// A row of the inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InboxId(pub i64);

/// Where a person talks to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChannelKind {
    /// The terminal of the machine metnos runs on; its person is the host.
    Terminal,
    /// A Telegram bot.
    Telegram,
    /// A Matrix account.
    Matrix,
}

impl ChannelKind {
    /// The name stored in rows and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Telegram => "telegram",
            Self::Matrix => "matrix",
        }
    }

    /// The channel of a stored name.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "terminal" => Some(Self::Terminal),
            "telegram" => Some(Self::Telegram),
            "matrix" => Some(Self::Matrix),
            _ => None,
        }
    }
}

impl fmt::Display for ChannelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
