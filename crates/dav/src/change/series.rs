//! Where in a series a change lands. An instance alone becomes an exception; from one on, the series ends and another
//! begins; all of it moves together with what was left out and made different before.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{
    Change, Extent, Line, Object, Part, Unchanged, along, escaped, is_from, just_before, later, tell_zones, timed,
    touch,
};
use crate::{event::Event, when::When, zones::Zones};

/// The series of one name in one calendar.
struct Own {
    calendar: usize,
    master: Event,
    exceptions: Vec<Event>,
    zones: Zones,
}

impl Object {
    /// Changes an event, or a part of its series. Where the series becomes two, the second one is returned: it is an
    /// object of its own, under the name `other`.
    pub fn change(
        &mut self,
        (uid, instance, extent): (&str, &When, Extent),
        change: &Change,
        (home, now, other): (&TimeZone, Timestamp, &str),
    ) -> Result<Option<Self>, Unchanged> {
        let own = self.own(uid, home)?;
        let extent = own.extent(instance, extent);
        let split = match extent {
            Extent::One => {
                self.change_one(&own, instance, change, now)?;
                None
            }
            Extent::Later => Some(self.change_later(&own, instance, change, (now, other))?),
            Extent::All => {
                self.change_all(&own, instance, change, now)?;
                None
            }
        };
        self.settle(own.calendar);
        Ok(split)
    }

    /// Takes out an event, or a part of its series. Returns whether anything is left in the object.
    pub fn remove(
        &mut self,
        (uid, instance, extent): (&str, &When, Extent),
        home: &TimeZone,
        now: Timestamp,
    ) -> Result<bool, Unchanged> {
        let own = self.own(uid, home)?;
        let exceptions = |keep: &dyn Fn(&Event) -> bool| -> Vec<usize> {
            let gone = own.exceptions.iter().filter(|event| !keep(event));
            gone.map(|event| event.index).collect()
        };
        let gone = match own.extent(instance, extent) {
            Extent::All => {
                let mut all = exceptions(&|_| false);
                all.push(own.master.index);
                all
            }
            Extent::One => {
                let master = self.component(&own, own.master.index)?;
                master.lines.push(timed("EXDATE", instance));
                touch(master, own.master.sequence, now);
                exceptions(&|event| !own.is_instance(event, instance))
            }
            Extent::Later => {
                self.end_before(&own, instance, now)?;
                exceptions(&|event| !is_from(event, instance, &own.zones))
            }
        };
        self.take_out(own.calendar, &gone);
        self.settle(own.calendar);
        Ok(self.events().next().is_some())
    }

    fn own(&self, uid: &str, home: &TimeZone) -> Result<Own, Unchanged> {
        let calendar = self.calendar_of(uid).ok_or(Unchanged::Gone)?;
        let events: Vec<Event> = self
            .events_in(calendar)
            .filter(|event| event.uid == uid)
            .cloned()
            .collect();
        let master = events
            .iter()
            .filter(|event| event.replaces.is_none())
            .max_by_key(|event| event.sequence);
        let master = master.or_else(|| events.first()).cloned().ok_or(Unchanged::Gone)?;
        let exceptions = events
            .into_iter()
            .filter(|event| event.replaces.is_some() && event.index != master.index);
        Ok(Own {
            calendar,
            exceptions: exceptions.collect(),
            master,
            zones: self.zones(calendar, home),
        })
    }

    fn settle(&mut self, calendar: usize) {
        if let Some(calendar) = self.calendars.get_mut(calendar) {
            tell_zones(calendar);
        }
        self.read_events();
    }

    /// Takes these components out.
    fn take_out(&mut self, calendar: usize, gone: &[usize]) {
        if let Some(calendar) = self.calendars.get_mut(calendar) {
            let mut index = 0;
            calendar.parts.retain(|_part| {
                index += 1;
                !gone.contains(&(index - 1))
            });
        }
        self.read_events();
    }

    fn component(&mut self, own: &Own, index: usize) -> Result<&mut Part, Unchanged> {
        let calendar = self.calendars.get_mut(own.calendar).ok_or(Unchanged::Gone)?;
        calendar.parts.get_mut(index).ok_or(Unchanged::Gone)
    }

