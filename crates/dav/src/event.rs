//! One `VEVENT` as a plain struct. Called by `object`; what it cannot read is left out, and the component stays as it
//! was for who writes it back.

use jiff::{
    Span,
    civil::{Date, Time},
    tz::TimeZone,
};

use crate::{
    limits::DATES_MAX,
    lines::{Line, Part},
    rule::Rule,
    when::When,
    zones::Zones,
};

/// Whether it will happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// It will.
    #[default]
    Confirmed,
    /// It may.
    Tentative,
    /// It will not.
    Cancelled,
}

/// How long something is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Length {
    /// Up to this end, which may stand in another zone.
    Until,
    /// As long by the clock.
    Span(Span),
    /// A day, or no time at all.
    Unsaid,
}

/// What is in a calendar once, or again and again, or instead of one of those.
#[derive(Clone, Debug)]
pub struct Event {
    /// Which component of its object.
    pub index: usize,
    /// Its name among all events.
    pub uid: String,
    /// What it is called.
    pub summary: String,
    /// More about it.
    pub description: String,
    /// Where.
    pub location: String,
    /// When it begins.
    pub start: When,
    /// When it ends; a day that is named here is the first one after it.
    pub end: Option<When>,
    pub(crate) length: Length,
    /// How it repeats.
    pub rules: Vec<Rule>,
    /// A rule could not be read: then it is shown once, and never changed.
    pub has_odd_rule: bool,
    pub(crate) not_rules: Vec<Rule>,
    /// Further instances, each with its own end where it has one.
    pub(crate) dates: Vec<(When, Option<Period>)>,
    /// Instances that are left out.
    pub(crate) except: Vec<When>,
    /// The instance of a series that it stands for.
    pub replaces: Option<When>,
    /// … and for all after it.
    pub and_later: bool,
    /// Whether it will happen.
    pub status: Status,
    /// It takes no time from its owner.
    pub is_free: bool,
    /// How often it was changed.
    pub sequence: i64,
    /// Who invites.
    pub organizer: Option<String>,
    /// Who else is there.
    pub attendees: Vec<Attendee>,
}

/// Somebody who is at an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attendee {
    /// What they are called; empty where only an address is known.
    pub name: String,
    /// Their mail address; empty where none is known.
    pub address: String,
}

/// The end of one instance that is named by itself.
#[derive(Clone, Debug)]
pub(crate) enum Period {
    End(When),
    Span(Span),
}

impl Event {
    /// What a component says; `None` where it has no beginning.
    pub(crate) fn read(index: usize, part: &Part) -> Option<Self> {
        let start = first(part, "DTSTART")?;
        let end = first(part, "DTEND");
        let mut has_odd_rule = false;
        let mut rules_of = |name: &str| -> Vec<Rule> {
            let mut rules = Vec::new();
            for line in part.all(name) {
                match line.value.parse() {
                    Ok(rule) if start.is_day() => rules.push(Rule::of_days(rule)),
                    Ok(rule) => rules.push(rule),
                    Err(_no_rule) => has_odd_rule = true,
                }
            }
            rules
        };
        let (rules, not_rules) = (rules_of("RRULE"), rules_of("EXRULE"));
        let replaces = part.line("RECURRENCE-ID");
        let range = replaces.and_then(|line| line.param("RANGE")).unwrap_or_default();
        // A day of which nothing is said (a birthday, a holiday) leaves its hours free.
        let is_free = match part.text("TRANSP").to_ascii_uppercase().as_str() {
            "TRANSPARENT" => true,
            "OPAQUE" => false,
            _ => start.is_day(),
        };
        Some(Self {
            index,
            uid: part.text("UID"),
            summary: part.text("SUMMARY"),
            description: part.text("DESCRIPTION"),
            location: part.text("LOCATION"),
            length: length(part, end.is_some()),
            has_odd_rule,
            rules,
            not_rules,
            dates: part.all("RDATE").flat_map(periods).take(DATES_MAX).collect(),
            except: part.all("EXDATE").flat_map(whens).take(DATES_MAX).collect(),
            replaces: replaces.and_then(|line| whens(line).into_iter().next()),
            and_later: range.eq_ignore_ascii_case("THISANDFUTURE"),
            status: status(part),
            is_free,
            sequence: part.text("SEQUENCE").parse().unwrap_or_default(),
            organizer: part.line("ORGANIZER").map(address),
            attendees: part.all("ATTENDEE").map(attendee).collect(),
            start,
            end,
        })
    }

