//! When an event is put or moved, from the words of a person: a day, an hour, both, or what comes again. Used by
//! `change` alone; it changes nothing.

use jiff::{
    ToSpan,
    civil::{Date, DateTime, Time, Weekday},
};
use metnos_dav::{Freq, Moved, Rule, When, home_time};

use super::{Desk, look::at, wrong};
use crate::{
    domain::{failure::ToolError, limits::EVENT_MINUTES},
    language::time::{Form, Mention, Recurrence, Unit, Value as Said},
};

/// When something new is.
pub(super) struct Begin {
    pub(super) start: When,
    pub(super) end: Option<When>,
    pub(super) rule: Option<Rule>,
}

impl Desk<'_> {
    fn times(&self, words: &str) -> Vec<Mention> {
        let (language, lang) = (self.host.language, self.call.context.lang);
        language.times_said(words, lang, self.now())
    }

    /// What would be put in, as a card shows it: the name is the text of the call, the time is not.
    pub(super) fn new_one(&self) -> Option<String> {
        let begin = self.begin(self.call.text("when").ok()?).ok()?;
        let at = begin.start.civil().strftime("%Y-%m-%d %H:%M");
        let until = begin.end.map(|end| end.civil().strftime("–%H:%M").to_string());
        Some(match begin.start {
            When::Day(day) => day.to_string(),
            When::Utc(_) | When::Floating(_) | When::Zoned(..) => format!("{at}{}", until.unwrap_or_default()),
        })
    }

    /// To when something moves: another day, another time, or both.
    pub(super) fn moved(&self, words: &str) -> Result<Moved, ToolError> {
        if let Ok(at) = words.parse::<DateTime>().map(Moved::At)
            && words.contains('T')
        {
            return Ok(at);
        }
        if let Ok(day) = words.parse::<Date>() {
            return Ok(Moved::Day(day));
        }
        let unclear = || wrong("events-when-unclear");
        let times = self.times(words);
        let mention = times.first().ok_or_else(unclear)?;
        let now = self.now().datetime();
        let names_day = self.names_day(words);
        match self.coming(mention).ok_or_else(unclear)? {
            Said::Date(day) => Ok(Moved::Day(*day)),
            Said::Moment(at) | Said::Range(Some(at), Some(_)) if names_day => Ok(Moved::At(*at)),
            Said::Moment(at) if *at > now || !names_day => Ok(Moved::Time(at.time())),
            Said::Moment(_) | Said::Range(..) | Said::Duration(_) => Err(unclear()),
        }
    }

    /// Whether words name a day, and not only an hour: told by how they move with now.
    fn names_day(&self, words: &str) -> bool {
        let (language, lang) = (self.host.language, self.call.context.lang);
        let hour_of = |words: &str, now: &jiff::Zoned| -> Option<DateTime> {
            let times = language.times_said(words, lang, now);
            match times.first()?.readings.first()? {
                Said::Moment(at) | Said::Range(Some(at), _) => Some(*at),
                Said::Date(_) | Said::Range(..) | Said::Duration(_) => None,
            }
        };
        // By an hour alone the same one is meant from just before midnight on and from just after it, a day apart.
        let midnight = self.now().start_of_day().unwrap_or_else(|_no_day| self.now().clone());
        let early = midnight.saturating_add(1.minute());
        let late = midnight.saturating_add(23.hours()).saturating_add(58.minutes());
        match (hour_of(words, &early), hour_of(words, &late)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }

    /// Of several readings the first that is still to come.
    fn coming<'m>(&self, mention: &'m Mention) -> Option<&'m Said> {
        let now = self.now().datetime();
        let is_ahead = |value: &&Said| match value {
            Said::Moment(at) | Said::Range(Some(at), _) => *at > now,
            Said::Date(day) => *day >= now.date(),
            Said::Range(None, _) | Said::Duration(_) => false,
        };
        mention
            .readings
            .iter()
            .find(is_ahead)
            .or_else(|| mention.readings.first())
    }

    /// When something new is, from the person's words or as a date and a time.
    pub(super) fn begin(&self, words: &str) -> Result<Begin, ToolError> {
        let minutes = self
            .call
            .count("duration_s")?
            .and_then(|seconds| i64::try_from(seconds / 60).ok());
        // A date is read from a date with a time, too: the time comes first.
        if words.contains('T')
            && let Ok(at) = words.parse::<DateTime>()
        {
            return Ok(self.timed(at, None, minutes));
        }
        if let Ok(day) = words.parse::<Date>() {
            return Ok(days(day, day));
        }
        let unclear = || wrong("events-when-unclear");
        let times = self.times(words);
        let again = times.iter().find_map(|time| {
            let Form::Recurring(again) = &time.form else {
                return None;
            };
            Some(again)
        });
        let mention = times.iter().find(|time| self.coming(time).is_some());
        let begin = match mention.and_then(|time| self.coming(time)) {
            Some(Said::Date(day)) => match again.and_then(|again| again.at) {
                Some(time) => self.timed(day.to_datetime(time), None, minutes),
                None => days(*day, *day),
            },
            Some(Said::Moment(at)) => self.timed(*at, None, minutes),
            Some(Said::Range(Some(from), Some(to))) if is_days(from, to) => {
                days(from.date(), to.date().yesterday().unwrap_or(to.date()))
            }
            Some(Said::Range(Some(from), Some(to))) => self.timed(*from, Some(*to), minutes),
            _ => self.first_of(again.ok_or_else(unclear)?, minutes).ok_or_else(unclear)?,
        };
        let rule = again
            .map(|again| rule_of(again).ok_or_else(|| wrong("events-rule-unclear")))
            .transpose()?;
        let begin = Begin { rule, ..begin };
        if begin.rule.is_none() && self.is_over(&begin.start) {
            return Err(wrong("events-when-past"));
        }
        Ok(begin)
    }

    fn is_over(&self, start: &When) -> bool {
        start.civil().date() < self.now().date()
    }

    fn timed(&self, from: DateTime, to: Option<DateTime>, minutes: Option<i64>) -> Begin {
        let length = minutes.unwrap_or(EVENT_MINUTES);
        let to = to
            .filter(|_| minutes.is_none())
            .unwrap_or_else(|| from.saturating_add(length.minutes()));
        let start = home_time(from, self.zone());
        let end = match &start {
            When::Utc(_) => at(&to, self.now()).map(When::Utc),
            start @ (When::Day(_) | When::Floating(_) | When::Zoned(..)) => Some(start.with_civil(to)),
        };
        Begin { start, end, rule: None }
    }

    /// The first of what comes again: from today on.
    fn first_of(&self, again: &Recurrence, minutes: Option<i64>) -> Option<Begin> {
        let rule = rule_of(again)?;
        let time = again.at.unwrap_or(Time::midnight());
        let from = self.now().date().to_datetime(time);
        let first = rule.instances(from, None).find(|at| *at >= self.now().datetime())?;
        Some(match again.at {
            Some(_) => self.timed(first, None, minutes),
            None => days(first.date(), first.date()),
        })
    }
}

