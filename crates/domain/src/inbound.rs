//! What a channel hands up: one thing a person did. Channels build these and decide nothing.

use serde::{Deserialize, Serialize};

use super::{
    attachment::SentFile,
    feedback::Sign,
    ids::{CallbackToken, ChannelKind, ConversationId, DialogId, MessageId, RunId, SenderId, TurnId},
    lang::Lang,
    location::SharedLocation,
};

/// One message or one tap, before anybody asked who sent it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inbound {
    /// The channel it came through.
    pub channel: ChannelKind,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// The sender as the channel names them.
    pub sender: SenderId,
    /// The name the sender gave themselves, if the channel tells.
    pub sender_name: Option<String>,
    /// The language the sender's app speaks, if the channel tells. Only a first guess.
    pub lang_hint: Option<Lang>,
    /// Unique within the channel and conversation: what makes delivering twice harmless.
    pub message: MessageId,
    /// What was said or tapped.
    pub body: InboundBody,
}

impl Inbound {
    /// The same sender's message `of` in other words; `own` is what the channel calls the change itself.
    #[must_use]
    pub fn edit(self, of: MessageId, own: &str, text: String) -> Self {
        Self {
            message: MessageId::from(format!("edit:{of}:{own}")),
            body: InboundBody::Edited { of, text },
            ..self
        }
    }
}

/// What a person did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InboundBody {
    /// Typed something: a request, a command, a one-word reply.
    Text(String),
    /// Passed on words that somebody may have written who is not here. They answer no question and are no command.
    Forwarded(String),
    /// Put a message of theirs otherwise.
    Edited {
        /// Which.
        of: MessageId,
        /// All of its words now.
        text: String,
    },
    /// Tapped a button under one of our messages.
    Button(CallbackToken),
    /// Sent a file, a picture or a spoken message.
    File(Box<SentFile>),
    /// Shared where they are.
    Location(SharedLocation),
    /// Said yes, no, again or stop, with a reaction or in a short word.
    Sign {
        /// Which.
        sign: Sign,
        /// The answer it stands under; the last one when it stands under none.
        about: Option<MessageId>,
        /// The word, as typed; the emoji of a reaction.
        text: String,
    },
    /// Sent something whose key never reached us.
    Unreadable,
    /// Sent something we cannot read yet, such as a sticker; answered honestly.
    Unsupported,
    /// Answered what a turn waits for. Made by the runtime after it checked the answer, never by a channel.
    #[serde(alias = "approved")]
    Answered(DialogId),
    /// The request of a task whose moment has come. Made by the runtime, never by a channel.
    Due {
        /// The firing.
        run: RunId,
        /// In its owner's words; the task may be over by now.
        request: String,
    },
    /// Wants the request of this turn run again, differently. Made by the runtime, never by a channel.
    Again(TurnId),
}
