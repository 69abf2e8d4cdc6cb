//! `find_events_empty`: whether somebody is free, and when. What counts as taken is the calendar's to say: nothing
//! cancelled, nothing marked as free, whole days only where they are marked as taken.

use jiff::{SignedDuration, Timestamp, civil::Time};
use metnos_dav::{Occurrence, Span, Window, busy, free, occurrences};
use serde_json::{Value, json};

use super::{Desk, Found, object, said};
use crate::domain::{
    failure::ToolError,
    limits::{AGENDA_SHOWN_MAX, FREE_HOURS},
    message::Message,
    run::ToolResult,
};

/// Days that are looked through where no time is said.
const AHEAD_DAYS: i64 = 7;
/// Shortest stretch that is called free, in minutes.
const LEAST_MINUTES: i64 = 30;
/// Stretches that one sentence names.
const NAMED_MAX: usize = 6;

impl Desk<'_> {
    pub(super) async fn find_events_empty(&self) -> Result<ToolResult, ToolError> {
        let asked = self.window()?;
        let (window, span) = asked.clone().unwrap_or_else(|| self.next_days(AHEAD_DAYS));
        let seconds = self
            .call
            .count("duration_s")?
            .and_then(|seconds| i64::try_from(seconds).ok());
        let least = seconds.map_or(SignedDuration::from_mins(LEAST_MINUTES), SignedDuration::from_secs);
        let pages = self.pages().await?;
        let mut taken: Vec<Found> = Vec::new();
        let mut spans: Vec<Span> = Vec::new();
        for page in pages.all() {
            let found = occurrences(&page.object, self.zone(), window).found;
            spans.extend(busy(&found, self.zone()));
            let takes = |one: &&Occurrence<'_>| !one.is_cancelled() && !one.event.is_free;
            taken.extend(found.iter().filter(takes).map(|one| Found::of(&page.leaf, one)));
        }
        taken.sort_by_key(|one| one.start.instant(self.zone()));
        let spans = metnos_dav::joined(spans);
        let hours = self.hours(window, asked.is_some(), FREE_HOURS);
        let gaps = free(&spans, window, hours, least, self.zone());
        let state = match (taken.is_empty(), gaps.is_empty()) {
            (true, _) => "free",
            (false, true) => "busy",
            (false, false) => "partly",
        };
        let entries: Vec<Value> = gaps.iter().take(AGENDA_SHOWN_MAX).map(|gap| self.gap(gap)).collect();
        let named = |one: &Found| {
            Message::new("events-taken")
                .with("summary", one.summary.as_str())
                .with("when", said::when(one, self.now()))
        };
        let names = taken.iter().take(NAMED_MAX).map(named).collect();
        let gap_names = gaps
            .iter()
            .take(NAMED_MAX)
            .map(|gap| self.spoken(as_window(gap)))
            .collect();
        let mut body = object(json!({
            "state": state,
            "span": span,
            "taken": said::joined(names),
            "free": said::joined(gap_names),
            "used": entries.len(),
            "entries": entries,
        }));
        let stale = super::stale_note(&self.stale, self.now());
        body.extend(stale.map(|note| ("note".to_owned(), json!(note))));
        Ok(ToolResult::ok(body))
    }

    /// The hours of a day that count: those of the household, unless hours were asked about.
    fn hours(&self, window: Window, is_asked: bool, (from, to): (i8, i8)) -> (Time, Time) {
        let is_short = window.end.duration_since(window.start) < SignedDuration::from_hours(24);
        if is_asked && is_short {
            return (Time::midnight(), Time::midnight());
        }
        let at = |hour: i8| Time::new(hour % 24, 0, 0, 0).unwrap_or(Time::midnight());
        (at(from), at(to))
    }

    fn gap(&self, gap: &Span) -> Value {
        let at = |at: Timestamp| at.to_string();
        json!({
            "start": at(gap.start),
            "end": at(gap.end),
            "minutes": gap.end.duration_since(gap.start).as_mins(),
            "when": self.spoken(as_window(gap)),
        })
    }
}

fn as_window(span: &Span) -> Window {
    Window {
        start: span.start,
        end: span.end,
    }
}
