//! What the executors of days and of weather have in common: which place and which time some words mean. Called by
//! `days` and `weather`. It never makes up a place: where none is known the person is asked, once.

use jiff::{
    Zoned,
    civil::{Date, DateTime},
    tz::TimeZone,
};

use super::Host;
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        lang::Lang,
        message::{Message, MessageArg},
        place::Point,
    },
    executors::Call,
    language::time::{Form, Value},
};

/// Hours of the day that "at five" means where it may be one of two.
const DAYTIME: std::ops::RangeInclusive<i8> = 7..=22;

/// A place with a name.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) point: Point,
    /// As it is called: a town, or a sentence such as "at home".
    pub(super) name: MessageArg,
    /// The clock there, where it may be another than the person's.
    pub(super) zone: Option<TimeZone>,
}

/// The time that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// Nothing was said.
    Now,
    /// One moment.
    Moment(DateTime),
    /// From, and until before: a part of a day.
    Part(DateTime, DateTime),
    /// A day.
    Day(Date),
    /// From the first day to the last.
    Days(Date, Date),
}

impl Host<'_> {
    /// The place of the call; else where the person is, as they shared it, or the home, or where they were last.
    pub(super) async fn spot(&self, call: &Call) -> Result<Spot, ToolError> {
        let named = call
            .optional_text("place")?
            .map(str::trim)
            .filter(|name| !name.is_empty());
        if let Some(name) = named {
            return self.town(name, call.context.lang).await;
        }
        let known = self.store.location_of(&call.context.actor).await?;
        let now_ms = self.clock.now_ms();
        let is_fresh = known
            .as_ref()
            .is_some_and(|known| now_ms.saturating_sub(known.captured_ms) <= self.location.fresh_ms());
        let home = self.location.home.filter(|_| !is_fresh);
        let (point, name) = match (home, known) {
            (Some(home), _) => (home, Message::new("spot-home").into()),
            (None, Some(known)) => {
                let called = known.label.map(MessageArg::Text);
                (known.point, called.unwrap_or_else(|| Message::new("spot-here").into()))
            }
            (None, None) => {
                return Err(ToolError::new(
                    ErrorClass::NeedsLocation,
                    Message::new("location-unknown"),
                ));
            }
        };
        Ok(Spot {
            point,
            name,
            zone: None,
        })
    }

    async fn town(&self, name: &str, lang: Lang) -> Result<Spot, ToolError> {
        let found = self
            .world
            .weather
            .town(name, lang)
            .await
            .map_err(|error| error.to_tool_error())?;
        let unknown = || ToolError::new(ErrorClass::NotFound, Message::new("spot-unknown").with("place", name));
        let town = found.ok_or_else(unknown)?;
        Ok(Spot {
            point: town.point,
            name: town.name.into(),
            zone: town.zone,
        })
    }

    /// The time that the words of the call mean, by the clock of `now`.
    pub(super) fn span(&self, call: &Call, now: &Zoned) -> Result<Span, ToolError> {
        let words = call.optional_text("when")?.unwrap_or_default().trim();
        if words.is_empty() {
            return Ok(Span::Now);
        }
        let own = call.context.lang;
        let others = Lang::BUILT_IN.into_iter().filter(|lang| *lang != own);
        let mut found = std::iter::once(own)
            .chain(others)
            .filter_map(|lang| self.span_in(words, lang, now));
        let unclear = || {
            ToolError::new(
                ErrorClass::InvalidArgs,
                Message::new("days-when-unclear").with("words", words),
            )
        };
        found.next().ok_or_else(unclear)
    }

    fn span_in(&self, words: &str, lang: Lang, now: &Zoned) -> Option<Span> {
        let times = self.language.times_said(words, lang, now);
        let mut day = None;
        let mut moment = None;
        let mut range = None;
        for time in times.iter().filter(|time| !matches!(time.form, Form::Recurring(_))) {
            match likeliest(&time.readings, now)? {
                Value::Date(date) => day = day.or(Some(date)),
                Value::Moment(at) => moment = moment.or(Some(at)),
                Value::Range(Some(from), Some(until)) => range = range.or(Some((from, until))),
                Value::Range(..) | Value::Duration(_) => {}
            }
        }
        // "On Friday at 5" may be two times.
        Some(match (day, moment, range) {
            (Some(day), Some(at), _) => Span::Moment(day.to_datetime(at.time())),
            (None, Some(at), _) => Span::Moment(at),
            (Some(day), None, Some((from, until))) if !is_whole(from, until) => {
                let length = from.date().until(until.date()).ok()?;
                Span::Part(
                    day.to_datetime(from.time()),
                    day.checked_add(length).ok()?.to_datetime(until.time()),
                )
            }
            (Some(day), None, _) => Span::Day(day),
            (None, None, Some((from, until))) if is_whole(from, until) => {
                let last = until.date().yesterday().ok()?;
                if last <= from.date() {
                    Span::Day(from.date())
                } else {
                    Span::Days(from.date(), last)
                }
            }
            (None, None, Some((from, until))) => Span::Part(from, until),
            (None, None, None) => return None,
        })
    }
}

fn is_whole(from: DateTime, until: DateTime) -> bool {
    from.time() == jiff::civil::Time::midnight() && until.time() == jiff::civil::Time::midnight()
}

/// Of several readings one that is still to come; of hours one of the day.
fn likeliest(readings: &[Value], now: &Zoned) -> Option<Value> {
    let (today, clock) = (now.date(), now.datetime());
    let is_ahead = |value: &&Value| match value {
        Value::Date(date) => *date >= today,
        Value::Moment(at) => *at >= clock,
        Value::Range(_, until) => until.is_none_or(|until| until > clock),
        Value::Duration(_) => true,
    };
    let is_daytime = |value: &&Value| !matches!(value, Value::Moment(at) if !DAYTIME.contains(&at.hour()));
    let ahead = || readings.iter().filter(is_ahead);
    let best = ahead().find(is_daytime).or_else(|| ahead().next());
    best.or_else(|| readings.first()).cloned()
}

/// A day as people say it: "tomorrow, Friday 27 November".
pub(super) fn day(day: Date, today: Date) -> Message {
    let near = match day.since(today).map(|span| span.get_days()) {
        Ok(0) => "today",
        Ok(1) => "tomorrow",
        Ok(_) | Err(_) => "other",
    };
    let year = if day.year() == today.year() {
        "none".to_owned()
    } else {
        day.year().to_string()
    };
    Message::new("day-said")
        .with("near", near)
        .with("weekday", f64::from(day.weekday().to_monday_one_offset()))
        .with("day", f64::from(day.day()))
        .with("month", f64::from(day.month()))
        .with("year", year)
}

/// Sentences one below the other.
pub(super) fn lines(all: Vec<Message>) -> Option<Message> {
    let mut all = all.into_iter().rev();
    let last = all.next()?;
    Some(all.fold(last, |rest, line| {
        Message::new("says-lines").with("line", line).with("rest", rest)
    }))
}
