//! What happens between two moments: single events, series with all that was moved, added, left out or changed from one
//! day on. It follows every rule within `limits`, and says when it stopped there.

use std::collections::BTreeMap;

use jiff::{
    SignedDuration, Span, Timestamp, ToSpan,
    civil::{Date, DateTime},
    tz::TimeZone,
};

use crate::{
    event::{Event, Length, Period, Status},
    limits::OCCURRENCES_MAX,
    object::Object,
    rule::{Rule, Until},
    when::{At, When},
    zones::Zones,
};

/// From one instant up to another, which no longer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// From here.
    pub start: Timestamp,
    /// Up to here.
    pub end: Timestamp,
}

/// An event, once.
#[derive(Clone, Debug)]
pub struct Occurrence<'o> {
    /// What it is.
    pub event: &'o Event,
    /// When it begins, by the owner's clock.
    pub start: At,
    /// When it ends; the first day after it, where it is days.
    pub end: At,
    /// Which instance of its series it is, as the series writes times; its own beginning where there is no series.
    pub instance: When,
    /// It comes more than once.
    pub is_series: bool,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Expanded<'o> {
    /// In order of time.
    pub found: Vec<Occurrence<'o>>,
    /// There was more than anybody follows.
    pub is_cut: bool,
}

/// What an instance is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Day(Date),
    At(Timestamp),
}

/// One instance of a series, before it is looked at for exceptions.
#[derive(Clone, Debug)]
struct Instance {
    when: When,
    end: Option<Period>,
}

/// All events of one name in one calendar.
struct Series<'o, 'z> {
    master: Option<&'o Event>,
    exceptions: Vec<&'o Event>,
    zones: &'z Zones,
}

/// Everything of an object that overlaps the window, days by the clock of `home`.
pub fn occurrences<'o>(object: &'o Object, home: &TimeZone, window: Window) -> Expanded<'o> {
    let mut all = Expanded::default();
    for at in 0..object.calendars.len() {
        let zones = object.zones(at, home);
        for series in by_name(object, at, &zones) {
            series.expand(window, &mut all);
        }
    }
    let order = |one: &Occurrence<'_>| (one.start.instant(home), !one.start.is_day(), one.end.instant(home));
    all.found.sort_by_key(order);
    all
}

fn by_name<'o, 'z>(object: &'o Object, at: usize, zones: &'z Zones) -> Vec<Series<'o, 'z>> {
    let mut names: BTreeMap<(&str, usize), Series<'o, 'z>> = BTreeMap::new();
    for event in object.events_in(at) {
        // What has no name is alone.
        let alone = if event.uid.is_empty() { event.index + 1 } else { 0 };
        let series = names.entry((event.uid.as_str(), alone)).or_insert_with(|| Series {
            master: None,
            exceptions: Vec::new(),
            zones,
        });
        match (&event.replaces, series.master) {
            (Some(_), _) => series.exceptions.push(event),
            (None, None) => series.master = Some(event),
            // Two of one name: the one that was changed later counts.
            (None, Some(known)) if event.sequence > known.sequence => series.master = Some(event),
            (None, Some(_)) => {}
        }
    }
    names.into_values().collect()
}