    /// All of it: what stands for single instances still does.
    fn change_all(&mut self, own: &Own, instance: &When, change: &Change, now: Timestamp) -> Result<(), Unchanged> {
        let to = change.moved(instance, &own.zones)?;
        let is_moved = to != *instance;
        let by = to.civil().duration_since(instance.civil());
        let start = own.shifted(&own.master.start, by, &to);
        if is_moved && (own.master.has_odd_rule || own.master.start.is_day() != start.is_day() && own.master.repeats())
        {
            return Err(Unchanged::Rule);
        }
        let rules = own.master.rules.iter().map(|rule| along(rule, by, instance, &to));
        let rules: Vec<_> = rules.collect::<Option<_>>().ok_or(Unchanged::Rule)?;
        let master = self.component(own, own.master.index)?;
        if is_moved {
            move_times(master, &own.master, &start, own, by);
            if let Some(rule) = rules.first() {
                master.set(Line::new("RRULE", rule.to_string()));
            }
            shift_list(master, "EXDATE", &own.master.except, |when| own.shifted(when, by, &to));
            let dates: Vec<When> = own.master.dates.iter().map(|(when, _)| when.clone()).collect();
            shift_list(master, "RDATE", &dates, |when| own.shifted(when, by, &to));
        }
        change.write(master, &start, &own.zones);
        touch(master, own.master.sequence, now);
        for event in &own.exceptions {
            let Some(replaces) = event.replaces.as_ref().filter(|_| is_moved) else {
                continue;
            };
            let line = timed("RECURRENCE-ID", &own.shifted(replaces, by, &to));
            // One that only has another text moves along; one that was moved by hand stays where it was put.
            let moves = event.start == *replaces;
            let part = self.component(own, event.index)?;
            part.set(line);
            if moves {
                let start = own.shifted(&event.start, by, &to);
                move_times(part, event, &start, own, by);
            }
        }
        Ok(())
    }

    fn change_one(&mut self, own: &Own, instance: &When, change: &Change, now: Timestamp) -> Result<(), Unchanged> {
        let known = own.exceptions.iter().find(|event| own.is_instance(event, instance));
        if let Some(event) = known {
            let start = change.moved(&event.start, &own.zones)?;
            let by = start.civil().duration_since(event.start.civil());
            let part = self.component(own, event.index)?;
            move_times(part, event, &start, own, by);
            change.write(part, &start, &own.zones);
            touch(part, event.sequence, now);
            return Ok(());
        }
        let start = change.moved(instance, &own.zones)?;
        let mut part = self.component(own, own.master.index)?.clone();
        for name in ["RRULE", "RDATE", "EXDATE", "EXRULE"] {
            part.drop_all(name);
        }
        // Alarms are of the series.
        part.parts.clear();
        let by = start.civil().duration_since(own.master.start.civil());
        move_times(&mut part, &own.master, &start, own, by);
        part.set(timed("RECURRENCE-ID", instance));
        change.write(&mut part, &start, &own.zones);
        touch(&mut part, own.master.sequence, now);
        let calendar = self.calendars.get_mut(own.calendar).ok_or(Unchanged::Gone)?;
        calendar.parts.push(part);
        Ok(())
    }

    /// The series ends before the instance, and another begins with it.
    fn change_later(
        &mut self,
        own: &Own,
        instance: &When,
        change: &Change,
        (now, other): (Timestamp, &str),
    ) -> Result<Self, Unchanged> {
        let mut rest = self.clone();
        let rest_own = Own {
            calendar: own.calendar,
            ..rest.own(&own.master.uid, own.zones.home())?
        };
        let before = rest_own
            .master
            .rules
            .first()
            .map(|rule| rest_own.given_before(rule, instance));
        let master = rest.component(&rest_own, own.master.index)?;
        let by = instance.civil().duration_since(own.master.start.civil());
        move_times(master, &own.master, instance, own, by);
        if let (Some(rule), Some(given)) = (own.master.rules.first(), before) {
            let mut rule = rule.clone();
            rule.count = rule.count.map(|count| count.saturating_sub(given).max(1));
            master.set(Line::new("RRULE", rule.to_string()));
        }
        let gone = own
            .exceptions
            .iter()
            .filter(|event| !is_from(event, instance, &own.zones));
        let gone: Vec<usize> = gone.map(|event| event.index).collect();
        rest.take_out(own.calendar, &gone);
        let own_name = own.master.uid.as_str();
        rest.only(own.calendar, own_name, other)?;
        rest.change((other, instance, Extent::All), change, (own.zones.home(), now, other))?;
        self.end_before(own, instance, now)?;
        let gone = own
            .exceptions
            .iter()
            .filter(|event| is_from(event, instance, &own.zones));
        let gone: Vec<usize> = gone.map(|event| event.index).collect();
        self.take_out(own.calendar, &gone);
        Ok(rest)
    }

