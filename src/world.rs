//! What the world outside is like: the sky by code, the weather by a service, and the web by whoever
//! searches it. Called by the executors hosted
//! in the engine. Numbers and keys of texts only; it makes no sentence, and keeps nothing on disk.

use crate::{
    config::{DaysConfig, SearchConfig, WeatherConfig},
    domain::{
        holidays::{Country, Patron},
        lang::Lang,
    },
    net::NetError,
};

/// The part of a text that answers a question.
pub mod passage;
/// The web, asked with words.
pub mod search;
/// The sun and the moon.
pub mod sky;
/// The weather.
pub mod weather;

use search::Search;
use weather::Weather;

/// The parts of it. Cheap to clone; clones share what they remember.
#[derive(Clone, Debug)]
pub struct World {
    /// The weather service.
    pub weather: Weather,
    /// The web.
    pub search: Search,
    country: Option<Country>,
    /// The town's own day.
    pub patron: Option<Patron>,
}

impl World {
    /// As the household set it up; asks nobody yet.
    pub fn from_config(days: &DaysConfig, weather: &WeatherConfig, search: &SearchConfig) -> Result<Self, NetError> {
        Ok(Self {
            weather: Weather::from_config(weather)?,
            search: Search::from_config(search)?,
            country: days.country,
            patron: days.patron.clone(),
        })
    }

    /// Whose holidays count: the setting's, else those of the place whose clock is used, else those of the language.
    pub fn country(&self, zone: &str, lang: Lang) -> Country {
        let by_language = if lang == Lang::IT {
            Country::Italy
        } else {
            Country::UnitedStates
        };
        self.country.or_else(|| Country::of_zone(zone)).unwrap_or(by_language)
    }
}
