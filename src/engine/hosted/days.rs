//! `get_days`: public holidays, sunrise and sunset, the moon. All of it is computed here; only a town that is named is
//! looked up.

use jiff::{Zoned, civil::Date, tz::TimeZone};
use serde_json::{Map, Value, json};

use super::{
    Host, fields,
    outside::{self, Span},
};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        holidays::{self, Country, Holiday},
        ids::ExecutorName,
        limits::DAYS_SHOWN_MAX,
        message::Message,
        run::ToolResult,
    },
    engine::{
        families::{Day, Family, Knowing, Place, Running, Scene, Telling},
        things::{Resolver, towns::Towns},
    },
    executors::Call,
    world::sky::{self, Phase, Sun},
};

/// Days, the sky and the weather.
#[derive(Clone, Copy, Debug)]
pub struct Sky;

impl Family for Sky {
    fn executors(&self) -> &'static [&'static str] {
        &["get_days", "get_weather"]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        match name.as_str() {
            "get_days" => Box::pin(host.get_days(call)),
            _ => Box::pin(host.get_weather(call)),
        }
    }

    fn day<'a>(&'a self, host: &'a Host<'a>, call: &'a Call, day: Date) -> Telling<'a> {
        let holiday = holidays::on(host.country(call), host.world.patron.as_ref(), day);
        let lines = holiday
            .iter()
            .map(|one| (Place::Whole, Message::new("day-holiday").with("name", name(one))));
        let told = Day {
            lines: lines.collect(),
            unknown: Vec::new(),
        };
        Box::pin(std::future::ready(told))
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        let towns: Box<dyn Resolver + 'a> = Box::new(Towns::new(scene.lang));
        Box::pin(std::future::ready(Some(towns)))
    }
}

impl Host<'_> {
    pub(super) async fn get_days(&self, call: &Call) -> Result<ToolResult, ToolError> {
        match call.optional_text("about")?.unwrap_or("holiday") {
            side @ ("sunrise" | "sunset") => self.sun(call, side).await,
            "moon" => self.moon(call),
            "full_moon" => next_moon(&call.context.now, 0.5, "full"),
            "new_moon" => next_moon(&call.context.now, 0.0, "new"),
            _ => self.holidays(call),
        }
    }

    fn country(&self, call: &Call) -> Country {
        let zone = call.context.now.time_zone().iana_name().unwrap_or_default();
        self.world.country(zone, call.context.lang)
    }

    fn holidays(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let now = &call.context.now;
        let (today, country, patron) = (now.date(), self.country(call), self.world.patron.as_ref());
        let on = |day: Date| holidays::on(country, patron, day);
        let next = |day: Date| holidays::after(country, patron, day).ok_or_else(no_year);
        let (says, days) = match self.span(call, now)? {
            Span::Now => match on(today) {
                Some(holiday) => {
                    let is = Message::new("days-today-is").with("name", name(&holiday));
                    let ahead = next(today)?;
                    let then = next_is(&ahead, today);
                    (both(is, then), vec![holiday, ahead])
                }
                None => {
                    let ahead = next(today)?;
                    (next_is(&ahead, today), vec![ahead])
                }
            },
            Span::Day(day) => one_day(day, today, on(day), &next(day)?),
            Span::Moment(at) | Span::Part(at, _) => one_day(at.date(), today, on(at.date()), &next(at.date())?),
            Span::Days(from, to) => within(from, to, today, |year| holidays::of_year(country, patron, year)),
        };
        let entries: Vec<Value> = days.iter().map(entry).collect();
        let mut body = said(&says);
        body.insert("entries".to_owned(), json!(entries));
        Ok(ToolResult::ok(body))
    }

    async fn sun(&self, call: &Call, side: &str) -> Result<ToolResult, ToolError> {
        let spot = self.spot(call).await?;
        let zone = spot
            .zone
            .clone()
            .unwrap_or_else(|| call.context.now.time_zone().clone());
        let now = call.context.now.with_time_zone(zone.clone());
        let day = self.day_meant(call, &now)?;
        let noon = sky::noon(day, &zone).ok_or_else(no_year)?;
        let base = |key: &str| {
            Message::new(key)
                .with("side", side.to_owned())
                .with("place", spot.name.clone())
                .with("moment", outside::day(day, now.date()))
        };
        let says = match sky::sun(noon, spot.point) {
            Sun::Rises { rise, set } => {
                let at = if side == "sunrise" { rise } else { set };
                let at = at.to_zoned(zone);
                let is_over = if at < now { "past" } else { "ahead" };
                base("days-sun")
                    .with("time", at.strftime("%H:%M").to_string())
                    .with("tense", is_over)
            }
            Sun::StaysUp => base("days-sun-stays").with("where", "up"),
            Sun::StaysDown => base("days-sun-stays").with("where", "down"),
        };
        let mut body = said(&says);
        body.insert("date".to_owned(), json!(day.to_string()));
        Ok(ToolResult::ok(body))
    }

    fn moon(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let now = &call.context.now;
        let day = self.day_meant(call, now)?;
        let zone = now.time_zone();
        let begin = |day: Date| {
            day.to_zoned(zone.clone())
                .map(|at| at.timestamp())
                .map_err(|_far| no_year())
        };
        let (begins, ends) = (begin(day)?, begin(day.tomorrow().map_err(|_far| no_year())?)?);
        let night = sky::noon(day, zone).ok_or_else(no_year)?;
        let phase = sky::phase(begins, ends);
        let full = sky::next_phase(ends, 0.5).ok_or_else(no_year)?.to_zoned(zone.clone());
        let says = Message::new("days-moon")
            .with("phase", phase.as_str())
            .with("percent", (sky::lit(night) * 100.0).round())
            .with("moment", outside::day(day, now.date()))
            .with("is_full", if phase == Phase::Full { "yes" } else { "no" })
            .with("next", outside::day(full.date(), now.date()));
        Ok(ToolResult::ok(said(&says)))
    }

    /// The day that is asked about; today where none is named.
    pub(super) fn day_meant(&self, call: &Call, now: &Zoned) -> Result<Date, ToolError> {
        Ok(match self.span(call, now)? {
            Span::Now => now.date(),
            Span::Day(day) | Span::Days(day, _) => day,
            Span::Moment(at) | Span::Part(at, _) => at.date(),
        })
    }
}

