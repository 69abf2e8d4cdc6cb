//! What a person can command by rule beside the trivial things: timers, alarms, lists of them, devices, watchers.
//! `patterns` makes these values from a message; they say what is meant and nothing of how it is done.

/// One command, understood to its last word.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Count down, and say so at the end.
    SetTimer {
        /// For how long.
        seconds: u64,
        /// What it is for, as the person wrote it.
        label: Option<String>,
        /// It is to remind of something rather than to count.
        reminds: bool,
    },
    /// Something about timers that run.
    ChangeTimer {
        /// What is done to them.
        change: TimerChange,
        /// Which of them.
        which: WhichTimer,
    },
    /// Wake somebody.
    SetAlarm(AlarmTime),
    /// Take alarms back.
    CancelAlarm {
        /// Whatever is set.
        all: bool,
        /// Which, as far as it was said.
        which: AlarmTime,
    },
    /// Ring again a little later.
    SnoozeAlarm {
        /// After so many seconds, if that was said.
        seconds: Option<u64>,
    },
    /// Say what is set.
    ListSchedules {
        /// Timers, alarms or reminders.
        what: Schedule,
        /// Only the first that comes.
        next: bool,
        /// Only those of this day.
        day: Option<Day>,
        /// Which timer, when one is meant.
        which: WhichTimer,
    },
    /// Do something to devices.
    Device(DeviceCommand),
    /// Stop or start a watcher.
    Watcher {
        /// Its name, if one was said.
        name: Option<String>,
        /// Stopped, or started again.
        pause: bool,
    },
}

/// What a command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Timers, alarms, reminders.
    Clocks,
    /// Devices of the house.
    Devices,
    /// Watchers.
    Watchers,
}

impl Command {
    /// What it is about.
    pub fn subject(&self) -> Subject {
        match self {
            Self::SetTimer { .. }
            | Self::ChangeTimer { .. }
            | Self::SetAlarm(_)
            | Self::CancelAlarm { .. }
            | Self::SnoozeAlarm { .. }
            | Self::ListSchedules { .. } => Subject::Clocks,
            Self::Device(_) => Subject::Devices,
            Self::Watcher { .. } => Subject::Watchers,
        }
    }
}

/// What is done to a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerChange {
    /// It ends now.
    Cancel,
    /// All of them end now.
    CancelAll,
    /// It stands still.
    Pause,
    /// It goes on.
    Resume,
    /// It runs for so many seconds more.
    Add(u64),
    /// It runs for so many seconds less.
    Remove(u64),
}

/// How a timer is told from the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhichTimer {
    /// By its name.
    pub name: Option<String>,
    /// By the room it was set in.
    pub area: Option<String>,
    /// By how long it was set for.
    pub seconds: Option<u64>,
}

/// What is kept for later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// What counts down.
    Timers,
    /// What wakes.
    Alarms,
    /// What reminds.
    Reminders,
    /// All of them.
    Everything,
}

/// When an alarm rings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlarmTime {
    /// At this hour and minute.
    pub clock: Option<(u8, u8)>,
    /// On this day.
    pub day: Option<Day>,
    /// After so many seconds.
    pub after: Option<u64>,
    /// Again and again.
    pub recurring: bool,
    /// What it is for.
    pub label: Option<String>,
}

/// A day as it was said; which date that is, whoever keeps the time decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Day {
    /// So many days from today.
    In(u8),
    /// The next day of this name; Monday is 1.
    Weekday(u8),
    /// A date of the year.
    Date {
        /// January is 1.
        month: u8,
        /// The day of the month.
        day: u8,
    },
}

/// What is done to which devices.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceCommand {
    /// What is done.
    pub action: Action,
    /// To which.
    pub target: Target,
}

/// What is done to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// On.
    On,
    /// Off.
    Off,
    /// The other of both.
    Toggle,
    /// Opened or raised.
    Open,
    /// Closed or lowered.
    Close,
    /// Locked.
    Lock,
    /// Unlocked.
    Unlock,
    /// To this percentage.
    Level(u8),
    /// Brighter, by so many percent if that was said.
    Brighter(Option<u8>),
    /// Dimmer, by so many percent if that was said.
    Dimmer(Option<u8>),
    /// To this colour.
    Color(Hue),
}

