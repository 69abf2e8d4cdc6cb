//! What P0 makes of a sentence as one line of text, for the rows of `tests/corpus/commands`: `hello`,
//! `set_timer{seconds:300,label:call Mum,reminds}`, `asks pattern-timer-range of Clocks`, `declines Negation`,
//! `refuses closed-secrets`, `nothing`. Called by `corpus`. Whatever two answers differ in must be seen in their lines.

use super::*;

/// The line of an answer.
pub(super) fn shown(answer: &PatternMatch) -> String {
    match answer {
        PatternMatch::Hit(pattern) => of_pattern(pattern),
        PatternMatch::Clarify(question, Some(subject)) => format!("asks {question} of {subject:?}"),
        PatternMatch::Clarify(question, None) => format!("asks {question}"),
        PatternMatch::Refuse(message) if message.args.is_empty() => format!("refuses {message}"),
        PatternMatch::Refuse(message) => format!("refuses {message} {:?}", message.args),
        PatternMatch::Decline(reason) => format!("declines {reason:?}"),
        PatternMatch::Miss => "nothing".to_owned(),
    }
}

/// A name with what is known of it: values by their names, and what is so by its name alone.
struct Line {
    name: &'static str,
    parts: Vec<String>,
}

impl Line {
    fn new(name: &'static str) -> Self {
        let parts = Vec::new();
        Self { name, parts }
    }

    fn with(mut self, name: &str, value: Option<impl ToString>) -> Self {
        self.parts
            .extend(value.map(|value| format!("{name}:{}", value.to_string())));
        self
    }

    fn all(mut self, name: &str, values: &[String]) -> Self {
        self.parts.extend(values.iter().map(|value| format!("{name}:{value}")));
        self
    }

    fn if_so(mut self, name: &str, is_so: bool) -> Self {
        self.parts.extend(is_so.then(|| name.to_owned()));
        self
    }

    fn shown(self) -> String {
        let parts = self.parts.join(",");
        if parts.is_empty() {
            self.name.to_owned()
        } else {
            format!("{}{{{parts}}}", self.name)
        }
    }
}

fn of_pattern(pattern: &Pattern) -> String {
    let line = match pattern {
        Pattern::Time => Line::new("time"),
        Pattern::TimeIn { place } => Line::new("time_in").with("place", Some(place)),
        Pattern::Date => Line::new("date"),
        Pattern::DayOf { when, past } => Line::new("day_of").with("when", Some(when)).if_so("past", *past),
        Pattern::DaysUntil { when, in_weeks } => {
            let line = Line::new("days_until").with("when", Some(when));
            line.if_so("in_weeks", *in_weeks)
        }
        Pattern::DaysSince { when } => Line::new("days_since").with("when", Some(when)),
        Pattern::Year => Line::new("year"),
        Pattern::Month => Line::new("month"),
        Pattern::Week => Line::new("week"),
        Pattern::Undo(turns) => Line::new("undo").with("turns", Some(turns)),
        Pattern::UndoPart { turns, besides } => {
            let line = Line::new("undo_part").with("turns", Some(turns));
            line.with("besides", besides.as_ref())
        }
        Pattern::UndoNamed(named) => Line::new("undo_named").with("change", Some(format!("{named:?}"))),
        Pattern::Hello => Line::new("hello"),
        Pattern::Thanks => Line::new("thanks"),
        Pattern::Bye => Line::new("bye"),
        Pattern::GoodNight => Line::new("good_night"),
        Pattern::WhoAreYou => Line::new("who_are_you"),
        Pattern::Help => Line::new("help"),
        Pattern::Status => Line::new("status"),
        Pattern::SetAutonomy(level) => Line::new("set_autonomy").with("level", Some(level.as_str())),
        Pattern::LowerAutonomy => Line::new("lower_autonomy"),
        Pattern::Sum { expression } => Line::new("sum").with("expression", Some(expression)),
        Pattern::WhereAmI => Line::new("where_am_i"),
        Pattern::Command(command) => of_command(command),
    };
    line.shown()
}

fn of_command(command: &Command) -> Line {
    match command {
        Command::SetTimer {
            seconds,
            label,
            reminds,
        } => {
            let line = Line::new("set_timer").with("seconds", Some(seconds));
            line.with("label", label.as_ref()).if_so("reminds", *reminds)
        }
        Command::ChangeTimer { change, which } => of_timer(of_change(*change), which),
        Command::SetAlarm(time) => of_alarm(Line::new("set_alarm"), time),
        Command::CancelAlarm { all, which } => of_alarm(Line::new("cancel_alarm").if_so("all", *all), which),
        Command::SnoozeAlarm { seconds } => Line::new("snooze_alarm").with("seconds", *seconds),
        Command::ListSchedules { what, next, day, which } => {
            let line = Line::new("list_schedules").with("what", Some(format!("{what:?}")));
            of_timer(line.if_so("next", *next).with("day", day.map(of_day)), which)
        }
        Command::Device(DeviceCommand { action, target }) => of_target(of_action(*action), target),
        Command::Watcher { name, pause } => {
            let line = Line::new(if *pause { "pause_watcher" } else { "start_watcher" });
            line.with("name", name.as_ref())
        }
    }
}

fn of_change(change: TimerChange) -> Line {
    match change {
        TimerChange::Cancel => Line::new("cancel_timer"),
        TimerChange::CancelAll => Line::new("cancel_all_timers"),
        TimerChange::Pause => Line::new("pause_timer"),
        TimerChange::Resume => Line::new("resume_timer"),
        TimerChange::Add(seconds) => Line::new("add_to_timer").with("seconds", Some(seconds)),
        TimerChange::Remove(seconds) => Line::new("remove_from_timer").with("seconds", Some(seconds)),
    }
}

fn of_timer(line: Line, which: &WhichTimer) -> Line {
    let line = line.with("name", which.name.as_ref()).with("area", which.area.as_ref());
    line.with("set_for", which.seconds)
}

fn of_alarm(line: Line, time: &AlarmTime) -> Line {
    let clock = time.clock.map(|(hour, minute)| format!("{hour:02}:{minute:02}"));
    let line = line.with("at", clock).with("day", time.day.map(of_day));
    let line = line.with("after", time.after).if_so("recurring", time.recurring);
    line.with("label", time.label.as_ref())
}

fn of_day(day: Day) -> String {
    match day {
        Day::In(days) => format!("in {days}"),
        Day::Weekday(weekday) => format!("weekday {weekday}"),
        Day::Date { month, day } => format!("{month:02}-{day:02}"),
    }
}

fn of_action(action: Action) -> Line {
    match action {
        Action::On => Line::new("turn_on"),
        Action::Off => Line::new("turn_off"),
        Action::Toggle => Line::new("toggle"),
        Action::Open => Line::new("open"),
        Action::Close => Line::new("close"),
        Action::Lock => Line::new("lock"),
        Action::Unlock => Line::new("unlock"),
        Action::Level(percent) => Line::new("set_level").with("percent", Some(percent)),
        Action::Brighter(percent) => Line::new("brighten").with("percent", percent),
        Action::Dimmer(percent) => Line::new("dim").with("percent", percent),
        Action::Color(hue) => Line::new("set_color").with("color", Some(hue.as_str())),
    }
}

fn of_target(line: Line, target: &Target) -> Line {
    let line = line.all("name", &target.names);
    let line = line
        .with("kind", target.kind.map(DeviceKind::as_str))
        .all("in", &target.areas);
    let line = line.with("floor", target.floor.as_ref());
    let line = line.if_so("here", target.here).if_so("house", target.house);
    line.with("unknown_room", target.unknown_room.as_ref())
}
