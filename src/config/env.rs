//! Every environment variable metnos reads, and the only place that reads them. Called once by `app`.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use super::variables::{VARIABLES, own_name};

/// What our own variables begin with.
pub(super) const PREFIX: &str = "METNOS_";

/// Our variables that are no setting of the file: where that file is, secrets, and what is logged.
pub const OUTSIDE_THE_FILE: &[&str] = &[
    "METNOS_CONFIG",
    "METNOS_LLM_ONLINE_KEY",
    "METNOS_TELEGRAM_TOKEN",
    "METNOS_LOG",
];

/// Our own variables: whoever is started by us must not inherit them, secrets least of all.
pub fn own() -> impl Iterator<Item = &'static str> {
    let settings = VARIABLES.iter().map(|(_, variable)| *variable);
    OUTSIDE_THE_FILE.iter().copied().chain(settings)
}

/// The environment as far as we look at it.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `HOME`: what `~` stands for.
    pub home: Option<PathBuf>,
    /// `XDG_DATA_HOME`: where data folders live.
    pub xdg_data_home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`: where config folders live.
    pub xdg_config_home: Option<PathBuf>,
    /// `LANG`: the language of people we know nothing about.
    pub lang: Option<String>,
    /// `METNOS_CONFIG`: the config file.
    pub config: Option<PathBuf>,
    /// `METNOS_LLM_ONLINE_KEY`: the key of the online provider.
    pub llm_online_key: Option<String>,
    /// `METNOS_TELEGRAM_TOKEN`: the bot's token.
    pub telegram_token: Option<String>,
    /// `METNOS_LOG`: what is logged, such as `info` or `metnos=debug`.
    pub log: Option<String>,
    /// Everything else that begins with `METNOS_`: settings, and what is nothing of ours.
    pub settings: BTreeMap<String, String>,
}

impl Environment {
    /// Reads the process's environment. An empty variable counts as absent.
    pub fn read() -> Self {
        Self {
            home: variable("HOME").map(PathBuf::from),
            xdg_data_home: variable("XDG_DATA_HOME").map(PathBuf::from),
            xdg_config_home: variable("XDG_CONFIG_HOME").map(PathBuf::from),
            lang: variable("LANG"),
            config: variable("METNOS_CONFIG").map(PathBuf::from),
            llm_online_key: variable("METNOS_LLM_ONLINE_KEY"),
            telegram_token: variable("METNOS_TELEGRAM_TOKEN"),
            log: variable("METNOS_LOG").or_else(|| variable("METNOS_LOG_LEVEL")),
            settings: settings(),
        }
    }

    /// The same with one more setting, such as `METNOS_DATA_DIR`.
    #[must_use]
    pub fn saying(mut self, variable: &str, value: impl Into<String>) -> Self {
        self.settings.insert(own_name(variable).to_owned(), value.into());
        self
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Ours by our own name for them; under another name only what is not said under that.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn settings() -> BTreeMap<String, String> {
    let texts = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let named = std::env::vars_os().filter_map(texts);
    let ours = named.filter(|(name, value)| {
        name.starts_with(PREFIX) && !value.is_empty() && !OUTSIDE_THE_FILE.contains(&own_name(name))
    });
    let (own, other): (Vec<_>, Vec<_>) = ours.partition(|(name, _)| own_name(name) == name);
    let other = other
        .into_iter()
        .map(|(name, value)| (own_name(&name).to_owned(), value));
    other.chain(own).collect()
}
