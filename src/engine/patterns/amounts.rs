//! Numbers, durations and times of day in the words of a command. Called by the frames of `patterns`; an
//! impossible value is handed back as such, so that the person can be asked, and never becomes another one.

use super::{
    command::Day,
    words::{Class, Clock, Part, Said},
};

/// More digits are no amount of anything at home.
const DIGITS_MAX: usize = 6;
/// Parts of one duration ("1 hour 15 minutes 30 seconds").
const PARTS_MAX: usize = 4;

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    /// So many seconds.
    Seconds(u64),
    /// Of months or so: nothing that counts down.
    Long,
    /// No amount at all.
    Impossible,
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    /// Hour and minute.
    At(u8, u8),
    /// No such time.
    Impossible,
}

/// A number in digits or words and how many words it takes.
pub(super) fn number(said: &Said<'_>, at: usize) -> Option<(usize, f64)> {
    let word = said.fold(at);
    if word.starts_with(|letter: char| letter.is_ascii_digit()) {
        return digits(said, at, word);
    }
    words(said, at)
}

fn digits(said: &Said<'_>, at: usize, word: &str) -> Option<(usize, f64)> {
    let value = |word: &str| -> Option<f64> {
        let long = word.split(['.', ',']).any(|part| part.len() > DIGITS_MAX);
        if long {
            return Some(f64::INFINITY);
        }
        word.replace(',', ".").parse().ok()
    };
    let first = value(word)?;
    if said.fold(at + 1) == "/" {
        let second = value(said.fold(at + 2)).filter(|second| *second > 0.0)?;
        return Some((3, first / second));
    }
    Some((1, first))
}

fn words(said: &Said<'_>, at: usize) -> Option<(usize, f64)> {
    let part = |at: usize| {
        said.longest(at, |class| {
            let Class::Number(part) = class else { return None };
            matches!(part, Part::Unit(_) | Part::Tens(_) | Part::Hundred | Part::Joint).then_some(part)
        })
    };
    let small = |at: usize| -> Option<(usize, f64)> {
        match part(at)? {
            (count, Part::Unit(unit)) => Some((count, f64::from(unit))),
            (count, Part::Tens(tens)) => {
                let value = f64::from(tens) * 10.0;
                match part(at + count) {
                    Some((more, Part::Unit(unit))) if (1..10).contains(&unit) => {
                        Some((count + more, value + f64::from(unit)))
                    }
                    _ => Some((count, value)),
                }
            }
            _ => None,
        }
    };
    let (mut count, mut value) = match part(at)? {
        (count, Part::Hundred) => (count, 100.0),
        _ => small(at)?,
    };
    if let Some((more, Part::Hundred)) = part(at + count)
        && value < 10.0
    {
        count += more;
        value *= 100.0;
    }
    if value >= 100.0 {
        let joint = match part(at + count) {
            Some((more, Part::Joint)) => more,
            _ => 0,
        };
        if let Some((more, rest)) = small(at + count + joint) {
            count += joint + more;
            value += rest;
        }
    }
    Some((count, value))
}

/// A duration: "1 hour and 15 minutes", "1h30m", "an hour and a half", "half an hour".
pub(super) fn duration(said: &Said<'_>, at: usize) -> Option<(usize, Span)> {
    let mut taken = 0;
    let mut total = 0.0_f64;
    for _ in 0..PARTS_MAX {
        let joint = if taken > 0 { joint(said, at + taken) } else { 0 };
        let Some((count, seconds)) = duration_part(said, at + taken + joint) else {
            break;
        };
        taken += joint + count;
        total += seconds;
    }
    if taken == 0 {
        return None;
    }
    let span = if total.is_nan() {
        Span::Long
    } else if total.is_finite() && total >= 1.0 {
        Span::Seconds(total.round() as u64)
    } else {
        Span::Impossible
    };
    Some((taken, span))
}

fn joint(said: &Said<'_>, at: usize) -> usize {
    said.is(at, Class::Number(Part::Joint)).unwrap_or(0)
}

/// One part of a duration; the seconds are no number for months and the like.
fn duration_part(said: &Said<'_>, at: usize) -> Option<(usize, f64)> {
    let whole = |class| {
        if let Class::Duration(seconds) = class {
            Some(seconds)
        } else {
            None
        }
    };
    let unit = |at: usize| {
        said.longest(at, |class| {
            let Class::Unit(seconds) = class else {
                return (class == Class::LongUnit).then_some(f64::NAN);
            };
            Some(seconds as f64)
        })
    };
    if let Some((count, seconds)) = said.longest(at, whole) {
        return Some((count, seconds as f64));
    }
    let one = |at: usize| said.is(at, Class::Number(Part::One)).map(|count| (count, 1.0));
    let (mut count, mut amount) = number(said, at).or_else(|| one(at))?;
    // "1 and a 1/2 hours", "1 1/2 hours"
    let article = |at: usize| said.is(at, Class::Number(Part::One)).unwrap_or(0);
    let gap = joint(said, at + count);
    let gap = gap + article(at + count + gap);
    if let Some((more, fraction)) = number(said, at + count + gap)
        && fraction > 0.0
        && fraction < 1.0
        && unit(at + count + gap + more).is_some()
    {
        count += gap + more;
        amount += fraction;
    }
    if amount < 1.0 {
        // "1/2 a minute"
        count += article(at + count);
    }
    // "one and a half hours"
    if let Some(half) = said.is(at + count, Class::Number(Part::Half))
        && unit(at + count + half).is_some()
    {
        count += half;
        amount += 0.5;
    }
    let (more, seconds) = unit(at + count)?;
    count += more;
    let mut total = amount * seconds;
    if let Some(half) = said.is(at + count, Class::Number(Part::Half)) {
        count += half;
        total += seconds / 2.0;
    }
    // "an hour and a quarter"
    for quarters in [1_u8, 3] {
        if let Some(more) = said.is(at + count, Class::Number(Part::Quarters(quarters))) {
            count += more;
            total += seconds * f64::from(quarters) / 4.0;
        }
    }
    Some((count, total))
}

/// A time of day. Without a sign that one is meant ("at", "am", a colon) a bare number is none.
pub(super) fn moment(said: &Said<'_>, at: usize, expected: bool) -> Option<(usize, Moment)> {
    let clock = |at: usize, class: Clock| said.is(at, Class::Clock(class));
    if let Some(count) = clock(at, Clock::Noon) {
        return Some((count, Moment::At(12, 0)));
    }
    if let Some(count) = clock(at, Clock::Midnight) {
        return Some((count, Moment::At(0, 0)));
    }
    for (class, minutes) in [(Clock::HalfPast, 30), (Clock::QuarterPast, 15), (Clock::QuarterTo, -15)] {
        if let Some(count) = clock(at, class) {
            let (more, hour) = number(said, at + count)?;
            let total = hour as i32 * 60 + minutes;
            return with_half(said, at, count + more, (total / 60, total % 60), true);
        }
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
    // "six thirty", "le 7 e 30"; "five five" is no time.
    let gap = joint(said, at + *count);
    if let Some((more, minutes)) = number(said, at + *count + gap)
        && (gap == 0 || minutes >= 5.0)
        && (10.0..60.0).contains(&minutes)
        && value <= 24.0
        && (gap > 0
            || !said
                .fold(at + *count)
                .starts_with(|letter: char| letter.is_ascii_digit()))
    {
        *count += gap + more;
        return Some(((value as i32, minutes as i32), true));
    }
    Some(((value as i32, 0), false))
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