    /// Nothing but the events of this name, under another one.
    fn only(&mut self, calendar: usize, uid: &str, other: &str) -> Result<(), Unchanged> {
        let kept = self.calendars.get(calendar).cloned().ok_or(Unchanged::Gone)?;
        self.calendars = vec![kept];
        let root = self.calendars.first_mut().ok_or(Unchanged::Gone)?;
        root.parts
            .retain(|part| part.kind == "VTIMEZONE" || part.text("UID") == uid);
        for part in root.parts.iter_mut().filter(|part| part.kind != "VTIMEZONE") {
            part.set(Line::new("UID", escaped(other)));
        }
        self.read_events();
        Ok(())
    }

    fn end_before(&mut self, own: &Own, instance: &When, now: Timestamp) -> Result<(), Unchanged> {
        if own.master.has_odd_rule {
            return Err(Unchanged::Rule);
        }
        let until = just_before(instance, &own.zones);
        let home = own.zones.home().clone();
        let at = own.zones.settle(instance).instant(&home);
        let dates = own.master.dates.iter().map(|(when, _)| when.clone());
        let dates: Vec<When> = dates
            .filter(|when| own.zones.settle(when).instant(&home) < at)
            .collect();
        let rules = own.master.rules.clone();
        let sequence = own.master.sequence;
        let master = self.component(own, own.master.index)?;
        if let Some(mut rule) = rules.first().cloned() {
            rule.count = None;
            rule.until = Some(until);
            master.set(Line::new("RRULE", rule.to_string()));
        }
        shift_list(master, "RDATE", &dates, Clone::clone);
        touch(master, sequence, now);
        Ok(())
    }
}

impl Own {
    /// What is no series, and the first of one, is all of it.
    fn extent(&self, instance: &When, wanted: Extent) -> Extent {
        let is_series = self.master.repeats() || !self.exceptions.is_empty();
        let is_first = wanted == Extent::Later && self.is_same(&self.master.start, instance);
        if is_series && !is_first { wanted } else { Extent::All }
    }

    fn is_same(&self, one: &When, other: &When) -> bool {
        self.zones.settle(one) == self.zones.settle(other)
    }

    fn is_instance(&self, event: &Event, instance: &When) -> bool {
        event.replaces.as_ref().is_some_and(|own| self.is_same(own, instance))
    }

    /// A time of the series when the series moves by so much and is written like this.
    fn shifted(&self, when: &When, by: SignedDuration, like: &When) -> When {
        let local = when
            .civil()
            .checked_add(by)
            .unwrap_or_else(|_out_of_range| when.civil());
        match (when, like) {
            (When::Day(_), When::Day(_)) | (When::Utc(_), _) => when.with_civil(local),
            (When::Day(_), like) => like.with_civil(local),
            (when, _) => when.with_civil(local),
        }
    }

    /// How many instances a rule has before this one.
    fn given_before(&self, rule: &crate::rule::Rule, instance: &When) -> u32 {
        let all = rule.instances(self.master.start.civil(), None);
        let before = all.take_while(|at| *at < instance.civil()).count();
        u32::try_from(before).unwrap_or(u32::MAX)
    }
}

/// Puts the beginning there, and the end as far behind it as it was.
fn move_times(part: &mut Part, event: &Event, start: &When, own: &Own, by: SignedDuration) {
    part.set(timed("DTSTART", start));
    let Some(end) = &event.end else { return };
    let end = match (end.is_day(), start.is_day()) {
        // A day that became a time takes an hour.
        (true, false) => later(start, 60, &own.zones),
        (false, true) => later(start, 24 * 60, &own.zones),
        _ => {
            let local = end.civil().checked_add(by).unwrap_or_else(|_out_of_range| end.civil());
            end.with_civil(local)
        }
    };
    part.set(timed("DTEND", &end));
}

fn shift_list(part: &mut Part, name: &str, dates: &[When], shift: impl Fn(&When) -> When) {
    part.drop_all(name);
    part.lines.extend(dates.iter().map(|when| timed(name, &shift(when))));
}
