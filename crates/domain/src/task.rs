//! What happens at a time of its own: timers, alarms, reminders, requests that repeat, watchers, and the jobs of the
//! house. The scheduler fires them, the executors of tasks make and change them; nothing here knows either.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::{
    ids::{ActorId, ChannelKind, ConversationId, RunId, TaskId, TurnId},
    message::Message,
};

pub mod slots;
pub mod trigger;
mod weekdays;

pub use self::{
    trigger::{Trigger, TriggerError},
    weekdays::Weekdays,
};

/// The job that ends questions nobody answered: whoever keeps a question says when it is due.
pub const QUESTIONS_JOB: &str = "questions";

/// The name of the job that tells the host in the morning what is new: at their seven, wherever they are.
pub const DIGEST_JOB: &str = "promoter_digest";

/// The entry of the job of this name.
pub fn job_id(name: &str) -> TaskId {
    TaskId::from(format!("job:{name}"))
}

macro_rules! words {
    ($name:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $name {
            /// Every one of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word it is stored and shown as in logs.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// Reads that word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }
    };
}

/// What an entry is, which decides how it fires and what happens when its moment was missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// So long from now: rings.
    Timer,
    /// At a time of day: rings.
    Alarm,
    /// Words at a moment.
    Reminder,
    /// A request that runs as a turn of its owner.
    Request,
    /// A repeated look that speaks when its answer changed.
    Watcher,
    /// A job of the house.
    Job,
}
words!(TaskKind {
    Timer => "timer",
    Alarm => "alarm",
    Reminder => "reminder",
    Request => "request",
    Watcher => "watcher",
    Job => "job",
});

/// How an entry stands. Only the first two wait for a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Waits for its next moment, if it has one.
    Active,
    /// Waits for a moment somebody chose by hand; then it goes on by its trigger.
    Snoozed,
    /// Its owner paused it. A timer keeps what was left.
    Paused,
    /// It rang or was said for the last time, and nobody said that it is done.
    Ringing,
    /// Failed too often in a row: its owner was asked what to do.
    Stopped,
    /// Over.
    Done,
}
words!(TaskState {
    Active => "active",
    Snoozed => "snoozed",
    Paused => "paused",
    Ringing => "ringing",
    Stopped => "stopped",
    Done => "done",
});

/// Where a task was made, and where what it says goes first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPlace {
    /// The channel.
    pub channel: ChannelKind,
    /// The conversation there.
    pub conversation: ConversationId,
}

/// One entry of the scheduler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Which.
    pub id: TaskId,
    /// Whose; `None` for a job of the house.
    pub owner: Option<ActorId>,
    /// Who of the house had it told to its owner; `None` for what its owner set.
    pub said_by: Option<ActorId>,
    /// What.
    pub kind: TaskKind,
    /// What it is called: "pizza", or the name of a job. May be empty.
    pub name: String,
    /// The words as they were said: what to remind of, what to ask, what to look at. May be empty.
    pub words: String,
    /// When.
    pub trigger: Trigger,
    /// Only on these days of the week.
    pub weekdays: Weekdays,
    /// The IANA zone its wall times are of.
    pub zone: String,
    /// When it fires next, in milliseconds since 1970 UTC; `None` while it waits for nothing.
    pub due_ms: Option<i64>,
    /// How it stands.
    pub state: TaskState,
    /// How often it still fires; `None` for ever.
    pub times_left: Option<u32>,
    /// No firing after this moment.
    pub expires_ms: Option<i64>,
    /// How late it may still fire; `None` for what its kind allows.
    pub grace_minutes: Option<u32>,
    /// Where it was made; `None` for a job.
    pub place: Option<TaskPlace>,
    /// What was left of a paused timer.
    pub remaining_ms: Option<i64>,
    /// How long a timer was set for, with what was added and taken away since.
    pub length_ms: Option<i64>,
    /// What a firing left for the next one, such as the last answer of a watcher.
    pub memory: Option<String>,
    /// How often it fired.
    pub fired: u32,
    /// Failures in a row.
    pub failures: u32,
    /// The slot it fired for last.
    pub last_slot_ms: Option<i64>,
    /// When it was made.
    pub created_ms: i64,
    /// Grows with every change, so that of two at once one counts. The store counts it.
    pub revision: i64,
}

impl Task {
    /// A new entry that waits for `due_ms`, with nothing special about it.
    pub fn new(id: TaskId, kind: TaskKind, trigger: Trigger, zone: &str, due_ms: Option<i64>, created_ms: i64) -> Self {
        Self {
            id,
            owner: None,
            said_by: None,
            kind,
            name: String::new(),
            words: String::new(),
            trigger,
            weekdays: Weekdays::default(),
            zone: zone.to_owned(),
            due_ms,
            state: TaskState::Active,
            times_left: None,
            expires_ms: None,
            grace_minutes: None,
            place: None,
            remaining_ms: None,
            length_ms: None,
            memory: None,
            fired: 0,
            failures: 0,
            last_slot_ms: None,
            created_ms,
            revision: 0,
        }
    }

    /// Its zone; one that this machine does not know is read as UTC.
    pub fn time_zone(&self) -> TimeZone {
        TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC)
    }

    /// The run of this slot.
    pub fn run_of(&self, slot_ms: i64) -> RunId {
        RunId::from(format!("{}:{slot_ms}", self.id))
    }

    /// Whether it waits for a moment.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, TaskState::Active | TaskState::Snoozed) && self.due_ms.is_some()
    }
}

/// How one firing went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// At work.
    Running,
    /// It did what it is for.
    Done,
    /// It found or changed nothing, and said nothing.
    Quiet,
    /// It did not work.
    Failed,
    /// It took too long.
    TimedOut,
    /// The process died in it.
    CutOff,
    /// Its moment was missed, and its owner was told.
    Missed,
    /// Its moment was missed, it was still busy, or metnos ended: nothing was done, or not all of it.
    Skipped,
}
words!(RunState {
    Running => "running",
    Done => "done",
    Quiet => "quiet",
    Failed => "failed",
    TimedOut => "timed_out",
    CutOff => "cut_off",
    Missed => "missed",
    Skipped => "skipped",
});

impl RunState {
    /// Whether it counts for the breaker.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::TimedOut | Self::CutOff)
    }
}

/// One firing, as it is remembered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Which.
    pub id: RunId,
    /// Of which task; it may be gone.
    pub task: TaskId,
    /// Whose; `None` for a job.
    pub owner: Option<ActorId>,
    /// What the task was.
    pub kind: TaskKind,
    /// What the task was called then.
    pub name: String,
    /// The slot it fired for.
    pub slot_ms: i64,
    /// When it began.
    pub started_ms: i64,
    /// When it ended; `None` while it runs.
    pub ended_ms: Option<i64>,
    /// How it went.
    pub state: RunState,
    /// One line about it.
    pub outcome: Option<Message>,
    /// The turn it was, for a request.
    pub turn: Option<TurnId>,
    /// What its owner said to it.
    pub answer: Option<String>,
}
