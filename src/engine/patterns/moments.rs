//! Times of day and days in the words of a command. Called by the frames of `patterns`; an impossible time is
//! handed back as such, so that the person can be asked, and never becomes another one.

use super::{
    amounts::{duration, joint, number},
    classes::{Class, Clock, Part},
    command::Day,
    said::Said,
};

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
    let clock = |at: usize, class: Clock| said.is(at, Class::Clock(class));
    if let Some((count, hour)) = named_hour(said, at) {
        // "mezzanotte e mezza"
        let half = said.is(at + count, Class::Number(Part::Half));
        let minute = if half.is_some() { 30 } else { 0 };
        return Some((count + half.unwrap_or(0), Moment::At(hour, minute)));
    }
    for (class, minutes) in [(Clock::HalfPast, 30), (Clock::QuarterPast, 15), (Clock::QuarterTo, -15)] {
        if let Some(count) = clock(at, class) {
            let (more, hour) = number(said, at + count)?;
            let total = hour as i32 * 60 + minutes;
            return with_half(said, at, count + more, (total / 60, total % 60), true);
        }
    }
    if let Some((count, time)) = past_hour(said, at) {
        return with_half(said, at, count, time, true);
    }
    // "all'una"
    let one = || {
        said.is(at, Class::Number(Part::One))
            .filter(|_| expected)
            .map(|count| (count, 1.0))
    };
    let (mut count, value) = number(said, at).or_else(one)?;
    let (time, marked) = written(said, at, &mut count, value)?;
    with_half(said, at, count, time, marked || expected)
}

/// Noon and midnight.
fn named_hour(said: &Said<'_>, at: usize) -> Option<(usize, u8)> {
    let hours = [(Clock::Noon, 12), (Clock::Midnight, 0)];
    hours
        .into_iter()
        .find_map(|(class, hour)| Some((said.is(at, Class::Clock(class))?, hour)))
}

/// Minutes before the hour: "ten to seven", "twenty minutes past six", "half six", "ten to noon".
fn past_hour(said: &Said<'_>, at: usize) -> Option<(usize, (i32, i32))> {
    if let Some(count) = said.is(at, Class::Clock(Clock::Half)) {
        let (more, hour) = number(said, at + count).filter(|(_, hour)| is_hour(*hour))?;
        return Some((count + more, (hour as i32, 30)));
    }
    let (count, minutes) = number(said, at).filter(|(_, minutes)| (1.0..60.0).contains(minutes))?;
    let (more, sign) = [(Clock::Past, 1), (Clock::To, -1)]
        .into_iter()
        .find_map(|(class, sign)| Some((said.is(at + count, Class::Clock(class))?, sign)))?;
    // "six to seven" is from one hour to another.
    let minutes = Some(minutes as i32).filter(|minutes| more > 1 || minutes % 5 == 0)?;
    let next = at + count + more;
    let named = || named_hour(said, next).map(|(last, hour)| (last, f64::from(if hour == 0 { 24 } else { hour })));
    let (last, hour) = number(said, next).filter(|(_, hour)| is_hour(*hour)).or_else(named)?;
    // "5 minutes to 1 hour" is an amount added to another.
    let unit = |class| matches!(class, Class::Unit(_) | Class::LongUnit).then_some(());
    if said.longest(at + count + more + last, unit).is_some() {
        return None;
    }
    let total = hour as i32 * 60 + sign * minutes;
    Some((count + more + last, (total / 60, total % 60)))
}

/// Whether what looks like a duration is counted from an hour: "five minutes to eight".
pub(super) fn is_before_hour(said: &Said<'_>, at: usize) -> bool {
    past_hour(said, at).is_some()
}

fn is_hour(value: f64) -> bool {
    value.fract() == 0.0 && (1.0..=12.0).contains(&value)
}

/// Hour and minutes as written: "7:30", "7.30", "615", "six thirty", "sei e mezza".
fn written(said: &Said<'_>, at: usize, count: &mut usize, value: f64) -> Option<((i32, i32), bool)> {
    let word = said.fold(at);
    if said.fold(at + 1) == ":" {
        let (_, minutes) = number(said, at + 2)?;
        *count = 3;
        return Some(((value as i32, minutes as i32), true));
    }
    if let Some((hour, minutes)) = word.split_once(['.', ',']) {
        let two = minutes.len() == 2;
        return two.then(|| Some(((hour.parse().ok()?, minutes.parse().ok()?), true)))?;
    }
    let plain = word.len() >= 3 && word.chars().all(|letter| letter.is_ascii_digit()) || value >= 100.0;
    if plain && value.is_finite() && value < 10_000.0 {
        return Some(((value as i32 / 100, value as i32 % 100), false));
    }
    if let Some(half) = said.is(at + *count, Class::Number(Part::Half)) {
        *count += half;
        return Some(((value as i32, 30), true));
    }
    // "sette e un quarto", "sette meno un quarto"
    for (class, minutes) in [(Clock::QuarterPast, 15), (Clock::QuarterTo, -15)] {
        if let Some(more) = said.is(at + *count, Class::Clock(class)) {
            *count += more;
            let total = value as i32 * 60 + minutes;
            return Some(((total / 60, total % 60), true));
        }
    }
    // "otto e tre quarti"
    if let Some(more) = said.is(at + *count, Class::Number(Part::Quarters(3))) {
        *count += more;
        return Some(((value as i32, 45), true));
    }
    // "sette meno dieci"
    if let Some(more) = said.is(at + *count, Class::Clock(Clock::Minus))
        && let Some((last, minutes)) = number(said, at + *count + more)
        && (1.0..60.0).contains(&minutes)
    {
        *count += more + last;
        let total = value as i32 * 60 - minutes as i32;
        return Some(((total / 60, total % 60), true));
    }
    // "six thirty", "le 7 e 30", "8 e 05"; "five five" is no time.
    let gap = joint(said, at + *count);
    if let Some((more, minutes)) = number(said, at + *count + gap)
        && (gap == 0 || minutes >= 5.0)
        && ((10.0..60.0).contains(&minutes) || gap > 0 && minutes < 10.0 && said.fold(at + *count + gap).len() == 2)
        && value <= 24.0
        && (gap > 0 || more > 1 || is_written(said, at + *count))
    {
        *count += gap + more;
        return Some(((value as i32, minutes as i32), true));
    }
    Some(((value as i32, 0), false))
}

