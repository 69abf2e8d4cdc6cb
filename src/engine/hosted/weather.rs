//! `get_weather`: what the weather is or will be, and yes or no where that was asked. The service gives numbers; the
//! words are made here and in `locales/`, so that no model is needed and none can be wrong about it.

use jiff::{
    SignedDuration, Zoned,
    civil::{Date, DateTime},
};
use serde_json::{Map, Value, json};

use super::{
    Host, fields,
    outside::{self, Span, Spot},
};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        holidays::Country,
        lang::Lang,
        limits::DAYS_SHOWN_MAX,
        message::Message,
        run::ToolResult,
    },
    executors::Call,
    world::weather::{Current, Forecast, Stretch},
};

/// A chance of rain from which it is said to rain, and from which it may, in percent.
const CHANCE: (f64, f64) = (60.0, 30.0);
/// The same for the amount, in millimetres, where no chance is known or it says little.
const WET: (f64, f64) = (1.0, 0.2);
/// Wind from which it is windy, and from which it is a little, in kilometres an hour.
const WIND: (f64, f64) = (40.0, 25.0);

/// In which units somebody thinks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Units {
    /// Celsius, kilometres, millimetres.
    Metric,
    /// Celsius and miles.
    British,
    /// Fahrenheit, miles, inches.
    American,
}

/// What comes of a stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Outlook {
    min: Option<f64>,
    max: Option<f64>,
    wet: Option<f64>,
    chance: Option<f64>,
    code: Option<u8>,
    wind: Option<f64>,
}

/// An answer to a question of yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    Maybe,
    No,
}

impl Verdict {
    fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Maybe => "maybe",
            Self::No => "no",
        }
    }

    /// Yes from the first, maybe from the second.
    fn from(value: f64, (yes, maybe): (f64, f64)) -> Self {
        if value >= yes {
            Self::Yes
        } else if value >= maybe {
            Self::Maybe
        } else {
            Self::No
        }
    }
}

impl Host<'_> {
    pub(super) async fn get_weather(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let spot = self.spot(call).await?;
        let forecast = self
            .world
            .weather
            .forecast(spot.point)
            .await
            .map_err(|error| error.to_tool_error())?;
        let zone = spot.zone.clone().or_else(|| forecast.zone.clone());
        let now = zone.map_or_else(
            || call.context.now.clone(),
            |zone| call.context.now.with_time_zone(zone),
        );
        let about = call.optional_text("about")?.unwrap_or_default();
        let span = self.span(call, &now)?;
        let own_zone = call.context.now.time_zone().iana_name().unwrap_or_default();
        let teller = Teller {
            forecast: &forecast,
            spot: &spot,
            now: &now,
            about,
            units: units(self.world.country(own_zone, call.context.lang), call.context.lang),
            lang: call.context.lang,
        };
        let mut body = teller.told(span)?;
        body.insert("note".to_owned(), json!(Message::new("weather-source")));
        Ok(ToolResult::ok(body))
    }
}

/// Whoever speaks Italian thinks in Celsius; of English ones those of the United States do not.
fn units(country: Country, lang: Lang) -> Units {
    match country {
        Country::UnitedStates if lang != Lang::IT => Units::American,
        Country::England if lang != Lang::IT => Units::British,
        Country::Italy | Country::Ireland | Country::UnitedStates | Country::England => Units::Metric,
    }
}

struct Teller<'a> {
    forecast: &'a Forecast,
    spot: &'a Spot,
    now: &'a Zoned,
    about: &'a str,
    units: Units,
    lang: Lang,
}

