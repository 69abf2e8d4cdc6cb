//! When a task is to happen: from words, from a moment and a rule, or from an amount. Called by the executors of tasks.
//! A moment is never made up: words that leave a day or a time of day open are unclear, and the person is asked.

use std::time::Duration;

use jiff::{
    SignedDuration, Timestamp, Zoned,
    civil::{DateTime, Time, Weekday},
};

use crate::{
    domain::{
        lang::Lang,
        limits::TASK_EVERY_SECONDS_MAX,
        task::{Trigger, Weekdays, slots::Slot, trigger::CronPattern},
    },
    language::{
        Language,
        time::{Conventions, Form, Mention, Recurrence, Unit, Value},
    },
};

/// How far apart two readings are held that tell what a moment is counted from.
const APART: SignedDuration = SignedDuration::from_mins(7);

/// When something happens.
#[derive(Clone, Debug, PartialEq)]
pub struct When {
    /// How it goes on.
    pub trigger: Trigger,
    /// Only on these days of the week.
    pub weekdays: Weekdays,
    /// The first time.
    pub first: Slot,
    /// The end of what comes again, if it has one.
    pub until_ms: Option<i64>,
}

/// Why there is no such moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWhen {
    /// The words leave something open that only the person can say.
    Unclear,
    /// It is over.
    Past,
}

/// When these words mean, in the person's language or, failing that, in another.
pub fn of_words(words: &str, language: &Language, lang: Lang, now: &Zoned) -> Result<When, NoWhen> {
    let read = |lang: Lang| Reader { language, lang, now }.read(words);
    let others = Lang::BUILT_IN.into_iter().filter(|other| *other != lang);
    let mut found = read(lang);
    for other in others {
        if found == Err(NoWhen::Unclear) {
            found = read(other);
        }
    }
    found
}

/// So many seconds from now.
pub fn of_seconds(seconds: u64, now: &Zoned) -> Result<When, NoWhen> {
    let seconds = i64::try_from(seconds).map_err(|_too_many| NoWhen::Unclear)?;
    let at = now.timestamp().checked_add(SignedDuration::from_secs(seconds));
    once(Trigger::At(at.map_err(|_too_far| NoWhen::Unclear)?), now)
}

/// Again and again after so long.
pub fn every(length: Duration, now: &Zoned) -> Result<When, NoWhen> {
    let seconds = u32::try_from(length.as_secs()).map_err(|_too_long| NoWhen::Unclear)?;
    again(Trigger::Every { seconds }, Weekdays::default(), now)
}

/// At a moment as RFC 3339 or as a wall time, and then by a rule of RFC 5545 that says on which days.
pub fn of_moment(at: &str, repeat: Option<&str>, now: &Zoned) -> Result<When, NoWhen> {
    let wall: DateTime = at.parse().map_err(|_no_moment| NoWhen::Unclear)?;
    let Some(rule) = repeat else {
        return once(Trigger::AtWall(wall), now);
    };
    let days = days_of(rule).ok_or(NoWhen::Unclear)?;
    again(Trigger::Daily(wall.time()), days, now)
}

/// The days of `FREQ=DAILY` or `FREQ=WEEKLY;BYDAY=MO,TU`; `None` for every other rule.
fn days_of(rule: &str) -> Option<Weekdays> {
    let field = |name: &str| {
        rule.split(';')
            .filter_map(|part| part.split_once('='))
            .find_map(|(key, value)| (key == name).then_some(value))
    };
    match (field("FREQ")?, field("BYDAY")) {
        ("DAILY", None) => Some(Weekdays::default()),
        ("WEEKLY", Some(days)) => {
            let named = |day: &str| {
                const NAMES: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
                let at = NAMES.iter().position(|name| *name == day)?;
                Weekday::from_monday_zero_offset(i8::try_from(at).ok()?).ok()
            };
            let days: Option<Vec<Weekday>> = days.split(',').map(named).collect();
            days.map(Weekdays::of)
        }
        _ => None,
    }
}

