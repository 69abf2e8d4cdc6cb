//! Settings by environment: every key of the file has one variable, which wins over the file. One table and one way of
//! reading a value; nobody else knows the names. Used by `config` alone; `env` collects, nothing here asks the machine.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::{ConfigError, env, salvage, wrong};
use crate::domain::message::Message;

/// Every key of the file and its variable. A test holds it against the file.
pub const VARIABLES: &[(&str, &str)] = &[
    ("data_dir", "METNOS_DATA_DIR"),
    ("notes_dir", "METNOS_NOTES_DIR"),
    ("language", "METNOS_LANGUAGE"),
    ("timezone", "METNOS_TIMEZONE"),
    ("engine", "METNOS_ENGINE"),
    ("mode", "METNOS_MODE"),
    ("llm.url", "METNOS_LLM_URL"),
    ("llm.model", "METNOS_LLM_MODEL"),
    ("llm.embedding_model", "METNOS_LLM_EMBEDDING_MODEL"),
    ("llm.embedding_url", "METNOS_LLM_EMBEDDING_URL"),
    ("llm.slot", "METNOS_LLM_SLOT"),
    ("llm.seed", "METNOS_LLM_SEED"),
    ("llm.fast.url", "METNOS_LLM_FAST_URL"),
    ("llm.fast.model", "METNOS_LLM_FAST_MODEL"),
    ("llm.fast.think", "METNOS_LLM_FAST_THINK"),
    ("llm.fast.tokens", "METNOS_LLM_FAST_TOKENS"),
    ("llm.fast.timeout_s", "METNOS_LLM_FAST_TIMEOUT_S"),
    ("llm.fast.temperature", "METNOS_LLM_FAST_TEMPERATURE"),
    ("llm.middle.url", "METNOS_LLM_MIDDLE_URL"),
    ("llm.middle.model", "METNOS_LLM_MIDDLE_MODEL"),
    ("llm.middle.think", "METNOS_LLM_MIDDLE_THINK"),
    ("llm.middle.tokens", "METNOS_LLM_MIDDLE_TOKENS"),
    ("llm.middle.timeout_s", "METNOS_LLM_MIDDLE_TIMEOUT_S"),
    ("llm.middle.temperature", "METNOS_LLM_MIDDLE_TEMPERATURE"),
    ("llm.wise.url", "METNOS_LLM_WISE_URL"),
    ("llm.wise.model", "METNOS_LLM_WISE_MODEL"),
    ("llm.wise.think", "METNOS_LLM_WISE_THINK"),
    ("llm.wise.tokens", "METNOS_LLM_WISE_TOKENS"),
    ("llm.wise.timeout_s", "METNOS_LLM_WISE_TIMEOUT_S"),
    ("llm.wise.temperature", "METNOS_LLM_WISE_TEMPERATURE"),
    ("llm.server.command", "METNOS_LLM_SERVER_COMMAND"),
    ("llm.online.provider", "METNOS_LLM_ONLINE_PROVIDER"),
    ("llm.online.url", "METNOS_LLM_ONLINE_URL"),
    ("llm.online.model", "METNOS_LLM_ONLINE_MODEL"),
    ("llm.online.key_file", "METNOS_LLM_ONLINE_KEY_FILE"),
    ("llm.online.usd_per_million_in", "METNOS_LLM_ONLINE_USD_PER_MILLION_IN"),
    (
        "llm.online.usd_per_million_out",
        "METNOS_LLM_ONLINE_USD_PER_MILLION_OUT",
    ),
    ("llm.online.spend_max_day_usd", "METNOS_LLM_ONLINE_SPEND_MAX_DAY_USD"),
    (
        "llm.online.spend_max_month_usd",
        "METNOS_LLM_ONLINE_SPEND_MAX_MONTH_USD",
    ),
    ("llm.online.tokens", "METNOS_LLM_ONLINE_TOKENS"),
    ("llm.online.timeout_s", "METNOS_LLM_ONLINE_TIMEOUT_S"),
    ("telegram.token_file", "METNOS_TELEGRAM_TOKEN_FILE"),
    ("telegram.api_url", "METNOS_TELEGRAM_API_URL"),
    ("telegram.poll_s", "METNOS_TELEGRAM_POLL_S"),
    ("location.home", "METNOS_LOCATION_HOME"),
    ("location.fresh_s", "METNOS_LOCATION_FRESH_S"),
    ("location.ask_s", "METNOS_LOCATION_ASK_S"),
    ("devices.guest_areas", "METNOS_DEVICES_GUEST_AREAS"),
    ("agenda.calendar", "METNOS_AGENDA_CALENDAR"),
    ("agenda.contacts", "METNOS_AGENDA_CONTACTS"),
    ("agenda.ca_file", "METNOS_AGENDA_CA_FILE"),
    ("places.google_key_file", "METNOS_PLACES_GOOGLE_KEY_FILE"),
    ("places.google_url", "METNOS_PLACES_GOOGLE_URL"),
    ("places.photon_url", "METNOS_PLACES_PHOTON_URL"),
    ("places.timeout_s", "METNOS_PLACES_TIMEOUT_S"),
    ("mail.ca_file", "METNOS_MAIL_CA_FILE"),
    ("mail.hold_s", "METNOS_MAIL_HOLD_S"),
    ("days.country", "METNOS_DAYS_COUNTRY"),
    ("days.patron", "METNOS_DAYS_PATRON"),
    ("weather.url", "METNOS_WEATHER_URL"),
    ("weather.towns_url", "METNOS_WEATHER_TOWNS_URL"),
    ("search.searx_url", "METNOS_SEARCH_SEARX_URL"),
    ("search.brave_key_file", "METNOS_SEARCH_BRAVE_KEY_FILE"),
    ("search.wikipedia_url", "METNOS_SEARCH_WIKIPEDIA_URL"),
    ("speech.url", "METNOS_SPEECH_URL"),
    ("speech.model", "METNOS_SPEECH_MODEL"),
    ("speech.server.command", "METNOS_SPEECH_SERVER_COMMAND"),
    ("matrix.owner", "METNOS_MATRIX_OWNER"),
    ("planner.pool_size", "METNOS_ENGINE_POOL_SIZE"),
    ("policy.judge_threshold", "METNOS_JUDGE_THRESHOLD"),
    ("memory.autopath_min_obs", "METNOS_AUTOPATH_MIN_OBS"),
    ("memory.ban_s", "METNOS_AUTOPATH_TTL_ANTI"),
    ("memory.retry_ban_s", "METNOS_AUTOPATH_TTL_REPEAT"),
    ("memory.fastpath_max", "METNOS_FASTPATH_MAX"),
    ("memory.fastpath_grace_days", "METNOS_FASTPATH_GRACE_DAYS"),
    ("memory.fastpath_stale_days", "METNOS_FASTPATH_STALE_DAYS"),
    ("promotion.min_cluster", "METNOS_FP_PROMOTE_MIN_CLUSTER"),
    ("promotion.min_uses", "METNOS_FP_PROMOTE_MIN_USES"),
    ("promotion.min_age_days", "METNOS_FP_PROMOTE_MIN_AGE_DAYS"),
    ("promotion.max_per_night", "METNOS_FP_PROMOTE_MAX_PER_NIGHT"),
    ("promotion.autopromote", "METNOS_FASTPATH_AUTOPROMOTE"),
    ("promoter.grace_hours", "METNOS_PROMOTER_GRACE_HOURS"),
    ("promoter.max_per_night", "METNOS_PROMOTER_MAX_PER_FIRE"),
    ("promoter.rollback_fails", "METNOS_PROMOTER_ROLLBACK_FAILS"),
    ("promoter.kill_switch", "METNOS_PROMOTER_KILLSWITCH_ENFORCE"),
    ("promoter.dry_run", "METNOS_PROMOTER_DRY_RUN"),
    ("promoter.notify", "METNOS_PROMOTER_NOTIFY_ADMIN"),
    ("promoter.digest_aggregated", "METNOS_PROMOTER_DIGEST_AGGREGATED"),
    ("backup.folder", "METNOS_BACKUP_FOLDER"),
    ("backup.keep", "METNOS_BACKUP_KEEP"),
    ("sandbox.mode", "METNOS_SANDBOX"),
];

