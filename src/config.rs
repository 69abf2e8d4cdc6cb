//! What a household may change, resolved and checked once, before anything starts.
//!
//! `config.example.toml` is embedded and holds every default; the household's file is laid over it; the
//! environment (`env`, `variables`) comes last. `app` reads it and hands each part its own section, never the whole.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Component, Path, PathBuf},
};

use jiff::tz::TimeZone;

use crate::domain::{
    lang::{LANGUAGES_FOLDER, Lang},
    limits::SHORTLIST_MIN,
    message::Message,
    place::Point,
};

pub mod env;
mod error;
mod llm;
mod mail;
pub mod mcp;
mod memory;
mod outside;
mod raw;
mod salvage;
mod secret;
mod tiers;
mod variables;

pub use error::ConfigError;
pub use llm::{LlmConfig, Mode, OnlineConfig, OnlineGap};
pub use mail::MailConfig;
pub use mcp::{McpServer, McpServers};
pub use memory::{DigestForm, MemoryConfig, PromoterConfig, PromotionConfig};
pub use outside::{DaysConfig, SearchConfig, SpeechConfig, WeatherConfig};
pub use raw::EXAMPLE;
use raw::{Raw, RawAgenda, RawBackup, RawLocation};
pub use secret::Secret;
pub use tiers::{TierConfig, Tiers};
pub use variables::{UnknownVariable, VARIABLES};

use self::env::Environment;

/// Who writes plans, as older instructions call `mode = "online"`.
const FRONTIER: &str = "frontier";

/// Everything, resolved.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the database, the keys, the catalog and the logs live. Absolute.
    pub data_dir: PathBuf,
    /// The home folder `~` stands for. Absolute.
    pub home: PathBuf,
    /// Where lists and notes are kept that have no other place: a folder below each person's home, such as `notes`.
    pub notes_dir: String,
    /// The language of people we know nothing about yet.
    pub lang: Lang,
    /// IANA zone of people we know nothing about yet.
    pub timezone: String,
    /// Who writes plans.
    pub engine: EngineChoice,
    /// Whose model may be asked.
    pub mode: Mode,
    /// Language model.
    pub llm: LlmConfig,
    /// Telegram.
    pub telegram: TelegramConfig,
    /// Matrix.
    pub matrix: MatrixConfig,
    /// Where people are.
    pub location: LocationConfig,
    /// Who may command which devices.
    pub devices: DevicesConfig,
    /// Where calendars and address books lie.
    pub agenda: AgendaConfig,
    /// Who knows where things are.
    pub places: PlacesConfig,
    /// Mail.
    pub mail: MailConfig,
    /// Whose holidays count.
    pub days: DaysConfig,
    /// Who knows the weather.
    pub weather: WeatherConfig,
    /// Who searches the web.
    pub search: SearchConfig,
    /// Who hears voice notes.
    pub speech: SpeechConfig,
    /// Tools shown to the planner.
    pub pool_size: usize,
    /// The judge refuses below this score.
    pub judge_threshold: f64,
    /// Plan memory.
    pub memory: MemoryConfig,
    /// What becomes a candidate.
    pub promotion: PromotionConfig,
    /// What becomes of candidates.
    pub promoter: PromoterConfig,
    /// Sandbox of executor processes.
    pub sandbox: SandboxConfig,
    /// Variables that begin like ours and that nobody knows.
    pub unknown: Vec<UnknownVariable>,
    /// Nightly copies; `None` for none.
    pub backup: Option<BackupConfig>,
    /// Servers of tools of others.
    pub mcp: McpServers,
}

impl Config {
    /// Reads the household's file, if there is one, and resolves everything.
    pub fn load(environment: &Environment) -> Result<Self, ConfigError> {
        let named = || config_path(environment).unwrap_or_else(|| PathBuf::from("config.toml"));
        let parse = |source| ConfigError::Parse { path: named(), source };
        let written = written(environment)?.parse().map_err(parse)?;
        let raw = whole(written, environment, &parse)?;
        resolve(raw, environment).map_err(|error| blamed(error, environment))
    }

