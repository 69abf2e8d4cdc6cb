//! Questions about the calendar that a pattern recognised: what day another day is, how far away it or a time of day
//! is. The day itself is whatever the reading found in the words; words that are not exactly one are left to the next
//! layer.

use jiff::civil::Date;

use crate::{
    domain::{lang::Lang, message::Message},
    engine::{
        dispatch::{Cascade, fixed::say},
        outcome::TurnOutcome,
    },
    language::time::{Conventions, Mention, Value},
};

const DAYS_OF_WEEK: i32 = 7;

impl Cascade<'_> {
    /// "what day is tomorrow", "che giorno era il 3 marzo".
    pub(super) fn day_of(&mut self, when: &str, past: bool) -> Option<TurnOutcome> {
        let day = self.day_said(when, past)?;
        let tense = if day < self.turn.now.date() { "past" } else { "ahead" };
        Some(say(sentence("answer-day-of", day).with("tense", tense)))
    }

    /// "how many days until christmas", "quanto manca alle 8".
    pub(super) fn days_until(&mut self, when: &str, in_weeks: bool) -> Option<TurnOutcome> {
        let Some(day) = self.day_said(when, false) else {
            return self.time_until(when);
        };
        let days = self.turn.now.date().until(day).ok()?.get_days();
        let (weeks, rest) = (days / DAYS_OF_WEEK, days % DAYS_OF_WEEK);
        if in_weeks && weeks > 0 {
            let answer = sentence("answer-weeks-until", day).with("weeks", f64::from(weeks));
            return Some(say(answer.with("days", f64::from(rest))));
        }
        (days >= 0).then(|| say(sentence("answer-days-until", day).with("days", f64::from(days))))
    }

    /// "how many days since january 1".
    pub(super) fn days_since(&mut self, when: &str) -> Option<TurnOutcome> {
        let day = self.day_said(when, true)?;
        let days = day.until(self.turn.now.date()).ok()?.get_days();
        (days >= 0).then(|| say(sentence("answer-days-since", day).with("days", f64::from(days))))
    }

    /// Hours and minutes until the next such time of day.
    fn time_until(&self, when: &str) -> Option<TurnOutcome> {
        let now = &self.turn.now;
        let moments = self
            .moment_of(when)?
            .readings
            .into_iter()
            .filter_map(|value| match value {
                Value::Moment(moment) => moment.to_zoned(now.time_zone().clone()).ok(),
                Value::Date(_) | Value::Range(..) | Value::Duration(_) => None,
            });
        let next = moments.filter(|moment| moment > now).min()?;
        // A minute that has begun is not over.
        let minutes = (now.duration_until(&next).as_secs() + 59) / 60;
        let (hours, minutes) = (i32::try_from(minutes / 60).ok()?, i32::try_from(minutes % 60).ok()?);
        let answer = Message::new("answer-time-until").with("time", next.strftime("%H:%M").to_string());
        Some(say(answer
            .with("hours", f64::from(hours))
            .with("minutes", f64::from(minutes))))
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
        let mention = self.moment_of(when)?;
        let days = || {
            mention.readings.iter().filter_map(|value| match value {
                Value::Date(day) => Some(*day),
                Value::Moment(_) | Value::Range(..) | Value::Duration(_) => None,
            })
        };
        let today = self.turn.now.date();
        let wanted = days().find(|day| if past { *day <= today } else { *day >= today });
        wanted.or_else(|| days().next())
    }

    /// The time these words mean, if all together they mean one.
    fn moment_of(&self, when: &str) -> Option<Mention> {
        let now = &self.turn.now;
        let read = |words: &str| {
            let read = |lang: Lang| self.engine.language.times(words, lang, now, &Conventions::HOUSEHOLD);
            let whole = |mention: &Mention| mention.span == (0..words.len());
            Lang::BUILT_IN.into_iter().flat_map(read).find(whole)
        };
        read(when).or_else(|| read(&joined_digits(when)))
    }
}

/// "3 rd of march" as it was written: patterns compare digits and letters apart.
fn joined_digits(words: &str) -> String {
    let mut joined = String::with_capacity(words.len());
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_digit = joined.ends_with(|last: char| last.is_ascii_digit());
        let is_word = letters.peek().is_some_and(|next| next.is_alphabetic());
        if !(letter == ' ' && is_digit && is_word) {
            joined.push(letter);
        }
    }
    joined
}

fn sentence(key: &str, day: Date) -> Message {
    Message::new(key)
        .with("weekday", f64::from(day.weekday().to_monday_one_offset()))
        .with("day", f64::from(day.day()))
        .with("month", f64::from(day.month()))
        .with("year", day.year().to_string())
}