/// The next full or new moon.
fn next_moon(now: &Zoned, quarter: f64, phase: &str) -> Result<ToolResult, ToolError> {
    let zone: TimeZone = now.time_zone().clone();
    let at = sky::next_phase(now.timestamp(), quarter)
        .ok_or_else(no_year)?
        .to_zoned(zone);
    let says = Message::new("days-next-moon")
        .with("phase", phase.to_owned())
        .with("moment", outside::day(at.date(), now.date()))
        .with("time", at.strftime("%H:%M").to_string());
    let mut body = said(&says);
    body.insert("date".to_owned(), json!(at.date().to_string()));
    Ok(ToolResult::ok(body))
}

/// Whether one day is a holiday, and where it is none which is the next.
fn one_day(day: Date, today: Date, holiday: Option<Holiday>, next: &Holiday) -> (Message, Vec<Holiday>) {
    let moment = outside::day(day, today);
    let tense = if day < today { "past" } else { "ahead" };
    match holiday {
        Some(holiday) => {
            let yes = Message::new("days-is")
                .with("moment", moment)
                .with("name", name(&holiday))
                .with("tense", tense);
            (yes, vec![holiday])
        }
        None => {
            let no = Message::new("days-is-none")
                .with("moment", moment)
                .with("tense", tense)
                .with(
                    "weekend",
                    if day.weekday().to_monday_one_offset() > 5 {
                        "yes"
                    } else {
                        "no"
                    },
                );
            (both(no, next_is(next, today)), Vec::new())
        }
    }
}

/// The holidays of a period.
fn within(from: Date, to: Date, today: Date, of_year: impl Fn(i16) -> Vec<Holiday>) -> (Message, Vec<Holiday>) {
    let years = from.year()..=to.year().min(from.year().saturating_add(1));
    let all = years
        .flat_map(of_year)
        .filter(|holiday| holiday.date >= from && holiday.date <= to);
    let all: Vec<Holiday> = all.collect();
    let told = all.iter().take(DAYS_SHOWN_MAX.max(13)).map(|holiday| {
        Message::new("days-line")
            .with("moment", outside::day(holiday.date, today))
            .with("name", name(holiday))
    });
    let says = outside::lines(told.collect()).unwrap_or_else(|| {
        Message::new("days-none-within")
            .with("from", outside::day(from, today))
            .with("to", outside::day(to, today))
    });
    (says, all)
}

fn next_is(holiday: &Holiday, today: Date) -> Message {
    let days = today.until(holiday.date).map_or(0, |span| span.get_days());
    Message::new("days-next")
        .with("name", name(holiday))
        .with("moment", outside::day(holiday.date, today))
        .with("days", f64::from(days))
}

fn both(first: Message, second: Message) -> Message {
    Message::new("says-both").with("first", first).with("second", second)
}

/// What a holiday is called.
fn name(holiday: &Holiday) -> Message {
    let named = Message::new("holiday-name")
        .with("name", holiday.key)
        .with("own", holiday.name.clone())
        .with("has_own", if holiday.name.is_empty() { "no" } else { "yes" });
    if holiday.is_instead {
        Message::new("holiday-instead").with("name", named)
    } else {
        named
    }
}

fn entry(holiday: &Holiday) -> Value {
    json!({"date": holiday.date.to_string(), "name": name(holiday)})
}

fn said(says: &Message) -> Map<String, Value> {
    fields(json!({"says": says}))
}

/// A year that calendars do not reach.
fn no_year() -> ToolError {
    ToolError::new(ErrorClass::InvalidArgs, Message::new("days-too-far"))
}