impl Teller<'_> {
    fn told(&self, span: Span) -> Result<Map<String, Value>, ToolError> {
        let today = self.now.date();
        let date = match span {
            Span::Now => today,
            Span::Moment(at) | Span::Part(at, _) => at.date(),
            Span::Day(day) | Span::Days(day, _) => day,
        };
        let (outlook, facts) = match span {
            Span::Now => {
                let rest = self.hours(self.now.datetime(), end_of(today)?);
                let outlook = rest.or_else(|| self.day(today)).unwrap_or_default();
                (outlook, self.right_now(outlook))
            }
            Span::Moment(at) => {
                let hour = at.date().at(at.hour(), 0, 0, 0);
                let outlook = self
                    .hours(hour, later(hour, 1)?)
                    .ok_or_else(|| self.too_far(at.date()))?;
                let when = self.timed(at.date(), "at", at, at);
                (outlook, self.line(when, outlook))
            }
            Span::Part(from, until) => {
                let from = from.max(self.now.datetime().min(until));
                let outlook = self.hours(from, until).ok_or_else(|| self.too_far(from.date()))?;
                let when = self.timed(from.date(), "part", from, until);
                (outlook, self.line(when, outlook))
            }
            Span::Day(day) => {
                let outlook = self.day(day).ok_or_else(|| self.too_far(day))?;
                (outlook, self.line(outside::day(day, today), outlook))
            }
            Span::Days(from, to) => {
                let rows = self
                    .forecast
                    .days
                    .iter()
                    .filter(|row| row.at >= from.max(today) && row.at <= to);
                let rows: Vec<(Date, Outlook)> = rows.take(DAYS_SHOWN_MAX).map(|row| (row.at, of(row))).collect();
                let told = rows
                    .iter()
                    .map(|(day, outlook)| self.line(outside::day(*day, today), *outlook));
                let facts = outside::lines(told.collect()).ok_or_else(|| self.too_far(from))?;
                (
                    joined(rows.into_iter().map(|(_, outlook)| outlook)).unwrap_or_default(),
                    facts,
                )
            }
        };
        let verdict = self.verdict(outlook);
        let says = match verdict {
            Some(verdict) => Message::new("weather-answer")
                .with("about", self.about)
                .with("verdict", verdict.as_str())
                .with("facts", facts),
            None => facts,
        };
        let mut told = fields(json!({
            "says": says,
            "verdict": verdict.map_or("none", Verdict::as_str),
            "date": date.to_string(),
            "min": outlook.min,
            "max": outlook.max,
            "rain_chance": outlook.chance,
            "rain_mm": outlook.wet,
        }));
        // A watch speaks of what may come, and of a day once.
        let is_so = verdict.map(|verdict| verdict != Verdict::No);
        told.extend(is_so.map(|is_so| ("is_so".to_owned(), json!(is_so))));
        Ok(told)
    }

    /// The row of a day.
    fn day(&self, day: Date) -> Option<Outlook> {
        let row = self.forecast.days.iter().find(|row| row.at == day);
        row.map(of).filter(|_| day >= self.now.date())
    }

    /// What the hours of a stretch come to, the one that runs included.
    fn hours(&self, from: DateTime, until: DateTime) -> Option<Outlook> {
        let first = from.date().at(from.hour(), 0, 0, 0);
        let rows = self
            .forecast
            .hours
            .iter()
            .filter(|row| row.at >= first && row.at < until);
        joined(rows.map(of))
    }

    fn right_now(&self, rest: Outlook) -> Message {
        let current = self.forecast.current.clone().unwrap_or_default();
        let Current {
            temperature,
            feels,
            code,
            ..
        } = current;
        let later = Message::new("weather-rest")
            .with("temps", self.temperatures(rest))
            .with("rain", self.rain(rest));
        let Some(temperature) = temperature else {
            return self.line(outside::day(self.now.date(), self.now.date()), rest);
        };
        let differs = feels.filter(|feels| (feels - temperature).abs() >= 3.0);
        Message::new("weather-now")
            .with("place", self.spot.name.clone())
            .with("temperature", self.degrees(temperature))
            .with("unit", self.degree_unit())
            .with("sky", sky(code))
            .with("differs", if differs.is_some() { "yes" } else { "no" })
            .with("feels", self.degrees(differs.unwrap_or_default()))
            .with("later", later)
    }

    /// One line about a stretch of time.
    fn line(&self, when: Message, outlook: Outlook) -> Message {
        let wind = outlook.wind.filter(|wind| *wind >= WIND.1 || self.about == "wind");
        Message::new("weather-line")
            .with("place", self.spot.name.clone())
            .with("moment", when)
            .with("sky", sky(outlook.code))
            .with("temps", self.temperatures(outlook))
            .with("rain", self.rain(outlook))
            .with("blows", if wind.is_some() { "yes" } else { "no" })
            .with("wind", self.speed(wind.unwrap_or_default()))
            .with("wind_unit", if self.units == Units::Metric { "km/h" } else { "mph" })
    }

    fn timed(&self, day: Date, form: &str, from: DateTime, until: DateTime) -> Message {
        Message::new("weather-moment")
            .with("moment", outside::day(day, self.now.date()))
            .with("form", form.to_owned())
            .with("from", from.strftime("%H:%M").to_string())
            .with("until", until.strftime("%H:%M").to_string())
    }

    fn temperatures(&self, outlook: Outlook) -> Message {
        let (Some(min), Some(max)) = (outlook.min, outlook.max) else {
            return Message::new("weather-temps")
                .with("form", "none")
                .with("min", 0.0)
                .with("max", 0.0)
                .with("unit", "");
        };
        let (min, max) = (self.degrees(min), self.degrees(max));
        let form = if (min - max).abs() < 0.5 { "one" } else { "two" };
        Message::new("weather-temps")
            .with("form", form)
            .with("min", min)
            .with("max", max)
            .with("unit", self.degree_unit())
    }

    fn rain(&self, outlook: Outlook) -> Message {
        let wet = outlook.wet.filter(|wet| *wet >= WET.1);
        let form = match (outlook.chance, wet) {
            (Some(chance), Some(_)) if chance >= 5.0 => "both",
            (Some(chance), None) if chance >= 5.0 => "chance",
            (_, Some(_)) => "amount",
            (Some(_), None) => "dry",
            (None, None) => "none",
        };
        let (amount, unit) = match self.units {
            Units::American => ((wet.unwrap_or_default() / 25.4 * 100.0).round() / 100.0, "in"),
            Units::Metric | Units::British => ((wet.unwrap_or_default() * 10.0).round() / 10.0, "mm"),
        };
        Message::new("weather-wet")
            .with("form", form)
            .with("chance", outlook.chance.unwrap_or_default().round())
            .with("amount", self.decimal(amount))
            .with("unit", unit)
    }

    fn degrees(&self, celsius: f64) -> f64 {
        let degrees = if self.units == Units::American {
            celsius * 9.0 / 5.0 + 32.0
        } else {
            celsius
        };
        // No "-0".
        degrees.round() + 0.0
    }

    /// A number with a part behind the point, as the language writes it.
    fn decimal(&self, number: f64) -> String {
        let written = number.to_string();
        if self.lang == Lang::IT {
            written.replace('.', ",")
        } else {
            written
        }
    }

    fn degree_unit(&self) -> &'static str {
        if self.units == Units::American { "°F" } else { "°C" }
    }

    fn speed(&self, kilometres: f64) -> f64 {
        let is_metric = self.units == Units::Metric;
        (if is_metric { kilometres } else { kilometres / 1.609_344 }).round()
    }

    /// Yes or no, where that was asked.
    fn verdict(&self, outlook: Outlook) -> Option<Verdict> {
        let rains = || {
            let by_code = outlook
                .code
                .filter(|code| *code >= 51)
                .map_or(Verdict::No, |_wet| Verdict::Yes);
            match (outlook.chance, outlook.wet) {
                (None, None) => by_code,
                (chance, wet) => {
                    let by_chance = chance.map_or(Verdict::No, |chance| Verdict::from(chance, CHANCE));
                    // Heavy rain that is unlikely is no certain rain.
                    let by_amount = wet.map_or(Verdict::No, |wet| Verdict::from(wet, WET));
                    match (by_chance, by_amount) {
                        (Verdict::Yes, _) => Verdict::Yes,
                        (_, Verdict::Yes) if chance.is_none() => Verdict::Yes,
                        (Verdict::No, Verdict::No) => Verdict::No,
                        _ => Verdict::Maybe,
                    }
                }
            }
        };
        let snows = outlook.code.is_some_and(|code| matches!(code, 71..=77 | 85 | 86));
        Some(match self.about {
            "rain" | "umbrella" => rains(),
            "snow" if snows => Verdict::Yes,
            "snow" => Verdict::No,
            "sun" => match outlook.code? {
                0 | 1 => Verdict::Yes,
                2 => Verdict::Maybe,
                _ => Verdict::No,
            },
            "wind" => Verdict::from(outlook.wind?, WIND),
            _ => return None,
        })
    }

    /// Behind the last day that is forecast, or over.
    fn too_far(&self, day: Date) -> ToolError {
        let today = self.now.date();
        let last = self.forecast.days.last().map_or(today, |row| row.at);
        let key = if day < today { "weather-past" } else { "weather-too-far" };
        let message = Message::new(key).with("last", outside::day(last, today));
        ToolError::new(ErrorClass::InvalidArgs, message)
    }
}

