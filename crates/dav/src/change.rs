//! Changes a calendar: a new event, one instance of a series, all from one on, or all of them. Exceptions that were
//! made before stay exceptions. A part that nobody here understands is left as it is.

use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};
use thiserror::Error;

use crate::{
    event::{Attendee, Event},
    lines::{Line, Part, escaped},
    object::Object,
    rule::{Rule, Until},
    when::{At, When},
    zones::{Zone, Zones, describe},
};

mod series;

/// How much of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// This one.
    One,
    /// This one and all behind it.
    Later,
    /// All.
    All,
}

/// Why something cannot be changed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unchanged {
    /// It is not there any more.
    #[error("no such event or instance")]
    Gone,
    /// Its rule names days that cannot be moved along, or cannot be read.
    #[error("the rule of this series cannot be moved so")]
    Rule,
    /// A time that no calendar has.
    #[error("a time that no calendar has")]
    Value,
}

/// To when something moves, by the owner's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// To another day, at its own time.
    Day(Date),
    /// To another time of its day.
    Time(Time),
    /// To this time.
    At(DateTime),
}

/// What changes; what is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// When it begins.
    pub start: Option<Moved>,
    /// How long it is, in minutes.
    pub minutes: Option<i64>,
    /// What it is called.
    pub summary: Option<String>,
    /// Where; an empty one takes the place away.
    pub location: Option<String>,
    /// More about it.
    pub description: Option<String>,
}

/// A new event.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// Its name among all events.
    pub uid: String,
    /// What it is called.
    pub summary: String,
    /// When it begins.
    pub start: When,
    /// When it ends; of days, the first one after it.
    pub end: Option<When>,
    /// Where.
    pub location: Option<String>,
    /// More about it.
    pub description: Option<String>,
    /// Who else is there. They are noted, and nobody is told.
    pub attendees: Vec<Attendee>,
    /// How it repeats.
    pub rule: Option<Rule>,
    /// When it was made.
    pub now: Timestamp,
}

impl NewEvent {
    /// A calendar with this event, and the zones it names.
    pub fn to_object(&self) -> Object {
        let mut event = Part::new("VEVENT");
        let text = |name: &str, text: &str| Line::new(name, escaped(text));
        event.lines = vec![
            text("UID", &self.uid),
            stamp("DTSTAMP", self.now),
            stamp("CREATED", self.now),
            timed("DTSTART", &self.start),
        ];
        event.lines.extend(self.end.as_ref().map(|end| timed("DTEND", end)));
        event.lines.push(text("SUMMARY", &self.summary));
        event
            .lines
            .extend(self.location.as_ref().map(|place| text("LOCATION", place)));
        event
            .lines
            .extend(self.description.as_ref().map(|more| text("DESCRIPTION", more)));
        event
            .lines
            .extend(self.rule.as_ref().map(|rule| Line::new("RRULE", rule.to_string())));
        event.lines.extend(self.attendees.iter().map(attending));
        let mut calendar = Part::new("VCALENDAR");
        calendar.lines = vec![
            Line::new("VERSION", "2.0"),
            Line::new("PRODID", "-//metnos//calendar//EN"),
        ];
        calendar.parts.push(event);
        tell_zones(&mut calendar);
        Object::of(vec![calendar])
    }
}

/// Somebody who is there. No server sends them anything: that is theirs to ask for who made it (RFC 6638, 7.1), and
/// nobody organizes it. Who has no address is written as other calendars do.
fn attending(who: &Attendee) -> Line {
    let value = if who.address.is_empty() {
        "invalid:nomail".to_owned()
    } else {
        let plain = who.address.chars().filter(|letter| !letter.is_control());
        format!("mailto:{}", plain.collect::<String>())
    };
    let line = Line::new("ATTENDEE", value).with("SCHEDULE-AGENT", "NONE");
    if who.name.is_empty() {
        line
    } else {
        line.with("CN", &who.name)
    }
}

/// Tells every zone that a calendar names and does not tell yet.
fn tell_zones(calendar: &mut Part) {
    let is_told = |parts: &[Part], name: &str| {
        let mut zones = parts.iter().filter(|part| part.kind == "VTIMEZONE");
        zones.any(|zone| zone.text("TZID") == name)
    };
    let mut new: Vec<Part> = Vec::new();
    for event in calendar.parts.iter().filter(|part| part.kind == "VEVENT") {
        for line in &event.lines {
            let Some(name) = line.param("TZID") else { continue };
            if is_told(&calendar.parts, name) || is_told(&new, name) {
                continue;
            }
            let begin = crate::event::first(event, "DTSTART").map(|start| start.civil());
            new.extend(begin.and_then(|begin| describe(name, begin)));
        }
    }
    calendar.parts.splice(0..0, new);
}

fn stamp(name: &str, at: Timestamp) -> Line {
    Line::new(name, at.strftime("%Y%m%dT%H%M%SZ").to_string())
}

fn timed(name: &str, when: &When) -> Line {
    let local = |at: &DateTime| at.strftime("%Y%m%dT%H%M%S").to_string();
    match when {
        When::Day(day) => Line::new(name, day.strftime("%Y%m%d").to_string()).with("VALUE", "DATE"),
        When::Floating(at) => Line::new(name, local(at)),
        When::Utc(at) => stamp(name, *at),
        // Universal time is written with its Z and names no zone (RFC 5545, 3.3.5).
        When::Zoned(at, zone) if matches!(zone.as_str(), "UTC" | "Etc/UTC") => {
            Line::new(name, format!("{}Z", local(at)))
        }
        When::Zoned(at, zone) => Line::new(name, local(at)).with("TZID", zone),
    }
}

