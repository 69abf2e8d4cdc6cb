//! The weather by Open-Meteo's interface: where a town is, and what is forecast for a point. Called by the executors of
//! weather and of days. It keeps answers for a while and numbers only: what is said of them is made elsewhere. No place
//! is logged, and a point goes out rounded to about a kilometre.
//!
//! The service is free for households; its data is under CC BY 4.0, so that every answer names it.

use std::time::Duration;

use jiff::{
    civil::{Date, DateTime},
    tz::TimeZone,
};
use moka::sync::Cache;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    config::WeatherConfig,
    domain::{
        failure::{ErrorClass, ToolError},
        lang::Lang,
        limits::{TOWNS_CACHED_FOR, WEATHER_CACHED_FOR, WEATHER_CACHED_MAX, WEATHER_DAYS},
        message::Message,
        place::Point,
    },
    net::{
        NetError,
        service::{Question, Service},
    },
};

/// What is asked of every day; a server that does not know one of them refuses all, so these are the oldest names.
const DAILY: &str = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,\
                     precipitation_probability_max,wind_speed_10m_max";
const HOURLY: &str = "temperature_2m,precipitation,precipitation_probability,weather_code,wind_speed_10m";
const CURRENT: &str = "temperature_2m,apparent_temperature,weather_code,wind_speed_10m";

/// Why there is no weather.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeatherError {
    /// The household switched it off.
    #[error("no weather service is configured")]
    Off,
    /// The service wants to be left alone.
    #[error("the weather service wants to be left alone")]
    RateLimited,
    /// It cannot be reached or is out of order.
    #[error("the weather service is out of reach: {0}")]
    Unavailable(String),
    /// No answer in time.
    #[error("the weather service did not answer in time")]
    Timeout,
    /// It answered something else than weather.
    #[error("the weather service answered something unreadable")]
    Unreadable,
}

impl WeatherError {
    /// The same for a tool result, with the sentence for the person.
    pub fn to_tool_error(&self) -> ToolError {
        let (class, key) = match self {
            Self::Off => (ErrorClass::CapabilityMissing, "weather-off"),
            Self::RateLimited => (ErrorClass::RateLimited, "weather-rate-limited"),
            Self::Unavailable(_) => (ErrorClass::Network, "weather-unavailable"),
            Self::Timeout => (ErrorClass::Timeout, "weather-timeout"),
            Self::Unreadable => (ErrorClass::ServerError, "weather-unreadable"),
        };
        ToolError::new(class, Message::new(key)).with_detail(self.to_string())
    }
}

impl From<NetError> for WeatherError {
    fn from(error: NetError) -> Self {
        if error.class() == ErrorClass::Timeout {
            Self::Timeout
        } else {
            Self::Unavailable(error.to_string())
        }
    }
}

/// A town that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Town {
    /// Its name in the language that was asked in.
    pub name: String,
    /// Where.
    pub point: Point,
    /// The clock there.
    pub zone: Option<TimeZone>,
}

/// What it is like right now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Current {
    /// Degrees Celsius.
    pub temperature: Option<f64>,
    /// As it feels, in degrees Celsius.
    pub feels: Option<f64>,
    /// WMO code 4677, as far as Open-Meteo has it.
    pub code: Option<u8>,
    /// Kilometres an hour.
    pub wind: Option<f64>,
}

/// One hour, or one day.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch<At> {
    /// When, by the clock of the place.
    pub at: At,
    /// Lowest temperature, in degrees Celsius.
    pub min: Option<f64>,
    /// Highest temperature, in degrees Celsius.
    pub max: Option<f64>,
    /// Millimetres of rain or melted snow.
    pub wet: Option<f64>,
    /// How likely it is to be wet, in percent.
    pub chance: Option<f64>,
    /// WMO code.
    pub code: Option<u8>,
    /// Kilometres an hour.
    pub wind: Option<f64>,
}

/// The weather of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The clock there.
    pub zone: Option<TimeZone>,
    /// Now.
    pub current: Option<Current>,
    /// Hour by hour.
    pub hours: Vec<Stretch<DateTime>>,
    /// Day by day, from today.
    pub days: Vec<Stretch<Date>>,
}

/// The configured service. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Weather {
    forecast: Option<Service>,
    towns: Option<Service>,
    forecasts: Cache<String, Forecast>,
    found: Cache<String, Option<Town>>,
}