/// Other names of variables of ours, as older instructions have them. Ours wins.
const ALSO: [(&str, &str); 5] = [
    ("METNOS_USER_DATA", "METNOS_DATA_DIR"),
    ("METNOS_LOG_LEVEL", "METNOS_LOG"),
    ("METNOS_LLM_PLAN_TIMEOUT_S", "METNOS_LLM_WISE_TIMEOUT_S"),
    ("METNOS_LLM_CALL_TIMEOUT_S", "METNOS_LLM_MIDDLE_TIMEOUT_S"),
    ("METNOS_LLM_THINK", "METNOS_LLM_WISE_THINK"),
];

/// A name that older instructions have, and that one program in one file has no use for.
const NO_USE: [&str; 1] = ["METNOS_INSTALL_ROOT"];

/// Variables of our own tests and measurements begin so; they are no settings.
const OF_TESTS: [&str; 6] = [
    "METNOS_CI_",
    "METNOS_EVAL_",
    "METNOS_LIVE_",
    "METNOS_PAIRS",
    "METNOS_SCENARIOS_",
    "METNOS_TEST_",
];

/// A name may differ from a known one by one letter in so many, and is still taken for it.
const LETTERS_PER_MISTAKE: usize = 3;

/// A variable that begins like ours and that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariable {
    /// Its name.
    pub name: String,
    /// The known one that looks most like it, if any does.
    pub nearest: Option<&'static str>,
}

