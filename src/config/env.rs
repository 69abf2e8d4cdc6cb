//! Every environment variable metnos reads, and the only place that reads them. Called once by `app`.

use std::path::PathBuf;

/// Our own variables: whoever is started by us must not inherit them, secrets least of all.
pub const OWN: &[&str] = &[
    "METNOS_CONFIG",
    "METNOS_DATA_DIR",
    "METNOS_LLM_URL",
    "METNOS_LLM_ONLINE_KEY",
    "METNOS_TELEGRAM_TOKEN",
    "METNOS_LOG",
];

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
    /// `METNOS_DATA_DIR`: the data folder.
    pub data_dir: Option<PathBuf>,
    /// `METNOS_LLM_URL`: a llama-server.
    pub llm_url: Option<String>,
    /// `METNOS_LLM_ONLINE_KEY`: the key of the online provider.
    pub llm_online_key: Option<String>,
    /// `METNOS_TELEGRAM_TOKEN`: the bot's token.
    pub telegram_token: Option<String>,
    /// `METNOS_LOG`: what is logged, such as `info` or `metnos=debug`.
    pub log: Option<String>,
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
            data_dir: variable("METNOS_DATA_DIR").map(PathBuf::from),
            llm_url: variable("METNOS_LLM_URL"),
            llm_online_key: variable("METNOS_LLM_ONLINE_KEY"),
            telegram_token: variable("METNOS_TELEGRAM_TOKEN"),
            log: variable("METNOS_LOG"),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
