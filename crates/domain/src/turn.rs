//! One turn: who asked what, where, when and in which language.

use jiff::Zoned;

use super::{
    actor::Actor,
    dialogue::Dialogue,
    ids::{ChannelKind, ConversationId, DialogId, PlanHash, RunId, TurnId},
    task::Task,
};

/// Why the turn runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A person typed it.
    Typed,
    /// Nobody typed it to us: it was forwarded, or handed over by a mail, a webhook, a schedule or a rule.
    Relayed,
    /// A person tapped ↺: neither the pattern nor the plan that answered before may come again.
    Retry {
        /// The plan to exclude, if one ran.
        excluded: Option<PlanHash>,
    },
    /// The moment of a task has come: its owner asked for this before.
    Due {
        /// The firing.
        run: RunId,
        /// The task as it was when it began.
        task: Box<Task>,
    },
    /// A person put one value of a request right: what that turn changed is taken back before this one is answered.
    Instead {
        /// The turn with the wrong value.
        of: TurnId,
    },
    /// A person answered what an earlier turn asked.
    Answered {
        /// The dialog that was answered.
        dialog: DialogId,
    },
}

/// What a conversation was about a moment ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The turn that answered it.
    pub turn: TurnId,
    /// The request, its secrets blanked out.
    pub text: String,
    /// The things it spoke of and showed.
    pub dialogue: Dialogue,
}

/// A request with everything the engine may know about it.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "plain facts of how a request came, each asked by itself"
)]
pub struct Turn {
    /// Unique.
    pub id: TurnId,
    /// The turn in which its request began: itself, unless it goes on after a question.
    pub begun_in: TurnId,
    /// Who asks; decides language, zone and autonomy.
    pub actor: Actor,
    /// Where it came from.
    pub channel: ChannelKind,
    /// Which conversation.
    pub conversation: ConversationId,
    /// What was said, trimmed, never longer than `limits::REQUEST_CHARS_MAX`.
    pub text: String,
    /// Now, in the actor's zone.
    pub now: Zoned,
    /// Why it runs.
    pub origin: Origin,
    /// Its words were typed to us: not when they were forwarded or handed over, whatever taps and answers followed.
    pub is_typed: bool,
    /// They were said aloud and heard by a machine: what they would change is shown first.
    pub is_spoken: bool,
    /// They were put together of two messages by their form alone: what they would change is offered.
    pub is_joined: bool,
    /// How often the model may still be asked today; `None` for as often as needed.
    pub model_calls_left: Option<u32>,
    /// What was asked and shown before in this conversation, while it is not over.
    pub before: Option<Before>,
    /// Whether the host can be asked for what this person's level does not allow.
    pub host_is_near: bool,
}
