//! What a command asks of an executor: its verb and object, and its arguments by name. `dispatch` makes a one-step plan
//! of it. This is the one home of those names; the manifest of whoever serves commands declares them.
//!
//! | command | executor | arguments |
//! |---|---|---|
//! | timer, reminder in a while | `create_tasks` | `kind` (`timer`, `reminder`), `duration_s`, `name` |
//! | alarm | `create_tasks` | `kind` (`alarm`), `at` (RFC 3339), `repeat` (RFC 5545 rule), `name` |
//! | what is set | `list_tasks` | `kind`, `next`, `date`, `name`, `area`, `duration_s` |
//! | does an alarm ring | `list_tasks` | `kind` (`alarm`), `state` (`ringing`) |
//! | end a timer | `delete_tasks` | `kind`, `all`, `name`, `area`, `duration_s` |
//! | end an alarm | `delete_tasks` | `kind`, `all`, `name`, `time`, `date` |
//! | change a timer | `set_tasks` | `kind`, `action`, `by_s`, `name`, `area`, `duration_s` |
//! | snooze | `set_tasks` | `kind` (`alarm`), `action` |
//! | watcher | `set_tasks` | `kind` (`watcher`), `action`, `name` |
//! | devices | `set_devices` | `action`, `targets`, `area`, `brightness_pct`, `step_pct`, `color` |
//! | which devices there are | `get_devices` | none |
//!
//! `action` of tasks: `pause`, `resume`, `add` and `remove` (with `by_s`), `snooze`, and `cancel` where nobody deletes.
//! `action` of devices: `on`, `off`, `toggle`, `open`, `close`, `lock`, `unlock`, `brighten`, `dim`, and `set` with a
//! brightness or a colour. Entries of `get_devices`: `name`, `aliases`, `area`, `floor`, `domain`, `device_class`.
//! Where nobody says which devices there are, `set_devices` gets the words instead: `kind`, `area`, `floor`, `here`,
//! `whole_house`.
//!
//! `targets` and `area` are given as a list to an argument that takes lists. Whoever names things to act on gives those
//! arguments the kind `words`, so that the approval card shows them; `action` and `kind` are a `choice`.
//!
//! Nothing is dropped: a value without an argument, or a required argument without a value, makes the command unserved.

use jiff::{
    SignedDuration, Span, Zoned,
    civil::{Date, DateTime, Time, Weekday},
};
use serde_json::{Map, Value, json};

use super::{
    command::{Action, AlarmTime, Command, Day, DeviceCommand, Schedule, Target, TimerChange, WhichTimer},
    household::Household,
};
use crate::{
    domain::{
        manifest::Manifest,
        message::Message,
        vocabulary::{Object, Verb},
    },
    language::time::{Recurrence, Unit},
};

/// What a value is, before a manifest says in which form it wants it.
#[derive(Clone, Debug, PartialEq)]
enum Given {
    One(Value),
    Several(Vec<String>),
}

/// One executor that would do, and what it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Its verb.
    pub verb: Verb,
    /// Its object.
    pub object: Object,
    values: Vec<(&'static str, Given)>,
}