impl Weather {
    /// The service of a configuration; asks nobody yet.
    pub fn from_config(config: &WeatherConfig) -> Result<Self, NetError> {
        let timeout = Duration::from_secs(config.timeout_s);
        let service = |url: &Option<String>| url.as_deref().map(|url| Service::new(url, timeout)).transpose();
        Ok(Self {
            forecast: service(&config.url)?,
            towns: service(&config.towns_url)?,
            forecasts: Cache::builder()
                .max_capacity(WEATHER_CACHED_MAX)
                .time_to_live(WEATHER_CACHED_FOR)
                .build(),
            found: Cache::builder()
                .max_capacity(WEATHER_CACHED_MAX)
                .time_to_live(TOWNS_CACHED_FOR)
                .build(),
        })
    }

    /// The best match of a town's name; `None` where nobody knows one.
    pub async fn town(&self, name: &str, lang: Lang) -> Result<Option<Town>, WeatherError> {
        let service = self.towns.as_ref().ok_or(WeatherError::Off)?;
        let key = format!("{} {}", lang.code(), name.to_lowercase());
        if let Some(known) = self.found.get(&key) {
            return Ok(known);
        }
        let query = vec![
            ("name", name.to_owned()),
            ("count", "1".to_owned()),
            ("language", lang.code().to_owned()),
            ("format", "json".to_owned()),
        ];
        let answer: Towns = ask(service, "v1/search", query).await?;
        let found = answer.results.into_iter().next().and_then(RawTown::into_town);
        self.found.insert(key, found.clone());
        Ok(found)
    }

    /// What is forecast for a point.
    pub async fn forecast(&self, at: Point) -> Result<Forecast, WeatherError> {
        let service = self.forecast.as_ref().ok_or(WeatherError::Off)?;
        let (latitude, longitude) = (format!("{:.2}", at.latitude()), format!("{:.2}", at.longitude()));
        let key = format!("{latitude},{longitude}");
        if let Some(known) = self.forecasts.get(&key) {
            return Ok(known);
        }
        let query = vec![
            ("latitude", latitude),
            ("longitude", longitude),
            ("timezone", "auto".to_owned()),
            ("forecast_days", WEATHER_DAYS.to_string()),
            ("current", CURRENT.to_owned()),
            ("hourly", HOURLY.to_owned()),
            ("daily", DAILY.to_owned()),
        ];
        let raw: RawForecast = ask(service, "v1/forecast", query).await?;
        let forecast = raw.into_forecast().ok_or(WeatherError::Unreadable)?;
        self.forecasts.insert(key, forecast.clone());
        Ok(forecast)
    }
}

async fn ask<T: serde::de::DeserializeOwned>(
    service: &Service,
    path: &str,
    query: Vec<(&'static str, String)>,
) -> Result<T, WeatherError> {
    let question = Question {
        path,
        query,
        ..Question::default()
    };
    let answer = service.ask(question).await.inspect_err(|error| {
        tracing::info!(%error, "the weather service has no answer");
    })?;
    match answer.status {
        200..=299 => serde_json::from_slice(&answer.body).map_err(|_not_theirs| WeatherError::Unreadable),
        429 => Err(WeatherError::RateLimited),
        400..=499 => Err(WeatherError::Unreadable),
        status => Err(WeatherError::Unavailable(format!("it answered {status}"))),
    }
}

#[derive(Deserialize)]
struct Towns {
    #[serde(default)]
    results: Vec<RawTown>,
}

#[derive(Deserialize)]
struct RawTown {
    name: String,
    latitude: f64,
    longitude: f64,
    #[serde(default)]
    timezone: Option<String>,
}

impl RawTown {
    fn into_town(self) -> Option<Town> {
        Some(Town {
            point: Point::new(self.latitude, self.longitude).ok()?,
            zone: self.timezone.and_then(|name| TimeZone::get(&name).ok()),
            name: self.name,
        })
    }
}

/// Old and new names live side by side in Open-Meteo's answers, so that columns are looked up by either.
#[derive(Deserialize)]
struct RawForecast {
    #[serde(default)]
    timezone: Option<String>,
    #[serde(default)]
    current: Option<Value>,
    #[serde(default)]
    current_weather: Option<Value>,
    #[serde(default)]
    hourly: Value,
    daily: Value,
}

/// Numbers under either of two names.
fn column<'v>(table: &'v Value, names: [&str; 2]) -> &'v [Value] {
    let mut found = names.iter().filter_map(|name| table.get(*name)?.as_array());
    found.next().map_or(&[], Vec::as_slice)
}