impl UnknownVariable {
    /// What a person is told.
    pub fn told(&self) -> Message {
        match self.nearest {
            Some(nearest) => Message::new("config-unknown-variable-near")
                .with("name", self.name.as_str())
                .with("nearest", nearest),
            None => Message::new("config-unknown-variable").with("name", self.name.as_str()),
        }
    }
}

/// The variables of this name under our own name for it.
pub(super) fn own_name(name: &str) -> &str {
    let also = ALSO.iter().find(|(other, _)| *other == name);
    also.map_or(name, |(_, ours)| ours)
}

/// The variable of a key.
pub(super) fn of_key(key: &str) -> Option<&'static str> {
    let row = VARIABLES.iter().find(|(setting, _)| *setting == key);
    row.map(|(_, variable)| *variable)
}

/// Lays what the environment says over the settings. `defaults` says of what kind each is.
pub(super) fn overlay(
    settings: &mut Table,
    defaults: &Table,
    said: &BTreeMap<String, String>,
) -> Result<(), ConfigError> {
    for (key, variable) in VARIABLES {
        let Some(text) = said.get(*variable) else { continue };
        let kind = salvage::get(defaults, key).unwrap_or(&Value::Boolean(false));
        let value = read(text, kind).map_err(|expected| wrong(variable, text.clone(), expected))?;
        salvage::put(settings, key, value);
    }
    Ok(())
}

/// A value of the same kind as the default; else the key of the text that says what it could be.
fn read(text: &str, default: &Value) -> Result<Value, &'static str> {
    let text = text.trim();
    match default {
        Value::Integer(_) => text.parse().map(Value::Integer).map_err(|_no| "config-expects-integer"),
        Value::Float(_) => text.parse().map(Value::Float).map_err(|_no| "config-expects-number"),
        Value::Boolean(_) => match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "on" | "yes" => Ok(Value::Boolean(true)),
            "0" | "false" | "off" | "no" => Ok(Value::Boolean(false)),
            _ => Err("config-expects-switch"),
        },
        Value::Array(_) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Ok(Value::Array(items.map(|item| Value::String(item.to_owned())).collect()))
        }
        Value::String(_) | Value::Datetime(_) | Value::Table(_) => Ok(Value::String(text.to_owned())),
    }
}

