//! A zone as an object tells it to programs that do not know its name: what the clock does in one year and, where it
//! does the same in the next, in every one after it.

use jiff::{
    Timestamp,
    civil::DateTime,
    tz::{Offset, TimeZone, TimeZoneTransition},
};

use crate::lines::{Line, Part};

/// Changes of the clock in a year that are told; no zone has more.
const SHIFTS_MAX: usize = 8;

/// The component for this zone from the year of a time on; `None` where the database does not know the zone.
pub(crate) fn describe(name: &str, at: DateTime) -> Option<Part> {
    let zone = super::known(name)?;
    let mut told = Part::new("VTIMEZONE");
    told.lines.push(Line::new("TZID", crate::lines::escaped(name)));
    let start = year_start(at.year())?;
    let mut before = zone.to_offset(start);
    for (shift, next) in shifts(&zone, at.year())?.into_iter() {
        told.parts.push(part(&shift, before, next));
        before = shift.offset();
    }
    if told.parts.is_empty() {
        let mut part = Part::new("STANDARD");
        part.lines.push(Line::new("DTSTART", "19700101T000000"));
        part.lines.push(Line::new("TZOFFSETFROM", written(before)));
        part.lines.push(Line::new("TZOFFSETTO", written(before)));
        told.parts.push(part);
    }
    Some(told)
}

fn year_start(year: i16) -> Option<Timestamp> {
    let start = jiff::civil::Date::new(year, 1, 1).ok()?.at(0, 0, 0, 0);
    TimeZone::UTC.to_timestamp(start).ok()
}

/// The changes of a year, each with the one that stands for it in the next.
fn shifts<'z>(zone: &'z TimeZone, year: i16) -> Option<Vec<(TimeZoneTransition<'z>, Option<TimeZoneTransition<'z>>)>> {
    let (start, middle, end) = (year_start(year)?, year_start(year + 1)?, year_start(year + 2)?);
    let all: Vec<TimeZoneTransition<'z>> = zone
        .following(start)
        .take_while(|shift| shift.timestamp() < end)
        .take(SHIFTS_MAX)
        .collect();
    let (now, next): (Vec<_>, Vec<_>) = all.into_iter().partition(|shift| shift.timestamp() < middle);
    let mut next = next.into_iter();
    Some(now.into_iter().map(|shift| (shift, next.next())).collect())
}

fn part(shift: &TimeZoneTransition<'_>, before: Offset, next: Option<TimeZoneTransition<'_>>) -> Part {
    let is_summer = shift.offset() > before;
    let mut part = Part::new(if is_summer { "DAYLIGHT" } else { "STANDARD" });
    let local = before.to_datetime(shift.timestamp());
    part.lines
        .push(Line::new("DTSTART", local.strftime("%Y%m%dT%H%M%S").to_string()));
    part.lines.push(Line::new("TZOFFSETFROM", written(before)));
    part.lines.push(Line::new("TZOFFSETTO", written(shift.offset())));
    let again = next.map(|next| before.to_datetime(next.timestamp()));
    let is_same = |again: &DateTime| {
        (again.month(), again.weekday(), again.time(), place(again))
            == (local.month(), local.weekday(), local.time(), place(&local))
    };
    if again.is_some_and(|again| is_same(&again)) {
        let day = crate::rule::day_word(local.weekday());
        let rule = format!("FREQ=YEARLY;BYMONTH={};BYDAY={}{day}", local.month(), place(&local));
        part.lines.push(Line::new("RRULE", rule));
    }
    part
}

/// Which of its kind of weekday in the month; the last one is told as that.
fn place(at: &DateTime) -> i8 {
    if at.day() > at.date().days_in_month() - 7 {
        -1
    } else {
        (at.day() - 1) / 7 + 1
    }
}

fn written(offset: Offset) -> String {
    let seconds = offset.seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
}
