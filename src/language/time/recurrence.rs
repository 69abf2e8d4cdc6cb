//! What happens again and again: "every weekday at 8", "ogni 15 minuti", "the first Monday of every month". Part of the
//! parser of `language::time`.

use jiff::civil::Time;

use super::{
    Part, Recurrence, Unit,
    parser::Parser,
    senses::Role,
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
        if let Some(next) = self.role(at, Role::EveryOther)
            && let Some((end, unit)) = self.unit(next)
        {
            return Some((end, of_unit(2, unit), None));
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

    /// "Tuesday and Thursday", "weekday", "lunedì, mercoledì e venerdì".
    fn weekdays_again(&self, at: usize) -> Option<(usize, Recurrence)> {
        let (mut end, day) = self.weekday(at)?;
        let mut again = Recurrence {
            every: 1,
            weekdays: vec![day],
            ..Recurrence::default()
        };
        loop {
            let comma = if self.sign(end) == Some(',') { end + 1 } else { end };
            let joint = self
                .skip_word(comma, "and")
                .or_else(|| self.skip_word(comma, "e"))
                .unwrap_or(comma);
            let Some((after, day)) = self.weekday(joint).filter(|_| joint > end) else {
                break;
            };
            again.weekdays.push(day);
            end = after;
        }
        Some((end, again))
    }

    /// "the first Monday of every month", "il 5 di ogni mese", "the last day of each month".
    fn monthly(&self, at: usize) -> Option<(usize, Recurrence, Option<Part>)> {
        let start = self.past_role(self.past_role(at, Role::On), Role::The);
        let (next, rank) = self
            .ordinal(start)
            .or_else(|| self.integer(start).map(|number| (start + 1, number)))
            .or_else(|| self.role(start, Role::LastOf).map(|end| (end, -1)))?;
        let rank = i8::try_from(rank).ok()?;
        let (next, weekday) = match self.weekday(next) {
            Some((end, day)) => (end, Some(day)),
            None => (
                self.unit(next)
                    .filter(|(_, unit)| *unit == Unit::Day)
                    .map_or(next, |(end, _)| end),
                None,
            ),
        };
        let next = self.past_role(next, Role::Of);
        let every = self.role(next, Role::Every)?;
        let (end, unit) = self.unit(every).filter(|(_, unit)| *unit == Unit::Month)?;
        let mut again = of_unit(1, unit);
        match weekday {
            Some(day) => {
                again.weekdays.push(day);
                again.nth = Some(rank);
            }
            None => again.day = Some(rank),
        }
        Some((end, again, None))
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