/// A colour people name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hue {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Orange.
    Orange,
    /// Purple.
    Purple,
    /// Pink.
    Pink,
    /// White.
    White,
    /// Black.
    Black,
    /// Brown.
    Brown,
    /// Turquoise.
    Turquoise,
}

impl Hue {
    /// Its English name, as executors know it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Yellow => "yellow",
            Self::Orange => "orange",
            Self::Purple => "purple",
            Self::Pink => "pink",
            Self::White => "white",
            Self::Black => "black",
            Self::Brown => "brown",
            Self::Turquoise => "turquoise",
        }
    }
}

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// A light of any form.
    Light,
    /// A light that stands alone: "the lamp" is one of them.
    Lamp,
    /// A fan.
    Fan,
    /// A switch.
    Switch,
    /// A socket.
    Outlet,
    /// A curtain.
    Curtain,
    /// A blind.
    Blind,
    /// A shutter.
    Shutter,
    /// A shade.
    Shade,
    /// An awning.
    Awning,
    /// A window.
    Window,
    /// A garage door.
    Garage,
    /// A door.
    Door,
    /// A gate.
    Gate,
    /// A valve.
    Valve,
    /// A lock.
    Lock,
    /// Heating or cooling.
    Climate,
    /// A scene or a mode; only by its name.
    Scene,
    /// Anything else that has a name.
    Other,
}

impl DeviceKind {
    /// Its English name, as executors know it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Lamp => "lamp",
            Self::Fan => "fan",
            Self::Switch => "switch",
            Self::Outlet => "outlet",
            Self::Curtain => "curtain",
            Self::Blind => "blind",
            Self::Shutter => "shutter",
            Self::Shade => "shade",
            Self::Awning => "awning",
            Self::Window => "window",
            Self::Garage => "garage",
            Self::Door => "door",
            Self::Gate => "gate",
            Self::Valve => "valve",
            Self::Lock => "lock",
            Self::Climate => "climate",
            Self::Scene => "scene",
            Self::Other => "other",
        }
    }

    /// The kind of a device by its domain and class, in the names that home automation has for them; a name of ours
    /// is as good as a domain.
    pub fn of_domain(domain: &str, class: Option<&str>) -> Self {
        let class = class.and_then(Self::named);
        match domain {
            "media_player" | "vacuum" => Self::Other,
            "cover" => class.filter(|kind| kind.is_cover()).unwrap_or(Self::Curtain),
            "switch" => class.filter(|kind| *kind == Self::Outlet).unwrap_or(Self::Switch),
            "script" => Self::Scene,
            other => Self::named(other).unwrap_or(Self::Other),
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    const ALL: [Self; 19] = [
        Self::Light,
        Self::Lamp,
        Self::Fan,
        Self::Switch,
        Self::Outlet,
        Self::Curtain,
        Self::Blind,
        Self::Shutter,
        Self::Shade,
        Self::Awning,
        Self::Window,
        Self::Garage,
        Self::Door,
        Self::Gate,
        Self::Valve,
        Self::Lock,
        Self::Climate,
        Self::Scene,
        Self::Other,
    ];

    /// Whether a device of this kind is meant by a word for the other.
    pub fn is_called(self, word: Self) -> bool {
        self == word || self == Self::Lamp && word == Self::Light
    }

    /// Opens and closes rather than going on and off.
    pub fn is_cover(self) -> bool {
        matches!(
            self,
            Self::Curtain
                | Self::Blind
                | Self::Shutter
                | Self::Shade
                | Self::Awning
                | Self::Window
                | Self::Garage
                | Self::Door
                | Self::Gate
        )
    }

    /// Has a brightness.
    pub fn is_light(self) -> bool {
        matches!(self, Self::Light | Self::Lamp)
    }
}

/// Which devices are meant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// Devices of the household by their names, as the household spells them.
    pub names: Vec<String>,
    /// All of this kind.
    pub kind: Option<DeviceKind>,
    /// In these rooms.
    pub areas: Vec<String>,
    /// On this floor.
    pub floor: Option<String>,
    /// Where the person is.
    pub here: bool,
    /// In the whole house.
    pub house: bool,
    /// A room was named that the household does not know.
    pub unknown_room: Option<String>,
}