fn number(value: Option<&Value>) -> Option<f64> {
    value.and_then(Value::as_f64).filter(|number| number.is_finite())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "codes are 0 to 99, checked here"
)]
fn code(value: Option<&Value>) -> Option<u8> {
    number(value)
        .filter(|code| (0.0..=99.0).contains(code))
        .map(|code| code as u8)
}

impl RawForecast {
    fn into_forecast(self) -> Option<Forecast> {
        let current = self.current.as_ref().or(self.current_weather.as_ref());
        let field = |table: &Value, names: [&str; 2]| names.iter().find_map(|name| number(table.get(*name)));
        let days = stretches(
            &self.daily,
            ["temperature_2m_min", ""],
            ["temperature_2m_max", ""],
            "_max",
            "_sum",
        );
        if days.is_empty() {
            return None;
        }
        Some(Forecast {
            zone: self.timezone.and_then(|name| TimeZone::get(&name).ok()),
            current: current.map(|now| Current {
                temperature: field(now, ["temperature_2m", "temperature"]),
                feels: field(now, ["apparent_temperature", ""]),
                code: code(now.get("weather_code").or_else(|| now.get("weathercode"))),
                wind: field(now, ["wind_speed_10m", "windspeed"]),
            }),
            hours: stretches(&self.hourly, ["temperature_2m", ""], ["temperature_2m", ""], "", ""),
            days,
        })
    }
}

/// The rows of a table of columns; one without a time it can read is left out.
fn stretches<At: std::str::FromStr>(
    table: &Value,
    min: [&str; 2],
    max: [&str; 2],
    most: &str,
    sum: &str,
) -> Vec<Stretch<At>> {
    let names = |new: &str, old: &str| [format!("{new}{most}"), format!("{old}{most}")];
    let winds = names("wind_speed_10m", "windspeed_10m");
    let chances = names("precipitation_probability", "precipitation_probability");
    let wet = format!("precipitation{sum}");
    let by = |names: &[String; 2]| column(table, [&names[0], &names[1]]);
    let (min, max, wind, chance) = (column(table, min), column(table, max), by(&winds), by(&chances));
    let (wet, codes) = (
        column(table, [&wet, ""]),
        column(table, ["weather_code", "weathercode"]),
    );
    let rows = column(table, ["time", ""]).iter().enumerate();
    rows.filter_map(|(row, at)| {
        Some(Stretch {
            at: at.as_str()?.parse().ok()?,
            min: number(min.get(row)),
            max: number(max.get(row)),
            wet: number(wet.get(row)),
            chance: number(chance.get(row)),
            code: code(codes.get(row)),
            wind: number(wind.get(row)),
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn old_names_and_new_ones_are_read_alike() {
        let read = |daily: Value| {
            let raw: RawForecast = serde_json::from_value(json!({"timezone": "Europe/Rome", "daily": daily})).unwrap();
            raw.into_forecast().unwrap().days
        };
        let new = read(
            json!({"time": ["2026-11-26"], "weather_code": [61], "wind_speed_10m_max": [12.5],
            "temperature_2m_max": [9.0], "temperature_2m_min": [3.0], "precipitation_sum": [4.2]}),
        );
        let old = read(
            json!({"time": ["2026-11-26"], "weathercode": [61], "windspeed_10m_max": [12.5],
            "temperature_2m_max": [9.0], "temperature_2m_min": [3.0], "precipitation_sum": [4.2]}),
        );
        assert_eq!(new, old);
        assert_eq!(
            (new[0].code, new[0].wind, new[0].wet, new[0].chance),
            (Some(61), Some(12.5), Some(4.2), None)
        );
    }

    #[test]
    fn what_has_no_days_is_no_forecast() {
        for daily in [json!({}), json!({"time": ["soon"]}), json!([])] {
            let raw: RawForecast = serde_json::from_value(json!({"daily": daily})).unwrap();
            assert_eq!(raw.into_forecast(), None);
        }
    }
}
