//! Questions about the calendar that a pattern recognised: what day another day is, how far away it is. The day itself
//! is whatever the reading found in the words; words that are not exactly one day are left to the next layer.

use jiff::civil::Date;

use crate::{
    domain::{lang::Lang, message::Message},
    engine::{
        dispatch::{Cascade, fixed::say},
        outcome::TurnOutcome,
    },
    language::time::{Conventions, Mention, Value},
};

impl Cascade<'_> {
    /// "what day is tomorrow", "che giorno era il 3 marzo".
    pub(super) fn day_of(&mut self, when: &str, past: bool) -> Option<TurnOutcome> {
        let day = self.day_said(when, past)?;
        let tense = if day < self.turn.now.date() { "past" } else { "ahead" };
        Some(say(sentence("answer-day-of", day).with("tense", tense)))
    }

    /// "how many days until christmas".
    pub(super) fn days_until(&mut self, when: &str) -> Option<TurnOutcome> {
        let day = self.day_said(when, false)?;
        let days = self.turn.now.date().until(day).ok()?.get_days();
        (days >= 0).then(|| say(sentence("answer-days-until", day).with("days", f64::from(days))))
    }

    /// The week of the year, as calendars number it.
    pub(super) fn week(&self) -> TurnOutcome {
        let week = self.turn.now.date().iso_week_date();
        say(Message::new("answer-week")
            .with("week", f64::from(week.week()))
            .with("year", week.year().to_string()))
    }

    /// The day these words mean, if all together they mean one; a day of every year is the next one, or the last.
    fn day_said(&self, when: &str, past: bool) -> Option<Date> {
        let now = &self.turn.now;
        let read = |lang: Lang| self.engine.language.times(when, lang, now, &Conventions::HOUSEHOLD);
        let whole = |mention: &Mention| mention.span == (0..when.len());
        let mention = Lang::ALL.into_iter().flat_map(read).find(whole)?;
        let days = || {
            mention.readings.iter().filter_map(|value| match value {
                Value::Date(day) => Some(*day),
                Value::Moment(_) | Value::Range(..) | Value::Duration(_) => None,
            })
        };
        let today = now.date();
        let wanted = days().find(|day| if past { *day <= today } else { *day >= today });
        wanted.or_else(|| days().next())
    }
}

fn sentence(key: &str, day: Date) -> Message {
    Message::new(key)
        .with("weekday", f64::from(day.weekday().to_monday_one_offset()))
        .with("day", f64::from(day.day()))
        .with("month", f64::from(day.month()))
        .with("year", day.year().to_string())
}