/// From midnight to midnight.
fn is_days(from: &DateTime, to: &DateTime) -> bool {
    [from, to].iter().all(|at| at.time() == Time::midnight())
}

fn days(first: Date, last: Date) -> Begin {
    Begin {
        start: When::Day(first),
        end: last.tomorrow().ok().map(When::Day),
        rule: None,
    }
}

/// What people say of what comes again, as a rule.
fn rule_of(again: &Recurrence) -> Option<Rule> {
    let freq = match again.unit {
        None if !again.weekdays.is_empty() => Freq::Weekly,
        Some(Unit::Day) => Freq::Daily,
        Some(Unit::Workday) => Freq::Weekly,
        Some(Unit::Week) => Freq::Weekly,
        Some(Unit::Month) => Freq::Monthly,
        Some(Unit::Year) => Freq::Yearly,
        _ => return None,
    };
    if again.times.is_some() || again.day.is_some() && freq != Freq::Monthly {
        return None;
    }
    let mut rule = Rule::every(freq, u32::try_from(again.every).ok()?);
    let nth = again.nth.map_or(0, i16::from);
    let named = again.weekdays.iter().copied();
    let workdays = (1..=5_i8).filter(|_| again.unit == Some(Unit::Workday));
    for day in named.chain(workdays) {
        rule.days.push((nth, Weekday::from_monday_one_offset(day).ok()?));
    }
    Some(rule)
}