impl<'o> Series<'o, '_> {
    fn expand(&self, window: Window, all: &mut Expanded<'o>) {
        let exceptions = self.newest();
        if let Some(master) = self.master {
            let (instances, is_cut) = self.instances(master, window);
            all.is_cut |= is_cut;
            for instance in instances {
                let key = self.key(&instance.when);
                if self.is_left_out(master, &instance.when) || self.replaced(&exceptions, &instance.when).is_some() {
                    continue;
                }
                let later = exceptions
                    .iter()
                    .filter(|(from, event)| event.and_later && **from <= key)
                    .map(|(_, event)| *event)
                    .next_back();
                let one = match later {
                    Some(changed) => self.shifted(changed, master, &instance),
                    None => self.once(master, &instance, master.repeats()),
                };
                self.keep(one, window, all);
            }
        }
        for event in exceptions.values() {
            let Some(replaced) = &event.replaces else { continue };
            let is_gone = self.master.is_some_and(|master| self.is_excluded(master, replaced));
            if !is_gone {
                let instance = Instance {
                    when: event.start.clone(),
                    end: None,
                };
                let mut one = self.once(event, &instance, true);
                one.instance = replaced.clone();
                self.keep(one, window, all);
            }
        }
    }

    /// Of several exceptions for one instance the one that was changed last.
    fn newest(&self) -> BTreeMap<Key, &'o Event> {
        let mut newest: BTreeMap<Key, &'o Event> = BTreeMap::new();
        for event in &self.exceptions {
            let Some(replaces) = &event.replaces else { continue };
            let known = newest.entry(self.key(replaces)).or_insert(event);
            if event.sequence >= known.sequence {
                *known = event;
            }
        }
        newest
    }

    fn key(&self, when: &When) -> Key {
        match self.zones.settle(when) {
            At::Day(day) => Key::Day(day),
            At::Instant(at) => Key::At(at.timestamp()),
        }
    }

    /// The exception that stands for this instance, which may be known by its day alone.
    fn replaced(&self, exceptions: &BTreeMap<Key, &'o Event>, when: &When) -> Option<&'o Event> {
        let exact = exceptions.get(&self.key(when));
        exact
            .or_else(|| {
                exceptions
                    .get(&Key::Day(when.civil().date()))
                    .filter(|_| !when.is_day())
            })
            .copied()
    }

    fn is_left_out(&self, master: &Event, when: &When) -> bool {
        let by_rule = || {
            let rules = master.not_rules.iter();
            let begin = master.start.civil();
            rules.into_iter().any(|rule| {
                self.until(rule, master, begin)
                    .take_while(|at| *at <= when.civil())
                    .any(|at| at == when.civil())
            })
        };
        self.is_excluded(master, when) || !master.not_rules.is_empty() && by_rule()
    }

    fn is_excluded(&self, master: &Event, when: &When) -> bool {
        let key = self.key(when);
        let civil = when.civil();
        master.except.iter().any(|except| {
            let by_day = except.is_day() && (when.is_day() || except.civil().date() == civil.date());
            match (except.is_day(), when.is_day()) {
                (true, _) => by_day && except.civil().date() == civil.date(),
                (false, true) => except.civil().date() == civil.date(),
                (false, false) => self.key(except) == key,
            }
        })
    }

    /// Instances of a rule up to its end.
    fn until<'r>(&'r self, rule: &'r Rule, master: &'r Event, start: DateTime) -> impl Iterator<Item = DateTime> + 'r {
        self.followed(rule, master, start, None)
    }

    fn followed<'r>(
        &'r self,
        rule: &'r Rule,
        master: &'r Event,
        start: DateTime,
        from: Option<DateTime>,
    ) -> impl Iterator<Item = DateTime> + 'r {
        let zone = self.zones.of(&master.start);
        let by_clock = matches!(master.start, When::Day(_) | When::Floating(_));
        let inside = move |at: &DateTime| match rule.until {
            None => true,
            Some(Until::Day(day)) => at.date() <= day,
            Some(Until::Local(until)) if master.start.is_day() => at.date() <= until.date(),
            Some(Until::Local(until)) => *at <= until,
            Some(Until::Utc(until)) if by_clock => {
                let until = TimeZone::UTC.to_datetime(until);
                *at <= until || master.start.is_day() && at.date() <= until.date()
            }
            Some(Until::Utc(until)) => zone.instant(*at) <= until,
        };
        rule.instances(start, from).take_while(inside)
    }

    /// All instances that may overlap the window, in order, none twice.
    fn instances(&self, master: &Event, window: Window) -> (Vec<Instance>, bool) {
        let start = master.start.civil();
        let mut found: BTreeMap<DateTime, Instance> = BTreeMap::new();
        let mut put = |when: When, end: Option<Period>| {
            found.entry(when.civil()).or_insert(Instance { when, end });
        };
        // The beginning is an instance only where the rule has it; without one that can be read it is all there is.
        if master.rules.is_empty() {
            put(master.start.clone(), None);
        }
        let zone = self.zones.of(&master.start);
        // A day more on either side, for the clocks of other places.
        let slack = self.reach(master).saturating_add(SignedDuration::from_hours(48));
        let from = window.start.saturating_sub(slack).map_or(Timestamp::MIN, |from| from);
        let from = TimeZone::UTC.to_datetime(from);
        let until = window.end.saturating_add(slack).map_or(Timestamp::MAX, |until| until);
        let mut is_cut = false;
        for rule in &master.rules {
            let mut given = 0_usize;
            for at in self.followed(rule, master, start, Some(from)) {
                if zone.instant(at) > until {
                    break;
                }
                if at < from {
                    continue;
                }
                given += 1;
                if given > OCCURRENCES_MAX {
                    is_cut = true;
                    break;
                }
                put(master.start.with_civil(at), None);
            }
        }
        for (when, end) in &master.dates {
            let own = self.in_own_clock(master, when);
            put(own, end.clone());
        }
        (found.into_values().collect(), is_cut)
    }

    /// A further date in the way the series writes its times, where it is the same kind.
    fn in_own_clock(&self, master: &Event, when: &When) -> When {
        match (&master.start, when) {
            (When::Zoned(_, name), When::Utc(at)) => match self.zones.named(name) {
                Some(crate::zones::Zone::Known(zone)) => When::Zoned(zone.to_datetime(*at), name.clone()),
                _ => when.clone(),
            },
            // A day among times is at the time of the series.
            (start, When::Day(day)) if !start.is_day() => start.with_civil(day.to_datetime(start.civil().time())),
            _ => when.clone(),
        }
    }

    /// How far from its instance anything of a series may lie.
    fn reach(&self, master: &Event) -> SignedDuration {
        let length = |event: &Event| {
            let one = self.once(
                event,
                &Instance {
                    when: event.start.clone(),
                    end: None,
                },
                false,
            );
            let home = self.zones.home();
            one.end.instant(home).duration_since(one.start.instant(home))
        };
        let mut reach = length(master);
        for event in self.exceptions.iter().filter(|event| event.and_later) {
            let moved = event.replaces.as_ref().map(|from| {
                let home = self.zones.home();
                let (from, to) = (self.zones.settle(from), self.zones.settle(&event.start));
                to.instant(home).duration_since(from.instant(home)).abs()
            });
            reach = reach.max(length(event)).saturating_add(moved.unwrap_or_default());
        }
        reach
    }

    /// One instance with the times and texts of this event.
    fn once(&self, event: &'o Event, instance: &Instance, is_series: bool) -> Occurrence<'o> {
        let start = self.zones.settle(&instance.when);
        let end = match &instance.end {
            Some(Period::End(end)) => self.zones.settle(end),
            Some(Period::Span(span)) => self.after(&instance.when, *span),
            None => self.end(event, &instance.when),
        };
        let home = self.zones.home();
        // An end that lies before its beginning was written the wrong way round.
        let (start, end) = if end.instant(home) < start.instant(home) {
            (end, start)
        } else {
            (start, end)
        };
        Occurrence {
            event,
            start,
            end,
            instance: instance.when.clone(),
            is_series,
        }
    }

    fn end(&self, event: &Event, start: &When) -> At {
        match (&event.length, &event.end) {
            (Length::Until, Some(end)) => self.end_like(event, end, start),
            (Length::Span(span), _) => self.after(start, *span),
            _ if start.is_day() => self.after(start, 1.day()),
            _ => self.zones.settle(start),
        }
    }

    /// As far behind this beginning as the end of the first one behind its own: by the clock, where both have the same.
    fn end_like(&self, event: &Event, end: &When, start: &When) -> At {
        let is_same_clock = match (&event.start, end) {
            (When::Zoned(_, one), When::Zoned(_, other)) => one == other,
            (When::Floating(_), When::Floating(_)) | (When::Day(_), When::Day(_)) | (When::Utc(_), When::Utc(_)) => {
                true
            }
            _ => false,
        };
        if is_same_clock {
            let apart = end.civil().duration_since(event.start.civil());
            let local = start
                .civil()
                .checked_add(apart)
                .unwrap_or_else(|_out_of_range| start.civil());
            return self.zones.settle(&start.with_civil(local));
        }
        let home = self.zones.home();
        let settled = (self.zones.settle(&event.start), self.zones.settle(end));
        let apart = settled.1.instant(home).duration_since(settled.0.instant(home));
        let begin = self.zones.settle(start).instant(home);
        let end = begin.saturating_add(apart).unwrap_or(Timestamp::MAX);
        At::Instant(end.to_zoned(home.clone()))
    }

    fn after(&self, start: &When, span: Span) -> At {
        let local = start
            .civil()
            .checked_add(span)
            .unwrap_or_else(|_out_of_range| start.civil());
        self.zones.settle(&start.with_civil(local))
    }

    /// An instance as it is from a change on that counts for all after it.
    fn shifted(&self, changed: &'o Event, master: &Event, instance: &Instance) -> Occurrence<'o> {
        let from = changed
            .replaces
            .as_ref()
            .map_or_else(|| changed.start.civil(), When::civil);
        let apart = changed.start.civil().duration_since(from);
        let local = instance.when.civil().checked_add(apart);
        let local = local.unwrap_or_else(|_out_of_range| instance.when.civil());
        let moved = Instance {
            when: changed.start.with_civil(local),
            end: instance.end.clone(),
        };
        let mut one = self.once(changed, &moved, master.repeats());
        one.instance = instance.when.clone();
        one
    }

    fn keep(&self, one: Occurrence<'o>, window: Window, all: &mut Expanded<'o>) {
        let home = self.zones.home();
        let (start, end) = (one.start.instant(home), one.end.instant(home));
        let overlaps = start < window.end && (end > window.start || start == end && start >= window.start);
        if !overlaps {
            return;
        }
        if all.found.len() >= OCCURRENCES_MAX {
            all.is_cut = true;
            return;
        }
        all.found.push(one);
    }
}

impl Occurrence<'_> {
    /// When it is over: a day that was written to end where it begins is that day.
    pub fn last_instant(&self, home: &TimeZone) -> Timestamp {
        match (&self.start, &self.end) {
            (At::Day(start), At::Day(end)) if start == end => {
                crate::when::start_of(start.tomorrow().unwrap_or(*start), home)
            }
            _ => self.end.instant(home),
        }
    }

    /// The last day of it, where it is days.
    pub fn last_day(&self) -> Option<Date> {
        match (&self.start, &self.end) {
            (At::Day(start), At::Day(end)) => Some(end.yesterday().map_or(*start, |last| last.max(*start))),
            _ => None,
        }
    }

    /// Whether it will not happen.
    pub fn is_cancelled(&self) -> bool {
        self.event.status == Status::Cancelled
    }
}
