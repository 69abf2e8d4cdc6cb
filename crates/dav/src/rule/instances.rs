//! Follows a rule, period after period, by the clock on the wall.

use std::collections::VecDeque;

use jiff::{
    Span, ToSpan,
    civil::{Date, DateTime, Time},
};

use super::{Freq, Rule};
use crate::limits::STEPS_MAX;

/// The instances of a rule, in order. It ends with the rule's count, with the calendar, or after `STEPS_MAX` periods;
/// `until` is for its caller to watch.
#[derive(Debug)]
pub struct Instances<'r> {
    rule: &'r Rule,
    start: DateTime,
    /// The period that is looked at next, by its beginning.
    period: DateTime,
    waiting: VecDeque<DateTime>,
    given: u32,
    steps: usize,
    /// The calendar ends here.
    is_over: bool,
}

impl<'r> Instances<'r> {
    pub(super) fn new(rule: &'r Rule, start: DateTime, from: Option<DateTime>) -> Self {
        let mut instances = Self {
            rule,
            start,
            period: first_period(rule, start),
            waiting: VecDeque::new(),
            given: 0,
            steps: 0,
            is_over: false,
        };
        if let Some(from) = from.filter(|from| *from > start && rule.count.is_none()) {
            instances.skip_to(from);
        }
        instances
    }

    /// Whether it stopped since it was followed too far.
    pub fn is_cut(&self) -> bool {
        self.steps >= STEPS_MAX
    }

    /// Goes to the last period that cannot be behind this time, by whole intervals.
    fn skip_to(&mut self, from: DateTime) {
        let interval = i64::from(self.rule.interval);
        let seconds = || from.duration_since(self.period).as_secs();
        let apart = match self.rule.freq {
            Freq::Yearly => i64::from(from.year() - self.period.year()),
            Freq::Monthly => {
                let years = i64::from(from.year() - self.period.year());
                years * 12 + i64::from(from.month() - self.period.month())
            }
            Freq::Weekly => seconds() / 604_800,
            Freq::Daily => seconds() / 86_400,
            Freq::Hourly => seconds() / 3_600,
            Freq::Minutely => seconds() / 60,
            Freq::Secondly => seconds(),
        };
        let whole = (apart / interval - 1).max(0).saturating_mul(interval);
        if let Some(period) = self.after(whole) {
            self.period = period;
        }
    }

    /// The period so many further on.
    fn after(&self, periods: i64) -> Option<DateTime> {
        let span: Span = match self.rule.freq {
            Freq::Yearly => Span::new().try_years(periods),
            Freq::Monthly => Span::new().try_months(periods),
            Freq::Weekly => Span::new().try_weeks(periods),
            Freq::Daily => Span::new().try_days(periods),
            Freq::Hourly => Span::new().try_hours(periods),
            Freq::Minutely => Span::new().try_minutes(periods),
            Freq::Secondly => Span::new().try_seconds(periods),
        }
        .ok()?;
        self.period.checked_add(span).ok()
    }

    /// What the period that is next has, and the one behind it.
    fn fill(&mut self) {
        let days = self.rule.days_of(self.period.date(), self.start.date());
        let mut found: Vec<DateTime> = Vec::new();
        let times = if days.is_empty() { Vec::new() } else { self.times() };
        for day in &days {
            found.extend(times.iter().map(|time| day.to_datetime(*time)));
        }
        if !self.rule.places.is_empty() {
            found = placed(&found, &self.rule.places);
        }
        let begun = self.start;
        self.waiting.extend(found.into_iter().filter(|at| *at >= begun));
        let is_short = self.rule.freq < Freq::Daily;
        // Between midnights nothing of a day that is left out can come.
        let next = if days.is_empty() && is_short {
            self.next_day()
        } else {
            self.after(i64::from(self.rule.interval))
        };
        match next {
            Some(next) => self.period = next,
            None => self.is_over = true,
        }
    }

    /// The first period of the interval that begins on another day.
    fn next_day(&self) -> Option<DateTime> {
        let unit = match self.rule.freq {
            Freq::Hourly => 3_600,
            Freq::Minutely => 60,
            Freq::Secondly | Freq::Daily | Freq::Weekly | Freq::Monthly | Freq::Yearly => 1,
        };
        let step = i64::from(self.rule.interval).saturating_mul(unit);
        let midnight = self.period.date().tomorrow().ok()?.to_datetime(Time::midnight());
        let left = midnight.duration_since(self.period).as_secs();
        let steps = (left + step - 1) / step;
        self.after(steps.max(1).saturating_mul(i64::from(self.rule.interval)))
    }

    /// The times of a day of the period.
    fn times(&self) -> Vec<Time> {
        let (freq, rule) = (self.rule.freq, self.rule);
        // A unit that is shorter than the period comes from the first instance, one that is the period itself or
        // longer from the period.
        let units = |by: &[i8], unit: Freq, own: i8, here: i8| -> Vec<i8> {
            let own = if freq <= unit { here } else { own };
            match by {
                [] => vec![own],
                by if freq <= unit => by.iter().copied().filter(|one| *one == here).collect(),
                by => by.to_vec(),
            }
        };
        let hours = units(&rule.hours, Freq::Hourly, self.start.hour(), self.period.hour());
        let minutes = units(&rule.minutes, Freq::Minutely, self.start.minute(), self.period.minute());
        let seconds = units(&rule.seconds, Freq::Secondly, self.start.second(), self.period.second());
        let mut times = Vec::new();
        for hour in &hours {
            for minute in &minutes {
                times.extend(
                    seconds
                        .iter()
                        .filter_map(|second| Time::new(*hour, *minute, *second, 0).ok()),
                );
            }
        }
        times
    }
}

impl Iterator for Instances<'_> {
    type Item = DateTime;

    fn next(&mut self) -> Option<DateTime> {
        if self.rule.count.is_some_and(|count| self.given >= count) {
            return None;
        }
        while self.waiting.is_empty() {
            self.steps += 1;
            if self.steps >= STEPS_MAX || self.is_over {
                return None;
            }
            self.fill();
        }
        self.given += 1;
        self.waiting.pop_front()
    }
}

/// Where the period begins that the first instance lies in.
fn first_period(rule: &Rule, start: DateTime) -> DateTime {
    let day = start.date();
    let midnight = |day: Date| day.to_datetime(Time::midnight());
    match rule.freq {
        Freq::Yearly => midnight(day.first_of_year()),
        Freq::Monthly => midnight(day.first_of_month()),
        Freq::Weekly => {
            let since = day.weekday().since(rule.week_start);
            midnight(day.saturating_sub(i64::from(since).days()))
        }
        Freq::Daily => midnight(day),
        Freq::Hourly | Freq::Minutely | Freq::Secondly => start,
    }
}

/// The first, the last but one … of a period's instances.
fn placed(found: &[DateTime], places: &[i32]) -> Vec<DateTime> {
    let all = i32::try_from(found.len()).unwrap_or(i32::MAX);
    let mut kept: Vec<usize> = places
        .iter()
        .map(|place| if *place > 0 { place - 1 } else { all + place })
        .filter_map(|index| usize::try_from(index).ok())
        .collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().filter_map(|index| found.get(index).copied()).collect()
}
