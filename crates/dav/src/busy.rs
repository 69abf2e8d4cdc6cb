//! What is taken and what is free. Called with what `expand` found; it counts what takes time from its owner: nothing
//! cancelled, nothing marked as free, and of whole days only those marked as taken.

use jiff::{SignedDuration, Timestamp, civil::Time, tz::TimeZone};

use crate::{
    expand::{Occurrence, Window},
    when::start_of,
};

/// From one instant to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// From here.
    pub start: Timestamp,
    /// Up to here.
    pub end: Timestamp,
}

/// When the owner is taken, in order, what touches joined.
pub fn busy(found: &[Occurrence<'_>], home: &TimeZone) -> Vec<Span> {
    let takes = |one: &&Occurrence<'_>| !one.is_cancelled() && !one.event.is_free;
    let spans = found.iter().filter(takes).map(|one| Span {
        start: one.start.instant(home),
        end: one.last_instant(home),
    });
    joined(spans.filter(|span| span.start < span.end).collect())
}

/// What touches or overlaps is one.
pub fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut all: Vec<Span> = Vec::new();
    for span in spans {
        match all.last_mut().filter(|last| last.end >= span.start) {
            Some(last) => last.end = last.end.max(span.end),
            None => all.push(span),
        }
    }
    all
}

/// The free stretches of at least this length inside a window, between two hours of every day. `busy` is in order and
/// joined.
pub fn free(busy: &[Span], window: Window, hours: (Time, Time), least: SignedDuration, home: &TimeZone) -> Vec<Span> {
    let mut free = Vec::new();
    let mut day = home.to_datetime(window.start).date();
    while start_of(day, home) < window.end {
        let at = |time: Time| {
            let settled = home.to_ambiguous_timestamp(day.to_datetime(time)).compatible();
            settled.unwrap_or(window.end)
        };
        let open = at(hours.0).max(window.start);
        let next = day.tomorrow().unwrap_or(day);
        // An end at midnight is the end of the day.
        let shut = if hours.1 == Time::midnight() {
            start_of(next, home)
        } else {
            at(hours.1)
        };
        between(
            busy,
            Span {
                start: open,
                end: shut.min(window.end),
            },
            least,
            &mut free,
        );
        if next == day {
            break;
        }
        day = next;
    }
    free
}

fn between(busy: &[Span], open: Span, least: SignedDuration, free: &mut Vec<Span>) {
    let mut from = open.start;
    let mut keep = |start: Timestamp, end: Timestamp| {
        if end > start && end.duration_since(start) >= least {
            free.push(Span { start, end });
        }
    };
    for taken in busy
        .iter()
        .filter(|taken| taken.end > open.start && taken.start < open.end)
    {
        keep(from, taken.start);
        from = from.max(taken.end);
    }
    keep(from, open.end);
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, civil::Time, tz::TimeZone};

    use super::{Span, busy, free};
    use crate::{Object, Window, occurrences};

    const DAY: &str = "BEGIN:VCALENDAR\r\n\
        BEGIN:VEVENT\r\nUID:a\r\nSUMMARY:dentist\r\nDTSTART:20261127T140000Z\r\nDTEND:20261127T150000Z\r\n\
        END:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:b\r\nSUMMARY:holiday\r\nDTSTART;VALUE=DATE:20261127\r\nEND:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:c\r\nSUMMARY:maybe not\r\nSTATUS:CANCELLED\r\nDTSTART:20261127T160000Z\r\n\
        DTEND:20261127T170000Z\r\nEND:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:d\r\nSUMMARY:radio\r\nTRANSP:TRANSPARENT\r\nDTSTART:20261127T120000Z\r\n\
        DTEND:20261127T130000Z\r\nEND:VEVENT\r\n\
        END:VCALENDAR\r\n";

    fn window() -> Window {
        Window {
            start: "2026-11-27T00:00:00Z".parse().unwrap(),
            end: "2026-11-28T00:00:00Z".parse().unwrap(),
        }
    }

    fn taken(text: &str) -> Vec<Span> {
        let object = Object::parse(text).unwrap();
        busy(&occurrences(&object, &TimeZone::UTC, window()).found, &TimeZone::UTC)
    }

    fn hours(spans: &[Span]) -> Vec<String> {
        let hour = |span: &Span| format!("{}-{}", span.start.strftime("%H:%M"), span.end.strftime("%H:%M"));
        spans.iter().map(hour).collect()
    }

    #[test]
    fn a_day_is_taken_only_where_it_says_so_and_nothing_cancelled_counts() {
        assert_eq!(hours(&taken(DAY)), ["14:00-15:00"]);
        let opaque = DAY.replace("SUMMARY:holiday", "TRANSP:OPAQUE\r\nSUMMARY:holiday");
        assert_eq!(hours(&taken(&opaque)), ["00:00-00:00"]);
    }

    #[test]
    fn what_is_free_lies_within_the_hours_that_count() {
        let at = |hour| Time::new(hour, 0, 0, 0).unwrap();
        let free_of = |from, to, least| {
            let least = SignedDuration::from_mins(least);
            hours(&free(&taken(DAY), window(), (at(from), at(to)), least, &TimeZone::UTC))
        };
        assert_eq!(free_of(9, 18, 30), ["09:00-14:00", "15:00-18:00"]);
        assert_eq!(free_of(9, 18, 240), ["09:00-14:00"]);
        assert_eq!(free_of(14, 15, 15), [""; 0]);
        assert_eq!(free_of(20, 0, 30), ["20:00-00:00"], "midnight is the end of the day");
    }
}
