//! Numbers and durations in the words of a command, over the words `language::time` knows. Called by the frames of
//! `patterns`; an impossible value is handed back as such, so that the person can be asked, and never becomes another.

use super::{moments::is_before_hour, said::Said};
use crate::language::time::Heard;

/// More digits are no amount of anything at home.
const DIGITS_MAX: usize = 6;
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

/// A number in digits or words and how many words it takes; one with more digits than anything has is infinite.
pub(super) fn number(said: &Said<'_>, at: usize) -> Option<(usize, f64)> {
    if is_endless(said, at) {
        return Some((1, f64::INFINITY));
    }
    said.value(at, Heard::number)
}

fn is_endless(said: &Said<'_>, at: usize) -> bool {
    let word = said.fold(at);
    let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
    is_number && word.split(['.', ',']).any(|part| part.len() > DIGITS_MAX)
}

/// A duration: "1 hour and 15 minutes", "1h30m", "an hour and a half", "half an hour".
pub(super) fn duration(said: &Said<'_>, at: usize) -> Option<(usize, Span)> {
    if is_endless(said, at) {
        let (unit, _) = said.value(at + 1, Heard::unit)?;
        return Some((1 + unit, Span::Impossible));
    }
    let (count, seconds) = said.value(at, Heard::length)?;
    if is_before_hour(said, at, count) {
        return None;
    }
    let Some(seconds) = seconds else {
        return Some((count, Span::Long));
    };
    let (more, rest) = bare_part(said, at + count, seconds).unwrap_or((0, 0.0));
    let total = seconds + rest;
    let span = if total >= 1.0 {
        Span::Seconds(total.round() as u64)
    } else {
        Span::Impossible
    };
    Some((count + more, span))
}

/// The minutes after hours that are said without their unit, and the seconds after minutes: "an hour and ten".
fn bare_part(said: &Said<'_>, at: usize, before: f64) -> Option<(usize, f64)> {
    let unit = if before < HOUR { 1.0 } else { MINUTE };
    if before < MINUTE {
        return None;
    }
    let gap = joint(said, at);
    let (count, amount) = number(said, at + gap).filter(|(_, amount)| gap > 0 || *amount >= 10.0)?;
    let another = said.value(at + gap, Heard::length).is_some();
    let whole = amount.fract() == 0.0 && (1.0..60.0).contains(&amount);
    (whole && !another && !is_thing(said, at + gap + count)).then_some((gap + count, amount * unit))
}

/// Whether a number before this word counts things: "an hour and ten eggs".
fn is_thing(said: &Said<'_>, at: usize) -> bool {
    at < said.len() && !said.is_stop(at) && said.longest(at, |_| Some(())).is_none()
}

/// How many words join what stands before them with what follows.
pub(super) fn joint(said: &Said<'_>, at: usize) -> usize {
    said.value(at, Heard::joint).map_or(0, |(count, ())| count)
}
