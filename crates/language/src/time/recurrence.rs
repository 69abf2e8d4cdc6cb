//! What happens again and again: "every weekday at 8", "ogni 15 minuti", "the first Monday of every month". Part of the
//! parser of `language::time`.

use jiff::civil::Time;

use super::{
    Part, Recurrence, Unit,
    parser::{Node, Parser},
    senses::{Role, Small},
    spec::{Clock, HalfDay, Spec, half_of},
};

impl Parser<'_> {
    /// A recurrence, with its time of day before or behind it.
    pub(super) fn recurrence(&self, at: usize) -> Option<(usize, Recurrence)> {
        let (mut end, mut again, mut part) = match self.rhythm(at) {
            Some((end, again, part)) => (end, again, part),
            None => {
                // "at 8 every morning"
                let (next, spec) = self.clock_phrase(at).filter(|(_, spec)| spec.until.is_none())?;
                let (end, again, part) = self.rhythm(next)?;
                let again = Recurrence {
                    at: time_of(spec.clock, part),
                    ..again
                };
                (end, again, part)
            }
        };
        for start in self.behind_glue(end) {
            if let Some((after, found)) = self.part_phrase(start).filter(|_| part.is_none() && again.at.is_none()) {
                part = found.part.map(|(part, _)| part);
                end = after;
                break;
            }
        }
        for start in self.behind_glue(end) {
            if again.at.is_none()
                && let Some((after, spec)) = self.clock_phrase(start).filter(|(_, spec)| spec.until.is_none())
                && !spec.clock.is_some_and(|clock| clock.bare)
            {
                again.at = time_of(spec.clock, part);
                end = after;
                break;
            }
        }
        if again.at.is_none() {
            again.at = part.and_then(|part| self.part_time(part));
        }
        // "On Mondays" alone may speak of what is, such as a shop that is open then.
        if again.loose && again.nth.is_none() && again.day.is_none() {
            again.at?;
            again.loose = false;
        }
        Some((end, again))
    }

    fn part_time(&self, part: Part) -> Option<Time> {
        let hour = self.conventions.parts.get(part as usize).map(|(start, _)| *start)?;
        Time::new(hour, 0, 0, 0).ok()
    }

    fn rhythm(&self, at: usize) -> Option<(usize, Recurrence, Option<Part>)> {
        let adverbs = [
            (Role::Daily, Unit::Day),
            (Role::Weekly, Unit::Week),
            (Role::Monthly, Unit::Month),
            (Role::Yearly, Unit::Year),
            (Role::Hourly, Unit::Hour),
        ];
        for (role, unit) in adverbs {
            if let Some(end) = self.role(at, role) {
                return Some((end, of_unit(1, unit), None));
            }
        }
        if let Some(found) = self.monthly(at) {
            return Some(found);
        }
        let plain = |(end, again): (usize, Recurrence)| (end, again, None);
        let unled = self.alternating(at).or_else(|| self.so_often(at));
        if let Some(found) = unled.or_else(|| self.habitual(at)) {
            return Some(plain(found));
        }
        let next = self.role(at, Role::Every)?;
        if let Some((end, part)) = self.part(next) {
            return Some((end, of_unit(1, Unit::Day), Some(part)));
        }
        if let Some((end, again)) = self.weekdays_again(next) {
            return Some((end, again, None));
        }
        let (next, count) = self.count(next).unwrap_or((next, 1));
        if let Some((end, unit)) = self.unit(next) {
            return Some((end, of_unit(count.unsigned_abs(), unit), None));
        }
        // "every half hour"
        let (end, length) = self.length(next)?;
        let minutes = (length.seconds() / 60.0).round();
        (minutes >= 1.0).then(|| (end, of_unit(minutes as u64, Unit::Minute), None))
    }

    /// "every other day", "a giorni alterni", "every second Monday".
    fn alternating(&self, at: usize) -> Option<(usize, Recurrence)> {
        let adverbs = [
            (Role::OtherDays, Unit::Day),
            (Role::OtherWeeks, Unit::Week),
            (Role::OtherMonths, Unit::Month),
        ];
        for (role, unit) in adverbs {
            if let Some(end) = self.role(at, role) {
                return Some((end, of_unit(2, unit)));
            }
        }
        let next = self.role(at, Role::EveryOther)?;
        if let Some((end, unit)) = self.unit(next) {
            return Some((end, of_unit(2, unit)));
        }
        let (end, day) = self.weekday(next)?;
        let mut again = of_unit(2, Unit::Week);
        again.weekdays.push(day);
        Some((end, again))
    }

    /// "twice a week", "3 times a day", "una volta al mese".
    fn so_often(&self, at: usize) -> Option<(usize, Recurrence)> {
        let (next, times) = if let Some(next) = self.role(at, Role::Once) {
            (next, 1)
        } else if let Some(next) = self.role(at, Role::Twice) {
            (next, 2)
        } else {
            let (next, count) = self.count(at)?;
            (self.role(next, Role::TimesWord)?, count.unsigned_abs())
        };
        let (end, unit) = self.unit(self.role(next, Role::PerWord)?)?;
        // "twice a second" is nothing anybody asks for, "second" may be an ordinal.
        (unit >= Unit::Minute).then(|| {
            let again = Recurrence {
                times: Some(times),
                ..of_unit(1, unit)
            };
            (end, again)
        })
    }

    /// "on Mondays and Thursdays", "il lunedì e il giovedì": days named as those that come again, or several that each
    /// have an article. Only a time of day makes a rhythm of them.
    fn habitual(&self, at: usize) -> Option<(usize, Recurrence)> {
        let first = self.past_role(at, Role::On);
        let (end, again) = if self.role(first, Role::Habits).is_some() {
            self.weekdays_again(first)?
        } else {
            self.days_with_articles(at)?
        };
        Some((end, Recurrence { loose: true, ..again }))
    }

    fn days_with_articles(&self, at: usize) -> Option<(usize, Recurrence)> {
        let day_at = |at: usize| self.weekday(self.role(at, Role::The)?);
        let (mut end, day) = day_at(at)?;
        let mut weekdays = vec![day];
        while let Some((after, day)) = self.behind_comma(end).and_then(day_at) {
            weekdays.push(day);
            end = after;
        }
        let again = Recurrence {
            every: 1,
            weekdays,
            ..Recurrence::default()
        };
        (again.weekdays.len() > 1).then_some((end, again))
    }

    /// Behind a comma, an "and" or both.
    fn behind_comma(&self, end: usize) -> Option<usize> {
        let comma = if self.sign(end) == Some(',') { end + 1 } else { end };
        let joint = self.small(comma, Small::And).unwrap_or(comma);
        (joint > end).then_some(joint)
    }

    /// "Tuesday and Thursday", "weekday", "lunedì, mercoledì e venerdì".
    fn weekdays_again(&self, at: usize) -> Option<(usize, Recurrence)> {
        let (mut end, day) = self.weekday(at)?;
        let mut again = Recurrence {
            every: 1,
            weekdays: vec![day],
            ..Recurrence::default()
        };
        while let Some((after, day)) = self.behind_comma(end).and_then(|joint| self.weekday(joint)) {
            again.weekdays.push(day);
            end = after;
        }
        Some((end, again))
    }

    /// "the first Monday of every month", "il 5 di ogni mese", "the last day of each month", "ogni primo lunedì del
    /// mese", "the first Monday of the month".
    fn monthly(&self, at: usize) -> Option<(usize, Recurrence, Option<Part>)> {
        let led = self.role(at, Role::Every);
        let start = led.unwrap_or_else(|| self.past_role(self.past_role(at, Role::On), Role::The));
        let (ranked, rank) = self
            .ordinal(start)
            .or_else(|| self.integer(start).map(|number| (start + 1, number)))
            .or_else(|| self.role(start, Role::LastOf).map(|end| (end, -1)))?;
        let rank = i8::try_from(rank).ok()?;
        let (next, weekday, named) = match self.weekday(ranked) {
            Some((end, day)) => (end, Some(day), true),
            None => match self.unit(ranked).filter(|(_, unit)| *unit == Unit::Day) {
                Some((end, _)) => (end, None, true),
                None => (ranked, None, false),
            },
        };
        let month = |at: usize| {
            self.unit(at)
                .filter(|(_, unit)| *unit == Unit::Month)
                .map(|(end, _)| end)
        };
        let of = self.past_role(next, Role::Of);
        let (end, loose) = if let Some(end) = self.role(of, Role::Every).and_then(month) {
            (end, false)
        } else if let Some(end) = month(self.past_role(of, Role::The)).filter(|_| named && of > next) {
            (end, led.is_none())
        } else {
            // "every first Monday": of what but a month? "Every third day" counts days.
            (next, weekday.filter(|_| led.is_some()).map(|_| false)?)
        };
        if loose && !self.may_recur(at, start, end) {
            return None;
        }
        let mut again = of_unit(1, Unit::Month);
        again.loose = loose;
        match weekday {
            Some(day) => {
                again.weekdays.push(day);
                again.nth = Some(rank);
            }
            None => again.day = Some(rank),
        }
        Some((end, again, None))
    }

    /// "the first Monday of the month was rainy", "when is the first Monday of the month" speak of one day.
    fn may_recur(&self, at: usize, first: usize, end: usize) -> bool {
        let before = |role: Role, last: usize| {
            let ends = |from: usize| self.role(from, role).is_some_and(|end| (at..=last).contains(&end));
            (at.saturating_sub(3)..last).any(ends)
        };
        let said_of = self.role(end, Role::Copula).is_some();
        !(said_of || before(Role::Copula, first) || before(Role::Of, at))
    }

    /// What "the first Monday of the month" is when only this month is meant.
    pub(super) fn this_month(&self, at: usize, again: &Recurrence) -> Option<Node> {
        let behind = self.past_role(at, Role::On);
        let node = |start: usize| Some(Node::Point(self.point(start)?.1)).filter(|node| !self.resolve(node).is_empty());
        let mut starts = [at, behind, self.past_role(behind, Role::The)]
            .into_iter()
            .filter(|_| again.loose);
        starts.find_map(node)
    }

    /// The next day a recurrence falls on is not resolved here; its time of day is.
    pub(super) fn again_spec(&self, again: &Recurrence) -> Spec {
        let clock = again.at.map(|time| Clock {
            half: HalfDay::Full,
            ..Clock::new(time.hour(), (time.minute() != 0).then(|| time.minute()))
        });
        Spec {
            weekday: again.weekdays.first().copied().filter(|_| again.nth.is_none()),
            clock,
            ..Spec::default()
        }
    }
}

fn of_unit(every: u64, unit: Unit) -> Recurrence {
    match unit {
        Unit::Workday => Recurrence {
            every,
            unit: None,
            weekdays: vec![1, 2, 3, 4, 5],
            ..Recurrence::default()
        },
        Unit::Weekend => Recurrence {
            every,
            unit: None,
            weekdays: vec![6, 7],
            ..Recurrence::default()
        },
        unit @ Unit::Second
        | unit @ Unit::Minute
        | unit @ Unit::Hour
        | unit @ Unit::Day
        | unit @ Unit::Workweek
        | unit @ Unit::Week
        | unit @ Unit::Fortnight
        | unit @ Unit::Month
        | unit @ Unit::Quarter
        | unit @ Unit::Half
        | unit @ Unit::Year
        | unit @ Unit::Decade
        | unit @ Unit::Century => Recurrence {
            every,
            unit: Some(unit),
            ..Recurrence::default()
        },
    }
}

fn time_of(clock: Option<Clock>, part: Option<Part>) -> Option<Time> {
    let mut clock = clock?;
    if let Some(part) = part.filter(|_| clock.half == HalfDay::Unknown) {
        clock.half = half_of(part, clock.hour);
    }
    clock.times().first().copied()
}
