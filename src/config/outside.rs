//! Services that are asked: whose holidays count, who knows the weather, who searches the web, who hears. Resolved like
//! the rest of the configuration; nobody is asked here.

use std::path::{Path, PathBuf};

use super::{
    ConfigError, Secret, filled,
    raw::{RawDays, RawSearch, RawSpeech, RawWeather},
    secret, secret_file, url, wrong,
};
use crate::domain::holidays::{Country, Patron};

/// Base URL of Brave's search.
const BRAVE: &str = "https://api.search.brave.com";
/// Seconds that one question to any of them may take.
const QUESTION_S: u64 = 10;

/// Seconds that hearing one voice note may take: a note of three minutes on a small machine.
const NOTE_S: u64 = 120;

/// Whose holidays count (`[days]`).
#[derive(Clone, Debug, Default)]
pub struct DaysConfig {
    /// The country; `None` for the one its time zone or language tells of.
    pub country: Option<Country>,
    /// The town's own day, if the household keeps one.
    pub patron: Option<Patron>,
}

/// The weather service (`[weather]`).
#[derive(Clone, Debug, Default)]
pub struct WeatherConfig {
    /// Base URL of a server with Open-Meteo's interface; `None` asks nobody.
    pub url: Option<String>,
    /// Base URL of the one that knows where towns are.
    pub towns_url: Option<String>,
    /// Seconds one question may take.
    pub timeout_s: u64,
}

/// Who searches the web (`[search]`): the first of them that is set up.
#[derive(Clone, Debug, Default)]
pub struct SearchConfig {
    /// Base URL of a SearXNG server.
    pub searx_url: Option<String>,
    /// The key for Brave, from a 0600 file.
    pub brave_key: Option<Secret>,
    /// The file the key may lie in, absolute; closed to executors.
    pub brave_key_file: Option<PathBuf>,
    /// Base URL of Brave.
    pub brave_url: String,
    /// Base URL of Wikipedia, in which `{lang}` stands for the person's language.
    pub wikipedia_url: Option<String>,
    /// Seconds one question may take.
    pub timeout_s: u64,
}

/// Who hears voice notes (`[speech]`).
#[derive(Clone, Debug, Default)]
pub struct SpeechConfig {
    /// Base URL of a server with `/v1/audio/transcriptions`; `None` for none.
    pub url: Option<String>,
    /// The model's name, for servers that hold several.
    pub model: Option<String>,
    /// Seconds one note may take.
    pub timeout_s: u64,
    /// Command that starts such a server for us, program first; empty when somebody else runs it.
    pub server_command: Vec<String>,
}

pub(super) fn speech(raw: RawSpeech) -> Result<SpeechConfig, ConfigError> {
    if !raw.server.command.is_empty() && raw.url.is_empty() {
        let command = raw.server.command.join(" ");
        return Err(wrong("speech.server.command", command, "config-expects-speech-url"));
    }
    Ok(SpeechConfig {
        server_command: raw.server.command,
        url: url("speech.url", raw.url)?,
        model: filled(raw.model),
        timeout_s: NOTE_S,
    })
}

pub(super) fn weather(raw: RawWeather) -> Result<WeatherConfig, ConfigError> {
    Ok(WeatherConfig {
        url: url("weather.url", raw.url)?,
        towns_url: url("weather.towns_url", raw.towns_url)?,
        timeout_s: QUESTION_S,
    })
}

pub(super) fn search(raw: RawSearch, home: &Path) -> Result<SearchConfig, ConfigError> {
    let brave_key_file = secret_file(&raw.brave_key_file, home)?;
    Ok(SearchConfig {
        searx_url: url("search.searx_url", raw.searx_url)?,
        brave_key: brave_key_file.as_deref().map(secret).transpose()?.flatten(),
        brave_key_file,
        brave_url: BRAVE.to_owned(),
        wikipedia_url: filled(raw.wikipedia_url)
            .map(
                |written| match url("search.wikipedia_url", written.replace("{lang}", "en")) {
                    Ok(_) => Ok(written.trim_end_matches('/').to_owned()),
                    Err(_unusable) => Err(wrong("search.wikipedia_url", written, "config-expects-web-address")),
                },
            )
            .transpose()?,
        timeout_s: QUESTION_S,
    })
}

pub(super) fn days(raw: RawDays) -> Result<DaysConfig, ConfigError> {
    let country = filled(raw.country).map(|code| {
        let country = Country::parse(&code);
        country.ok_or_else(|| wrong("days.country", code, "config-expects-country"))
    });
    let patron = filled(raw.patron).map(|written| {
        let patron = Patron::parse(&written);
        patron.ok_or_else(|| wrong("days.patron", written, "config-expects-patron"))
    });
    Ok(DaysConfig {
        country: country.transpose()?,
        patron: patron.transpose()?,
    })
}
