//! How events are spoken of: when they are, what they are called, what changed. Keys of sentences and their values; the
//! words are in `locales/`.

use jiff::{Zoned, civil::Date, tz::TimeZone};
use metnos_dav::At;

use super::Found;
use crate::{
    domain::message::{Message, MessageArg},
    engine::tasks::wording,
};

/// When something is: a day, several, or a time and its end.
pub(super) fn when(one: &Found, now: &Zoned) -> Message {
    match (&one.start, &one.end) {
        (At::Day(first), _) => match one.last_day.filter(|last| last > first) {
            Some(last) => Message::new("events-days")
                .with("first", day(*first, now))
                .with("last", day(last, now)),
            None => day(*first, now),
        },
        (At::Instant(start), At::Instant(end)) if end > start => {
            let begin = wording::moment(start.timestamp().as_millisecond(), now);
            if end.date() == start.date() {
                let end = end.strftime("%H:%M").to_string();
                return Message::new("events-until").with("begin", begin).with("end", end);
            }
            let end = wording::moment(end.timestamp().as_millisecond(), now);
            Message::new("events-until-day").with("begin", begin).with("end", end)
        }
        (At::Instant(start), _) => wording::moment(start.timestamp().as_millisecond(), now),
    }
}

/// An event in the day it is in: from when to when, what, and where.
pub(super) fn hours(one: &Found, zone: &TimeZone) -> Message {
    let clock = |at: &At| {
        let at = at.instant(zone).to_zoned(zone.clone());
        at.strftime("%H:%M").to_string()
    };
    let lasts = one.end.instant(zone) > one.start.instant(zone);
    Message::new("day-event")
        .with("from", clock(&one.start))
        .with("to", if lasts { clock(&one.end) } else { "none".to_owned() })
        .with("what", titled(one))
}

/// An event that the whole day is in.
pub(super) fn whole(one: &Found) -> Message {
    Message::new("day-whole").with("what", titled(one))
}

fn titled(one: &Found) -> Message {
    let has = |text: &str| if text.is_empty() { "no" } else { "yes" };
    Message::new("day-titled")
        .with("summary", one.summary.as_str())
        .with("has_summary", has(&one.summary))
        .with("location", one.location.trim())
        .with("has_location", has(one.location.trim()))
}

/// A day as people say it.
pub(in crate::engine::hosted) fn day(day: Date, now: &Zoned) -> Message {
    let near = match day.since(now.date()).map(|span| span.get_days()) {
        Ok(0) => "today",
        Ok(1) => "tomorrow",
        Ok(-1) => "yesterday",
        Ok(_) | Err(_) => "other",
    };
    let year = if day.year() == now.year() {
        "none".to_owned()
    } else {
        day.year().to_string()
    };
    Message::new("events-day")
        .with("near", near)
        .with("weekday", f64::from(day.weekday().to_monday_one_offset()))
        .with("day", f64::from(day.day()))
        .with("month", f64::from(day.month()))
        .with("year", year)
}

/// What tells one event from another in a question.
pub(super) fn choice(one: &Found, now: &Zoned) -> String {
    let at = match &one.start {
        At::Day(day) => day.to_string(),
        At::Instant(at) => at
            .with_time_zone(now.time_zone().clone())
            .strftime("%Y-%m-%d %H:%M")
            .to_string(),
    };
    format!("{} · {at}", one.summary)
}

/// Several, one after the other.
pub(super) fn joined(parts: Vec<Message>) -> Message {
    let mut parts = parts.into_iter().rev();
    let Some(last) = parts.next() else {
        return Message::new("events-nothing");
    };
    parts.fold(last, |rest, first| {
        Message::new("events-and")
            .with("first", MessageArg::Message(first))
            .with("rest", MessageArg::Message(rest))
    })
}