    /// What no executor may open or move: our folder of configurations, the file when it lies elsewhere, the secrets.
    /// A folder that `METNOS_CONFIG` leads to may be anybody's, so that only the file in it is closed.
    pub fn protected(&self, environment: &Environment) -> Vec<PathBuf> {
        [
            config_dir(environment),
            config_path(environment),
            self.telegram.token_file.clone(),
            self.places.google_key_file.clone(),
            self.search.brave_key_file.clone(),
            self.llm.online.key_file.clone(),
        ]
        .into_iter()
        .flatten()
        .map(|path| std::path::absolute(&path).unwrap_or(path))
        .collect()
    }
}

/// The defaults, the file over them, and the environment over both.
fn whole(
    written: toml::Table,
    environment: &Environment,
    parse: &dyn Fn(toml::de::Error) -> ConfigError,
) -> Result<Raw, ConfigError> {
    let mut whole = raw::layered(written).map_err(parse)?;
    let defaults = raw::defaults().map_err(parse)?;
    variables::overlay(&mut whole, &defaults, &environment.settings)?;
    raw::read(whole).map_err(parse)
}

/// A wrong value under the name it was said with: that of its variable, where the environment says it.
fn blamed(error: ConfigError, environment: &Environment) -> ConfigError {
    match error {
        ConfigError::Value { key, value, expected } => {
            let said = variables::of_key(key).filter(|variable| environment.settings.contains_key(*variable));
            let key = said.unwrap_or(key);
            ConfigError::Value { key, value, expected }
        }
        ConfigError::Read { .. }
        | ConfigError::Parse { .. }
        | ConfigError::Key { .. }
        | ConfigError::Exposed { .. }
        | ConfigError::NoHome => error,
    }
}

/// Where the household's file is looked for.
pub fn config_path(environment: &Environment) -> Option<PathBuf> {
    environment
        .config
        .clone()
        .or_else(|| config_dir(environment).map(|folder| folder.join("config.toml")))
}

/// The household's file; nothing when there is none and none was asked for.
fn written(environment: &Environment) -> Result<String, ConfigError> {
    match config_path(environment) {
        Some(path) if path.exists() || environment.config.is_some() => {
            std::fs::read_to_string(&path).map_err(|source| ConfigError::Read { path, source })
        }
        Some(_) | None => Ok(String::new()),
    }
}

/// Our own folder among the configurations: the file and, as we advise, the token beside it.
fn config_dir(environment: &Environment) -> Option<PathBuf> {
    environment
        .xdg_config_home
        .clone()
        .or_else(|| environment.home.as_ref().map(|home| home.join(".config")))
        .map(|folder| folder.join("metnos"))
}

