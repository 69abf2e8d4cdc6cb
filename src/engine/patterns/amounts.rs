//! Numbers and durations in the words of a command. Called by the frames of `patterns`; an impossible value is handed
//! back as such, so that the person can be asked, and never becomes another one.

use super::{
    classes::{Class, Clock, Part},
    moments::is_before_hour,
    said::Said,
};

/// More digits are no amount of anything at home.
const DIGITS_MAX: usize = 6;
/// Parts of one duration ("1 hour 15 minutes 30 seconds").
const PARTS_MAX: usize = 4;
/// Of seconds.
const HOUR: f64 = 3_600.0;
const MINUTE: f64 = 60.0;

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
    if is_before_hour(said, at) {
        return None;
    }
    let mut taken = 0;
    let mut total = 0.0_f64;
    for _ in 0..PARTS_MAX {
        let joint = if taken > 0 { joint(said, at + taken) } else { 0 };
        let Some((count, seconds)) = duration_part(said, at + taken + joint) else {
            break;
        };
        taken += joint + count;
        total += seconds;
        if let Some((more, minutes)) = bare_minutes(said, at + taken, seconds) {
            taken += more;
            total += minutes;
        }
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

/// The minutes after hours that are said without their unit, and the seconds after minutes: "an hour and ten".
fn bare_minutes(said: &Said<'_>, at: usize, before: f64) -> Option<(usize, f64)> {
    let unit = if before < HOUR { 1.0 } else { MINUTE };
    if before < MINUTE {
        return None;
    }
    let gap = joint(said, at);
    let (count, minutes) = number(said, at + gap).filter(|(_, minutes)| gap > 0 || *minutes >= 10.0)?;
    let another = duration_part(said, at + gap).is_some();
    let whole = minutes.fract() == 0.0 && (1.0..60.0).contains(&minutes);
    (whole && !another && !is_thing(said, at + gap + count)).then_some((gap + count, minutes * unit))
}

/// Whether a number before this word counts things: "an hour and ten eggs".
fn is_thing(said: &Said<'_>, at: usize) -> bool {
    at < said.len() && !said.is_stop(at) && said.longest(at, |_| Some(())).is_none()
}

pub(super) fn joint(said: &Said<'_>, at: usize) -> usize {
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
    // "two more minutes"
    let more = said.is(at + count, Class::Clock(Clock::More)).unwrap_or(0);
    if more > 0 && unit(at + count + more).is_some() {
        count += more;
    }
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
