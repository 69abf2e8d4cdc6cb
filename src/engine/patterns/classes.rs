//! What a phrase of a command can be. The words for each are data (`words`); the frames of `patterns` read the classes.
//! A phrase can have several, and what stands around it decides.

use serde::Deserialize;

use super::command::{Action, DeviceKind, Hue};

/// What a phrase can be in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Filler,
    /// "Please": a filler that ends a name.
    Polite,
    /// "The", "my": what is spoken of is there already.
    Definite,
    /// "It", "them": what was named before.
    Pronoun,
    /// Opens a sentence that tells something: "it is", "I'm".
    Remark,
    /// Binds what follows to the sentence before it: "it is a shame to …".
    Binds,
    /// Opens a reason: "because".
    Because,
    /// May stand before a remark: "so".
    Link,
    /// Another place for what is said: "to … list".
    Elsewhere,
    /// The last part of a verb to devices: it says nothing by itself.
    Taken,
    /// "In": a place follows.
    Inside,
    /// Also what one does to music: "put on".
    Plays,
    /// Links a name to its noun: "il timer della pasta".
    Of,
    Wake,
    /// The article that counts one: what it stands before is new.
    One,
    All,
    Everything,
    Joint,
    NotNow,
    Act(Act),
    State(Action),
    /// A state that was reached, "accesa": a wish beside a verb of wishing, a report without one.
    Reached(Action),
    Kind(DeviceKind),
    Here,
    House,
    Room,
    Brightness,
    Color,
    Percent,
    Most,
    Least,
    Middle,
    By,
    Hue(Hue),
    Clock(Clock),
    Watcher,
    WatcherStops,
    WatcherGoes,
}

impl Class {
    /// The word of clocks, if it is one.
    pub(super) fn clock(self) -> Option<Clock> {
        if let Self::Clock(clock) = self {
            Some(clock)
        } else {
            None
        }
    }
}

/// A verb of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Says all that is done.
    Do(Action),
    /// Needs a state, a level or a colour beside it.
    Set,
    /// More of something, or open.
    Up,
    /// Less of something, or closed.
    Down,
    /// Light, and on.
    LightUp,
    /// No more of what turns or runs; a light or a blind is not stopped.
    Stop,
    /// It is too dark.
    TooDark,
    /// It is too bright.
    TooBright,
}

/// A word of clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Clock {
    Timer,
    Alarm,
    AlarmPlural,
    Reminder,
    Schedule,
    Wake,
    Remind,
    Make,
    Cancel,
    Pause,
    Resume,
    Snooze,
    More,
    Less,
    Left,
    Show,
    Ask,
    Listing,
    Next,
    Label,
    At,
    After,
    FromNow,
    /// An amount from now on stands behind it.
    InTime,
    /// Says to measure so long: "time 4 minutes".
    Count,
    Recurring,
    Am,
    Pm,
    Oclock,
}

impl Clock {
    /// Says what to do.
    pub(super) fn is_verb(self) -> bool {
        matches!(
            self,
            Self::Wake
                | Self::Remind
                | Self::Make
                | Self::Cancel
                | Self::Pause
                | Self::Resume
                | Self::Snooze
                | Self::More
                | Self::Less
                | Self::Show
        )
    }
}
