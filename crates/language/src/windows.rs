//! Which of the times of a request are windows an executor takes ("this-week", "last-7d", "2026-11-20"), as facts.
//! Called by `language::values`; what a time means is decided in `language::time`.

use std::ops::Range;

use jiff::{
    ToSpan,
    civil::{Date, DateTime, Time},
};
use serde_json::Value;

use super::{
    Fact, FactKind, negation,
    scan::Scan,
    sense::{Role, Sense},
    time::{Form, Mention, Unit, Value as Moment},
};
use metnos_domain::vocabulary::Object;

const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Makes a fact of every time that is a window.
pub(super) fn windows(scan: &mut Scan<'_>, times: &[Mention], today: Date) {
    let ahead = looks_ahead(scan);
    for mention in times {
        let inside = |at: &usize| {
            scan.segments
                .get(*at)
                .is_some_and(|segment| segment.span.start < mention.span.end && mention.span.start < segment.span.end)
        };
        let Some(first) = (0..scan.segments.len()).find(inside) else {
            continue;
        };
        let end = (first..scan.segments.len()).take_while(inside).last().unwrap_or(first) + 1;
        // "the third last" counts from the end.
        let from_end = (first..end).any(|at| scan.sense(at, Sense::end_ordinal).is_some());
        if from_end || is_one_of_several(scan, first..end) {
            continue;
        }
        let than = (!ahead).then(|| compared(scan, mention, today, first..end)).flatten();
        let own = token(mention, today, ahead).map(|(kind, value)| (kind, value, first..end));
        let Some((kind, value, span)) = than.or(own).or_else(|| aged(scan, mention, first..end)) else {
            continue;
        };
        let free = span
            .clone()
            .all(|at| scan.segments.get(at).is_some_and(|segment| !segment.used));
        if free {
            scan.fact(kind, Value::String(value), span);
        }
    }
    // "newer than a week but older than a day": both hold.
    scan.explain_but(Fact::is_age);
}

/// "delete the biggest and the second": a bare word for which one is a day only where something leads to it.
fn is_one_of_several(scan: &Scan<'_>, time: Range<usize>) -> bool {
    let ordinal = |at: usize| scan.sense(at, Sense::ordinal).is_some();
    let bare = |at: usize| ordinal(at) || scan.is_glue(at);
    let before = (0..time.start).rev().find(|at| !scan.is_glue(*at));
    let led = before.is_some_and(|at| scan.sense(at, Sense::role).is_some() || scan.is(at, &Sense::Changed));
    time.clone().any(ordinal) && time.into_iter().all(bare) && !led
}

/// "older than two months", "più recenti di un giorno", "more than 60 days old".
fn aged(scan: &Scan<'_>, mention: &Mention, length: Range<usize>) -> Option<(FactKind, String, Range<usize>)> {
    let Form::Length(number, unit) = mention.form else {
        return None;
    };
    let (letter, each) = unit.window()?;
    let start = (0..length.start).rev().find(|at| !scan.is_glue(*at))?;
    if let Some(unchanged) = unchanged(scan, start, length.start) {
        return Some((
            FactKind::Window,
            format!("older-{}{letter}", number * each),
            unchanged..length.end,
        ));
    }
    let old = scan.is(length.end, &Sense::Aged);
    let says = |bound: &Sense, with_old: &Sense| scan.is(start, bound) || old && scan.is(start, with_old);
    let older = says(&Sense::Older, &Sense::More);
    if !older && !says(&Sense::Newer, &Sense::Less) {
        return None;
    }
    // "no older than a week" is of that week.
    let denied = negation::denies(scan, start);
    let direction = if older == denied.is_none() { "older" } else { "last" };
    let text = format!("{direction}-{}{letter}", number * each);
    Some((
        FactKind::Window,
        text,
        denied.unwrap_or(start)..length.end + usize::from(old),
    ))
}

/// "older than 10 November", "più recenti del 3 maggio", "more than two weeks ago": from a day on, or before it.
fn compared(
    scan: &Scan<'_>,
    mention: &Mention,
    today: Date,
    time: Range<usize>,
) -> Option<(FactKind, String, Range<usize>)> {
    let named = match mention.form {
        Form::Plain => false,
        Form::Named(..) => true,
        Form::Window(..) | Form::Weekday(_) | Form::Recurring(_) | Form::Length(..) => return None,
    };
    let small = |at: &usize| scan.is_glue(*at) || scan.is(*at, &Sense::Role(Role::Of));
    let start = (0..time.start).rev().find(|at| !small(at))?;
    let ago = scan.is(time.end - 1, &Sense::Aged);
    let older = scan.is(start, &Sense::Older) || ago && scan.is(start, &Sense::More);
    let newer = scan.is(start, &Sense::Newer);
    let denied = negation::denies(scan, start);
    let before = older && denied.is_none();
    let since = ago && scan.is(start, &Sense::Less) && denied.is_none() || older && denied.is_some();
    // "newer than last week" may begin in it or behind it.
    let after = newer && !named && denied.is_none();
    let (from, to) = mention.readings.iter().find_map(|reading| {
        match reading {
            Moment::Date(day) => Some((*day, day.tomorrow().ok()?)),
            Moment::Range(Some(from), Some(to)) => Some((from.date(), to.date())),
            Moment::Range(..) | Moment::Moment(_) | Moment::Duration(_) => None,
        }
        .filter(|(from, _)| *from <= today)
    })?;
    let text = if before {
        format!("before-{from}")
    } else if since {
        format!("{from}/{today}")
    } else if after && to <= today {
        format!("{to}/{today}")
    } else {
        return None;
    };
    Some((FactKind::Window, text, denied.unwrap_or(start)..time.end))
}