/// Why a command is not served.
#[derive(Clone, Debug, PartialEq)]
pub enum Unserved {
    /// The executor has no argument for a value.
    NoArgument(&'static str),
    /// It takes one of these, and several are meant.
    OneOnly(&'static str),
    /// It needs what was not said.
    NotSaid(String),
    /// The words say how often, and not in a way that is understood.
    HowOften,
    /// The devices meant cannot be told.
    WhichDevices,
    /// The person has to say more.
    Ask(Message),
}

/// What else a command is understood by.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// Now, where the person is.
    pub now: &'a Zoned,
    /// What happens again and again, as the request says it.
    pub repeats: Option<&'a Recurrence>,
    /// What there is at home.
    pub household: &'a Household,
}

/// The executors that would carry a command out, best first.
pub fn wanted(command: &Command, around: &Circumstances<'_>) -> Result<Vec<Wanted>, Unserved> {
    let tasks = |verb: Verb, values: Values| values.of(verb, Object::Tasks);
    Ok(match command {
        Command::SetTimer {
            seconds,
            label,
            reminds,
        } => {
            let kind = if *reminds { "reminder" } else { "timer" };
            let values = Values::of_kind(kind)
                .one("duration_s", json!(seconds))
                .text("name", label);
            vec![tasks(Verb::Create, values)]
        }
        Command::ChangeTimer { change, which } => timer_change(*change, which),
        Command::SetAlarm(time) => vec![tasks(Verb::Create, alarm(time, around)?)],
        Command::CancelAlarm { all, which } => {
            cancelled(Values::of_kind("alarm").flag("all", *all).alarm(which, around)?)
        }
        Command::SnoozeAlarm { seconds } => {
            let values = Values::of_kind("alarm").one("action", json!("snooze"));
            let values = seconds
                .iter()
                .fold(values, |values, seconds| values.one("duration_s", json!(seconds)));
            vec![tasks(Verb::Set, values)]
        }
        Command::ListSchedules { what, next, day, which } => {
            let values = schedule(*what).flag("next", *next).date(*day, around.now)?.timer(which);
            vec![tasks(Verb::List, values)]
        }
        Command::Device(device) => vec![devices(device, around.household)?.of(Verb::Set, Object::Devices)],
        Command::Watcher { name, pause } => {
            let action = if *pause { "pause" } else { "resume" };
            let values = Values::of_kind("watcher")
                .one("action", json!(action))
                .text("name", name);
            vec![tasks(Verb::Set, values)]
        }
    })
}

/// The question whether an alarm rings.
pub fn ringing() -> Wanted {
    Values::of_kind("alarm")
        .one("state", json!("ringing"))
        .of(Verb::List, Object::Tasks)
}

impl Wanted {
    /// Whether an executor is of this kind.
    pub fn is(&self, manifest: &Manifest) -> bool {
        manifest.verb == Some(self.verb) && manifest.object == Some(self.object)
    }

