//! Times of day and days in the words of a command, over the words `language::time` knows. Called by the frames of
//! `patterns`; an impossible time is handed back as such, so that the person can be asked, and never becomes another.

use super::{
    amounts::{duration, number},
    classes::{Class, Clock},
    command::Day,
    said::Said,
};
use crate::language::time::{DayHalf, Heard, Hour, NamedDay};

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    /// Hour and minute.
    At(u8, u8),
    /// No such time.
    Impossible,
}

/// A time of day. Without a sign that one is meant ("at", "am", a colon) a bare number is none.
pub(super) fn moment(said: &Said<'_>, at: usize, expected: bool) -> Option<(usize, Moment)> {
    let word = said.fold(at);
    let is_digits = !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit());
    let minutes = is_digits && said.fold(at + 1) == ":" && number(said, at + 2).is_some();
    let hour = said.value(at, |heard, at| heard.hour(at, expected));
    if let Some((count, hour)) = hour.filter(|(count, _)| !minutes || *count > 1) {
        // "5 minutes to 1 hour" is an amount added to another, and "7%" none of an hour.
        let counts = said.value(at + count, Heard::unit).is_some() || said.is(at + count, Class::Percent).is_some();
        return if counts {
            None
        } else {
            in_half(said, at, count, hour, expected)
        };
    }
    if let Some((count, hour)) = written(said, at).or_else(|| hundreds(said, at)) {
        return in_half(said, at, count, hour, expected);
    }
    // "25:00", "7:75", "at 2570": digits that stand for an hour, and there is none like it.
    let count = if minutes { 3 } else { 1 };
    let is_meant = minutes || expected || half_at(said, at + 1).is_some();
    (is_digits && is_meant).then_some((count, Moment::Impossible))
}

/// Whether a duration of so many words is counted from an hour: "five minutes to eight".
pub(super) fn is_before_hour(said: &Said<'_>, at: usize, length: usize) -> bool {
    let hour = said.value(at, |heard, at| heard.hour(at, false));
    hour.is_some_and(|(count, hour)| count > length && !hour.is_bare && said.value(at + count, Heard::unit).is_none())
}

/// "730", "7.30": digits that are an hour and its minutes wherever one is expected, whatever follows.
fn written(said: &Said<'_>, at: usize) -> Option<(usize, Hour)> {
    let word = said.fold(at);
    let (hour, minute) = match word.split_once(['.', ',']) {
        Some(parts) => parts,
        None => word.split_at_checked(word.len().checked_sub(2)?)?,
    };
    match (hour.len(), minute.len()) {
        (1 | 2, 2) => Some((1, bare(hour.parse().ok()?, minute.parse().ok()?)?)),
        _ => None,
    }
}

/// An hour and its minutes that only company makes one.
fn bare(hour: u8, minute: u8) -> Option<Hour> {
    (hour <= 24 && minute < 60).then_some(Hour {
        hour,
        minute,
        half: None,
        is_bare: true,
    })
}

/// "Fourteen hundred", "one hundred and thirty": an hour and its minutes in one number.
fn hundreds(said: &Said<'_>, at: usize) -> Option<(usize, Hour)> {
    let (count, value) = number(said, at).filter(|(count, value)| *count > 1 && value.fract() == 0.0)?;
    let whole = (100.0..2_400.0).contains(&value).then_some(value as u16)?;
    Some((
        count,
        bare(u8::try_from(whole / 100).ok()?, u8::try_from(whole % 100).ok()?)?,
    ))
}

/// Words that say which half of the day is meant, or only that an hour is: how many, and the half.
fn half_at(said: &Said<'_>, at: usize) -> Option<(usize, Option<DayHalf>)> {
    let here = |at: usize, class: Clock| said.is(at, Class::Clock(class));
    if let Some(count) = here(at, Clock::Oclock) {
        return Some((count, None));
    }
    let gap = said.is(at, Class::Filler).unwrap_or(0);
    [(Clock::Am, DayHalf::Am), (Clock::Pm, DayHalf::Pm)]
        .into_iter()
        .find_map(|(class, half)| {
            let count = here(at, class).or_else(|| Some(gap + here(at + gap, class)?))?;
            Some((count, Some(half)))
        })
}

/// Takes what follows a time ("o'clock", "in the evening") and says which time it is.
fn in_half(said: &Said<'_>, at: usize, count: usize, hour: Hour, expected: bool) -> Option<(usize, Moment)> {
    let mut taken = count;
    let mut half = hour.half;
    let mut is_meant = expected || !hour.is_bare;
    while let Some((more, which)) = half_at(said, at + taken) {
        if half.is_some() && which.is_some() {
            break;
        }
        half = half.or(which);
        taken += more;
        is_meant = true;
    }
    if !is_meant {
        return None;
    }
    let shift = match half {
        // "22 in the evening" is how some people speak; 13 pm is no hour.
        Some(DayHalf::Pm) if (13..24).contains(&hour.hour) && hour.half.is_none() => 0,
        // "Midnight tonight"
        Some(DayHalf::Pm) if hour.hour == 0 && hour.half.is_none() => 0,
        Some(_) if !(1..=12).contains(&hour.hour) => return Some((taken, Moment::Impossible)),
        Some(DayHalf::Am) if hour.hour == 12 => -12,
        Some(DayHalf::Pm) if hour.hour < 12 => 12,
        Some(_) | None => 0,
    };
    let shifted = u8::try_from(i16::from(hour.hour) + shift).ok()?;
    Some((taken, Moment::At(shifted % 24, hour.minute)))
}

/// How many words say what "every" is about: "every minute", "every 5 minutes", "every Monday".
pub(super) fn interval(said: &Said<'_>, at: usize) -> usize {
    let spoken = duration(said, at).map(|(count, _)| count);
    spoken
        .or_else(|| said.value(at, Heard::unit).map(|(count, _)| count))
        .or_else(|| day(said, at).map(|(count, _)| count))
        .unwrap_or(0)
}

/// A day: "tomorrow", "on Monday", "the 25th of May". What is over is none.
pub(super) fn day(said: &Said<'_>, at: usize) -> Option<(usize, Day)> {
    let (count, day) = said.value(at, Heard::day)?;
    let day = match day {
        NamedDay::In(days) => Day::In(u8::try_from(days).ok()?),
        NamedDay::Weekday(day) => Day::Weekday(day),
        NamedDay::Date(month, day) => Day::Date { month, day },
    };
    Some((count, day))
}
