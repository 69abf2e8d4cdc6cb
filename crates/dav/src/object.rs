//! One text of a calendar: read within bounds, and written back with all that nobody here understands.

use jiff::tz::TimeZone;
use thiserror::Error;

use crate::{
    event::Event,
    limits::OBJECT_BYTES_MAX,
    lines::{self, Line, Part},
    when::When,
    zones::Zones,
};

/// Why a text is no calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// More bytes than are read.
    #[error("larger than {OBJECT_BYTES_MAX} bytes")]
    TooLarge,
    /// Too many components, or one in another in another.
    #[error("more parts than anybody reads")]
    TooManyParts,
    /// No calendar or card in it, or one that ends in the middle.
    #[error("no calendar and no card")]
    Unreadable,
}

/// One text: a calendar of any number of events, or several in a row.
#[derive(Clone, Debug)]
pub struct Object {
    pub(crate) calendars: Vec<Part>,
    events: Vec<(usize, Event)>,
}

impl Object {
    /// Reads a text. What is no event stays in it and is written back.
    pub fn parse(text: &str) -> Result<Self, Broken> {
        let parts = lines::read(text)?;
        let calendars = parts.into_iter().filter(|part| part.kind != "VCARD").map(rooted);
        let calendars: Vec<Part> = calendars.collect();
        if calendars.is_empty() {
            return Err(Broken::Unreadable);
        }
        Ok(Self::of(calendars))
    }

    pub(crate) fn of(calendars: Vec<Part>) -> Self {
        let mut object = Self {
            calendars,
            events: Vec::new(),
        };
        object.read_events();
        object
    }

    /// After a component changed.
    pub(crate) fn read_events(&mut self) {
        let of_calendar = |(at, calendar): (usize, &Part)| -> Vec<(usize, Event)> {
            let mut zones = Zones::at(TimeZone::UTC);
            zones.learn(calendar);
            let events = calendar
                .parts
                .iter()
                .enumerate()
                .filter(|(_, part)| part.kind == "VEVENT");
            events
                .filter_map(|(index, part)| Some((at, Event::read(index, part)?.by_clock_of(&zones))))
                .collect()
        };
        self.events = self.calendars.iter().enumerate().flat_map(of_calendar).collect();
    }

    /// Its events, in their order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().map(|(_, event)| event)
    }

    pub(crate) fn events_in(&self, calendar: usize) -> impl Iterator<Item = &Event> {
        let own = self.events.iter().filter(move |(at, _)| *at == calendar);
        own.map(|(_, event)| event)
    }

    /// The calendar that an event of this name stands in.
    pub(crate) fn calendar_of(&self, uid: &str) -> Option<usize> {
        let mut events = self.events.iter();
        events.find(|(_, event)| event.uid == uid).map(|(at, _)| *at)
    }

    /// The zones that one of its calendars tells.
    pub(crate) fn zones(&self, calendar: usize, home: &TimeZone) -> Zones {
        let mut zones = Zones::at(home.clone());
        if let Some(calendar) = self.calendars.get(calendar) {
            zones.learn(calendar);
        }
        zones
    }

    /// Names of zones that nobody knows: their times are read by the owner's clock.
    pub fn unknown_zones(&self, home: &TimeZone) -> Vec<String> {
        let mut unknown: Vec<String> = Vec::new();
        for (at, event) in &self.events {
            let When::Zoned(_, name) = &event.start else { continue };
            if !unknown.contains(name) && self.zones(*at, home).named(name).is_none() {
                unknown.push(name.clone());
            }
        }
        unknown
    }

    /// Whether an event of this name is in it.
    pub fn has(&self, uid: &str) -> bool {
        self.events().any(|event| event.uid == uid)
    }

    /// What the calendar calls itself, where it does.
    pub fn name(&self) -> Option<String> {
        let named = self.calendars.iter().flat_map(|calendar| {
            let names = ["X-WR-CALNAME", "NAME"].into_iter();
            names.map(|name| calendar.text(name))
        });
        named.into_iter().find(|name| !name.is_empty())
    }

    /// What the one who sent it wants done with it (RFC 5546), in capitals; `None` where it says nothing.
    pub fn method(&self) -> Option<String> {
        let said = self.calendars.first()?.text("METHOD").to_ascii_uppercase();
        (!said.is_empty()).then_some(said)
    }

    /// As it is kept in a calendar, where no method may stand (RFC 4791, 4.1).
    #[must_use]
    pub fn without_method(mut self) -> Self {
        for calendar in &mut self.calendars {
            calendar.drop_all("METHOD");
        }
        self
    }

    /// A text whose every event says that it is later than it said: some servers take a change for a contradiction
    /// otherwise. `None` where there is no event in it.
    pub fn raised(text: &str) -> Option<String> {
        let mut object = Self::parse(text).ok()?;
        let highest = object.events().map(|event| event.sequence).max()?;
        let parts = object.calendars.iter_mut().flat_map(|calendar| &mut calendar.parts);
        for part in parts.filter(|part| part.kind == "VEVENT") {
            part.set(Line::new("SEQUENCE", highest.saturating_add(1).to_string()));
        }
        Some(object.to_text())
    }

    /// The text, with lines folded as the standard wants.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for calendar in &self.calendars {
            calendar.write(&mut text);
        }
        text
    }
}

/// A bare event, as some programs hand one over, stands in a calendar of its own.
fn rooted(part: Part) -> Part {
    if part.kind == "VCALENDAR" {
        return part;
    }
    Part {
        parts: vec![part],
        ..Part::new("VCALENDAR")
    }
}