fn resolve(raw: Raw, environment: &Environment) -> Result<Config, ConfigError> {
    let home = environment.home.clone().unwrap_or_else(|| PathBuf::from("/"));
    let data_dir = data_dir(&raw, environment)?;
    let lang = lang(&raw.language, environment, &data_dir)?;
    let token_file = secret_file(&raw.telegram.token_file, &home)?;
    let google_key_file = secret_file(&raw.places.google_key_file, &home)?;
    let matrix = MatrixConfig {
        folder: data_dir.join("matrix"),
        owner: matrix_address(raw.matrix.owner)?,
    };
    Ok(Config {
        notes_dir: notes_dir(raw.notes_dir)?,
        data_dir,
        matrix,
        lang,
        timezone: timezone(raw.timezone)?,
        engine: match raw.engine.as_str() {
            "auto" => EngineChoice::Auto,
            "simple" => EngineChoice::Simple,
            "metis" | FRONTIER => EngineChoice::Metis,
            _ => return Err(wrong("engine", raw.engine, "config-expects-engine")),
        },
        telegram: TelegramConfig {
            token: key(token_file.as_deref(), environment.telegram_token.as_deref())?,
            token_file,
            api_url: url("telegram.api_url", raw.telegram.api_url)?
                .ok_or_else(|| wrong("telegram.api_url", String::new(), "config-expects-web-address"))?,
            poll_s: at_least("telegram.poll_s", raw.telegram.poll_s, 1)?,
        },
        location: location(&raw.location)?,
        agenda: agenda(&raw.agenda, &home)?,
        places: PlacesConfig {
            google_key: google_key_file.as_deref().map(secret).transpose()?.flatten(),
            google_key_file,
            google_url: url("places.google_url", raw.places.google_url)?
                .ok_or_else(|| wrong("places.google_url", String::new(), "config-expects-web-address"))?,
            photon_url: url("places.photon_url", raw.places.photon_url)?,
            timeout_s: at_least("places.timeout_s", raw.places.timeout_s, 1)?,
        },
        mail: raw.mail.resolve(&home)?,
        days: outside::days(raw.days)?,
        weather: outside::weather(raw.weather)?,
        search: outside::search(raw.search, &home)?,
        speech: outside::speech(raw.speech)?,
        devices: DevicesConfig {
            guest_areas: raw.devices.guest_areas,
        },
        mode: match Mode::parse(&raw.mode) {
            Some(_) if raw.engine == FRONTIER => Mode::Online,
            Some(mode) => mode,
            None => return Err(wrong("mode", raw.mode, "config-expects-mode")),
        },
        pool_size: at_least("planner.pool_size", raw.planner.pool_size, SHORTLIST_MIN)?,
        judge_threshold: share("policy.judge_threshold", raw.policy.judge_threshold)?,
        llm: raw.llm.resolve(environment, &home)?,
        memory: raw.memory.resolve()?,
        promotion: raw.promotion.resolve()?,
        promoter: raw.promoter.resolve()?,
        sandbox: match raw.sandbox.mode.as_str() {
            "required" => SandboxConfig::Required,
            "degraded" => SandboxConfig::Degraded,
            _ => return Err(wrong("sandbox.mode", raw.sandbox.mode, "config-expects-sandbox-mode")),
        },
        unknown: variables::unknown(environment.settings.keys()),
        backup: backup(&raw.backup, &home)?,
        mcp: mcp::servers(raw.mcp, &home)?,
        home,
    })
}

fn notes_dir(written: String) -> Result<String, ConfigError> {
    let below = folder_at_home(&written);
    below.ok_or_else(|| wrong("notes_dir", written, "config-expects-folder-at-home"))
}

/// A folder below a home, without `~/`; `None` for any other place.
pub fn folder_at_home(written: &str) -> Option<String> {
    let below = written.trim();
    let below = below.strip_prefix("~/").unwrap_or(below).trim_end_matches('/');
    let mut parts = Path::new(below).components();
    let is_below = !below.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)));
    is_below.then(|| below.to_owned())
}

/// A part of one.
fn share(key: &'static str, value: f64) -> Result<f64, ConfigError> {
    let is_share = (0.0..=1.0).contains(&value);
    is_share
        .then_some(value)
        .ok_or_else(|| wrong(key, value.to_string(), "config-expects-share"))
}

fn backup(raw: &RawBackup, home: &Path) -> Result<Option<BackupConfig>, ConfigError> {
    let keep = at_least("backup.keep", raw.keep, 1)?;
    let Some(written) = filled(raw.folder.clone()) else {
        return Ok(None);
    };
    let folder = below_home(&written, home);
    if !folder.is_absolute() {
        return Err(wrong("backup.folder", written, "config-expects-folder"));
    }
    Ok(Some(BackupConfig { folder, keep }))
}

fn agenda(raw: &RawAgenda, home: &Path) -> Result<AgendaConfig, ConfigError> {
    let folder = |key: &'static str, written: &str| {
        let path = PathBuf::from(written.trim().trim_start_matches("~/"));
        let stays = |part: Component<'_>| matches!(part, Component::Normal(_));
        let is_below = path.components().next().is_some() && path.components().all(stays);
        let expected = "config-expects-below-home";
        Some(path)
            .filter(|_| is_below)
            .ok_or_else(|| wrong(key, written.to_owned(), expected))
    };
    Ok(AgendaConfig {
        calendar: folder("agenda.calendar", &raw.calendar)?,
        contacts: folder("agenda.contacts", &raw.contacts)?,
        ca_file: filled(raw.ca_file.clone()).map(|written| below_home(&written, home)),
    })
}

fn location(raw: &RawLocation) -> Result<LocationConfig, ConfigError> {
    Ok(LocationConfig {
        home: home_point(&raw.home)?,
        fresh_s: at_least("location.fresh_s", raw.fresh_s, 1)?,
        ask_s: at_least("location.ask_s", raw.ask_s, 1)?,
    })
}