/// Where "not touched for more than" begins; `start` is the last word before the length that means something.
fn unchanged(scan: &Scan<'_>, start: usize, length: usize) -> Option<usize> {
    let behind = if scan.is(start, &Sense::More) { start } else { length };
    let means = |at: &usize| !scan.is_glue(*at) && scan.sense(*at, Sense::role).is_none();
    let said = (0..behind).rev().find(means)?;
    scan.is(said, &Sense::Unchanged).then_some(said)
}

/// Appointments and the like are in the future, files and mails in the past.
fn looks_ahead(scan: &Scan<'_>) -> bool {
    (0..scan.segments.len()).any(|at| {
        scan.sense(at, Sense::object)
            .is_some_and(|(object, _)| matches!(object, Object::Events | Object::Tasks | Object::Calendars))
    })
}

fn token(mention: &Mention, today: Date, ahead: bool) -> Option<(FactKind, String)> {
    let window = |text: String| Some((FactKind::Window, text));
    match mention.form {
        Form::Named(0, Unit::Day) => window("today".to_owned()),
        Form::Named(-1, Unit::Day) => window("yesterday".to_owned()),
        Form::Named(1, Unit::Day) => window("tomorrow".to_owned()),
        Form::Named(shift @ -1..=1, unit @ (Unit::Week | Unit::Month | Unit::Year)) => {
            let which = match shift {
                0 => "this",
                1 => "next",
                _ => "last",
            };
            window(format!("{which}-{}", unit.name()))
        }
        Form::Window(-1, Unit::Day) => window("last-24h".to_owned()),
        Form::Window(-1, Unit::Week) => window("last-7d".to_owned()),
        Form::Window(-1, Unit::Month) => window("last-30d".to_owned()),
        Form::Window(number, unit) if unit.window().is_some() => {
            let (letter, each) = unit.window()?;
            let which = if number < 0 { "last" } else { "next" };
            window(format!("{which}-{}{letter}", number.unsigned_abs() * each))
        }
        Form::Weekday(day) => {
            let name = WEEKDAYS.get(usize::try_from(day).ok()?.checked_sub(1)?)?;
            Some((FactKind::Weekday, (*name).to_owned()))
        }
        Form::Recurring(_) | Form::Length(..) => None,
        // On a Monday nothing was changed "this weekend" but in the one that has just gone.
        Form::Named(0, Unit::Weekend) if !ahead => {
            let readings: Vec<Moment> = mention.readings.iter().map(|reading| gone(reading, today)).collect();
            window(dates(&readings, today, ahead)?)
        }
        Form::Named(..) | Form::Window(..) | Form::Plain => window(dates(&mention.readings, today, ahead)?),
    }
}

/// A week earlier, where it is still to come.
fn gone(reading: &Moment, today: Date) -> Moment {
    let earlier = |at: &DateTime| at.checked_sub(7.days()).ok();
    match reading {
        Moment::Range(Some(from), Some(to)) if from.date() > today => match (earlier(from), earlier(to)) {
            (Some(from), Some(to)) => Moment::Range(Some(from), Some(to)),
            _ => reading.clone(),
        },
        Moment::Date(_) | Moment::Range(..) | Moment::Moment(_) | Moment::Duration(_) => reading.clone(),
    }
}

/// A day, a month, a year, or from one day to another.
fn dates(readings: &[Moment], today: Date, ahead: bool) -> Option<String> {
    let start = |reading: &Moment| match reading {
        Moment::Date(day) => Some(*day),
        Moment::Range(Some(from), _) => Some(from.date()),
        // Open to the past: the day it goes to.
        Moment::Range(None, Some(to)) => Some(to.date()),
        Moment::Moment(_) | Moment::Range(None, None) | Moment::Duration(_) => None,
    };
    let past = readings
        .iter()
        .find(|reading| start(reading).is_some_and(|day| day <= today));
    let reading = past.filter(|_| !ahead).or(readings.first())?;
    let midnight = |at: &DateTime| at.time() == Time::midnight();
    match reading {
        Moment::Date(day) => Some(day.to_string()),
        Moment::Range(Some(from), Some(to)) if midnight(from) && midnight(to) => {
            let (from, to) = (from.date(), to.date());
            if from.day() == 1 && from.checked_add(1.month()).ok()? == to {
                return Some(from.strftime("%Y-%m").to_string());
            }
            if from.day() == 1 && from.month() == 1 && from.checked_add(1.year()).ok()? == to {
                return Some(from.strftime("%Y").to_string());
            }
            Some(format!("{from}/{}", to.yesterday().ok()?))
        }
        Moment::Range(Some(from), None) if midnight(from) && from.date() <= today => {
            Some(format!("{}/{today}", from.date()))
        }
        // "before tomorrow" is when to do it, not what to take.
        Moment::Range(None, Some(to)) if midnight(to) && to.date() <= today => Some(format!("before-{}", to.date())),
        Moment::Range(..) | Moment::Moment(_) | Moment::Duration(_) => None,
    }
}