/// One more time it was changed.
fn touch(part: &mut Part, sequence: i64, now: Timestamp) {
    part.set(stamp("DTSTAMP", now));
    part.set(stamp("LAST-MODIFIED", now));
    part.set(Line::new("SEQUENCE", sequence.saturating_add(1).to_string()));
}

impl Change {
    /// Writes what changes into a component whose event begins here.
    fn write(&self, part: &mut Part, start: &When, zones: &Zones) {
        if let Some(minutes) = self.minutes {
            part.drop_all("DURATION");
            part.set(timed("DTEND", &later(start, minutes, zones)));
        }
        let texts = [
            ("SUMMARY", &self.summary),
            ("LOCATION", &self.location),
            ("DESCRIPTION", &self.description),
        ];
        for (name, text) in texts {
            match text.as_deref() {
                Some("") => part.drop_all(name),
                Some(text) => part.set(Line::new(name, escaped(text))),
                None => {}
            }
        }
    }

    /// When what begins here begins then, written the same way.
    fn moved(&self, start: &When, zones: &Zones) -> Result<When, Unchanged> {
        let Some(moved) = self.start else {
            return Ok(start.clone());
        };
        let now = match zones.settle(start) {
            At::Day(day) => day.at(0, 0, 0, 0),
            At::Instant(at) => at.datetime(),
        };
        let (local, keeps_day) = match moved {
            Moved::Day(day) => (day.to_datetime(now.time()), true),
            Moved::Time(time) => (now.date().to_datetime(time), false),
            Moved::At(at) => (at, false),
        };
        Ok(match start {
            When::Day(_) if keeps_day => When::Day(local.date()),
            // A day that gets a time is a time by the owner's clock.
            When::Day(_) => home_time(local, zones.home()),
            When::Floating(_) => When::Floating(local),
            When::Utc(_) => When::Utc(instant(local, zones.home())?),
            When::Zoned(_, name) => match zones.named(name) {
                Some(Zone::Known(zone)) => When::Zoned(zone.to_datetime(instant(local, zones.home())?), name.clone()),
                Some(Zone::Told(..)) => home_time(local, zones.home()),
                None => When::Zoned(local, name.clone()),
            },
        })
    }
}

fn instant(local: DateTime, zone: &TimeZone) -> Result<Timestamp, Unchanged> {
    let settled = zone.to_ambiguous_timestamp(local).compatible();
    settled.map_err(|_out_of_range| Unchanged::Value)
}

/// A time by the owner's clock as it is written.
pub fn home_time(local: DateTime, home: &TimeZone) -> When {
    match home.iana_name() {
        Some(name) if *home != TimeZone::UTC => When::Zoned(local, name.to_owned()),
        _ => instant(local, home).map_or(When::Floating(local), When::Utc),
    }
}

/// So many minutes behind, by the clock.
fn later(start: &When, minutes: i64, zones: &Zones) -> When {
    if start.is_day() {
        let days = (minutes / (24 * 60)).max(1);
        return start.with_civil(start.civil().saturating_add(days.days()));
    }
    let At::Instant(at) = zones.settle(start) else {
        return start.clone();
    };
    let end = at.timestamp().saturating_add(SignedDuration::from_mins(minutes));
    let end = end.unwrap_or(Timestamp::MAX);
    match start {
        When::Utc(_) => When::Utc(end),
        When::Zoned(_, name) => match zones.named(name) {
            Some(Zone::Known(zone)) => When::Zoned(zone.to_datetime(end), name.clone()),
            _ => start.with_civil(start.civil().saturating_add(minutes.minutes())),
        },
        When::Day(_) | When::Floating(_) => start.with_civil(start.civil().saturating_add(minutes.minutes())),
    }
}

/// The last moment before an instance, as a rule writes it.
fn just_before(instance: &When, zones: &Zones) -> Until {
    match instance {
        When::Day(day) => Until::Day(day.yesterday().unwrap_or(*day)),
        When::Floating(at) => Until::Local(at.saturating_sub(1.second())),
        When::Utc(_) | When::Zoned(..) => {
            let at = zones.of(instance).instant(instance.civil());
            Until::Utc(at.saturating_sub(SignedDuration::from_secs(1)).unwrap_or(at))
        }
    }
}

/// A rule that goes along when its series moves by so much; `None` where it names days that do not.
fn along(rule: &Rule, by: SignedDuration, from: &When, to: &When) -> Option<Rule> {
    let mut rule = rule.clone();
    let days = i64::from((to.civil().date() - from.civil().date()).get_days());
    if days != 0 {
        let fixed = rule.days.iter().any(|(which, _)| *which != 0);
        let named = !rule.month_days.is_empty() || !rule.year_days.is_empty() || !rule.months.is_empty();
        if fixed || named || !rule.places.is_empty() || !rule.weeks.is_empty() {
            return None;
        }
        for (_, day) in &mut rule.days {
            *day = day.wrapping_add(days);
        }
    }
    if rule.hours.len() + rule.minutes.len() + rule.seconds.len() > 0 && !by.is_zero() {
        return None;
    }
    rule.until = match rule.until {
        Some(Until::Day(day)) => Some(Until::Day(day.saturating_add(days.days()))),
        Some(Until::Local(at)) => Some(Until::Local(at.saturating_add(by))),
        Some(Until::Utc(at)) => Some(Until::Utc(at.saturating_add(by).unwrap_or(at))),
        None => None,
    };
    Some(rule)
}

/// Whether the instance of an exception is this one, or one behind it.
fn is_from(event: &Event, instance: &When, zones: &Zones) -> bool {
    let home = zones.home();
    let at = |when: &When| zones.settle(when).instant(home);
    event.replaces.as_ref().is_some_and(|own| at(own) >= at(instance))
}