fn home_point(written: &str) -> Result<Option<Point>, ConfigError> {
    let Some(written) = filled(written.trim().to_owned()) else {
        return Ok(None);
    };
    match Point::parse(&written) {
        Some(point) => Ok(Some(point)),
        None => Err(wrong("location.home", written, "config-expects-point")),
    }
}

/// A value that means nothing, and the key of the text that says what it could be.
fn wrong(key: &'static str, value: String, expected: &str) -> ConfigError {
    let expected = Message::new(expected);
    ConfigError::Value { key, value, expected }
}

/// A path as people write it: `~/x` is below the home folder.
fn below_home(written: &str, home: &Path) -> PathBuf {
    match written.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(written),
    }
}

/// A number that means something.
fn at_least<T>(key: &'static str, value: T, least: T) -> Result<T, ConfigError>
where
    T: PartialOrd + Copy + std::fmt::Display,
{
    if value >= least {
        return Ok(value);
    }
    let expected = Message::new("config-expects-at-least").with("least", least.to_string());
    let value = value.to_string();
    Err(ConfigError::Value { key, value, expected })
}

fn filled(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn data_dir(raw: &Raw, environment: &Environment) -> Result<PathBuf, ConfigError> {
    let home = environment.home.clone().unwrap_or_default();
    let named = filled(raw.data_dir.clone()).map(|written| below_home(&written, &home));
    if let Some(named) = named {
        return std::path::absolute(&named).map_err(|source| ConfigError::Read { path: named, source });
    }
    let shared = environment
        .xdg_data_home
        .clone()
        .or_else(|| environment.home.as_ref().map(|home| home.join(".local/share")));
    shared.map(|shared| shared.join("metnos")).ok_or(ConfigError::NoHome)
}

/// A language that comes with the binary.
fn built_in(code: &str) -> Option<Lang> {
    Lang::from_code(code).filter(|lang| lang.is_built_in())
}

fn lang(written: &str, environment: &Environment, data_dir: &Path) -> Result<Lang, ConfigError> {
    if written.is_empty() {
        return Ok(environment.lang.as_deref().and_then(built_in).unwrap_or_default());
    }
    let is_added = |lang: &Lang| data_dir.join(LANGUAGES_FOLDER).join(lang.code()).is_dir();
    let spoken = Lang::from_code(written).filter(|lang| lang.is_built_in() || is_added(lang));
    spoken.ok_or_else(|| wrong("language", written.to_owned(), "config-expects-language"))
}

fn timezone(written: String) -> Result<String, ConfigError> {
    if written.is_empty() {
        let system = TimeZone::system();
        return Ok(system.iana_name().unwrap_or("UTC").to_owned());
    }
    match TimeZone::get(&written) {
        Ok(_) => Ok(written),
        Err(_unknown) => Err(wrong("timezone", written, "config-expects-timezone")),
    }
}

fn url(key: &'static str, written: String) -> Result<Option<String>, ConfigError> {
    if written.is_empty() {
        return Ok(None);
    }
    match url::Url::parse(&written) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            Ok(Some(written.trim_end_matches('/').to_owned()))
        }
        Ok(_) | Err(_) => Err(wrong(key, written, "config-expects-web-address")),
    }
}

fn matrix_address(written: String) -> Result<Option<String>, ConfigError> {
    let is_address = written.starts_with('@') && written.split_once(':').is_some_and(|(_, server)| !server.is_empty());
    match filled(written) {
        Some(address) if !is_address => Err(wrong("matrix.owner", address, "config-expects-matrix-address")),
        address => Ok(address),
    }
}

/// Named even while the environment's secret wins: the file holds a secret all the same.
fn secret_file(written: &str, home: &Path) -> Result<Option<PathBuf>, ConfigError> {
    if written.is_empty() {
        return Ok(None);
    }
    let named = below_home(written, home);
    std::path::absolute(&named)
        .map(Some)
        .map_err(|source| ConfigError::Read { path: named, source })
}