fn of<At>(row: &Stretch<At>) -> Outlook {
    Outlook {
        min: row.min,
        max: row.max,
        wet: row.wet,
        chance: row.chance,
        code: row.code,
        wind: row.wind,
    }
}

/// Several stretches as one: the extremes, the sum of what falls, and the worst sky, which has the highest code.
fn joined(all: impl Iterator<Item = Outlook>) -> Option<Outlook> {
    let either = |one: Option<f64>, other: Option<f64>, pick: fn(f64, f64) -> f64| match (one, other) {
        (Some(one), Some(other)) => Some(pick(one, other)),
        (one, other) => one.or(other),
    };
    all.reduce(|one, other| Outlook {
        min: either(one.min, other.min, f64::min),
        max: either(one.max, other.max, f64::max),
        wet: either(one.wet, other.wet, |one, other| one + other),
        chance: either(one.chance, other.chance, f64::max),
        code: one.code.max(other.code),
        wind: either(one.wind, other.wind, f64::max),
    })
}

/// The sky in words, by WMO code 4677.
fn sky(code: Option<u8>) -> Message {
    let name = match code {
        Some(0) => "clear",
        Some(1) => "mostly-clear",
        Some(2) => "partly-cloudy",
        Some(3) => "overcast",
        Some(45 | 48) => "fog",
        Some(51..=57) => "drizzle",
        Some(61 | 80) => "light-rain",
        Some(63 | 81) => "rain",
        Some(65 | 82) => "heavy-rain",
        Some(66 | 67) => "freezing-rain",
        Some(71 | 77 | 85) => "light-snow",
        Some(73) => "snow",
        Some(75 | 86) => "heavy-snow",
        Some(95) => "thunder",
        Some(96 | 99) => "hail",
        Some(_) | None => "unknown",
    };
    Message::new("weather-sky").with("sky", name)
}

fn end_of(day: Date) -> Result<DateTime, ToolError> {
    let tomorrow = day.tomorrow().map_err(|_far| far())?;
    Ok(tomorrow.at(0, 0, 0, 0))
}

fn later(at: DateTime, hours: i64) -> Result<DateTime, ToolError> {
    at.checked_add(SignedDuration::from_hours(hours)).map_err(|_far| far())
}

fn far() -> ToolError {
    ToolError::new(ErrorClass::InvalidArgs, Message::new("days-too-far"))
}