/// A moment that is still to come.
fn once(trigger: Trigger, now: &Zoned) -> Result<When, NoWhen> {
    let first = trigger.moment(now.time_zone()).ok_or(NoWhen::Unclear)?;
    if first.at_ms <= now.timestamp().as_millisecond() {
        return Err(NoWhen::Past);
    }
    Ok(When {
        trigger,
        weekdays: Weekdays::default(),
        first,
        until_ms: None,
    })
}

fn again(trigger: Trigger, weekdays: Weekdays, now: &Zoned) -> Result<When, NoWhen> {
    let now_ms = now.timestamp().as_millisecond();
    let first = trigger.next_after(now_ms, now.time_zone(), weekdays);
    Ok(When {
        first: first.ok_or(NoWhen::Past)?,
        trigger,
        weekdays,
        until_ms: None,
    })
}

struct Reader<'a> {
    language: &'a Language,
    lang: Lang,
    now: &'a Zoned,
}

impl Reader<'_> {
    fn read(&self, words: &str) -> Result<When, NoWhen> {
        let times = self.times(words, self.now, &Conventions::HOUSEHOLD);
        let repeats = times.iter().enumerate().filter_map(|(at, time)| match &time.form {
            Form::Recurring(again) => Some((at, again)),
            Form::Named(..) | Form::Window(..) | Form::Weekday(_) | Form::Length(..) | Form::Plain => None,
        });
        match repeats.collect::<Vec<_>>().as_slice() {
            [] => self.once(words, &times),
            [(at, again)] => self.ending(self.again(words, &times, *at, again)?, &times),
            _ => Err(NoWhen::Unclear),
        }
    }

    fn times(&self, words: &str, now: &Zoned, conventions: &Conventions) -> Vec<Mention> {
        self.language.times(words, self.lang, now, conventions)
    }

    /// One moment. Of several the last that is whole counts: what was asked for is answered behind what was said.
    fn once(&self, words: &str, times: &[Mention]) -> Result<When, NoWhen> {
        if let [
            Mention {
                form: Form::Length(..),
                readings,
                ..
            },
        ] = times
            && let Some(Value::Duration(seconds)) = readings.first()
        {
            return of_seconds(seconds.round() as u64, self.now);
        }
        let Some((at, moments)) = times
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, time)| Some((at, moments_of(time)?)))
        else {
            let is_over = |time: &Mention| time.readings.iter().all(|value| is_over(value, self.now));
            let over = !times.is_empty() && times.iter().all(is_over);
            return Err(if over { NoWhen::Past } else { NoWhen::Unclear });
        };
        let relative = self.is_counted_from_now(words, at, &moments);
        let later = moments.iter().find_map(|wall| {
            let trigger = if relative {
                Trigger::At(self.now.time_zone().to_zoned(*wall).ok()?.timestamp())
            } else {
                Trigger::AtWall(*wall)
            };
            once(trigger, self.now).ok()
        });
        later.ok_or(NoWhen::Past)
    }

    /// "In 20 minutes" moves with the clock, "at 9" does not: read a little later, it is a little later.
    fn is_counted_from_now(&self, words: &str, at: usize, moments: &[DateTime]) -> bool {
        let Ok(later) = self.now.checked_add(APART) else {
            return false;
        };
        let times = self.times(words, &later, &Conventions::HOUSEHOLD);
        let moved = times.get(at).and_then(moments_of);
        match (moments.first(), moved.as_deref()) {
            (Some(now), Some([later, ..])) => now.checked_add(APART).ok() == Some(*later),
            (None, _) | (_, None | Some([])) => false,
        }
    }

    /// "… until Friday": what comes again ends then. An end that is over before the first time is no rhythm any more.
    fn ending(&self, mut when: When, times: &[Mention]) -> Result<When, NoWhen> {
        let end = times.iter().find_map(|time| match time.readings.first()? {
            Value::Range(None, Some(end)) => Some(*end),
            Value::Range(..) | Value::Moment(_) | Value::Date(_) | Value::Duration(_) => None,
        });
        let Some(end) = end else { return Ok(when) };
        let end = self
            .now
            .time_zone()
            .to_zoned(end)
            .map_err(|_no_moment| NoWhen::Unclear)?;
        let end_ms = end.timestamp().as_millisecond();
        if end_ms <= when.first.at_ms {
            return Err(NoWhen::Past);
        }
        // The end of a day is the beginning of the next one.
        when.until_ms = Some(end_ms - 1);
        Ok(when)
    }

    fn again(&self, words: &str, times: &[Mention], at: usize, again: &Recurrence) -> Result<When, NoWhen> {
        let others: Vec<&Mention> = times
            .iter()
            .enumerate()
            .filter_map(|(other, time)| (other != at).then_some(time))
            .collect();
        let moment = others
            .iter()
            .rev()
            .find_map(|time| moments_of(time)?.into_iter().next());
        let said = again.at.filter(|_| self.says_the_hour(words, at, again));
        let clock = said.or(moment.map(|moment| moment.time()));
        let date = moment.map(|moment| moment.date()).or_else(|| {
            others.iter().find_map(|time| match time.readings.first()? {
                Value::Date(date) => Some(*date),
                Value::Moment(_) | Value::Range(..) | Value::Duration(_) => None,
            })
        });
        if again.times.is_some() || again.loose && again.nth.is_none() {
            return Err(NoWhen::Unclear);
        }
        let every = u32::try_from(again.every).map_err(|_too_many| NoWhen::Unclear)?;
        if let Some(unit @ (Unit::Second | Unit::Minute | Unit::Hour)) = again.unit {
            return self.every(every, unit);
        }
        let clock = clock.ok_or(NoWhen::Unclear)?;
        let days = Weekdays::of(
            again
                .weekdays
                .iter()
                .filter_map(|day| Weekday::from_monday_one_offset(*day).ok()),
        );
        match again.unit {
            None | Some(Unit::Week) if every == 1 && !days.is_any() => self.on_days(clock, days),
            Some(Unit::Day) if every == 1 => self.on_days(clock, days),
            Some(Unit::Day) => self.each(every, clock, None),
            Some(Unit::Week | Unit::Fortnight) => {
                let weeks = if again.unit == Some(Unit::Fortnight) { 2 } else { 1 };
                let day = days.days().next().ok_or(NoWhen::Unclear)?;
                self.each(every.saturating_mul(7 * weeks), clock, Some(day))
            }
            Some(Unit::Workweek) => {
                let monday_to_friday = (1..=5).filter_map(|day| Weekday::from_monday_one_offset(day).ok());
                self.on_days(clock, Weekdays::of(monday_to_friday))
            }
            Some(Unit::Month) => self.monthly(again, every, clock),
            Some(Unit::Year) if every == 1 => {
                let date = date.ok_or(NoWhen::Unclear)?;
                self.cron(&format!(
                    "{} {} {} {} *",
                    clock.minute(),
                    clock.hour(),
                    date.day(),
                    date.month()
                ))
            }
            None
            | Some(
                Unit::Second
                | Unit::Minute
                | Unit::Hour
                | Unit::Workday
                | Unit::Weekend
                | Unit::Quarter
                | Unit::Half
                | Unit::Year
                | Unit::Decade
                | Unit::Century,
            ) => Err(NoWhen::Unclear),
        }
    }

    /// "Every morning" names no hour; ours would be a guess. What it is, is told by another idea of when mornings are.
    fn says_the_hour(&self, words: &str, at: usize, again: &Recurrence) -> bool {
        let later = Conventions {
            parts: Conventions::HOUSEHOLD.parts.map(|(from, to)| (from + 1, to + 1)),
            ..Conventions::HOUSEHOLD
        };
        let times = self.times(words, self.now, &later);
        matches!(times.get(at).map(|time| &time.form), Some(Form::Recurring(other)) if other.at == again.at)
    }

    fn every(&self, every: u32, unit: Unit) -> Result<When, NoWhen> {
        let seconds = every.saturating_mul(match unit {
            Unit::Hour => 3_600,
            Unit::Minute => 60,
            Unit::Second => 1,
            Unit::Day
            | Unit::Workday
            | Unit::Weekend
            | Unit::Workweek
            | Unit::Week
            | Unit::Fortnight
            | Unit::Month
            | Unit::Quarter
            | Unit::Half
            | Unit::Year
            | Unit::Decade
            | Unit::Century => return Err(NoWhen::Unclear),
        });
        if !(1..=TASK_EVERY_SECONDS_MAX).contains(&seconds) {
            return Err(NoWhen::Unclear);
        }
        again(Trigger::Every { seconds }, Weekdays::default(), self.now)
    }

    fn on_days(&self, clock: Time, days: Weekdays) -> Result<When, NoWhen> {
        again(Trigger::Daily(clock), days, self.now)
    }

    /// Every so many days, from the next such time on.
    fn each(&self, days: u32, clock: Time, from: Option<Weekday>) -> Result<When, NoWhen> {
        let every = u16::try_from(days).map_err(|_too_many| NoWhen::Unclear)?;
        let now_ms = self.now.timestamp().as_millisecond();
        let start = Trigger::Daily(clock).next_after(now_ms, self.now.time_zone(), Weekdays::of(from));
        let start = start.ok_or(NoWhen::Past)?;
        let at = Timestamp::from_millisecond(start.at_ms).map_err(|_out_of_range| NoWhen::Past)?;
        let from = at.to_zoned(self.now.time_zone().clone()).date();
        again(Trigger::Days { every, at: clock, from }, Weekdays::default(), self.now)
    }

    fn monthly(&self, rhythm: &Recurrence, every: u32, clock: Time) -> Result<When, NoWhen> {
        const NAMES: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
        let months = if every == 1 {
            "*".to_owned()
        } else {
            format!("*/{every}")
        };
        let name = |day: &i8| NAMES.get(usize::try_from(day - 1).ok()?).copied();
        let (day, weekday) = match (rhythm.nth, rhythm.weekdays.first().and_then(name), rhythm.day) {
            (Some(-1), Some(name), _) => ("*".to_owned(), format!("{name}#L")),
            (Some(nth @ 1..=5), Some(name), _) => ("*".to_owned(), format!("{name}#{nth}")),
            (_, _, Some(-1)) => ("L".to_owned(), "*".to_owned()),
            (_, _, Some(day @ 1..=31)) => (day.to_string(), "*".to_owned()),
            _ => return Err(NoWhen::Unclear),
        };
        self.cron(&format!("{} {} {day} {months} {weekday}", clock.minute(), clock.hour()))
    }

    fn cron(&self, pattern: &str) -> Result<When, NoWhen> {
        let pattern = CronPattern::parse(pattern).map_err(|_no_pattern| NoWhen::Unclear)?;
        again(Trigger::Cron(pattern), Weekdays::default(), self.now)
    }
}

/// The moments a time can mean, when it names a day and a time of day.
fn moments_of(time: &Mention) -> Option<Vec<DateTime>> {
    let moments: Option<Vec<DateTime>> = time
        .readings
        .iter()
        .map(|value| match value {
            Value::Moment(moment) => Some(*moment),
            Value::Date(_) | Value::Range(..) | Value::Duration(_) => None,
        })
        .collect();
    moments.filter(|moments| !moments.is_empty())
}

fn is_over(value: &Value, now: &Zoned) -> bool {
    match value {
        Value::Date(date) => *date < now.date(),
        Value::Moment(moment) => *moment <= now.datetime(),
        Value::Range(_, Some(end)) => *end <= now.datetime(),
        Value::Range(_, None) | Value::Duration(_) => false,
    }
}

#[cfg(test)]
mod tests;