/// A secret from the environment, else from its file.
fn key(file: Option<&Path>, from_environment: Option<&str>) -> Result<Option<Secret>, ConfigError> {
    if let Some(key) = from_environment {
        return Ok(Some(Secret::new(key.trim().to_owned())));
    }
    file.map(secret).transpose().map(Option::flatten)
}

/// What a file holds that nobody else may read; `None` for an empty one.
fn secret(path: &Path) -> Result<Option<Secret>, ConfigError> {
    let read = |source| ConfigError::Read {
        path: path.to_owned(),
        source,
    };
    let mode = std::fs::metadata(path).map_err(read)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(ConfigError::Exposed { path: path.to_owned() });
    }
    let text = std::fs::read_to_string(path).map_err(read)?;
    Ok(filled(text.trim().to_owned()).map(Secret::new))
}

/// Who writes plans (`engine` in the config).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The composer where it accounts for every word, the model for the rest.
    Auto,
    /// The composer only; never a model.
    Simple,
    /// The model for every new request; the composer while it is down, and where its plan differs from the words.
    Metis,
}

/// Nightly copies (`[backup]`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupConfig {
    /// Where they go, absolute.
    pub folder: PathBuf,
    /// So many are kept.
    pub keep: usize,
}

/// Telegram (`[telegram]`).
#[derive(Clone, Debug, Default)]
pub struct TelegramConfig {
    /// The bot's token, from the environment or a 0600 file; `None` leaves Telegram off.
    pub token: Option<Secret>,
    /// The file the token may lie in, absolute; closed to executors.
    pub token_file: Option<PathBuf>,
    /// Base URL of the Bot API server.
    pub api_url: String,
    /// Seconds one long poll may last.
    pub poll_s: u32,
}

/// Where people are (`[location]`).
#[derive(Clone, Debug, Default)]
pub struct LocationConfig {
    /// Where the owner is when nothing newer is known.
    pub home: Option<Point>,
    /// Seconds a shared location counts.
    pub fresh_s: u64,
    /// Seconds a question for one stays open.
    pub ask_s: u64,
}

impl LocationConfig {
    /// How long a shared location counts, in milliseconds.
    pub fn fresh_ms(&self) -> i64 {
        i64::try_from(self.fresh_s.saturating_mul(1_000)).unwrap_or(i64::MAX)
    }
}

/// Calendars and address books of everybody (`[agenda]`).
#[derive(Clone, Debug)]
pub struct AgendaConfig {
    /// The folder of `.ics` files, below the home of whose it is.
    pub calendar: PathBuf,
    /// The folder of `.vcf` files, below the same.
    pub contacts: PathBuf,
    /// A file with one more authority whose certificates count for calendar servers.
    pub ca_file: Option<PathBuf>,
}

impl Default for AgendaConfig {
    fn default() -> Self {
        Self {
            calendar: PathBuf::from(".calendar"),
            contacts: PathBuf::from(".contacts"),
            ca_file: None,
        }
    }
}

/// Devices of the house (`[devices]`).
#[derive(Clone, Debug, Default)]
pub struct DevicesConfig {
    /// Rooms whose devices guests may command.
    pub guest_areas: Vec<String>,
}

/// Geo services (`[places]`).
#[derive(Clone, Debug, Default)]
pub struct PlacesConfig {
    /// The key for Google Places, from a 0600 file; `None` leaves Google out.
    pub google_key: Option<Secret>,
    /// The file the key may lie in, absolute; closed to executors.
    pub google_key_file: Option<PathBuf>,
    /// Base URL of Google Places.
    pub google_url: String,
    /// Base URL of a Photon server; `None` leaves it out.
    pub photon_url: Option<String>,
    /// Seconds one question may take.
    pub timeout_s: u64,
}

/// Matrix (`[matrix]`). The session itself is made by `metnos matrix setup`.
#[derive(Clone, Debug, Default)]
pub struct MatrixConfig {
    /// Where the session, its store and the recovery key lie.
    pub folder: PathBuf,
    /// Who the bot belongs to, as a Matrix address; `None` for whom the set-up named.
    pub owner: Option<String>,
}

/// Sandbox of executor processes (`[sandbox]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxConfig {
    /// Landlock and seccomp, or the step fails.
    Required,
    /// Go on with resource limits alone where the kernel offers nothing better; `metnos doctor` says so.
    Degraded,
}
