//! Names of time zones as calendars write them, and what the clock shows there: names of the database, those of
//! Windows and of other programs, and zones that an object tells itself. A name nobody knows is read in the owner's
//! zone; who asks can tell them so.

use std::collections::BTreeMap;

use jiff::{
    Timestamp,
    civil::DateTime,
    tz::{Offset, TimeZone},
};

use crate::{
    event,
    limits::ZONE_YEARS_MAX,
    lines::Part,
    rule::Rule,
    when::{At, When},
};

mod names;
mod told;

pub(crate) use told::describe;

/// What the clock shows somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Zone {
    /// A zone of the database, or a fixed offset.
    Known(TimeZone),
    /// One that an object tells: from when on which offset counts, in order, and the one before the first.
    Told(Vec<(Timestamp, Offset)>, Offset),
}

/// The zones of one object, and where its reader is.
#[derive(Clone, Debug)]
pub struct Zones {
    home: TimeZone,
    told: BTreeMap<String, Zone>,
    /// What times in UTC are shown in, where a program wrote all of them so (`X-WR-TIMEZONE`).
    of_calendar: Option<TimeZone>,
}

impl Zone {
    /// The instant of a time by this clock. Of a time that comes twice it is the first; one that is left out is as far
    /// behind midnight as it says.
    pub fn instant(&self, local: DateTime) -> Timestamp {
        match self {
            Self::Known(zone) => instant(zone, local),
            Self::Told(shifts, before) => {
                let at = |offset: Offset| offset.to_timestamp(local).unwrap_or(Timestamp::MAX);
                let mut offset = *before;
                for (from, to) in shifts {
                    if at(offset) < *from {
                        break;
                    }
                    // Between the old clock's and the new one's beginning lies what is left out.
                    let is_gap = at(*to) < *from;
                    if is_gap {
                        return at(offset);
                    }
                    offset = *to;
                }
                at(offset)
            }
        }
    }
}

fn instant(zone: &TimeZone, local: DateTime) -> Timestamp {
    let settled = zone.to_ambiguous_timestamp(local).compatible();
    let edge = if local.year() < 1970 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    settled.unwrap_or(edge)
}

impl Zones {
    /// No zones but those everybody knows.
    pub fn at(home: TimeZone) -> Self {
        Self {
            home,
            told: BTreeMap::new(),
            of_calendar: None,
        }
    }

    /// Where the reader is.
    pub fn home(&self) -> &TimeZone {
        &self.home
    }

    /// With the zones this calendar tells.
    pub(crate) fn learn(&mut self, calendar: &Part) {
        for zone in calendar.parts.iter().filter(|part| part.kind == "VTIMEZONE") {
            let name = zone.text("TZID");
            if known(&name).is_some() {
                continue;
            }
            // A place that is named there says more than rules that were written down once.
            let located = known(&zone.text("X-LIC-LOCATION")).map(Zone::Known);
            if let Some(told) = located.or_else(|| told(zone)) {
                self.told.insert(name, told);
            }
        }
        let own = known(&calendar.text("X-WR-TIMEZONE"));
        if own.is_some() {
            self.of_calendar = own;
        }
    }

    /// The zone of a name in this object; `None` where nobody knows it.
    pub fn named(&self, name: &str) -> Option<Zone> {
        let known = known(name).map(Zone::Known);
        known.or_else(|| self.told.get(name).cloned())
    }

    /// What the clock of a time is: its own zone, else the owner's.
    pub fn of(&self, when: &When) -> Zone {
        match when {
            When::Utc(_) => Zone::Known(TimeZone::UTC),
            When::Zoned(_, name) => self.named(name).unwrap_or_else(|| Zone::Known(self.home.clone())),
            When::Day(_) | When::Floating(_) => Zone::Known(self.home.clone()),
        }
    }

    /// The day, or the instant as the owner's clock shows it.
    pub fn settle(&self, when: &When) -> At {
        match when {
            When::Day(day) => At::Day(*day),
            When::Utc(at) => At::Instant(at.to_zoned(self.home.clone())),
            When::Floating(local) | When::Zoned(local, _) => {
                At::Instant(self.of(when).instant(*local).to_zoned(self.home.clone()))
            }
        }
    }

    /// A time in UTC as the calendar's own zone writes it: what repeats there follows that clock.
    pub(crate) fn as_calendar(&self, when: When) -> When {
        match (&when, &self.of_calendar) {
            (When::Utc(at), Some(zone)) => match zone.iana_name() {
                Some(name) => When::Zoned(zone.to_datetime(*at), name.to_owned()),
                None => when,
            },
            _ => when,
        }
    }
}

/// A zone by a name of the database, of Windows, or of a program that puts its own before it.
pub fn known(name: &str) -> Option<TimeZone> {
    let name = name.trim().trim_matches('"').trim();
    if name.is_empty() {
        return None;
    }
    let of_database = || TimeZone::get(name).ok();
    let of_windows = || TimeZone::get(names::of_windows(name)?).ok();
    // "/vendor.example/2026/Europe/Rome": what a program puts before the name.
    let behind = || {
        name.match_indices('/')
            .find_map(|(at, _)| TimeZone::get(name.get(at + 1..)?).ok())
    };
    of_database().or_else(of_windows).or_else(behind)
}

/// The zone as its own component tells it.
fn told(zone: &Part) -> Option<Zone> {
    let mut shifts: Vec<(Timestamp, Offset, Offset)> = Vec::new();
    for part in zone
        .parts
        .iter()
        .filter(|part| matches!(part.kind.as_str(), "STANDARD" | "DAYLIGHT"))
    {
        shifts.extend(observed(part)?);
    }
    shifts.sort_by_key(|(at, _, _)| *at);
    let before = shifts.first().map(|(_, from, _)| *from)?;
    let shifts = shifts.into_iter().map(|(at, _, to)| (at, to)).collect();
    Some(Zone::Told(shifts, before))
}

/// When one kind of its time begins, again and again.
fn observed(part: &Part) -> Option<Vec<(Timestamp, Offset, Offset)>> {
    let from = offset(&part.text("TZOFFSETFROM"))?;
    let to = offset(&part.text("TZOFFSETTO"))?;
    let start = event::first(part, "DTSTART")?.civil();
    let mut begins = vec![start];
    for line in part.all("RRULE") {
        let rule: Rule = line.value.parse().ok()?;
        let last = start.year().saturating_add(ZONE_YEARS_MAX);
        let ends = |at: &DateTime| match rule.until {
            Some(crate::rule::Until::Utc(until)) => from.to_timestamp(*at).is_ok_and(|at| at <= until),
            Some(crate::rule::Until::Local(until)) => *at <= until,
            Some(crate::rule::Until::Day(day)) => at.date() <= day,
            None => true,
        };
        begins.extend(
            rule.instances(start, None)
                .take_while(|at| at.year() <= last && ends(at)),
        );
    }
    for line in part.all("RDATE") {
        begins.extend(event::whens(line).iter().map(When::civil));
    }
    begins.sort_unstable();
    begins.dedup();
    let at = |begin: &DateTime| Some((from.to_timestamp(*begin).ok()?, from, to));
    Some(begins.iter().filter_map(at).collect())
}

/// "+0100", "-053000".
fn offset(text: &str) -> Option<Offset> {
    let digits = text.trim_start_matches(['+', '-']);
    let number = |from: usize, to: usize| digits.get(from..to)?.parse::<i32>().ok();
    let seconds = number(0, 2)? * 3_600 + number(2, 4)? * 60 + number(4, 6).unwrap_or_default();
    Offset::from_seconds(if text.starts_with('-') { -seconds } else { seconds }).ok()
}