    /// Times in UTC by the clock that the calendar names for all of them.
    pub(crate) fn by_clock_of(mut self, zones: &Zones) -> Self {
        let own = |when: &mut When| *when = zones.as_calendar(when.clone());
        own(&mut self.start);
        let further = self.end.iter_mut().chain(&mut self.replaces).chain(&mut self.except);
        further.for_each(own);
        self.dates.iter_mut().for_each(|(when, _)| own(when));
        self
    }

    /// Whether it comes more than once.
    pub fn repeats(&self) -> bool {
        !self.rules.is_empty() || !self.dates.is_empty()
    }
}

/// The time of a property.
pub(crate) fn first(part: &Part, name: &str) -> Option<When> {
    whens(part.line(name)?).into_iter().next()
}

fn attendee(line: &Line) -> Attendee {
    let address = address(line);
    Attendee {
        name: line.param("CN").unwrap_or_default().trim().to_owned(),
        address: if address.contains('@') { address } else { String::new() },
    }
}

fn address(line: &Line) -> String {
    let text = line.value.trim();
    let is_mail = text
        .get(..7)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let address = if is_mail { text.get(7..) } else { None };
    address.unwrap_or(text).to_owned()
}

fn status(part: &Part) -> Status {
    match part.text("STATUS").to_ascii_uppercase().as_str() {
        "CANCELLED" => Status::Cancelled,
        "TENTATIVE" => Status::Tentative,
        _ => Status::Confirmed,
    }
}

fn length(part: &Part, has_end: bool) -> Length {
    if has_end {
        return Length::Until;
    }
    let told = part.line("DURATION").and_then(|line| span(&line.value));
    told.map_or(Length::Unsaid, Length::Span)
}

/// "P1DT2H": weeks and days by the calendar, the rest by the clock.
fn span(text: &str) -> Option<Span> {
    let text = text.trim().trim_start_matches('+');
    text.parse().ok()
}

/// The times of a property.
pub(crate) fn whens(line: &Line) -> Vec<When> {
    periods(line).into_iter().map(|(when, _)| when).collect()
}

fn periods(line: &Line) -> Vec<(When, Option<Period>)> {
    let zone = line.param("TZID");
    let one = |value: &str| {
        let (start, end) = match value.split_once('/') {
            Some((start, end)) => (start, Some(end)),
            None => (value, None),
        };
        let end = end.and_then(|end| match end.trim().starts_with(['P', '-', '+']) {
            true => span(end).map(Period::Span),
            false => when(end, zone).map(Period::End),
        });
        Some((when(start, zone)?, end))
    };
    line.value.split(',').filter_map(one).collect()
}

/// "20190304", "20190304T083000", "20190304T083000Z"; and with the marks that no standard allows and programs write.
fn when(text: &str, zone: Option<&str>) -> Option<When> {
    let plain: String = text
        .trim()
        .chars()
        .filter(|letter| !matches!(letter, '-' | ':'))
        .collect();
    let digits = plain.trim_end_matches(['Z', 'z']);
    let (day, time) = match digits.split_once(['T', 't', ' ']) {
        Some((day, time)) => (day, Some(time)),
        None => (digits, None),
    };
    let number = |text: &str, from: usize, to: usize| text.get(from..to)?.parse::<i16>().ok();
    let small = |text: &str, from: usize, to: usize| i8::try_from(number(text, from, to)?).ok();
    if day.len() != 8 {
        return None;
    }
    let day = Date::new(number(day, 0, 4)?, small(day, 4, 6)?, small(day, 6, 8)?).ok()?;
    let Some(time) = time else {
        return Some(When::Day(day));
    };
    // A leap second is the last one of its minute here.
    let second = small(time, 4, 6).unwrap_or_default().min(59);
    let time = Time::new(small(time, 0, 2)?, small(time, 2, 4)?, second, 0).ok()?;
    let local = day.to_datetime(time);
    Some(match zone {
        _ if digits.len() != plain.len() => When::Utc(TimeZone::UTC.to_timestamp(local).ok()?),
        Some(zone) => When::Zoned(local, zone.to_owned()),
        None => When::Floating(local),
    })
}
