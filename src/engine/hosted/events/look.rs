//! `read_events`: what is in the calendar in a time, or when something is. It changes nothing.

use std::time::Duration;

use jiff::{
    SignedDuration, Timestamp, ToSpan, Zoned,
    civil::{Date, DateTime},
};
use metnos_dav::Window;
use serde_json::{Value, json};

use super::{Desk, Found, around, happening, object, said, wrong};
use crate::{
    domain::{
        failure::ToolError,
        fold::fold,
        limits::{AGENDA_SHOWN_MAX, WATCHER_EVERY},
        message::Message,
        run::ToolResult,
    },
    engine::{
        families::{Day, Place},
        hosted::ms,
        tasks::wording,
    },
    executors::window,
    language::time::Value as Time,
};

impl Desk<'_> {
    pub(super) async fn read_events(&self) -> Result<ToolResult, ToolError> {
        if self.call.args.contains_key("event") {
            return self.told().await;
        }
        if let Some(seconds) = self.call.count("within_s")? {
            return self
                .begins_within(Duration::from_secs(seconds.try_into().unwrap_or(u64::MAX)))
                .await;
        }
        let about = self.call.optional_text("about")?.map(fold);
        let company = self.company().await?;
        let (window, span) = match self.window()? {
            Some(window) => window,
            // Who asks for something by its name means the next time of it.
            None if about.is_some() || company.is_some() => (
                Window {
                    start: self.now().timestamp(),
                    ..around(self.now())
                },
                None,
            ),
            None => self.next_days(7),
        };
        let pages = self.pages().await?;
        let (mut found, is_cut) = happening(&pages, self.zone(), window);
        let says = |one: &Found, words: &str| fold(&one.summary).contains(words) || fold(&one.location).contains(words);
        found.retain(|one| {
            let is_about = about.as_ref().is_none_or(|words| says(one, words));
            !one.is_cancelled && is_about && company.as_ref().is_none_or(|company| company.is_at(one))
        });
        let all = found.len();
        found.truncate(
            self.call
                .count("max_results")?
                .unwrap_or(AGENDA_SHOWN_MAX)
                .min(AGENDA_SHOWN_MAX),
        );
        let entries: Vec<Value> = found.iter().map(|one| one.entry(self.now())).collect();
        let mut body = object(json!({"used": entries.len(), "available_total": all, "entries": entries}));
        if all == 0 {
            let span = span.unwrap_or_else(|| Message::new("events-ahead"));
            body.insert(
                "empty".to_owned(),
                json!(Message::new("events-none").with("span", span)),
            );
        }
        self.note(&pages, is_cut, &mut body);
        Ok(ToolResult::ok(body))
    }

    /// What begins soon, or did just now; days that are an event as a whole do not begin at a time.
    async fn begins_within(&self, ahead: Duration) -> Result<ToolResult, ToolError> {
        let shifted = |by: SignedDuration| self.now().timestamp().checked_add(by).unwrap_or(self.now().timestamp());
        let last = shifted(SignedDuration::try_from(ahead).unwrap_or(SignedDuration::MAX));
        let window = Window {
            start: shifted(-SignedDuration::try_from(WATCHER_EVERY).unwrap_or_default()),
            // What begins at its end is not in a window.
            end: last.checked_add(SignedDuration::from_secs(1)).unwrap_or(last),
        };
        let pages = self.pages().await?;
        let (mut found, is_cut) = happening(&pages, self.zone(), window);
        let begins = |one: &Found| one.start.instant(self.zone());
        found.retain(|one| {
            let is_near = begins(one) > window.start && begins(one) <= last;
            !one.is_cancelled && !one.start.is_day() && is_near
        });
        let entries: Vec<Value> = found.iter().map(|one| one.entry(self.now())).collect();
        let mut body = object(json!({"used": entries.len(), "available_total": entries.len(), "entries": entries}));
        // Who reads of it afterwards has missed it.
        let until = found.iter().map(begins).max();
        body.extend(until.map(|until| ("until".to_owned(), json!(until.to_string()))));
        if found.is_empty() {
            let empty = Message::new("events-none-soon").with("span", wording::span(ms(ahead)));
            body.insert("empty".to_owned(), json!(empty));
        }
        self.note(&pages, is_cut, &mut body);
        Ok(ToolResult::ok(body))
    }

    /// What a day holds, each at its time; what goes over several days is about all of it.
    pub(super) async fn of_day(&self, day: Date) -> Day {
        let begin = |day: Date| at(&day.at(0, 0, 0, 0), self.now());
        let (Some(start), Some(end)) = (begin(day), day.tomorrow().ok().and_then(begin)) else {
            return Day::default();
        };
        let window = Window { start, end };
        let pages = match self.pages().await {
            Ok(pages) => pages,
            Err(error) => return error.into(),
        };
        let (found, _) = happening(&pages, self.zone(), window);
        let lines = found.iter().filter(|one| !one.is_cancelled).map(|one| {
            let start = one.start.instant(self.zone());
            if one.start.is_day() || start < window.start {
                (Place::Whole, said::whole(one))
            } else {
                (Place::At(start), said::hours(one, self.zone()))
            }
        });
        Day {
            lines: lines.collect(),
            unknown: self.unread(&pages).into_iter().collect(),
        }
    }

    /// The events that were named.
    async fn told(&self) -> Result<ToolResult, ToolError> {
        let mut found = Vec::new();
        for id in self.meant().await? {
            found.push(self.event(&id).await?.1);
        }
        let entries: Vec<Value> = found.iter().map(|one| one.entry(self.now())).collect();
        let mut body = object(json!({"used": entries.len(), "available_total": entries.len(), "entries": entries}));
        let stale = super::stale_note(&self.stale, self.now());
        body.extend(stale.map(|note| ("note".to_owned(), json!(note))));
        Ok(ToolResult::ok(body))
    }

    /// What was not read, or read by another clock than it says.
    fn note(
        &self,
        pages: &crate::agenda::Read<crate::agenda::Page>,
        is_cut: bool,
        body: &mut serde_json::Map<String, Value>,
    ) {
        let zones = pages.all().flat_map(|page| page.object.unknown_zones(self.zone()));
        let unknown: Vec<String> = zones.take(3).collect();
        let unread = self.unread(pages);
        let note = if unread.is_some() {
            unread
        } else if is_cut {
            Some(Message::new("events-note-cut"))
        } else if !unknown.is_empty() {
            Some(Message::new("events-note-zone").with("names", unknown.join(", ")))
        } else {
            None
        };
        body.extend(note.map(|note| ("note".to_owned(), json!(note))));
    }

    /// What could not be read, or is of an earlier time.
    fn unread(&self, pages: &crate::agenda::Read<crate::agenda::Page>) -> Option<Message> {
        let broken = pages.broken();
        super::stale_note(&self.stale, self.now()).or_else(|| {
            (!broken.is_empty()).then(|| Message::new("events-note-broken").with("names", broken.join(", ")))
        })
    }

    /// The time that is asked about, and how it is said.
    pub(super) fn window(&self) -> Result<Option<(Window, Option<Message>)>, ToolError> {
        if let Some(words) = self.call.optional_text("window")? {
            let range = window::parse(words, self.now()).ok_or_else(|| wrong("events-when-unclear"))?;
            let window = Window {
                start: range.start,
                end: range.end,
            };
            return Ok(Some((window, Some(self.spoken(window)))));
        }
        let Some(words) = self.call.optional_text("when")? else {
            return Ok(None);
        };
        let window = self.range(words).ok_or_else(|| wrong("events-when-unclear"))?;
        Ok(Some((window, Some(self.spoken(window)))))
    }

    /// The stretch of time that words mean: an hour, a part of a day, a day, a week.
    fn range(&self, words: &str) -> Option<Window> {
        if let Some(range) = window::parse(words, self.now()) {
            return Some(Window {
                start: range.start,
                end: range.end,
            });
        }
        let (language, lang) = (self.host.language, self.call.context.lang);
        let times = language.times_said(words, lang, self.now());
        let at = |local: &DateTime| at(local, self.now());
        let values = times.iter().filter_map(|time| {
            // Of several readings the next one that is still to come.
            let spans = time.readings.iter().filter_map(|value| match value {
                Time::Date(day) => Some((day.at(0, 0, 0, 0), day.tomorrow().ok()?.at(0, 0, 0, 0))),
                Time::Moment(moment) => Some((*moment, moment.checked_add(1.hour()).ok()?)),
                Time::Range(Some(from), Some(to)) => Some((*from, *to)),
                Time::Range(..) | Time::Duration(_) => None,
            });
            let spans: Vec<(DateTime, DateTime)> = spans.collect();
            let coming = spans.iter().find(|(_, to)| *to > self.now().datetime());
            coming.or_else(|| spans.first()).copied()
        });
        let (from, to) = values.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
        Some(Window {
            start: at(&from)?,
            end: at(&to)?,
        })
    }

    pub(super) fn next_days(&self, days: i64) -> (Window, Option<Message>) {
        let window = Window {
            start: self.now().timestamp(),
            end: self.now().saturating_add(days.days()).timestamp(),
        };
        let days = u64::try_from(days).unwrap_or_default();
        (window, Some(Message::new("events-next-days").with("days", days)))
    }

    /// The window as people say it: a day where it is one.
    pub(super) fn spoken(&self, window: Window) -> Message {
        let zoned = |at: Timestamp| at.to_zoned(self.zone().clone());
        let (start, end) = (zoned(window.start), zoned(window.end));
        let is_midnight = |at: &Zoned| at.time() == jiff::civil::Time::midnight();
        if !is_midnight(&start) || !is_midnight(&end) {
            let end_time = end.strftime("%H:%M").to_string();
            return Message::new("events-between")
                .with("day", said::day(start.date(), self.now()))
                .with("from", start.strftime("%H:%M").to_string())
                .with("to", end_time);
        }
        let last = end.date().yesterday().unwrap_or(end.date());
        if last == start.date() {
            return said::day(last, self.now());
        }
        Message::new("events-days")
            .with("first", said::day(start.date(), self.now()))
            .with("last", said::day(last, self.now()))
    }
}

/// The instant of a time on the person's clock.
pub(super) fn at(local: &DateTime, now: &Zoned) -> Option<Timestamp> {
    let settled = now.time_zone().to_ambiguous_timestamp(*local).compatible();
    settled.ok()
}