/// Those that begin like ours and that nobody knows, each with the known one that is nearest.
pub(super) fn unknown<'a>(names: impl Iterator<Item = &'a String>) -> Vec<UnknownVariable> {
    let known = || {
        let settings = VARIABLES.iter().map(|(_, variable)| *variable);
        let others = ALSO.iter().map(|(other, _)| *other);
        settings.chain(env::OUTSIDE_THE_FILE.iter().copied()).chain(others)
    };
    let is_strange = |name: &&String| {
        !OF_TESTS.iter().any(|prefix| name.starts_with(prefix))
            && !NO_USE.contains(&name.as_str())
            && !known().any(|known| known == name.as_str())
    };
    names
        .filter(is_strange)
        .map(|name| {
            let said = bare(name);
            let nearest = known().min_by_key(|known| distance(said, bare(known)));
            let is_near =
                |known: &&str| distance(said, bare(known)) * LETTERS_PER_MISTAKE <= said.len().max(bare(known).len());
            let short_for = || {
                known()
                    .filter(|known| is_short_for(said, bare(known)))
                    .min_by_key(|known| known.len())
            };
            UnknownVariable {
                name: name.clone(),
                nearest: nearest.filter(is_near).or_else(short_for),
            }
        })
        .collect()
}

/// A name without what all of them begin with.
fn bare(name: &str) -> &str {
    name.strip_prefix(env::PREFIX).unwrap_or(name)
}

/// Whether a word is another one with letters left out, such as `TZ` for `TIMEZONE`: a single word, and alike at the
/// start.
fn is_short_for(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    let starts_alike = short.chars().next().is_some_and(|first| long.starts_with(first));
    starts_alike && !long.contains('_') && short.chars().all(|letter| letters.any(|its| its == letter))
}

/// Letters to change, add or leave out on the way from one name to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut before: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.chars().enumerate() {
        let mut line = vec![row + 1];
        for (column, its) in other.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX - 1);
            let changed = at(&before, column) + usize::from(letter != *its);
            let shifted = at(&before, column + 1).min(at(&line, column)) + 1;
            line.push(changed.min(shifted));
        }
        before = line;
    }
    before.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_means_the_setting_it_is_short_for() {
        for (name, nearest) in [
            ("METNOS_TZ", Some("METNOS_TIMEZONE")),
            ("METNOS_LANG", Some("METNOS_LANGUAGE")),
            ("METNOS_LANGAUGE", Some("METNOS_LANGUAGE")),
            ("METNOS_COLOUR", None),
        ] {
            let names = [name.to_owned()];
            assert_eq!(unknown(names.iter())[0].nearest, nearest, "{name}");
        }
    }

    #[test]
    fn letters_are_counted() {
        for (one, other, letters) in [("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("", "abc", 3)] {
            assert_eq!(
                (distance(one, other), distance(other, one)),
                (letters, letters),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn a_value_is_read_as_its_setting_wants_it() {
        for (text, default, value) in [
            ("7", Value::Integer(0), Some(Value::Integer(7))),
            ("many", Value::Integer(0), None),
            ("0.5", Value::Float(0.0), Some(Value::Float(0.5))),
            ("3", Value::Float(0.0), Some(Value::Float(3.0))),
            ("off", Value::Boolean(true), Some(Value::Boolean(false))),
            ("1", Value::Boolean(false), Some(Value::Boolean(true))),
            ("perhaps", Value::Boolean(false), None),
            (
                " it ",
                Value::String(String::new()),
                Some(Value::String("it".to_owned())),
            ),
            (
                "Living Room, Kitchen",
                Value::Array(Vec::new()),
                Some(Value::Array(vec!["Living Room".into(), "Kitchen".into()])),
            ),
        ] {
            assert_eq!(read(text, &default).ok(), value, "{text}");
        }
    }
}