/// Whether the minutes of "6 30" and "six thirty" stand here, and not another amount.
fn is_written(said: &Said<'_>, at: usize) -> bool {
    let digits = said.fold(at).starts_with(|letter: char| letter.is_ascii_digit());
    let unit = |class| matches!(class, Class::Unit(_) | Class::LongUnit | Class::Percent).then_some(());
    !digits || said.fold(at).len() == 2 && said.longest(at + 1, unit).is_none()
}

/// Takes what follows a time ("am", "o'clock", "in the evening") and says which time it is.
fn with_half(
    said: &Said<'_>,
    at: usize,
    count: usize,
    (hour, minute): (i32, i32),
    mut marked: bool,
) -> Option<(usize, Moment)> {
    let mut taken = count;
    let mut half = None;
    loop {
        let gap = said.is(at + taken, Class::Filler).unwrap_or(0);
        let here = |class: Clock| said.is(at + taken, Class::Clock(class));
        let after = |class: Clock| said.is(at + taken + gap, Class::Clock(class)).map(|more| gap + more);
        if let Some(more) = here(Clock::Oclock) {
            taken += more;
        } else if let Some(more) = here(Clock::Am).or_else(|| after(Clock::Am)).filter(|_| half.is_none()) {
            half = Some(0);
            taken += more;
        } else if let Some(more) = here(Clock::Pm).or_else(|| after(Clock::Pm)).filter(|_| half.is_none()) {
            half = Some(12);
            taken += more;
        } else {
            break;
        }
        marked = true;
    }
    if !marked {
        return None;
    }
    let possible = match half {
        Some(_) => (1..=12).contains(&hour),
        None => (0..=24).contains(&hour),
    };
    if !possible || !(0..60).contains(&minute) {
        // "22 in the evening" is how some people speak.
        let evening = half == Some(12) && (13..24).contains(&hour) && said.fold(at + count) != "pm";
        if !(evening && (0..60).contains(&minute)) {
            return Some((taken, Moment::Impossible));
        }
        half = None;
    }
    let hour = match half {
        Some(shift) => hour % 12 + shift,
        None => hour % 24,
    };
    let small = |value: i32| u8::try_from(value).ok();
    Some((taken, Moment::At(small(hour)?, small(minute)?)))
}

/// How many words say what "every" is about: "every minute", "every 5 minutes", "every Monday".
pub(super) fn interval(said: &Said<'_>, at: usize) -> usize {
    let unit = |class| matches!(class, Class::Unit(_) | Class::LongUnit).then_some(());
    let spoken = duration(said, at).map(|(count, _)| count);
    spoken
        .or_else(|| said.longest(at, unit).map(|(count, ())| count))
        .or_else(|| day(said, at).map(|(count, _)| count))
        .unwrap_or(0)
}

/// A day: "tomorrow", "on Monday", "the 25th of May".
pub(super) fn day(said: &Said<'_>, at: usize) -> Option<(usize, Day)> {
    let found = said.longest(at, |class| {
        if let Class::Day(days) = class {
            Some(Day::In(days))
        } else if let Class::Weekday(day) = class {
            Some(Day::Weekday(day))
        } else {
            None
        }
    });
    if found.is_some() {
        return found;
    }
    let (count, day) = ordinal(said, at)?;
    let gap = said.is(at + count, Class::Filler).unwrap_or(0);
    let month = |class| {
        if let Class::Month(month) = class {
            Some(month)
        } else {
            None
        }
    };
    let (more, month) = said.longest(at + count + gap, month)?;
    (1..=31)
        .contains(&day)
        .then_some((count + gap + more, Day::Date { month, day }))
}

fn ordinal(said: &Said<'_>, at: usize) -> Option<(usize, u8)> {
    let plain = |at: usize| {
        said.longest(at, |class| {
            let Class::Number(Part::Ordinal(day)) = class else {
                return None;
            };
            Some(day)
        })
    };
    let tens = said.longest(at, |class| {
        let Class::Number(Part::Tens(tens)) = class else {
            return None;
        };
        Some(tens)
    });
    if let Some((count, tens)) = tens
        && let Some((more, day)) = plain(at + count)
    {
        return Some((count + more, tens.saturating_mul(10).saturating_add(day)));
    }
    plain(at).or_else(|| {
        let (count, day) = number(said, at)?;
        let whole = day.fract() == 0.0 && (1.0..=31.0).contains(&day);
        whole.then_some((count, day as u8))
    })
}
