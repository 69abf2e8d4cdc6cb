//! Who is believed: by whom a message was said, and by whom it was typed. `patterns` asks it about every hit,
//! `dispatch` for the risk of a command. What runs in the end is for policy to say; this may only tighten.
//!
//! | intent | scope | risk |
//! |---|---|---|
//! | timers, alarms | scheduler, write | low |
//! | what is set | scheduler, read | low |
//! | devices | device control | low for a few lights and blinds, else medium |
//! | watchers, which are their owner's | scheduler, write | medium to stop one, low to start it again |
//! | autonomy | system control | high |
//! | everything else | none | low |

use super::{
    Pattern, PatternMatch,
    command::{Command, DeviceCommand, DeviceKind},
    household::Household,
};
use crate::domain::{
    actor::{Actor, Autonomy, Role},
    lang::Lang,
    limits::DEVICES_AT_ONCE,
    message::Message,
    verdict::Risk,
};

/// Whose words a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speaker {
    /// The language they speak.
    pub lang: Lang,
    /// What they are to the household.
    pub role: Role,
    /// How much they let happen without asking.
    pub autonomy: Autonomy,
    /// They typed it themselves.
    pub typed: bool,
}

impl Speaker {
    /// Somebody of the household, whose words these are or who only passed them on.
    pub fn of(actor: &Actor, typed: bool) -> Self {
        Self {
            lang: actor.lang,
            role: actor.role,
            autonomy: actor.autonomy,
            typed,
        }
    }

    /// The host, typing.
    pub fn host(lang: Lang) -> Self {
        Self {
            lang,
            role: Role::Host,
            autonomy: Autonomy::default(),
            typed: true,
        }
    }
}

/// The least any step of a turn counts as: what nobody typed, and what was heard, asks before it changes anything, up
/// to the highest level but one.
pub fn risk_of_words(typed: bool) -> Risk {
    if typed { Risk::Low } else { Risk::High }
}

/// What somebody needs to be granted for a request by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// See what is set.
    SchedulerRead,
    /// Set timers and alarms, and take them back; stop what watches, and start it again.
    SchedulerWrite,
    /// Command devices.
    DeviceControl,
    /// Change how much may happen without asking.
    SystemControl,
}

impl Pattern {
    /// What it needs; the trivial ones need nothing.
    pub fn scope(&self) -> Option<Scope> {
        match self {
            Self::SetAutonomy(_) | Self::LowerAutonomy => Some(Scope::SystemControl),
            Self::Command(Command::Device(_)) => Some(Scope::DeviceControl),
            Self::Command(Command::ListSchedules { .. }) => Some(Scope::SchedulerRead),
            Self::Command(
                Command::SetTimer { .. }
                | Command::ChangeTimer { .. }
                | Command::SetAlarm(_)
                | Command::CancelAlarm { .. }
                | Command::SnoozeAlarm { .. }
                | Command::Watcher { .. },
            ) => Some(Scope::SchedulerWrite),
            Self::Time
            | Self::TimeIn { .. }
            | Self::Date
            | Self::DayOf { .. }
            | Self::DaysUntil { .. }
            | Self::DaysSince { .. }
            | Self::Year
            | Self::Month
            | Self::Week
            | Self::Undo(_)
            | Self::UndoPart { .. }
            | Self::UndoNamed(_)
            | Self::Hello
            | Self::Thanks
            | Self::Bye
            | Self::GoodNight
            | Self::WhoAreYou
            | Self::Help
            | Self::Status
            | Self::Sum { .. }
            | Self::WhereAmI => None,
        }
    }

    /// Whether anything is other than before when it is carried out.
    pub fn changes_something(&self) -> bool {
        match self.scope() {
            Some(Scope::SchedulerWrite | Scope::DeviceControl | Scope::SystemControl) => true,
            Some(Scope::SchedulerRead) => false,
            None => matches!(self, Self::Undo(_) | Self::UndoPart { .. } | Self::UndoNamed(_)),
        }
    }
}

/// A match as it holds for who said it. Words that nobody typed change nothing, a guest changes nothing of the
/// household's own; that is said, and no layer further down gets to read the words otherwise. Asking less of metnos is
/// for everybody: anyone may lower their own level.
pub(super) fn held(found: PatternMatch, speaker: &Speaker) -> PatternMatch {
    let PatternMatch::Hit(pattern) = &found else {
        return found;
    };
    if !speaker.typed && pattern.changes_something() {
        return PatternMatch::Refuse(Message::new("pattern-not-typed"));
    }
    let lowers = if let Pattern::SetAutonomy(level) = pattern {
        *level <= speaker.autonomy
    } else {
        matches!(pattern, Pattern::LowerAutonomy)
    };
    match (speaker.role, pattern.scope()) {
        (Role::Guest, Some(Scope::SystemControl)) if !lowers => PatternMatch::Refuse(Message::new("pattern-host-only")),
        (Role::Guest | Role::Host, _) => found,
    }
}

/// What carrying a command out risks at least; the executor's manifest may say more.
pub fn risk(command: &Command, household: &Household) -> Risk {
    match command {
        Command::SetTimer { .. }
        | Command::ChangeTimer { .. }
        | Command::SetAlarm(_)
        | Command::CancelAlarm { .. }
        | Command::SnoozeAlarm { .. }
        | Command::ListSchedules { .. } => Risk::Low,
        Command::Watcher { pause, .. } => {
            if *pause {
                Risk::Medium
            } else {
                Risk::Low
            }
        }
        Command::Device(device) => risk_of_device(device, household),
    }
}

/// A few lights and blinds are little; what closes the house, what heats it, and many things at once are more.
fn risk_of_device(command: &DeviceCommand, household: &Household) -> Risk {
    let harmless = |kind: DeviceKind| {
        matches!(
            kind,
            DeviceKind::Light
                | DeviceKind::Lamp
                | DeviceKind::Fan
                | DeviceKind::Switch
                | DeviceKind::Outlet
                | DeviceKind::Curtain
                | DeviceKind::Blind
                | DeviceKind::Shutter
                | DeviceKind::Shade
                | DeviceKind::Awning
        )
    };
    let meant = household.meant(&command.target);
    let are_few = (1..=DEVICES_AT_ONCE).contains(&meant.len());
    if are_few && meant.iter().all(|device| harmless(device.kind)) {
        Risk::Low
    } else {
        Risk::Medium
    }
}