    /// The arguments an executor is called with.
    pub fn arguments(&self, manifest: &Manifest) -> Result<Map<String, Value>, Unserved> {
        let mut arguments = Map::new();
        for (name, given) in &self.values {
            let spec = manifest
                .arg(name)
                .filter(|spec| !spec.runtime_resolved)
                .ok_or(Unserved::NoArgument(name))?;
            arguments.insert((*name).to_owned(), in_form(name, given, &spec.schema)?);
        }
        let open = manifest
            .args
            .iter()
            .find(|spec| spec.required && !spec.runtime_resolved && !arguments.contains_key(&spec.name));
        match open {
            Some(spec) => Err(Unserved::NotSaid(spec.name.clone())),
            None => Ok(arguments),
        }
    }
}

/// A value in the form an argument takes.
fn in_form(name: &'static str, given: &Given, schema: &Value) -> Result<Value, Unserved> {
    let takes_list = crate::engine::validator::accepts(schema, "array");
    match given {
        Given::One(value) => Ok(value.clone()),
        Given::Several(texts) if takes_list => Ok(json!(texts)),
        Given::Several(texts) => match texts.as_slice() {
            [only] => Ok(json!(only)),
            _ => Err(Unserved::OneOnly(name)),
        },
    }
}

/// Values by the names of the contract, as a command is read.
#[derive(Clone, Debug, Default)]
struct Values(Vec<(&'static str, Given)>);

impl Values {
    fn of_kind(kind: &str) -> Self {
        Self::default().one("kind", json!(kind))
    }

    fn one(mut self, name: &'static str, value: Value) -> Self {
        self.0.push((name, Given::One(value)));
        self
    }

    fn text(self, name: &'static str, text: &Option<String>) -> Self {
        match text {
            Some(text) => self.one(name, json!(text)),
            None => self,
        }
    }

    fn flag(self, name: &'static str, set: bool) -> Self {
        if set { self.one(name, json!(true)) } else { self }
    }

    fn several(mut self, name: &'static str, texts: Vec<String>) -> Self {
        if !texts.is_empty() {
            self.0.push((name, Given::Several(texts)));
        }
        self
    }

    fn timer(self, which: &WhichTimer) -> Self {
        let named = self.text("name", &which.name).text("area", &which.area);
        match which.seconds {
            Some(seconds) => named.one("duration_s", json!(seconds)),
            None => named,
        }
    }

    fn date(self, day: Option<Day>, now: &Zoned) -> Result<Self, Unserved> {
        match day {
            Some(day) => {
                let date = date_of(day, now.date()).ok_or_else(no_such_day)?;
                Ok(self.one("date", json!(date.to_string())))
            }
            None => Ok(self),
        }
    }

    /// Which alarm, as far as it was said.
    fn alarm(self, which: &AlarmTime, around: &Circumstances<'_>) -> Result<Self, Unserved> {
        if which.recurring || which.after.is_some() {
            return Err(Unserved::HowOften);
        }
        let named = self.text("name", &which.label).date(which.day, around.now)?;
        Ok(match which.clock {
            Some((hour, minute)) => named.one("time", json!(format!("{hour:02}:{minute:02}"))),
            None => named,
        })
    }

    fn of(self, verb: Verb, object: Object) -> Wanted {
        Wanted {
            verb,
            object,
            values: self.0,
        }
    }
}

fn schedule(what: Schedule) -> Values {
    match what {
        Schedule::Timers => Values::of_kind("timer"),
        Schedule::Alarms => Values::of_kind("alarm"),
        Schedule::Reminders => Values::of_kind("reminder"),
        Schedule::Everything => Values::default(),
    }
}

/// Ending something is deleting it, or one of the things that are done to it.
fn cancelled(values: Values) -> Vec<Wanted> {
    let set = values.clone().one("action", json!("cancel"));
    vec![values.of(Verb::Delete, Object::Tasks), set.of(Verb::Set, Object::Tasks)]
}

fn timer_change(change: TimerChange, which: &WhichTimer) -> Vec<Wanted> {
    let values = Values::of_kind("timer").timer(which);
    let (action, by_s) = match change {
        TimerChange::Cancel => return cancelled(values),
        TimerChange::CancelAll => return cancelled(values.flag("all", true)),
        TimerChange::Pause => ("pause", None),
        TimerChange::Resume => ("resume", None),
        TimerChange::Add(seconds) => ("add", Some(seconds)),
        TimerChange::Remove(seconds) => ("remove", Some(seconds)),
    };
    let values = values.one("action", json!(action));
    let values = match by_s {
        Some(seconds) => values.one("by_s", json!(seconds)),
        None => values,
    };
    vec![values.of(Verb::Set, Object::Tasks)]
}

fn alarm(time: &AlarmTime, around: &Circumstances<'_>) -> Result<Values, Unserved> {
    let days = match (time.recurring, around.repeats) {
        (false, _) => None,
        (true, Some(repeats)) => Some(weekdays(repeats).ok_or(Unserved::HowOften)?),
        (true, None) => return Err(Unserved::HowOften),
    };
    let fits =
        |at: &Zoned| days.is_none_or(|days| days.is_empty() || days.contains(&at.weekday().to_monday_one_offset()));
    let first = rings(time, around.now, days.is_some())
        .into_iter()
        .find(fits)
        .ok_or_else(|| Unserved::Ask(Message::new("pattern-alarm-past")))?;
    let values = Values::of_kind("alarm")
        .one("at", json!(first.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()))
        .text("name", &time.label);
    Ok(match days {
        Some(days) => values.one("repeat", json!(rule(days))),
        None => values,
    })
}

/// When an alarm rings first: the next time the clock shows what was said; `None` when that is over.
pub fn rings_at(time: &AlarmTime, now: &Zoned) -> Option<Zoned> {
    rings(time, now, false).into_iter().next()
}

/// The next times an alarm may ring, within a week when it rings again and again.
fn rings(time: &AlarmTime, now: &Zoned, again: bool) -> Vec<Zoned> {
    let today = now.date();
    let in_days = |days: i64| today.checked_add(Span::new().days(days)).ok();
    if let Some(seconds) = time.after {
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
        return now
            .checked_add(SignedDuration::from_secs(seconds))
            .into_iter()
            .collect();
    }
    let clock = time
        .clock
        .and_then(|(hour, minute)| Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok());
    let Some(clock) = clock else { return Vec::new() };
    let days: Vec<Date> = match time.day {
        None if again => (0..=7).filter_map(in_days).collect(),
        None => (0..=1).filter_map(in_days).collect(),
        Some(Day::In(days)) => in_days(i64::from(days)).into_iter().collect(),
        Some(Day::Weekday(number)) => (0..=7)
            .filter_map(in_days)
            .filter(|day| u8::try_from(day.weekday().to_monday_one_offset()) == Ok(number))
            .collect(),
        Some(Day::Date { month, day }) => dates(month, day, today).collect(),
    };
    days.into_iter()
        .flat_map(|day| showings(day.to_datetime(clock), now))
        .filter(|at| at > now)
        .collect()
}

/// A day of the year in the years to come; leap days are eight years apart at most.
fn dates(month: u8, day: u8, today: Date) -> impl Iterator<Item = Date> {
    (0..=8).filter_map(move |years| {
        let year = today.year().checked_add(years)?;
        let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
        (date >= today).then_some(date)
    })
}

/// The moments a clock shows this: two when it is put back over it, the one right after when it is put forward.
fn showings(civil: DateTime, now: &Zoned) -> Vec<Zoned> {
    let zone = now.time_zone();
    let first = zone.to_ambiguous_zoned(civil).compatible();
    let second = zone.to_ambiguous_zoned(civil).later();
    first.into_iter().chain(second).collect()
}

/// The next day of this name or date; today counts.
fn date_of(day: Day, today: Date) -> Option<Date> {
    let in_days = |days: i64| today.checked_add(Span::new().days(days)).ok();
    match day {
        Day::In(days) => in_days(i64::from(days)),
        Day::Weekday(number) => {
            let wanted = Weekday::from_monday_one_offset(i8::try_from(number).ok()?).ok()?;
            in_days(i64::from(today.weekday().until(wanted)))
        }
        Day::Date { month, day } => dates(month, day, today).next(),
    }
}

fn no_such_day() -> Unserved {
    Unserved::Ask(Message::new("pattern-alarm-range"))
}

/// The days of the week of a rhythm, none for every day; `None` when it is no rhythm of days.
fn weekdays(repeats: &Recurrence) -> Option<&[i8]> {
    let plain = repeats.every == 1 && repeats.nth.is_none() && repeats.day.is_none();
    let days = repeats.weekdays.as_slice();
    let every_day = repeats.unit == Some(Unit::Day) && days.is_empty();
    let on_days = matches!(repeats.unit, None | Some(Unit::Week)) && !days.is_empty();
    (plain && (every_day || on_days)).then_some(days)
}

/// The rule of RFC 5545 for these days of the week.
fn rule(days: &[i8]) -> String {
    if days.is_empty() {
        return "FREQ=DAILY".to_owned();
    }
    let named: Vec<&str> = (1..)
        .zip(WEEKDAYS)
        .filter(|(day, _)| days.contains(day))
        .map(|(_, name)| name)
        .collect();
    format!("FREQ=WEEKLY;BYDAY={}", named.join(","))
}

/// As rules name them, Monday first.
const WEEKDAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

fn devices(command: &DeviceCommand, household: &Household) -> Result<Values, Unserved> {
    let (action, value) = match command.action {
        Action::On => ("on", None),
        Action::Off => ("off", None),
        Action::Toggle => ("toggle", None),
        Action::Open => ("open", None),
        Action::Close => ("close", None),
        Action::Lock => ("lock", None),
        Action::Unlock => ("unlock", None),
        Action::Level(percent) => ("set", Some(("brightness_pct", json!(percent)))),
        Action::Brighter(step) => ("brighten", step.map(|step| ("step_pct", json!(step)))),
        Action::Dimmer(step) => ("dim", step.map(|step| ("step_pct", json!(step)))),
        Action::Color(hue) => ("set", Some(("color", json!(hue.as_str())))),
    };
    let mut values = Values::default().one("action", json!(action));
    if let Some((name, value)) = value {
        values = values.one(name, value);
    }
    if household.is_unknown() {
        return Ok(in_words(values, &command.target));
    }
    let meant = household.meant(&command.target);
    let first = meant.first().ok_or(Unserved::WhichDevices)?;
    let names = meant.iter().map(|device| device.name.clone()).collect();
    values = values.several("targets", names);
    // A name that two devices bear needs its room beside it.
    let twins = meant.iter().any(|device| household.bear(&device.name) > 1);
    match (&first.area, twins, meant.len()) {
        (_, false, _) => Ok(values),
        (Some(area), true, 1) => Ok(values.several("area", vec![area.clone()])),
        _ => Err(Unserved::WhichDevices),
    }
}

/// Nothing is known of the household: the executor finds out which devices are meant.
fn in_words(values: Values, target: &Target) -> Values {
    let kind = target.kind.map(|kind| kind.as_str().to_owned());
    let rooms = target.areas.iter().chain(&target.unknown_room).cloned().collect();
    values
        .several("targets", target.names.clone())
        .text("kind", &kind)
        .several("area", rooms)
        .text("floor", &target.floor)
        .flag("here", target.here)
        .flag("whole_house", target.house)
}
